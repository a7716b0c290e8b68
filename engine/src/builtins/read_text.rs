//! Reading lines, strings and whole streams.

use super::chars_io::{at_input_end, take_chars};
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::Kind;
use crate::streams::args::{self, Direction};
use crate::text;

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det("fill_buffer", 1, fill_buffer, "fill_buffer(+Stream)\nMakes the next part of the input available to read_pending_codes/3."),
    det("peek_string", 3, peek_string, "peek_string(+Stream, +Length, -String)\nThe next Length characters, left there."),
    det(
        "read_line_to_codes",
        2,
        line_to_codes,
        "read_line_to_codes(+Stream, -Codes)\nThe next line without its end; end_of_file at the end.",
    ),
    det(
        "read_line_to_codes",
        3,
        line_to_codes_tail,
        "read_line_to_codes(+Stream, -Codes, ?Tail)\nThe next line with its end, as a difference list.",
    ),
    det(
        "read_line_to_string",
        2,
        line_to_string,
        "read_line_to_string(+Stream, -String)\nThe next line without its end; end_of_file at the end.",
    ),
    det("read_pending_chars", 3, pending_chars, "read_pending_chars(+Stream, -Chars, ?Tail)\nWhat is buffered, as characters."),
    det("read_pending_codes", 3, pending_codes, "read_pending_codes(+Stream, -Codes, ?Tail)\nWhat is buffered, as codes."),
    det("read_stream_to_codes", 2, stream_to_codes, "read_stream_to_codes(+Stream, -Codes)\nThe rest of the stream."),
    det(
        "read_stream_to_codes",
        3,
        stream_to_codes,
        "read_stream_to_codes(+Stream, -Codes, ?Tail)\nThe rest of the stream, as a difference list.",
    ),
    det(
        "read_string",
        3,
        read_string,
        "read_string(+Stream, ?Length, -String)\nThe next Length characters, or all of them when Length is unbound.",
    ),
    det(
        "read_string",
        5,
        read_string_sep,
        "read_string(+Stream, +SepChars, +PadChars, -Sep, -String)\nText up to one of SepChars, stripped of PadChars at both ends.",
    ),
];

/// Waits for the end of the user's input, since the whole of it is wanted.
pub(crate) fn whole(m: &mut Machine, n: u32, c: Cell) -> Res<String> {
    if m.streams.get(n).is_some_and(|s| s.kind == Kind::UserInput || s.peek().is_none()) {
        at_input_end(m, n, Some(c))?;
    }
    Ok(m.streams.get_mut(n).map(|s| s.take_rest()).unwrap_or_default())
}

/// Takes the text up to a character that `stop` accepts, and that character.
fn until(m: &mut Machine, c: Cell, stop: impl Fn(char) -> bool) -> Res<(String, Option<char>)> {
    let n = args::stream(m, c, Direction::Input)?;
    let Some(s) = m.streams.get(n) else { return Ok((String::new(), None)) };
    let found = s.rest().char_indices().find(|(_, c)| stop(*c));
    if found.is_none() {
        let user = s.kind == Kind::UserInput;
        if user || s.peek().is_none() {
            at_input_end(m, n, Some(c))?;
        }
    }
    let Some(s) = m.streams.get_mut(n) else { return Ok((String::new(), None)) };
    match found {
        Some((len, stop)) => {
            let text = s.rest().get(..len).unwrap_or("").to_string();
            let (source, _) = s.source();
            let at = source.len() - s.rest().len();
            s.take_to(at + len + stop.len_utf8());
            Ok((text, Some(stop)))
        }
        None => Ok((s.take_rest(), None)),
    }
}

fn line_to_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (line, end) = until(m, a[0], |c| c == '\n')?;
    let out = if line.is_empty() && end.is_none() { Cell::atom(atom::END_OF_FILE) } else { m.heap.string(line.trim_matches('\r')) };
    Ok(m.unify(a[1], out))
}

