//! `format/2,3`: directives, column stops and their errors.
//!
//! A native predicate cannot call goals, which `~@` needs and `~p` may need for `portray/1`. So `'$format'/4` first
//! answers which arguments are to be run; Prolog (library `io`) runs these with their output caught, puts `'$text'(Text)`
//! in their places and calls again.

use super::format_number as num;
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args as streams;
use crate::text;
use crate::writer::{self, Options};

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "$format",
        4,
        format_stream,
        "'$format'(+Stream, +Format, +Args, -Calls)
Writes after a format. When the format has ~@ or ~p it writes nothing and gives a list of call(I) and print(I), the
arguments (from 0) that Prolog must run; called again with '$text'(Text) in their places it writes.",
    ),
    det(
        "$format_replace",
        4,
        format_replace,
        "'$format_replace'(+Args, +Index, +Text, -NewArgs)\nThe arguments with '$text'(Text) instead of the one at Index (from 0).",
    ),
];

/// Largest text one call makes.
const MAX_TEXT: usize = 64 << 20;

/// Text being made, and where its column stops are.
#[derive(Default, Debug)]
pub struct Output {
    /// What has been written; complete also when the call raises.
    pub text: String,
    /// Column behind the text.
    pub column: usize,
    /// Column of the last stop.
    stop: usize,
    /// Where the text since the last stop begins.
    from: usize,
    /// Places of `~t` since then: offset in the text and fill character.
    pads: Vec<(usize, char)>,
}

impl Output {
    /// An empty text that will be written at this column.
    pub fn at(column: usize) -> Output {
        Output { column, ..Output::default() }
    }

    fn push(&mut self, s: &str) {
        self.text.push_str(s);
        for c in s.chars() {
            self.column = match c {
                '\n' | '\r' => 0,
                '\u{8}' => self.column.saturating_sub(1),
                // Not the stream's own rule, but what column stops reckon with.
                '\t' => (self.column + 1) | 7,
                _ => self.column + 1,
            };
        }
    }

    fn repeat(&mut self, m: &mut Machine, c: char, n: usize) -> Res<()> {
        if n > MAX_TEXT || self.text.len() > MAX_TEXT {
            return Err(error::resource(&mut m.heap, "memory"));
        }
        let s: String = std::iter::repeat_n(c, n).collect();
        self.push(&s);
        Ok(())
    }

    /// A column stop: fills up to the column at the pads, or behind the text when there are none.
    fn stop_at(&mut self, m: &mut Machine, column: usize) -> Res<()> {
        let missing = column.saturating_sub(self.column);
        if missing > MAX_TEXT {
            return Err(error::resource(&mut m.heap, "memory"));
        }
        if missing > 0 {
            if self.pads.is_empty() {
                self.pads.push((self.text.len(), ' '));
            }
            let extra = shares(self.pads.len(), missing);
            let mut filled = String::with_capacity(self.text.len() - self.from + missing);
            let mut at = self.from;
            for (&(offset, c), &n) in self.pads.iter().zip(&extra) {
                filled.push_str(self.text.get(at..offset).unwrap_or(""));
                at = offset;
                filled.extend(std::iter::repeat_n(c, n));
            }
            filled.push_str(self.text.get(at..).unwrap_or(""));
            self.text.truncate(self.from);
            self.text.push_str(&filled);
            self.column = column;
        }
        self.pads.clear();
        self.from = self.text.len();
        self.stop = self.column;
        Ok(())
    }
}

/// How much each of `n` pads gets of `missing`: equal parts, and what is left over from the middle to both sides, the
/// right one first.
fn shares(n: usize, missing: usize) -> Vec<usize> {
    let mut parts = vec![missing / n.max(1); n];
    let mut rest = missing % n.max(1);
    let (mut at, mut step) = (n as i64 / 2, 1i64);
    while rest > 0 {
        let Some(p) = usize::try_from(at).ok().and_then(|i| parts.get_mut(i)) else { break };
        *p += 1;
        rest -= 1;
        at += step;
        step = if step > 0 { -step - 2 } else { 2 - step };
    }
    for p in parts.iter_mut().rev().filter(|p| **p == missing / n.max(1)).take(rest) {
        *p += 1;
    }
    parts
}

