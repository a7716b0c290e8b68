//! File names taken apart and put together; nothing here but `absolute_file_name/3` looks at files.

use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::host::FsError;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::streams::args;
use crate::streams::path;

/// The predicates of this family.
pub const BUILTINS: &[Native] = &[
    det(
        "absolute_file_name",
        2,
        absolute_file_name,
        "absolute_file_name(+File, -Absolute)\nThe name from the workspace's root, without '.' and '..'.",
    ),
    det(
        "absolute_file_name",
        3,
        absolute_file_name_options,
        "absolute_file_name(+File, -Absolute, +Options)\nOptions: relative_to(D), extensions(L), file_type(T), access(A), file_errors(fail|error).",
    ),
    det("directory_file_path", 3, directory_file_path, "directory_file_path(?Directory, ?File, ?Path)\nPath is File in Directory."),
    det("file_base_name", 2, file_base_name, "file_base_name(+File, -Base)\nThe last part of a name."),
    det("file_directory_name", 2, file_directory_name, "file_directory_name(+File, -Directory)\nThe folder part of a name."),
    det("file_name_extension", 3, file_name_extension, "file_name_extension(?Base, ?Extension, ?Name)\nName is Base with Extension."),
    det("is_absolute_file_name", 1, is_absolute_file_name, "is_absolute_file_name(+File)\nTrue if the name starts at the root."),
    det(
        "prolog_to_os_filename",
        2,
        prolog_to_os_filename,
        "prolog_to_os_filename(?Prolog, ?Os)\nBoth are the same: names use '/' everywhere.",
    ),
    det(
        "relative_file_name",
        3,
        relative_file_name,
        "relative_file_name(?Path, +From, ?Relative)\nRelative is Path seen from the folder of the file From.",
    ),
    det("wildcard_match", 2, wildcard_match, "wildcard_match(+Pattern, +Text)\nTrue if the text matches a pattern of * ? [a-z] {a,b}."),
];

fn unify_atom(m: &mut Machine, c: Cell, text: &str) -> Res<bool> {
    let t = m.heap.atom(text);
    Ok(m.unify(c, t))
}

/// Unifies a result, comparing as text when the argument is bound (a string counts as the atom).
fn unify_text(m: &mut Machine, c: Cell, text: &str) -> Res<bool> {
    if m.heap.is_var(c) { unify_atom(m, c, text) } else { Ok(args::text(m, c)? == text) }
}

fn file_base_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = args::text(m, a[0])?;
    unify_atom(m, a[1], path::base_name(&t))
}

fn file_directory_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = args::text(m, a[0])?;
    unify_atom(m, a[1], path::directory_name(&t))
}

fn file_name_extension(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    if m.heap.is_var(a[2]) {
        let (base, ext) = (args::text(m, a[0])?, args::text(m, a[1])?);
        let ext = ext.strip_prefix('.').unwrap_or(&ext);
        let name = match path::split_extension(&base) {
            _ if ext.is_empty() => base,
            Some((_, e)) if e == ext => base,
            _ => format!("{base}.{ext}"),
        };
        return unify_atom(m, a[2], &name);
    }
    let name = args::text(m, a[2])?;
    let split = path::split_extension(&name);
    if m.heap.is_var(a[1]) {
        let (base, ext) = split.unwrap_or((&name, ""));
        return Ok(unify_text(m, a[0], base)? && unify_atom(m, a[1], ext)?);
    }
    let ext = args::text(m, a[1])?;
    let ext = ext.strip_prefix('.').unwrap_or(&ext);
    match split {
        Some((base, e)) if e == ext => unify_text(m, a[0], base),
        _ if ext.is_empty() => unify_text(m, a[0], &name),
        _ => Ok(false),
    }
}

fn directory_file_path(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (no_dir, no_file) = (m.heap.is_var(a[0]), m.heap.is_var(a[1]));
    if !no_dir && !no_file {
        let (d, f) = (args::text(m, a[0])?, args::text(m, a[1])?);
        return unify_text(m, a[2], &path::join(&d, &f));
    }
    let p = args::text(m, a[2])?;
    if !no_dir {
        let d = args::text(m, a[0])?;
        let rest = if d == "." { Some(p.as_str()) } else { p.strip_prefix(d.as_str()) };
        let rest = match rest {
            Some(r) if d == "." || d.ends_with('/') => Some(r),
            Some(r) => r.strip_prefix('/'),
            None => None,
        };
        return match rest {
            Some(r) => unify_atom(m, a[1], r.trim_start_matches('/')),
            None => Ok(false),
        };
    }
    if !no_file {
        let f = args::text(m, a[1])?;
        return match p.strip_suffix(f.as_str()) {
            Some("") => unify_atom(m, a[0], "."),
            Some("/") => unify_atom(m, a[0], "/"),
            Some(d) if d.ends_with('/') => unify_atom(m, a[0], d.trim_end_matches('/')),
            _ => Ok(false),
        };
    }
    Ok(unify_atom(m, a[0], path::directory_name(&p))? && unify_atom(m, a[1], path::base_name(&p))?)
}

