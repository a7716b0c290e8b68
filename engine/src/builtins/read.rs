//! Reading terms from streams and texts.

use super::chars_io::at_input_end;
use super::streams::position_term;
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::flags::Quotes;
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::reader::{self, Position, Read, ReadOptions, SyntaxError};
use crate::streams::args::{self, stream_term};
use crate::streams::{Encoding, Kind, Place};

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "$read_clause",
        5,
        read_clause_parts,
        "'$read_clause'(+Stream, -Term, -Variables, -Singletons, -Line)\nReads a clause with what the loader needs to know.",
    ),
    det("read", 1, read, "read(-Term)\nReads a term from current input; end_of_file at the end."),
    det("read", 2, read, "read(+Stream, -Term)\nReads a term; end_of_file at the end."),
    det("read_clause", 3, read_clause, "read_clause(+Stream, -Term, +Options)\nReads a clause."),
    det(
        "read_file_to_terms",
        3,
        read_file_to_terms,
        "read_file_to_terms(+File, -Terms, +Options)\nAll terms of a file. Options: encoding(E), tail(T) and those of read_term/2.",
    ),
    det("read_term", 2, read_term, "read_term(-Term, +Options)\nReads a term from current input."),
    det(
        "read_term",
        3,
        read_term,
        "read_term(+Stream, -Term, +Options)\nReads a term. Options: variable_names(V), variables(V), singletons(S), term_position(P), subterm_positions(P), comments(C), syntax_errors(error|fail|quiet|dec10), module(M), double_quotes(Q), back_quotes(Q).",
    ),
];

// ---- options

/// What happens at a syntax error.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnError {
    Throw,
    Fail,
    Quiet,
    /// Reports it and reads the next term.
    Next,
}

/// What reading a term was told.
pub(super) struct Options {
    on_error: OnError,
    pub(super) module: Atom,
    pub(super) reader: ReadOptions,
    /// Options with a result, by name.
    results: Vec<(String, Cell)>,
}

impl Options {
    /// What holds without options.
    pub(super) fn new(m: &Machine) -> Options {
        Options { on_error: OnError::Throw, module: m.source_module, reader: ReadOptions::default(), results: Vec::new() }
    }

    /// Whether a syntax error makes the predicate fail.
    pub(super) fn errors_fail(&self) -> bool {
        self.on_error != OnError::Throw
    }

    /// Reads an option list.
    pub(super) fn parse(m: &mut Machine, list: Cell) -> Res<Options> {
        let mut o = Options::new(m);
        for (name, value) in args::options(m, list)? {
            match name.as_str() {
                "syntax_errors" => {
                    o.on_error = match args::atom_option(m, value)?.as_str() {
                        "fail" => OnError::Fail,
                        "quiet" => OnError::Quiet,
                        "dec10" => OnError::Next,
                        _ => OnError::Throw,
                    }
                }
                "module" => match m.heap.view(value) {
                    Term::Atom(a) => o.module = a,
                    _ => return Err(error::type_error(&mut m.heap, atom::ATOM, value)),
                },
                "double_quotes" => o.reader.double_quotes = Some(quotes(m, &name, value)?),
                "back_quotes" => o.reader.back_quotes = Some(quotes(m, &name, value)?),
                "var_prefix" => o.reader.var_prefix = Some(args::bool_option(m, value)?),
                "dotlists" => o.reader.dotlists = args::bool_option(m, value)?,
                "variable_names" | "variables" | "singletons" | "term_position" | "subterm_positions" | "comments" => {
                    o.reader.comments |= name == "comments";
                    o.reader.positions |= name == "subterm_positions";
                    o.results.push((name, value));
                }
                _ => {}
            }
        }
        Ok(o)
    }
}

fn quotes(m: &mut Machine, option: &str, c: Cell) -> Res<Quotes> {
    Ok(match args::atom_option(m, c)?.as_str() {
        "codes" => Quotes::Codes,
        "chars" => Quotes::Chars,
        "atom" => Quotes::Atom,
        "string" => Quotes::String,
        "symbol_char" if option == "back_quotes" => Quotes::Symbol,
        _ => return Err(error::domain(&mut m.heap, option, c)),
    })
}

