//! Text of terms, as the program itself would print them.

use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;
use deepclause_engine::machine::Machine;
use deepclause_engine::writer;

/// As `~w` prints it.
pub fn text(m: &Machine, c: Cell) -> String {
    let mut out = String::new();
    append(m, c, &mut out);
    out
}

/// As [`text`], at the end of a text.
pub fn append(m: &Machine, c: Cell, out: &mut String) {
    match m.heap.view(c) {
        Term::Str(a) => out.push_str(m.heap.str_at(a)),
        Term::Atom(a) => out.push_str(m.heap.atoms.text(a)),
        _ => out.push_str(&writer::write(&m.heap, &m.ops, &m.flags, c, &writer::Options::write())),
    }
}

/// As `writeq/1` prints it.
pub fn quoted(m: &Machine, c: Cell) -> String {
    writer::write(&m.heap, &m.ops, &m.flags, c, &writer::Options::writeq())
}
