//! Tokens of a text.

use super::number;
use crate::cell::Cell;
use crate::flags::Flags;
use crate::heap::Heap;

/// What a token is. Texts are slices of the source, or of the scanner's buffer for quoted items.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Unquoted word, symbol word or solo character.
    Name(String),
    /// Quoted atom.
    Quoted(String),
    Var(String),
    Number(Cell),
    /// Double-quoted text.
    Double(String),
    /// Back-quoted text.
    Back(String),
    /// `( ) [ ] { } , |`
    Punct(u8),
    /// Full stop.
    End,
    /// End of the text.
    Eof,
}

/// A token with where it stands, and what surrounds it.
#[derive(Clone, Debug)]
pub struct Lexeme {
    pub token: Token,
    pub start: usize,
    pub end: usize,
    /// White space or a comment stands before it.
    pub layout_before: bool,
}

/// An error in a token.
#[derive(Debug)]
pub struct LexError {
    pub kind: String,
    pub at: usize,
    pub incomplete: bool,
}

pub struct Scanner<'t> {
    pub text: &'t str,
    pub at: usize,
    pub comments: Option<Vec<(usize, usize)>>,
    pub var_prefix: bool,
}

pub fn is_symbol(b: u8) -> bool {
    matches!(b, b'#' | b'$' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<' | b'=' | b'>' | b'?' | b'@' | b'^' | b'~' | b'\\')
}

/// Unicode symbols and punctuation beyond ASCII that glue together as symbol characters do.
pub fn is_symbol_char(c: char) -> bool {
    if c.is_ascii() {
        return is_symbol(c as u8);
    }
    !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()
}

pub fn is_id_continue(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

pub fn is_plain_atom(text: &str) -> bool {
    match text {
        "[]" | "{}" | "!" | ";" => return true,
        "" | "." => return false,
        _ => {}
    }
    let Some(first) = text.chars().next() else { return false };
    if first.is_alphabetic() {
        return !first.is_uppercase() && !is_title(first) && text.chars().all(is_id_continue);
    }
    if text.starts_with("/*") {
        return false;
    }
    text.chars().all(is_symbol_char)
}

fn is_title(c: char) -> bool {
    // Title-case letters start variables, as upper-case ones do.
    matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ')
}

impl<'t> Scanner<'t> {
    fn byte(&self, i: usize) -> u8 {
        self.text.as_bytes().get(i).copied().unwrap_or(0)
    }

    fn char_at(&self, i: usize) -> Option<char> {
        self.text.get(i..)?.chars().next()
    }

    fn error<T>(&self, kind: impl Into<String>, at: usize, incomplete: bool) -> Result<T, LexError> {
        Err(LexError { kind: kind.into(), at, incomplete })
    }

    /// Skips white space and comments; true when there was any.
    fn skip_layout(&mut self) -> Result<bool, LexError> {
        let start = self.at;
        loop {
            let b = self.byte(self.at);
            if self.at >= self.text.len() {
                break;
            }
            match b {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c | 0 => self.at += 1,
                b'%' => {
                    let end = self.text.as_bytes()[self.at..].iter().position(|&b| b == b'\n').map_or(self.text.len(), |n| self.at + n);
                    if let Some(c) = &mut self.comments {
                        c.push((self.at, end));
                    }
                    self.at = end;
                }
                b'/' if self.byte(self.at + 1) == b'*' => match self.text[self.at + 2..].find("*/") {
                    Some(n) => {
                        let end = self.at + 2 + n + 2;
                        if let Some(c) = &mut self.comments {
                            c.push((self.at, end));
                        }
                        self.at = end;
                    }
                    None => return self.error("end_of_file_in_block_comment", self.at, true),
                },
                0x80.. => match self.char_at(self.at) {
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                    _ => break,
                },
                _ => break,
            }
        }
        Ok(self.at > start)
    }

    /// The next token.
    pub fn next(&mut self, heap: &mut Heap, flags: &Flags) -> Result<Lexeme, LexError> {
        let layout_before = self.skip_layout()?;
        let start = self.at;
        let token = self.token(heap, flags, start)?;
        Ok(Lexeme { token, start, end: self.at, layout_before })
    }

    fn token(&mut self, heap: &mut Heap, flags: &Flags, start: usize) -> Result<Token, LexError> {
        if start >= self.text.len() {
            return Ok(Token::Eof);
        }
        let b = self.byte(start);
        match b {
            b'a'..=b'z' => Ok(Token::Name(self.word())),
            b'A'..=b'Z' if !self.var_prefix => Ok(Token::Var(self.word())),
            b'A'..=b'Z' => Ok(Token::Name(self.word())),
            b'_' => Ok(Token::Var(self.word())),
            b'0'..=b'9' => number::scan(self, heap, flags),
            b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'|' => {
                self.at += 1;
                if b == b'|' && self.byte(self.at) == b'|' {
                    self.at += 1;
                    return Ok(Token::Name("||".into()));
                }
                Ok(Token::Punct(b))
            }
            b'!' | b';' => {
                self.at += 1;
                Ok(Token::Name((b as char).to_string()))
            }
            b'\'' => Ok(Token::Quoted(self.quoted('\'', flags)?)),
            b'"' => Ok(Token::Double(self.quoted('"', flags)?)),
            b'`' => Ok(Token::Back(self.quoted('`', flags)?)),
            b'.' if self.ends_clause(start + 1) => {
                self.at += 1;
                Ok(Token::End)
            }
            _ if is_symbol(b) => {
                while self.char_at(self.at).is_some_and(is_symbol_char) {
                    self.at += self.char_at(self.at).map_or(1, char::len_utf8);
                }
                Ok(Token::Name(self.text[start..self.at].to_string()))
            }
            _ => {
                let Some(c) = self.char_at(start) else { return Ok(Token::Eof) };
                if c.is_alphabetic() {
                    let var = (c.is_uppercase() || is_title(c)) && !self.var_prefix;
                    let w = self.word();
                    return Ok(if var { Token::Var(w) } else { Token::Name(w) });
                }
                if is_symbol_char(c) {
                    while self.char_at(self.at).is_some_and(is_symbol_char) {
                        self.at += self.char_at(self.at).map_or(1, char::len_utf8);
                    }
                    return Ok(Token::Name(self.text[start..self.at].to_string()));
                }
                self.error("illegal_character", start, false)
            }
        }
    }

    fn ends_clause(&self, i: usize) -> bool {
        if i >= self.text.len() {
            return true;
        }
        match self.byte(i) {
            b'%' => true,
            b if b < 0x80 => b.is_ascii_whitespace() || b == 0x0b,
            _ => self.char_at(i).is_some_and(char::is_whitespace),
        }
    }

    fn word(&mut self) -> String {
        let start = self.at;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            let b = bytes[self.at];
            if b.is_ascii_alphanumeric() || b == b'_' {
                self.at += 1;
            } else if b >= 0x80 {
                match self.char_at(self.at) {
                    Some(c) if is_id_continue(c) => self.at += c.len_utf8(),
                    _ => break,
                }
            } else {
                break;
            }
        }
        self.text[start..self.at].to_string()
    }

    /// A quoted item, from its opening quote.
    fn quoted(&mut self, quote: char, flags: &Flags) -> Result<String, LexError> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            // Copy a run of ordinary characters at once.
            let rest = &self.text.as_bytes()[self.at..];
            let run = rest.iter().position(|&b| b == quote as u8 || b == b'\\').unwrap_or(rest.len());
            out.push_str(&self.text[self.at..self.at + run]);
            self.at += run;
            if self.at >= self.text.len() {
                return self.error("end_of_file_in_quoted", start, true);
            }
            if self.byte(self.at) == quote as u8 {
                self.at += 1;
                if self.byte(self.at) != quote as u8 {
                    return Ok(out);
                }
                out.push(quote);
                self.at += 1;
            } else if !flags.character_escapes {
                out.push('\\');
                self.at += 1;
            } else {
                self.at += 1;
                if let Some(c) = self.escape(start)? {
                    out.push(c);
                }
            }
        }
    }

    /// An escape sequence after its backslash; `None` for one that stands for nothing.
    pub(super) fn escape(&mut self, start: usize) -> Result<Option<char>, LexError> {
        let Some(c) = self.char_at(self.at) else { return self.error("end_of_file_in_quoted", start, true) };
        let at = self.at - 1;
        self.at += c.len_utf8();
        Ok(Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'e' => '\x1b',
            's' => ' ',
            '0'..='7' => {
                self.at -= 1;
                return self.code_escape(8, at).map(Some);
            }
            'x' => return self.code_escape(16, at).map(Some),
            'u' | 'U' => {
                let n = if c == 'u' { 4 } else { 8 };
                let digits = self.text.get(self.at..self.at + n).unwrap_or("");
                if digits.len() < n || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return self.error("Illegal \\u or \\U sequence", at, false);
                }
                self.at += n;
                match u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) {
                    Some(c) => c,
                    None => return self.error("Illegal character code", at, false),
                }
            }
            '\\' | '\'' | '"' | '`' => c,
            '\n' => {
                // SWI-Prolog's rule: the white space that starts the next line goes too.
                while matches!(self.byte(self.at), b' ' | b'\t') {
                    self.at += 1;
                }
                return Ok(None);
            }
            'c' => {
                while matches!(self.byte(self.at), b' ' | b'\t' | b'\n' | b'\r') {
                    self.at += 1;
                }
                return Ok(None);
            }
            _ => return self.error(format!("undefined_char_escape({c})"), at, false),
        }))
    }

    fn code_escape(&mut self, radix: u32, at: usize) -> Result<char, LexError> {
        let mut code: u32 = 0;
        let from = self.at;
        while let Some(d) = self.char_at(self.at).and_then(|c| c.to_digit(radix)) {
            code = code.saturating_mul(radix).saturating_add(d);
            self.at += 1;
        }
        if self.at == from {
            return self.error("undefined_char_escape(x)", at, false);
        }
        if self.byte(self.at) == b'\\' {
            self.at += 1;
        }
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.error("Illegal character code", at, false),
        }
    }
}
