//! Saving a stopped session to bytes and restoring it, in another process too.
//!
//! Only what differs from the frozen program is written. Code addresses become `(clause, offset)`; a clause of the
//! program is named by its predicate and position, which the same version and program give again.
#![allow(unsafe_code, reason = "a place in a clause becomes a program counter again")]

use super::predicate::{Chain, Definition, Slot};
use super::{Choice, Kind, Limits, Machine, State, Unwind};
use crate::atom::Atom;
use crate::cell::Cell;
use crate::code::{Clause, Instr};
use crate::flags::Flags;
use crate::ops::OpType;
use crate::record::Record;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"DCSESSN1";

/// Why saved bytes cannot be restored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RestoreError {
    #[error("this is no saved session")]
    NotASession,
    #[error("the session was saved by engine version {saved}, this is {running}")]
    Version { saved: String, running: String },
    #[error("the session was saved with another program or library: load the same files in the same order before restoring")]
    Program,
    #[error("the saved session is damaged: {0}")]
    Damaged(String),
    #[error("the session cannot be saved: {0}")]
    Unsaveable(String),
}

/// A code address: which code, and how many instructions into it.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
struct Place {
    code: Code,
    offset: u32,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
enum Code {
    Static(u8),
    Clause { predicate: u32, slot: u32 },
    Buried(u32),
}

#[derive(Serialize, Deserialize)]
enum SavedKind {
    Clauses { predicate: u32, slot: u32, arg: u8, key: u64, generation: u64 },
    Inline(Place),
    Catch,
    Cleanup,
    Native(u32),
    Dead,
    Base,
}

#[derive(Serialize, Deserialize)]
struct SavedChoice {
    kind: SavedKind,
    e: usize,
    cp: Place,
    b0: usize,
    trail: usize,
    h: usize,
    env_top: usize,
    args: usize,
    findall: usize,
}

#[derive(Serialize, Deserialize)]
struct SavedSlot {
    clause: SavedClause,
    born: u64,
    died: u64,
    next: u32,
    order: i64,
}

#[derive(Serialize, Deserialize)]
enum SavedClause {
    /// The clause at this position of the program's own predicate.
    Program(u32),
    New(Clause),
}

#[derive(Serialize, Deserialize)]
enum SavedDefinition {
    Undefined,
    Clauses,
    Det(u32),
    Nondet(u32),
    Suspend,
    Link { to: u32, auto: bool },
    Same,
}

#[derive(Serialize, Deserialize)]
struct SavedPredicate {
    index: u32,
    module: Atom,
    name: Atom,
    arity: u32,
    definition: SavedDefinition,
    slots: Vec<SavedSlot>,
    chain: (u32, u32, i64, i64),
    flags: [bool; 6],
    file: u32,
    load: u32,
}

/// The operators of one module.
type SavedOps = (Atom, Vec<(Atom, u16, OpType)>);
/// A module: its name, its file, what it exports.
type SavedModule = (Atom, Option<Atom>, Vec<(Atom, usize)>);

#[derive(Serialize, Deserialize)]
struct Saved {
    fingerprint: u64,
    atoms: Vec<Option<(String, u32)>>,
    predicates: Vec<SavedPredicate>,
    epoch: u32,
    flags: Flags,
    ops: Vec<SavedOps>,
    modules: Vec<SavedModule>,
    source_module: Atom,
    limits: Limits,
    cells: Vec<Cell>,
    trail: Vec<u64>,
    wakeup: Cell,
    x: Vec<Cell>,
    env: Vec<Cell>,
    env_places: Vec<(usize, Place)>,
    interrupted: Vec<(usize, Place)>,
    choices: Vec<SavedChoice>,
    choice_args: Vec<Cell>,
    p: Place,
    cp: Place,
    e: usize,
    b0: usize,
    state: u8,
    host_call: Option<(u32, Cell)>,
    reenter: Option<u32>,
    inferences: u64,
    generation: u64,
    findall: Vec<Vec<Record>>,
    buried: Vec<Clause>,
    roots: Vec<Cell>,
    unwinding: Option<(u8, i32)>,
    load_number: u32,
    clause_bytes: usize,
    extra: Vec<u8>,
}

/// Code addresses of a machine, sorted.
struct Places {
    ranges: Vec<(usize, usize, Code)>,
}

impl Places {
    fn of(m: &Machine) -> Places {
        let mut ranges = Vec::new();
        let mut add = |p: *const Instr, n: usize, c: Code| ranges.push((p as usize, p as usize + n * size_of::<Instr>(), c));
        for (i, (p, n)) in super::control::static_codes().into_iter().enumerate() {
            add(p, n, Code::Static(i as u8));
        }
        for (i, p) in m.predicates.table.iter().enumerate() {
            for (k, s) in p.slots.iter().enumerate() {
                add(s.clause.code.as_ptr(), s.clause.code.len(), Code::Clause { predicate: i as u32, slot: k as u32 });
            }
        }
        for (i, c) in m.graveyard.iter().enumerate() {
            add(c.code.as_ptr(), c.code.len(), Code::Buried(i as u32));
        }
        ranges.sort_by_key(|r| r.0);
        Places { ranges }
    }

