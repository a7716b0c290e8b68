//! `exec/2`: from a term to a tool and back.

use crate::event::{Event, ToolState};
use crate::session::{Session, Waiting};
use crate::tools::{BadArgument, Cancel, Given, Tool, check};
use crate::{json, show};
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;
use deepclause_engine::machine::Answer;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A tool call that has been checked and announced.
pub(crate) struct Pending {
    tool: Arc<dyn Tool>,
    args: Value,
}

impl Session {
    /// Checks a call and makes it pending, or gives the exception to raise.
    pub(crate) fn prepare_exec(&mut self, call: Cell) -> Result<(), Cell> {
        let (name, given) = self.parse_call(call)?;
        let spec_refusal = self.config.policy.refusal(&name);
        if let Some(why) = spec_refusal {
            self.events.push_back(Event::Log { content: format!("Tool '{name}' blocked by policy: {why}") });
            return Err(self.tool_exception("permission_error", &["execute", "tool"], &name, &why));
        }
        let tool = self.config.tools.get(&name).cloned();
        let Some(tool) = tool else {
            if name == "ask_user" {
                let prompt = match given {
                    Given::Named(m) => m.get("prompt").cloned(),
                    Given::Positional(v) => v.into_iter().next(),
                };
                let prompt = match prompt {
                    Some(Value::String(s)) => s,
                    Some(v) => v.to_string(),
                    None => String::new(),
                };
                self.record("input", "ask_user", vec![Value::from(prompt.as_str())], None, 1);
                self.events.push_back(Event::InputRequired { prompt });
                self.waiting = Some(Waiting::AskUser);
                return Ok(());
            }
            self.events.push_back(Event::Log { content: format!("Tool '{name}' not found") });
            let known: Vec<&str> = self.config.tools.iter().map(|t| t.spec().name.as_str()).collect();
            let why =
                if known.is_empty() { "the host registered no tools".to_string() } else { format!("the tools are: {}", known.join(", ")) };
            return Err(self.tool_exception("existence_error", &["tool"], &name, &why));
        };
        let args = match check(tool.spec(), given) {
            Ok(v) => v,
            Err(bad) => {
                let why = bad.message(tool.spec());
                self.events.push_back(Event::Log { content: format!("Tool '{name}' error: {why}") });
                return Err(self.bad_argument(&bad, &why));
            }
        };
        self.events.push_back(Event::ToolCall {
            tool_name: name,
            tool_args: args.clone(),
            tool_state: ToolState::Starting,
            tool_result: None,
            tool_error: None,
        });
        self.pending = Some(Pending { tool, args });
        Ok(())
    }

    /// Runs a pending call and answers the machine.
    pub(crate) async fn run_tool(&mut self, p: Pending) {
        let cancel = Cancel(self.machine.cancel_handle());
        let result = p.tool.call(p.args.clone(), cancel).await;
        let name = p.tool.spec().name.clone();
        self.record("exec", &name, vec![p.args.clone()], result.as_ref().ok().cloned(), 1);
        let (answer, state, value, error) = match result {
            Ok(v) => match json::to_term(&mut self.machine.heap, &v) {
                Ok(c) => (Answer::Succeed(vec![(1, c)]), ToolState::Completed, Some(v), None),
                Err(e) => (Answer::Fail, ToolState::Failed, None, Some(e.to_string())),
            },
            Err(e) => (Answer::Fail, ToolState::Failed, None, Some(e.0)),
        };
        if let Some(e) = &error {
            self.events.push_back(Event::Log { content: format!("Tool '{name}' error: {e}") });
        }
        self.exec_error = error.clone();
        self.events.push_back(Event::ToolCall {
            tool_name: name,
            tool_args: p.args,
            tool_state: state,
            tool_result: value,
            tool_error: error,
        });
        self.machine.answer(answer);
    }