// ---- reading from a stream

/// One term read from a stream, or the syntax error, with the stream moved behind it.
fn next_term(m: &mut Machine, n: u32, named: Option<Cell>, o: &Options) -> Res<Result<Read, SyntaxError>> {
    let Some(s) = m.streams.get(n) else { return Err(error::existence(&mut m.heap, "stream", named.unwrap_or(Cell::NIL))) };
    let (source, at) = s.source();
    let place = s.place;
    if s.peek().is_none() {
        at_input_end(m, n, named)?;
    }
    let from = Position { byte: at, char: place.char as usize, line: place.line as usize, column: place.column as usize };
    let result = reader::read_with(&mut m.heap, &m.ops, &m.flags, o.module, &source, from, &o.reader);
    let (end, ended) = match &result {
        Ok(r) => (r.end.byte, r.term.is_none()),
        Err(e) => (e.end.byte, e.incomplete),
    };
    // The user may still be typing this term: nothing is taken until it is whole.
    if ended && m.streams.ask_input(n) {
        return Err(Throw::Input);
    }
    if let Some(s) = m.streams.get_mut(n) {
        s.take_to(end);
        s.past_end |= ended;
    }
    Ok(result)
}

/// `error(syntax_error(Kind), Where)`.
pub(super) fn syntax_error(heap: &mut Heap, e: &SyntaxError, place: Cell) -> Throw {
    let kind = e.term(heap);
    let formal = heap.compound(atom::SYNTAX_ERROR, &[kind]);
    Throw::Ball(heap.compound(atom::ERROR, &[formal, place]))
}

/// `file(Name, Line, Column, Char)` for a file, `stream(Stream, Line, Column, Char)` for any other stream.
fn error_place(m: &mut Machine, n: u32, at: Position) -> Cell {
    let file = m.streams.get(n).and_then(|s| s.file_name.clone());
    let numbers = [at.line as i64, at.column as i64, at.char as i64].map(Cell::small);
    let (name, first) = match file {
        Some(f) => ("file", m.heap.atom(&f)),
        None => ("stream", stream_term(&mut m.heap, n)),
    };
    m.heap.compound_named(name, &[first, numbers[0], numbers[1], numbers[2]])
}

/// Reads a term with options; `None` when a syntax error makes the predicate fail.
fn read_with(m: &mut Machine, stream: Option<Cell>, o: &Options) -> Res<Option<Read>> {
    let n = args::input(m, stream)?;
    loop {
        let e = match next_term(m, n, stream, o)? {
            Ok(r) => return Ok(Some(r)),
            Err(e) => e,
        };
        if o.on_error == OnError::Throw {
            let place = error_place(m, n, e.at);
            return Err(syntax_error(&mut m.heap, &e, place));
        }
        if o.on_error != OnError::Quiet {
            let name = m.streams.get(n).and_then(|s| s.file_name.clone()).unwrap_or_else(|| "<stream>".into());
            let text = format!("ERROR: {name}:{}:{} Syntax error: {}\n", e.at.line, e.at.column, e.kind);
            m.streams.write(crate::streams::USER_ERROR, &text);
        }
        if o.on_error != OnError::Next {
            return Ok(None);
        }
    }
}

fn place(p: Position) -> Place {
    Place { byte: p.byte as u64, char: p.char as u64, line: p.line as u64, column: p.column as u64 }
}

/// `[Name = Var, ...]`.
pub(super) fn bindings(heap: &mut Heap, pairs: &[(String, Cell)]) -> Cell {
    let items: Vec<Cell> = pairs
        .iter()
        .map(|(n, v)| {
            let n = heap.atom(n);
            heap.compound(atom::EQ, &[n, *v])
        })
        .collect();
    heap.list_from(&items)
}

