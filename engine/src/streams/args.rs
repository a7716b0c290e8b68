//! Arguments of stream and file predicates: streams, texts, file names, option lists.

use super::path;
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::{Heap, Term};
use crate::host::FsError;
use crate::machine::Machine;
use crate::native::Redo;
use crate::text;

/// Which way a stream is to be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Input,
    Output,
    Either,
}

/// The stream number in a term `'$stream'(N)`.
pub fn number_of(heap: &Heap, c: Cell) -> Option<u32> {
    let Term::Compound(_, name, 1) = heap.view(c) else { return None };
    if heap.atoms.text(name) != "$stream" {
        return None;
    }
    match heap.view(heap.arg(c, 0)) {
        Term::Int(n) => u32::try_from(n).ok(),
        _ => None,
    }
}

/// The term of a stream.
pub fn stream_term(heap: &mut Heap, n: u32) -> Cell {
    heap.compound_named("$stream", &[Cell::small(n as i64)])
}

/// The stream an argument names: a stream term or an alias.
///
/// Errors: `instantiation_error`, `domain_error(stream_or_alias, C)`, `existence_error(stream, C)`, and
/// `permission_error(input|output, stream, C)` when it goes the other way.
pub fn stream(m: &mut Machine, c: Cell, direction: Direction) -> Res<u32> {
    let n = match m.heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => return Err(error::instantiation(&mut m.heap)),
        Term::Atom(a) => match (m.heap.atoms.text(a), direction) {
            ("user", Direction::Input) => Some(super::USER_INPUT),
            ("user", _) => Some(super::USER_OUTPUT),
            (alias, _) => m.streams.by_alias(alias),
        },
        _ => match number_of(&m.heap, c) {
            Some(n) => Some(n),
            None => return Err(error::domain(&mut m.heap, "stream_or_alias", c)),
        },
    };
    let Some((n, s)) = n.and_then(|n| m.streams.get(n).map(|s| (n, s))) else {
        return Err(error::existence(&mut m.heap, "stream", c));
    };
    match direction {
        Direction::Input if !s.is_input() => Err(error::permission(&mut m.heap, "input", "stream", c)),
        Direction::Output if s.is_input() => Err(error::permission(&mut m.heap, "output", "stream", c)),
        _ => Ok(n),
    }
}

/// The stream to read: the argument, or the current input when there is none.
pub fn input(m: &mut Machine, c: Option<Cell>) -> Res<u32> {
    match c {
        Some(c) => stream(m, c, Direction::Input),
        None => Ok(m.streams.input()),
    }
}

/// The stream to write: the argument, or the current output when there is none.
pub fn output(m: &mut Machine, c: Option<Cell>) -> Res<u32> {
    match c {
        Some(c) => stream(m, c, Direction::Output),
        None => Ok(m.streams.output()),
    }
}

/// Text of an argument that must be one; else `type_error(text, C)`.
pub fn text(m: &mut Machine, c: Cell) -> Res<String> {
    text::require(&mut m.heap, c, "text")
}

/// A file name as given: an atom, string or list; a number is no name (`type_error(text, C)`).
pub fn name(m: &mut Machine, c: Cell) -> Res<String> {
    match m.heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => Err(error::instantiation(&mut m.heap)),
        Term::Atom(atom::NIL) => Err(error::type_error_named(&mut m.heap, "text", c)),
        Term::Atom(_) | Term::Str(_) | Term::List(_) => text(m, c),
        _ => Err(error::type_error_named(&mut m.heap, "text", c)),
    }
}

/// A file name made a path of the workspace; one that leaves it is `permission_error(access, file, C)`.
pub fn file(m: &mut Machine, c: Cell) -> Res<String> {
    let given = name(m, c)?;
    match path::resolve(&m.streams.directory, &given) {
        Some(p) if !p.contains('\0') => Ok(p),
        Some(_) => Err(error::representation(&mut m.heap, "file_name")),
        None => Err(outside(m, c)),
    }
}

/// The error for a path that leaves the workspace.
pub fn outside(m: &mut Machine, c: Cell) -> Throw {
    message(m, "permission_error", &["access", "file"], c, FsError::Outside.message())
}

/// `error(Name(Words..., Culprit), context(_, Message))`.
pub fn message(m: &mut Machine, error: &str, words: &[&str], culprit: Cell, text: &str) -> Throw {
    let mut args: Vec<Cell> = words.iter().map(|w| m.heap.atom(w)).collect();
    args.push(culprit);
    let formal = m.heap.compound_named(error, &args);
    let predicate = m.heap.new_var();
    let text = m.heap.atom(text);
    let context = m.heap.compound(atom::CONTEXT, &[predicate, text]);
    Throw::Ball(m.heap.compound(atom::ERROR, &[formal, context]))
}

/// The Prolog error for a file operation that went wrong: `action` (open, delete, …) on a `kind` (source_sink, file, directory).
pub fn host_error(m: &mut Machine, e: &FsError, action: &str, kind: &str, culprit: Cell) -> Throw {
    match e {
        FsError::NotFound => message(m, "existence_error", &[kind], culprit, e.message()),
        FsError::Exists => message(m, "permission_error", &[action, kind], culprit, e.message()),
        FsError::Outside => outside(m, culprit),
        _ => message(m, "permission_error", &[action, kind], culprit, e.message()),
    }
}

