//! Reading terms: SWI-Prolog 7 syntax with user-defined operators.
//!
//! An operator-precedence parser over explicit stacks, so that the depth of a term is bounded by memory only.

mod number;
mod parse;
mod token;

use crate::atom::Atom;
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::Heap;
use crate::ops::OpTable;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// Offset in bytes.
    pub byte: usize,
    /// Offset in characters.
    pub char: usize,
    /// Line, from 1.
    pub line: usize,
    /// Characters before this place in its line.
    pub column: usize,
}

impl Position {
    /// The beginning of a text.
    pub fn start() -> Position {
        Position { byte: 0, char: 0, line: 1, column: 0 }
    }

    /// This position moved over the text up to byte `to`.
    pub fn advance(mut self, text: &str, to: usize) -> Position {
        let bytes = text.as_bytes();
        let to = to.min(bytes.len());
        while self.byte < to {
            let b = bytes[self.byte];
            self.byte += 1;
            if b == b'\n' {
                self.line += 1;
                self.column = 0;
                self.char += 1;
            } else if b == b'\t' {
                self.column = (self.column | 7) + 1;
                self.char += 1;
            } else if b & 0xc0 != 0x80 {
                self.column += 1;
                self.char += 1;
            }
        }
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
    /// All variables, anonymous ones included, in order.
    pub all_variables: Vec<Cell>,
    /// Names that occur once and do not start with `_` (or start with `__`… as SWI-Prolog warns).
    pub singletons: Vec<(String, Cell)>,
    /// Where the term starts.
    pub start: Position,
    /// After the full stop.
    pub end: Position,
    /// Comments before and inside the term, with their positions, when asked for.
    pub comments: Vec<(Position, String)>,
    /// Layout of the term as SWI-Prolog's `subterm_positions`, when asked for.
    pub layout: Option<Cell>,
}

/// Why a text is no term.
#[derive(Clone, Debug, PartialEq)]
pub struct SyntaxError {
    /// SWI-Prolog's name of the error, such as `operator_expected`.
    pub kind: String,
    /// Where it was noticed.
    pub at: Position,
    /// Where the term that has the error starts.
    pub start: Position,
    /// Where to go on: after the next clause end.
    pub end: Position,
    /// The text ended inside the term.
    pub incomplete: bool,
}

/// What a caller may change about reading.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions {
    /// Instead of the flag of that name.
    pub double_quotes: Option<crate::flags::Quotes>,
    /// Instead of the flag of that name.
    pub back_quotes: Option<crate::flags::Quotes>,
    /// Instead of the flag of that name.
    pub var_prefix: Option<bool>,
    /// `.(H,T)` terms are lists, `[]` the atom.
    pub dotlists: bool,
    /// Keep comments.
    pub comments: bool,
    /// Build the layout term.
    pub layout: bool,
    /// The text is one term whose full stop may be missing (`term_to_atom/2`).
    pub stop_optional: bool,
}

/// Reads the next term of a text, from a position on.
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
    parse::Parser::new(heap, ops, flags, module, text, from, *options).read()
}

/// Whether the atom's text needs no quotes to be read back as that atom: a lower-case word, a symbol word, `[]`, `{}`, `!`, `;`.
pub fn is_plain_atom(text: &str) -> bool {
    token::is_plain_atom(text)
}

pub use number::parse_number;

#[cfg(test)]
mod tests;
