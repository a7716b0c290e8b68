//! Layout of clauses as `portray_clause/1` and `listing/1` print them.

use super::canonical::name_variables;
use super::{Options, write, write_to};
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::{Heap, Term};
use crate::ops::{Fixity, OpTable};
use rustc_hash::FxHashSet;

/// Longest line before the arguments of a goal go on lines of their own.
const LINE_WIDTH: usize = 78;

/// Arguments (from 1) that are goals, of the predicates that take goals.
const META: &[(&str, usize, &[usize])] = &[
    (":", 2, &[2]),
    ("aggregate_all", 3, &[2]),
    ("aggregate_all", 4, &[3]),
    ("assertion", 1, &[1]),
    ("call", 1, &[1]),
    ("call_cleanup", 2, &[1, 2]),
    ("catch", 3, &[1, 3]),
    ("catch_with_backtrace", 3, &[1, 3]),
    ("findall", 3, &[2]),
    ("findall", 4, &[2]),
    ("findnsols", 4, &[3]),
    ("forall", 2, &[1, 2]),
    ("freeze", 2, &[2]),
    ("ignore", 1, &[1]),
    ("limit", 2, &[2]),
    ("not", 1, &[1]),
    ("once", 1, &[1]),
    ("setup_call_cleanup", 3, &[1, 2, 3]),
    ("time", 1, &[1]),
    ("when", 2, &[2]),
    ("with_output_to", 2, &[2]),
];

enum Item {
    Text(&'static str),
    Line(usize),
    Body(Cell, usize, u16),
    /// An alternative: conditions and their branches.
    Branch(Cell, usize),
    /// Any term in the ordinary way, of this priority.
    Term(Cell, u16),
    /// A term that is laid out as a list when it does not fit at this column.
    Argument(Cell, usize, bool),
}

struct Layout<'a> {
    heap: &'a Heap,
    ops: &'a OpTable,
    flags: &'a Flags,
    options: Options,
    out: String,
    stack: Vec<Item>,
}

/// The text of a clause with its full stop and newline. Variables of `names` keep these names, others become
/// `A`, `B`, … or `_`.
pub fn portray_clause(heap: &Heap, ops: &OpTable, flags: &Flags, term: Cell, module: Atom, names: &[(String, Cell)]) -> String {
    let used: FxHashSet<String> = names.iter().map(|(n, _)| n.clone()).collect();
    let mut variable_names = names.to_vec();
    variable_names.extend(name_variables(heap, term, &used));
    let options = Options { spacing_next_argument: true, character_escapes_unicode: true, module, variable_names, ..Options::writeq() };
    let mut l = Layout { heap, ops, flags, options, out: String::new(), stack: Vec::new() };
    l.clause(term);
    while let Some(item) = l.stack.pop() {
        l.item(item);
    }
    if l.out.chars().next_back().is_some_and(super::quote::is_symbol) {
        l.out.push(' ');
    }
    l.out.push_str(".\n");
    l.out
}

