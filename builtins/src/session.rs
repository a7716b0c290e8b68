//! One world: a machine, its tools and files, and the answers to the calls that stop the machine.

use crate::event::{Diagnostic, Event, TraceEntry};
use crate::library::{HostTable, Rows};
use crate::policy::Policy;
use crate::tools::Tools;
use crate::{json, show};
use deepclause_engine::atom::Atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::host::FileSystem;
use deepclause_engine::machine::{Answer, HostCall, Machine, Step};
use deepclause_engine::streams::Which;
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Inferences between two looks at the clock and at the output.
const SLICE: u64 = 200_000;

/// Limits of one run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Inferences; `None` for no limit.
    pub gas: Option<u64>,
    /// Bytes of heap, stacks, clauses and atoms.
    pub memory: usize,
    /// Wall time.
    pub time: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { gas: None, memory: 1 << 30, time: None }
    }
}

/// What a session may use. The default grants nothing: no file, no tool.
#[derive(Clone, Default)]
pub struct SessionConfig {
    pub limits: Limits,
    /// The workspace; files in memory when there is none.
    pub files: Option<Arc<dyn FileSystem>>,
    pub tools: Tools,
    pub policy: Policy,
    /// Parameters, by lower-case name.
    pub params: Map<String, Value>,
    /// Collect a trace for the last event of a run.
    pub trace: bool,
}

/// Cancels the run of a session from anywhere.
#[derive(Clone, Debug)]
pub struct Interrupt(pub(crate) Arc<AtomicBool>);

