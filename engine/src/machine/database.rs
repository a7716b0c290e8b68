//! Clauses: adding, finding, removing; flags of predicates; modules.

use super::predicate::{Chain, Definition, MetaArg, MetaSpec};
use super::{Kind, Machine};
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::code::{KEYS, index_key};
use crate::compiler::{self, CompileError, split_clause};
use crate::error::{self, Res, Throw};
use crate::heap::Term;
use crate::native::{Native, Redo, det, nondet};
use crate::record::record;
use std::sync::Arc;

/// A clause reference: predicate, slot, and the generation it was born in, which tells a reused slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    pub predicate: u32,
    pub slot: u32,
    pub born: u64,
}

/// Native predicates of this family.
pub const DATABASE: &[Native] = &[
    det("assertz", 1, |m, a| m.assert(a[0], true, None), "assertz(+Clause)\nAdds a clause at the end of its dynamic predicate."),
    det("assert", 1, |m, a| m.assert(a[0], true, None), "assert(+Clause)\nAs assertz/1."),
    det("asserta", 1, |m, a| m.assert(a[0], false, None), "asserta(+Clause)\nAdds a clause at the front of its dynamic predicate."),
    det(
        "assertz",
        2,
        |m, a| m.assert(a[0], true, Some(a[1])),
        "assertz(+Clause, -Reference)\nAs assertz/1, and gives the clause's reference.",
    ),
    det("assert", 2, |m, a| m.assert(a[0], true, Some(a[1])), "assert(+Clause, -Reference)\nAs assertz/2."),
    det(
        "asserta",
        2,
        |m, a| m.assert(a[0], false, Some(a[1])),
        "asserta(+Clause, -Reference)\nAs asserta/1, and gives the clause's reference.",
    ),
    det("$add_clause", 4, add_clause, "$add_clause(+Module, +Clause, +File, +Line)\nAdds a clause read from a file."),
    nondet("retract", 1, retract, "retract(+Clause)\nRemoves the clauses that unify, one by one on backtracking."),
    det(
        "retractall",
        1,
        retractall,
        "retractall(+Head)\nRemoves all clauses whose head unifies; makes the predicate dynamic when it does not exist.",
    ),
    nondet("clause", 2, clause_2, "clause(+Head, ?Body)\nEnumerates the clauses of a predicate."),
    nondet("clause", 3, clause_3, "clause(?Head, ?Body, ?Reference)\nEnumerates the clauses of a predicate with their references."),
    det("erase", 1, erase, "erase(+Reference)\nRemoves the clause of a reference."),
    det("$set_pred_flag", 4, set_pred_flag, "$set_pred_flag(+Module, +Name, +Arity, +Flag)\nDeclares something about a predicate."),
    det(
        "$get_pred_flag",
        4,
        get_pred_flag,
        "$get_pred_flag(+Module, +Name, +Arity, +Flag)\nTrue when the predicate, or what it is linked to, has the flag.",
    ),
    det("$pred_defined", 3, pred_defined, "$pred_defined(+Module, +Name, +Arity)\nTrue when a call of it would find a definition."),
    det("$pred_local", 3, pred_local, "$pred_local(+Module, +Name, +Arity)\nTrue when the module itself defines the predicate."),
    det(
        "$pred_info",
        4,
        pred_info,
        "$pred_info(+Module, +Name, +Arity, -Info)\nInfo is info(DefinitionModule, Kind, Clauses, File, Line, Meta).",
    ),
    det(
        "$module_predicates",
        2,
        module_predicates,
        "$module_predicates(+Module, -List)\nName/Arity of the predicates the module itself defines.",
    ),
    det("$abolish", 3, abolish, "$abolish(+Module, +Name, +Arity)\nRemoves a predicate's clauses and properties."),
    det("$wipe_reload", 2, wipe_reload, "$wipe_reload(+Module, +File)\nRemoves the clauses that an earlier load of the file defined."),
    det("$module", 2, module_2, "$module(-Old, +New)\nThe module that goals and clauses belong to."),
    det("$new_module", 2, new_module, "$new_module(+Module, +File)\nCreates a module."),
    det("$current_module", 1, current_module, "$current_module(+Module)\nTrue when the module exists."),
    det("$modules", 1, modules, "$modules(-List)\nAll modules."),
    det("$module_file", 2, module_file, "$module_file(+Module, -File)\nFile the module was loaded from."),
    det("$export", 2, export, "$export(+Module, +PredicateIndicator)\nAdds to the exports of a module."),
    det("$exports", 2, exports, "$exports(+Module, -List)\nThe exports of a module."),
    det("$import", 5, import, "$import(+Into, +From, +Name, +Arity, +As)\nMakes a predicate of one module visible in another."),
];

