//! The term store: heap cells, trail, bindings, and the constructors and views every built-in uses.

use crate::atom::{self, Atom, AtomTable};
use crate::cell::{Cell, MAX_ARITY, SMALL_MAX, SMALL_MIN, kind, tag};
use dashu_base::Sign;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A dereferenced term, taken apart one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// Unbound variable at this address.
    Var(usize),
    /// Unbound attributed variable at this address; its attributes are in the next cell.
    Attributed(usize),
    /// Atom, `[]` included.
    Atom(Atom),
    /// Integer of 61 bits.
    Int(i64),
    /// Integer beyond 61 bits, at this address; see [`Heap::big`].
    Big(usize),
    /// Rational that is not an integer, at this address; see [`Heap::rational`].
    Rational(usize),
    /// Float.
    Float(f64),
    /// String, at this address; see [`Heap::str_at`].
    Str(usize),
    /// List pair: the head at this address, the tail in the next cell.
    List(usize),
    /// Any other compound: its functor header at this address, the arguments behind it.
    Compound(usize, Atom, usize),
}

/// Trail entry that restores an old value (two words) rather than making a cell unbound.
const VALUE_ENTRY: u64 = 1;

/// Heap, trail and atoms of one session.
#[derive(Clone, Debug)]
pub struct Heap {
    /// The global stack of cells.
    pub cells: Vec<Cell>,
    /// Addresses to reset on backtracking: `addr << 1`, or an old value followed by `addr << 1 | 1`.
    pub trail: Vec<u64>,
    /// Cells below this address are older than the newest choice point: binding them is trailed.
    pub hb: usize,
    /// Interned names.
    pub atoms: AtomTable,
    /// Goals of attributed variables bound since the last look, as pairs `wakeup(Att, Value)`; `[]` when none.
    pub wakeup: Cell,
    /// Largest number of cells a built-in may grow the heap to; beyond it constructors fail with a resource error.
    pub max_cells: usize,
}

impl Heap {
    /// An empty heap over the engine's own atoms.
    pub fn new() -> Heap {
        Heap { cells: Vec::new(), trail: Vec::new(), hb: 0, atoms: AtomTable::new(), wakeup: Cell::NIL, max_cells: usize::MAX >> 8 }
    }

    // ---- views

    /// Follows references to the value or to the unbound variable.
    #[inline(always)]
    pub fn deref(&self, mut c: Cell) -> Cell {
        while c.is_ref() {
            let d = self.cells[c.addr()];
            if d == c {
                break;
            }
            c = d;
        }
        c
    }

    /// Dereferences and takes one level apart.
    #[inline]
    pub fn view(&self, c: Cell) -> Term {
        let c = self.deref(c);
        match c.tag() {
            tag::REF => Term::Var(c.addr()),
            tag::ATV => Term::Attributed(c.addr()),
            tag::ATM => Term::Atom(c.as_atom()),
            tag::INT => Term::Int(c.as_small()),
            tag::LST => Term::List(c.addr()),
            tag::STR => {
                let h = self.cells[c.addr()];
                Term::Compound(c.addr(), h.functor_name(), h.functor_arity())
            }
            _ => {
                let a = c.addr();
                match self.cells[a].header_kind() {
                    kind::FLOAT => Term::Float(f64::from_bits(self.cells[a + 1].0)),
                    kind::BIG => Term::Big(a),
                    kind::RATIONAL => Term::Rational(a),
                    _ => Term::Str(a),
                }
            }
        }
    }

    /// True when the term is an unbound variable, attributed or not.
    #[inline(always)]
    pub fn is_var(&self, c: Cell) -> bool {
        self.deref(c).is_ref()
    }

    /// True for atoms, numbers and strings.
    pub fn is_atomic(&self, c: Cell) -> bool {
        let c = self.deref(c);
        !c.is_ref() && !c.is_compound()
    }

    /// True for atoms and compounds.
    pub fn is_callable(&self, c: Cell) -> bool {
        let c = self.deref(c);
        c.is_atom() || c.is_compound()
    }

