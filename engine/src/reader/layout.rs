//! Position terms, as SWI-Prolog's option `subterm_positions` gives them.
//!
//! They are built with byte offsets, and turned into character offsets in one pass at the end.

use super::Position;
use super::parse::{Bracket, Span};
use crate::atom;
use crate::cell::Cell;
use crate::heap::{Heap, Term};

fn int(n: usize) -> Cell {
    Cell::small(n as i64)
}

/// `From-To`.
pub fn simple(heap: &mut Heap, (from, to): Span) -> Cell {
    heap.compound(atom::MINUS, &[int(from), int(to)])
}

/// `string_position(From, To)`.
pub fn string(heap: &mut Heap, (from, to): Span) -> Cell {
    heap.compound_named("string_position", &[int(from), int(to)])
}

/// `term_position(From, To, FunctorFrom, FunctorTo, Arguments)`.
pub fn compound(heap: &mut Heap, span: Span, name: Span, args: &[Cell]) -> Cell {
    let args = heap.list_from(args);
    heap.compound_named("term_position", &[int(span.0), int(span.1), int(name.0), int(name.1), args])
}

/// Start and end that a position term says.
fn extent(heap: &Heap, place: Cell) -> Option<Span> {
    let mut r = heap.args(place);
    let mut next = || r.next().and_then(|i| heap.cells.get(i)).filter(|c| c.is_small()).map(|c| c.as_small() as usize);
    Some((next()?, next()?))
}

/// An operator and its operands, which it may stand before, between or after.
pub fn operator(heap: &mut Heap, name: Span, args: &[Cell]) -> Cell {
    let (mut from, mut to) = name;
    for &a in args {
        if let Some((f, t)) = extent(heap, a) {
            from = from.min(f);
            to = to.max(t);
        }
    }
    compound(heap, (from, to), name, args)
}

/// What stands in brackets.
pub fn bracket(heap: &mut Heap, bracket: Bracket, span: Span, args: &[Cell]) -> Cell {
    let (from, to) = (int(span.0), int(span.1));
    let last = args.last().copied().unwrap_or(Cell::NIL);
    match bracket {
        Bracket::Args(_, name) => compound(heap, span, name, args),
        Bracket::List(bar) => {
            let (items, tail) = match args.split_last() {
                Some((t, items)) if bar => (items, *t),
                _ => (args, heap.atom("none")),
            };
            let items = heap.list_from(items);
            heap.compound_named("list_position", &[from, to, items, tail])
        }
        Bracket::Curly => heap.compound_named("brace_term_position", &[from, to, last]),
        _ => heap.compound_named("parentheses_term_position", &[from, to, last]),
    }
}

/// Place of a key of a dict, until its value is known: `KeyPosition-SeparatorPosition`.
pub fn key(heap: &mut Heap, key: Span, colon: Span) -> Cell {
    let (k, c) = (simple(heap, key), simple(heap, colon));
    heap.compound(atom::PAIR, &[k, c])
}

/// `dict_position(From, To, TagFrom, TagTo, KeyValuePositions)`, from keys, places of keys (see [`key`]), places of values.
pub fn dict(heap: &mut Heap, span: Span, tag: Span, pairs: &[(Cell, Cell, Cell)]) -> Cell {
    let mut items = Vec::with_capacity(pairs.len());
    for &(key, place, value) in pairs {
        let Some(&[k, c]) = heap.match_compound(place, atom::PAIR, 2) else { continue };
        let (Some(ks), Some(cs), Some(vs)) = (extent(heap, k), extent(heap, c), extent(heap, value)) else { continue };
        let args = [int(ks.0), int(vs.1), int(cs.0), int(cs.1), key, k, value];
        items.push(heap.compound_named("key_value_position", &args));
    }
    let items = heap.list_from(&items);
    heap.compound_named("dict_position", &[int(span.0), int(span.1), int(tag.0), int(tag.1), items])
}

/// Turns the byte offsets of a position term into character offsets.
pub fn to_characters(heap: &mut Heap, place: Cell, text: &str, from: Position) {
    let key_value = heap.atoms.intern("key_value_position");
    let mut offsets: Vec<usize> = Vec::new();
    let mut stack = vec![place];
    while let Some(c) = stack.pop() {
        let skip = match heap.view(c) {
            Term::Compound(a, name, 7) if name == key_value => Some(a + 5),
            _ => None,
        };
        for i in heap.args(c) {
            match heap.cells.get(i) {
                Some(n) if n.is_small() && skip != Some(i) => offsets.push(i),
                Some(&c) if c.is_compound() && skip != Some(i) => stack.push(c),
                _ => {}
            }
        }
    }
    let value = |heap: &Heap, i: usize| heap.cells.get(i).map_or(0, |c| c.as_small() as usize);
    offsets.sort_unstable_by_key(|&i| value(heap, i));
    let mut p = from;
    let bytes = text.as_bytes();
    for i in offsets {
        let to = value(heap, i).clamp(p.byte, text.len().max(p.byte));
        p.char += bytes.get(p.byte..to).unwrap_or(&[]).iter().filter(|&&b| b & 0xc0 != 0x80).count();
        p.byte = to;
        if let Some(c) = heap.cells.get_mut(i) {
            *c = int(p.char);
        }
    }
}
