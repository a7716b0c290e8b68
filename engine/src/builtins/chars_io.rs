//! Reading and writing characters, codes and bytes; counts; the Edinburgh family `see/1`, `tell/1`.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args::{self, Direction, stream_term};
use crate::streams::{EofAction, Kind, Mode, Place, Stream};
use crate::text;

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det("$tab", 1, tab, "'$tab'(+Count)\nWrites spaces; tab/1 evaluates its argument first."),
    det("$tab", 2, tab, "'$tab'(+Stream, +Count)\nWrites spaces; tab/2 evaluates its argument first."),
    det("append", 1, append, "append(+File)\nOpens the file to add to its end and makes it current output."),
    det("at_end_of_stream", 0, at_end, "at_end_of_stream\nTrue if nothing is left to read on current input."),
    det("at_end_of_stream", 1, at_end, "at_end_of_stream(+Stream)\nTrue if nothing is left to read."),
    det("byte_count", 2, byte_count, "byte_count(+Stream, -Count)\nBytes read or written so far."),
    det("character_count", 2, character_count, "character_count(+Stream, -Count)\nCharacters read or written so far."),
    det("copy_stream_data", 2, copy_stream_data, "copy_stream_data(+In, +Out)\nCopies the rest of In to Out."),
    det("copy_stream_data", 3, copy_stream_data, "copy_stream_data(+In, +Out, +Count)\nCopies at most Count characters from In to Out."),
    det("get0", 1, get_code, "get0(-Code)\nAs get_code/1."),
    det("get0", 2, get_code, "get0(+Stream, -Code)\nAs get_code/2."),
    det("get", 1, get_nonblank, "get(-Code)\nThe next character that is not blank."),
    det("get", 2, get_nonblank, "get(+Stream, -Code)\nThe next character that is not blank."),
    det("get_byte", 1, get_byte, "get_byte(-Byte)\nReads a byte of current input; -1 at the end."),
    det("get_byte", 2, get_byte, "get_byte(+Stream, -Byte)\nReads a byte; -1 at the end."),
    det("get_char", 1, get_char, "get_char(-Char)\nReads a character of current input; end_of_file at the end."),
    det("get_char", 2, get_char, "get_char(+Stream, -Char)\nReads a character; end_of_file at the end."),
    det("get_code", 1, get_code, "get_code(-Code)\nReads a character code of current input; -1 at the end."),
    det("get_code", 2, get_code, "get_code(+Stream, -Code)\nReads a character code; -1 at the end."),
    det("line_count", 2, line_count, "line_count(+Stream, -Line)\nLine that is read or written now, from 1."),
    det("line_position", 2, line_position, "line_position(+Stream, -Column)\nColumn within the line, from 0."),
    det("nl", 0, nl, "nl\nWrites a newline."),
    det("nl", 1, nl, "nl(+Stream)\nWrites a newline."),
    det("peek_byte", 1, peek_byte, "peek_byte(-Byte)\nThe next byte of current input, left there."),
    det("peek_byte", 2, peek_byte, "peek_byte(+Stream, -Byte)\nThe next byte, left there."),
    det("peek_char", 1, peek_char, "peek_char(-Char)\nThe next character of current input, left there."),
    det("peek_char", 2, peek_char, "peek_char(+Stream, -Char)\nThe next character, left there."),
    det("peek_code", 1, peek_code, "peek_code(-Code)\nThe next character code of current input, left there."),
    det("peek_code", 2, peek_code, "peek_code(+Stream, -Code)\nThe next character code, left there."),
    det("prompt", 2, prompt, "prompt(-Old, +New)\nThe prompt shown when the user is asked for input."),
    det("put", 1, put_char, "put(+Char)\nAs put_char/1."),
    det("put", 2, put_char, "put(+Stream, +Char)\nAs put_char/2."),
    det("put_byte", 1, put_byte, "put_byte(+Byte)\nWrites a byte to current output."),
    det("put_byte", 2, put_byte, "put_byte(+Stream, +Byte)\nWrites a byte."),
    det("put_char", 1, put_char, "put_char(+Char)\nWrites a character, given as atom or code."),
    det("put_code", 1, put_char, "put_code(+Char)\nAs put_char/1."),
    det("put_code", 2, put_char, "put_code(+Stream, +Char)\nAs put_char/2."),
    det("put_char", 2, put_char, "put_char(+Stream, +Char)\nWrites a character, given as atom or code."),
    det("see", 1, see, "see(+FileOrStream)\nMakes a stream, or a file opened for reading, current input."),
    det("seeing", 1, seeing, "seeing(-Stream)\nCurrent input."),
    det("seen", 0, seen, "seen\nCloses current input."),
    det("skip", 1, skip, "skip(+Char)\nReads up to and with the character."),
    det("skip", 2, skip, "skip(+Stream, +Char)\nReads up to and with the character."),
    det("tell", 1, tell, "tell(+FileOrStream)\nMakes a stream, or a file opened for writing, current output."),
    det("telling", 1, telling, "telling(-Stream)\nCurrent output."),
    det("told", 0, told, "told\nCloses current output."),
    det("ttyflush", 0, ttyflush, "ttyflush\nFlushes user_output."),
];