impl Interrupt {
    /// The run ends at its next step, past every `catch/3`; its cleanup handlers still run.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for signal handlers.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

/// A message of the loader.
#[derive(Clone, Debug)]
pub(crate) struct Note {
    pub error: bool,
    pub syntax: bool,
    pub at: Diagnostic,
}

/// What a stopped machine waits for.
pub(crate) enum Waiting {
    /// `input/2`.
    Input,
    /// `exec(ask_user(...), R)`.
    AskUser,
    /// A line of standard input.
    Line,
}

/// Why the machine stopped.
pub(crate) enum Stop {
    /// Events wait to be taken.
    Event,
    /// A text is needed: [`Session::provide_input`].
    Input,
    /// A suspending predicate of the host: answer it.
    Foreign(HostCall),
    Solution {
        more: bool,
    },
    NoMore,
    Exception(Cell),
    Answered,
    Cancelled,
    Gas,
    Time,
    Halt(i32),
    Bug(&'static str),
}

/// A machine with everything its program can reach.
pub struct Session {
    pub(crate) machine: Machine,
    pub(crate) config: SessionConfig,
    pub(crate) host: Arc<HostTable>,
    pub(crate) names: Arc<Names>,
    pub(crate) events: VecDeque<Event>,
    /// Standard output becomes events, line by line; else it is kept as it is.
    pub(crate) lines: bool,
    pub(crate) line: String,
    pub(crate) raw: String,
    pub(crate) raw_error: String,
    pub(crate) notes: Vec<Note>,
    /// Placeholders that are no variables: name and clause.
    pub(crate) placeholders: Vec<(String, Diagnostic)>,
    pub(crate) listening: bool,
    pub(crate) exec_error: Option<String>,
    pub(crate) waiting: Option<Waiting>,
    pub(crate) pending: Option<crate::exec::Pending>,
    pub(crate) answered: bool,
    pub(crate) timed_out: bool,
    pub(crate) deadline: Option<Instant>,
    pub(crate) trace: Vec<TraceEntry>,
    pub(crate) rows: HashMap<i64, Arc<Rows>>,
    pub(crate) next_rows: i64,
}

/// Atoms of the predicates that the session answers.
#[derive(Default, Debug)]
pub(crate) struct Names(pub HashMap<Atom, &'static str>);

impl Session {
    pub(crate) fn new(machine: Machine, config: SessionConfig, host: Arc<HostTable>, names: Arc<Names>) -> Session {
        let mut s = Session {
            machine,
            config,
            host,
            names,
            events: VecDeque::new(),
            lines: false,
            line: String::new(),
            raw: String::new(),
            raw_error: String::new(),
            notes: Vec::new(),
            placeholders: Vec::new(),
            listening: false,
            exec_error: None,
            waiting: None,
            pending: None,
            answered: false,
            timed_out: false,
            deadline: None,
            trace: Vec::new(),
            rows: HashMap::new(),
            next_rows: 0,
        };
        s.machine.limits.memory = s.config.limits.memory;
        if let Some(f) = &s.config.files {
            s.machine.files = f.clone();
        }
        s
    }

    /// The machine, for what this interface does not cover.
    pub fn machine(&mut self) -> &mut Machine {
        &mut self.machine
    }

    /// Cancels whatever runs in this session.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt(self.machine.cancel_handle())
    }

    /// Inferences made so far.
    pub fn gas_used(&self) -> u64 {
        self.machine.inference_count()
    }

    /// An independent copy: program, stacks, a stopped run with its open host call. What either does from now on does not show in the other.
    pub fn fork(&self) -> Session {
        let mut s = Session::new(self.machine.fork(), self.config.clone(), self.host.clone(), self.names.clone());
        s.exec_error = self.exec_error.clone();
        s.rows = self.rows.clone();
        s.next_rows = self.next_rows;
        s.lines = self.lines;
        s
    }

    /// Starts the clock and the gas of a run.
    pub(crate) fn begin(&mut self) {
        let used = self.machine.inference_count();
        self.machine.limits.inferences = self.config.limits.gas.map(|g| used.saturating_add(g));
        self.deadline = self.config.limits.time.map(|t| Instant::now() + t);
        self.answered = false;
        self.timed_out = false;
        self.waiting = None;
        self.pending = None;
    }

    /// Takes what the program wrote to its standard output since the last call; empty while output becomes events.
    pub fn take_output(&mut self) -> String {
        self.drain();
        std::mem::take(&mut self.raw)
    }

    /// Takes what the program wrote to `user_error`.
    pub fn take_error_output(&mut self) -> String {
        self.drain();
        std::mem::take(&mut self.raw_error)
    }

    /// Answers `input/2` or `ask_user` with a text of the user.
    pub fn provide_input(&mut self, text: &str) {
        let value = match self.waiting.take() {
            None => return,
            Some(Waiting::Line) => {
                self.machine.streams.feed_input(&format!("{text}\n"));
                return;
            }
            Some(Waiting::Input) => self.machine.heap.string(text),
            Some(Waiting::AskUser) => {
                let k = self.machine.heap.atoms.intern("user_response");
                let v = self.machine.heap.string(text);
                json::dict(&mut self.machine.heap, "dict", vec![(k, v)])
            }
        };
        self.machine.answer(Answer::Succeed(vec![(1, value)]));
    }

    /// Moves the machine's output into events or texts.
    pub(crate) fn drain(&mut self) {
        if !self.machine.streams.has_output() {
            return;
        }
        for (which, text) in self.machine.streams.take_output() {
            match which {
                Which::Error => self.raw_error.push_str(&text),
                Which::Output if !self.lines => self.raw.push_str(&text),
                Which::Output => {
                    self.line.push_str(&text);
                    while let Some(i) = self.line.find('\n') {
                        let rest = self.line.split_off(i + 1);
                        let mut line = std::mem::replace(&mut self.line, rest);
                        line.pop();
                        self.emit_output(line);
                    }
                }
            }
        }
    }

    /// A line that has no end yet becomes an event before anything else happens.
    pub(crate) fn flush_line(&mut self) {
        self.drain();
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.emit_output(line);
        }
    }

    pub(crate) fn emit_output(&mut self, content: String) {
        if !content.is_empty() {
            self.events.push_back(Event::Output { content });
        }
    }

    pub(crate) fn record(&mut self, kind: &'static str, predicate: &str, args: Vec<Value>, result: Option<Value>, depth: u32) {
        if self.config.trace {
            let timestamp = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64);
            self.trace.push(TraceEntry { timestamp, kind, predicate: predicate.to_string(), args, result, depth });
        }
    }

