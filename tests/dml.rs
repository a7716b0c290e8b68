//! The language as programs see it: each test is a program and the events it gives.

use deepclause::convert::Symbol;
use deepclause::event::{Event, FailureKind};
use deepclause::files::Workspace;
use deepclause::policy::Policy;
use deepclause::run::Program;
use deepclause::session::{Limits, SessionConfig};
use deepclause::tools::{ToolError, ToolSpec};
use deepclause::{Engine, entry};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine::new().unwrap_or_else(|e| panic!("{e}")))
}

/// Events in short: `o:` output, `l:` log, `a:` answer, `i:` input, `w:` warning, `e:` error, `true`, `false`.
fn short(e: &Event) -> Option<String> {
    Some(match e {
        Event::Output { content } => format!("o:{content}"),
        Event::Log { content } => format!("l:{content}"),
        Event::Answer { content } => format!("a:{content}"),
        Event::InputRequired { prompt } => format!("i:{prompt}"),
        Event::Warning(d) => format!("w:{}", d.content),
        Event::Error(f) => format!("e:{}", f.content),
        Event::Finished(f) => f.result.to_string(),
        _ => return None,
    })
}

fn all(text: &str, args: &[Value], config: SessionConfig, inputs: &[&str]) -> Vec<Event> {
    let program = Program { name: "t.dml".into(), text: text.into(), args: args.to_vec() };
    let mut run = engine().session(config).run(program);
    let mut inputs = inputs.iter();
    let mut out = Vec::new();
    while let Some(e) = run.next_blocking() {
        if matches!(e, Event::InputRequired { .. }) {
            run.provide_input(inputs.next().unwrap_or(&""));
        }
        out.push(e);
    }
    out
}

fn run_with(text: &str, args: &[Value], config: SessionConfig) -> Vec<String> {
    all(text, args, config, &[]).iter().filter_map(short).collect()
}

fn run(text: &str) -> Vec<String> {
    run_with(text, &[], SessionConfig::default())
}

/// A program without warnings that gives just these events.
#[track_caller]
fn check(text: &str, expect: &[&str]) {
    assert_eq!(run(text), expect, "{text}");
}

fn with_params(pairs: &[&str]) -> SessionConfig {
    let params = pairs.iter().filter_map(|p| entry::parameter(p)).collect();
    SessionConfig { params, ..SessionConfig::default() }
}

#[test]
fn output_and_answer() {
    check("agent_main :- answer(\"a\"), output(\"b\").", &["a:a", "true"]);
    check("agent_main :- output(\"x\"), yield(\"y\"), log(\"z\"), answer(\"k\").", &["o:x", "o:y", "l:z", "a:k", "true"]);
    check("agent_main :- output([a,b]), output(f(1,\"s\",'A b')).", &["o:[a,b]", "o:f(1,s,A b)", "true"]);
    check("agent_main :- output(\"o\").", &["o:o", "true"]);
    check("agent_main :- fail.", &["false"]);
    check("agent_main :- fail. agent_main :- answer(\"2\").", &["a:2", "true"]);
}

#[test]
fn answer_cannot_be_caught() {
    check("agent_main :- catch(answer(\"a\"), _, output(\"bad\")), output(\"bad2\").", &["a:a", "true"]);
    check("agent_main :- setup_call_cleanup(true, answer(x), assertz(done)).", &["a:x", "true"]);
    check("agent_main :- findall(X, (member(X,[1,2]), answer(\"{X}\")), _).", &["a:1", "true"]);
}

#[test]
fn errors_have_a_place_and_a_kind() {
    let r = all("agent_main :- output(\"a\") answer(\"b\").", &[], SessionConfig::default(), &[]);
    assert_eq!(r.len(), 1, "{r:?}");
    let Some(Event::Error(f)) = r.first() else { panic!("{r:?}") };
    assert_eq!((f.kind, f.line), (FailureKind::Load, Some(1)));
    assert!(f.column.is_some() && f.content.contains("t.dml:1:"), "{f:?}");
    let r = all("agent_main :-\n    nopred(1).", &[], SessionConfig::default(), &[]);
    let Some(Event::Error(f)) = r.first() else { panic!("{r:?}") };
    assert!(f.content.contains("nopred/1"), "{f:?}");
    assert!(f.term.as_deref().is_some_and(|t| t.starts_with("error(existence_error(procedure,nopred/1)")), "{f:?}");
    let r = run("agent_main :- string_trim(\" a\", X), output(X).");
    assert!(r.iter().any(|e| e.contains("normalize_space")), "{r:?}");
    assert!(run("p.").iter().any(|e| e.contains("agent_main")));
}

