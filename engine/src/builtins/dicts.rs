//! Dicts: `Tag{Key: Value, ...}`, compounds named by the reserved symbol with the tag first and then
//! value and key of each entry, sorted by key.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use std::cmp::Ordering;

/// Key and value.
pub type Entry = (Cell, Cell);

/// Standard order of two dict keys: small integers before atoms.
fn compare_keys(heap: &Heap, a: Cell, b: Cell) -> Ordering {
    match (heap.view(a), heap.view(b)) {
        (Term::Int(x), Term::Int(y)) => x.cmp(&y),
        (Term::Int(_), _) => Ordering::Less,
        (_, Term::Int(_)) => Ordering::Greater,
        (Term::Atom(x), Term::Atom(y)) if x == y => Ordering::Equal,
        (Term::Atom(x), Term::Atom(y)) => heap.atoms.text(x).cmp(heap.atoms.text(y)).then(x.cmp(&y)),
        _ => Ordering::Equal,
    }
}

/// Address of the tag and number of entries, when the term is a dict.
fn parts(heap: &Heap, c: Cell) -> Option<(usize, usize)> {
    match heap.view(c) {
        Term::Compound(a, atom::DICT, n) if n % 2 == 1 => Some((a + 1, n / 2)),
        _ => None,
    }
}

/// Tag and entries of a dict, `None` for anything else.
pub fn view(heap: &Heap, c: Cell) -> Option<(Cell, Vec<Entry>)> {
    let (at, n) = parts(heap, c)?;
    let entries = (0..n).map(|i| (heap.deref(heap.cells[at + 2 + 2 * i]), heap.cells[at + 1 + 2 * i])).collect();
    Some((heap.cells[at], entries))
}

/// Address of the value of a key, which is dereferenced.
fn find(heap: &Heap, dict: Cell, key: Cell) -> Option<usize> {
    let (at, n) = parts(heap, dict)?;
    let (mut low, mut high) = (0, n);
    while low < high {
        let mid = (low + high) / 2;
        match compare_keys(heap, heap.deref(heap.cells[at + 2 + 2 * mid]), key) {
            Ordering::Less => low = mid + 1,
            Ordering::Greater => high = mid,
            Ordering::Equal => return Some(at + 1 + 2 * mid),
        }
    }
    None
}

/// The value of a key of a dict.
pub fn get(heap: &Heap, dict: Cell, key: Cell) -> Option<Cell> {
    find(heap, dict, heap.deref(key)).map(|a| heap.cells[a])
}

/// A dict of these entries, in any order.
///
/// # Errors
/// The key that occurs twice.
pub fn build(heap: &mut Heap, tag: Cell, mut entries: Vec<Entry>) -> Result<Cell, Cell> {
    entries.sort_by(|a, b| compare_keys(heap, a.0, b.0));
    if let Some(w) = entries.windows(2).find(|w| w[0].0 == w[1].0) {
        return Err(w[0].0);
    }
    Ok(build_sorted(heap, tag, &entries))
}

fn build_sorted(heap: &mut Heap, tag: Cell, entries: &[Entry]) -> Cell {
    let args: Vec<Cell> = std::iter::once(tag).chain(entries.iter().flat_map(|&(k, v)| [v, k])).collect();
    heap.compound_any(atom::DICT, &args)
}

fn build_or_throw(heap: &mut Heap, tag: Cell, entries: Vec<Entry>) -> Res<Cell> {
    build(heap, tag, entries).map_err(|key| {
        let f = heap.compound_named("duplicate_key", &[key]);
        error::iso(heap, f)
    })
}

/// A key: an atom or a small integer.
fn key(heap: &mut Heap, c: Cell) -> Res<Cell> {
    match heap.view(c) {
        Term::Atom(_) | Term::Int(_) => Ok(heap.deref(c)),
        _ => Err(error::type_error_named(heap, "dict-key", c)),
    }
}