    fn find(&self, p: *const Instr) -> Result<Place, RestoreError> {
        let a = p as usize;
        let i = self.ranges.partition_point(|r| r.0 <= a);
        match i.checked_sub(1).and_then(|i| self.ranges.get(i)) {
            Some(&(start, end, code)) if a < end => Ok(Place { code, offset: ((a - start) / size_of::<Instr>()) as u32 }),
            _ => Err(RestoreError::Unsaveable("a code address belongs to no clause".into())),
        }
    }
}

impl Machine {
    fn code_at(&self, place: Place) -> Result<*const Instr, RestoreError> {
        let damaged = || RestoreError::Damaged("a code address".into());
        let (start, len) = match place.code {
            Code::Static(i) => *super::control::static_codes().get(i as usize).ok_or_else(damaged)?,
            Code::Clause { predicate, slot } => {
                let p = self.predicates.table.get(predicate as usize).ok_or_else(damaged)?;
                let c = p.slots.get(slot as usize).ok_or_else(damaged)?;
                (c.clause.code.as_ptr(), c.clause.code.len())
            }
            Code::Buried(i) => {
                let c = self.graveyard.get(i as usize).ok_or_else(damaged)?;
                (c.code.as_ptr(), c.code.len())
            }
        };
        if place.offset as usize >= len {
            return Err(damaged());
        }
        // SAFETY: the offset was checked against the length of the code.
        Ok(unsafe { start.add(place.offset as usize) })
    }

    /// A number that differs when version, library or program differ.
    fn fingerprint(&self) -> u64 {
        let mut h = 0xcbf2_9ce4_8422_2325u64;
        let mut mix = |x: u64| h = (h ^ x).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
        env!("CARGO_PKG_VERSION").bytes().for_each(|b| mix(b as u64));
        mix(self.natives.len() as u64);
        mix(self.heap.atoms.local_base() as u64);
        for p in &self.predicates.table {
            mix(p.name.0 as u64 ^ (p.module.0 as u64) << 32);
            mix(p.arity as u64);
            for s in &p.slots {
                mix(s.clause.code.len() as u64);
                s.clause.keys.iter().for_each(|k| mix(*k));
            }
        }
        h
    }

