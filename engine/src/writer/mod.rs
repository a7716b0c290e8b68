//! Writing of terms, the inverse of the reader: `writeq/1` output reads back as the same term.

pub mod canonical;
pub mod options;
pub mod portray_clause;
pub mod quote;
mod term;

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::Heap;
use crate::ops::OpTable;

/// How attributed variables are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attributes {
    /// As plain variables.
    Ignore,
    /// The variable followed by `{...}`.
    Dots,
    /// The variable followed by its attributes in braces.
    Write,
    /// Through hooks, which only Prolog can run: the caller has replaced what hooks write; the rest is written as plain variables.
    Portray,
}

/// The options of `write_term/2`.
#[derive(Clone, Debug)]
pub struct Options {
    /// Quote atoms and strings that would not read back.
    pub quoted: bool,
    /// Write operators as compounds.
    pub ignore_ops: bool,
    /// Write `'$VAR'(N)` as a variable name.
    pub numbervars: bool,
    /// Deepest nesting to write, 0 for no limit.
    pub max_depth: usize,
    /// A blank behind the commas between arguments.
    pub spacing_next_argument: bool,
    /// Module whose operators hold.
    pub module: Atom,
    /// Texts for variables.
    pub variable_names: Vec<(String, Cell)>,
    /// Lists as `.(H,T)`.
    pub dotlists: bool,
    /// `{}(X)` as `{X}`.
    pub brace_terms: bool,
    /// Lists as `'[|]'(H,T)`.
    pub no_lists: bool,
    /// Operators of a higher priority are put in parentheses.
    pub priority: u16,
    /// Cyclic terms as `@(Term, Substitutions)`; otherwise they are cut after some levels.
    pub cycles: bool,
    /// The output goes on from an earlier one: `Some(c)` is the character before.
    pub after: Option<char>,
    /// A full stop behind the term.
    pub fullstop: bool,
    /// A newline behind the term.
    pub nl: bool,
    /// Escape sequences inside quotes; otherwise only quotes are doubled.
    pub character_escapes: bool,
    /// `\uXXXX` rather than `\xX\` for characters that do not print.
    pub character_escapes_unicode: bool,
    /// Quote atoms with characters beyond Latin-1, as `write_canonical/1` does.
    pub quote_wide: bool,
    /// Attributed variables.
    pub attributes: Attributes,
    /// The caller wants `portray/1` for the parts (see library `io`); this module cannot run it.
    pub portray: bool,
}

impl Default for Options {
    /// As `write_term/2` without options.
    fn default() -> Self {
        Options {
            quoted: false,
            ignore_ops: false,
            numbervars: false,
            max_depth: 0,
            spacing_next_argument: false,
            module: atom::USER,
            variable_names: Vec::new(),
            dotlists: false,
            brace_terms: true,
            no_lists: false,
            priority: 1200,
            cycles: true,
            after: None,
            fullstop: false,
            nl: false,
            character_escapes: true,
            character_escapes_unicode: false,
            quote_wide: false,
            attributes: Attributes::Ignore,
            portray: false,
        }
    }
}

impl Options {
    /// The options of `write/1`.
    pub fn write() -> Options {
        Options { numbervars: true, ..Options::default() }
    }
    /// The options of `writeq/1`.
    pub fn writeq() -> Options {
        Options { quoted: true, numbervars: true, ..Options::default() }
    }
    /// The options of `print/1`.
    pub fn print() -> Options {
        Options { portray: true, ..Options::writeq() }
    }
    /// The options of `write_canonical/1`; see also [`canonical`].
    pub fn canonical() -> Options {
        Options { quoted: true, ignore_ops: true, brace_terms: false, quote_wide: true, ..Options::default() }
    }
}

/// The text of a term.
pub fn write(heap: &Heap, ops: &OpTable, flags: &Flags, c: Cell, options: &Options) -> String {
    let mut out = String::new();
    write_to(heap, ops, flags, c, options, &mut out);
    out
}

/// Appends the text of a term.
pub fn write_to(heap: &Heap, ops: &OpTable, _flags: &Flags, c: Cell, options: &Options, out: &mut String) {
    term::Writer::new(heap, ops, options, out).run(c);
}

/// The text of a term as `writeq/1` writes it in module `user`, for messages and tests.
pub fn writeq(heap: &Heap, ops: &OpTable, c: Cell) -> String {
    write(heap, ops, &Flags::default(), c, &Options::writeq())
}

/// The text of an atom as `writeq/1` writes it alone.
pub fn atom_text(heap: &Heap, a: Atom) -> String {
    let mut out = String::new();
    term::push_atom(heap, a, &Options::writeq(), &mut out);
    out
}
