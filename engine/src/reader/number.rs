//! Numbers in a text.

use super::Failure;
use super::chars::is_word_char;
use super::quoted::Escape;
use super::token::Scanner;
use crate::cell::Cell;
use crate::flags::{Flags, RationalSyntax};
use crate::heap::Heap;
use dashu_base::Sign;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Digits scanned: where they end, and whether `_` or blanks separate groups of them.
struct Digits {
    end: usize,
    grouped: bool,
}

fn is_digit(b: u8, radix: u32) -> bool {
    (b as char).is_digit(radix)
}

impl Scanner<'_> {
    /// A number from its first digit; `negative`: a minus stood before it.
    pub fn number(&mut self, heap: &mut Heap, negative: bool) -> Result<Cell, Failure> {
        let start = self.at;
        if self.byte(start) == b'0' {
            let radix = match self.byte(start + 1) {
                b'\'' => return self.char_code(heap, start, negative),
                b'x' => 16,
                b'o' => 8,
                b'b' => 2,
                _ => 0,
            };
            if radix > 0 {
                if !is_digit(self.byte(start + 2), radix) {
                    return Err(Failure::at("illegal_number", start));
                }
                return Ok(self.integer(heap, start + 2, radix, negative));
            }
        }
        let d = self.digits(start, 10);
        match self.byte(d.end) {
            b'\'' if d.end - start <= 2 && !d.grouped => {
                if let Ok(radix @ 2..=36) = self.text.get(start..d.end).unwrap_or("").parse::<u32>()
                    && is_digit(self.byte(d.end + 1), radix)
                {
                    return Ok(self.integer(heap, d.end + 1, radix, negative));
                }
            }
            b'r' if self.rationals != RationalSyntax::Iso && self.byte(d.end + 1).is_ascii_digit() => {
                return self.rational(heap, start, d.end, negative);
            }
            b'/' if self.rationals == RationalSyntax::Natural && self.byte(d.end + 1).is_ascii_digit() => {
                return self.rational(heap, start, d.end, negative);
            }
            b'.' if !d.grouped && self.byte(d.end + 1).is_ascii_digit() => return self.float(heap, start, d.end, negative),
            b'e' | b'E' if !d.grouped && self.exponent(d.end).is_some() => return self.float(heap, start, d.end, negative),
            _ => {}
        }
        Ok(self.integer(heap, start, 10, negative))
    }

    /// Digits of a radix, with digit groups: `1 000 000`, `1_000_000`, or `_` before white space and comments.
    fn digits(&mut self, from: usize, radix: u32) -> Digits {
        let mut d = Digits { end: from, grouped: false };
        let bytes = self.bytes();
        loop {
            while let Some(&b) = bytes.get(d.end)
                && is_digit(b, radix)
            {
                d.end += 1;
            }
            match bytes.get(d.end) {
                Some(b'_') => {
                    let (at, comments) = (self.at, self.comments.as_ref().map(Vec::len));
                    self.at = d.end + 1;
                    let skipped = self.skip_layout().is_ok();
                    let next = std::mem::replace(&mut self.at, at);
                    if skipped && is_digit(self.byte(next), radix) {
                        d = Digits { end: next, grouped: true };
                        continue;
                    }
                    if let (Some(c), Some(n)) = (&mut self.comments, comments) {
                        c.truncate(n);
                    }
                }
                Some(b' ') if radix <= 10 && bytes.get(d.end + 1).is_some_and(|&b| is_digit(b, radix)) => {
                    d = Digits { end: d.end + 1, grouped: true };
                    continue;
                }
                _ => {}
            }
            return d;
        }
    }

    fn integer(&mut self, heap: &mut Heap, from: usize, radix: u32, negative: bool) -> Cell {
        let d = self.digits(from, radix);
        self.at = d.end;
        // 12 digits of any radix fit into 63 bits, as do 18 decimal ones.
        if d.end - from <= if radix <= 10 { 18 } else { 12 } {
            let mut n = 0i64;
            for &b in self.bytes().get(from..d.end).unwrap_or(&[]) {
                if let Some(v) = (b as char).to_digit(radix) {
                    n = n * i64::from(radix) + i64::from(v);
                }
            }
            // A comment between digit groups has letters too.
            if !d.grouped {
                return heap.int(if negative { -n } else { n });
            }
        }
        let n = self.big(from, d, radix);
        heap.integer(&IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, n))
    }

    fn big(&mut self, from: usize, d: Digits, radix: u32) -> UBig {
        let text = self.text.get(from..d.end).unwrap_or("");
        if !d.grouped {
            return UBig::from_str_radix(text, radix).unwrap_or_default();
        }
        // The digits alone: comments between groups are skipped as they were when scanned.
        let mut out = String::with_capacity(text.len());
        let (at, comments) = (self.at, self.comments.take());
        self.at = from;
        while self.at < d.end {
            let b = self.byte(self.at);
            if is_digit(b, radix) {
                out.push(b as char);
                self.at += 1;
            } else {
                self.at += 1;
                if b == b'_' && self.skip_layout().is_err() {
                    break;
                }
            }
        }
        (self.at, self.comments) = (at, comments);
        UBig::from_str_radix(&out, radix).unwrap_or_default()
    }

    /// `1r3`: the numerator is at `start..slash`.
    fn rational(&mut self, heap: &mut Heap, start: usize, slash: usize, negative: bool) -> Result<Cell, Failure> {
        let n = self.digits(start, 10);
        let numerator = self.big(start, n, 10);
        let d = self.digits(slash + 1, 10);
        self.at = d.end;
        let denominator = self.big(slash + 1, d, 10);
        if denominator == UBig::ZERO {
            return Err(Failure::at("illegal_number", start));
        }
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        Ok(heap.ratio(&RBig::from_parts(IBig::from_parts(sign, numerator), denominator)))
    }

    /// End of an exponent that starts at `i`.
    fn exponent(&self, i: usize) -> Option<usize> {
        if !matches!(self.byte(i), b'e' | b'E') {
            return None;
        }
        let mut j = i + 1;
        if matches!(self.byte(j), b'+' | b'-') {
            j += 1;
        }
        if !self.byte(j).is_ascii_digit() {
            return None;
        }
        while self.byte(j).is_ascii_digit() {
            j += 1;
        }
        Some(j)
    }

    fn float(&mut self, heap: &mut Heap, start: usize, whole: usize, negative: bool) -> Result<Cell, Failure> {
        let mut end = whole;
        if self.byte(end) == b'.' {
            end += 1;
            while self.byte(end).is_ascii_digit() {
                end += 1;
            }
        }
        let special = |name: &str| {
            self.text.get(end..).and_then(|r| r.strip_prefix(name)).is_some_and(|r| !r.chars().next().is_some_and(is_word_char))
        };
        let (inf, nan) = (special("Inf"), special("NaN"));
        if !inf && !nan {
            end = self.exponent(end).unwrap_or(end);
        }
        let value: f64 = self.text.get(start..end).unwrap_or("").parse().unwrap_or(0.0);
        self.at = if inf || nan { end + 3 } else { end };
        let f = if inf {
            f64::INFINITY
        } else if nan {
            // The digits carry the payload: the fraction of a number in [1,2).
            let bits = value.to_bits();
            if bits >> 52 != 0x3ff || bits << 12 == 0 {
                return Err(Failure::at("numeric constant out of range", start));
            }
            f64::from_bits(bits | 0x7ff << 52)
        } else {
            value
        };
        if f.is_infinite() && !inf && !self.float_overflow_infinity {
            return Err(Failure::at("float_overflow", start));
        }
        Ok(heap.float(if negative { -f } else { f }))
    }

    /// `0'c` with its quote after `start`.
    fn char_code(&mut self, heap: &mut Heap, start: usize, negative: bool) -> Result<Cell, Failure> {
        self.at = start + 2;
        let Some(c) = self.char_at(self.at) else { return Err(Failure::end_of_file(self.text.len())) };
        self.at += c.len_utf8();
        let code = match c {
            '\\' if self.escapes => match self.char_at(self.at) {
                None => return Err(Failure::end_of_file(self.text.len())),
                Some(c @ ('\n' | 'c')) => {
                    self.at += 1;
                    c as i64
                }
                Some(_) => match self.escape(b'\'') {
                    Ok(Escape::Char(c)) => c as i64,
                    _ => return Err(Failure::at("illegal_number", start)),
                },
            },
            '\'' => {
                if self.byte(self.at) == b'\'' {
                    self.at += 1;
                }
                39
            }
            c => c as i64,
        };
        Ok(heap.int(if negative { -code } else { code }))
    }
}

/// Reads a whole text as a number: white space, an optional sign, and a number up to the end. `None` when it is none.
pub fn parse_number(heap: &mut Heap, text: &str, flags: &Flags) -> Option<Cell> {
    let mut s = Scanner::new(text, 0, flags);
    s.skip_layout().ok()?;
    let negative = match s.byte(s.at) {
        b'-' => {
            s.at += 1;
            true
        }
        b'+' => {
            s.at += 1;
            false
        }
        _ => false,
    };
    if !s.byte(s.at).is_ascii_digit() {
        return None;
    }
    let c = s.number(heap, negative).ok()?;
    if s.at == text.len() { Some(c) } else { None }
}