/// Entries of a dict, with its tag, or of a list of `Key-Value`, `Key=Value`, `Key:Value` and `Key(Value)`.
fn data(heap: &mut Heap, c: Cell, pairs_only: bool) -> Res<(Option<Cell>, Vec<Entry>)> {
    if let Some((tag, entries)) = view(heap, c) {
        return Ok((Some(tag), entries));
    }
    let items = match heap.list_to_vec(c) {
        Ok(items) => items,
        Err(_) if heap.pair(c).is_some() => return Err(error::type_error(heap, atom::LIST, c)),
        Err(_) => return Err(error::type_error_named(heap, "dict-data", c)),
    };
    let mut entries = Vec::with_capacity(items.len());
    for item in items {
        let (k, v) = match heap.view(item) {
            Term::Compound(a, atom::MINUS, 2) => (heap.cells[a + 1], heap.cells[a + 2]),
            Term::Compound(a, atom::EQ | atom::COLON, 2) if !pairs_only => (heap.cells[a + 1], heap.cells[a + 2]),
            Term::Compound(a, name, 1) if !pairs_only && name != atom::DICT => (Cell::atom(name), heap.cells[a + 1]),
            _ => return Err(error::type_error_named(heap, if pairs_only { "pair" } else { "key-value" }, item)),
        };
        entries.push((key(heap, k)?, v));
    }
    Ok((None, entries))
}

/// As [`data`], refusing a key that a list gives twice.
fn data_unique(heap: &mut Heap, c: Cell) -> Res<(Cell, Vec<Entry>)> {
    let (tag, entries) = data(heap, c, false)?;
    let tag = match tag {
        Some(t) => t,
        None => heap.new_var(),
    };
    let dict = build_or_throw(heap, tag, entries)?;
    Ok((tag, view(heap, dict).map(|d| d.1).unwrap_or_default()))
}

/// The entries of `new` over those of `old`; both sorted.
fn merge(heap: &Heap, old: &[Entry], new: &[Entry]) -> Vec<Entry> {
    let mut out = Vec::with_capacity(old.len() + new.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(&o), Some(&n)) = (old.get(i), new.get(j)) {
        match compare_keys(heap, o.0, n.0) {
            Ordering::Less => {
                out.push(o);
                i += 1;
            }
            Ordering::Greater => {
                out.push(n);
                j += 1;
            }
            Ordering::Equal => {
                out.push(n);
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    out.extend(old.iter().skip(i));
    out.extend(new.iter().skip(j));
    out
}

fn require_dict(heap: &mut Heap, c: Cell) -> Res<()> {
    if parts(heap, c).is_some() { Ok(()) } else { Err(error::type_error_named(heap, "dict", c)) }
}

/// `existence_error(key, Key, Dict)`.
pub fn no_key(heap: &mut Heap, key: Cell, dict: Cell) -> Throw {
    let f = heap.compound(atom::EXISTENCE_ERROR, &[Cell::atom(atom::KEY), key, dict]);
    error::iso(heap, f)
}

/// Unifies, taking back every binding when that fails, so that a next candidate can be tried.
fn try_unify(heap: &mut Heap, a: Cell, b: Cell) -> bool {
    let (hb, mark, wakeup) = (heap.hb, heap.trail.len(), heap.wakeup);
    // With this mark every binding is trailed, whatever the age of the variable.
    heap.hb = usize::MAX;
    let ok = heap.unify(a, b);
    heap.hb = hb;
    if !ok {
        heap.undo_to(mark);
        heap.wakeup = wakeup;
    }
    ok
}

fn is_dict1(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(parts(&m.heap, a[0]).is_some())
}

fn is_dict2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match parts(&m.heap, a[0]) {
        Some((at, _)) => {
            let tag = m.heap.cells[at];
            Ok(m.unify(a[1], tag))
        }
        None => Ok(false),
    }
}

fn dict_pairs(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    if h.is_var(a[0]) {
        let (_, entries) = data(h, a[2], true)?;
        let dict = build_or_throw(h, a[1], entries)?;
        return Ok(h.unify(a[0], dict));
    }
    let (tag, entries) = data_unique(h, a[0])?;
    let pairs: Vec<Cell> = entries.iter().map(|&(k, v)| h.compound(atom::MINUS, &[k, v])).collect();
    let list = h.list_from(&pairs);
    Ok(h.unify(a[1], tag) && h.unify(a[2], list))
}

fn dict_create(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    if parts(h, a[2]).is_some() {
        return Ok(h.unify(a[0], a[2]));
    }
    let (_, entries) = data(h, a[2], false)?;
    let dict = build_or_throw(h, a[1], entries)?;
    Ok(h.unify(a[0], dict))
}

/// The dict (or list) with one key set.
fn put_key(heap: &mut Heap, dict: Cell, k: Cell, value: Cell) -> Res<Cell> {
    let (tag, entries) = data_unique(heap, dict)?;
    let k = key(heap, k)?;
    let merged = merge(heap, &entries, &[(k, value)]);
    Ok(build_sorted(heap, tag, &merged))
}

/// The dict with the entries of `new`, a dict or list, over its own.
fn put_all(heap: &mut Heap, dict: Cell, new: Cell) -> Res<Cell> {
    let (_, new) = data_unique(heap, new)?;
    let (tag, old) = data_unique(heap, dict)?;
    let merged = merge(heap, &old, &new);
    Ok(build_sorted(heap, tag, &merged))
}

fn put_dict4(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let dict = put_key(&mut m.heap, a[1], a[0], a[2])?;
    Ok(m.unify(a[3], dict))
}

fn put_dict3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let dict = put_all(&mut m.heap, a[1], a[0])?;
    Ok(m.unify(a[2], dict))
}

fn del_dict(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    let k = key(h, a[0])?;
    let (tag, mut entries) = data_unique(h, a[1])?;
    let Some(i) = entries.iter().position(|e| e.0 == k) else { return Ok(false) };
    let (_, value) = entries.remove(i);
    let dict = build_sorted(h, tag, &entries);
    Ok(h.unify(a[2], value) && h.unify(a[3], dict))
}

/// What a missing key does.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Fail,
    Throw,
}

