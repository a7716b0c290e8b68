//! Tokens of a text.

use super::chars::{self, Class, class};
use super::{Failure, quoted_term};
use crate::atom::Atom;
use crate::cell::Cell;
use crate::flags::{Flags, Quotes, RationalSyntax};
use crate::heap::Heap;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// Unquoted word, symbol word or solo character: may be an operator.
    Name(Atom),
    /// Quoted atom: never an operator.
    Quoted(Atom),
    /// Variable; its name is the text of the token.
    Var,
    Number(Cell),
    /// Double-quoted or back-quoted text, as the flags say.
    Text(Cell),
    /// `( ) [ ] { } , |`
    Punct(u8),
    /// Full stop.
    End,
    /// End of the text.
    Eof,
}

/// A token and where it stands, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

/// Cuts a text into tokens.
pub struct Scanner<'t> {
    pub text: &'t str,
    /// Byte to go on from.
    pub at: usize,
    /// Where the term being read starts, for errors that name that place.
    pub term_start: usize,
    /// Comments met, when they are to be kept.
    pub comments: Option<Vec<(usize, usize)>>,
    pub var_prefix: bool,
    pub escapes: bool,
    pub double_quotes: Quotes,
    pub back_quotes: Quotes,
    pub rationals: RationalSyntax,
    pub float_overflow_infinity: bool,
    /// Text of the last quoted item that has escapes.
    pub buffer: String,
}

impl<'t> Scanner<'t> {
    /// A scanner at a byte of a text.
    pub fn new(text: &'t str, at: usize, flags: &Flags) -> Scanner<'t> {
        Scanner {
            text,
            at,
            term_start: at,
            comments: None,
            var_prefix: flags.var_prefix,
            escapes: flags.character_escapes,
            double_quotes: flags.double_quotes,
            back_quotes: flags.back_quotes,
            rationals: flags.rational_syntax,
            float_overflow_infinity: flags.float_overflow_infinity,
            buffer: String::new(),
        }
    }

    #[inline(always)]
    pub fn bytes(&self) -> &'t [u8] {
        self.text.as_bytes()
    }

    /// The byte at an offset, 0 behind the end.
    #[inline(always)]
    pub fn byte(&self, i: usize) -> u8 {
        self.bytes().get(i).copied().unwrap_or(0)
    }

    /// The character at an offset.
    pub fn char_at(&self, i: usize) -> Option<char> {
        self.text.get(i..)?.chars().next()
    }

    /// The byte behind the block comment that starts here, or none. Block comments nest, as in SWI-Prolog: each `/*` wants a `*/`,
    /// and in `/*/` the star counts for both.
    fn block_comment_end(&self) -> Option<usize> {
        let mut depth = 1;
        let mut last = b' ';
        for (i, &b) in self.bytes().iter().enumerate().skip(self.at + 2) {
            match (last, b) {
                (b'/', b'*') => depth += 1,
                (b'*', b'/') if depth == 1 => return Some(i + 1),
                (b'*', b'/') => depth -= 1,
                _ => {}
            }
            last = b;
        }
        None
    }