/// Owned name of a predicate in a clause term.
struct Target {
    module: Atom,
    head: Cell,
    body: Cell,
    name: Atom,
    arity: usize,
}

impl Machine {
    /// Takes a clause apart: qualifiers, head, body.
    fn target(&mut self, module: Atom, clause: Cell) -> Res<Target> {
        let (module, clause) = self.strip_module(module, clause);
        if self.heap.is_var(clause) {
            return Err(error::instantiation(&mut self.heap));
        }
        let (head, body) = split_clause(&self.heap, clause);
        let (head_module, head) = self.strip_module(module, head);
        let Some((name, arity)) = self.heap.name_arity(head) else {
            return Err(error::type_error(&mut self.heap, atom::CALLABLE, head));
        };
        if matches!(self.heap.view(head), Term::Compound(_, atom::DICT, _)) {
            return Err(error::type_error(&mut self.heap, atom::CALLABLE, head));
        }
        // A head in another module keeps the body in the clause's own.
        let body = if head_module == module { body } else { self.heap.compound(atom::COLON, &[Cell::atom(module), body]) };
        Ok(Target { module: head_module, head, body, name, arity })
    }

    /// The predicate a clause is added to.
    fn target_predicate(&mut self, t: &Target, dynamic: bool) -> Res<u32> {
        let i = match self.predicates.lookup(t.module, t.name, t.arity) {
            Some(i) => i,
            None => {
                self.heap.atoms.pin(t.name);
                self.heap.atoms.pin(t.module);
                self.predicates.intern(t.module, t.name, t.arity)
            }
        };
        if t.module != atom::SYSTEM
            && let Some(s) = self.predicates.lookup(atom::SYSTEM, t.name, t.arity)
            && self.predicates.get(s).protected
            && !matches!(self.predicates.get(i).definition, Definition::Clauses)
        {
            return Err(self.no_permission("modify", "static_procedure", t.name, t.arity));
        }
        if super::control::is_reserved(t.name, t.arity) {
            return Err(self.no_permission("modify", "static_procedure", t.name, t.arity));
        }
        let p = self.predicates.get(i);
        match p.definition {
            Definition::Clauses => {
                if dynamic && !p.dynamic && p.live > 0 {
                    return Err(self.no_permission("modify", "static_procedure", t.name, t.arity));
                }
                if dynamic && !p.dynamic {
                    self.predicates.get_mut(i).dynamic = true;
                }
            }
            Definition::Undefined | Definition::Link { .. } => {
                self.predicates.epoch += 1;
                let load = self.load_number;
                let p = self.predicates.get_mut(i);
                p.definition = Definition::Clauses;
                p.dynamic |= dynamic;
                p.load = load;
            }
            _ => return Err(self.no_permission("modify", "static_procedure", t.name, t.arity)),
        }
        Ok(i)
    }

    fn no_permission(&mut self, action: &str, kind: &str, name: Atom, arity: usize) -> Throw {
        let culprit = self.heap.indicator(name, arity);
        error::permission(&mut self.heap, action, kind, culprit)
    }

