//! One stream: where its text comes from or goes to, and how far it has got.

use super::encoding::Encoding;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// Bytes before it, in the stream's encoding.
    pub byte: u64,
    /// Characters before it.
    pub char: u64,
    /// Line, from 1.
    pub line: u64,
    /// Column, from 0; a tab goes to the next multiple of 8.
    pub column: u64,
}

impl Place {
    /// The start of a text.
    pub const START: Place = Place { byte: 0, char: 0, line: 1, column: 0 };

    /// Moves over one character.
    #[inline]
    pub fn advance(&mut self, c: char, encoding: Encoding) {
        self.byte += encoding.width(c);
        self.char += 1;
        match c {
            '\n' => {
                self.line += 1;
                self.column = 0;
            }
            '\r' => self.column = 0,
            '\u{8}' => self.column = self.column.saturating_sub(1),
            '\t' => self.column = (self.column | 7) + 1,
            _ => self.column += 1,
        }
    }

    /// Moves over a text.
    pub fn advance_over(&mut self, text: &str, encoding: Encoding) {
        for c in text.chars() {
            self.advance(c, encoding);
        }
    }
}

/// `open/3` mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Mode {
    Read,
    Write,
    Append,
    Update,
}

impl Mode {
    /// Name as in `open/3`.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Read => "read",
            Mode::Write => "write",
            Mode::Append => "append",
            Mode::Update => "update",
        }
    }

    /// The mode of this name.
    pub fn from_name(name: &str) -> Option<Mode> {
        Some(match name {
            "read" => Mode::Read,
            "write" => Mode::Write,
            "append" => Mode::Append,
            "update" => Mode::Update,
            _ => return None,
        })
    }
}

/// What reading beyond the end does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EofAction {
    /// Raises on the second read.
    Error,
    /// Gives the end again.
    EofCode,
    /// Looks for more text.
    Reset,
}

/// Which of the two standard outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Which {
    Output,
    Error,
}

/// What a stream is connected to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Kind {
    /// Text the embedder feeds; see [`super::Streams::feed_input`].
    UserInput,
    /// Text the embedder takes; see [`super::Streams::take_output`].
    User(Which),
    /// A file, by its path in the workspace.
    File(String),
    /// A text in memory (`open_string/2`).
    Text,
    /// Output caught by `with_output_to/2` and `format/3`.
    Capture,
    /// Output that is thrown away (`open_null_stream/1`).
    Null,
}

/// A stream of the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stream {
    pub kind: Kind,
    pub mode: Mode,
    pub encoding: Encoding,
    /// Bytes rather than text (`type(binary)`).
    pub binary: bool,
    pub eof_action: EofAction,
    /// Place of the next character.
    pub place: Place,
    pub aliases: Vec<String>,
    /// Value of the property `tty`.
    pub tty: bool,
    /// Name that errors and `stream_property/2` show, set by `set_stream(S, file_name(F))` or by the path.
    pub file_name: Option<String>,
    /// Value of the property `buffer`.
    pub buffer: String,
    /// Value of the property `newline`.
    pub newline: String,
    /// Text to read.
    #[serde(serialize_with = "save_text", deserialize_with = "load_text")]
    text: Arc<str>,
    /// Offset into `text` of the next character.
    at: usize,
    /// The end has been read.
    pub past_end: bool,
    /// Some of the text counts as buffered (`read_pending_codes/3`).
    pub filled: bool,
    /// Text written to a capture.
    captured: String,
    /// Bytes for a file that are not written yet.
    pub(super) unwritten: Vec<u8>,
    /// The file holds what was flushed before: further bytes are appended.
    pub(super) started: bool,
}

fn save_text<S: Serializer>(t: &Arc<str>, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(t)
}

fn load_text<'de, D: Deserializer<'de>>(d: D) -> Result<Arc<str>, D::Error> {
    String::deserialize(d).map(Arc::from)
}

impl Stream {
    /// A stream of this kind; text streams start empty.
    pub fn new(kind: Kind, mode: Mode) -> Stream {
        Stream {
            kind,
            mode,
            encoding: Encoding::Utf8,
            binary: false,
            eof_action: EofAction::EofCode,
            place: Place::START,
            aliases: Vec::new(),
            tty: false,
            file_name: None,
            buffer: "full".into(),
            newline: "posix".into(),
            text: Arc::from(""),
            at: 0,
            past_end: false,
            filled: false,
            captured: String::new(),
            unwritten: Vec::new(),
            started: false,
        }
    }

    /// An input stream over a text.
    pub fn reading(kind: Kind, text: &str) -> Stream {
        let mut s = Stream::new(kind, Mode::Read);
        s.text = Arc::from(text);
        s
    }

    /// Whether it can be read.
    pub fn is_input(&self) -> bool {
        self.mode == Mode::Read
    }

    // ---- input

    /// The whole text and the offset of the next character, for the reader.
    pub fn source(&self) -> (Arc<str>, usize) {
        (self.text.clone(), self.at)
    }

