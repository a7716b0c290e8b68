//! Exceptions as built-ins raise them: ISO error terms (ISO/IEC 13211-1, 7.12.2) built on the heap.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::heap::Heap;

/// Why a built-in did not end normally.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Throw {
    /// A Prolog exception: the ball, as a heap term. `catch/3` sees it.
    Ball(Cell),
    /// As `Ball`, raised by the program itself (`throw/1`): its context is the program's own affair.
    Program(Cell),
    /// `user_input` has run out and the embedder may feed more: the machine stops, and when it goes on calls the same
    /// predicate again. The predicate has changed nothing yet. See [`crate::streams::Streams::input_needed`].
    Input,
    /// The program asked to end the run with this status (`halt/1`); `catch/3` does not see it.
    Halt(i32),
    /// An invariant of the engine is broken; ends this run, not the host.
    Bug(&'static str),
}

/// What a built-in gives: its value, or the exception it raises.
pub type Res<T = bool> = Result<T, Throw>;

/// `error(Formal, _)`: the machine fills the context in with the predicate that raised it.
pub fn iso(heap: &mut Heap, formal: Cell) -> Throw {
    let context = heap.new_var();
    Throw::Ball(heap.compound(atom::ERROR, &[formal, context]))
}

/// `error(Formal, context(_, Message))`.
pub fn iso_message(heap: &mut Heap, formal: Cell, message: &str) -> Throw {
    let predicate = heap.new_var();
    let message = heap.string(message);
    let context = heap.compound(atom::CONTEXT, &[predicate, message]);
    Throw::Ball(heap.compound(atom::ERROR, &[formal, context]))
}

/// Names the predicate or arithmetic function that raised the exception, unless it names one already: for those that
/// SWI-Prolog reports without a module.
pub fn raised_by(heap: &mut Heap, t: Throw, name: &str, arity: usize) -> Throw {
    if let Throw::Ball(ball) = t
        && let Some(&[_, context]) = heap.match_compound(ball, atom::ERROR, 2)
        && heap.is_var(context)
    {
        let context = heap.deref(context);
        let name = heap.atoms.intern(name);
        let pi = heap.indicator(name, arity);
        let message = heap.new_var();
        let c = heap.compound(atom::CONTEXT, &[pi, message]);
        heap.bind(context, c);
    }
    t
}

/// `instantiation_error`.
pub fn instantiation(heap: &mut Heap) -> Throw {
    iso(heap, Cell::atom(atom::INSTANTIATION_ERROR))
}

/// `uninstantiation_error(Culprit)`.
pub fn uninstantiation(heap: &mut Heap, culprit: Cell) -> Throw {
    let f = heap.compound(atom::UNINSTANTIATION_ERROR, &[culprit]);
    iso(heap, f)
}

/// `type_error(Type, Culprit)`; an unbound culprit gives `instantiation_error`, as every ISO built-in does.
pub fn type_error(heap: &mut Heap, expected: Atom, culprit: Cell) -> Throw {
    if heap.is_var(culprit) {
        return instantiation(heap);
    }
    let f = heap.compound(atom::TYPE_ERROR, &[Cell::atom(expected), culprit]);
    iso(heap, f)
}

/// As [`type_error`], by the type's name.
pub fn type_error_named(heap: &mut Heap, expected: &str, culprit: Cell) -> Throw {
    let a = heap.atoms.intern(expected);
    type_error(heap, a, culprit)
}

/// `domain_error(Domain, Culprit)`.
pub fn domain(heap: &mut Heap, expected: &str, culprit: Cell) -> Throw {
    let a = heap.atom(expected);
    let f = heap.compound(atom::DOMAIN_ERROR, &[a, culprit]);
    iso(heap, f)
}

/// `existence_error(Kind, Culprit)`.
pub fn existence(heap: &mut Heap, what: &str, culprit: Cell) -> Throw {
    let a = heap.atom(what);
    let f = heap.compound(atom::EXISTENCE_ERROR, &[a, culprit]);
    iso(heap, f)
}

/// `permission_error(Action, Type, Culprit)`.
pub fn permission(heap: &mut Heap, action: &str, kind: &str, culprit: Cell) -> Throw {
    let (a, k) = (heap.atom(action), heap.atom(kind));
    let f = heap.compound(atom::PERMISSION_ERROR, &[a, k, culprit]);
    iso(heap, f)
}

/// `representation_error(What)`.
pub fn representation(heap: &mut Heap, what: &str) -> Throw {
    let a = heap.atom(what);
    let f = heap.compound(atom::REPRESENTATION_ERROR, &[a]);
    iso(heap, f)
}

/// `evaluation_error(What)`.
pub fn evaluation(heap: &mut Heap, what: &str) -> Throw {
    let a = heap.atom(what);
    let f = heap.compound(atom::EVALUATION_ERROR, &[a]);
    iso(heap, f)
}

/// `resource_error(What)`.
pub fn resource(heap: &mut Heap, what: &str) -> Throw {
    let a = heap.atom(what);
    let f = heap.compound(atom::RESOURCE_ERROR, &[a]);
    iso(heap, f)
}

/// `syntax_error(What)`.
pub fn syntax(heap: &mut Heap, what: &str) -> Throw {
    let a = heap.atom(what);
    let f = heap.compound(atom::SYNTAX_ERROR, &[a]);
    iso(heap, f)
}
