//! The streams of a session.
//!
//! Nothing here waits: output for the user collects until the embedder takes it, input for the user is what the
//! embedder has fed, files are read whole when opened and written whole (or appended to) when flushed or closed.
//! So the table can be copied and saved with the session.

pub mod args;
pub mod encoding;
pub mod path;
mod stream;

pub use encoding::Encoding;
pub use stream::{EofAction, Kind, Mode, Place, Stream, Which};

use crate::host::{FileSystem, FsError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Number of the stream `user_input`.
pub const USER_INPUT: u32 = 0;
/// Number of the stream `user_output`.
pub const USER_OUTPUT: u32 = 1;
/// Number of the stream `user_error`.
pub const USER_ERROR: u32 = 2;

/// Output that waits until the embedder takes it; more than this and the machine should stop to let it.
pub const OUTPUT_LIMIT: usize = 64 << 10;

/// The stream table, with the current input and output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Streams {
    table: BTreeMap<u32, Stream>,
    next: u32,
    current_input: u32,
    current_output: u32,
    /// Captures being made, innermost last: the stream and the current output before it.
    captures: Vec<(u32, u32)>,
    waiting: Vec<(Which, String)>,
    waiting_bytes: usize,
    /// The embedder may still feed `user_input`; otherwise its end is the end of the input.
    pub interactive: bool,
    /// A native predicate stopped because `user_input` has run out; see [`Streams::input_needed`].
    needs_input: bool,
    /// What `prompt/2` set: shown by the embedder when it asks the user for input.
    pub prompt: String,
    /// Folder that relative file names are relative to, in the workspace.
    pub directory: String,
    /// Number of the next temporary file.
    pub next_temporary: u64,
}

impl Default for Streams {
    fn default() -> Self {
        Streams::new()
    }
}

impl Streams {
    /// The three standard streams; `user_input` is at its end.
    pub fn new() -> Streams {
        let mut table = BTreeMap::new();
        let mut add = |n: u32, kind: Kind, mode: Mode, alias: &str, buffer: &str| {
            let mut s = Stream::new(kind, mode);
            s.aliases.push(alias.to_string());
            s.buffer = buffer.to_string();
            if n == USER_INPUT {
                s.eof_action = EofAction::Reset;
            }
            table.insert(n, s);
        };
        add(USER_INPUT, Kind::UserInput, Mode::Read, "user_input", "line");
        add(USER_OUTPUT, Kind::User(Which::Output), Mode::Write, "user_output", "line");
        add(USER_ERROR, Kind::User(Which::Error), Mode::Write, "user_error", "false");
        Streams {
            table,
            next: 3,
            current_input: USER_INPUT,
            current_output: USER_OUTPUT,
            captures: Vec::new(),
            waiting: Vec::new(),
            waiting_bytes: 0,
            interactive: false,
            needs_input: false,
            prompt: "|: ".into(),
            directory: "/".into(),
            next_temporary: 1,
        }
    }

    // ---- for the embedder

    /// Takes the output written since the last call, in order.
    pub fn take_output(&mut self) -> Vec<(Which, String)> {
        self.waiting_bytes = 0;
        std::mem::take(&mut self.waiting)
    }

    /// Whether so much output waits that the machine should stop to let the embedder take it.
    pub fn output_is_full(&self) -> bool {
        self.waiting_bytes >= OUTPUT_LIMIT
    }

    /// Whether any output waits.
    pub fn has_output(&self) -> bool {
        self.waiting_bytes > 0
    }

    /// Adds text that the user typed (with its line end).
    pub fn feed_input(&mut self, text: &str) {
        self.needs_input = false;
        if let Some(s) = self.table.get_mut(&USER_INPUT) {
            s.feed(text);
        }
    }

    /// The user's input ends here.
    pub fn close_input(&mut self) {
        self.needs_input = false;
        self.interactive = false;
    }

    /// The prompt to ask the user with, when a predicate stopped with [`crate::error::Throw::Input`].
    pub fn input_needed(&self) -> Option<&str> {
        self.needs_input.then_some(self.prompt.as_str())
    }

    /// Notes that `user_input` has run out. Gives whether the embedder can feed more.
    pub fn ask_input(&mut self, n: u32) -> bool {
        let ask = self.interactive && self.table.get(&n).is_some_and(|s| s.kind == Kind::UserInput);
        self.needs_input = ask;
        ask
    }

