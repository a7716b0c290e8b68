//! JSON and base64 as predicates. What reads and writes streams by name is in the library `json`.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::{Heap, Term};
use crate::json::{self, Fault, Layout, Shape, Unfit};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args::{self, Direction};
use crate::text;

/// What the options of a call say.
struct Options {
    shape: Shape,
    layout: Layout,
    /// What a text becomes: `atom`, `string`, `codes` or `chars`.
    form: Form,
    /// Value at the end of a stream; without it that is an error.
    end_of_file: Option<Cell>,
}

#[derive(Clone, Copy)]
enum Form {
    Atom,
    String,
    Codes,
    Chars,
}

fn flag(m: &mut Machine, c: Cell) -> Res<bool> {
    match m.heap.view(c) {
        Term::Atom(atom::TRUE) => Ok(true),
        Term::Atom(atom::FALSE) => Ok(false),
        _ => Err(error::type_error(&mut m.heap, atom::BOOL, c)),
    }
}

fn number(m: &mut Machine, c: Cell) -> Res<usize> {
    match m.heap.view(c) {
        Term::Int(i) if i >= 0 => Ok((i as usize).min(1 << 20)),
        Term::Int(_) => Err(error::domain(&mut m.heap, "not_less_than_zero", c)),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn options(m: &mut Machine, dicts: bool, list: Cell) -> Res<Options> {
    let shape = if dicts { Shape::dicts() } else { Shape::classic(&mut m.heap) };
    let max_bytes = m.heap.max_cells.saturating_mul(8);
    let mut o = Options { shape, layout: Layout { max_bytes, ..Layout::default() }, form: Form::Atom, end_of_file: None };
    for (name, v) in args::options(m, list)? {
        match &*name {
            "null" => o.shape.null = v,
            "true" => o.shape.yes = v,
            "false" => o.shape.no = v,
            "value_string_as_atom" => o.shape.atoms = flag(m, v)?,
            "tag" => o.shape.tag_key = Some(text::require_atomic(&mut m.heap, v, "atom")?).filter(|s| !s.is_empty()),
            "default_tag" => o.shape.default_tag = Some(v),
            "width" => o.layout.width = number(m, v)?,
            "step" => o.layout.step = number(m, v)?,
            "tab" => o.layout.tab = number(m, v)?,
            "compact" => o.layout.compact = flag(m, v)?,
            "serialize_unknown" => o.layout.serialize_unknown = flag(m, v)?,
            "end_of_file" => o.end_of_file = if v == Cell::atom(atom::ERROR) { None } else { Some(v) },
            "as" => {
                let form = text::require_atomic(&mut m.heap, v, "atom")?;
                o.form = match &*form {
                    "atom" => Form::Atom,
                    "string" => Form::String,
                    "codes" => Form::Codes,
                    "chars" => Form::Chars,
                    _ => return Err(error::domain(&mut m.heap, "json_text_type", v)),
                };
            }
            _ => {}
        }
    }
    Ok(o)
}

/// The exception for a text that is no JSON: the context holds the line, the column and the character of the fault.
fn fault(h: &mut Heap, f: Fault, source: &str) -> Throw {
    match f {
        Fault::Duplicate(key) => {
            let f = h.compound_named("duplicate_key", &[key]);
            error::iso(h, f)
        }
        Fault::TooLarge => error::resource(h, "max_integer"),
        Fault::Syntax(what, at) => {
            let what = h.atom(what);
            let what = h.compound_named("json", &[what]);
            let formal = h.compound(atom::SYNTAX_ERROR, &[what]);
            let before = source.get(..at).unwrap_or(source);
            let line = before.matches('\n').count() as i64 + 1;
            let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) as i64;
            let char = before.chars().count() as i64;
            let source = h.string(source);
            let context = h.compound_named("string", &[source, Cell::small(char)]);
            let position = h.string(&format!("line {line}, column {column}"));
            let context = h.compound(atom::CONTEXT, &[context, position]);
            Throw::Ball(h.compound(atom::ERROR, &[formal, context]))
        }
    }
}

/// Reads a whole text; only white space may follow the value.
fn parse(m: &mut Machine, source: &str, o: &Options) -> Res<Cell> {
    let result = json::parse(&mut m.heap, source, &o.shape, m.flags.max_integer_bits);
    let (value, end) = result.map_err(|f| fault(&mut m.heap, f, source))?;
    let end = json::skip_blanks(source, end);
    if end < source.len() {
        return Err(fault(&mut m.heap, Fault::Syntax("illegal_json", end), source));
    }
    Ok(value)
}

fn write(m: &mut Machine, c: Cell, o: &Options) -> Res<String> {
    let quoted = crate::writer::Options { numbervars: false, ..crate::writer::Options::writeq() };
    let unknown = |c: Cell| crate::writer::write(&m.heap, &m.ops, &m.flags, c, &quoted);
    match json::write(&m.heap, c, &o.shape, &o.layout, &unknown) {
        Ok(s) => Ok(s),
        Err(Unfit::Unbound) => Err(error::instantiation(&mut m.heap)),
        Err(Unfit::Term(t)) => Err(error::type_error_named(&mut m.heap, "json_term", t)),
        Err(Unfit::TooLarge) => Err(error::resource(&mut m.heap, "memory")),
    }
}

/// `atom_json_dict/3`, `atom_json_term/3`: reads a known text, or else writes the term.
fn convert(m: &mut Machine, a: &[Cell], dicts: bool, list: Cell) -> Res<bool> {
    let o = options(m, dicts, list)?;
    if !m.heap.is_var(a[0]) {
        let source = text::require(&mut m.heap, a[0], "text")?;
        let value = parse(m, &source, &o)?;
        return Ok(m.unify(a[1], value));
    }
    let s = write(m, a[1], &o)?;
    let made = match o.form {
        Form::Atom => m.heap.atom(&s),
        Form::String => m.heap.string(&s),
        Form::Codes => text::codes(&mut m.heap, &s),
        Form::Chars => text::chars(&mut m.heap, &s),
    };
    Ok(m.unify(a[0], made))
}

fn atom_json_dict2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, true, Cell::NIL)
}

