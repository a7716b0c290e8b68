//! Text of terms: what SWI-Prolog's text conversion accepts, and lists of codes and characters.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Throw};
use crate::flags::Flags;
use crate::heap::{Heap, Term};
use crate::number;
use std::borrow::Cow;

/// Text of an atom (`[]` has none of its own but prints as `[]`), a string or a number; `None` for variables and compounds.
pub fn atomic(heap: &Heap, c: Cell) -> Option<Cow<'_, str>> {
    match heap.view(c) {
        Term::Atom(a) => Some(Cow::Borrowed(heap.atoms.text(a))),
        Term::Str(s) => Some(Cow::Borrowed(heap.str_at(s))),
        Term::Int(i) => Some(Cow::Owned(i.to_string())),
        Term::Big(_) | Term::Rational(_) | Term::Float(_) => number(heap, c).map(Cow::Owned),
        _ => None,
    }
}

/// Text of an atom, a string, a number, a code list or a character list (`[]` is the empty text).
pub fn get(heap: &Heap, c: Cell) -> Option<String> {
    match heap.view(c) {
        Term::Atom(atom::NIL) => Some(String::new()),
        Term::List(_) => list_text(heap, c).ok(),
        _ => atomic(heap, c).map(Cow::into_owned),
    }
}

/// Text of a number as it is written; `None` for any other term.
pub fn number(heap: &Heap, c: Cell) -> Option<String> {
    number::format_number(heap, c)
}

/// The number that a text reads as, with an optional sign and nothing before or behind. As when a program is read,
/// `inf` and `nan` are atoms, and digits may stand in groups with a blank between them.
pub fn to_number(heap: &mut Heap, s: &str, flags: &Flags) -> Option<Cell> {
    let body = s.strip_prefix(['+', '-']).unwrap_or(s);
    if !body.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if body.contains(' ') {
        let groups = body.split(' ').all(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_digit()));
        return if groups { number::parse(heap, &s.replace(' ', ""), flags) } else { number::parse(heap, s, flags) };
    }
    number::parse(heap, s, flags)
}

/// Why a term is not a list of codes or characters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListFault {
    /// A variable as element or tail.
    Unbound,
    /// The term is no list (the whole term is the culprit).
    NotList,
    /// An element that is no character code, in a list that begins as a list of codes.
    NotCode(Cell),
    /// An element that is no character, in a list that begins as a list of characters.
    NotChar(Cell),
}

/// The character of a one-character atom.
pub fn char_of(heap: &Heap, c: Cell) -> Option<char> {
    let Term::Atom(a) = heap.view(c) else { return None };
    if a == atom::NIL {
        return None;
    }
    let mut it = heap.atoms.text(a).chars();
    let first = it.next()?;
    if it.next().is_none() { Some(first) } else { None }
}

/// The character of a character code.
pub fn code_of(heap: &Heap, c: Cell) -> Option<char> {
    match heap.view(c) {
        Term::Int(i) => u32::try_from(i).ok().and_then(char::from_u32),
        _ => None,
    }
}

/// Text of a list of codes or of characters.
///
/// # Errors
/// Says what is wrong with the list; see [`ListFault::throw`].
pub fn list_text(heap: &Heap, c: Cell) -> Result<String, ListFault> {
    let items = match heap.list_to_vec(c) {
        Ok(items) => items,
        Err(tail) if heap.is_var(tail) => return Err(ListFault::Unbound),
        Err(_) => return Err(ListFault::NotList),
    };
    let chars = items.first().is_some_and(|&x| char_of(heap, x).is_some());
    let mut out = String::with_capacity(items.len());
    for &x in &items {
        match if chars { char_of(heap, x) } else { code_of(heap, x) } {
            Some(ch) => out.push(ch),
            None if heap.is_var(x) => return Err(ListFault::Unbound),
            None if chars => return Err(ListFault::NotChar(x)),
            None => return Err(ListFault::NotCode(x)),
        }
    }
    Ok(out)
}

impl ListFault {
    /// The exception for this fault of the term `whole`.
    pub fn throw(self, heap: &mut Heap, whole: Cell) -> Throw {
        match self {
            ListFault::Unbound => error::instantiation(heap),
            ListFault::NotList => error::type_error(heap, atom::LIST, whole),
            ListFault::NotCode(x) => error::type_error(heap, atom::CHARACTER_CODE, x),
            ListFault::NotChar(x) => error::type_error(heap, atom::CHARACTER, x),
        }
    }
}

