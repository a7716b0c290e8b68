//! Writing terms as JSON text.

use super::Shape;
use crate::atom;
use crate::builtins::dicts;
use crate::cell::Cell;
use crate::heap::{Heap, Term};
use crate::number;
use crate::text;

/// How JSON is laid out.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Columns that a value may take to stand on one line; 0 puts everything on one line.
    pub width: usize,
    /// Columns of one level.
    pub step: usize,
    /// Columns that one tab character stands for; 0 for no tabs.
    pub tab: usize,
    /// No white space at all.
    pub compact: bool,
    /// Terms that are no JSON are written as text.
    pub serialize_unknown: bool,
    /// Largest text to make, in bytes.
    pub max_bytes: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Layout { width: 72, step: 2, tab: 8, compact: false, serialize_unknown: false, max_bytes: usize::MAX }
    }
}

/// Why a term is no JSON.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unfit {
    /// A variable inside.
    Unbound,
    /// This term has no JSON form.
    Term(Cell),
    /// The text would be larger than allowed.
    TooLarge,
}

/// One level of a term as JSON.
enum Node {
    /// The text, and the columns it counts as: escapes count as the characters they stand for, as in SWI-Prolog.
    Scalar(String, usize),
    Array(Vec<Cell>),
    Object(Vec<(String, Cell)>),
}

fn quote(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    let mut last = ' ';
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            // So that the text can stand inside of HTML.
            '/' if last == '<' => out.push_str("\\/"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
        last = c;
    }
    out.push('"');
    out
}

fn node(heap: &Heap, c: Cell, shape: &Shape, layout: &Layout, unknown: &dyn Fn(Cell) -> String) -> Result<Node, Unfit> {
    let c = heap.deref(c);
    let scalar = |s: &str| Ok(Node::Scalar(s.to_owned(), s.len()));
    let quoted = |s: &str| Node::Scalar(quote(s), s.chars().count() + 2);
    for (constant, word) in [(shape.null, "null"), (shape.yes, "true"), (shape.no, "false")] {
        if same(heap, constant, c) {
            return scalar(word);
        }
    }
    match heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => Err(Unfit::Unbound),
        Term::Atom(atom::NIL) => Ok(Node::Array(Vec::new())),
        Term::Atom(a) => Ok(quoted(heap.atoms.text(a))),
        Term::Str(s) => Ok(quoted(heap.str_at(s))),
        Term::Rational(a) => {
            let f = heap.rational(a).to_f64().value();
            scalar(&number::format_float(f))
        }
        Term::Float(f) if !f.is_finite() => Ok(quoted(&number::format_float(f))),
        Term::Int(_) | Term::Big(_) | Term::Float(_) => scalar(&text::number(heap, c).unwrap_or_default()),
        Term::List(_) => match heap.list_to_vec(c) {
            Ok(items) => Ok(Node::Array(items)),
            Err(tail) if heap.is_var(tail) => Err(Unfit::Unbound),
            Err(_) => Err(Unfit::Term(c)),
        },
        Term::Compound(at, name, arity) => {
            if let Some((tag, entries)) = dicts::view(heap, c) {
                let mut out = Vec::with_capacity(entries.len() + 1);
                if let (Some(key), false) = (&shape.tag_key, heap.is_var(tag)) {
                    out.push((key.clone(), tag));
                }
                for (k, v) in entries {
                    out.push((text::atomic(heap, k).map(|s| s.into_owned()).unwrap_or_default(), v));
                }
                return Ok(Node::Object(out));
            }
            if arity == 1 && heap.atoms.text(name) == "json" {
                return pairs(heap, heap.cells[at + 1]).map(Node::Object).ok_or(Unfit::Term(c));
            }
            if layout.serialize_unknown {
                return Ok(quoted(&unknown(c)));
            }
            Err(Unfit::Term(c))
        }
    }
}

/// Whether the term is the constant: an atom, number or `name(atom)`.
fn same(heap: &Heap, constant: Cell, c: Cell) -> bool {
    let constant = heap.deref(constant);
    if constant == c {
        return true;
    }
    match (heap.view(constant), heap.view(c)) {
        (Term::Compound(x, n, 1), Term::Compound(y, k, 1)) => n == k && heap.deref(heap.cells[x + 1]) == heap.deref(heap.cells[y + 1]),
        (Term::Str(x), Term::Str(y)) => heap.boxes_equal(x, y),
        _ => false,
    }
}

fn pairs(heap: &Heap, list: Cell) -> Option<Vec<(String, Cell)>> {
    let mut out = Vec::new();
    for item in heap.list_to_vec(list).ok()? {
        let (k, v) = match heap.view(item) {
            Term::Compound(a, atom::EQ | atom::MINUS | atom::COLON, 2) => (heap.cells[a + 1], heap.cells[a + 2]),
            Term::Compound(a, name, 1) => (Cell::atom(name), heap.cells[a + 1]),
            _ => return None,
        };
        out.push((text::atomic(heap, k)?.into_owned(), v));
    }
    Some(out)
}

