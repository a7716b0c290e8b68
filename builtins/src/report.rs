//! Errors and remarks in words, with their places.

use crate::event::{Diagnostic, Failure, FailureKind};
use crate::session::{Note, Session, Stop};
use crate::{block, show};
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::heap::Term;

impl Session {
    /// `'$dml_report'(Kind, File, Line, Text, Term)`: a message of the loader.
    pub(crate) fn report(&mut self, args: &[Cell]) {
        let &[kind, file, line, text, term] = args else { return };
        let m = &self.machine;
        let error = matches!(m.heap.view(kind), Term::Atom(a) if m.heap.atoms.text(a) == "error");
        let mut at = Diagnostic { content: show::text(m, text).trim_end().to_string(), ..Diagnostic::default() };
        if !matches!(m.heap.view(file), Term::Atom(atom::NIL)) {
            at.file = Some(show::text(m, file));
        }
        if let Term::Int(n) = m.heap.view(line)
            && n > 0
        {
            at.line = Some(n as u64);
        }
        // load_error(File, Line, Stream, Error): a failing directive is a remark, any other error ends the load.
        let mut syntax = false;
        let mut directive = false;
        if let Term::Compound(_, name, 4) = m.heap.view(term)
            && m.heap.atoms.text(name) == "load_error"
        {
            directive = matches!(m.heap.view(m.heap.arg(term, 2)), Term::Atom(a) if m.heap.atoms.text(a) == "directive");
            let e = m.heap.arg(term, 3);
            if let Some(&[formal, context]) = m.heap.match_compound(e, atom::ERROR, 2) {
                syntax = m.heap.match_compound(formal, atom::SYNTAX_ERROR, 1).is_some();
                if syntax && let Some((l, c)) = place(self, context) {
                    at.line = Some(l);
                    at.column = Some(c);
                }
            }
        }
        self.notes.push(Note { error: error && !directive, syntax, at });
    }

    /// The error event of an uncaught exception.
    pub(crate) fn failure(&mut self, ball: Cell) -> Failure {
        let term = show::quoted(&self.machine, ball);
        let mut f = Failure { term: Some(term.clone()), ..Failure::default() };
        f.formal = f.term.clone();
        if let Some(&[formal, _]) = self.machine.heap.match_compound(ball, atom::ERROR, 2) {
            f.formal = Some(show::quoted(&self.machine, formal));
        }
        let h = &self.machine.heap;
        if let Some(&[formal, context]) = h.match_compound(ball, atom::ERROR, 2) {
            if let Some(&[what]) = h.match_compound(formal, atom::RESOURCE_ERROR, 1)
                && matches!(h.view(what), Term::Atom(a) if matches!(h.atoms.text(a), "memory" | "stack" | "global_stack"))
            {
                f.kind = FailureKind::Memory;
            }
            if let Some((l, c)) = place(self, context) {
                f.line = Some(l);
                f.column = Some(c);
            }
        }
        let message = self.message(ball).unwrap_or(term);
        let (message, hints) = split_hints(&message);
        f.hints = hints;
        f.content = format!("Runtime error: {message}");
        if let (Some(file), Some(line)) = (&f.file, f.line) {
            f.content = format!("{file}:{line}: Runtime error: {message}");
        }
        for h in &f.hints {
            f.content.push_str("\n  hint: ");
            f.content.push_str(h);
        }
        if f.kind == FailureKind::Memory {
            f.hints.push("raise the limit with `--memory SIZE`, or look for a recursion without an end".into());
        }
        f.message = Some(message);
        f
    }

    /// `'$dml_note'(Notes, File, Line)`: what the reader of clauses noticed about the one being loaded.
    pub(crate) fn note(&mut self, notes: Cell, file: Cell, line: Cell) {
        let file = Some(show::text(&self.machine, file));
        let line = match self.machine.heap.view(line) {
            Term::Int(l) => u64::try_from(l).ok(),
            _ => None,
        };
        let at = Diagnostic { content: String::new(), file: file.clone(), line, column: None };
        let place = match (&file, line) {
            (Some(f), Some(l)) => format!("{f}:{l}: "),
            _ => String::new(),
        };
        for n in self.machine.heap.list_to_vec(notes).unwrap_or_default() {
            let m = &self.machine;
            let Term::Compound(_, kind, 1) = m.heap.view(n) else { continue };
            let what = show::text(m, m.heap.arg(n, 0));
            if m.heap.atoms.text(kind) == "parameter" {
                let content = format!(
                    "{place}`{{{what}}}` is no variable of this clause and no parameter: it stays as it is written\n  hint: write `{{{{{what}}}}}` if that is meant, or give the parameter with `-P {}=...`",
                    what.to_lowercase()
                );
                self.placeholders.push((what.to_lowercase(), Diagnostic { content, ..at.clone() }));
            } else {
                let content = format!("{place}this program's {what} replaces the special predicate {what} of DML");
                if !self.notes.iter().any(|n| n.at.content.ends_with(&content[place.len()..])) {
                    self.notes.push(Note { error: false, syntax: false, at: Diagnostic { content, ..at.clone() } });
                }
            }
        }
    }

