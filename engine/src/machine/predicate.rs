//! Predicates of all modules, their clauses, and which clauses a call can match.

use crate::atom::{self, Atom};
use crate::code::{Clause, KEYS};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// Predicates with fewer live clauses are scanned without a hash table.
const SCAN_LIMIT: usize = 8;
/// End of a chain of clauses.
pub const NONE: u32 = u32::MAX;

/// Predicates that the machine runs by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// `call/N`.
    Call,
    /// `catch/3`, `'$call_cleanup'/2`: code made by hand.
    Code(usize),
}

/// What a predicate is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definition {
    Undefined,
    Clauses,
    Det(u32),
    Nondet(u32),
    /// Stops the machine with a host call.
    Suspend,
    Control(Control),
    /// Defined elsewhere: an import (`auto` false), or found through the default modules at this epoch.
    Link {
        to: u32,
        auto: bool,
        epoch: u32,
    },
}

/// A clause in its predicate.
#[derive(Clone, Debug)]
pub struct Slot {
    pub clause: Arc<Clause>,
    /// Visible to calls made in generations `born <= g < died`.
    pub born: u64,
    pub died: u64,
    pub next: u32,
    pub order: i64,
    /// Index key of the first argument.
    pub key: u64,
}

/// Hash index on one argument; built when a call first profits from it.
#[derive(Clone, Debug)]
pub struct Index {
    /// Slots that match a key, in order; clauses with a variable there are in every bucket.
    map: FxHashMap<u64, Vec<u32>>,
    /// Slots with a variable in this argument.
    vars: Vec<u32>,
    /// Too many variables to be of use.
    useless: bool,
}

/// One predicate of one module.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub module: Atom,
    pub name: Atom,
    pub arity: usize,
    pub definition: Definition,
    pub slots: Vec<Slot>,
    pub first: u32,
    last: u32,
    pub live: usize,
    pub dead: usize,
    low: i64,
    high: i64,
    indexes: [OnceLock<Box<Index>>; KEYS],
    /// Purging dead clauses is tried again beyond this number.
    pub purge_at: usize,
    pub dynamic: bool,
    pub discontiguous: bool,
    pub multifile: bool,
    pub tabled: bool,
    pub public: bool,
    /// A predicate of the system that programs may not redefine.
    pub protected: bool,
    /// Meta-argument specifiers, one per argument; a module-sensitive one is true.
    pub meta: Option<Arc<MetaSpec>>,
    /// Source file of the first clause (an atom number) and the load that defined it.
    pub file: u32,
    pub load: u32,
}

/// A `meta_predicate/1` declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaSpec {
    /// As written: `0`–`9`, `:`, `^`, `//`, `+`, `-`, `?`, `*`.
    pub args: Vec<MetaArg>,
}

/// One specifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetaArg {
    Goal(u8),
    Module,
    Exists,
    Dcg,
    Plain(Atom),
}

impl MetaArg {
    /// Whether the caller's module is added to this argument.
    pub fn sensitive(self) -> bool {
        !matches!(self, MetaArg::Plain(_))
    }
}

impl Predicate {
    fn new(module: Atom, name: Atom, arity: usize) -> Predicate {
        Predicate {
            module,
            name,
            arity,
            definition: Definition::Undefined,
            slots: Vec::new(),
            first: NONE,
            last: NONE,
            live: 0,
            dead: 0,
            low: 0,
            high: 0,
            indexes: Default::default(),
            purge_at: 8,
            dynamic: false,
            discontiguous: false,
            multifile: false,
            tabled: false,
            public: false,
            protected: false,
            meta: None,
            file: 0,
            load: 0,
        }
    }

    /// Whether a call of it is no error: defined, or declared dynamic, multifile or discontiguous.
    pub fn is_defined(&self) -> bool {
        !matches!(self.definition, Definition::Undefined | Definition::Link { auto: true, .. })
    }

    /// Adds a clause at the end (`back`) or the front.
    pub fn add(&mut self, clause: Arc<Clause>, generation: u64, back: bool) -> u32 {
        let i = self.slots.len() as u32;
        let key = clause.keys[0];
        let keys = clause.keys;
        let order = if back {
            self.high += 1;
            self.high
        } else {
            self.low -= 1;
            self.low
        };
        let next = if back { NONE } else { self.first };
        self.slots.push(Slot { clause, born: generation, died: u64::MAX, next, order, key });
        if back {
            match self.slots.get_mut(self.last as usize) {
                Some(l) if self.first != NONE => l.next = i,
                _ => self.first = i,
            }
            self.last = i;
        } else {
            if self.first == NONE {
                self.last = i;
            }
            self.first = i;
        }
        self.live += 1;
        for (k, index) in self.indexes.iter_mut().enumerate() {
            if let Some(ix) = index.get_mut() {
                ix.insert(keys[k], i, back);
            }
        }
        i
    }

