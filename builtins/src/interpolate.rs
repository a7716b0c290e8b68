//! `{Name}` in the literal texts of DML goals: finding the placeholders, and compiling them into clauses.
//!
//! A goal such as `output("hi {Who}")` becomes `'$interp'(["hi ", v(Who)], output(''))`: the text is built from
//! values when the goal runs, once, and what the values hold is never looked at again. Facts and other goals stay as
//! they are.

use deepclause_engine::atom::{self, Atom};
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::{Heap, Term};

/// One part of a literal text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that stands for itself.
    Text(String),
    /// `{Name}`.
    Name(String),
}

/// Splits a text at its `{Name}`s. A name is a letter or `_` followed by letters, digits or `_`; braces around
/// anything else are text. `{{Name}}` stands for the text `{Name}`.
pub fn parse(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('{') {
        plain.push_str(&rest[..i]);
        rest = &rest[i..];
        if let Some(n) = rest.strip_prefix("{{").and_then(identifier)
            && let Some(tail) = rest[2 + n.len()..].strip_prefix("}}")
        {
            plain.push('{');
            plain.push_str(n);
            plain.push('}');
            rest = tail;
        } else if let Some(n) = identifier(&rest[1..])
            && let Some(tail) = rest[1 + n.len()..].strip_prefix('}')
        {
            if !plain.is_empty() {
                out.push(Piece::Text(std::mem::take(&mut plain)));
            }
            out.push(Piece::Name(n.to_string()));
            rest = tail;
        } else {
            plain.push('{');
            rest = &rest[1..];
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        out.push(Piece::Text(plain));
    }
    out
}

fn identifier(s: &str) -> Option<&str> {
    let end = s.char_indices().find(|&(i, c)| !(c == '_' || c.is_alphabetic() || i > 0 && c.is_numeric())).map_or(s.len(), |(i, _)| i);
    if end == 0 { None } else { Some(&s[..end]) }
}

/// What rewriting a clause gave.
#[derive(Debug)]
pub struct Rewritten {
    /// The clause; the same cell when nothing changed.
    pub clause: Cell,
    /// Names that are no variable of the clause, in the order of appearance: they are looked up among the parameters.
    pub parameters: Vec<String>,
    /// Variables that a text uses.
    pub variables: Vec<String>,
}

/// Compiles the placeholders of a clause, a grammar rule or a directive. `names` are the variables of the clause.
pub fn rewrite(heap: &mut Heap, clause: Cell, names: &[(String, Cell)]) -> Rewritten {
    let mut w = Walk { names, parameters: Vec::new(), variables: Vec::new(), jobs: Vec::new(), done: Vec::new() };
    let (index, mode) = match heap.view(clause) {
        Term::Compound(_, atom::NECK, 2) => (&[1usize][..], Mode::Goal),
        Term::Compound(_, atom::NECK | atom::QUERY, 1) => (&[0][..], Mode::Goal),
        Term::Compound(_, atom::DCG_ARROW, 2) => (&[1][..], Mode::Grammar),
        Term::Compound(_, atom::SSU_ARROW, 2) => (&[1][..], Mode::Goal),
        Term::Compound(_, atom::COLON, 2) => {
            let inner = heap.arg(clause, 1);
            let is_rule = matches!(heap.view(inner), Term::Compound(_, atom::NECK | atom::DCG_ARROW, 2));
            if !is_rule {
                return Rewritten { clause, parameters: Vec::new(), variables: Vec::new() };
            }
            let r = rewrite_inner(heap, inner, names);
            let changed = r.clause != inner;
            let clause = if changed {
                let m = heap.arg(clause, 0);
                heap.compound(atom::COLON, &[m, r.clause])
            } else {
                clause
            };
            return Rewritten { clause, ..r };
        }
        _ => return Rewritten { clause, parameters: Vec::new(), variables: Vec::new() },
    };
    w.jobs.push(Job::Build(clause, index.to_vec()));
    for &i in index {
        let c = heap.arg(clause, i);
        w.jobs.push(Job::Walk(c, mode));
    }
    let clause = w.run(heap).unwrap_or(clause);
    Rewritten { clause, parameters: w.parameters, variables: w.variables }
}

/// A rule below `Module:`; one level only, as the loader accepts.
fn rewrite_inner(heap: &mut Heap, clause: Cell, names: &[(String, Cell)]) -> Rewritten {
    let mode = if matches!(heap.view(clause), Term::Compound(_, atom::NECK, 2)) { Mode::Goal } else { Mode::Grammar };
    let mut w = Walk { names, parameters: Vec::new(), variables: Vec::new(), jobs: Vec::new(), done: Vec::new() };
    let body = heap.arg(clause, 1);
    w.jobs.push(Job::Build(clause, vec![1]));
    w.jobs.push(Job::Walk(body, mode));
    let clause = w.run(heap).unwrap_or(clause);
    Rewritten { clause, parameters: w.parameters, variables: w.variables }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Goal,
    Grammar,
}

enum Job {
    Walk(Cell, Mode),
    /// Puts the finished arguments at these places into a copy of the term.
    Build(Cell, Vec<usize>),
}

struct Walk<'a> {
    names: &'a [(String, Cell)],
    parameters: Vec<String>,
    variables: Vec<String>,
    jobs: Vec<Job>,
    done: Vec<Cell>,
}

