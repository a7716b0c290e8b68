//! From clauses to code.

pub mod body;
mod emit;

pub use body::{Callee, Resolve};

use crate::atom::{self, Atom};
use crate::cell::{Cell, tag};
use crate::code::{Clause, KEYS, index_key};
use crate::heap::{Heap, Term};

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

/// Nodes of an arithmetic expression that [`compile_goal`] compiles; a larger one is evaluated as a term.
const MAX_EXPRESSION: usize = 100;

/// Registers that [`compile_goal`] passes arguments in; more go into one compound.
const MAX_GOAL_ARGS: usize = 64;

/// Compiles a goal as the body of a clause of its own. Gives the clause and the arguments it is to be entered with.
///
/// The goal's variables and compound terms are arguments, so that they keep their identity and cost nothing to compile.
/// Errors: see [`CompileError`].
pub fn compile_goal(heap: &mut Heap, resolve: &mut Resolve, module: Atom, goal: Cell) -> Result<(Clause, Vec<Cell>), CompileError> {
    let mut goal = body::parse(heap, resolve, module, goal).map_err(|_| CompileError::BodyNotCallable)?;
    let mut passed = Passed::default();
    passed.goal(heap, &mut goal);
    let Passed { parameters, mut arguments, atoms, .. } = passed;
    let head = if parameters.len() <= MAX_GOAL_ARGS {
        parameters
    } else {
        let pattern = heap.compound(atom::VAR, &parameters);
        arguments = vec![heap.compound(atom::VAR, &arguments)];
        vec![pattern]
    };
    let (code, literals) = emit::emit(heap, &head, &goal)?;
    let clause = Clause {
        code: code.into(),
        literals: literals.into(),
        keys: [0; KEYS],
        atoms: atoms.into(),
        source: None,
        file: 0,
        line: 0,
        arity: head.len() as u32,
    };
    Ok((clause, arguments))
}

/// Arguments of a goal's clause: a parameter (a variable in the head) for each, and what it is bound to.
#[derive(Default)]
struct Passed {
    parameters: Vec<Cell>,
    arguments: Vec<Cell>,
    /// Parameter of a variable or compound, by its cell.
    known: rustc_hash::FxHashMap<u64, Cell>,
    atoms: Vec<Atom>,
}

impl Passed {
    fn goal(&mut self, heap: &mut Heap, g: &mut body::Goal) {
        use body::Goal;
        match g {
            Goal::True | Goal::Fail | Goal::Cut => {}
            Goal::Unify(a, b) | Goal::CompareTerms(_, a, b) => {
                *a = self.term(heap, *a);
                *b = self.term(heap, *b);
            }
            Goal::Test(_, a) => *a = self.term(heap, *a),
            Goal::Compare(_, a, b) => {
                *a = self.expression(heap, *a);
                *b = self.expression(heap, *b);
            }
            Goal::Is(a, b) => {
                *a = self.term(heap, *a);
                *b = self.expression(heap, *b);
            }
            Goal::Call { args, .. } | Goal::Native { args, .. } => {
                for a in args {
                    *a = self.term(heap, *a);
                }
            }
            Goal::Conj(goals) => goals.iter_mut().for_each(|g| self.goal(heap, g)),
            Goal::IfThenElse { cond, then, otherwise, .. } => {
                self.goal(heap, cond);
                self.goal(heap, then);
                self.goal(heap, otherwise);
            }
            Goal::Or(a, b) => {
                self.goal(heap, a);
                self.goal(heap, b);
            }
            Goal::Not(g) | Goal::Scope(g) => self.goal(heap, g),
        }
    }

    fn term(&mut self, heap: &mut Heap, c: Cell) -> Cell {
        let c = heap.deref(c);
        if c.is_atom() {
            if c.as_atom().0 >= heap.atoms.local_base() {
                self.atoms.push(c.as_atom());
            }
            return c;
        }
        if c.is_small() {
            return c;
        }
        if let Some(p) = self.known.get(&c.0) {
            return *p;
        }
        let parameter = if c.is_ref() { c } else { heap.new_var() };
        self.known.insert(c.0, parameter);
        self.parameters.push(parameter);
        self.arguments.push(c);
        parameter
    }

    /// An expression keeps its form, as its identity does not matter; its variables are passed.
    fn expression(&mut self, heap: &mut Heap, whole: Cell) -> Cell {
        let mut leaves = vec![];
        let mut pending = vec![whole];
        let mut nodes = 0;
        while let Some(c) = pending.pop() {
            let c = heap.deref(c);
            nodes += 1;
            if nodes > MAX_EXPRESSION {
                return self.term(heap, whole);
            }
            if matches!(heap.view(c), Term::Compound(..)) {
                pending.extend(heap.args(c).map(|i| heap.cells[i]));
            } else if c.is_ref() || c.is_atom() {
                leaves.push(c);
            }
        }
        for c in leaves {
            self.term(heap, c);
        }
        heap.deref(whole)
    }
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