/// `format('...')` as an error.
fn format_error(m: &mut Machine, what: &str) -> Throw {
    let a = m.heap.atom(what);
    let f = m.heap.compound_named("format", &[a]);
    error::iso(&mut m.heap, f)
}

fn argument_type(m: &mut Machine, directive: char, c: Cell) -> Throw {
    let d = text::char_cell(&mut m.heap, directive);
    let f = m.heap.compound_named("format_argument_type", &[d, c]);
    error::iso(&mut m.heap, f)
}

fn no_directive(m: &mut Machine, c: char) -> Throw {
    let d = text::char_cell(&mut m.heap, c);
    let k = m.heap.atom("format_character");
    let f = m.heap.compound(atom::EXISTENCE_ERROR, &[k, d]);
    error::iso(&mut m.heap, f)
}

/// The text of the format argument.
///
/// # Errors
/// `instantiation_error`, `type_error(text, C)`.
pub fn format_text(m: &mut Machine, c: Cell) -> Res<String> {
    match m.heap.view(c) {
        Term::Atom(a) if a != atom::NIL => Ok(m.heap.atoms.text(a).to_string()),
        Term::Str(a) => Ok(m.heap.str_at(a).to_string()),
        Term::Atom(_) | Term::List(_) => text::require(&mut m.heap, c, "text"),
        _ => Err(error::type_error_named(&mut m.heap, "text", c)),
    }
}

/// The arguments: the elements of a list, or the one term itself.
pub fn format_args(m: &Machine, c: Cell) -> Vec<Cell> {
    m.heap.list_to_vec(c).unwrap_or_else(|_| vec![c])
}

/// The text that `format` gives when it begins at this column.
///
/// # Errors
/// As [`format`]; what was written before the error is lost.
pub fn format_to_string(m: &mut Machine, fmt: &str, args: &[Cell], column: usize) -> Res<String> {
    let mut out = Output::at(column);
    format(m, &mut out, fmt, args)?;
    Ok(out.text)
}

/// Carries out a format. After an error `out.text` has what was written before.
///
/// # Errors
/// `format('not enough arguments')`, `format('too many arguments')`, `format_argument_type(Directive, Culprit)`,
/// `existence_error(format_character, C)`, and what evaluating a number raises.
pub fn format(m: &mut Machine, out: &mut Output, fmt: &str, args: &[Cell]) -> Res<()> {
    let mut s = fmt;
    let mut args = args.iter().copied();
    while let Some(at) = s.find('~') {
        out.push(s.get(..at).unwrap_or(""));
        s = s.get(at + 1..).unwrap_or("");
        let (n, colon, d, rest) = directive(m, s, &mut args)?;
        s = rest;
        one(m, out, n, colon, d, &mut args)?;
        if out.text.len() > MAX_TEXT {
            return Err(error::resource(&mut m.heap, "memory"));
        }
    }
    out.push(s);
    if args.next().is_some() {
        return Err(format_error(m, "too many arguments"));
    }
    Ok(())
}

fn next(m: &mut Machine, args: &mut impl Iterator<Item = Cell>) -> Res<Cell> {
    match args.next() {
        Some(c) => Ok(c),
        None => Err(format_error(m, "not enough arguments")),
    }
}

