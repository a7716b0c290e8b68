//! The Prolog library: its sources, and which library has a predicate.

use crate::cell::Cell;
use crate::error::Res;
use crate::heap::Term;
use crate::machine::Machine;
use crate::native::{Native, det};

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// Parts of the system that every machine starts with, in the order of loading.
pub const EAGER: &[&str] = &["boot", "wakeup", "modules", "load"];

pub const BUILTINS: &[Native] = &[
    det(
        "$library_text",
        2,
        library_text,
        "$library_text(+Name, -Text)\nSource of a library of the engine; fails when there is none of this name.",
    ),
    det("$autoload", 3, autoload, "$autoload(+Name, +Arity, -Library)\nThe library that exports a predicate."),
    det("$autoload_list", 1, autoload_list, "$autoload_list(-List)\nName/Arity of what libraries export."),
];

/// Source of a library.
pub fn text(name: &str) -> Option<&'static str> {
    TEXTS.binary_search_by(|x| x.0.cmp(name)).ok().and_then(|i| TEXTS.get(i)).map(|x| x.1)
}

/// The library that exports a predicate.
pub fn find(name: &str, arity: usize) -> Option<&'static str> {
    INDEX.binary_search_by(|x| (x.0, x.1).cmp(&(name, arity))).ok().and_then(|i| INDEX.get(i)).map(|x| x.2)
}

fn library_text(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Term::Atom(n) = m.heap.view(a[0]) else { return Ok(false) };
    let Some(t) = text(m.heap.atoms.text(n)) else { return Ok(false) };
    if m.heap.is_var(a[1]) {
        let t = m.heap.string(t);
        return Ok(m.heap.unify(a[1], t));
    }
    Ok(true)
}

fn autoload(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (Term::Atom(n), Term::Int(k)) = (m.heap.view(a[0]), m.heap.view(a[1])) else { return Ok(false) };
    let Some(lib) = usize::try_from(k).ok().and_then(|k| find(m.heap.atoms.text(n), k)) else { return Ok(false) };
    let lib = m.heap.atom(lib);
    Ok(m.heap.unify(a[2], lib))
}

fn autoload_list(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let items: Vec<Cell> = INDEX
        .iter()
        .map(|x| {
            let n = m.heap.atoms.intern(x.0);
            m.heap.indicator(n, x.1)
        })
        .collect();
    let list = m.heap.list_from(&items);
    Ok(m.heap.unify(a[0], list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index() {
        assert_eq!(find("expand_term", 2), Some("expand"));
        assert_eq!(find(".", 3), Some("dicts_dot"));
        assert_eq!(find("translate_message", 3), Some("messages"));
        assert_eq!(find("no_such_predicate", 1), None);
        assert!(text("boot").is_some() && text("nosuch").is_none());
        assert!(EAGER.iter().all(|n| text(n).is_some()));
    }
}
