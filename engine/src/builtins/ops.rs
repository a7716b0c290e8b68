//! Operators: `op/3` and `current_op/3`.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::ops::{Fixity, OpType};

pub const BUILTINS: &[Native] = &[
    det(
        "op",
        3,
        op,
        "op(+Priority, +Type, :Name)\nDeclares Name, or each name of a list, an operator of the module; priority 0 removes it.",
    ),
    nondet("current_op", 3, current_op, "current_op(?Priority, ?Type, ?:Name)\nThe operators that hold in the module."),
];

/// Takes `M:` prefixes off; the module is the one the term names, else the source module.
pub(super) fn strip_module(m: &Machine, c: Cell) -> (Atom, Cell) {
    let (mut module, mut c) = (m.source_module, c);
    while let Some(&[q, t]) = m.heap.match_compound(c, atom::COLON, 2) {
        match m.heap.view(q) {
            Term::Atom(a) => module = a,
            _ => break,
        }
        c = t;
    }
    (module, m.heap.deref(c))
}

/// Unifies the terms pairwise; when one pair does not unify, takes back the bindings of the others.
pub(super) fn try_unify(m: &mut Machine, xs: &[Cell], ys: &[Cell]) -> bool {
    let (mark, hb) = (m.heap.trail.len(), m.heap.hb);
    // Everything is trailed meanwhile, so that it can be undone without a choice point.
    m.heap.hb = usize::MAX;
    let ok = xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| m.heap.unify(x, y));
    if !ok {
        m.heap.undo_to(mark);
    }
    m.heap.hb = hb;
    ok
}