    /// Name and arity of an atom or compound (`[]`/0 and `'[|]'/2` included).
    pub fn name_arity(&self, c: Cell) -> Option<(Atom, usize)> {
        match self.view(c) {
            Term::Atom(a) => Some((a, 0)),
            Term::List(_) => Some((atom::DOT, 2)),
            Term::Compound(_, n, a) => Some((n, a)),
            _ => None,
        }
    }

    /// Argument `i` (from 0) of a compound or list pair. The caller has checked that it exists.
    #[inline]
    pub fn arg(&self, c: Cell, i: usize) -> Cell {
        let c = self.deref(c);
        let first = if c.is_list() { c.addr() } else { c.addr() + 1 };
        self.cells[first + i]
    }

    /// Addresses of the arguments of a compound or list pair; empty for anything else.
    pub fn args(&self, c: Cell) -> std::ops::Range<usize> {
        match self.view(c) {
            Term::List(a) => a..a + 2,
            Term::Compound(a, _, n) => a + 1..a + 1 + n,
            _ => 0..0,
        }
    }

    /// The arguments when the term is `name/arity`.
    pub fn match_compound(&self, c: Cell, name: Atom, arity: usize) -> Option<&[Cell]> {
        match self.view(c) {
            Term::Compound(a, n, k) if n == name && k == arity => Some(&self.cells[a + 1..a + 1 + k]),
            Term::List(a) if name == atom::DOT && arity == 2 => Some(&self.cells[a..a + 2]),
            _ => None,
        }
    }

    /// Head and tail of a list pair.
    #[inline]
    pub fn pair(&self, c: Cell) -> Option<(Cell, Cell)> {
        let c = self.deref(c);
        if c.is_list() { Some((self.cells[c.addr()], self.cells[c.addr() + 1])) } else { None }
    }

    /// The elements of a proper list; `Err` with the tail that is not a list. Cyclic lists end as an error.
    pub fn list_to_vec(&self, c: Cell) -> Result<Vec<Cell>, Cell> {
        let mut out = Vec::new();
        let mut c = self.deref(c);
        let (mut slow, mut power, mut steps) = (c, 1usize, 0usize);
        while let Some((h, t)) = self.pair(c) {
            out.push(h);
            c = self.deref(t);
            steps += 1;
            if c == slow && c.is_list() {
                return Err(c);
            }
            if steps == power {
                (slow, power) = (c, power * 2);
            }
        }
        if c == Cell::NIL { Ok(out) } else { Err(c) }
    }

    /// Bytes of the string whose header is at `addr`.
    pub fn str_bytes(&self, addr: usize) -> &[u8] {
        let h = self.cells[addr];
        let len = (h.0 >> 9) as usize;
        let words = &self.cells[addr + 1..addr + 1 + len.div_ceil(8)];
        bytes_of(words, len)
    }

    /// Text of the string whose header is at `addr`.
    pub fn str_at(&self, addr: usize) -> &str {
        std::str::from_utf8(self.str_bytes(addr)).unwrap_or("")
    }

    /// Whether the string at `addr` is ASCII only, so that characters are bytes.
    pub fn str_is_ascii(&self, addr: usize) -> bool {
        self.cells[addr].box_flag()
    }

    /// Value of the big integer whose header is at `addr`.
    pub fn big(&self, addr: usize) -> IBig {
        let h = self.cells[addr];
        let n = h.box_words();
        self.limbs(addr + 1, n, h.box_flag())
    }

    fn limbs(&self, from: usize, n: usize, negative: bool) -> IBig {
        let words: smallvec::SmallVec<[u64; 8]> = self.cells[from..from + n].iter().map(|c| c.0).collect();
        let sign = if negative { Sign::Negative } else { Sign::Positive };
        IBig::from_parts(sign, UBig::from_words(&words))
    }

    /// Value of the rational whose header is at `addr`.
    pub fn rational(&self, addr: usize) -> RBig {
        let n = self.cells[addr].box_words();
        let first = self.cells[addr + 1].0;
        let k = (first >> 1) as usize;
        let num = self.limbs(addr + 2, k, first & 1 == 1);
        let den = self.limbs(addr + 2 + k, n - 1 - k, false);
        RBig::from_parts(num, den.into_parts().1)
    }

