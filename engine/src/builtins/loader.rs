//! Quick tests for the loader, which is written in Prolog (`library/load.pl`).

use crate::atom;
use crate::cell::Cell;
use crate::error::Res;
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, det};

pub const BUILTINS: &[Native] = &[
    det("$hooked", 1, hooked, "$hooked(+Module)\nTrue when clauses loaded into the module pass term_expansion or goal_expansion hooks."),
    det(
        "$skip_list",
        3,
        skip_list,
        "$skip_list(-Length, +List, -Tail)\nLength of the list part and what follows it; a cyclic list gives a pair as tail.",
    ),
    det("$has_functions", 1, has_functions, "$has_functions(@Term)\nThe term has functional notation on dicts somewhere."),
    det(
        "$clause_kind",
        2,
        clause_kind,
        "$clause_kind(@Term, -Kind)\nHow the loader treats a term: clause, directive, query, grammar, ssu, expand, end, var.",
    ),
    det(
        "$edit_distance",
        3,
        edit_distance,
        "$edit_distance(+Text1, +Text2, -Distance)\nInsertions, deletions, changes and swaps between two names.",
    ),
];

/// Whether a compound `'.'/2` occurs in the term. Cyclic terms end.
fn functional(heap: &Heap, c: Cell) -> bool {
    let mut todo = vec![c];
    let mut steps = 0usize;
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(c) = todo.pop() {
        match heap.view(c) {
            Term::Compound(_, atom::PERIOD, 2) => return true,
            Term::Compound(a, _, n) => {
                steps += 1;
                if steps < 1 << 16 || seen.insert(a) {
                    todo.extend((a + 1..a + 1 + n).map(|i| heap.cells[i]).filter(|&c| compound(heap, c)));
                }
            }
            Term::List(a) => {
                steps += 1;
                if steps < 1 << 16 || seen.insert(a) {
                    todo.extend([a + 1, a].into_iter().map(|i| heap.cells[i]).filter(|&c| compound(heap, c)));
                }
            }
            _ => {}
        }
    }
    false
}

fn compound(heap: &Heap, c: Cell) -> bool {
    heap.deref(c).is_compound()
}

fn has_functions(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    Ok(functional(&m.heap, a[0]))
}

fn clause_kind(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let kind = match m.heap.view(a[0]) {
        Term::Var(_) | Term::Attributed(_) => "var",
        Term::Atom(atom::END_OF_FILE) => "end",
        Term::Compound(_, atom::NECK, 1) => "directive",
        Term::Compound(_, atom::QUERY, 1) => "query",
        _ if functional(&m.heap, a[0]) => "expand",
        Term::Compound(_, atom::SSU_ARROW, 2) => "ssu",
        Term::Compound(_, atom::DCG_ARROW, 2) => "grammar",
        Term::Compound(_, atom::COLON, 2) if qualified_grammar(&m.heap, a[0]) => "expand",
        _ => "clause",
    };
    let kind = m.heap.atom(kind);
    Ok(m.heap.unify(a[1], kind))
}

fn hooked(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Ok(false) };
    for name in ["term_expansion", "goal_expansion"] {
        let Some(name) = m.heap.atoms.lookup(name) else { continue };
        for module in [module, atom::USER, atom::SYSTEM] {
            for arity in [2, 4] {
                if m.predicates.lookup(module, name, arity).is_some_and(|i| m.predicates.get(i).live > 0) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// `M:(Head --> Body)` with any number of modules.
fn qualified_grammar(heap: &Heap, mut c: Cell) -> bool {
    for _ in 0..64 {
        match heap.match_compound(c, atom::COLON, 2) {
            Some(&[_, t]) => c = t,
            _ => break,
        }
    }
    heap.match_compound(c, atom::DCG_ARROW, 2).is_some()
}

fn skip_list(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let mut c = m.heap.deref(a[1]);
    let (mut slow, mut power, mut n) = (c, 1usize, 0usize);
    while let Some((_, t)) = m.heap.pair(c) {
        c = m.heap.deref(t);
        n += 1;
        if c == slow {
            break;
        }
        if n == power {
            (slow, power) = (c, power * 2);
        }
    }
    Ok(m.heap.unify(a[0], Cell::small(n as i64)) && m.heap.unify(a[2], c))
}

fn edit_distance(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let name = |c: Cell| match m.heap.view(c) {
        Term::Atom(x) => m.heap.atoms.text(x).chars().take(64).collect::<Vec<char>>(),
        _ => Vec::new(),
    };
    let d = distance(&name(a[0]), &name(a[1]));
    Ok(m.heap.unify(a[2], Cell::small(d as i64)))
}

/// Optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut d = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                d = d.min(before[j - 1] + 1);
            }
            row.push(d);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let d = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(d("", "abc"), 3);
        assert_eq!(d("lenght", "length"), 1);
        assert_eq!(d("kitten", "sitting"), 3);
    }

    #[test]
    fn kinds() {
        let mut m = Machine::new();
        let x = m.heap.new_var();
        let dot = m.heap.compound(atom::PERIOD, &[x, Cell::atom(atom::E)]);
        let f = m.heap.compound_named("f", &[Cell::NIL, dot]);
        let g = m.heap.compound_named("g", &[x]);
        let rule = m.heap.compound(atom::DCG_ARROW, &[g, g]);
        for (t, want) in [(f, "expand"), (g, "clause"), (rule, "grammar"), (Cell::atom(atom::END_OF_FILE), "end"), (x, "var")] {
            let k = m.heap.new_var();
            assert_eq!(clause_kind(&mut m, &[t, k]), Ok(true));
            let want = m.heap.atom(want);
            assert_eq!(m.heap.deref(k), want);
        }
    }
}
