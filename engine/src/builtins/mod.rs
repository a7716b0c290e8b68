//! Native predicates, one family per file.

pub mod arith;
pub mod atoms;
pub mod attributes;
pub mod chars;
pub mod chars_io;
pub mod compare;
pub mod dicts;
pub mod dwim;
pub mod filenames;
pub mod files;
pub mod flags;
pub mod format;
pub mod globals;
pub mod json;
pub mod loader;
pub mod ops;
pub mod portray;
pub mod read;
pub mod read_text;
pub mod sort;
pub mod streams;
pub mod strings;
pub mod subtext;
pub mod term_text;
pub mod terms;
pub mod time;
pub mod typetest;
pub mod variables;
pub mod write;

pub(crate) mod format_number;
pub(crate) mod parse_time;

#[cfg(test)]
mod text_tests;

/// Unifies and, when that fails, takes back the bindings made on the way: for predicates that try several solutions
/// within one call.
pub fn try_unify(m: &mut crate::machine::Machine, a: crate::cell::Cell, b: crate::cell::Cell) -> bool {
    let (mark, hb, wakeup) = (m.heap.trail.len(), m.heap.hb, m.heap.wakeup);
    // Everything counts as old, so that every binding is noted.
    m.heap.hb = m.heap.cells.len();
    let ok = m.heap.unify(a, b);
    if !ok {
        m.heap.undo_to(mark);
        m.heap.wakeup = wakeup;
    }
    m.heap.hb = hb;
    ok
}
