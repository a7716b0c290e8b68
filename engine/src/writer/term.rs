//! The writer proper: a loop over an explicit stack of things to write.

use super::quote::{is_alnum, is_bare_atom, is_symbol, is_variable_name, quote};
use super::{Attributes, Options};
use crate::atom::{self, Atom};
use crate::cell::Cell;
use crate::heap::{Heap, Term};
use crate::number::format_number;
use crate::ops::{Fixity, OpTable};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms written before the first look whether the term is cyclic.
const CYCLE_CHECK: usize = 1 << 16;

/// One thing that is still to be written.
enum Item {
    /// A term, the priority it may have, its depth, and whether it is the operand of an operator.
    Term(Cell, u16, usize, bool),
    /// Arguments from the address on, up to another.
    Args(usize, usize, usize),
    /// Tail of a list whose pair count has come to this depth.
    Tail(Cell, usize),
    /// Rest of a dict: address, end, depth, whether it is the first pair.
    Pairs(usize, usize, usize, bool),
    /// An infix operator.
    Infix(Atom),
    /// An atom that stands behind its operand.
    Postfix(Atom),
    /// Punctuation.
    Raw(char),
    /// The comma between arguments.
    Comma,
    /// Symbol characters that must keep their distance.
    Token(&'static str),
}

/// What the last token was, where that changes spacing.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    Other,
    /// An infix operator, behind which `(` means no arguments.
    Infix,
    /// A prefix operator.
    Prefix,
    /// The prefix operator `-`, which must not touch digits.
    Minus,
}

pub(super) struct Writer<'a> {
    heap: &'a Heap,
    ops: &'a OpTable,
    o: &'a Options,
    out: &'a mut String,
    names: FxHashMap<usize, &'a str>,
    /// Names of subterms that are written by reference, because they contain themselves.
    cyclic: FxHashMap<Cell, usize>,
    /// Last character, as far as it could grow together with the next; `None` behind opening punctuation.
    prev: Option<char>,
    last: Last,
    stack: Vec<Item>,
    steps: usize,
}

impl<'a> Writer<'a> {
    pub fn new(heap: &'a Heap, ops: &'a OpTable, o: &'a Options, out: &'a mut String) -> Self {
        let mut names = FxHashMap::default();
        for (n, v) in &o.variable_names {
            if let Term::Var(a) | Term::Attributed(a) = heap.view(*v) {
                names.entry(a).or_insert(n.as_str());
            }
        }
        let prev = o.after;
        Writer { heap, ops, o, out, names, cyclic: FxHashMap::default(), prev, last: Last::Other, stack: Vec::new(), steps: 0 }
    }

    pub fn run(mut self, c: Cell) {
        let (start, prev) = (self.out.len(), self.prev);
        self.stack.push(Item::Term(c, self.o.priority, 1, false));
        while let Some(item) = self.stack.pop() {
            self.item(item);
            self.steps += 1;
            if self.steps == CYCLE_CHECK && self.o.max_depth == 0 {
                let heads = cycle_heads(self.heap, c);
                if !heads.is_empty() {
                    self.out.truncate(start);
                    (self.prev, self.last) = (prev, Last::Other);
                    self.stack.clear();
                    self.run_cyclic(c, heads);
                    break;
                }
            }
        }
        if self.o.fullstop {
            self.token(".");
            if !self.o.nl {
                self.out.push(' ');
            }
        }
        if self.o.nl {
            self.out.push('\n');
        }
    }

