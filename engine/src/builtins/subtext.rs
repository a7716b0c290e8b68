//! Parts of texts: `sub_atom/5`, `sub_string/5` and the case-insensitive search.
//!
//! The state of an enumeration holds the text as a string on the heap with the byte and character
//! positions reached, so that a step costs no more than the part it gives.

use super::atoms::{Kind, lower_of};
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::text;

/// A position argument: unbound, or a number of characters.
fn position(heap: &mut Heap, c: Cell) -> Res<Option<usize>> {
    match heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => Ok(None),
        Term::Int(i) if i >= 0 => Ok(Some(i as usize)),
        Term::Int(_) => Err(error::domain(heap, "not_less_than_zero", c)),
        Term::Big(a) if heap.big(a) >= dashu_int::IBig::ZERO => Ok(Some(usize::MAX >> 1)),
        Term::Big(_) => Err(error::domain(heap, "not_less_than_zero", c)),
        _ => Err(error::type_error(heap, atom::INTEGER, c)),
    }
}

/// Number of characters in a part of UTF-8 text.
fn count(bytes: &[u8], ascii: bool) -> usize {
    if ascii { bytes.len() } else { bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count() }
}

/// Byte position `chars` characters after byte `from`.
fn forward(bytes: &[u8], ascii: bool, from: usize, chars: usize) -> usize {
    if ascii {
        return (from + chars).min(bytes.len());
    }
    let mut at = from;
    for _ in 0..chars {
        at += 1;
        while bytes.get(at).is_some_and(|b| b & 0xc0 == 0x80) {
            at += 1;
        }
    }
    at.min(bytes.len())
}

/// First place at or after `from` where `needle` stands.
fn find(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    let Some(&first) = needle.first() else { return (from <= bytes.len()).then_some(from) };
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        at += rest.iter().position(|&b| b == first)?;
        if bytes.get(at..)?.starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
}

/// Where an enumeration stands: the next part to give.
#[derive(Clone, Copy, Debug, PartialEq)]
struct At {
    /// Characters before the part, and its first byte.
    before: usize,
    first: usize,
    /// Characters in the part, and the byte behind it.
    length: usize,
    end: usize,
}

/// What is known of the part, so how to enumerate.
enum Mode {
    /// The part itself: its bytes and characters.
    Match(String, usize),
    /// Start known.
    FromStart,
    /// Length known.
    Window,
    /// End known.
    ToEnd,
    /// Nothing.
    All,
}

struct Text<'a> {
    bytes: &'a [u8],
    ascii: bool,
    chars: usize,
}

impl Text<'_> {
    fn next(&self, mode: &Mode, at: At) -> Option<At> {
        match mode {
            Mode::Match(s, n) => {
                let from = if self.bytes.len() > at.first { forward(self.bytes, self.ascii, at.first, 1) } else { return None };
                self.found(s, *n, from, at.before + 1)
            }
            Mode::FromStart => self.longer(at),
            Mode::All => self.longer(at).or_else(|| {
                let first = self.step(at.first)?;
                Some(At { before: at.before + 1, first, length: 0, end: first })
            }),
            Mode::Window => {
                let end = self.step(at.end)?;
                let first = forward(self.bytes, self.ascii, at.first, 1);
                Some(At { before: at.before + 1, first, length: at.length, end })
            }
            Mode::ToEnd => {
                let first = if at.first < at.end { self.step(at.first)? } else { return None };
                Some(At { before: at.before + 1, first, length: at.length.checked_sub(1)?, end: at.end })
            }
        }
    }

    fn longer(&self, at: At) -> Option<At> {
        Some(At { length: at.length + 1, end: self.step(at.end)?, ..at })
    }

    /// The byte behind the character at `at`.
    fn step(&self, at: usize) -> Option<usize> {
        (at < self.bytes.len()).then(|| forward(self.bytes, self.ascii, at, 1))
    }

    /// Next place of `s` from byte `from`, which is character `char`.
    fn found(&self, s: &str, n: usize, from: usize, char: usize) -> Option<At> {
        let first = find(self.bytes, s.as_bytes(), from)?;
        let before = char + count(self.bytes.get(from..first)?, self.ascii);
        Some(At { before, first, length: n, end: first + s.len() })
    }

    /// The only part with these positions.
    fn exact(&self, before: usize, length: usize) -> Option<At> {
        if before.checked_add(length)? > self.chars {
            return None;
        }
        let first = forward(self.bytes, self.ascii, 0, before);
        Some(At { before, first, length, end: forward(self.bytes, self.ascii, first, length) })
    }
}