/// `get_dict/3`: looks up a known key or enumerates. The state is the index of the entry to try next.
fn lookup(m: &mut Machine, k: Cell, dict: Cell, value: Cell, state: Option<Cell>, missing: Missing) -> Res<Redo> {
    let h = &mut m.heap;
    require_dict(h, dict)?;
    if !h.is_var(k) {
        let k = key(h, k)?;
        return match get(h, dict, k) {
            Some(v) => Ok(if h.unify(value, v) { Redo::Done } else { Redo::Fail }),
            None if missing == Missing::Throw => Err(no_key(h, k, dict)),
            None => Ok(Redo::Fail),
        };
    }
    let from = match state.map(|s| h.view(s)) {
        Some(Term::Int(i)) => i as usize,
        _ => 0,
    };
    let Some((at, n)) = parts(h, dict) else { return Ok(Redo::Fail) };
    for i in from..n {
        let (v, key) = (h.cells[at + 1 + 2 * i], h.cells[at + 2 + 2 * i]);
        if try_unify(h, value, v) {
            // The key may have become known as part of the value.
            if !try_unify(h, k, key) {
                return Ok(Redo::Fail);
            }
            return Ok(if i + 1 < n { Redo::More(Cell::small(i as i64 + 1)) } else { Redo::Done });
        }
    }
    Ok(Redo::Fail)
}

fn get_dict3(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    lookup(m, a[0], a[1], a[2], state, Missing::Fail)
}

fn get_dict_ex(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    lookup(m, a[0], a[1], a[2], state, Missing::Throw)
}

fn get_dict5(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    require_dict(h, a[1])?;
    let k = key(h, a[0])?;
    let Some(v) = get(h, a[1], k) else { return Ok(false) };
    if !h.unify(a[2], v) {
        return Ok(false);
    }
    let dict = put_key(h, a[1], k, a[4])?;
    Ok(h.unify(a[3], dict))
}

/// Address of the value to overwrite.
fn slot(h: &mut Heap, k: Cell, dict: Cell) -> Res<usize> {
    require_dict(h, dict)?;
    let k = key(h, k)?;
    match find(h, dict, k) {
        Some(at) => Ok(at),
        None => Err(no_key(h, k, dict)),
    }
}

fn b_set_dict(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let at = slot(&mut m.heap, a[0], a[1])?;
    let value = m.heap.deref(a[2]);
    m.heap.set_trailed(at, value);
    Ok(true)
}

/// `'$dict_slot'(+Key, +Dict, -Arg)`: the number of the argument that holds the value, for `nb_setarg/3`.
fn dict_slot(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let at = slot(&mut m.heap, a[0], a[1])?;
    let first = parts(&m.heap, a[1]).map_or(at, |p| p.0);
    Ok(m.unify(a[2], Cell::small((at - first) as i64 + 1)))
}

