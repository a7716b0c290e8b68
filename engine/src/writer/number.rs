//! Texts of numbers.

use crate::cell::Cell;
use crate::heap::{Heap, Term};

/// A number as `writeq/1` writes it; `None` for anything else.
pub fn number_text(heap: &Heap, c: Cell) -> Option<String> {
    match heap.view(c) {
        Term::Int(i) => Some(i.to_string()),
        Term::Big(a) => Some(heap.big(a).to_string()),
        Term::Rational(a) => {
            let r = heap.rational(a);
            Some(format!("{}r{}", r.numerator(), r.denominator()))
        }
        Term::Float(f) => Some(float_text(f)),
        _ => None,
    }
}

/// A float by the fewest digits that read back as the same number; from 1e15 on with an exponent.
pub fn float_text(f: f64) -> String {
    if f.is_nan() {
        return "1.5NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "1.0Inf".into() } else { "-1.0Inf".into() };
    }
    let sci = format!("{f:e}");
    let (mantissa, exp) = sci.split_once('e').unwrap_or((&sci, "0"));
    let exp: i32 = exp.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |m| ("-", m));
    if !(-4..15).contains(&exp) {
        let point = if mantissa.contains('.') { "" } else { ".0" };
        return format!("{sign}{mantissa}{point}e{exp:+}");
    }
    let digits: String = mantissa.chars().filter(|&c| c != '.').collect();
    if exp < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-exp - 1) as usize));
    }
    let whole = exp as usize + 1;
    if digits.len() <= whole {
        return format!("{sign}{digits}{}.0", "0".repeat(whole - digits.len()));
    }
    let (a, b) = digits.split_at(whole);
    format!("{sign}{a}.{b}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats() {
        for (f, t) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1e22, "1.0e+22"),
            (1e-4, "0.0001"),
            (1.234e-5, "1.234e-5"),
            (5e-324, "5.0e-324"),
            (1.0 / 3.0, "0.3333333333333333"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (f64::NEG_INFINITY, "-1.0Inf"),
        ] {
            assert_eq!(float_text(f), t);
        }
    }
}