fn sub(m: &mut Machine, a: &[Cell], state: Option<Cell>, kind: Kind) -> Res<Redo> {
    let expected = if kind == Kind::Atom { "atom" } else { "string" };
    let (whole, saved) = match state.and_then(|s| saved(&m.heap, s)) {
        Some((whole, chars, at)) => (whole, Some((chars, at))),
        None => {
            let s = text::require_atomic(&mut m.heap, a[0], expected)?;
            (m.heap.string(&s), None)
        }
    };
    let (b, l, r) = (position(&mut m.heap, a[1])?, position(&mut m.heap, a[2])?, position(&mut m.heap, a[3])?);
    let part = if m.heap.is_var(a[4]) { None } else { Some(text::require_atomic(&mut m.heap, a[4], expected)?) };
    let Term::Str(addr) = m.heap.view(whole) else { return Ok(Redo::Fail) };
    let bytes = m.heap.str_bytes(addr);
    let ascii = m.heap.str_is_ascii(addr);
    let chars = saved.map_or_else(|| count(bytes, ascii), |s| s.0);
    let t = Text { bytes, ascii, chars };
    let zero = At { before: 0, first: 0, length: 0, end: 0 };
    // The first candidate, and how to go on from it; `None` when there is only one.
    let (first, mode) = match (part, b, l, r) {
        (Some(s), ..) => {
            let n = text::length(&s);
            let fixed = match (b, r) {
                _ if l.is_some_and(|l| l != n) => return Ok(Redo::Fail),
                (Some(b), _) => Some(Some(b)),
                (_, Some(r)) => Some(chars.checked_sub(r).and_then(|x| x.checked_sub(n))),
                _ => None,
            };
            match fixed {
                Some(b) => {
                    let at = b.and_then(|b| t.exact(b, n)).filter(|at| t.bytes.get(at.first..at.end) == Some(s.as_bytes()));
                    (at, None)
                }
                None => (t.found(&s, n, 0, 0), Some(Mode::Match(s, n))),
            }
        }
        (None, Some(b), Some(l), _) => (t.exact(b, l), None),
        (None, Some(b), None, Some(r)) => (chars.checked_sub(r).and_then(|e| e.checked_sub(b)).and_then(|l| t.exact(b, l)), None),
        (None, None, Some(l), Some(r)) => (chars.checked_sub(r).and_then(|e| e.checked_sub(l)).and_then(|b| t.exact(b, l)), None),
        (None, Some(b), None, None) => (t.exact(b, 0), Some(Mode::FromStart)),
        (None, None, Some(l), None) => (t.exact(0, l), Some(Mode::Window)),
        (None, None, None, Some(r)) => (chars.checked_sub(r).and_then(|l| t.exact(0, l)), Some(Mode::ToEnd)),
        (None, None, None, None) => (Some(zero), Some(Mode::All)),
    };
    // Positions that are one variable let only some candidates through: the others are passed over here, without unifying.
    let vars: [Option<Cell>; 3] = [a[1], a[2], a[3]].map(|c| Some(m.heap.deref(c)).filter(|c| c.is_ref()));
    let alias = |i: usize, j: usize| vars[i].is_some() && vars[i] == vars[j];
    let (bl, ba, la) = (alias(0, 1), alias(0, 2), alias(1, 2));
    let fits = |at: &At| {
        let after = chars.saturating_sub(at.before + at.length);
        (!bl || at.before == at.length) && (!ba || at.before == after) && (!la || at.length == after)
    };
    let advance = |at: At| mode.as_ref().and_then(|mode| t.next(mode, at));
    let mut at = saved.map(|s| s.1).or(first);
    while let Some(x) = at {
        if fits(&x) {
            break;
        }
        at = advance(x);
    }
    let Some(at) = at else { return Ok(Redo::Fail) };
    let mut next = advance(at);
    while let Some(x) = next {
        if fits(&x) {
            break;
        }
        next = advance(x);
    }
    let part = t.bytes.get(at.first..at.end).and_then(|p| std::str::from_utf8(p).ok()).unwrap_or("").to_owned();
    let after = chars.saturating_sub(at.before + at.length);
    let ints = [(1, at.before), (2, at.length), (3, after)];
    for (i, n) in ints {
        if !m.unify(a[i], Cell::small(n as i64)) {
            return Ok(Redo::Fail);
        }
    }
    if m.heap.is_var(a[4]) {
        let made = kind.make(&mut m.heap, &part);
        if !m.unify(a[4], made) {
            return Ok(Redo::Fail);
        }
    }
    let Some(next) = next else { return Ok(Redo::Done) };
    let n = |i: usize| Cell::small(i as i64);
    let state = m.heap.compound_any(atom::STRING, &[whole, n(chars), n(next.before), n(next.first), n(next.length), n(next.end)]);
    Ok(Redo::More(state))
}

