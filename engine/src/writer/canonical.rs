//! `write_canonical/1`: variables get names, singletons `_`.

use super::{Options, write};
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::{Heap, Term};
use crate::ops::OpTable;
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a term in order of first appearance, each with whether it occurs only once.
pub fn variables(heap: &Heap, c: Cell) -> Vec<(Cell, bool)> {
    let mut found: Vec<(Cell, bool)> = Vec::new();
    let mut index: FxHashMap<Cell, usize> = FxHashMap::default();
    // A subterm met again is known to hold no singleton, so it need not be taken apart a third time.
    let mut visits: FxHashMap<Cell, u8> = FxHashMap::default();
    let mut stack = vec![c];
    while let Some(c) = stack.pop() {
        let c = heap.deref(c);
        match heap.view(c) {
            Term::Var(_) | Term::Attributed(_) => match index.get(&c) {
                Some(&i) => found[i].1 = false,
                None => {
                    index.insert(c, found.len());
                    found.push((c, true));
                }
            },
            Term::List(_) | Term::Compound(..) => {
                let n = visits.entry(c).or_insert(0);
                if *n < 2 {
                    *n += 1;
                    stack.extend(heap.args(c).rev().map(|a| heap.cells[a]));
                }
            }
            _ => {}
        }
    }
    found
}

/// Names `A`, `B`, … for the variables that occur more than once and `_` for the others; `used` names are left out.
pub fn name_variables(heap: &Heap, c: Cell, used: &FxHashSet<String>) -> Vec<(String, Cell)> {
    let mut n = 0usize;
    let mut names = Vec::new();
    for (v, single) in variables(heap, c) {
        let name = if single {
            "_".to_string()
        } else {
            loop {
                let letter = char::from(b'A' + (n % 26) as u8);
                let name = if n < 26 { letter.to_string() } else { format!("{letter}{}", n / 26) };
                n += 1;
                if !used.contains(&name) {
                    break name;
                }
            }
        };
        names.push((name, v));
    }
    names
}

/// The text that `write_canonical/1` writes.
pub fn write_canonical(heap: &Heap, ops: &OpTable, flags: &Flags, c: Cell) -> String {
    let mut names = name_variables(heap, c, &FxHashSet::default());
    names.retain(|(_, v)| !matches!(heap.view(*v), Term::Attributed(_)));
    write(heap, ops, flags, c, &Options { variable_names: names, ..Options::canonical() })
}
