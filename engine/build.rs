//! Embeds the Prolog library and indexes what its modules export.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = Path::new(&std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("src/library");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    let name_of = |file: &PathBuf| file.strip_prefix(&root).unwrap_or(file).with_extension("").to_string_lossy().replace('\\', "/");
    // By name, not by path: `dcg` comes before `dcg/basics`.
    files.sort_by_key(&name_of);
    let mut texts = String::new();
    let mut index = Vec::new();
    for file in &files {
        println!("cargo:rerun-if-changed={}", file.display());
        let name = name_of(file);
        let _ = writeln!(texts, "    ({name:?}, include_str!({:?})),", file.display().to_string());
        let text = std::fs::read_to_string(file).unwrap_or_default();
        // As in SWI-Prolog, what lies in a folder of its own is loaded only when asked for; so are solvers.
        if name.contains('/') || matches!(&*name, "clpfd" | "clpb" | "clpq" | "clpr") {
            continue;
        }
        for (pred, arity) in exports(&text) {
            index.push((pred, arity, name.clone()));
        }
    }
    index.sort();
    index.dedup_by(|a, b| a.0 == b.0 && a.1 == b.1);
    let mut out = format!("/// Library sources by name, sorted.\npub static TEXTS: &[(&str, &str)] = &[\n{texts}];\n");
    out.push_str("/// Exported predicates: name, arity, library; sorted.\npub static INDEX: &[(&str, usize, &str)] = &[\n");
    for (p, a, l) in &index {
        let _ = writeln!(out, "    ({p:?}, {a}, {l:?}),");
    }
    out.push_str("];\n");
    let target = PathBuf::from(std::env::var("OUT_DIR").unwrap_or_default()).join("library.rs");
    if let Err(e) = std::fs::write(&target, out) {
        println!("cargo:warning=cannot write {}: {e}", target.display());
    }
}

fn collect(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let p = entry.path();
        if p.is_dir() {
            collect(&p, out);
        } else if p.extension().is_some_and(|e| e == "pl") {
            out.push(p);
        }
    }
}

/// The `Name/Arity` items of the export list of `:- module(Name, [...])`.
fn exports(text: &str) -> Vec<(String, usize)> {
    let Some(start) = text.find(":- module(") else { return Vec::new() };
    let Some(open) = text[start..].find('[') else { return Vec::new() };
    let mut out = Vec::new();
    let mut item = String::new();
    let mut depth = 0usize;
    let mut chars = text[start + open + 1..].chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\'' => {
                item.push(c);
                for d in chars.by_ref() {
                    item.push(d);
                    if d == '\'' {
                        break;
                    }
                }
            }
            '%' => while chars.next().is_some_and(|d| d != '\n') {},
            '(' | '{' => {
                depth += 1;
                item.push(c);
            }
            ')' | '}' => {
                depth = depth.saturating_sub(1);
                item.push(c);
            }
            ',' if depth == 0 => out.extend(indicator(&std::mem::take(&mut item))),
            ']' if depth == 0 => {
                out.extend(indicator(&item));
                break;
            }
            c => item.push(c),
        }
    }
    out
}

fn indicator(item: &str) -> Option<(String, usize)> {
    let item = item.trim();
    let slash = item.rfind('/')?;
    let arity: usize = item[slash + 1..].trim().parse().ok()?;
    let name = item[..slash].trim();
    let (name, extra) = match name.strip_suffix('/') {
        // `(/)/2` and `'/'/2` are no nonterminals.
        Some(n) if !n.is_empty() && n != "(" => (n.trim(), 2),
        _ => (name, 0),
    };
    let name = name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name).trim();
    let name = name.strip_prefix('\'').and_then(|n| n.strip_suffix('\'')).unwrap_or(name);
    if name.is_empty() || name.starts_with("op(") { None } else { Some((name.replace("''", "'").replace("\\\\", "\\"), arity + extra)) }
}
