//! Opening, closing and asking about streams.

use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::host::FsError;
use crate::machine::Machine;
use crate::native::{Native, Redo, det, nondet};
use crate::streams::args::{self, Direction, stream_term};
use crate::streams::{Encoding, EofAction, Kind, Mode, Stream};

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det("$drop_output", 1, drop_output, "'$drop_output'(+Mark)\nEnds the capture that '$push_output'/1 began and forgets its text."),
    det("$pop_output", 2, pop_output, "'$pop_output'(+Mark, -String)\nEnds the capture that '$push_output'/1 began and gives its text."),
    det("$push_output", 1, push_output, "'$push_output'(-Mark)\nFrom here current output is caught, until '$pop_output'/2."),
    det("close", 1, close, "close(+Stream)\nWrites out what is buffered and closes the stream."),
    det("close", 2, close_options, "close(+Stream, +Options)\nAs close/1. Option force(true): errors while writing are ignored."),
    det("current_input", 1, current_input, "current_input(?Stream)\nThe stream that read/1, get_char/1 and the like read."),
    det("current_output", 1, current_output, "current_output(?Stream)\nThe stream that write/1, nl/0 and the like write."),
    nondet(
        "current_stream",
        3,
        current_stream,
        "current_stream(?Object, ?Mode, ?Stream)\nOpen streams with their file and mode (read or write).",
    ),
    det("flush_output", 0, flush_output, "flush_output\nWrites out what current output has buffered."),
    det("flush_output", 1, flush_output, "flush_output(+Stream)\nWrites out what the stream has buffered."),
    det("is_stream", 1, is_stream, "is_stream(@Term)\nTrue if Term is an open stream or its alias."),
    det("open", 3, open, "open(+File, +Mode, -Stream)\nOpens a file of the workspace; Mode is read, write, append or update."),
    det(
        "open",
        4,
        open,
        "open(+File, +Mode, -Stream, +Options)\nAs open/3. Options: alias(A), encoding(E), type(text|binary), bom(B), eof_action(A).",
    ),
    det("open_null_stream", 1, open_null_stream, "open_null_stream(-Stream)\nAn output stream whose text is thrown away but counted."),
    det("open_string", 2, open_string, "open_string(+Text, -Stream)\nA stream that reads a text."),
    det(
        "seek",
        4,
        seek,
        "seek(+Stream, +Offset, +Method, -NewLocation)\nMoves within an input stream; Method is bof, current or eof, in bytes.",
    ),
    det("set_input", 1, set_input, "set_input(+Stream)\nMakes the stream current input."),
    det("set_output", 1, set_output, "set_output(+Stream)\nMakes the stream current output."),
    det(
        "set_stream",
        2,
        set_stream,
        "set_stream(+Stream, +Property)\nChanges a property: alias(A), encoding(E), type(T), eof_action(A), file_name(F), line_position(N), tty(B), buffer(B), newline(N).",
    ),
    det(
        "set_stream_position",
        2,
        set_stream_position,
        "set_stream_position(+Stream, +Position)\nGoes back to a position that stream_property(S, position(P)) gave.",
    ),
    nondet(
        "stream_position_data",
        3,
        stream_position_data,
        "stream_position_data(?Field, +Position, -Data)\nchar_count, line_count, line_position or byte_count of a position.",
    ),
    nondet("stream_property", 2, stream_property, "stream_property(?Stream, ?Property)\nProperties of open streams."),
    det("stream_pair", 3, stream_pair, "stream_pair(+Stream, -Read, -Write)\nThe input or the output side of a stream."),
];

fn unify_stream(m: &mut Machine, c: Cell, n: u32) -> Res<bool> {
    let t = stream_term(&mut m.heap, n);
    Ok(m.unify(c, t))
}

fn fresh(m: &mut Machine, c: Cell) -> Res<()> {
    if m.heap.is_var(c) { Ok(()) } else { Err(error::uninstantiation(&mut m.heap, c)) }
}

// ---- opening and closing

