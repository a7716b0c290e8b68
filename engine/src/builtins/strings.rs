//! Strings: conversion, joining, splitting.

use super::atoms::{Kind, list_or_string, unify_length};
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::text;

/// Text of an atom, a string or a list of codes or characters; numbers are no text here.
fn require_text(heap: &mut Heap, c: Cell) -> Res<String> {
    match heap.view(c) {
        Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_) => Err(error::type_error_named(heap, "text", c)),
        _ => text::require(heap, c, "text"),
    }
}

fn convert(m: &mut Machine, a: &[Cell], items: Kind) -> Res<bool> {
    if !m.heap.is_var(a[0]) {
        let s = text::require(&mut m.heap, a[0], "text")?;
        let list = items.make(&mut m.heap, &s);
        if m.unify(a[1], list) {
            return Ok(true);
        }
        return Ok(text::get(&m.heap, a[1]) == Some(s));
    }
    let Some(s) = list_or_string(m, a[1], false)? else { return Ok(false) };
    let made = m.heap.string(&s);
    Ok(m.unify(a[0], made))
}

fn string_chars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, Kind::Chars)
}

fn string_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, Kind::Codes)
}

fn string_length(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = text::require(&mut m.heap, a[0], "text")?;
    unify_length(m, a[1], text::length(&s))
}

fn number_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = text::number(&m.heap, a[0]);
    if n.is_none() && !m.heap.is_var(a[0]) {
        return Err(error::type_error(&mut m.heap, atom::NUMBER, a[0]));
    }
    if let (Some(s), true) = (&n, m.heap.is_var(a[1])) {
        let made = m.heap.string(s);
        return Ok(m.unify(a[1], made));
    }
    let Some(s) = list_or_string(m, a[1], n.is_some())? else { return Ok(false) };
    Ok(text::to_number(&mut m.heap, &s, &m.flags).is_some_and(|n| m.heap.unify(a[0], n)))
}

fn text_to_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = require_text(&mut m.heap, a[0])?;
    let made = m.heap.string(&s);
    Ok(m.unify(a[1], made))
}

/// Index argument of `string_code/3`: an integer of at least `0`.
fn index(heap: &mut Heap, c: Cell) -> Res<i64> {
    match heap.view(c) {
        Term::Int(i) => Ok(i),
        Term::Big(a) => Ok(if heap.big(a) < dashu_int::IBig::ZERO { -1 } else { i64::MAX }),
        _ => Err(error::type_error(heap, atom::INTEGER, c)),
    }
}

fn char_at(s: &str, i: i64) -> Option<char> {
    let i = usize::try_from(i).ok()?.checked_sub(1)?;
    if s.is_ascii() { s.as_bytes().get(i).map(|&b| b as char) } else { s.chars().nth(i) }
}

fn string_code(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let s = require_text(&mut m.heap, a[1])?;
    if !m.heap.is_var(a[0]) {
        let i = index(&mut m.heap, a[0])?;
        if i < 0 {
            return Err(error::domain(&mut m.heap, "not_less_than_zero", a[0]));
        }
        let ok = char_at(&s, i).is_some_and(|c| m.heap.unify(a[2], Cell::small(c as i64)));
        return Ok(if ok { Redo::Done } else { Redo::Fail });
    }
    // The state: the byte to go on from, and the index of its character.
    let (mut at, mut i) = match state.and_then(|s| m.heap.pair(s)) {
        Some((b, i)) => (m.heap.deref(b).as_small() as usize, m.heap.deref(i).as_small()),
        None => (0, 1),
    };
    let wanted = m.heap.deref(a[2]);
    let wanted = if wanted.is_ref() { None } else { Some(wanted) };
    let next = |at: usize, i: i64| {
        let mut rest = (i..).zip(s.get(at..)?.char_indices());
        rest.find(|(_, (_, c))| wanted.is_none_or(|w| w == Cell::small(*c as i64))).map(|(k, (b, c))| (at + b, k, c))
    };
    let Some((b, k, c)) = next(at, i) else { return Ok(Redo::Fail) };
    (at, i) = (b + c.len_utf8(), k + 1);
    let more = next(at, i).is_some();
    if !(m.unify(a[0], Cell::small(k)) && m.unify(a[2], Cell::small(c as i64))) {
        return Ok(Redo::Fail);
    }
    if !more {
        return Ok(Redo::Done);
    }
    Ok(Redo::More(m.heap.list(Cell::small(at as i64), Cell::small(i))))
}

