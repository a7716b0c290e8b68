//! Runs a file of the conformance corpus: `oracle FILE.jsonl`, one JSON line per case.
//!
//! Needs nothing but the engine; each case gets a fresh fork of a booted machine.

use deepclause_engine::cell::Cell;
use deepclause_engine::host::{FileSystem, MemoryFiles};
use deepclause_engine::machine::{Machine, Step};
use deepclause_engine::streams::Which;
use deepclause_engine::{atom, writer};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(5);

fn main() {
    let Some(path) = std::env::args().nth(1) else { return };
    let show = std::env::var_os("SHOW_ERRORS").is_some();
    let machine = match Machine::boot() {
        Ok(m) => m,
        Err(e) => {
            eprintln!("boot: {e}");
            std::process::exit(1);
        }
    };
    for line in std::fs::read_to_string(&path).unwrap_or_default().lines() {
        let (Some(id), Some(goal)) = (field(line, "id"), field(line, "goal")) else { continue };
        let program = field(line, "program").unwrap_or_default();
        let max = number(line, "max").unwrap_or(10);
        let mut m = machine.fork();
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&mut m, &program, &goal, max, show)));
        let answer = answer.unwrap_or_else(|_| "\"solutions\":[],\"more\":false,\"error\":\"panic\",\"output\":\"\"".into());
        println!("{{\"id\":{},{answer}}}", quote(&id));
    }
}

fn run(m: &mut Machine, program: &str, goal: &str, max: usize, show: bool) -> String {
    m.host_clock = Some(Arc::new(|| std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())));
    let files = MemoryFiles::new();
    let end = Instant::now() + LIMIT;
    if !program.is_empty() {
        let _ = files.write("/prog.pl", program.as_bytes());
        m.files = Arc::new(files);
        let name = m.heap.atom("/prog.pl");
        let g = m.heap.compound_named("consult", &[name]);
        m.start(g, atom::USER);
        let _ = step(m, end, &mut String::new(), show);
        m.close();
    }
    let mut output = String::new();
    let text = m.heap.string(goal);
    let bindings = m.heap.new_var();
    m.roots = vec![bindings];
    let g = m.heap.compound_named("$query", &[text, bindings]);
    m.start(g, atom::USER);
    let mut solutions = Vec::new();
    let (mut more, mut error) = (false, None);
    loop {
        match step(m, end, &mut output, show) {
            Some(Step::Solution { more: again }) => {
                if solutions.len() == max {
                    more = true;
                    break;
                }
                solutions.push(solution(m));
                if !again {
                    break;
                }
            }
            Some(Step::NoMore) => break,
            Some(Step::Exception(ball)) => {
                let t = match m.heap.match_compound(ball, atom::ERROR, 2) {
                    Some(a) => a[0],
                    None => ball,
                };
                error = Some(writer::writeq(&m.heap, &m.ops, t));
                break;
            }
            Some(s) => {
                error = Some(format!("{s:?}"));
                break;
            }
            None => {
                error = Some("timeout".into());
                break;
            }
        }
    }
    let error = error.map_or("null".into(), |e| quote(&e));
    format!("\"solutions\":[{}],\"more\":{more},\"error\":{error},\"output\":{}", solutions.join(","), quote(&output))
}

fn step(m: &mut Machine, end: Instant, output: &mut String, show: bool) -> Option<Step> {
    loop {
        let s = m.step(1_000_000);
        for (which, text) in m.streams.take_output() {
            if which == Which::Output {
                output.push_str(&text);
            } else if show {
                eprint!("{text}");
            }
        }
        match s {
            Step::OutOfFuel if Instant::now() < end => {}
            Step::OutOfFuel => return None,
            s => return Some(s),
        }
    }
}

fn solution(m: &Machine) -> String {
    let list = m.roots.first().copied().unwrap_or(Cell::NIL);
    let mut out = Vec::new();
    for pair in m.heap.list_to_vec(list).unwrap_or_default() {
        if let Some(&[n, v]) = m.heap.match_compound(pair, atom::EQ, 2) {
            let name = m.heap.atoms.text(m.heap.deref(n).as_atom()).to_string();
            if !name.starts_with('_') {
                out.push(format!("{}:{}", quote(&name), quote(&writer::writeq(&m.heap, &m.ops, v))));
            }
        }
    }
    format!("{{{}}}", out.join(","))
}

/// The value of a string field of one line of JSON.
fn field(line: &str, name: &str) -> Option<String> {
    let start = line.find(&format!("\"{name}\": \""))? + name.len() + 5;
    let mut out = String::new();
    let mut chars = line[start..].chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'r' => out.push('\r'),
                'b' => out.push('\u{8}'),
                'f' => out.push('\u{c}'),
                'u' => {
                    let hex = |c: &mut std::str::Chars| u32::from_str_radix(&c.by_ref().take(4).collect::<String>(), 16).unwrap_or(0xfffd);
                    let mut n = hex(&mut chars);
                    if (0xd800..0xdc00).contains(&n) {
                        chars.nth(1);
                        n = 0x10000 + ((n - 0xd800) << 10) + (hex(&mut chars).wrapping_sub(0xdc00) & 0x3ff);
                    }
                    out.push(char::from_u32(n).unwrap_or('\u{fffd}'));
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
    None
}

fn number(line: &str, name: &str) -> Option<usize> {
    let start = line.find(&format!("\"{name}\": "))? + name.len() + 4;
    line[start..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

fn quote(s: &str) -> String {
    let mut out = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
