//! Prolog flags that change how text is read and how the machine runs.

/// How a quoted text is read (flags `double_quotes`, `back_quotes`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Quotes {
    Codes,
    Chars,
    Atom,
    String,
    /// Only for back quotes: the character is a plain symbol character.
    Symbol,
}

/// Flag `occurs_check`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum OccursCheck {
    False,
    True,
    Error,
}

/// Flag `rational_syntax`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum RationalSyntax {
    /// `1r3` is a rational; the default.
    Compatibility,
    /// `1/3` is a rational.
    Natural,
    Iso,
}

/// Flag `float_rounding`: how results of floating point arithmetic are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Rounding {
    Nearest,
    Positive,
    Negative,
    Zero,
}

/// The flags the reader, the writer, arithmetic and the machine look at. Other flags are kept by
/// `set_prolog_flag/2` as plain terms.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Flags {
    pub double_quotes: Quotes,
    pub back_quotes: Quotes,
    pub rational_syntax: RationalSyntax,
    pub occurs_check: OccursCheck,
    /// `true`: strict ISO mode.
    pub iso: bool,
    /// `true`: integer division that is inexact gives a rational.
    pub prefer_rationals: bool,
    /// `false`: overflowing floats raise, `true`: they become infinity (flag `float_overflow=infinity`).
    pub float_overflow_infinity: bool,
    /// Flag `float_zero_div=infinity`.
    pub float_zero_div_infinity: bool,
    /// Flag `float_undefined=nan`.
    pub float_undefined_nan: bool,
    /// Flag `float_rounding`.
    pub float_rounding: Rounding,
    /// Variables named `Prefix...` only are variables (flag `var_prefix`).
    pub var_prefix: bool,
    pub character_escapes: bool,
    /// Flag `unknown`: an undefined procedure raises (`error`) or fails.
    pub unknown_error: bool,
    /// Flags that only programs look at, by name.
    pub others: std::collections::BTreeMap<String, Other>,
    /// Bits of the largest integer the program may make; beyond it a resource error.
    pub max_integer_bits: usize,
}

impl Default for Flags {
    fn default() -> Self {
        Flags {
            double_quotes: Quotes::String,
            back_quotes: Quotes::Codes,
            rational_syntax: RationalSyntax::Compatibility,
            occurs_check: OccursCheck::False,
            iso: false,
            prefer_rationals: false,
            float_overflow_infinity: false,
            float_zero_div_infinity: false,
            float_undefined_nan: false,
            float_rounding: Rounding::Nearest,
            var_prefix: false,
            character_escapes: true,
            unknown_error: true,
            others: Default::default(),
            max_integer_bits: 64 << 20,
        }
    }
}

/// What values a flag takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum FlagType {
    Boolean,
    Atom,
    Integer,
    Float,
    Term,
}

/// A flag that the engine itself does not look at.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Other {
    pub value: Vec<Token>,
    pub kind: FlagType,
    pub read_only: bool,
}

/// A term outside the heap, flat: every compound before its arguments. No atom number is kept, so
/// that flags need no care from the collector and can be saved.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Token {
    Nil,
    Dict(usize),
    Atom(String),
    Int(i64),
    /// Decimal digits.
    Big(String),
    /// Numerator and denominator.
    Rational(String, String),
    Float(f64),
    Str(String),
    /// Variables are numbered by their first occurrence.
    Var(usize),
    Pair,
    Compound(String, usize),
}
