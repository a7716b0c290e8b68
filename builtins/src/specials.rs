//! The special predicates of DML: which there are, and the native helpers of those that are written in Prolog.

use crate::interpolate;
use crate::show;
use deepclause_engine::atom::{self, Atom};
use deepclause_engine::cell::Cell;
use deepclause_engine::error::{self, Res};
use deepclause_engine::heap::{Heap, Term};
use deepclause_engine::machine::Machine;
use deepclause_engine::native::{self, DetFn, Native, Run, det};

/// The library text that defines the rest.
pub const LIBRARY: &str = include_str!("../../lib-dml/dml.pl");

/// Predicates that stop the machine so that the session answers them.
pub const HOST: &[(&str, usize)] = &[
    ("output", 1),
    ("yield", 1),
    ("log", 1),
    ("answer", 1),
    ("input", 2),
    ("exec", 2),
    ("exec_error", 1),
    ("$dml_host_param", 2),
    ("$dml_keys", 1),
    ("$dml_report", 5),
    ("$dml_listening", 0),
    ("$dml_note", 3),
    ("$host_open", 3),
    ("$host_row", 4),
    ("$host_close", 1),
];

/// Native helpers. `$read_clause` goes around the one of the engine: it prepares what a DML program's file holds.
pub const NATIVES: &[Native] = &[
    det("$dml_fill", 3, fill, "$dml_fill(+Parts, +Goal0, -Goal)\nGoal is Goal0 with the text of Parts as its first argument."),
    det("$dml_text", 2, text, "$dml_text(+Term, -Text)\nText is the string that ~w prints for Term."),
];

/// Names of DML that a program may shadow; the loader warns when it does.
const OWNED: &[(&str, &[usize])] = &[
    ("answer", &[1]),
    ("output", &[1]),
    ("yield", &[1]),
    ("log", &[1]),
    ("system", &[1]),
    ("user", &[1]),
    ("get_memory", &[1]),
    ("task", &[1, 2, 3, 4, 5]),
    ("prompt", &[1, 2, 3, 4]),
    ("llm", &[2]),
    ("sample_token", &[2, 3]),
    ("exec", &[2]),
    ("exec_error", &[1]),
    ("task_error", &[1]),
    ("input", &[2]),
    ("with_tools", &[2]),
    ("without_tools", &[2]),
    ("with_reasoning", &[2]),
    ("with_recipe", &[2]),
    ("judge", &[2]),
    ("choose", &[4]),
    ("rate", &[4]),
    ("verify", &[3]),
    ("probability", &[3]),
    ("holds", &[2, 3]),
    ("with_judgment", &[2]),
    ("require_judgment", &[2]),
    ("push_context", &[0, 1]),
    ("pop_context", &[0]),
    ("clear_memory", &[0]),
    ("form", &[2]),
    ("form_update", &[2]),
    ("form_errors", &[2]),
    ("await_form", &[2, 3]),
    ("close_form", &[1]),
    ("chat", &[1]),
];

/// Whether DML has a special predicate of this name and arity.
pub fn is_special(name: &str, arity: usize) -> bool {
    OWNED.iter().any(|(n, a)| *n == name && a.contains(&arity))
}

/// Lets programs define what DML defines: their own definitions win.
pub fn open_to_programs(m: &mut Machine) {
    let names = OWNED.iter().flat_map(|(n, arities)| arities.iter().map(move |&a| (*n, a)));
    let more = [("param", 2), ("param", 3), ("tool", 1), ("tool", 2), ("read_file", 2), ("write_file", 2), ("append_file", 2)];
    for (name, arity) in names.chain(more) {
        let Some(name) = m.heap.atoms.lookup(name) else { continue };
        if let Some(i) = m.predicates.lookup(atom::SYSTEM, name, arity) {
            m.predicates.get_mut(i).protected = false;
        }
    }
}

/// Parts of a text: strings and `v(Value)`.
fn fill(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let [parts, goal, out] = a else { return Ok(false) };
    let parts = match m.heap.list_to_vec(*parts) {
        Ok(p) => p,
        Err(_) => return Err(error::type_error(&mut m.heap, atom::LIST, *parts)),
    };
    let mut text = String::new();
    for p in parts {
        match m.heap.view(p) {
            Term::Str(s) => text.push_str(m.heap.str_at(s)),
            Term::Compound(_, _, 1) => {
                let v = m.heap.arg(p, 0);
                show::append(m, v, &mut text);
            }
            _ => {}
        }
    }
    let text = m.heap.string(&text);
    let mut args: Vec<Cell> = m.heap.args(*goal).map(|i| m.heap.cells[i]).collect();
    if let Some(first) = args.first_mut() {
        *first = text;
    }
    let goal = match m.heap.name_arity(*goal) {
        Some((name, _)) => m.heap.compound(name, &args),
        None => *goal,
    };
    Ok(m.unify(*out, goal))
}

fn text(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let [term, out] = a else { return Ok(false) };
    let s = show::text(m, *term);
    let s = m.heap.string(&s);
    Ok(m.unify(*out, s))
}

/// What the loader should know of a clause that has just been read.
pub struct Rewrite {
    /// The clause to go on with.
    pub clause: Cell,
    /// Variables that only a text uses more than once: no singletons.
    pub used: Vec<String>,
    /// Names in texts that are no variables.
    pub parameters: Vec<String>,
    /// A special predicate that the clause defines anew.
    pub shadows: Option<(Atom, usize)>,
}

