//! The machine: one session's world, and the stepping interface its host drives.
//!
//! The machine never blocks, calls no Rust code that calls it back, and stops only between
//! instructions, so that a stopped machine is a plain value: it can be forked, saved, moved.

mod boot;
mod control;
mod database;
mod gc;
pub mod predicate;
mod run;
mod snapshot;
mod solutions;

pub use boot::BootError;
pub use control::CONTROL;
pub use database::{DATABASE, Reference};
pub use predicate::{Control, Definition, MetaArg, MetaSpec, Predicate, Predicates};
pub use snapshot::RestoreError;
pub use solutions::SOLUTIONS;

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::code::{Clause, Instr};
use crate::flags::Flags;
use crate::heap::Heap;
use crate::native::{Native, Run};
use crate::ops::OpTable;
use crate::record::Record;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Limits of a run. All are data: they are forked and saved with the session.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Limits {
    /// Inferences (calls) the session may make in all; `None` for no limit.
    pub inferences: Option<u64>,
    /// Bytes of heap, stacks, clauses and atoms.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { inferences: None, memory: 1 << 30 }
    }
}

/// A call that the host has to answer.
#[derive(Clone, Debug)]
pub struct HostCall {
    pub module: Atom,
    pub name: Atom,
    /// The arguments, as heap terms; valid until the machine goes on.
    pub args: Vec<Cell>,
}

/// The host's answer to a [`HostCall`].
#[derive(Clone, Debug)]
pub enum Answer {
    /// Unify these arguments (by position from 0) with these terms, and go on.
    Succeed(Vec<(usize, Cell)>),
    /// The goal fails.
    Fail,
    /// The goal raises this ball.
    Throw(Cell),
}

/// Why the machine stopped.
#[derive(Clone, Debug)]
pub enum Step {
    /// A solution; `more` when there may be another.
    Solution { more: bool },
    /// No (more) solution.
    NoMore,
    /// An exception that nothing caught.
    Exception(Cell),
    /// A suspending predicate was called; go on with [`Machine::answer`].
    HostCall(HostCall),
    /// The fuel of this step is used up; step again to go on.
    OutOfFuel,
    /// The session's limit of inferences is used up.
    OutOfInferences,
    /// Somebody asked for the run to be cancelled.
    Cancelled,
    /// `user_input` has run out: feed the stream or end it, then step again.
    Input,
    /// The program ended the run with this status.
    Halt(i32),
    /// The engine broke an invariant; the run is over.
    Bug(&'static str),
}

/// What the machine does when it is stepped next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum State {
    Idle,
    Run,
    Backtrack,
    Host,
}

/// Why a run unwinds past every `catch/3`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unwind {
    Halt(i32),
    Inferences,
    Cancelled,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Further clauses of a predicate: next candidate.
    Clauses { predicate: u32, slot: u32, chain: predicate::Chain, generation: u64 },
    /// The other branch of a disjunction.
    Inline { p: *const Instr },
    /// `catch/3`: arguments are goal, catcher, recovery.
    Catch,
    /// `setup_call_cleanup/3`: the argument is the cleanup goal.
    Cleanup,
    /// A nondeterministic native predicate: its arguments and its state.
    Native { native: u32 },
    /// Cut away in place by `*->`.
    Dead,
    /// Bottom of a query.
    Base,
}

/// A choice point.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub kind: Kind,
    pub e: usize,
    pub cp: *const Instr,
    pub b0: usize,
    pub trail: usize,
    pub h: usize,
    pub env_top: usize,
    /// Start of the saved arguments in `choice_args`.
    pub args: usize,
    pub findall: usize,
}

/// Data of a module.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub file: Option<Atom>,
    pub exports: Vec<(Atom, usize)>,
    /// `double_quotes` and other flags changed inside it live in the session's flags while it loads.
    pub line: u32,
}