impl Layout<'_> {
    fn infix(&self, c: Cell) -> Option<(Atom, Cell, Cell)> {
        match self.heap.view(c) {
            Term::Compound(a, name, 2) => Some((name, self.heap.cells[a + 1], self.heap.cells[a + 2])),
            _ => None,
        }
    }

    fn clause(&mut self, c: Cell) {
        if let Some((name, head, body)) = self.infix(c) {
            let arrow = match name {
                atom::NECK if self.heap.deref(body) == Cell::atom(atom::TRUE) => {
                    return self.stack.push(Item::Term(head, 1199));
                }
                atom::NECK => " :-",
                atom::DCG_ARROW => " -->",
                atom::SSU_ARROW => " =>",
                _ => "",
            };
            if !arrow.is_empty() {
                self.stack.push(Item::Body(body, 4, 1199));
                self.stack.push(Item::Line(4));
                self.stack.push(Item::Text(arrow));
                return self.stack.push(Item::Term(head, 1199));
            }
        }
        if let Term::Compound(a, name @ (atom::NECK | atom::QUERY), 1) = self.heap.view(c) {
            let goal = self.heap.cells[a + 1];
            self.out.push_str(if name == atom::NECK { ":- " } else { "?- " });
            if let Term::Compound(b, m, 2) = self.heap.view(goal)
                && self.heap.atoms.text(m) == "module"
            {
                let (file, exports) = (self.heap.cells[b + 1], self.heap.cells[b + 2]);
                self.stack.push(Item::Text(")"));
                self.stack.push(Item::Argument(exports, 10, true));
                self.stack.push(Item::Line(10));
                self.stack.push(Item::Text(","));
                self.stack.push(Item::Term(file, 999));
                return self.stack.push(Item::Text("module("));
            }
            return self.stack.push(Item::Body(goal, 3, 1199));
        }
        if self.is_control(c) || self.unary(c, atom::NOT_PROVABLE).is_some() || self.unary(c, atom::CURLY).is_some() {
            return self.stack.push(Item::Body(c, 0, 1200));
        }
        let bar = matches!(self.infix(c), Some((atom::BAR, ..)));
        self.stack.push(Item::Term(c, if bar { 1199 } else { 999 }));
    }

    fn unary(&self, c: Cell, name: Atom) -> Option<Cell> {
        self.heap.match_compound(c, name, 1).and_then(|a| a.first().copied())
    }

    /// A conjunction, disjunction or condition.
    fn is_control(&self, c: Cell) -> bool {
        matches!(self.infix(c), Some((atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, _, _)))
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Text(s) => self.out.push_str(s),
            Item::Line(n) => {
                self.out.push('\n');
                self.out.extend(std::iter::repeat_n(' ', n));
            }
            Item::Term(c, p) => {
                self.options.priority = p;
                write_to(self.heap, self.ops, self.flags, c, &self.options, &mut self.out);
            }
            Item::Argument(c, at, force) => self.argument(c, at, force),
            Item::Body(c, at, prio) => self.body(c, at, prio),
            Item::Branch(c, at) => match self.infix(c) {
                Some((name @ (atom::ARROW | atom::SOFT_ARROW), a, b)) => {
                    self.stack.push(Item::Branch(b, at));
                    self.stack.push(Item::Text(if name == atom::ARROW { "->  " } else { "*-> " }));
                    self.stack.push(Item::Line(at));
                    self.stack.push(Item::Body(a, at + 4, 1000));
                }
                _ => self.stack.push(Item::Body(c, at + 4, 1000)),
            },
        }
    }

    fn body(&mut self, c: Cell, at: usize, prio: u16) {
        match self.infix(c) {
            Some((atom::COMMA, ..)) => return self.conjunction(c, at, prio),
            Some((atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, ..)) => {
                let mut alternatives = vec![];
                let mut rest = c;
                while let Some((atom::SEMICOLON, a, b)) = self.infix(rest) {
                    alternatives.push(a);
                    rest = b;
                }
                alternatives.push(rest);
                self.stack.push(Item::Text(")"));
                self.stack.push(Item::Line(at));
                for (i, &a) in alternatives.iter().enumerate().rev() {
                    self.stack.push(Item::Branch(a, at));
                    if i > 0 {
                        self.stack.push(Item::Text(";   "));
                        self.stack.push(Item::Line(at));
                    }
                }
                return self.stack.push(Item::Text("(   "));
            }
            Some((name, ..)) if self.ops.get(self.options.module, name, Fixity::Infix).is_some_and(|(p, _)| p > prio) => {
                return self.bracketed(Item::Term(c, 1200), at);
            }
            Some((atom::BAR, ..)) => return self.stack.push(Item::Term(c, prio)),
            _ => {}
        }
        if let Some(g) = self.unary(c, atom::NOT_PROVABLE) {
            self.stack.push(Item::Body(g, at + 3, 900));
            return self.stack.push(Item::Text("\\+ "));
        }
        if let Some(g) = self.unary(c, atom::CURLY) {
            self.stack.push(Item::Text("}"));
            self.stack.push(Item::Line(at));
            self.stack.push(Item::Body(g, at + 2, 1199));
            return self.stack.push(Item::Text("{ "));
        }
        self.goal(c, at);
    }

    fn bracketed(&mut self, inner: Item, at: usize) {
        self.stack.push(Item::Text(")"));
        self.stack.push(Item::Line(at));
        self.stack.push(inner);
        self.stack.push(Item::Text("( "));
    }

    fn conjunction(&mut self, c: Cell, at: usize, prio: u16) {
        if prio < 1000 {
            return self.bracketed(Item::Body(c, at + 2, 1200), at);
        }
        let mut goals = Vec::new();
        let mut todo = vec![c];
        while let Some(c) = todo.pop() {
            match self.infix(c) {
                Some((atom::COMMA, a, b)) => {
                    todo.push(b);
                    todo.push(a);
                }
                _ => goals.push(c),
            }
        }
        for (i, &g) in goals.iter().enumerate().rev() {
            self.stack.push(Item::Body(g, at, 999));
            if i > 0 {
                self.stack.push(Item::Line(at));
                self.stack.push(Item::Text(","));
            }
        }
    }

    /// A goal: on one line unless an argument is a control structure or the line would be too long.
    fn goal(&mut self, c: Cell, at: usize) {
        let Term::Compound(a, name, n) = self.heap.view(c) else { return self.stack.push(Item::Term(c, 999)) };
        if n == 0 || name == atom::DICT {
            return self.stack.push(Item::Term(c, 999));
        }
        let text = self.heap.atoms.text(name);
        let goals = META.iter().find(|(m, k, _)| *m == text && *k == n).map_or(&[][..], |x| x.2);
        let nested = goals.iter().any(|&i| self.is_control(self.heap.cells[a + i]));
        let fixities: &[Fixity] = match n {
            1 => &[Fixity::Prefix, Fixity::Postfix],
            2 => &[Fixity::Infix],
            _ => &[],
        };
        let operator = fixities.iter().any(|&f| self.ops.get(self.options.module, name, f).is_some());
        if !nested && (operator || at + self.length(c) <= LINE_WIDTH) {
            return self.stack.push(Item::Term(c, 999));
        }
        let name = super::atom_text(self.heap, name);
        let column = at + name.chars().count() + 1;
        self.out.push_str(&name);
        self.out.push('(');
        self.stack.push(Item::Text(")"));
        for i in (1..=n).rev() {
            let arg = self.heap.cells[a + i];
            let goal = goals.contains(&i);
            self.stack.push(if goal { Item::Body(arg, column, 999) } else { Item::Argument(arg, column, false) });
            if i > 1 {
                self.stack.push(Item::Line(column));
                self.stack.push(Item::Text(","));
            }
        }
    }

    fn length(&mut self, c: Cell) -> usize {
        self.options.priority = 999;
        write(self.heap, self.ops, self.flags, c, &self.options).chars().count()
    }

    fn argument(&mut self, c: Cell, at: usize, force: bool) {
        let items = match self.heap.list_to_vec(c) {
            Ok(items) if !items.is_empty() && (force || at + self.length(c) > LINE_WIDTH) => items,
            _ => return self.stack.push(Item::Term(c, 999)),
        };
        self.stack.push(Item::Text("]"));
        self.stack.push(Item::Line(at));
        for (i, &x) in items.iter().enumerate().rev() {
            self.stack.push(Item::Argument(x, at + 2, false));
            if i > 0 {
                self.stack.push(Item::Line(at + 2));
                self.stack.push(Item::Text(","));
            }
        }
        self.stack.push(Item::Text("[ "));
    }
}
