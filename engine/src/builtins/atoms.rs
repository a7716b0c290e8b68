//! Atoms and texts: conversion between atoms, numbers, strings and lists, and concatenation.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::text;

/// What a list of characters is made of, or what a text becomes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Atom,
    String,
    Codes,
    Chars,
}

impl Kind {
    /// Makes the text a term of this kind.
    pub(crate) fn make(self, heap: &mut Heap, s: &str) -> Cell {
        match self {
            Kind::Atom => heap.atom(s),
            Kind::String => heap.string(s),
            Kind::Codes => text::codes(heap, s),
            Kind::Chars => text::chars(heap, s),
        }
    }
}

/// Unifies a length with `out`, which must be an integer or unbound.
pub(crate) fn unify_length(m: &mut Machine, out: Cell, n: usize) -> Res<bool> {
    match m.heap.view(out) {
        Term::Var(_) | Term::Attributed(_) | Term::Int(_) | Term::Big(_) => Ok(m.unify(out, Cell::small(n as i64))),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, out)),
    }
}

fn atom_length(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = text::require(&mut m.heap, a[0], "text")?;
    unify_length(m, a[1], text::length(&s))
}

/// `atom_codes/2` and its kin: `a[0]` in the form of `whole`, `a[1]` a list made of `items`.
fn convert(m: &mut Machine, a: &[Cell], items: Kind) -> Res<bool> {
    let bound = !m.heap.is_var(a[0]);
    if bound {
        let s = text::require_atomic(&mut m.heap, a[0], "atom")?;
        let list = items.make(&mut m.heap, &s);
        if m.unify(a[1], list) {
            return Ok(true);
        }
    }
    let Some(s) = list_or_string(m, a[1], bound)? else { return Ok(false) };
    let whole = m.heap.atom(&s);
    Ok(if bound { text::atomic(&m.heap, a[0]).as_deref() == Some(&*s) } else { m.unify(a[0], whole) })
}

/// Text of a string or a list of codes or characters; `None` for a partial list when the other argument was known.
pub(crate) fn list_or_string(m: &mut Machine, c: Cell, known: bool) -> Res<Option<String>> {
    if let Term::Str(s) = m.heap.view(c) {
        return Ok(Some(m.heap.str_at(s).to_owned()));
    }
    match text::list_text(&m.heap, c) {
        Ok(s) => Ok(Some(s)),
        Err(text::ListFault::Unbound) if known => Ok(None),
        Err(f) => Err(f.throw(&mut m.heap, c)),
    }
}

fn atom_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, Kind::Codes)
}

fn atom_chars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, Kind::Chars)
}

fn number_to_list(m: &mut Machine, a: &[Cell], items: Kind) -> Res<bool> {
    let bound = !m.heap.is_var(a[0]);
    if bound {
        let Some(s) = text::number(&m.heap, a[0]) else { return Err(error::type_error(&mut m.heap, atom::NUMBER, a[0])) };
        let list = items.make(&mut m.heap, &s);
        if m.unify(a[1], list) {
            return Ok(true);
        }
    }
    let Some(s) = list_or_string(m, a[1], bound)? else { return Ok(false) };
    // Layout may come before a number, as ISO says, not after it.
    match text::to_number(&mut m.heap, s.trim_start(), &m.flags) {
        Some(n) => Ok(m.unify(a[0], n)),
        None => {
            let t = error::syntax(&mut m.heap, "illegal_number");
            Err(error::raised_by(&mut m.heap, t, if items == Kind::Codes { "number_codes" } else { "number_chars" }, 2))
        }
    }
}

fn number_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    number_to_list(m, a, Kind::Codes)
}

fn number_chars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    number_to_list(m, a, Kind::Chars)
}

fn atom_number(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match m.heap.view(a[0]) {
        Term::Atom(x) if x != atom::NIL => {
            let s = m.heap.atoms.text_arc(x);
            Ok(text::to_number(&mut m.heap, &s, &m.flags).is_some_and(|n| m.heap.unify(a[1], n)))
        }
        Term::Str(p) => {
            let s = m.heap.str_at(p).to_owned();
            Ok(text::to_number(&mut m.heap, &s, &m.flags).is_some_and(|n| m.heap.unify(a[1], n)))
        }
        Term::Var(_) | Term::Attributed(_) => match text::number(&m.heap, a[1]) {
            Some(s) => {
                let x = m.heap.atom(&s);
                Ok(m.unify(a[0], x))
            }
            None => Err(error::type_error(&mut m.heap, atom::NUMBER, a[1])),
        },
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, a[0])),
    }
}

