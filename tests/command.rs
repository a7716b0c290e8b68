//! The command as people use it: examples, exit status, bad input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn command(args: &[&str]) -> Command {
    let mut c = Command::new(env!("CARGO_BIN_EXE_deepclause"));
    c.args(args).current_dir(root()).env("NO_COLOR", "1").stdin(Stdio::null());
    c
}

fn run(args: &[&str]) -> (i32, String, String) {
    let o = command(args).output();
    let Ok(Output { status, stdout, stderr }) = o else { panic!("{o:?}") };
    let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
    (status.code().unwrap_or(-1), text(&stdout), text(&stderr))
}

#[track_caller]
fn example(args: &[&str], end: &str) {
    let mut all = vec!["run"];
    all.extend(args);
    let (code, out, err) = run(&all);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(out.lines().last(), Some(end), "{out}{err}");
    assert_eq!(err, "");
}

#[test]
fn examples_give_their_answers() {
    example(&["sdk-examples/hello.dml"], "Greeted a name of 5 letters.");
    example(&["sdk-examples/hello.dml", "Ada", "-P", "greeting=Welcome"], "Greeted a name of 3 letters.");
    example(&["sdk-examples/planner.dml"], "released takes 6 steps");
    example(&["sdk-examples/planner.dml", "nonsense"], "there is no way to nonsense");
    example(&["sdk-examples/state_machine.dml"], "done after 5 events");
    example(&["sdk-examples/calculator.dml", "1/4 + 2.5"], "1/4 + 2.5 = 2.75");
    example(&["sdk-examples/calculator.dml", "1 +"], "this is no expression: 1 +");
    example(&["sdk-examples/spec_walk.dml", "--workspace", "sdk-examples"], "2 files, 3 requirements, 1 without a scenario");
    let (code, out, err) = run(&["run", "sdk-examples/report.dml", "--workspace", "sdk-examples", "--json"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let answer = out.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok()).find(|v| v["type"] == "answer");
    let report = answer.and_then(|a| serde_json::from_str::<serde_json::Value>(a["content"].as_str()?).ok());
    assert!(report.is_some_and(|r| r["total"] == 690 && r["regions"][1]["total"] == 160), "{out}");
}

fn file(dir: &Path, name: &str, text: &[u8]) -> String {
    let p = dir.join(name);
    assert!(std::fs::write(&p, text).is_ok());
    p.to_string_lossy().into_owned()
}

#[test]
fn the_exit_status_tells_the_kind() {
    let Ok(d) = tempfile::tempdir() else { panic!("no folder") };
    let p = |n: &str, t: &str| file(d.path(), n, t.as_bytes());
    let fails = p("fails.dml", "agent_main :- fail.");
    assert_eq!(run(&["run", &fails]).0, 1);
    let throws = p("throws.dml", "agent_main :-\n    X is foo + 1,\n    output(X).");
    let (code, out, err) = run(&["run", &throws]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("foo/0"), "{err}");
    let spins = p("spins.dml", "l :- l. agent_main :- l.");
    assert_eq!(run(&["run", &spins, "--gas", "100000"]).0, 3);
    assert_eq!(run(&["run", &spins, "--timeout", "200ms"]).0, 3);
    let grows = p("grows.dml", ":- dynamic f/1. g(N) :- assertz(f(N)), M is N+1, g(M). agent_main :- g(0).");
    assert_eq!(run(&["run", &grows, "--memory", "64M"]).0, 3);
    let deep = p("deep.dml", "d(N) :- M is N+1, d(M), true. agent_main :- d(0).");
    assert_eq!(run(&["run", &deep, "--memory", "64M"]).0, 3);
    let syntax = p("syntax.dml", "a.\nagent_main :- output(\"a\") answer(\"b\").\n");
    let (code, _, err) = run(&["run", &syntax]);
    assert_eq!(code, 2);
    assert!(err.contains("syntax.dml:2:"), "{err}");
    assert_eq!(run(&["run", "nowhere.dml"]).0, 2);
    assert_eq!(run(&["run", "sdk-examples"]).0, 2);
    assert_eq!(run(&["rum"]).0, 2);
}

#[test]
fn queries() {
    assert_eq!(run(&["query", "member(X,[a,b])"]), (0, "X = a ;\nX = b.\n".into(), String::new()));
    assert_eq!(run(&["query", "fail"]), (1, "false.\n".into(), String::new()));
    assert_eq!(run(&["query", "X = f(_{a:\"s\"},Y)", "--json"]).0, 0);
    assert_eq!(run(&["query", "between(1,inf,X)", "--max", "2"]).1, "X = 1 ;\nX = 2.\n");
    let (code, out, _) = run(&["query", "format(\"hi~n\"), X = 1."]);
    assert_eq!((code, out.as_str()), (0, "hi\nX = 1.\n"));
    assert_eq!(run(&["query", "foo(("]).0, 2);
    assert_eq!(run(&["query", "atom_length(X,Y)"]).0, 2);
}

#[test]
fn a_batch_gives_a_line_for_each_case() {
    let Ok(d) = tempfile::tempdir() else { panic!("no folder") };
    let cases = "{\"id\":\"a\",\"program\":\"p(1). p(2).\",\"goal\":\"p(X), print(X)\",\"max\":1}\n{\"id\":\"b\",\"program\":\"\",\"goal\":\"p(X)\"}\n";
    let f = file(d.path(), "c.jsonl", cases.as_bytes());
    let (code, out, err) = run(&["query", "--batch", &f]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<serde_json::Value> = out.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    assert_eq!(lines.len(), 2, "{out}");
    assert_eq!(lines[0], serde_json::json!({"id": "a", "solutions": [{"X": "1"}], "more": true, "error": null, "output": "12"}));
    assert_eq!(lines[1]["error"], "existence_error(procedure,p/1)");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let child = command(&["query", "between(1,inf,X),writeln(X),fail"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else { panic!("{child:?}") };
    drop(child.stdout.take());
    let out = child.wait_with_output();
    assert!(out.is_ok_and(|o| o.stderr.is_empty()));
}

#[test]
fn input_comes_from_options_then_from_standard_input() {
    let Ok(d) = tempfile::tempdir() else { panic!("no folder") };
    let p = file(d.path(), "ask.dml", b"agent_main :- input(\"A?\", A), input(\"B?\", B), answer(\"{A}-{B}\").");
    let child = command(&["run", &p, "--input", "one"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else { panic!("{child:?}") };
    if let Some(mut i) = child.stdin.take() {
        assert!(i.write_all(b"two\n").is_ok());
    }
    let out = child.wait_with_output();
    assert!(out.is_ok_and(|o| String::from_utf8_lossy(&o.stdout) == "one-two\n"));
}
