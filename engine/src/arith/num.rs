//! Number values during evaluation, their conversions, and the faults of functions.

use crate::cell::Cell;
use crate::error::{self, Throw};
use crate::flags::{Flags, Rounding};
use crate::heap::{Heap, Term};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// A number off the heap. `Big` holds only what an `i64` cannot; `Rat` is never an integer.
#[derive(Clone, Debug, PartialEq)]
pub enum Num {
    Int(i64),
    Big(IBig),
    Rat(Box<RBig>),
    Float(f64),
}

/// Why a function has no value.
#[derive(Debug)]
pub enum Fault {
    Type(&'static str, Num),
    Domain(&'static str, Num),
    Eval(&'static str),
    /// The result would be larger than the flag `max_integer_bits` (or memory) allows.
    Memory,
}

/// Value of a function.
pub type Value<T = Num> = Result<T, Fault>;

/// The exception a fault raises.
pub fn raise(heap: &mut Heap, f: Fault) -> Throw {
    match f {
        Fault::Type(t, n) => {
            let c = store(heap, n);
            error::type_error_named(heap, t, c)
        }
        Fault::Domain(d, n) => {
            let c = store(heap, n);
            error::domain(heap, d, c)
        }
        Fault::Eval(e) => error::evaluation(heap, e),
        Fault::Memory => error::resource(heap, "memory"),
    }
}

/// The number a cell holds; `None` for any other term.
pub fn load(heap: &Heap, c: Cell) -> Option<Num> {
    match heap.view(c) {
        Term::Int(i) => Some(Num::Int(i)),
        Term::Float(f) => Some(Num::Float(f)),
        Term::Big(a) => Some(integer(heap.big(a))),
        Term::Rational(a) => Some(Num::Rat(Box::new(heap.rational(a)))),
        _ => None,
    }
}

/// Puts a number on the heap.
pub fn store(heap: &mut Heap, n: Num) -> Cell {
    match n {
        Num::Int(i) => heap.int(i),
        Num::Big(b) => heap.integer(&b),
        Num::Rat(r) => heap.ratio(&r),
        Num::Float(f) => heap.float(f),
    }
}

/// An integer in its one form.
pub fn integer(b: IBig) -> Num {
    match i64::try_from(&b) {
        Ok(i) => Num::Int(i),
        Err(_) => Num::Big(b),
    }
}

/// A rational in its one form.
pub fn ratio(r: RBig) -> Num {
    if r.is_int() { integer(r.into_parts().0) } else { Num::Rat(Box::new(r)) }
}

impl Num {
    /// Integers and rationals.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Num::Float(_))
    }

    /// Value as a big integer, or `type_error(integer, _)`.
    pub fn to_big(&self) -> Value<IBig> {
        match self {
            Num::Int(i) => Ok(IBig::from(*i)),
            Num::Big(b) => Ok(b.clone()),
            other => Err(Fault::Type("integer", other.clone())),
        }
    }

    /// Value as a rational, or `type_error(rational, _)`.
    pub fn to_ratio(&self) -> Value<RBig> {
        match self {
            Num::Rat(r) => Ok((**r).clone()),
            Num::Float(_) => Err(Fault::Type("rational", self.clone())),
            other => other.to_big().map(RBig::from),
        }
    }

    /// Nearest float, infinite beyond the range.
    pub fn raw_f64(&self) -> f64 {
        match self {
            Num::Int(i) => *i as f64,
            Num::Big(b) => b.to_f64().value(),
            Num::Rat(r) => r.to_f64().value(),
            Num::Float(f) => *f,
        }
    }

    /// -1, 0 or 1; 0 for a NaN.
    pub fn sign(&self) -> i32 {
        match self {
            Num::Int(i) => i.signum() as i32,
            Num::Big(b) => {
                if *b < IBig::ZERO {
                    -1
                } else {
                    1
                }
            }
            Num::Rat(r) => {
                if **r < RBig::ZERO {
                    -1
                } else {
                    1
                }
            }
            Num::Float(f) => (*f > 0.0) as i32 - (*f < 0.0) as i32,
        }
    }

    /// Zero of any type.
    pub fn is_zero(&self) -> bool {
        match self {
            Num::Int(i) => *i == 0,
            Num::Float(f) => *f == 0.0,
            _ => false,
        }
    }
}

/// Order by value; floats are compared as floats, as SWI-Prolog 9.0.4 does. `None` with a NaN.
pub fn compare(a: &Num, b: &Num) -> Option<Ordering> {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) => Some(x.cmp(y)),
        (Num::Float(_), _) | (_, Num::Float(_)) => a.raw_f64().partial_cmp(&b.raw_f64()),
        (Num::Rat(_), _) | (_, Num::Rat(_)) => Some(a.to_ratio().ok()?.cmp(&b.to_ratio().ok()?)),
        _ => Some(a.to_big().ok()?.cmp(&b.to_big().ok()?)),
    }
}

/// Passes a float result that the flags allow.
pub fn check(flags: &Flags, f: f64) -> Value<f64> {
    if f.is_finite() {
        Ok(f)
    } else if f.is_nan() {
        if flags.float_undefined_nan { Ok(f) } else { Err(Fault::Eval("undefined")) }
    } else if flags.float_overflow_infinity {
        Ok(f)
    } else {
        Err(Fault::Eval("float_overflow"))
    }
}

/// As [`check`], as a number.
pub fn float(flags: &Flags, f: f64) -> Value {
    check(flags, f).map(Num::Float)
}

/// A number as a float, rounded as the flags say.
pub fn to_f64(flags: &Flags, n: &Num) -> Value<f64> {
    let f = n.raw_f64();
    if flags.float_rounding != Rounding::Nearest
        && n.is_exact()
        && let Ok(exact) = n.to_ratio()
    {
        return check(flags, rounded(flags, f, &exact));
    }
    check(flags, f)
}

/// Moves the nearest float of an exact value to the neighbour that the rounding mode asks for.
pub fn rounded(flags: &Flags, nearest: f64, exact: &RBig) -> f64 {
    let Ok(value) = RBig::try_from(nearest) else { return nearest };
    let order = value.cmp(exact);
    match flags.float_rounding {
        Rounding::Positive if order == Ordering::Less => nearest.next_up(),
        Rounding::Negative if order == Ordering::Greater => nearest.next_down(),
        Rounding::Zero if nearest > 0.0 && order == Ordering::Greater => nearest.next_down(),
        Rounding::Zero if nearest < 0.0 && order == Ordering::Less => nearest.next_up(),
        _ => nearest,
    }
}
