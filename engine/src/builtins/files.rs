//! Files and folders of the workspace. `/` is the workspace's root.

use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::host::{FsError, Metadata};
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args;
use crate::streams::path;
use crate::streams::{Encoding, Kind, Mode, Stream};
use crate::text;

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "access_file",
        2,
        access_file,
        "access_file(+File, +Mode)\nTrue if the file can be used; Mode is read, write, append, exist, execute or none.",
    ),
    det("append_file", 2, append_file, "append_file(+File, +Text)\nAdds text at the end of a file."),
    det("chdir", 1, chdir, "chdir(+Directory)\nAs working_directory(_, Directory)."),
    det("copy_file", 2, copy_file, "copy_file(+From, +To)\nCopies a file; To may be a folder."),
    det("delete_directory", 1, delete_directory, "delete_directory(+Directory)\nRemoves an empty folder."),
    det(
        "delete_directory_and_contents",
        1,
        delete_tree,
        "delete_directory_and_contents(+Directory)\nRemoves a folder and everything in it.",
    ),
    det("delete_file", 1, delete_file, "delete_file(+File)\nRemoves a file."),
    det("directory_files", 2, directory_files, "directory_files(+Directory, -Names)\nNames in a folder, sorted, without '.' and '..'."),
    det("exists_directory", 1, exists_directory, "exists_directory(+Directory)\nTrue if the folder is there."),
    det("exists_file", 1, exists_file, "exists_file(+File)\nTrue if the file is there and no folder."),
    det("expand_file_name", 2, expand_file_name, "expand_file_name(+Pattern, -Names)\nFiles that match a pattern of * ? [a-z] {a,b}."),
    det("make_directory", 1, make_directory, "make_directory(+Directory)\nMakes a folder."),
    det(
        "make_directory_path",
        1,
        make_directory_path,
        "make_directory_path(+Directory)\nMakes a folder and the folders above it, as needed.",
    ),
    det("ensure_directory", 1, make_directory_path, "ensure_directory(+Directory)\nAs make_directory_path/1."),
    det("read_file", 2, read_file, "read_file(+File, -Text)\nThe content of a text file, as a string."),
    det(
        "read_file_to_codes",
        3,
        read_file_to_codes,
        "read_file_to_codes(+File, -Codes, +Options)\nThe content of a text file. Options: encoding(E), tail(T).",
    ),
    det(
        "read_file_to_string",
        3,
        read_file_to_string,
        "read_file_to_string(+File, -Text, +Options)\nThe content of a text file. Option: encoding(E).",
    ),
    det("rename_file", 2, rename_file, "rename_file(+From, +To)\nRenames a file or folder."),
    det("same_file", 2, same_file, "same_file(+File1, +File2)\nTrue if both names are of one file."),
    det("size_file", 2, size_file, "size_file(+File, -Bytes)\nLength of a file."),
    det("time_file", 2, time_file, "time_file(+File, -Stamp)\nTime of the last change."),
    det("tmp_file", 2, tmp_file, "tmp_file(+Base, -File)\nA name for a new temporary file."),
    det(
        "tmp_file_stream",
        3,
        tmp_file_stream,
        "tmp_file_stream(+Encoding, -File, -Stream)\nOpens a new temporary file for writing; also tmp_file_stream(-File, -Stream, +Options).",
    ),
    det(
        "working_directory",
        2,
        working_directory,
        "working_directory(-Old, +New)\nThe folder that relative names start from, and its change.",
    ),
    det("write_file", 2, write_file, "write_file(+File, +Text)\nMakes Text the content of a file."),
];

fn facts(m: &mut Machine, c: Cell) -> Res<Result<Metadata, FsError>> {
    let p = args::file(m, c)?;
    Ok(m.files.metadata(&p))
}

/// `true`, or the Prolog error of a file operation.
fn done<T>(m: &mut Machine, r: Result<T, FsError>, action: &str, kind: &str, c: Cell) -> Res<T> {
    r.map_err(|e| args::host_error(m, &e, action, kind, c))
}

