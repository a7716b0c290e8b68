//! Sorting, sets and length of lists.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::order;
use std::cmp::Ordering;

/// Stable merge sort. Unlike the standard library's it takes any comparison, also one that is not a total order
/// (as on cyclic terms).
pub fn merge_sort<T: Copy>(v: &mut Vec<T>, mut compare: impl FnMut(&T, &T) -> Ordering) {
    let n = v.len();
    if n < 2 {
        return;
    }
    // Runs that are in order already.
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut start = 0;
    while start < n {
        let mut end = start + 1;
        while end < n && compare(&v[end - 1], &v[end]).is_le() {
            end += 1;
        }
        runs.push((start, end));
        start = end;
    }
    let mut from = std::mem::take(v);
    let mut to: Vec<T> = Vec::with_capacity(n);
    while runs.len() > 1 {
        to.clear();
        let mut merged = Vec::with_capacity(runs.len() / 2 + 1);
        for pair in runs.chunks(2) {
            let at = to.len();
            match *pair {
                [(a, b), (c, d)] => {
                    let (mut i, mut j) = (a, c);
                    while i < b && j < d {
                        if compare(&from[j], &from[i]).is_lt() {
                            to.push(from[j]);
                            j += 1;
                        } else {
                            to.push(from[i]);
                            i += 1;
                        }
                    }
                    to.extend_from_slice(&from[i..b]);
                    to.extend_from_slice(&from[j..d]);
                }
                [(a, b)] => to.extend_from_slice(&from[a..b]),
                _ => {}
            }
            merged.push((at, to.len()));
        }
        std::mem::swap(&mut from, &mut to);
        runs = merged;
    }
    *v = from;
}

/// The elements of a list; an error for a partial list or no list.
pub fn elements(m: &mut Machine, list: Cell) -> Res<Vec<Cell>> {
    match m.heap.list_to_vec(list) {
        Ok(v) => Ok(v),
        Err(tail) if m.heap.is_var(tail) => Err(error::instantiation(&mut m.heap)),
        Err(_) => Err(error::type_error(&mut m.heap, atom::LIST, list)),
    }
}

fn finish(m: &mut Machine, items: &[Cell], out: Cell) -> Res<bool> {
    let l = m.heap.list_from(items);
    Ok(m.unify(out, l))
}

fn sort2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut v = elements(m, a[0])?;
    merge_sort(&mut v, |x, y| order::compare(&m.heap, *x, *y));
    v.dedup_by(|x, y| order::compare(&m.heap, *x, *y).is_eq());
    finish(m, &v, a[1])
}

fn msort(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut v = elements(m, a[0])?;
    merge_sort(&mut v, |x, y| order::compare(&m.heap, *x, *y));
    finish(m, &v, a[1])
}

fn keysort(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let v = elements(m, a[0])?;
    let mut keyed = Vec::with_capacity(v.len());
    for c in v {
        match m.heap.match_compound(c, atom::MINUS, 2).and_then(|p| p.first().copied()) {
            Some(k) => keyed.push((k, c)),
            None => {
                let t = error::type_error(&mut m.heap, atom::PAIR, c);
                return Err(error::raised_by(&mut m.heap, t, "keysort", 2));
            }
        }
    }
    merge_sort(&mut keyed, |x, y| order::compare(&m.heap, x.0, y.0));
    let v: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &v, a[1])
}

enum Key {
    Whole,
    Argument(usize),
    Dict(Cell),
}

fn sort_key(m: &mut Machine, c: Cell) -> Res<Key> {
    match m.heap.view(c) {
        Term::Int(0) => Ok(Key::Whole),
        Term::Int(i) if i > 0 => Ok(Key::Argument(i as usize)),
        Term::Int(_) | Term::Big(_) => Err(error::domain(&mut m.heap, "not_less_than_one", c)),
        Term::Atom(_) => Ok(Key::Dict(m.heap.deref(c))),
        _ => Err(error::type_error_named(&mut m.heap, "sort_key", c)),
    }
}

/// Value of a key of a dict, whose pairs are sorted by key.
fn dict_value(heap: &Heap, d: Cell, key: Cell) -> Option<Cell> {
    let args = heap.args(d);
    let mut at = args.start + 1;
    while at + 1 < args.end {
        if heap.deref(heap.cells[at + 1]) == key {
            return Some(heap.cells[at]);
        }
        at += 2;
    }
    None
}

