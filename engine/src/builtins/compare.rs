//! Comparison and unification of terms.

use crate::atom;
use crate::cell::{Cell, tag};
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::order;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

fn unify(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.unify(a[0], a[1]))
}

/// Unifies, looks at the result with `look`, and takes every binding back. `None` when the terms do not unify.
fn probe<T>(m: &mut Machine, a: Cell, b: Cell, look: impl FnOnce(&mut Machine, usize) -> T) -> Option<T> {
    let (mark, hb, wakeup) = (m.heap.trail.len(), m.heap.hb, m.heap.wakeup);
    m.heap.hb = m.heap.cells.len();
    let result = if m.heap.unify(a, b) { Some(look(m, mark)) } else { None };
    m.heap.undo_to(mark);
    m.heap.hb = hb;
    m.heap.wakeup = wakeup;
    result
}

fn not_unifiable(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(probe(m, a[0], a[1], |_, _| ()).is_none())
}

fn identical(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::identical(&m.heap, a[0], a[1]))
}

fn not_identical(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(!order::identical(&m.heap, a[0], a[1]))
}

fn before(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::compare(&m.heap, a[0], a[1]).is_lt())
}

fn after(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::compare(&m.heap, a[0], a[1]).is_gt())
}

fn not_after(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::compare(&m.heap, a[0], a[1]).is_le())
}

fn not_before(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::compare(&m.heap, a[0], a[1]).is_ge())
}

fn compare3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match m.heap.view(a[0]) {
        Term::Var(_) | Term::Attributed(_) => {}
        Term::Atom(atom::LESS | atom::GREATER | atom::EQ) => {}
        Term::Atom(_) => return Err(error::domain(&mut m.heap, "order", a[0])),
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, a[0])),
    }
    let o = match order::compare(&m.heap, a[1], a[2]) {
        Ordering::Less => atom::LESS,
        Ordering::Equal => atom::EQ,
        Ordering::Greater => atom::GREATER,
    };
    Ok(m.unify(a[0], Cell::atom(o)))
}

fn variant(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::variant(&m.heap, a[0], a[1]))
}

fn not_variant(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(!order::variant(&m.heap, a[0], a[1]))
}

fn same_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(m.heap.deref(a[0]) == m.heap.deref(a[1]))
}

fn decidable(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(order::identical(&m.heap, a[0], a[1]) || probe(m, a[0], a[1], |_, _| ()).is_none())
}

fn unify_occurs(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if !m.unify(a[0], a[1]) {
        return Ok(false);
    }
    Ok(acyclic(&m.heap, a[0]))
}

/// Whether a term is a finite tree. Linear.
pub fn acyclic(heap: &Heap, c: Cell) -> bool {
    // A walk without marks ends early for every term that is not larger than the heap.
    let mut budget = heap.cells.len() + 16;
    let mut todo = vec![heap.deref(c)];
    while let Some(c) = todo.pop() {
        for i in heap.args(c) {
            let d = heap.deref(heap.cells[i]);
            if d.is_compound() {
                todo.push(d);
            }
            budget = budget.saturating_sub(1);
        }
        if budget == 0 {
            return acyclic_marked(heap, c) && todo.iter().all(|&c| acyclic_marked(heap, c));
        }
    }
    true
}

fn acyclic_marked(heap: &Heap, c: Cell) -> bool {
    let mut done: FxHashMap<u64, bool> = FxHashMap::default();
    let mut todo = vec![(heap.deref(c), false)];
    while let Some((c, leave)) = todo.pop() {
        if leave {
            done.insert(c.0, true);
            continue;
        }
        match done.get(&c.0) {
            Some(true) => continue,
            Some(false) => return false,
            None => {}
        }
        if !c.is_compound() {
            continue;
        }
        done.insert(c.0, false);
        todo.push((c, true));
        let children: Vec<Cell> = heap.args(c).map(|i| heap.deref(heap.cells[i])).filter(|d| d.is_compound()).collect();
        for d in children {
            match done.get(&d.0) {
                Some(false) => return false,
                Some(true) => {}
                None => todo.push((d, false)),
            }
        }
    }
    true
}

