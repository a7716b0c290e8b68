//! Finding the end of a clause without understanding it.

use super::Failure;
use super::chars::{Class, class};
use super::token::Scanner;

impl Scanner<'_> {
    /// Moves behind the next full stop, looking only at quotes, comments and symbol characters. At the end of the text, or
    /// when it ends inside quotes or a comment, that is the error.
    pub fn skip_clause(&mut self) -> Result<(), Failure> {
        self.comments = None;
        loop {
            self.skip_layout()?;
            let start = self.at;
            let Some(&b) = self.bytes().get(start) else { return Err(Failure::end_of_file(self.text.len())) };
            match class(b) {
                Class::Digit => self.skip_number(),
                Class::Quote => self.skip_quoted(b)?,
                Class::Symbol => {
                    self.symbols();
                    if b == b'.' && self.at == start + 1 && self.ends_clause(self.at) {
                        return Ok(());
                    }
                }
                Class::Lower | Class::Upper => self.word(),
                Class::Wide => {
                    self.word();
                    if self.at == start {
                        self.symbols();
                    }
                    if self.at == start {
                        self.at += self.char_at(start).map_or(1, char::len_utf8);
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    fn skip_quoted(&mut self, quote: u8) -> Result<(), Failure> {
        let bytes = self.bytes();
        self.at += 1;
        loop {
            match bytes.get(self.at) {
                None => return Err(self.open_quote(quote)),
                Some(b'\\') if self.escapes => self.skip_escape(),
                Some(&b) => {
                    self.at += 1;
                    if b == quote {
                        if bytes.get(self.at) != Some(&quote) {
                            return Ok(());
                        }
                        self.at += 1;
                    }
                }
            }
        }
    }

    /// Moves behind an escape sequence: a code may have a closing backslash.
    fn skip_escape(&mut self) {
        let Some(c) = self.char_at(self.at + 1) else {
            self.at += 1;
            return;
        };
        self.at += 1 + c.len_utf8();
        let radix = match c {
            'x' => 16,
            '0'..='7' => 8,
            _ => return,
        };
        if c == 'x' && !self.byte(self.at).is_ascii_hexdigit() {
            return;
        }
        while (self.byte(self.at) as char).is_digit(radix) {
            self.at += 1;
        }
        if self.byte(self.at) == b'\\' {
            self.at += 1;
        }
    }

    fn skip_number(&mut self) {
        let start = self.at;
        self.word();
        if self.byte(self.at) != b'\'' {
            return;
        }
        let digits = self.text.get(start..self.at).unwrap_or("");
        if digits == "0" {
            self.at += 1;
            match self.char_at(self.at) {
                Some('\\') => self.skip_escape(),
                Some('\'') if self.byte(self.at + 1) == b'\'' => self.at += 2,
                Some(c) => self.at += c.len_utf8(),
                None => {}
            }
        } else if let Ok(radix @ 2..=36) = digits.parse::<u32>()
            && (self.byte(self.at + 1) as char).is_digit(radix)
        {
            self.at += 1;
            self.word();
        }
    }
}