/// Prepares one term of a DML program: placeholders, `param` facts, directives of DML.
pub fn clause(heap: &mut Heap, term: Cell, names: &[(String, Cell)]) -> Rewrite {
    let r = interpolate::rewrite(heap, term, names);
    let mut out = Rewrite { clause: r.clause, used: r.variables, parameters: r.parameters, shadows: None };
    match heap.view(out.clause) {
        Term::Compound(_, atom::NECK, 1) => {
            let goal = heap.arg(out.clause, 0);
            if let Term::Compound(_, name, arity) = heap.view(goal) {
                let declares = matches!((heap.atoms.text(name), arity), ("param", 2 | 3) | ("tool", 2) | ("capability", 1));
                if declares {
                    let goal = heap.compound_named("$dml_declare", &[goal]);
                    out.clause = heap.compound(atom::NECK, &[goal]);
                }
            }
        }
        Term::Compound(_, atom::NECK, 2) => {
            let head = heap.arg(out.clause, 0);
            let body = heap.arg(out.clause, 1);
            if let Some(head) = parameter_head(heap, head) {
                out.clause = heap.compound(atom::NECK, &[head, body]);
            }
            out.shadows = special_head(heap, head);
        }
        Term::Compound(_, atom::DCG_ARROW | atom::SSU_ARROW, 2) => {}
        _ => {
            out.shadows = special_head(heap, out.clause);
            if let Some(fact) = parameter_head(heap, out.clause) {
                out.clause = fact;
            }
        }
    }
    out
}

/// `param(K, V)` of a program is a parameter like the host's.
fn parameter_head(heap: &mut Heap, head: Cell) -> Option<Cell> {
    let Term::Compound(_, name, 2) = heap.view(head) else { return None };
    if heap.atoms.text(name) != "param" {
        return None;
    }
    let (k, v) = (heap.arg(head, 0), heap.arg(head, 1));
    Some(heap.compound_named("$dml_param", &[k, v]))
}

fn special_head(heap: &Heap, head: Cell) -> Option<(Atom, usize)> {
    let (name, arity) = heap.name_arity(head)?;
    is_special(heap.atoms.text(name), arity).then_some((name, arity))
}

/// The loader's `'$read_clause'(Stream, Term, Variables, Singletons, Line)`, with the term prepared.
pub fn read_clause(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let &[stream, out, names, singles, line] = a else { return Ok(false) };
    let Some(original) = original_read_clause() else { return Ok(false) };
    let (term, vars, single) = (m.heap.new_var(), m.heap.new_var(), m.heap.new_var());
    if !original(m, &[stream, term, vars, single, line])? || !m.unify(names, vars) {
        return Ok(false);
    }
    let mut pairs = Vec::new();
    for p in m.heap.list_to_vec(vars).unwrap_or_default() {
        if let Some(&[n, v]) = m.heap.match_compound(p, atom::EQ, 2) {
            pairs.push((show::text(m, n), v));
        }
    }
    let Rewrite { clause, used, parameters, shadows } = clause(&mut m.heap, term, &pairs);
    let mut result = clause;
    let shadows = shadows.filter(|_| m.source_module == atom::USER);
    if !parameters.is_empty() || shadows.is_some() {
        let mut notes = Vec::new();
        for p in &parameters {
            let p = m.heap.string(p);
            notes.push(m.heap.compound_named("parameter", &[p]));
        }
        if let Some((name, arity)) = shadows {
            let pi = m.heap.indicator(name, arity);
            notes.push(m.heap.compound_named("shadows", &[pi]));
        }
        let notes = m.heap.list_from(&notes);
        let goal = m.heap.compound_named("$dml_clause", &[notes, clause]);
        result = m.heap.compound(atom::NECK, &[goal]);
    }
    if !used.is_empty() {
        let keep: Vec<Cell> =
            m.heap.list_to_vec(single).unwrap_or_default().into_iter().filter(|&c| !used.contains(&show::text(m, c))).collect();
        let keep = m.heap.list_from(&keep);
        return Ok(m.unify(singles, keep) && m.unify(out, result));
    }
    Ok(m.unify(singles, single) && m.unify(out, result))
}

/// The engine's own predicate.
fn original_read_clause() -> Option<DetFn> {
    native::all().find(|n| n.name == "$read_clause" && n.arity == 5).and_then(|n| match n.run {
        Run::Det(f) => Some(f),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_of_dml() {
        let mut h = Heap::new();
        let k = h.atom("k");
        let fact = h.compound_named("param", &[k, Cell::small(1)]);
        let r = clause(&mut h, fact, &[]);
        assert_eq!(h.name_arity(r.clause).map(|(n, _)| h.atoms.text(n).to_string()), Some("$dml_param".into()));
        let directive = h.compound(atom::NECK, &[fact]);
        let r = clause(&mut h, directive, &[]);
        let g = h.arg(r.clause, 0);
        assert_eq!(h.name_arity(g).map(|(n, _)| h.atoms.text(n).to_string()), Some("$dml_declare".into()));
        let task = h.compound_named("task", &[k, k]);
        let r = clause(&mut h, task, &[]);
        assert_eq!(r.clause, task, "a fact stays a fact");
        assert!(r.shadows.is_some());
        let plain = h.compound_named("p", &[k]);
        assert!(clause(&mut h, plain, &[]).shadows.is_none());
    }
}
