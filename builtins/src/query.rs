//! Goals of the host: solution by solution, stopping at host calls.

use crate::convert::{FromTerm, Mismatch, ToTerm};
use crate::event::{Event, Failure, FailureKind};
use crate::session::{Session, Stop};
use crate::{block, show};
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;
use deepclause_engine::machine::{Answer, HostCall, RestoreError};
use deepclause_engine::reader::{self, Position};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why a query ended without an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.content)]
pub struct QueryError(pub Box<Failure>);

impl QueryError {
    fn new(kind: FailureKind, content: impl Into<String>) -> QueryError {
        QueryError(Box::new(Failure { content: content.into(), kind, ..Failure::default() }))
    }
}

/// Why a query stopped.
#[derive(Debug)]
pub enum Progress {
    /// A solution: read it with [`Query::get`] and go on.
    Answer {
        /// Another solution is possible.
        more: bool,
    },
    /// A suspending predicate of the host: look at [`Query::argument`], then [`Query::succeed`], [`Query::fail`] or [`Query::throw`].
    HostCall {
        /// Name of the predicate.
        name: String,
        /// Number of its arguments.
        arity: usize,
    },
    /// The program did something to tell.
    Event(Event),
    /// No more solutions.
    Done,
}

/// A running goal. Dropping it undoes its bindings.
pub struct Query<'s> {
    session: &'s mut Session,
    variables: Vec<(String, usize)>,
    roots: usize,
    call: Option<HostCall>,
    over: bool,
}

impl Session {
    /// Loads Prolog text into module `user`.
    ///
    /// # Errors
    /// What the loader said; clauses without a fault are loaded.
    pub fn load(&mut self, name: &str, text: &str) -> Result<(), crate::engine::LoadError> {
        self.begin();
        self.listening = true;
        let goal = self.load_goal(atom::USER, name, text);
        self.machine.start(goal, atom::SYSTEM);
        let stop = loop {
            match block::block_on(self.go(), &|| false) {
                Some(Stop::Event) => self.events.clear(),
                other => break other,
            }
        };
        self.listening = false;
        let problem = match stop {
            Some(Stop::Solution { .. }) => {
                self.machine.commit();
                None
            }
            Some(Stop::Exception(ball)) => Some(self.failure(ball).content),
            Some(Stop::Gas) => Some("gas exhausted".to_string()),
            Some(Stop::Time) => Some("time limit exceeded".to_string()),
            Some(Stop::Cancelled) => Some("cancelled".to_string()),
            _ => Some("the text could not be loaded".to_string()),
        };
        let mut errors: Vec<String> = std::mem::take(&mut self.notes).into_iter().filter(|n| n.error).map(|n| n.at.content).collect();
        errors.extend(problem);
        if errors.is_empty() { Ok(()) } else { Err(crate::engine::LoadError(errors.join("\n"))) }
    }

