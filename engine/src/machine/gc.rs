//! Garbage collection of heap and trail.
//!
//! Mark, then slide (D. Appleby et al., "Garbage collection for Prolog based on WAM", 1988, with a mark bitmap and
//! counted prefixes instead of pointer reversal): live cells keep their order, so that choice points keep their
//! segments. Runs only between two calls, when the live registers are the arguments of the call.

use super::Machine;
use crate::cell::{Cell, tag};
use rustc_hash::FxHashSet;

/// Cells at which the first collection happens.
pub(super) const FIRST_COLLECTION: usize = 1 << 18;

struct Marks {
    bits: Vec<u64>,
    /// Number of marked cells before each word of `bits`.
    before: Vec<usize>,
    stack: Vec<Cell>,
    /// Atoms seen above this number are marked.
    atom_base: u32,
    atoms: Vec<bool>,
}

impl Marks {
    #[inline]
    fn get(&self, i: usize) -> bool {
        self.bits[i >> 6] >> (i & 63) & 1 == 1
    }
    /// Marks a cell; true when it was not marked before.
    #[inline]
    fn set(&mut self, i: usize) -> bool {
        let (w, b) = (i >> 6, 1u64 << (i & 63));
        let new = self.bits[w] & b == 0;
        self.bits[w] |= b;
        new
    }
    /// Where a cell goes; for an unmarked address, where the next marked one goes.
    #[inline]
    fn forward(&self, i: usize) -> usize {
        let w = i >> 6;
        match self.bits.get(w) {
            Some(bits) => self.before[w] + (bits & ((1u64 << (i & 63)) - 1)).count_ones() as usize,
            None => self.before.last().copied().unwrap_or(0),
        }
    }

    #[inline]
    fn atom(&mut self, c: Cell) {
        let a = c.as_atom().0;
        if a >= self.atom_base
            && let Some(m) = self.atoms.get_mut((a - self.atom_base) as usize)
        {
            *m = true;
        }
    }

    #[inline]
    fn functor(&mut self, h: Cell) {
        let a = h.functor_name().0;
        if a >= self.atom_base
            && let Some(m) = self.atoms.get_mut((a - self.atom_base) as usize)
        {
            *m = true;
        }
    }

    /// Marks everything that a term reaches.
    fn mark(&mut self, cells: &[Cell], root: Cell) {
        self.stack.push(root);
        while let Some(c) = self.stack.pop() {
            let a = c.addr();
            match c.tag() {
                tag::REF if self.set(a) => {
                    self.push(cells[a], c);
                }
                tag::ATV => {
                    if self.set(a) {
                        self.push(cells[a], c);
                    }
                    if self.set(a + 1) {
                        self.push(cells[a + 1], c);
                    }
                }
                tag::LST => {
                    if self.set(a) {
                        self.push(cells[a], c);
                    }
                    if self.set(a + 1) {
                        self.push(cells[a + 1], c);
                    }
                }
                tag::STR => {
                    let h = cells[a];
                    if self.set(a) {
                        self.functor(h);
                        for (i, &arg) in (a + 1..).zip(&cells[a + 1..=a + h.functor_arity()]) {
                            if self.set(i) {
                                self.push(arg, c);
                            }
                        }
                    }
                }
                tag::BOX if self.set(a) => {
                    for i in a + 1..=a + cells[a].box_words() {
                        self.set(i);
                    }
                }
                tag::ATM => self.atom(c),
                _ => {}
            }
        }
    }

    #[inline]
    fn push(&mut self, c: Cell, from: Cell) {
        match c.tag() {
            tag::INT => {}
            tag::ATM => self.atom(c),
            _ if c == from => {}
            _ => self.stack.push(c),
        }
    }

    fn relocate(&self, c: Cell) -> Cell {
        match c.tag() {
            tag::REF | tag::ATV | tag::STR | tag::LST | tag::BOX => Cell::new(c.tag(), self.forward(c.addr())),
            _ => c,
        }
    }
}

