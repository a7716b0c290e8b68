//! The instruction set, and compiled clauses.
//!
//! A WAM-like register machine (D. H. D. Warren, "An Abstract Prolog Instruction Set", 1983; H. Aït-Kaci,
//! "Warren's Abstract Machine", 1991) with these differences: all variables live on the heap, so that no
//! variable is unsafe; environments and choice points are kept on two stacks; clause selection is data of
//! the predicate, not code. Jumps are relative to the instruction they stand in.

use crate::atom::Atom;
use crate::cell::Cell;
use crate::record::Record;

/// Register of the current clause: an argument or a temporary.
pub type X = u16;
/// Slot of the current environment.
pub type Y = u16;

/// Type tests that are compiled in line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum TypeTest {
    Var,
    Nonvar,
    Atom,
    Atomic,
    Integer,
    Float,
    Number,
    Compound,
    Callable,
    IsList,
    String,
}

/// Comparisons that are compiled in line, of numbers (`<` …) or of terms (`==` …).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Relation {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Equal,
    NotEqual,
}

/// One instruction. `or` is a relative jump taken when a test fails; 0 means backtrack.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub enum Instr {
    /// First instruction of a clause with literals: where they are. Set when the clause is sealed.
    Literals {
        address: u64,
        len: u32,
    },
    // moves
    Move {
        from: X,
        to: X,
    },
    MoveXY {
        from: X,
        to: Y,
    },
    MoveYX {
        from: Y,
        to: X,
    },
    PutVarX {
        to: X,
    },
    PutVarY {
        to: Y,
    },
    PutVarYX {
        y: Y,
        to: X,
    },
    PutConst {
        to: X,
        value: Cell,
    },
    PutLiteral {
        to: X,
        literal: u32,
        pc: u32,
    },
    PutList {
        to: X,
    },
    PutStruct {
        to: X,
        functor: Cell,
    },
    // unification of a register
    GetValueX {
        a: X,
        b: X,
    },
    GetValueY {
        a: X,
        y: Y,
    },
    GetConst {
        a: X,
        value: Cell,
    },
    GetLiteral {
        a: X,
        literal: u32,
        pc: u32,
    },
    GetList {
        a: X,
    },
    GetStruct {
        a: X,
        functor: Cell,
    },
    // arguments, in read or write mode
    UnifyVarX {
        to: X,
    },
    UnifyVarY {
        to: Y,
    },
    UnifyValueX {
        x: X,
    },
    UnifyValueY {
        y: Y,
    },
    UnifyConst {
        value: Cell,
    },
    UnifyVoid {
        n: u32,
    },
    // control
    Allocate {
        n: u16,
    },
    Deallocate,
    Call {
        predicate: u32,
        live: u16,
    },
    Execute {
        predicate: u32,
    },
    Proceed,
    Jump {
        by: i32,
    },
    Fail,
    /// Cut to the choice points that were there when the clause was entered (nothing called since).
    Cut,
    /// Remembers the number of choice points.
    GetLevel {
        y: Y,
    },
    /// Remembers the number of choice points that were there when the clause was entered.
    GetEntryLevel {
        y: Y,
    },
    CutTo {
        y: Y,
    },
    /// Makes the alternative of the disjunction entered at this level unreachable, and keeps what is above.
    SoftCut {
        y: Y,
    },
    /// Pushes a choice point that goes on `by` instructions further.
    TryElse {
        by: i32,
    },
    /// Runs pending wake-up and cleanup goals; the mask says which of the first 64 registers are live.
    Wake {
        live: u64,
    },
    // goals in line
    Test {
        test: TypeTest,
        x: X,
        or: i32,
    },
    CompareTerms {
        relation: Relation,
        a: X,
        b: X,
        or: i32,
    },
    Compare {
        relation: Relation,
        a: X,
        b: X,
        or: i32,
    },
    CompareConst {
        relation: Relation,
        a: X,
        value: i32,
        or: i32,
    },
    AddConst {
        to: X,
        a: X,
        value: i32,
    },
    Arith1 {
        op: crate::arith::Op,
        to: X,
        a: X,
    },
    Arith2 {
        op: crate::arith::Op,
        to: X,
        a: X,
        b: X,
    },
    /// A register that is about to be the value of an expression must be a number: evaluates it.
    Evaluate {
        to: X,
        a: X,
    },
    Builtin {
        native: u32,
        base: X,
        or: i32,
    },
    // the code of catch/3 and setup_call_cleanup/3
    PushCatch,
    PopCatch {
        y: Y,
    },
    PushCleanup,
    PopCleanup {
        y: Y,
    },
    /// Restores the registers that a wake-up saved in its environment, and goes on where it interrupted.
    Resume,
    /// The end of a query: a solution.
    Solution,
}

/// A compiled clause.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct Clause {
    pub code: Box<[Instr]>,
    /// Terms that instructions refer to: numbers and strings that need a box, large ground terms.
    pub literals: Box<[Record]>,
    /// Index keys of the first arguments; 0 where the argument is a variable.
    pub keys: [u64; KEYS],
    /// Atoms the code refers to, pinned while the clause exists.
    pub atoms: Box<[Atom]>,
    /// The clause as a term `Head :- Body`, when the predicate is dynamic or listing is wanted.
    pub source: Option<Record>,
    /// Source file (an atom) and line; 0 when unknown.
    pub file: u32,
    pub line: u32,
    pub arity: u32,
}

impl Clause {
    /// Ties the code to its literals. The clause's boxes must not be replaced afterwards.
    pub fn seal(mut self) -> std::sync::Arc<Clause> {
        let (address, len) = (self.literals.as_ptr() as u64, self.literals.len() as u32);
        if let Some(Instr::Literals { address: a, len: n }) = self.code.first_mut() {
            (*a, *n) = (address, len);
        }
        std::sync::Arc::new(self)
    }
}

/// How many leading arguments a clause keeps index keys of.
pub const KEYS: usize = 4;

/// Index key of a dereferenced term: equal keys may unify, different non-zero keys cannot. 0 for variables.
#[inline(always)]
pub fn index_key(cells: &[Cell], c: Cell) -> u64 {
    use crate::cell::tag;
    match c.tag() {
        tag::ATM | tag::INT => c.0,
        tag::LST => tag::LST | 1 << 63,
        tag::STR => cells[c.addr()].0,
        tag::BOX => {
            // Equal boxes have equal words; a cheap mix of all of them.
            let a = c.addr();
            let n = cells[a].box_words();
            let mut h = cells[a].0;
            for w in &cells[a + 1..a + 1 + n] {
                h = (h.rotate_left(5) ^ w.0).wrapping_mul(0x517c_c1b7_2722_0a95);
            }
            h | 7
        }
        _ => 0,
    }
}
