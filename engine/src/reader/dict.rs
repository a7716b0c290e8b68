//! Dict literals: `Tag{Key: Value, ...}`.

use super::Failure;
use super::parse::{Bracket, Parse, Parser};
use super::token::{Lexeme, Token};
use crate::atom;
use crate::cell::Cell;
use crate::heap::{Heap, Term};
use std::cmp::Ordering;

impl Parser<'_> {
    /// Opens a dict whose tag is the operand just pushed; tells whether an operand (the first value) is expected.
    pub(super) fn open_dict(&mut self, tag: Lexeme) -> Parse<bool> {
        self.scanner.at = tag.end + 1;
        let base = self.operands.len().saturating_sub(1);
        self.open_over(Bracket::Dict((tag.start, tag.end)), tag.start, base);
        self.dict_key(true)
    }

    /// Reads a key and its colon; or, where the dict may end, its end.
    pub(super) fn dict_key(&mut self, first: bool) -> Parse<bool> {
        let l = self.scanner.next(self.heap, true)?;
        let key = match l.token {
            Token::Punct(b'}') if first => {
                if let Some(Bracket::Dict(tag)) = self.frames.last().map(|f| f.bracket) {
                    self.close_dict(tag, l)?;
                }
                return Ok(false);
            }
            Token::Name(a) | Token::Quoted(a) => Cell::atom(a),
            Token::Number(c) if c.is_small() => c,
            Token::Number(_) => return Err(Failure::before("key_domain", l.start)),
            _ => return Err(Failure::before("key_expected", l.start)),
        };
        let colon = self.scanner.next(self.heap, false)?;
        if colon.token != Token::Name(atom::COLON) {
            return Err(Failure::before("colon_expected", colon.start));
        }
        let place = self.places.is_some().then(|| super::layout::key(self.heap, (l.start, l.end), (colon.start, colon.end)));
        self.push_placed(key, 0, place);
        self.expression();
        Ok(true)
    }

    /// Makes the dict from its tag, keys and values, which are the operands of the bracket.
    pub(super) fn close_dict(&mut self, tag: super::parse::Span, l: Lexeme) -> Parse {
        let (base, start) = self.leave();
        let items = self.operands.get(base..).unwrap_or(&[]);
        let Some((&name, pairs)) = items.split_first() else { return Err(Failure::before("key_expected", l.start)) };
        let mut entries: Vec<(Cell, Cell)> = pairs.chunks_exact(2).map(|p| (p[0], p[1])).collect();
        entries.sort_by(|a, b| compare_keys(self.heap, a.0, b.0));
        if let Some(w) = entries.windows(2).find(|w| w[0].0 == w[1].0) {
            let key = match self.heap.view(w[0].0) {
                Term::Atom(a) => self.heap.atoms.text(a).to_string(),
                Term::Int(i) => i.to_string(),
                _ => String::new(),
            };
            return Err(Failure::before("duplicate_key", l.start).with(key));
        }
        let mut args = Vec::with_capacity(items.len());
        args.push(name);
        args.extend(entries.iter().flat_map(|&(k, v)| [v, k]));
        if args.len() > crate::cell::MAX_ARITY {
            return Err(Failure::before("max_arity", l.start));
        }
        let place = self.places.as_ref().map(|p| {
            let pairs: Vec<(Cell, Cell, Cell)> =
                pairs.chunks_exact(2).zip(p.get(base + 1..).unwrap_or(&[]).chunks_exact(2)).map(|(c, p)| (c[0], p[0], p[1])).collect();
            super::layout::dict(self.heap, (start, l.end), tag, &pairs)
        });
        let c = self.heap.compound_any(atom::DICT, &args);
        self.drop_operands(base);
        self.push_placed(c, 0, place);
        Ok(())
    }
}

/// Standard order of dict keys: integers, then atoms by their text.
fn compare_keys(heap: &Heap, a: Cell, b: Cell) -> Ordering {
    match (heap.view(a), heap.view(b)) {
        (Term::Int(x), Term::Int(y)) => x.cmp(&y),
        (Term::Int(_), _) => Ordering::Less,
        (_, Term::Int(_)) => Ordering::Greater,
        (Term::Atom(x), Term::Atom(y)) => heap.atoms.text(x).cmp(heap.atoms.text(y)),
        _ => Ordering::Equal,
    }
}
