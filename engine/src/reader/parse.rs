//! Operator-precedence parsing over explicit stacks.
//!
//! Three stacks grow with the depth of the term: operands that are complete, operators that wait for their right operand,
//! and brackets that are open. An expression is what stands between two brackets, commas or bars.

use super::token::{Lexeme, Scanner, Token};
use super::{Failure, Position, Read, ReadOptions, SyntaxError, dot_list};
use crate::atom::{self, Atom};
use crate::cell::{Cell, MAX_ARITY};
use crate::flags::Flags;
use crate::heap::Heap;
use crate::ops::{Fixity, OpDef, OpTable, OpType};
use rustc_hash::FxHashMap;

/// Where a token or operand stands: bytes.
pub(super) type Span = (usize, usize);

/// An operator that waits for its right operand.
#[derive(Clone, Copy)]
struct Pending {
    name: Atom,
    def: OpDef,
    span: Span,
}

/// A bracket that is open.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bracket {
    Top,
    Paren,
    /// Arguments of a compound of this name; the name stands there.
    Args(Atom, Span),
    /// A list; after the bar or not.
    List(bool),
    Curly,
    /// A dict; its tag and its keys are on the stack of operands.
    Dict(Span),
    /// `Term[...]` or `Term{...}` where `[]` or `{}` is a postfix operator.
    Block(OpDef, bool),
}

pub(super) struct Frame {
    pub bracket: Bracket,
    /// First operand of this bracket.
    pub base: usize,
    pub start: usize,
    /// Where the enclosing expression has its operands and operators.
    outer: (usize, usize),
}

struct Variable<'a> {
    name: &'a str,
    cell: Cell,
    once: bool,
}

/// Reads one term.
pub struct Parser<'a> {
    pub(super) heap: &'a mut Heap,
    ops: &'a OpTable,
    module: Atom,
    pub(super) scanner: Scanner<'a>,
    from: Position,
    dotlists: bool,
    stop_optional: bool,
    /// Complete operands and their priorities.
    pub(super) operands: Vec<Cell>,
    priorities: Vec<u16>,
    /// Position terms of the operands, when they are asked for.
    pub(super) places: Option<Vec<Cell>>,
    side: Vec<Pending>,
    pub(super) frames: Vec<Frame>,
    /// Where the current expression has its operands and operators.
    base: (usize, usize),
    variables: Vec<Variable<'a>>,
    by_name: FxHashMap<&'a str, usize>,
    all: Vec<Cell>,
}

pub(super) type Parse<T = ()> = Result<T, Failure>;

/// With more variables than this they are found by hashing.
const FEW_VARIABLES: usize = 12;

