//! Evaluation of arithmetic: `is/2`, comparison, and the entry points of compiled code.

pub mod basic;
pub mod floats;
pub mod ints;
pub mod num;
pub mod power;
pub mod random;

use crate::atom::{self, Atom, AtomTable};
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::flags::Rounding;
use crate::heap::Term;
use crate::machine::Machine;
use basic::Toward;
use dashu_int::UBig;
use num::{Fault, Num, Value, load, raise, store};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// What arithmetic keeps between evaluations.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Random numbers.
    pub random: random::Random,
    /// Clock value at which `cputime` began to count.
    pub cpu_start: Option<f64>,
}

macro_rules! ops {
    ($($name:ident = $text:literal / $arity:literal),* $(,)?) => {
        /// An evaluable function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[repr(u8)]
        pub enum Op { $($name),* }

        /// Name and arity of every function, for `current_arithmetic_function/1`.
        pub const FUNCTIONS: &[(&str, usize)] = &[("roundtoward", 2), $(($text, $arity)),*];

        impl Op {
            /// Name of the function.
            pub fn name(self) -> &'static str {
                match self { $(Op::$name => $text),* }
            }
        }

        fn by_text(text: &str, arity: usize) -> Option<Op> {
            match (arity, text) {
                $(($arity, $text) => Some(Op::$name),)*
                _ => None,
            }
        }
    };
}

ops! {
    Add = "+"/2, Sub = "-"/2, Mul = "*"/2, Div = "/"/2, Quotient = "//"/2, Mod = "mod"/2, Rem = "rem"/2, FloorDiv = "div"/2,
    Rdiv = "rdiv"/2, Gcd = "gcd"/2, Lcm = "lcm"/2, Min = "min"/2, Max = "max"/2, Power = "**"/2, Caret = "^"/2, Shr = ">>"/2, Shl = "<<"/2,
    And = "/\\"/2, Or = "\\/"/2, Xor = "xor"/2, Atan2 = "atan2"/2, AtanOf = "atan"/2, Copysign = "copysign"/2, Nexttoward = "nexttoward"/2,
    Truncate = "truncate"/1, Trunc = "trunc"/1, Integer = "integer"/1, Ceiling = "ceiling"/1, Floor = "floor"/1, Round = "round"/1,
    Neg = "-"/1, Pos = "+"/1, Abs = "abs"/1, Sign = "sign"/1, Not = "\\"/1, Msb = "msb"/1, Lsb = "lsb"/1, Popcount = "popcount"/1,
    Getbit = "getbit"/2, LogBase = "log"/2, Plus = "plus"/2, Succ = "succ"/1, Eval = "eval"/1, ToFloat = "float"/1,
    IntegerPart = "float_integer_part"/1, FractionalPart = "float_fractional_part"/1, Sqrt = "sqrt"/1, Sin = "sin"/1, Cos = "cos"/1, Tan = "tan"/1,
    Asin = "asin"/1, Acos = "acos"/1, Atan = "atan"/1, Sinh = "sinh"/1, Cosh = "cosh"/1, Tanh = "tanh"/1, Asinh = "asinh"/1, Acosh = "acosh"/1,
    Atanh = "atanh"/1, Cot = "cot"/1, Acot = "acot"/1, Exp = "exp"/1, Log = "log"/1, Log2 = "log2"/1, Erf = "erf"/1, Erfc = "erfc"/1, Lgamma = "lgamma"/1,
    Rational = "rational"/1, Rationalize = "rationalize"/1, Numerator = "numerator"/1, Denominator = "denominator"/1, RandomBelow = "random"/1,
    Powm = "powm"/3,
    Pi = "pi"/0, E = "e"/0, Inf = "inf"/0, Infinite = "infinite"/0, Nan = "nan"/0, Epsilon = "epsilon"/0, MaxTagged = "max_tagged_integer"/0,
    MinTagged = "min_tagged_integer"/0, MaxInteger = "max_integer"/0, MinInteger = "min_integer"/0, RandomNumber = "random"/0, RandomFloat = "random_float"/0,
    Cputime = "cputime"/0, Realtime = "realtime"/0,
}

impl Op {
    /// Addition, which compiled code has an instruction for.
    pub const ADD: Op = Op::Add;

