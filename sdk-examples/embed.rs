//! Embeds the crate: a predicate of each kind in Rust, solutions, limits, cancelling, a fork.
//!
//!     cargo run --example embed -p deepclause

use deepclause::convert::Symbol;
use deepclause::event::{Event, FailureKind};
use deepclause::library::{Library, PredicateError};
use deepclause::query::Progress;
use deepclause::run::Program;
use deepclause::session::{Limits, SessionConfig};
use deepclause::tools::{ToolError, ToolSpec};
use deepclause::{Engine, block};
use serde::Deserialize;
use serde_json::json;
use std::error::Error;
use std::time::Duration;

#[derive(Deserialize, Debug, PartialEq)]
struct Stock {
    #[serde(rename = "Item")]
    item: String,
    #[serde(rename = "N")]
    n: i64,
}

/// One predicate of each kind.
fn shop() -> Library {
    Library::new()
        // Exactly one answer: the arguments are the inputs, then the outputs.
        .det("slug", |(text,): (String,)| Ok((text.to_lowercase().replace(' ', "-"),)))
        // One answer or none.
        .semidet("parse_int", |(text,): (String,)| Ok(text.parse::<i64>().ok().map(|n| (n,))))
        // An answer for each item of an iterator; it may be endless.
        .nondet("power_of_two", |(from,): (i64,)| {
            let from = u32::try_from(from).map_err(|_| PredicateError::Domain { argument: 0, domain: "not_less_than_zero".into() })?;
            Ok((from..62).map(|i| (1i64 << i,)))
        })
        // No body: the run stops, and we answer.
        .suspending("price", 2)
        .prolog("shop.pl", "cheap(Item) :- price(Item, P), P < 10.")
}

fn main() -> Result<(), Box<dyn Error>> {
    let engine = Engine::with_library(shop())?;
    let mut s = engine.session(SessionConfig { limits: Limits { gas: Some(1_000_000), ..Limits::default() }, ..SessionConfig::default() });
    s.load("stock.pl", "stock(bolt, 4). stock(nut, 9). stock(gear, 0).")?;

    println!("-- solutions, with a value bound from Rust");
    let q = s.query_with("stock(Item, N), N > Min", &[("Min", &3i64)])?;
    for row in q {
        println!("{}", serde_json::Value::Object(row?));
    }
    let first: Option<Stock> = s.once("stock(Item, N)")?;
    assert_eq!(first, Some(Stock { item: "bolt".into(), n: 4 }));

    println!("-- predicates in Rust");
    let mut q = s.query("slug(\"Big Bolt\", S), parse_int(\"42\", N), \\+ parse_int(\"x\", _), power_of_two(3, P), P > 20")?;
    if let Progress::Answer { more } = q.advance_blocking()? {
        println!("S = {}, N = {}, P = {}, more: {more}", q.get::<String>("S")?, q.get::<i64>("N")?, q.get::<i64>("P")?);
    }
    drop(q);

    println!("-- a host call, answered in two worlds");
    let mut q = s.query("cheap(bolt)")?;
    if let Progress::HostCall { name, arity } = q.advance_blocking()? {
        println!("{name}/{arity} wants {}", q.argument::<Symbol>(0)?.0);
        // The stopped run is a value: a copy of it can be kept, saved, or moved to another thread.
        let mut copy = q.fork();
        q.succeed(&[(1, &12i64)]);
        println!("at 12: {}", matches!(q.advance_blocking()?, Progress::Answer { .. }));
        let mut other = copy.resume();
        if let Progress::HostCall { .. } = other.advance_blocking()? {
            other.succeed(&[(1, &7i64)]);
        }
        println!("at 7: {}", matches!(other.advance_blocking()?, Progress::Answer { .. }));
    }
    drop(q);

    println!("-- limits");
    s.load("loop.pl", "spin :- spin.")?;
    match s.query("catch(spin, _, true)")?.advance_blocking() {
        Err(e) if e.0.kind == FailureKind::Gas => println!("stopped: {e}"),
        other => println!("unexpected: {other:?}"),
    }

    println!("-- cancelling");
    let mut free = engine.session(SessionConfig::default());
    free.load("loop.pl", "spin :- spin.")?;
    let stop = free.interrupt();
    let waiter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        stop.cancel();
    });
    println!("{:?}", free.query("spin")?.advance_blocking().map_err(|e| e.0.kind));
    let _ = waiter.join();

    println!("-- a fork lives its own life");
    let mut what_if = s.fork();
    what_if.load("more.pl", "extra(1).")?;
    println!(
        "fork: {}, original: {}",
        what_if.query("extra(_)")?.next().is_some_and(|r| r.is_ok()),
        s.query("catch(extra(_), _, fail)")?.next().is_some()
    );

    println!("-- a program with a tool");
    let mut config = SessionConfig::default();
    config.tools.add_async(ToolSpec::new("weather", "Weather of a city", &[("city", "string")]), |args| async move {
        match args["city"].as_str() {
            Some("Rome") => Ok(json!({ "sky": "clear", "degrees": 31 })),
            _ => Err(ToolError::new("no such city")),
        }
    });
    let text = "agent_main(City) :- exec(weather(city: City), W), Sky = W.sky, answer(\"{City}: {Sky}\").";
    let mut run = engine.session(config).run(Program { name: "weather.dml".into(), text: text.into(), args: vec![json!("Rome")] });
    // In an async program this is `while let Some(event) = run.next().await`.
    while let Some(Some(event)) = block::block_on(run.next(), &|| false) {
        match event {
            Event::Answer { content } => println!("answer: {content}"),
            Event::Error(f) => println!("error: {}", f.content),
            _ => {}
        }
    }
    Ok(())
}