/// What the option list of `open/4` says.
#[derive(Default)]
pub(crate) struct OpenOptions {
    alias: Option<(String, Cell)>,
    encoding: Option<Encoding>,
    binary: bool,
    bom: Option<bool>,
    eof: Option<EofAction>,
    buffer: Option<String>,
    newline: Option<String>,
}

fn eof_action(name: &str) -> Option<EofAction> {
    Some(match name {
        "error" => EofAction::Error,
        "eof_code" => EofAction::EofCode,
        "reset" => EofAction::Reset,
        _ => return None,
    })
}

fn encoding(m: &mut Machine, c: Cell) -> Res<Encoding> {
    let name = args::atom_option(m, c)?;
    Encoding::from_name(&name).ok_or_else(|| error::domain(&mut m.heap, "encoding", c))
}

/// `domain_error(stream_option, Name(Value))`.
fn bad_option(m: &mut Machine, name: &str, value: Cell) -> Throw {
    let culprit = m.heap.compound_named(name, &[value]);
    error::domain(&mut m.heap, "stream_option", culprit)
}

fn open_options(m: &mut Machine, list: Cell) -> Res<OpenOptions> {
    let mut o = OpenOptions::default();
    for (name, value) in args::options(m, list)? {
        match name.as_str() {
            "alias" if o.alias.is_none() => o.alias = Some((args::atom_option(m, value)?, value)),
            "encoding" if o.encoding.is_none() => o.encoding = Some(encoding(m, value)?),
            "type" => match args::atom_option(m, value)?.as_str() {
                "text" => o.binary = false,
                "binary" => o.binary = true,
                _ => return Err(bad_option(m, "type", value)),
            },
            "bom" => o.bom = Some(args::bool_option(m, value)?),
            "eof_action" => match eof_action(&args::atom_option(m, value)?) {
                Some(a) => o.eof = Some(a),
                None => return Err(bad_option(m, "eof_action", value)),
            },
            "buffer" => o.buffer = Some(args::atom_option(m, value)?),
            "newline" => o.newline = Some(args::atom_option(m, value)?),
            _ => {}
        }
    }
    Ok(o)
}

/// Errors of opening as SWI-Prolog reports them: a folder opened for writing counts as a source that does not exist.
fn open_error(m: &mut Machine, e: &FsError, culprit: Cell) -> Throw {
    args::host_error(m, e, "open", "source_sink", culprit)
}

fn open(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (file, mode, out) = (a[0], a[1], a[2]);
    let options = match a.get(3) {
        Some(&list) => open_options(m, list)?,
        None => OpenOptions::default(),
    };
    let mode = match m.heap.view(mode) {
        Term::Atom(x) => match Mode::from_name(m.heap.atoms.text(x)) {
            Some(mode) => mode,
            None => return Err(error::domain(&mut m.heap, "io_mode", mode)),
        },
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, mode)),
    };
    if m.heap.is_var(file) {
        return Err(error::instantiation(&mut m.heap));
    }
    let alias = options.alias.as_ref().map(|x| x.1);
    if let Some((name, c)) = &options.alias
        && m.streams.by_alias(name).is_some()
    {
        let culprit = m.heap.compound_named("alias", &[*c]);
        return Err(error::permission(&mut m.heap, "open", "source_sink", culprit));
    }
    fresh(m, out)?;
    let n = open_file(m, file, mode, options)?;
    match alias {
        Some(alias) => Ok(m.unify(out, alias)),
        None => unify_stream(m, out, n),
    }
}

