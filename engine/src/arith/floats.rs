//! Functions on floats.

use super::num::*;
use crate::flags::{Flags, Rounding};
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// Rounds the root of an exact value as the rounding mode says.
pub fn round_root(flags: &Flags, root: f64, exact: &RBig) -> f64 {
    let Ok(r) = RBig::try_from(root) else { return root };
    match ((&r * &r).cmp(exact), flags.float_rounding) {
        (Ordering::Less, Rounding::Positive) => root.next_up(),
        (Ordering::Greater, Rounding::Negative | Rounding::Zero) => root.next_down(),
        _ => root,
    }
}

/// `sqrt(A)`.
pub fn sqrt(flags: &Flags, a: &Num) -> Value {
    let x = to_f64(flags, a)?;
    if x < 0.0 {
        return float(flags, f64::NAN);
    }
    let f = x.sqrt();
    if flags.float_rounding != Rounding::Nearest
        && let Ok(exact) = RBig::try_from(x)
    {
        return float(flags, round_root(flags, f, &exact));
    }
    float(flags, f)
}

/// A function of one float.
pub fn apply(flags: &Flags, a: &Num, f: fn(f64) -> f64) -> Value {
    float(flags, f(to_f64(flags, a)?))
}

/// `log(A)`.
pub fn log(x: f64) -> f64 {
    if x < 0.0 { f64::NAN } else { x.ln() }
}

/// `erfc(A)`.
pub fn erfc(x: f64) -> f64 {
    1.0 - libm::erf(x)
}

/// `lgamma(A)`: not defined for zero and below.
pub fn lgamma(x: f64) -> f64 {
    if x <= 0.0 { f64::INFINITY } else { libm::lgamma(x) }
}

/// `atanh(A)`.
pub fn atanh(x: f64) -> f64 {
    libm::atanh(x)
}

/// `asinh(A)`.
pub fn asinh(x: f64) -> f64 {
    libm::asinh(x)
}

/// `acosh(A)`.
pub fn acosh(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

/// `log(B, A)`: logarithm of A to the base B.
pub fn log_base(flags: &Flags, base: &Num, a: &Num) -> Value {
    let (b, x) = (to_f64(flags, base)?, to_f64(flags, a)?);
    float(flags, log(x) / log(b))
}

/// `atan2(Y, X)`, `atan(Y, X)`.
pub fn atan2(flags: &Flags, y: &Num, x: &Num) -> Value {
    float(flags, to_f64(flags, y)?.atan2(to_f64(flags, x)?))
}

/// `nexttoward(A, B)`.
pub fn nexttoward(flags: &Flags, a: &Num, b: &Num) -> Value {
    let (x, y) = (to_f64(flags, a)?, to_f64(flags, b)?);
    float(
        flags,
        match x.partial_cmp(&y) {
            Some(Ordering::Less) => x.next_up(),
            Some(Ordering::Greater) => x.next_down(),
            Some(Ordering::Equal) => y,
            None => f64::NAN,
        },
    )
}