    fn parse_call(&mut self, call: Cell) -> Result<(String, Given), Cell> {
        let m = &self.machine;
        let (name, args): (String, Vec<Cell>) = match m.heap.view(call) {
            Term::Atom(a) => (m.heap.atoms.text(a).to_string(), Vec::new()),
            Term::Str(a) => (m.heap.str_at(a).to_string(), Vec::new()),
            Term::Compound(a, n, k) if n != atom::DICT => (m.heap.atoms.text(n).to_string(), m.heap.cells[a + 1..a + 1 + k].to_vec()),
            Term::Var(_) | Term::Attributed(_) => return Err(self.error_term("instantiation_error", &[], "exec/2: the call is unbound")),
            _ => {
                return Err(self.error_term(
                    "type_error",
                    &[Arg::Atom("callable"), Arg::Cell(call)],
                    "exec/2 takes a call such as tool(key: Value)",
                ));
            }
        };
        let mut named = Map::new();
        let mut positional = Vec::new();
        let mut is_named = false;
        for &a in &args {
            if let Some(&[k, v]) = self.machine.heap.match_compound(a, atom::COLON, 2) {
                let k = show::text(&self.machine, k);
                let v = self.json_of(v)?;
                named.insert(k, v);
                is_named = true;
            } else {
                positional.push(a);
            }
        }
        if is_named {
            return Ok((name, Given::Named(named)));
        }
        if let [one] = positional.as_slice()
            && matches!(self.machine.heap.view(*one), Term::Compound(_, atom::DICT, _))
            && let Value::Object(map) = self.json_of(*one)?
        {
            return Ok((name, Given::Named(map)));
        }
        let mut values = Vec::with_capacity(positional.len());
        for c in positional {
            values.push(self.json_of(c)?);
        }
        Ok((name, Given::Positional(values)))
    }

    fn json_of(&mut self, c: Cell) -> Result<Value, Cell> {
        let m = &self.machine;
        match json::from_term(&m.heap, c, &|c| show::text(m, c)) {
            Ok(v) => Ok(v),
            Err(e) => {
                let why = format!("exec/2: {e}");
                Err(self.error_term("type_error", &[Arg::Atom("json"), Arg::Cell(c)], &why))
            }
        }
    }

    fn tool_exception(&mut self, error: &str, args: &[&str], tool: &str, why: &str) -> Cell {
        let mut all: Vec<Arg> = args.iter().map(|a| Arg::Atom(a)).collect();
        all.push(Arg::Atom(tool));
        self.error_term(error, &all, why)
    }

    fn bad_argument(&mut self, bad: &BadArgument, why: &str) -> Cell {
        match bad {
            BadArgument::Type { expected, value, .. } => self.error_term("type_error", &[Arg::Atom(expected), Arg::Json(value)], why),
            BadArgument::Domain { name, value } => self.error_term("domain_error", &[Arg::Atom(name), Arg::Json(value)], why),
            BadArgument::Missing { name } => self.error_term("domain_error", &[Arg::Atom("tool_argument"), Arg::Atom(name)], why),
            BadArgument::Unknown { name, .. } => self.error_term("domain_error", &[Arg::Atom("tool_argument"), Arg::Atom(name)], why),
        }
    }

    /// `error(Formal, context(system:exec/2, Why))`.
    fn error_term(&mut self, name: &str, args: &[Arg<'_>], why: &str) -> Cell {
        let h = &mut self.machine.heap;
        let mut cells = Vec::with_capacity(args.len());
        for a in args {
            cells.push(match a {
                Arg::Atom(t) => h.atom(t),
                Arg::Cell(c) => *c,
                Arg::Json(v) => json::to_term(h, v).unwrap_or(Cell::NIL),
            });
        }
        let formal = h.compound_named(name, &cells);
        let exec = h.atoms.intern("exec");
        let pi = h.indicator(exec, 2);
        let pi = h.compound(atom::COLON, &[Cell::atom(atom::SYSTEM), pi]);
        let why = h.string(why);
        let context = h.compound(atom::CONTEXT, &[pi, why]);
        h.compound(atom::ERROR, &[formal, context])
    }
}

enum Arg<'a> {
    Atom(&'a str),
    Cell(Cell),
    Json(&'a Value),
}
