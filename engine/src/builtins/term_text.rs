//! Terms and their texts: `term_to_atom/2`, `term_string/2,3`, `atom_to_term/3`, `read_term_from_atom/3`.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::flags::Quotes;
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::reader::{self, Position, Read, ReadOptions, SyntaxError};
use crate::streams::args;
use crate::text;
use crate::writer::{self, Options};

/// What reading from a text may be told.
struct Reading {
    options: ReadOptions,
    /// `error`, `fail`, `quiet` or `dec10`.
    syntax_errors: String,
    variables: Option<Cell>,
    variable_names: Option<Cell>,
    singletons: Option<Cell>,
    module: atom::Atom,
}

fn reading(m: &mut Machine, list: Cell) -> Res<Reading> {
    let mut r = Reading {
        options: ReadOptions { stop_optional: true, ..ReadOptions::default() },
        syntax_errors: "error".into(),
        variables: None,
        variable_names: None,
        singletons: None,
        module: m.source_module,
    };
    for (name, v) in args::options(m, list)? {
        match &*name {
            "variables" => r.variables = Some(v),
            "variable_names" => r.variable_names = Some(v),
            "singletons" => r.singletons = Some(v),
            "syntax_errors" => r.syntax_errors = args::atom_option(m, v)?,
            "module" => {
                let name = args::atom_option(m, v)?;
                r.module = m.heap.atoms.intern(&name);
            }
            "var_prefix" => r.options.var_prefix = Some(args::bool_option(m, v)?),
            "dotlists" => r.options.dotlists = args::bool_option(m, v)?,
            "double_quotes" | "back_quotes" => {
                let quotes = match &*args::atom_option(m, v)? {
                    "codes" => Quotes::Codes,
                    "chars" => Quotes::Chars,
                    "atom" => Quotes::Atom,
                    "string" => Quotes::String,
                    "symbol_char" => Quotes::Symbol,
                    _ => return Err(error::domain(&mut m.heap, &name, v)),
                };
                if name == "double_quotes" { r.options.double_quotes = Some(quotes) } else { r.options.back_quotes = Some(quotes) }
            }
            _ => {}
        }
    }
    Ok(r)
}

/// `error(syntax_error(Kind), string(Text, Position))`, the text shown with the full stop it was read with.
fn syntax_error(h: &mut Heap, shown: &str, e: &SyntaxError) -> Throw {
    let kind = h.atom(&e.kind);
    let formal = h.compound(atom::SYNTAX_ERROR, &[kind]);
    let shown = h.string(shown);
    let context = h.compound(atom::STRING, &[shown, Cell::small(e.at.char as i64)]);
    Throw::Ball(h.compound(atom::ERROR, &[formal, context]))
}

/// Reads the first term of a text; `None` when a syntax error is to fail.
fn read(m: &mut Machine, source: &str, r: &Reading) -> Res<Option<Read>> {
    match reader::read_with(&mut m.heap, &m.ops, &m.flags, r.module, source, Position::start(), &r.options) {
        Ok(read) => Ok(Some(read)),
        Err(_) if r.syntax_errors != "error" => Ok(None),
        Err(e) => {
            // Said of the text with a full stop, so that an unfinished term is not just an early end.
            let shown = format!("{source} . ");
            let options = ReadOptions { stop_optional: false, ..r.options };
            let again = reader::read_with(&mut m.heap, &m.ops, &m.flags, r.module, &shown, Position::start(), &options);
            Err(syntax_error(&mut m.heap, &shown, &again.err().unwrap_or(e)))
        }
    }
}

/// The term read; at the end of the text `end_of_file`.
fn term_of(read: &Read) -> Cell {
    read.term.unwrap_or(Cell::atom(atom::END_OF_FILE))
}

fn names(h: &mut Heap, variables: &[(String, Cell)]) -> Cell {
    let items: Vec<Cell> = variables
        .iter()
        .map(|(n, v)| {
            let n = h.atom(n);
            h.compound(atom::EQ, &[n, *v])
        })
        .collect();
    h.list_from(&items)
}

