//! Construction and inspection of terms.

use super::sort::{elements, room};
use crate::atom::{self, Atom};
use crate::cell::{Cell, MAX_ARITY};
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::record;
use rustc_hash::FxHashSet;

fn is_empty_compound(heap: &Heap, c: Cell) -> bool {
    matches!(heap.view(c), Term::Compound(_, _, 0))
}

fn no_zero_arity(m: &mut Machine, c: Cell) -> error::Throw {
    error::domain(&mut m.heap, "compound_non_zero_arity", c)
}

/// An arity: a natural number that a compound can have.
fn arity(m: &mut Machine, c: Cell) -> Res<usize> {
    match m.heap.view(c) {
        Term::Int(i) if i < 0 => Err(error::domain(&mut m.heap, "not_less_than_zero", c)),
        Term::Int(i) if i as usize <= MAX_ARITY => Ok(i as usize),
        Term::Int(_) | Term::Big(_) => Err(error::resource(&mut m.heap, "memory")),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn name(m: &mut Machine, c: Cell) -> Res<Atom> {
    match m.heap.view(c) {
        Term::Atom(a) => Ok(a),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

/// A compound with fresh variables as arguments.
fn fresh(m: &mut Machine, name: Atom, n: usize) -> Res<Cell> {
    room(m, n + 1)?;
    let args: Vec<Cell> = (0..n).map(|_| m.heap.new_var()).collect();
    Ok(if n == 0 { m.heap.compound_any(name, &[]) } else { m.heap.compound(name, &args) })
}

fn functor3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = m.heap.deref(a[0]);
    if t.is_ref() {
        let f = make_functor(m, a[1], a[2])?;
        return Ok(m.unify(t, f));
    }
    if is_empty_compound(&m.heap, t) {
        return Err(no_zero_arity(m, t));
    }
    take_functor(m, t, a[1], a[2])
}

fn take_functor(m: &mut Machine, t: Cell, n: Cell, k: Cell) -> Res<bool> {
    let (f, arity) = match m.heap.name_arity(t) {
        Some((f, k)) => (Cell::atom(f), k),
        None => (t, 0),
    };
    Ok(m.unify(n, f) && m.unify(k, Cell::small(arity as i64)))
}

fn make_functor(m: &mut Machine, n: Cell, k: Cell) -> Res<Cell> {
    let n = m.heap.deref(n);
    if n.is_ref() {
        return Err(error::instantiation(&mut m.heap));
    }
    let k = arity(m, k)?;
    if n.is_compound() {
        return Err(error::type_error(&mut m.heap, atom::ATOMIC, n));
    }
    if k == 0 {
        return Ok(n);
    }
    let f = name(m, n)?;
    fresh(m, f, k)
}

fn functor4(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = m.heap.deref(a[0]);
    if !t.is_ref() {
        let kind = match t {
            _ if t.is_compound() => atom::COMPOUND,
            _ if t.is_atom() => atom::ATOM,
            _ => atom::ATOMIC,
        };
        return Ok(take_functor(m, t, a[1], a[2])? && m.unify(a[3], Cell::atom(kind)));
    }
    match m.heap.view(a[3]) {
        Term::Var(_) | Term::Attributed(_) => {
            let f = make_functor(m, a[1], a[2])?;
            let kind = match f {
                _ if f.is_compound() => atom::COMPOUND,
                _ if f.is_atom() => atom::ATOM,
                _ => atom::ATOMIC,
            };
            Ok(m.unify(t, f) && m.unify(a[3], Cell::atom(kind)))
        }
        Term::Atom(atom::COMPOUND) => {
            let k = arity(m, a[2])?;
            let f = name(m, a[1])?;
            let c = fresh(m, f, k)?;
            Ok(m.unify(t, c))
        }
        Term::Atom(atom::CALLABLE) => {
            let f = make_functor(m, a[1], a[2])?;
            Ok(m.heap.is_callable(f) && m.unify(t, f))
        }
        Term::Atom(kind @ (atom::ATOM | atom::ATOMIC)) => {
            if arity(m, a[2])? != 0 {
                return Ok(false);
            }
            let f = make_functor(m, a[1], a[2])?;
            Ok((kind == atom::ATOMIC || f.is_atom()) && m.unify(t, f))
        }
        Term::Atom(_) => Err(error::domain(&mut m.heap, "functor_type", a[3])),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, a[3])),
    }
}

fn arg(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let t = m.heap.deref(a[1]);
    if !t.is_compound() {
        let t = error::type_error(&mut m.heap, atom::COMPOUND, t);
        return Err(error::raised_by(&mut m.heap, t, "arg", 3));
    }
    let args = m.heap.args(t);
    match m.heap.view(a[0]) {
        Term::Int(i) if i < 0 => Err(error::domain(&mut m.heap, "not_less_than_zero", a[0])),
        Term::Int(i) => {
            let ok = i >= 1 && i as usize <= args.len() && m.unify(a[2], m.heap.cells[args.start + i as usize - 1]);
            Ok(if ok { Redo::Done } else { Redo::Fail })
        }
        Term::Big(at) => {
            if m.heap.big(at) < dashu_int::IBig::ZERO {
                return Err(error::domain(&mut m.heap, "not_less_than_zero", a[0]));
            }
            Ok(Redo::Fail)
        }
        Term::Var(_) | Term::Attributed(_) => {
            let mut i = state.map_or(1, |s| s.as_small().max(1) as usize);
            while i <= args.len() {
                let c = m.heap.cells[args.start + i - 1];
                if super::try_unify(m, a[2], c) {
                    m.unify(a[0], Cell::small(i as i64));
                    return Ok(if i == args.len() { Redo::Done } else { Redo::More(Cell::small(i as i64 + 1)) });
                }
                i += 1;
            }
            Ok(Redo::Fail)
        }
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, a[0])),
    }
}