pub(crate) fn open_file(m: &mut Machine, file: Cell, mode: Mode, o: OpenOptions) -> Res<u32> {
    let path = args::file(m, file)?;
    let files = m.files.clone();
    let default = if o.binary { Encoding::Octet } else { Encoding::Utf8 };
    let mut encoding = o.encoding.unwrap_or(default);
    let flushed = m.streams.flush_path(&*files, &path);
    flushed.map_err(|e| open_error(m, &e, file))?;
    let mut s = if mode == Mode::Read {
        let mut bytes = files.read(&path).map_err(|e| open_error(m, &e, file))?;
        if o.bom.unwrap_or(!o.binary)
            && let Some((e, len)) = Encoding::of_mark(&bytes)
        {
            encoding = e;
            bytes.drain(..len);
        }
        let mut s = Stream::reading(Kind::File(path.clone()), &encoding.decode(bytes));
        s.encoding = encoding;
        s
    } else {
        match files.metadata(&path) {
            Ok(d) if d.directory => {
                return Err(args::message(m, "existence_error", &["source_sink"], file, FsError::IsDirectory.message()));
            }
            Ok(d) if !d.writable => return Err(open_error(m, &FsError::Denied, file)),
            Ok(d) => {
                let mut s = Stream::new(Kind::File(path.clone()), mode);
                if mode == Mode::Append {
                    s.place.byte = d.size;
                }
                s
            }
            Err(FsError::NotFound) => {
                files.write(&path, b"").map_err(|e| open_error(m, &e, file))?;
                Stream::new(Kind::File(path.clone()), mode)
            }
            Err(e) => return Err(open_error(m, &e, file)),
        }
    };
    s.encoding = encoding;
    s.binary = o.binary;
    s.file_name = Some(path);
    if o.bom == Some(true) && mode == Mode::Write {
        s.put_mark();
    }
    if let Some(e) = o.eof {
        s.eof_action = e;
    }
    if let Some(b) = o.buffer {
        s.buffer = b;
    }
    if let Some(l) = o.newline {
        s.newline = l;
    }
    let n = m.streams.add(s);
    if let Some((alias, _)) = o.alias {
        m.streams.set_alias(n, &alias);
    }
    Ok(n)
}

fn open_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = match m.heap.view(a[0]) {
        Term::Atom(atom::NIL) => String::new(),
        _ => args::name(m, a[0])?,
    };
    let n = m.streams.add(Stream::reading(Kind::Text, &text));
    unify_stream(m, a[1], n)
}

fn open_null_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    fresh(m, a[0])?;
    let n = m.streams.add(Stream::new(Kind::Null, Mode::Write));
    unify_stream(m, a[0], n)
}

fn close_stream(m: &mut Machine, c: Cell, force: bool) -> Res<bool> {
    let n = args::stream(m, c, Direction::Either)?;
    let files = m.files.clone();
    match m.streams.close(&*files, n) {
        Err(e) if !force => Err(args::host_error(m, &e, "write", "source_sink", c)),
        _ => Ok(true),
    }
}

fn close(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    close_stream(m, a[0], false)
}

fn close_options(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut force = false;
    for (name, value) in args::options(m, a[1])? {
        if name == "force" {
            force = args::bool_option(m, value)?;
        }
    }
    close_stream(m, a[0], force)
}

fn flush_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::output(m, a.first().copied())?;
    let files = m.files.clone();
    let done = m.streams.flush(&*files, n);
    done.map(|_| true).map_err(|e| {
        let s = stream_term(&mut m.heap, n);
        args::host_error(m, &e, "write", "stream", s)
    })
}

// ---- current streams

/// The argument of `current_input/1`: a variable, or a stream to compare with.
fn check_current(m: &mut Machine, c: Cell, n: u32) -> Res<bool> {
    if m.heap.is_var(c) {
        return unify_stream(m, c, n);
    }
    Ok(args::stream(m, c, Direction::Either)? == n)
}

fn current_input(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = m.streams.input();
    check_current(m, a[0], n)
}

fn current_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = m.streams.output();
    check_current(m, a[0], n)
}

fn set_input(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Input)?;
    m.streams.set_input(n);
    Ok(true)
}

fn set_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Output)?;
    m.streams.set_output(n);
    Ok(true)
}

fn is_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(match m.heap.view(a[0]) {
        Term::Atom(x) => m.streams.by_alias(m.heap.atoms.text(x)).is_some(),
        _ => args::number_of(&m.heap, a[0]).is_some_and(|n| m.streams.get(n).is_some()),
    })
}