    /// The function of this name and arity. `roundtoward/2`, which does not take evaluated arguments, is none.
    pub fn lookup(atoms: &AtomTable, name: Atom, arity: usize) -> Option<Op> {
        if arity == 2 {
            match name {
                atom::PLUS => return Some(Op::Add),
                atom::MINUS => return Some(Op::Sub),
                atom::STAR => return Some(Op::Mul),
                atom::SLASH => return Some(Op::Div),
                atom::INT_DIV => return Some(Op::Quotient),
                atom::MOD => return Some(Op::Mod),
                _ => {}
            }
        }
        if name == atom::NIL || name == atom::DICT { None } else { by_text(atoms.text(name), arity) }
    }
}

/// Value of an expression, as a number on the heap.
///
/// Errors as SWI-Prolog: instantiation errors, `type_error(evaluable, Name/Arity)`, evaluation errors, and
/// `resource_error(memory)` for integers beyond the flag `max_integer_bits`.
#[inline]
pub fn eval(m: &mut Machine, c: Cell) -> Res<Cell> {
    let c = m.heap.deref(c);
    if c.is_small() {
        return Ok(c);
    }
    if let Term::Compound(a, name, 2) = m.heap.view(c) {
        let (x, y) = (m.heap.deref(m.heap.cells[a + 1]), m.heap.deref(m.heap.cells[a + 2]));
        if x.is_small()
            && y.is_small()
            && let Some(op) = Op::lookup(&m.heap.atoms, name, 2)
        {
            return binary(m, op, x, y);
        }
    }
    let rounding = m.flags.float_rounding;
    let r = evaluate(m, c);
    m.flags.float_rounding = rounding;
    r
}

enum Work {
    Eval(Cell),
    /// The compound at this address, its arguments' values are on top of the values.
    Apply(usize),
    /// The end of `roundtoward/2`.
    Rounding(Rounding),
}

fn evaluate(m: &mut Machine, c: Cell) -> Res<Cell> {
    let mut work: SmallVec<[Work; 16]> = SmallVec::new();
    let mut values: SmallVec<[Cell; 16]> = SmallVec::new();
    work.push(Work::Eval(c));
    let limit = m.heap.cells.len().saturating_mul(2).saturating_add(64);
    while let Some(w) = work.pop() {
        match w {
            Work::Rounding(r) => m.flags.float_rounding = r,
            Work::Eval(c) => match m.heap.view(c) {
                Term::Int(_) | Term::Big(_) | Term::Rational(_) | Term::Float(_) => values.push(m.heap.deref(c)),
                Term::Var(_) | Term::Attributed(_) => return Err(error::instantiation(&mut m.heap)),
                Term::Atom(a) => {
                    let v = constant(m, a)?;
                    values.push(v);
                }
                Term::Str(_) | Term::List(_) => {
                    let v = character(m, c)?;
                    values.push(v);
                }
                Term::Compound(_, _, 0) => return Err(error::type_error(&mut m.heap, atom::EVALUABLE, c)),
                Term::Compound(a, name, n) => {
                    if n == 2 && m.heap.atoms.text(name) == "roundtoward" {
                        let mode = rounding_mode(m, m.heap.cells[a + 2])?;
                        work.push(Work::Rounding(m.flags.float_rounding));
                        m.flags.float_rounding = mode;
                        work.push(Work::Eval(m.heap.cells[a + 1]));
                        continue;
                    }
                    work.push(Work::Apply(a));
                    work.extend(m.heap.cells[a + 1..a + 1 + n].iter().map(|&x| Work::Eval(x)));
                    if work.len() > limit {
                        // No acyclic expression has that many open functions.
                        return Err(error::type_error_named(&mut m.heap, "acyclic_term", c));
                    }
                }
            },
            Work::Apply(a) => {
                let h = m.heap.cells[a];
                let (name, n) = (h.functor_name(), h.functor_arity());
                let Some(op) = Op::lookup(&m.heap.atoms, name, n) else { return Err(not_evaluable(m, name, n)) };
                let mut next = || values.pop().unwrap_or(Cell::small(0));
                let v = match n {
                    1 => {
                        let x = next();
                        unary(m, op, x)?
                    }
                    2 => {
                        let (x, y) = (next(), next());
                        binary(m, op, x, y)?
                    }
                    _ => {
                        let (x, y, z) = (next(), next(), next());
                        ternary(m, op, x, y, z)?
                    }
                };
                values.push(v);
            }
        }
    }
    Ok(values.pop().unwrap_or(Cell::small(0)))
}

