//! Calling, catching, cleaning up: the control predicates that the machine runs by itself.
#![allow(unsafe_code, reason = "the program counter is a pointer into a clause")]

use super::predicate::{Control, Definition, MetaArg, MetaSpec};
use super::run::{Flow, SLOTS, fail_code};
use super::{Kind, Machine, Step, Unwind};
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::code::{Instr, Relation};
use crate::compiler::{self, Callee, CompileError};
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::native::{Native, det};
use crate::record::record;
use std::sync::Arc;

/// Inferences that cleanup handlers of a run that was ended from outside may still make.
pub(super) const RESERVE: u64 = 100_000;

/// Numbers of predicates that hand-made code refers to; [`Machine::register_control`] enters them first.
const CALL_1: u32 = 0;
const WAKEUP_1: u32 = 1;

static CALL_CODE: [Instr; 1] = [Instr::Execute { predicate: CALL_1 }];
static WAKEUP_CODE: [Instr; 1] = [Instr::Execute { predicate: WAKEUP_1 }];
static CATCH_CODE: [Instr; 7] = [
    Instr::Allocate { n: 1 },
    Instr::GetLevel { y: 0 },
    Instr::PushCatch,
    Instr::Call { predicate: CALL_1, live: 1 },
    Instr::PopCatch { y: 0 },
    Instr::Deallocate,
    Instr::Proceed,
];
static CLEANUP_CODE: [Instr; 7] = [
    Instr::Allocate { n: 1 },
    Instr::GetLevel { y: 0 },
    Instr::PushCleanup,
    Instr::Call { predicate: CALL_1, live: 1 },
    Instr::PopCleanup { y: 0 },
    Instr::Deallocate,
    Instr::Proceed,
];

pub(super) fn call_code() -> *const Instr {
    CALL_CODE.as_ptr()
}
pub(super) fn wakeup_code() -> *const Instr {
    WAKEUP_CODE.as_ptr()
}
pub(super) fn hand_code(k: usize) -> *const Instr {
    if k == 0 { CATCH_CODE.as_ptr() } else { CLEANUP_CODE.as_ptr() }
}

/// Codes that are no part of a clause, for saving: their start and length.
pub(super) fn static_codes() -> [(*const Instr, usize); 7] {
    [
        (super::run::solution_code(), 1),
        (fail_code(), 1),
        (super::run::resume_code(), 1),
        (CALL_CODE.as_ptr(), 1),
        (WAKEUP_CODE.as_ptr(), 1),
        (CATCH_CODE.as_ptr(), 7),
        (CLEANUP_CODE.as_ptr(), 7),
    ]
}

/// Native predicates of this family.
pub const CONTROL: &[Native] = &[
    det("throw", 1, throw_1, "throw(+Ball)\nRaises an exception: a copy of Ball goes to the innermost catch/3 that unifies with it."),
    det(
        "$throw_unknown",
        1,
        |m, a| Err(error::existence(&mut m.heap, "procedure", a[0])),
        "$throw_unknown(+PI)\nRaises the error for a call of a predicate that does not exist.",
    ),
    det("$rethrow", 1, rethrow, "$rethrow(+Ball)\nGoes on with an unwinding that a cleanup handler interrupted."),
    det("halt", 1, halt, "halt(+Status)\nEnds the run with this status; cleanup handlers run."),
    det("$strip_module", 3, strip_module_3, "$strip_module(+Term, -Module, -Plain)\nTakes `M:` qualifiers off."),
    det("$inferences", 1, inferences, "$inferences(-N)\nInferences made by the session so far."),
];

fn throw_1(m: &mut Machine, a: &[Cell]) -> Res {
    if m.heap.is_var(a[0]) {
        return Err(error::instantiation(&mut m.heap));
    }
    Err(Throw::Program(a[0]))
}

fn rethrow(m: &mut Machine, a: &[Cell]) -> Res {
    match m.unwinding {
        Some(Unwind::Halt(n)) => Err(Throw::Halt(n)),
        Some(_) => Err(Throw::Halt(i32::MIN)),
        None => Err(Throw::Program(a[0])),
    }
}

fn halt(m: &mut Machine, a: &[Cell]) -> Res {
    match m.heap.view(a[0]) {
        Term::Int(n) => Err(Throw::Halt(n as i32)),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, a[0])),
    }
}

fn strip_module_3(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, plain) = m.strip_module(m.source_module, a[0]);
    Ok(m.unify(a[1], Cell::atom(module)) && m.unify(a[2], plain))
}