    /// Attributes of the attributed variable at `addr`: a chain `att(Module, Value, More)` ending in `[]`.
    pub fn attributes(&self, addr: usize) -> Cell {
        self.cells[addr + 1]
    }

    // ---- constructors

    /// Address the next cell will get.
    #[inline(always)]
    pub fn top(&self) -> usize {
        self.cells.len()
    }

    /// Appends one cell.
    #[inline(always)]
    pub fn push(&mut self, c: Cell) {
        self.cells.push(c);
    }

    /// A fresh unbound variable.
    #[inline(always)]
    pub fn new_var(&mut self) -> Cell {
        let v = Cell::reference(self.cells.len());
        self.cells.push(v);
        v
    }

    /// A fresh attributed variable with this chain of attributes.
    pub fn new_attributed(&mut self, attributes: Cell) -> Cell {
        let v = Cell::new(tag::ATV, self.cells.len());
        self.cells.push(v);
        self.cells.push(attributes);
        v
    }

    /// Any integer of 64 bits.
    #[inline]
    pub fn int(&mut self, i: i64) -> Cell {
        if (SMALL_MIN..=SMALL_MAX).contains(&i) { Cell::small(i) } else { self.push_limbs_box(i < 0, &[i.unsigned_abs()]) }
    }

    fn push_limbs_box(&mut self, negative: bool, words: &[u64]) -> Cell {
        let a = self.cells.len();
        self.cells.push(Cell::box_header(kind::BIG, negative, words.len()));
        self.cells.extend(words.iter().map(|&w| Cell(w)));
        Cell::new(tag::BOX, a)
    }

    /// Any integer, in its one canonical form.
    pub fn integer(&mut self, i: &IBig) -> Cell {
        match i64::try_from(i) {
            Ok(i) => self.int(i),
            Err(_) => {
                let (sign, words) = i.as_sign_words();
                self.push_limbs_box(sign == Sign::Negative, words)
            }
        }
    }

    /// Any rational; an integer when the denominator is 1.
    pub fn ratio(&mut self, r: &RBig) -> Cell {
        if r.is_int() {
            return self.integer(r.numerator());
        }
        let (sign, num) = r.numerator().as_sign_words();
        let den = r.denominator().as_words();
        let a = self.cells.len();
        self.cells.push(Cell::box_header(kind::RATIONAL, false, 1 + num.len() + den.len()));
        self.cells.push(Cell((num.len() as u64) << 1 | (sign == Sign::Negative) as u64));
        self.cells.extend(num.iter().chain(den).map(|&w| Cell(w)));
        Cell::new(tag::BOX, a)
    }

    /// A float.
    #[inline]
    pub fn float(&mut self, f: f64) -> Cell {
        let a = self.cells.len();
        self.cells.push(Cell::box_header(kind::FLOAT, false, 0));
        self.cells.push(Cell(f.to_bits()));
        Cell::new(tag::BOX, a)
    }

    /// A string.
    pub fn string(&mut self, s: &str) -> Cell {
        let a = self.cells.len();
        self.cells.push(Cell::box_header(kind::STRING, s.is_ascii(), s.len()));
        self.cells.extend(words_of(s.as_bytes()));
        Cell::new(tag::BOX, a)
    }

    /// An atom by its text.
    pub fn atom(&mut self, s: &str) -> Cell {
        Cell::atom(self.atoms.intern(s))
    }

    /// A list pair.
    #[inline]
    pub fn list(&mut self, head: Cell, tail: Cell) -> Cell {
        let a = self.cells.len();
        self.cells.push(head);
        self.cells.push(tail);
        Cell::new(tag::LST, a)
    }

    /// A list of these elements that ends in `tail`.
    pub fn list_with_tail(&mut self, items: &[Cell], tail: Cell) -> Cell {
        if items.is_empty() {
            return tail;
        }
        let start = self.cells.len();
        self.cells.reserve(items.len() * 2);
        for &c in items {
            let next = Cell::new(tag::LST, self.cells.len() + 2);
            self.cells.push(c);
            self.cells.push(next);
        }
        if let Some(last) = self.cells.last_mut() {
            *last = tail;
        }
        Cell::new(tag::LST, start)
    }