/// An option list taken apart: `Name(Value)` or `Name = Value`, the first of a name wins.
///
/// Errors: `instantiation_error` for a partial list or an unbound element, `type_error(list, C)`, `type_error(option, E)`.
pub fn options(m: &mut Machine, list: Cell) -> Res<Vec<(String, Cell)>> {
    let mut out: Vec<(String, Cell)> = Vec::new();
    let mut rest = m.heap.deref(list);
    let mut count = 0usize;
    while let Some((head, tail)) = m.heap.pair(rest) {
        count += 1;
        if count > 10_000 {
            return Err(error::type_error(&mut m.heap, atom::LIST, list));
        }
        let head = m.heap.deref(head);
        match m.heap.view(head) {
            Term::Var(_) | Term::Attributed(_) => return Err(error::instantiation(&mut m.heap)),
            Term::Compound(_, name, 1) => {
                let value = m.heap.deref(m.heap.arg(head, 0));
                out.push((m.heap.atoms.text(name).to_string(), value));
            }
            Term::Compound(_, atom::EQ, 2) => {
                let (key, value) = (m.heap.arg(head, 0), m.heap.arg(head, 1));
                let Term::Atom(key) = m.heap.view(key) else { return Err(error::type_error_named(&mut m.heap, "option", head)) };
                let value = m.heap.deref(value);
                out.push((m.heap.atoms.text(key).to_string(), value));
            }
            // Other compounds are options of somebody else.
            Term::Compound(..) => {}
            _ => return Err(error::type_error_named(&mut m.heap, "option", head)),
        }
        rest = m.heap.deref(tail);
    }
    if m.heap.is_var(rest) {
        return Err(error::instantiation(&mut m.heap));
    }
    if rest != Cell::NIL {
        return Err(error::type_error(&mut m.heap, atom::LIST, list));
    }
    Ok(out)
}

/// Text of an atom option; anything else is `type_error(atom, C)`.
pub fn atom_option(m: &mut Machine, c: Cell) -> Res<String> {
    match m.heap.view(c) {
        Term::Atom(a) => Ok(m.heap.atoms.text(a).to_string()),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

/// A boolean option; anything else is `type_error(bool, C)`.
pub fn bool_option(m: &mut Machine, c: Cell) -> Res<bool> {
    match m.heap.view(c) {
        Term::Atom(atom::TRUE) => Ok(true),
        Term::Atom(atom::FALSE) => Ok(false),
        Term::Atom(a) if m.heap.atoms.text(a) == "on" => Ok(true),
        Term::Atom(a) if m.heap.atoms.text(a) == "off" => Ok(false),
        _ => Err(error::type_error(&mut m.heap, atom::BOOL, c)),
    }
}

/// A non-negative integer that fits; else a type error or `type_error(not_less_than_zero, C)`.
pub fn count(m: &mut Machine, c: Cell) -> Res<usize> {
    match m.heap.view(c) {
        Term::Int(i) => usize::try_from(i).map_err(|_| error::type_error_named(&mut m.heap, "not_less_than_zero", c)),
        Term::Big(_) => Err(error::representation(&mut m.heap, "size_t")),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

/// Unifies all pairs or, when one fails, binds nothing: for trying several solutions within one call.
pub fn unify_all(heap: &mut Heap, pairs: &[(Cell, Cell)]) -> bool {
    // Every binding is trailed for the time being, so that a failed attempt can be undone.
    let (hb, mark, wakeup) = (heap.hb, heap.trail.len(), heap.wakeup);
    heap.hb = usize::MAX;
    let ok = pairs.iter().all(|&(a, b)| heap.unify(a, b));
    if !ok {
        heap.undo_to(mark);
        heap.wakeup = wakeup;
    }
    heap.hb = hb;
    ok
}

/// The next solution of a nondeterministic predicate whose solutions are known: `state` is a list of terms `s(V1, ..., Vn)`,
/// each of which is unified with `targets`.
pub fn next_solution(m: &mut Machine, targets: &[Cell], state: Cell) -> Redo {
    let mut rest = state;
    while let Some((row, tail)) = m.heap.pair(rest) {
        let pairs: Vec<(Cell, Cell)> = targets.iter().enumerate().map(|(i, &t)| (t, m.heap.arg(row, i))).collect();
        rest = m.heap.deref(tail);
        if unify_all(&mut m.heap, &pairs) {
            return if rest == Cell::NIL { Redo::Done } else { Redo::More(rest) };
        }
    }
    Redo::Fail
}

/// Makes the list of solutions for [`next_solution`].
pub fn solutions(heap: &mut Heap, rows: &[Vec<Cell>]) -> Cell {
    let name = heap.atoms.intern("s");
    let rows: Vec<Cell> = rows.iter().map(|r| heap.compound(name, r)).collect();
    heap.list_from(&rows)
}
