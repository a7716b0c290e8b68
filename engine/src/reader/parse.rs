//! Operator-precedence parsing over explicit stacks.

use super::token::{LexError, Lexeme, Scanner, Token};
use super::{Position, Read, ReadOptions, SyntaxError};
use crate::atom::{self, Atom};
use crate::cell::{Cell, MAX_ARITY};
use crate::flags::{Flags, Quotes};
use crate::heap::{Heap, Term};
use crate::ops::{Fixity, OpTable, OpType};
use rustc_hash::FxHashMap;

/// An operator that waits for its right operand.
struct Pending {
    name: Atom,
    priority: u16,
    /// Largest priority of the left operand; `None` for a prefix operator.
    left: Option<u16>,
    right: u16,
}

/// A bracket that is open.
enum Bracket {
    Top,
    Paren,
    Args(Atom, Vec<Cell>),
    /// Elements, and whether the bar was seen.
    List(Vec<Cell>, bool),
    Curly,
    Dict(Cell, Vec<Cell>),
}

struct Frame {
    bracket: Bracket,
    operators: usize,
    operands: usize,
}

struct Variable {
    name: String,
    cell: Cell,
    count: usize,
}

pub struct Parser<'a> {
    heap: &'a mut Heap,
    ops: &'a OpTable,
    flags: &'a Flags,
    module: Atom,
    scanner: Scanner<'a>,
    from: Position,
    options: ReadOptions,
    peeked: Option<Lexeme>,
    operators: Vec<Pending>,
    operands: Vec<(Cell, u16)>,
    frames: Vec<Frame>,
    variables: Vec<Variable>,
    by_name: FxHashMap<String, usize>,
    all: Vec<Cell>,
    start: usize,
}

type Lex<T> = Result<T, LexError>;

fn fail<T>(kind: &str, at: usize) -> Lex<T> {
    Err(LexError { kind: kind.into(), at, incomplete: false })
}

