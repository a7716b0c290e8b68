//! Predicates written in Rust for a program: deterministic, semideterministic, nondeterministic, and suspending ones.

use crate::convert::{FromArgs, Mismatch, ToArgs};
use crate::session::{Session, Stop};
use crate::show;
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;
use deepclause_engine::machine::{Answer, HostCall, Machine};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// An error of a predicate written in Rust; the program gets it as an exception.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PredicateError {
    /// `error(host_error(Text), _)`.
    #[error("{0}")]
    Host(String),
    /// `error(type_error(Expected, Argument), _)`; the argument counts from 0.
    #[error("argument {argument}: expected {expected}")]
    Type { argument: usize, expected: String },
    /// `error(domain_error(Domain, Argument), _)`.
    #[error("argument {argument}: outside {domain}")]
    Domain { argument: usize, domain: String },
}

impl PredicateError {
    /// A [`PredicateError::Host`] with this text.
    pub fn new(text: impl Into<String>) -> PredicateError {
        PredicateError::Host(text.into())
    }

    fn ball(&self, m: &mut Machine, args: &[Cell]) -> Cell {
        let culprit = |i: usize| args.get(i).copied().unwrap_or(Cell::NIL);
        let formal = match self {
            PredicateError::Host(t) => {
                let t = m.heap.string(t);
                m.heap.compound_named("host_error", &[t])
            }
            PredicateError::Type { argument, .. } if m.heap.is_var(culprit(*argument)) => Cell::atom(atom::INSTANTIATION_ERROR),
            PredicateError::Type { argument, expected } => {
                let t = m.heap.atom(expected);
                m.heap.compound(atom::TYPE_ERROR, &[t, culprit(*argument)])
            }
            PredicateError::Domain { argument, domain } => {
                let t = m.heap.atom(domain);
                m.heap.compound(atom::DOMAIN_ERROR, &[t, culprit(*argument)])
            }
        };
        let context = m.heap.new_var();
        m.heap.compound(atom::ERROR, &[formal, context])
    }
}

/// Builds the outputs of one answer.
type Row = Arc<dyn Fn(&mut Machine) -> Vec<Cell> + Send + Sync>;
type OnceBody = Box<dyn Fn(&Machine, &[Cell]) -> Result<Option<Row>, PredicateError> + Send + Sync>;
type RowIterator = Box<dyn Iterator<Item = Result<Row, PredicateError>> + Send>;
type IterBody = Box<dyn Fn(&Machine, &[Cell]) -> Result<RowIterator, PredicateError> + Send + Sync>;

enum Body {
    Once { inputs: usize, run: OnceBody },
    Iter { run: IterBody },
}

/// The answers so far, and where further ones come from.
type RowState = (Vec<Result<Row, PredicateError>>, Option<RowIterator>);

/// Answers of one call of a nondeterministic predicate. They are kept, so that a fork of the session sees the same ones.
pub(crate) struct Rows {
    args: usize,
    state: Mutex<RowState>,
}

impl Rows {
    fn get(&self, i: usize) -> Option<Result<Row, PredicateError>> {
        let mut state = self.state.lock().unwrap_or_else(|e| e.into_inner());
        let (seen, iter) = &mut *state;
        while seen.len() <= i {
            match iter.as_mut().and_then(Iterator::next) {
                Some(r) => seen.push(r),
                None => {
                    *iter = None;
                    return None;
                }
            }
        }
        seen.get(i).cloned()
    }
}

/// A set of predicates to register with an engine.
#[derive(Default)]
pub struct Library {
    bodies: Vec<(String, usize, Body)>,
    suspending: Vec<(String, usize)>,
    text: Vec<(String, String)>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Library {
        Library::default()
    }

    /// A predicate with exactly one answer: the arguments are the inputs, then the outputs.
    pub fn det<I, O, F>(self, name: &str, f: F) -> Library
    where
        I: FromArgs,
        O: ToArgs + Send + Sync + 'static,
        F: Fn(I) -> Result<O, PredicateError> + Send + Sync + 'static,
    {
        self.semidet(name, move |i: I| f(i).map(Some))
    }

    /// A predicate with one answer or none.
    pub fn semidet<I, O, F>(mut self, name: &str, f: F) -> Library
    where
        I: FromArgs,
        O: ToArgs + Send + Sync + 'static,
        F: Fn(I) -> Result<Option<O>, PredicateError> + Send + Sync + 'static,
    {
        let run: OnceBody = Box::new(move |m, a| {
            let input = I::from_args(m, a).map_err(argument)?;
            Ok(f(input)?.map(row))
        });
        self.bodies.push((name.to_string(), I::N + O::N, Body::Once { inputs: I::N, run }));
        self
    }

