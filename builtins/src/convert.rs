//! Rust values and terms: what typed predicates take and give.

use crate::{json, show};
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;
use deepclause_engine::machine::Machine;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A term is not what an argument wants.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}{}", if path.is_empty() { String::new() } else { format!(" at {path}") })]
pub struct Mismatch {
    /// Prolog's name of the wanted type.
    pub expected: String,
    /// Where in the argument, such as `[2].name`; empty for the argument itself.
    pub path: String,
}

impl Mismatch {
    fn new(expected: &str) -> Mismatch {
        Mismatch { expected: expected.into(), path: String::new() }
    }
}

/// A value that can be read from a term.
pub trait FromTerm: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// The term has another type.
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch>;
}

/// A value that can be made a term.
pub trait ToTerm {
    /// Builds the term.
    fn to_term(&self, m: &mut Machine) -> Cell;
}

impl FromTerm for i64 {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        match m.heap.view(c) {
            Term::Int(i) => Ok(i),
            Term::Big(a) => i64::try_from(&m.heap.big(a)).map_err(|_| Mismatch::new("int64")),
            _ => Err(Mismatch::new("integer")),
        }
    }
}
impl ToTerm for i64 {
    fn to_term(&self, m: &mut Machine) -> Cell {
        m.heap.int(*self)
    }
}

impl FromTerm for f64 {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        match m.heap.view(c) {
            Term::Int(i) => Ok(i as f64),
            Term::Float(f) => Ok(f),
            _ => Err(Mismatch::new("float")),
        }
    }
}
impl ToTerm for f64 {
    fn to_term(&self, m: &mut Machine) -> Cell {
        m.heap.float(*self)
    }
}

impl FromTerm for bool {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        match m.heap.view(c) {
            Term::Atom(atom::TRUE) => Ok(true),
            Term::Atom(atom::FALSE) => Ok(false),
            _ => Err(Mismatch::new("bool")),
        }
    }
}
impl ToTerm for bool {
    fn to_term(&self, _: &mut Machine) -> Cell {
        Cell::atom(if *self { atom::TRUE } else { atom::FALSE })
    }
}

impl FromTerm for String {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        match m.heap.view(c) {
            Term::Str(_) | Term::Atom(_) | Term::Int(_) | Term::Float(_) | Term::Big(_) | Term::Rational(_) => Ok(show::text(m, c)),
            _ => Err(Mismatch::new("text")),
        }
    }
}
impl ToTerm for String {
    fn to_term(&self, m: &mut Machine) -> Cell {
        m.heap.string(self)
    }
}
impl ToTerm for &str {
    fn to_term(&self, m: &mut Machine) -> Cell {
        m.heap.string(self)
    }
}

/// An atom, by its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol(pub String);

impl FromTerm for Symbol {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        match m.heap.view(c) {
            Term::Atom(a) => Ok(Symbol(m.heap.atoms.text(a).to_string())),
            _ => Err(Mismatch::new("atom")),
        }
    }
}
impl ToTerm for Symbol {
    fn to_term(&self, m: &mut Machine) -> Cell {
        m.heap.atom(&self.0)
    }
}

impl<T: FromTerm> FromTerm for Vec<T> {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        let items = m.heap.list_to_vec(c).map_err(|_| Mismatch::new("list"))?;
        let mut out = Vec::with_capacity(items.len());
        for (i, &x) in items.iter().enumerate() {
            out.push(T::from_term(m, x).map_err(|e| Mismatch { path: format!("[{i}]{}", e.path), ..e })?);
        }
        Ok(out)
    }
}
impl<T: ToTerm> ToTerm for Vec<T> {
    fn to_term(&self, m: &mut Machine) -> Cell {
        let cells: Vec<Cell> = self.iter().map(|x| x.to_term(m)).collect();
        m.heap.list_from(&cells)
    }
}

/// `None` is an unbound variable.
impl<T: FromTerm> FromTerm for Option<T> {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        if m.heap.is_var(c) { Ok(None) } else { T::from_term(m, c).map(Some) }
    }
}
impl<T: ToTerm> ToTerm for Option<T> {
    fn to_term(&self, m: &mut Machine) -> Cell {
        match self {
            Some(v) => v.to_term(m),
            None => m.heap.new_var(),
        }
    }
}

/// JSON, as [`crate::json`] describes.
impl FromTerm for Value {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        json::from_term(&m.heap, c, &|c| show::text(m, c)).map_err(|e| Mismatch { expected: "json".into(), path: e.to_string() })
    }
}
impl ToTerm for Value {
    fn to_term(&self, m: &mut Machine) -> Cell {
        json::to_term(&mut m.heap, self).unwrap_or(Cell::NIL)
    }
}

/// Any serde type as one argument, by way of JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Ser<T>(pub T);

impl<T: DeserializeOwned> FromTerm for Ser<T> {
    fn from_term(m: &Machine, c: Cell) -> Result<Self, Mismatch> {
        let v = Value::from_term(m, c)?;
        serde_json::from_value(v).map(Ser).map_err(|e| Mismatch { expected: e.to_string(), path: String::new() })
    }
}
impl<T: Serialize> ToTerm for Ser<T> {
    fn to_term(&self, m: &mut Machine) -> Cell {
        serde_json::to_value(&self.0).map_or(Cell::NIL, |v| v.to_term(m))
    }
}

/// The first arguments of a predicate: what it takes.
pub trait FromArgs: Sized {
    /// How many.
    const N: usize;
    /// Reads them.
    ///
    /// # Errors
    /// The number of the argument, from 0, and what is wrong with it.
    fn from_args(m: &Machine, a: &[Cell]) -> Result<Self, (usize, Mismatch)>;
}

/// The last arguments of a predicate: what it gives.
pub trait ToArgs {
    /// How many.
    const N: usize;
    /// Builds them.
    fn to_args(&self, m: &mut Machine) -> Vec<Cell>;
}

macro_rules! tuples {
    ($($n:literal => ($($t:ident $i:tt),*);)*) => { $(
        impl<$($t: FromTerm),*> FromArgs for ($($t,)*) {
            const N: usize = $n;
            #[allow(unused_variables, reason = "the empty tuple uses neither")]
            fn from_args(m: &Machine, a: &[Cell]) -> Result<Self, (usize, Mismatch)> {
                Ok(($($t::from_term(m, a.get($i).copied().unwrap_or(Cell::NIL)).map_err(|e| ($i, e))?,)*))
            }
        }
        impl<$($t: ToTerm),*> ToArgs for ($($t,)*) {
            const N: usize = $n;
            #[allow(unused_variables, reason = "the empty tuple uses neither")]
            fn to_args(&self, m: &mut Machine) -> Vec<Cell> {
                vec![$(self.$i.to_term(m)),*]
            }
        }
    )* };
}
tuples! {
    0 => ();
    1 => (A 0);
    2 => (A 0, B 1);
    3 => (A 0, B 1, C 2);
    4 => (A 0, B 1, C 2, D 3);
    5 => (A 0, B 1, C 2, D 3, E 4);
}
