//! JSON text (RFC 8259) to terms and back. Neither direction recurses, so the nesting has no limit but memory.

use crate::atom;
use crate::builtins::dicts;
use crate::cell::Cell;
use crate::heap::Heap;
use crate::text;

mod write;
pub use write::{Layout, Unfit, write};

/// How JSON values are shown as terms.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Objects are dicts and texts strings; otherwise `json([Key=Value])`, atoms and `@(null)`.
    pub dicts: bool,
    /// Texts are atoms in the dict form too.
    pub atoms: bool,
    /// Terms for `null`, `true` and `false`.
    pub null: Cell,
    pub yes: Cell,
    pub no: Cell,
    /// Key whose value is the tag of a dict.
    pub tag_key: Option<String>,
    /// Tag of a dict without one.
    pub default_tag: Option<Cell>,
}

impl Shape {
    /// The dict form with its defaults.
    pub fn dicts() -> Shape {
        let a = Cell::atom;
        Shape { dicts: true, atoms: false, null: a(atom::NULL), yes: a(atom::TRUE), no: a(atom::FALSE), tag_key: None, default_tag: None }
    }

    /// The form with `json/1`.
    pub fn classic(heap: &mut Heap) -> Shape {
        let at = |heap: &mut Heap, a| heap.compound_named("@", &[Cell::atom(a)]);
        let (null, yes, no) = (at(heap, atom::NULL), at(heap, atom::TRUE), at(heap, atom::FALSE));
        Shape { dicts: false, atoms: true, null, yes, no, ..Shape::dicts() }
    }
}

/// Why a text is no JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// What is wrong, and the byte where.
    Syntax(&'static str, usize),
    /// An object has this key twice.
    Duplicate(Cell),
    /// A number is larger than the limit on integers.
    TooLarge,
}

enum Frame {
    Array(Vec<Cell>),
    /// The entries so far, and the key whose value is being read.
    Object(Vec<(Cell, Cell)>, Cell),
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    max_bits: usize,
}

/// Reads one value from the start of the text and gives the byte behind it.
///
/// # Errors
/// A [`Fault`] with the place in the text.
pub fn parse(heap: &mut Heap, text: &str, shape: &Shape, max_bits: usize) -> Result<(Cell, usize), Fault> {
    let mut p = Parser { text, at: 0, max_bits };
    let mut stack: Vec<Frame> = Vec::new();
    loop {
        // A value begins here.
        p.blanks();
        let mut value = match p.peek() {
            Some(b'[') => {
                p.at += 1;
                p.blanks();
                if p.take(b']') {
                    Cell::NIL
                } else {
                    stack.push(Frame::Array(Vec::new()));
                    continue;
                }
            }
            Some(b'{') => {
                p.at += 1;
                p.blanks();
                if p.take(b'}') {
                    object(heap, shape, Vec::new())?
                } else {
                    let key = p.key(heap)?;
                    stack.push(Frame::Object(Vec::new(), key));
                    continue;
                }
            }
            _ => p.scalar(heap, shape)?,
        };
        // A value ends here: give it to what it is part of.
        loop {
            match stack.pop() {
                None => return Ok((value, p.at)),
                Some(Frame::Array(mut items)) => {
                    items.push(value);
                    p.blanks();
                    if p.take(b',') {
                        stack.push(Frame::Array(items));
                        break;
                    }
                    if !p.take(b']') {
                        return Err(p.fault("illegal_array"));
                    }
                    value = heap.list_from(&items);
                }
                Some(Frame::Object(mut entries, key)) => {
                    entries.push((key, value));
                    p.blanks();
                    if p.take(b',') {
                        p.blanks();
                        let key = p.key(heap)?;
                        stack.push(Frame::Object(entries, key));
                        break;
                    }
                    if !p.take(b'}') {
                        return Err(p.fault("illegal_object"));
                    }
                    value = object(heap, shape, entries)?;
                }
            }
        }
    }
}

/// Byte behind the white space that follows `at`.
pub fn skip_blanks(text: &str, at: usize) -> usize {
    let mut p = Parser { text, at, max_bits: 0 };
    p.blanks();
    p.at
}

