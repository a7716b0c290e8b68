//! Clause bodies as a tree of goals and control constructs.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::code::{Relation, TypeTest};
use crate::heap::{Heap, Term};

/// Nesting of control constructs that is compiled in line; deeper goals are called.
const MAX_DEPTH: usize = 200;

/// A goal or control construct.
#[derive(Debug)]
pub enum Goal {
    True,
    Fail,
    Cut,
    /// Two terms to unify.
    Unify(Cell, Cell),
    Test(TypeTest, Cell),
    CompareTerms(Relation, Cell, Cell),
    Compare(Relation, Cell, Cell),
    Is(Cell, Cell),
    /// A call of a predicate.
    Call {
        predicate: u32,
        args: Vec<Cell>,
    },
    /// A deterministic native predicate, called in line; `pure` when it binds nothing.
    Native {
        native: u32,
        pure: bool,
        args: Vec<Cell>,
    },
    Conj(Vec<Goal>),
    /// Condition, then, else; `soft` for `*->`.
    IfThenElse {
        cond: Box<Goal>,
        then: Box<Goal>,
        otherwise: Box<Goal>,
        soft: bool,
    },
    Or(Box<Goal>, Box<Goal>),
    Not(Box<Goal>),
    /// A construct that cuts inside it are local to.
    Scope(Box<Goal>),
}

/// What a goal refers to.
pub enum Callee {
    Predicate(u32),
    Native { native: u32, pure: bool },
}

/// Finds what `name/arity` means in a module.
pub type Resolve<'a> = dyn FnMut(Atom, Atom, usize) -> Callee + 'a;

/// A body that is not callable: the offending subterm.
#[derive(Debug)]
pub struct NotCallable;

/// Takes a body apart. Control constructs in `module` that the program itself redefined do not exist: they are reserved.
pub fn parse(heap: &Heap, resolve: &mut Resolve, module: Atom, body: Cell) -> Result<Goal, NotCallable> {
    goal(heap, resolve, module, body, 0)
}

fn called(resolve: &mut Resolve, module: Atom, c: Cell) -> Goal {
    call(resolve, module, atom::CALL, vec![c])
}

fn call(resolve: &mut Resolve, module: Atom, name: Atom, args: Vec<Cell>) -> Goal {
    match resolve(module, name, args.len()) {
        Callee::Predicate(predicate) => Goal::Call { predicate, args },
        Callee::Native { native, pure } => Goal::Native { native, pure, args },
    }
}

fn goal(heap: &Heap, resolve: &mut Resolve, module: Atom, body: Cell, depth: usize) -> Result<Goal, NotCallable> {
    if depth > MAX_DEPTH {
        return Ok(called(resolve, module, body));
    }
    let (name, args) = match heap.view(body) {
        Term::Var(_) | Term::Attributed(_) => return Ok(called(resolve, module, body)),
        Term::Atom(a) => (a, Vec::new()),
        Term::Compound(a, n, _) if n != atom::DICT => {
            let _ = a;
            (n, heap.args(body).map(|i| heap.cells[i]).collect::<Vec<_>>())
        }
        Term::List(a) => (atom::DOT, vec![heap.cells[a], heap.cells[a + 1]]),
        _ => return Err(NotCallable),
    };
    let mut sub = |c: Cell| goal(heap, resolve, module, c, depth + 1);
    Ok(match (name, &args[..]) {
        (atom::TRUE, []) => Goal::True,
        (atom::FAIL | atom::FALSE, []) => Goal::Fail,
        (atom::CUT, []) => Goal::Cut,
        (atom::COMMA, [_, _]) => conjunction(heap, resolve, module, body, depth)?,
        (atom::SEMICOLON | atom::BAR, [l, r]) => {
            let arrow = heap.match_compound(*l, atom::ARROW, 2).map(|a| (a[0], a[1], false));
            let arrow = arrow.or_else(|| heap.match_compound(*l, atom::SOFT_ARROW, 2).map(|a| (a[0], a[1], true)));
            match arrow {
                Some((c, t, soft)) => {
                    Goal::IfThenElse { cond: Box::new(opaque(sub(c)?)), then: Box::new(sub(t)?), otherwise: Box::new(sub(*r)?), soft }
                }
                None => Goal::Or(Box::new(sub(*l)?), Box::new(sub(*r)?)),
            }
        }
        (atom::ARROW, [c, t]) => {
            Goal::IfThenElse { cond: Box::new(opaque(sub(*c)?)), then: Box::new(sub(*t)?), otherwise: Box::new(Goal::Fail), soft: false }
        }
        (atom::SOFT_ARROW, [c, t]) => Goal::Conj(vec![opaque(sub(*c)?), sub(*t)?]),
        (atom::NOT_PROVABLE, [g]) => Goal::Not(Box::new(opaque(sub(*g)?))),
        (atom::COLON, [m, g]) => match (heap.view(*m), heap.view(*g)) {
            (Term::Atom(m), Term::Atom(_) | Term::Compound(..)) => goal(heap, resolve, m, *g, depth + 1)?,
            _ => called(resolve, module, body),
        },
        (atom::EQ, [a, b]) => Goal::Unify(*a, *b),
        (atom::IS, [a, b]) => Goal::Is(*a, *b),
        (_, [a, b]) if relation(name).is_some() => match relation(name) {
            Some((r, true)) => Goal::Compare(r, *a, *b),
            Some((r, false)) => Goal::CompareTerms(r, *a, *b),
            None => return Err(NotCallable),
        },
        (_, [a]) if type_test(name).is_some() => match type_test(name) {
            Some(t) => Goal::Test(t, *a),
            None => return Err(NotCallable),
        },
        _ => call(resolve, module, name, args),
    })
}