impl<'a> Parser<'a> {
    pub fn new(
        heap: &'a mut Heap,
        ops: &'a OpTable,
        flags: &'a Flags,
        module: Atom,
        text: &'a str,
        from: Position,
        options: ReadOptions,
    ) -> Parser<'a> {
        let var_prefix = options.var_prefix.unwrap_or(flags.var_prefix);
        let scanner = Scanner { text, at: from.byte.min(text.len()), comments: options.comments.then(Vec::new), var_prefix };
        Parser {
            heap,
            ops,
            flags,
            module,
            scanner,
            from,
            options,
            peeked: None,
            operators: Vec::new(),
            operands: Vec::new(),
            frames: Vec::new(),
            variables: Vec::new(),
            by_name: FxHashMap::default(),
            all: Vec::new(),
            start: from.byte,
        }
    }

    /// Reads one term up to its full stop.
    pub fn read(mut self) -> Result<Read, SyntaxError> {
        match self.term() {
            Ok(term) => {
                let text = self.scanner.text;
                let start = self.from.advance(text, self.start);
                let end = start.advance(text, self.scanner.at);
                let comments = self.scanner.comments.take().unwrap_or_default();
                let comments = comments.into_iter().map(|(a, b)| (self.from.advance(text, a), text[a..b].to_string())).collect();
                let singletons =
                    self.variables.iter().filter(|v| v.count == 1 && !v.name.starts_with('_')).map(|v| (v.name.clone(), v.cell)).collect();
                let variables = self.variables.into_iter().map(|v| (v.name, v.cell)).collect();
                Ok(Read { term, variables, all_variables: self.all, singletons, start, end, comments, layout: None })
            }
            Err(e) => {
                let text = self.scanner.text;
                let at = self.from.advance(text, e.at);
                let start = self.from.advance(text, self.start);
                self.resynchronise(&e);
                let end = self.from.advance(text, self.scanner.at);
                Err(SyntaxError { kind: e.kind, at, start, end, incomplete: e.incomplete })
            }
        }
    }

    /// Goes on after the end of the clause that has an error.
    fn resynchronise(&mut self, e: &LexError) {
        if e.incomplete {
            self.scanner.at = self.scanner.text.len();
            return;
        }
        if let Some(Lexeme { token: Token::End, end, .. }) = self.peeked {
            self.scanner.at = end;
            return;
        }
        let bytes = self.scanner.text.as_bytes();
        // The error's own token may have been the full stop.
        if self.scanner.at > 0 && e.at + 1 == self.scanner.at && bytes.get(e.at) == Some(&b'.') {
            return;
        }
        self.scanner.at = self.scanner.at.max(e.at);
        loop {
            match self.scanner.next(self.heap, self.flags) {
                Ok(Lexeme { token: Token::End | Token::Eof, .. }) => return,
                Ok(_) => {}
                Err(e) if e.incomplete => {
                    self.scanner.at = self.scanner.text.len();
                    return;
                }
                Err(_) => {
                    let step = self.scanner.text[self.scanner.at..].chars().next().map_or(1, char::len_utf8);
                    self.scanner.at = (self.scanner.at + step).min(self.scanner.text.len());
                }
            }
        }
    }

    fn next(&mut self) -> Lex<Lexeme> {
        match self.peeked.take() {
            Some(l) => Ok(l),
            None => self.scanner.next(self.heap, self.flags),
        }
    }

    fn peek(&mut self) -> Lex<&Lexeme> {
        if self.peeked.is_none() {
            self.peeked = Some(self.scanner.next(self.heap, self.flags)?);
        }
        match &self.peeked {
            Some(l) => Ok(l),
            None => fail("end_of_file", self.scanner.at),
        }
    }

    fn byte_after(&self, l: &Lexeme) -> u8 {
        self.scanner.text.as_bytes().get(l.end).copied().unwrap_or(0)
    }

    fn open(&mut self, bracket: Bracket) {
        self.frames.push(Frame { bracket, operators: self.operators.len(), operands: self.operands.len() });
    }

    fn operand(&mut self, c: Cell) {
        self.operands.push((c, 0));
    }

    fn term(&mut self) -> Lex<Option<Cell>> {
        let first = self.next()?;
        self.start = first.start;
        if first.token == Token::Eof {
            return Ok(None);
        }
        self.peeked = Some(first);
        self.open(Bracket::Top);
        let mut want_operand = true;
        loop {
            let l = self.next()?;
            if want_operand {
                want_operand = self.start_operand(l)?;
            } else {
                match self.after_operand(l)? {
                    After::Operand => want_operand = true,
                    After::Operator => {}
                    After::Done(c) => return Ok(Some(c)),
                }
            }
        }
    }

    // ---- where an operand is expected

    /// Handles a token that should start an operand. Gives whether an operand is still expected.
    fn start_operand(&mut self, l: Lexeme) -> Lex<bool> {
        match &l.token {
            Token::Number(c) => {
                let c = *c;
                self.operand(c);
                Ok(false)
            }
            Token::Var(name) => {
                let c = self.variable(name);
                if self.byte_after(&l) == b'{' {
                    self.next()?;
                    return self.open_dict(c);
                }
                self.operand(c);
                Ok(false)
            }
            Token::Double(s) => {
                let q = self.options.double_quotes.unwrap_or(self.flags.double_quotes);
                let c = self.text(s, q);
                self.operand(c);
                Ok(false)
            }
            Token::Back(s) => {
                let q = self.options.back_quotes.unwrap_or(self.flags.back_quotes);
                let c = self.text(s, q);
                self.operand(c);
                Ok(false)
            }
            Token::Quoted(s) => {
                let a = self.heap.atoms.intern(s);
                self.name(a, &l, true)
            }
            Token::Name(s) => {
                if s == "-" && self.byte_after(&l).is_ascii_digit() {
                    let n = self.next()?;
                    if let Token::Number(c) = n.token {
                        let c = super::number::negate(self.heap, c);
                        self.operand(c);
                        return Ok(false);
                    }
                }
                let a = self.heap.atoms.intern(s);
                self.name(a, &l, false)
            }
            Token::Punct(b'(') => {
                self.open(Bracket::Paren);
                Ok(true)
            }
            Token::Punct(b'[') => {
                if self.peek()?.token == Token::Punct(b']') {
                    let close = self.next()?;
                    return self.name_cell(Cell::NIL, atom::NIL, &close);
                }
                self.open(Bracket::List(Vec::new(), false));
                Ok(true)
            }
            Token::Punct(b'{') => {
                if self.peek()?.token == Token::Punct(b'}') {
                    let close = self.next()?;
                    return self.name_cell(Cell::atom(atom::CURLY), atom::CURLY, &close);
                }
                self.open(Bracket::Curly);
                Ok(true)
            }
            // `f()`
            Token::Punct(b')') if self.fresh_args() => {
                if let Some(Frame { bracket: Bracket::Args(name, _), .. }) = self.frames.pop() {
                    let c = self.heap.compound_any(name, &[]);
                    self.operand(c);
                }
                Ok(false)
            }
            // `Tag{}`
            Token::Punct(b'}') if self.fresh_dict() => {
                if let Some(Frame { bracket: Bracket::Dict(tag, _), .. }) = self.frames.pop() {
                    let c = self.heap.compound_any(atom::DICT, &[tag]);
                    self.operand(c);
                }
                Ok(false)
            }
            t => {
                // An operator without its operand is an atom.
                if self.operator_as_atom() {
                    self.peeked = Some(l);
                    return Ok(false);
                }
                match t {
                    Token::Punct(b',' | b'|') => fail("quoted_punctuation", l.start),
                    Token::End => fail("end_of_clause", l.start),
                    Token::Eof => Err(LexError { kind: "end_of_file".into(), at: l.start, incomplete: true }),
                    _ => fail("cannot_start_term", l.start),
                }
            }
        }
    }

    fn fresh_args(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { bracket: Bracket::Args(_, v), operators, operands })
            if v.is_empty() && *operators == self.operators.len() && *operands == self.operands.len())
    }

    fn fresh_dict(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { bracket: Bracket::Dict(_, v), operators, operands })
            if v.is_empty() && *operators == self.operators.len() && *operands == self.operands.len())
    }

    /// Makes the newest operator of this bracket, whose operand is missing, an atom. For an infix operator that needs the
    /// operator to be usable as an atom to the right of its left operand: only prefix operators are.
    fn operator_as_atom(&mut self) -> bool {
        let base = self.frames.last().map_or(0, |f| f.operators);
        if self.operators.len() > base
            && let Some(Pending { left: None, .. }) = self.operators.last()
            && let Some(op) = self.operators.pop()
        {
            self.operands.push((Cell::atom(op.name), 0));
            return true;
        }
        false
    }

    fn name(&mut self, a: Atom, l: &Lexeme, quoted: bool) -> Lex<bool> {
        if self.byte_after(l) == b'(' {
            self.next()?;
            self.open(Bracket::Args(a, Vec::new()));
            return Ok(true);
        }
        if self.byte_after(l) == b'{' && (quoted || self.heap.atoms.text(a).starts_with(|c: char| c.is_alphabetic())) {
            self.next()?;
            return self.open_dict(Cell::atom(a));
        }
        let prefix = if quoted && false { None } else { self.ops.get(self.module, a, Fixity::Prefix) };
        let infix = self.ops.get(self.module, a, Fixity::Infix);
        let postfix = self.ops.get(self.module, a, Fixity::Postfix);
        if prefix.is_none() && infix.is_none() && postfix.is_none() {
            self.operand(Cell::atom(a));
            return Ok(false);
        }
        let next = self.peek()?.clone();
        let follows = self.classify(&next);
        match prefix {
            Some((p, t)) if !(follows.closes || follows.infix_only) => {
                let (_, right) = t.argument_priorities(p);
                self.operators.push(Pending { name: a, priority: p, left: None, right });
                Ok(true)
            }
            _ => {
                let priority = if follows.infix { prefix.or(infix).or(postfix).map_or(0, |d| d.0) } else { 0 };
                self.operands.push((Cell::atom(a), priority));
                Ok(false)
            }
        }
    }

    fn name_cell(&mut self, c: Cell, a: Atom, l: &Lexeme) -> Lex<bool> {
        if self.byte_after(l) == b'(' {
            self.next()?;
            self.open(Bracket::Args(a, Vec::new()));
            return Ok(true);
        }
        self.operand(c);
        Ok(false)
    }

    fn open_dict(&mut self, tag: Cell) -> Lex<bool> {
        self.open(Bracket::Dict(tag, Vec::new()));
        Ok(true)
    }

    /// What a token that follows an operator tells about that operator.
    fn classify(&self, l: &Lexeme) -> Follows {
        let name = match &l.token {
            Token::Name(s) => s,
            Token::Quoted(s) => s,
            Token::Punct(b')' | b']' | b'}' | b',' | b'|') | Token::End | Token::Eof => {
                let bar = matches!(l.token, Token::Punct(b',' | b'|'));
                return Follows { closes: true, infix: bar, infix_only: false };
            }
            _ => return Follows { closes: false, infix: false, infix_only: false },
        };
        let Some(a) = self.heap.atoms.lookup(name) else { return Follows { closes: false, infix: false, infix_only: false } };
        let functional = self.byte_after(l) == b'(';
        let negative = name == "-" && self.byte_after(l).is_ascii_digit();
        let infix = (self.ops.get(self.module, a, Fixity::Infix).is_some() || self.ops.get(self.module, a, Fixity::Postfix).is_some())
            && !functional;
        let prefix = self.ops.get(self.module, a, Fixity::Prefix).is_some();
        Follows { closes: false, infix, infix_only: infix && !prefix && !negative }
    }

    fn variable(&mut self, name: &str) -> Cell {
        if name == "_" {
            let c = self.heap.new_var();
            self.all.push(c);
            return c;
        }
        if let Some(&i) = self.by_name.get(name) {
            self.variables[i].count += 1;
            return self.variables[i].cell;
        }
        let cell = self.heap.new_var();
        self.all.push(cell);
        self.by_name.insert(name.to_string(), self.variables.len());
        self.variables.push(Variable { name: name.to_string(), cell, count: 1 });
        cell
    }

    fn text(&mut self, s: &str, q: Quotes) -> Cell {
        match q {
            Quotes::String => self.heap.string(s),
            Quotes::Atom | Quotes::Symbol => self.heap.atom(s),
            Quotes::Codes => {
                let items: Vec<Cell> = s.chars().map(|c| Cell::small(c as i64)).collect();
                self.heap.list_from(&items)
            }
            Quotes::Chars => {
                let items: Vec<Cell> = s.chars().map(|c| self.heap.atom(c.encode_utf8(&mut [0; 4]))).collect();
                self.heap.list_from(&items)
            }
        }
    }

    // ---- where an operator is expected

    fn after_operand(&mut self, l: Lexeme) -> Lex<After> {
        let name = match &l.token {
            Token::Name(s) | Token::Quoted(s) => s.clone(),
            Token::Punct(b',') => return self.comma(l),
            Token::Punct(b'|') => return self.bar(l),
            Token::Punct(b')') => return self.close_paren(l),
            Token::Punct(b']') => return self.close_list(l),
            Token::Punct(b'}') => return self.close_curly(l),
            Token::End => return self.end(l),
            Token::Eof => {
                if self.options.stop_optional && matches!(self.frames.last(), Some(Frame { bracket: Bracket::Top, .. })) {
                    return self.end(l);
                }
                return Err(LexError { kind: "end_of_file".into(), at: l.start, incomplete: true });
            }
            _ => return fail("operator_expected", l.start),
        };
        let a = self.heap.atoms.intern(&name);
        let infix = self.ops.get(self.module, a, Fixity::Infix);
        let postfix = self.ops.get(self.module, a, Fixity::Postfix);
        if let Some((p, t)) = infix {
            let takes_operand = match postfix {
                Some(_) => {
                    let next = self.peek()?.clone();
                    !self.classify(&next).closes
                }
                None => true,
            };
            if takes_operand {
                self.infix(a, p, t, l.start)?;
                return Ok(After::Operand);
            }
        }
        if let Some((p, t)) = postfix {
            let (left, _) = t.argument_priorities(p);
            self.reduce(left, l.start)?;
            let Some((c, priority)) = self.operands.pop() else { return fail("operator_balance", l.start) };
            if priority > left {
                return fail("operator_clash", l.start);
            }
            let c = self.heap.compound(a, &[c]);
            self.operands.push((c, p));
            return Ok(After::Operator);
        }
        // `- a`: a prefix operator taken as an atom too early cannot happen, since prefix operators look ahead.
        fail("operator_expected", l.start)
    }

    fn infix(&mut self, name: Atom, p: u16, t: OpType, at: usize) -> Lex<()> {
        let (left, right) = t.argument_priorities(p);
        self.reduce(left, at)?;
        self.operators.push(Pending { name, priority: p, left: Some(left), right });
        Ok(())
    }

    /// Applies the operators of this bracket that bind at least as tight as `limit`.
    fn reduce(&mut self, limit: u16, at: usize) -> Lex<()> {
        let base = self.frames.last().map_or(0, |f| f.operators);
        while self.operators.len() > base && self.operators.last().is_some_and(|o| o.priority <= limit) {
            let Some(op) = self.operators.pop() else { break };
            let Some((right, rp)) = self.operands.pop() else { return fail("operator_balance", at) };
            if rp > op.right {
                return fail("operator_clash", at);
            }
            let c = match op.left {
                Some(max) => {
                    let Some((left, lp)) = self.operands.pop() else { return fail("operator_balance", at) };
                    if lp > max {
                        return fail("operator_clash", at);
                    }
                    self.heap.compound(op.name, &[left, right])
                }
                None => self.heap.compound(op.name, &[right]),
            };
            self.operands.push((c, op.priority));
        }
        Ok(())
    }

    /// Ends the expression of the innermost bracket.
    fn expression(&mut self, max: u16, at: usize) -> Lex<Cell> {
        self.reduce(1200, at)?;
        let base = self.frames.last().map_or(0, |f| f.operands);
        if self.operands.len() != base + 1 {
            return fail("operator_balance", at);
        }
        match self.operands.pop() {
            Some((c, p)) if p <= max => Ok(c),
            _ => fail("operator_clash", at),
        }
    }

    fn comma(&mut self, l: Lexeme) -> Lex<After> {
        match self.frames.last().map(|f| &f.bracket) {
            Some(Bracket::Args(..) | Bracket::Dict(..) | Bracket::List(_, false)) => {
                let c = self.expression(1200, l.start)?;
                if let Some(Frame { bracket: Bracket::Args(_, v) | Bracket::Dict(_, v) | Bracket::List(v, _), .. }) = self.frames.last_mut()
                {
                    v.push(c);
                }
            }
            Some(Bracket::List(_, true)) => return fail("list_rest", l.start),
            _ => self.infix(atom::COMMA, 1000, OpType::Xfy, l.start)?,
        }
        Ok(After::Operand)
    }

    fn bar(&mut self, l: Lexeme) -> Lex<After> {
        match self.frames.last().map(|f| &f.bracket) {
            Some(Bracket::List(_, false)) => {
                let c = self.expression(1200, l.start)?;
                if let Some(Frame { bracket: Bracket::List(v, bar), .. }) = self.frames.last_mut() {
                    v.push(c);
                    *bar = true;
                }
            }
            Some(Bracket::List(_, true)) => return fail("list_rest", l.start),
            _ => match self.ops.get(self.module, atom::BAR, Fixity::Infix) {
                Some((p, t)) if p > 1000 => self.infix(atom::BAR, p, t, l.start)?,
                _ => self.infix(atom::BAR, 1100, OpType::Xfy, l.start)?,
            },
        }
        Ok(After::Operand)
    }

    fn close_paren(&mut self, l: Lexeme) -> Lex<After> {
        if !matches!(self.frames.last(), Some(Frame { bracket: Bracket::Args(..) | Bracket::Paren, .. })) {
            return fail("cannot_start_term", l.start);
        }
        let c = self.expression(1200, l.start)?;
        match self.frames.pop().map(|f| f.bracket) {
            Some(Bracket::Args(name, mut args)) => {
                args.push(c);
                if args.len() > MAX_ARITY {
                    return fail("max_arity", l.start);
                }
                let c = self.heap.compound(name, &args);
                self.operand(c);
            }
            _ => self.operand(c),
        }
        Ok(After::Operator)
    }

    fn close_list(&mut self, l: Lexeme) -> Lex<After> {
        if !matches!(self.frames.last(), Some(Frame { bracket: Bracket::List(..), .. })) {
            return fail("cannot_start_term", l.start);
        }
        let c = self.expression(1200, l.start)?;
        if let Some(Bracket::List(mut items, bar)) = self.frames.pop().map(|f| f.bracket) {
            let tail = if bar {
                c
            } else {
                items.push(c);
                Cell::NIL
            };
            let c = self.heap.list_with_tail(&items, tail);
            self.operand(c);
        }
        Ok(After::Operator)
    }

    fn close_curly(&mut self, l: Lexeme) -> Lex<After> {
        if !matches!(self.frames.last(), Some(Frame { bracket: Bracket::Curly | Bracket::Dict(..), .. })) {
            return fail("cannot_start_term", l.start);
        }
        let c = self.expression(1200, l.start)?;
        match self.frames.pop().map(|f| f.bracket) {
            Some(Bracket::Dict(tag, mut pairs)) => {
                pairs.push(c);
                let c = self.dict(tag, &pairs, l.start)?;
                self.operand(c);
            }
            _ => {
                let c = self.heap.compound(atom::CURLY, &[c]);
                self.operand(c);
            }
        }
        Ok(After::Operator)
    }

    /// A dict literal from its `Key:Value` terms.
    fn dict(&mut self, tag: Cell, pairs: &[Cell], at: usize) -> Lex<Cell> {
        let mut entries = Vec::with_capacity(pairs.len());
        for p in pairs {
            let Some(&[k, v]) = self.heap.match_compound(*p, atom::COLON, 2) else { return fail("dict_key_expected", at) };
            let k = self.heap.deref(k);
            if !k.is_atom() && !k.is_small() {
                return fail("dict_key_expected", at);
            }
            entries.push((k, v));
        }
        entries.sort_by(|a, b| match (self.heap.view(a.0), self.heap.view(b.0)) {
            (Term::Int(x), Term::Int(y)) => x.cmp(&y),
            (Term::Int(_), _) => std::cmp::Ordering::Less,
            (_, Term::Int(_)) => std::cmp::Ordering::Greater,
            (Term::Atom(x), Term::Atom(y)) => self.heap.atoms.text(x).cmp(self.heap.atoms.text(y)),
            _ => std::cmp::Ordering::Equal,
        });
        if let Some(w) = entries.windows(2).find(|w| w[0].0 == w[1].0) {
            let key = match self.heap.view(w[0].0) {
                Term::Atom(a) => self.heap.atoms.text(a).to_string(),
                Term::Int(i) => i.to_string(),
                _ => String::new(),
            };
            return fail(&format!("duplicate_key({key})"), at);
        }
        let mut args = vec![tag];
        for (k, v) in entries {
            args.push(v);
            args.push(k);
        }
        Ok(self.heap.compound_any(atom::DICT, &args))
    }

    fn end(&mut self, l: Lexeme) -> Lex<After> {
        if !matches!(self.frames.last(), Some(Frame { bracket: Bracket::Top, .. })) {
            return fail("operator_expected", l.start);
        }
        let c = self.expression(1200, l.start)?;
        Ok(After::Done(c))
    }
}

struct Follows {
    /// The expression ends here, or the next operand begins elsewhere.
    closes: bool,
    infix: bool,
    infix_only: bool,
}

enum After {
    Operand,
    Operator,
    Done(Cell),
}