fn object(heap: &mut Heap, shape: &Shape, mut entries: Vec<(Cell, Cell)>) -> Result<Cell, Fault> {
    if !shape.dicts {
        let pairs: Vec<Cell> = entries.iter().map(|&(k, v)| heap.compound(atom::EQ, &[k, v])).collect();
        let list = heap.list_from(&pairs);
        return Ok(heap.compound_named("json", &[list]));
    }
    let mut tag = None;
    if let Some(name) = &shape.tag_key {
        let key = heap.atom(name);
        if let Some(i) = entries.iter().position(|e| e.0 == key)
            && let Some(t) = text::atomic(heap, entries[i].1).map(|t| t.into_owned())
        {
            tag = Some(heap.atom(&t));
            entries.remove(i);
        }
    }
    let tag = match tag.or(shape.default_tag) {
        Some(t) => t,
        None => heap.new_var(),
    };
    dicts::build(heap, tag, entries).map_err(Fault::Duplicate)
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, b: u8) -> bool {
        let hit = self.peek() == Some(b);
        self.at += usize::from(hit);
        hit
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fault(&self, what: &'static str) -> Fault {
        Fault::Syntax(if self.at >= self.text.len() { "unexpected_end_of_file" } else { what }, self.at)
    }

    /// A key with its colon.
    fn key(&mut self, heap: &mut Heap) -> Result<Cell, Fault> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("illegal_object"));
        }
        let s = self.string()?;
        self.blanks();
        if !self.take(b':') {
            return Err(self.fault("illegal_object"));
        }
        Ok(heap.atom(&s))
    }

    fn scalar(&mut self, heap: &mut Heap, shape: &Shape) -> Result<Cell, Fault> {
        match self.peek() {
            Some(b'"') => {
                let s = self.string()?;
                Ok(if shape.atoms { heap.atom(&s) } else { heap.string(&s) })
            }
            Some(b'-' | b'0'..=b'9') => self.number(heap),
            Some(b'n') => self.word("null", shape.null),
            Some(b't') => self.word("true", shape.yes),
            Some(b'f') => self.word("false", shape.no),
            _ => Err(self.fault("illegal_json")),
        }
    }

    fn word(&mut self, word: &str, value: Cell) -> Result<Cell, Fault> {
        let rest = self.text.get(self.at..).unwrap_or("");
        let found = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        if rest.get(..found) != Some(word) {
            return Err(self.fault("illegal_json"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self, heap: &mut Heap) -> Result<Cell, Fault> {
        let start = self.at;
        self.take(b'-');
        let first = self.peek();
        let whole = self.digits();
        if whole > 1 && first == Some(b'0') {
            return Err(Fault::Syntax("illegal_number", start));
        }
        if whole == 0 {
            return Err(self.fault("illegal_number"));
        }
        let mut float = false;
        if self.take(b'.') {
            float = true;
            if self.digits() == 0 {
                return Err(self.fault("illegal_number"));
            }
        }
        if self.take(b'e') || self.take(b'E') {
            float = true;
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(self.fault("illegal_number"));
            }
        }
        let s = self.text.get(start..self.at).unwrap_or("");
        if float {
            return match s.parse::<f64>() {
                Ok(f) if f.is_finite() => Ok(heap.float(f)),
                _ => Err(self.fault("illegal_number")),
            };
        }
        if let Ok(i) = s.parse::<i64>() {
            return Ok(heap.int(i));
        }
        if whole > self.max_bits / 3 {
            return Err(Fault::TooLarge);
        }
        match s.parse::<dashu_int::IBig>() {
            Ok(i) => Ok(heap.integer(&i)),
            Err(_) => Err(self.fault("illegal_number")),
        }
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let plain = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < 0x20);
            let Some(plain) = plain else {
                self.at = self.text.len();
                return Err(self.fault("unterminated_string"));
            };
            out.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            if self.take(b'"') {
                return Ok(out);
            }
            if !self.take(b'\\') {
                return Err(self.fault("illegal_string"));
            }
            let c = match self.peek() {
                Some(b'n') => '\n',
                Some(b't') => '\t',
                Some(b'r') => '\r',
                Some(b'b') => '\u{8}',
                Some(b'f') => '\u{c}',
                Some(c @ (b'"' | b'\\' | b'/')) => c as char,
                Some(b'u') => {
                    self.at += 1;
                    out.push(self.escape()?);
                    continue;
                }
                _ => return Err(self.fault("illegal_string_escape")),
            };
            self.at += 1;
            out.push(c);
        }
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let hex = self.text.get(self.at..self.at + 4).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
        match hex.and_then(|h| u32::from_str_radix(h, 16).ok()) {
            Some(v) => {
                self.at += 4;
                Ok(v)
            }
            None => Err(self.fault("illegal_string_escape")),
        }
    }

    /// The character of `\uXXXX`, or of two of them that are a surrogate pair; half a pair becomes U+FFFD.
    fn escape(&mut self) -> Result<char, Fault> {
        let high = self.hex4()?;
        if (0xd800..0xdc00).contains(&high) && self.text.get(self.at..self.at + 2) == Some("\\u") {
            let back = self.at;
            self.at += 2;
            let low = self.hex4()?;
            if (0xdc00..0xe000).contains(&low) {
                let c = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(c).unwrap_or('\u{fffd}'));
            }
            self.at = back;
        }
        Ok(char::from_u32(high).unwrap_or('\u{fffd}'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(s: &str, layout: &Layout) -> String {
        let mut h = Heap::new();
        let shape = Shape::dicts();
        match parse(&mut h, s, &shape, 1 << 20) {
            Ok((c, _)) => write(&h, c, &shape, layout, &|_| String::new()).unwrap_or_else(|e| format!("{e:?}")),
            Err(e) => format!("{e:?}"),
        }
    }

    #[test]
    fn layouts() {
        let line = Layout { width: 0, ..Layout::default() };
        let compact = Layout { compact: true, ..Layout::default() };
        let d = Layout::default();
        for (s, layout, want) in [
            (r#"{"b":[1,2],"a":1}"#, &line, r#"{"a":1, "b": [1, 2 ]}"#),
            (r#"[{"a":1,"b":[1,2]},[],{}]"#, &line, r#"[ {"a":1, "b": [1, 2 ]},  [],  {} ]"#),
            (r#"{"a":1,"c":[1,2,3],"d":{"e":null,"f":true}}"#, &d, r#"{"a":1, "c": [1, 2, 3 ], "d": {"e":null, "f":true}}"#),
            (r#"{ "a" : [ 1.5 , -0 , 1e5 ] }"#, &compact, r#"{"a":[1.5,0,100000.0]}"#),
            (r#""\u00e9\ud83d\ude00\n\"</x""#, &d, "\"é😀\\n\\\"<\\/x\""),
            ("[1,]", &d, "Syntax(\"illegal_json\", 3)"),
            ("[1", &d, "Syntax(\"unexpected_end_of_file\", 2)"),
            ("01", &d, "Syntax(\"illegal_number\", 0)"),
            ("", &d, "Syntax(\"unexpected_end_of_file\", 0)"),
            ("{\"a\":1", &d, "Syntax(\"unexpected_end_of_file\", 6)"),
            ("123456789012345678901234567890", &d, "123456789012345678901234567890"),
        ] {
            assert_eq!(round(s, layout), want, "{s}");
        }
        let long = "x".repeat(68);
        assert_eq!(round(&format!("[\"{long}\"]"), &d), format!("[\"{long}\" ]"));
        assert_eq!(round(&format!("[\"{long}x\",[],{{}},[1]]"), &d), format!("[\n  \"{long}x\",\n  [],\n  {{}},\n  [1 ]\n]"));
        assert_eq!(round(&format!("{{\"a\":[1,\"{long}\"]}}"), &d), format!("{{\n  \"a\": [\n    1,\n    \"{long}\"\n  ]\n}}"));
    }

    #[test]
    fn deep() {
        let n = 300_000;
        let s = "[".repeat(n) + &"]".repeat(n);
        assert_eq!(round(&s, &Layout { compact: true, ..Layout::default() }), s);
    }
}