fn saved(heap: &Heap, state: Cell) -> Option<(Cell, usize, At)> {
    let args = heap.match_compound(state, atom::STRING, 6)?;
    let n = |i: usize| args.get(i).map_or(0, |&c| heap.deref(c).as_small() as usize);
    Some((*args.first()?, n(1), At { before: n(2), first: n(3), length: n(4), end: n(5) }))
}

fn sub_atom(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    sub(m, a, state, Kind::Atom)
}

fn sub_string(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    sub(m, a, state, Kind::String)
}

fn sub_text(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let string = matches!(m.heap.view(a[0]), Term::Str(_));
    sub(m, a, state, if string { Kind::String } else { Kind::Atom })
}

fn sub_atom_icasechk(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let whole: Vec<char> = text::require(&mut m.heap, a[0], "text")?.chars().collect();
    let start = position(&mut m.heap, a[1])?;
    let part: Vec<char> = text::require(&mut m.heap, a[2], "text")?.chars().collect();
    // The part is taken as it is: one in upper case is never found, as in SWI-Prolog.
    let here = |at: usize| whole.get(at..at + part.len()).is_some_and(|w| w.iter().zip(&part).all(|(x, y)| x == y || lower_of(*x) == *y));
    match start {
        Some(s) => Ok(s <= whole.len() && here(s)),
        None => match (0..=whole.len()).find(|&i| here(i)) {
            Some(i) => Ok(m.unify(a[1], Cell::small(i as i64))),
            None => Ok(false),
        },
    }
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    nondet(
        "sub_atom",
        5,
        sub_atom,
        "sub_atom(+Atom, ?Before, ?Length, ?After, ?Sub)\nSub is a part of Atom with that many characters before it, in it and after it.",
    ),
    nondet("sub_string", 5, sub_string, "sub_string(+String, ?Before, ?Length, ?After, ?Sub)\nAs sub_atom/5 for strings."),
    nondet(
        "sub_text",
        5,
        sub_text,
        "sub_text(+Text, ?Before, ?Length, ?After, ?Sub)\nAs sub_atom/5; Sub is a string when Text is one, else an atom.",
    ),
    det(
        "sub_atom_icasechk",
        3,
        sub_atom_icasechk,
        "sub_atom_icasechk(+Text, ?Start, +Part)\nThe lower-case Part stands in Text at Start, whatever the case there.",
    ),
];