fn atom_json_dict3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, true, a[2])
}

fn atom_json_term2(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, false, Cell::NIL)
}

fn atom_json_term3(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    convert(m, a, false, a[2])
}

fn is_dicts(m: &Machine, c: Cell) -> bool {
    matches!(m.heap.view(c), Term::Atom(x) if m.heap.atoms.text(x) == "dict")
}

/// `'$json_parse'(+Text, +Form, +Options, -Term)`.
fn json_parse(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = options(m, is_dicts(m, a[1]), a[2])?;
    let source = text::require(&mut m.heap, a[0], "text")?;
    let value = parse(m, &source, &o)?;
    Ok(m.unify(a[3], value))
}

/// `'$json_text'(+Term, +Form, +Options, -String)`.
fn json_text(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = options(m, is_dicts(m, a[1]), a[2])?;
    let s = write(m, a[0], &o)?;
    let made = m.heap.string(&s);
    Ok(m.unify(a[3], made))
}

/// `'$json_read'(+Stream, +Form, +Options, -Term)`: one value; what follows it stays in the stream.
fn json_read(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let o = options(m, is_dicts(m, a[1]), a[2])?;
    let n = args::stream(m, a[0], Direction::Input)?;
    let Some((source, at)) = m.streams.get(n).map(|s| s.source()) else { return Ok(false) };
    let rest = source.get(at..).unwrap_or("");
    let blank = json::skip_blanks(rest, 0) == rest.len();
    let take = |m: &mut Machine, to: usize| {
        if let Some(s) = m.streams.get_mut(n) {
            s.take_to(to);
        }
    };
    if blank {
        if m.streams.ask_input(n) {
            return Err(Throw::Input);
        }
        if let Some(end) = o.end_of_file {
            take(m, source.len());
            return Ok(m.unify(a[3], end));
        }
    }
    match json::parse(&mut m.heap, rest, &o.shape, m.flags.max_integer_bits) {
        Ok((value, end)) => {
            take(m, at + end);
            Ok(m.unify(a[3], value))
        }
        Err(Fault::Syntax("unexpected_end_of_file", _)) if m.streams.ask_input(n) => Err(Throw::Input),
        Err(f) => {
            // What could not be read is gone, so that a loop over the stream comes to an end.
            let place = if let Fault::Syntax(_, i) = &f { at + i } else { source.len() };
            take(m, place);
            Err(fault(&mut m.heap, f, rest))
        }
    }
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn encode64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let v = chunk.iter().fold(0u32, |v, &b| v << 8 | b as u32) << (8 * (3 - chunk.len()));
        for i in 0..4 {
            let digit = (v >> (18 - 6 * i)) as usize & 63;
            out.push(if i <= chunk.len() { BASE64[digit] as char } else { '=' });
        }
    }
    out
}