fn key_of(m: &mut Machine, key: &Key, c: Cell) -> Res<Cell> {
    let name = m.heap.name_arity(c).filter(|p| p.1 > 0).map(|p| p.0);
    match *key {
        Key::Whole => Ok(c),
        Key::Argument(i) if name == Some(atom::DICT) => {
            let k = Cell::small(i as i64);
            dict_value(&m.heap, c, k).map_or_else(|| Err(no_key(m, k, c)), Ok)
        }
        Key::Argument(i) => {
            let args = m.heap.args(c);
            if args.is_empty() {
                return Err(error::type_error(&mut m.heap, atom::COMPOUND, c));
            }
            if i > args.len() {
                let what = m.heap.atom("argument");
                let f = m.heap.compound(atom::EXISTENCE_ERROR, &[what, Cell::small(i as i64), c]);
                return Err(error::iso(&mut m.heap, f));
            }
            Ok(m.heap.cells[args.start + i - 1])
        }
        Key::Dict(k) => {
            if name != Some(atom::DICT) {
                return Err(error::type_error_named(&mut m.heap, "dict", c));
            }
            dict_value(&m.heap, c, k).map_or_else(|| Err(no_key(m, k, c)), Ok)
        }
    }
}

fn no_key(m: &mut Machine, k: Cell, d: Cell) -> error::Throw {
    let f = m.heap.compound(atom::EXISTENCE_ERROR, &[Cell::atom(atom::KEY), k, d]);
    error::iso(&mut m.heap, f)
}

fn sort4(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let key = sort_key(m, a[0])?;
    let (descending, unique) = match m.heap.view(a[1]) {
        Term::Atom(atom::TERM_LESS) => (false, true),
        Term::Atom(atom::TERM_LESS_EQ) => (false, false),
        Term::Atom(atom::TERM_GREATER) => (true, true),
        Term::Atom(atom::TERM_GREATER_EQ) => (true, false),
        Term::Atom(_) => return Err(error::domain(&mut m.heap, "order", a[1])),
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, a[1])),
    };
    let v = elements(m, a[2])?;
    let mut keyed = Vec::with_capacity(v.len());
    for c in v {
        keyed.push((key_of(m, &key, c)?, c));
    }
    let heap = &m.heap;
    merge_sort(&mut keyed, |x, y| {
        let o = order::compare(heap, x.0, y.0);
        if descending { o.reverse() } else { o }
    });
    if unique {
        keyed.dedup_by(|x, y| order::compare(heap, x.0, y.0).is_eq());
    }
    let v: Vec<Cell> = keyed.into_iter().map(|p| p.1).collect();
    finish(m, &v, a[3])
}

fn list_to_set(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let v = elements(m, a[0])?;
    // Sorting puts equal elements side by side, the first of them first.
    let mut numbered: Vec<(usize, Cell)> = v.into_iter().enumerate().collect();
    let heap = &m.heap;
    merge_sort(&mut numbered, |x, y| order::compare(heap, x.1, y.1));
    numbered.dedup_by(|x, y| order::compare(heap, x.1, y.1).is_eq());
    numbered.sort_unstable_by_key(|p| p.0);
    let v: Vec<Cell> = numbered.into_iter().map(|p| p.1).collect();
    finish(m, &v, a[1])
}

/// Cells that one call may add to the heap, whatever the session's limit.
const MOST: usize = 1 << 28;

/// A resource error when the heap may not grow by `cells`.
pub fn room(m: &mut Machine, cells: usize) -> Res<()> {
    if cells > MOST || m.heap.cells.len().saturating_add(cells) > m.heap.max_cells {
        return Err(error::resource(&mut m.heap, "memory"));
    }
    Ok(())
}

/// Counts the pairs of a list: their number and the dereferenced tail; `None` for a cyclic list.
pub fn skip(heap: &Heap, list: Cell) -> Option<(usize, Cell)> {
    let mut c = heap.deref(list);
    let (mut slow, mut power, mut n) = (c, 1usize, 0usize);
    while let Some((_, t)) = heap.pair(c) {
        c = heap.deref(t);
        n += 1;
        if c == slow && c.is_list() {
            return None;
        }
        if n == power {
            (slow, power) = (c, power * 2);
        }
    }
    Some((n, c))
}

fn length(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    length_of(m, a, state).map_err(|t| error::raised_by(&mut m.heap, t, "length", 2))
}

fn length_of(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let n = m.heap.deref(a[1]);
    let wanted = match m.heap.view(n) {
        Term::Int(i) if i < 0 => return Err(error::domain(&mut m.heap, "not_less_than_zero", n)),
        Term::Int(i) => Some(i as usize),
        Term::Big(_) => return Err(error::resource(&mut m.heap, "memory")),
        Term::Var(_) | Term::Attributed(_) => None,
        _ => return Err(error::type_error(&mut m.heap, atom::INTEGER, n)),
    };
    let Some((have, tail)) = skip(&m.heap, a[0]) else {
        return Err(error::type_error(&mut m.heap, atom::LIST, a[0]));
    };
    if tail == Cell::NIL {
        return Ok(if m.unify(n, Cell::small(have as i64)) { Redo::Done } else { Redo::Fail });
    }
    if !tail.is_ref() {
        return Err(error::type_error(&mut m.heap, atom::LIST, a[0]));
    }
    if let Some(wanted) = wanted {
        if wanted < have {
            return Ok(Redo::Fail);
        }
        return Ok(if extend(m, tail, wanted - have)? { Redo::Done } else { Redo::Fail });
    }
    if tail == n {
        return Ok(Redo::Fail);
    }
    let k = state.map_or(0, |s| s.as_small().max(0) as usize);
    let more = Cell::small(k as i64 + 1);
    if extend(m, tail, k)? && m.unify(n, Cell::small((have + k) as i64)) { Ok(Redo::More(more)) } else { Ok(Redo::Fail) }
}