#[test]
fn control() {
    check("f(1):-!. f(2). agent_main :- findall(X,f(X),L), output(L).", &["o:[1]", "true"]);
    check("r(X):-X>0,!,output(pos). r(_):-output(non). agent_main:-r(1),fail. agent_main:-answer(\"z\").", &["o:pos", "a:z", "true"]);
    check("p(1).p(2).p(3). q(X):-p(X). agent_main:-findall(X,q(X),L),output(L).", &["o:[1,2,3]", "true"]);
    check("agent_main:-once(output(\"x\")),G=output(\"y\"),call(G),answer(\"z\").", &["o:x", "o:y", "a:z", "true"]);
    check("agent_main:-G=(output(a),output(b)),G,answer(\"z\").", &["o:a", "o:b", "a:z", "true"]);
    check("agent_main:-maplist([X]>>output(\"v {X}\"),[a,b]).", &["o:v a", "o:v b", "true"]);
    check("p(1).p(2). agent_main:-findall(X,(p(X)*->true;X=9),L),output(L).", &["o:[1,2]", "true"]);
    check("p(1,a).p(2,b). agent_main:-setof(X,Y^p(X,Y),L),output(L).", &["o:[1,2]", "true"]);
    check("append(a,b,c). agent_main:-append(a,b,Z),output(Z).", &["o:c", "true"]);
}

#[test]
fn memory_is_undone_by_backtracking() {
    check("agent_main:-system(\"A\"),user(\"B\"),fail. agent_main:-get_memory(M),output(M),answer(\"z\").", &["o:[]", "a:z", "true"]);
    check(
        "agent_main:-system(\"A\"),push_context,user(\"B\"),pop_context,get_memory(M),M=[X],R=X.role,C=X.content,output(\"{R} {C}\").",
        &["o:system A", "true"],
    );
    check("agent_main:-findall(x,user(\"u\"),_),forall(true,user(v)),get_memory(M),output(M).", &["o:[]", "true"]);
    check(
        "agent_main:-user(a),push_context(clear),get_memory(M0),user(b),clear_memory,pop_context,pop_context,get_memory(M),length(M0,N0),length(M,N),output(\"{N0} {N}\").",
        &["o:0 1", "true"],
    );
}

#[test]
fn interpolation() {
    check("agent_main:-X=1,output(\"h {X}\").", &["o:h 1", "true"]);
    assert_eq!(run_with("agent_main:-output(\"{topic} {Topic}\").", &[], with_params(&["topic=cats"])), ["o:cats cats", "true"]);
    let r = run("agent_main:-output(\"x {Nope}\"),answer(\"1\").");
    assert!(
        matches!(r.as_slice(), [w, o, a, t] if w.contains("Nope") && w.contains("t.dml:1") && o == "o:x {Nope}" && a == "a:1" && t == "true"),
        "{r:?}"
    );
    check("agent_main:-output(\"{} {a b} {\\\"k\\\": 1}\").", &["o:{} {a b} {\"k\": 1}", "true"]);
    check("agent_main:-X=5,output(\"~w {X}\").", &["o:~w 5", "true"]);
    let p = with_params(&["topic=cats"]);
    assert_eq!(run_with("agent_main:-X=\"has {topic}\",output(X).", &[], p), ["o:has {topic}", "true"]);
    check("t(\"j {a}\"). agent_main:-t(S),output(S).", &["o:j {a}", "true"]);
    check("agent_main:-format(string(S),\"{X} ~w\",[1]),output(S).", &["o:{X} 1", "true"]);
    check("agent_main:-X=1,output(\"{{X}} {X}\").", &["o:{X} 1", "true"]);
    check(
        "h(X):-( X>1 -> output(\"big {X}\") ; \\+ output(\"no {X}\") ; catch(answer(\"c {X}\"),_,true) ). agent_main:-h(1).",
        &["o:no 1", "a:c 1", "true"],
    );
    check("g --> [a], { X = 3, output(\"in {X}\") }. agent_main:-phrase(g,[a]).", &["o:in 3", "true"]);
}

#[test]
fn arguments() {
    let two = "agent_main(A):-output(one(A)). agent_main(A,B):-output(two(A,B)).";
    assert_eq!(run_with(two, &[json!("a"), json!(2)], SessionConfig::default()), ["o:two(a,2)", "true"]);
    let r = run_with("agent_main(_,_):-output(x).", &[json!("a")], SessionConfig::default());
    assert_eq!(r, ["e:Argument validation failed: agent_main expects 2 positional arguments, but received 1"]);
    let typed = "agent_main(D,L):-X=D.a.b,sum_list(L,S),output(\"{X} {S}\").";
    assert_eq!(run_with(typed, &[json!({"a": {"b": true}}), json!([1, 2.5])], SessionConfig::default()), ["o:true 3.5", "true"]);
}

