//! Variables of terms, groundness, numbering, hashes.

use super::sort::elements;
use crate::atom;
use crate::cell::{Cell, tag};
use crate::error::{self, Res};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};
use rustc_hash::{FxHashMap, FxHashSet};

/// Calls `visit` for every occurrence of a variable, depth first, left to right, until it answers false.
/// With `attributes` the attributes of attributed variables are walked too, once each.
/// Terms with much sharing are walked in linear time, but then not every occurrence is visited.
pub fn walk(heap: &Heap, terms: &[Cell], attributes: bool, mut visit: impl FnMut(Cell) -> bool) {
    let mut stack: Vec<(usize, usize)> = Vec::new();
    let mut open: FxHashSet<u64> = FxHashSet::default();
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let mut budget = heap.cells.len() + 16;
    for &t in terms {
        let mut c = heap.deref(t);
        loop {
            if c.is_ref() {
                if !visit(c) {
                    return;
                }
                if attributes && c.tag() == tag::ATV && open.insert(c.0) {
                    let at = c.addr() + 1;
                    stack.push((at, at + 1));
                }
            } else if c.is_compound() {
                budget = budget.saturating_sub(1);
                if budget > 0 || seen.insert(c.0) {
                    let r = heap.args(c);
                    stack.push((r.start, r.end));
                }
            }
            let next = loop {
                let Some(top) = stack.last_mut() else { break None };
                if top.0 >= top.1 {
                    stack.pop();
                    continue;
                }
                let d = heap.deref(heap.cells[top.0]);
                top.0 += 1;
                if top.0 == top.1 {
                    stack.pop();
                }
                if d.is_ref() || d.is_compound() {
                    break Some(d);
                }
            };
            match next {
                Some(d) => c = d,
                None => break,
            }
        }
    }
}

/// The first variable of a term; `None` when it is ground.
pub fn first(heap: &Heap, t: Cell) -> Option<Cell> {
    let mut found = None;
    walk(heap, &[t], false, |v| {
        found = Some(v);
        false
    });
    found
}

fn ground(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(first(&m.heap, a[0]).is_none())
}

fn nonground(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match first(&m.heap, a[0]) {
        Some(v) => Ok(m.unify(a[1], v)),
        None => Ok(false),
    }
}

fn term_variables(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let v = super::terms::variables(&m.heap, &[a[0]], |_| true);
    let tail = a.get(2).copied().unwrap_or(Cell::NIL);
    let l = m.heap.list_with_tail(&v, tail);
    Ok(m.unify(a[1], l))
}

fn term_attvars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    walk(&m.heap, &[a[0]], true, |v| {
        if v.tag() == tag::ATV && seen.insert(v.0) {
            out.push(v);
        }
        true
    });
    let l = m.heap.list_from(&out);
    Ok(m.unify(a[1], l))
}

/// Variables in order of appearance and how often each appears.
fn counted(heap: &Heap, t: Cell) -> Vec<(Cell, usize)> {
    let mut index: FxHashMap<u64, usize> = FxHashMap::default();
    let mut out: Vec<(Cell, usize)> = Vec::new();
    walk(heap, &[t], false, |v| {
        let i = *index.entry(v.0).or_insert_with(|| {
            out.push((v, 0));
            out.len() - 1
        });
        if let Some(e) = out.get_mut(i) {
            e.1 += 1;
        }
        true
    });
    out
}

fn term_singletons(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let v: Vec<Cell> = counted(&m.heap, a[0]).into_iter().filter(|p| p.1 == 1).map(|p| p.0).collect();
    let l = m.heap.list_from(&v);
    Ok(m.unify(a[1], l))
}

fn numbervars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let start = match m.heap.view(a[1]) {
        Term::Int(i) => i,
        _ => return Err(error::type_error(&mut m.heap, atom::INTEGER, a[1])),
    };
    let (mut singletons, mut attributed, mut functor) = (false, atom::ERROR, m.heap.atoms.intern("$VAR"));
    if let Some(&options) = a.get(3) {
        for o in elements(m, options)? {
            let Some((name, 1)) = m.heap.name_arity(o) else {
                return Err(error::domain(&mut m.heap, "numbervars_option", o));
            };
            let value = m.heap.arg(o, 0);
            let Term::Atom(v) = m.heap.view(value) else { return Err(error::type_error(&mut m.heap, atom::ATOM, value)) };
            match m.heap.atoms.text(name) {
                "singletons" => singletons = v == atom::TRUE,
                "attvar" => attributed = v,
                "functor_name" => functor = v,
                _ => {}
            }
        }
    }
    let variables = counted(&m.heap, a[0]);
    let kind = m.heap.atoms.text_arc(attributed);
    if &*kind == "error" && variables.iter().any(|p| p.0.tag() == tag::ATV) {
        return Err(error::type_error_named(&mut m.heap, "free_of_attvar", a[0]));
    }
    let mut n = start;
    for (v, count) in variables {
        if v.tag() == tag::ATV && &*kind == "skip" {
            continue;
        }
        let number = if singletons && count == 1 {
            m.heap.atom("_")
        } else {
            n += 1;
            m.heap.int(n - 1)
        };
        let t = m.heap.compound_any(functor, &[number]);
        m.heap.bind(v, t);
    }
    let end = m.heap.int(n);
    Ok(m.unify(a[2], end))
}