/// Unifies the term and the results of the options.
pub(super) fn answer(m: &mut Machine, out: Cell, r: &Read, o: &Options) -> Res<bool> {
    let term = r.term.unwrap_or(Cell::atom(atom::END_OF_FILE));
    for (name, value) in &o.results {
        let result = match name.as_str() {
            "variable_names" => bindings(&mut m.heap, &r.variables),
            "variables" => m.heap.list_from(&r.all_variables),
            "singletons" => {
                if matches!(m.heap.view(*value), Term::Atom(a) if m.heap.atoms.text(a) == "warning") {
                    warn_singletons(m, r);
                    continue;
                }
                let once: Vec<(String, Cell)> = r.variables.iter().filter(|(n, _)| r.singletons.contains(n)).cloned().collect();
                bindings(&mut m.heap, &once)
            }
            "term_position" => position_term(m, place(r.start)),
            "comments" => {
                let mut items = Vec::new();
                for (p, t) in &r.comments {
                    let (p, t) = (position_term(m, place(*p)), m.heap.string(t));
                    items.push(m.heap.compound(atom::MINUS, &[p, t]));
                }
                m.heap.list_from(&items)
            }
            _ => match r.positions {
                Some(p) => p,
                None => continue,
            },
        };
        if !m.unify(*value, result) {
            return Ok(false);
        }
    }
    Ok(m.unify(out, term))
}

fn warn_singletons(m: &mut Machine, r: &Read) {
    let names: Vec<&str> = r.singletons.iter().map(String::as_str).filter(|n| !n.starts_with('_')).collect();
    if !names.is_empty() {
        let text = format!("Warning: Singleton variables: [{}]\n", names.join(","));
        m.streams.write(crate::streams::USER_ERROR, &text);
    }
}

fn read(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (stream, out) = if a.len() == 2 { (Some(a[0]), a[1]) } else { (None, a[0]) };
    let o = Options::new(m);
    match read_with(m, stream, &o)? {
        Some(r) => answer(m, out, &r, &o),
        None => Ok(false),
    }
}

fn read_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (stream, out, list) = if a.len() == 3 { (Some(a[0]), a[1], a[2]) } else { (None, a[0], a[1]) };
    // The stream is looked at first, as SWI-Prolog does.
    args::input(m, stream)?;
    let o = Options::parse(m, list)?;
    match read_with(m, stream, &o)? {
        Some(r) => answer(m, out, &r, &o),
        None => Ok(false),
    }
}

fn read_clause(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_term(m, a)
}

pub fn read_clause_parts(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = Options::new(m);
    let Some(r) = read_with(m, Some(a[0]), &o)? else { return Ok(false) };
    let names = bindings(&mut m.heap, &r.variables);
    let singles: Vec<Cell> = suspicious(&r).into_iter().map(|n| m.heap.atom(&n)).collect();
    let singles = m.heap.list_from(&singles);
    let line = Cell::small(r.start.line as i64);
    let term = r.term.unwrap_or(Cell::atom(atom::END_OF_FILE));
    Ok(m.unify(a[1], term) && m.unify(a[2], names) && m.unify(a[3], singles) && m.unify(a[4], line))
}

/// Names of singleton variables that deserve a warning: those that do not begin with `_`.
fn suspicious(r: &Read) -> Vec<String> {
    r.singletons.iter().filter(|n| !n.starts_with('_')).cloned().collect()
}

