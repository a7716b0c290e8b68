//! Sums, products, quotients, rounding, and what else works on every kind of number.

use super::num::*;
use crate::flags::{Flags, Rounding};
use dashu_base::{Abs, BitTest};
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;

/// Applies the operation of the widest type of the two.
fn widen(
    flags: &Flags,
    a: &Num,
    b: &Num,
    big: impl Fn(IBig, IBig) -> IBig,
    rat: impl Fn(RBig, RBig) -> RBig,
    flt: impl Fn(f64, f64) -> f64,
) -> Value {
    match (a, b) {
        (Num::Float(_), _) | (_, Num::Float(_)) => {
            let (x, y) = (operand(flags, a)?, operand(flags, b)?);
            let f = flt(x, y);
            if flags.float_rounding != Rounding::Nearest
                && let (Ok(x), Ok(y)) = (RBig::try_from(x), RBig::try_from(y))
            {
                return float(flags, rounded(flags, f, &rat(x, y)));
            }
            float(flags, f)
        }
        (Num::Rat(_), _) | (_, Num::Rat(_)) => Ok(ratio(rat(a.to_ratio()?, b.to_ratio()?))),
        _ => Ok(integer(big(a.to_big()?, b.to_big()?))),
    }
}

/// A float operand: only conversions are checked, the result will be checked anyway.
fn operand(flags: &Flags, n: &Num) -> Value<f64> {
    match n {
        Num::Float(f) => Ok(*f),
        _ => to_f64(flags, n),
    }
}

/// `A + B`.
pub fn add(flags: &Flags, a: &Num, b: &Num) -> Value {
    if let (Num::Int(x), Num::Int(y)) = (a, b)
        && let Some(z) = x.checked_add(*y)
    {
        return Ok(Num::Int(z));
    }
    widen(flags, a, b, |x, y| x + y, |x, y| x + y, |x, y| x + y)
}

/// `A - B`.
pub fn sub(flags: &Flags, a: &Num, b: &Num) -> Value {
    if let (Num::Int(x), Num::Int(y)) = (a, b)
        && let Some(z) = x.checked_sub(*y)
    {
        return Ok(Num::Int(z));
    }
    widen(flags, a, b, |x, y| x - y, |x, y| x - y, |x, y| x - y)
}

/// `A * B`.
pub fn mul(flags: &Flags, a: &Num, b: &Num) -> Value {
    if let (Num::Int(x), Num::Int(y)) = (a, b)
        && let Some(z) = x.checked_mul(*y)
    {
        return Ok(Num::Int(z));
    }
    if a.is_exact() && b.is_exact() && bits(a).saturating_add(bits(b)) > flags.max_integer_bits.saturating_add(128) {
        return Err(Fault::Memory);
    }
    widen(flags, a, b, |x, y| x * y, |x, y| x * y, |x, y| x * y)
}

/// Bits that the larger part of an exact number takes.
pub fn bits(n: &Num) -> usize {
    match n {
        Num::Int(i) => 64 - i.unsigned_abs().leading_zeros() as usize,
        Num::Big(b) => b.bit_len(),
        Num::Rat(r) => r.numerator().bit_len().max(r.denominator().bit_len()),
        Num::Float(_) => 0,
    }
}

/// What division by zero gives.
pub fn zero_division(flags: &Flags, a: &Num, negative_zero: bool) -> Value {
    if flags.float_zero_div_infinity && a.sign() != 0 {
        let negative = (a.sign() < 0) != negative_zero;
        return Ok(Num::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY }));
    }
    Err(Fault::Eval("zero_divisor"))
}