/// Numeric argument, colon flag, directive character and the rest of the format behind it.
fn directive<'s>(m: &mut Machine, s: &'s str, args: &mut impl Iterator<Item = Cell>) -> Res<(Option<usize>, bool, char, &'s str)> {
    let mut it = s.chars();
    let mut n = None;
    match it.clone().next() {
        Some('*') => {
            it.next();
            let c = next(m, args)?;
            n = match m.heap.view(c) {
                Term::Int(i) if i >= 0 => Some(i as usize),
                _ => return Err(format_error(m, "no or negative integer for `*' argument")),
            };
        }
        Some('`') => {
            it.next();
            n = it.next().map(|c| c as usize);
        }
        Some(c) if c.is_ascii_digit() => {
            let mut v = 0usize;
            while let Some(d) = it.clone().next().and_then(|c| c.to_digit(10)) {
                v = v.saturating_mul(10).saturating_add(d as usize);
                it.next();
            }
            n = Some(v);
        }
        _ => {}
    }
    let mut colon = false;
    if it.clone().next() == Some(':') {
        colon = true;
        it.next();
    }
    match it.next() {
        Some(d) => Ok((n, colon, d, it.as_str())),
        None => Err(no_directive(m, '\0')),
    }
}

fn written(m: &Machine, c: Cell, o: Options) -> String {
    let o = Options { module: m.source_module, ..o };
    writer::write(&m.heap, &m.ops, &m.flags, c, &o)
}

/// The text that Prolog has put in the place of an argument.
fn given_text(m: &Machine, c: Cell) -> Option<String> {
    match m.heap.view(c) {
        Term::Compound(_, name, 1) if m.heap.atoms.text(name) == "$text" => text::atomic(&m.heap, m.heap.arg(c, 0)).map(|s| s.into_owned()),
        _ => None,
    }
}

fn one(m: &mut Machine, out: &mut Output, n: Option<usize>, _colon: bool, d: char, args: &mut impl Iterator<Item = Cell>) -> Res<()> {
    match d {
        '~' => out.push("~"),
        'n' => out.repeat(m, '\n', n.unwrap_or(1))?,
        't' => out.pads.push((out.text.len(), n.and_then(|n| u32::try_from(n).ok()).and_then(char::from_u32).unwrap_or(' '))),
        '|' => {
            let column = n.unwrap_or(out.column);
            out.stop_at(m, column)?;
        }
        '+' => {
            let column = out.stop.saturating_add(n.unwrap_or(8));
            out.stop_at(m, column)?;
        }
        'i' => {
            next(m, args)?;
        }
        'w' => {
            let c = next(m, args)?;
            let s = written(m, c, Options::write());
            out.push(&s);
        }
        'q' => {
            let c = next(m, args)?;
            let s = written(m, c, Options::writeq());
            out.push(&s);
        }
        'p' => {
            let c = next(m, args)?;
            let s = given_text(m, c).unwrap_or_else(|| written(m, c, Options::print()));
            out.push(&s);
        }
        'k' => {
            let c = next(m, args)?;
            let s = writer::canonical::write_canonical(&m.heap, &m.ops, &m.flags, c);
            out.push(&s);
        }
        '@' => {
            let c = next(m, args)?;
            match given_text(m, c) {
                Some(s) => out.push(&s),
                None => return Err(argument_type(m, '@', c)),
            }
        }
        'a' => {
            let c = next(m, args)?;
            if m.heap.deref(c) == Cell::NIL {
                return Err(argument_type(m, 'a', c));
            }
            match text::atomic(&m.heap, c).map(|s| s.into_owned()) {
                Some(s) => out.push(&s),
                None => return Err(argument_type(m, 'a', c)),
            }
        }
        's' => {
            let c = next(m, args)?;
            let s = match m.heap.view(c) {
                Term::Str(_) | Term::Atom(_) | Term::List(_) => text::get(&m.heap, c),
                _ => None,
            };
            match s {
                Some(s) => out.push(&s),
                None => return Err(argument_type(m, 's', c)),
            }
        }
        'c' => {
            let c = next(m, args)?;
            match text::code_of(&m.heap, c) {
                Some(ch) => out.repeat(m, ch, n.unwrap_or(1))?,
                None => return Err(argument_type(m, 'c', c)),
            }
        }
        'd' | 'D' | 'I' => {
            let c = next(m, args)?;
            let Some(i) = num::integer(m, c)? else { return Err(argument_type(m, d, c)) };
            let s = match d {
                'd' => num::grouped(&i, n.unwrap_or(0), 0, ' '),
                'D' => num::grouped(&i, n.unwrap_or(0), 3, ','),
                _ => num::grouped(&i, 0, n.unwrap_or(3), '_'),
            };
            out.push(&s);
        }
        'r' | 'R' => {
            let c = next(m, args)?;
            let radix = n.unwrap_or(8);
            let Some(i) = num::integer(m, c)? else { return Err(argument_type(m, d, c)) };
            if !(2..=36).contains(&radix) {
                let culprit = Cell::small(radix.min(i32::MAX as usize) as i64);
                return Err(error::domain(&mut m.heap, "radix", culprit));
            }
            out.push(&num::in_radix(&i, radix as u32, d == 'R'));
        }
        'e' | 'f' | 'g' => {
            let c = next(m, args)?;
            let value = num::evaluate(m, c)?;
            let digits = n.unwrap_or(6);
            if digits > MAX_TEXT / 16 {
                return Err(error::resource(&mut m.heap, "memory"));
            }
            match num::float(m, value, d, digits) {
                Some(s) => out.push(&s),
                None => return Err(argument_type(m, d, c)),
            }
        }
        _ => return Err(no_directive(m, d)),
    }
    Ok(())
}