    /// `@(Template, [_S1 = ..., ...])`.
    fn run_cyclic(&mut self, c: Cell, heads: Vec<Cell>) {
        for (i, &h) in heads.iter().enumerate() {
            self.cyclic.insert(h, i + 1);
        }
        self.out.push_str("@(");
        self.prev = None;
        let all = |w: &mut Self| {
            while let Some(item) = w.stack.pop() {
                w.item(item);
            }
        };
        self.stack.push(Item::Term(c, 999, 1, false));
        all(self);
        self.raw(',');
        self.raw('[');
        for (i, &h) in heads.iter().enumerate() {
            if i > 0 {
                self.raw(',');
            }
            self.token(&format!("S_{}", i + 1));
            self.token("=");
            self.last = Last::Infix;
            self.compound(h, 699, 2);
            all(self);
        }
        self.out.push_str("])");
        self.prev = Some(')');
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::Term(c, prio, depth, operand) => self.term(c, prio, depth, operand),
            Item::Raw(c) => self.raw(c),
            Item::Comma => self.comma(),
            Item::Token(s) => {
                self.token(s);
            }
            Item::Args(at, end, depth) => {
                if at + 1 < end {
                    self.stack.push(Item::Args(at + 1, end, depth));
                    self.stack.push(Item::Comma);
                }
                self.stack.push(Item::Term(self.heap.cells[at], 999, depth, false));
            }
            Item::Tail(c, depth) => self.tail(c, depth),
            Item::Pairs(at, end, depth, first) => {
                if at + 1 < end {
                    if !first {
                        self.comma();
                    }
                    self.stack.push(Item::Pairs(at + 2, end, depth, false));
                    self.stack.push(Item::Term(self.heap.cells[at], 599, depth, false));
                    self.stack.push(Item::Token(":"));
                    self.stack.push(Item::Term(self.heap.cells[at + 1], 0, depth, false));
                }
            }
            Item::Infix(a) if a == atom::COMMA || a == atom::BAR => {
                self.raw(if a == atom::COMMA { ',' } else { '|' });
                if self.o.spacing_next_argument {
                    self.out.push(' ');
                }
            }
            Item::Infix(a) => {
                if self.atom(a) {
                    self.out.push(' ');
                    self.prev = None;
                } else {
                    self.last = Last::Infix;
                }
            }
            Item::Postfix(a) => {
                self.atom(a);
            }
        }
    }

    // ---- tokens

    /// Writes a token, with a blank before it if it would grow together with the last; says whether it did.
    fn token(&mut self, s: &str) -> bool {
        let Some(first) = s.chars().next() else { return false };
        let space = match self.prev {
            None => false,
            Some(p) => {
                is_alnum(p) && is_alnum(first)
                    || is_symbol(p) && is_symbol(first)
                    || self.last == Last::Minus && first.is_ascii_digit()
                    // An operator before a brace would read as the tag of a dict.
                    || first == '{' && matches!(self.last, Last::Prefix | Last::Minus)
            }
        };
        if space {
            self.out.push(' ');
        }
        self.out.push_str(s);
        self.prev = s.chars().next_back();
        self.last = Last::Other;
        space
    }

    fn comma(&mut self) {
        self.out.push(',');
        if self.o.spacing_next_argument {
            self.out.push(' ');
        }
        self.prev = None;
        self.last = Last::Other;
    }

    /// Writes punctuation; behind an opening one no token needs a distance.
    fn raw(&mut self, c: char) {
        self.out.push(c);
        self.prev = if matches!(c, ')' | ']' | '}') { Some(c) } else { None };
        self.last = Last::Other;
    }

    /// Opens parentheses that must not read as those of arguments.
    fn open(&mut self) {
        if self.prev.is_some() && self.last != Last::Infix {
            self.out.push(' ');
        }
        self.raw('(');
    }

    fn atom(&mut self, a: Atom) -> bool {
        let text = self.heap.atoms.text(a);
        if is_bare(a, text, self.o) {
            return self.token(text);
        }
        let mut s = String::with_capacity(text.len() + 2);
        push_atom(self.heap, a, self.o, &mut s);
        self.token(&s)
    }

    fn operand_is_op(&self, a: Atom) -> bool {
        self.ops.is_op(self.o.module, a)
    }

    // ---- terms

    fn term(&mut self, c: Cell, prio: u16, depth: usize, operand: bool) {
        if self.o.max_depth > 0 && depth > self.o.max_depth {
            self.token("...");
            return;
        }
        match self.heap.view(c) {
            Term::Var(a) => self.variable(a),
            Term::Attributed(a) => {
                self.variable(a);
                match self.o.attributes {
                    Attributes::Ignore | Attributes::Portray => {}
                    Attributes::Dots => self.out.push_str("{...}"),
                    Attributes::Write => {
                        self.raw('{');
                        self.stack.push(Item::Raw('}'));
                        self.stack.push(Item::Term(self.heap.attributes(a), 1200, depth + 1, false));
                    }
                }
            }
            Term::Atom(a) => {
                if operand && self.operand_is_op(a) {
                    self.open();
                    self.atom(a);
                    self.raw(')');
                } else {
                    self.atom(a);
                }
            }
            Term::Str(a) => {
                let heap = self.heap;
                let s = heap.str_at(a);
                if self.o.quoted {
                    let mut q = String::with_capacity(s.len() + 2);
                    quote(&mut q, s, '"', self.o.character_escapes, self.o.character_escapes_unicode);
                    self.token(&q);
                } else {
                    self.token(s);
                }
            }
            Term::List(_) | Term::Compound(..) => {
                let c = self.heap.deref(c);
                match self.cyclic.get(&c) {
                    Some(i) => {
                        self.token(&format!("S_{i}"));
                    }
                    None => self.compound(c, prio, depth),
                }
            }
            _ => {
                let s = format_number(self.heap, c).unwrap_or_default();
                self.token(&s);
            }
        }
    }

    fn variable(&mut self, a: usize) {
        match self.names.get(&a).copied() {
            // Text of portray/1 rather than a name: written as it is.
            Some(n) if !is_variable_name(n) => {
                self.out.push_str(n);
                (self.prev, self.last) = (None, Last::Other);
            }
            Some(n) => {
                self.token(n);
            }
            None => {
                self.token(&format!("_{a}"));
            }
        }
    }

    fn compound(&mut self, c: Cell, prio: u16, depth: usize) {
        match self.heap.view(c) {
            Term::List(a) if self.o.dotlists => {
                self.token(".");
                self.arguments(a, a + 2, depth);
            }
            Term::List(a) if self.o.no_lists => {
                self.atom(atom::DOT);
                self.arguments(a, a + 2, depth);
            }
            Term::List(a) => {
                self.raw('[');
                self.stack.push(Item::Tail(self.heap.cells[a + 1], depth));
                self.stack.push(Item::Term(self.heap.cells[a], 999, depth + 1, false));
            }
            Term::Compound(a, atom::DICT, n) if n % 2 == 1 => {
                self.stack.push(Item::Raw('}'));
                self.stack.push(Item::Pairs(a + 2, a + 1 + n, depth + 1, true));
                self.stack.push(Item::Raw('{'));
                self.stack.push(Item::Term(self.heap.cells[a + 1], 0, depth + 1, false));
            }
            Term::Compound(a, name, 1) if self.unary(a, name, prio, depth) => {}
            Term::Compound(a, name, 2) if !self.o.ignore_ops && self.infix(a, name, prio, depth) => {}
            Term::Compound(a, name, n) => {
                self.atom(name);
                self.arguments(a + 1, a + 1 + n, depth);
            }
            _ => {}
        }
    }

    fn arguments(&mut self, from: usize, to: usize, depth: usize) {
        self.raw('(');
        self.stack.push(Item::Raw(')'));
        if from < to {
            self.stack.push(Item::Args(from, to, depth + 1));
        }
    }

    /// The special forms with one argument; false when it is an ordinary compound.
    fn unary(&mut self, a: usize, name: Atom, prio: u16, depth: usize) -> bool {
        let arg = self.heap.cells[a + 1];
        if name == atom::DOLLAR_VAR
            && self.o.numbervars
            && let Some(n) = self.numbered(arg)
        {
            self.token(&n);
            return true;
        }
        if name == atom::CURLY && self.o.brace_terms {
            if matches!(self.last, Last::Prefix | Last::Minus) {
                self.out.push(' ');
            }
            self.raw('{');
            self.stack.push(Item::Raw('}'));
            self.stack.push(Item::Term(arg, 1200, depth + 1, false));
            return true;
        }
        if let (Term::Int(n), "$stream") = (self.heap.view(arg), self.heap.atoms.text(name)) {
            self.token(&format!("<stream>({n:#x})"));
            return true;
        }
        if self.o.ignore_ops {
            return false;
        }
        if let Some((p, t)) = self.ops.get(self.o.module, name, Fixity::Prefix) {
            let embrace = p > prio;
            if embrace {
                self.open();
                self.stack.push(Item::Raw(')'));
            }
            self.atom(name);
            self.last = if name == atom::MINUS { Last::Minus } else { Last::Prefix };
            self.stack.push(Item::Term(arg, t.argument_priorities(p).1, depth + 1, true));
            return true;
        }
        if let Some((p, t)) = self.ops.get(self.o.module, name, Fixity::Postfix) {
            if p > prio {
                self.open();
                self.stack.push(Item::Raw(')'));
            }
            self.stack.push(Item::Postfix(name));
            self.stack.push(Item::Term(arg, t.argument_priorities(p).0, depth + 1, true));
            return true;
        }
        false
    }

    fn infix(&mut self, a: usize, name: Atom, prio: u16, depth: usize) -> bool {
        if name == atom::PERIOD {
            // Would read as functional notation on a dict.
            return false;
        }
        let Some((p, t)) = self.ops.get(self.o.module, name, Fixity::Infix) else { return false };
        let (left, right) = t.argument_priorities(p);
        if p > prio {
            self.open();
            self.stack.push(Item::Raw(')'));
        }
        self.stack.push(Item::Term(self.heap.cells[a + 2], right, depth + 1, true));
        self.stack.push(Item::Infix(name));
        self.stack.push(Item::Term(self.heap.cells[a + 1], left, depth + 1, true));
        true
    }

    /// The variable name that `'$VAR'(c)` stands for.
    fn numbered(&self, c: Cell) -> Option<String> {
        match self.heap.view(c) {
            Term::Int(n) if n >= 0 => {
                let letter = char::from(b'A' + (n % 26) as u8);
                Some(if n < 26 { letter.to_string() } else { format!("{letter}{}", n / 26) })
            }
            Term::Int(n) => Some(format!("S_{}", n.unsigned_abs())),
            Term::Atom(a) if is_variable_name(self.heap.atoms.text(a)) => Some(self.heap.atoms.text(a).to_string()),
            _ => None,
        }
    }

    fn tail(&mut self, c: Cell, depth: usize) {
        if self.heap.deref(c) == Cell::NIL {
            return self.raw(']');
        }
        let depth = depth + 1;
        if self.o.max_depth > 0 && depth >= self.o.max_depth {
            self.out.push_str("|...]");
            self.prev = Some(']');
            return;
        }
        let c = self.heap.deref(c);
        match self.heap.pair(c) {
            Some((h, t)) if !self.cyclic.contains_key(&c) => {
                self.comma();
                self.stack.push(Item::Tail(t, depth));
                self.stack.push(Item::Term(h, 999, depth + 1, false));
            }
            _ => {
                self.raw('|');
                self.stack.push(Item::Raw(']'));
                self.stack.push(Item::Term(c, 999, depth + 1, false));
            }
        }
    }
}

