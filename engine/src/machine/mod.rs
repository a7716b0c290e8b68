//! The machine: one session's world.

use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::Heap;
use crate::ops::OpTable;

/// A Prolog machine.
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
    pub files: std::sync::Arc<dyn crate::host::FileSystem>,
    /// Seconds since 1970 now; without it `get_time/1` raises a permission error.
    pub host_clock: Option<std::sync::Arc<dyn Fn() -> f64 + Send + Sync>>,
    /// Local time: seconds west of Greenwich.
    pub utc_offset: i64,
    /// Random numbers and clocks of arithmetic.
    pub arith: crate::arith::State,
    /// Global variables.
    pub globals: crate::builtins::globals::Globals,
}

impl Machine {
    /// A machine with the built-in predicates and an empty program.
    pub fn new() -> Machine {
        let mut heap = Heap::new();
        let ops = OpTable::new(&mut heap.atoms);
        let globals = crate::builtins::globals::Globals::new(&mut heap);
        Machine {
            heap,
            flags: Flags::default(),
            ops,
            source_module: atom::USER,
            streams: crate::streams::Streams::new(),
            files: std::sync::Arc::new(crate::host::MemoryFiles::new()),
            host_clock: None,
            utc_offset: 0,
            arith: Default::default(),
            globals,
        }
    }

    /// Keeps what is on the heap now from being cut off on backtracking, while the cell at `owner` refers to it.
    pub fn keep_heap(&mut self, owner: usize) {
        if owner < self.heap.hb {
            self.heap.hb = self.heap.cells.len();
        }
    }

    /// Unifies two terms.
    pub fn unify(&mut self, a: Cell, b: Cell) -> bool {
        self.heap.unify(a, b)
    }
}

impl Default for Machine {
    fn default() -> Self {
        Self::new()
    }
}