fn dict_keys(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (_, entries) = data_unique(&mut m.heap, a[0])?;
    let keys: Vec<Cell> = entries.iter().map(|e| e.0).collect();
    let list = m.heap.list_from(&keys);
    Ok(m.unify(a[1], list))
}

/// Takes the keys of `select` out of `from`: `None` when one is missing or its values or the tags do not unify.
fn select(h: &mut Heap, select: Cell, from: Cell) -> Res<Option<Vec<Entry>>> {
    let (stag, wanted) = data_unique(h, select)?;
    let (ftag, entries) = data_unique(h, from)?;
    let mut rest = Vec::new();
    let mut wanted = wanted.into_iter().peekable();
    for (k, v) in entries {
        match wanted.peek() {
            Some(&(wk, wv)) if wk == k => {
                wanted.next();
                if !h.unify(wv, v) {
                    return Ok(None);
                }
            }
            _ => rest.push((k, v)),
        }
    }
    Ok(if wanted.peek().is_none() && h.unify(stag, ftag) { Some(rest) } else { None })
}

fn select_dict2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(select(&mut m.heap, a[0], a[1])?.is_some())
}

fn select_dict3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    let Some(rest) = select(h, a[0], a[1])? else { return Ok(false) };
    let tag = h.new_var();
    let dict = build_sorted(h, tag, &rest);
    Ok(h.unify(a[2], dict))
}