    /// Compiles and adds a clause. `at`: source file (atom) and line.
    pub(crate) fn add(&mut self, module: Atom, clause: Cell, back: bool, dynamic: bool, at: Option<(Atom, u32)>) -> Res<Reference> {
        let t = self.target(module, clause)?;
        let i = self.target_predicate(&t, dynamic)?;
        let top = self.heap.top();
        let code = self.compile_clause(t.module, t.head, t.body);
        let mut code = match code {
            Ok(c) => c,
            Err(CompileError::BodyNotCallable) => {
                let t = error::type_error_named(&mut self.heap, "callable", t.body);
                return Err(t);
            }
            Err(CompileError::TooLarge(what)) => return Err(error::resource(&mut self.heap, what)),
        };
        let source = self.heap.compound(atom::NECK, &[t.head, t.body]);
        code.source = Some(record(&self.heap, source));
        self.heap.cells.truncate(top);
        if let Some((file, line)) = at {
            code.file = file.0;
            code.line = line;
        }
        for a in &code.atoms {
            self.heap.atoms.pin(*a);
        }
        self.clause_bytes += size_of_val(&*code.code) + 300;
        let clause = code.seal();
        self.generation += 1;
        let generation = self.generation;
        let load = self.load_number;
        let p = self.predicates.get_mut(i);
        if let (0, Some((file, _))) = (p.file, at) {
            p.file = file.0;
            p.load = load;
        }
        let slot = p.add(clause, generation, back);
        Ok(Reference { predicate: i, slot, born: generation })
    }

    fn assert(&mut self, clause: Cell, back: bool, reference: Option<Cell>) -> Res {
        let r = self.add(self.source_module, clause, back, true, None)?;
        match reference {
            Some(c) => {
                let r = self.reference_term(r);
                Ok(self.unify(c, r))
            }
            None => Ok(true),
        }
    }

    fn reference_term(&mut self, r: Reference) -> Cell {
        let name = self.heap.atoms.intern("$clause");
        let born = self.heap.int(r.born as i64);
        self.heap.compound(name, &[Cell::small(r.predicate as i64), Cell::small(r.slot as i64), born])
    }

    fn reference(&self, c: Cell) -> Option<Reference> {
        let name = self.heap.atoms.lookup("$clause")?;
        let a = self.heap.match_compound(c, name, 3)?;
        match (self.heap.view(a[0]), self.heap.view(a[1]), self.heap.view(a[2])) {
            (Term::Int(p), Term::Int(s), Term::Int(b)) => {
                let r = Reference { predicate: p as u32, slot: s as u32, born: b as u64 };
                let slot = self.predicates.table.get(r.predicate as usize)?.slots.get(r.slot as usize)?;
                (slot.born == r.born && slot.died == u64::MAX).then_some(r)
            }
            _ => None,
        }
    }

    /// Removes a clause.
    pub(crate) fn remove(&mut self, predicate: u32, slot: u32) -> bool {
        self.generation += 1;
        let generation = self.generation;
        let p = self.predicates.get_mut(predicate);
        if !p.erase(slot, generation) {
            return false;
        }
        if p.dead > p.purge_at {
            self.purge(predicate);
        }
        true
    }

    fn purge(&mut self, predicate: u32) {
        let used = self.choices.iter().any(|c| match c.kind {
            Kind::Clauses { predicate: p, .. } => p == predicate,
            // A running retract/1 or clause/2 remembers slots of a predicate it names in its arguments.
            Kind::Native { native } => matches!(self.natives[native as usize].name, "retract" | "clause"),
            _ => false,
        });
        let p = self.predicates.get_mut(predicate);
        if used {
            p.purge_at = p.dead * 2;
            return;
        }
        let dead = p.purge();
        for c in &dead {
            self.clause_bytes = self.clause_bytes.saturating_sub(size_of_val(&*c.code) + 300);
        }
        self.graveyard.extend(dead);
    }

    fn keys(&self, head: Cell) -> [u64; KEYS] {
        let mut keys = [0; KEYS];
        for (k, i) in keys.iter_mut().zip(self.heap.args(head)) {
            *k = index_key(&self.heap.cells, self.heap.deref(self.heap.cells[i]));
        }
        keys
    }