fn exists_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(facts(m, a[0])?.is_ok_and(|d| !d.directory))
}

fn exists_directory(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(facts(m, a[0])?.is_ok_and(|d| d.directory))
}

fn access_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let mode = args::atom_option(m, a[1])?;
    match can_access(m, &p, &mode) {
        Some(b) => Ok(b),
        None => Err(error::domain(&mut m.heap, "io_mode", a[1])),
    }
}

/// Whether a path can be used in a mode; `None` for an unknown mode.
pub(crate) fn can_access(m: &Machine, p: &str, mode: &str) -> Option<bool> {
    let facts = m.files.metadata(p);
    Some(match mode {
        "none" => true,
        "read" | "exist" | "exists" => facts.is_ok(),
        "execute" => facts.is_ok_and(|d| d.directory),
        "write" | "append" => match facts {
            Ok(d) => d.writable,
            Err(FsError::NotFound) => m.files.metadata(path::directory_name(p)).is_ok_and(|d| d.directory && d.writable),
            Err(_) => false,
        },
        _ => return None,
    })
}

fn directory_files(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let r = m.files.list(&p);
    let names = match r {
        Err(FsError::NotDirectory) => return Err(error::type_error_named(&mut m.heap, "directory", a[0])),
        r => done(m, r, "access", "directory", a[0])?,
    };
    let items: Vec<Cell> = names.iter().filter(|n| *n != "." && *n != "..").map(|n| m.heap.atom(n)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[1], list))
}

fn delete_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let r = m.files.delete(&p);
    done(m, r, "delete", "file", a[0])?;
    Ok(true)
}

fn delete_directory(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let r = m.files.delete_directory(&p);
    done(m, r, "delete", "directory", a[0])?;
    Ok(true)
}

fn delete_tree(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let files = m.files.clone();
    // A folder is listed when first seen and removed when seen again, with its entries gone.
    let mut todo = vec![(p, false)];
    while let Some((p, emptied)) = todo.pop() {
        let r = if emptied {
            files.delete_directory(&p)
        } else {
            match files.delete(&p) {
                Err(FsError::IsDirectory) => files.list(&p).map(|names| {
                    todo.push((p.clone(), true));
                    todo.extend(names.iter().map(|n| (path::join(&p, n), false)));
                }),
                r => r,
            }
        };
        done(m, r, "delete", "directory", a[0])?;
    }
    Ok(true)
}

fn make_directory(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    match m.files.make_directory(&p) {
        // SWI-Prolog's error for a folder that is there already.
        Err(FsError::Exists) => Err(args::message(m, "existence_error", &["directory"], a[0], FsError::Exists.message())),
        r => done(m, r, "create", "directory", a[0]).map(|_| true),
    }
}

fn make_directory_path(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let r = make_path(m, &p);
    done(m, r, "create", "directory", a[0])?;
    Ok(true)
}

fn make_path(m: &Machine, p: &str) -> Result<(), FsError> {
    let mut so_far = String::new();
    for part in p.split('/').filter(|x| !x.is_empty()) {
        so_far.push('/');
        so_far.push_str(part);
        match m.files.make_directory(&so_far) {
            Ok(()) => {}
            Err(FsError::Exists) if m.files.metadata(&so_far).is_ok_and(|d| d.directory) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

fn rename_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (from, to) = (args::file(m, a[0])?, args::file(m, a[1])?);
    let r = m.files.rename(&from, &to);
    done(m, r, "rename", "file", a[0])?;
    Ok(true)
}

fn copy_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (from, mut to) = (args::file(m, a[0])?, args::file(m, a[1])?);
    if m.files.metadata(&to).is_ok_and(|d| d.directory) {
        to = path::join(&to, path::base_name(&from));
    }
    let bytes = m.files.read(&from);
    let bytes = done(m, bytes, "open", "source_sink", a[0])?;
    let r = m.files.write(&to, &bytes);
    done(m, r, "open", "source_sink", a[1])?;
    Ok(true)
}

fn size_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let files = m.files.clone();
    let r = files.metadata(&p);
    let d = done(m, r, "access", "file", a[0])?;
    Ok(m.unify(a[1], Cell::small(d.size as i64)))
}

