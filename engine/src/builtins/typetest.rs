//! Type tests.

use crate::atom;
use crate::cell::Cell;
use crate::error::Res;
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};

fn var(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.heap.is_var(a[0]))
}

fn nonvar(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(!m.heap.is_var(a[0]))
}

/// `[]` is a reserved symbol, not an atom of text.
fn is_text_atom(heap: &Heap, c: Cell) -> bool {
    matches!(heap.view(c), Term::Atom(a) if a != atom::NIL)
}

fn atom_(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(is_text_atom(&m.heap, a[0]))
}

fn number(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_)))
}

fn integer(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Int(_) | Term::Big(_)))
}

fn float(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Float(_)))
}

fn rational(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Int(_) | Term::Big(_) | Term::Rational(_)))
}

fn atomic(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.heap.is_atomic(a[0]))
}

fn compound(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.heap.deref(a[0]).is_compound())
}

fn callable(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.heap.deref(a[0]).is_compound() || is_text_atom(&m.heap, a[0]))
}

fn is_list(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(super::sort::skip(&m.heap, a[0]), Some((_, Cell::NIL))))
}

fn string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Str(_)))
}

fn blob(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Term::Atom(x) = m.heap.view(a[0]) else { return Ok(false) };
    let kind = if x == atom::NIL || x == atom::DICT { "reserved_symbol" } else { "text" };
    let kind = m.heap.atom(kind);
    Ok(m.unify(a[1], kind))
}

fn attvar(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(matches!(m.heap.view(a[0]), Term::Attributed(_)))
}

/// Type tests.
pub const BUILTINS: &[Native] = &[
    det("var", 1, var, "var(@Term)\nTrue for an unbound variable."),
    det("nonvar", 1, nonvar, "nonvar(@Term)\nTrue when Term is bound."),
    det("atom", 1, atom_, "atom(@Term)\nTrue for an atom."),
    det("number", 1, number, "number(@Term)\nTrue for an integer, rational or float."),
    det("integer", 1, integer, "integer(@Term)\nTrue for an integer."),
    det("float", 1, float, "float(@Term)\nTrue for a float."),
    det("rational", 1, rational, "rational(@Term)\nTrue for a rational number, integers included."),
    det("atomic", 1, atomic, "atomic(@Term)\nTrue for atoms, numbers and strings."),
    det("compound", 1, compound, "compound(@Term)\nTrue for a compound."),
    det("callable", 1, callable, "callable(@Term)\nTrue for an atom or a compound."),
    det("is_list", 1, is_list, "is_list(@Term)\nTrue for a proper list."),
    det("string", 1, string, "string(@Term)\nTrue for a string."),
    det("blob", 2, blob, "blob(@Term, -Type)\nType of an atom-like object: text or reserved_symbol."),
    det("attvar", 1, attvar, "attvar(@Term)\nTrue for an attributed variable."),
];
