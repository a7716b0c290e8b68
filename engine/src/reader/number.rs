//! Numbers in a text.

use super::token::{LexError, Scanner, Token};
use crate::cell::Cell;
use crate::flags::{Flags, RationalSyntax};
use crate::heap::Heap;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

fn bytes<'a>(s: &Scanner<'a>) -> &'a [u8] {
    s.text.as_bytes()
}

fn at(s: &Scanner, i: usize) -> u8 {
    bytes(s).get(i).copied().unwrap_or(0)
}

/// Digits of a radix from `i` on, with digit groups (`1 000`, `1_000`); gives the digits and where they end.
fn digits(s: &Scanner, mut i: usize, radix: u32) -> (String, usize) {
    let mut out = String::new();
    let is = |b: u8| (b as char).to_digit(radix).is_some();
    while is(at(s, i)) {
        out.push(at(s, i) as char);
        i += 1;
        // "_" and blanks, or one blank, between digits of a group.
        if at(s, i) == b'_' {
            let mut j = i + 1;
            while matches!(at(s, j), b' ' | b'\n' | b'\t' | b'\r') {
                j += 1;
            }
            if is(at(s, j)) {
                i = j;
            }
        } else if at(s, i) == b' ' && radix <= 10 && is(at(s, i + 1)) {
            i += 1;
        }
    }
    (out, i)
}

fn integer(heap: &mut Heap, text: &str, radix: u32) -> Cell {
    if text.len() <= 17 && radix <= 10 {
        if let Ok(i) = i64::from_str_radix(text, radix) {
            return heap.int(i);
        }
    }
    match UBig::from_str_radix(text, radix) {
        Ok(u) => heap.integer(&IBig::from(u)),
        Err(_) => Cell::small(0),
    }
}

/// A number token that starts with a digit.
pub fn scan(s: &mut Scanner, heap: &mut Heap, flags: &Flags) -> Result<Token, LexError> {
    let start = s.at;
    let fail = |at: usize| Err(LexError { kind: "illegal_number".into(), at, incomplete: false });
    if at(s, start) == b'0' {
        let radix = match at(s, start + 1) {
            b'\'' => {
                if let Some(c) = char_code(s, start + 2)? {
                    return Ok(Token::Number(Cell::small(c as i64)));
                }
                0
            }
            b'x' => 16,
            b'o' => 8,
            b'b' => 2,
            _ => 0,
        };
        if radix > 0 {
            let (d, end) = digits(s, start + 2, radix);
            if !d.is_empty() {
                s.at = end;
                let n = integer(heap, &d, radix);
                return Ok(Token::Number(n));
            }
        }
    }
    let (d, end) = digits(s, start, 10);
    // Radix numbers.
    if at(s, end) == b'\''
        && end - start <= 2
        && let Ok(radix) = d.parse::<u32>()
        && (2..=36).contains(&radix)
    {
        let (v, stop) = digits(s, end + 1, radix);
        if !v.is_empty() {
            s.at = stop;
            let n = integer(heap, &v, radix);
            return Ok(Token::Number(n));
        }
    }
    // Rationals.
    let rational = match at(s, end) {
        b'r' => true,
        b'/' => flags.rational_syntax == RationalSyntax::Natural,
        _ => false,
    };
    if rational && flags.rational_syntax != RationalSyntax::Iso {
        let (den, stop) = digits(s, end + 1, 10);
        if !den.is_empty() {
            let (n, q) = (UBig::from_str_radix(&d, 10).unwrap_or_default(), UBig::from_str_radix(&den, 10).unwrap_or_default());
            if q == UBig::ZERO {
                return fail(start);
            }
            s.at = stop;
            let r = RBig::from_parts(IBig::from(n), q);
            let c = heap.ratio(&r);
            return Ok(Token::Number(c));
        }
    }
    // Floats.
    let mut i = end;
    let mut float = false;
    if at(s, i) == b'.' && at(s, i + 1).is_ascii_digit() {
        float = true;
        i += 1;
        while at(s, i).is_ascii_digit() {
            i += 1;
        }
        let rest = &s.text[i..];
        if rest.starts_with("Inf") {
            s.at = i + 3;
            let c = heap.float(f64::INFINITY);
            return Ok(Token::Number(c));
        }
        if rest.starts_with("NaN") {
            s.at = i + 3;
            let c = heap.float(nan(&s.text[start..i]));
            return Ok(Token::Number(c));
        }
    }
    if matches!(at(s, i), b'e' | b'E') {
        let mut j = i + 1;
        if matches!(at(s, j), b'+' | b'-') {
            j += 1;
        }
        if at(s, j).is_ascii_digit() {
            while at(s, j).is_ascii_digit() {
                j += 1;
            }
            float = true;
            i = j;
        }
    }
    if float {
        let mut text = d;
        text.push_str(&s.text[end..i]);
        s.at = i;
        return match text.parse::<f64>() {
            Ok(f) if f.is_finite() => {
                let c = heap.float(f);
                Ok(Token::Number(c))
            }
            _ => fail(start),
        };
    }
    s.at = end;
    let n = integer(heap, &d, 10);
    Ok(Token::Number(n))
}

/// A NaN with its payload as the fraction of a number from 1 to 2.
fn nan(text: &str) -> f64 {
    let f: f64 = text.parse().unwrap_or(1.5);
    let bits = f.to_bits() & 0x000f_ffff_ffff_ffff;
    f64::from_bits(0x7ff0_0000_0000_0000 | if bits == 0 { 1 << 51 } else { bits })
}

/// `0'c`: the code of the character at `i`.
fn char_code(s: &mut Scanner, i: usize) -> Result<Option<char>, LexError> {
    let Some(c) = s.text.get(i..).and_then(|t| t.chars().next()) else { return Ok(None) };
    if c == '\\' {
        s.at = i + 1;
        return match s.escape(i)? {
            Some(c) => Ok(Some(c)),
            None => Ok(None),
        };
    }
    if c == '\'' && at(s, i + 1) == b'\'' {
        s.at = i + 2;
        return Ok(Some('\''));
    }
    s.at = i + c.len_utf8();
    Ok(Some(c))
}

/// Parses a whole text as a number, with an optional sign; white space may stand before it.
pub fn parse_number(heap: &mut Heap, text: &str, flags: &Flags) -> Option<Cell> {
    let t = text.trim_start();
    let (negative, body) = match t.as_bytes().first()? {
        b'-' => (true, &t[1..]),
        b'+' => (false, &t[1..]),
        _ => (false, t),
    };
    if let "inf" | "infinite" | "nan" | "epsilon" = body {
        return None;
    }
    if !body.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    let mut s = Scanner { text: body, at: 0, comments: None, var_prefix: false };
    let Ok(Token::Number(c)) = scan(&mut s, heap, flags) else { return None };
    if s.at != body.len() {
        return None;
    }
    Some(if negative { negate(heap, c) } else { c })
}

/// The negative of a number cell.
pub fn negate(heap: &mut Heap, c: Cell) -> Cell {
    use crate::heap::Term;
    match heap.view(c) {
        Term::Int(i) => heap.int(-i),
        Term::Float(f) => heap.float(-f),
        Term::Big(a) => {
            let b = -heap.big(a);
            heap.integer(&b)
        }
        Term::Rational(a) => {
            let r = -heap.rational(a);
            heap.ratio(&r)
        }
        _ => c,
    }
}