    /// Bytes of memory held, for the memory limit.
    pub fn memory(&self) -> usize {
        self.waiting_bytes + self.table.values().map(Stream::memory).sum::<usize>()
    }

    // ---- the table

    /// The stream with this number.
    pub fn get(&self, n: u32) -> Option<&Stream> {
        self.table.get(&n)
    }

    /// The stream with this number, to change.
    pub fn get_mut(&mut self, n: u32) -> Option<&mut Stream> {
        self.table.get_mut(&n)
    }

    /// Numbers of the open streams, oldest first.
    pub fn numbers(&self) -> Vec<u32> {
        self.table.keys().copied().collect()
    }

    /// The stream of this alias.
    pub fn by_alias(&self, alias: &str) -> Option<u32> {
        // The newest holder wins: `set_stream(S, alias(user_output))` redirects it.
        self.table.iter().rev().find(|(_, s)| s.aliases.iter().any(|a| a == alias)).map(|(n, _)| *n)
    }

    /// Gives the alias to a stream; other streams lose it, except that the standard streams keep theirs.
    pub fn set_alias(&mut self, n: u32, alias: &str) {
        for (k, s) in self.table.iter_mut() {
            if *k > USER_ERROR {
                s.aliases.retain(|a| a != alias);
            }
        }
        if let Some(s) = self.table.get_mut(&n)
            && !s.aliases.iter().any(|a| a == alias)
        {
            s.aliases.push(alias.to_string());
        }
    }

    /// Adds a stream to the table.
    pub fn add(&mut self, s: Stream) -> u32 {
        let n = self.next;
        self.next = self.next.saturating_add(1);
        self.table.insert(n, s);
        n
    }

    /// The current input.
    pub fn input(&self) -> u32 {
        if self.table.contains_key(&self.current_input) { self.current_input } else { USER_INPUT }
    }

    /// The current output.
    pub fn output(&self) -> u32 {
        if self.table.contains_key(&self.current_output) { self.current_output } else { USER_OUTPUT }
    }

    /// Makes a stream the current input.
    pub fn set_input(&mut self, n: u32) {
        self.current_input = n;
    }

    /// Makes a stream the current output.
    pub fn set_output(&mut self, n: u32) {
        self.current_output = n;
    }

    // ---- output

    /// Writes text to a stream.
    pub fn write(&mut self, n: u32, text: &str) {
        let Some(s) = self.table.get_mut(&n) else { return };
        s.place.advance_over(text, s.encoding);
        let Kind::User(which) = s.kind else { return s.put(text) };
        if text.is_empty() {
            return;
        }
        self.waiting_bytes += text.len();
        match self.waiting.last_mut() {
            Some((w, t)) if *w == which => t.push_str(text),
            _ => self.waiting.push((which, text.to_string())),
        }
    }

    /// Column where the next character goes.
    pub fn column(&self, n: u32) -> u64 {
        self.table.get(&n).map_or(0, |s| s.place.column)
    }

    /// Starts a capture: a new stream that is the current output until [`Streams::pop_capture`].
    pub fn push_capture(&mut self) -> u32 {
        let before = self.output();
        let n = self.add(Stream::new(Kind::Capture, Mode::Write));
        self.captures.push((n, before));
        self.current_output = n;
        n
    }

    /// Ends the capture on stream `n` and those inside it; gives its text and restores the current output.
    pub fn pop_capture(&mut self, n: u32) -> Option<String> {
        let depth = self.captures.iter().rposition(|c| c.0 == n)?;
        let before = self.captures.get(depth)?.1;
        let mut text = None;
        for (k, _) in self.captures.drain(depth..) {
            let s = self.table.remove(&k);
            if k == n {
                text = s.map(|mut s| s.take_captured());
            }
        }
        self.current_output = before;
        Some(text.unwrap_or_default())
    }