    /// Runs until something for the host to see happens.
    pub(crate) async fn go(&mut self) -> Stop {
        loop {
            if !self.events.is_empty() {
                return Stop::Event;
            }
            if self.waiting.is_some() {
                return Stop::Input;
            }
            if let Some(p) = self.pending.take() {
                self.run_tool(p).await;
                continue;
            }
            if !self.timed_out && self.deadline.is_some_and(|d| Instant::now() >= d) {
                self.timed_out = true;
                self.machine.abort();
            }
            let step = self.machine.step(SLICE);
            match step {
                Step::OutOfFuel => {
                    self.drain();
                    if !self.lines && (!self.raw.is_empty() || !self.raw_error.is_empty()) {
                        return Stop::Event;
                    }
                }
                Step::Input => {
                    self.flush_line();
                    let prompt = self.machine.streams.input_needed().unwrap_or("").to_string();
                    self.events.push_back(Event::InputRequired { prompt });
                    self.waiting = Some(Waiting::Line);
                }
                Step::HostCall(call) => {
                    if let Some(stop) = self.host_call(call) {
                        return stop;
                    }
                }
                other => {
                    self.drain();
                    return match other {
                        Step::Solution { more } => Stop::Solution { more },
                        Step::NoMore => Stop::NoMore,
                        Step::Exception(b) => Stop::Exception(b),
                        Step::OutOfInferences => Stop::Gas,
                        Step::Cancelled if self.answered => Stop::Answered,
                        Step::Cancelled if self.timed_out => Stop::Time,
                        Step::Cancelled => Stop::Cancelled,
                        Step::Halt(n) => Stop::Halt(n),
                        Step::Bug(what) => Stop::Bug(what),
                        Step::OutOfFuel | Step::HostCall(_) | Step::Input => Stop::NoMore,
                    };
                }
            }
        }
    }

    /// Answers a call, or says why the host must.
    fn host_call(&mut self, call: HostCall) -> Option<Stop> {
        let Some(&name) = self.names.0.get(&call.name) else {
            return self.foreign(call);
        };
        let arg = |i: usize| call.args.get(i).copied().unwrap_or(Cell::NIL);
        let answer = match (name, call.args.len()) {
            ("output" | "yield", 1) => {
                self.flush_line();
                let text = show::text(&self.machine, arg(0));
                self.record("output", name, vec![Value::from(text.as_str())], None, 1);
                self.emit_output(text);
                Answer::Succeed(Vec::new())
            }
            ("log", 1) => {
                self.flush_line();
                let content = show::text(&self.machine, arg(0));
                self.events.push_back(Event::Log { content });
                Answer::Succeed(Vec::new())
            }
            ("answer", 1) => {
                self.flush_line();
                let content = show::text(&self.machine, arg(0));
                self.record("output", name, vec![Value::from(content.as_str())], None, 1);
                self.events.push_back(Event::Answer { content });
                self.answered = true;
                self.machine.abort();
                return None;
            }
            ("input", 2) => {
                self.flush_line();
                let prompt = show::text(&self.machine, arg(0));
                self.record("input", name, vec![Value::from(prompt.as_str())], None, 1);
                self.events.push_back(Event::InputRequired { prompt });
                self.waiting = Some(Waiting::Input);
                return None;
            }
            ("exec", 2) => {
                self.flush_line();
                match self.prepare_exec(arg(0)) {
                    Ok(()) => return None,
                    Err(ball) => Answer::Throw(ball),
                }
            }
            ("exec_error", 1) => match self.exec_error.clone() {
                Some(e) => Answer::Succeed(vec![(0, self.machine.heap.string(&e))]),
                None => Answer::Fail,
            },
            ("$dml_host_param", 2) => self.host_param(arg(0)),
            ("$dml_keys", 1) => {
                let keys: Vec<Cell> = self.config.params.keys().map(|k| self.machine.heap.atom(k)).collect();
                Answer::Succeed(vec![(0, self.machine.heap.list_from(&keys))])
            }
            ("$dml_listening", 0) => {
                if self.listening {
                    Answer::Succeed(Vec::new())
                } else {
                    Answer::Fail
                }
            }
            ("$dml_report", 5) => {
                self.report(&call.args);
                Answer::Succeed(Vec::new())
            }
            ("$dml_note", 3) => {
                self.note(arg(0), arg(1), arg(2));
                Answer::Succeed(Vec::new())
            }
            ("$host_open", 3) => self.open_rows(arg(0), arg(1)),
            ("$host_row", 4) => self.row(arg(0), arg(1)),
            ("$host_close", 1) => {
                if let deepclause_engine::heap::Term::Int(i) = self.machine.heap.view(arg(0)) {
                    self.rows.remove(&i);
                }
                Answer::Succeed(Vec::new())
            }
            _ => return self.foreign(call),
        };
        self.machine.answer(answer);
        None
    }

    fn host_param(&mut self, key: Cell) -> Answer {
        let key = show::text(&self.machine, key);
        match self.config.params.get(&key) {
            Some(v) => match json::to_term(&mut self.machine.heap, v) {
                Ok(c) => Answer::Succeed(vec![(1, c)]),
                Err(_) => Answer::Fail,
            },
            None => Answer::Fail,
        }
    }
}