    /// Saves the session. `program` is the machine it was forked from, frozen.
    ///
    /// Streams on files are not saved: after restoring only the standard streams are open.
    pub fn save(&self, program: &Machine) -> Result<Vec<u8>, RestoreError> {
        let places = Places::of(self);
        let frames = self.live_frames();
        let top = frames.iter().map(|&f| self.frame_slots(f).end).max().unwrap_or(0).max(self.env_top());
        let resume = super::run::resume_code();
        let mut interrupted_frames: Vec<usize> = Vec::new();
        let mut note = |cp: *const Instr, e: usize| {
            if cp == resume {
                interrupted_frames.push(e);
            }
        };
        note(self.cp, self.e);
        note(self.p, self.e);
        self.choices.iter().for_each(|c| note(c.cp, c.e));
        for &f in &frames {
            note(self.env[f + 1].0 as *const Instr, self.env[f].as_small() as usize);
        }
        interrupted_frames.sort_unstable();
        interrupted_frames.dedup();
        interrupted_frames.retain(|&f| f != 0);
        let mut interrupted = Vec::new();
        for f in interrupted_frames {
            let p = self.env[f + super::run::SLOTS].as_small() as u64 as *const Instr;
            interrupted.push((f, places.find(p)?));
        }
        let mut env_places = Vec::new();
        for &f in &frames {
            env_places.push((f, places.find(self.env[f + 1].0 as *const Instr)?));
        }
        let mut choices = Vec::new();
        for c in &self.choices {
            let kind = match c.kind {
                Kind::Clauses { predicate, slot, chain, generation } => {
                    let (arg, key) = chain.parts();
                    SavedKind::Clauses { predicate, slot, arg, key, generation }
                }
                Kind::Inline { p } => SavedKind::Inline(places.find(p)?),
                Kind::Catch => SavedKind::Catch,
                Kind::Cleanup => SavedKind::Cleanup,
                Kind::Native { native } => SavedKind::Native(native),
                Kind::Dead => SavedKind::Dead,
                Kind::Base => SavedKind::Base,
            };
            choices.push(SavedChoice {
                kind,
                e: c.e,
                cp: places.find(c.cp)?,
                b0: c.b0,
                trail: c.trail,
                h: c.h,
                env_top: c.env_top,
                args: c.args,
                findall: c.findall,
            });
        }
        let arity = match (self.state, self.reenter) {
            (_, Some(i)) => self.predicates.get(i).arity,
            // The registers of a call that ran out of fuel: the instruction at `p` names the predicate.
            (State::Run, None) => 256.min(self.x.len()),
            _ => 0,
        };
        let saved = Saved {
            fingerprint: program.fingerprint(),
            atoms: self.heap.atoms.local_texts(),
            predicates: self.saved_predicates(program),
            epoch: self.predicates.epoch,
            flags: self.flags.clone(),
            ops: self.ops.modules().into_iter().map(|m| (m, self.ops.local(m))).collect(),
            modules: {
                let mut v: Vec<_> = self.modules.iter().map(|(n, m)| (*n, m.file, m.exports.clone())).collect();
                v.sort_by_key(|x| x.0);
                v
            },
            source_module: self.source_module,
            limits: self.limits,
            cells: self.heap.cells.clone(),
            trail: self.heap.trail.clone(),
            wakeup: self.heap.wakeup,
            x: self.x[..arity].to_vec(),
            env: self.env[..top.min(self.env.len())].to_vec(),
            env_places,
            interrupted,
            choices,
            choice_args: self.choice_args.clone(),
            p: places.find(self.p)?,
            cp: places.find(self.cp)?,
            e: self.e,
            b0: self.b0,
            state: match self.state {
                State::Idle => 0,
                State::Run => 1,
                State::Backtrack => 2,
                State::Host => 3,
            },
            host_call: self.host_call,
            reenter: self.reenter,
            inferences: self.inference_count(),
            generation: self.generation,
            findall: self.findall.clone(),
            buried: self.graveyard.iter().map(|c| copy_clause(c)).collect(),
            roots: self.roots.clone(),
            unwinding: self.unwinding.map(|u| match u {
                Unwind::Halt(n) => (0, n),
                Unwind::Inferences => (1, 0),
                Unwind::Cancelled => (2, 0),
            }),
            load_number: self.load_number,
            clause_bytes: self.clause_bytes,
            extra: self.save_extra(),
        };
        let mut out = MAGIC.to_vec();
        let version = env!("CARGO_PKG_VERSION");
        out.push(version.len() as u8);
        out.extend_from_slice(version.as_bytes());
        let body = postcard::to_stdvec(&saved).map_err(|e| RestoreError::Unsaveable(e.to_string()))?;
        out.extend_from_slice(&checksum(&body).to_le_bytes());
        out.extend_from_slice(&body);
        Ok(out)
    }

