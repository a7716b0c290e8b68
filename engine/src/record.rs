//! Terms outside the heap: one relocatable block that can be stored, sent and put back by a copy.

use crate::atom::Atom;
use crate::cell::{Cell, tag};
use crate::heap::Heap;
use rustc_hash::FxHashMap;

/// A term outside the heap. Findall results, clauses kept as terms and global variables are records.
///
/// The words before `split` are cells whose addresses count from the block's start; those behind are boxes
/// (floats, big integers, strings), whose addresses count from `split`. So putting a record back adds one of
/// two constants to the pointers of the first part and copies the second as it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Record {
    words: Box<[u64]>,
    split: u32,
    root: u64,
}

impl Record {
    /// Puts the term on the heap, with fresh variables.
    #[inline]
    pub fn restore(&self, heap: &mut Heap) -> Cell {
        if self.words.is_empty() {
            return Cell(self.root);
        }
        let base = heap.cells.len();
        let split = self.split as usize;
        let offsets = offsets(base, base + split);
        let (cells, boxes) = self.words.split_at(split.min(self.words.len()));
        heap.cells.reserve(self.words.len());
        heap.cells.extend(cells.iter().map(|&w| Cell(w.wrapping_add(offsets[(w & 7) as usize]))));
        heap.cells.extend(boxes.iter().map(|&w| Cell(w)));
        Cell(self.root.wrapping_add(offsets[(self.root & 7) as usize]))
    }

    /// Words the record takes on the heap when restored.
    pub fn size(&self) -> usize {
        self.words.len()
    }

    /// Memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8 + 48
    }

    /// Atoms the record refers to (some more than once), for the atom collector.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        let cells = self.words.get(..self.split as usize).unwrap_or(&[]);
        cells.iter().chain(std::iter::once(&self.root)).filter_map(|&w| {
            let c = Cell(w);
            match c.tag() {
                tag::ATM => Some(c.as_atom()),
                tag::HDR => Some(c.functor_name()),
                _ => None,
            }
        })
    }

    /// The same record with every atom replaced: for a record that moves to another table of atoms.
    pub fn map_atoms(&mut self, mut f: impl FnMut(Atom) -> Atom) {
        let split = self.split as usize;
        let mut map = |w: &mut u64| {
            let c = Cell(*w);
            match c.tag() {
                tag::ATM => *w = Cell::atom(f(c.as_atom())).0,
                tag::HDR => *w = Cell::functor(f(c.functor_name()), c.functor_arity()).0,
                _ => {}
            }
        };
        self.words.iter_mut().take(split).for_each(&mut map);
        map(&mut self.root);
    }
}

/// What to add to a word by its tag.
fn offsets(cells: usize, boxes: usize) -> [u64; 8] {
    let mut o = [0; 8];
    for t in [tag::REF, tag::ATV, tag::STR, tag::LST] {
        o[t as usize] = (cells as u64) << 3;
    }
    o[tag::BOX as usize] = (boxes as u64) << 3;
    o
}

/// Copies a term out of the heap, attributed variables with their attributes. Linear; cyclic terms stay cyclic.
pub fn record(heap: &Heap, c: Cell) -> Record {
    make(heap, c, true)
}

/// As [`record`], attributed variables as plain ones.
pub fn record_plain(heap: &Heap, c: Cell) -> Record {
    make(heap, c, false)
}

/// A copy on the heap that shares nothing with the original, attributes included.
pub fn duplicate(heap: &mut Heap, c: Cell) -> Cell {
    record(heap, c).restore(heap)
}

fn make(heap: &Heap, c: Cell, attributes: bool) -> Record {
    let c = heap.deref(c);
    if matches!(c.tag(), tag::ATM | tag::INT) {
        return Record { words: Box::new([]), split: 0, root: c.0 };
    }
    // A tree cannot be larger than the heap; a term that is needs its shared parts kept shared (or is cyclic).
    let limit = heap.cells.len() * 2 + 64;
    match Copier::new(heap, attributes, None).run(c, limit) {
        Some(r) => r,
        None => Copier::new(heap, attributes, Some(FxHashMap::default())).run(c, usize::MAX).unwrap_or(Record {
            words: Box::new([]),
            split: 0,
            root: Cell::NIL.0,
        }),
    }
}

/// Few variables are looked up by scanning; more by hashing.
const SCAN: usize = 12;

struct Copier<'a> {
    heap: &'a Heap,
    attributes: bool,
    out: Vec<u64>,
    boxes: Vec<u64>,
    few: Vec<(usize, u64)>,
    many: FxHashMap<usize, u64>,
    /// Compounds copied so far, when sharing is kept.
    shared: Option<FxHashMap<u64, u64>>,
    /// Places of attributed variables, patched at the end: meanwhile they look like headers.
    attributed: Vec<usize>,
}

impl<'a> Copier<'a> {
    fn new(heap: &'a Heap, attributes: bool, shared: Option<FxHashMap<u64, u64>>) -> Self {
        Copier {
            heap,
            attributes,
            out: Vec::new(),
            boxes: Vec::new(),
            few: Vec::new(),
            many: FxHashMap::default(),
            shared,
            attributed: Vec::new(),
        }
    }