/// As [`get`], raising SWI-Prolog's error for a term that has no text: an unbound variable, a list
/// with a bad element, or anything else as `type_error(expected, c)`.
///
/// # Errors
/// As described.
pub fn require(heap: &mut Heap, c: Cell, expected: &str) -> Result<String, Throw> {
    match heap.view(c) {
        Term::Atom(atom::NIL) => Ok(String::new()),
        Term::List(_) => match list_text(heap, c) {
            Ok(s) => Ok(s),
            Err(ListFault::NotList) => Err(error::type_error_named(heap, expected, c)),
            Err(f) => Err(f.throw(heap, c)),
        },
        _ => match atomic(heap, c) {
            Some(s) => Ok(s.into_owned()),
            None => Err(error::type_error_named(heap, expected, c)),
        },
    }
}

/// As [`atomic`], raising `type_error(expected, c)` or an instantiation error. `[]` is no text here: it is `type_error(atom, [])`,
/// or of the type `text` where that is expected.
///
/// # Errors
/// As described; lists are not text here.
pub fn require_atomic(heap: &mut Heap, c: Cell, expected: &str) -> Result<String, Throw> {
    if heap.deref(c) == Cell::NIL {
        let expected = if expected == "text" { "text" } else { "atom" };
        return Err(error::type_error_named(heap, expected, c));
    }
    match atomic(heap, c) {
        Some(s) => Ok(s.into_owned()),
        None => Err(error::type_error_named(heap, expected, c)),
    }
}

/// The one-character atom of a character.
pub fn char_cell(heap: &mut Heap, ch: char) -> Cell {
    let mut b = [0u8; 4];
    heap.atom(ch.encode_utf8(&mut b))
}

/// The list of the codes of a text.
pub fn codes(heap: &mut Heap, s: &str) -> Cell {
    codes_with_tail(heap, s, Cell::NIL)
}

/// The list of the codes of a text, ending in `tail`.
pub fn codes_with_tail(heap: &mut Heap, s: &str, tail: Cell) -> Cell {
    let items: Vec<Cell> = s.chars().map(|ch| Cell::small(ch as i64)).collect();
    heap.list_with_tail(&items, tail)
}

/// The list of the characters of a text.
pub fn chars(heap: &mut Heap, s: &str) -> Cell {
    chars_with_tail(heap, s, Cell::NIL)
}

/// The list of the characters of a text, ending in `tail`.
pub fn chars_with_tail(heap: &mut Heap, s: &str, tail: Cell) -> Cell {
    let items: Vec<Cell> = s.chars().map(|ch| char_cell(heap, ch)).collect();
    heap.list_with_tail(&items, tail)
}

/// Characters of a text: bytes when it is ASCII.
pub fn length(s: &str) -> usize {
    if s.is_ascii() { s.len() } else { s.chars().count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let mut h = Heap::new();
        let l = codes(&mut h, "aé");
        assert_eq!(get(&h, l).as_deref(), Some("aé"));
        let l = chars(&mut h, "aé");
        assert_eq!(get(&h, l).as_deref(), Some("aé"));
        let s = h.string("x");
        assert_eq!(atomic(&h, s).as_deref(), Some("x"));
        assert_eq!(get(&h, Cell::NIL).as_deref(), Some(""));
        assert_eq!(atomic(&h, Cell::NIL).as_deref(), Some("[]"));
        let v = h.new_var();
        let one = Cell::small(97);
        let bad = h.list_from(&[one, v]);
        assert_eq!(list_text(&h, bad), Err(ListFault::Unbound));
        let x = h.atom("b");
        let bad = h.list_from(&[one, x]);
        assert_eq!(list_text(&h, bad), Err(ListFault::NotCode(x)));
        let bad = h.list(one, x);
        assert_eq!(list_text(&h, bad), Err(ListFault::NotList));
        let big = h.list_from(&vec![one; 1_000_000]);
        assert_eq!(get(&h, big).map(|s| s.len()), Some(1_000_000));
    }
}