    /// A predicate with an answer for every item of an iterator, which is dropped when the program cuts it.
    pub fn nondet<I, O, It, F>(mut self, name: &str, f: F) -> Library
    where
        I: FromArgs,
        O: ToArgs + Send + Sync + 'static,
        It: Iterator<Item = O> + Send + 'static,
        F: Fn(I) -> Result<It, PredicateError> + Send + Sync + 'static,
    {
        let run: IterBody = Box::new(move |m, a| {
            let input = I::from_args(m, a).map_err(argument)?;
            let items: RowIterator = Box::new(f(input)?.map(|o| Ok(row(o))));
            Ok(items)
        });
        let arity = I::N + O::N;
        let args: Vec<String> = (0..arity).map(|i| format!("A{i}")).collect();
        let outs = args[I::N..].join(",");
        let head = if arity == 0 { quote(name) } else { format!("{}({})", quote(name), args.join(",")) };
        self.text.push((
            format!("{name}/{arity}"),
            format!(
                "{head} :- '$host_open'({}/{arity}, [{}], Id), setup_call_cleanup(true, '$host_from'(Id, 0, [{outs}]), '$host_close'(Id)).\n",
                quote(name),
                args.join(",")
            ),
        ));
        self.bodies.push((name.to_string(), arity, Body::Iter { run }));
        self
    }

    /// A predicate without a body here: calling it stops the run with [`crate::query::Progress::HostCall`].
    pub fn suspending(mut self, name: &str, arity: usize) -> Library {
        self.suspending.push((name.to_string(), arity));
        self
    }

    /// Predicates written in Prolog.
    pub fn prolog(mut self, name: &str, text: &str) -> Library {
        self.text.push((name.to_string(), text.to_string()));
        self
    }

    pub(crate) fn texts(&self) -> &[(String, String)] {
        &self.text
    }
}

fn quote(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn argument((argument, e): (usize, Mismatch)) -> PredicateError {
    PredicateError::Type { argument, expected: e.expected }
}

fn row<O: ToArgs + Send + Sync + 'static>(o: O) -> Row {
    Arc::new(move |m| o.to_args(m))
}

/// The predicates of an engine, by name and arity.
#[derive(Default)]
pub(crate) struct HostTable {
    bodies: HashMap<(String, usize), Body>,
}

impl HostTable {
    /// Takes the bodies of a library, and registers what stops the machine.
    pub(crate) fn add(&mut self, m: &mut Machine, library: Library) {
        for (name, arity) in &library.suspending {
            m.register_suspending(atom::USER, name, *arity);
        }
        for (name, arity, body) in library.bodies {
            if matches!(body, Body::Once { .. }) {
                m.register_suspending(atom::USER, &name, arity);
            }
            self.bodies.insert((name, arity), body);
        }
    }
}

impl Session {
    /// Answers a call of a predicate with a Rust body; others are for the host.
    pub(crate) fn foreign(&mut self, call: HostCall) -> Option<Stop> {
        let host = self.host.clone();
        let key = (self.machine.heap.atoms.text(call.name).to_string(), call.args.len());
        let Some(Body::Once { inputs, run }) = host.bodies.get(&key) else {
            return Some(Stop::Foreign(call));
        };
        let answer = match run(&self.machine, &call.args) {
            Ok(Some(row)) => {
                let outs = row(&mut self.machine);
                Answer::Succeed(outs.into_iter().enumerate().map(|(i, c)| (inputs + i, c)).collect())
            }
            Ok(None) => Answer::Fail,
            Err(e) => Answer::Throw(e.ball(&mut self.machine, &call.args)),
        };
        self.machine.answer(answer);
        None
    }

    /// `'$host_open'(Name/Arity, Args, Id)`.
    pub(crate) fn open_rows(&mut self, pi: Cell, args: Cell) -> Answer {
        let m = &self.machine;
        let (Some(&[n, a]), Ok(args)) = (m.heap.match_compound(pi, atom::SLASH, 2), m.heap.list_to_vec(args)) else {
            return Answer::Fail;
        };
        let Term::Int(arity) = m.heap.view(a) else { return Answer::Fail };
        let key = (show::text(m, n), usize::try_from(arity).unwrap_or(0));
        let host = self.host.clone();
        let Some(Body::Iter { run }) = host.bodies.get(&key) else { return Answer::Fail };
        match run(&self.machine, &args) {
            Ok(iter) => {
                let id = self.next_rows;
                self.next_rows += 1;
                self.rows.insert(id, Arc::new(Rows { args: args.len(), state: Mutex::new((Vec::new(), Some(iter))) }));
                Answer::Succeed(vec![(2, Cell::small(id))])
            }
            Err(e) => Answer::Throw(e.ball(&mut self.machine, &args)),
        }
    }

    /// `'$host_row'(Id, Index, Row, More)`.
    pub(crate) fn row(&mut self, id: Cell, index: Cell) -> Answer {
        let (Term::Int(id), Term::Int(i)) = (self.machine.heap.view(id), self.machine.heap.view(index)) else { return Answer::Fail };
        let (Some(rows), Ok(i)) = (self.rows.get(&id).cloned(), usize::try_from(i)) else { return Answer::Fail };
        match rows.get(i) {
            None => Answer::Fail,
            Some(Err(e)) => {
                let nothing = vec![Cell::NIL; rows.args];
                Answer::Throw(e.ball(&mut self.machine, &nothing))
            }
            Some(Ok(row)) => {
                let more = Cell::atom(if rows.get(i + 1).is_some() { atom::TRUE } else { atom::FALSE });
                let outs = row(&mut self.machine);
                let outs = self.machine.heap.list_from(&outs);
                Answer::Succeed(vec![(2, outs), (3, more)])
            }
        }
    }
}