    /// Breadth first: the output is its own queue of cells that still speak of the heap.
    fn run(mut self, c: Cell, limit: usize) -> Option<Record> {
        let root = if c.tag() == tag::REF || c.tag() == tag::ATV && !self.attributes {
            self.out.push(Cell::reference(0).0);
            return Some(Record { words: self.out.into(), split: 1, root: Cell::reference(0).0 });
        } else {
            self.translate(c, 0)
        };
        let mut i = 0;
        while i < self.out.len() {
            let w = Cell(self.out[i]);
            if !matches!(w.tag(), tag::ATM | tag::INT | tag::HDR) {
                self.out[i] = self.translate(w, i);
                if self.out.len() > limit {
                    return None;
                }
            }
            i += 1;
        }
        for &a in &self.attributed {
            self.out[a] = Cell::new(tag::ATV, a).0;
        }
        let split = self.out.len() as u32;
        self.out.extend_from_slice(&self.boxes);
        Some(Record { words: self.out.into(), split, root })
    }

    fn lookup(&self, a: usize) -> Option<u64> {
        if self.many.is_empty() { self.few.iter().find(|p| p.0 == a).map(|p| p.1) } else { self.many.get(&a).copied() }
    }

    fn note(&mut self, a: usize, w: u64) {
        if self.many.is_empty() && self.few.len() < SCAN {
            self.few.push((a, w));
        } else {
            self.many.extend(self.few.drain(..));
            self.many.insert(a, w);
        }
    }

    /// The word for a source cell that will stand at `slot`; appends what it points to.
    fn translate(&mut self, c: Cell, slot: usize) -> u64 {
        let c = self.heap.deref(c);
        let cells = &self.heap.cells;
        let a = c.addr();
        match c.tag() {
            tag::REF | tag::ATV => {
                if let Some(w) = self.lookup(a) {
                    return w;
                }
                let w = if c.tag() == tag::ATV && self.attributes {
                    let at = self.out.len();
                    self.attributed.push(at);
                    self.out.push(Cell::functor(crate::atom::NIL, 0).0);
                    self.out.push(cells[a + 1].0);
                    Cell::new(tag::ATV, at).0
                } else {
                    Cell::reference(slot).0
                };
                self.note(a, w);
                w
            }
            tag::ATM | tag::INT | tag::HDR => c.0,
            t => {
                if let Some(w) = self.shared.as_ref().and_then(|s| s.get(&c.0)) {
                    return *w;
                }
                let w = if t == tag::BOX {
                    let at = self.boxes.len();
                    let n = cells[a].box_words();
                    self.boxes.extend(cells[a..a + 1 + n].iter().map(|c| c.0));
                    Cell::new(t, at).0
                } else {
                    let at = self.out.len();
                    let n = if t == tag::LST { 2 } else { 1 + cells[a].functor_arity() };
                    self.out.extend(cells[a..a + n].iter().map(|c| c.0));
                    Cell::new(t, at).0
                };
                if let Some(s) = &mut self.shared {
                    s.insert(c.0, w);
                }
                w
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heap::Term;

    #[test]
    fn keeps_structure_and_sharing() {
        let mut h = Heap::new();
        let (x, y) = (h.new_var(), h.new_var());
        let s = h.string("text");
        let f = h.float(1.5);
        let l = h.list_from(&[x, s, y]);
        let t = h.compound_named("f", &[x, l, f, y]);
        let r = record(&h, t);
        let bytes = postcard::to_allocvec(&r).unwrap();
        let r: Record = postcard::from_bytes(&bytes).unwrap();
        h.new_var();
        let c = r.restore(&mut h);
        assert!(crate::order::variant(&h, t, c));
        assert!(!crate::order::identical(&h, t, c));
        let (x1, l1) = (h.arg(c, 0), h.arg(c, 1));
        let (head, _) = h.pair(l1).unwrap();
        assert_eq!(h.deref(x1), h.deref(head));
    }

    #[test]
    fn attributed_deep_and_cyclic() {
        let mut h = Heap::new();
        let one = Cell::small(1);
        let att = h.compound(crate::atom::ATT, &[one, one, Cell::NIL]);
        let v = h.new_attributed(att);
        let t = h.compound_named("g", &[v, v]);
        let c = record(&h, t).restore(&mut h);
        let (a, b) = (h.arg(c, 0), h.arg(c, 1));
        assert!(matches!(h.view(a), Term::Attributed(_)) && h.deref(a) == h.deref(b));
        let c = record_plain(&h, t).restore(&mut h);
        assert!(matches!(h.view(h.arg(c, 1)), Term::Var(_)));
        let mut deep = one;
        for _ in 0..300_000 {
            deep = h.compound_named("s", &[deep]);
        }
        let d = record(&h, deep).restore(&mut h);
        assert!(crate::order::identical(&h, deep, d));
        let x = h.new_var();
        let cyc = h.compound_named("c", &[x]);
        h.unify(x, cyc);
        let d = record(&h, cyc).restore(&mut h);
        assert!(h.unify(d, cyc));
        let mut dag = one;
        for _ in 0..60 {
            dag = h.compound_named("d", &[dag, dag]);
        }
        assert!(record(&h, dag).size() < 1000);
    }
}