    /// Remarks on placeholders that turned out to be no parameters either.
    pub(crate) fn unknown_placeholders(&mut self) -> Vec<Note> {
        let mut open = std::mem::take(&mut self.placeholders);
        open.retain(|(k, _)| !self.config.params.contains_key(k));
        if open.is_empty() {
            return Vec::new();
        }
        let own: Vec<String> = self.call_for_list("$dml_known");
        open.retain(|(k, _)| !own.contains(k));
        open.into_iter().map(|(_, at)| Note { error: false, syntax: false, at }).collect()
    }

    /// The elements of the list that a predicate of the library gives, as texts.
    fn call_for_list(&mut self, name: &str) -> Vec<String> {
        let v = self.machine.heap.new_var();
        let slot = self.machine.roots.len();
        self.machine.roots.push(v);
        let goal = self.machine.heap.compound_named(name, &[v]);
        self.machine.start(goal, atom::SYSTEM);
        let mut out = Vec::new();
        if let Some(Stop::Solution { .. }) = block::block_on(self.go(), &|| false) {
            let list = self.machine.roots.get(slot).copied().unwrap_or(Cell::NIL);
            let items = self.machine.heap.list_to_vec(list).unwrap_or_default();
            out.extend(items.into_iter().map(|c| show::text(&self.machine, c)));
        }
        self.machine.close();
        self.machine.roots.truncate(slot);
        out
    }

    /// Whether module `user` has this predicate.
    pub(crate) fn is_defined(&self, name: &str, arity: usize) -> bool {
        let m = &self.machine;
        let found = m.heap.atoms.lookup(name).and_then(|n| m.predicates.lookup(atom::USER, n, arity));
        found.is_some_and(|i| m.predicates.get(i).is_defined())
    }

    /// The text of an exception, as the loader prints it.
    fn message(&mut self, ball: Cell) -> Option<String> {
        self.machine.limits.inferences = Some(self.machine.inference_count() + 2_000_000);
        self.machine.cancel_handle().store(false, std::sync::atomic::Ordering::Relaxed);
        self.deadline = None;
        let h = &mut self.machine.heap;
        let (kind, text) = (h.atom("error"), h.new_var());
        let goal = h.compound_named("$message_text", &[kind, ball, text]);
        self.machine.roots.push(text);
        let slot = self.machine.roots.len() - 1;
        self.machine.start(goal, atom::SYSTEM);
        let stop = block::block_on(self.go(), &|| false);
        let text = self.machine.roots.get(slot).copied();
        self.machine.roots.truncate(slot);
        let out = match (stop, text) {
            (Some(Stop::Solution { .. }), Some(t)) => Some(show::text(&self.machine, t).trim_end().to_string()),
            _ => None,
        };
        self.machine.close();
        out.filter(|t| !t.is_empty() && !t.starts_with("Unknown message"))
    }
}

/// `file(File, Line, Column, ...)` or `stream(S, Line, Column, ...)`.
fn place(s: &Session, context: Cell) -> Option<(u64, u64)> {
    let h = &s.machine.heap;
    let Term::Compound(a, name, n) = h.view(context) else { return None };
    if n < 3 || !matches!(h.atoms.text(name), "file" | "stream") {
        return None;
    }
    match (h.view(*h.cells.get(a + 2)?), h.view(*h.cells.get(a + 3)?)) {
        (Term::Int(l), Term::Int(c)) => Some((u64::try_from(l).ok()?, u64::try_from(c).ok()? + 1)),
        _ => None,
    }
}

/// Messages carry what to do in lines of their own.
fn split_hints(message: &str) -> (String, Vec<String>) {
    let mut lines = message.lines();
    let first = lines.next().unwrap_or("").to_string();
    let rest: Vec<&str> = lines.map(str::trim).filter(|l| !l.is_empty()).collect();
    let hint = rest.first().is_some_and(|l| l.starts_with("Did you mean") || l.starts_with("However"));
    if hint { (first, vec![rest.join(" ")]) } else { (message.to_string(), Vec::new()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_apart() {
        assert_eq!(
            split_hints("Unknown procedure: a/1\n  Did you mean b/1?"),
            ("Unknown procedure: a/1".into(), vec!["Did you mean b/1?".into()])
        );
        assert_eq!(split_hints("one\ntwo"), ("one\ntwo".into(), vec![]));
    }
}
