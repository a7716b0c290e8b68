//! The instruction loop.
#![allow(unsafe_code, reason = "the program counter is a pointer into a clause")]

use super::predicate::{Chain, Control, Definition};
use super::{Answer, Choice, HostCall, Kind, Machine, State, Step, Unwind};
use crate::arith;
use crate::atom::{self, Atom};
use crate::cell::{Cell, tag};
use crate::code::{Instr, KEYS, Relation, TypeTest, index_key};
use crate::error::{Res, Throw};
use crate::heap::Term;
use crate::native::{Redo, Run};
use crate::order;
use smallvec::SmallVec;
use std::sync::atomic::Ordering as Atomic;

/// Inferences between two looks at limits and cancellation.
const SLICE: i64 = 2048;

static SOLUTION: [Instr; 1] = [Instr::Solution];
static FAIL: [Instr; 1] = [Instr::Fail];
static RESUME: [Instr; 1] = [Instr::Resume];

pub(super) fn solution_code() -> *const Instr {
    SOLUTION.as_ptr()
}
pub(super) fn fail_code() -> *const Instr {
    FAIL.as_ptr()
}
pub(super) fn resume_code() -> *const Instr {
    RESUME.as_ptr()
}

/// First variable slot of an environment: before it the previous environment, the continuation, the number of slots.
pub(super) const SLOTS: usize = 3;

/// How an instruction ends: go on, backtrack, or stop the machine.
pub(super) enum Flow {
    Go,
    Fail,
    Stop(Step),
}

impl Machine {
    /// Prepares a goal, called in a module; the machine must not be running. Step to get its solutions.
    pub fn start(&mut self, goal: Cell, module: Atom) {
        self.x[0] = self.heap.compound(atom::COLON, &[Cell::atom(module), goal]);
        self.e = 0;
        self.env[0] = Cell::small(0);
        self.env[2] = Cell::small(0);
        self.cp = solution_code();
        self.push_choice(Kind::Base, 0);
        self.unwinding = None;
        self.state = State::Run;
        self.p = super::control::call_code();
    }

    /// Drops the running query and its bindings.
    pub fn close(&mut self) {
        if let Some(i) = self.choices.iter().rposition(|c| matches!(c.kind, Kind::Base)) {
            self.restore_choice(i);
            self.truncate_choices(i);
            self.e = 0;
        }
        self.pending_cleanups = 0;
        self.findall.clear();
        self.state = State::Idle;
        self.unwinding = None;
    }

    /// Ends the running query, keeping the bindings of its solution.
    pub fn commit(&mut self) {
        if let Some(i) = self.choices.iter().rposition(|c| matches!(c.kind, Kind::Base)) {
            self.truncate_choices(i);
            self.e = 0;
        }
        self.findall.clear();
        self.state = State::Idle;
    }

    /// Answers the host call the machine waits for; the next step goes on.
    pub fn answer(&mut self, answer: Answer) {
        let Some((_, args)) = self.host_call.take() else { return };
        self.state = State::Run;
        self.p = self.cp;
        match answer {
            Answer::Succeed(values) => {
                let range = self.heap.args(args);
                for (i, v) in values {
                    if i >= range.len() {
                        continue;
                    }
                    let a = self.heap.cells[range.start + i];
                    if !self.heap.unify(a, v) {
                        self.state = State::Backtrack;
                        return;
                    }
                }
                // Attributed variables bound by the answer wake before the program goes on.
                if self.heap.wakeup != Cell::NIL {
                    self.wake_at(self.cp, 0, 0);
                }
            }
            Answer::Fail => self.state = State::Backtrack,
            Answer::Throw(ball) => match self.throw(Throw::Ball(ball)) {
                Flow::Go => {}
                _ => self.state = State::Backtrack,
            },
        }
    }

    /// Asks the run to end past every `catch/3`; cleanup handlers still run on a small reserve when the machine is stepped.
    pub fn abort(&mut self) {
        self.host_call = None;
        if self.state == State::Idle {
            return;
        }
        self.begin_unwind(Unwind::Cancelled);
    }

    fn begin_unwind(&mut self, why: Unwind) {
        self.unwinding = Some(why);
        self.reserve_end = self.inferences + super::control::RESERVE;
        self.state = match self.unwind_uncatchable() {
            Flow::Stop(_) => State::Backtrack,
            _ => State::Run,
        };
    }

    /// Runs until something stops the machine, for at most `fuel` inferences.
    pub fn step(&mut self, fuel: u64) -> Step {
        self.fuel = fuel;
        self.settle_slice();
        match self.state {
            State::Idle => return Step::NoMore,
            State::Host => match self.pending_host_call() {
                Some(h) => return Step::HostCall(h),
                None => self.state = State::Backtrack,
            },
            _ => {}
        }
        self.next_slice();
        if self.state == State::Backtrack {
            self.state = State::Run;
            if let Flow::Stop(s) = self.backtrack() {
                return self.stopped(s);
            }
        }
        if let Some(i) = self.reenter.take() {
            let flow = match self.enter(i) {
                Flow::Fail => self.backtrack(),
                f => f,
            };
            if let Flow::Stop(s) = flow {
                return self.stopped(s);
            }
        }
        let s = self.run();
        self.stopped(s)
    }