fn read_file_to_terms(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut encoding = Encoding::Utf8;
    let mut tail = Cell::NIL;
    for (name, value) in args::options(m, a[2])? {
        match name.as_str() {
            "encoding" => {
                let name = args::atom_option(m, value)?;
                encoding = Encoding::from_name(&name).ok_or_else(|| error::domain(&mut m.heap, "encoding", value))?;
            }
            "tail" => tail = value,
            _ => {}
        }
    }
    let o = Options::parse(m, a[2])?;
    let name = args::file(m, a[0])?;
    let text = super::files::text_of_file(m, a[0], encoding)?;
    let mut s = crate::streams::Stream::reading(Kind::Text, &text);
    s.file_name = Some(name);
    let n = m.streams.add(s);
    let mut terms = Vec::new();
    let stream = stream_term(&mut m.heap, n);
    let result = loop {
        match read_with(m, Some(stream), &o) {
            Ok(Some(Read { term: Some(t), .. })) => terms.push(t),
            Ok(Some(_)) => break Ok(()),
            Ok(None) => {}
            Err(e) => break Err(e),
        }
    };
    let files = m.files.clone();
    // Nothing is written to this stream, so closing it cannot go wrong.
    let _ = m.streams.close(&*files, n);
    result?;
    let list = m.heap.list_with_tail(&terms, tail);
    Ok(m.unify(a[1], list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    fn stream(m: &mut Machine, text: &str) -> Cell {
        let n = m.streams.add(Stream::reading(Kind::Text, text));
        stream_term(&mut m.heap, n)
    }

    fn next(m: &mut Machine, s: Cell) -> String {
        let v = m.heap.new_var();
        match read(m, &[s, v]) {
            Ok(true) => super::super::write::quoted(m, v),
            Err(Throw::Ball(b)) => super::super::write::quoted(m, b),
            r => format!("{r:?}"),
        }
    }

    fn option(m: &mut Machine, text: &str, name: &str) -> String {
        let (s, t, v) = (stream(m, text), m.heap.new_var(), m.heap.new_var());
        let o = m.heap.compound_named(name, &[v]);
        let list = m.heap.list_from(&[o]);
        match read_term(m, &[s, t, list]) {
            Ok(true) => {
                let names = crate::writer::canonical::name_variables(&m.heap, v, &Default::default());
                let o = crate::writer::Options { quoted: true, variable_names: names, ..Default::default() };
                crate::writer::write(&m.heap, &m.ops, &m.flags, v, &o)
            }
            r => format!("{r:?}"),
        }
    }

    #[test]
    fn terms_follow_each_other_and_errors_are_passed() {
        let m = &mut Machine::new();
        let s = stream(m, "a:-b,c. foo bar. % x\n ok.");
        assert_eq!(next(m, s), "a:-b,c");
        assert_eq!(
            next(m, s),
            "error(syntax_error(operator_expected),stream(<stream>(0x3),1,11,11))"
                .replace("<stream>(0x3)", &super::super::write::quoted(m, s))
        );
        assert_eq!(next(m, s), "ok");
        assert_eq!(next(m, s), "end_of_file");
        let s = stream(m, "data. more.");
        assert_eq!(next(m, s), "data");
        assert_eq!(m.streams.get(3 + 1).map(|s| s.rest().to_string()).as_deref(), Some(" more."));
    }

    #[test]
    fn options_give_what_they_say() {
        let m = &mut Machine::new();
        assert_eq!(option(m, "foo(X,Y,_,_Z).", "variable_names"), "['X'=_,'Y'=_,'_Z'=_]");
        assert_eq!(option(m, "foo(X,_Y,_,X,Z).", "singletons"), "['_Y'=_,'Z'=_]");
        assert_eq!(option(m, " /* x */ foo. ", "comments"), "['$stream_position'(1,1,1,1)-\"/* x */\"]");
        assert_eq!(option(m, "\n foo. ", "term_position"), "'$stream_position'(2,2,1,2)");
        assert_eq!(option(m, "a+b.", "subterm_positions"), "term_position(0,3,1,2,[0-1,2-3])");
        assert_eq!(option(m, "f(X,_,X).", "variables"), "[_,_]");
    }

    #[test]
    fn a_term_the_user_is_typing_is_waited_for() {
        let m = &mut Machine::new();
        m.streams.interactive = true;
        m.streams.feed_input("foo(a,\n");
        let v = m.heap.new_var();
        assert_eq!(read(m, &[v]), Err(Throw::Input));
        m.streams.feed_input("b).\n");
        assert_eq!(read(m, &[v]), Ok(true));
        assert_eq!(super::super::write::quoted(m, v), "foo(a,b)");
    }
}
