//! Reading and writing of numbers.

use crate::cell::Cell;
use crate::flags::{Flags, RationalSyntax};
use crate::heap::{Heap, Term};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A float as `writeq/1` prints it: 15 digits when they read back as the same float, else the shortest that do.
pub fn format_float(f: f64) -> String {
    if f.is_nan() {
        return "1.5NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "1.0Inf".into() } else { "-1.0Inf".into() };
    }
    if f == 0.0 {
        return if f.is_sign_negative() { "-0.0".into() } else { "0.0".into() };
    }
    // Rust gives the shortest digits; up to 15 of them also are what 15-digit rounding gives.
    let text = format!("{:e}", f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    let digits = half_to_even(f.abs(), digits);
    let n = digits.len() as i32;
    let sign = if f < 0.0 { "-" } else { "" };
    let point = exponent + 1;
    if point <= -4 || point > 15 && n <= point {
        let rest = digits.get(1..).filter(|r| !r.is_empty()).unwrap_or("0");
        let first = digits.get(..1).unwrap_or("0");
        let plus = if exponent > 0 { "+" } else { "" };
        return format!("{sign}{first}.{rest}e{plus}{exponent}");
    }
    if point <= 0 {
        format!("{sign}0.{}{digits}", "0".repeat(-point as usize))
    } else if n <= point {
        format!("{sign}{digits}{}.0", "0".repeat((point - n) as usize))
    } else {
        let (a, b) = digits.split_at(point as usize);
        format!("{sign}{a}.{b}")
    }
}

/// When the exact value is half way between two shortest forms, the even one is the one to print.
fn half_to_even(f: f64, digits: String) -> String {
    if digits.len() < 16 {
        return digits;
    }
    let exact: String = format!("{f:.60e}").chars().take_while(|c| *c != 'e').filter(char::is_ascii_digit).collect();
    let (Some(head), Some(tail)) = (exact.get(..digits.len()), exact.get(digits.len()..)) else { return digits };
    let tie = tail.strip_prefix('5').is_some_and(|t| t.bytes().all(|b| b == b'0'));
    let even = head.as_bytes().last().is_some_and(|b| b % 2 == 0);
    if tie && even { head.to_string() } else { digits }
}

/// A number as `writeq/1` prints it; `None` for any other term.
pub fn format_number(heap: &Heap, c: Cell) -> Option<String> {
    match heap.view(c) {
        Term::Int(i) => Some(i.to_string()),
        Term::Big(a) => Some(heap.big(a).to_string()),
        Term::Float(f) => Some(format_float(f)),
        Term::Rational(a) => {
            let r = heap.rational(a);
            Some(format!("{}r{}", r.numerator(), r.denominator()))
        }
        _ => None,
    }
}

/// Reads a whole text as a number in Prolog syntax, with an optional sign and no blanks after it.
/// `None` when the text is no number, or a float out of range.
pub fn parse(heap: &mut Heap, text: &str, flags: &Flags) -> Option<Cell> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if let Some(f) = parse_float(body) {
        return Some(heap.float(if negative { -f } else { f }));
    }
    let separator = if flags.rational_syntax == RationalSyntax::Natural { '/' } else { 'r' };
    if body.starts_with(|c: char| c.is_ascii_digit())
        && let Some((n, d)) = body.split_once(separator)
        && let (Some(n), Some(d)) = (decimal(n), decimal(d))
    {
        if d.is_zero() {
            return None;
        }
        let r = RBig::from_parts(signed(n, negative), d);
        return Some(heap.ratio(&r));
    }
    let i = parse_integer(body)?;
    let i = signed(i, negative);
    Some(heap.integer(&i))
}

fn signed(u: UBig, negative: bool) -> IBig {
    if negative { -IBig::from(u) } else { IBig::from(u) }
}

/// Decimal digits, groups separated by one `_`.
fn decimal(s: &str) -> Option<UBig> {
    digits(s, 10)
}

fn digits(s: &str, radix: u32) -> Option<UBig> {
    let b = s.as_bytes();
    let mut clean = String::with_capacity(b.len());
    for (i, &c) in b.iter().enumerate() {
        if c == b'_' {
            let around = i > 0 && b.get(i - 1) != Some(&b'_') && b.get(i + 1).is_some_and(|n| *n != b'_');
            if !around {
                return None;
            }
        } else if (c as char).is_digit(radix) {
            clean.push(c as char);
        } else {
            return None;
        }
    }
    if clean.is_empty() {
        return None;
    }
    UBig::from_str_radix(&clean, radix).ok()
}

