//! Clocks: what the host gives to `get_time/1` and `statistics/2`.

use deepclause_engine::cell::Cell;
use deepclause_engine::error::{self, Res};
use deepclause_engine::heap::Term;
use deepclause_engine::machine::Machine;
use deepclause_engine::native::{Native, det};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Predicates that tell the time.
pub const NATIVES: &[Native] = &[det(
    "statistics",
    2,
    statistics,
    "statistics(+Key, -Value)\nKey is runtime, cputime, process_cputime, system_time, walltime, real_time, epoch, inferences, memory, atoms or garbage_collection.",
)];

/// CPU milliseconds and wall milliseconds of the last call, for the second element of the lists.
static LAST_CPU: AtomicU64 = AtomicU64::new(0);
static LAST_WALL: AtomicU64 = AtomicU64::new(0);

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |d| d.as_secs_f64())
}

/// CPU seconds of this process.
pub fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 / 1e9
}

fn statistics(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let &[key, value] = a else { return Ok(false) };
    let Term::Atom(k) = m.heap.view(key) else { return Err(error::type_error_named(&mut m.heap, "atom", key)) };
    let name = m.heap.atoms.text(k).to_string();
    let pair = |m: &mut Machine, ms: u64, last: &AtomicU64| {
        let before = last.swap(ms, Ordering::Relaxed);
        let items = [m.heap.int(ms as i64), m.heap.int(ms.saturating_sub(before) as i64)];
        m.heap.list_from(&items)
    };
    let v = match name.as_str() {
        "runtime" | "process_runtime" => pair(m, (cpu() * 1000.0) as u64, &LAST_CPU),
        "walltime" => pair(m, (now() * 1000.0) as u64, &LAST_WALL),
        "real_time" => pair(m, now() as u64, &LAST_WALL),
        "system_time" => m.heap.list_from(&[Cell::small(0), Cell::small(0)]),
        "cputime" | "process_cputime" => m.heap.float(cpu()),
        "epoch" => m.heap.float(now()),
        "inferences" => m.heap.int(m.inference_count() as i64),
        "memory" | "heapused" | "globalused" | "stack" => m.heap.int(m.memory_used() as i64),
        "atoms" => m.heap.int(m.heap.atoms.len() as i64),
        "garbage_collection" => {
            let (n, freed) = m.gc_count;
            let items = [m.heap.int(n as i64), m.heap.int(freed as i64 * 8), Cell::small(0), Cell::small(0)];
            m.heap.list_from(&items)
        }
        _ => return Err(error::domain(&mut m.heap, "statistics_key", key)),
    };
    Ok(m.unify(value, v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_run() {
        assert!(now() > 1.6e9);
        let a = cpu();
        assert!(a >= 0.0 && cpu() >= a);
    }
}
