//! Exponentiation.

use super::basic::{bits, zero_division};
use super::ints::natural_root;
use super::num::*;
use crate::flags::{Flags, Rounding};
use dashu_base::{Abs, BitTest};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// `A ** B` and `A ^ B`: exact for integers and rationals where the result is, else a float.
pub fn power(flags: &Flags, a: &Num, b: &Num) -> Value {
    if b.is_zero() || matches!(a, Num::Int(1)) {
        return Ok(Num::Int(1));
    }
    match (a, b) {
        (Num::Int(_) | Num::Big(_), Num::Int(_) | Num::Big(_)) => integers(flags, a, b),
        (Num::Rat(r), Num::Int(_) | Num::Big(_)) => {
            let e = exponent(flags, a, b)?;
            let (n, d) = (r.numerator().pow(e), IBig::from(r.denominator().pow(e)));
            let (n, d) = if b.sign() < 0 { (d, n) } else { (n, d) };
            Ok(ratio(RBig::from(n) / RBig::from(d)))
        }
        (_, Num::Rat(r)) if a.is_exact() => rational_exponent(flags, a, b, r),
        _ => floats(flags, a, b),
    }
}

/// The exponent's magnitude, when the result fits the limit.
fn exponent(flags: &Flags, a: &Num, b: &Num) -> Value<usize> {
    let e = usize::try_from(b.to_big()?.abs()).map_err(|_| Fault::Memory)?;
    match bits(a).checked_mul(e) {
        Some(n) if n <= flags.max_integer_bits.saturating_add(64) => Ok(e),
        _ => Err(Fault::Memory),
    }
}

fn integers(flags: &Flags, a: &Num, b: &Num) -> Value {
    let negative = b.sign() < 0;
    match a {
        Num::Int(0) => return if negative { zero_division(flags, &Num::Int(1), false) } else { Ok(Num::Int(0)) },
        Num::Int(-1) => return Ok(Num::Int(if b.to_big()?.bit(0) { -1 } else { 1 })),
        _ => {}
    }
    if negative {
        if flags.prefer_rationals {
            let e = exponent(flags, a, b)?;
            return Ok(ratio(RBig::ONE / RBig::from(a.to_big()?.pow(e))));
        }
        return float(flags, to_f64(flags, a)?.powf(to_f64(flags, b)?));
    }
    if let (Num::Int(x), Num::Int(e)) = (a, b)
        && let Ok(e) = u32::try_from(*e)
        && let Some(p) = x.checked_pow(e)
    {
        return Ok(Num::Int(p));
    }
    let e = exponent(flags, a, b)?;
    Ok(integer(a.to_big()?.pow(e)))
}

/// An exact root when there is one.
fn exact_root(x: &UBig, n: usize) -> Option<UBig> {
    let r = natural_root(x, n);
    if r <= UBig::ONE { (r == *x).then_some(r) } else { (r.pow(n) == *x).then_some(r) }
}

fn rational_exponent(flags: &Flags, a: &Num, b: &Num, e: &RBig) -> Value {
    if a.is_zero() {
        return if b.sign() < 0 { zero_division(flags, &Num::Int(1), false) } else { Ok(Num::Int(0)) };
    }
    let even_root = !e.denominator().bit(0);
    if a.sign() < 0 && even_root {
        return float(flags, f64::NAN);
    }
    let base = a.to_ratio()?;
    let magnitude = |i: &IBig| UBig::try_from(i.clone().abs()).ok();
    if let Ok(n) = usize::try_from(e.denominator())
        && let Some(num) = magnitude(base.numerator()).and_then(|x| exact_root(&x, n))
        && let Some(den) = exact_root(base.denominator(), n)
    {
        let num = if a.sign() < 0 { -IBig::from(num) } else { IBig::from(num) };
        let root = ratio(RBig::from(num) / RBig::from(den));
        let e = integer(e.numerator().clone());
        if let (Num::Int(_) | Num::Big(_), true) = (&root, e.sign() < 0) {
            let n = exponent(flags, &root, &e)?;
            return Ok(ratio(RBig::ONE / RBig::from(root.to_big()?.pow(n))));
        }
        return power(flags, &root, &e);
    }
    let (x, y) = (to_f64(flags, a)?, to_f64(flags, b)?);
    let f = x.abs().powf(y);
    float(flags, if x < 0.0 && e.numerator().bit(0) { -f } else { f })
}

fn floats(flags: &Flags, a: &Num, b: &Num) -> Value {
    if a.is_zero() && b.sign() != 0 {
        if b.sign() < 0 {
            return zero_division(flags, &Num::Int(1), false);
        }
        if a.is_exact() {
            return Ok(Num::Int(0));
        }
    }
    let (x, y) = (to_f64(flags, a)?, to_f64(flags, b)?);
    let f = x.powf(y);
    if flags.float_rounding != Rounding::Nearest
        && y == 0.5
        && let Ok(exact) = RBig::try_from(x)
    {
        return float(flags, super::floats::round_root(flags, f, &exact));
    }
    float(flags, f)
}
