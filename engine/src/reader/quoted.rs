//! Quoted items and escape sequences.

use super::Failure;
use super::chars::is_space_char;
use super::token::Scanner;

/// What an escape sequence stands for.
pub enum Escape {
    Char(char),
    /// A line continuation.
    Nothing,
}

impl<'t> Scanner<'t> {
    /// Scans a quoted item from its opening quote. Its text is the slice given, or, when the slice could not serve because
    /// something in it is escaped, [`Scanner::buffer`] (`None`).
    pub fn quoted(&mut self, quote: u8) -> Result<Option<&'t str>, Failure> {
        let open = self.at;
        let bytes = self.bytes();
        let run = |from: usize| {
            bytes.get(from..).and_then(|r| r.iter().position(|&b| b == quote || b == b'\\')).map_or(bytes.len(), |n| from + n)
        };
        let mut from = open + 1;
        let mut stop = run(from);
        if bytes.get(stop) == Some(&quote) && bytes.get(stop + 1) != Some(&quote) {
            self.at = stop + 1;
            return Ok(self.text.get(from..stop));
        }
        self.buffer.clear();
        loop {
            self.buffer.push_str(self.text.get(from..stop).unwrap_or(""));
            match bytes.get(stop) {
                None => return Err(self.open_quote(quote)),
                Some(&b) if b == quote => {
                    if bytes.get(stop + 1) != Some(&quote) {
                        self.at = stop + 1;
                        return Ok(None);
                    }
                    self.buffer.push(quote as char);
                    from = stop + 2;
                }
                Some(_) if !self.escapes => {
                    self.buffer.push('\\');
                    from = stop + 1;
                }
                Some(_) => {
                    self.at = stop + 1;
                    if let Escape::Char(c) = self.escape(quote)? {
                        self.buffer.push(c);
                    }
                    from = self.at;
                }
            }
            stop = run(from);
        }
    }

    /// The text ends inside quotes.
    pub fn open_quote(&self, quote: u8) -> Failure {
        Failure::at("end_of_file_in_quoted", self.term_start).with((quote as char).to_string()).raw()
    }

    /// An escape sequence, from after its backslash.
    pub fn escape(&mut self, quote: u8) -> Result<Escape, Failure> {
        let back = self.at - 1;
        let Some(c) = self.char_at(self.at) else { return Err(self.open_quote(quote)) };
        self.at += c.len_utf8();
        Ok(Escape::Char(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            'e' => '\x1b',
            's' => ' ',
            '0'..='7' => return self.code(8, self.at - 1, back).map(Escape::Char),
            'x' if self.byte(self.at).is_ascii_hexdigit() => return self.code(16, self.at, back + 1).map(Escape::Char),
            'u' | 'U' => {
                let n = if c == 'u' { 4 } else { 8 };
                let digits = self.text.get(self.at..self.at + n).unwrap_or("");
                if digits.len() < n || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return Err(Failure::at("Illegal \\u or \\U sequence", back));
                }
                self.at += n;
                u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(|| Failure::at("Illegal character code", back))?
            }
            '\\' | '\'' | '"' | '`' => c,
            '\n' => {
                // The blanks that indent the next line go too.
                while matches!(self.byte(self.at), b' ' | b'\t') {
                    self.at += 1;
                }
                return Ok(Escape::Nothing);
            }
            '\r' if self.byte(self.at) == b'\n' => {
                self.at += 1;
                while matches!(self.byte(self.at), b' ' | b'\t') {
                    self.at += 1;
                }
                return Ok(Escape::Nothing);
            }
            'c' => {
                while let Some(c) = self.char_at(self.at).filter(|&c| is_space_char(c)) {
                    self.at += c.len_utf8();
                }
                return Ok(Escape::Nothing);
            }
            _ => return Err(Failure::at("undefined_char_escape", back).with(c.to_string())),
        }))
    }

    /// A character by its code in octal or hexadecimal, with an optional closing backslash.
    fn code(&mut self, radix: u32, from: usize, error: usize) -> Result<char, Failure> {
        let mut code = 0u32;
        self.at = from;
        while let Some(d) = (self.byte(self.at) as char).to_digit(radix) {
            code = code.saturating_mul(radix).saturating_add(d);
            self.at += 1;
        }
        if self.byte(self.at) == b'\\' {
            self.at += 1;
        }
        char::from_u32(code).ok_or_else(|| Failure::at("Illegal character code", error))
    }
}