    /// Ends the life of a clause. Returns false when it was dead already.
    pub fn erase(&mut self, slot: u32, generation: u64) -> bool {
        let Some(s) = self.slots.get_mut(slot as usize) else { return false };
        if s.died != u64::MAX {
            return false;
        }
        s.died = generation;
        self.live -= 1;
        self.dead += 1;
        // Calls made from now on need not look at a dead prefix; older ones stand behind it.
        while let Some(s) = self.slots.get(self.first as usize) {
            if s.died == u64::MAX || s.next == NONE {
                break;
            }
            self.first = s.next;
        }
        true
    }

    /// Forgets dead clauses. Only when no choice point refers to this predicate. Gives the clauses back, whose code may still run.
    pub fn purge(&mut self) -> Vec<Arc<Clause>> {
        let old = std::mem::take(&mut self.slots);
        let mut dead = Vec::new();
        let mut alive: Vec<Slot> = Vec::with_capacity(self.live);
        for s in old {
            if s.died == u64::MAX { alive.push(s) } else { dead.push(s.clause) }
        }
        alive.sort_by_key(|s| s.order);
        let n = alive.len() as u32;
        for (i, s) in alive.iter_mut().enumerate() {
            s.next = if i as u32 + 1 == n { NONE } else { i as u32 + 1 };
        }
        self.slots = alive;
        self.first = if n == 0 { NONE } else { 0 };
        self.last = n.wrapping_sub(1);
        self.dead = 0;
        self.indexes = Default::default();
        self.purge_at = 8 + self.live / 2;
        dead
    }

    /// Live slots in order.
    pub fn live_slots(&self) -> Vec<u32> {
        let mut out = Vec::with_capacity(self.live);
        let mut i = self.first;
        while let Some(s) = self.slots.get(i as usize) {
            if s.died == u64::MAX {
                out.push(i);
            }
            i = s.next;
        }
        out
    }

    /// What the chain of clauses needs besides the slots, for saving.
    pub(crate) fn chain_state(&self) -> (u32, u32, i64, i64) {
        (self.first, self.last, self.low, self.high)
    }

    /// Replaces all clauses by saved ones.
    pub(crate) fn restore_slots(&mut self, slots: Vec<Slot>, chain: (u32, u32, i64, i64)) {
        self.live = slots.iter().filter(|s| s.died == u64::MAX).count();
        self.dead = slots.len() - self.live;
        self.slots = slots;
        (self.first, self.last, self.low, self.high) = chain;
        self.indexes = Default::default();
    }

    fn index(&self, arg: usize) -> &Index {
        self.indexes[arg].get_or_init(|| {
            let mut order: Vec<u32> = (0..self.slots.len() as u32).collect();
            order.sort_by_key(|&i| self.slots[i as usize].order);
            let mut ix = Index { map: FxHashMap::default(), vars: Vec::new(), useless: false };
            let variables = order.iter().filter(|&&i| self.slots[i as usize].clause.keys[arg] == 0).count();
            if variables * 2 > order.len() {
                ix.useless = true;
                return Box::new(ix);
            }
            for i in order {
                ix.insert(self.slots[i as usize].clause.keys[arg], i, true);
            }
            Box::new(ix)
        })
    }

    /// First clause a call with these keys may match, and how to find the following ones.
    #[inline]
    pub fn candidates(&self, keys: &[u64; KEYS], generation: u64) -> Option<(u32, Chain)> {
        if self.live > SCAN_LIMIT {
            let mut best: Option<(usize, &Vec<u32>)> = None;
            for (arg, &key) in keys.iter().enumerate().take(self.arity) {
                if key == 0 {
                    continue;
                }
                let ix = self.index(arg);
                if ix.useless {
                    continue;
                }
                let bucket = ix.map.get(&key).unwrap_or(&ix.vars);
                if best.is_none_or(|b| bucket.len() < b.1.len()) {
                    best = Some((arg, bucket));
                }
                if bucket.len() <= 4 {
                    break;
                }
            }
            if let Some((arg, bucket)) = best {
                let chain = Chain { arg: arg as u8, key: keys[arg] };
                return self.in_bucket(bucket, 0, generation).map(|i| (i, chain));
            }
        }
        let chain = Chain { arg: LINEAR, key: keys[0] };
        self.scan(self.first, keys[0], generation).map(|i| (i, chain))
    }

    /// The next candidate after a slot.
    #[inline]
    pub fn following(&self, slot: u32, chain: Chain, generation: u64) -> Option<u32> {
        let s = self.slots.get(slot as usize)?;
        if chain.arg == LINEAR {
            return self.scan(s.next, chain.key, generation);
        }
        let ix = self.index(chain.arg as usize);
        let bucket = ix.map.get(&chain.key).unwrap_or(&ix.vars);
        let order = s.order;
        let at = bucket.partition_point(|&i| self.slots[i as usize].order <= order);
        self.in_bucket(bucket, at, generation)
    }