fn punify(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    let (xtag, xs) = data_unique(h, a[0])?;
    let (ytag, ys) = data_unique(h, a[1])?;
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (xs.get(i), ys.get(j)) {
        match compare_keys(h, x.0, y.0) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                if !h.unify(x.1, y.1) {
                    return Ok(false);
                }
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    Ok(h.unify(xtag, ytag))
}

/// The dict with the value at a path `k1/k2/...` set; missing or other values on the way become dicts.
fn put_path(h: &mut Heap, dict: Cell, path: Cell, value: Cell) -> Res<Cell> {
    let mut keys = Vec::new();
    let mut p = path;
    while let Some(&[left, right]) = h.match_compound(p, atom::SLASH, 2) {
        keys.push(right);
        p = left;
    }
    keys.push(p);
    keys.reverse();
    // Down to the last key, then back up with the new dicts.
    let mut chain = vec![dict];
    let last = keys.len() - 1;
    for &k in keys.iter().take(last) {
        let k = key(h, k)?;
        let inner = chain.last().and_then(|&d| get(h, d, k)).filter(|&v| parts(h, v).is_some());
        chain.push(match inner {
            Some(d) => d,
            None => {
                let tag = h.new_var();
                build_sorted(h, tag, &[])
            }
        });
    }
    let mut value = value;
    for (&d, &k) in chain.iter().zip(&keys).rev() {
        value = put_key(h, d, k, value)?;
    }
    Ok(value)
}

/// Whether the function is looked up in the dict or is one of the built-in functions.
fn is_builtin_function(h: &Heap, f: Cell) -> bool {
    match h.view(f) {
        Term::Compound(_, n, 1 | 2) => n == atom::GET || n == atom::PUT,
        Term::Var(_) | Term::Attributed(_) | Term::Atom(_) | Term::Int(_) => true,
        _ => false,
    }
}

/// `'$dict_eval'(+Dict, +Function, -Value)`: a key, `get/1,2` or `put/1,2`; anything else fails.
fn dict_eval(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    require_dict(&mut m.heap, a[0])?;
    if !is_builtin_function(&m.heap, a[1]) {
        return Ok(Redo::Fail);
    }
    let Term::Compound(at, name, n) = m.heap.view(a[1]) else { return lookup(m, a[1], a[0], a[2], state, Missing::Throw) };
    let first = m.heap.cells[at + 1];
    let second = if n == 2 { m.heap.cells[at + 2] } else { first };
    match (name, n) {
        (atom::GET, 1) => lookup(m, first, a[0], a[2], state, Missing::Fail),
        (atom::GET, _) => {
            if !m.heap.is_var(first) {
                let k = key(&mut m.heap, first)?;
                if get(&m.heap, a[0], k).is_none() {
                    return Ok(if m.unify(a[2], second) { Redo::Done } else { Redo::Fail });
                }
            }
            lookup(m, first, a[0], a[2], state, Missing::Fail)
        }
        (_, 1) => {
            let dict = put_all(&mut m.heap, a[0], first)?;
            Ok(if m.unify(a[2], dict) { Redo::Done } else { Redo::Fail })
        }
        _ => {
            let dict = put_path(&mut m.heap, a[0], first, second)?;
            Ok(if m.unify(a[2], dict) { Redo::Done } else { Redo::Fail })
        }
    }
}

/// `'$dict_user_function'(+Dict, +Function, -Module)`: true when a function defined by the program is called.
fn dict_user_function(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = &mut m.heap;
    require_dict(h, a[0])?;
    if is_builtin_function(h, a[1]) {
        return Ok(false);
    }
    if !h.is_callable(a[1]) {
        return Err(error::type_error(h, atom::CALLABLE, a[1]));
    }
    let Some((at, _)) = parts(h, a[0]) else { return Ok(false) };
    let tag = h.cells[at];
    if h.is_var(tag) {
        return Err(error::instantiation(h));
    }
    Ok(h.unify(a[2], tag))
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("is_dict", 1, is_dict1, "is_dict(@Term)\nTerm is a dict."),
    det("is_dict", 2, is_dict2, "is_dict(@Term, -Tag)\nTerm is a dict with this tag."),
    det(
        "dict_pairs",
        3,
        dict_pairs,
        "dict_pairs(?Dict, ?Tag, ?Pairs)\nA dict, its tag and the list of its Key-Value pairs in the order of keys.",
    ),
    det("dict_create", 3, dict_create, "dict_create(-Dict, +Tag, +Pairs)\nMakes a dict of Key-Value, Key=Value, Key:Value and Key(Value)."),
    det("put_dict", 4, put_dict4, "put_dict(+Key, +Dict, +Value, -NewDict)\nThe dict with the key set to the value."),
    det(
        "put_dict",
        3,
        put_dict3,
        "put_dict(+New, +Dict, -NewDict)\nThe dict with the entries of New, a dict or list of pairs, over its own.",
    ),
    det("del_dict", 4, del_dict, "del_dict(+Key, +Dict, ?Value, -NewDict)\nThe dict without the key; fails when it is missing."),
    nondet(
        "get_dict",
        3,
        get_dict3,
        "get_dict(?Key, +Dict, ?Value)\nThe value of a key; fails when it is missing; enumerates for an unbound key.",
    ),
    nondet("get_dict_ex", 3, get_dict_ex, "get_dict_ex(?Key, +Dict, ?Value)\nAs get_dict/3; a missing key is an existence error."),
    nondet("$get_dict_ex", 3, get_dict_ex, "'$get_dict_ex'(?Key, +Dict, ?Value)\nAs get_dict_ex/3."),
    det(
        "get_dict",
        5,
        get_dict5,
        "get_dict(+Key, +Dict, ?Value, -NewDict, +NewValue)\nThe value of a key, and the dict with another value in its place.",
    ),
    det("b_set_dict", 3, b_set_dict, "b_set_dict(+Key, !Dict, +Value)\nOverwrites the value of a key in place; undone on backtracking."),
    det("$dict_slot", 3, dict_slot, "'$dict_slot'(+Key, +Dict, -Arg)\nNumber of the argument of the dict that holds the value of the key."),
    det("dict_keys", 2, dict_keys, "dict_keys(+Dict, -Keys)\nThe keys in order."),
    det(":<", 2, select_dict2, "+Select :< +From\nEach key of Select is in From, and the values unify."),
    det("select_dict", 3, select_dict3, "select_dict(+Select, +From, -Rest)\nAs :< ; Rest has the other keys."),
    det(">:<", 2, punify, "+Dict1 >:< +Dict2\nThe values of the keys that both have unify."),
    nondet(
        "$dict_eval",
        3,
        dict_eval,
        "'$dict_eval'(+Dict, +Function, -Value)\nValue of a key, get/1, get/2, put/1 or put/2 on a dict; fails for other functions.",
    ),
    det(
        "$dict_user_function",
        3,
        dict_user_function,
        "'$dict_user_function'(+Dict, +Function, -Module)\nTrue when Function is none that '$dict_eval'/3 knows.",
    ),
];