/// A cut in a condition or a negation is local to it.
fn opaque(g: Goal) -> Goal {
    fn has_cut(g: &Goal) -> bool {
        match g {
            Goal::Cut => true,
            Goal::Conj(v) => v.iter().any(has_cut),
            Goal::IfThenElse { then, otherwise, .. } => has_cut(then) || has_cut(otherwise),
            Goal::Or(a, b) => has_cut(a) || has_cut(b),
            _ => false,
        }
    }
    if has_cut(&g) { Goal::Scope(Box::new(g)) } else { g }
}

fn conjunction(heap: &Heap, resolve: &mut Resolve, module: Atom, body: Cell, depth: usize) -> Result<Goal, NotCallable> {
    let mut goals = Vec::new();
    // Left- and right-nested conjunctions of any length, without recursion.
    let mut pending = vec![body];
    while let Some(c) = pending.pop() {
        match heap.match_compound(c, atom::COMMA, 2) {
            Some(a) => {
                let (l, r) = (a[0], a[1]);
                pending.push(r);
                pending.push(l);
            }
            None => goals.push(goal(heap, resolve, module, c, depth + 1)?),
        }
    }
    Ok(Goal::Conj(goals))
}

/// The relation of a comparison predicate, and whether it compares numbers.
fn relation(name: Atom) -> Option<(Relation, bool)> {
    Some(match name {
        atom::LESS => (Relation::Less, true),
        atom::GREATER => (Relation::Greater, true),
        atom::LESS_EQ => (Relation::LessEq, true),
        atom::GREATER_EQ => (Relation::GreaterEq, true),
        atom::ARITH_EQ => (Relation::Equal, true),
        atom::ARITH_NE => (Relation::NotEqual, true),
        atom::IDENTICAL => (Relation::Equal, false),
        atom::NOT_IDENTICAL => (Relation::NotEqual, false),
        atom::TERM_LESS => (Relation::Less, false),
        atom::TERM_GREATER => (Relation::Greater, false),
        atom::TERM_LESS_EQ => (Relation::LessEq, false),
        atom::TERM_GREATER_EQ => (Relation::GreaterEq, false),
        _ => return None,
    })
}

fn type_test(name: Atom) -> Option<TypeTest> {
    Some(match name {
        atom::VAR => TypeTest::Var,
        atom::NONVAR => TypeTest::Nonvar,
        atom::ATOM => TypeTest::Atom,
        atom::ATOMIC => TypeTest::Atomic,
        atom::INTEGER => TypeTest::Integer,
        atom::FLOAT => TypeTest::Float,
        atom::NUMBER => TypeTest::Number,
        atom::COMPOUND => TypeTest::Compound,
        atom::CALLABLE => TypeTest::Callable,
        atom::IS_LIST => TypeTest::IsList,
        atom::STRING => TypeTest::String,
        _ => return None,
    })
}