fn var_number(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let f = m.heap.atoms.intern("$VAR");
    let Some(n) = m.heap.match_compound(a[0], f, 1).and_then(|x| x.first().copied()) else { return Ok(false) };
    match m.heap.view(n) {
        Term::Int(_) | Term::Atom(_) => Ok(m.unify(a[1], n)),
        _ => Ok(false),
    }
}

fn mix(h: u64, v: u64) -> u64 {
    (h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

fn hash_bytes(h: u64, b: &[u8]) -> u64 {
    b.iter().fold(mix(h, b.len() as u64), |h, &x| (h ^ u64::from(x)).wrapping_mul(0x0100_0000_01b3))
}

/// A hash that does not depend on addresses. Variables count by their order of appearance; `None` in their place
/// when `ground_only` is asked for. `depth` levels of arguments are looked at.
pub fn hash(heap: &Heap, t: Cell, depth: usize, ground_only: bool) -> Option<u64> {
    let mut h = 0xcbf2_9ce4_8422_2325u64;
    let mut numbers: FxHashMap<u64, u64> = FxHashMap::default();
    let mut stack = vec![(heap.deref(t), depth)];
    let mut budget = heap.cells.len().saturating_mul(2) + 64;
    while let Some((c, d)) = stack.pop() {
        if d == 0 {
            continue;
        }
        match heap.view(c) {
            Term::Var(_) | Term::Attributed(_) => {
                if ground_only {
                    return None;
                }
                let n = numbers.len() as u64;
                h = mix(h, 11 + *numbers.entry(c.0).or_insert(n));
            }
            Term::Atom(a) => h = hash_bytes(mix(h, 1), heap.atoms.text(a).as_bytes()),
            Term::Int(i) => h = mix(mix(h, 2), i as u64),
            Term::Float(f) => h = mix(mix(h, 3), f.to_bits()),
            Term::Big(a) | Term::Rational(a) => {
                let n = heap.cells[a].box_words();
                h = heap.cells[a..a + 1 + n].iter().fold(mix(h, 4), |h, w| mix(h, w.0));
            }
            Term::Str(a) => h = hash_bytes(mix(h, 5), heap.str_bytes(a)),
            Term::List(_) | Term::Compound(..) => {
                let (n, k) = heap.name_arity(c).unwrap_or((atom::NIL, 0));
                h = hash_bytes(mix(h, 6 + ((k as u64) << 3)), heap.atoms.text(n).as_bytes());
                budget = budget.saturating_sub(1);
                if budget > 0 {
                    stack.extend(heap.args(c).rev().map(|i| (heap.deref(heap.cells[i]), d - 1)));
                }
            }
        }
    }
    Some(mix(h, h >> 32))
}

fn term_hash2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    match hash(&m.heap, a[0], usize::MAX, true) {
        Some(h) => Ok(m.unify(a[1], Cell::small((h & 0xff_ffff) as i64))),
        None => Ok(true),
    }
}

fn term_hash4(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut limits = [0i64; 2];
    for (slot, &c) in limits.iter_mut().zip(&a[1..3]) {
        *slot = match m.heap.view(c) {
            Term::Int(i) => i,
            _ => return Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
        };
    }
    let depth = if limits[0] < 0 { usize::MAX } else { limits[0] as usize };
    if limits[1] < 1 {
        return Err(error::domain(&mut m.heap, "not_less_than_one", a[2]));
    }
    match hash(&m.heap, a[0], depth, true) {
        Some(h) => Ok(m.unify(a[3], Cell::small((h % limits[1] as u64) as i64))),
        None => Ok(true),
    }
}

fn variant_hash(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let h = hash(&m.heap, a[0], usize::MAX, false).unwrap_or(0);
    Ok(m.unify(a[1], Cell::small((h & 0xff_ffff) as i64)))
}

/// Predicates on the variables of terms.
pub const BUILTINS: &[Native] = &[
    det("ground", 1, ground, "ground(@Term)\nTrue when Term has no variables."),
    det("nonground", 2, nonground, "nonground(@Term, -Var)\nVar is the first variable of Term; fails when there is none."),
    det("term_variables", 2, term_variables, "term_variables(@Term, -Vars)\nThe variables of Term in order of appearance."),
    det("term_variables", 3, term_variables, "term_variables(@Term, -Vars, ?Tail)\nAs term_variables/2, a difference list."),
    det("term_attvars", 2, term_attvars, "term_attvars(@Term, -Vars)\nThe attributed variables of Term, those in attributes included."),
    det("term_singletons", 2, term_singletons, "term_singletons(@Term, -Vars)\nThe variables that appear once."),
    det("numbervars", 3, numbervars, "numbervars(+Term, +Start, -End)\nBinds the variables to '$VAR'(N), N from Start on."),
    det(
        "numbervars",
        4,
        numbervars,
        "numbervars(+Term, +Start, -End, +Options)\nOptions: singletons(Bool), attvar(skip, bind or error), functor_name(Name).",
    ),
    det("var_number", 2, var_number, "var_number(@Term, -Number)\nNumber of a term that numbervars/3 made."),
    det("term_hash", 2, term_hash2, "term_hash(+Term, -Hash)\nHash of a ground term; Hash stays unbound otherwise."),
    det("term_hash", 4, term_hash4, "term_hash(+Term, +Depth, +Range, -Hash)\nHash of the first Depth levels, below Range."),
    det("variant_hash", 2, variant_hash, "variant_hash(+Term, -Hash)\nHash that variants have in common."),
];
