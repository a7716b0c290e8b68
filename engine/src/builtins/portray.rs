//! Clauses printed with layout.

use crate::atom;
use crate::cell::Cell;
use crate::error::Res;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args;
use crate::text;
use crate::writer::portray_clause::portray_clause as layout;

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "$portray_clause",
        3,
        with_names,
        "'$portray_clause'(+Stream, +Clause, +Names)\nAs portray_clause/2; variables in the list Names of Name=Var keep their names.",
    ),
    det("portray_clause", 1, plain, "portray_clause(+Clause)\nPrints a clause with layout, its variables named A, B, … and _."),
    det("portray_clause", 2, on_stream, "portray_clause(+Stream, +Clause)\nAs portray_clause/1."),
];

fn print(m: &mut Machine, stream: Option<Cell>, clause: Cell, names: &[(String, Cell)]) -> Res<bool> {
    let n = args::output(m, stream)?;
    let s = layout(&m.heap, &m.ops, &m.flags, clause, m.source_module, names);
    m.streams.write(n, &s);
    Ok(true)
}

fn plain(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    print(m, None, a[0], &[])
}

fn on_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    print(m, Some(a[0]), a[1], &[])
}

fn with_names(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let items = m.heap.list_to_vec(a[2]).unwrap_or_default();
    let names: Vec<(String, Cell)> = items
        .iter()
        .filter_map(|&c| match m.heap.match_compound(c, atom::EQ, 2) {
            Some(&[name, var]) => text::get(&m.heap, name).map(|n| (n, var)),
            _ => None,
        })
        .collect();
    print(m, Some(a[0]), a[1], &names)
}