    fn saved_predicates(&self, program: &Machine) -> Vec<SavedPredicate> {
        let mut out = Vec::new();
        for (i, p) in self.predicates.table.iter().enumerate() {
            let own = program.predicates.table.get(i);
            if own.is_some_and(|o| Arc::ptr_eq(o, p)) {
                continue;
            }
            let known: FxHashMap<*const Clause, u32> =
                own.iter().flat_map(|o| o.slots.iter().enumerate()).map(|(k, s)| (Arc::as_ptr(&s.clause), k as u32)).collect();
            let slots = p
                .slots
                .iter()
                .map(|s| SavedSlot {
                    clause: match known.get(&Arc::as_ptr(&s.clause)) {
                        Some(k) => SavedClause::Program(*k),
                        None => SavedClause::New(copy_clause(&s.clause)),
                    },
                    born: s.born,
                    died: s.died,
                    next: s.next,
                    order: s.order,
                })
                .collect();
            out.push(SavedPredicate {
                index: i as u32,
                module: p.module,
                name: p.name,
                arity: p.arity as u32,
                definition: match p.definition {
                    Definition::Undefined => SavedDefinition::Undefined,
                    Definition::Clauses => SavedDefinition::Clauses,
                    Definition::Det(n) => SavedDefinition::Det(n),
                    Definition::Nondet(n) => SavedDefinition::Nondet(n),
                    Definition::Suspend => SavedDefinition::Suspend,
                    Definition::Control(_) => SavedDefinition::Same,
                    Definition::Link { to, auto, .. } => SavedDefinition::Link { to, auto },
                },
                slots,
                chain: p.chain_state(),
                flags: [p.dynamic, p.discontiguous, p.multifile, p.tabled, p.public, p.protected],
                file: p.file,
                load: p.load,
            });
        }
        out
    }

    /// Restores a session that [`Machine::save`] wrote, over the same program.
    ///
    /// Errors: see [`RestoreError`]; nothing of a session that cannot be restored is kept.
    pub fn restore(program: &Machine, bytes: &[u8]) -> Result<Machine, RestoreError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(RestoreError::NotASession)?;
        let (&n, rest) = rest.split_first().ok_or(RestoreError::NotASession)?;
        let (version, rest) = rest.split_at_checked(n as usize).ok_or(RestoreError::NotASession)?;
        let running = env!("CARGO_PKG_VERSION");
        if version != running.as_bytes() {
            return Err(RestoreError::Version { saved: String::from_utf8_lossy(version).into_owned(), running: running.into() });
        }
        let (sum, body) = rest.split_at_checked(8).ok_or(RestoreError::NotASession)?;
        if sum != checksum(body).to_le_bytes() {
            return Err(RestoreError::Damaged("the checksum does not match".into()));
        }
        let saved: Saved = postcard::from_bytes(body).map_err(|e| RestoreError::Damaged(e.to_string()))?;
        if saved.fingerprint != program.fingerprint() {
            return Err(RestoreError::Program);
        }
        let mut m = program.fork();
        m.heap.atoms.restore_local(saved.atoms);
        m.graveyard = saved.buried.into_iter().map(Clause::seal).collect();
        m.restore_predicates(saved.predicates)?;
        m.predicates.epoch = saved.epoch;
        m.flags = saved.flags;
        for (module, defs) in saved.ops {
            for (name, priority, t) in defs {
                m.ops.add(module, name, priority, t);
            }
        }
        let modules = Arc::make_mut(&mut m.modules);
        for (name, file, exports) in saved.modules {
            let e = modules.entry(name).or_default();
            e.file = file;
            e.exports = exports;
        }
        m.source_module = saved.source_module;
        m.limits = saved.limits;
        m.heap.cells = saved.cells;
        m.heap.trail = saved.trail;
        m.heap.wakeup = saved.wakeup;
        m.x[..saved.x.len()].copy_from_slice(&saved.x);
        m.env = saved.env;
        m.env.resize(m.env.len() + 64, Cell::small(0));
        let damaged = || RestoreError::Damaged("an environment".into());
        for (f, place) in saved.env_places {
            let p = m.code_at(place)?;
            *m.env.get_mut(f + 1).ok_or_else(damaged)? = Cell(p as u64);
        }
        for (f, place) in saved.interrupted {
            let p = m.code_at(place)?;
            *m.env.get_mut(f + super::run::SLOTS).ok_or_else(damaged)? = Cell::small(p as i64);
        }
        m.choices.clear();
        for c in saved.choices {
            let kind = match c.kind {
                SavedKind::Clauses { predicate, slot, arg, key, generation } => {
                    Kind::Clauses { predicate, slot, chain: Chain::from_parts(arg, key), generation }
                }
                SavedKind::Inline(place) => Kind::Inline { p: m.code_at(place)? },
                SavedKind::Catch => Kind::Catch,
                SavedKind::Cleanup => Kind::Cleanup,
                SavedKind::Native(native) => Kind::Native { native },
                SavedKind::Dead => Kind::Dead,
                SavedKind::Base => Kind::Base,
            };
            let cp = m.code_at(c.cp)?;
            m.choices.push(Choice {
                kind,
                e: c.e,
                cp,
                b0: c.b0,
                trail: c.trail,
                h: c.h,
                env_top: c.env_top,
                args: c.args,
                findall: c.findall,
            });
        }
        m.choice_args = saved.choice_args;
        m.heap.hb = m.choices.last().map_or(0, |c| c.h);
        m.p = m.code_at(saved.p)?;
        m.cp = m.code_at(saved.cp)?;
        m.e = saved.e;
        m.b0 = saved.b0;
        m.state = match saved.state {
            0 => State::Idle,
            1 => State::Run,
            2 => State::Backtrack,
            _ => State::Host,
        };
        m.host_call = saved.host_call;
        m.reenter = saved.reenter;
        m.inferences = saved.inferences;
        m.generation = saved.generation;
        m.findall = saved.findall;
        m.roots = saved.roots;
        m.unwinding = saved.unwinding.map(|(k, n)| match k {
            0 => Unwind::Halt(n),
            1 => Unwind::Inferences,
            _ => Unwind::Cancelled,
        });
        m.load_number = saved.load_number;
        m.clause_bytes = saved.clause_bytes;
        m.gc_at = (m.heap.top() * 2).max(super::gc::FIRST_COLLECTION);
        m.restore_extra(&saved.extra)?;
        Ok(m)
    }

