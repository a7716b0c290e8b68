//! Predicates on numbers.

use crate::arith::{self, num};
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use dashu_int::IBig;
use std::cmp::Ordering;

fn is(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let v = arith::eval(m, a[1])?;
    Ok(m.unify(a[0], v))
}

fn relate(m: &mut Machine, a: &[Cell], holds: fn(Option<Ordering>) -> bool) -> Res<bool> {
    let x = arith::eval(m, a[0])?;
    let y = arith::eval(m, a[1])?;
    Ok(holds(arith::compare(m, x, y)?))
}

fn eq(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| o == Some(Ordering::Equal))
}

fn ne(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| o != Some(Ordering::Equal))
}

fn lt(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| o == Some(Ordering::Less))
}

fn gt(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| o == Some(Ordering::Greater))
}

fn le(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| matches!(o, Some(Ordering::Less | Ordering::Equal)))
}

fn ge(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    relate(m, a, |o| matches!(o, Some(Ordering::Greater | Ordering::Equal)))
}

/// An integer argument; `None` for a variable, a type error for anything else.
fn integer(m: &mut Machine, c: Cell) -> Res<Option<IBig>> {
    match m.heap.view(c) {
        Term::Int(i) => Ok(Some(i.into())),
        Term::Big(a) => Ok(Some(m.heap.big(a))),
        Term::Var(_) | Term::Attributed(_) => Ok(None),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn needed(m: &mut Machine, c: Cell) -> Res<IBig> {
    match integer(m, c)? {
        Some(i) => Ok(i),
        None => Err(error::instantiation(&mut m.heap)),
    }
}

fn succ(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let x = integer(m, a[0])?;
    let y = integer(m, a[1])?;
    for (v, c) in [(&x, a[0]), (&y, a[1])] {
        if v.as_ref().is_some_and(|v| *v < IBig::ZERO) {
            return Err(error::domain(&mut m.heap, "not_less_than_zero", c));
        }
    }
    match (x, y) {
        (None, None) => Err(error::instantiation(&mut m.heap)),
        (Some(x), _) => {
            let s = m.heap.integer(&(x + IBig::ONE));
            Ok(m.unify(a[1], s))
        }
        (None, Some(y)) => {
            if y == IBig::ZERO {
                return Ok(false);
            }
            let p = m.heap.integer(&(y - IBig::ONE));
            Ok(m.unify(a[0], p))
        }
    }
}

fn plus(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (x, y, z) = (integer(m, a[0])?, integer(m, a[1])?, integer(m, a[2])?);
    let (at, v) = match (x, y, z) {
        (Some(x), Some(y), _) => (a[2], x + y),
        (Some(x), None, Some(z)) => (a[1], z - x),
        (None, Some(y), Some(z)) => (a[0], z - y),
        _ => return Err(error::instantiation(&mut m.heap)),
    };
    let c = m.heap.integer(&v);
    Ok(m.unify(at, c))
}

fn between(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    if let Some(s) = state
        && s.is_small()
        && let Term::Int(high) = m.heap.view(a[1])
    {
        // The common case: small bounds.
        let i = s.as_small();
        m.unify(a[2], s);
        return Ok(if i < high { Redo::More(Cell::small(i + 1)) } else { Redo::Done });
    }
    let low = needed(m, a[0])?;
    let high = match m.heap.view(a[1]) {
        Term::Atom(h) if matches!(m.heap.atoms.text(h), "inf" | "infinite") => None,
        _ => Some(needed(m, a[1])?),
    };
    if let Some(x) = integer(m, a[2])? {
        let within = x >= low && high.is_none_or(|h| x <= h);
        return Ok(if within { Redo::Done } else { Redo::Fail });
    }
    let i = match state {
        Some(s) => needed(m, s)?,
        None => low,
    };
    if high.as_ref().is_some_and(|h| i > *h) {
        return Ok(Redo::Fail);
    }
    let c = m.heap.integer(&i);
    m.unify(a[2], c);
    if high.is_some_and(|h| i == h) {
        return Ok(Redo::Done);
    }
    let next = m.heap.integer(&(i + IBig::ONE));
    Ok(Redo::More(next))
}

fn operand(m: &mut Machine, c: Cell) -> Res<num::Num> {
    needed(m, c).map(num::integer)
}

fn two_results(m: &mut Machine, r: num::Value<(num::Num, num::Num)>, x: Cell, y: Cell) -> Res<bool> {
    match r {
        Ok((p, q)) => {
            let (p, q) = (num::store(&mut m.heap, p), num::store(&mut m.heap, q));
            Ok(m.unify(x, p) && m.unify(y, q))
        }
        Err(f) => Err(num::raise(&mut m.heap, f)),
    }
}

fn divmod(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (x, y) = (operand(m, a[0])?, operand(m, a[1])?);
    two_results(m, arith::ints::floor_divide(&x, &y), a[2], a[3])
}

fn nth_root(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (n, x) = (operand(m, a[0])?, operand(m, a[1])?);
    two_results(m, arith::ints::root_and_remainder(&n, &x), a[2], a[3])
}

fn rational3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Some(n) = num::load(&m.heap, a[0]) else { return Ok(false) };
    let Ok(r) = n.to_ratio() else { return Ok(false) };
    let (n, d) = r.into_parts();
    let (n, d) = (m.heap.integer(&n), m.heap.integer(&d.into()));
    Ok(m.unify(a[1], n) && m.unify(a[2], d))
}

/// `'$random'(+Low, +High, -X)`: an integer of `Low..High`, the ends included; fails when there is none.
fn random_between(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (low, high) = (needed(m, a[0])?, needed(m, a[1])?);
    if high < low {
        return Ok(false);
    }
    let span = &high - &low + IBig::ONE;
    let Ok(span) = dashu_int::UBig::try_from(span) else { return Ok(false) };
    let r = match u64::try_from(&span) {
        Ok(n) => IBig::from(m.arith.random.below(n)),
        Err(_) => m.arith.random.below_big(&span),
    };
    let c = m.heap.integer(&(low + r));
    Ok(m.unify(a[2], c))
}

fn set_random(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let seed = m.heap.atoms.intern("seed");
    let Some(s) = m.heap.match_compound(a[0], seed, 1).and_then(|x| x.first().copied()) else {
        return Err(error::domain(&mut m.heap, "set_random_option", a[0]));
    };
    let value = match m.heap.view(s) {
        Term::Int(i) => i as u64,
        Term::Big(at) => m.heap.big(at).as_sign_words().1.iter().fold(0u64, |h, w| h.rotate_left(7) ^ w),
        Term::Atom(_) => m.host_clock.as_ref().map_or(0, |c| c().to_bits()),
        _ => return Err(error::type_error_named(&mut m.heap, "seed", s)),
    };
    m.arith.random = arith::random::Random::new(value);
    Ok(true)
}

fn current_function(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    if !m.heap.is_var(a[0]) {
        let Some((name, arity)) = m.heap.name_arity(a[0]) else {
            return Err(error::type_error(&mut m.heap, atom::CALLABLE, a[0]));
        };
        let text = m.heap.atoms.text(name);
        let known = name != atom::NIL && arith::FUNCTIONS.iter().any(|f| f.0 == text && f.1 == arity);
        return Ok(if known { Redo::Done } else { Redo::Fail });
    }
    let i = state.map_or(0, |s| s.as_small().max(0) as usize);
    let Some(&(name, arity)) = arith::FUNCTIONS.get(i) else { return Ok(Redo::Fail) };
    let args: Vec<Cell> = (0..arity).map(|_| m.heap.new_var()).collect();
    let name: Atom = m.heap.atoms.intern(name);
    let t = m.heap.compound(name, &args);
    m.unify(a[0], t);
    Ok(Redo::More(Cell::small(i as i64 + 1)))
}

/// Predicates on numbers.
pub const BUILTINS: &[Native] = &[
    det("is", 2, is, "-Number is +Expression\nNumber is the value of Expression."),
    det("=:=", 2, eq, "+A =:= +B\nTrue when the values are equal."),
    det("=\\=", 2, ne, "+A =\\= +B\nTrue when the values differ."),
    det("<", 2, lt, "+A < +B\nTrue when A is smaller."),
    det(">", 2, gt, "+A > +B\nTrue when A is larger."),
    det("=<", 2, le, "+A =< +B\nTrue when A is not larger."),
    det(">=", 2, ge, "+A >= +B\nTrue when A is not smaller."),
    det("succ", 2, succ, "succ(?A, ?B)\nB is A + 1; both are natural numbers."),
    det("plus", 3, plus, "plus(?A, ?B, ?C)\nC is A + B; two must be known."),
    nondet("between", 3, between, "between(+Low, +High, ?X)\nX is an integer of Low..High; High may be inf."),
    det("divmod", 4, divmod, "divmod(+Dividend, +Divisor, -Quotient, -Remainder)\nQuotient (div) and remainder (mod) at once."),
    det(
        "nth_integer_root_and_remainder",
        4,
        nth_root,
        "nth_integer_root_and_remainder(+N, +I, -Root, -Remainder)\nRoot ** N + Remainder =:= I.",
    ),
    det("rational", 3, rational3, "rational(@X, -Numerator, -Denominator)\nParts of a rational number or integer."),
    det("$random", 3, random_between, "'$random'(+Low, +High, -X)\nA random integer of Low..High."),
    det(
        "set_random",
        1,
        set_random,
        "set_random(+Option)\nseed(Seed) makes the random numbers repeatable; seed(random) starts from the clock.",
    ),
    nondet(
        "current_arithmetic_function",
        1,
        current_function,
        "current_arithmetic_function(?Head)\nTrue for the functions that is/2 knows.",
    ),
];