    /// A proper list of these elements.
    pub fn list_from(&mut self, items: &[Cell]) -> Cell {
        self.list_with_tail(items, Cell::NIL)
    }

    /// `name(args...)`; the atom itself when there are none, a list pair for `'[|]'/2`.
    pub fn compound(&mut self, name: Atom, args: &[Cell]) -> Cell {
        match args {
            [] => Cell::atom(name),
            [h, t] if name == atom::DOT => self.list(*h, *t),
            _ => self.compound_any(name, args),
        }
    }

    /// `name(args...)`, `name()` included.
    pub fn compound_any(&mut self, name: Atom, args: &[Cell]) -> Cell {
        debug_assert!(args.len() <= MAX_ARITY);
        let a = self.cells.len();
        self.cells.push(Cell::functor(name, args.len()));
        self.cells.extend_from_slice(args);
        Cell::new(tag::STR, a)
    }

    /// As [`Heap::compound`], by the name's text.
    pub fn compound_named(&mut self, name: &str, args: &[Cell]) -> Cell {
        let name = self.atoms.intern(name);
        self.compound(name, args)
    }

    /// `name/arity` as a term.
    pub fn indicator(&mut self, name: Atom, arity: usize) -> Cell {
        self.compound(atom::SLASH, &[Cell::atom(name), Cell::small(arity as i64)])
    }

    // ---- binding

    /// Binds the unbound variable `v` (as [`Heap::deref`] gave it) to `value`, which is not `v` itself.
    /// Trails as needed and notes attributed variables for wake-up.
    #[inline(always)]
    pub fn bind(&mut self, v: Cell, value: Cell) {
        let a = v.addr();
        if v.tag() == tag::REF {
            self.cells[a] = value;
            if a < self.hb {
                self.trail.push((a as u64) << 1);
            }
        } else {
            self.bind_attributed(v, value);
        }
    }

    #[cold]
    fn bind_attributed(&mut self, v: Cell, value: Cell) {
        let a = v.addr();
        let value = self.deref(value);
        if value.tag() == tag::REF {
            // An ordinary variable always points to the attributed one, whatever their ages.
            self.cells[value.addr()] = v;
            if value.addr() < self.hb {
                self.trail.push((value.addr() as u64) << 1);
            }
            return;
        }
        let att = self.cells[a + 1];
        self.trail.push(v.0);
        self.trail.push((a as u64) << 1 | VALUE_ENTRY);
        self.cells[a] = value;
        let wake = self.compound(atom::WAKEUP, &[att, value, v]);
        // `v` inside the goal must not be read through its new binding by the collector: it is only a name for the address.
        let list = self.wakeup;
        let cell = self.list(wake, list);
        self.wakeup = cell;
    }

    /// Overwrites the cell at `addr`; backtracking restores the old value.
    pub fn set_trailed(&mut self, addr: usize, value: Cell) {
        self.trail.push(self.cells[addr].0);
        self.trail.push((addr as u64) << 1 | VALUE_ENTRY);
        self.cells[addr] = value;
    }