fn inferences(m: &mut Machine, a: &[Cell]) -> Res {
    let n = m.inference_count() as i64;
    let n = m.heap.int(n);
    Ok(m.unify(a[0], n))
}

impl Machine {
    /// Enters the predicates whose numbers hand-made code knows.
    pub(super) fn register_control(&mut self) {
        let enter = |m: &mut Machine, name: &str, arity: usize, definition: Option<Control>| {
            let name = m.heap.atoms.intern_pinned(name);
            let i = m.predicates.intern(atom::SYSTEM, name, arity);
            if let Some(c) = definition {
                let p = m.predicates.get_mut(i);
                p.definition = Definition::Control(c);
                p.protected = true;
            }
            i
        };
        enter(self, "call", 1, Some(Control::Call));
        enter(self, "$wakeup", 1, None);
        for n in 2..=8 {
            enter(self, "call", n, Some(Control::Call));
        }
        let plain = MetaArg::Plain(Atom(0));
        let i = enter(self, "catch", 3, Some(Control::Code(0)));
        self.predicates.get_mut(i).meta = Some(Arc::new(MetaSpec { args: vec![MetaArg::Goal(0), plain, MetaArg::Goal(0)] }));
        let i = enter(self, "$call_cleanup", 2, Some(Control::Code(1)));
        self.predicates.get_mut(i).meta = Some(Arc::new(MetaSpec { args: vec![MetaArg::Goal(0), MetaArg::Goal(0)] }));
    }

    /// Takes `M:` qualifiers with known modules off a term.
    pub fn strip_module(&self, module: Atom, term: Cell) -> (Atom, Cell) {
        let (mut module, mut term) = (module, self.heap.deref(term));
        // Bounded, so that a cyclic term ends.
        for _ in 0..1_000_000 {
            let Some(a) = self.heap.match_compound(term, atom::COLON, 2) else { break };
            let (m, t) = (self.heap.deref(a[0]), self.heap.deref(a[1]));
            if !m.is_atom() {
                break;
            }
            (module, term) = (m.as_atom(), t);
        }
        (module, term)
    }

    /// `call/N`: the goal in the first register, further arguments behind it.
    pub(super) fn meta_call(&mut self, module: Atom, arity: usize) -> Flow {
        let (mut module, mut arity, mut nested) = (module, arity, false);
        loop {
            let goal;
            (module, goal) = self.strip_module(module, self.x[0]);
            let extra = arity - 1;
            let (name, k) = match self.heap.view(goal) {
                Term::Var(_) | Term::Attributed(_) => {
                    let t = error::instantiation(&mut self.heap);
                    return self.throw_from_call(t, arity, nested);
                }
                Term::Atom(a) => (a, 0),
                Term::List(_) => (atom::DOT, 2),
                Term::Compound(_, n, k) if n != atom::DICT => (n, k),
                _ => {
                    let t = error::type_error(&mut self.heap, atom::CALLABLE, goal);
                    return self.throw_from_call(t, arity, nested);
                }
            };
            let total = k + extra;
            if total > compiler::MAX_PREDICATE_ARITY {
                let t = error::representation(&mut self.heap, "max_procedure_arity");
                return self.throw(t);
            }
            if is_control(name, total) {
                let goal = if extra == 0 {
                    goal
                } else {
                    let mut args: Vec<Cell> = self.heap.args(goal).map(|i| self.heap.cells[i]).collect();
                    args.extend_from_slice(&self.x[1..arity]);
                    self.heap.compound(name, &args)
                };
                return self.call_body(module, goal, arity, nested);
            }
            // The closure's own arguments come first.
            self.x.copy_within(1..arity, k);
            let from = self.heap.args(goal);
            self.x[..k].copy_from_slice(&self.heap.cells[from]);
            let i = match self.predicates.lookup(module, name, total) {
                Some(i) => i,
                None => {
                    self.heap.atoms.pin(name);
                    self.heap.atoms.pin(module);
                    self.predicates.intern(module, name, total)
                }
            };
            if let Some(j) = self.predicates.resolve(i)
                && let Definition::Control(Control::Call) = self.predicates.get(j).definition
            {
                (arity, nested) = (total, true);
                continue;
            }
            return self.enter(i);
        }
    }

