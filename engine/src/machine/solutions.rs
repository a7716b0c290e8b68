//! Buffers of solutions: the natives below `findall/3` and its kin.

use super::Machine;
use crate::cell::Cell;
use crate::error::Res;
use crate::native::{Native, det};
use crate::record::record;

/// Native predicates of this family.
pub const SOLUTIONS: &[Native] = &[
    det("$findall_start", 0, start, "$findall_start\nOpens a buffer of solutions."),
    det("$findall_add", 1, add, "$findall_add(+Term)\nAdds a copy of a term to the newest buffer."),
    det("$findall_collect", 2, collect, "$findall_collect(-List, ?Tail)\nCloses the newest buffer and gives its terms."),
    det("$findall_count", 1, count, "$findall_count(-N)\nNumber of terms in the newest buffer."),
    det("$findall_drop", 0, drop_buffer, "$findall_drop\nCloses the newest buffer."),
];

fn start(m: &mut Machine, _: &[Cell]) -> Res {
    m.findall.push(Vec::new());
    Ok(true)
}

fn add(m: &mut Machine, a: &[Cell]) -> Res {
    let r = record(&m.heap, a[0]);
    m.clause_bytes += r.bytes();
    if let Some(b) = m.findall.last_mut() {
        b.push(r);
    }
    Ok(true)
}

fn collect(m: &mut Machine, a: &[Cell]) -> Res {
    let buffer = m.findall.pop().unwrap_or_default();
    let mut items = Vec::with_capacity(buffer.len());
    for r in &buffer {
        m.clause_bytes = m.clause_bytes.saturating_sub(r.bytes());
        items.push(r.restore(&mut m.heap));
    }
    let list = m.heap.list_with_tail(&items, a[1]);
    Ok(m.unify(a[0], list))
}

fn count(m: &mut Machine, a: &[Cell]) -> Res {
    let n = m.findall.last().map_or(0, Vec::len);
    Ok(m.unify(a[0], Cell::small(n as i64)))
}

fn drop_buffer(m: &mut Machine, _: &[Cell]) -> Res {
    if let Some(b) = m.findall.pop() {
        for r in &b {
            m.clause_bytes = m.clause_bytes.saturating_sub(r.bytes());
        }
    }
    Ok(true)
}