    /// Copies the source of a clause to the heap as `Head :- Body` and gives both.
    fn source(&mut self, predicate: u32, slot: u32) -> Option<(Cell, Cell)> {
        let clause = self.predicates.table.get(predicate as usize)?.slots.get(slot as usize)?.clause.clone();
        let c = clause.source.as_ref()?.restore(&mut self.heap);
        Some(split_clause(&self.heap, c))
    }

    /// Next clause at or after the state that unifies with head and body; binds on success.
    fn next_clause(&mut self, predicate: u32, head: Cell, body: Cell, state: Option<(u32, u64)>) -> Option<(u32, u64, Option<u32>)> {
        let keys = self.keys(head);
        let (mut current, chain, generation) = {
            let p = self.predicates.get(predicate);
            match state {
                None => {
                    let (s, chain) = p.candidates(&keys, self.generation)?;
                    (Some(s), chain, self.generation)
                }
                Some((slot, generation)) => {
                    (Some(slot), p.candidates(&keys, generation).map_or(Chain::from_parts(u8::MAX, keys[0]), |c| c.1), generation)
                }
            }
        };
        while let Some(slot) = current {
            let following = self.predicates.get(predicate).following(slot, chain, generation);
            let top = self.heap.top();
            let mark = self.heap.trail.len();
            let hb = std::mem::replace(&mut self.heap.hb, usize::MAX);
            let ok = match self.source(predicate, slot) {
                Some((h, b)) => self.heap.unify(head, h) && self.heap.unify(body, b),
                None => false,
            };
            self.heap.hb = hb;
            if ok {
                return Some((slot, generation, following));
            }
            self.heap.undo_to(mark);
            self.heap.cells.truncate(top);
            self.heap.wakeup = Cell::NIL;
            current = following;
        }
        None
    }

    fn state_of(&self, state: Cell) -> Option<(u32, u64)> {
        let a = self.heap.match_compound(state, atom::MINUS, 2)?;
        match (self.heap.view(a[0]), self.heap.view(a[1])) {
            (Term::Int(s), Term::Int(g)) => Some((s as u32, g as u64)),
            _ => None,
        }
    }

    fn redo(&mut self, next: Option<u32>, generation: u64) -> Redo {
        match next {
            Some(s) => {
                let g = self.heap.int(generation as i64);
                Redo::More(self.heap.compound(atom::MINUS, &[Cell::small(s as i64), g]))
            }
            None => Redo::Done,
        }
    }

    /// Predicate of a head for looking at clauses; checks types as ISO asks.
    fn head_predicate(&mut self, c: Cell) -> Res<(Target, Option<u32>)> {
        let (module, head) = self.strip_module(self.source_module, c);
        if self.heap.is_var(head) {
            return Err(error::instantiation(&mut self.heap));
        }
        let Some((name, arity)) = self.heap.name_arity(head) else {
            return Err(error::type_error(&mut self.heap, atom::CALLABLE, head));
        };
        let i = match self.predicates.lookup(module, name, arity) {
            Some(i) => i,
            None => {
                self.heap.atoms.pin(name);
                self.heap.atoms.pin(module);
                self.predicates.intern(module, name, arity)
            }
        };
        let i = self.predicates.resolve(i);
        Ok((Target { module, head, body: Cell::NIL, name, arity }, i))
    }
}

fn add_clause(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    let at = match (m.heap.view(a[2]), m.heap.view(a[3])) {
        (Term::Atom(f), Term::Int(l)) => {
            m.heap.atoms.pin(f);
            Some((f, l as u32))
        }
        _ => None,
    };
    m.add(module, a[1], true, false, at)?;
    Ok(true)
}

