//! `deepclause query --batch`: many goals, each in a fresh machine, for comparing engines.

use crate::cli::QueryArgs;
use crate::{source, terminal};
use deepclause::Engine;
use deepclause::query::Progress;
use deepclause::session::{Limits, Session, SessionConfig};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Duration;

/// Time for one case when the command line says nothing else.
const CASE_TIME: Duration = Duration::from_secs(5);

/// One case; fields that are not named here are ignored.
#[derive(Deserialize)]
struct Case {
    id: Value,
    #[serde(default)]
    program: String,
    goal: String,
    max: Option<usize>,
}

/// Runs the cases of a file and prints a line for each; gives the exit status.
pub fn main(file: &Path, a: &QueryArgs) -> i32 {
    let source = match source::read(file, "jsonl") {
        Ok(s) => s,
        Err(e) => {
            terminal::error(&e);
            return 2;
        }
    };
    let engine = match Engine::new() {
        Ok(e) => e,
        Err(e) => {
            terminal::error(&e.to_string());
            return 2;
        }
    };
    let limits = Limits { gas: a.gas, memory: usize::try_from(a.memory).unwrap_or(usize::MAX), time: Some(a.timeout.unwrap_or(CASE_TIME)) };
    let mut template = engine.session(SessionConfig { limits, ..SessionConfig::default() });
    // What nearly every case needs is loaded once.
    let _ =
        template.query("expand_goal(true, _), member(_, [a]), length(_, 1), format(atom(_), \"~w\", [a])").map(|mut q| q.next().is_some());
    template.machine().freeze();
    let mut bad = 0;
    for (i, line) in source.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Case>(line) {
            Ok(case) => {
                let r = one(&template, &case, a.max);
                terminal::print(&format!("{r}\n"));
            }
            Err(e) => {
                terminal::error(&format!("{}:{}:{}: no case: {e}", file.display(), i + 1, e.column()));
                bad += 1;
            }
        }
    }
    if bad == 0 { 0 } else { 2 }
}

fn one(template: &Session, case: &Case, max: usize) -> Value {
    let mut s = template.fork();
    if !case.program.is_empty() {
        let _ = s.load("/case.pl", &case.program);
        let _ = (s.take_output(), s.take_error_output());
    }
    let max = case.max.unwrap_or(max);
    let mut solutions = Vec::new();
    let (mut more, mut error, mut output) = (false, None, String::new());
    match s.query(&case.goal) {
        Err(e) => error = Some(e.0.term.clone().unwrap_or(e.0.content)),
        Ok(mut q) => loop {
            let step = q.advance_blocking();
            output.push_str(&q.session().take_output());
            match step {
                Ok(Progress::Answer { more: again }) => {
                    if solutions.len() >= max {
                        more = true;
                        break;
                    }
                    let names: Vec<String> = q.variables().filter(|v| !v.starts_with('_')).map(str::to_string).collect();
                    let texts: Map<String, Value> =
                        names.into_iter().map(|v| (v.clone(), Value::from(q.text(&v).unwrap_or_default()))).collect();
                    solutions.push(Value::Object(texts));
                    if !again {
                        break;
                    }
                }
                Ok(Progress::Event(_)) => {}
                Ok(Progress::HostCall { .. }) => q.fail(),
                Ok(Progress::Done) => break,
                Err(e) => {
                    error = Some(e.0.formal.clone().or(e.0.term.clone()).unwrap_or(e.0.content));
                    break;
                }
            }
        },
    }
    json!({ "id": case.id, "solutions": solutions, "more": more, "error": error, "output": output })
}
