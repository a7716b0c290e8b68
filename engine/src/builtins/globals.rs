//! Global variables.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::record::{self, Record};
use rustc_hash::FxHashMap;

/// Global variables.
///
/// A value set for good is a record: it outlives backtracking. Values set by `b_setval/2` are in a list on the heap,
/// behind one cell as old as the machine, whose assignments are trailed. An entry of the list counts only while
/// nothing has been set for good since.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Globals {
    kept: FxHashMap<Atom, (u64, Record)>,
    /// Names in the order of creation.
    names: Vec<Atom>,
    /// `'$globals'(List)`, the bits of its cell; its elements are `'$global'(Name, Version, Value)`.
    root: Option<u64>,
    version: u64,
}

impl Globals {
    /// No variables. The heap is that of the machine, before it runs anything.
    pub fn new(heap: &mut Heap) -> Globals {
        Globals { root: Some(heap.compound_named("$globals", &[Cell::NIL]).0), ..Globals::default() }
    }

    /// The root for the garbage collector: bits of a cell, to be updated in place.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut u64> {
        self.root.iter_mut()
    }

    /// The root as a cell.
    pub fn roots(&self) -> impl Iterator<Item = Cell> + '_ {
        self.root.iter().map(|&w| Cell(w))
    }

    /// Atoms that names and values refer to, for the atom collector.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.names.iter().copied().chain(self.kept.values().flat_map(|(_, r)| r.atoms()))
    }

    /// Bytes of the values that are kept off the heap.
    pub fn bytes(&self) -> usize {
        self.kept.values().map(|(_, r)| r.bytes()).sum()
    }
}

/// The valid entry of a variable set by `b_setval/2`: where its value stands.
fn entry(m: &Machine, name: Atom) -> Option<usize> {
    let mut l = m.heap.arg(Cell(m.globals.root?), 0);
    let version = m.globals.kept.get(&name).map_or(0, |k| k.0);
    while let Some((h, t)) = m.heap.pair(l) {
        let args = m.heap.args(h);
        if args.len() == 3 && m.heap.cells[args.start] == Cell::atom(name) {
            let same = m.heap.cells[args.start + 1] == Cell::small(version as i64);
            return same.then_some(args.start + 2);
        }
        l = t;
    }
    None
}

fn key(m: &mut Machine, c: Cell) -> Res<Atom> {
    match m.heap.view(c) {
        Term::Atom(a) => Ok(a),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

/// Value of a global variable; one set for good is a fresh copy.
pub fn get(m: &mut Machine, name: Atom) -> Option<Cell> {
    if let Some(at) = entry(m, name) {
        return m.heap.cells.get(at).copied();
    }
    m.globals.kept.get(&name).map(|(_, r)| r.restore(&mut m.heap))
}

/// Assigns a global variable for good, with a copy of the value.
pub fn set(m: &mut Machine, name: Atom, value: Cell) {
    let r = record::record(&m.heap, value);
    m.globals.version += 1;
    if m.globals.kept.insert(name, (m.globals.version, r)).is_none() {
        note_name(m, name);
    }
}

fn note_name(m: &mut Machine, name: Atom) {
    if !m.globals.names.contains(&name) {
        m.globals.names.push(name);
    }
}

fn nb_setval(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let k = key(m, a[0])?;
    set(m, k, a[1]);
    Ok(true)
}

fn b_setval(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let k = key(m, a[0])?;
    let v = m.heap.deref(a[1]);
    if let Some(at) = entry(m, k) {
        m.heap.set_trailed(at, v);
        return Ok(true);
    }
    let Some(root) = m.globals.root.map(Cell) else { return Err(error::Throw::Bug("no root of global variables")) };
    let version = m.globals.kept.get(&k).map_or(0, |e| e.0);
    let e = m.heap.compound_named("$global", &[Cell::atom(k), Cell::small(version as i64), v]);
    let list = m.heap.arg(root, 0);
    let list = m.heap.list(e, list);
    let at = m.heap.args(root).start;
    m.heap.set_trailed(at, list);
    note_name(m, k);
    Ok(true)
}

fn getval(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let k = key(m, a[0])?;
    match get(m, k) {
        Some(v) => Ok(m.unify(a[1], v)),
        None => {
            let what = m.heap.atom("variable");
            let culprit = m.heap.deref(a[0]);
            let f = m.heap.compound(atom::EXISTENCE_ERROR, &[what, culprit]);
            Err(error::iso(&mut m.heap, f))
        }
    }
}

fn nb_current(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    if let Term::Atom(k) = m.heap.view(a[0]) {
        return Ok(match get(m, k) {
            Some(v) if m.unify(a[1], v) => Redo::Done,
            _ => Redo::Fail,
        });
    }
    if !m.heap.is_var(a[0]) {
        return Err(error::type_error(&mut m.heap, atom::ATOM, a[0]));
    }
    let mut i = state.map_or(0, |s| s.as_small() as usize);
    while let Some(&name) = m.globals.names.get(i) {
        i += 1;
        let Some(v) = get(m, name) else { continue };
        if super::try_unify(m, a[1], v) {
            m.unify(a[0], Cell::atom(name));
            return Ok(Redo::More(Cell::small(i as i64)));
        }
    }
    Ok(Redo::Fail)
}

fn nb_delete(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let k = key(m, a[0])?;
    m.globals.kept.remove(&k);
    if let Some(at) = entry(m, k) {
        m.heap.set_trailed(at - 1, Cell::small(-1));
    }
    m.globals.names.retain(|n| *n != k);
    Ok(true)
}

/// Predicates on global variables.
pub const BUILTINS: &[Native] = &[
    det("nb_setval", 2, nb_setval, "nb_setval(+Name, +Value)\nSets a global variable to a copy of Value; backtracking does not undo it."),
    det("nb_linkval", 2, nb_setval, "nb_linkval(+Name, +Value)\nAs nb_setval/2: values are always copied."),
    det("b_setval", 2, b_setval, "b_setval(+Name, +Value)\nSets a global variable until backtracking."),
    det("b_getval", 2, getval, "b_getval(+Name, -Value)\nValue of a global variable; an existence error when there is none."),
    det("nb_getval", 2, getval, "nb_getval(+Name, -Value)\nValue of a global variable; an existence error when there is none."),
    nondet("nb_current", 2, nb_current, "nb_current(?Name, ?Value)\nEnumerates the global variables."),
    det("nb_delete", 1, nb_delete, "nb_delete(+Name)\nRemoves a global variable."),
];