fn stream_pair(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Either)?;
    let input = m.streams.get(n).is_some_and(Stream::is_input);
    unify_stream(m, if input { a[1] } else { a[2] }, n)
}

// ---- captures

fn push_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = m.streams.push_capture();
    Ok(m.unify(a[0], Cell::small(n as i64)))
}

fn mark(m: &mut Machine, c: Cell) -> Res<Option<String>> {
    match m.heap.view(c) {
        Term::Int(n) => Ok(u32::try_from(n).ok().and_then(|n| m.streams.pop_capture(n))),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn pop_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = mark(m, a[0])?.unwrap_or_default();
    let s = m.heap.string(&text);
    Ok(m.unify(a[1], s))
}

fn drop_output(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    mark(m, a[0])?;
    Ok(true)
}

// ---- properties

/// `'$stream_position'(Char, Line, Column, Byte)`.
pub(crate) fn position_term(m: &mut Machine, p: crate::streams::Place) -> Cell {
    let args = [p.char, p.line, p.column, p.byte].map(|x| Cell::small(x as i64));
    m.heap.compound_named("$stream_position", &args)
}

fn properties(m: &mut Machine, n: u32) -> Vec<Cell> {
    let Some(s) = m.streams.get(n) else { return Vec::new() };
    let (place, input, past) = (s.place, s.is_input(), s.past_end);
    let end = if past {
        "past"
    } else if s.peek().is_none() && !matches!(s.kind, Kind::UserInput) {
        "at"
    } else {
        "not"
    };
    let reposition = matches!(s.kind, Kind::File(_) | Kind::Text);
    let eof = match s.eof_action {
        EofAction::Error => "error",
        EofAction::EofCode => "eof_code",
        EofAction::Reset => "reset",
    };
    let mut words: Vec<(&str, String)> = Vec::new();
    if let Some(f) = &s.file_name {
        words.push(("file_name", f.clone()));
    }
    words.push(("mode", s.mode.name().into()));
    words.push((if input { "input" } else { "output" }, String::new()));
    words.extend(s.aliases.iter().map(|a| ("alias", a.clone())));
    words.push(("position", String::new()));
    if input {
        words.push(("end_of_stream", end.into()));
    }
    words.push(("eof_action", eof.into()));
    words.push(("reposition", reposition.to_string()));
    words.push(("type", if s.binary { "binary" } else { "text" }.into()));
    if n < 3 {
        words.push(("file_no", n.to_string()));
        words.push(("tty", s.tty.to_string()));
    }
    words.push(("buffer", s.buffer.clone()));
    words.push(("encoding", s.encoding.name().into()));
    words.push(("newline", s.newline.clone()));
    words.push(("representation_errors", "error".into()));
    let mut out = Vec::new();
    for (name, value) in words {
        let value = match name {
            "input" | "output" => {
                let c = m.heap.atom(name);
                out.push(c);
                continue;
            }
            "position" => position_term(m, place),
            "file_no" => Cell::small(n as i64),
            _ => m.heap.atom(&value),
        };
        let c = m.heap.compound_named(name, &[value]);
        out.push(c);
    }
    out
}

fn stream_property(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let given = !m.heap.is_var(a[0]);
    let state = match state {
        Some(s) => s,
        None => {
            let numbers = if given { vec![args::stream(m, a[0], Direction::Either)?] } else { m.streams.numbers() };
            let wanted = m.heap.name_arity(a[1]);
            let mut rows = Vec::new();
            for n in numbers {
                let s = if given { a[0] } else { stream_term(&mut m.heap, n) };
                for p in properties(m, n) {
                    if wanted.is_none() || wanted == m.heap.name_arity(p) {
                        rows.push(vec![s, p]);
                    }
                }
            }
            args::solutions(&mut m.heap, &rows)
        }
    };
    Ok(args::next_solution(m, a, state))
}

fn current_stream(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let state = match state {
        Some(s) => s,
        None => {
            let mut rows = Vec::new();
            for n in m.streams.numbers() {
                let Some(s) = m.streams.get(n) else { continue };
                let (name, mode) = (s.file_name.clone(), if s.is_input() { "read" } else { "write" });
                let object = match name {
                    Some(f) => m.heap.atom(&f),
                    None if n < 3 => Cell::small(n as i64),
                    None => Cell::NIL,
                };
                rows.push(vec![object, m.heap.atom(mode), stream_term(&mut m.heap, n)]);
            }
            args::solutions(&mut m.heap, &rows)
        }
    };
    Ok(args::next_solution(m, a, state))
}

fn set_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Either)?;
    let Term::Compound(_, name, 1) = m.heap.view(a[1]) else {
        return Err(error::domain(&mut m.heap, "stream_attribute", a[1]));
    };
    let name = m.heap.atoms.text(name).to_string();
    let value = m.heap.deref(m.heap.arg(a[1], 0));
    match name.as_str() {
        "alias" => {
            let alias = args::atom_option(m, value)?;
            match alias.as_str() {
                "user_input" if m.streams.get(n).is_some_and(Stream::is_input) => m.streams.set_input(n),
                "user_output" if m.streams.get(n).is_some_and(|s| !s.is_input()) => m.streams.set_output(n),
                _ => {}
            }
            m.streams.set_alias(n, &alias);
            return Ok(true);
        }
        "line_position" => {
            let column = args::count(m, value)? as u64;
            if let Some(s) = m.streams.get_mut(n) {
                s.place.column = column;
            }
            return Ok(true);
        }
        "tty" | "close_on_abort" | "record_position" | "close_on_exec" => {
            let b = args::bool_option(m, value)?;
            if let Some(s) = m.streams.get_mut(n).filter(|_| name == "tty") {
                s.tty = b;
            }
            return Ok(true);
        }
        "encoding" => {
            let e = encoding(m, value)?;
            if let Some(s) = m.streams.get_mut(n) {
                s.set_encoding(e);
            }
            return Ok(true);
        }
        "buffer_size" | "timeout" | "locale" | "representation_errors" | "write_errors" => return Ok(true),
        _ => {}
    }
    let word = match name.as_str() {
        "file_name" => args::text(m, value)?,
        "eof_action" | "type" | "buffer" | "newline" => args::atom_option(m, value)?,
        _ => return Err(error::domain(&mut m.heap, "stream_attribute", a[1])),
    };
    let Some(s) = m.streams.get_mut(n) else { return Ok(false) };
    match (name.as_str(), word.as_str()) {
        ("file_name", _) => s.file_name = Some(word),
        ("type", "binary") => {
            s.binary = true;
            s.set_encoding(Encoding::Octet);
        }
        ("type", "text") => s.binary = false,
        ("buffer", "full" | "line" | "false" | "none") => s.buffer = word,
        ("newline", "posix" | "dos" | "detect") => s.newline = word,
        ("eof_action", w) if let Some(e) = eof_action(w) => s.eof_action = e,
        _ => return Err(error::domain(&mut m.heap, &name, value)),
    }
    Ok(true)
}

