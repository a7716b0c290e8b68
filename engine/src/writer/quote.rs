//! Character classes as the writer sees them, and quoting of atoms and strings.

/// Whether a character continues a word (an unquoted atom or a variable).
pub fn is_alnum(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphabetic() || (c.is_numeric() && !is_other_number(c)) || is_mark(c)
}

/// Numeric characters that are not digits: superscripts, fractions, circled numbers.
fn is_other_number(c: char) -> bool {
    matches!(c as u32, 0xb2 | 0xb3 | 0xb9 | 0xbc..=0xbe | 0x9f4..=0x9f9 | 0xb72..=0xb77 | 0xbf0..=0xbf2 | 0xc78..=0xc7e | 0xd58..=0xd5e
        | 0xd70..=0xd78 | 0xf2a..=0xf33 | 0x1369..=0x137c | 0x17f0..=0x17f9 | 0x19da | 0x2070..=0x2089 | 0x2150..=0x215f | 0x2189
        | 0x2460..=0x249b | 0x24ea..=0x24ff | 0x2776..=0x2793 | 0x2cfd | 0x3192..=0x3195 | 0x3220..=0x3229 | 0x3248..=0x324f
        | 0x3251..=0x325f | 0x3280..=0x3289 | 0x32b1..=0x32bf | 0xa830..=0xa835 | 0x10107..=0x10133 | 0x1f100..=0x1f10c)
}

/// Combining marks, which continue a word but cannot begin one.
fn is_mark(c: char) -> bool {
    matches!(c as u32, 0x300..=0x36f | 0x483..=0x487 | 0x591..=0x5bd | 0x610..=0x61a | 0x64b..=0x65f | 0x93c | 0x94d | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff | 0x20d0..=0x20dc | 0x3099 | 0x309a | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f)
}

/// Whether a character can begin an unquoted atom of letters.
fn is_lower_start(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_lowercase() } else { c.is_alphabetic() && !c.is_uppercase() && !is_mark(c) }
}

/// Whether a character can begin a variable.
fn is_variable_start(c: char) -> bool {
    c == '_' || c.is_uppercase()
}

/// Whether a character is a symbol character, of which operators such as `:-` are made.
pub fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, '#' | '$' | '&' | '*' | '+' | '-' | '.' | '/' | ':' | '<' | '=' | '>' | '?' | '@' | '^' | '~' | '\\');
    }
    !is_alnum(c) && !c.is_uppercase() && is_graphic(c)
}

/// Whether a character shows as itself inside quotes.
fn is_graphic(c: char) -> bool {
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    !(c.is_control()
        || c.is_whitespace()
        || matches!(c as u32, 0xa0 | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff | 0xe000..=0xf8ff
            | 0xfff0..=0xfffb | 0xfffe | 0xffff | 0xe0000..))
}

/// Whether a text is written bare as an atom and reads back as that atom.
pub fn is_bare_atom(s: &str) -> bool {
    let mut it = s.chars();
    let Some(first) = it.next() else { return false };
    if is_lower_start(first) {
        return it.all(is_alnum);
    }
    match s {
        "!" | ";" | "{}" => true,
        "." => false,
        _ => !s.starts_with("/*") && s.chars().all(is_symbol),
    }
}

/// Whether a text has the form of a variable.
pub fn is_variable_name(s: &str) -> bool {
    let mut it = s.chars();
    it.next().is_some_and(is_variable_start) && it.all(is_alnum)
}

/// Appends `s` between quotes `q`, escaped so that it reads back.
pub fn quote(out: &mut String, s: &str, q: char, escapes: bool, unicode: bool) {
    out.push(q);
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            _ if c == q => {
                out.push(if escapes { '\\' } else { q });
                out.push(c);
            }
            _ if is_graphic(c) || !escapes => out.push(c),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{b}' => out.push_str("\\v"),
            '\r' => out.push_str("\\r"),
            '\u{c}' => out.push_str("\\f"),
            _ if !unicode => out.push_str(&format!("\\x{:X}\\", c as u32)),
            _ if (c as u32) < 0x10000 => out.push_str(&format!("\\u{:04X}", c as u32)),
            _ => out.push_str(&format!("\\U{:08X}", c as u32)),
        }
    }
    out.push(q);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare() {
        for s in ["a", "aB_1", "é", "日本", "+", "->", "!", ";", "{}", "\\", "€", "→→", "a１", "ß", "«"] {
            assert!(is_bare_atom(s), "{s}");
        }
        for s in ["", "A", "_x", "1a", "É", ".", "/*", ",", "|", "a b", "[]", "a→b", "x²", "\u{301}", "it's", "\u{200b}", "a!"] {
            assert!(!is_bare_atom(s), "{s}");
        }
    }

    #[test]
    fn escapes() {
        let q = |s: &str| {
            let mut o = String::new();
            quote(&mut o, s, '\'', true, false);
            o
        };
        assert_eq!(q("it's"), "'it\\'s'");
        assert_eq!(q("\u{7}\u{8}\t\n\u{b}\r\u{c}\\"), "'\\a\\b\\t\\n\\v\\r\\f\\\\'");
        assert_eq!(q("\u{1b}\u{0}\u{7f}\u{a0}\u{200b}"), "'\\x1B\\\\x0\\\\x7F\\\\xA0\\\\x200B\\'");
    }
}