fn get_string_code(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let i = index(&mut m.heap, a[0])?;
    let s = require_text(&mut m.heap, a[1])?;
    match char_at(&s, i) {
        Some(c) => Ok(m.unify(a[2], Cell::small(c as i64))),
        None => {
            let range = m.heap.compound_named("range", &[Cell::small(1), Cell::small(text::length(&s) as i64)]);
            let f = m.heap.compound(atom::DOMAIN_ERROR, &[range, a[0]]);
            Err(error::iso(&mut m.heap, f))
        }
    }
}

/// The texts of a list's elements; `None` when an element or the tail is unbound.
fn texts(heap: &mut Heap, list: Cell) -> Res<Option<Vec<String>>> {
    let mut out = Vec::new();
    if let Err(tail) = heap.list_to_vec(list) {
        // A cyclic list has a list pair as the culprit.
        if heap.pair(tail).is_some() {
            return Err(error::type_error(heap, atom::LIST, list));
        }
    }
    let mut c = list;
    while let Some((h, t)) = heap.pair(c) {
        if heap.is_var(h) {
            return Ok(None);
        }
        out.push(text::require_atomic(heap, h, "text")?);
        c = t;
    }
    if heap.is_var(c) {
        return Ok(None);
    }
    if heap.deref(c) == Cell::NIL { Ok(Some(out)) } else { Err(error::type_error(heap, atom::LIST, c)) }
}

fn join(m: &mut Machine, list: Cell, out: Cell, kind: Kind) -> Res<bool> {
    match texts(&mut m.heap, list)? {
        Some(parts) => {
            let made = kind.make(&mut m.heap, &parts.concat());
            Ok(m.unify(out, made))
        }
        None => Err(error::instantiation(&mut m.heap)),
    }
}

fn atomic_list_concat2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    join(m, a[0], a[1], Kind::Atom)
}

fn atomics_to_string2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    join(m, a[0], a[1], Kind::String)
}

/// Joins a list with a separator, or splits a text at it when the list is not fully known.
fn join_or_split(m: &mut Machine, a: &[Cell], kind: Kind) -> Res<bool> {
    let separator = text::require_atomic(&mut m.heap, a[1], "text")?;
    if let Some(parts) = texts(&mut m.heap, a[0])? {
        let joined = parts.join(&separator);
        let made = kind.make(&mut m.heap, &joined);
        return Ok(m.unify(a[2], made));
    }
    if m.heap.is_var(a[2]) {
        return Err(error::instantiation(&mut m.heap));
    }
    if separator.is_empty() {
        return Err(error::domain(&mut m.heap, "non_empty_atom", a[1]));
    }
    let whole = text::require_atomic(&mut m.heap, a[2], "atomic")?;
    let items: Vec<Cell> = whole.split(separator.as_str()).map(|s| kind.make(&mut m.heap, s)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[0], list))
}

fn atomic_list_concat3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    join_or_split(m, a, Kind::Atom)
}

fn atomics_to_string3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    join_or_split(m, a, Kind::String)
}

/// Parts of `s` between characters of `separators`, without the characters of `pad` around each. Padding is also
/// taken off the whole, and before a part it may reach over separators, as in SWI-Prolog.
fn split<'a>(s: &'a str, separators: &str, pad: &str) -> Vec<&'a str> {
    let is_pad = |c: char| pad.contains(c);
    let mut rest = s.trim_matches(is_pad);
    let mut out = Vec::new();
    loop {
        rest = rest.trim_start_matches(is_pad);
        match rest.char_indices().find(|&(_, c)| separators.contains(c)) {
            Some((at, c)) => {
                out.push(rest[..at].trim_end_matches(is_pad));
                rest = &rest[at + c.len_utf8()..];
            }
            None => {
                out.push(rest.trim_end_matches(is_pad));
                return out;
            }
        }
    }
}

fn split_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = require_text(&mut m.heap, a[0])?;
    let separators = require_text(&mut m.heap, a[1])?;
    let pad = require_text(&mut m.heap, a[2])?;
    if !matches!(m.heap.view(a[3]), Term::Var(_) | Term::Attributed(_) | Term::List(_) | Term::Atom(atom::NIL)) {
        return Err(error::type_error(&mut m.heap, atom::LIST, a[3]));
    }
    let items: Vec<Cell> = split(&s, &separators, &pad).into_iter().map(|p| m.heap.string(p)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[3], list))
}

