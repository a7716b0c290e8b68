//! Terms and their texts: `term_to_atom/2`, `term_string/2,3`, `atom_to_term/3`, `read_term_from_atom/3`.

use super::read::{self, Options};
use crate::cell::Cell;
use crate::error::Res;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::reader::{self, Position, Read};
use crate::streams::args;
use crate::text;
use crate::writer;

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("atom_to_term", 3, atom_to_term, "atom_to_term(+Text, -Term, -Bindings)\nReads a term; Bindings is the list of Name=Variable."),
    det(
        "read_term_from_atom",
        3,
        read_term_from_atom,
        "read_term_from_atom(+Text, -Term, +Options)\nReads a term, with options as of read_term/2.",
    ),
    det("term_string", 2, term_string, "term_string(?Term, ?String)\nA term and its quoted text as a string; reads a known text."),
    det(
        "term_string",
        3,
        term_string,
        "term_string(?Term, ?String, +Options)\nAs term_string/2, with options of read_term/2 or write_term/2.",
    ),
    det("term_to_atom", 2, term_to_atom, "term_to_atom(?Term, ?Atom)\nA term and its quoted text; reads a known text."),
];

/// Reads the first term of a text; `None` when a syntax error is to fail. A blank text reads as `end_of_file`.
/// An error says `string(Text, Char)`, the text with the full stop that was added.
fn read_text(m: &mut Machine, text: &str, o: &Options) -> Res<Option<Read>> {
    let from = Position { byte: 0, char: 0, line: 1, column: 0 };
    let whole = if text.trim().is_empty() { String::new() } else { format!("{text} . ") };
    match reader::read_with(&mut m.heap, &m.ops, &m.flags, o.module, &whole, from, &o.reader) {
        Ok(r) => Ok(Some(r)),
        Err(_) if o.errors_fail() => Ok(None),
        Err(e) => {
            let (t, at) = (m.heap.string(&whole), Cell::small(e.at.char as i64));
            let place = m.heap.compound_named("string", &[t, at]);
            Err(read::syntax_error(&mut m.heap, &e, place))
        }
    }
}

fn read_unify(m: &mut Machine, text: &str, term: Cell, o: &Options) -> Res<bool> {
    match read_text(m, text, o)? {
        Some(r) => read::answer(m, term, &r, o),
        None => Ok(false),
    }
}

/// A term as these predicates write it: quotes are doubled, and control characters stand for themselves.
fn quoted(m: &Machine, c: Cell) -> String {
    let options = writer::Options { quoted: true, character_escapes: false, module: m.source_module, ..writer::Options::default() };
    writer::write(&m.heap, &m.ops, &m.flags, c, &options)
}

fn term_to_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[1]) {
        let text = quoted(m, a[0]);
        let made = m.heap.atom(&text);
        return Ok(m.unify(a[1], made));
    }
    let text = args::text(m, a[1])?;
    let o = Options::new(m);
    read_unify(m, &text, a[0], &o)
}

fn term_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let options = a.get(2).copied().unwrap_or(Cell::NIL);
    // SWI-Prolog 9.0 takes (Term, String), its manual says (String, Term): a second argument that cannot be text is the term.
    let swapped = m.heap.is_var(a[0]) && !m.heap.is_var(a[1]) && text::get(&m.heap, a[1]).is_none();
    let (term, string) = if swapped { (a[1], a[0]) } else { (a[0], a[1]) };
    if !m.heap.is_var(string) {
        let text = args::text(m, string)?;
        let o = Options::parse(m, options)?;
        return read_unify(m, &text, term, &o);
    }
    let text = if m.heap.deref(options) == Cell::NIL {
        quoted(m, term)
    } else {
        let mut given = writer::options::parse(m, options)?;
        given.quoted |= !args::options(m, options)?.iter().any(|o| o.0 == "quoted");
        writer::write(&m.heap, &m.ops, &m.flags, term, &given)
    };
    let made = m.heap.string(&text);
    Ok(m.unify(string, made))
}

fn atom_to_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = args::text(m, a[0])?;
    let o = Options::new(m);
    let Some(r) = read_text(m, &text, &o)? else { return Ok(false) };
    let names = read::bindings(&mut m.heap, &r.variables);
    Ok(read::answer(m, a[1], &r, &o)? && m.unify(a[2], names))
}

fn read_term_from_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = args::text(m, a[0])?;
    let o = Options::parse(m, a[2])?;
    read_unify(m, &text, a[1], &o)
}

#[cfg(test)]
mod tests {
    use super::super::write;
    use super::*;
    use crate::error::Throw;

    #[test]
    fn text_is_read_and_written() {
        let m = &mut Machine::new();
        let (text, v) = (m.heap.atom("foo(X, bar, X)"), m.heap.new_var());
        assert!(matches!(term_to_atom(m, &[v, text]), Ok(true)));
        let w = m.heap.new_var();
        assert!(matches!(term_string(m, &[v, w]), Ok(true)));
        let back = text::get(&m.heap, w).unwrap_or_default();
        assert!(back.starts_with("foo(_") && back.contains(",bar,_"), "{back}");
        let (bad, v) = (m.heap.atom("foo bar"), m.heap.new_var());
        match term_to_atom(m, &[v, bad]) {
            Err(Throw::Ball(b)) => {
                assert_eq!(write::quoted(m, b), "error(syntax_error(operator_expected),string(\"foo bar . \",3))")
            }
            r => panic!("{r:?}"),
        }
    }
}