#[test]
fn parameters() {
    check("agent_main:-(param(no,_)->output(y);output(n)).", &["o:n", "true"]);
    assert_eq!(run_with("agent_main:-param(k,V),W is V+1,output(W).", &[], with_params(&["K=4"])), ["o:5", "true"]);
    check(":- param(k,\"d\",5). agent_main:-param(k,V),output(V),param('K',\"desc\",W),output(\"{k} {W}\").", &["o:5", "o:5 5", "true"]);
    check("param(a,1). agent_main:-param(a,X),output(\"{X} {A}\").", &["o:1 1", "true"]);
}

#[test]
fn input_and_ask_user() {
    let r = all("agent_main:-input(\"Name?\",N),output(\"hi {N}\").", &[], SessionConfig::default(), &["Bo"]);
    assert_eq!(r.iter().filter_map(short).collect::<Vec<_>>(), ["i:Name?", "o:hi Bo", "true"]);
    let r =
        all("agent_main:-exec(ask_user(prompt:\"?\"),R),get_dict(user_response,R,U),output(U).", &[], SessionConfig::default(), &["yes"]);
    assert_eq!(r.iter().filter_map(short).collect::<Vec<_>>(), ["i:?", "o:yes", "true"]);
}

fn tools() -> SessionConfig {
    let mut c = SessionConfig::default();
    let mut e = ToolSpec::new("e", "echo", &[("a", "integer"), ("b", "integer")]);
    e.parameters["required"] = json!([]);
    c.tools.add_fn(e, Ok);
    c.tools.add_fn(ToolSpec::new("file_a", "", &[]), |_| Ok(json!({"n": null, "l": [1, "x", true]})));
    c.tools.add_async(ToolSpec::new("broken", "", &[]), |_| async { Err(ToolError::new("no luck")) });
    c
}

#[test]
fn tools_are_called() {
    let text = "agent_main:-exec(e(a:1),A),exec(e(_{a:1}),B),exec(e(1,2),C),A.a==1,B.a==1,C.b==2,exec(file_a,R),R.n==null,R.l=[1,\"x\",true],output(ok).";
    assert_eq!(run_with(text, &[], tools()), ["o:ok", "true"]);
    let text = "agent_main:-catch(exec(nope(1),_),error(existence_error(tool,T),_),(output(T))).";
    assert_eq!(run_with(text, &[], tools()), ["l:Tool 'nope' not found", "o:nope", "true"]);
    let text = "agent_main:-catch(exec(e(a:\"x\"),_),error(type_error(T,V),_),output(T-V)).";
    assert_eq!(run_with(text, &[], tools()).last(), Some(&"true".to_string()));
    let text = "agent_main:-( exec(broken,_) -> output(bad) ; exec_error(E), output(E) ).";
    assert_eq!(run_with(text, &[], tools()), ["l:Tool 'broken' error: no luck", "o:no luck", "true"]);
    let mut c = tools();
    c.policy = Policy::whitelist(["file_*"]);
    let text = "agent_main:-exec(file_a,_),findall(x,catch(exec(e(1),_),error(permission_error(execute,tool,e),_),output(refused)),_).";
    let r = run_with(text, &[], c);
    assert!(matches!(r.as_slice(), [l, o, t] if l.contains("blocked by policy") && o == "o:refused" && t == "true"), "{r:?}");
}

#[test]
fn limits() {
    let gas = |n| SessionConfig { limits: Limits { gas: Some(n), ..Limits::default() }, ..SessionConfig::default() };
    let kind = |r: &[Event]| match r.last() {
        Some(Event::Error(f)) => Some(f.kind),
        _ => None,
    };
    assert_eq!(kind(&all("l:-l. agent_main:-catch(l,_,true).", &[], gas(100_000), &[])), Some(FailureKind::Gas));
    let monotone = "ping(_). agent_main:-between(1,100000,X),ping(X),X>=90000,answer(\"z\").";
    assert_eq!(kind(&all(monotone, &[], gas(60_000), &[])), Some(FailureKind::Gas));
    let time = SessionConfig { limits: Limits { time: Some(Duration::from_millis(200)), ..Limits::default() }, ..SessionConfig::default() };
    assert_eq!(kind(&all("l:-l. agent_main:-l.", &[], time, &[])), Some(FailureKind::Time));
    let memory = SessionConfig { limits: Limits { memory: 32 << 20, ..Limits::default() }, ..SessionConfig::default() };
    assert_eq!(kind(&all("r(X):-r([X|X]),a. a. agent_main:-r(1).", &[], memory, &[])), Some(FailureKind::Memory));
}

