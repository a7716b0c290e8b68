//! Code generation: variables to registers and environment slots, goals to instructions.

use super::CompileError;
use super::body::Goal;
use crate::arith::Op;
use crate::atom;
use crate::cell::{Cell, tag};
use crate::code::{Instr, Relation, X, Y};
use crate::heap::{Heap, Term};
use crate::record::{Record, record};
use rustc_hash::FxHashMap;

/// Above this many variables all variables of the body get environment slots, so that a wake-up mask fits 64 bits.
const MAX_TEMPORARIES: usize = 36;
/// Terms with more nodes are copied from a literal instead of being built by instructions.
const LARGE_TERM: usize = 120;
/// Ground compounds with more nodes are literals.
const LARGE_GROUND: usize = 6;

type Var = usize;

#[derive(Clone, Default)]
struct VarInfo {
    /// First chunk it occurs in; `permanent` when there is another.
    chunk: Option<u32>,
    permanent: bool,
    y: Y,
    x: Option<X>,
    init: bool,
    /// Argument register it should end up in.
    hint: Option<X>,
    remaining: u32,
}

struct Emitter<'h> {
    heap: &'h mut Heap,
    vars: Vec<VarInfo>,
    by_addr: FxHashMap<usize, Var>,
    code: Vec<Instr>,
    literals: Vec<Record>,
    /// Variable that lives in an argument register, or `BUSY`/`FREE`.
    owner: Vec<Owner>,
    next: X,
    base: X,
    env: bool,
    slots: u16,
    /// Slot with the level of the clause's entry, when a cut may come after a call.
    entry: Option<Y>,
    /// Slot with the level of the innermost local construct.
    scope: Option<Y>,
    labels: Vec<usize>,
    fixups: Vec<(usize, usize)>,
    /// Label to go to when an inline test fails; `None` backtracks.
    or: Option<usize>,
    /// A binding may have woken goals since the last look.
    wake: bool,
    first_chunk: bool,
    overflow: bool,
    /// Registers given to variables so far.
    homes: usize,
    all_permanent: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Free,
    Busy,
    Var(Var),
}

/// Generates the code of a clause.
pub fn emit(heap: &mut Heap, head: &[Cell], goal: &Goal) -> Result<(Vec<Instr>, Vec<Record>), CompileError> {
    match attempt(heap, head, goal, false) {
        Some(done) => Ok(done),
        // Too many live registers for a wake-up mask: all variables go to the environment.
        None => attempt(heap, head, goal, true).ok_or(CompileError::TooLarge("registers")),
    }
}

fn attempt(heap: &mut Heap, head: &[Cell], goal: &Goal, all_permanent: bool) -> Option<(Vec<Instr>, Vec<Record>)> {
    let mut e = Emitter {
        heap,
        vars: Vec::new(),
        by_addr: FxHashMap::default(),
        code: Vec::new(),
        literals: Vec::new(),
        owner: Vec::new(),
        next: 0,
        base: 0,
        env: false,
        slots: 0,
        entry: None,
        scope: None,
        labels: Vec::new(),
        fixups: Vec::new(),
        or: None,
        wake: false,
        first_chunk: true,
        overflow: false,
        homes: 0,
        all_permanent,
    };
    e.analyse(head, goal);
    e.clause(head, goal);
    e.patch();
    if e.overflow { None } else { Some((e.code, e.literals)) }
}

/// A sequence of tests that bind nothing and need no choice point.
fn is_test(g: &Goal) -> bool {
    match g {
        Goal::True | Goal::Fail | Goal::Test(..) | Goal::CompareTerms(..) | Goal::Compare(..) => true,
        Goal::Native { pure, .. } => *pure,
        Goal::Conj(v) => v.iter().all(is_test),
        _ => false,
    }
}

/// A goal that leaves registers alone: no call, no choice point.
fn is_inline(g: &Goal) -> bool {
    match g {
        Goal::True
        | Goal::Fail
        | Goal::Cut
        | Goal::Unify(..)
        | Goal::Test(..)
        | Goal::CompareTerms(..)
        | Goal::Compare(..)
        | Goal::Is(..)
        | Goal::Native { .. } => true,
        Goal::Call { .. } | Goal::Or(..) | Goal::Scope(_) => false,
        Goal::Conj(v) => v.iter().all(is_inline),
        Goal::IfThenElse { cond, then, otherwise, soft } => !soft && is_test(cond) && is_inline(then) && is_inline(otherwise),
        Goal::Not(g) => is_test(g),
    }
}

/// What the analysis learns on its way through the body.
struct Walk {
    chunk: u32,
    next_chunk: u32,
    calls: usize,
    max_arity: usize,
    complex: bool,
    late_cut: bool,
}

impl Walk {
    fn fresh(&mut self) {
        self.next_chunk += 1;
        self.chunk = self.next_chunk;
    }
}