fn retract(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    let (module, clause) = m.strip_module(m.source_module, a[0]);
    let (head, body) = split_clause(&m.heap, clause);
    let head = m.heap.compound(atom::COLON, &[Cell::atom(module), head]);
    let (t, predicate) = m.head_predicate(head)?;
    let Some(i) = predicate else { return Ok(Redo::Fail) };
    let p = m.predicates.get(i);
    if p.definition != Definition::Clauses || !p.dynamic {
        if p.dynamic {
            return Ok(Redo::Fail);
        }
        return Err(m.no_permission("access", "private_procedure", t.name, t.arity));
    }
    let mut state = state.and_then(|s| m.state_of(s));
    loop {
        let Some((slot, generation, next)) = m.next_clause(i, t.head, body, state) else { return Ok(Redo::Fail) };
        if m.remove(i, slot) {
            return Ok(m.redo(next, generation));
        }
        // Somebody else removed it since this call began: go on.
        match next {
            Some(s) => state = Some((s, generation)),
            None => return Ok(Redo::Fail),
        }
    }
}

fn retractall(m: &mut Machine, a: &[Cell]) -> Res {
    let (t, predicate) = m.head_predicate(a[0])?;
    let i = match predicate {
        Some(i) if m.predicates.get(i).definition == Definition::Clauses => i,
        Some(i) if m.predicates.get(i).definition != Definition::Undefined => {
            return Err(m.no_permission("modify", "static_procedure", t.name, t.arity));
        }
        _ => {
            let i = m.target_predicate(&t, true)?;
            m.predicates.get_mut(i).dynamic = true;
            return Ok(true);
        }
    };
    if !m.predicates.get(i).dynamic {
        if m.predicates.get(i).live == 0 {
            m.predicates.get_mut(i).dynamic = true;
            return Ok(true);
        }
        return Err(m.no_permission("modify", "static_procedure", t.name, t.arity));
    }
    let keys = m.keys(t.head);
    let generation = m.generation;
    let mut current = m.predicates.get(i).candidates(&keys, generation);
    let mut doomed = Vec::new();
    while let Some((slot, chain)) = current {
        let (top, mark) = (m.heap.top(), m.heap.trail.len());
        let hb = std::mem::replace(&mut m.heap.hb, usize::MAX);
        let ok = match m.source(i, slot) {
            Some((h, _)) => m.heap.unify(t.head, h),
            None => false,
        };
        m.heap.hb = hb;
        m.heap.undo_to(mark);
        m.heap.cells.truncate(top);
        m.heap.wakeup = Cell::NIL;
        if ok {
            doomed.push(slot);
        }
        current = m.predicates.get(i).following(slot, chain, generation).map(|s| (s, chain));
    }
    m.generation += 1;
    let generation = m.generation;
    let p = m.predicates.get_mut(i);
    for slot in doomed {
        p.erase(slot, generation);
    }
    if p.dead > p.purge_at {
        m.purge(i);
    }
    Ok(true)
}

fn clause_2(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    clause(m, a[0], a[1], None, state)
}

fn clause_3(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    if state.is_none() && !m.heap.is_var(a[2]) {
        let Some(r) = m.reference(a[2]) else { return Ok(Redo::Fail) };
        let Some((h, b)) = m.source(r.predicate, r.slot) else { return Ok(Redo::Fail) };
        let (_, head) = m.strip_module(m.source_module, a[0]);
        return Ok(if m.unify(head, h) && m.unify(a[1], b) { Redo::Done } else { Redo::Fail });
    }
    clause(m, a[0], a[1], Some(a[2]), state)
}

fn clause(m: &mut Machine, head: Cell, body: Cell, reference: Option<Cell>, state: Option<Cell>) -> Res<Redo> {
    let (t, predicate) = m.head_predicate(head)?;
    let b = m.heap.deref(body);
    if !b.is_ref() && !m.heap.is_callable(b) {
        return Err(error::type_error(&mut m.heap, atom::CALLABLE, body));
    }
    let Some(i) = predicate else { return Ok(Redo::Fail) };
    let p = m.predicates.get(i);
    match p.definition {
        Definition::Clauses => {
            if p.module == atom::SYSTEM && p.protected {
                return Err(m.no_permission("access", "private_procedure", t.name, t.arity));
            }
        }
        Definition::Undefined | Definition::Link { .. } => return Ok(Redo::Fail),
        _ => return Err(m.no_permission("access", "private_procedure", t.name, t.arity)),
    }
    let state = state.and_then(|s| m.state_of(s));
    let Some((slot, generation, next)) = m.next_clause(i, t.head, body, state) else { return Ok(Redo::Fail) };
    if let Some(r) = reference {
        let born = m.predicates.get(i).slots[slot as usize].born;
        let c = m.reference_term(Reference { predicate: i, slot, born });
        if !m.unify(r, c) {
            return Ok(Redo::Fail);
        }
    }
    Ok(m.redo(next, generation))
}