/// Two terms that stand for the same text: the first in any form, the second made of `b`; or the other way with `a`.
fn same_text(m: &mut Machine, x: Cell, y: Cell, a: Kind, b: Kind, first: &str, second: &str) -> Res<bool> {
    if !m.heap.is_var(x) {
        let s = text::require(&mut m.heap, x, first)?;
        if m.heap.is_var(y) {
            let made = b.make(&mut m.heap, &s);
            return Ok(m.unify(y, made));
        }
        return Ok(text::get(&m.heap, y).is_some_and(|t| t == s));
    }
    let s = text::require(&mut m.heap, y, second)?;
    let made = a.make(&mut m.heap, &s);
    Ok(m.unify(x, made))
}

fn atom_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    same_text(m, a[0], a[1], Kind::Atom, Kind::String, "atom", "string")
}

fn string_to_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    same_text(m, a[1], a[0], Kind::Atom, Kind::String, "atom", "string")
}

fn char_code(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[0]) {
        let Some(ch) = text::code_of(&m.heap, a[1]) else {
            let t = if matches!(m.heap.view(a[1]), Term::Int(_) | Term::Big(_)) { atom::CHARACTER_CODE } else { atom::INTEGER };
            return Err(error::type_error(&mut m.heap, t, a[1]));
        };
        let c = text::char_cell(&mut m.heap, ch);
        return Ok(m.unify(a[0], c));
    }
    let Some(ch) = text::char_of(&m.heap, a[0]) else { return Err(error::type_error(&mut m.heap, atom::CHARACTER, a[0])) };
    match m.heap.view(a[1]) {
        Term::Var(_) | Term::Attributed(_) | Term::Int(_) | Term::Big(_) => Ok(m.unify(a[1], Cell::small(ch as i64))),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, a[1])),
    }
}

/// Changes case character by character; a character whose other case is several characters is left alone.
pub(crate) fn change_case(s: &str, upper: bool) -> String {
    s.chars().map(|c| if upper { upper_of(c) } else { lower_of(c) }).collect()
}

/// Upper case of one character, itself when it has none of one character.
pub(crate) fn upper_of(c: char) -> char {
    let mut it = c.to_uppercase();
    match (it.next(), it.next()) {
        (Some(u), None) => u,
        _ => c,
    }
}

/// Lower case of one character.
pub(crate) fn lower_of(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn case(m: &mut Machine, a: &[Cell], upper: bool, kind: Kind) -> Res<bool> {
    let s = text::require_atomic(&mut m.heap, a[0], "atomic")?;
    let made = kind.make(&mut m.heap, &change_case(&s, upper));
    Ok(m.unify(a[1], made))
}

fn upcase_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    case(m, a, true, Kind::Atom)
}

fn downcase_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    case(m, a, false, Kind::Atom)
}

fn string_upper(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    case(m, a, true, Kind::String)
}

fn string_lower(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    case(m, a, false, Kind::String)
}

/// `atom_concat/3`, `string_concat/3`: joins, takes off a known end, or enumerates the splits. The state is the
/// byte at which to split next.
fn concat(m: &mut Machine, a: &[Cell], state: Option<Cell>, kind: Kind) -> Res<Redo> {
    let done = |ok| Ok(if ok { Redo::Done } else { Redo::Fail });
    if let Some(state) = state {
        let at = match m.heap.view(state) {
            Term::Int(i) => i as usize,
            _ => return Ok(Redo::Fail),
        };
        return split_at(m, a, at, kind);
    }
    let (x, y) = (!m.heap.is_var(a[0]), !m.heap.is_var(a[1]));
    let left = if x { Some(text::require_atomic(&mut m.heap, a[0], "atomic")?) } else { None };
    let right = if y { Some(text::require_atomic(&mut m.heap, a[1], "atomic")?) } else { None };
    if let (Some(l), Some(r)) = (&left, &right) {
        if m.heap.is_var(a[2]) {
            let made = kind.make(&mut m.heap, &format!("{l}{r}"));
            return done(m.unify(a[2], made));
        }
        let whole = text::require_atomic(&mut m.heap, a[2], "atomic")?;
        return done(whole.strip_prefix(l.as_str()) == Some(r.as_str()));
    }
    let whole = text::require_atomic(&mut m.heap, a[2], "atomic")?;
    let (rest, out) = match (&left, &right) {
        (Some(l), _) => (whole.strip_prefix(l.as_str()), a[1]),
        (_, Some(r)) => (whole.strip_suffix(r.as_str()), a[0]),
        _ => return split_at(m, a, 0, kind),
    };
    let Some(rest) = rest else { return Ok(Redo::Fail) };
    let made = kind.make(&mut m.heap, rest);
    done(m.unify(out, made))
}

