//! A run of a DML program: load, `agent_main`, events.

use crate::entry;
use crate::event::{Event, Failure, FailureKind, Finished};
use crate::session::{Interrupt, Session, Stop};
use crate::{block, json};
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use serde_json::Value;

/// A program to run.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The name that messages show, and against whose folder a relative `consult/1` is resolved.
    pub name: String,
    pub text: String,
    /// Positional arguments of `agent_main`.
    pub args: Vec<Value>,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Load,
    Loading,
    Main,
    Done,
}

/// A running program: take its events until there are no more.
pub struct Run {
    session: Session,
    program: Program,
    phase: Phase,
}

impl Session {
    /// Starts a program. Nothing happens before the first event is asked for.
    pub fn run(mut self, program: Program) -> Run {
        self.lines = true;
        let p = &mut self.config.params;
        p.entry("trace").or_insert(Value::Bool(self.config.trace));
        if let Some(g) = self.config.limits.gas {
            p.entry("gas_limit").or_insert(Value::from(g));
        }
        p.entry("args").or_insert_with(|| Value::Array(program.args.clone()));
        for (i, a) in program.args.iter().enumerate() {
            p.entry(format!("arg{}", i + 1)).or_insert_with(|| a.clone());
        }
        Run { session: self, program, phase: Phase::Load }
    }
}