fn erase(m: &mut Machine, a: &[Cell]) -> Res {
    match m.reference(a[0]) {
        Some(r) => Ok(m.remove(r.predicate, r.slot)),
        None => Err(error::existence(&mut m.heap, "db_reference", a[0])),
    }
}

/// Module, name and arity arguments.
fn named(m: &mut Machine, a: &[Cell]) -> Res<(Atom, Atom, usize)> {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    let Term::Atom(name) = m.heap.view(a[1]) else { return Err(error::type_error(&mut m.heap, atom::ATOM, a[1])) };
    let Term::Int(arity) = m.heap.view(a[2]) else { return Err(error::type_error(&mut m.heap, atom::INTEGER, a[2])) };
    if !(0..=compiler::MAX_PREDICATE_ARITY as i64).contains(&arity) {
        return Err(error::representation(&mut m.heap, "max_arity"));
    }
    Ok((module, name, arity as usize))
}

fn intern(m: &mut Machine, module: Atom, name: Atom, arity: usize) -> u32 {
    m.heap.atoms.pin(module);
    m.heap.atoms.pin(name);
    m.predicates.intern(module, name, arity)
}

fn set_pred_flag(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    let i = intern(m, module, name, arity);
    let flag = match m.heap.view(a[3]) {
        Term::Atom(f) => m.heap.atoms.text_arc(f),
        Term::Compound(_, n, 1) => m.heap.atoms.text_arc(n),
        _ => return Err(error::type_error(&mut m.heap, atom::ATOM, a[3])),
    };
    let define = matches!(&*flag, "dynamic" | "multifile" | "discontiguous" | "thread_local" | "volatile");
    if define && module != atom::SYSTEM {
        let protected = m.predicates.lookup(atom::SYSTEM, name, arity).is_some_and(|s| m.predicates.get(s).protected);
        if protected && !matches!(m.predicates.get(i).definition, Definition::Clauses) {
            return Err(m.no_permission("modify", "static_procedure", name, arity));
        }
    }
    let spec = match &*flag {
        "meta" => {
            let inner = m.heap.arg(a[3], 0);
            Some(meta_spec(m, inner))
        }
        _ => None,
    };
    if &*flag == "dynamic" || &*flag == "multifile" || &*flag == "thread_local" {
        m.predicates.epoch += 1;
    }
    let p = m.predicates.get_mut(i);
    match &*flag {
        "dynamic" | "thread_local" => {
            p.dynamic = true;
            if !matches!(p.definition, Definition::Clauses) {
                p.definition = Definition::Clauses;
            }
        }
        "static" => p.dynamic = false,
        "discontiguous" => p.discontiguous = true,
        "multifile" => {
            p.multifile = true;
            if !p.is_defined() {
                p.definition = Definition::Clauses;
            }
        }
        "tabled" | "table" => p.tabled = true,
        "public" => p.public = true,
        "system" | "protected" => p.protected = true,
        "unprotected" => p.protected = false,
        "meta" => p.meta = spec.map(Arc::new),
        _ => {}
    }
    Ok(true)
}

fn meta_spec(m: &Machine, c: Cell) -> MetaSpec {
    let args = m
        .heap
        .args(c)
        .map(|i| match m.heap.view(m.heap.cells[i]) {
            Term::Int(n) => MetaArg::Goal(n.clamp(0, 255) as u8),
            Term::Atom(atom::COLON) => MetaArg::Module,
            Term::Atom(atom::CARET) => MetaArg::Exists,
            Term::Atom(atom::INT_DIV) => MetaArg::Dcg,
            Term::Atom(a) => MetaArg::Plain(a),
            _ => MetaArg::Plain(atom::STAR),
        })
        .collect();
    MetaSpec { args }
}