/// Splits `(Stream, Rest)` from `(Rest)` for the predicates that come with and without a stream.
fn split<const N: usize>(a: &[Cell]) -> (Option<Cell>, [Cell; N]) {
    let (stream, rest) = if a.len() > N { (a.first().copied(), &a[1..]) } else { (None, a) };
    let mut out = [Cell::NIL; N];
    out.copy_from_slice(rest);
    (stream, out)
}

/// What to raise or do when the stream `n` has nothing left: asks the user for more, or raises beyond the end.
pub(crate) fn at_input_end(m: &mut Machine, n: u32, named: Option<Cell>) -> Res<()> {
    if m.streams.ask_input(n) {
        return Err(Throw::Input);
    }
    if m.streams.get(n).is_some_and(|s| s.eof_action == EofAction::Error && s.past_end) {
        let c = named.unwrap_or_else(|| stream_term(&mut m.heap, n));
        return Err(error::permission(&mut m.heap, "input", "past_end_of_stream", c));
    }
    Ok(())
}

fn next(m: &mut Machine, stream: Option<Cell>, take: bool) -> Res<Option<char>> {
    let n = args::input(m, stream)?;
    if m.streams.get(n).is_some_and(|s| s.peek().is_none()) {
        at_input_end(m, n, stream)?;
    }
    let Some(s) = m.streams.get_mut(n) else { return Ok(None) };
    s.filled = true;
    Ok(if take { s.get() } else { s.peek() })
}

/// The result argument must be unbound, a character or a code.
fn check_in(m: &mut Machine, c: Cell) -> Res<()> {
    let ok = match m.heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => true,
        Term::Atom(atom::END_OF_FILE) => true,
        Term::Atom(a) => m.heap.atoms.text(a).chars().count() == 1,
        Term::Int(i) => i >= -1,
        _ => false,
    };
    if ok { Ok(()) } else { Err(error::type_error(&mut m.heap, atom::CHARACTER, c)) }
}

fn read_char(m: &mut Machine, a: &[Cell], take: bool) -> Res<bool> {
    let (s, [out]) = split(a);
    check_in(m, out)?;
    let c = match next(m, s, take)? {
        Some(c) => text::char_cell(&mut m.heap, c),
        None => Cell::atom(atom::END_OF_FILE),
    };
    Ok(m.unify(out, c))
}

fn read_code(m: &mut Machine, a: &[Cell], take: bool) -> Res<bool> {
    let (s, [out]) = split(a);
    check_in(m, out)?;
    let c = next(m, s, take)?.map_or(-1, |c| c as i64);
    Ok(m.unify(out, Cell::small(c)))
}

fn get_char(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_char(m, a, true)
}

fn peek_char(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_char(m, a, false)
}

fn get_code(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_code(m, a, true)
}

fn peek_code(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_code(m, a, false)
}