impl Run {
    /// The next event; `None` after the last one.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(e) = self.session.events.pop_front() {
                return Some(e);
            }
            match self.phase {
                Phase::Load => self.load(),
                Phase::Loading => {
                    let stop = self.session.go().await;
                    self.loaded(stop);
                }
                Phase::Main => {
                    let stop = self.session.go().await;
                    self.stopped(stop);
                }
                Phase::Done => return None,
            }
        }
    }

    /// As [`Run::next`], waiting on this thread. Tools are waited for too, but not past the time limit or a cancellation.
    pub fn next_blocking(&mut self) -> Option<Event> {
        let cancel = self.session.machine.cancel_handle();
        let deadline = self.session.deadline;
        let stop = || cancel.load(std::sync::atomic::Ordering::Relaxed) || deadline.is_some_and(|d| std::time::Instant::now() >= d);
        match block::block_on(self.next(), &stop) {
            Some(e) => e,
            None => {
                // A tool was running: leave it, and let the machine see the reason.
                self.session.pending = None;
                self.session.timed_out = !cancel.load(std::sync::atomic::Ordering::Relaxed);
                self.session.machine.abort();
                block::block_on(self.next(), &|| false).flatten()
            }
        }
    }

    /// The user's answer to the last [`Event::InputRequired`]. Without one, the next event waits for an empty text.
    pub fn provide_input(&mut self, text: &str) {
        self.session.provide_input(text);
    }

    /// Cancels the run from anywhere.
    pub fn interrupt(&self) -> Interrupt {
        self.session.interrupt()
    }

    /// What the program wrote to `user_error` since the last call.
    pub fn take_error_output(&mut self) -> String {
        self.session.take_error_output()
    }

    /// The session, after the run or in the middle of it.
    pub fn into_session(self) -> Session {
        self.session
    }

    fn load(&mut self) {
        let s = &mut self.session;
        s.begin();
        s.listening = true;
        let goal = s.load_goal(atom::USER, &self.program.name, &self.program.text);
        s.machine.start(goal, atom::SYSTEM);
        self.phase = Phase::Loading;
    }

    fn loaded(&mut self, stop: Stop) {
        match stop {
            Stop::Solution { .. } => self.session.machine.commit(),
            Stop::NoMore => {}
            other => return self.stopped(other),
        }
        self.session.listening = false;
        self.session.flush_line();
        let mut notes = std::mem::take(&mut self.session.notes);
        notes.extend(self.session.unknown_placeholders());
        let errors: Vec<&crate::session::Note> = notes.iter().filter(|n| n.error).collect();
        if let Some(first) = errors.iter().find(|n| n.syntax).or(errors.first()) {
            let texts: Vec<&str> = errors.iter().map(|n| n.at.content.as_str()).collect();
            let failure = Failure {
                content: texts.join("\n"),
                kind: FailureKind::Load,
                message: Some(first.at.content.clone()),
                file: first.at.file.clone(),
                line: first.at.line,
                column: first.at.column,
                ..Failure::default()
            };
            return self.end(Event::Error(Box::new(failure)));
        }
        for n in notes {
            self.session.events.push_back(Event::Warning(Box::new(n.at)));
        }
        let given = self.program.args.len();
        let defined: Vec<usize> = (0..=3).filter(|&n| self.session.is_defined("agent_main", n)).collect();
        match entry::choose(&defined, given) {
            Ok(arity) => self.main(arity),
            Err(content) => {
                let kind = FailureKind::Arguments;
                let file = Some(self.program.name.clone());
                self.end(Event::Error(Box::new(Failure { content, kind, file, ..Failure::default() })));
            }
        }
    }

    fn main(&mut self, arity: usize) {
        let s = &mut self.session;
        let mut args = Vec::with_capacity(arity);
        for i in 0..arity {
            let h = &mut s.machine.heap;
            args.push(match self.program.args.get(i) {
                Some(v) => json::to_term(h, v).unwrap_or(Cell::NIL),
                None => h.new_var(),
            });
        }
        let goal = s.machine.heap.compound_named("agent_main", &args);
        s.record("call", "agent_main", self.program.args.clone(), None, 0);
        s.machine.start(goal, atom::USER);
        self.phase = Phase::Main;
    }

    fn stopped(&mut self, stop: Stop) {
        let gas = self.session.config.limits.gas.unwrap_or(0);
        let failure = |kind, content: String| Box::new(Failure { content, kind, ..Failure::default() });
        match stop {
            Stop::Event => {}
            Stop::Input => self.session.provide_input(""),
            Stop::Solution { .. } => self.finish(true),
            Stop::NoMore => self.finish(false),
            Stop::Answered => self.finish(true),
            Stop::Halt(n) => self.finish(n == 0),
            Stop::Exception(ball) => {
                self.session.flush_line();
                let mut f = self.session.failure(ball);
                if self.phase == Phase::Loading {
                    f.kind = FailureKind::Load;
                }
                self.end(Event::Error(Box::new(f)));
            }
            Stop::Gas => {
                let mut f = failure(FailureKind::Gas, "Gas exhausted: execution exceeded iteration limit".into());
                f.hints.push(format!("the limit was {gas} inferences: raise it with `--gas N`, or look for a loop without an end"));
                self.end(Event::Error(f));
            }
            Stop::Time => {
                let secs = self.session.config.limits.time.unwrap_or_default().as_secs_f64();
                self.end(Event::Error(failure(FailureKind::Time, format!("Time limit exceeded: the run took longer than {secs} s"))));
            }
            Stop::Cancelled => self.end(Event::Error(failure(FailureKind::Cancelled, "Execution aborted".into()))),
            Stop::Bug(what) => self.end(Event::Error(failure(FailureKind::Internal, format!("internal error: {what}; please report it")))),
            Stop::Foreign(call) => {
                let name = self.session.machine.heap.atoms.text(call.name).to_string();
                let n = call.args.len();
                self.end(Event::Error(failure(
                    FailureKind::Runtime,
                    format!("{name}/{n} is answered by the host, which this way of running does not allow"),
                )));
            }
        }
    }

    fn finish(&mut self, result: bool) {
        self.session.record(if result { "exit" } else { "fail" }, "agent_main", Vec::new(), None, 0);
        let gas = self.session.machine.inference_count();
        let answered = self.session.answered;
        self.end(Event::Finished(Box::new(Finished { result, answered, gas, trace: None })));
    }

    fn end(&mut self, mut last: Event) {
        self.session.flush_line();
        self.session.machine.close();
        self.session.rows.clear();
        self.phase = Phase::Done;
        if self.session.config.trace {
            let trace = Some(std::mem::take(&mut self.session.trace));
            match &mut last {
                Event::Error(f) => f.trace = trace,
                Event::Finished(f) => f.trace = trace,
                _ => {}
            }
        }
        self.session.events.push_back(last);
    }
}