fn is_bare(a: Atom, text: &str, o: &Options) -> bool {
    !o.quoted || a == atom::NIL || is_bare_atom(text) && !(o.quote_wide && text.chars().any(|c| c > '\u{ff}'))
}

/// Appends an atom, quoted as the options say.
pub(super) fn push_atom(heap: &Heap, a: Atom, o: &Options, out: &mut String) {
    let text = heap.atoms.text(a);
    if is_bare(a, text, o) {
        out.push_str(text);
    } else {
        quote(out, text, '\'', o.character_escapes, o.character_escapes_unicode);
    }
}

/// The compounds of a term that contain themselves and at which a walk from the root comes back; none for an acyclic term.
fn cycle_heads(heap: &Heap, c: Cell) -> Vec<Cell> {
    // false: on the way down from the root, true: finished
    let mut state: FxHashMap<Cell, bool> = FxHashMap::default();
    let mut heads = Vec::new();
    let mut seen: FxHashSet<Cell> = FxHashSet::default();
    let root = heap.deref(c);
    let mut stack = vec![(root, heap.args(root))];
    state.insert(root, false);
    while let Some((node, range)) = stack.last_mut() {
        let Some(a) = range.next() else {
            state.insert(*node, true);
            stack.pop();
            continue;
        };
        let child = heap.deref(heap.cells[a]);
        if !child.is_compound() {
            continue;
        }
        match state.get(&child) {
            None => {
                state.insert(child, false);
                stack.push((child, heap.args(child)));
            }
            Some(false) if seen.insert(child) => heads.push(child),
            Some(_) => {}
        }
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::super::{Options, canonical, portray_clause, write, writeq};
    use crate::atom;
    use crate::cell::Cell;
    use crate::machine::Machine;

    #[test]
    fn a_million_levels() {
        let m = &mut Machine::new();
        let (mut nested, mut left, mut list) = (Cell::small(1), Cell::small(1), Cell::NIL);
        let mut goals = Cell::atom(atom::CUT);
        for _ in 0..1_000_000 {
            nested = m.heap.compound(atom::MINUS, &[nested]);
            left = m.heap.compound(atom::PLUS, &[left, Cell::small(2)]);
            list = m.heap.list(Cell::small(3), list);
            goals = m.heap.compound(atom::COMMA, &[Cell::atom(atom::CUT), goals]);
        }
        assert_eq!(writeq(&m.heap, &m.ops, nested).len(), 2_000_001);
        assert_eq!(writeq(&m.heap, &m.ops, left).len(), 2_000_001);
        assert_eq!(writeq(&m.heap, &m.ops, list).len(), 2_000_001);
        assert_eq!(canonical::write_canonical(&m.heap, &m.ops, &m.flags, left).len(), 5_000_001);
        let clause = m.heap.compound(atom::NECK, &[Cell::atom(atom::TRUE), goals]);
        let text = portray_clause::portray_clause(&m.heap, &m.ops, &m.flags, clause, atom::USER, &[]);
        assert_eq!(text.lines().count(), 1_000_002);
    }

    #[test]
    fn cyclic_terms_end() {
        let m = &mut Machine::new();
        let x = m.heap.new_var();
        let f = m.heap.compound(atom::PLUS, &[Cell::small(1), x]);
        assert!(m.unify(x, f));
        assert_eq!(writeq(&m.heap, &m.ops, f), "@(S_1,[S_1=1+S_1])");
        let y = m.heap.new_var();
        let l = m.heap.list(Cell::small(1), y);
        assert!(m.unify(y, l));
        let t = m.heap.compound(atom::MINUS, &[Cell::small(0), l]);
        assert_eq!(writeq(&m.heap, &m.ops, t), "@(0-S_1,[S_1=[1|S_1]])");
        let o = Options { max_depth: 3, ..Options::writeq() };
        assert_eq!(write(&m.heap, &m.ops, &m.flags, l, &o), "[1,1|...]");
    }

    #[test]
    fn tokens_keep_apart() {
        let m = &mut Machine::new();
        let one = Cell::small(1);
        let neg = m.heap.compound(atom::MINUS, &[one]);
        let (a, star) = (m.heap.atom("a"), Cell::atom(atom::STAR));
        let c = m.heap.compound(atom::COMMA, &[a, a]);
        let f = |m: &mut Machine, n, args: &[Cell]| {
            let t = m.heap.compound(n, args);
            writeq(&m.heap, &m.ops, t)
        };
        assert_eq!(f(m, atom::MINUS, &[neg]), "- - 1");
        assert_eq!(f(m, atom::MINUS, &[one, Cell::small(-1)]), "1- -1");
        assert_eq!(f(m, atom::MINUS, &[c]), "- (a,a)");
        assert_eq!(f(m, atom::MINUS, &[one, c]), "1-(a,a)");
        assert_eq!(f(m, atom::EQ, &[star, star]), "(*)=(*)");
        assert_eq!(f(m, atom::CARET, &[neg, one]), "(- 1)^1");
        assert_eq!(f(m, atom::MOD, &[a, c]), "a mod (a,a)");
        assert_eq!(f(m, atom::PLUS, &[a, a, star]), "+(a,a,*)");
        assert_eq!(f(m, atom::CURLY, &[c]), "{a,a}");
        assert_eq!(f(m, atom::DOLLAR_VAR, &[Cell::small(27)]), "B1");
        assert_eq!(f(m, atom::DICT, &[a, one, a]), "a{a:1}");
        assert_eq!(f(m, atom::DOT, &[a, c]), "[a|(a,a)]");
    }
}