fn get_nonblank(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (s, [out]) = split(a);
    check_in(m, out)?;
    let c = loop {
        match next(m, s, true)? {
            Some(c) if c.is_whitespace() => {}
            c => break c,
        }
    };
    Ok(m.unify(out, Cell::small(c.map_or(-1, |c| c as i64))))
}

fn read_byte(m: &mut Machine, a: &[Cell], take: bool) -> Res<bool> {
    let (stream, [out]) = split(a);
    let n = args::input(m, stream)?;
    let text = m.streams.get(n).is_some_and(|s| !s.binary && s.encoding != crate::streams::Encoding::Octet && s.kind != Kind::Text);
    if text {
        let c = stream.unwrap_or_else(|| stream_term(&mut m.heap, n));
        return Err(error::permission(&mut m.heap, "input", "text_stream", c));
    }
    match m.heap.view(out) {
        Term::Var(_) | Term::Attributed(_) => {}
        Term::Int(i) if (-1..=255).contains(&i) => {}
        _ => return Err(error::type_error_named(&mut m.heap, "in_byte", out)),
    }
    if m.streams.get(n).is_some_and(|s| s.peek_byte().is_none()) {
        at_input_end(m, n, stream)?;
    }
    let b = m.streams.get_mut(n).and_then(|s| if take { s.get_byte() } else { s.peek_byte() });
    Ok(m.unify(out, Cell::small(b.map_or(-1, |b| b as i64))))
}

fn get_byte(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_byte(m, a, true)
}

fn peek_byte(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    read_byte(m, a, false)
}

/// A character given as one-character atom or as code.
fn character(m: &mut Machine, c: Cell) -> Res<char> {
    let found = match m.heap.view(c) {
        Term::Atom(a) => {
            let mut chars = m.heap.atoms.text(a).chars();
            chars.next().filter(|_| chars.next().is_none())
        }
        Term::Int(i) => match u32::try_from(i).ok().and_then(char::from_u32) {
            Some(c) => Some(c),
            None => return Err(error::representation(&mut m.heap, "character_code")),
        },
        _ => None,
    };
    found.ok_or_else(|| error::type_error(&mut m.heap, atom::CHARACTER, c))
}

fn put_char(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (s, [c]) = split(a);
    let c = character(m, c)?;
    let n = args::output(m, s)?;
    m.streams.write(n, c.encode_utf8(&mut [0; 4]));
    Ok(true)
}

fn put_byte(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (s, [c]) = split(a);
    let b = match m.heap.view(c) {
        Term::Int(i) if (0..=255).contains(&i) => i as u8,
        _ => return Err(error::type_error_named(&mut m.heap, "byte", c)),
    };
    let n = args::output(m, s)?;
    if m.streams.get(n).is_some_and(|s| !s.binary && s.encoding != crate::streams::Encoding::Octet) {
        let c = s.unwrap_or_else(|| stream_term(&mut m.heap, n));
        return Err(error::permission(&mut m.heap, "output", "text_stream", c));
    }
    m.streams.write(n, (b as char).encode_utf8(&mut [0; 4]));
    Ok(true)
}

fn nl(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::output(m, a.first().copied())?;
    m.streams.write(n, "\n");
    Ok(true)
}

fn tab(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (s, [count]) = split(a);
    let n = args::output(m, s)?;
    let count = match m.heap.view(count) {
        Term::Int(i) => usize::try_from(i).unwrap_or(0),
        Term::Big(_) => return Err(error::resource(&mut m.heap, "memory")),
        _ => return Err(error::type_error_named(&mut m.heap, "integer_expression", count)),
    };
    if count > 1 << 24 {
        return Err(error::resource(&mut m.heap, "memory"));
    }
    m.streams.write(n, &" ".repeat(count));
    Ok(true)
}

fn skip(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (s, [c]) = split(a);
    let wanted = character(m, c)?;
    while let Some(c) = next(m, s, true)? {
        if c == wanted {
            break;
        }
    }
    Ok(true)
}

fn at_end(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let stream = a.first().copied();
    let n = args::input(m, stream)?;
    let end = m.streams.get(n).is_none_or(|s| s.peek().is_none());
    if end && m.streams.ask_input(n) {
        return Err(Throw::Input);
    }
    Ok(end)
}