    fn stopped(&mut self, s: Step) -> Step {
        self.settle_slice();
        match &s {
            Step::Solution { .. } => self.state = State::Backtrack,
            Step::HostCall(_) => self.state = State::Host,
            Step::OutOfFuel | Step::Input => self.state = State::Run,
            _ => {
                self.state = State::Idle;
                self.truncate_choices(0);
                self.findall.clear();
            }
        }
        s
    }

    /// Books the inferences of the running slice.
    fn settle_slice(&mut self) {
        let used = (self.slice_size - self.slice).max(0) as u64;
        self.inferences += used;
        self.fuel = self.fuel.saturating_sub(used.min(if self.slice_size == 0 { 0 } else { used }));
        self.slice = 0;
        self.slice_size = 0;
    }

    fn next_slice(&mut self) {
        let mut n = (self.fuel.min(SLICE as u64)) as i64;
        if let (Some(limit), None) = (self.limits.inferences, self.unwinding) {
            n = n.min(limit.saturating_sub(self.inferences).min(SLICE as u64) as i64);
        }
        self.slice = n;
        self.slice_size = n;
    }

    fn pending_host_call(&self) -> Option<HostCall> {
        let (predicate, args) = self.host_call?;
        let p = self.predicates.get(predicate);
        let args = self.heap.args(args).map(|i| self.heap.cells[i]).collect();
        Some(HostCall { module: p.module, name: p.name, args })
    }

    // ---- choice points and environments

    #[inline]
    pub(super) fn env_top(&self) -> usize {
        let own = self.e + SLOTS + self.env[self.e + 2].as_small() as usize;
        match self.choices.last() {
            Some(c) => own.max(c.env_top),
            None => own,
        }
    }

    #[inline]
    pub(super) fn push_choice(&mut self, kind: Kind, nargs: usize) {
        let env_top = self.env_top();
        let args = self.choice_args.len();
        self.choice_args.extend_from_slice(&self.x[..nargs]);
        let h = self.heap.top();
        self.choices.push(Choice {
            kind,
            e: self.e,
            cp: self.cp,
            b0: self.b0,
            trail: self.heap.trail.len(),
            h,
            env_top,
            args,
            findall: self.findall.len(),
        });
        self.heap.hb = h;
    }

    pub(super) fn truncate_choices(&mut self, n: usize) {
        if let Some(c) = self.choices.get(n) {
            self.choice_args.truncate(c.args);
            self.choices.truncate(n);
        }
        self.heap.hb = self.choices.last().map_or(0, |c| c.h);
    }

    #[inline]
    pub(super) fn pop_choice(&mut self) {
        if let Some(c) = self.choices.pop() {
            self.choice_args.truncate(c.args);
        }
        self.heap.hb = self.choices.last().map_or(0, |c| c.h);
    }

    /// Undoes everything since a choice point was made; the choice point stays.
    #[inline]
    pub(super) fn restore_choice(&mut self, i: usize) {
        let c = &self.choices[i];
        let (trail, h) = (c.trail, c.h);
        self.e = c.e;
        self.cp = c.cp;
        self.b0 = c.b0;
        self.heap.undo_to(trail);
        self.heap.cells.truncate(h);
        self.heap.wakeup = Cell::NIL;
    }

    #[inline]
    fn load_args(&mut self, i: usize) -> usize {
        let from = self.choices[i].args;
        let n = self.choice_args.len() - from;
        self.x[..n].copy_from_slice(&self.choice_args[from..]);
        n
    }

    /// Cuts to `n` choice points; cleanup handlers among them become pending goals.
    pub(super) fn cut_to(&mut self, n: usize) {
        if self.choices.len() > n {
            self.cut_with(n, "$cleanup_cut");
        }
    }

    /// As [`Machine::cut_to`]; `handler` is the predicate of `system` that runs a cleanup handler.
    fn cut_with(&mut self, n: usize, handler: &str) {
        for i in (n..self.choices.len()).rev() {
            if matches!(self.choices[i].kind, Kind::Cleanup) {
                let goal = self.choice_args[self.choices[i].args];
                let name = self.heap.atoms.intern(handler);
                let call = self.heap.compound(name, &[goal]);
                let call = self.heap.compound(atom::COLON, &[Cell::atom(atom::SYSTEM), call]);
                self.heap.wakeup = self.heap.list(call, self.heap.wakeup);
                self.pending_cleanups += 1;
            }
        }
        self.truncate_choices(n);
    }

