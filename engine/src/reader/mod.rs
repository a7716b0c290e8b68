//! Reading terms: SWI-Prolog 7 syntax with user-defined operators.
//!
//! An operator-precedence parser over explicit stacks: the depth of a term is bounded by memory only, and the time is
//! linear in the length of the text.

mod chars;
mod dict;
mod layout;
mod number;
mod parse;
mod quoted;
mod skip;
mod token;

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::flags::{Flags, Quotes};
use crate::heap::Heap;
use crate::ops::OpTable;
use std::borrow::Cow;

pub use chars::is_plain_atom;
pub use number::parse_number;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// Offset in bytes.
    pub byte: usize,
    /// Offset in characters.
    pub char: usize,
    /// Line, from 1.
    pub line: usize,
    /// Screen column, from 0: a tab goes to the next multiple of eight.
    pub column: usize,
}

impl Default for Position {
    fn default() -> Self {
        Position::start()
    }
}

impl Position {
    /// The beginning of a text.
    pub const fn start() -> Position {
        Position { byte: 0, char: 0, line: 1, column: 0 }
    }

    /// This position moved forward over the text up to byte `to`.
    pub fn advance(mut self, text: &str, to: usize) -> Position {
        let Some(part) = text.as_bytes().get(self.byte..to.min(text.len())) else { return self };
        for &b in part {
            match b {
                b' '..=0x7e => {
                    self.column += 1;
                    self.char += 1;
                }
                b'\n' => {
                    self.line += 1;
                    self.column = 0;
                    self.char += 1;
                }
                b'\t' => {
                    self.column = (self.column | 7) + 1;
                    self.char += 1;
                }
                b'\r' => {
                    self.column = 0;
                    self.char += 1;
                }
                0x08 => {
                    self.column = self.column.saturating_sub(1);
                    self.char += 1;
                }
                0x80..=0xbf => {}
                _ => {
                    self.column += 1;
                    self.char += 1;
                }
            }
        }
        self.byte += part.len();
        self
    }
}

/// A term read from a text.
#[derive(Clone, Debug)]
pub struct Read {
    /// The term; `None` at the end of the text.
    pub term: Option<Cell>,
    /// Named variables in the order of their first appearance, without `_`.
    pub variables: Vec<(String, Cell)>,
    /// All variables, anonymous ones included, in the order of their first appearance.
    pub all_variables: Vec<Cell>,
    /// Names of variables that occur once, without `_`. Whether a name deserves a warning is the caller's matter.
    pub singletons: Vec<String>,
    /// Where the term starts.
    pub start: Position,
    /// After the full stop.
    pub end: Position,
    /// Comments before and inside the term, with where they start, when asked for.
    pub comments: Vec<(Position, String)>,
    /// Layout of the term as SWI-Prolog's `subterm_positions`, when asked for; offsets are characters.
    pub positions: Option<Cell>,
}

/// Why a text is no term.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// SWI-Prolog's name of the error, such as `operator_expected` or `undefined_char_escape(q)`.
    pub kind: String,
    /// The argument of `kind` when it is a compound; see [`SyntaxError::term`].
    pub argument: Option<String>,
    /// Where it was noticed.
    pub at: Position,
    /// Where the term that has the error starts.
    pub start: Position,
    /// Where to go on: after the next clause end.
    pub end: Position,
    /// The text ended inside the term.
    pub incomplete: bool,
}

impl SyntaxError {
    /// The term that `syntax_error/1` gets: an atom, or a compound such as `undefined_char_escape(q)`.
    pub fn term(&self, heap: &mut Heap) -> Cell {
        match &self.argument {
            None => heap.atom(&self.kind),
            Some(a) => {
                let name = self.kind.split('(').next().unwrap_or_default();
                let a = match a.parse::<i64>() {
                    Ok(i) if name == "duplicate_key" => heap.int(i),
                    _ => heap.atom(a),
                };
                heap.compound_named(name, &[a])
            }
        }
    }
}