    /// Hands what was written to a file over to the host.
    pub fn flush(&mut self, files: &dyn FileSystem, n: u32) -> Result<(), FsError> {
        let Some(s) = self.table.get_mut(&n) else { return Ok(()) };
        let Kind::File(path) = &s.kind else { return Ok(()) };
        if s.is_input() || (s.started && s.unwritten.is_empty()) {
            return Ok(());
        }
        if s.started || s.mode == Mode::Append {
            files.append(path, &s.unwritten)?
        } else {
            files.write(path, &s.unwritten)?
        }
        s.started = true;
        s.unwritten.clear();
        Ok(())
    }

    /// Flushes every stream; gives the first error. The embedder calls it when a run ends.
    pub fn flush_all(&mut self, files: &dyn FileSystem) -> Result<(), FsError> {
        let mut first = Ok(());
        for n in self.numbers() {
            let r = self.flush(files, n);
            if first.is_ok() {
                first = r;
            }
        }
        first
    }

    /// Flushes the streams that write to this file, so that who reads it now sees everything.
    pub fn flush_path(&mut self, files: &dyn FileSystem, path: &str) -> Result<(), FsError> {
        let writers: Vec<u32> = self.table.iter().filter(|(_, s)| matches!(&s.kind, Kind::File(p) if p == path)).map(|(n, _)| *n).collect();
        writers.into_iter().try_for_each(|n| self.flush(files, n))
    }

    /// Flushes and removes a stream; the standard streams are only flushed. The stream is gone even when the flush fails.
    pub fn close(&mut self, files: &dyn FileSystem, n: u32) -> Result<(), FsError> {
        let flushed = self.flush(files, n);
        if n > USER_ERROR {
            self.table.remove(&n);
            self.captures.retain(|c| c.0 != n);
        }
        if self.current_output == n {
            self.current_output = USER_OUTPUT;
        }
        if self.current_input == n {
            self.current_input = USER_INPUT;
        }
        flushed
    }

    /// Back to the standard streams, as after an abort: captures are dropped, current input and output reset. Files stay open.
    pub fn reset(&mut self) {
        for (k, _) in std::mem::take(&mut self.captures) {
            self.table.remove(&k);
        }
        self.current_input = USER_INPUT;
        self.current_output = USER_OUTPUT;
        self.needs_input = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::MemoryFiles;

    #[test]
    fn output_keeps_its_order_and_captures_nest() {
        let mut s = Streams::new();
        s.write(USER_OUTPUT, "a\nbc");
        s.write(USER_ERROR, "e");
        s.write(USER_OUTPUT, "\td");
        assert_eq!(s.column(USER_OUTPUT), 9);
        let outer = s.push_capture();
        s.write(s.output(), "x");
        let inner = s.push_capture();
        s.write(s.output(), "y");
        assert_eq!(s.pop_capture(inner).as_deref(), Some("y"));
        let lost = s.push_capture();
        s.write(lost, "z");
        assert_eq!(s.pop_capture(outer).as_deref(), Some("x"));
        assert_eq!(s.output(), USER_OUTPUT);
        assert_eq!(s.pop_capture(lost), None);
        let out = s.take_output();
        assert_eq!(out.iter().map(|(_, t)| t.as_str()).collect::<Vec<_>>(), ["a\nbc", "e", "\td"]);
    }

    #[test]
    fn input_counts_places_and_files_are_written_whole() {
        let files = MemoryFiles::new();
        let mut s = Streams::new();
        let n = s.add(Stream::new(Kind::File("/f".into()), Mode::Write));
        s.write(n, "é1");
        assert_eq!(files.read("/f"), Err(FsError::NotFound));
        s.flush_path(&files, "/f").unwrap();
        s.write(n, "2\n");
        s.close(&files, n).unwrap();
        assert_eq!(files.read("/f").unwrap(), "é12\n".as_bytes());
        let mut i = Stream::reading(Kind::Text, "é\na");
        assert_eq!((i.get(), i.get(), i.peek(), i.get(), i.get(), i.past_end), (Some('é'), Some('\n'), Some('a'), Some('a'), None, true));
        assert_eq!(i.place, Place { byte: 4, char: 3, line: 2, column: 1 });
        assert!(i.seek_byte(2) && i.rest() == "\na" && !i.seek_byte(1) && i.seek_char(3, None) && !i.seek_char(4, None));
        let saved = postcard::to_stdvec(&s).unwrap();
        let back: Streams = postcard::from_bytes(&saved).unwrap();
        assert_eq!(back.numbers(), s.numbers());
    }
}
