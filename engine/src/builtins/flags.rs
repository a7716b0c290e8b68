//! Prolog flags: `set_prolog_flag/2`, `create_prolog_flag/3`, `current_prolog_flag/2`.
//!
//! Flags the engine looks at are fields of [`Flags`]; all others are kept as text-like terms.

use super::ops::try_unify;
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::flags::{FlagType, Flags, OccursCheck, Other, Quotes, RationalSyntax, Token};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};

pub const BUILTINS: &[Native] = &[
    nondet("current_prolog_flag", 2, current, "current_prolog_flag(?Flag, ?Value)\nFlags and their values."),
    nondet("prolog_flag", 2, current, "prolog_flag(?Flag, ?Value)\nAs current_prolog_flag/2."),
    det("set_prolog_flag", 2, set, "set_prolog_flag(+Flag, +Value)\nChanges a flag; an unknown one is created."),
    det("create_prolog_flag", 3, create, "create_prolog_flag(+Flag, +Value, +Options)\nOptions: type(T), access(A), keep(Bool)."),
    det("$save_flags", 1, save, "$save_flags(-State)\nThe flags that a file being loaded may change for itself only."),
    det("$restore_flags", 1, restore, "$restore_flags(+State)\nSets them back."),
    det("$restore_flags", 2, restore, "$restore_flags(+State, +Kind)\nSets back those of a kind, syntax or other."),
    det(
        "$default_flags",
        0,
        defaults,
        "$default_flags\nGives the flags that a file may change for itself their first values, for reading a library.",
    ),
];