    /// Goes on with the newest alternative.
    pub(super) fn backtrack(&mut self) -> Flow {
        if self.pending_cleanups > 0 && self.heap.wakeup != Cell::NIL {
            return self.cleanups_before_backtracking();
        }
        loop {
            let Some(top) = self.choices.len().checked_sub(1) else {
                return if self.unwinding.is_some() { self.unwind_uncatchable() } else { Flow::Stop(Step::NoMore) };
            };
            self.restore_choice(top);
            match self.choices[top].kind {
                Kind::Clauses { predicate, slot, chain, generation } => {
                    self.load_args(top);
                    let p = self.predicates.get(predicate);
                    let next = p.following(slot, chain, generation);
                    let code = p.slots[slot as usize].clause.code.as_ptr();
                    self.p = code;
                    match next {
                        Some(slot) => {
                            self.choices[top].kind = Kind::Clauses { predicate, slot, chain, generation };
                            self.b0 = top;
                        }
                        None => {
                            self.pop_choice();
                            self.b0 = top;
                        }
                    }
                    return Flow::Go;
                }
                Kind::Inline { p } => {
                    self.p = p;
                    self.pop_choice();
                    return Flow::Go;
                }
                Kind::Native { native } => {
                    let n = self.load_args(top) - 1;
                    let state = self.x[n];
                    let args: SmallVec<[Cell; 8]> = SmallVec::from_slice(&self.x[..n]);
                    let Run::Nondet(f) = self.natives[native as usize].run else {
                        return Flow::Stop(Step::Bug("redo of a deterministic predicate"));
                    };
                    match f(self, &args, Some(state)) {
                        Ok(r) => {
                            if self.finish_redo(r, top) {
                                return Flow::Go;
                            }
                        }
                        Err(t) => {
                            self.truncate_choices(top);
                            return self.throw_from(t, native);
                        }
                    }
                }
                Kind::Cleanup => {
                    let goal = self.choice_args[self.choices[top].args];
                    self.pop_choice();
                    self.x[0] = goal;
                    self.cp = fail_code();
                    return self.execute_named("$cleanup_fail", 1);
                }
                Kind::Catch | Kind::Dead => self.pop_choice(),
                Kind::Base => {
                    self.pop_choice();
                    return Flow::Stop(Step::NoMore);
                }
            }
        }
    }

    /// Ends a call of a nondeterministic native predicate whose choice point is at `top`. False: it failed.
    fn finish_redo(&mut self, r: Redo, top: usize) -> bool {
        match r {
            Redo::Fail => {
                self.truncate_choices(top);
                false
            }
            Redo::Done => {
                self.truncate_choices(top);
                self.p = self.cp;
                true
            }
            Redo::More(state) => {
                if let Some(s) = self.choice_args.last_mut() {
                    *s = state;
                }
                if !state.is_atom() && !state.is_small() {
                    // The state lives above the old top of the heap: keep it.
                    let h = self.heap.top();
                    self.choices[top].h = h;
                    self.heap.hb = h;
                }
                self.p = self.cp;
                true
            }
        }
    }

    /// Pending cleanup goals run before the machine backtracks further.
    fn cleanups_before_backtracking(&mut self) -> Flow {
        self.pending_cleanups = 0;
        let list = self.heap.wakeup;
        let record = crate::record::record(&self.heap, list);
        let Some(top) = self.choices.len().checked_sub(1) else { return Flow::Stop(Step::NoMore) };
        self.restore_choice(top);
        self.x[0] = record.restore(&mut self.heap);
        self.cp = fail_code();
        self.execute_named("$wakeup", 1)
    }

    /// Calls `system:name/arity` with the arguments in the registers.
    pub(super) fn execute_named(&mut self, name: &str, arity: usize) -> Flow {
        let name = self.heap.atoms.intern(name);
        let i = self.predicates.intern(atom::SYSTEM, name, arity);
        self.enter(i)
    }

    /// Interrupts the program at `p` to run woken goals, saving the registers of `mask` or the first `prefix`.
    pub(super) fn wake_at(&mut self, p: *const Instr, mask: u64, prefix: usize) {
        let top = self.env_top();
        let n = if prefix > 0 { prefix } else { mask.count_ones() as usize };
        self.ensure_env(top + SLOTS + 5 + n);
        let f = top;
        self.env[f] = Cell::small(self.e as i64);
        self.env[f + 1] = Cell(self.cp as u64);
        self.env[f + 2] = Cell::small(5 + n as i64);
        self.env[f + SLOTS] = Cell::small(p as i64);
        self.env[f + SLOTS + 1] = Cell::small(self.b0 as i64);
        self.env[f + SLOTS + 2] = Cell::small((mask & 0xffff_ffff) as i64);
        self.env[f + SLOTS + 3] = Cell::small((mask >> 32) as i64);
        self.env[f + SLOTS + 4] = Cell::small(prefix as i64);
        let mut at = f + SLOTS + 5;
        if prefix > 0 {
            self.env[at..at + prefix].copy_from_slice(&self.x[..prefix]);
        } else {
            for r in 0..64 {
                if mask >> r & 1 == 1 {
                    self.env[at] = self.x[r];
                    at += 1;
                }
            }
        }
        self.e = f;
        self.cp = resume_code();
        self.x[0] = self.heap.wakeup;
        self.heap.wakeup = Cell::NIL;
        self.pending_cleanups = 0;
        self.p = super::control::wakeup_code();
    }