    /// Skips white space and comments.
    pub fn skip_layout(&mut self) -> Result<(), Failure> {
        let bytes = self.bytes();
        while let Some(&b) = bytes.get(self.at) {
            match b {
                0..=b' ' => self.at += 1,
                b'%' => {
                    let end = bytes.get(self.at..).and_then(|r| r.iter().position(|&b| b == b'\n')).map_or(bytes.len(), |n| self.at + n);
                    if let Some(c) = &mut self.comments {
                        c.push((self.at, end));
                    }
                    self.at = end;
                }
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => {
                    let Some(end) = self.block_comment_end() else {
                        return Err(Failure::at("end_of_file_in_block_comment", self.term_start).raw());
                    };
                    if let Some(c) = &mut self.comments {
                        c.push((self.at, end));
                    }
                    self.at = end;
                }
                0x80.. => match self.char_at(self.at) {
                    Some(c) if chars::is_space_char(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(())
    }

    /// The next token. `sign`: a minus directly before a digit belongs to the number.
    pub fn next(&mut self, heap: &mut Heap, sign: bool) -> Result<Lexeme, Failure> {
        self.skip_layout()?;
        let start = self.at;
        let token = self.token(heap, start, sign)?;
        Ok(Lexeme { token, start, end: self.at })
    }

    fn token(&mut self, heap: &mut Heap, start: usize, sign: bool) -> Result<Token, Failure> {
        let Some(&b) = self.bytes().get(start) else { return Ok(Token::Eof) };
        match class(b) {
            Class::Lower => {
                self.word();
                Ok(self.name(heap, start))
            }
            Class::Upper => {
                self.word();
                Ok(if b == b'_' || !self.var_prefix { Token::Var } else { self.name(heap, start) })
            }
            Class::Digit => self.number(heap, false).map(Token::Number),
            Class::Punctuation => {
                self.at += 1;
                match (b, self.byte(self.at)) {
                    (b'|', b'|') => Err(Failure::end_of_file(self.text.len()).renamed("end_of_file_in_quasi_quotation")),
                    (b'{', b'|') => Err(Failure::at("quasi_quotations_not_supported", start)),
                    _ => Ok(Token::Punct(b)),
                }
            }
            Class::Solo => {
                self.at += 1;
                Ok(self.name(heap, start))
            }
            Class::Quote => self.quote(heap, start, b),
            Class::Symbol => {
                if b == b'-' && sign && self.byte(start + 1).is_ascii_digit() {
                    self.at += 1;
                    return self.number(heap, true).map(Token::Number);
                }
                self.symbols();
                if b == b'.' && self.at == start + 1 && self.ends_clause(self.at) {
                    return Ok(Token::End);
                }
                Ok(self.name(heap, start))
            }
            Class::Wide => {
                let c = self.char_at(start).unwrap_or(' ');
                if c.is_alphabetic() || chars::is_upper_char(c) {
                    self.word();
                    return Ok(if chars::is_upper_char(c) && !self.var_prefix { Token::Var } else { self.name(heap, start) });
                }
                if chars::is_symbol_char(c) {
                    self.symbols();
                    return Ok(self.name(heap, start));
                }
                if chars::is_word_char(c) || c.is_numeric() {
                    // A digit or a mark alone.
                    self.at += c.len_utf8();
                    return Ok(self.name(heap, start));
                }
                Err(Failure::at("illegal_character", start))
            }
            Class::Space | Class::Illegal => Err(Failure::at("illegal_character", start)),
        }
    }

    fn quote(&mut self, heap: &mut Heap, start: usize, b: u8) -> Result<Token, Failure> {
        if b == b'`' && self.back_quotes == Quotes::Symbol {
            self.symbols();
            return Ok(self.name(heap, start));
        }
        let slice = self.quoted(b)?;
        let text = slice.unwrap_or(&self.buffer);
        Ok(match b {
            b'\'' => Token::Quoted(heap.atoms.intern(text)),
            b'"' => Token::Text(quoted_term(heap, text, self.double_quotes)),
            _ => Token::Text(quoted_term(heap, text, self.back_quotes)),
        })
    }

    fn name(&self, heap: &mut Heap, start: usize) -> Token {
        Token::Name(heap.atoms.intern(self.text.get(start..self.at).unwrap_or("")))
    }

    /// A full stop before this place ends the clause.
    pub fn ends_clause(&self, i: usize) -> bool {
        match self.bytes().get(i) {
            None | Some(b'%') => true,
            Some(&b) if b < 0x80 => b <= b' ',
            Some(_) => self.char_at(i).is_some_and(chars::is_space_char),
        }
    }

    /// Moves behind a word.
    pub fn word(&mut self) {
        let bytes = self.bytes();
        while let Some(&b) = bytes.get(self.at) {
            if chars::is_word_byte(b) {
                self.at += 1;
            } else if b >= 0x80 {
                match self.char_at(self.at) {
                    Some(c) if chars::is_word_char(c) => self.at += c.len_utf8(),
                    _ => break,
                }
            } else {
                break;
            }
        }
    }

    /// Moves behind a run of symbol characters.
    pub fn symbols(&mut self) {
        let bytes = self.bytes();
        while let Some(&b) = bytes.get(self.at) {
            match class(b) {
                Class::Symbol => self.at += 1,
                Class::Quote if b == b'`' && self.back_quotes == Quotes::Symbol => self.at += 1,
                Class::Wide => match self.char_at(self.at) {
                    Some(c) if chars::is_symbol_char(c) => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
    }
}