    /// Compiles a control construct as the body of a clause of its own and runs it.
    fn call_body(&mut self, module: Atom, goal: Cell, arity: usize, nested: bool) -> Flow {
        if goal == Cell::atom(atom::CUT) || goal == Cell::atom(atom::TRUE) {
            self.p = self.cp;
            return Flow::Go;
        }
        let compiled = self.compile_goal(module, goal);
        match compiled {
            Ok((clause, arguments)) => {
                self.x[..arguments.len()].copy_from_slice(&arguments);
                for a in &clause.atoms {
                    self.heap.atoms.pin(*a);
                }
                let clause = clause.seal();
                self.p = clause.code.as_ptr();
                self.graveyard.push(clause);
                self.b0 = self.choices.len();
                Flow::Go
            }
            Err(CompileError::BodyNotCallable) => {
                let t = error::type_error(&mut self.heap, atom::CALLABLE, goal);
                self.throw_from_call(t, arity, nested)
            }
            Err(CompileError::TooLarge(what)) => {
                let t = error::resource(&mut self.heap, what);
                self.throw(t)
            }
        }
    }

    /// Compiles a clause of a module; see [`compiler::compile`].
    pub(crate) fn compile_clause(&mut self, module: Atom, head: Cell, body: Cell) -> Result<crate::code::Clause, CompileError> {
        self.compiling(|heap, resolve| compiler::compile(heap, resolve, module, head, body))
    }

    /// Compiles a goal; see [`compiler::compile_goal`].
    fn compile_goal(&mut self, module: Atom, goal: Cell) -> Result<(crate::code::Clause, Vec<Cell>), CompileError> {
        self.compiling(|heap, resolve| compiler::compile_goal(heap, resolve, module, goal))
    }

    /// Runs the compiler with the predicates that the code refers to.
    fn compiling<T>(&mut self, f: impl FnOnce(&mut crate::heap::Heap, &mut compiler::Resolve) -> T) -> T {
        let Machine { heap, predicates, natives, .. } = self;
        let mut referred = Vec::new();
        let mut resolve = |module: Atom, name: Atom, arity: usize| {
            let i = match predicates.lookup(module, name, arity) {
                Some(i) => i,
                None => {
                    referred.push(module);
                    referred.push(name);
                    predicates.intern(module, name, arity)
                }
            };
            if let Some(j) = predicates.resolve(i) {
                let p = predicates.get(j);
                if let (Definition::Det(native), true, true) = (p.definition, p.protected, p.meta.is_none()) {
                    return Callee::Native { native, pure: is_pure(natives[native as usize].name) };
                }
            }
            Callee::Predicate(i)
        };
        let done = f(heap, &mut resolve);
        for a in referred {
            heap.atoms.pin(a);
        }
        done
    }

    /// Adds the caller's module to the module-sensitive arguments of a call from `index` to the definition `target`.
    pub(super) fn qualify_args(&mut self, index: u32, target: u32) {
        let module = self.predicates.table[index as usize].module;
        let target = self.predicates.table[target as usize].clone();
        let Some(meta) = &target.meta else { return };
        if module == target.module {
            return;
        }
        for (k, a) in meta.args.iter().enumerate() {
            if !a.sensitive() {
                continue;
            }
            let c = self.heap.deref(self.x[k]);
            if self.heap.match_compound(c, atom::COLON, 2).is_some() {
                continue;
            }
            self.x[k] = self.heap.compound(atom::COLON, &[Cell::atom(module), c]);
        }
    }

    /// A call of a predicate that nothing defines.
    pub(super) fn undefined(&mut self, i: u32) -> Flow {
        let p = self.predicates.get(i);
        let (module, name, arity) = (p.module, p.name, p.arity);
        let args: Vec<Cell> = self.x[..arity].to_vec();
        let hook = self.heap.atoms.intern("$undefined");
        if let Some(h) = self.predicates.lookup(atom::SYSTEM, hook, 2)
            && self.predicates.resolve(h) == Some(h)
            // What the hook itself calls must not come back to it.
            && (module != atom::SYSTEM || crate::library::find(self.heap.atoms.text(name), arity).is_some())
        {
            self.x[1] = self.heap.compound(name, &args);
            self.x[0] = Cell::atom(module);
            return self.enter(h);
        }
        if !self.flags.unknown_error {
            return Flow::Fail;
        }
        let culprit = self.heap.indicator(name, arity);
        let t = error::existence(&mut self.heap, "procedure", culprit);
        self.throw(t)
    }

    // ---- exceptions