fn get_pred_flag(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    let Some(i) = m.predicates.lookup(module, name, arity) else { return Ok(false) };
    let i = m.predicates.resolve(i).unwrap_or(i);
    let Term::Atom(f) = m.heap.view(a[3]) else { return Ok(false) };
    let p = m.predicates.get(i);
    Ok(match m.heap.atoms.text(f) {
        "dynamic" => p.dynamic,
        "discontiguous" => p.discontiguous,
        "multifile" => p.multifile,
        "tabled" | "table" => p.tabled,
        "public" => p.public,
        "system" | "protected" => p.protected,
        "defined" => p.is_defined(),
        "native" => matches!(p.definition, Definition::Det(_) | Definition::Nondet(_) | Definition::Control(_) | Definition::Suspend),
        "meta" => p.meta.is_some(),
        _ => false,
    })
}

fn pred_defined(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    let i = match m.predicates.lookup(module, name, arity) {
        Some(i) => i,
        None => intern(m, module, name, arity),
    };
    Ok(m.predicates.resolve(i).is_some())
}

fn pred_local(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    Ok(m.predicates.lookup(module, name, arity).is_some_and(|i| {
        let p = m.predicates.get(i);
        p.is_defined() && !matches!(p.definition, Definition::Link { .. })
    }))
}

fn pred_info(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    let Some(i) = m.predicates.lookup(module, name, arity) else { return Ok(false) };
    let Some(i) = m.predicates.resolve(i) else { return Ok(false) };
    let p = m.predicates.table[i as usize].clone();
    let kind = match p.definition {
        Definition::Clauses => "clauses",
        Definition::Suspend => "suspending",
        _ => "native",
    };
    let first = p.slots.get(p.first as usize).map_or((0, 0), |s| (s.clause.file, s.clause.line));
    let kind = m.heap.atom(kind);
    let meta = match &p.meta {
        Some(spec) => {
            let args: Vec<Cell> = spec
                .args
                .iter()
                .map(|s| match s {
                    MetaArg::Goal(n) => Cell::small(*n as i64),
                    MetaArg::Module => Cell::atom(atom::COLON),
                    MetaArg::Exists => Cell::atom(atom::CARET),
                    MetaArg::Dcg => Cell::atom(atom::INT_DIV),
                    MetaArg::Plain(Atom(0)) => {
                        let q = m.heap.atoms.intern("?");
                        Cell::atom(q)
                    }
                    MetaArg::Plain(x) => Cell::atom(*x),
                })
                .collect();
            m.heap.compound(name, &args)
        }
        None => Cell::NIL,
    };
    let args = [Cell::atom(p.module), kind, Cell::small(p.live as i64), Cell::atom(Atom(first.0)), Cell::small(first.1 as i64), meta];
    let info = m.heap.compound_named("info", &args);
    Ok(m.unify(a[3], info))
}

fn module_predicates(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    let found: Vec<(Atom, usize)> = m
        .predicates
        .table
        .iter()
        .filter(|p| p.module == module && p.is_defined() && !matches!(p.definition, Definition::Link { .. }))
        .map(|p| (p.name, p.arity))
        .collect();
    let items: Vec<Cell> = found.into_iter().map(|(n, k)| m.heap.indicator(n, k)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[1], list))
}

fn abolish(m: &mut Machine, a: &[Cell]) -> Res {
    let (module, name, arity) = named(m, a)?;
    let Some(i) = m.predicates.lookup(module, name, arity) else { return Ok(true) };
    if let Some(target) = m.predicates.resolve(i)
        && (m.predicates.get(target).protected || m.flags.iso && !m.predicates.get(target).dynamic)
    {
        return Err(m.no_permission("modify", "static_procedure", name, arity));
    }
    if m.predicates.get(i).definition != Definition::Clauses {
        return Ok(true);
    }
    m.predicates.epoch += 1;
    let p = m.predicates.get_mut(i);
    if p.dynamic {
        (p.definition, p.dynamic) = (Definition::Undefined, false);
    }
    for slot in m.predicates.get(i).live_slots() {
        m.remove(i, slot);
    }
    Ok(true)
}

