//! Functions on integers.

use super::basic::bits;
use super::num::*;
use crate::flags::Flags;
use dashu_base::{Abs, BitTest, Gcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

fn zero_divisor() -> Fault {
    Fault::Eval("zero_divisor")
}

/// Both operands as integers, the first one's type error first.
fn both(a: &Num, b: &Num) -> Value<(IBig, IBig)> {
    Ok((a.to_big()?, b.to_big()?))
}

/// Both as machine integers, a divisor that is not 0 or -1.
fn small(a: &Num, b: &Num) -> Option<(i64, i64)> {
    match (a, b) {
        (Num::Int(x), Num::Int(y)) if *y > 0 || *y < -1 => Some((*x, *y)),
        _ => None,
    }
}

/// `A // B`: rounds to zero.
pub fn quotient(a: &Num, b: &Num) -> Value {
    if let Some((x, y)) = small(a, b) {
        return Ok(Num::Int(x / y));
    }
    let (x, y) = both(a, b)?;
    if y == IBig::ZERO { Err(zero_divisor()) } else { Ok(integer(x / y)) }
}

/// `A rem B`.
pub fn rem(a: &Num, b: &Num) -> Value {
    if let Some((x, y)) = small(a, b) {
        return Ok(Num::Int(x % y));
    }
    let (x, y) = both(a, b)?;
    if y == IBig::ZERO { Err(zero_divisor()) } else { Ok(integer(x % y)) }
}

/// `A div B` and `A mod B`: rounds down, the remainder has the divisor's sign.
pub fn floor_divide(a: &Num, b: &Num) -> Value<(Num, Num)> {
    if let Some((x, y)) = small(a, b) {
        let (q, r) = (x / y, x % y);
        return Ok(if r != 0 && (r < 0) != (y < 0) { (Num::Int(q - 1), Num::Int(r + y)) } else { (Num::Int(q), Num::Int(r)) });
    }
    let (x, y) = both(a, b)?;
    if y == IBig::ZERO {
        return Err(zero_divisor());
    }
    let q = &x / &y;
    let r = x - &q * &y;
    if r != IBig::ZERO && (r < IBig::ZERO) != (y < IBig::ZERO) {
        return Ok((integer(q - IBig::ONE), integer(r + y)));
    }
    Ok((integer(q), integer(r)))
}

/// `A rdiv B`.
pub fn rdiv(flags: &Flags, a: &Num, b: &Num) -> Value {
    let (x, y) = (a.to_ratio()?, b.to_ratio()?);
    if y == RBig::ZERO { super::basic::zero_division(flags, a, false) } else { Ok(ratio(x / y)) }
}

/// `gcd(A, B)`.
pub fn gcd(a: &Num, b: &Num) -> Value {
    let (x, y) = both(a, b)?;
    if x == IBig::ZERO || y == IBig::ZERO {
        return Ok(integer((x + y).abs()));
    }
    Ok(integer(IBig::from(x.gcd(y))))
}

/// `lcm(A, B)`.
pub fn lcm(flags: &Flags, a: &Num, b: &Num) -> Value {
    let (x, y) = both(a, b)?;
    if x == IBig::ZERO || y == IBig::ZERO {
        return Ok(Num::Int(0));
    }
    if bits(a).saturating_add(bits(b)) > flags.max_integer_bits.saturating_add(128) {
        return Err(Fault::Memory);
    }
    let g = IBig::from((&x).gcd(&y));
    Ok(integer((x / g * y).abs()))
}

/// The bitwise functions of two integers.
pub fn and(a: &Num, b: &Num) -> Value {
    let (x, y) = both(a, b)?;
    Ok(integer(x & y))
}

/// `A \/ B`.
pub fn or(a: &Num, b: &Num) -> Value {
    let (x, y) = both(a, b)?;
    Ok(integer(x | y))
}

/// `A xor B`.
pub fn xor(a: &Num, b: &Num) -> Value {
    let (x, y) = both(a, b)?;
    Ok(integer(x ^ y))
}

/// `\ A`.
pub fn not(a: &Num) -> Value {
    Ok(integer(!a.to_big()?))
}

/// `A << B` (`left`) and `A >> B`; a negative distance shifts the other way.
pub fn shift(flags: &Flags, a: &Num, b: &Num, left: bool) -> Value {
    let (x, distance) = both(a, b)?;
    let left = left == (distance >= IBig::ZERO);
    let n = usize::try_from(distance.abs());
    if left {
        if x == IBig::ZERO {
            return Ok(Num::Int(0));
        }
        match n {
            Ok(n) if bits(a).saturating_add(n) <= flags.max_integer_bits => Ok(integer(x << n)),
            _ => Err(Fault::Memory),
        }
    } else {
        match n {
            Ok(n) if n < bits(a) + 1 => Ok(integer(x >> n)),
            _ => Ok(Num::Int(if x < IBig::ZERO { -1 } else { 0 })),
        }
    }
}

fn positive(a: &Num) -> Value<UBig> {
    let x = a.to_big()?;
    if x <= IBig::ZERO { Err(Fault::Domain("not_less_than_one", a.clone())) } else { natural(a) }
}

fn natural(a: &Num) -> Value<UBig> {
    let x = a.to_big()?;
    UBig::try_from(x).map_err(|_| Fault::Domain("not_less_than_zero", a.clone()))
}

/// `msb(A)`.
pub fn msb(a: &Num) -> Value {
    Ok(Num::Int(positive(a)?.bit_len() as i64 - 1))
}

/// `lsb(A)`.
pub fn lsb(a: &Num) -> Value {
    Ok(Num::Int(positive(a)?.trailing_zeros().unwrap_or(0) as i64))
}

/// `popcount(A)`.
pub fn popcount(a: &Num) -> Value {
    Ok(Num::Int(natural(a)?.as_words().iter().map(|w| i64::from(w.count_ones())).sum()))
}

/// `getbit(A, I)`.
pub fn getbit(a: &Num, i: &Num) -> Value {
    let (x, i) = (natural(a)?, natural(i)?);
    Ok(Num::Int(usize::try_from(&i).is_ok_and(|i| x.bit(i)) as i64))
}

/// `powm(B, E, M)`: `B^E mod M`.
pub fn powm(b: &Num, e: &Num, m: &Num) -> Value {
    let (base, e, m) = (natural(b)?, natural(e)?, positive(m)?);
    let mut result = UBig::ONE % &m;
    let mut square = base % &m;
    for i in 0..e.bit_len() {
        if e.bit(i) {
            result = result * &square % &m;
        }
        square = &square * &square % &m;
    }
    Ok(integer(IBig::from(result)))
}

/// Integer root of a natural number, rounded down.
pub fn natural_root(x: &UBig, n: usize) -> UBig {
    if n <= 1 || *x <= UBig::ONE {
        return x.clone();
    }
    if n >= x.bit_len() {
        return UBig::ONE;
    }
    // Newton's iteration from above.
    let mut r = UBig::ONE << (x.bit_len() / n + 1);
    loop {
        let p = r.pow(n - 1);
        let next = (&r * UBig::from(n - 1) + x / p) / UBig::from(n);
        if next >= r {
            return r;
        }
        r = next;
    }
}

/// `nth_integer_root_and_remainder/4`: the root of `x`, rounded to zero, and what is left.
pub fn root_and_remainder(n: &Num, x: &Num) -> Value<(Num, Num)> {
    let index = n.to_big()?;
    let value = x.to_big()?;
    if index < IBig::ONE {
        return Err(Fault::Domain("not_less_than_one", n.clone()));
    }
    let even = !index.bit(0);
    if even && value < IBig::ZERO {
        return Err(Fault::Eval("undefined"));
    }
    let magnitude = UBig::try_from(value.clone().abs()).unwrap_or(UBig::ZERO);
    let k = usize::try_from(&index).unwrap_or(usize::MAX);
    let root = natural_root(&magnitude, k);
    let rest = if root <= UBig::ONE { &magnitude - &root } else { &magnitude - root.pow(k) };
    let negative = value < IBig::ZERO;
    let signed = |u: UBig| if negative { -IBig::from(u) } else { IBig::from(u) };
    Ok((integer(signed(root)), integer(signed(rest))))
}