impl Machine {
    /// Collects garbage; the first `arity` registers are live.
    pub(super) fn collect(&mut self, arity: usize) {
        let top = self.heap.top();
        let slots = self.heap.atoms.local_slots();
        let mut marks = Marks {
            bits: vec![0; top / 64 + 1],
            before: Vec::new(),
            stack: Vec::new(),
            atom_base: self.heap.atoms.local_base(),
            atoms: vec![false; slots],
        };
        // ---- mark
        let frames = self.live_frames();
        let cells = &self.heap.cells;
        for c in &self.x[..arity] {
            marks.mark(cells, *c);
        }
        for &f in &frames {
            for i in self.frame_slots(f) {
                marks.mark(cells, self.env[i]);
            }
        }
        for c in self.choice_args.iter().chain(&self.roots).chain(std::iter::once(&self.heap.wakeup)) {
            marks.mark(cells, *c);
        }
        if let Some((_, c)) = self.host_call {
            marks.mark(cells, c);
        }
        for c in self.extra_roots() {
            marks.mark(cells, c);
        }
        self.mark_old_values(&mut marks);
        for a in self.extra_atoms() {
            marks.atom(Cell::atom(a));
        }
        // ---- where everything goes
        let mut n = 0;
        marks.before = marks
            .bits
            .iter()
            .map(|w| {
                let b = n;
                n += w.count_ones() as usize;
                b
            })
            .collect();
        marks.before.push(n);
        // ---- adjust what points into the heap
        for c in &mut self.x[..arity] {
            *c = marks.relocate(*c);
        }
        let nregs = self.x.len();
        self.x[arity..nregs].fill(Cell::small(0));
        for &f in &frames {
            for i in self.frame_slots(f) {
                self.env[i] = marks.relocate(self.env[i]);
            }
        }
        for c in self.choice_args.iter_mut().chain(&mut self.roots) {
            *c = marks.relocate(*c);
        }
        self.heap.wakeup = marks.relocate(self.heap.wakeup);
        if let Some((_, c)) = &mut self.host_call {
            *c = marks.relocate(*c);
        }
        self.update_extra_roots(&|c| marks.relocate(c));
        self.compact_trail(&marks);
        for c in &mut self.choices {
            c.h = marks.forward(c.h);
        }
        self.heap.hb = self.choices.last().map_or(0, |c| c.h);
        self.slide(&marks);
        self.heap.atoms.sweep(&marks.atoms);
        self.gc_count.0 += 1;
        self.gc_count.1 += (top - self.heap.top()) as u64;
        self.gc_at = (self.heap.top() * 2).max(FIRST_COLLECTION);
        if self.heap.cells.capacity() > self.gc_at * 4 {
            self.heap.cells.shrink_to(self.gc_at * 2);
        }
    }

    pub(super) fn live_frames(&self) -> Vec<usize> {
        let (mut seen, mut out) = (FxHashSet::default(), Vec::new());
        self.frames(self.e, &mut seen, &mut out);
        for c in self.choices.iter().rev() {
            self.frames(c.e, &mut seen, &mut out);
        }
        out
    }

    /// Old values on the trail are live when the cell they belong to is.
    fn mark_old_values(&self, marks: &mut Marks) {
        let trail = &self.heap.trail;
        loop {
            let mut new = false;
            let mut i = trail.len();
            while i > 0 {
                i -= 1;
                if trail[i] & 1 == 1 && i > 0 {
                    let (a, old) = ((trail[i] >> 1) as usize, Cell(trail[i - 1]));
                    i -= 1;
                    let pointer = matches!(old.tag(), tag::REF | tag::ATV | tag::STR | tag::LST | tag::BOX);
                    if a < self.heap.top() && marks.get(a) {
                        if old.tag() == tag::ATM {
                            marks.atom(old);
                        }
                        if pointer && (!marks.get(old.addr()) || old.tag() == tag::STR) {
                            let before = marks.get(old.addr());
                            marks.mark(&self.heap.cells, old);
                            new |= !before;
                        }
                    }
                }
            }
            if !new {
                return;
            }
        }
    }