fn time_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let r = facts(m, a[0])?;
    let d = done(m, r, "access", "file", a[0])?;
    let t = m.heap.float(d.modified);
    Ok(m.unify(a[1], t))
}

fn same_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(args::file(m, a[0])? == args::file(m, a[1])?)
}

// ---- working directory

/// The working directory as SWI-Prolog shows it: with a `/` at its end.
fn shown_directory(m: &Machine) -> String {
    let d = &m.streams.directory;
    if d.ends_with('/') { d.clone() } else { format!("{d}/") }
}

fn working_directory(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let old = shown_directory(m);
    let old = m.heap.atom(&old);
    if !m.unify(a[0], old) {
        return Ok(false);
    }
    if m.heap.deref(a[1]) == old {
        return Ok(true);
    }
    chdir(m, &a[1..])
}

fn chdir(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let p = args::file(m, a[0])?;
    let r = m.files.metadata(&p).and_then(|d| if d.directory { Ok(()) } else { Err(FsError::NotDirectory) });
    done(m, r, "chdir", "directory", a[0])?;
    m.streams.directory = p;
    Ok(true)
}

fn expand_file_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let pattern = args::name(m, a[0])?;
    let mut names = Vec::new();
    for p in path::alternatives(&pattern) {
        if path::is_glob(&p) {
            let start = names.len();
            names.extend(expand(m, &p));
            names.get_mut(start..).unwrap_or_default().sort();
        } else if !path::is_glob(&pattern) || path::resolve(&m.streams.directory, &p).is_some_and(|f| m.files.metadata(&f).is_ok()) {
            names.push(p);
        }
    }
    let items: Vec<Cell> = names.iter().map(|n| m.heap.atom(n)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[1], list))
}

/// Files that match a pattern without alternatives, folder by folder.
fn expand(m: &Machine, pattern: &str) -> Vec<String> {
    let mut found = vec![if pattern.starts_with('/') { "/".to_string() } else { String::new() }];
    for part in pattern.split('/').filter(|p| !p.is_empty()) {
        let mut next = Vec::new();
        for base in &found {
            let Some(folder) = path::resolve(&m.streams.directory, base) else { continue };
            if path::is_glob(part) {
                let names = m.files.list(&folder).unwrap_or_default();
                let hidden = part.starts_with('.');
                next.extend(
                    names.iter().filter(|n| (hidden || !n.starts_with('.')) && path::glob_match(part, n)).map(|n| path::join(base, n)),
                );
            } else if m.files.metadata(&path::join(&folder, part)).is_ok() {
                next.push(path::join(base, part));
            }
        }
        found = next;
    }
    found
}

// ---- whole files

/// The text of a file; a byte order mark is dropped.
pub(crate) fn text_of_file(m: &mut Machine, c: Cell, encoding: Encoding) -> Res<String> {
    let p = args::file(m, c)?;
    let files = m.files.clone();
    let flushed = m.streams.flush_path(&*files, &p);
    done(m, flushed, "open", "source_sink", c)?;
    let mut bytes = done(m, files.read(&p), "open", "source_sink", c)?;
    match Encoding::of_mark(&bytes) {
        Some((e, len)) => {
            bytes.drain(..len);
            Ok(e.decode(bytes))
        }
        None => Ok(encoding.decode(bytes)),
    }
}