impl Walk<'_> {
    fn run(&mut self, heap: &mut Heap) -> Option<Cell> {
        while let Some(job) = self.jobs.pop() {
            match job {
                Job::Walk(c, mode) => self.walk(heap, c, mode),
                Job::Build(c, places) => {
                    let mut args: Vec<Cell> = heap.args(c).map(|a| heap.cells[a]).collect();
                    let mut changed = false;
                    for &i in &places {
                        let new = self.done.pop()?;
                        if let Some(slot) = args.get_mut(i) {
                            changed |= heap.deref(*slot) != heap.deref(new);
                            *slot = new;
                        }
                    }
                    let built = match heap.name_arity(c) {
                        Some((name, _)) if changed => heap.compound(name, &args),
                        _ => c,
                    };
                    self.done.push(built);
                }
            }
        }
        self.done.pop()
    }

    fn walk(&mut self, heap: &mut Heap, c: Cell, mode: Mode) {
        let Term::Compound(_, name, arity) = heap.view(c) else {
            self.done.push(c);
            return;
        };
        let places = match mode {
            Mode::Goal => goal_arguments(heap.atoms.text(name), arity),
            Mode::Grammar => match (name, arity) {
                (atom::CURLY, 1) => {
                    let inner = heap.arg(c, 0);
                    self.jobs.push(Job::Build(c, vec![0]));
                    self.jobs.push(Job::Walk(inner, Mode::Goal));
                    return;
                }
                (atom::COMMA | atom::SEMICOLON | atom::BAR | atom::ARROW | atom::SOFT_ARROW, 2) => vec![0, 1],
                (atom::NOT_PROVABLE, 1) => vec![0],
                _ => Vec::new(),
            },
        };
        if !places.is_empty() {
            let inner: Vec<Cell> = places.iter().map(|&i| heap.arg(c, i)).collect();
            self.jobs.push(Job::Build(c, places));
            // The first place is popped first when its result was pushed last.
            for g in inner {
                self.jobs.push(Job::Walk(g, mode));
            }
            return;
        }
        let new = if mode == Mode::Goal && takes_text(heap.atoms.text(name), arity) { self.text_goal(heap, c, name) } else { None };
        self.done.push(new.unwrap_or(c));
    }

    fn text_goal(&mut self, heap: &mut Heap, goal: Cell, name: Atom) -> Option<Cell> {
        let first = heap.arg(goal, 0);
        let text = match heap.view(first) {
            Term::Str(a) => heap.str_at(a).to_string(),
            Term::Atom(a) if a != atom::NIL => heap.atoms.text(a).to_string(),
            _ => return None,
        };
        if !text.contains('{') {
            return None;
        }
        let pieces = parse(&text);
        let mut args: Vec<Cell> = heap.args(goal).map(|a| heap.cells[a]).collect();
        if pieces.iter().all(|p| matches!(p, Piece::Text(_))) {
            let whole: String = pieces.iter().map(|p| if let Piece::Text(t) = p { t.as_str() } else { "" }).collect();
            if whole == text {
                return None;
            }
            if let Some(slot) = args.first_mut() {
                *slot = heap.string(&whole);
            }
            return Some(heap.compound(name, &args));
        }
        let mut parts = Vec::with_capacity(pieces.len());
        for p in pieces {
            parts.push(match p {
                Piece::Text(t) => heap.string(&t),
                Piece::Name(n) => match self.names.iter().find(|(v, _)| *v == n) {
                    Some(&(_, v)) => {
                        self.variables.push(n);
                        heap.compound_named("v", &[v])
                    }
                    None => {
                        let key = heap.atom(&n.to_lowercase());
                        let literal = heap.string(&format!("{{{n}}}"));
                        self.parameters.push(n);
                        heap.compound_named("p", &[key, literal])
                    }
                },
            });
        }
        let parts = heap.list_from(&parts);
        if let Some(slot) = args.first_mut() {
            *slot = Cell::atom(atom::EMPTY);
        }
        let inner = heap.compound(name, &args);
        Some(heap.compound_named("$interp", &[parts, inner]))
    }
}

/// Goals whose first argument is a text that is interpolated when it is a literal.
pub fn takes_text(name: &str, arity: usize) -> bool {
    match name {
        "answer" | "system" | "user" | "output" | "yield" | "log" | "chat" => arity == 1,
        "input" => arity == 2,
        "task" => (1..=5).contains(&arity),
        "prompt" => (1..=4).contains(&arity),
        "sample_token" => arity == 2 || arity == 3,
        _ => false,
    }
}

