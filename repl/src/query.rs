//! `deepclause query`.

use crate::cli::QueryArgs;
use crate::{batch, run, source, terminal};
use deepclause::Engine;
use deepclause::event::{Event, FailureKind};
use deepclause::files::Workspace;
use deepclause::query::{Progress, Query, QueryError};
use deepclause::session::{Limits, Session, SessionConfig};
use std::sync::Arc;

/// Proves a goal; gives the exit status.
pub fn main(a: QueryArgs) -> i32 {
    if let Some(file) = &a.batch {
        return batch::main(file, &a);
    }
    let mut session = match prepare(&a) {
        Ok(s) => s,
        Err(message) => {
            terminal::error(&message);
            return 2;
        }
    };
    run::on_interrupt(session.interrupt().flag());
    let goal = a.goal.clone().unwrap_or_default();
    let goal = goal.trim().strip_suffix('.').unwrap_or(goal.trim()).to_string();
    let mut q = match session.query(&goal) {
        Ok(q) => q,
        Err(e) => {
            terminal::error(&format!("{e}\n  {goal}\n  {}^", " ".repeat(e.0.column.unwrap_or(1).saturating_sub(1) as usize)));
            return 2;
        }
    };
    solutions(&mut q, &a)
}

fn prepare(a: &QueryArgs) -> Result<Session, String> {
    let engine = Engine::new().map_err(|e| e.to_string())?;
    let files = Workspace::open(&a.workspace).map_err(|e| format!("{}: cannot open the workspace: {e}", a.workspace.display()))?;
    let limits = Limits { gas: a.gas, memory: usize::try_from(a.memory).unwrap_or(usize::MAX), time: a.timeout };
    let mut s = engine.session(SessionConfig { limits, files: Some(Arc::new(files)), ..SessionConfig::default() });
    for f in &a.load {
        let src = source::read(f, "pl")?;
        let name = run::name_in(&src.path, &a.workspace);
        let loaded = s.load(&name, &src.text);
        flush(&mut s);
        loaded.map_err(|e| e.to_string())?;
    }
    Ok(s)
}

fn flush(s: &mut Session) {
    let text = s.take_output();
    if !text.is_empty() {
        terminal::print(&text);
    }
    let errors = s.take_error_output();
    if !errors.is_empty() {
        terminal::raw_error(&errors);
    }
}

fn solutions(q: &mut Query<'_>, a: &QueryArgs) -> i32 {
    let mut found = 0usize;
    loop {
        let step = q.advance_blocking();
        flush(q.session());
        match step {
            Ok(Progress::Answer { more }) => {
                found += 1;
                print_solution(q, a.json, more && found < a.max);
                if !more || found >= a.max {
                    return 0;
                }
            }
            Ok(Progress::HostCall { .. }) => q.fail(),
            Ok(Progress::Event(e)) => event(q, &e),
            Ok(Progress::Done) => {
                if found == 0 && !a.json {
                    terminal::print("false.\n");
                }
                return i32::from(found == 0);
            }
            Err(e) => return error(&e, a.json),
        }
    }
}

fn event(q: &mut Query<'_>, e: &Event) {
    match e {
        Event::Output { content } if !content.is_empty() => terminal::print(&format!("{content}\n")),
        Event::Answer { content } => terminal::print(&format!("{content}\n")),
        Event::Log { content } => terminal::note("log", content),
        Event::Warning(d) => terminal::warning(&d.content),
        Event::InputRequired { prompt } => {
            let text = terminal::ask(prompt).unwrap_or_default();
            q.session().provide_input(&text);
        }
        _ => {}
    }
}

fn print_solution(q: &Query<'_>, json: bool, more: bool) {
    if json {
        terminal::print(&format!("{}\n", serde_json::Value::Object(q.bindings())));
        return;
    }
    let lines: Vec<String> = q
        .variables()
        .filter(|v| !v.starts_with('_') && !q.is_unbound(v))
        .map(|v| format!("{v} = {}", q.text(v).unwrap_or_default()))
        .collect();
    let text = if lines.is_empty() { "true".to_string() } else { lines.join(",\n") };
    terminal::print(&format!("{text}{}\n", if more { " ;" } else { "." }));
}

fn error(e: &QueryError, json: bool) -> i32 {
    if json {
        terminal::print(&format!("{}\n", Event::Error(e.0.clone()).to_json()));
    } else {
        terminal::error(&e.0.content);
        for g in e.0.stack.iter().take(5) {
            terminal::note("    in", g);
        }
    }
    match e.0.kind {
        FailureKind::Gas | FailureKind::Memory | FailureKind::Time => 3,
        FailureKind::Cancelled => 130,
        _ => 2,
    }
}