    /// Raises an exception from a native predicate, which the context names.
    pub(super) fn throw_from(&mut self, t: Throw, native: u32) -> Flow {
        let n = &self.natives[native as usize];
        let (name, arity) = (n.name, n.arity);
        match t {
            // What the system's own Prolog raises names the predicate that the program called.
            Throw::Program(ball) => {
                if self.wants_context(ball)
                    && self.raised_here(native)
                    && self.in_system_code()
                    && let Some(caller) = self.caller()
                    && self.is_system(caller.0)
                    && !matches!(self.heap.atoms.text(caller.1), "catch" | "call")
                {
                    self.set_context(ball, caller);
                }
            }
            // Helpers behind the system's predicates are not known to programs.
            Throw::Ball(ball) if name.starts_with('$') => {
                if let Some(caller) = self.caller() {
                    self.set_context(ball, caller);
                }
            }
            Throw::Ball(ball) => {
                let name = self.heap.atoms.intern(name);
                self.set_context(ball, (atom::SYSTEM, name, arity));
            }
            _ => {}
        }
        self.throw(t)
    }

    /// Raises an exception of `call/N`: from inside a clause it is the clause's predicate that raises it, as there is no
    /// frame of `call/N`.
    fn throw_from_call(&mut self, t: Throw, arity: usize, nested: bool) -> Flow {
        if let Throw::Ball(ball) = t {
            let by_call = (atom::SYSTEM, atom::CALL, arity);
            let by = if nested { by_call } else { self.predicate_at(self.p).unwrap_or(by_call) };
            self.set_context(ball, by);
        }
        self.throw(t)
    }

    /// Raises an exception from compiled arithmetic.
    pub(super) fn throw_arith(&mut self, t: Throw) -> Flow {
        if let Throw::Ball(ball) = t {
            let by = match self.in_system_code().then(|| self.caller()).flatten() {
                Some(caller) => caller,
                None => (atom::SYSTEM, self.arithmetic_predicate(), 2),
            };
            self.set_context(ball, by);
        }
        self.throw(t)
    }

    /// The predicate that the arithmetic instruction at `p` belongs to: the comparison it ends in, or `is/2`.
    fn arithmetic_predicate(&self) -> Atom {
        let mut p = self.p;
        loop {
            // SAFETY: arithmetic instructions are never the last of a code, so the next one is within it.
            match unsafe { *p } {
                Instr::Compare { relation, .. } | Instr::CompareConst { relation, .. } => {
                    return match relation {
                        Relation::Less => atom::LESS,
                        Relation::LessEq => atom::LESS_EQ,
                        Relation::Greater => atom::GREATER,
                        Relation::GreaterEq => atom::GREATER_EQ,
                        Relation::Equal => atom::ARITH_EQ,
                        Relation::NotEqual => atom::ARITH_NE,
                    };
                }
                Instr::AddConst { .. } | Instr::Arith1 { .. } | Instr::Arith2 { .. } | Instr::Evaluate { .. } => {
                    // SAFETY: see above.
                    p = unsafe { p.add(1) };
                }
                _ => return atom::IS,
            }
        }
    }

    /// True when the instruction at `p` calls this native predicate by name.
    fn raised_here(&mut self, native: u32) -> bool {
        // SAFETY: `p` points into the code of a clause that is alive.
        match unsafe { *self.p } {
            Instr::Builtin { native: n, .. } => n == native,
            Instr::Call { predicate, .. } | Instr::Execute { predicate } => self
                .predicates
                .resolve(predicate)
                .is_some_and(|i| matches!(self.predicates.get(i).definition, Definition::Det(n) | Definition::Nondet(n) if n == native)),
            _ => false,
        }
    }

    /// True when the clause being run is one of the system's.
    fn in_system_code(&self) -> bool {
        self.clause_at(self.p).is_some_and(|d| self.is_system(d.0))
    }

    /// True for `system` and the modules of its parts.
    fn is_system(&self, module: Atom) -> bool {
        module == atom::SYSTEM || self.heap.atoms.text(module).starts_with('$')
    }

    /// True for `error(_, Context)` with an unbound context.
    fn wants_context(&self, ball: Cell) -> bool {
        self.heap.match_compound(ball, atom::ERROR, 2).is_some_and(|a| self.heap.is_var(a[1]))
    }