/// A Prolog machine.
#[derive(Clone)]
pub struct Machine {
    /// Terms, trail, atoms.
    pub heap: Heap,
    /// Flags.
    pub flags: Flags,
    /// Operators.
    pub ops: OpTable,
    /// Module that goals are read and clauses are loaded into now.
    pub source_module: Atom,
    /// Open streams; the embedder takes the output from here and feeds the input.
    pub streams: crate::streams::Streams,
    /// The files the program can reach; in memory until the host gives others.
    pub files: Arc<dyn crate::host::FileSystem>,
    /// The host's clock: seconds since 1970. Without it the time is not known.
    pub host_clock: Option<Arc<dyn Fn() -> f64 + Send + Sync>>,
    /// Local time: seconds west of Greenwich.
    pub utc_offset: i64,
    /// Random numbers and other state of arithmetic.
    pub arith: crate::arith::State,
    /// Global variables.
    pub globals: crate::builtins::globals::Globals,
    /// Predicates of all modules.
    pub predicates: Predicates,
    /// Modules by name.
    pub modules: Arc<FxHashMap<Atom, Module>>,
    /// Native predicates, by the number that code uses.
    pub(crate) natives: Arc<Vec<Native>>,
    /// Limits of the session.
    pub limits: Limits,
    pub(crate) x: Vec<Cell>,
    pub(crate) env: Vec<Cell>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) choice_args: Vec<Cell>,
    pub(crate) p: *const Instr,
    pub(crate) cp: *const Instr,
    pub(crate) e: usize,
    pub(crate) b0: usize,
    pub(crate) s: usize,
    pub(crate) write: bool,
    pub(crate) state: State,
    pub(crate) host_call: Option<(u32, Cell)>,
    /// A predicate that stopped for input and is entered again; its arguments are in the registers.
    pub(crate) reenter: Option<u32>,
    /// Inferences left in this slice; below zero the machine looks around.
    pub(crate) slice: i64,
    /// Size of the running slice.
    pub(crate) slice_size: i64,
    /// Inferences of finished slices.
    pub(crate) inferences: u64,
    /// Fuel left for this step beyond the slice.
    pub(crate) fuel: u64,
    /// Heap size at which the next collection happens.
    pub(crate) gc_at: usize,
    /// Collect at every call, for tests.
    pub gc_stress: bool,
    pub(crate) generation: u64,
    pub(crate) findall: Vec<Vec<Record>>,
    /// Clauses that are no longer reachable by name but whose code may be running.
    pub(crate) graveyard: Vec<Arc<Clause>>,
    pub(crate) graveyard_limit: usize,
    /// Terms the host holds on to; the collector updates them.
    pub roots: Vec<Cell>,
    pub(crate) pending_cleanups: usize,
    pub(crate) unwinding: Option<Unwind>,
    /// Inference count at which cleanup handlers of an ended run are cut off.
    pub(crate) reserve_end: u64,
    pub(crate) cancel: Arc<AtomicBool>,
    pub(crate) clause_bytes: usize,
    pub(crate) load_number: u32,
    /// Time the collector took and how often it ran: `(collections, cells freed)`.
    pub gc_count: (u64, u64),
}

#[allow(unsafe_code, reason = "a machine moves between threads")]
// SAFETY: the raw pointers point into clauses that the machine itself keeps alive by `Arc` (in its
// predicates or its graveyard) or into statics; clauses are immutable and `Send + Sync`.
unsafe impl Send for Machine {}

impl Machine {
    /// As [`Machine::bare`].
    pub fn new() -> Machine {
        Machine::bare()
    }