    fn resume(&mut self) {
        let f = self.e;
        let get = |i: usize| self.env[f + SLOTS + i].as_small();
        let (p, b0, mask, prefix) =
            (get(0) as u64 as *const Instr, get(1) as usize, get(2) as u64 | (get(3) as u64) << 32, get(4) as usize);
        let mut at = f + SLOTS + 5;
        if prefix > 0 {
            self.x[..prefix].copy_from_slice(&self.env[at..at + prefix]);
        } else {
            for r in 0..64 {
                if mask >> r & 1 == 1 {
                    self.x[r] = self.env[at];
                    at += 1;
                }
            }
        }
        self.cp = self.env[f + 1].0 as *const Instr;
        self.e = self.env[f].as_small() as usize;
        self.b0 = b0;
        self.p = p;
    }

    #[inline]
    fn ensure_env(&mut self, n: usize) {
        if self.env.len() < n {
            let new = (n + 64).max(self.env.len() * 2);
            self.env.resize(new, Cell::small(0));
        }
    }

    /// Looks around between two calls: fuel, limits, cancellation, collection. `None` to go on.
    #[cold]
    #[inline(never)]
    fn look_around(&mut self, arity: usize) -> Option<Flow> {
        if self.heap.top() >= self.gc_at || self.gc_stress {
            self.collect(arity);
        }
        if self.slice <= 0 {
            self.settle_slice();
            if self.cancel.load(Atomic::Relaxed) && self.unwinding.is_none() {
                self.cancel.store(false, Atomic::Relaxed);
                self.unwinding = Some(Unwind::Cancelled);
                self.reserve_end = self.inferences + super::control::RESERVE;
                return Some(self.unwind_uncatchable());
            }
            if let (Some(limit), None) = (self.limits.inferences, self.unwinding)
                && self.inferences >= limit
            {
                self.unwinding = Some(Unwind::Inferences);
                self.reserve_end = self.inferences + super::control::RESERVE;
                return Some(self.unwind_uncatchable());
            }
            if self.unwinding.is_some() && self.inferences >= self.reserve_end {
                self.truncate_choices(0);
                return Some(self.unwind_uncatchable());
            }
            if self.fuel == 0 {
                return Some(Flow::Stop(Step::OutOfFuel));
            }
            self.next_slice();
            if self.graveyard.len() > self.graveyard_limit {
                self.empty_graveyard();
            }
            if self.memory_used() > self.limits.memory {
                self.collect(arity);
                if self.memory_used() > self.limits.memory {
                    return Some(self.out_of_memory());
                }
            }
        }
        None
    }

    fn out_of_memory(&mut self) -> Flow {
        let t = crate::error::resource(&mut self.heap, "memory");
        let flow = self.throw(t);
        // The stacks may have shrunk a lot: give the handler room.
        self.heap.cells.shrink_to(self.heap.cells.len() * 2 + 4096);
        flow
    }

    // ---- calls

    /// Enters a predicate with its arguments in the registers and the continuation set.
    pub(super) fn enter(&mut self, index: u32) -> Flow {
        let mut i = index;
        loop {
            let p = &self.predicates.table[i as usize];
            match p.definition {
                Definition::Clauses => {
                    if i != index && p.meta.is_some() {
                        self.qualify_args(index, i);
                    }
                    return self.enter_clauses(i);
                }
                Definition::Det(native) => {
                    let n = p.arity;
                    if i != index && p.meta.is_some() {
                        self.qualify_args(index, i);
                    }
                    let Run::Det(f) = self.natives[native as usize].run else { return Flow::Stop(Step::Bug("not deterministic")) };
                    let args: SmallVec<[Cell; 8]> = SmallVec::from_slice(&self.x[..n]);
                    return match f(self, &args) {
                        Ok(true) if self.heap.wakeup != Cell::NIL => {
                            self.wake_at(self.cp, 0, 0);
                            Flow::Go
                        }
                        Ok(true) => {
                            self.p = self.cp;
                            Flow::Go
                        }
                        Ok(false) => Flow::Fail,
                        Err(Throw::Input) => {
                            self.reenter = Some(i);
                            Flow::Stop(Step::Input)
                        }
                        Err(t) => self.throw_from(t, native),
                    };
                }
                Definition::Nondet(native) => {
                    let n = p.arity;
                    if i != index && p.meta.is_some() {
                        self.qualify_args(index, i);
                    }
                    self.x[n] = Cell::NIL;
                    let top = self.choices.len();
                    self.push_choice(Kind::Native { native }, n + 1);
                    let Run::Nondet(f) = self.natives[native as usize].run else { return Flow::Stop(Step::Bug("not nondeterministic")) };
                    let args: SmallVec<[Cell; 8]> = SmallVec::from_slice(&self.x[..n]);
                    return match f(self, &args, None) {
                        Ok(r) => {
                            if !self.finish_redo(r, top) {
                                return Flow::Fail;
                            }
                            if self.heap.wakeup != Cell::NIL {
                                self.wake_at(self.cp, 0, 0);
                            }
                            Flow::Go
                        }
                        Err(t) => {
                            self.truncate_choices(top);
                            self.throw_from(t, native)
                        }
                    };
                }
                Definition::Suspend => {
                    if self.unwinding.is_some() {
                        let t = crate::error::permission(&mut self.heap, "suspend", "cleanup", Cell::NIL);
                        return self.throw(t);
                    }
                    let (n, name) = (p.arity, p.name);
                    let args: SmallVec<[Cell; 8]> = SmallVec::from_slice(&self.x[..n]);
                    let args = self.heap.compound_any(name, &args);
                    self.host_call = Some((i, args));
                    return match self.pending_host_call() {
                        Some(h) => Flow::Stop(Step::HostCall(h)),
                        None => Flow::Stop(Step::Bug("no host call")),
                    };
                }
                Definition::Control(Control::Call) => {
                    let (arity, module) = (p.arity, self.predicates.table[index as usize].module);
                    return self.meta_call(module, arity);
                }
                Definition::Control(Control::Code(k)) => {
                    if i != index {
                        self.qualify_args(index, i);
                    }
                    self.b0 = self.choices.len();
                    self.p = super::control::hand_code(k);
                    return Flow::Go;
                }
                Definition::Undefined | Definition::Link { .. } => match self.predicates.resolve(i) {
                    Some(to) if to != i => i = to,
                    Some(_) => return Flow::Fail,
                    None => return self.undefined(i),
                },
            }
        }
    }

