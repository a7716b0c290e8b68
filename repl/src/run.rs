//! `deepclause run`.

use crate::cli::RunArgs;
use crate::{source, terminal};
use deepclause::event::{Event, Failure, FailureKind, ToolState};
use deepclause::files::Workspace;
use deepclause::run::{Program, Run};
use deepclause::session::{Limits, SessionConfig};
use deepclause::{Engine, entry};
use serde_json::{Map, Value};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Runs a program; gives the exit status.
pub fn main(a: RunArgs) -> i32 {
    match start(&a) {
        Ok(run) => follow(run, &a),
        Err(message) => {
            if a.json {
                let f = Failure { content: message, kind: FailureKind::Load, ..Failure::default() };
                terminal::print(&format!("{}\n", Event::Error(Box::new(f)).to_json()));
            } else {
                terminal::error(&message);
            }
            2
        }
    }
}

fn start(a: &RunArgs) -> Result<Run, String> {
    let source = source::read(&a.file, "dml")?;
    let params = parameters(a)?;
    let files = Workspace::open(&a.workspace).map_err(|e| format!("{}: cannot open the workspace: {e}", a.workspace.display()))?;
    let config = SessionConfig {
        limits: Limits { gas: a.gas, memory: usize::try_from(a.memory).unwrap_or(usize::MAX), time: a.timeout },
        files: Some(Arc::new(files)),
        params,
        trace: a.trace.is_some(),
        ..SessionConfig::default()
    };
    let engine = Engine::new().map_err(|e| e.to_string())?;
    let args = a.args.iter().map(|t| entry::value_of(t)).collect();
    let name = name_in(&source.path, &a.workspace);
    Ok(engine.session(config).run(Program { name, text: source.text, args }))
}

/// The program's path within the workspace, so that what it consults is found beside it; as given when it lies outside.
pub fn name_in(path: &Path, workspace: &Path) -> String {
    let full = path.canonicalize().ok();
    let root = workspace.canonicalize().ok();
    match (full, root) {
        (Some(f), Some(r)) => f.strip_prefix(&r).map_or_else(|_| path.to_path_buf(), Path::to_path_buf),
        _ => path.to_path_buf(),
    }
    .to_string_lossy()
    .into_owned()
}

fn parameters(a: &RunArgs) -> Result<Map<String, Value>, String> {
    let mut params = Map::new();
    params.insert("workspace_path".into(), Value::String(a.workspace.to_string_lossy().into_owned()));
    if let Some(f) = &a.params {
        let text = std::fs::read_to_string(f).map_err(|e| format!("{}: {e}", f.display()))?;
        let v: Value = serde_json::from_str(&text).map_err(|e| format!("{}:{}:{}: {e}", f.display(), e.line(), e.column()))?;
        let Value::Object(map) = v else {
            return Err(format!("{}: the parameters must be a JSON object, such as {{\"topic\": \"cats\"}}", f.display()));
        };
        params.extend(map.into_iter().map(|(k, v)| (k.to_lowercase(), v)));
    }
    for p in &a.param {
        let (k, v) = entry::parameter(p).ok_or_else(|| format!("-P {p}: write a parameter as KEY=VALUE"))?;
        params.insert(k, v);
    }
    Ok(params)
}

/// Ctrl-C cancels the run; a second one leaves at once.
pub fn on_interrupt(flag: Arc<AtomicBool>) {
    use signal_hook::{consts::SIGINT, flag as on};
    let _ = on::register_conditional_shutdown(SIGINT, 130, flag.clone());
    let _ = on::register(SIGINT, flag);
}

fn follow(mut run: Run, a: &RunArgs) -> i32 {
    on_interrupt(run.interrupt().flag());
    let mut inputs = a.input.iter();
    let mut code = 2;
    let mut said = false;
    while let Some(e) = run.next_blocking() {
        terminal::raw_error(&run.take_error_output());
        if let (Some(file), Event::Finished(_) | Event::Error(_)) = (&a.trace, &e) {
            write_trace(file, &e);
        }
        if a.json {
            terminal::print(&format!("{}\n", e.to_json()));
        } else {
            show(&e, a.verbose, &mut said);
        }
        match &e {
            Event::InputRequired { prompt } => {
                let text = match inputs.next() {
                    Some(t) => Some(t.clone()),
                    // On `--json` the answers come as lines of standard input.
                    None if a.json && !std::io::stdin().is_terminal() => terminal_line(),
                    None => terminal::ask(prompt),
                };
                run.provide_input(&text.unwrap_or_default());
            }
            Event::Finished(f) => code = i32::from(!f.result),
            Event::Error(f) => {
                code = match f.kind {
                    FailureKind::Gas | FailureKind::Memory | FailureKind::Time => 3,
                    FailureKind::Cancelled => 130,
                    _ => 2,
                }
            }
            _ => {}
        }
    }
    code
}

fn terminal_line() -> Option<String> {
    let mut line = String::new();
    match std::io::stdin().read_line(&mut line) {
        Ok(n) if n > 0 => Some(line.trim_end_matches(['\n', '\r']).to_string()),
        _ => None,
    }
}

fn show(e: &Event, verbose: bool, said: &mut bool) {
    match e {
        Event::Output { content } => {
            terminal::print(&format!("{content}\n"));
            *said = true;
        }
        Event::Answer { content } => {
            let gap = if *said { "\n" } else { "" };
            terminal::print(&format!("{gap}{content}\n"));
        }
        Event::Log { content } if verbose => terminal::note("log", content),
        Event::Warning(d) => terminal::warning(&d.content),
        Event::ToolCall { tool_name, tool_args, tool_state, tool_error, .. } if verbose => {
            let state = match tool_state {
                ToolState::Starting => "starting".to_string(),
                ToolState::Running => "running".to_string(),
                ToolState::Completed => "completed".to_string(),
                ToolState::Failed => format!("failed: {}", tool_error.as_deref().unwrap_or("")),
            };
            terminal::note("tool", &format!("{tool_name} {tool_args} {state}"));
        }
        Event::Error(f) => {
            terminal::error(&f.content);
            // The content of a runtime error has its hints in it.
            if matches!(f.kind, FailureKind::Gas | FailureKind::Memory) {
                f.hints.iter().for_each(|h| terminal::hint(h));
            }
            for g in f.stack.iter().take(if verbose { 50 } else { 5 }) {
                terminal::note("    in", g);
            }
        }
        Event::Finished(f) => {
            if !f.result {
                terminal::note("false", "the program failed: no clause of `agent_main` succeeded");
            }
            if verbose {
                terminal::note("gas", &f.gas.to_string());
            }
        }
        _ => {}
    }
}

/// Writes the trace beside its place, then renames it, so that no half of it stays.
fn write_trace(file: &Path, e: &Event) {
    let trace = match e {
        Event::Finished(f) => &f.trace,
        Event::Error(f) => &f.trace,
        _ => return,
    };
    let Ok(text) = serde_json::to_string_pretty(&trace.as_deref().unwrap_or_default()) else { return };
    let temporary = file.with_extension("tmp");
    let done = std::fs::write(&temporary, text + "\n").and_then(|()| std::fs::rename(&temporary, file));
    if let Err(e) = done {
        let _ = std::fs::remove_file(&temporary);
        terminal::warning(&format!("{}: the trace could not be written: {e}", file.display()));
    }
}