/// `type_error(evaluable, Name/Arity)`.
fn not_evaluable(m: &mut Machine, name: Atom, arity: usize) -> Throw {
    let pi = m.heap.indicator(name, arity);
    error::type_error(&mut m.heap, atom::EVALUABLE, pi)
}

fn rounding_mode(m: &mut Machine, c: Cell) -> Res<Rounding> {
    let Term::Atom(a) = m.heap.view(c) else { return Err(error::type_error(&mut m.heap, atom::ATOM, c)) };
    match m.heap.atoms.text(a) {
        "to_nearest" => Ok(Rounding::Nearest),
        "to_positive" => Ok(Rounding::Positive),
        "to_negative" => Ok(Rounding::Negative),
        "to_zero" => Ok(Rounding::Zero),
        _ => Err(error::domain(&mut m.heap, "round", c)),
    }
}

/// Value of an atom.
fn constant(m: &mut Machine, a: Atom) -> Res<Cell> {
    if a == atom::NIL {
        return Err(error::type_error(&mut m.heap, atom::EVALUABLE, Cell::NIL));
    }
    let Some(op) = Op::lookup(&m.heap.atoms, a, 0) else { return Err(not_evaluable(m, a, 0)) };
    let n = match op {
        Op::Pi => Num::Float(std::f64::consts::PI),
        Op::E => Num::Float(std::f64::consts::E),
        Op::Inf | Op::Infinite => Num::Float(f64::INFINITY),
        Op::Nan => Num::Float(f64::NAN),
        Op::Epsilon => Num::Float(f64::EPSILON),
        Op::MaxTagged => Num::Int(crate::cell::SMALL_MAX),
        Op::MinTagged => Num::Int(crate::cell::SMALL_MIN),
        Op::MaxInteger => Num::Int(i64::MAX),
        Op::MinInteger => Num::Int(i64::MIN),
        Op::RandomNumber | Op::RandomFloat => Num::Float(m.arith.random.float()),
        Op::Cputime => {
            let now = m.host_clock.as_ref().map_or(0.0, |c| c());
            Num::Float((now - *m.arith.cpu_start.get_or_insert(now)).max(0.0))
        }
        Op::Realtime => Num::Int(m.host_clock.as_ref().map_or(0.0, |c| c()) as i64),
        _ => return Err(not_evaluable(m, a, 0)),
    };
    Ok(store(&mut m.heap, n))
}

/// Value of `"c"` and `[X]`: the character's code.
fn character(m: &mut Machine, c: Cell) -> Res<Cell> {
    if let Term::Str(a) = m.heap.view(c) {
        let mut it = m.heap.str_at(a).chars();
        if let (Some(x), None) = (it.next(), it.next()) {
            return Ok(Cell::small(x as i64));
        }
        let formal = m.heap.compound(atom::TYPE_ERROR, &[Cell::NIL, c]);
        return Err(error::iso_message(&mut m.heap, formal, "\"x\" must hold one character"));
    }
    let Some((h, t)) = m.heap.pair(c) else { return Err(error::type_error(&mut m.heap, atom::NIL, c)) };
    if m.heap.deref(t) != Cell::NIL {
        return Err(error::type_error(&mut m.heap, atom::NIL, c));
    }
    match m.heap.view(h) {
        Term::Int(i) if (0..=0x10_ffff).contains(&i) => Ok(Cell::small(i)),
        Term::Atom(a) => {
            let mut it = m.heap.atoms.text(a).chars();
            match (it.next(), it.next()) {
                (Some(x), None) => Ok(Cell::small(x as i64)),
                _ => Err(error::type_error(&mut m.heap, atom::CHARACTER, h)),
            }
        }
        _ => Err(error::type_error(&mut m.heap, atom::CHARACTER, h)),
    }
}

/// A number operand; the callers evaluate, so anything else is an error of the program's term.
fn number(m: &mut Machine, c: Cell) -> Res<Num> {
    match load(&m.heap, c) {
        Some(n) => Ok(n),
        None => Err(error::type_error(&mut m.heap, atom::NUMBER, c)),
    }
}