    /// What has not been read.
    pub fn rest(&self) -> &str {
        // After `get_byte/1` inside a character the offset may be within it: go to the next character.
        let mut at = self.at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        self.text.get(at..).unwrap_or("")
    }

    /// The next character, without taking it.
    #[inline]
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character; `None` at the end, which is noted.
    #[inline]
    pub fn get(&mut self) -> Option<char> {
        match self.peek() {
            Some(c) => {
                self.filled = true;
                self.at = self.text.len() - self.rest().len() + c.len_utf8();
                self.place.advance(c, self.encoding);
                Some(c)
            }
            None => {
                self.past_end = true;
                None
            }
        }
    }

    /// The next byte, without taking it.
    pub fn peek_byte(&self) -> Option<u8> {
        if self.binary || self.encoding == Encoding::Octet {
            return self.peek().map(|c| c as u32 as u8);
        }
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes the next byte.
    pub fn get_byte(&mut self) -> Option<u8> {
        if self.binary || self.encoding == Encoding::Octet {
            return self.get().map(|c| c as u32 as u8);
        }
        let b = self.peek_byte();
        match b {
            Some(b'\n') => {
                self.at += 1;
                self.place.advance('\n', self.encoding);
            }
            Some(_) => {
                self.at += 1;
                self.place.byte += 1;
                self.place.char += 1;
                self.place.column += 1;
            }
            None => self.past_end = true,
        }
        b
    }

    /// Takes everything up to the offset `to` of [`Stream::source`].
    pub fn take_to(&mut self, to: usize) {
        let text = self.text.clone();
        if let Some(t) = text.get(self.at..to) {
            self.place.advance_over(t, self.encoding);
            self.at = to;
        }
    }

    /// Takes the whole rest.
    pub fn take_rest(&mut self) -> String {
        let rest = self.rest().to_string();
        self.place.advance_over(&rest, self.encoding);
        self.at = self.text.len();
        self.past_end = true;
        rest
    }

    /// Adds text at the end and forgets what has been read.
    pub(super) fn feed(&mut self, more: &str) {
        let mut t = self.rest().to_string();
        t.push_str(more);
        self.text = Arc::from(t);
        self.at = 0;
        self.past_end = false;
    }

    /// Goes to an offset in characters from the start of the text; false when it is beyond the end.
    pub fn seek_char(&mut self, char: u64, place: Option<Place>) -> bool {
        let text = self.text.clone();
        let mut p = Place::START;
        let mut at = 0;
        for c in text.chars() {
            if p.char == char {
                break;
            }
            p.advance(c, self.encoding);
            at += c.len_utf8();
        }
        if p.char != char {
            return false;
        }
        self.at = at;
        self.place = place.unwrap_or(p);
        self.past_end = false;
        true
    }

    /// Goes to an offset in bytes of the stream's encoding; false when no character starts there.
    pub fn seek_byte(&mut self, byte: u64) -> bool {
        let text = self.text.clone();
        let mut p = Place::START;
        let mut at = 0;
        for c in text.chars() {
            if p.byte >= byte {
                break;
            }
            p.advance(c, self.encoding);
            at += c.len_utf8();
        }
        if p.byte != byte {
            return false;
        }
        self.at = at;
        self.place = p;
        self.past_end = false;
        true
    }

    /// Length of the input in bytes of its encoding.
    pub fn input_length(&self) -> u64 {
        self.text.chars().map(|c| self.encoding.width(c)).sum()
    }

    /// Reads what is left in another encoding.
    pub fn set_encoding(&mut self, to: Encoding) {
        if self.is_input() && self.encoding != to && !matches!(self.kind, Kind::UserInput | Kind::Text) {
            let mut bytes = Vec::new();
            self.encoding.encode(self.rest(), &mut bytes);
            self.text = Arc::from(to.decode(bytes));
            self.at = 0;
        }
        self.encoding = to;
    }

    // ---- output

    /// Text caught so far.
    pub fn captured(&self) -> &str {
        &self.captured
    }

    /// Takes the text caught.
    pub fn take_captured(&mut self) -> String {
        std::mem::take(&mut self.captured)
    }

    /// Writes to a capture, a file's buffer or nowhere; the table handles the standard outputs.
    pub(super) fn put(&mut self, text: &str) {
        match self.kind {
            Kind::Capture => self.captured.push_str(text),
            Kind::File(_) => self.encoding.encode(text, &mut self.unwritten),
            _ => {}
        }
    }

    /// Puts a byte order mark in front, unless something has been written.
    pub fn put_mark(&mut self) {
        if self.unwritten.is_empty() && !self.started && !matches!(self.encoding, Encoding::Octet | Encoding::Latin1 | Encoding::Ascii) {
            self.encoding.encode("\u{feff}", &mut self.unwritten);
        }
    }

    /// Bytes of memory held.
    pub fn memory(&self) -> usize {
        self.text.len() + self.captured.capacity() + self.unwritten.capacity() + 256
    }
}