    /// Starts a goal.
    ///
    /// # Errors
    /// The goal does not parse.
    pub fn query(&mut self, goal: &str) -> Result<Query<'_>, QueryError> {
        self.query_with(goal, &[])
    }

    /// Starts a goal with some of its variables bound: values never become source text.
    ///
    /// # Errors
    /// The goal does not parse.
    pub fn query_with(&mut self, goal: &str, bindings: &[(&str, &dyn ToTerm)]) -> Result<Query<'_>, QueryError> {
        let m = &mut self.machine;
        let text = format!("{goal} .\n");
        let read = reader::read(&mut m.heap, &m.ops, &m.flags, atom::USER, &text, Position::start()).map_err(|e| {
            let mut f = Failure { kind: FailureKind::Load, ..Failure::default() };
            f.content = format!("syntax error at character {}: {}", e.at.char + 1, e.kind);
            let kind = e.term(&mut m.heap);
            f.term = Some(format!("syntax_error({})", show::quoted(m, kind)));
            f.column = Some(e.at.char as u64 + 1);
            QueryError(Box::new(f))
        })?;
        let Some(term) = read.term else { return Err(QueryError::new(FailureKind::Load, "the goal is empty")) };
        let roots = m.roots.len();
        let mut variables = Vec::new();
        for (name, cell) in read.variables {
            variables.push((name, m.roots.len()));
            m.roots.push(cell);
        }
        for (name, value) in bindings {
            if let Some((_, slot)) = variables.iter().find(|(n, _)| n == name) {
                let v = value.to_term(m);
                if let Some(&c) = m.roots.get(*slot) {
                    m.unify(c, v);
                }
            }
        }
        let goal = m.heap.compound_named("$dml_query", &[term]);
        self.begin();
        self.machine.start(goal, atom::SYSTEM);
        Ok(Query { session: self, variables, roots, call: None, over: false })
    }

    /// The first solution of a goal, as any type that its named variables fill; `None` when it fails.
    ///
    /// # Errors
    /// Syntax, an exception, a limit, or a solution of another shape.
    pub fn once<T: DeserializeOwned>(&mut self, goal: &str) -> Result<Option<T>, QueryError> {
        let mut q = self.query(goal)?;
        match q.next() {
            None => Ok(None),
            Some(Err(e)) => Err(e),
            Some(Ok(map)) => {
                serde_json::from_value(Value::Object(map)).map(Some).map_err(|e| QueryError::new(FailureKind::Runtime, e.to_string()))
            }
        }
    }

    /// What differs from another session with the program loaded, as bytes: dynamic clauses, stacks, a stopped run with its
    /// open host call. [`Session::restore`] on a session like `program` gives it back, in another process too.
    ///
    /// # Errors
    /// A nondeterministic Rust predicate still has answers: its iterator cannot be written.
    pub fn save(&self, program: &Session) -> Result<Vec<u8>, RestoreError> {
        if self.rows.is_empty() {
            self.machine.save(&program.machine)
        } else {
            Err(RestoreError::Unsaveable("a Rust iterator is still open".into()))
        }
    }

    /// Takes on a saved state. This session must come from an engine of the same version with the same libraries.
    ///
    /// # Errors
    /// The bytes are damaged or of another engine.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let files = self.machine.files.clone();
        self.machine = deepclause_engine::machine::Machine::restore(&self.machine, bytes)?;
        self.machine.files = files;
        Ok(())
    }
}