    fn restore_predicates(&mut self, saved: Vec<SavedPredicate>) -> Result<(), RestoreError> {
        let damaged = || RestoreError::Damaged("a predicate".into());
        for s in saved {
            let i = self.predicates.intern(s.module, s.name, s.arity as usize);
            if i != s.index {
                return Err(RestoreError::Program);
            }
            let old = self.predicates.table.get(i as usize).ok_or_else(damaged)?.clone();
            let mut slots = Vec::with_capacity(s.slots.len());
            for x in s.slots {
                let clause = match x.clause {
                    SavedClause::Program(k) => old.slots.get(k as usize).ok_or_else(damaged)?.clause.clone(),
                    SavedClause::New(c) => c.seal(),
                };
                let key = clause.keys[0];
                slots.push(Slot { clause, born: x.born, died: x.died, next: x.next, order: x.order, key });
            }
            let epoch = self.predicates.epoch;
            let p = self.predicates.get_mut(i);
            p.definition = match s.definition {
                SavedDefinition::Undefined => Definition::Undefined,
                SavedDefinition::Clauses => Definition::Clauses,
                SavedDefinition::Det(n) => Definition::Det(n),
                SavedDefinition::Nondet(n) => Definition::Nondet(n),
                SavedDefinition::Suspend => Definition::Suspend,
                SavedDefinition::Link { to, auto } => Definition::Link { to, auto, epoch: epoch.wrapping_sub(1) },
                SavedDefinition::Same => p.definition,
            };
            [p.dynamic, p.discontiguous, p.multifile, p.tabled, p.public, p.protected] = s.flags;
            p.file = s.file;
            p.load = s.load;
            p.restore_slots(slots, s.chain);
        }
        Ok(())
    }
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ *b as u64).wrapping_mul(0x0000_0100_0000_01b3))
}

/// A clause that is not tied to its literals yet: [`Clause::seal`] does that when it is restored.
fn copy_clause(c: &Clause) -> Clause {
    Clause {
        code: c.code.clone(),
        literals: c.literals.clone(),
        keys: c.keys,
        atoms: c.atoms.clone(),
        source: c.source.clone(),
        file: c.file,
        line: c.line,
        arity: c.arity,
    }
}
