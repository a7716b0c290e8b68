//! From clauses to code.

pub mod body;
mod emit;

pub use body::{Callee, Resolve};

use crate::atom::{self, Atom};
use crate::cell::{Cell, tag};
use crate::code::{Clause, KEYS, index_key};
use crate::heap::Heap;

/// Why a clause has no code.
#[derive(Debug)]
pub enum CompileError {
    /// The body is no goal (a number, a string …).
    BodyNotCallable,
    /// More arguments or variables than the machine has registers for.
    TooLarge(&'static str),
}

/// Largest arity of a predicate.
pub const MAX_PREDICATE_ARITY: usize = 1000;

/// Compiles `head :- body` (body `true` for a fact) for a module.
///
/// `head` is an atom or compound. Errors: see [`CompileError`].
pub fn compile(heap: &mut Heap, resolve: &mut Resolve, module: Atom, head: Cell, body: Cell) -> Result<Clause, CompileError> {
    let args: Vec<Cell> = heap.args(head).map(|i| heap.cells[i]).collect();
    if args.len() > MAX_PREDICATE_ARITY {
        return Err(CompileError::TooLarge("arity"));
    }
    let goal = body::parse(heap, resolve, module, body).map_err(|_| CompileError::BodyNotCallable)?;
    let mut keys = [0; KEYS];
    for (k, a) in keys.iter_mut().zip(&args) {
        *k = index_key(&heap.cells, heap.deref(*a));
    }
    let (code, literals) = emit::emit(heap, &args, &goal)?;
    let mut atoms = Vec::new();
    collect_atoms(heap, head, &mut atoms);
    collect_atoms(heap, body, &mut atoms);
    Ok(Clause {
        code: code.into(),
        literals: literals.into(),
        keys,
        atoms: atoms.into(),
        source: None,
        file: 0,
        line: 0,
        arity: args.len() as u32,
    })
}

/// Atoms of a term that are not the engine's own.
fn collect_atoms(heap: &Heap, c: Cell, out: &mut Vec<Atom>) {
    let base = heap.atoms.local_base();
    let mut note = |a: Atom| {
        if a.0 >= base {
            out.push(a);
        }
    };
    let mut pending = vec![c];
    while let Some(c) = pending.pop() {
        let c = heap.deref(c);
        match c.tag() {
            tag::ATM => note(c.as_atom()),
            tag::STR | tag::LST => {
                if c.is_str() {
                    note(heap.cells[c.addr()].functor_name());
                }
                pending.extend(heap.args(c).map(|i| heap.cells[i]));
            }
            _ => {}
        }
    }
}

/// Splits a clause into head and body; a fact has the body `true`.
pub fn split_clause(heap: &Heap, clause: Cell) -> (Cell, Cell) {
    match heap.match_compound(clause, atom::NECK, 2) {
        Some(a) => (a[0], a[1]),
        None => (clause, Cell::atom(atom::TRUE)),
    }
}
