use deepclause_engine::machine::*;
use deepclause_engine::{atom, reader};
fn w(m: &Machine, c: deepclause_engine::cell::Cell) -> String {
    deepclause_engine::writer::write(&m.heap, &m.ops, &m.flags, c, &deepclause_engine::writer::Options::writeq())
}
fn main() {
    let mut m = match Machine::boot() {
        Ok(m) => m,
        Err(e) => {
            eprintln!("boot: {e}");
            std::process::exit(1)
        }
    };
    for q in std::env::args().skip(1) {
        let o = reader::ReadOptions { stop_optional: true, ..Default::default() };
        let r = match reader::read_with(&mut m.heap, &m.ops, &m.flags, atom::USER, &q, reader::Position::start(), &o) {
            Ok(r) => r,
            Err(e) => {
                println!("{e:?}");
                continue;
            }
        };
        m.roots = r.variables.iter().map(|v| v.1).collect();
        m.start(r.term.unwrap(), atom::USER);
        for _ in 0..10 {
            let t = std::time::Instant::now();
            match m.step(3_000_000) {
                Step::Solution { more } => {
                    let b: Vec<String> = r.variables.iter().zip(&m.roots).map(|(v, c)| format!("{}={}", v.0, w(&m, *c))).collect();
                    println!("yes {} more={more} {:?} inf={}", b.join(" "), t.elapsed(), m.inference_count());
                    if !more {
                        break;
                    }
                }
                Step::Exception(b) => {
                    println!("exception {}", w(&m, b));
                    break;
                }
                s => {
                    println!("{s:?}");
                    for (a, b, c) in m.backtrace(25) {
                        println!("   {}:{}/{}", m.heap.atoms.text(a), m.heap.atoms.text(b), c);
                    }
                    break;
                }
            }
        }
        print!("{}", m.streams.take_output().into_iter().map(|x| x.1).collect::<String>());
        m.close();
    }
}