    /// Drops entries of cells that are gone, and moves the others and the choice points' marks.
    fn compact_trail(&mut self, marks: &Marks) {
        let trail = std::mem::take(&mut self.heap.trail);
        // A pair (old value, address) can only be told apart from the end: mark the old values first.
        let mut is_value = vec![false; trail.len()];
        let mut k = trail.len();
        while k > 0 {
            k -= 1;
            if trail[k] & 1 == 1 && k > 0 {
                k -= 1;
                is_value[k] = true;
            }
        }
        let mut out = Vec::with_capacity(trail.len());
        let (mut choice, mut i) = (0, 0);
        loop {
            while choice < self.choices.len() && self.choices[choice].trail <= i {
                self.choices[choice].trail = out.len();
                choice += 1;
            }
            if i >= trail.len() {
                break;
            }
            if is_value[i] {
                let a = (trail[i + 1] >> 1) as usize;
                if marks.get(a) {
                    out.push(marks.relocate(Cell(trail[i])).0);
                    out.push((marks.forward(a) as u64) << 1 | 1);
                }
                i += 2;
            } else {
                let a = (trail[i] >> 1) as usize;
                if marks.get(a) {
                    out.push((marks.forward(a) as u64) << 1);
                }
                i += 1;
            }
        }
        self.heap.trail = out;
    }

    /// Moves the marked cells down.
    fn slide(&mut self, marks: &Marks) {
        let cells = &mut self.heap.cells;
        let (mut to, mut raw) = (0, 0);
        for (w, &word) in marks.bits.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let i = w * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let c = cells[i];
                // Raw words follow their header and are all marked, but they are no cells.
                cells[to] = if raw > 0 {
                    raw -= 1;
                    c
                } else if c.tag() == tag::HDR {
                    raw = c.box_words();
                    c
                } else {
                    marks.relocate(c)
                };
                to += 1;
            }
        }
        cells.truncate(to);
    }

    /// Drops clauses in the graveyard whose code nothing runs or will return to.
    pub(super) fn empty_graveyard(&mut self) {
        let mut pointers: Vec<usize> = vec![self.p as usize, self.cp as usize];
        for f in self.live_frames() {
            pointers.push(self.env[f + 1].0 as usize);
            if self.env[f + 2].as_small() >= 1 {
                // The frame of a wake-up holds the interrupted address in its first slot.
                pointers.push(self.env[f + super::run::SLOTS].as_small() as usize);
            }
        }
        for c in &self.choices {
            pointers.push(c.cp as usize);
            if let super::Kind::Inline { p } = c.kind {
                pointers.push(p as usize);
            }
        }
        pointers.sort_unstable();
        let dead = std::mem::take(&mut self.graveyard);
        for c in dead {
            let start = c.code.as_ptr() as usize;
            let end = start + size_of_val(&*c.code);
            let k = pointers.partition_point(|&p| p < start);
            if pointers.get(k).is_some_and(|&p| p <= end) {
                self.graveyard.push(c);
            } else {
                for a in &c.atoms {
                    self.heap.atoms.unpin(*a);
                }
            }
        }
        self.graveyard_limit = self.graveyard.len() * 2 + 1024;
    }

    /// Roots outside the stacks: global variables and what other families keep on the heap.
    fn extra_roots(&self) -> Vec<Cell> {
        self.globals.roots().collect()
    }

    fn update_extra_roots(&mut self, relocate: &dyn Fn(Cell) -> Cell) {
        for w in self.globals.values_mut() {
            *w = relocate(Cell(*w)).0;
        }
    }

    /// Atoms that values outside the heap refer to.
    fn extra_atoms(&self) -> Vec<crate::atom::Atom> {
        let buffers = self.findall.iter().flatten().flat_map(|r| r.atoms());
        self.globals.atoms().chain(buffers).collect()
    }
}

// What other families keep in the machine, for saving.
impl Machine {
    pub(super) fn save_extra(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.globals).unwrap_or_default()
    }

    pub(super) fn restore_extra(&mut self, bytes: &[u8]) -> Result<(), super::RestoreError> {
        self.globals = postcard::from_bytes(bytes).map_err(|e| super::RestoreError::Damaged(e.to_string()))?;
        Ok(())
    }
}