fn parse_integer(s: &str) -> Option<UBig> {
    if let Some(rest) = s.strip_prefix("0x") {
        return digits(rest, 16);
    }
    if let Some(rest) = s.strip_prefix("0o") {
        return digits(rest, 8);
    }
    if let Some(rest) = s.strip_prefix("0b") {
        return digits(rest, 2);
    }
    if let Some(rest) = s.strip_prefix("0'") {
        return character(rest).map(UBig::from);
    }
    if let Some((radix, rest)) = s.split_once('\'') {
        let radix: u32 = radix.parse().ok()?;
        return if (2..=36).contains(&radix) { digits(rest, radix) } else { None };
    }
    decimal(s)
}

/// The character of `0'c`: itself, a doubled quote or an escape.
fn character(s: &str) -> Option<u32> {
    let mut it = s.chars();
    let c = it.next()?;
    let rest = it.as_str();
    if c == '\'' {
        return if rest == "'" || rest.is_empty() { Some(39) } else { None };
    }
    if c != '\\' {
        return if rest.is_empty() { Some(c as u32) } else { None };
    }
    let mut it = rest.chars();
    let e = it.next()?;
    let tail = it.as_str();
    let simple = match e {
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        's' => 32,
        'e' => 27,
        'z' => return None,
        '\\' | '\'' | '"' | '`' => e as u32,
        'x' => return coded(tail.strip_suffix('\\').unwrap_or(tail), 16),
        'u' | 'U' => return if tail.len() == if e == 'u' { 4 } else { 8 } { coded(tail, 16) } else { None },
        '0'..='7' => return coded(rest.strip_suffix('\\').unwrap_or(rest), 8),
        _ => return None,
    };
    if tail.is_empty() { Some(simple) } else { None }
}

fn coded(s: &str, radix: u32) -> Option<u32> {
    let v = u32::from_str_radix(s, radix).ok()?;
    char::from_u32(v).map(|c| c as u32)
}

/// Decimal float: digits, then a fraction or an exponent, or both; or `inf`, `nan` and the special floats.
fn parse_float(s: &str) -> Option<f64> {
    match s {
        "inf" | "infinite" => return Some(f64::INFINITY),
        "nan" => return Some(f64::NAN),
        "epsilon" | "max_tagged_integer" => return None,
        _ => {}
    }
    let b = s.as_bytes();
    let run = |mut i: usize| {
        while b.get(i).is_some_and(u8::is_ascii_digit) {
            i += 1;
        }
        i
    };
    let whole = run(0);
    if whole == 0 {
        return None;
    }
    let mut end = whole;
    let mut fraction = false;
    if b.get(end) == Some(&b'.') {
        let f = run(end + 1);
        if f == end + 1 {
            return None;
        }
        fraction = true;
        end = f;
    }
    match s.get(end..) {
        Some("Inf") if fraction => return Some(f64::INFINITY),
        Some("NaN") if fraction => return Some(f64::NAN),
        _ => {}
    }
    let mut exponent = false;
    if matches!(b.get(end), Some(b'e' | b'E')) {
        let sign = matches!(b.get(end + 1), Some(b'+' | b'-')) as usize;
        let e = run(end + 1 + sign);
        if e == end + 1 + sign {
            return None;
        }
        exponent = true;
        end = e;
    }
    if end != b.len() || !(fraction || exponent) {
        return None;
    }
    let f: f64 = s.parse().ok()?;
    if f.is_finite() { Some(f) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print() {
        for (f, s) in [
            (1.0e20, "1.0e+20"),
            (9007199254740992.0, "9.007199254740992e+15"),
            (1e15, "1.0e+15"),
            (1e14, "100000000000000.0"),
            (1000000000000000.2, "1000000000000000.2"),
            (1e-7, "1.0e-7"),
            (0.0001, "0.0001"),
            (0.00012345678901234567, "0.00012345678901234567"),
            (0.1 + 0.2, "0.30000000000000004"),
            (5e-324, "5.0e-324"),
            (-2.5, "-2.5"),
            (1234567890123456.7, "1234567890123456.8"),
        ] {
            assert_eq!(format_float(f), s);
        }
    }

    #[test]
    fn parses() {
        let mut h = Heap::new();
        let flags = Flags::default();
        for (t, w) in [
            ("0x1A", "26"),
            ("0'a", "97"),
            ("-12", "-12"),
            ("+12", "12"),
            ("1_000", "1000"),
            ("1e5", "100000.0"),
            ("1.5e3", "1500.0"),
            ("16'ff", "255"),
            ("2r6", "1r3"),
            ("1.0Inf", "1.0Inf"),
            ("0'\\n", "10"),
            ("123456789012345678901", "123456789012345678901"),
        ] {
            let c = parse(&mut h, t, &flags).unwrap();
            assert_eq!(format_number(&h, c).unwrap(), w);
        }
        for t in ["", "-", "1 ", " 1", "1__0", "1.", "0x", "1r0", "- 1", "2'2", "abc", "1e"] {
            assert!(parse(&mut h, t, &flags).is_none(), "{t}");
        }
    }
}
