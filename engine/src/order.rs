//! Standard order of terms, identity and variants, without recursion.

use crate::atom::Atom;
use crate::cell::{Cell, tag};
use crate::heap::{Heap, Term};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// Pairs of argument ranges still to be compared: two addresses and a count.
type Stack = SmallVec<[(usize, usize, usize); 32]>;

/// Steps after which a walk suspects a cyclic term and notes what it has seen.
const SUSPECT: usize = 1 << 20;

/// Standard order: Var < Number < String < Atom < Compound. Numbers by value, a float before an equal integer;
/// compounds by arity, name, arguments; lists are `'[|]'/2`.
pub fn compare(heap: &Heap, a: Cell, b: Cell) -> Ordering {
    walk(heap, a, b, |heap, a, b| {
        let (ta, tb) = (heap.view(a), heap.view(b));
        let o = shallow(heap, ta, tb);
        (o, o == Ordering::Equal && a.is_compound())
    })
}

/// `==`: the same term, variables only equal to themselves.
pub fn identical(heap: &Heap, a: Cell, b: Cell) -> bool {
    walk(heap, a, b, |heap, a, b| {
        const DIFFER: (Ordering, bool) = (Ordering::Less, false);
        if a.tag() != b.tag() {
            return DIFFER;
        }
        let same = match a.tag() {
            tag::LST => return (Ordering::Equal, true),
            tag::STR => return if heap.cells[a.addr()] == heap.cells[b.addr()] { (Ordering::Equal, true) } else { DIFFER },
            tag::BOX => heap.boxes_equal(a.addr(), b.addr()),
            _ => false,
        };
        if same { (Ordering::Equal, false) } else { DIFFER }
    }) == Ordering::Equal
}

/// Compares pair by pair with `step`, which looks at two different dereferenced cells and answers how they differ
/// and whether their arguments remain to be compared.
fn walk(heap: &Heap, a: Cell, b: Cell, step: impl Fn(&Heap, Cell, Cell) -> (Ordering, bool)) -> Ordering {
    let mut stack = Stack::new();
    let (mut a, mut b) = (heap.deref(a), heap.deref(b));
    let mut steps = 0usize;
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    loop {
        if a != b {
            let (o, deeper) = step(heap, a, b);
            if o != Ordering::Equal {
                return o;
            }
            if deeper {
                let (ra, rb) = (heap.args(a), heap.args(b));
                steps += 1;
                let fresh = steps <= SUSPECT || seen.insert((ra.start, rb.start));
                if fresh && !ra.is_empty() {
                    stack.push((ra.start, rb.start, ra.len()));
                }
            }
        }
        loop {
            let Some(top) = stack.last_mut() else { return Ordering::Equal };
            let (x, y) = (top.0, top.1);
            if top.2 == 1 {
                stack.pop();
            } else {
                *top = (x + 1, y + 1, top.2 - 1);
            }
            a = heap.deref(heap.cells[x]);
            b = heap.deref(heap.cells[y]);
            if a != b {
                break;
            }
        }
    }
}

fn rank(t: Term) -> u8 {
    match t {
        Term::Var(_) | Term::Attributed(_) => 0,
        Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_) => 1,
        Term::Str(_) => 3,
        Term::Atom(_) => 4,
        Term::List(_) | Term::Compound(..) => 5,
    }
}

/// Order of two terms by everything but their arguments.
fn shallow(heap: &Heap, a: Term, b: Term) -> Ordering {
    use Term::*;
    match (a, b) {
        (Int(x), Int(y)) => x.cmp(&y),
        (Atom(x), Atom(y)) => atoms(heap, x, y),
        (Str(x), Str(y)) => heap.str_bytes(x).cmp(heap.str_bytes(y)),
        (Var(x) | Attributed(x), Var(y) | Attributed(y)) => x.cmp(&y),
        (List(_), List(_)) => Ordering::Equal,
        (List(_) | Compound(..), List(_) | Compound(..)) => {
            let (n1, a1) = functor(a);
            let (n2, a2) = functor(b);
            a1.cmp(&a2).then_with(|| if n1 == n2 { Ordering::Equal } else { atoms(heap, n1, n2) })
        }
        _ => {
            let (r1, r2) = (rank(a), rank(b));
            if r1 == 1 && r2 == 1 { numbers(heap, a, b) } else { r1.cmp(&r2) }
        }
    }
}

fn functor(t: Term) -> (Atom, usize) {
    match t {
        Term::Compound(_, n, a) => (n, a),
        _ => (crate::atom::DOT, 2),
    }
}

/// Alphabetical order of atoms by character code.
///
/// The reserved symbols `[]` and `dict` come before all others.
pub fn atoms(heap: &Heap, a: Atom, b: Atom) -> Ordering {
    let reserved = |x: Atom| x != crate::atom::NIL && x != crate::atom::DICT;
    if reserved(a) != reserved(b) {
        return reserved(a).cmp(&reserved(b));
    }
    heap.atoms.text(a).cmp(heap.atoms.text(b)).then(a.cmp(&b))
}