fn file_encoding(m: &mut Machine, options: &[(String, Cell)]) -> Res<Encoding> {
    let Some((_, c)) = options.iter().find(|o| o.0 == "encoding") else { return Ok(Encoding::Utf8) };
    let name = args::atom_option(m, *c)?;
    Encoding::from_name(&name).ok_or_else(|| error::domain(&mut m.heap, "encoding", *c))
}

fn read_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let text = text_of_file(m, a[0], Encoding::Utf8)?;
    let s = m.heap.string(&text);
    Ok(m.unify(a[1], s))
}

fn read_file_to_string(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let options = args::options(m, a[2])?;
    let encoding = file_encoding(m, &options)?;
    let text = text_of_file(m, a[0], encoding)?;
    let s = m.heap.string(&text);
    Ok(m.unify(a[1], s))
}

fn read_file_to_codes(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let options = args::options(m, a[2])?;
    let encoding = file_encoding(m, &options)?;
    let tail = options.iter().find(|o| o.0 == "tail").map_or(Cell::NIL, |o| o.1);
    let text = text_of_file(m, a[0], encoding)?;
    let list = text::codes_with_tail(&mut m.heap, &text, tail);
    Ok(m.unify(a[1], list))
}

fn write_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (p, text) = (args::file(m, a[0])?, args::text(m, a[1])?);
    let r = m.files.write(&p, text.as_bytes());
    done(m, r, "open", "source_sink", a[0])?;
    Ok(true)
}

fn append_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (p, text) = (args::file(m, a[0])?, args::text(m, a[1])?);
    let r = m.files.append(&p, text.as_bytes());
    done(m, r, "open", "source_sink", a[0])?;
    Ok(true)
}

// ---- temporary files

/// A free name in the workspace's folder for temporary files, which is made when missing.
fn temporary(m: &mut Machine, base: &str, c: Cell, extension: &str) -> Res<String> {
    let r = make_path(m, "/.tmp");
    done(m, r, "create", "directory", c)?;
    let base: String = base.chars().map(|c| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect();
    let dot = if extension.is_empty() { "" } else { "." };
    loop {
        let p = format!("/.tmp/swipl_{base}_{}{dot}{extension}", m.streams.next_temporary);
        m.streams.next_temporary = m.streams.next_temporary.wrapping_add(1);
        if m.files.metadata(&p).is_err() {
            return Ok(p);
        }
    }
}

fn tmp_file(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let base = args::text(m, a[0])?;
    let p = temporary(m, &base, a[0], "")?;
    let name = m.heap.atom(&p);
    Ok(m.unify(a[1], name))
}

fn tmp_file_stream(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let by_encoding = matches!(m.heap.view(a[0]), Term::Atom(_)) && m.heap.is_var(a[2]);
    let (mut encoding, mut binary, mut extension) = (Encoding::Utf8, false, String::new());
    let (file, stream) = if by_encoding { (a[1], a[2]) } else { (a[0], a[1]) };
    let options = if by_encoding { vec![("encoding".to_string(), a[0])] } else { args::options(m, a[2])? };
    for (name, value) in options {
        match name.as_str() {
            "encoding" => match args::atom_option(m, value)?.as_str() {
                "binary" => binary = true,
                e => encoding = Encoding::from_name(e).ok_or_else(|| error::domain(&mut m.heap, "encoding", value))?,
            },
            "extension" => extension = args::text(m, value)?.trim_start_matches('.').replace('/', "_"),
            _ => {}
        }
    }
    let p = temporary(m, "file", file, &extension)?;
    let r = m.files.write(&p, b"");
    done(m, r, "create", "file", file)?;
    let mut s = Stream::new(Kind::File(p.clone()), Mode::Write);
    s.encoding = if binary { Encoding::Octet } else { encoding };
    s.binary = binary;
    s.file_name = Some(p.clone());
    let n = m.streams.add(s);
    let (name, term) = (m.heap.atom(&p), args::stream_term(&mut m.heap, n));
    Ok(m.unify(file, name) && m.unify(stream, term))
}