    #[inline]
    fn in_bucket(&self, bucket: &[u32], from: usize, generation: u64) -> Option<u32> {
        bucket[from..].iter().copied().find(|&i| {
            let s = &self.slots[i as usize];
            s.born <= generation && generation < s.died
        })
    }

    #[inline]
    fn scan(&self, mut i: u32, key: u64, generation: u64) -> Option<u32> {
        while let Some(s) = self.slots.get(i as usize) {
            if (key == 0 || s.key == 0 || s.key == key) && s.born <= generation && generation < s.died {
                return Some(i);
            }
            i = s.next;
        }
        None
    }
}

const LINEAR: u8 = u8::MAX;

/// How the candidates of a call are linked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    arg: u8,
    key: u64,
}

impl Chain {
    pub(crate) fn parts(self) -> (u8, u64) {
        (self.arg, self.key)
    }
    pub(crate) fn from_parts(arg: u8, key: u64) -> Chain {
        Chain { arg, key }
    }
}

impl Index {
    fn insert(&mut self, key: u64, slot: u32, back: bool) {
        if self.useless {
            return;
        }
        let put = |v: &mut Vec<u32>| if back { v.push(slot) } else { v.insert(0, slot) };
        if key == 0 {
            self.map.values_mut().for_each(put);
            put(&mut self.vars);
        } else {
            let vars = &self.vars;
            put(self.map.entry(key).or_insert_with(|| vars.clone()));
        }
    }
}

/// All predicates of a session. Shared ones are copied when they are first changed.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    pub table: Vec<Arc<Predicate>>,
    by_name: Arc<FxHashMap<(Atom, Atom, u32), u32>>,
    /// Names added since the last freeze.
    local: FxHashMap<(Atom, Atom, u32), u32>,
    /// Grows when a predicate becomes defined, so that links found earlier are looked up again.
    pub epoch: u32,
}

impl Predicates {
    /// The predicate's number, if the module knows the name.
    pub fn lookup(&self, module: Atom, name: Atom, arity: usize) -> Option<u32> {
        let key = (module, name, arity as u32);
        self.local.get(&key).or_else(|| self.by_name.get(&key)).copied()
    }

    /// The predicate's number; an undefined predicate is entered.
    pub fn intern(&mut self, module: Atom, name: Atom, arity: usize) -> u32 {
        if let Some(i) = self.lookup(module, name, arity) {
            return i;
        }
        let i = self.table.len() as u32;
        self.table.push(Arc::new(Predicate::new(module, name, arity)));
        self.local.insert((module, name, arity as u32), i);
        i
    }

    /// Makes the names shared, so that forks are cheap.
    pub fn freeze(&mut self) {
        let mut all = (*self.by_name).clone();
        all.extend(self.local.drain());
        self.by_name = Arc::new(all);
    }

    pub fn get(&self, i: u32) -> &Predicate {
        &self.table[i as usize]
    }

    pub fn get_mut(&mut self, i: u32) -> &mut Predicate {
        Arc::make_mut(&mut self.table[i as usize])
    }

    /// Follows links to where the predicate is defined; `None` when it is not.
    pub fn resolve(&mut self, i: u32) -> Option<u32> {
        let p = &self.table[i as usize];
        match p.definition {
            Definition::Link { to, auto: false, .. } => return self.resolve_link(to),
            Definition::Link { to, auto: true, epoch } if epoch == self.epoch => return Some(to),
            Definition::Undefined | Definition::Link { .. } => {}
            _ => return Some(i),
        }
        if p.dynamic || p.multifile || p.discontiguous {
            return Some(i);
        }
        let (module, name, arity) = (p.module, p.name, p.arity);
        let candidates = [atom::USER, atom::SYSTEM];
        for m in candidates {
            if m == module || (m == atom::USER && module == atom::SYSTEM) {
                continue;
            }
            if let Some(j) = self.lookup(m, name, arity) {
                let q = &self.table[j as usize];
                let found = match q.definition {
                    Definition::Link { to, auto: false, .. } => self.resolve_link(to),
                    Definition::Undefined if q.dynamic || q.multifile => Some(j),
                    Definition::Undefined | Definition::Link { .. } => None,
                    _ => Some(j),
                };
                if let Some(to) = found {
                    let epoch = self.epoch;
                    self.get_mut(i).definition = Definition::Link { to, auto: true, epoch };
                    return Some(to);
                }
            }
        }
        None
    }

    /// Follows a chain of imports.
    fn resolve_link(&self, mut to: u32) -> Option<u32> {
        for _ in 0..64 {
            let p = &self.table[to as usize];
            match p.definition {
                Definition::Link { to: next, auto: false, .. } => to = next,
                Definition::Undefined | Definition::Link { .. } => return if p.dynamic || p.multifile { Some(to) } else { None },
                _ => return Some(to),
            }
        }
        None
    }
}