/// `A / B`.
pub fn div(flags: &Flags, a: &Num, b: &Num) -> Value {
    if let (Num::Int(_) | Num::Big(_), Num::Int(_) | Num::Big(_)) = (a, b) {
        if b.is_zero() {
            if a.is_zero() && flags.float_undefined_nan {
                return Ok(Num::Float(f64::NAN));
            }
            return zero_division(flags, a, false);
        }
        if !flags.iso {
            if let (Num::Int(x), Num::Int(y)) = (a, b)
                && x.checked_rem(*y) == Some(0)
            {
                return Ok(Num::Int(x / y));
            }
            let (x, y) = (a.to_big()?, b.to_big()?);
            if (&x % &y) == IBig::ZERO {
                return Ok(integer(x / y));
            }
            if flags.prefer_rationals {
                return Ok(ratio(RBig::from(x) / RBig::from(y)));
            }
        }
        return float_div(flags, a, b);
    }
    if a.is_exact() && b.is_exact() {
        if b.is_zero() {
            return zero_division(flags, a, false);
        }
        return Ok(ratio(a.to_ratio()? / b.to_ratio()?));
    }
    float_div(flags, a, b)
}

fn float_div(flags: &Flags, a: &Num, b: &Num) -> Value {
    let y = operand(flags, b)?;
    if y == 0.0 {
        let x = check(flags, a.raw_f64())?;
        if x == 0.0 || x.is_nan() {
            return float(flags, f64::NAN);
        }
        return zero_division(flags, a, y.is_sign_negative());
    }
    if y.is_infinite() && a.is_exact() {
        return Ok(Num::Int(0));
    }
    let x = operand(flags, a)?;
    let f = x / y;
    if flags.float_rounding != Rounding::Nearest
        && let (Ok(x), Ok(y)) = (RBig::try_from(x), RBig::try_from(y))
    {
        return float(flags, rounded(flags, f, &(x / y)));
    }
    float(flags, f)
}

/// `-A`.
pub fn neg(a: &Num) -> Value {
    Ok(match a {
        Num::Int(i) => i.checked_neg().map_or_else(|| Num::Big(-IBig::from(*i)), Num::Int),
        Num::Big(b) => integer(-b.clone()),
        Num::Rat(r) => Num::Rat(Box::new(-(**r).clone())),
        Num::Float(f) => Num::Float(-f),
    })
}

/// `abs(A)`.
pub fn abs(a: &Num) -> Value {
    match a {
        Num::Float(f) => Ok(Num::Float(f.abs())),
        _ if a.sign() < 0 => neg(a),
        _ => Ok(a.clone()),
    }
}

/// `sign(A)`.
pub fn sign(a: &Num) -> Value {
    Ok(match a {
        Num::Float(f) if f.is_nan() => Num::Float(*f),
        Num::Float(_) => Num::Float(a.sign() as f64),
        _ => Num::Int(a.sign() as i64),
    })
}

/// `max(A, B)`: a NaN loses; of equal numbers the float wins.
pub fn max(a: &Num, b: &Num) -> Value {
    Ok(pick(a, b, Ordering::Greater))
}

/// `min(A, B)`.
pub fn min(a: &Num, b: &Num) -> Value {
    Ok(pick(a, b, Ordering::Less))
}

fn pick(a: &Num, b: &Num, want: Ordering) -> Num {
    match compare(a, b) {
        None => {
            if matches!(a, Num::Float(f) if f.is_nan()) {
                b.clone()
            } else {
                a.clone()
            }
        }
        Some(Ordering::Equal) => {
            let lowest = |n: &Num| matches!(n, Num::Float(f) if *f == 0.0 && f.is_sign_negative());
            if lowest(a) != lowest(b) {
                return if lowest(a) == (want == Ordering::Less) { a.clone() } else { b.clone() };
            }
            if a.is_exact() { b.clone() } else { a.clone() }
        }
        Some(o) => {
            if o == want {
                a.clone()
            } else {
                b.clone()
            }
        }
    }
}

/// The ways to make an integer.
#[derive(Clone, Copy)]
pub enum Toward {
    Nearest,
    Zero,
    Up,
    Down,
}