/// Which arguments Prolog must run: `(index, is a goal)`. Stops silently where the format itself will raise.
fn calls(m: &mut Machine, fmt: &str, args: &[Cell]) -> Vec<(usize, bool)> {
    let mut found = Vec::new();
    let mut s = fmt;
    let mut used = 0usize;
    let mut it = args.iter().copied().inspect(|_| {});
    while let Some(at) = s.find('~') {
        s = s.get(at + 1..).unwrap_or("");
        if s.starts_with('*') {
            used += 1;
        }
        let Ok((_, _, d, rest)) = directive(m, s, &mut it) else { break };
        s = rest;
        if matches!(d, 'i' | 'w' | 'q' | 'p' | 'k' | '@' | 'a' | 's' | 'c' | 'd' | 'D' | 'I' | 'r' | 'R' | 'e' | 'f' | 'g') {
            let Some(c) = it.next() else { break };
            if matches!(d, 'p' | '@') && given_text(m, c).is_none() {
                found.push((used, d == '@'));
            }
            used += 1;
        }
    }
    found
}

fn format_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = streams::output(m, Some(a[0]))?;
    let fmt = format_text(m, a[1])?;
    let args = format_args(m, a[2]);
    let found = calls(m, &fmt, &args);
    if !found.is_empty() {
        let mut items = Vec::with_capacity(found.len());
        for (i, goal) in found {
            let name = if goal { "call" } else { "print" };
            items.push(m.heap.compound_named(name, &[Cell::small(i as i64)]));
        }
        let list = m.heap.list_from(&items);
        return Ok(m.unify(a[3], list));
    }
    let mut out = Output::at(m.streams.column(n) as usize);
    let result = format(m, &mut out, &fmt, &args);
    m.streams.write(n, &out.text);
    result?;
    Ok(m.unify(a[3], Cell::NIL))
}