/// The value of one flag before it is put on the heap.
enum Value {
    Name(&'static str),
    Int(i64),
    Float(f64),
    Tokens(Vec<Token>),
}

fn boolean(b: bool) -> Value {
    Value::Name(if b { "true" } else { "false" })
}

const QUOTES: &[(&str, Quotes)] = &[
    ("codes", Quotes::Codes),
    ("chars", Quotes::Chars),
    ("atom", Quotes::Atom),
    ("string", Quotes::String),
    ("symbol_char", Quotes::Symbol),
];
const OCCURS: &[(&str, OccursCheck)] = &[("false", OccursCheck::False), ("true", OccursCheck::True), ("error", OccursCheck::Error)];
const RATIONALS: &[(&str, RationalSyntax)] =
    &[("compatibility", RationalSyntax::Compatibility), ("natural", RationalSyntax::Natural), ("iso", RationalSyntax::Iso)];

fn name_of<T: Copy + PartialEq>(table: &[(&'static str, T)], v: T) -> Value {
    Value::Name(table.iter().find(|x| x.1 == v).map_or("", |x| x.0))
}

/// Names of the flags kept in fields.
const FIELDS: &[&str] = &[
    "back_quotes",
    "character_escapes",
    "double_quotes",
    "float_overflow",
    "float_undefined",
    "float_zero_div",
    "iso",
    "occurs_check",
    "prefer_rationals",
    "rational_syntax",
    "var_prefix",
];

fn field(f: &Flags, name: &str) -> Option<Value> {
    Some(match name {
        "double_quotes" => name_of(QUOTES, f.double_quotes),
        "back_quotes" => name_of(QUOTES, f.back_quotes),
        "rational_syntax" => name_of(RATIONALS, f.rational_syntax),
        "occurs_check" => name_of(OCCURS, f.occurs_check),
        "iso" => boolean(f.iso),
        "prefer_rationals" => boolean(f.prefer_rationals),
        "var_prefix" => boolean(f.var_prefix),
        "character_escapes" => boolean(f.character_escapes),
        "float_overflow" => Value::Name(if f.float_overflow_infinity { "infinity" } else { "error" }),
        "float_zero_div" => Value::Name(if f.float_zero_div_infinity { "infinity" } else { "error" }),
        "float_undefined" => Value::Name(if f.float_undefined_nan { "nan" } else { "error" }),
        _ => return None,
    })
}

/// Flags nobody can change.
const CONSTANTS: &[(&str, Constant)] = &[
    ("address_bits", Constant::Int(64)),
    ("bounded", Constant::Name("false")),
    ("colon_sets_calling_context", Constant::Name("true")),
    ("dialect", Constant::Name("swi")),
    ("float_max", Constant::Float(f64::MAX)),
    ("float_min", Constant::Float(f64::MIN_POSITIVE)),
    ("gmp_version", Constant::Int(6)),
    ("integer_rounding_function", Constant::Name("toward_zero")),
    ("large_files", Constant::Name("true")),
    ("max_arity", Constant::Name("unbounded")),
    ("max_char_code", Constant::Int(0x10_ffff)),
    ("max_procedure_arity", Constant::Int(1024)),
    ("max_tagged_integer", Constant::Int((1 << 60) - 1)),
    ("min_tagged_integer", Constant::Int(-(1 << 60))),
    ("signals", Constant::Name("false")),
    ("threads", Constant::Name("false")),
    ("timezone", Constant::Int(0)),
    ("traditional", Constant::Name("false")),
    ("unix", Constant::Name("true")),
    ("version", Constant::Int(90004)),
    // Engines that need to know what they run on look here.
    ("engine", Constant::Name("deepclause")),
];

#[derive(Clone, Copy)]
enum Constant {
    Name(&'static str),
    Int(i64),
    Float(f64),
}

impl From<Constant> for Value {
    fn from(c: Constant) -> Value {
        match c {
            Constant::Name(n) => Value::Name(n),
            Constant::Int(i) => Value::Int(i),
            Constant::Float(f) => Value::Float(f),
        }
    }
}

/// Changeable flags, with the values they start with; kept in `others` once set.
const DEFAULTS: &[(&str, FlagType, Constant)] = &[
    ("access_level", FlagType::Atom, Constant::Name("user")),
    ("autoload", FlagType::Atom, Constant::Name("true")),
    ("char_conversion", FlagType::Boolean, Constant::Name("false")),
    ("character_escapes_unicode", FlagType::Boolean, Constant::Name("true")),
    ("debug", FlagType::Boolean, Constant::Name("false")),
    ("emulated_dialect", FlagType::Atom, Constant::Name("swi")),
    ("encoding", FlagType::Atom, Constant::Name("utf8")),
    ("float_rounding", FlagType::Atom, Constant::Name("to_nearest")),
    ("gc", FlagType::Boolean, Constant::Name("true")),
    ("generate_debug_info", FlagType::Boolean, Constant::Name("true")),
    ("last_call_optimisation", FlagType::Boolean, Constant::Name("true")),
    ("on_error", FlagType::Atom, Constant::Name("print")),
    ("on_warning", FlagType::Atom, Constant::Name("print")),
    ("optimise", FlagType::Boolean, Constant::Name("false")),
    ("optimise_unify", FlagType::Boolean, Constant::Name("true")),
    ("report_error", FlagType::Boolean, Constant::Name("true")),
    ("stack_limit", FlagType::Integer, Constant::Int(1 << 30)),
    ("table_space", FlagType::Integer, Constant::Int(1 << 30)),
    ("toplevel_prompt", FlagType::Atom, Constant::Name("~m~d~l~! ?- ")),
    ("unknown", FlagType::Atom, Constant::Name("error")),
    ("user_flags", FlagType::Atom, Constant::Name("silent")),
    ("verbose", FlagType::Atom, Constant::Name("silent")),
    ("verbose_load", FlagType::Atom, Constant::Name("silent")),
    ("warn_override_implicit_import", FlagType::Boolean, Constant::Name("true")),
    ("write_attributes", FlagType::Atom, Constant::Name("ignore")),
    ("xref", FlagType::Boolean, Constant::Name("false")),
];

/// Flags whose start value is a list of options.
const TERMS: &[(&str, &[(&str, Constant)])] = &[
    (
        "answer_write_options",
        &[("quoted", TRUE), ("portray", TRUE), ("max_depth", Constant::Int(10)), ("spacing", Constant::Name("next_argument"))],
    ),
    ("print_write_options", &[("portray", TRUE), ("quoted", TRUE), ("numbervars", TRUE)]),
];
const TRUE: Constant = Constant::Name("true");

fn value(f: &Flags, name: &str) -> Option<Value> {
    if let Some(o) = f.others.get(name) {
        return Some(Value::Tokens(o.value.clone()));
    }
    field(f, name)
        .or_else(|| CONSTANTS.iter().find(|c| c.0 == name).map(|c| c.1.into()))
        .or_else(|| DEFAULTS.iter().find(|c| c.0 == name).map(|c| c.2.into()))
        .or_else(|| TERMS.iter().find(|c| c.0 == name).map(|c| Value::Tokens(options_tokens(c.1))))
}

fn options_tokens(options: &[(&str, Constant)]) -> Vec<Token> {
    let mut out = Vec::new();
    for (n, v) in options {
        out.push(Token::Pair);
        out.push(Token::Compound(n.to_string(), 1));
        out.push(match v {
            Constant::Name(s) => Token::Atom(s.to_string()),
            Constant::Int(i) => Token::Int(*i),
            Constant::Float(x) => Token::Float(*x),
        });
    }
    out.push(Token::Nil);
    out
}

fn build(heap: &mut Heap, v: Value) -> Cell {
    match v {
        Value::Name(n) => heap.atom(n),
        Value::Int(i) => heap.int(i),
        Value::Float(x) => heap.float(x),
        Value::Tokens(t) => from_tokens(heap, &t),
    }
}

/// Flattens a term (its variables lose their attributes). `None` for a term too large or cyclic.
pub(crate) fn to_tokens(heap: &Heap, c: Cell) -> Option<Vec<Token>> {
    let (mut out, mut todo, mut vars) = (Vec::new(), vec![c], Vec::new());
    while let Some(c) = todo.pop() {
        if out.len() > 1_000_000 {
            return None;
        }
        out.push(match heap.view(c) {
            Term::Var(a) | Term::Attributed(a) => Token::Var(vars.iter().position(|&v| v == a).unwrap_or_else(|| {
                vars.push(a);
                vars.len() - 1
            })),
            Term::Atom(atom::NIL) => Token::Nil,
            Term::Atom(a) => Token::Atom(heap.atoms.text(a).to_string()),
            Term::Int(i) => Token::Int(i),
            Term::Big(a) => Token::Big(heap.big(a).to_string()),
            Term::Rational(a) => {
                let r = heap.rational(a);
                Token::Rational(r.numerator().to_string(), r.denominator().to_string())
            }
            Term::Float(f) => Token::Float(f),
            Term::Str(a) => Token::Str(heap.str_at(a).to_string()),
            Term::List(a) => {
                todo.push(heap.cells[a + 1]);
                todo.push(heap.cells[a]);
                Token::Pair
            }
            Term::Compound(a, n, k) => {
                todo.extend((a + 1..a + 1 + k).rev().map(|i| heap.cells[i]));
                if n == atom::DICT { Token::Dict(k) } else { Token::Compound(heap.atoms.text(n).to_string(), k) }
            }
        });
    }
    Some(out)
}

/// Builds a flattened term on the heap.
pub(crate) fn from_tokens(heap: &mut Heap, tokens: &[Token]) -> Cell {
    let (mut done, mut vars) = (Vec::new(), std::collections::HashMap::new());
    for t in tokens.iter().rev() {
        let mut take = |k: usize| -> Vec<Cell> { (0..k).filter_map(|_| done.pop()).collect() };
        let c = match t {
            Token::Nil => Cell::NIL,
            Token::Atom(s) => heap.atom(s),
            Token::Int(i) => heap.int(*i),
            Token::Big(s) => match s.parse() {
                Ok(i) => heap.integer(&i),
                Err(_) => Cell::NIL,
            },
            Token::Rational(n, d) => match (n.parse(), d.parse::<dashu_int::UBig>()) {
                (Ok(n), Ok(d)) => heap.ratio(&dashu_ratio::RBig::from_parts(n, d)),
                _ => Cell::NIL,
            },
            Token::Float(f) => heap.float(*f),
            Token::Str(s) => heap.string(s),
            Token::Var(i) => *vars.entry(*i).or_insert_with(|| heap.new_var()),
            Token::Pair => {
                let args = take(2);
                heap.compound(atom::DOT, &args)
            }
            Token::Dict(k) => {
                let args = take(*k);
                heap.compound_any(atom::DICT, &args)
            }
            Token::Compound(n, k) => {
                let (args, n) = (take(*k), heap.atoms.intern(n));
                heap.compound_any(n, &args)
            }
        };
        done.push(c);
    }
    done.pop().unwrap_or(Cell::NIL)
}

fn current(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    match m.heap.view(a[0]) {
        Term::Atom(n) => {
            let name = m.heap.atoms.text_arc(n);
            let Some(v) = value(&m.flags, &name) else { return Ok(Redo::Fail) };
            let v = build(&mut m.heap, v);
            return Ok(if m.heap.unify(a[1], v) { Redo::Done } else { Redo::Fail });
        }
        Term::Var(_) | Term::Attributed(_) => {}
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, a[0])),
    }
    let mut rest = match state {
        Some(s) => s,
        None => {
            let mut names: Vec<String> = FIELDS.iter().map(|s| s.to_string()).collect();
            names.extend(CONSTANTS.iter().map(|c| c.0.to_string()));
            names.extend(DEFAULTS.iter().map(|c| c.0.to_string()));
            names.extend(TERMS.iter().map(|c| c.0.to_string()));
            names.extend(m.flags.others.keys().cloned());
            names.sort();
            names.dedup();
            let names: Vec<Cell> = names.iter().map(|n| m.heap.atom(n)).collect();
            m.heap.list_from(&names)
        }
    };
    while let Some((h, t)) = m.heap.pair(rest) {
        rest = m.heap.deref(t);
        let Term::Atom(n) = m.heap.view(h) else { continue };
        let name = m.heap.atoms.text_arc(n);
        let Some(v) = value(&m.flags, &name) else { continue };
        let v = build(&mut m.heap, v);
        if try_unify(m, a, &[h, v]) {
            return Ok(if rest == Cell::NIL { Redo::Done } else { Redo::More(rest) });
        }
    }
    Ok(Redo::Fail)
}

fn flag_name(m: &mut Machine, c: Cell) -> Res<std::sync::Arc<str>> {
    match m.heap.view(c) {
        Term::Atom(n) => Ok(m.heap.atoms.text_arc(n)),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

fn atom_text(m: &mut Machine, c: Cell) -> Res<std::sync::Arc<str>> {
    flag_name(m, c)
}

fn bool_value(m: &mut Machine, c: Cell) -> Res<bool> {
    if let Term::Atom(n) = m.heap.view(c) {
        match m.heap.atoms.text(n) {
            "true" | "on" => return Ok(true),
            "false" | "off" => return Ok(false),
            _ => {}
        }
    }
    Err(error::type_error(&mut m.heap, atom::BOOL, c))
}

fn one_of<T: Copy>(m: &mut Machine, table: &[(&str, T)], domain: &str, c: Cell) -> Res<T> {
    let text = atom_text(m, c)?;
    match table.iter().find(|x| *x.0 == *text) {
        Some(x) => Ok(x.1),
        None => Err(error::domain(&mut m.heap, domain, c)),
    }
}

fn set(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[0]) || m.heap.is_var(a[1]) {
        return Err(error::instantiation(&mut m.heap));
    }
    let (name, v) = (flag_name(m, a[0])?, a[1]);
    const FLOAT_INF: &[(&str, bool)] = &[("error", false), ("infinity", true)];
    match &*name {
        "double_quotes" => m.flags.double_quotes = one_of(m, &QUOTES[..4], "double_quotes", v)?,
        "back_quotes" => m.flags.back_quotes = one_of(m, QUOTES, "back_quotes", v)?,
        "rational_syntax" => m.flags.rational_syntax = one_of(m, RATIONALS, "rational_syntax", v)?,
        "occurs_check" => m.flags.occurs_check = one_of(m, OCCURS, "occurs_check", v)?,
        "float_overflow" => m.flags.float_overflow_infinity = one_of(m, FLOAT_INF, "flag_value", v)?,
        "float_zero_div" => m.flags.float_zero_div_infinity = one_of(m, FLOAT_INF, "flag_value", v)?,
        "float_undefined" => m.flags.float_undefined_nan = one_of(m, &[("error", false), ("nan", true)], "flag_value", v)?,
        "iso" => m.flags.iso = bool_value(m, v)?,
        "prefer_rationals" => m.flags.prefer_rationals = bool_value(m, v)?,
        "var_prefix" => m.flags.var_prefix = bool_value(m, v)?,
        "character_escapes" => m.flags.character_escapes = bool_value(m, v)?,
        "unknown" => {
            let error = one_of(m, &[("error", true), ("warning", false), ("fail", false)], "unknown", v)?;
            m.flags.unknown_error = error;
            return store(m, &name, v, FlagType::Atom, false);
        }
        _ => {
            if CONSTANTS.iter().any(|c| c.0 == &*name) {
                return Err(error::permission(&mut m.heap, "modify", "flag", a[0]));
            }
            let kind = match m.flags.others.get(&*name) {
                Some(o) if o.read_only => return Err(error::permission(&mut m.heap, "modify", "flag", a[0])),
                Some(o) => o.kind,
                None => match DEFAULTS.iter().find(|d| d.0 == &*name) {
                    Some(d) => d.1,
                    None => kind_of(&m.heap, v),
                },
            };
            return store(m, &name, v, kind, false);
        }
    }
    Ok(true)
}

/// The type a flag gets from its first value.
fn kind_of(heap: &Heap, v: Cell) -> FlagType {
    match heap.view(v) {
        Term::Atom(a) if matches!(heap.atoms.text(a), "true" | "false" | "on" | "off") => FlagType::Boolean,
        Term::Atom(_) => FlagType::Atom,
        Term::Int(_) => FlagType::Integer,
        Term::Float(_) => FlagType::Float,
        _ => FlagType::Term,
    }
}

fn store(m: &mut Machine, name: &str, v: Cell, kind: FlagType, read_only: bool) -> Res<bool> {
    let expected = match (kind, m.heap.view(v)) {
        (FlagType::Boolean, _) => {
            let b = bool_value(m, v)?;
            let value = vec![Token::Atom(b.to_string())];
            m.flags.others.insert(name.to_string(), Other { value, kind, read_only });
            return Ok(true);
        }
        (FlagType::Atom, t) if !matches!(t, Term::Atom(_)) => Some(atom::ATOM),
        (FlagType::Integer, t) if !matches!(t, Term::Int(_) | Term::Big(_)) => Some(atom::INTEGER),
        (FlagType::Float, t) if !matches!(t, Term::Float(_) | Term::Int(_)) => Some(atom::FLOAT),
        _ => None,
    };
    if let Some(expected) = expected {
        return Err(error::type_error(&mut m.heap, expected, v));
    }
    let Some(value) = to_tokens(&m.heap, v) else { return Err(error::resource(&mut m.heap, "memory")) };
    m.flags.others.insert(name.to_string(), Other { value, kind, read_only });
    Ok(true)
}

fn create(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let name = flag_name(m, a[0])?;
    let options = match m.heap.list_to_vec(a[2]) {
        Ok(o) => o,
        Err(_) => return Err(error::type_error(&mut m.heap, atom::LIST, a[2])),
    };
    let (mut kind, mut read_only, mut keep) = (None, false, false);
    for o in options {
        let Term::Compound(at, f, 1) = m.heap.view(o) else { continue };
        let v = m.heap.cells[at + 1];
        match m.heap.atoms.text_arc(f).as_ref() {
            "type" => {
                const TYPES: &[(&str, FlagType)] = &[
                    ("boolean", FlagType::Boolean),
                    ("bool", FlagType::Boolean),
                    ("atom", FlagType::Atom),
                    ("integer", FlagType::Integer),
                    ("float", FlagType::Float),
                    ("term", FlagType::Term),
                ];
                kind = Some(one_of(m, TYPES, "prolog_flag_type", v)?);
            }
            "access" => read_only = one_of(m, &[("read_only", true), ("read_write", false)], "prolog_flag_access", v)?,
            "keep" => keep = bool_value(m, v)?,
            _ => {}
        }
    }
    if keep && value(&m.flags, &name).is_some() {
        return Ok(true);
    }
    if CONSTANTS.iter().any(|c| c.0 == &*name) || FIELDS.contains(&&*name) {
        return Err(error::permission(&mut m.heap, "modify", "flag", a[0]));
    }
    let kind = kind.or_else(|| m.flags.others.get(&*name).map(|o| o.kind)).unwrap_or_else(|| kind_of(&m.heap, a[1]));
    store(m, &name, a[1], kind, read_only)
}

/// The flags that are local to a file being loaded.
const LOCAL: &[&str] =
    &["double_quotes", "back_quotes", "rational_syntax", "var_prefix", "character_escapes", "generate_debug_info", "optimise", "xref"];

/// Those of [`LOCAL`] that SWI-Prolog keeps for each module: what a text loaded into `user` sets stays.
fn is_syntax(name: &str) -> bool {
    LOCAL[..5].contains(&name)
}

fn local(heap: &mut Heap, flags: &Flags) -> Vec<(&'static str, Cell)> {
    LOCAL.iter().filter_map(|n| Some((*n, build(heap, value(flags, n)?)))).collect()
}

fn save(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut list = Vec::new();
    for (n, v) in local(&mut m.heap, &m.flags) {
        let n = m.heap.atom(n);
        list.push(m.heap.compound(atom::MINUS, &[n, v]));
    }
    let list = m.heap.list_from(&list);
    Ok(m.heap.unify(a[0], list))
}

fn restore(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let kind = a.get(1).map(|k| matches!(m.heap.view(*k), Term::Atom(k) if m.heap.atoms.text(k) == "syntax"));
    for p in m.heap.list_to_vec(a[0]).unwrap_or_default() {
        if let Some(&[n, v]) = m.heap.match_compound(p, atom::MINUS, 2) {
            let syntax = matches!(m.heap.view(n), Term::Atom(n) if is_syntax(m.heap.atoms.text(n)));
            if kind.is_none_or(|k| k == syntax) {
                set(m, &[n, v])?;
            }
        }
    }
    Ok(true)
}

fn defaults(m: &mut Machine, _: &[Cell]) -> Res<bool> {
    for (n, v) in local(&mut m.heap, &Flags::default()) {
        let n = m.heap.atom(n);
        set(m, &[n, v])?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Throw;

    fn get(m: &mut Machine, name: &str) -> Option<String> {
        let (n, v) = (m.heap.atom(name), m.heap.new_var());
        matches!(current(m, &[n, v], None), Ok(Redo::Done)).then(|| match m.heap.view(v) {
            Term::Atom(a) => m.heap.atoms.text(a).to_string(),
            Term::Int(i) => i.to_string(),
            _ => "?".to_string(),
        })
    }

    #[test]
    fn fields_constants_and_own() {
        let mut m = Machine::new();
        assert_eq!(get(&mut m, "double_quotes").as_deref(), Some("string"));
        assert_eq!(get(&mut m, "version").as_deref(), Some("90004"));
        assert_eq!(get(&mut m, "nosuch"), None);
        let (dq, codes) = (m.heap.atom("double_quotes"), m.heap.atom("codes"));
        assert_eq!(set(&mut m, &[dq, codes]), Ok(true));
        assert_eq!(m.flags.double_quotes, Quotes::Codes);
        let bounded = m.heap.atom("bounded");
        assert!(matches!(set(&mut m, &[bounded, codes]), Err(Throw::Ball(_))));
        let (mine, off) = (m.heap.atom("mine"), m.heap.atom("off"));
        assert_eq!(set(&mut m, &[mine, off]), Ok(true));
        assert_eq!(get(&mut m, "mine").as_deref(), Some("false"));
        assert!(matches!(set(&mut m, &[mine, Cell::small(1)]), Err(Throw::Ball(_))));
    }

    #[test]
    fn terms_round_trip() {
        let mut m = Machine::new();
        let v = m.heap.new_var();
        let s = m.heap.string("hé");
        let f = m.heap.compound_named("f", &[v, s, v]);
        let l = m.heap.list_from(&[f, Cell::small(3), Cell::NIL]);
        let t = to_tokens(&m.heap, l).unwrap_or_default();
        let back = from_tokens(&mut m.heap, &t);
        assert_eq!(to_tokens(&m.heap, back), Some(t));
        assert!(m.heap.unify(l, back));
    }
}