fn univ(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = m.heap.deref(a[0]);
    if !t.is_ref() {
        if is_empty_compound(&m.heap, t) {
            return Err(no_zero_arity(m, t));
        }
        let first = match m.heap.name_arity(t) {
            Some((n, _)) => Cell::atom(n),
            None => t,
        };
        let args: Vec<Cell> = m.heap.args(t).map(|i| m.heap.cells[i]).collect();
        let rest = m.heap.list_from(&args);
        let l = m.heap.list(first, rest);
        return Ok(m.unify(a[1], l));
    }
    let Some((head, tail)) = m.heap.pair(a[1]) else {
        if m.heap.deref(a[1]) == Cell::NIL {
            return Err(error::domain(&mut m.heap, "non_empty_list", Cell::NIL));
        }
        return Err(error::type_error(&mut m.heap, atom::LIST, a[1]));
    };
    let head = m.heap.deref(head);
    if head.is_ref() {
        return Err(error::instantiation(&mut m.heap));
    }
    if m.heap.deref(tail) == Cell::NIL {
        if head.is_compound() {
            return Err(error::type_error(&mut m.heap, atom::ATOMIC, head));
        }
        return Ok(m.unify(t, head));
    }
    let f = name(m, head)?;
    let args = match m.heap.list_to_vec(tail) {
        Ok(v) => v,
        Err(end) if m.heap.is_var(end) => return Err(error::instantiation(&mut m.heap)),
        Err(_) => return Err(error::type_error(&mut m.heap, atom::LIST, a[1])),
    };
    if args.len() > MAX_ARITY {
        return Err(error::resource(&mut m.heap, "memory"));
    }
    let c = m.heap.compound(f, &args);
    Ok(m.unify(t, c))
}

fn compound_name_arity(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = m.heap.deref(a[0]);
    if t.is_ref() {
        let f = name(m, a[1])?;
        let k = arity(m, a[2])?;
        let c = fresh(m, f, k)?;
        return Ok(m.unify(t, c));
    }
    if !t.is_compound() {
        return Err(error::type_error(&mut m.heap, atom::COMPOUND, t));
    }
    take_functor(m, t, a[1], a[2])
}

fn compound_name_arguments(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = m.heap.deref(a[0]);
    if t.is_ref() {
        let f = name(m, a[1])?;
        let args = elements(m, a[2])?;
        if args.len() > MAX_ARITY {
            return Err(error::resource(&mut m.heap, "memory"));
        }
        let c = if args.is_empty() { m.heap.compound_any(f, &[]) } else { m.heap.compound(f, &args) };
        return Ok(m.unify(t, c));
    }
    if !t.is_compound() {
        return Err(error::type_error(&mut m.heap, atom::COMPOUND, t));
    }
    let n = m.heap.name_arity(t).map_or(Cell::NIL, |p| Cell::atom(p.0));
    let args: Vec<Cell> = m.heap.args(t).map(|i| m.heap.cells[i]).collect();
    let l = m.heap.list_from(&args);
    Ok(m.unify(a[1], n) && m.unify(a[2], l))
}

fn copy_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let c = copy(m, a[0], true)?;
    Ok(m.unify(a[1], c))
}