/// Standard order of two numbers; a NaN comes first.
pub fn numbers(heap: &Heap, a: Term, b: Term) -> Ordering {
    use Term::*;
    match (a, b) {
        (Int(x), Int(y)) => x.cmp(&y),
        (Float(x), Float(y)) => match x.partial_cmp(&y) {
            Some(Ordering::Equal) => y.is_sign_negative().cmp(&x.is_sign_negative()),
            Some(o) => o,
            None => y.is_nan().cmp(&x.is_nan()).then(x.to_bits().cmp(&y.to_bits())),
        },
        (Float(x), _) => float_first(x, heap, b),
        (_, Float(y)) => float_first(y, heap, a).reverse(),
        _ => exact(heap, a, b),
    }
}

fn float_first(x: f64, heap: &Heap, b: Term) -> Ordering {
    match x.partial_cmp(&to_f64(heap, b)) {
        Some(Ordering::Greater) => Ordering::Greater,
        _ => Ordering::Less,
    }
}

/// Order of two integers or rationals.
pub fn exact(heap: &Heap, a: Term, b: Term) -> Ordering {
    use Term::*;
    match (a, b) {
        (Int(x), Int(y)) => x.cmp(&y),
        (Rational(_), _) | (_, Rational(_)) => match (to_ratio(heap, a), to_ratio(heap, b)) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => Ordering::Equal,
        },
        _ => match (to_integer(heap, a), to_integer(heap, b)) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => Ordering::Equal,
        },
    }
}

/// Value of an integer term.
pub fn to_integer(heap: &Heap, t: Term) -> Option<IBig> {
    match t {
        Term::Int(i) => Some(IBig::from(i)),
        Term::Big(a) => Some(heap.big(a)),
        _ => None,
    }
}

/// Value of an integer or rational term.
pub fn to_ratio(heap: &Heap, t: Term) -> Option<RBig> {
    match t {
        Term::Rational(a) => Some(heap.rational(a)),
        _ => to_integer(heap, t).map(RBig::from),
    }
}

/// Nearest float of a number; infinite when it is too large, NaN when it is no number.
pub fn to_f64(heap: &Heap, t: Term) -> f64 {
    match t {
        Term::Int(i) => i as f64,
        Term::Float(f) => f,
        Term::Big(a) => heap.big(a).to_f64().value(),
        Term::Rational(a) => heap.rational(a).to_f64().value(),
        _ => f64::NAN,
    }
}

/// `=@=`: equal up to a one-to-one renaming of variables.
pub fn variant(heap: &Heap, a: Cell, b: Cell) -> bool {
    let mut stack = Stack::new();
    let (mut left, mut right) = (FxHashMap::<u64, u64>::default(), FxHashMap::<u64, u64>::default());
    let (mut a, mut b) = (heap.deref(a), heap.deref(b));
    let mut steps = 0usize;
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    loop {
        if a.is_ref() && b.is_ref() {
            if *left.entry(a.0).or_insert(b.0) != b.0 || *right.entry(b.0).or_insert(a.0) != a.0 {
                return false;
            }
        } else if a.tag() != b.tag() {
            return false;
        } else if a.is_compound() {
            if a.is_str() && heap.cells[a.addr()] != heap.cells[b.addr()] {
                return false;
            }
            let (ra, rb) = (heap.args(a), heap.args(b));
            steps += 1;
            let fresh = steps <= SUSPECT || seen.insert((ra.start, rb.start));
            if fresh && !ra.is_empty() {
                stack.push((ra.start, rb.start, ra.len()));
            }
        } else if a != b && !(a.tag() == tag::BOX && heap.boxes_equal(a.addr(), b.addr())) {
            return false;
        }
        let Some(top) = stack.last_mut() else { return true };
        let (x, y) = (top.0, top.1);
        if top.2 == 1 {
            stack.pop();
        } else {
            *top = (x + 1, y + 1, top.2 - 1);
        }
        a = heap.deref(heap.cells[x]);
        b = heap.deref(heap.cells[y]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_order() {
        let mut h = Heap::new();
        let v = h.new_var();
        let sorted = [
            v,
            h.float(f64::NAN),
            h.float(f64::NEG_INFINITY),
            h.float(-0.0),
            h.float(0.0),
            Cell::small(0),
            h.ratio(&RBig::from_parts(IBig::from(1), 3u8.into())),
            h.float(1.0),
            Cell::small(1),
            h.integer(&(IBig::from(1) << 70)),
            h.string("a"),
            h.string("b"),
            Cell::NIL,
            h.atom("a"),
            h.compound_named("f", &[Cell::small(1)]),
            h.list_from(&[Cell::small(1)]),
            h.list_from(&[Cell::small(1), v]),
            h.compound_named("f", &[v, v]),
        ];
        for (i, &x) in sorted.iter().enumerate() {
            for (j, &y) in sorted.iter().enumerate() {
                assert_eq!(compare(&h, x, y), i.cmp(&j), "{i} {j}");
                assert_eq!(identical(&h, x, y), i == j);
            }
        }
    }

    #[test]
    fn variants() {
        let mut h = Heap::new();
        let (a, b, c) = (h.new_var(), h.new_var(), h.new_var());
        let ab = h.compound_named("f", &[a, b]);
        let bc = h.compound_named("f", &[b, c]);
        let aa = h.compound_named("f", &[a, a]);
        assert!(variant(&h, ab, bc));
        assert!(!variant(&h, ab, aa) && !variant(&h, aa, ab));
    }
}