fn wipe_reload(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(file) = m.heap.view(a[1]) else { return Ok(true) };
    m.load_number += 1;
    let count = m.predicates.table.len() as u32;
    for i in 0..count {
        let p = m.predicates.get(i);
        if p.definition != Definition::Clauses || p.dynamic && p.file != file.0 {
            continue;
        }
        let doomed: Vec<u32> = p.live_slots().into_iter().filter(|&s| p.slots[s as usize].clause.file == file.0).collect();
        if doomed.is_empty() {
            continue;
        }
        for s in doomed {
            m.remove(i, s);
        }
    }
    Ok(true)
}

fn module_2(m: &mut Machine, a: &[Cell]) -> Res {
    let old = m.source_module;
    if !m.unify(a[0], Cell::atom(old)) {
        return Ok(false);
    }
    let Term::Atom(new) = m.heap.view(a[1]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[1])) };
    m.heap.atoms.pin(new);
    m.source_module = new;
    Ok(true)
}

fn new_module(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    m.heap.atoms.pin(module);
    let file = match m.heap.view(a[1]) {
        Term::Atom(f) if f != atom::NIL => {
            m.heap.atoms.pin(f);
            Some(f)
        }
        _ => None,
    };
    let entry = Arc::make_mut(&mut m.modules).entry(module).or_default();
    if file.is_some() {
        entry.file = file;
        entry.exports.clear();
    }
    Ok(true)
}

fn current_module(m: &mut Machine, a: &[Cell]) -> Res {
    Ok(matches!(m.heap.view(a[0]), Term::Atom(x) if m.modules.contains_key(&x)))
}

fn modules(m: &mut Machine, a: &[Cell]) -> Res {
    let mut names: Vec<Atom> = m.modules.keys().copied().collect();
    names.sort();
    let items: Vec<Cell> = names.into_iter().map(Cell::atom).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[0], list))
}

fn module_file(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Ok(false) };
    match m.modules.get(&module).and_then(|x| x.file) {
        Some(f) => Ok(m.unify(a[1], Cell::atom(f))),
        None => Ok(false),
    }
}

fn export(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    let Some(&[n, k]) = m.heap.match_compound(a[1], atom::SLASH, 2) else {
        return Err(error::type_error(&mut m.heap, atom::PREDICATE_INDICATOR, a[1]));
    };
    let (_, name, arity) = named(m, &[a[0], n, k])?;
    intern(m, module, name, arity);
    let entry = Arc::make_mut(&mut m.modules).entry(module).or_default();
    if !entry.exports.contains(&(name, arity)) {
        entry.exports.push((name, arity));
    }
    Ok(true)
}

fn exports(m: &mut Machine, a: &[Cell]) -> Res {
    let Term::Atom(module) = m.heap.view(a[0]) else { return Err(error::type_error(&mut m.heap, atom::MODULE, a[0])) };
    let Some(list) = m.modules.get(&module).map(|x| x.exports.clone()) else { return Ok(false) };
    let items: Vec<Cell> = list.into_iter().map(|(n, k)| m.heap.indicator(n, k)).collect();
    let list = m.heap.list_from(&items);
    Ok(m.unify(a[1], list))
}

fn import(m: &mut Machine, a: &[Cell]) -> Res {
    let (from, name, arity) = named(m, &a[1..4])?;
    let (into, as_name, _) = named(m, &[a[0], a[4], a[3]])?;
    let to = intern(m, from, name, arity);
    let i = intern(m, into, as_name, arity);
    if i == to {
        return Ok(true);
    }
    let p = m.predicates.get(i);
    match p.definition {
        // A local definition wins.
        Definition::Undefined | Definition::Link { .. } if !p.dynamic => {}
        _ => return Ok(false),
    }
    m.predicates.epoch += 1;
    m.predicates.get_mut(i).definition = Definition::Link { to, auto: false, epoch: 0 };
    Ok(true)
}