/// What is left to write.
enum Work {
    Term(Cell),
    Text(String),
    /// Line break and indentation.
    Line,
    /// End of a container that stands on lines of its own, or of one on a line.
    Close(&'static str, bool),
}

/// Writes a term as JSON. `unknown` gives the text of a term that has no JSON form, with `serialize_unknown`.
///
/// # Errors
/// The part that is no JSON.
pub fn write(heap: &Heap, c: Cell, shape: &Shape, layout: &Layout, unknown: &dyn Fn(Cell) -> String) -> Result<String, Unfit> {
    let mut out = String::new();
    let mut stack = vec![Work::Term(c)];
    let mut indent = 0usize;
    // Where the last line begins, behind its indentation.
    let mut margin = 0usize;
    // Number of open containers on one line: inside of one everything is on one line.
    let mut flat = usize::from(layout.width == 0 || layout.compact);
    while let Some(work) = stack.pop() {
        if out.len() > layout.max_bytes {
            return Err(Unfit::TooLarge);
        }
        let c = match work {
            Work::Text(s) => {
                out.push_str(&s);
                continue;
            }
            Work::Line => {
                new_line(&mut out, indent, layout);
                margin = out.len();
                continue;
            }
            Work::Close(end, true) => {
                flat -= 1;
                out.push_str(end);
                continue;
            }
            Work::Close(end, false) => {
                indent -= layout.step;
                new_line(&mut out, indent, layout);
                out.push_str(end);
                continue;
            }
            Work::Term(c) => c,
        };
        let n = node(heap, c, shape, layout, unknown)?;
        if let Node::Scalar(s, _) = n {
            out.push_str(&s);
            continue;
        }
        // A container keeps a blank from what stands before it on the line.
        if !layout.compact && out.len() != margin {
            out.push(' ');
        }
        let (open, close, empty) = match &n {
            Node::Object(e) => ("{", "}", e.is_empty()),
            Node::Array(e) => ("[", if layout.compact || flat == 0 { "]" } else { " ]" }, e.is_empty()),
            Node::Scalar(..) => continue,
        };
        out.push_str(open);
        if empty {
            out.push_str(close.trim_start());
            continue;
        }
        // Beyond this depth indentation would make up nearly all of the text.
        let one_line = flat > 0 || indent > 2000 || fits(heap, c, shape, layout, indent, unknown)?;
        let (separator, close) = match (one_line, layout.compact) {
            (_, true) => (",", close),
            (true, _) => (", ", if open == "[" { " ]" } else { close }),
            _ => (",", close.trim_start()),
        };
        if one_line {
            flat += 1;
        } else {
            indent += layout.step;
        }
        stack.push(Work::Close(close, one_line));
        let items: Vec<(Option<String>, Cell)> = match n {
            Node::Object(entries) => entries.into_iter().map(|(k, v)| (Some(k), v)).collect(),
            Node::Array(items) => items.into_iter().map(|v| (None, v)).collect(),
            Node::Scalar(..) => Vec::new(),
        };
        let last = items.len().saturating_sub(1);
        for (i, (k, v)) in items.into_iter().enumerate().rev() {
            if i < last {
                stack.push(Work::Text(separator.into()));
            }
            stack.push(Work::Term(v));
            if let Some(k) = k {
                stack.push(Work::Text(format!("{}:", quote(&k))));
            }
            if !one_line {
                // The line begins before the item: the separator of the one before has been written by then.
                stack.push(Work::Line);
            }
        }
    }
    Ok(out)
}

fn new_line(out: &mut String, indent: usize, layout: &Layout) {
    out.push('\n');
    let tabs = indent.checked_div(layout.tab).unwrap_or(0);
    let spaces = indent - tabs * layout.tab;
    out.extend(std::iter::repeat_n('\t', tabs));
    out.extend(std::iter::repeat_n(' ', spaces));
}

/// Whether the value takes no more than the width from the indentation on. Looks at no more of it than that.
fn fits(heap: &Heap, c: Cell, shape: &Shape, layout: &Layout, indent: usize, unknown: &dyn Fn(Cell) -> String) -> Result<bool, Unfit> {
    let mut length = indent;
    let mut stack = vec![c];
    while let Some(c) = stack.pop() {
        if length > layout.width {
            return Ok(false);
        }
        // A fault is left to the writing, which meets it in order.
        let Ok(n) = node(heap, c, shape, layout, unknown) else { continue };
        match n {
            Node::Scalar(_, n) => length += n,
            Node::Array(items) => {
                length += 2 + 2 * items.len().saturating_sub(1);
                if length > layout.width {
                    return Ok(false);
                }
                stack.extend(items);
            }
            Node::Object(entries) => {
                length += 2 + 2 * entries.len().saturating_sub(1);
                for (k, v) in entries {
                    length += k.chars().count() + 4;
                    stack.push(v);
                }
            }
        }
    }
    Ok(length <= layout.width)
}