fn format_replace(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut args = format_args(m, a[0]);
    let Term::Int(i) = m.heap.view(a[1]) else { return Err(error::type_error(&mut m.heap, atom::INTEGER, a[1])) };
    let new = m.heap.compound_named("$text", &[a[2]]);
    if let Some(slot) = usize::try_from(i).ok().and_then(|i| args.get_mut(i)) {
        *slot = new;
    }
    let list = m.heap.list_from(&args);
    Ok(m.unify(a[3], list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(fmt: &str, make: impl Fn(&mut Machine) -> Vec<Cell>) -> String {
        let mut m = Machine::new();
        let args = make(&mut m);
        let mut out = Output::at(0);
        match format(&mut m, &mut out, fmt, &args) {
            Ok(()) => out.text,
            Err(Throw::Ball(b)) => {
                let formal = m.heap.arg(b, 0);
                format!("{}!{}", out.text, writer::writeq(&m.heap, &m.ops, formal))
            }
            Err(e) => format!("{e:?}"),
        }
    }

    fn atoms(names: &'static [&'static str]) -> impl Fn(&mut Machine) -> Vec<Cell> {
        move |m| names.iter().map(|n| m.heap.atom(n)).collect()
    }

    fn ints(v: &'static [i64]) -> impl Fn(&mut Machine) -> Vec<Cell> {
        move |m| v.iter().map(|&i| m.heap.int(i)).collect()
    }

    fn float(v: f64) -> impl Fn(&mut Machine) -> Vec<Cell> {
        move |m| vec![m.heap.float(v)]
    }

    #[test]
    fn columns() {
        for (fmt, args, want) in [
            ("~t~w~10|~w", &["abc", "def"][..], "       abcdef"),
            ("~t~w~t~10|~w", &["abc", "def"], "   abc    def"),
            ("~`*t~w~`*t~20|", &["hi"], "*********hi*********"),
            ("~w~t~8+~w~t~8+~w", &["a", "bb", "ccc"], "a       bb      ccc"),
            ("a~tb~tc~9|", &[], "a   b   c"),
            ("ab~+cd~+ef", &[], "ab      cd      ef"),
            ("~n~t~w~5|", &["ab"], "\n   ab"),
            ("~`éta~5|", &[], "ééééa"),
            ("~w\t~w~t~20|x", &["a", "b"], "a\tb            x"),
            ("abc~t~2|d", &[], "abcd"),
            ("~t~t", &[], ""),
            ("~ta~t~tb~t~11|", &[], "  a     b  "),
        ] {
            assert_eq!(f(fmt, |m| args.iter().map(|n| m.heap.atom(n)).collect()), want, "{fmt}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(f("~D", ints(&[-1234567])), "-1,234,567");
        assert_eq!(f("~2d ~3d ~0d", ints(&[-5, 12345, 5])), "-0.05 12.345 5");
        assert_eq!(f("~2D", ints(&[1234567])), "12,345.67");
        assert_eq!(f("~8r ~16r ~16R", ints(&[100, 255, -255])), "144 ff -FF");
        assert_eq!(f("~I", ints(&[1234567])), "1_234_567");
        assert_eq!(f("~*c", ints(&[3, 120])), "xxx");
        for (d, v, want) in [
            ("~f", 1.25, "1.250000"),
            ("~0f", 2.5, "2"),
            ("~1f", 0.05, "0.1"),
            ("~e", 12345.678, "1.234568e+04"),
            ("~g", 0.1, "0.1"),
            ("~g", 100000.0, "100000"),
            ("~g", 1e10, "1e+10"),
            ("~g", 1e-5, "1e-05"),
            ("~3g", 1.5e-7, "1.5e-07"),
            ("~2f", f64::INFINITY, "inf"),
        ] {
            assert_eq!(f(d, float(v)), want, "{d} {v}");
        }
        assert_eq!(f("~4f", ints(&[2])), "2.0000");
    }

    #[test]
    fn errors() {
        assert_eq!(f("~w ~w", atoms(&["a"])), "a !format('not enough arguments')");
        assert_eq!(f("~w", atoms(&["a", "b"])), "a!format('too many arguments')");
        assert_eq!(f("~z", atoms(&[])), "!existence_error(format_character,z)");
        assert_eq!(f("~*c", atoms(&["a", "b"])), "!format('no or negative integer for `*\\' argument')");
        assert_eq!(f("~c", atoms(&["a"])), "!format_argument_type(c,a)");
        assert_eq!(f("~37r", ints(&[1])), "!domain_error(radix,37)");
        assert_eq!(f("~d", float(1.0)), "!format_argument_type(d,1.0)");
        assert_eq!(f("~1000000000000c", ints(&[65])), "!resource_error(memory)");
    }
}