fn split_at(m: &mut Machine, a: &[Cell], at: usize, kind: Kind) -> Res<Redo> {
    let whole = text::require_atomic(&mut m.heap, a[2], "atomic")?;
    let (Some(l), Some(r)) = (whole.get(..at), whole.get(at..)) else { return Ok(Redo::Fail) };
    let next = r.chars().next().map(|c| at + c.len_utf8());
    let (l, r) = (kind.make(&mut m.heap, l), kind.make(&mut m.heap, r));
    // The same variable twice: only one split can do, so every one is tried here.
    let same = m.heap.deref(a[0]) == m.heap.deref(a[1]);
    if same {
        let half = whole.len() / 2;
        let fits = whole.len() % 2 == 0 && whole.get(..half).is_some() && whole.get(..half) == whole.get(half..);
        let half = kind.make(&mut m.heap, whole.get(..half).unwrap_or(""));
        return Ok(if fits && m.unify(a[0], half) { Redo::Done } else { Redo::Fail });
    }
    if !(m.unify(a[0], l) && m.unify(a[1], r)) {
        return Ok(Redo::Fail);
    }
    Ok(match next {
        Some(n) => Redo::More(Cell::small(n as i64)),
        None => Redo::Done,
    })
}

fn atom_concat(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    concat(m, a, state, Kind::Atom)
}

fn string_concat(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    concat(m, a, state, Kind::String)
}

fn text_concat(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    // A string when one of the known texts is one.
    let string = a.iter().any(|&c| matches!(m.heap.view(c), Term::Str(_)));
    concat(m, a, state, if string { Kind::String } else { Kind::Atom })
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det(
        "atom_length",
        2,
        atom_length,
        "atom_length(+Text, -Length)\nLength in characters of an atom, string, number or list of codes or characters.",
    ),
    det("atom_codes", 2, atom_codes, "atom_codes(?Atom, ?Codes)\nAn atom and the list of its character codes."),
    det("atom_chars", 2, atom_chars, "atom_chars(?Atom, ?Chars)\nAn atom and the list of its characters."),
    det("char_code", 2, char_code, "char_code(?Char, ?Code)\nA character and its code."),
    det(
        "number_codes",
        2,
        number_codes,
        "number_codes(?Number, ?Codes)\nA number and the codes of its text; other text is a syntax error.",
    ),
    det(
        "number_chars",
        2,
        number_chars,
        "number_chars(?Number, ?Chars)\nA number and the characters of its text; other text is a syntax error.",
    ),
    det("atom_number", 2, atom_number, "atom_number(?Atom, ?Number)\nThe number an atom reads as; fails when it is none."),
    det("atom_string", 2, atom_string, "atom_string(?Atom, ?String)\nAn atom (or any text) and the string of the same text."),
    det("string_to_atom", 2, string_to_atom, "string_to_atom(?String, ?Atom)\nA string and the atom of the same text."),
    det("upcase_atom", 2, upcase_atom, "upcase_atom(+Text, -Atom)\nThe text in upper case as an atom."),
    det("downcase_atom", 2, downcase_atom, "downcase_atom(+Text, -Atom)\nThe text in lower case as an atom."),
    det("string_upper", 2, string_upper, "string_upper(+Text, -String)\nThe text in upper case as a string."),
    det("string_lower", 2, string_lower, "string_lower(+Text, -String)\nThe text in lower case as a string."),
    nondet(
        "atom_concat",
        3,
        atom_concat,
        "atom_concat(?Start, ?End, ?Atom)\nAtom is Start followed by End; enumerates the ways to split a known Atom.",
    ),
    nondet(
        "string_concat",
        3,
        string_concat,
        "string_concat(?Start, ?End, ?String)\nString is Start followed by End; enumerates the ways to split a known String.",
    ),
    nondet(
        "text_concat",
        3,
        text_concat,
        "text_concat(?Start, ?End, ?Text)\nAs atom_concat/3; the results are strings when one of the arguments is a string.",
    ),
];