    /// Fills in who raised an error, where the ball leaves that open.
    fn set_context(&mut self, ball: Cell, (module, name, arity): (Atom, Atom, usize)) {
        let Some(&[_, context]) = self.heap.match_compound(ball, atom::ERROR, 2) else { return };
        let context = self.heap.deref(context);
        let predicate = if context.is_ref() {
            let (p, message) = (self.heap.new_var(), self.heap.new_var());
            let c = self.heap.compound(atom::CONTEXT, &[p, message]);
            self.heap.bind(context, c);
            p
        } else {
            match self.heap.match_compound(context, atom::CONTEXT, 2) {
                Some(a) => self.heap.deref(a[0]),
                None => return,
            }
        };
        if predicate.is_ref() && self.heap.deref(predicate) == predicate {
            let mut pi = self.heap.indicator(name, arity);
            // Only `$bags` is a module that SWI-Prolog has too; the others are parts of its `system`.
            let text = self.heap.atoms.text(module);
            let module = if text.starts_with('$') && text != "$bags" { atom::SYSTEM } else { module };
            pi = self.heap.compound(atom::COLON, &[Cell::atom(module), pi]);
            self.heap.bind(predicate, pi);
        }
    }

    /// Raises an exception: goes on in the recovery of the innermost `catch/3` that takes it.
    pub(super) fn throw(&mut self, t: Throw) -> Flow {
        match t {
            Throw::Ball(ball) | Throw::Program(ball) => self.unwind(ball),
            Throw::Halt(n) => {
                if self.unwinding.is_none() {
                    self.unwinding = Some(Unwind::Halt(n));
                    self.reserve_end = self.inferences + RESERVE;
                }
                self.unwind_uncatchable()
            }
            Throw::Input => Flow::Stop(Step::Input),
            Throw::Bug(s) => Flow::Stop(Step::Bug(s)),
        }
    }

    fn unwind(&mut self, ball: Cell) -> Flow {
        let ball = record(&self.heap, ball);
        // The frames of the goal that raised; a catch/3 whose frame is not among them has exited already.
        let mut frame = self.e;
        while let Some(top) = self.choices.len().checked_sub(1) {
            let c = &self.choices[top];
            match c.kind {
                Kind::Catch => {
                    let (e, args, findall) = (c.e, c.args, c.findall);
                    while frame > e {
                        frame = self.env[frame].as_small() as usize;
                    }
                    if frame != e {
                        self.pop_choice();
                        continue;
                    }
                    let (catcher, recovery) = (self.choice_args[args + 1], self.choice_args[args + 2]);
                    self.restore_choice(top);
                    self.pop_choice();
                    let ball = ball.restore(&mut self.heap);
                    let mark = self.heap.trail.len();
                    // Bindings must be undone when the catcher does not take the ball.
                    let hb = std::mem::replace(&mut self.heap.hb, usize::MAX);
                    let taken = self.heap.unify(catcher, ball);
                    self.heap.hb = hb;
                    if !taken {
                        self.heap.undo_to(mark);
                        self.heap.wakeup = Cell::NIL;
                        continue;
                    }
                    self.findall.truncate(findall);
                    self.x[0] = recovery;
                    self.cp = self.env[e + 1].0 as *const Instr;
                    self.e = self.env[e].as_small() as usize;
                    self.p = call_code();
                    return Flow::Go;
                }
                Kind::Cleanup => {
                    let (e, goal) = (c.e, self.choice_args[c.args]);
                    while frame > e {
                        frame = self.env[frame].as_small() as usize;
                    }
                    // A goal that has exited, leaving choice points, is not the one that raised.
                    let reason = if frame == e { atom::EXCEPTION } else { atom::EXTERNAL_EXCEPTION };
                    self.restore_choice(top);
                    self.pop_choice();
                    self.x[0] = goal;
                    let ball = ball.restore(&mut self.heap);
                    self.x[1] = self.heap.compound(reason, &[ball]);
                    self.cp = fail_code();
                    return self.execute_named("$cleanup_throw", 2);
                }
                Kind::Base => {
                    self.restore_choice(top);
                    self.pop_choice();
                    let ball = ball.restore(&mut self.heap);
                    return Flow::Stop(Step::Exception(ball));
                }
                _ => self.pop_choice(),
            }
        }
        let ball = ball.restore(&mut self.heap);
        Flow::Stop(Step::Exception(ball))
    }

