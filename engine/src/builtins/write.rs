//! Writing terms.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args;
use crate::text;
use crate::writer::{self, Options};

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "$output_result",
        2,
        output_result,
        "'$output_result'(+Sink, +String)\nGives caught output to the sink of with_output_to/2 and format/3.",
    ),
    det(
        "$output_sink",
        1,
        output_sink,
        "'$output_sink'(+Sink)\nTrue for atom(A), string(S), codes(C), codes(C,T), chars(C), chars(C,T); raises for what is no sink.",
    ),
    det(
        "$portray_wanted",
        1,
        portray_wanted,
        "'$portray_wanted'(+Options)
True if the options of write_term/2 ask for portray/1.",
    ),
    det(
        "$write_portrayed",
        4,
        write_portrayed,
        "'$write_portrayed'(+Stream, +Term, +Names, +Options)
As write_term/3, each variable of Text=Var in Names written as that text.",
    ),
    det(
        "$write_term",
        3,
        write_term,
        "'$write_term'(+Stream, +Term, +Options)
As write_term/3, without portray/1.",
    ),
    det("write", 1, write, "write(+Term)\nWrites a term, without quotes."),
    det("write", 2, write, "write(+Stream, +Term)\nWrites a term, without quotes."),
    det(
        "write_canonical",
        1,
        write_canonical,
        "write_canonical(+Term)\nWrites a term so that any Prolog can read it: quoted, without operators.",
    ),
    det("write_canonical", 2, write_canonical, "write_canonical(+Stream, +Term)\nAs write_canonical/1."),
    det(
        "write_length",
        3,
        write_length,
        "write_length(+Term, -Length, +Options)\nCharacters that write_term/2 would write; fails beyond max_length(N).",
    ),
    det("writeln", 1, writeln, "writeln(+Term)\nWrites a term and a newline."),
    det("writeln", 2, writeln, "writeln(+Stream, +Term)\nWrites a term and a newline."),
    det("writeq", 1, writeq, "writeq(+Term)\nWrites a term with quotes where they are needed to read it back."),
    det("writeq", 2, writeq, "writeq(+Stream, +Term)\nAs writeq/1."),
];

/// Text of a term with these options.
fn text_with(m: &Machine, c: Cell, o: &Options) -> String {
    writer::write(&m.heap, &m.ops, &m.flags, c, o)
}

/// As `writeq/1` but without `'$VAR'(N)` as variables: for `term_to_atom/2` and the like.
#[cfg(test)]
pub(crate) fn quoted(m: &Machine, c: Cell) -> String {
    text_with(m, c, &Options { quoted: true, ..base(m) })
}

fn base(m: &Machine) -> Options {
    Options { module: m.source_module, ..Options::default() }
}

/// Writes `(Term)` to current output or `(Stream, Term)` to the stream, with text around it.
fn put(m: &mut Machine, a: &[Cell], o: &Options, end: &str) -> Res<bool> {
    let (stream, term) = if a.len() == 2 { (Some(a[0]), a[1]) } else { (None, a[0]) };
    let n = args::output(m, stream)?;
    let mut t = text_with(m, term, o);
    t.push_str(end);
    m.streams.write(n, &t);
    Ok(true)
}

fn write(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = Options { numbervars: true, ..base(m) };
    put(m, a, &o, "")
}

fn writeln(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = Options { numbervars: true, ..base(m) };
    put(m, a, &o, "\n")
}

fn writeq(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = Options { numbervars: true, quoted: true, ..base(m) };
    put(m, a, &o, "")
}

fn write_canonical(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (stream, term) = if a.len() == 2 { (Some(a[0]), a[1]) } else { (None, a[0]) };
    let n = args::output(m, stream)?;
    let t = writer::canonical::write_canonical(&m.heap, &m.ops, &m.flags, term);
    m.streams.write(n, &t);
    Ok(true)
}

fn write_term(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::output(m, Some(a[0]))?;
    let o = writer::options::parse(m, a[2])?;
    let t = text_with(m, a[1], &o);
    m.streams.write(n, &t);
    Ok(true)
}