    #[inline]
    fn enter_clauses(&mut self, i: u32) -> Flow {
        let p = &self.predicates.table[i as usize];
        let n = p.arity;
        let mut keys = [0u64; KEYS];
        for (k, x) in keys.iter_mut().zip(&self.x[..n.min(KEYS)]) {
            *k = index_key(&self.heap.cells, self.heap.deref(*x));
        }
        let generation = self.generation;
        let Some((slot, chain)) = p.candidates(&keys, generation) else { return Flow::Fail };
        let next = p.following(slot, chain, generation);
        self.p = p.slots[slot as usize].clause.code.as_ptr();
        self.b0 = self.choices.len();
        if let Some(slot) = next {
            self.push_clauses(i, slot, chain, generation, n);
        }
        Flow::Go
    }

    #[inline]
    fn push_clauses(&mut self, predicate: u32, slot: u32, chain: Chain, generation: u64, n: usize) {
        self.push_choice(Kind::Clauses { predicate, slot, chain, generation }, n);
    }

    fn test(&self, t: TypeTest, c: Cell) -> bool {
        let c = self.heap.deref(c);
        match t {
            TypeTest::Var => c.is_ref(),
            TypeTest::Nonvar => !c.is_ref(),
            TypeTest::Atom => c.is_atom(),
            TypeTest::Atomic => !c.is_ref() && !c.is_compound(),
            TypeTest::Compound => c.is_compound(),
            TypeTest::Callable => c.is_atom() || c.is_compound(),
            TypeTest::Integer => c.is_small() || matches!(self.heap.view(c), Term::Big(_)),
            TypeTest::Float => matches!(self.heap.view(c), Term::Float(_)),
            TypeTest::Number => c.is_small() || matches!(self.heap.view(c), Term::Big(_) | Term::Float(_) | Term::Rational(_)),
            TypeTest::String => matches!(self.heap.view(c), Term::Str(_)),
            TypeTest::IsList => self.heap.list_to_vec(c).is_ok(),
        }
    }