/// The named variables that occur just once in a term as it was read.
fn once(h: &Heap, read: &Read) -> Vec<(String, Cell)> {
    let mut counts: rustc_hash::FxHashMap<Cell, usize> = read.variables.iter().map(|(_, v)| (h.deref(*v), 0)).collect();
    let mut stack = vec![term_of(read)];
    while let Some(c) = stack.pop() {
        if let Some(n) = counts.get_mut(&h.deref(c)) {
            *n += 1;
        }
        stack.extend(h.args(c).map(|i| h.cells[i]));
    }
    read.variables.iter().filter(|(_, v)| counts.get(&h.deref(*v)) == Some(&1)).cloned().collect()
}

/// Reads a text, and unifies the term and what the options ask for.
fn read_unify(m: &mut Machine, source: &str, term: Cell, r: &Reading) -> Res<bool> {
    let Some(read) = read(m, source, r)? else { return Ok(false) };
    // Counted before the variables are bound to parts of the other term.
    let once = r.singletons.map(|_| once(&m.heap, &read));
    if !m.unify(term, term_of(&read)) {
        return Ok(false);
    }
    let h = &mut m.heap;
    let mut asked = Vec::new();
    if let Some(c) = r.variables {
        let list = h.list_from(&read.all_variables);
        asked.push((c, list));
    }
    if let Some(c) = r.variable_names {
        let list = names(h, &read.variables);
        asked.push((c, list));
    }
    if let (Some(c), Some(once)) = (r.singletons, once) {
        let list = names(h, &once);
        asked.push((c, list));
    }
    Ok(asked.into_iter().all(|(c, list)| h.unify(c, list)))
}

/// Options of `term_to_atom/2`: quotes are doubled, and control characters stand for themselves.
fn quoted() -> Options {
    Options { quoted: true, character_escapes: false, ..Options::default() }
}

fn write(m: &Machine, c: Cell, options: &Options) -> String {
    writer::write(&m.heap, &m.ops, &m.flags, c, options)
}

fn term_to_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[1]) {
        let s = write(m, a[0], &quoted());
        let made = m.heap.atom(&s);
        return Ok(m.unify(a[1], made));
    }
    let source = text::require(&mut m.heap, a[1], "text")?;
    let r = reading(m, Cell::NIL)?;
    read_unify(m, &source, a[0], &r)
}

fn term_string2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[1]) {
        let s = write(m, a[0], &quoted());
        let made = m.heap.string(&s);
        return Ok(m.unify(a[1], made));
    }
    let source = text::require(&mut m.heap, a[1], "text")?;
    let r = reading(m, Cell::NIL)?;
    read_unify(m, &source, a[0], &r)
}

fn term_string3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[1]) {
        let mut options = writer::options::parse(m, a[2])?;
        let given = args::options(m, a[2])?;
        // Quoted unless the options say otherwise.
        options.quoted |= !given.iter().any(|o| o.0 == "quoted");
        let s = write(m, a[0], &options);
        let made = m.heap.string(&s);
        return Ok(m.unify(a[1], made));
    }
    let source = text::require(&mut m.heap, a[1], "text")?;
    let r = reading(m, a[2])?;
    read_unify(m, &source, a[0], &r)
}

fn atom_to_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let source = text::require(&mut m.heap, a[0], "text")?;
    let mut r = reading(m, Cell::NIL)?;
    r.variable_names = Some(a[2]);
    read_unify(m, &source, a[1], &r)
}

fn read_term_from_atom(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let source = match m.heap.view(a[0]) {
        Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_) => {
            return Err(error::type_error_named(&mut m.heap, "text", a[0]));
        }
        _ => text::require(&mut m.heap, a[0], "text")?,
    };
    let r = reading(m, a[2])?;
    read_unify(m, &source, a[1], &r)
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("term_to_atom", 2, term_to_atom, "term_to_atom(?Term, ?Atom)\nA term and its quoted text; reads a known text."),
    det("term_string", 2, term_string2, "term_string(?Term, ?String)\nA term and its quoted text as a string; reads a known text."),
    det(
        "term_string",
        3,
        term_string3,
        "term_string(?Term, ?String, +Options)\nAs term_string/2, with options of read_term/2 or write_term/2.",
    ),
    det("atom_to_term", 3, atom_to_term, "atom_to_term(+Text, -Term, -Bindings)\nReads a term; Bindings is the list of Name=Variable."),
    det(
        "read_term_from_atom",
        3,
        read_term_from_atom,
        "read_term_from_atom(+Text, -Term, +Options)\nReads a term, with options as of read_term/2.",
    ),
];
