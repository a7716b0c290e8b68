//! Terms outside the heap: relocatable copies for asserted clauses, collected solutions, exceptions, saved values.

use crate::cell::{Cell, kind, tag};
use crate::heap::Heap;
use rustc_hash::FxHashMap;

/// A term copied out of a heap. Addresses are relative to its own start, so that restoring is one block copy.
///
/// Atoms are numbers of the session's table: a record is valid only for the session (and its forks) that made it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    cells: Box<[u64]>,
    root: u64,
}

/// Size up to which a term is copied without looking for shared subterms.
const PLAIN_COPY: usize = 2048;

/// Copies a term out of the heap; attributed variables keep their attributes.
pub fn record(heap: &Heap, term: Cell) -> Record {
    copy(heap, term, true)
}

/// As [`record`]; attributed variables become plain ones.
pub fn record_plain(heap: &Heap, term: Cell) -> Record {
    copy(heap, term, false)
}

fn copy(heap: &Heap, term: Cell, attributes: bool) -> Record {
    let c = heap.deref(term);
    if matches!(c.tag(), tag::ATM | tag::INT) {
        return Record { cells: Box::default(), root: c.0 };
    }
    let mut copier = Copier { heap, attributes, out: Vec::new(), vars: FxHashMap::default(), shared: None };
    match copier.run(c) {
        Some(root) => Record { cells: copier.out.into(), root },
        None => {
            // Large: start again, keeping shared and cyclic subterms as they are.
            let mut copier = Copier { heap, attributes, out: Vec::new(), vars: FxHashMap::default(), shared: Some(FxHashMap::default()) };
            let root = copier.run(c).unwrap_or(Cell::NIL.0);
            Record { cells: copier.out.into(), root }
        }
    }
}

struct Copier<'h> {
    heap: &'h Heap,
    attributes: bool,
    out: Vec<u64>,
    vars: FxHashMap<usize, usize>,
    /// Copies of compounds and boxes by address, when sharing is kept.
    shared: Option<FxHashMap<usize, u64>>,
}

impl Copier<'_> {
    /// Copies everything reachable; `None` when the term is too large for a plain copy.
    fn run(&mut self, root: Cell) -> Option<u64> {
        // Cells of `out` from `scan` on still hold addresses of the heap; raw words are skipped by their headers.
        let root = self.cell(root, None);
        let mut scan = 0;
        while scan < self.out.len() {
            let c = Cell(self.out[scan]);
            if c.tag() == tag::HDR {
                scan += 1 + c.box_words();
                continue;
            }
            if matches!(c.tag(), tag::INT | tag::ATM) {
                scan += 1;
                continue;
            }
            if c.0 & DONE == 0 {
                let value = self.heap.deref(c);
                let new = self.cell(value, Some(scan));
                self.out[scan] = new;
            } else {
                self.out[scan] = c.0 & !DONE;
            }
            if self.shared.is_none() && self.out.len() > PLAIN_COPY {
                return None;
            }
            scan += 1;
        }
        Some(root)
    }

    /// The copy of a dereferenced cell that stands at `place` of the output (or nowhere, for the root).
    fn cell(&mut self, c: Cell, place: Option<usize>) -> u64 {
        let a = c.addr();
        match c.tag() {
            tag::REF => self.variable(a, place),
            tag::ATV if !self.attributes => self.variable(a, place),
            tag::ATV => {
                if let Some(&p) = self.vars.get(&a) {
                    return Cell::new(tag::ATV, p).0;
                }
                let p = self.out.len();
                self.vars.insert(a, p);
                self.out.push(Cell::new(tag::ATV, p).0 | DONE);
                self.out.push(self.heap.cells[a + 1].0);
                Cell::new(tag::ATV, p).0
            }
            tag::LST | tag::STR | tag::BOX => {
                if let Some(&s) = self.shared.as_ref().and_then(|m| m.get(&a)) {
                    return s;
                }
                let p = self.out.len();
                let n = match c.tag() {
                    tag::LST => 2,
                    tag::STR => 1 + self.heap.cells[a].functor_arity(),
                    _ => 1 + self.heap.cells[a].box_words(),
                };
                self.out.extend(self.heap.cells[a..a + n].iter().map(|c| c.0));
                let new = Cell::new(c.tag(), p).0;
                if let Some(m) = &mut self.shared {
                    m.insert(a, new);
                }
                new
            }
            _ => c.0,
        }
    }

    fn variable(&mut self, a: usize, place: Option<usize>) -> u64 {
        if let Some(&p) = self.vars.get(&a) {
            return Cell::reference(p).0;
        }
        let p = place.unwrap_or_else(|| {
            self.out.push(Cell::reference(self.out.len()).0 | DONE);
            self.out.len() - 1
        });
        self.vars.insert(a, p);
        Cell::reference(p).0
    }
}

/// Bit of an output cell that already holds a relative address. Addresses stay far below it.
const DONE: u64 = 1 << 63;

impl Record {
    /// Copies the term back onto the heap, with fresh variables.
    #[inline]
    pub fn restore(&self, heap: &mut Heap) -> Cell {
        let base = heap.top();
        let shift = (base as u64) << 3;
        heap.cells.reserve(self.cells.len());
        let mut i = 0;
        while i < self.cells.len() {
            let c = Cell(self.cells[i]);
            match c.tag() {
                tag::ATM | tag::INT => heap.cells.push(c),
                tag::HDR => {
                    heap.cells.push(c);
                    if c.header_kind() != kind::FUNCTOR {
                        let n = c.box_words();
                        heap.cells.extend(self.cells[i + 1..i + 1 + n].iter().map(|w| Cell(*w)));
                        i += n;
                    }
                }
                _ => heap.cells.push(Cell(c.0 + shift)),
            }
            i += 1;
        }
        let root = Cell(self.root);
        match root.tag() {
            tag::ATM | tag::INT => root,
            _ => Cell(root.0 + shift),
        }
    }

    /// Memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.cells.len() * 8 + 32
    }

    /// Atoms it refers to, as cells and functor headers.
    pub fn atoms(&self) -> impl Iterator<Item = crate::atom::Atom> + '_ {
        let mut skip = 0;
        std::iter::once(self.root).chain(self.cells.iter().copied()).enumerate().filter_map(move |(i, w)| {
            let c = Cell(w);
            if i > 0 && skip > 0 {
                skip -= 1;
                return None;
            }
            match c.tag() {
                tag::ATM => Some(c.as_atom()),
                tag::HDR if c.header_kind() == kind::FUNCTOR => Some(c.functor_name()),
                tag::HDR => {
                    skip = c.box_words();
                    None
                }
                _ => None,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atom;

    #[test]
    fn round_trip() {
        let mut h = Heap::new();
        let v = h.new_var();
        let s = h.string("hé");
        let f = h.float(1.5);
        let l = h.list_from(&[v, s, v, f]);
        let t = h.compound(atom::PLUS, &[l, v]);
        let r = record(&h, t);
        let c = r.restore(&mut h);
        assert!(h.unify(t, c));
    }

    #[test]
    fn deep_and_shared() {
        let mut h = Heap::new();
        let mut t = Cell::NIL;
        for _ in 0..1_000_000 {
            t = h.compound_any(atom::PLUS, &[t]);
        }
        let r = record(&h, t);
        let c = r.restore(&mut h);
        assert!(h.unify(t, c));
        let mut t = h.new_var();
        for _ in 0..60 {
            t = h.list(t, t);
        }
        assert!(record(&h, t).bytes() < 100_000);
    }
}