    /// A machine with the native predicates and no Prolog library.
    pub fn bare() -> Machine {
        let mut heap = Heap::new();
        let ops = OpTable::new(&mut heap.atoms);
        let mut m = Machine {
            heap,
            flags: Flags::default(),
            ops,
            source_module: atom::USER,
            streams: crate::streams::Streams::new(),
            files: Arc::new(crate::host::MemoryFiles::new()),
            host_clock: None,
            utc_offset: 0,
            arith: Default::default(),
            globals: crate::builtins::globals::Globals::default(),
            predicates: Predicates::default(),
            modules: Arc::default(),
            natives: Arc::default(),
            limits: Limits::default(),
            x: vec![Cell::small(0); 2048],
            env: vec![Cell::small(0); 64],
            choices: Vec::new(),
            choice_args: Vec::new(),
            p: run::fail_code(),
            cp: run::solution_code(),
            e: 0,
            b0: 0,
            s: 0,
            write: false,
            state: State::Idle,
            host_call: None,
            reenter: None,
            slice: 0,
            slice_size: 0,
            inferences: 0,
            fuel: 0,
            gc_at: gc::FIRST_COLLECTION,
            gc_stress: false,
            generation: 1,
            findall: Vec::new(),
            graveyard: Vec::new(),
            graveyard_limit: 1024,
            roots: Vec::new(),
            pending_cleanups: 0,
            unwinding: None,
            reserve_end: 0,
            cancel: Arc::default(),
            clause_bytes: 0,
            load_number: 0,
            gc_count: (0, 0),
        };
        for name in [atom::SYSTEM, atom::USER] {
            Arc::make_mut(&mut m.modules).entry(name).or_default();
        }
        m.globals = crate::builtins::globals::Globals::new(&mut m.heap);
        m.register_control();
        for n in crate::native::all() {
            m.register(atom::SYSTEM, *n);
        }
        m
    }

    /// Registers a native predicate in a module; one of the same name and arity is replaced.
    pub fn register(&mut self, module: Atom, native: Native) {
        let name = self.heap.atoms.intern_pinned(native.name);
        let i = self.predicates.intern(module, name, native.arity);
        // Code may refer to the number already: a replacement keeps it.
        let k = match self.predicates.get(i).definition {
            Definition::Det(k) | Definition::Nondet(k) => {
                if let Some(n) = Arc::make_mut(&mut self.natives).get_mut(k as usize) {
                    *n = native;
                }
                k
            }
            _ => {
                Arc::make_mut(&mut self.natives).push(native);
                self.natives.len() as u32 - 1
            }
        };
        self.predicates.epoch += 1;
        let p = self.predicates.get_mut(i);
        p.definition = match native.run {
            Run::Det(_) => Definition::Det(k),
            Run::Nondet(_) => Definition::Nondet(k),
            Run::Suspend => Definition::Suspend,
        };
        p.protected = module == atom::SYSTEM;
    }

    /// Registers a predicate that stops the machine with a [`Step::HostCall`].
    pub fn register_suspending(&mut self, module: Atom, name: &str, arity: usize) {
        let name = self.heap.atoms.intern_pinned(name);
        let i = self.predicates.intern(module, name, arity);
        self.predicates.epoch += 1;
        self.predicates.get_mut(i).definition = Definition::Suspend;
    }

    /// Keeps what is on the heap now from being cut off on backtracking, while the cell at `owner` refers to it.
    pub fn keep_heap(&mut self, owner: usize) {
        let top = self.heap.cells.len();
        for choice in self.choices.iter_mut().rev().take_while(|c| c.h > owner) {
            choice.h = top;
        }
        if owner < self.heap.hb {
            self.heap.hb = top;
        }
    }

    /// Unifies two terms.
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        self.heap.unify(a, b)
    }

    /// Setting it to true cancels the run at the next look.
    pub fn cancel_handle(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    /// Inferences made so far.
    pub fn inference_count(&self) -> u64 {
        (self.inferences as i64 + (self.slice_size - self.slice.max(0)).max(0)) as u64
    }

    /// Bytes that heap, stacks, clauses and atoms use.
    pub fn memory_used(&self) -> usize {
        (self.heap.cells.len() + self.heap.trail.len() + self.env_top() + self.choice_args.len()) * 8
            + self.choices.len() * size_of::<Choice>()
            + self.heap.atoms.local_bytes
            + self.clause_bytes
    }

    /// An independent copy of the whole session. Cheap: programs are shared, stacks are copied.
    pub fn fork(&self) -> Machine {
        let mut m = self.clone();
        m.cancel = Arc::new(AtomicBool::new(self.cancel.load(Ordering::Relaxed)));
        m
    }

    /// Makes everything loaded so far shared by later forks.
    pub fn freeze(&mut self) {
        self.heap.atoms.freeze();
        self.predicates.freeze();
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::bare()
    }
}