/// Binds the tail of a partial list to a list of `n` fresh variables.
fn extend(m: &mut Machine, tail: Cell, n: usize) -> Res<bool> {
    room(m, n.saturating_mul(2))?;
    // Each pair's head is a fresh variable in place.
    let base = m.heap.cells.len();
    for i in 0..n {
        let at = base + 2 * i;
        m.heap.push(Cell::reference(at));
        m.heap.push(if i + 1 == n { Cell::NIL } else { Cell::new(crate::cell::tag::LST, at + 2) });
    }
    let l = if n == 0 { Cell::NIL } else { Cell::new(crate::cell::tag::LST, base) };
    Ok(m.unify(tail, l))
}

fn skip_list(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut c = m.heap.deref(a[1]);
    let mut n = 0i64;
    match skip(&m.heap, c) {
        Some((k, tail)) => (n, c) = (k as i64, tail),
        None => {
            // A cyclic list: stop at a pair of the cycle.
            let mut seen = rustc_hash::FxHashSet::default();
            while let Some((_, t)) = m.heap.pair(c) {
                if !seen.insert(c.0) {
                    break;
                }
                c = m.heap.deref(t);
                n += 1;
            }
        }
    }
    Ok(m.unify(a[0], Cell::small(n)) && m.unify(a[2], c))
}

/// Predicates on lists that are faster in Rust.
pub const BUILTINS: &[Native] = &[
    det("sort", 2, sort2, "sort(+List, -Sorted)\nSorts by the standard order of terms and removes duplicates."),
    det("msort", 2, msort, "msort(+List, -Sorted)\nSorts by the standard order of terms, keeping duplicates."),
    det(
        "sort",
        4,
        sort4,
        "sort(+Key, +Order, +List, -Sorted)\nStable sort by the Key-th argument (0: the term) or dict key; Order is @<, @=<, @> or @>=; @< and @> remove duplicates.",
    ),
    det("keysort", 2, keysort, "keysort(+Pairs, -Sorted)\nStable sort of Key-Value pairs by key."),
    det("$list_to_set", 2, list_to_set, "'$list_to_set'(+List, -Set)\nRemoves duplicates (==), keeping the first of each."),
    nondet("length", 2, length, "length(?List, ?Length)\nNumber of elements; makes lists of fresh variables when List is partial."),
    det("$skip_list", 3, skip_list, "'$skip_list'(-Length, @List, -Tail)\nNumber of pairs of a list and what follows the last one."),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(m: &mut Machine, v: &[i64]) -> Cell {
        let v: Vec<Cell> = v.iter().map(|&i| Cell::small(i)).collect();
        m.heap.list_from(&v)
    }

    #[test]
    fn sorts() {
        let mut m = Machine::new();
        let l = ints(&mut m, &[3, 1, 2, 3, 1, 9, 0, 5]);
        let out = m.heap.new_var();
        let want = ints(&mut m, &[0, 1, 2, 3, 5, 9]);
        assert!(sort2(&mut m, &[l, out]).unwrap());
        assert!(order::identical(&m.heap, out, want));
        let out = m.heap.new_var();
        let want = ints(&mut m, &[3, 1, 2, 9, 0, 5]);
        assert!(list_to_set(&mut m, &[l, out]).unwrap());
        assert!(order::identical(&m.heap, out, want));
        let out = m.heap.new_var();
        let want = ints(&mut m, &[9, 5, 3, 3, 2, 1, 1, 0]);
        let ord = Cell::atom(atom::TERM_GREATER_EQ);
        assert!(sort4(&mut m, &[Cell::small(0), ord, l, out]).unwrap());
        assert!(order::identical(&m.heap, out, want));
    }

    #[test]
    fn lengths() {
        let mut m = Machine::new();
        let (l, n) = (m.heap.new_var(), m.heap.new_var());
        assert!(matches!(length(&mut m, &[l, n], Some(Cell::small(2))), Ok(Redo::More(_))));
        assert_eq!(m.heap.deref(n), Cell::small(2));
        assert_eq!(m.heap.list_to_vec(l).unwrap().len(), 2);
        let l = m.heap.new_var();
        assert!(matches!(length(&mut m, &[l, l], None), Ok(Redo::Fail)));
        assert!(length(&mut m, &[l, Cell::small(-1)], None).is_err());
        assert!(length(&mut m, &[l, Cell::small(1 << 50)], None).is_err());
        let mut v: Vec<i64> = (0..1000).map(|i| i * 7919 % 1000).collect();
        merge_sort(&mut v, |a, b| a.cmp(b));
        assert!(v.iter().enumerate().all(|(i, &x)| i as i64 == x));
    }
}