#[test]
fn cancelling() {
    let mut run =
        engine().session(SessionConfig::default()).run(Program { name: "t".into(), text: "l:-l. agent_main:-l.".into(), args: vec![] });
    let stop = run.interrupt();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        stop.cancel();
    });
    let last = std::iter::from_fn(|| run.next_blocking()).last();
    assert!(matches!(last, Some(Event::Error(f)) if f.kind == FailureKind::Cancelled));
}

#[test]
fn traces() {
    let r = all("agent_main:-output(x).", &[], SessionConfig { trace: true, ..SessionConfig::default() }, &[]);
    let Some(Event::Finished(f)) = r.last() else { panic!("{r:?}") };
    let kinds: Vec<&str> = f.trace.iter().flatten().map(|t| t.kind).collect();
    assert_eq!(kinds, ["call", "output", "exit"]);
}

#[test]
fn database_and_directives() {
    check(":-dynamic c/1. c(0). i:-retract(c(N)),M is N+1,assertz(c(M)). agent_main:-i,i,c(X),answer(\"{X}\").", &["a:2", "true"]);
    check(":- capability(forms). agent_main :- output(x).", &["o:x", "true"]);
    let r = run(":- nonsense(1). agent_main :- output(x).");
    assert!(matches!(r.as_slice(), [w, o, _] if w.contains("nonsense/1") && w.contains("t.dml:1") && o == "o:x"), "{r:?}");
    let r = run("verify(a,b,c). agent_main :- output(x).");
    assert!(matches!(r.as_slice(), [w, o, _] if w.contains("verify/3") && o == "o:x"), "{r:?}");
    let r = run("task(1, _{a:1}). agent_main :- task(1,D), X = D.a, output(X).");
    assert!(matches!(r.as_slice(), [w, o, t] if w.contains("task/2") && o == "o:1" && t == "true"), "{r:?}");
}

#[test]
fn files() {
    let Ok(d) = tempfile::tempdir() else { panic!("no folder") };
    let ws = |d: &std::path::Path| SessionConfig { files: Workspace::open(d).ok().map(|w| Arc::new(w) as _), ..SessionConfig::default() };
    let helper = std::fs::write(d.path().join("h.dml"), "h(X):-output(\"h {X}\").");
    assert!(helper.is_ok());
    assert_eq!(run_with(":- consult(\"h.dml\"). agent_main:-h(1).", &[], ws(d.path())), ["o:h 1", "true"]);
    assert_eq!(run_with("agent_main:-consult('h.dml'),h(2).", &[], ws(d.path())), ["o:h 2", "true"]);
    let r = run_with("agent_main:-catch(consult(\"../x.dml\"),error(permission_error(_,_,_),_),output(no)).", &[], ws(d.path()));
    assert_eq!(r, ["o:no", "true"]);
    assert_eq!(
        run_with("agent_main:-write_file(\"o\",\"hi\"),append_file(o,\"!\"),read_file(\"/o\",T),output(T).", &[], ws(d.path())),
        ["o:hi!", "true"]
    );
    let r = run_with("agent_main:-directory_files('.',L),msort(L,M),output(M).", &[], ws(d.path()));
    assert_eq!(r, ["o:[h.dml,o]", "true"]);
}

#[test]
fn text_of_the_language() {
    check("g-->[a],[b]. agent_main:-(phrase(g,[a,b])->output(y);true).", &["o:y", "true"]);
    check("agent_main:-D=_{a:1},Y is D.a+1,output(Y),(D.a==1->output(t);output(e)).", &["o:2", "o:t", "true"]);
    check(
        "agent_main:-catch((X=_{a:1}.b,output(X)),error(existence_error(key,b,_),_),output(none)),(Y=_{a:1}.get(b)->output(Y);output(n)).",
        &["o:none", "o:n", "true"],
    );
    check("agent_main:-output(\"a\\n\\\n         b\").", &["o:a\nb", "true"]);
}

#[test]
fn standard_output_is_events() {
    check("agent_main:-format(\"x~ny\"),output(z),write(a),nl,print(b).", &["o:x", "o:y", "o:z", "o:a", "o:b", "true"]);
}

#[test]
fn symbols_are_atoms() {
    let mut s = engine().session(SessionConfig::default());
    let Ok(mut q) = s.query_with("atom(X)", &[("X", &Symbol("a b".into()))]) else { panic!("the goal does not parse") };
    assert!(q.next().is_some_and(|r| r.is_ok()));
}
