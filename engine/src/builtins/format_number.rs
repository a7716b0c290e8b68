//! Numbers as `format/2` writes them.

use crate::cell::Cell;
use crate::error::Res;
use crate::heap::Term;
use crate::machine::Machine;
use dashu_base::{Abs, Sign, Signed};
use dashu_int::IBig;
use dashu_ratio::RBig;

/// The value of an argument that is a number or an expression.
///
/// # Errors
/// As `is/2`.
pub fn evaluate(m: &mut Machine, c: Cell) -> Res<Cell> {
    match m.heap.view(c) {
        Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_) => Ok(m.heap.deref(c)),
        _ => crate::arith::eval(m, c),
    }
}

/// The integer that an argument evaluates to; `None` for another number.
///
/// # Errors
/// As `is/2`.
pub fn integer(m: &mut Machine, c: Cell) -> Res<Option<IBig>> {
    let v = evaluate(m, c)?;
    Ok(match m.heap.view(v) {
        Term::Int(i) => Some(IBig::from(i)),
        Term::Big(a) => Some(m.heap.big(a)),
        _ => None,
    })
}

/// Decimal digits with `decimals` of them behind a point, the others in groups (0: none) parted by `sep`.
pub fn grouped(i: &IBig, decimals: usize, group: usize, sep: char) -> String {
    let digits = i.abs().to_string();
    let decimals = decimals.min(1 << 20);
    let digits = if digits.len() <= decimals { format!("{}{digits}", "0".repeat(decimals + 1 - digits.len())) } else { digits };
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    let mut out = String::with_capacity(digits.len() * 2);
    if i.is_negative() {
        out.push('-');
    }
    for (k, c) in whole.chars().enumerate() {
        if group > 0 && k > 0 && (whole.len() - k) % group == 0 {
            out.push(sep);
        }
        out.push(c);
    }
    if decimals > 0 {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// The number in a radix from 2 to 36.
pub fn in_radix(i: &IBig, radix: u32, upper: bool) -> String {
    let s = i.in_radix(radix.min(36) as u8).to_string();
    if upper { s.to_uppercase() } else { s.to_lowercase() }
}

/// A number after `~Ne`, `~Nf` or `~Ng`; `None` when it is no number.
pub fn float(m: &Machine, c: Cell, directive: char, digits: usize) -> Option<String> {
    let exact = match m.heap.view(c) {
        Term::Int(i) => RBig::from(i),
        Term::Big(a) => RBig::from(m.heap.big(a)),
        Term::Rational(a) => m.heap.rational(a),
        Term::Float(f) => return Some(float_text(f, directive, digits)),
        _ => return None,
    };
    if directive == 'f' {
        return Some(fixed(&exact, digits));
    }
    Some(float_text(exact.to_f64().value(), directive, digits))
}

/// An exact number with so many decimals, rounded to the nearest, halves away from zero.
fn fixed(r: &RBig, digits: usize) -> String {
    let scale = IBig::from(10).pow(digits);
    let numerator = r.numerator() * scale;
    let negative = numerator.sign() == Sign::Negative;
    let denominator: IBig = r.denominator().clone().into();
    let twice = numerator.abs() * IBig::from(2) + &denominator;
    let rounded = twice / (denominator * IBig::from(2));
    let s = grouped(&rounded, digits, 0, ' ');
    if negative { format!("-{s}") } else { s }
}

fn float_text(f: f64, directive: char, digits: usize) -> String {
    if f.is_nan() {
        return "nan".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "inf".into() } else { "-inf".into() };
    }
    // The standard formatter takes at most this many digits; a double has fewer than 1100 that are not 0.
    let p = digits.min(2000);
    match directive {
        'f' => {
            let mut s = format!("{f:.p$}");
            s.extend(std::iter::repeat_n('0', digits - p));
            s
        }
        'e' => exponent(f, p),
        _ => {
            let p = p.max(1);
            let e = exponent(f, p - 1);
            let x: i64 = e.split_once('e').and_then(|(_, x)| x.parse().ok()).unwrap_or(0);
            if x < -4 || x >= p as i64 {
                let (mantissa, x) = e.split_once('e').unwrap_or((&e, "+00"));
                format!("{}e{x}", trimmed(mantissa))
            } else {
                let decimals = (p as i64 - 1 - x).max(0) as usize;
                trimmed(&format!("{f:.decimals$}")).to_string()
            }
        }
    }
}

/// Without the zeros at the end of the fraction.
fn trimmed(s: &str) -> &str {
    if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.') } else { s }
}

/// As C's `%.*e`: sign and at least two digits of exponent.
fn exponent(f: f64, p: usize) -> String {
    let s = format!("{f:.p$e}");
    let (mantissa, x) = s.split_once('e').unwrap_or((&s, "0"));
    let (sign, x) = x.strip_prefix('-').map_or(('+', x), |x| ('-', x));
    format!("{mantissa}e{sign}{x:0>2}")
}