fn line_to_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (line, end) = until(m, a[0], |c| c == '\n')?;
    let out = if line.is_empty() && end.is_none() {
        Cell::atom(atom::END_OF_FILE)
    } else {
        text::codes_with_tail(&mut m.heap, line.strip_suffix('\r').unwrap_or(&line), Cell::NIL)
    };
    Ok(m.unify(a[1], out))
}

fn line_to_codes_tail(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (mut line, end) = until(m, a[0], |c| c == '\n')?;
    if line.is_empty() && end.is_none() {
        return Ok(m.unify(a[1], a[2]) && m.unify(a[2], Cell::NIL));
    }
    line.extend(end);
    let out = text::codes_with_tail(&mut m.heap, &line, a[2]);
    Ok(m.unify(a[1], out))
}

fn stream_to_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Input)?;
    let text = whole(m, n, a[0])?;
    let tail = a.get(2).copied().unwrap_or(Cell::NIL);
    let out = text::codes_with_tail(&mut m.heap, &text, tail);
    Ok(m.unify(a[1], out))
}

fn read_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Input)?;
    let text = match m.heap.view(a[1]) {
        Term::Var(_) | Term::Attributed(_) => {
            let text = whole(m, n, a[0])?;
            let len = Cell::small(text.chars().count() as i64);
            if !m.unify(a[1], len) {
                return Ok(false);
            }
            text
        }
        _ => {
            let limit = args::count(m, a[1])?;
            // Only the user's input can still grow: ask before anything is taken.
            if m.streams.get(n).is_some_and(|s| s.kind == Kind::UserInput && s.rest().chars().take(limit).count() < limit) {
                at_input_end(m, n, Some(a[0]))?;
            }
            m.streams.get_mut(n).map(|s| take_chars(s, limit)).unwrap_or_default()
        }
    };
    let s = m.heap.string(&text);
    Ok(m.unify(a[2], s))
}

fn read_string_sep(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let separators = args::text(m, a[1])?;
    let pad = args::text(m, a[2])?;
    let (text, end) = until(m, a[0], |c| separators.contains(c))?;
    let s = m.heap.string(text.trim_matches(|c| pad.contains(c)));
    let sep = Cell::small(end.map_or(-1, |c| c as i64));
    Ok(m.unify(a[3], sep) && m.unify(a[4], s))
}

fn peek_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Input)?;
    let len = args::count(m, a[1])?;
    if m.streams.get(n).is_some_and(|s| s.rest().chars().take(len).count() < len) && m.streams.ask_input(n) {
        return Err(error::Throw::Input);
    }
    let Some(s) = m.streams.get_mut(n) else { return Ok(false) };
    s.filled = true;
    let text: String = s.rest().chars().take(len).collect();
    let s = m.heap.string(&text);
    Ok(m.unify(a[2], s))
}

fn fill_buffer(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Input)?;
    if m.streams.get(n).is_some_and(|s| s.peek().is_none()) && m.streams.ask_input(n) {
        return Err(error::Throw::Input);
    }
    if let Some(s) = m.streams.get_mut(n) {
        s.filled = true;
    }
    Ok(true)
}

fn pending(m: &mut Machine, c: Cell) -> Res<String> {
    let n = args::stream(m, c, Direction::Input)?;
    let Some(s) = m.streams.get_mut(n).filter(|s| s.filled) else { return Ok(String::new()) };
    let past = s.past_end;
    let text = s.take_rest();
    s.past_end = past;
    Ok(text)
}

fn pending_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = pending(m, a[0])?;
    let out = text::codes_with_tail(&mut m.heap, &text, a[2]);
    Ok(m.unify(a[1], out))
}

fn pending_chars(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = pending(m, a[0])?;
    let items: Vec<Cell> = text.chars().map(|c| text::char_cell(&mut m.heap, c)).collect();
    let out = m.heap.list_with_tail(&items, a[2]);
    Ok(m.unify(a[1], out))
}