fn finish(m: &mut Machine, op: Op, arity: usize, v: Value) -> Res<Cell> {
    match v {
        Ok(n) => Ok(store(&mut m.heap, n)),
        Err(f) => {
            // Only some errors name the function, as in SWI-Prolog; the machine names the predicate for the others.
            let of_function = matches!(f, Fault::Eval("zero_divisor") | Fault::Type("integer", _));
            let t = raise(&mut m.heap, f);
            let name = if matches!(op, Op::Caret) { "**" } else { op.name() };
            Err(if of_function { error::raised_by(&mut m.heap, t, name, arity) } else { t })
        }
    }
}

/// A function of one evaluated number.
pub fn unary(m: &mut Machine, op: Op, x: Cell) -> Res<Cell> {
    let a = number(m, x)?;
    let f = &m.flags;
    let v = match op {
        Op::Neg => basic::neg(&a),
        Op::Pos | Op::Eval => Ok(a),
        Op::Abs => basic::abs(&a),
        Op::Sign => basic::sign(&a),
        Op::Truncate | Op::Trunc => basic::to_integer(&a, Toward::Zero),
        Op::Integer | Op::Round => basic::to_integer(&a, Toward::Nearest),
        Op::Ceiling => basic::to_integer(&a, Toward::Up),
        Op::Floor => basic::to_integer(&a, Toward::Down),
        Op::IntegerPart => basic::integer_part(f, &a),
        Op::FractionalPart => basic::fractional_part(f, &a),
        Op::Not => ints::not(&a),
        Op::Msb => ints::msb(&a),
        Op::Lsb => ints::lsb(&a),
        Op::Popcount => ints::popcount(&a),
        Op::ToFloat => num::to_f64(f, &a).map(Num::Float),
        Op::Sqrt => floats::sqrt(f, &a),
        Op::Sin => floats::apply(f, &a, f64::sin),
        Op::Cos => floats::apply(f, &a, f64::cos),
        Op::Tan => floats::apply(f, &a, f64::tan),
        Op::Asin => floats::apply(f, &a, f64::asin),
        Op::Acos => floats::apply(f, &a, f64::acos),
        Op::Atan => floats::apply(f, &a, f64::atan),
        Op::Sinh => floats::apply(f, &a, f64::sinh),
        Op::Cosh => floats::apply(f, &a, f64::cosh),
        Op::Tanh => floats::apply(f, &a, f64::tanh),
        Op::Asinh => floats::apply(f, &a, floats::asinh),
        Op::Acosh => floats::apply(f, &a, floats::acosh),
        Op::Atanh => floats::apply(f, &a, floats::atanh),
        Op::Cot => floats::apply(f, &a, |x| 1.0 / x.tan()),
        Op::Acot => floats::apply(f, &a, |x| (1.0 / x).atan()),
        Op::Exp => floats::apply(f, &a, f64::exp),
        Op::Log => floats::apply(f, &a, floats::log),
        Op::Log2 => floats::apply(f, &a, |x| if x < 0.0 { f64::NAN } else { x.log2() }),
        Op::Erf => floats::apply(f, &a, libm::erf),
        Op::Erfc => floats::apply(f, &a, floats::erfc),
        Op::Lgamma => floats::apply(f, &a, floats::lgamma),
        Op::Rational => basic::rational(&a),
        Op::Rationalize => basic::rationalize(&a),
        Op::Numerator => a.to_ratio().map(|r| num::integer(r.into_parts().0)),
        Op::Denominator => a.to_ratio().map(|r| num::integer(r.into_parts().1.into())),
        Op::Succ => match a.to_big() {
            Ok(_) if a.sign() < 0 => Err(Fault::Type("not_less_than_zero", a)),
            Ok(_) => basic::add(f, &a, &Num::Int(1)),
            Err(e) => Err(e),
        },
        Op::RandomBelow => random_below(m, a),
        _ => Err(Fault::Eval("undefined")),
    };
    finish(m, op, 1, v)
}