fn portray_wanted(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    // A list that is not right is reported by the predicate that writes.
    let Ok(items) = m.heap.list_to_vec(a[0]) else { return Ok(false) };
    Ok(items.iter().any(|&c| match m.heap.view(c) {
        Term::Compound(_, name, 1) => {
            matches!(m.heap.atoms.text(name), "portray" | "portrayed") && matches!(m.heap.view(m.heap.arg(c, 0)), Term::Atom(atom::TRUE))
        }
        _ => false,
    }))
}

fn write_length(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut limit = None;
    for (name, value) in args::options(m, a[2])? {
        if name == "max_length" {
            limit = Some(args::count(m, value)?);
        }
    }
    let o = writer::options::parse(m, a[2])?;
    let len = text_with(m, a[0], &o).chars().count();
    if limit.is_some_and(|max| len > max) {
        return Ok(false);
    }
    Ok(m.unify(a[1], Cell::small(len as i64)))
}

fn write_portrayed(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::output(m, Some(a[0]))?;
    let mut o = writer::options::parse(m, a[3])?;
    for item in m.heap.list_to_vec(a[2]).unwrap_or_default() {
        if let Some(&[text, var]) = m.heap.match_compound(item, atom::EQ, 2) {
            o.variable_names.push((text::get(&m.heap, text).unwrap_or_default(), m.heap.deref(var)));
        }
    }
    let t = text_with(m, a[1], &o);
    m.streams.write(n, &t);
    Ok(true)
}

// ---- sinks

/// Name and arguments of a sink term.
fn sink(m: &mut Machine, c: Cell) -> Res<(Atom, Vec<Cell>)> {
    if m.heap.is_var(c) {
        return Err(error::instantiation(&mut m.heap));
    }
    if let Term::Atom(_) = m.heap.view(c) {
        return Err(error::existence(&mut m.heap, "stream", c));
    }
    if let Term::Compound(_, name, arity) = m.heap.view(c) {
        let known = match m.heap.atoms.text(name) {
            "atom" | "string" => arity == 1,
            "codes" | "chars" => arity == 1 || arity == 2,
            _ => false,
        };
        if known {
            let range = m.heap.args(c);
            return Ok((name, m.heap.cells.get(range).unwrap_or_default().to_vec()));
        }
    }
    Err(error::type_error_named(&mut m.heap, "output", c))
}

fn output_sink(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    sink(m, a[0]).map(|_| true)
}

fn output_result(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (name, out) = sink(m, a[0])?;
    let t = text::get(&m.heap, a[1]).unwrap_or_default();
    let Some(&first) = out.first() else { return Ok(false) };
    let tail = out.get(1).copied().unwrap_or(Cell::NIL);
    let result = match m.heap.atoms.text(name) {
        "atom" => m.heap.atom(&t),
        "string" => m.heap.string(&t),
        "codes" => text::codes_with_tail(&mut m.heap, &t, tail),
        _ => text::chars_with_tail(&mut m.heap, &t, tail),
    };
    Ok(m.unify(first, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_written() {
        let m = &mut Machine::new();
        let (x, y, b) = (m.heap.new_var(), m.heap.new_var(), m.heap.atom("B c"));
        let list = m.heap.list_from(&[x, y, x, b]);
        assert_eq!(write_canonical(m, &[list]), Ok(true));
        assert_eq!(writeln(m, &[b]), Ok(true));
        assert_eq!(writeq(m, &[b]), Ok(true));
        let (one, f, n) = (Cell::small(1), m.heap.atom("true"), m.heap.atom("A"));
        let eq = m.heap.compound(atom::EQ, &[n, x]);
        let names = m.heap.list_from(&[eq]);
        let options = [m.heap.compound_named("variable_names", &[names]), m.heap.compound_named("fullstop", &[f])];
        let options = m.heap.list_from(&options);
        let t = m.heap.compound(atom::MINUS, &[one, x]);
        let out = m.heap.atom("user_output");
        assert_eq!(write_term(m, &[out, t, options]), Ok(true));
        let out: String = m.streams.take_output().into_iter().map(|x| x.1).collect();
        assert_eq!(out, "[A,_,A,'B c']B c\n'B c'1-A. ");
        let text = m.heap.string("hi");
        let v = m.heap.new_var();
        let sink = m.heap.compound_named("atom", &[v]);
        assert_eq!(output_result(m, &[sink, text]), Ok(true));
        assert_eq!(text::get(&m.heap, v).as_deref(), Some("hi"));
    }
}