/// What a caller may change about reading. The default takes everything from the flags and keeps no positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Instead of the flag of that name.
    pub double_quotes: Option<Quotes>,
    /// Instead of the flag of that name.
    pub back_quotes: Option<Quotes>,
    /// Instead of the flag of that name.
    pub var_prefix: Option<bool>,
    /// `'.'(H,T)` is read as a list.
    pub dotlists: bool,
    /// Keep comments.
    pub comments: bool,
    /// Build the layout term.
    pub positions: bool,
    /// The text is one term whose full stop may be missing.
    pub stop_optional: bool,
}

/// Reads the next term of a text, from a position on.
///
/// Gives the term with its variables and places (`term` is `None` when only white space and comments are left), or the
/// first error, with the place to go on from.
pub fn read(heap: &mut Heap, ops: &OpTable, flags: &Flags, module: Atom, text: &str, from: Position) -> Result<Read, SyntaxError> {
    read_with(heap, ops, flags, module, text, from, &ReadOptions::default())
}

/// As [`read`], with options.
pub fn read_with(
    heap: &mut Heap,
    ops: &OpTable,
    flags: &Flags,
    module: Atom,
    text: &str,
    from: Position,
    options: &ReadOptions,
) -> Result<Read, SyntaxError> {
    parse::Parser::new(heap, ops, flags, module, text, from, options).read()
}

/// An error while its place is still a byte offset.
#[derive(Debug)]
pub(crate) struct Failure {
    pub kind: Cow<'static, str>,
    pub argument: Option<String>,
    pub at: usize,
    /// The place to report is the character before `at`: SWI-Prolog counts so where a token is not expected.
    pub before: bool,
    /// The error holds for the raw text (an open quote or comment, the end of the text), whatever else is wrong.
    pub raw: bool,
}

impl Failure {
    /// An error exactly at a byte.
    pub fn at(kind: &'static str, at: usize) -> Failure {
        Failure { kind: kind.into(), argument: None, at, before: false, raw: false }
    }
    /// An error about the token that starts at a byte, or the operator that ends there.
    pub fn before(kind: &'static str, at: usize) -> Failure {
        Failure { before: true, ..Failure::at(kind, at) }
    }
    /// `kind(argument)`.
    pub fn with(mut self, argument: String) -> Failure {
        let plain = is_plain_atom(&argument) || argument.bytes().all(|b| b.is_ascii_digit()) && self.kind == "duplicate_key";
        let quoted = if plain { argument.clone() } else { format!("'{}'", argument.replace('\\', "\\\\").replace('\'', "\\'")) };
        self.kind = format!("{}({quoted})", self.kind).into();
        self.argument = Some(argument);
        self
    }
    /// The same place under another name.
    pub fn renamed(mut self, kind: &'static str) -> Failure {
        self.kind = kind.into();
        self
    }
    /// Marks an error of the raw text.
    pub fn raw(mut self) -> Failure {
        self.raw = true;
        self
    }
    /// The text ended inside a term.
    pub fn end_of_file(len: usize) -> Failure {
        Failure::before("end_of_file", len).raw()
    }
}

/// Turns the text of a quoted item into the term that a flag asks for.
fn quoted_term(heap: &mut Heap, text: &str, quotes: Quotes) -> Cell {
    match quotes {
        Quotes::String => heap.string(text),
        Quotes::Atom | Quotes::Symbol => heap.atom(text),
        Quotes::Codes => {
            let items: Vec<Cell> = text.chars().map(|c| Cell::small(c as i64)).collect();
            heap.list_from(&items)
        }
        Quotes::Chars => {
            let items: Vec<Cell> = text.chars().map(|c| heap.atom(c.encode_utf8(&mut [0; 4]))).collect();
            heap.list_from(&items)
        }
    }
}

/// `'.'(H,T)` as a list, for option `dotlists`.
fn dot_list(heap: &mut Heap, name: Atom, args: &[Cell]) -> Cell {
    match args {
        [h, t] if name == atom::PERIOD => heap.list(*h, *t),
        _ => heap.compound(name, args),
    }
}

#[cfg(test)]
mod tests;