    fn compare_terms(&self, r: Relation, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.heap.deref(a), self.heap.deref(b));
        if a == b {
            return matches!(r, Relation::Equal | Relation::LessEq | Relation::GreaterEq);
        }
        holds(r, order::compare(&self.heap, a, b))
    }

    fn compare_numbers(&mut self, r: Relation, a: Cell, b: Cell) -> Res {
        let a = arith::eval(self, a)?;
        let b = arith::eval(self, b)?;
        Ok(match arith::compare(self, a, b)? {
            Some(o) => holds(r, o),
            None => r == Relation::NotEqual,
        })
    }

    /// The loop. Returns when the machine stops.
    fn run(&mut self) -> Step {
        macro_rules! flow {
            ($f:expr) => {
                match $f {
                    Flow::Go => continue,
                    Flow::Fail => match self.backtrack() {
                        Flow::Stop(s) => return s,
                        Flow::Fail => return Step::Bug("backtracking failed"),
                        Flow::Go => continue,
                    },
                    Flow::Stop(s) => return s,
                }
            };
        }
        macro_rules! fail {
            () => {
                flow!(Flow::Fail)
            };
        }
        loop {
            // SAFETY: `p` points into the code of a clause that is alive (see `Machine`'s `Send`), and every code ends
            // with an instruction that leaves it, so that `p` never runs past its end.
            let instr = unsafe { *self.p };
            // SAFETY: as above; the last instruction of a code never looks at the incremented pointer.
            let next = unsafe { self.p.add(1) };
            macro_rules! jump_or_fail {
                ($or:expr) => {{
                    if $or == 0 {
                        fail!()
                    }
                    // SAFETY: the compiler made the offset within this code.
                    self.p = unsafe { self.p.offset($or as isize) };
                    continue;
                }};
            }
            match instr {
                Instr::Move { from, to } => self.x[to as usize] = self.x[from as usize],
                Instr::MoveXY { from, to } => self.env[self.e + SLOTS + to as usize] = self.x[from as usize],
                Instr::MoveYX { from, to } => self.x[to as usize] = self.env[self.e + SLOTS + from as usize],
                Instr::PutVarX { to } => self.x[to as usize] = self.heap.new_var(),
                Instr::PutVarY { to } => {
                    let v = self.heap.new_var();
                    self.env[self.e + SLOTS + to as usize] = v;
                }
                Instr::PutVarYX { y, to } => {
                    let v = self.heap.new_var();
                    self.env[self.e + SLOTS + y as usize] = v;
                    self.x[to as usize] = v;
                }
                Instr::PutConst { to, value } => self.x[to as usize] = value,
                Instr::Literals { .. } => {}
                Instr::PutLiteral { to, literal, pc } => {
                    let c = self.copy_literal(literal, pc);
                    self.x[to as usize] = c;
                }
                Instr::PutList { to } => {
                    self.x[to as usize] = Cell::new(tag::LST, self.heap.top());
                    self.write = true;
                }
                Instr::PutStruct { to, functor } => {
                    self.x[to as usize] = Cell::new(tag::STR, self.heap.top());
                    self.heap.push(functor);
                    self.write = true;
                }
                Instr::GetValueX { a, b } => {
                    if !self.heap.unify(self.x[a as usize], self.x[b as usize]) {
                        fail!()
                    }
                }
                Instr::GetValueY { a, y } => {
                    if !self.heap.unify(self.x[a as usize], self.env[self.e + SLOTS + y as usize]) {
                        fail!()
                    }
                }
                Instr::GetConst { a, value } => {
                    let c = self.heap.deref(self.x[a as usize]);
                    if c != value {
                        if !c.is_ref() {
                            fail!()
                        }
                        self.heap.bind(c, value);
                    }
                }
                Instr::GetLiteral { a, literal, pc } => {
                    let c = self.copy_literal(literal, pc);
                    if !self.heap.unify(self.x[a as usize], c) {
                        fail!()
                    }
                }
                Instr::GetList { a } => {
                    let c = self.heap.deref(self.x[a as usize]);
                    if c.is_list() {
                        self.s = c.addr();
                        self.write = false;
                    } else if c.is_ref() {
                        let l = Cell::new(tag::LST, self.heap.top());
                        self.heap.bind(c, l);
                        // The binding may have pushed a wake-up goal.
                        if c.tag() == tag::ATV {
                            let l = Cell::new(tag::LST, self.heap.top());
                            self.heap.cells[c.addr()] = l;
                            self.fix_wakeup(l);
                        }
                        self.write = true;
                    } else {
                        fail!()
                    }
                }
                Instr::GetStruct { a, functor } => {
                    let c = self.heap.deref(self.x[a as usize]);
                    if c.is_str() {
                        if self.heap.cells[c.addr()] != functor {
                            fail!()
                        }
                        self.s = c.addr() + 1;
                        self.write = false;
                    } else if c.is_ref() {
                        let t = Cell::new(tag::STR, self.heap.top());
                        self.heap.bind(c, t);
                        if c.tag() == tag::ATV {
                            let t = Cell::new(tag::STR, self.heap.top());
                            self.heap.cells[c.addr()] = t;
                            self.fix_wakeup(t);
                        }
                        self.heap.push(functor);
                        self.write = true;
                    } else {
                        fail!()
                    }
                }
                Instr::UnifyVarX { to } => {
                    if self.write {
                        self.x[to as usize] = self.heap.new_var();
                    } else {
                        self.x[to as usize] = self.heap.cells[self.s];
                        self.s += 1;
                    }
                }
                Instr::UnifyVarY { to } => {
                    let v = if self.write {
                        self.heap.new_var()
                    } else {
                        self.s += 1;
                        self.heap.cells[self.s - 1]
                    };
                    self.env[self.e + SLOTS + to as usize] = v;
                }
                Instr::UnifyValueX { x } => {
                    let v = self.x[x as usize];
                    if self.write {
                        self.heap.push(v);
                    } else {
                        let c = self.heap.cells[self.s];
                        self.s += 1;
                        if !self.heap.unify(c, v) {
                            fail!()
                        }
                    }
                }
                Instr::UnifyValueY { y } => {
                    let v = self.env[self.e + SLOTS + y as usize];
                    if self.write {
                        self.heap.push(v);
                    } else {
                        let c = self.heap.cells[self.s];
                        self.s += 1;
                        if !self.heap.unify(c, v) {
                            fail!()
                        }
                    }
                }
                Instr::UnifyConst { value } => {
                    if self.write {
                        self.heap.push(value);
                    } else {
                        let c = self.heap.deref(self.heap.cells[self.s]);
                        self.s += 1;
                        if c != value {
                            if !c.is_ref() {
                                fail!()
                            }
                            self.heap.bind(c, value);
                        }
                    }
                }
                Instr::UnifyVoid { n } => {
                    if self.write {
                        for _ in 0..n {
                            self.heap.new_var();
                        }
                    } else {
                        self.s += n as usize;
                    }
                }
                Instr::Allocate { n } => {
                    let top = self.env_top();
                    let n = n as usize;
                    self.ensure_env(top + SLOTS + n);
                    self.env[top] = Cell::small(self.e as i64);
                    self.env[top + 1] = Cell(self.cp as u64);
                    self.env[top + 2] = Cell::small(n as i64);
                    self.env[top + SLOTS..top + SLOTS + n].fill(Cell::small(0));
                    self.e = top;
                }
                Instr::Deallocate => {
                    self.cp = self.env[self.e + 1].0 as *const Instr;
                    self.e = self.env[self.e].as_small() as usize;
                }
                Instr::Call { predicate, .. } => {
                    self.slice -= 1;
                    if self.slice <= 0 || self.heap.top() >= self.gc_at || self.heap.wakeup != Cell::NIL || self.gc_stress {
                        let arity = self.predicates.table[predicate as usize].arity;
                        if self.heap.wakeup != Cell::NIL {
                            self.wake_at(self.p, 0, arity);
                            continue;
                        }
                        if let Some(f) = self.look_around(arity) {
                            flow!(f)
                        }
                    }
                    self.cp = next;
                    flow!(self.enter(predicate))
                }
                Instr::Execute { predicate } => {
                    self.slice -= 1;
                    if self.slice <= 0 || self.heap.top() >= self.gc_at || self.heap.wakeup != Cell::NIL || self.gc_stress {
                        let arity = self.predicates.table[predicate as usize].arity;
                        if self.heap.wakeup != Cell::NIL {
                            self.wake_at(self.p, 0, arity);
                            continue;
                        }
                        if let Some(f) = self.look_around(arity) {
                            flow!(f)
                        }
                    }
                    flow!(self.enter(predicate))
                }
                Instr::Proceed => {
                    if self.heap.wakeup != Cell::NIL {
                        self.wake_at(self.cp, 0, 0);
                        continue;
                    }
                    self.p = self.cp;
                    continue;
                }
                Instr::Jump { by } => {
                    // SAFETY: the compiler made the offset within this code.
                    self.p = unsafe { self.p.offset(by as isize) };
                    continue;
                }
                Instr::Fail => {
                    // What the bindings before an explicit failure woke runs first: it may have effects.
                    if self.heap.wakeup != Cell::NIL && self.pending_cleanups == 0 {
                        self.wake_at(fail_code(), 0, 0);
                        continue;
                    }
                    fail!()
                }
                Instr::Cut => {
                    let n = self.b0;
                    self.cut_to(n);
                }
                Instr::GetLevel { y } => {
                    let n = self.choices.len();
                    self.env[self.e + SLOTS + y as usize] = Cell::small(n as i64);
                }
                Instr::GetEntryLevel { y } => {
                    let n = self.b0;
                    self.env[self.e + SLOTS + y as usize] = Cell::small(n as i64);
                }
                Instr::CutTo { y } => {
                    let n = self.env[self.e + SLOTS + y as usize].as_small() as usize;
                    self.cut_to(n);
                }
                Instr::SoftCut { y } => {
                    let n = self.env[self.e + SLOTS + y as usize].as_small() as usize;
                    if n + 1 == self.choices.len() {
                        self.pop_choice();
                    } else if let Some(c) = self.choices.get_mut(n) {
                        c.kind = Kind::Dead;
                    }
                }
                Instr::TryElse { by } => {
                    // SAFETY: the compiler made the offset within this code.
                    let p = unsafe { self.p.offset(by as isize) };
                    self.push_choice(Kind::Inline { p }, 0);
                }
                Instr::Wake { live } => {
                    if self.heap.wakeup != Cell::NIL {
                        self.wake_at(next, live, 0);
                        continue;
                    }
                }
                Instr::Test { test, x, or } => {
                    if !self.test(test, self.x[x as usize]) {
                        jump_or_fail!(or)
                    }
                }
                Instr::CompareTerms { relation, a, b, or } => {
                    if !self.compare_terms(relation, self.x[a as usize], self.x[b as usize]) {
                        jump_or_fail!(or)
                    }
                }
                Instr::Compare { relation, a, b, or } => {
                    let (a, b) = (self.heap.deref(self.x[a as usize]), self.heap.deref(self.x[b as usize]));
                    let ok = if a.is_small() && b.is_small() {
                        holds(relation, a.as_small().cmp(&b.as_small()))
                    } else {
                        match self.compare_numbers(relation, a, b) {
                            Ok(ok) => ok,
                            Err(t) => flow!(self.throw_arith(t)),
                        }
                    };
                    if !ok {
                        jump_or_fail!(or)
                    }
                }
                Instr::CompareConst { relation, a, value, or } => {
                    let a = self.heap.deref(self.x[a as usize]);
                    let ok = if a.is_small() {
                        holds(relation, a.as_small().cmp(&(value as i64)))
                    } else {
                        match self.compare_numbers(relation, a, Cell::small(value as i64)) {
                            Ok(ok) => ok,
                            Err(t) => flow!(self.throw_arith(t)),
                        }
                    };
                    if !ok {
                        jump_or_fail!(or)
                    }
                }
                Instr::AddConst { to, a, value } => {
                    let a = self.heap.deref(self.x[a as usize]);
                    if a.is_small() {
                        // Sums of 61 and 32 bits fit 64.
                        let sum = a.as_small() + value as i64;
                        self.x[to as usize] = self.heap.int(sum);
                    } else {
                        match self.arith2(arith::Op::ADD, a, Cell::small(value as i64)) {
                            Ok(c) => self.x[to as usize] = c,
                            Err(t) => flow!(self.throw_arith(t)),
                        }
                    }
                }
                Instr::Arith1 { op, to, a } => {
                    let r = arith::eval(self, self.x[a as usize]).and_then(|a| arith::unary(self, op, a));
                    match r {
                        Ok(c) => self.x[to as usize] = c,
                        Err(t) => flow!(self.throw_arith(t)),
                    }
                }
                Instr::Arith2 { op, to, a, b } => {
                    let (a, b) = (self.x[a as usize], self.x[b as usize]);
                    match self.arith2(op, a, b) {
                        Ok(c) => self.x[to as usize] = c,
                        Err(t) => flow!(self.throw_arith(t)),
                    }
                }
                Instr::Evaluate { to, a } => match arith::eval(self, self.x[a as usize]) {
                    Ok(c) => self.x[to as usize] = c,
                    Err(t) => flow!(self.throw_arith(t)),
                },
                Instr::Builtin { native, base, or } => {
                    self.slice -= 1;
                    let n = &self.natives[native as usize];
                    let Run::Det(f) = n.run else { return Step::Bug("not deterministic") };
                    let base = base as usize;
                    let args: SmallVec<[Cell; 8]> = SmallVec::from_slice(&self.x[base..base + n.arity]);
                    match f(self, &args) {
                        Ok(true) => {}
                        Ok(false) => jump_or_fail!(or),
                        Err(t) => flow!(self.throw_from(t, native)),
                    }
                }
                Instr::PushCatch => self.push_choice(Kind::Catch, 3),
                Instr::PopCatch { y } | Instr::PopCleanup { y } => {
                    let n = self.env[self.e + SLOTS + y as usize].as_small() as usize;
                    if self.choices.len() == n + 1 {
                        if matches!(instr, Instr::PopCleanup { .. }) { self.cut_with(n, "$cleanup_exit") } else { self.pop_choice() }
                    }
                }
                Instr::PushCleanup => {
                    self.x.swap(0, 1);
                    self.push_choice(Kind::Cleanup, 1);
                    self.x.swap(0, 1);
                }
                Instr::Resume => {
                    self.resume();
                    continue;
                }
                Instr::Solution => {
                    let more = !matches!(self.choices.last(), Some(Choice { kind: Kind::Base, .. }));
                    return Step::Solution { more };
                }
            }
            self.p = next;
        }
    }

    #[inline]
    fn arith2(&mut self, op: arith::Op, a: Cell, b: Cell) -> Res<Cell> {
        let a = arith::eval(self, a)?;
        let b = arith::eval(self, b)?;
        arith::binary(self, op, a, b)
    }

    /// Copies a literal of the running clause to the heap; `pc` is the position of the running instruction in its code.
    fn copy_literal(&mut self, literal: u32, pc: u32) -> Cell {
        // SAFETY: the code generator put the position of the instruction into it, so this is the first instruction of the code.
        let first = unsafe { *self.p.sub(pc as usize) };
        let Instr::Literals { address, len } = first else { return Cell::NIL };
        if literal >= len {
            return Cell::NIL;
        }
        // SAFETY: `Clause::seal` stored address and length of the clause's own literals, which live as long as its code.
        let record = unsafe { &*(address as *const crate::record::Record).add(literal as usize) };
        record.restore(&mut self.heap)
    }

    /// After a head unification bound an attributed variable to a compound that is being built.
    #[cold]
    fn fix_wakeup(&mut self, value: Cell) {
        if let Some((goal, _)) = self.heap.pair(self.heap.wakeup) {
            let goal = self.heap.deref(goal);
            self.heap.cells[goal.addr() + 2] = value;
        }
    }
}

#[inline(always)]
fn holds(r: Relation, o: std::cmp::Ordering) -> bool {
    match r {
        Relation::Less => o.is_lt(),
        Relation::LessEq => o.is_le(),
        Relation::Greater => o.is_gt(),
        Relation::GreaterEq => o.is_ge(),
        Relation::Equal => o.is_eq(),
        Relation::NotEqual => o.is_ne(),
    }
}
