use crate::atom::{Atom, AtomTable};
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;
use std::cmp::Ordering;
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Op(pub u8);
impl Op {
    pub const ADD: Op = Op(0);
    pub fn lookup(t: &AtomTable, name: Atom, arity: usize) -> Option<Op> {
        match (t.text(name), arity) { ("+", 2) => Some(Op(0)), ("-", 2) => Some(Op(1)), ("*", 2) => Some(Op(2)), ("//", 2) => Some(Op(3)), ("mod", 2) => Some(Op(4)), _ => None }
    }
}
pub fn eval(m: &mut Machine, c: Cell) -> Res<Cell> {
    let c = m.heap.deref(c);
    match m.heap.view(c) {
        Term::Int(_) | Term::Float(_) => Ok(c),
        Term::Compound(_, n, 2) => {
            let op = Op::lookup(&m.heap.atoms, n, 2).unwrap();
            let (a, b) = (m.heap.arg(c, 0), m.heap.arg(c, 1));
            let a = eval(m, a)?; let b = eval(m, b)?;
            binary(m, op, a, b)
        }
        _ => Err(error::instantiation(&mut m.heap)),
    }
}
pub fn unary(_m: &mut Machine, _op: Op, a: Cell) -> Res<Cell> { Ok(a) }
pub fn binary(m: &mut Machine, op: Op, a: Cell, b: Cell) -> Res<Cell> {
    let (a, b) = (a.as_small(), b.as_small());
    let v = match op.0 { 0 => a + b, 1 => a - b, 2 => a * b, 3 => a / b, _ => a.rem_euclid(b) };
    Ok(m.heap.int(v))
}
pub fn compare(_m: &mut Machine, a: Cell, b: Cell) -> Res<Option<Ordering>> { Ok(Some(a.as_small().cmp(&b.as_small()))) }