impl<'a> Parser<'a> {
    /// A parser that starts at a position of a text.
    pub fn new(
        heap: &'a mut Heap,
        ops: &'a OpTable,
        flags: &Flags,
        module: Atom,
        text: &'a str,
        from: Position,
        options: &ReadOptions,
    ) -> Parser<'a> {
        let mut scanner = Scanner::new(text, from.byte.min(text.len()), flags);
        scanner.var_prefix = options.var_prefix.unwrap_or(flags.var_prefix);
        scanner.double_quotes = options.double_quotes.unwrap_or(flags.double_quotes);
        scanner.back_quotes = options.back_quotes.unwrap_or(flags.back_quotes);
        scanner.comments = options.comments.then(Vec::new);
        Parser {
            heap,
            ops,
            module,
            scanner,
            from,
            dotlists: options.dotlists,
            stop_optional: options.stop_optional,
            operands: Vec::new(),
            priorities: Vec::new(),
            places: options.positions.then(Vec::new),
            side: Vec::new(),
            frames: Vec::new(),
            base: (0, 0),
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            all: Vec::new(),
        }
    }

    /// Reads the term up to its full stop.
    pub fn read(mut self) -> Result<Read, SyntaxError> {
        let result = self.term();
        let text = self.scanner.text;
        let start = self.from.advance(text, self.scanner.term_start);
        match result {
            Ok(term) => {
                let end = start.advance(text, self.scanner.at);
                let mut p = self.from;
                let mut comments = Vec::new();
                for (a, b) in self.scanner.comments.take().unwrap_or_default() {
                    p = p.advance(text, a);
                    comments.push((p, text.get(a..b).unwrap_or("").to_string()));
                }
                let positions = self.positions(term.is_some());
                let singletons = self.variables.iter().filter(|v| v.once).map(|v| v.name.to_string()).collect();
                let variables = self.variables.iter().map(|v| (v.name.to_string(), v.cell)).collect();
                Ok(Read { term, variables, all_variables: self.all, singletons, start, end, comments, positions })
            }
            Err(mut e) => {
                // What is wrong with the raw text comes before what is wrong with its tokens.
                self.scanner.at = self.scanner.term_start;
                let incomplete = match self.scanner.skip_clause() {
                    Ok(()) => false,
                    Err(raw) => {
                        self.scanner.at = text.len();
                        if !e.raw {
                            e = raw;
                        }
                        true
                    }
                };
                let mut at = e.at.clamp(self.scanner.term_start, text.len());
                if e.before && at > self.scanner.term_start {
                    at -= 1;
                    while !text.is_char_boundary(at) {
                        at -= 1;
                    }
                }
                let at = start.advance(text, at);
                let end = start.advance(text, self.scanner.at);
                Err(SyntaxError { kind: e.kind.into_owned(), argument: e.argument, at, start, end, incomplete })
            }
        }
    }

    /// The position terms, in characters of the whole text.
    fn positions(&mut self, any: bool) -> Option<Cell> {
        let place = self.places.as_ref()?.last().copied().filter(|_| any)?;
        super::layout::to_characters(self.heap, place, self.scanner.text, self.from);
        Some(place)
    }

    fn term(&mut self) -> Parse<Option<Cell>> {
        self.scanner.skip_layout()?;
        self.scanner.term_start = self.scanner.at;
        if self.scanner.at >= self.scanner.text.len() {
            return Ok(None);
        }
        self.open(Bracket::Top, self.scanner.at);
        let mut wants_operand = true;
        loop {
            let l = self.scanner.next(self.heap, wants_operand)?;
            if let Token::End | Token::Eof = l.token {
                return self.end(l, wants_operand).map(Some);
            }
            wants_operand = if wants_operand { self.operand(l)? } else { self.operator(l)? };
        }
    }

    // ---- where an operand is expected; each tells whether one is still expected

    fn operand(&mut self, l: Lexeme) -> Parse<bool> {
        match l.token {
            Token::Number(c) => self.push(c, l),
            Token::Text(c) => {
                self.push(c, l);
                if let Some(p) = &mut self.places {
                    p.pop();
                    p.push(super::layout::string(self.heap, (l.start, l.end)));
                }
            }
            Token::Var => {
                let c = self.variable(l);
                self.push(c, l);
                if self.scanner.byte(l.end) == b'{' {
                    return self.open_dict(l);
                }
            }
            Token::Quoted(a) => return self.atom(a, l),
            Token::Name(a) => {
                if matches!(self.scanner.byte(l.end), b'(' | b'{') {
                    return self.atom(a, l);
                }
                if let Some(def) = self.ops.get(self.module, a, Fixity::Prefix) {
                    self.side.push(Pending { name: a, def, span: (l.start, l.end) });
                    return Ok(true);
                }
                if self.side.len() > self.base.1
                    && let Some(wants_operand) = self.after_operator(a, l)?
                {
                    return Ok(wants_operand);
                }
                return self.atom(a, l);
            }
            Token::Punct(b'(') => {
                self.open(Bracket::Paren, l.start);
                return Ok(true);
            }
            Token::Punct(b'[') => return self.open_list(l),
            Token::Punct(b'{') => return self.open_curly(l),
            Token::Punct(b) => return self.punctuation(b, l, true),
            Token::End | Token::Eof => {}
        }
        Ok(false)
    }

    fn push(&mut self, c: Cell, l: Lexeme) {
        self.push_at(c, 0, (l.start, l.end));
    }

    fn push_at(&mut self, c: Cell, priority: u16, span: Span) {
        self.operands.push(c);
        self.priorities.push(priority);
        if let Some(p) = &mut self.places {
            p.push(super::layout::simple(self.heap, span));
        }
    }

    /// Puts a compound there whose position term is made already.
    pub(super) fn push_placed(&mut self, c: Cell, priority: u16, place: Option<Cell>) {
        self.operands.push(c);
        self.priorities.push(priority);
        if let (Some(p), Some(place)) = (&mut self.places, place) {
            p.push(place);
        }
    }

    /// An atom as an operand, the name of a compound, or the tag of a dict.
    fn atom(&mut self, a: Atom, l: Lexeme) -> Parse<bool> {
        match self.scanner.byte(l.end) {
            b'(' => self.open_args(a, l),
            b'{' => {
                self.push(Cell::atom(a), l);
                self.open_dict(l)
            }
            _ => {
                self.push(Cell::atom(a), l);
                Ok(false)
            }
        }
    }

    /// An operator where an operand is expected: when the operator before it can do without an operand, this is an infix or
    /// postfix one. Tells then whether an operand is expected next.
    fn after_operator(&mut self, a: Atom, l: Lexeme) -> Parse<Option<bool>> {
        if let Some((p, t)) = self.ops.get(self.module, a, Fixity::Infix)
            && self.operator_as_operand(t.argument_priorities(p).0)?
        {
            self.infix(a, (p, t), l)?;
            return Ok(Some(true));
        }
        if let Some((p, t)) = self.ops.get(self.module, a, Fixity::Postfix)
            && self.operator_as_operand(t.argument_priorities(p).0)?
        {
            self.postfix(a, (p, t), (l.start, l.end))?;
            return Ok(Some(false));
        }
        Ok(None)
    }

    /// Takes the newest operator, which lacks its right operand, as an atom (prefix) or as a postfix operator.
    fn operator_as_operand(&mut self, limit: u16) -> Parse<bool> {
        let Some(&op) = self.side.last().filter(|_| self.side.len() > self.base.1) else { return Ok(false) };
        match op.def.1.fixity() {
            Fixity::Prefix if op.def.0 <= limit => {
                self.side.pop();
                self.push_at(Cell::atom(op.name), 0, op.span);
                Ok(true)
            }
            Fixity::Infix => match self.ops.get(self.module, op.name, Fixity::Postfix) {
                Some(def) => {
                    self.side.pop();
                    self.postfix(op.name, def, op.span)?;
                    Ok(true)
                }
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }

    fn variable(&mut self, l: Lexeme) -> Cell {
        let name = self.scanner.text.get(l.start..l.end).unwrap_or("");
        if name == "_" {
            let c = self.heap.new_var();
            self.all.push(c);
            return c;
        }
        let known = if self.variables.len() <= FEW_VARIABLES {
            self.variables.iter().position(|v| v.name == name)
        } else {
            self.by_name.get(name).copied()
        };
        if let Some(v) = known.and_then(|i| self.variables.get_mut(i)) {
            v.once = false;
            return v.cell;
        }
        let cell = self.heap.new_var();
        self.all.push(cell);
        self.variables.push(Variable { name, cell, once: true });
        match self.variables.len() {
            n if n <= FEW_VARIABLES => {}
            n if n == FEW_VARIABLES + 1 => self.by_name.extend(self.variables.iter().enumerate().map(|(i, v)| (v.name, i))),
            n => {
                self.by_name.insert(name, n - 1);
            }
        }
        cell
    }

    // ---- opening brackets

    pub(super) fn open(&mut self, bracket: Bracket, start: usize) {
        self.open_over(bracket, start, self.operands.len());
    }

    /// Opens a bracket that owns the operands from `base` on.
    pub(super) fn open_over(&mut self, bracket: Bracket, start: usize, base: usize) {
        self.frames.push(Frame { bracket, base, start, outer: self.base });
        self.expression();
    }

    /// Starts the next expression of the bracket.
    pub(super) fn expression(&mut self) {
        self.base = (self.operands.len(), self.side.len());
    }

    /// The bracket closes here and has nothing in it: moves behind it.
    fn closes_at_once(&mut self, close: u8) -> Parse<bool> {
        self.scanner.skip_layout()?;
        let closes = self.scanner.byte(self.scanner.at) == close;
        if closes {
            self.scanner.at += 1;
        }
        Ok(closes)
    }

    fn open_args(&mut self, name: Atom, l: Lexeme) -> Parse<bool> {
        self.scanner.at = l.end + 1;
        if self.closes_at_once(b')')? {
            let c = self.heap.compound_any(name, &[]);
            let place =
                self.places.is_some().then(|| super::layout::compound(self.heap, (l.start, self.scanner.at), (l.start, l.end), &[]));
            self.push_placed(c, 0, place);
            return Ok(false);
        }
        self.open(Bracket::Args(name, (l.start, l.end)), l.start);
        Ok(true)
    }

    fn open_list(&mut self, l: Lexeme) -> Parse<bool> {
        if self.closes_at_once(b']')? {
            let l = Lexeme { end: self.scanner.at, ..l };
            if self.scanner.byte(l.end) == b'(' {
                return self.open_args(atom::NIL, l);
            }
            self.push(Cell::NIL, l);
            return Ok(false);
        }
        self.open(Bracket::List(false), l.start);
        Ok(true)
    }

    fn open_curly(&mut self, l: Lexeme) -> Parse<bool> {
        if self.closes_at_once(b'}')? {
            let l = Lexeme { end: self.scanner.at, ..l };
            if self.scanner.byte(l.end) == b'(' {
                return self.open_args(atom::CURLY, l);
            }
            self.push(Cell::atom(atom::CURLY), l);
            return Ok(false);
        }
        self.open(Bracket::Curly, l.start);
        Ok(true)
    }

    // ---- where an operator is expected

    fn operator(&mut self, l: Lexeme) -> Parse<bool> {
        match l.token {
            Token::Name(a) => {
                if let Some(def) = self.ops.get(self.module, a, Fixity::Infix) {
                    self.infix(a, def, l)?;
                    return Ok(true);
                }
                if let Some(def) = self.ops.get(self.module, a, Fixity::Postfix) {
                    self.postfix(a, def, (l.start, l.end))?;
                    return Ok(false);
                }
                Err(Failure::before("operator_expected", l.start))
            }
            Token::Punct(b @ (b'[' | b'{')) => {
                let (name, curly) = if b == b'[' { (atom::NIL, false) } else { (atom::CURLY, true) };
                match self.ops.get(self.module, name, Fixity::Postfix) {
                    Some(def) => {
                        if self.closes_at_once(if curly { b'}' } else { b']' })? {
                            self.block(def, name, Cell::atom(name), (l.start, self.scanner.at))?;
                            return Ok(false);
                        }
                        self.open(Bracket::Block(def, curly), l.start);
                        Ok(true)
                    }
                    None => Err(Failure::before("operator_expected", l.start)),
                }
            }
            Token::Punct(b'(') => Err(Failure::before("operator_expected", l.start)),
            Token::Punct(b) => self.punctuation(b, l, false),
            _ => Err(Failure::before("operator_expected", l.start)),
        }
    }

    fn infix(&mut self, name: Atom, def: OpDef, l: Lexeme) -> Parse {
        self.reduce(def.1.argument_priorities(def.0).0)?;
        self.side.push(Pending { name, def, span: (l.start, l.end) });
        Ok(())
    }

    fn postfix(&mut self, name: Atom, def: OpDef, span: Span) -> Parse {
        let (left, _) = def.1.argument_priorities(def.0);
        self.reduce(left)?;
        if self.operands.len() <= self.base.0 {
            return Err(Failure::before("operator_balance", span.1));
        }
        if self.priorities.last().is_some_and(|&p| p > left) {
            return Err(Failure::before("operator_clash", span.1));
        }
        self.apply(name, def.0, 1, span);
        Ok(())
    }

    /// Replaces the last `n` operands by the operator applied to them.
    fn apply(&mut self, name: Atom, priority: u16, n: usize, span: Span) {
        let from = self.operands.len() - n.min(self.operands.len());
        let args = self.operands.get(from..).unwrap_or(&[]);
        let c = if self.dotlists { dot_list(self.heap, name, args) } else { self.heap.compound(name, args) };
        self.operands.truncate(from);
        self.priorities.truncate(from);
        self.operands.push(c);
        self.priorities.push(priority);
        if let Some(p) = &mut self.places {
            let place = super::layout::operator(self.heap, span, p.get(from..).unwrap_or(&[]));
            p.truncate(from);
            p.push(place);
        }
    }

    /// Applies the operators of this expression that bind at least as tight as `limit`.
    fn reduce(&mut self, limit: u16) -> Parse {
        while self.side.len() > self.base.1
            && let Some(&op) = self.side.last().filter(|o| o.def.0 <= limit)
        {
            self.side.pop();
            let (left, right) = op.def.1.argument_priorities(op.def.0);
            let n = if op.def.1.fixity() == Fixity::Infix { 2 } else { 1 };
            if self.operands.len() < self.base.0 + n {
                return Err(Failure::before("operator_balance", self.scanner.at));
            }
            let last = self.priorities.len();
            let fits = self.priorities.get(last - 1).is_some_and(|&p| p <= right)
                && (n == 1 || self.priorities.get(last - 2).is_some_and(|&p| p <= left));
            if !fits {
                return Err(Failure::before("operator_clash", op.span.1));
            }
            self.apply(op.name, op.def.0, n, op.span);
        }
        Ok(())
    }

    /// Ends an expression: its one operand is left, at priority 0. `at`: start of the token that ends it.
    pub(super) fn complete(&mut self, wants_operand: bool, at: usize) -> Parse {
        if wants_operand {
            self.operator_as_operand(1200)?;
        }
        let operands = self.operands.len() - self.base.0;
        let operators = self.side.iter().skip(self.base.1).map(|o| if o.def.1.fixity() == Fixity::Infix { 1 } else { 0 });
        if operands == 0 || operators.sum::<usize>() + 1 != operands {
            return Err(Failure::before(if operands == 0 { "cannot_start_term" } else { "operator_balance" }, at));
        }
        self.reduce(1200)?;
        if let Some(p) = self.priorities.last_mut() {
            *p = 0;
        }
        Ok(())
    }

    // ---- separators and closing brackets

    /// A comma, a bar or a closing bracket.
    fn punctuation(&mut self, b: u8, l: Lexeme, wants_operand: bool) -> Parse<bool> {
        let bracket = self.frames.last().map_or(Bracket::Top, |f| f.bracket);
        let empty = wants_operand && self.side.len() == self.base.1;
        match (b, bracket) {
            (b',' | b'|', _) if empty => {
                // `[|` and `,` alone: no term can start so.
                let list =
                    b == b'|' && bracket == Bracket::List(false) && self.frames.last().is_some_and(|f| f.base == self.operands.len());
                return Err(Failure::before(if list { "double_bar_outside_quasiquotation" } else { "quoted_punctuation" }, l.start));
            }
            (b',', Bracket::Args(..) | Bracket::List(false) | Bracket::Block(_, false)) => {
                self.complete(wants_operand, l.start)?;
                self.expression();
                return Ok(true);
            }
            (b',', Bracket::Dict(..)) => {
                self.complete(wants_operand, l.start)?;
                self.dict_key(false)?;
                return Ok(true);
            }
            (b'|', Bracket::List(false)) => {
                self.complete(wants_operand, l.start)?;
                if let Some(f) = self.frames.last_mut() {
                    f.bracket = Bracket::List(true);
                }
                self.expression();
                return Ok(true);
            }
            (b',' | b'|', Bracket::List(true)) => return Err(Failure::before("list_rest", l.start)),
            (b',' | b'|', _) => {
                let (name, default) = if b == b',' { (atom::COMMA, 1000) } else { (atom::BAR, 1100) };
                let def = self.ops.get(self.module, name, Fixity::Infix).unwrap_or((default, OpType::Xfy));
                if wants_operand && !self.operator_as_operand(def.1.argument_priorities(def.0).0)? {
                    return Err(Failure::before("quoted_punctuation", l.start));
                }
                self.infix(name, def, l)?;
                return Ok(true);
            }
            (b')', Bracket::Args(..) | Bracket::Paren)
            | (b']', Bracket::List(_) | Bracket::Block(_, false))
            | (b'}', Bracket::Curly | Bracket::Dict(_) | Bracket::Block(_, true)) => {}
            _ => return Err(Failure::before("cannot_start_term", l.start)),
        }
        self.complete(wants_operand, l.start)?;
        self.close(bracket, l)?;
        Ok(false)
    }

    /// Leaves the innermost bracket; gives where its operands start and where it starts.
    pub(super) fn leave(&mut self) -> (usize, usize) {
        match self.frames.pop() {
            Some(f) => {
                self.base = f.outer;
                (f.base.min(self.operands.len()), f.start)
            }
            None => (self.operands.len(), 0),
        }
    }

    /// Drops the operands from `base` on, which a bracket has used.
    pub(super) fn drop_operands(&mut self, base: usize) {
        self.operands.truncate(base);
        self.priorities.truncate(base);
        if let Some(p) = &mut self.places {
            p.truncate(base);
        }
    }

    fn close(&mut self, bracket: Bracket, l: Lexeme) -> Parse {
        match bracket {
            Bracket::Block(def, curly) => return self.close_block(def, if curly { atom::CURLY } else { atom::NIL }),
            Bracket::Dict(tag) => return self.close_dict(tag, l),
            _ => {}
        }
        let (base, start) = self.leave();
        let span = (start, l.end);
        let items = self.operands.get(base..).unwrap_or(&[]);
        let c = match bracket {
            Bracket::Args(name, _) => {
                if items.len() > MAX_ARITY {
                    return Err(Failure::before("max_arity", l.start));
                }
                if self.dotlists { dot_list(self.heap, name, items) } else { self.heap.compound(name, items) }
            }
            Bracket::List(bar) => {
                let (items, tail) = match items.split_last() {
                    Some((tail, items)) if bar => (items, *tail),
                    _ => (items, Cell::NIL),
                };
                self.heap.list_with_tail(items, tail)
            }
            Bracket::Curly => self.heap.compound(atom::CURLY, items),
            _ => items.last().copied().unwrap_or(Cell::NIL),
        };
        let place = self.places.as_ref().map(|p| super::layout::bracket(self.heap, bracket, span, p.get(base..).unwrap_or(&[])));
        self.drop_operands(base);
        self.push_placed(c, 0, place);
        Ok(())
    }

    /// Ends `Term[Content]` or `Term{Content}`.
    fn close_block(&mut self, def: OpDef, name: Atom) -> Parse {
        let (base, start) = self.leave();
        let items = self.operands.get(base..).unwrap_or(&[]);
        let content = if name == atom::NIL { self.heap.list_from(items) } else { self.heap.compound(name, items) };
        self.drop_operands(base);
        self.block(def, name, content, (start, self.scanner.at))
    }

    /// Applies the postfix operator `[]` or `{}` with its content: `[](Content, Term)`.
    fn block(&mut self, def: OpDef, name: Atom, content: Cell, span: Span) -> Parse {
        let (left, _) = def.1.argument_priorities(def.0);
        self.reduce(left)?;
        let Some(term) = self.operands.pop() else { return Err(Failure::before("operator_balance", span.1)) };
        if self.priorities.pop().is_some_and(|p| p > left) {
            return Err(Failure::before("operator_clash", span.1));
        }
        let place = self.places.as_mut().and_then(Vec::pop).map(|p| super::layout::operator(self.heap, span, &[p]));
        let c = self.heap.compound_any(name, &[content, term]);
        self.push_placed(c, def.0, place);
        Ok(())
    }

    /// The full stop, or the end of the text.
    fn end(&mut self, l: Lexeme, wants_operand: bool) -> Parse<Cell> {
        let top = self.frames.len() == 1;
        if l.token == Token::Eof && !(self.stop_optional && top) {
            return Err(Failure::end_of_file(self.scanner.text.len()));
        }
        let nothing = wants_operand && self.operands.len() == self.base.0 && self.side.len() == self.base.1;
        if nothing || wants_operand && !top {
            return Err(Failure::before("end_of_clause", l.start));
        }
        if !top {
            return Err(Failure::before("operator_expected", l.start));
        }
        self.complete(wants_operand, l.start)?;
        match self.operands.last() {
            Some(&c) => Ok(c),
            None => Err(Failure::before("end_of_clause", l.start)),
        }
    }
}