fn random_below(m: &mut Machine, a: Num) -> Value {
    let a = match a {
        Num::Float(f) if f.is_finite() && f == f.trunc() => basic::integral(f),
        other => other,
    };
    let n = a.to_big()?;
    if a.sign() <= 0 {
        return Err(Fault::Domain("not_less_than_one", a));
    }
    Ok(match UBig::try_from(n) {
        Ok(n) => match u64::try_from(&n) {
            Ok(n) => num::integer(m.arith.random.below(n).into()),
            Err(_) => num::integer(m.arith.random.below_big(&n)),
        },
        Err(_) => Num::Int(0),
    })
}

/// A function of two evaluated numbers.
#[inline]
pub fn binary(m: &mut Machine, op: Op, x: Cell, y: Cell) -> Res<Cell> {
    if x.is_small() && y.is_small() {
        let (a, b) = (x.as_small(), y.as_small());
        let r = match op {
            Op::Add => Some(a + b),
            Op::Sub => Some(a - b),
            Op::Mul => a.checked_mul(b),
            Op::Quotient if b != 0 => Some(a / b),
            Op::Rem if b != 0 => Some(a % b),
            Op::Mod if b != 0 => {
                let r = a % b;
                Some(if r != 0 && (r < 0) != (b < 0) { r + b } else { r })
            }
            Op::Div if b != 0 && !m.flags.iso && a % b == 0 => Some(a / b),
            Op::And => Some(a & b),
            Op::Or => Some(a | b),
            Op::Xor => Some(a ^ b),
            Op::Max => Some(a.max(b)),
            Op::Min => Some(a.min(b)),
            Op::Shr if (0..64).contains(&b) => Some(a >> b),
            _ => None,
        };
        if let Some(r) = r {
            return Ok(m.heap.int(r));
        }
    }
    binary_any(m, op, x, y)
}

fn binary_any(m: &mut Machine, op: Op, x: Cell, y: Cell) -> Res<Cell> {
    let (a, b) = (number(m, x)?, number(m, y)?);
    let f = &m.flags;
    let v = match op {
        Op::Add | Op::Plus => basic::add(f, &a, &b),
        Op::Sub => basic::sub(f, &a, &b),
        Op::Mul => basic::mul(f, &a, &b),
        Op::Div => basic::div(f, &a, &b),
        Op::Quotient => ints::quotient(&a, &b),
        Op::Rem => ints::rem(&a, &b),
        Op::Mod => ints::floor_divide(&a, &b).map(|p| p.1),
        Op::FloorDiv => ints::floor_divide(&a, &b).map(|p| p.0),
        Op::Rdiv => ints::rdiv(f, &a, &b),
        Op::Gcd => ints::gcd(&a, &b),
        Op::Lcm => ints::lcm(f, &a, &b),
        Op::Min => basic::min(&a, &b),
        Op::Max => basic::max(&a, &b),
        Op::Power | Op::Caret => power::power(f, &a, &b),
        Op::Shr => ints::shift(f, &a, &b, false),
        Op::Shl => ints::shift(f, &a, &b, true),
        Op::And => ints::and(&a, &b),
        Op::Or => ints::or(&a, &b),
        Op::Xor => ints::xor(&a, &b),
        Op::Getbit => ints::getbit(&a, &b),
        Op::Atan2 | Op::AtanOf => floats::atan2(f, &a, &b),
        Op::Copysign => basic::copysign(&a, &b),
        Op::Nexttoward => floats::nexttoward(f, &a, &b),
        Op::LogBase => floats::log_base(f, &a, &b),
        _ => Err(Fault::Eval("undefined")),
    };
    finish(m, op, 2, v)
}

fn ternary(m: &mut Machine, op: Op, x: Cell, y: Cell, z: Cell) -> Res<Cell> {
    let (a, b, c) = (number(m, x)?, number(m, y)?, number(m, z)?);
    let v = match op {
        Op::Powm => ints::powm(&a, &b, &c),
        _ => Err(Fault::Eval("undefined")),
    };
    finish(m, op, 3, v)
}

/// Order of two evaluated numbers; `None` when one is a NaN.
#[inline]
pub fn compare(m: &mut Machine, a: Cell, b: Cell) -> Res<Option<Ordering>> {
    if a.is_small() && b.is_small() {
        return Ok(Some(a.as_small().cmp(&b.as_small())));
    }
    let (x, y) = (number(m, a)?, number(m, b)?);
    Ok(num::compare(&x, &y))
}