impl Emitter<'_> {
    // ---- analysis

    fn analyse(&mut self, head: &[Cell], goal: &Goal) {
        let mut w = Walk { chunk: 0, next_chunk: 0, calls: 0, max_arity: head.len(), complex: false, late_cut: false };
        for a in head {
            self.note(*a, 0);
        }
        self.walk(goal, &mut w, true);
        if self.all_permanent || self.vars.len() + w.max_arity > MAX_TEMPORARIES {
            self.vars.iter_mut().for_each(|v| v.permanent = true);
        }
        for v in &mut self.vars {
            if v.permanent {
                v.y = self.slots;
                self.overflow |= self.slots == u16::MAX - 64;
                self.slots = self.slots.saturating_add(1);
            }
        }
        if w.late_cut {
            self.entry = Some(self.slot());
        }
        self.env = self.slots > 0 || w.calls > 0 || w.complex;
        self.base = w.max_arity as X;
        self.next = self.base;
        self.owner = vec![Owner::Free; w.max_arity];
        self.overflow |= w.max_arity > super::MAX_PREDICATE_ARITY + 8;
    }

    fn slot(&mut self) -> Y {
        let y = self.slots;
        self.overflow |= y >= u16::MAX - 64;
        self.slots = self.slots.saturating_add(1);
        y
    }

    /// Notes the variables of a term as occurring in a chunk.
    fn note(&mut self, c: Cell, chunk: u32) {
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            let c = self.heap.deref(c);
            if c.is_ref() {
                let n = self.vars.len();
                let v = *self.by_addr.entry(c.addr()).or_insert(n);
                if v == n {
                    self.vars.push(VarInfo::default());
                }
                let info = &mut self.vars[v];
                info.remaining += 1;
                match info.chunk {
                    None => info.chunk = Some(chunk),
                    Some(k) if k != chunk => info.permanent = true,
                    _ => {}
                }
            } else if c.is_compound() {
                pending.extend(self.heap.args(c).rev().map(|i| self.heap.cells[i]));
            }
        }
    }

    /// Numbers the chunks; `tail` when the goal ends the clause.
    fn walk(&mut self, g: &Goal, w: &mut Walk, tail: bool) {
        match g {
            Goal::True | Goal::Fail => {}
            Goal::Cut => w.late_cut |= w.chunk != 0,
            Goal::Unify(a, b) | Goal::CompareTerms(_, a, b) | Goal::Compare(_, a, b) | Goal::Is(a, b) => {
                self.note(*a, w.chunk);
                self.note(*b, w.chunk);
            }
            Goal::Test(_, a) => self.note(*a, w.chunk),
            Goal::Native { args, .. } => args.iter().for_each(|a| self.note(*a, w.chunk)),
            Goal::Call { args, .. } => {
                for (i, a) in args.iter().enumerate() {
                    self.note(*a, w.chunk);
                    let a = self.heap.deref(*a);
                    if a.is_ref()
                        && let Some(&v) = self.by_addr.get(&a.addr())
                    {
                        self.vars[v].hint.get_or_insert(i as X);
                    }
                }
                w.max_arity = w.max_arity.max(args.len());
                w.calls += !tail as usize;
                w.fresh();
            }
            Goal::Conj(v) => {
                for (i, g) in v.iter().enumerate() {
                    self.walk(g, w, tail && i + 1 == v.len());
                }
            }
            Goal::IfThenElse { cond, then, otherwise, soft } if !soft && is_test(cond) => {
                self.walk(cond, w, false);
                let start = w.chunk;
                self.walk(then, w, tail);
                let moved = w.chunk != start;
                w.chunk = start;
                self.walk(otherwise, w, tail);
                if moved || w.chunk != start {
                    w.fresh();
                }
            }
            Goal::IfThenElse { cond, then, otherwise, .. } => {
                w.complex = true;
                w.fresh();
                self.walk(cond, w, false);
                self.walk(then, w, tail);
                w.fresh();
                self.walk(otherwise, w, tail);
                w.fresh();
            }
            Goal::Or(a, b) => {
                w.complex = true;
                w.fresh();
                self.walk(a, w, tail);
                w.fresh();
                self.walk(b, w, tail);
                w.fresh();
            }
            Goal::Not(g) if is_test(g) => self.walk(g, w, false),
            Goal::Not(g) => {
                w.complex = true;
                w.fresh();
                self.walk(g, w, false);
                w.fresh();
            }
            Goal::Scope(g) => {
                w.complex = true;
                w.fresh();
                self.walk(g, w, false);
                w.fresh();
            }
        }
    }

    // ---- small helpers

    fn put(&mut self, i: Instr) {
        self.code.push(i);
    }

    fn label(&mut self) -> usize {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    fn place(&mut self, l: usize) {
        self.labels[l] = self.code.len();
    }

    /// Emits an instruction whose jump goes to a label.
    fn put_to(&mut self, i: Instr, l: usize) {
        self.fixups.push((self.code.len(), l));
        self.code.push(i);
    }

    /// Emits a test: jumps to the current else label when it fails.
    fn put_test(&mut self, i: Instr) {
        match self.or {
            Some(l) => self.put_to(i, l),
            None => self.put(i),
        }
    }

    fn patch(&mut self) {
        if !self.literals.is_empty() {
            self.code.insert(0, Instr::Literals { address: 0, len: 0 });
            self.fixups.iter_mut().for_each(|f| f.0 += 1);
            self.labels.iter_mut().for_each(|l| *l = l.wrapping_add(1));
            for (i, instr) in self.code.iter_mut().enumerate() {
                if let Instr::PutLiteral { pc, .. } | Instr::GetLiteral { pc, .. } = instr {
                    *pc = i as u32;
                }
            }
        }
        for (at, l) in std::mem::take(&mut self.fixups) {
            let d = self.labels[l] as i64 - at as i64;
            let d = d as i32;
            match &mut self.code[at] {
                Instr::Jump { by } | Instr::TryElse { by } => *by = d,
                Instr::Test { or, .. }
                | Instr::CompareTerms { or, .. }
                | Instr::Compare { or, .. }
                | Instr::CompareConst { or, .. }
                | Instr::Builtin { or, .. } => *or = d,
                _ => {}
            }
        }
    }

    fn temp(&mut self) -> X {
        let x = self.next;
        if x >= 1900 {
            self.overflow = true;
            return 1900;
        }
        self.next += 1;
        x
    }

    fn var_of(&self, c: Cell) -> Var {
        self.by_addr.get(&c.addr()).copied().unwrap_or(0)
    }

    fn used(&mut self, v: Var) {
        self.vars[v].remaining = self.vars[v].remaining.saturating_sub(1);
    }

    /// Gives a temporary its register.
    fn home(&mut self, v: Var) -> X {
        if let Some(x) = self.vars[v].x {
            return x;
        }
        let x = match self.vars[v].hint {
            Some(h) if self.arg_free(h) => {
                self.owner[h as usize] = Owner::Var(v);
                h
            }
            _ => self.temp(),
        };
        self.vars[v].x = Some(x);
        self.homes += 1;
        x
    }

    fn arg_free(&self, h: X) -> bool {
        match self.owner.get(h as usize) {
            Some(Owner::Free) => true,
            Some(Owner::Var(o)) => self.vars[*o].remaining == 0 && self.or.is_none(),
            _ => false,
        }
    }

    fn literal(&mut self, c: Cell) -> u32 {
        self.literals.push(record(self.heap, c));
        (self.literals.len() - 1) as u32
    }

    /// Live registers as a mask, for wake-ups.
    fn live(&self) -> u64 {
        let mut m = 0;
        for v in &self.vars {
            if let (true, false, Some(x)) = (v.init, v.permanent, v.x)
                && x < 64
            {
                m |= 1 << x;
            }
        }
        m
    }

    fn flush_wake(&mut self) {
        if self.wake {
            self.wake = false;
            let live = self.live();
            // A register beyond the mask cannot be saved.
            self.overflow |= self.vars.iter().any(|v| v.init && !v.permanent && v.x.is_some_and(|x| x >= 64));
            self.put(Instr::Wake { live });
        }
    }

    // ---- the clause

    fn clause(&mut self, head: &[Cell], goal: &Goal) {
        if self.env {
            self.put(Instr::Allocate { n: 0 });
        }
        if let Some(y) = self.entry {
            self.put(Instr::GetEntryLevel { y });
        }
        for o in self.owner.iter_mut().take(head.len()) {
            *o = Owner::Busy;
        }
        for (i, a) in head.iter().enumerate() {
            self.get_argument(i as X, *a);
        }
        self.goal(goal, true);
        let slots = self.slots;
        if self.env
            && let Some(Instr::Allocate { n }) = self.code.first_mut()
        {
            *n = slots;
        }
    }

    /// Unifies argument register `a` with a head argument.
    fn get_argument(&mut self, a: X, c: Cell) {
        let c = self.heap.deref(c);
        if c.is_ref() {
            let v = self.var_of(c);
            self.used(v);
            if self.vars[v].init {
                self.get_value(a, v);
                self.owner[a as usize] = Owner::Free;
            } else if self.vars[v].permanent {
                self.put(Instr::MoveXY { from: a, to: self.vars[v].y });
                self.vars[v].init = true;
                self.owner[a as usize] = Owner::Free;
            } else {
                self.vars[v].init = true;
                self.vars[v].x = Some(a);
                self.owner[a as usize] = Owner::Var(v);
            }
        } else {
            self.get_nonvar(a, c, true);
        }
    }

    fn get_value(&mut self, a: X, v: Var) {
        self.wake = true;
        let i = match (self.vars[v].permanent, self.vars[v].x) {
            (false, Some(b)) => Instr::GetValueX { a, b },
            _ => Instr::GetValueY { a, y: self.vars[v].y },
        };
        self.put(i);
    }

    /// Unifies a register with a term that is not a variable. `frees` when the register is an argument not used again.
    fn get_nonvar(&mut self, a: X, c: Cell, frees: bool) {
        self.wake = true;
        let free = |e: &mut Self| {
            if frees && let Some(o) = e.owner.get_mut(a as usize) {
                *o = Owner::Free;
            }
        };
        match c.tag() {
            tag::ATM | tag::INT => {
                self.put(Instr::GetConst { a, value: c });
                free(self);
            }
            tag::BOX => {
                let literal = self.literal(c);
                self.put(Instr::GetLiteral { a, literal, pc: 0 });
                free(self);
            }
            _ if self.is_large(c) => {
                let t = self.temp();
                self.put_large(c, t);
                self.put(Instr::GetValueX { a, b: t });
                free(self);
            }
            _ => {
                let mut queue: Vec<(X, Cell)> = vec![(a, c)];
                let mut first = true;
                while let Some((r, c)) = queue.pop() {
                    if c.tag() == tag::BOX {
                        let literal = self.literal(c);
                        self.put(Instr::GetLiteral { a: r, literal, pc: 0 });
                        continue;
                    }
                    self.get_functor(r, c);
                    if first {
                        free(self);
                        first = false;
                    }
                    let nested = self.unify_arguments(c);
                    queue.extend(nested.into_iter().rev());
                }
            }
        }
    }

    fn get_functor(&mut self, a: X, c: Cell) {
        let i = if c.is_list() { Instr::GetList { a } } else { Instr::GetStruct { a, functor: self.heap.cells[c.addr()] } };
        self.put(i);
    }

    /// Arguments after a `get`; nested compounds and boxes go to temporaries that are given back for later. (A box must not
    /// be copied here: in write mode it would land between the arguments.)
    fn unify_arguments(&mut self, c: Cell) -> Vec<(X, Cell)> {
        let mut nested = Vec::new();
        for i in self.heap.args(c) {
            let arg = self.heap.deref(self.heap.cells[i]);
            if arg.is_compound() || arg.tag() == tag::BOX {
                let t = self.temp();
                self.put(Instr::UnifyVarX { to: t });
                nested.push((t, arg));
            } else {
                self.unify_simple(arg);
            }
        }
        nested
    }

    /// One argument that is a variable or atomic.
    fn unify_simple(&mut self, arg: Cell) {
        match arg.tag() {
            tag::ATM | tag::INT => self.put(Instr::UnifyConst { value: arg }),
            tag::BOX => {
                let t = self.temp();
                let literal = self.literal(arg);
                self.put(Instr::PutLiteral { to: t, literal, pc: 0 });
                self.put(Instr::UnifyValueX { x: t });
            }
            _ => {
                let v = self.var_of(arg);
                self.used(v);
                let info = &self.vars[v];
                if !info.init {
                    if !info.permanent && info.remaining == 0 && info.x.is_none() {
                        match self.code.last_mut() {
                            Some(Instr::UnifyVoid { n }) => *n += 1,
                            _ => self.put(Instr::UnifyVoid { n: 1 }),
                        }
                        return;
                    }
                    if info.permanent {
                        let to = info.y;
                        self.put(Instr::UnifyVarY { to });
                    } else {
                        let to = self.home(v);
                        self.put(Instr::UnifyVarX { to });
                    }
                    self.vars[v].init = true;
                } else {
                    let i = match (info.permanent, info.x) {
                        (false, Some(x)) => Instr::UnifyValueX { x },
                        _ => Instr::UnifyValueY { y: info.y },
                    };
                    self.put(i);
                }
            }
        }
    }

    fn count(&self, c: Cell, limit: usize) -> (usize, bool) {
        let (mut n, mut ground) = (0, true);
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            n += 1;
            let c = self.heap.deref(c);
            if c.is_ref() {
                ground = false;
            } else if c.is_compound() {
                pending.extend(self.heap.args(c).map(|i| self.heap.cells[i]));
            }
            if n > limit {
                return (n, ground && pending.is_empty());
            }
        }
        (n, ground)
    }

    fn is_large(&self, c: Cell) -> bool {
        self.count(c, LARGE_TERM).0 > LARGE_TERM
    }

    /// Puts a large term into a register: a literal `v(Term, V1, …)` is copied and its variables are unified.
    fn put_large(&mut self, c: Cell, to: X) {
        let mut vars = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            let c = self.heap.deref(c);
            if c.is_ref() {
                let v = self.var_of(c);
                self.used(v);
                if seen.insert(v) {
                    vars.push((v, c));
                }
            } else if c.is_compound() {
                pending.extend(self.heap.args(c).rev().map(|i| self.heap.cells[i]));
            }
        }
        if vars.is_empty() {
            let literal = self.literal(c);
            self.put(Instr::PutLiteral { to, literal, pc: 0 });
            return;
        }
        let mut args = vec![c];
        args.extend(vars.iter().map(|v| v.1));
        let wrapped = self.heap.compound(atom::VAR, &args);
        let literal = self.literal(wrapped);
        self.put(Instr::PutLiteral { to, literal, pc: 0 });
        self.put(Instr::GetStruct { a: to, functor: Cell::functor(atom::VAR, args.len()) });
        self.put(Instr::UnifyVarX { to });
        for (v, _) in vars {
            let info = &self.vars[v];
            match (info.init, info.permanent) {
                (true, true) => self.put(Instr::UnifyValueY { y: info.y }),
                (true, false) => {
                    let x = info.x.unwrap_or(0);
                    self.put(Instr::UnifyValueX { x });
                }
                (false, true) => {
                    let to = info.y;
                    self.put(Instr::UnifyVarY { to });
                }
                (false, false) => {
                    let to = self.home(v);
                    self.put(Instr::UnifyVarX { to });
                }
            }
            self.vars[v].init = true;
        }
    }

    /// Puts any term into a register.
    fn put_term(&mut self, c: Cell, to: X) {
        let c = self.heap.deref(c);
        match c.tag() {
            tag::REF | tag::ATV => {
                let v = self.var_of(c);
                self.used(v);
                self.put_var(v, to);
            }
            tag::ATM | tag::INT => self.put(Instr::PutConst { to, value: c }),
            tag::BOX => {
                let literal = self.literal(c);
                self.put(Instr::PutLiteral { to, literal, pc: 0 });
            }
            _ => {
                let (n, ground) = self.count(c, LARGE_TERM);
                if n > LARGE_TERM || (ground && n > LARGE_GROUND) { self.put_large(c, to) } else { self.build(c, to) }
            }
        }
    }

    fn put_var(&mut self, v: Var, to: X) {
        let info = self.vars[v].clone();
        match (info.init, info.permanent) {
            (true, true) => self.put(Instr::MoveYX { from: info.y, to }),
            (true, false) => {
                let from = info.x.unwrap_or(0);
                if from != to {
                    self.put(Instr::Move { from, to });
                }
            }
            (false, true) => self.put(Instr::PutVarYX { y: info.y, to }),
            (false, false) => {
                self.put(Instr::PutVarX { to });
                if info.remaining > 0 {
                    let home = self.home(v);
                    if home != to {
                        self.put(Instr::Move { from: to, to: home });
                    }
                }
            }
        }
        self.vars[v].init = true;
    }

    /// Builds a small compound bottom-up. Recursion is bounded by the size of the term.
    fn build(&mut self, c: Cell, to: X) {
        let range = self.heap.args(c);
        let mut made: Vec<Option<X>> = Vec::with_capacity(range.len());
        for i in range.clone() {
            let a = self.heap.deref(self.heap.cells[i]);
            made.push(match a.tag() {
                tag::STR | tag::LST => {
                    let t = self.temp();
                    let (n, ground) = self.count(a, LARGE_TERM);
                    if ground && n > LARGE_GROUND {
                        self.put_large(a, t)
                    } else {
                        self.build(a, t)
                    }
                    Some(t)
                }
                tag::BOX => {
                    let t = self.temp();
                    let literal = self.literal(a);
                    self.put(Instr::PutLiteral { to: t, literal, pc: 0 });
                    Some(t)
                }
                _ => None,
            });
        }
        let i = if c.is_list() { Instr::PutList { to } } else { Instr::PutStruct { to, functor: self.heap.cells[c.addr()] } };
        self.put(i);
        for (i, m) in range.zip(made) {
            match m {
                Some(x) => self.put(Instr::UnifyValueX { x }),
                None => {
                    let a = self.heap.deref(self.heap.cells[i]);
                    self.unify_simple(a);
                }
            }
        }
    }

    /// A register that holds this term: the variable's own, or a temporary.
    fn operand(&mut self, c: Cell) -> X {
        let c = self.heap.deref(c);
        if c.is_ref() {
            let v = self.var_of(c);
            if self.vars[v].init && !self.vars[v].permanent {
                self.used(v);
                return self.vars[v].x.unwrap_or(0);
            }
        }
        let t = self.temp();
        self.put_term(c, t);
        t
    }

    // ---- goals

    fn goal(&mut self, g: &Goal, tail: bool) {
        let mark = self.next;
        let homes = self.homes;
        match g {
            Goal::True => {}
            Goal::Fail => match self.or {
                Some(l) => self.put_to(Instr::Jump { by: 0 }, l),
                None => self.put(Instr::Fail),
            },
            Goal::Cut => {
                self.flush_wake();
                match (self.scope, self.first_chunk, self.entry) {
                    (Some(y), ..) => self.put(Instr::CutTo { y }),
                    (None, true, _) | (None, _, None) => self.put(Instr::Cut),
                    (None, false, Some(y)) => self.put(Instr::CutTo { y }),
                }
            }
            Goal::Unify(a, b) => self.unify(*a, *b),
            Goal::Test(test, a) => {
                self.flush_wake();
                let x = self.operand(*a);
                self.put_test(Instr::Test { test: *test, x, or: 0 });
            }
            Goal::CompareTerms(relation, a, b) => {
                self.flush_wake();
                let (a, b) = (self.operand(*a), self.operand(*b));
                self.put_test(Instr::CompareTerms { relation: *relation, a, b, or: 0 });
            }
            Goal::Compare(relation, a, b) => self.compare(*relation, *a, *b),
            Goal::Is(a, b) => self.is(*a, *b),
            Goal::Native { native, pure, args } => {
                self.flush_wake();
                self.native(*native, args);
                self.wake |= !pure;
            }
            Goal::Call { predicate, args } => return self.call(*predicate, args, tail),
            Goal::Conj(v) => {
                for (i, g) in v.iter().enumerate() {
                    let last = i + 1 == v.len();
                    self.goal(g, tail && last);
                }
                if tail && v.is_empty() {
                    self.proceed();
                }
                return;
            }
            Goal::IfThenElse { cond, then, otherwise, soft } => return self.if_then_else(cond, then, otherwise, *soft, tail),
            Goal::Or(a, b) => return self.disjunction(a, b, tail),
            Goal::Not(g) => self.negation(g),
            Goal::Scope(g) => {
                self.enter_complex();
                let y = self.slot();
                self.put(Instr::GetLevel { y });
                let outer = self.scope.replace(y);
                self.goal(g, false);
                self.scope = outer;
                self.new_chunk();
            }
        }
        if self.homes == homes && self.next > mark {
            self.next = mark.max(self.base);
        }
        if tail {
            self.proceed();
        }
    }

    fn proceed(&mut self) {
        self.wake = false;
        if self.env {
            self.put(Instr::Deallocate);
        }
        self.put(Instr::Proceed);
    }

    fn new_chunk(&mut self) {
        self.first_chunk = false;
        self.next = self.base;
        self.owner.iter_mut().for_each(|o| *o = Owner::Free);
        for v in &mut self.vars {
            if !v.permanent {
                v.x = None;
            }
        }
    }

    /// Before a construct that saves no registers.
    fn enter_complex(&mut self) {
        self.flush_wake();
        self.new_chunk();
    }

    fn unify(&mut self, a: Cell, b: Cell) {
        let (a, b) = (self.heap.deref(a), self.heap.deref(b));
        let uninit = |e: &Self, c: Cell| c.is_ref() && !e.vars[e.var_of(c)].init;
        if a.is_ref() && b.is_ref() && a == b {
            // `X = X`: only the occurrences are gone.
            let v = self.var_of(a);
            self.used(v);
            self.used(v);
            if !self.vars[v].init {
                self.init_var(v);
            }
            return;
        }
        if uninit(self, a) && !self.occurs(a, b) {
            return self.assign(a, b);
        }
        if uninit(self, b) && !self.occurs(b, a) {
            return self.assign(b, a);
        }
        self.flush_wake();
        let (v, t) = if a.is_ref() { (a, b) } else { (b, a) };
        if v.is_ref() && !t.is_ref() && self.vars[self.var_of(v)].init {
            let r = self.operand(v);
            self.get_nonvar(r, t, false);
        } else {
            let (x, y) = (self.operand(a), self.operand(b));
            self.put(Instr::GetValueX { a: x, b: y });
            self.wake = true;
        }
        if self.or.is_some() {
            // A unification is no test; conditions with one have a choice point.
            self.overflow = true;
        }
    }

    fn occurs(&self, v: Cell, c: Cell) -> bool {
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            let c = self.heap.deref(c);
            if c == v {
                return true;
            }
            if c.is_compound() {
                pending.extend(self.heap.args(c).map(|i| self.heap.cells[i]));
            }
        }
        false
    }

    /// First occurrence of a variable, as the value of a term.
    fn assign(&mut self, v: Cell, c: Cell) {
        let v = self.var_of(v);
        self.used(v);
        if self.vars[v].remaining == 0 && !c.is_compound() && !c.is_ref() {
            self.vars[v].init = true;
            if !self.vars[v].permanent {
                return;
            }
        }
        if self.vars[v].permanent {
            let t = self.operand(c);
            self.put(Instr::MoveXY { from: t, to: self.vars[v].y });
        } else {
            // The home must not be a register that the term still reads.
            let t = self.temp();
            self.put_term(c, t);
            let x = self.home(v);
            if x != t {
                self.put(Instr::Move { from: t, to: x });
            }
        }
        self.vars[v].init = true;
    }

    fn init_var(&mut self, v: Var) {
        if self.vars[v].permanent {
            self.put(Instr::PutVarY { to: self.vars[v].y });
        } else {
            let to = self.home(v);
            self.put(Instr::PutVarX { to });
        }
        self.vars[v].init = true;
    }

    fn compare(&mut self, relation: Relation, a: Cell, b: Cell) {
        self.flush_wake();
        let x = self.expression(a, 0);
        let b = self.heap.deref(b);
        if b.is_small()
            && let Ok(value) = i32::try_from(b.as_small())
        {
            self.put_test(Instr::CompareConst { relation, a: x, value, or: 0 });
            return;
        }
        let y = self.expression(b, 0);
        self.put_test(Instr::Compare { relation, a: x, b: y, or: 0 });
    }

    /// Code that computes an expression into a register.
    fn expression(&mut self, c: Cell, depth: usize) -> X {
        let c = self.heap.deref(c);
        let (name, arity) = match self.heap.view(c) {
            Term::Compound(_, n, k @ (1 | 2)) if depth < 60 => (n, k),
            _ => return self.operand(c),
        };
        let Some(op) = Op::lookup(&self.heap.atoms, name, arity) else { return self.operand(c) };
        let args: Vec<Cell> = self.heap.args(c).map(|i| self.heap.deref(self.heap.cells[i])).collect();
        if let [a, b] = args[..] {
            let small = |c: Cell| if c.is_small() { i32::try_from(c.as_small()).ok().filter(|v| *v != i32::MIN) } else { None };
            let constant = match name {
                atom::PLUS => small(b).map(|v| (a, v)).or_else(|| small(a).map(|v| (b, v))),
                atom::MINUS => small(b).map(|v| (a, -v)),
                _ => None,
            };
            if let Some((term, value)) = constant {
                let a = self.expression(term, depth + 1);
                let to = self.temp();
                self.put(Instr::AddConst { to, a, value });
                return to;
            }
            let a = self.expression(a, depth + 1);
            let b = self.expression(b, depth + 1);
            let to = self.temp();
            self.put(Instr::Arith2 { op, to, a, b });
            to
        } else {
            let a = self.expression(args[0], depth + 1);
            let to = self.temp();
            self.put(Instr::Arith1 { op, to, a });
            to
        }
    }

    fn is(&mut self, lhs: Cell, e: Cell) {
        self.flush_wake();
        let lhs = self.heap.deref(lhs);
        let mut from = self.expression(e, 0);
        let computed = matches!(self.code.last(), Some(Instr::AddConst { to, .. } | Instr::Arith1 { to, .. } | Instr::Arith2 { to, .. }) if *to == from);
        if !computed {
            let to = self.temp();
            self.put(Instr::Evaluate { to, a: from });
            from = to;
        }
        if lhs.is_ref() {
            let v = self.var_of(lhs);
            if !self.vars[v].init {
                self.used(v);
                if self.vars[v].permanent {
                    self.put(Instr::MoveXY { from, to: self.vars[v].y });
                } else {
                    let x = self.home(v);
                    // The last instruction can write the home itself.
                    if let Some(
                        Instr::AddConst { to, .. } | Instr::Arith1 { to, .. } | Instr::Arith2 { to, .. } | Instr::Evaluate { to, .. },
                    ) = self.code.last_mut()
                    {
                        *to = x;
                    }
                }
                self.vars[v].init = true;
                return;
            }
            self.used(v);
            self.get_value(from, v);
        } else {
            self.get_nonvar(from, lhs, false);
        }
    }

    fn native(&mut self, native: u32, args: &[Cell]) {
        // Arguments stand side by side above everything in use.
        let base = self.next;
        for _ in args {
            self.temp();
        }
        for (i, a) in args.iter().enumerate() {
            self.put_term(*a, base.saturating_add(i as X));
        }
        self.put_test(Instr::Builtin { native, base, or: 0 });
    }

    fn call(&mut self, predicate: u32, args: &[Cell], tail: bool) {
        self.load_arguments(args);
        self.wake = false;
        if tail {
            if self.env {
                self.put(Instr::Deallocate);
            }
            self.put(Instr::Execute { predicate });
        } else {
            // Slots of variables that are not used again need not be kept by the collector; the count is exact when all are live.
            self.put(Instr::Call { predicate, live: u16::MAX });
        }
        self.new_chunk();
    }

    /// Moves the arguments of a call to their registers, in an order that destroys none that is still needed.
    fn load_arguments(&mut self, args: &[Cell]) {
        let mut pending: Vec<(X, Cell)> = Vec::new();
        for (i, a) in args.iter().enumerate() {
            let c = self.heap.deref(*a);
            let i = i as X;
            if c.is_ref() {
                let v = self.var_of(c);
                if self.vars[v].init && !self.vars[v].permanent && self.vars[v].x == Some(i) {
                    self.used(v);
                    self.owner[i as usize] = Owner::Busy;
                    continue;
                }
            }
            pending.push((i, c));
        }
        // How often a register's variable is still read by a pending argument.
        let reads = |e: &Self, pending: &[(X, Cell)], r: X, except: usize| -> bool {
            let Some(v) = e.vars.iter().position(|v| v.init && !v.permanent && v.x == Some(r)) else { return false };
            pending.iter().enumerate().any(|(k, (_, c))| k != except && e.mentions(*c, v))
        };
        while !pending.is_empty() {
            let ready = (0..pending.len()).find(|&k| {
                let (r, c) = pending[k];
                !reads(self, &pending, r, k) && {
                    let own = self.vars.iter().position(|v| v.init && !v.permanent && v.x == Some(r));
                    // Its own term may read the register only by a plain move or not at all.
                    !c.is_compound() || own.is_none_or(|v| !self.mentions(c, v))
                }
            });
            match ready {
                Some(k) => {
                    let (r, c) = pending.remove(k);
                    if let Some(o) = self.owner.get_mut(r as usize) {
                        *o = Owner::Busy;
                    }
                    self.put_term(c, r);
                }
                None => {
                    // A cycle: move one register's variable out of the way.
                    let r = pending[0].0;
                    let v = self.vars.iter().position(|v| v.init && !v.permanent && v.x == Some(r));
                    let t = self.temp();
                    self.put(Instr::Move { from: r, to: t });
                    if let Some(v) = v {
                        self.vars[v].x = Some(t);
                    }
                }
            }
        }
    }

    fn mentions(&self, c: Cell, v: Var) -> bool {
        let mut pending = vec![c];
        while let Some(c) = pending.pop() {
            let c = self.heap.deref(c);
            if c.is_ref() {
                if self.var_of(c) == v {
                    return true;
                }
            } else if c.is_compound() {
                pending.extend(self.heap.args(c).map(|i| self.heap.cells[i]));
            }
        }
        false
    }

    // ---- control constructs

    fn goal_vars(&self, g: &Goal, out: &mut Vec<Var>) {
        let mut term = |c: Cell| {
            let mut pending = vec![c];
            while let Some(c) = pending.pop() {
                let c = self.heap.deref(c);
                if c.is_ref() {
                    out.push(self.var_of(c));
                } else if c.is_compound() {
                    pending.extend(self.heap.args(c).map(|i| self.heap.cells[i]));
                }
            }
        };
        match g {
            Goal::True | Goal::Fail | Goal::Cut => {}
            Goal::Unify(a, b) | Goal::CompareTerms(_, a, b) | Goal::Compare(_, a, b) | Goal::Is(a, b) => {
                term(*a);
                term(*b);
            }
            Goal::Test(_, a) => term(*a),
            Goal::Native { args, .. } | Goal::Call { args, .. } => args.iter().for_each(|a| term(*a)),
            Goal::Conj(v) => v.iter().for_each(|g| self.goal_vars(g, out)),
            Goal::IfThenElse { cond, then, otherwise, .. } => {
                self.goal_vars(cond, out);
                self.goal_vars(then, out);
                self.goal_vars(otherwise, out);
            }
            Goal::Or(a, b) => {
                self.goal_vars(a, out);
                self.goal_vars(b, out);
            }
            Goal::Not(g) | Goal::Scope(g) => self.goal_vars(g, out),
        }
    }

    /// Variables not yet initialised that occur in one of these goals and also outside of it.
    fn shared_vars(&self, parts: &[&Goal]) -> Vec<Var> {
        let mut counts: Vec<FxHashMap<Var, u32>> = Vec::new();
        for p in parts {
            let mut vs = Vec::new();
            self.goal_vars(p, &mut vs);
            let mut m = FxHashMap::default();
            vs.into_iter().for_each(|v| *m.entry(v).or_insert(0) += 1);
            counts.push(m);
        }
        let mut out: Vec<Var> = counts
            .iter()
            .flat_map(|m| m.iter())
            .filter(|(v, n)| !self.vars[**v].init && self.vars[**v].remaining > **n)
            .map(|(v, _)| *v)
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// At the end of a branch: variables that later code expects are made.
    fn init_all(&mut self, vars: &[Var]) {
        for &v in vars {
            if !self.vars[v].init {
                self.init_var(v);
            }
        }
    }

    fn init_flags(&self) -> Vec<bool> {
        self.vars.iter().map(|v| v.init).collect()
    }

    fn set_init_flags(&mut self, flags: &[bool]) {
        for (v, f) in self.vars.iter_mut().zip(flags) {
            v.init = *f;
        }
    }

    fn if_then_else(&mut self, cond: &Goal, then: &Goal, otherwise: &Goal, soft: bool, tail: bool) {
        self.flush_wake();
        if !soft && is_test(cond) {
            let inline = is_inline(then) && is_inline(otherwise);
            let shared = self.shared_vars(&[cond, then, otherwise]);
            // Variables of the condition must exist on both ways on.
            let mut vs = Vec::new();
            self.goal_vars(cond, &mut vs);
            for v in vs {
                if !self.vars[v].init {
                    self.init_var(v);
                }
            }
            let (l_else, l_end) = (self.label(), self.label());
            let outer = self.or.replace(l_else);
            self.goal(cond, false);
            self.or = outer;
            let flags = self.init_flags();
            let state = (self.vars.clone(), self.owner.clone(), self.next, self.first_chunk);
            self.branch(then, tail, &shared, outer);
            if !tail {
                self.put_to(Instr::Jump { by: 0 }, l_end);
            }
            self.place(l_else);
            let after_then = self.first_chunk;
            if inline {
                self.set_init_flags(&flags);
            } else {
                let remaining: Vec<u32> = self.vars.iter().map(|v| v.remaining).collect();
                (self.vars, self.owner, self.next, self.first_chunk) = state;
                for (v, r) in self.vars.iter_mut().zip(remaining) {
                    v.remaining = r;
                }
            }
            self.wake = false;
            self.branch(otherwise, tail, &shared, outer);
            self.place(l_end);
            self.first_chunk &= after_then;
            if !inline && !tail {
                self.new_chunk();
            }
            return;
        }
        let shared = self.shared_vars(&[cond, then, otherwise]);
        self.enter_complex();
        let outer = self.or.take();
        let y = self.slot();
        let (l_else, l_end) = (self.label(), self.label());
        let flags = self.init_flags();
        self.put(Instr::GetLevel { y });
        self.put_to(Instr::TryElse { by: 0 }, l_else);
        self.goal(cond, false);
        self.flush_wake();
        self.put(if soft { Instr::SoftCut { y } } else { Instr::CutTo { y } });
        self.branch(then, tail, &shared, None);
        if !tail {
            self.put_to(Instr::Jump { by: 0 }, l_end);
        }
        self.place(l_else);
        self.set_init_flags(&flags);
        self.new_chunk();
        self.wake = false;
        self.branch(otherwise, tail, &shared, None);
        self.place(l_end);
        self.or = outer;
        self.new_chunk();
    }

    fn branch(&mut self, g: &Goal, tail: bool, shared: &[Var], outer: Option<usize>) {
        let saved = std::mem::replace(&mut self.or, outer);
        self.goal(g, tail);
        if !tail {
            self.init_all(shared);
            self.flush_wake();
        }
        self.or = saved;
    }

    fn disjunction(&mut self, a: &Goal, b: &Goal, tail: bool) {
        let shared = self.shared_vars(&[a, b]);
        self.enter_complex();
        let outer = self.or.take();
        let (l_else, l_end) = (self.label(), self.label());
        let flags = self.init_flags();
        self.put_to(Instr::TryElse { by: 0 }, l_else);
        self.branch(a, tail, &shared, None);
        if !tail {
            self.put_to(Instr::Jump { by: 0 }, l_end);
        }
        self.place(l_else);
        self.set_init_flags(&flags);
        self.new_chunk();
        self.wake = false;
        self.branch(b, tail, &shared, None);
        self.place(l_end);
        self.or = outer;
        self.new_chunk();
    }

    fn negation(&mut self, g: &Goal) {
        self.flush_wake();
        let mut vs = Vec::new();
        self.goal_vars(g, &mut vs);
        if is_test(g) {
            for v in vs {
                if !self.vars[v].init {
                    self.init_var(v);
                }
            }
            let go_on = self.label();
            let outer = self.or.replace(go_on);
            self.goal(g, false);
            self.or = outer;
            self.goal(&Goal::Fail, false);
            self.place(go_on);
            return;
        }
        // Bindings inside are undone, so what is used later must exist before.
        let shared = self.shared_vars(&[g]);
        self.init_all(&shared);
        self.enter_complex();
        let outer = self.or.take();
        let y = self.slot();
        let l = self.label();
        let flags = self.init_flags();
        self.put(Instr::GetLevel { y });
        self.put_to(Instr::TryElse { by: 0 }, l);
        self.goal(g, false);
        self.flush_wake();
        self.put(Instr::CutTo { y });
        self.put(Instr::Fail);
        self.place(l);
        self.set_init_flags(&flags);
        self.wake = false;
        self.or = outer;
        self.new_chunk();
    }
}