fn copy_stream_data(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let from = args::stream(m, a[0], Direction::Input)?;
    let to = args::stream(m, a[1], Direction::Output)?;
    let limit = match a.get(2) {
        Some(&c) => Some(args::count(m, c)?),
        None => None,
    };
    let text = match limit {
        None => super::read_text::whole(m, from, a[0])?,
        Some(limit) => m.streams.get_mut(from).map(|s| take_chars(s, limit)).unwrap_or_default(),
    };
    m.streams.write(to, &text);
    Ok(true)
}

/// Takes at most `limit` characters.
pub(crate) fn take_chars(s: &mut Stream, limit: usize) -> String {
    let mut text = String::new();
    for _ in 0..limit {
        match s.get() {
            Some(c) => text.push(c),
            None => break,
        }
    }
    text
}

fn prompt(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let old = m.streams.prompt.clone();
    let old = m.heap.atom(&old);
    if !m.unify(a[0], old) {
        return Ok(false);
    }
    let new = args::text(m, a[1])?;
    m.streams.prompt = new;
    Ok(true)
}

// ---- counts

fn count_of(m: &mut Machine, a: &[Cell], f: fn(&Place) -> u64) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Either)?;
    let v = m.streams.get(n).map_or(0, |s| f(&s.place));
    Ok(m.unify(a[1], Cell::small(v as i64)))
}

fn byte_count(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    count_of(m, a, |p| p.byte)
}

fn character_count(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    count_of(m, a, |p| p.char)
}

fn line_count(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    count_of(m, a, |p| p.line)
}

fn line_position(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    count_of(m, a, |p| p.column)
}

// ---- see, tell

/// The stream for `see/1` and `tell/1`: a stream, or a file that is opened unless it is open that way already.
fn edinburgh(m: &mut Machine, c: Cell, mode: Mode) -> Res<u32> {
    let direction = if mode == Mode::Read { Direction::Input } else { Direction::Output };
    let known = match m.heap.view(c) {
        Term::Atom(a) => {
            let name = m.heap.atoms.text(a);
            name == "user" || m.streams.by_alias(name).is_some()
        }
        _ => args::number_of(&m.heap, c).is_some(),
    };
    if known {
        return args::stream(m, c, direction);
    }
    let path = args::file(m, c)?;
    let open = m
        .streams
        .numbers()
        .into_iter()
        .find(|&n| m.streams.get(n).is_some_and(|s| s.kind == Kind::File(path.clone()) && s.is_input() == (mode == Mode::Read)));
    match open {
        Some(n) => Ok(n),
        None => super::streams::open_file(m, c, mode, Default::default()),
    }
}

fn see(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = edinburgh(m, a[0], Mode::Read)?;
    m.streams.set_input(n);
    Ok(true)
}

fn tell(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = edinburgh(m, a[0], Mode::Write)?;
    m.streams.set_output(n);
    Ok(true)
}

fn append(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = edinburgh(m, a[0], Mode::Append)?;
    m.streams.set_output(n);
    Ok(true)
}

fn seeing(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = m.streams.input();
    let t = stream_term(&mut m.heap, n);
    Ok(m.unify(a[0], t))
}

fn telling(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = m.streams.output();
    let t = stream_term(&mut m.heap, n);
    Ok(m.unify(a[0], t))
}

fn close_current(m: &mut Machine, n: u32) -> Res<bool> {
    let files = m.files.clone();
    let done = m.streams.close(&*files, n);
    done.map(|_| true).map_err(|e| {
        let s = stream_term(&mut m.heap, n);
        args::host_error(m, &e, "write", "stream", s)
    })
}

fn seen(m: &mut Machine, _: &[Cell]) -> Res<bool> {
    let n = m.streams.input();
    close_current(m, n)
}

fn told(m: &mut Machine, _: &[Cell]) -> Res<bool> {
    let n = m.streams.output();
    close_current(m, n)
}

fn ttyflush(_: &mut Machine, _: &[Cell]) -> Res<bool> {
    Ok(true)
}
