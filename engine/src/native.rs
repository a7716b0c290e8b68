//! Predicates implemented in Rust, and how they are registered.
//!
//! No native predicate calls the machine back: what needs to run goals is an instruction or Prolog.
//! A native predicate may keep raw [`Cell`]s across allocations (addresses are offsets, and the
//! collector runs only between calls), but not across calls of itself.

use crate::cell::Cell;
use crate::error::Res;
use crate::machine::Machine;

/// What a nondeterministic native predicate answers.
pub enum Redo {
    /// No (more) solution.
    Fail,
    /// The last solution: no choice point is left.
    Done,
    /// A solution, and more to try: the term is the state that the next call receives. It lives on
    /// the heap like any term, so it is collected, forked and saved with the session.
    More(Cell),
}

/// Deterministic: true succeeds, false fails.
pub type DetFn = fn(&mut Machine, &[Cell]) -> Res<bool>;
/// Nondeterministic: called with `None` at first, then with the state of the last [`Redo::More`].
/// Bindings made by the last solution have been undone before the next call.
pub type NondetFn = fn(&mut Machine, &[Cell], Option<Cell>) -> Res<Redo>;

/// How a native predicate runs.
#[derive(Clone, Copy)]
pub enum Run {
    Det(DetFn),
    Nondet(NondetFn),
    /// Stops the machine with a host call; the host answers later.
    Suspend,
}

/// One native predicate. `doc` is the text `help/1` shows: first line the modes, then prose.
#[derive(Clone, Copy)]
pub struct Native {
    pub name: &'static str,
    pub arity: usize,
    pub run: Run,
    pub doc: &'static str,
}

/// Registers a deterministic predicate.
pub const fn det(name: &'static str, arity: usize, f: DetFn, doc: &'static str) -> Native {
    Native { name, arity, run: Run::Det(f), doc }
}

/// Registers a nondeterministic predicate.
pub const fn nondet(name: &'static str, arity: usize, f: NondetFn, doc: &'static str) -> Native {
    Native { name, arity, run: Run::Nondet(f), doc }
}

/// Every native predicate of the engine, family by family.
pub fn all() -> impl Iterator<Item = &'static Native> {
    FAMILIES.iter().flat_map(|f| f.iter())
}

/// One table per file of built-ins, in the alphabetical order of the files.
const FAMILIES: &[&[Native]] = &[
    crate::builtins::arith::BUILTINS,
    crate::builtins::compare::BUILTINS,
    crate::builtins::sort::BUILTINS,
    crate::builtins::term_text::BUILTINS,
    crate::builtins::terms::BUILTINS,
    crate::builtins::typetest::BUILTINS,
    crate::builtins::variables::BUILTINS,
    crate::builtins::atoms::BUILTINS,
    crate::builtins::attributes::BUILTINS,
    crate::builtins::chars::BUILTINS,
    crate::builtins::chars_io::BUILTINS,
    crate::builtins::dicts::BUILTINS,
    crate::builtins::dwim::BUILTINS,
    crate::builtins::filenames::BUILTINS,
    crate::builtins::files::BUILTINS,
    crate::builtins::flags::BUILTINS,
    crate::builtins::format::BUILTINS,
    crate::builtins::json::BUILTINS,
    crate::builtins::globals::BUILTINS,
    crate::builtins::loader::BUILTINS,
    crate::builtins::ops::BUILTINS,
    crate::builtins::portray::BUILTINS,
    crate::builtins::read::BUILTINS,
    crate::builtins::read_text::BUILTINS,
    crate::builtins::streams::BUILTINS,
    crate::builtins::strings::BUILTINS,
    crate::builtins::subtext::BUILTINS,
    crate::builtins::time::BUILTINS,
    crate::builtins::write::BUILTINS,
    crate::library::BUILTINS,
    crate::machine::CONTROL,
    crate::machine::DATABASE,
    crate::machine::SOLUTIONS,
];