fn is_absolute_file_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(args::text(m, a[0])?.starts_with('/'))
}

fn prolog_to_os_filename(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (from, to) = if m.heap.is_var(a[0]) { (a[1], a[0]) } else { (a[0], a[1]) };
    let t = args::text(m, from)?;
    unify_text(m, to, &t)
}

fn relative_file_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let directory = m.streams.directory.clone();
    let from = args::text(m, a[1])?;
    let from = path::absolute(&directory, &from);
    if m.heap.is_var(a[0]) {
        let relative = args::text(m, a[2])?;
        let base = if from.ends_with('/') { from.as_str() } else { path::directory_name(&from) };
        let whole = path::absolute(base, &relative);
        return unify_atom(m, a[0], &whole);
    }
    let to = args::text(m, a[0])?;
    let to = path::absolute(&directory, &to);
    unify_text(m, a[2], &path::relative(&to, &from))
}

fn wildcard_match(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (p, t) = (args::text(m, a[0])?, args::text(m, a[1])?);
    Ok(path::glob_match(&p, &t))
}

fn absolute_file_name(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let t = args::name(m, a[0])?;
    let p = path::absolute(&m.streams.directory, &t);
    unify_atom(m, a[1], &p)
}

/// Text elements of a list option.
fn texts(m: &mut Machine, c: Cell) -> Res<Vec<String>> {
    match m.heap.list_to_vec(c) {
        Ok(items) => items.into_iter().map(|x| args::text(m, x)).collect(),
        Err(_) => Err(error::type_error(&mut m.heap, crate::atom::LIST, c)),
    }
}

fn absolute_file_name_options(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    // The old argument order had the options second.
    let swapped = m.heap.pair(a[1]).is_some() && !matches!(m.heap.view(a[2]), Term::List(_));
    let (out, list) = if swapped { (a[2], a[1]) } else { (a[1], a[2]) };
    let mut directory = m.streams.directory.clone();
    let mut extensions: Option<Vec<String>> = None;
    let (mut access, mut fail, mut folder) = ("none".to_string(), false, false);
    for (name, value) in args::options(m, list)? {
        match name.as_str() {
            "relative_to" => {
                let d = args::text(m, value)?;
                let p = path::absolute(&m.streams.directory, &d);
                // Relative to a file means relative to its folder.
                let is_file = m.files.metadata(p.trim_end_matches('/')).is_ok_and(|d| !d.directory);
                directory = if is_file { path::directory_name(&p).to_string() } else { p };
            }
            "extensions" => extensions = Some(texts(m, value)?),
            "access" => access = args::atom_option(m, value)?,
            "file_errors" => fail = args::atom_option(m, value)? == "fail",
            "file_type" => match args::atom_option(m, value)?.as_str() {
                "prolog" | "source" => extensions = extensions.or(Some(vec!["pl".into(), "prolog".into(), String::new()])),
                "directory" => folder = true,
                _ => {}
            },
            _ => {}
        }
    }
    let given = args::name(m, a[0])?;
    let whole = path::absolute(&directory, &given);
    let candidates: Vec<String> = match &extensions {
        None => vec![whole],
        Some(list) => list
            .iter()
            .map(|e| e.strip_prefix('.').unwrap_or(e))
            .map(|e| {
                if e.is_empty() || path::split_extension(&whole).is_some_and(|x| x.1 == e) { whole.clone() } else { format!("{whole}.{e}") }
            })
            .collect(),
    };
    let there = |m: &Machine, p: &String| match m.files.metadata(p.trim_end_matches('/')) {
        _ if p == "/" => folder || access == "none",
        Ok(d) => d.directory == folder,
        Err(FsError::NotFound) => access == "write" || access == "append",
        Err(_) => false,
    };
    let usable = |m: &Machine, p: &String| there(m, p) && super::files::can_access(m, p, &access).unwrap_or(true);
    let unchecked = access == "none" && !folder;
    let found = match candidates.iter().find(|p| usable(m, p)) {
        Some(p) => Some(p),
        None if unchecked => candidates.first(),
        None => None,
    };
    match found {
        Some(p) => unify_atom(m, out, p),
        None if fail => Ok(false),
        None => {
            let kind = if folder { "directory" } else { "source_sink" };
            Err(error::existence(&mut m.heap, kind, a[0]))
        }
    }
}