fn copy_term_nat(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let c = copy(m, a[0], false)?;
    Ok(m.unify(a[1], c))
}

/// A copy with fresh variables; a ground term is its own copy.
fn copy(m: &mut Machine, t: Cell, attributes: bool) -> Res<Cell> {
    if super::variables::first(&m.heap, t).is_none() {
        return Ok(t);
    }
    let r = if attributes { record::record(&m.heap, t) } else { record::record_plain(&m.heap, t) };
    room(m, r.size())?;
    Ok(r.restore(&mut m.heap))
}

fn duplicate_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let r = record::record(&m.heap, a[0]);
    room(m, r.size())?;
    let c = r.restore(&mut m.heap);
    Ok(m.unify(a[1], c))
}

/// Address of the argument that a destructive assignment means; `None` when it does not exist.
fn place(m: &mut Machine, n: Cell, t: Cell) -> Res<Option<usize>> {
    let i = match m.heap.view(n) {
        Term::Int(i) if i < 0 => return Err(error::domain(&mut m.heap, "not_less_than_zero", n)),
        Term::Int(i) => i as usize,
        Term::Big(_) => 0,
        _ => return Err(error::type_error(&mut m.heap, atom::INTEGER, n)),
    };
    let t = m.heap.deref(t);
    if t.is_ref() {
        return Err(error::instantiation(&mut m.heap));
    }
    let args = m.heap.args(t);
    Ok(if i >= 1 && i <= args.len() { Some(args.start + i - 1) } else { None })
}

fn setarg(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(at) = place(m, a[0], a[1])? else { return Ok(false) };
    let v = m.heap.deref(a[2]);
    m.heap.set_trailed(at, v);
    Ok(true)
}

fn nb_setarg(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(at) = place(m, a[0], a[1])? else { return Ok(false) };
    let r = record::record(&m.heap, a[2]);
    room(m, r.size() + 1)?;
    let v = r.restore(&mut m.heap);
    m.heap.cells[at] = v;
    m.keep_heap(at);
    Ok(true)
}

fn nb_linkarg(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(at) = place(m, a[0], a[1])? else { return Ok(false) };
    m.heap.cells[at] = m.heap.deref(a[2]);
    m.keep_heap(at);
    Ok(true)
}

/// Variables of the terms in depth-first order, those that `want` accepts.
pub fn variables(heap: &Heap, terms: &[Cell], want: impl Fn(Cell) -> bool) -> Vec<Cell> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    super::variables::walk(heap, terms, false, |v| {
        if want(v) && seen.insert(v.0) {
            out.push(v);
        }
        true
    });
    out
}

/// Predicates that build terms and take them apart.
pub const BUILTINS: &[Native] = &[
    det("functor", 3, functor3, "functor(?Term, ?Name, ?Arity)\nName and arity of a term, or a term with fresh arguments."),
    det("functor", 4, functor4, "functor(?Term, ?Name, ?Arity, ?Type)\nAs functor/3; Type is compound, atom, atomic or callable."),
    nondet("arg", 3, arg, "arg(?N, +Term, ?Arg)\nArg is the N-th argument of Term."),
    det("=..", 2, univ, "?Term =.. ?List\nList is the name of Term followed by its arguments."),
    det(
        "compound_name_arity",
        3,
        compound_name_arity,
        "compound_name_arity(?Compound, ?Name, ?Arity)\nAs functor/3 for compounds only, also without arguments.",
    ),
    det(
        "compound_name_arguments",
        3,
        compound_name_arguments,
        "compound_name_arguments(?Compound, ?Name, ?Arguments)\nAs =../2 for compounds only, also without arguments.",
    ),
    det("copy_term", 2, copy_term, "copy_term(+Term, -Copy)\nCopy has fresh variables, with copies of their attributes."),
    det("copy_term_nat", 2, copy_term_nat, "copy_term_nat(+Term, -Copy)\nAs copy_term/2, without attributes."),
    det("duplicate_term", 2, duplicate_term, "duplicate_term(+Term, -Copy)\nAs copy_term/2; ground parts are copied too."),
    det("setarg", 3, setarg, "setarg(+N, +Term, +Value)\nReplaces an argument until backtracking."),
    det("nb_setarg", 3, nb_setarg, "nb_setarg(+N, +Term, +Value)\nReplaces an argument by a copy of Value for good."),
    det("nb_linkarg", 3, nb_linkarg, "nb_linkarg(+N, +Term, +Value)\nAs nb_setarg/3, without copying Value."),
];