/// Places of the arguments that are goals.
fn goal_arguments(name: &str, arity: usize) -> Vec<usize> {
    match (name, arity) {
        ("," | ";" | "->" | "*->" | "|", 2) => vec![0, 1],
        ("\\+" | "not" | "once" | "ignore" | "call_det" | "initialization" | "apply", 1) => vec![0],
        ("^" | ":", 2) => vec![1],
        (">>", n) if n >= 2 => vec![1],
        ("call" | "maplist" | "foldl" | "include" | "exclude" | "partition" | "convlist" | "aggregate_all_by", n) if n >= 1 => vec![0],
        ("findall" | "findnsols", 3 | 4) if name == "findall" => vec![1],
        ("findnsols", 4 | 5) => vec![2],
        ("bagof" | "setof", 3) => vec![1],
        ("aggregate_all", 3) => vec![1],
        ("aggregate_all", 4) => vec![2],
        ("forall", 2) => vec![0, 1],
        ("foreach", 2) => vec![0, 1],
        ("catch", 3) => vec![0, 2],
        ("catch_with_backtrace", 3) => vec![0, 2],
        ("setup_call_cleanup", 3) => vec![0, 1, 2],
        ("call_cleanup", 2) => vec![0, 1],
        ("with_output_to", 2) => vec![1],
        ("with_tools" | "without_tools" | "with_judgment" | "require_judgment", 2) => vec![1],
        ("with_reasoning" | "with_recipe", 2) => vec![0],
        ("limit" | "offset" | "order_by" | "call_nth" | "freeze" | "when" | "with_mutex", 2) if name != "call_nth" => vec![1],
        ("call_nth" | "call_with_depth_limit" | "call_with_inference_limit", _) if arity >= 2 => vec![0],
        ("call_with_time_limit", 2) => vec![1],
        ("initialization" | "thread_create" | "initialize", 2) => vec![0],
        ("forall_with_state", 2) => vec![0, 1],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(s: &str) -> Piece {
        Piece::Text(s.into())
    }
    fn n(s: &str) -> Piece {
        Piece::Name(s.into())
    }

    #[test]
    fn placeholders_are_identifiers_only() {
        assert_eq!(parse("h {X}!"), [t("h "), n("X"), t("!")]);
        assert_eq!(parse("{} {a b} {\"k\": 1} {1x} {"), [t("{} {a b} {\"k\": 1} {1x} {")]);
        assert_eq!(parse("{{X}} {_y9}"), [t("{X} "), n("_y9")]);
        assert_eq!(parse("{{X}"), [t("{"), n("X")]);
        assert_eq!(parse("{\"a\": {\"b\": 1}}"), [t("{\"a\": {\"b\": 1}}")]);
        assert_eq!(parse("ü{Größe}"), [t("ü"), n("Größe")]);
        assert_eq!(parse(""), []);
    }

    #[test]
    fn goals_are_rewritten_in_place_and_facts_are_not() {
        let mut h = Heap::new();
        let x = h.new_var();
        let names = [("X".to_string(), x)];
        let s = h.string("a {X} {topic}");
        let out = h.compound_named("output", &[s]);
        let fact = h.compound_named("t", &[s]);
        assert_eq!(rewrite(&mut h, fact, &names).clause, fact);
        let tmpl = h.compound_named("findall", &[x, out, x]);
        let head = h.atom("h");
        let fail = Cell::atom(atom::FAIL);
        let body = h.compound(atom::COMMA, &[fail, tmpl]);
        let clause = h.compound(atom::NECK, &[head, body]);
        let r = rewrite(&mut h, clause, &names);
        assert_ne!(r.clause, clause);
        assert_eq!(r.parameters, ["topic"]);
        assert_eq!(r.variables, ["X"]);
        let b = h.arg(r.clause, 1);
        assert_eq!(h.deref(h.arg(b, 0)), fail);
        let f = h.arg(b, 1);
        let g = h.arg(f, 1);
        assert_eq!(h.name_arity(g).map(|(n, a)| (h.atoms.text(n).to_string(), a)), Some(("$interp".into(), 2)));
        let plain = h.compound(atom::NECK, &[head, fact]);
        assert_eq!(rewrite(&mut h, plain, &names).clause, plain);
    }

    #[test]
    fn long_bodies_need_no_stack() {
        let mut h = Heap::new();
        let mut body = Cell::atom(atom::TRUE);
        for _ in 0..300_000 {
            body = h.compound(atom::COMMA, &[Cell::atom(atom::TRUE), body]);
        }
        let head = h.atom("h");
        let clause = h.compound(atom::NECK, &[head, body]);
        assert_eq!(rewrite(&mut h, clause, &[]).clause, clause);
    }
}
