//! Classes of characters.

/// What an ASCII byte may start or be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Lower,
    Upper,
    Digit,
    Symbol,
    Space,
    Solo,
    Punctuation,
    Quote,
    /// Part of a character beyond ASCII.
    Wide,
    Illegal,
}

const fn class_of(b: u8) -> Class {
    match b {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' | b'_' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        b'#' | b'$' | b'&' | b'*' | b'+' | b'-' | b'.' | b'/' | b':' | b'<' | b'=' | b'>' | b'?' | b'@' | b'^' | b'~' | b'\\' => {
            Class::Symbol
        }
        b'!' | b';' => Class::Solo,
        b'(' | b')' | b'[' | b']' | b'{' | b'}' | b',' | b'|' => Class::Punctuation,
        b'\'' | b'"' | b'`' => Class::Quote,
        0..=b' ' => Class::Space,
        0x80.. => Class::Wide,
        _ => Class::Illegal,
    }
}

const CLASSES: [Class; 256] = {
    let mut t = [Class::Illegal; 256];
    let mut i = 0;
    while i < 256 {
        t[i] = class_of(i as u8);
        i += 1;
    }
    t
};

/// Class of a byte.
#[inline(always)]
pub fn class(b: u8) -> Class {
    CLASSES[b as usize]
}

/// The byte continues a word: an ASCII letter, digit or `_`.
#[inline(always)]
pub fn is_word_byte(b: u8) -> bool {
    matches!(class(b), Class::Lower | Class::Upper | Class::Digit)
}

/// The character continues a word.
pub fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return is_word_byte(c as u8);
    }
    c.is_alphabetic() || c.is_numeric() && !is_other_number(c) || is_mark(c)
}

/// Combining marks and connectors of Unicode's `ID_Continue` that are not alphabetic.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{94d}' | '\u{b7}' | '\u{203f}' | '\u{2040}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20f0}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
}

/// Digits that are not part of words: superscripts, subscripts, fractions, enclosed numbers.
fn is_other_number(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '¼'..='¾' | '\u{2070}'..='\u{2189}' | '\u{2460}'..='\u{249b}' | '\u{24ea}'..='\u{24ff}'
        | '\u{2776}'..='\u{2793}' | '\u{3192}'..='\u{3195}' | '\u{3220}'..='\u{3229}' | '\u{3248}'..='\u{324f}' | '\u{3251}'..='\u{325f}'
        | '\u{3280}'..='\u{3289}' | '\u{32b1}'..='\u{32bf}')
        && !c.is_alphabetic()
}

/// The character starts a variable.
pub fn is_upper_char(c: char) -> bool {
    c == '_'
        || c.is_uppercase()
        || matches!(c, 'ǅ' | 'ǈ' | 'ǋ' | 'ǲ' | '\u{1f88}'..='\u{1f8f}' | '\u{1f98}'..='\u{1f9f}' | '\u{1fa8}'..='\u{1faf}' | '\u{1fbc}' | '\u{1fcc}' | '\u{1ffc}')
}

/// The character glues to others as `+` does.
pub fn is_symbol_char(c: char) -> bool {
    if c.is_ascii() {
        return class(c as u8) == Class::Symbol;
    }
    !is_word_char(c) && !c.is_numeric() && !is_space_char(c) && !c.is_control()
}

/// White space.
pub fn is_space_char(c: char) -> bool {
    c <= ' ' || c.is_whitespace() || c == '\u{feff}'
}

/// Whether the atom of this text is written without quotes: a lower-case word, a symbol word, `[]`, `{}`, `!` or `;`.
pub fn is_plain_atom(text: &str) -> bool {
    match text {
        "[]" | "{}" | "!" | ";" => return true,
        "" | "." => return false,
        _ => {}
    }
    let Some(first) = text.chars().next() else { return false };
    if first.is_alphabetic() {
        return !is_upper_char(first) && text.chars().all(is_word_char);
    }
    !text.starts_with("/*") && text.chars().all(is_symbol_char)
}