fn priority(m: &mut Machine, c: Cell) -> Res<u16> {
    match m.heap.view(c) {
        Term::Int(i @ 0..=1200) => Ok(i as u16),
        Term::Int(_) | Term::Big(_) => Err(error::domain(&mut m.heap, "operator_priority", c)),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn op_type(m: &mut Machine, c: Cell) -> Res<OpType> {
    match m.heap.view(c) {
        Term::Atom(a) => match OpType::from_atom(a) {
            Some(t) => Ok(t),
            None => Err(error::domain(&mut m.heap, "operator_specifier", c)),
        },
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

fn op(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (module, names) = strip_module(m, a[2]);
    let p = priority(m, a[0])?;
    let t = op_type(m, a[1])?;
    let mut defs = Vec::new();
    let mut rest = names;
    while let Some((h, tail)) = m.heap.pair(rest) {
        let (in_module, name) = strip_module(m, h);
        let in_module = if name == m.heap.deref(h) { module } else { in_module };
        defs.push(checked(m, in_module, name, atom::ATOM, p, t)?);
        rest = m.heap.deref(tail);
    }
    if rest == names {
        defs.push(checked(m, module, names, atom::LIST, p, t)?);
    } else if rest != Cell::NIL {
        return Err(error::type_error(&mut m.heap, atom::LIST, rest));
    }
    for (module, name) in defs {
        if name != atom::NIL {
            m.heap.atoms.pin(name);
            m.heap.atoms.pin(module);
            m.ops.add(module, name, p, t);
        }
    }
    Ok(true)
}

fn checked(m: &mut Machine, module: Atom, name: Cell, expected: Atom, p: u16, t: OpType) -> Res<(Atom, Atom)> {
    let Term::Atom(n) = m.heap.view(name) else { return Err(error::type_error(&mut m.heap, expected, name)) };
    if n == atom::COMMA {
        return Err(error::permission(&mut m.heap, "modify", "operator", name));
    }
    if n == atom::BAR && (t.fixity() != Fixity::Infix || (p > 0 && p < 1001)) {
        return Err(error::permission(&mut m.heap, "create", "operator", name));
    }
    Ok((module, n))
}

fn current_op(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let (module, name) = strip_module(m, a[2]);
    let mut rest = match state {
        Some(s) => s,
        None => solutions(m, a, module, name)?,
    };
    while let Some((h, t)) = m.heap.pair(rest) {
        let found: Vec<Cell> = m.heap.args(h).map(|i| m.heap.cells[i]).collect();
        if try_unify(m, &[a[0], a[1], name], &found) {
            let t = m.heap.deref(t);
            return Ok(if t == Cell::NIL { Redo::Done } else { Redo::More(t) });
        }
        rest = m.heap.deref(t);
    }
    Ok(Redo::Fail)
}

/// The list of `op(P, T, N)` that fit the bound arguments.
fn solutions(m: &mut Machine, a: &[Cell], module: Atom, name: Cell) -> Result<Cell, Throw> {
    let p = if m.heap.is_var(a[0]) { None } else { Some(priority(m, a[0])?) };
    let t = if m.heap.is_var(a[1]) { None } else { Some(op_type(m, a[1])?) };
    let n = match m.heap.view(name) {
        Term::Var(_) | Term::Attributed(_) => None,
        Term::Atom(n) => Some(n),
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, name)),
    };
    let all = match n {
        Some(n) => [Fixity::Prefix, Fixity::Infix, Fixity::Postfix]
            .into_iter()
            .filter_map(|f| m.ops.get(module, n, f).map(|(p, t)| (n, p, t)))
            .collect(),
        None => m.ops.all(module),
    };
    let mut out = Vec::new();
    for (n2, p2, t2) in all {
        // The same variable twice among the arguments is left to unification, one solution at a time.
        if p.is_none_or(|p| p == p2) && t.is_none_or(|t| t == t2) {
            out.push(m.heap.compound(atom::OPERATOR, &[Cell::small(i64::from(p2)), Cell::atom(t2.atom()), Cell::atom(n2)]));
        }
    }
    Ok(m.heap.list_from(&out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formal(m: &Machine, r: Res<bool>) -> Option<String> {
        match r {
            Err(Throw::Ball(b)) => m.heap.name_arity(m.heap.arg(b, 0)).map(|(n, _)| m.heap.atoms.text(n).to_string()),
            _ => None,
        }
    }

    #[test]
    fn definitions_and_errors() {
        let mut m = Machine::new();
        let (foo, bar) = (m.heap.atom("foo"), m.heap.atom("bar"));
        let both = m.heap.list_from(&[foo, bar]);
        assert_eq!(op(&mut m, &[Cell::small(700), Cell::atom(atom::XFX), both]), Ok(true));
        assert_eq!(m.ops.get(atom::USER, bar.as_atom(), Fixity::Infix), Some((700, OpType::Xfx)));
        let v = m.heap.new_var();
        for (p, n, want) in [
            (Cell::small(1201), foo, "domain_error"),
            (v, foo, "instantiation_error"),
            (Cell::small(200), v, "instantiation_error"),
            (Cell::small(200), Cell::small(1), "type_error"),
            (Cell::small(200), Cell::atom(atom::COMMA), "permission_error"),
            (Cell::small(200), Cell::atom(atom::BAR), "permission_error"),
        ] {
            let r = op(&mut m, &[p, Cell::atom(atom::XFX), n]);
            assert_eq!(formal(&m, r).as_deref(), Some(want));
        }
    }

    #[test]
    fn enumeration() {
        let mut m = Machine::new();
        let (p, t) = (m.heap.new_var(), m.heap.new_var());
        let minus = Cell::atom(atom::MINUS);
        let Ok(Redo::More(s)) = current_op(&mut m, &[p, t, minus], None) else { unreachable!() };
        assert_eq!(m.heap.view(p), Term::Int(200));
        let (p, t) = (m.heap.new_var(), m.heap.new_var());
        assert!(matches!(current_op(&mut m, &[p, t, minus], Some(s)), Ok(Redo::Done)));
        assert_eq!(m.heap.view(p), Term::Int(500));
    }
}