    /// Undoes every binding made since the trail had this length.
    #[inline]
    pub fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let e = self.trail.pop().unwrap_or(0);
            let a = (e >> 1) as usize;
            if e & 1 == 0 {
                self.cells[a] = Cell::reference(a);
            } else {
                let old = self.trail.pop().unwrap_or(0);
                self.cells[a] = Cell(old);
            }
        }
    }

    /// Binds one of two distinct unbound variables to the other, the younger to the older.
    #[inline]
    pub fn bind_vars(&mut self, x: Cell, y: Cell) {
        match (x.tag(), y.tag()) {
            (tag::REF, tag::REF) if x.addr() < y.addr() => self.bind(y, x),
            (tag::REF, _) => self.bind(x, y),
            (_, tag::REF) => self.bind(y, x),
            // The younger one is bound, as SWI-Prolog does: goals suspended on both run in the order of the variables.
            _ if x.addr() < y.addr() => self.bind(y, x),
            _ => self.bind(x, y),
        }
    }

    /// Unifies two terms; bindings made before a failure stay until backtracking. Never recurses; cyclic terms end.
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.deref(a), self.deref(b));
        if a == b {
            return true;
        }
        if a.is_ref() {
            if b.is_ref() {
                self.bind_vars(a, b)
            } else {
                self.bind(a, b)
            }
            return true;
        }
        if b.is_ref() {
            self.bind(b, a);
            return true;
        }
        if a.tag() != b.tag() || !(a.is_compound() || a.tag() == tag::BOX) {
            return false;
        }
        self.unify_nonvar(a, b)
    }

    fn unify_nonvar(&mut self, a: Cell, b: Cell) -> bool {
        let mut stack: smallvec::SmallVec<[(usize, usize, usize); 32]> = smallvec::SmallVec::new();
        let (mut a, mut b) = (a, b);
        // Work done so far: long runs switch on the guard against cyclic terms.
        let mut steps = 0usize;
        let mut seen: Option<rustc_hash::FxHashSet<(usize, usize)>> = None;
        loop {
            // a and b are dereferenced and different
            if a.is_ref() {
                if b.is_ref() { self.bind_vars(a, b) } else { self.bind(a, b) }
            } else if b.is_ref() {
                self.bind(b, a);
            } else if a.tag() != b.tag() {
                return false;
            } else {
                match a.tag() {
                    tag::LST | tag::STR => {
                        let (pa, pb) = (a.addr(), b.addr());
                        let (first, n) = if a.is_list() {
                            (0, 2)
                        } else {
                            if self.cells[pa] != self.cells[pb] {
                                return false;
                            }
                            (1, self.cells[pa].functor_arity())
                        };
                        steps += 1;
                        if steps > 1 << 20 {
                            let set = seen.get_or_insert_with(Default::default);
                            if n > 0 && set.insert((pa, pb)) {
                                stack.push((pa + first, pb + first, n));
                            }
                        } else if n > 0 {
                            stack.push((pa + first, pb + first, n));
                        }
                    }
                    tag::BOX => {
                        if !self.boxes_equal(a.addr(), b.addr()) {
                            return false;
                        }
                    }
                    _ => return false,
                }
            }
            // next pair that differs
            loop {
                let Some(top) = stack.last_mut() else { return true };
                let (x, y) = (top.0, top.1);
                if top.2 == 1 {
                    stack.pop();
                } else {
                    *top = (x + 1, y + 1, top.2 - 1);
                }
                a = self.deref(self.cells[x]);
                b = self.deref(self.cells[y]);
                if a != b {
                    break;
                }
            }
        }
    }

    /// Whether two boxes hold the same value.
    pub fn boxes_equal(&self, a: usize, b: usize) -> bool {
        let h = self.cells[a];
        if h != self.cells[b] {
            return false;
        }
        let n = h.box_words();
        self.cells[a + 1..a + 1 + n] == self.cells[b + 1..b + 1 + n]
    }
}

impl Default for Heap {
    fn default() -> Self {
        Self::new()
    }
}

/// Packs bytes into raw words, the last one padded with zeros.
fn words_of(bytes: &[u8]) -> impl Iterator<Item = Cell> + '_ {
    bytes.chunks(8).map(|c| {
        let mut w = [0u8; 8];
        w[..c.len()].copy_from_slice(c);
        Cell(u64::from_le_bytes(w))
    })
}

/// Views raw words as bytes.
#[cfg(target_endian = "little")]
fn bytes_of(words: &[Cell], len: usize) -> &[u8] {
    debug_assert!(len <= words.len() * 8);
    // SAFETY: `Cell` is a transparent `u64`, any byte of which is a valid `u8`; `len` is within the slice.
    #[allow(unsafe_code, reason = "strings are read where they lie")]
    unsafe {
        std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), len.min(words.len() * 8))
    }
}

#[cfg(not(target_endian = "little"))]
compile_error!("the string representation assumes a little-endian machine");