/// `integer/1`, `round/1`, `truncate/1`, `ceiling/1`, `floor/1`: infinities and NaN stay as they are.
pub fn to_integer(a: &Num, how: Toward) -> Value {
    match a {
        Num::Float(f) => {
            if !f.is_finite() {
                return Ok(a.clone());
            }
            let r = match how {
                Toward::Nearest => f.round(),
                Toward::Zero => f.trunc(),
                Toward::Up => f.ceil(),
                Toward::Down => f.floor(),
            };
            Ok(integral(r))
        }
        Num::Rat(r) => {
            let (n, d) = (r.numerator().clone(), IBig::from(r.denominator().clone()));
            let floor = |n: &IBig, d: &IBig| {
                let q = n / d;
                if *n < IBig::ZERO && &q * d != *n { q - IBig::ONE } else { q }
            };
            Ok(integer(match how {
                Toward::Zero => n / d,
                Toward::Down => floor(&n, &d),
                Toward::Up => floor(&n, &d) + IBig::ONE,
                Toward::Nearest => {
                    let two = IBig::from(2);
                    let q = (n.clone().abs() * &two + &d) / (d * two);
                    if n < IBig::ZERO { -q } else { q }
                }
            }))
        }
        _ => Ok(a.clone()),
    }
}

/// The integer a float without fraction stands for.
pub fn integral(f: f64) -> Num {
    if f.abs() < 9.0e18 {
        return Num::Int(f as i64);
    }
    IBig::try_from(f).map_or(Num::Float(f), integer)
}

/// `float_integer_part(A)`.
pub fn integer_part(flags: &Flags, a: &Num) -> Value {
    match a {
        Num::Float(f) => float(flags, f.trunc()),
        _ => to_integer(a, Toward::Zero),
    }
}

/// `float_fractional_part(A)`.
pub fn fractional_part(flags: &Flags, a: &Num) -> Value {
    match a {
        Num::Float(f) if f.is_infinite() => Ok(Num::Float(0.0_f64.copysign(*f))),
        Num::Float(f) => float(flags, (f - f.trunc()).copysign(*f)),
        Num::Rat(_) => sub(flags, a, &to_integer(a, Toward::Zero)?),
        _ => Ok(Num::Int(0)),
    }
}

/// `rational(A)`: exactly the value of the float.
pub fn rational(a: &Num) -> Value {
    match a {
        Num::Float(f) => {
            finite(*f)?;
            RBig::try_from(*f).map(ratio).map_err(|_| Fault::Eval("undefined"))
        }
        _ => Ok(a.clone()),
    }
}

fn finite(f: f64) -> Value<()> {
    if f.is_nan() {
        Err(Fault::Eval("undefined"))
    } else if f.is_infinite() {
        Err(Fault::Eval("rational_overflow"))
    } else {
        Ok(())
    }
}

/// `rationalize(A)`: the first convergent of the continued fraction that is the same float.
pub fn rationalize(a: &Num) -> Value {
    let Num::Float(f) = a else { return Ok(a.clone()) };
    finite(*f)?;
    let exact = RBig::try_from(*f).map_err(|_| Fault::Eval("undefined"))?;
    let target = f.abs();
    let (mut n, mut d) = (exact.numerator().clone().abs(), IBig::from(exact.denominator().clone()));
    let (mut p0, mut q0, mut p1, mut q1) = (IBig::ZERO, IBig::ONE, IBig::ONE, IBig::ZERO);
    while d != IBig::ZERO {
        let r = &n / &d;
        let p2 = &r * &p1 + &p0;
        let q2 = &r * &q1 + &q0;
        let rest = &n - &r * &d;
        (p0, q0, p1, q1) = (p1, q1, p2, q2);
        if (RBig::from(p1.clone()) / RBig::from(q1.clone())).to_f64().value() == target {
            break;
        }
        n = std::mem::replace(&mut d, rest);
    }
    let r = RBig::from(p1) / RBig::from(q1);
    Ok(ratio(if *f < 0.0 { -r } else { r }))
}

/// `copysign(A, B)`; an exact number stays exact.
pub fn copysign(a: &Num, b: &Num) -> Value {
    let negative = match b {
        Num::Float(f) => f.is_sign_negative(),
        _ => b.sign() < 0,
    };
    match a {
        Num::Float(f) => Ok(Num::Float(f.copysign(if negative { -1.0 } else { 1.0 }))),
        _ if (a.sign() < 0) != negative => neg(a),
        _ => Ok(a.clone()),
    }
}