fn acyclic_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(acyclic(&m.heap, a[0]))
}

fn cyclic_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(!acyclic(&m.heap, a[0]))
}

fn subsumes_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let variables = super::terms::variables(&m.heap, &[a[1]], |_| true);
    Ok(probe(m, a[0], a[1], |m, _| {
        let mut seen = FxHashSet::default();
        variables.iter().all(|&v| {
            let v = m.heap.deref(v);
            v.is_ref() && seen.insert(v.0)
        })
    })
    .unwrap_or(false))
}

fn unifiable(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let bindings = probe(m, a[0], a[1], |m, mark| {
        let mut out = Vec::new();
        let entries = m.heap.trail.get(mark..).unwrap_or(&[]);
        let mut i = entries.len();
        while i > 0 {
            i -= 1;
            let e = entries[i];
            let at = (e >> 1) as usize;
            let v = if e & 1 == 0 {
                Cell::reference(at)
            } else {
                i = i.saturating_sub(1);
                Cell(entries.get(i).copied().unwrap_or(0))
            };
            if let Some(&value) = m.heap.cells.get(at) {
                out.push((v, value));
            }
        }
        out
    });
    let Some(bindings) = bindings else { return Ok(false) };
    let same = m.heap.deref(a[0]).is_ref() && m.heap.deref(a[1]).is_ref();
    let mut items = Vec::with_capacity(bindings.len());
    for (v, value) in bindings {
        // Two variables: the first argument's is the left side.
        let (l, r) = if same && m.heap.deref(a[0]) == m.heap.deref(value) && value.tag() != tag::ATV { (value, v) } else { (v, value) };
        items.push(m.heap.compound(atom::EQ, &[l, r]));
    }
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[2], list))
}

/// Predicates that compare or unify terms.
pub const BUILTINS: &[Native] = &[
    det("=", 2, unify, "?A = ?B\nUnifies two terms."),
    det("\\=", 2, not_unifiable, "?A \\= ?B\nTrue when the terms do not unify."),
    det("==", 2, identical, "@A == @B\nTrue when the terms are the same."),
    det("\\==", 2, not_identical, "@A \\== @B\nTrue when the terms differ."),
    det("@<", 2, before, "@A @< @B\nTrue when A is before B in the standard order of terms."),
    det("@>", 2, after, "@A @> @B\nTrue when A is after B in the standard order of terms."),
    det("@=<", 2, not_after, "@A @=< @B\nTrue when A is before B in the standard order or the same."),
    det("@>=", 2, not_before, "@A @>= @B\nTrue when A is after B in the standard order or the same."),
    det("compare", 3, compare3, "compare(?Order, @A, @B)\nOrder is <, = or >: the standard order of two terms."),
    det("=@=", 2, variant, "@A =@= @B\nTrue when the terms are equal up to renaming of variables."),
    det("\\=@=", 2, not_variant, "@A \\=@= @B\nTrue when the terms are no variants."),
    det("same_term", 2, same_term, "same_term(@A, @B)\nTrue when both are the very same term in memory."),
    det("?=", 2, decidable, "?=(@A, @B)\nTrue when A == B can be decided: the terms are the same or can never be."),
    det("unify_with_occurs_check", 2, unify_occurs, "unify_with_occurs_check(?A, ?B)\nUnifies without making cyclic terms."),
    det("acyclic_term", 1, acyclic_term, "acyclic_term(@Term)\nTrue when Term is a finite tree."),
    det("cyclic_term", 1, cyclic_term, "cyclic_term(@Term)\nTrue when Term contains itself."),
    det(
        "subsumes_term",
        2,
        subsumes_term,
        "subsumes_term(@General, @Specific)\nTrue when General can be made equal to Specific by binding only its own variables.",
    ),
    det("unifiable", 3, unifiable, "unifiable(@A, @B, -Unifier)\nUnifier is the list Var = Value that makes the terms equal."),
];