fn decode64(s: &str) -> Option<Vec<u8>> {
    let s = s.trim_end_matches('=');
    if s.len() % 4 == 1 {
        return None;
    }
    let mut out = Vec::with_capacity(s.len() / 4 * 3);
    let (mut v, mut bits) = (0u32, 0);
    for b in s.bytes() {
        v = v << 6 | BASE64.iter().position(|&x| x == b)? as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((v >> bits) as u8);
        }
        v &= 0xff;
    }
    Some(out)
}

/// `base64/2`: the characters are bytes; `base64_encoded/2`: the text goes through UTF-8.
fn base64(m: &mut Machine, a: &[Cell], utf8: bool) -> Res<bool> {
    let string = |m: &Machine, c: Cell| matches!(m.heap.view(c), Term::Str(_));
    let make = |m: &mut Machine, s: &str, string: bool| if string { m.heap.string(s) } else { m.heap.atom(s) };
    if !m.heap.is_var(a[0]) {
        let s = text::require(&mut m.heap, a[0], "text")?;
        let bytes: Vec<u8> = if utf8 {
            s.into_bytes()
        } else {
            match s.chars().map(|c| u8::try_from(c as u32)).collect() {
                Ok(b) => b,
                Err(_) => return Err(error::representation(&mut m.heap, "encoding")),
            }
        };
        let (encoded, string) = (encode64(&bytes), string(m, a[0]) || utf8);
        if m.heap.is_var(a[1]) {
            let made = make(m, &encoded, string);
            return Ok(m.unify(a[1], made));
        }
        return Ok(text::get(&m.heap, a[1]).is_some_and(|t| t == encoded));
    }
    let s = text::require(&mut m.heap, a[1], "text")?;
    let Some(bytes) = decode64(&s) else { return Err(error::syntax(&mut m.heap, "illegal_base64")) };
    let plain = if utf8 { String::from_utf8_lossy(&bytes).into_owned() } else { bytes.iter().map(|&b| b as char).collect() };
    let string = string(m, a[1]) || utf8;
    let made = make(m, &plain, string);
    Ok(m.unify(a[0], made))
}

fn base64_bytes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    base64(m, a, false)
}

fn base64_encoded(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    base64(m, a, true)
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det(
        "atom_json_dict",
        2,
        atom_json_dict2,
        "atom_json_dict(?Text, ?Term)\nJSON text and its term: objects are dicts, texts are strings.",
    ),
    det(
        "atom_json_dict",
        3,
        atom_json_dict3,
        "atom_json_dict(?Text, ?Term, +Options)\nAs atom_json_dict/2; options as(Type), width(Columns), null(Term), tag(Key) and so on.",
    ),
    det(
        "atom_json_term",
        2,
        atom_json_term2,
        "atom_json_term(?Text, ?Term)\nJSON text and its term: objects are json([Key=Value]), texts are atoms.",
    ),
    det("atom_json_term", 3, atom_json_term3, "atom_json_term(?Text, ?Term, +Options)\nAs atom_json_term/2 with options."),
    det("$json_parse", 4, json_parse, "'$json_parse'(+Text, +Form, +Options, -Term)\nReads a whole text as JSON; Form is dict or term."),
    det("$json_text", 4, json_text, "'$json_text'(+Term, +Form, +Options, -String)\nWrites a term as JSON; Form is dict or term."),
    det(
        "$json_read",
        4,
        json_read,
        "'$json_read'(+Stream, +Form, +Options, -Term)\nReads one JSON value from a stream; Form is dict or term.",
    ),
    det("base64", 2, base64_bytes, "base64(?Plain, ?Encoded)\nBase64 of a text whose characters are bytes."),
    det("base64_encoded", 2, base64_encoded, "base64_encoded(?Plain, ?Encoded)\nBase64 of the UTF-8 form of a text."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base() {
        for (s, e) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode64(s.as_bytes()), e);
            assert_eq!(decode64(e).as_deref(), Some(s.as_bytes()));
        }
        assert_eq!(decode64("Z"), None);
        assert_eq!(decode64("Z!=="), None);
    }
}