impl Query<'_> {
    /// Goes on to the next solution, host call or event.
    ///
    /// # Errors
    /// An exception, a limit, or a cancellation; the query is over then.
    pub async fn advance(&mut self) -> Result<Progress, QueryError> {
        if self.over {
            return Ok(Progress::Done);
        }
        loop {
            if let Some(e) = self.session.events.pop_front() {
                return Ok(Progress::Event(e));
            }
            let limit = |kind, text: &str| Err(QueryError::new(kind, text));
            let end = match self.session.go().await {
                Stop::Event => {
                    if self.session.events.is_empty() {
                        return Ok(Progress::Event(Event::Output { content: String::new() }));
                    }
                    continue;
                }
                Stop::Input => {
                    self.session.provide_input("");
                    continue;
                }
                Stop::Solution { more } => return Ok(Progress::Answer { more }),
                Stop::Foreign(call) => {
                    let name = self.session.machine.heap.atoms.text(call.name).to_string();
                    let arity = call.args.len();
                    self.call = Some(call);
                    return Ok(Progress::HostCall { name, arity });
                }
                Stop::NoMore | Stop::Answered | Stop::Halt(_) => Ok(Progress::Done),
                Stop::Exception(ball) => Err(QueryError(Box::new(self.session.failure(ball)))),
                Stop::Gas => limit(FailureKind::Gas, "gas exhausted: the goal needs more inferences than its limit"),
                Stop::Time => limit(FailureKind::Time, "time limit exceeded"),
                Stop::Cancelled => limit(FailureKind::Cancelled, "cancelled"),
                Stop::Bug(what) => limit(FailureKind::Internal, what),
            };
            self.over = true;
            return end;
        }
    }

    /// As [`Query::advance`], waiting on this thread.
    ///
    /// # Errors
    /// As there.
    pub fn advance_blocking(&mut self) -> Result<Progress, QueryError> {
        block::block_on(self.advance(), &|| false).unwrap_or(Ok(Progress::Done))
    }

    /// The session, to take output or to fork it where it has stopped.
    pub fn session(&mut self) -> &mut Session {
        self.session
    }

    /// A copy of the stopped goal in a session of its own: it can be kept, resumed later, or moved to another thread.
    pub fn fork(&self) -> Stopped {
        Stopped {
            session: self.session.fork(),
            variables: self.variables.clone(),
            roots: self.roots,
            call: self.call.is_some(),
            over: self.over,
        }
    }

    /// Names of the goal's variables.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.0.as_str())
    }

    fn cell(&self, name: &str) -> Option<Cell> {
        let (_, slot) = self.variables.iter().find(|v| v.0 == name)?;
        self.session.machine.roots.get(*slot).copied()
    }

    /// The value of a variable in this solution.
    ///
    /// # Errors
    /// There is no such variable, or its value has another type.
    pub fn get<T: FromTerm>(&self, name: &str) -> Result<T, Mismatch> {
        let c = self.cell(name).ok_or_else(|| Mismatch { expected: format!("a variable {name} in the goal"), path: String::new() })?;
        T::from_term(&self.session.machine, c)
    }

    /// The value of a variable as `writeq/1` prints it.
    pub fn text(&self, name: &str) -> Option<String> {
        self.cell(name).map(|c| show::quoted(&self.session.machine, c))
    }

    /// Whether a variable is still unbound.
    pub fn is_unbound(&self, name: &str) -> bool {
        self.cell(name).is_some_and(|c| matches!(self.session.machine.heap.view(c), Term::Var(_)))
    }

    /// An argument of the open host call, from 0.
    ///
    /// # Errors
    /// No call is open, or the argument has another type.
    pub fn argument<T: FromTerm>(&self, i: usize) -> Result<T, Mismatch> {
        let c = self.call.as_ref().and_then(|c| c.args.get(i)).copied();
        let c = c.ok_or_else(|| Mismatch { expected: "an open host call".into(), path: format!("[{i}]") })?;
        T::from_term(&self.session.machine, c)
    }

    /// The open host call succeeds with these values for arguments by number.
    pub fn succeed(&mut self, values: &[(usize, &dyn ToTerm)]) {
        self.call = None;
        let cells = values.iter().map(|(i, v)| (*i, v.to_term(&mut self.session.machine))).collect();
        self.session.machine.answer(Answer::Succeed(cells));
    }

    /// The open host call fails.
    pub fn fail(&mut self) {
        self.call = None;
        self.session.machine.answer(Answer::Fail);
    }

    /// The open host call raises `error(host_error(Text), _)`.
    pub fn throw(&mut self, text: &str) {
        self.call = None;
        let h = &mut self.session.machine.heap;
        let t = h.string(text);
        let formal = h.compound_named("host_error", &[t]);
        let context = h.new_var();
        let ball = h.compound(atom::ERROR, &[formal, context]);
        self.session.machine.answer(Answer::Throw(ball));
    }

    /// Ends the query and keeps the bindings' side effects; what it asserted stays in any case.
    pub fn finish(self) {}

    /// The bindings of this solution as JSON; unbound variables are `null`, names that begin with `_` are left out.
    pub fn bindings(&self) -> Map<String, Value> {
        let mut out = Map::new();
        for (name, _) in self.variables.iter().filter(|v| !v.0.starts_with('_')) {
            let v = if self.is_unbound(name) { Value::Null } else { self.get::<Value>(name).unwrap_or(Value::Null) };
            out.insert(name.clone(), v);
        }
        out
    }
}

/// Solutions as JSON objects. Events are dropped; a suspending predicate fails.
impl Iterator for Query<'_> {
    type Item = Result<Map<String, Value>, QueryError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.advance_blocking() {
                Ok(Progress::Answer { .. }) => return Some(Ok(self.bindings())),
                Ok(Progress::Event(_)) => {}
                Ok(Progress::HostCall { .. }) => self.fail(),
                Ok(Progress::Done) => return None,
                Err(e) => return Some(Err(e)),
            }
        }
    }
}

/// A goal that has stopped, with its world.
pub struct Stopped {
    session: Session,
    variables: Vec<(String, usize)>,
    roots: usize,
    call: bool,
    over: bool,
}

impl Stopped {
    /// Goes on where the goal stopped. An open host call is reported again by the next [`Query::advance`].
    pub fn resume(&mut self) -> Query<'_> {
        Query {
            session: &mut self.session,
            variables: self.variables.clone(),
            roots: self.roots,
            call: None,
            over: self.over && !self.call,
        }
    }
}

impl Drop for Query<'_> {
    fn drop(&mut self) {
        self.session.machine.close();
        self.session.machine.roots.truncate(self.roots);
        self.session.rows.clear();
    }
}