fn string_bytes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let encoding = text::require_atomic(&mut m.heap, a[2], "atom")?;
    let wide = matches!(&*encoding, "utf8" | "text" | "wchar_t");
    if !wide && !matches!(&*encoding, "octet" | "iso_latin_1" | "ascii") {
        return Err(error::domain(&mut m.heap, "encoding", a[2]));
    }
    if !m.heap.is_var(a[0]) {
        let s = text::require(&mut m.heap, a[0], "text")?;
        let bytes: Vec<Cell> = if wide {
            s.bytes().map(|b| Cell::small(b as i64)).collect()
        } else {
            match s.chars().map(|c| u8::try_from(c as u32).map(|b| Cell::small(b as i64))).collect() {
                Ok(v) => v,
                Err(_) => return Err(error::representation(&mut m.heap, "encoding")),
            }
        };
        let list = m.heap.list_from(&bytes);
        return Ok(m.unify(a[1], list));
    }
    let items = match m.heap.list_to_vec(a[1]) {
        Ok(items) => items,
        Err(_) => return Err(error::type_error(&mut m.heap, atom::LIST, a[1])),
    };
    let mut bytes = Vec::with_capacity(items.len());
    for c in items {
        match m.heap.view(c) {
            Term::Int(i) if (0..256).contains(&i) => bytes.push(i as u8),
            _ => return Err(error::type_error_named(&mut m.heap, "byte", c)),
        }
    }
    let s = if wide { String::from_utf8_lossy(&bytes).into_owned() } else { bytes.iter().map(|&b| b as char).collect() };
    let made = m.heap.string(&s);
    Ok(m.unify(a[0], made))
}

/// The text with runs of white space as one blank and none at the ends.
fn normalize(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = text::require_atomic(&mut m.heap, a[0], "atomic")?;
    let out = s.split_whitespace().collect::<Vec<_>>().join(" ");
    let made = m.heap.string(&out);
    Ok(m.unify(a[1], made))
}

fn collation_key(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let s = text::require_atomic(&mut m.heap, a[0], "atomic")?;
    let made = m.heap.string(&s);
    Ok(m.unify(a[1], made))
}

const ALC2: &str = "atomic_list_concat(+List, -Atom)\nJoins the texts of the elements into one atom.";
const ALC3: &str = "atomic_list_concat(?List, +Separator, ?Atom)\nJoins the texts of the elements with the separator between them, or splits Atom at the separator when List is not fully known.";

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("string_chars", 2, string_chars, "string_chars(?String, ?Chars)\nA string and the list of its characters."),
    det("string_codes", 2, string_codes, "string_codes(?String, ?Codes)\nA string and the list of its character codes."),
    det("string_length", 2, string_length, "string_length(+String, -Length)\nLength of a text in characters."),
    det("text_length", 2, string_length, "text_length(+Text, -Length)\nLength of a text in characters."),
    det("number_string", 2, number_string, "number_string(?Number, ?String)\nA number and its text; fails when String is no number."),
    det(
        "text_to_string",
        2,
        text_to_string,
        "text_to_string(+Text, -String)\nThe string of an atom, string or list of codes or characters.",
    ),
    nondet("string_code", 3, string_code, "string_code(?Index, +String, ?Code)\nThe code of the character at Index, counted from 1."),
    det(
        "get_string_code",
        3,
        get_string_code,
        "get_string_code(+Index, +String, -Code)\nAs string_code/3; an index outside of the string is an error.",
    ),
    det("atomic_list_concat", 2, atomic_list_concat2, ALC2),
    det("concat_atom", 2, atomic_list_concat2, ALC2),
    det("atomic_list_concat", 3, atomic_list_concat3, ALC3),
    det("concat_atom", 3, atomic_list_concat3, ALC3),
    det("atomics_to_string", 2, atomics_to_string2, "atomics_to_string(+List, -String)\nJoins the texts of the elements into one string."),
    det(
        "atomics_to_string",
        3,
        atomics_to_string3,
        "atomics_to_string(?List, +Separator, ?String)\nJoins the texts of the elements with the separator between them into one string, or splits a string.",
    ),
    det(
        "split_string",
        4,
        split_string,
        "split_string(+String, +Separators, +Pad, -Parts)\nSplits at any of the separator characters and takes padding characters off the parts.",
    ),
    det(
        "string_bytes",
        3,
        string_bytes,
        "string_bytes(?String, ?Bytes, +Encoding)\nA string and the list of its bytes in an encoding (utf8, iso_latin_1, octet).",
    ),
    det("$normalize_space", 2, normalize, "'$normalize_space'(+Text, -String)\nText without extra white space."),
    det(
        "collation_key",
        2,
        collation_key,
        "collation_key(+Atom, -Key)\nA key whose standard order sorts the texts; here the text itself, in the order of codes.",
    ),
];
