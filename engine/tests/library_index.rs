//! `src/library/INDEX` tells which library exports which predicate, for autoloading. This test
//! generates it from the export lists and fails when the file is not current; run it with
//! `UPDATE_LIBRARY_INDEX=1` to write the file.

use std::fs;
use std::path::Path;

/// Libraries that are loaded on demand only by an explicit `use_module/1,2`.
const EXPLICIT: &[&str] = &["apply_macros", "clpfd", "record", "settings"];

#[test]
fn index_is_current() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/library");
    let mut lines = Vec::new();
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "pl") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if EXPLICIT.contains(&name.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (predicate, arity) in exports(&text) {
            lines.push(format!("{predicate} {arity} {name}"));
        }
    }
    lines.sort();
    let mut seen = String::new();
    for line in &lines {
        let key = line.rsplit_once(' ').unwrap().0;
        assert_ne!(key, seen, "exported by two libraries");
        seen = key.to_string();
    }
    let wanted = lines.join("\n") + "\n";
    let file = dir.join("INDEX");
    if std::env::var_os("UPDATE_LIBRARY_INDEX").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == wanted, "src/library/INDEX is old: run this test with UPDATE_LIBRARY_INDEX=1");
}

/// The exported predicates of a library: name and arity. Operators in the list are skipped.
fn exports(text: &str) -> Vec<(String, usize)> {
    let Some(start) = text.find(":- module(") else { return Vec::new() };
    let text = &text[start..];
    let (Some(open), Some(close)) = (text.find('['), text.find("])")) else { return Vec::new() };
    let mut found = Vec::new();
    for item in split(&text[open + 1..close]) {
        if item.starts_with("op(") {
            continue;
        }
        let (name, arity) = item.rsplit_once('/').unwrap();
        let extra = if name.ends_with('/') && name != "(/)" { 2 } else { 0 };
        let name = name.strip_suffix('/').filter(|_| extra > 0).unwrap_or(name);
        let name = name.trim_start_matches('(').trim_end_matches(')');
        let name = name.strip_prefix('\'').and_then(|n| n.strip_suffix('\'')).unwrap_or(name);
        found.push((name.to_string(), arity.trim().parse::<usize>().unwrap() + extra));
    }
    found
}

/// The items of a list, without comments; commas inside brackets do not separate.
fn split(list: &str) -> Vec<String> {
    let plain: String = list.lines().map(|l| l.split('%').next().unwrap_or("")).collect::<Vec<_>>().join(" ");
    let (mut items, mut item, mut depth) = (Vec::new(), String::new(), 0);
    for c in plain.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(std::mem::take(&mut item));
                continue;
            }
            _ => {}
        }
        item.push(c);
    }
    items.push(item);
    items.iter().map(|i| i.trim().to_string()).filter(|i| !i.is_empty()).collect()
}
