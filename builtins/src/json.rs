//! JSON values and terms.
//!
//! | JSON | term |
//! |---|---|
//! | string | string |
//! | number | integer (of any size) or float |
//! | `true`, `false`, `null` | the atoms |
//! | array | list |
//! | object | dict with the tag `dict`, keys are atoms |
//!
//! The other way, atoms are strings too (`true`, `false`, `null` stay literals), and any other compound is its printed form.

use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::{Heap, Term};
use serde_json::{Map, Number, Value};

/// Values nested deeper than this are refused, in both directions.
pub const MAX_DEPTH: usize = 500;

/// Why a value has no counterpart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    #[error("the value is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    #[error("the list at {0} has no end")]
    PartialList(String),
}

/// The term of a JSON value.
///
/// # Errors
/// [`ConvertError::TooDeep`].
pub fn to_term(heap: &mut Heap, v: &Value) -> Result<Cell, ConvertError> {
    build(heap, v, 0)
}

fn build(heap: &mut Heap, v: &Value, depth: usize) -> Result<Cell, ConvertError> {
    if depth > MAX_DEPTH {
        return Err(ConvertError::TooDeep);
    }
    Ok(match v {
        Value::Null => Cell::atom(atom::NULL),
        Value::Bool(true) => Cell::atom(atom::TRUE),
        Value::Bool(false) => Cell::atom(atom::FALSE),
        Value::Number(n) => number(heap, n),
        Value::String(s) => heap.string(s),
        Value::Array(items) => {
            let mut cells = Vec::with_capacity(items.len());
            for i in items {
                cells.push(build(heap, i, depth + 1)?);
            }
            heap.list_from(&cells)
        }
        Value::Object(map) => {
            let mut pairs = Vec::with_capacity(map.len());
            for (k, v) in map {
                let v = build(heap, v, depth + 1)?;
                pairs.push((heap.atoms.intern(k), v));
            }
            dict(heap, "dict", pairs)
        }
    })
}

fn number(heap: &mut Heap, n: &Number) -> Cell {
    if let Some(i) = n.as_i64() {
        return heap.int(i);
    }
    if let Some(u) = n.as_u64() {
        return heap.integer(&u.into());
    }
    heap.float(n.as_f64().unwrap_or(f64::NAN))
}

/// A dict of these pairs; keys must be distinct.
pub fn dict(heap: &mut Heap, tag: &str, mut pairs: Vec<(atom::Atom, Cell)>) -> Cell {
    pairs.sort_by(|a, b| heap.atoms.text(a.0).cmp(heap.atoms.text(b.0)));
    let mut args = Vec::with_capacity(1 + pairs.len() * 2);
    args.push(heap.atom(tag));
    for (k, v) in pairs {
        args.push(v);
        args.push(Cell::atom(k));
    }
    heap.compound_any(atom::DICT, &args)
}

/// The JSON value of a term. `print` gives the text of a term that has no JSON form of its own.
///
/// # Errors
/// Too deep, or a list without an end.
pub fn from_term(heap: &Heap, c: Cell, print: &dyn Fn(Cell) -> String) -> Result<Value, ConvertError> {
    take(heap, c, print, &mut String::from("$"), 0)
}

fn take(heap: &Heap, c: Cell, print: &dyn Fn(Cell) -> String, path: &mut String, depth: usize) -> Result<Value, ConvertError> {
    if depth > MAX_DEPTH {
        return Err(ConvertError::TooDeep);
    }
    Ok(match heap.view(c) {
        Term::Atom(atom::NIL) => Value::Array(Vec::new()),
        Term::Atom(atom::TRUE) => Value::Bool(true),
        Term::Atom(atom::FALSE) => Value::Bool(false),
        Term::Atom(atom::NULL) => Value::Null,
        Term::Atom(a) => Value::String(heap.atoms.text(a).to_string()),
        Term::Str(a) => Value::String(heap.str_at(a).to_string()),
        Term::Int(i) => Value::from(i),
        Term::Float(f) => Number::from_f64(f).map_or_else(|| Value::String(print(c)), Value::Number),
        Term::Big(a) => {
            let i = heap.big(a);
            i64::try_from(&i)
                .map(Value::from)
                .or_else(|_| u64::try_from(&i).map(Value::from))
                .unwrap_or_else(|_| Value::String(i.to_string()))
        }
        Term::List(_) => {
            let items = heap.list_to_vec(c).map_err(|_| ConvertError::PartialList(path.clone()))?;
            let mut out = Vec::with_capacity(items.len());
            let keep = path.len();
            for (i, &x) in items.iter().enumerate() {
                path.push_str(&format!("[{i}]"));
                out.push(take(heap, x, print, path, depth + 1)?);
                path.truncate(keep);
            }
            Value::Array(out)
        }
        Term::Compound(a, atom::DICT, n) if n % 2 == 1 => {
            let mut map = Map::with_capacity(n / 2);
            let keep = path.len();
            for i in 0..n / 2 {
                let (v, k) = (heap.cells[a + 2 + 2 * i], heap.cells[a + 3 + 2 * i]);
                let key = match heap.view(k) {
                    Term::Atom(k) => heap.atoms.text(k).to_string(),
                    Term::Int(k) => k.to_string(),
                    _ => print(k),
                };
                path.push('.');
                path.push_str(&key);
                let v = take(heap, v, print, path, depth + 1)?;
                path.truncate(keep);
                map.insert(key, v);
            }
            Value::Object(map)
        }
        _ => Value::String(print(c)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn there_and_back(v: Value) -> Value {
        let mut h = Heap::new();
        let c = to_term(&mut h, &v).unwrap_or(Cell::NIL);
        from_term(&h, c, &|_| "?".into()).unwrap_or(Value::Null)
    }

    #[test]
    fn round_trip() {
        for v in [
            json!(null),
            json!([1, -2.5, "é", true, [], {}]),
            json!({"b": {"z": [null]}, "a": "x"}),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(""),
        ] {
            assert_eq!(there_and_back(v.clone()), v);
        }
    }

    #[test]
    fn what_has_no_json_form() {
        let mut h = Heap::new();
        let f = h.compound_named("f", &[Cell::small(1)]);
        assert_eq!(from_term(&h, f, &|_| "f(1)".into()), Ok(json!("f(1)")));
        let v = h.new_var();
        let partial = h.list(Cell::small(1), v);
        let outer = h.list_from(&[partial]);
        assert_eq!(from_term(&h, outer, &|_| String::new()), Err(ConvertError::PartialList("$[0]".into())));
        let mut deep = Cell::NIL;
        for _ in 0..100_000 {
            deep = h.list_from(&[deep]);
        }
        assert_eq!(from_term(&h, deep, &|_| String::new()), Err(ConvertError::TooDeep));
        let a = h.atom("x");
        assert_eq!(from_term(&h, a, &|_| String::new()), Ok(json!("x")));
    }
}
