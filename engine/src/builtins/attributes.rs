//! Attributes of variables: what `freeze/2`, `dif/2`, `when/2` and constraint libraries stand on.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det("put_attr", 3, put_attr, "put_attr(?Var, +Module, +Value)\nGives Var the attribute Module with this value, until backtracking."),
    det("get_attr", 3, get_attr, "get_attr(?Var, +Module, -Value)\nThe value of an attribute; fails when Var has none of this name."),
    det("del_attr", 2, del_attr, "del_attr(?Var, +Module)\nTakes an attribute away."),
    det(
        "put_attrs",
        2,
        put_attrs,
        "put_attrs(?Var, +Attributes)\nReplaces all attributes by a chain att(Module, Value, More) that ends in [].",
    ),
    det("get_attrs", 2, get_attrs, "get_attrs(?Var, -Attributes)\nThe chain att(Module, Value, More) of all attributes."),
    det("del_attrs", 1, del_attrs, "del_attrs(?Var)\nTakes all attributes away."),
];

/// Address of the cell that holds the attributes; a plain variable gets attributes first.
fn attributed(m: &mut Machine, var: Cell) -> Res<usize> {
    match m.heap.view(var) {
        Term::Attributed(addr) => Ok(addr + 1),
        Term::Var(_) => {
            let v = m.heap.deref(var);
            let new = m.heap.new_attributed(Cell::atom(atom::NIL));
            m.heap.bind(v, new);
            Ok(new.addr() + 1)
        }
        _ => Err(error::uninstantiation(&mut m.heap, var)),
    }
}

fn module_name(m: &mut Machine, c: Cell) -> Res<Atom> {
    match m.heap.view(c) {
        Term::Atom(a) => Ok(a),
        Term::Var(_) | Term::Attributed(_) => Err(error::instantiation(&mut m.heap)),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

/// Walks the chain in the cell `at`: the address of the term `att/3` for `name`, and the cell that leads to it;
/// without one, the cell that holds the end of the chain.
fn find(m: &Machine, at: usize, name: Atom) -> (Option<usize>, usize) {
    let mut link = at;
    while let Some(&cell) = m.heap.cells.get(link) {
        let Term::Compound(a, atom::ATT, 3) = m.heap.view(cell) else { break };
        if let Term::Atom(n) = m.heap.view(m.heap.cells[a + 1])
            && n == name
        {
            return (Some(a), link);
        }
        link = a + 3;
    }
    (None, link)
}

fn put_attr(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if !m.heap.is_var(a[0]) {
        return Err(error::uninstantiation(&mut m.heap, a[0]));
    }
    let name = module_name(m, a[1])?;
    let at = attributed(m, a[0])?;
    match find(m, at, name) {
        (Some(att), _) => m.heap.set_trailed(att + 2, a[2]),
        (None, end) => {
            let att = m.heap.compound(atom::ATT, &[Cell::atom(name), a[2], Cell::atom(atom::NIL)]);
            m.heap.set_trailed(end, att);
        }
    }
    Ok(true)
}

fn get_attr(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let name = module_name(m, a[1])?;
    let Term::Attributed(addr) = m.heap.view(a[0]) else { return Ok(false) };
    let (Some(att), _) = find(m, addr + 1, name) else { return Ok(false) };
    let value = m.heap.cells[att + 2];
    Ok(m.heap.unify(a[2], value))
}

fn del_attr(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let name = module_name(m, a[1])?;
    let Term::Attributed(addr) = m.heap.view(a[0]) else { return Ok(true) };
    if let (Some(att), link) = find(m, addr + 1, name) {
        let more = m.heap.cells[att + 3];
        m.heap.set_trailed(link, more);
        plain_when_empty(m, addr);
    }
    Ok(true)
}

/// A variable without attributes becomes an ordinary one again.
fn plain_when_empty(m: &mut Machine, addr: usize) {
    let rest = m.heap.attributes(addr);
    if matches!(m.heap.view(rest), Term::Atom(atom::NIL)) {
        let plain = m.heap.new_var();
        m.heap.set_trailed(addr, plain);
    }
}

fn put_attrs(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let at = attributed(m, a[0])?;
    m.heap.set_trailed(at, a[1]);
    plain_when_empty(m, at - 1);
    Ok(true)
}

fn get_attrs(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Term::Attributed(addr) = m.heap.view(a[0]) else { return Ok(false) };
    let all = m.heap.attributes(addr);
    Ok(m.heap.unify(a[1], all))
}

fn del_attrs(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if let Term::Attributed(addr) = m.heap.view(a[0]) {
        let plain = m.heap.new_var();
        m.heap.set_trailed(addr, plain);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chain() {
        let mut m = Machine::bare();
        let v = m.heap.new_var();
        let (x, y) = (Cell::atom(atom::FREEZE), Cell::atom(atom::DIF));
        let mark = m.heap.trail.len();
        m.heap.hb = m.heap.top();
        assert!(matches!(put_attr(&mut m, &[v, x, Cell::small(1)]), Ok(true)));
        assert!(matches!(put_attr(&mut m, &[v, y, Cell::small(2)]), Ok(true)));
        assert!(matches!(put_attr(&mut m, &[v, x, Cell::small(3)]), Ok(true)));
        assert!(matches!(get_attr(&mut m, &[v, x, Cell::small(3)]), Ok(true)));
        assert!(matches!(get_attr(&mut m, &[v, y, Cell::small(2)]), Ok(true)));
        assert!(matches!(del_attr(&mut m, &[v, x]), Ok(true)));
        assert!(matches!(get_attr(&mut m, &[v, x, Cell::small(3)]), Ok(false)));
        assert!(matches!(del_attr(&mut m, &[v, y]), Ok(true)));
        assert!(matches!(m.heap.view(v), Term::Var(_)));
        m.heap.undo_to(mark);
        assert!(matches!(m.heap.view(v), Term::Var(_)));
        assert!(put_attr(&mut m, &[x, x, x]).is_err());
        assert!(put_attr(&mut m, &[v, Cell::small(1), x]).is_err());
    }
}