// ---- positions

fn set_stream_position(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Either)?;
    let Some(p) = place_of(m, a[1])? else {
        return Err(error::domain(&mut m.heap, "stream_position", a[1]));
    };
    if !m.streams.get_mut(n).is_some_and(|s| s.is_input() && s.kind != Kind::UserInput && s.seek_char(p.char, Some(p))) {
        return Err(error::permission(&mut m.heap, "reposition", "stream", a[0]));
    }
    Ok(true)
}

/// The place a term `'$stream_position'(Char, Line, Column, Byte)` names.
fn place_of(m: &mut Machine, c: Cell) -> Res<Option<crate::streams::Place>> {
    if m.heap.is_var(c) {
        return Err(error::instantiation(&mut m.heap));
    }
    let name = m.heap.atoms.intern("$stream_position");
    let Some(&[char, line, column, byte]) = m.heap.match_compound(c, name, 4) else { return Ok(None) };
    let get = |c: Cell| match m.heap.view(c) {
        Term::Int(i) => u64::try_from(i).ok(),
        _ => None,
    };
    let (Some(char), Some(line), Some(column), Some(byte)) = (get(char), get(line), get(column), get(byte)) else { return Ok(None) };
    Ok(Some(crate::streams::Place { byte, char, line, column }))
}