    /// Ends the run past every `catch/3`; cleanup handlers run.
    pub(super) fn unwind_uncatchable(&mut self) -> Flow {
        while let Some(top) = self.choices.len().checked_sub(1) {
            match self.choices[top].kind {
                Kind::Cleanup => {
                    let goal = self.choice_args[self.choices[top].args];
                    self.restore_choice(top);
                    self.pop_choice();
                    self.x[0] = goal;
                    let ball = self.heap.atom("$uncatchable");
                    self.x[1] = self.heap.compound(atom::EXCEPTION, &[ball]);
                    self.cp = fail_code();
                    return self.execute_named("$cleanup_throw", 2);
                }
                Kind::Base => {
                    self.restore_choice(top);
                    self.pop_choice();
                    break;
                }
                _ => self.pop_choice(),
            }
        }
        Flow::Stop(match self.unwinding {
            Some(Unwind::Halt(n)) => Step::Halt(n),
            Some(Unwind::Inferences) => Step::OutOfInferences,
            _ => Step::Cancelled,
        })
    }

    /// The environments that a chain of continuations goes through, from `e` outwards, until one that `seen` knows.
    pub(super) fn frames(&self, mut e: usize, seen: &mut rustc_hash::FxHashSet<usize>, out: &mut Vec<usize>) {
        while e != 0 && seen.insert(e) {
            out.push(e);
            e = self.env[e].as_small() as usize;
        }
    }

    /// Variable slots of an environment.
    pub(super) fn frame_slots(&self, e: usize) -> std::ops::Range<usize> {
        let n = self.env[e + 2].as_small() as usize;
        e + SLOTS..e + SLOTS + n
    }
}

/// Names that are compiled as control constructs when called.
fn is_control(name: Atom, arity: usize) -> bool {
    is_reserved(name, arity) || arity == 2 && matches!(name, atom::IS | atom::EQ)
}

/// Control constructs that no program may define.
pub(super) fn is_reserved(name: Atom, arity: usize) -> bool {
    match arity {
        0 => name == atom::CUT,
        1 => name == atom::NOT_PROVABLE,
        2 => matches!(name, atom::COMMA | atom::SEMICOLON | atom::BAR | atom::ARROW | atom::SOFT_ARROW | atom::COLON),
        _ => false,
    }
}

/// Native predicates that bind nothing: in a condition they need no choice point.
fn is_pure(name: &str) -> bool {
    matches!(
        name,
        "\\="
            | "ground"
            | "is_dict"
            | "=@="
            | "\\=@="
            | "atom"
            | "blob"
            | "is_assoc"
            | "is_stream"
            | "rational"
            | "cyclic_term"
            | "acyclic_term"
    )
}

impl Machine {
    /// Predicates on the continuation chain, the newest first, at most `n`: module, name, arity.
    pub fn backtrace(&self, n: usize) -> Vec<(Atom, Atom, usize)> {
        self.continuations().filter_map(|p| self.predicate_at(p)).take(n).collect()
    }

    /// The position in the code, then those of the continuations, the newest first.
    fn continuations(&self) -> impl Iterator<Item = *const Instr> {
        let mut frame = Some(self.e);
        let outer = std::iter::from_fn(move || {
            let e = frame.filter(|e| *e != 0)?;
            frame = Some(self.env[e].as_small() as usize);
            Some(self.env[e + 1].0 as *const Instr)
        });
        [self.p, self.cp].into_iter().chain(outer)
    }

    /// The predicate whose clause this position is in.
    fn predicate_at(&self, p: *const Instr) -> Option<(Atom, Atom, usize)> {
        let within = |r: std::ops::Range<*const Instr>| r.contains(&p) || r.end == p;
        if within(CATCH_CODE.as_ptr_range()) {
            return Some((atom::SYSTEM, self.heap.atoms.lookup("catch")?, 3));
        }
        if within(CLEANUP_CODE.as_ptr_range()) {
            return Some((atom::SYSTEM, self.heap.atoms.lookup("setup_call_catcher_cleanup")?, 4));
        }
        self.clause_at(p)
    }

    /// As [`Machine::predicate_at`], for clauses only.
    fn clause_at(&self, p: *const Instr) -> Option<(Atom, Atom, usize)> {
        let d = self.predicates.table.iter().find(|d| {
            d.slots.iter().any(|s| {
                let r = s.clause.code.as_ptr_range();
                r.contains(&p) || r.end == p
            })
        })?;
        Some((d.module, d.name, d.arity))
    }

    /// The innermost predicate on the continuation chain that is no helper of the system (a name with `$`).
    pub(super) fn caller(&self) -> Option<(Atom, Atom, usize)> {
        self.continuations().take(16).filter_map(|p| self.predicate_at(p)).find(|d| !self.heap.atoms.text(d.1).starts_with('$'))
    }
}