fn stream_position_data(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let state = match state {
        Some(s) => s,
        None => {
            let Some(p) = place_of(m, a[1])? else { return Err(error::domain(&mut m.heap, "stream_position", a[1])) };
            let fields = [("char_count", p.char), ("line_count", p.line), ("line_position", p.column), ("byte_count", p.byte)];
            if let Term::Atom(f) = m.heap.view(a[0])
                && !fields.iter().any(|x| x.0 == m.heap.atoms.text(f))
            {
                return Err(error::domain(&mut m.heap, "stream_position_data", a[0]));
            }
            let rows: Vec<Vec<Cell>> = fields.iter().map(|(f, v)| vec![m.heap.atom(f), a[1], Cell::small(*v as i64)]).collect();
            args::solutions(&mut m.heap, &rows)
        }
    };
    Ok(args::next_solution(m, a, state))
}

fn seek(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let n = args::stream(m, a[0], Direction::Either)?;
    let offset = match m.heap.view(a[1]) {
        Term::Int(i) => i,
        _ => return Err(error::type_error(&mut m.heap, atom::INTEGER, a[1])),
    };
    let method = args::atom_option(m, a[2])?;
    let Some(s) = m.streams.get_mut(n) else { return Ok(false) };
    let base = match method.as_str() {
        "bof" => 0,
        "current" => s.place.byte as i64,
        "eof" if s.is_input() => s.input_length() as i64,
        "eof" => s.place.byte as i64,
        _ => return Err(error::domain(&mut m.heap, "seek_method", a[2])),
    };
    let to = u64::try_from(base.saturating_add(offset)).ok();
    let done = match to {
        Some(to) if s.is_input() => s.kind != Kind::UserInput && s.seek_byte(to),
        Some(to) => to == s.place.byte,
        None => false,
    };
    if !done {
        return Err(error::permission(&mut m.heap, "reposition", "stream", a[0]));
    }
    let at = m.heap.int(to.unwrap_or(0) as i64);
    Ok(m.unify(a[3], at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::{Run, all};
    use crate::text;

    /// Calls a predicate; the error's formal term is described by its name and the text of its last argument.
    fn call(m: &mut Machine, name: &str, a: &[Cell]) -> Result<bool, String> {
        let native = all().find(|n| n.name == name && n.arity == a.len()).unwrap_or_else(|| panic!("no {name}/{}", a.len()));
        let result = match native.run {
            Run::Det(f) => f(m, a),
            Run::Nondet(f) => f(m, a, None).map(|r| !matches!(r, Redo::Fail)),
            Run::Suspend => panic!(),
        };
        result.map_err(|t| match t {
            Throw::Ball(b) => {
                let formal = m.heap.arg(b, 0);
                let words: Vec<String> = m.heap.args(formal).map(|i| text::get(&m.heap, m.heap.cells[i]).unwrap_or("_".into())).collect();
                let name = m.heap.name_arity(formal).map(|x| m.heap.atoms.text(x.0).to_string()).unwrap_or_default();
                format!("{name}({})", words.join(","))
            }
            t => format!("{t:?}"),
        })
    }

    fn atom(m: &mut Machine, s: &str) -> Cell {
        m.heap.atom(s)
    }

    fn shown(m: &Machine, c: Cell) -> String {
        text::get(&m.heap, c).unwrap_or("_".into())
    }

    fn get(m: &mut Machine, name: &str, first: &[Cell]) -> String {
        let v = m.heap.new_var();
        let all: Vec<Cell> = first.iter().copied().chain([v]).collect();
        match call(m, name, &all) {
            Ok(true) => shown(m, v),
            r => format!("{r:?}"),
        }
    }

    fn string_stream(m: &mut Machine, text: &str) -> Cell {
        let (t, s) = (m.heap.string(text), m.heap.new_var());
        assert_eq!(call(m, "open_string", &[t, s]), Ok(true));
        s
    }

    #[test]
    fn characters_and_lines() {
        let m = &mut Machine::new();
        let s = string_stream(m, "ab c\r\nd\n\nlast");
        assert_eq!(get(m, "peek_char", &[s]), "a");
        assert_eq!(get(m, "get_char", &[s]), "a");
        assert_eq!(get(m, "get_code", &[s]), "98");
        assert_eq!(get(m, "character_count", &[s]), "2");
        assert_eq!(get(m, "read_line_to_string", &[s]), " c");
        assert_eq!(get(m, "read_line_to_codes", &[s]), "d");
        assert_eq!(get(m, "read_line_to_string", &[s]), "");
        assert_eq!(get(m, "line_count", &[s]), "4");
        assert_eq!(call(m, "at_end_of_stream", &[s]), Ok(false));
        let len = m.heap.new_var();
        assert_eq!(get(m, "read_string", &[s, len]), "last");
        assert_eq!(shown(m, len), "4");
        assert_eq!(get(m, "read_line_to_string", &[s]), "end_of_file");
        assert_eq!(get(m, "get_code", &[s]), "-1");
        let s = string_stream(m, "  k = v;x");
        let (seps, pads, sep) = (m.heap.string("=;"), m.heap.string(" "), m.heap.new_var());
        assert_eq!(get(m, "read_string", &[s, seps, pads, sep]), "k");
        assert_eq!(shown(m, sep), "61");
        let x = Cell::small('x' as i64);
        assert_eq!(call(m, "skip", &[s, x]), Ok(true));
        assert_eq!(call(m, "at_end_of_stream", &[s]), Ok(true));
    }

    #[test]
    fn errors_are_those_of_swi() {
        let m = &mut Machine::new();
        let (no, out, inp, v) = (atom(m, "nostream"), atom(m, "user_output"), atom(m, "user_input"), m.heap.new_var());
        let f = m.heap.compound_named("f", &[no]);
        let e = |s: &str| Err(s.to_string());
        assert_eq!(call(m, "get_char", &[no, v]), e("existence_error(stream,nostream)"));
        assert_eq!(call(m, "get_char", &[v, v]), e("instantiation_error()"));
        assert_eq!(call(m, "get_char", &[out, v]), e("permission_error(input,stream,user_output)"));
        assert_eq!(call(m, "nl", &[inp]), e("permission_error(output,stream,user_input)"));
        assert_eq!(call(m, "peek_char", &[f, v]), e("domain_error(stream_or_alias,_)"));
        assert_eq!(call(m, "put_char", &[out, no]), e("type_error(character,nostream)"));
        assert_eq!(call(m, "get_byte", &[inp, v]), e("permission_error(input,text_stream,user_input)"));
        let (read, bad, foo) = (atom(m, "read"), atom(m, "bad"), atom(m, "foo"));
        assert_eq!(call(m, "open", &[f, read, v]), e("type_error(text,_)"));
        assert_eq!(call(m, "open", &[foo, bad, v]), e("domain_error(io_mode,bad)"));
        assert_eq!(call(m, "open", &[foo, v, v]), e("instantiation_error()"));
        assert_eq!(call(m, "open", &[foo, read, v]), e("existence_error(source_sink,foo)"));
        let partial = m.heap.list(bad, v);
        assert_eq!(call(m, "open", &[foo, read, v, partial]), e("type_error(option,bad)"));
        let up = atom(m, "../x");
        assert_eq!(call(m, "open", &[up, read, v]), e("permission_error(access,file,../x)"));
        assert_eq!(call(m, "exists_file", &[up]), e("permission_error(access,file,../x)"));
    }

    #[test]
    fn files_are_written_and_read() {
        let m = &mut Machine::new();
        let (f, write, read, out) = (atom(m, "d/f.txt"), atom(m, "write"), atom(m, "read"), atom(m, "out"));
        let d = atom(m, "d");
        assert_eq!(call(m, "make_directory_path", &[d]), Ok(true));
        let (s, alias) = (m.heap.new_var(), m.heap.compound_named("alias", &[out]));
        let options = m.heap.list_from(&[alias]);
        assert_eq!(call(m, "open", &[f, write, s, options]), Ok(true));
        for c in "é\n1".chars() {
            assert_eq!(call(m, "put_char", &[out, Cell::small(c as i64)]), Ok(true));
        }
        assert_eq!(call(m, "close", &[out]), Ok(true));
        assert_eq!(get(m, "size_file", &[f]), "4");
        assert_eq!(get(m, "read_file", &[f]), "é\n1");
        let (r, z) = (m.heap.new_var(), Cell::small(0));
        assert_eq!(call(m, "open", &[f, read, r]), Ok(true));
        assert_eq!(get(m, "get_char", &[r]), "é");
        let bof = atom(m, "bof");
        assert_eq!(get(m, "seek", &[r, z, bof]), "0");
        assert_eq!(get(m, "get_char", &[r]), "é");
        let p = m.heap.new_var();
        let property = m.heap.compound_named("mode", &[p]);
        assert_eq!(call(m, "stream_property", &[r, property]), Ok(true));
        assert_eq!(shown(m, p), "read");
        let pattern = atom(m, "*/*.{txt,pl}");
        let names = m.heap.new_var();
        assert_eq!(call(m, "expand_file_name", &[pattern, names]), Ok(true));
        let names = m.heap.list_to_vec(names).unwrap_or_default();
        assert_eq!(names.iter().map(|&n| shown(m, n)).collect::<Vec<_>>(), ["d/f.txt"]);
    }

    #[test]
    fn user_input_can_be_waited_for() {
        let m = &mut Machine::new();
        let v = m.heap.new_var();
        assert_eq!(get(m, "get_char", &[]), "end_of_file");
        m.streams.interactive = true;
        assert_eq!(call(m, "get_char", &[v]), Err("Input".into()));
        assert_eq!(m.streams.input_needed(), Some("|: "));
        m.streams.feed_input("xy");
        assert_eq!(get(m, "get_char", &[]), "x");
        let user = atom(m, "user_input");
        assert_eq!(call(m, "read_line_to_string", &[user, v]), Err("Input".into()));
        m.streams.feed_input("z\n");
        assert_eq!(get(m, "read_line_to_string", &[user]), "yz");
        m.streams.close_input();
        assert_eq!(get(m, "read_line_to_string", &[user]), "end_of_file");
    }

    #[test]
    fn file_names() {
        let m = &mut Machine::new();
        for (base, ext, whole) in
            [("foo", "pl", "foo.pl"), ("foo", ".pl", "foo.pl"), ("foo.pl", "pl", "foo.pl"), ("a.b", "pl", "a.b.pl"), ("foo", "", "foo")]
        {
            let (b, e) = (atom(m, base), atom(m, ext));
            assert_eq!(get(m, "file_name_extension", &[b, e]), whole);
        }
        let (b, txt, whole) = (m.heap.new_var(), atom(m, "txt"), atom(m, "foo.pl"));
        assert_eq!(call(m, "file_name_extension", &[b, txt, whole]), Ok(false));
        let (x, y) = (atom(m, "/a/b/c"), atom(m, "/a/d/e"));
        assert_eq!(get(m, "relative_file_name", &[x, y]), "../b/c");
        let (a, p) = (atom(m, "a"), atom(m, "a/b/c"));
        let f = m.heap.new_var();
        assert_eq!(call(m, "directory_file_path", &[a, f, p]), Ok(true));
        assert_eq!(shown(m, f), "b/c");
    }
}
