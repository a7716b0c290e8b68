//! Text encodings of files.

/// How the characters of a stream are kept as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Encoding {
    Utf8,
    Octet,
    Latin1,
    Ascii,
    Utf16Be,
    Utf16Le,
}

impl Encoding {
    /// The encoding of this name, as `open/4` takes it.
    pub fn from_name(name: &str) -> Option<Encoding> {
        Some(match name {
            "utf8" | "utf_8" | "text" | "UTF-8" => Encoding::Utf8,
            "octet" => Encoding::Octet,
            "iso_latin_1" => Encoding::Latin1,
            "ascii" => Encoding::Ascii,
            "utf16be" | "unicode_be" => Encoding::Utf16Be,
            "utf16le" | "unicode_le" => Encoding::Utf16Le,
            _ => return None,
        })
    }

    /// Name as `stream_property/2` shows it.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf8",
            Encoding::Octet => "octet",
            Encoding::Latin1 => "iso_latin_1",
            Encoding::Ascii => "ascii",
            Encoding::Utf16Be => "utf16be",
            Encoding::Utf16Le => "utf16le",
        }
    }

    /// Bytes that one character takes.
    pub fn width(self, c: char) -> u64 {
        match self {
            Encoding::Utf8 => c.len_utf8() as u64,
            Encoding::Octet | Encoding::Latin1 | Encoding::Ascii => 1,
            Encoding::Utf16Be | Encoding::Utf16Le => 2 * c.len_utf16() as u64,
        }
    }

    /// Encoding and length of a byte order mark at the start.
    pub fn of_mark(bytes: &[u8]) -> Option<(Encoding, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((Encoding::Utf8, 3)),
            [0xFE, 0xFF, ..] => Some((Encoding::Utf16Be, 2)),
            [0xFF, 0xFE, ..] => Some((Encoding::Utf16Le, 2)),
            _ => None,
        }
    }

    /// Decodes a whole content. Bytes that are not valid count as characters of their own value, so that nothing is lost silently.
    pub fn decode(self, bytes: Vec<u8>) -> String {
        match self {
            Encoding::Utf8 => match String::from_utf8(bytes) {
                Ok(s) => s,
                Err(e) => {
                    let mut out = String::new();
                    for chunk in e.as_bytes().utf8_chunks() {
                        out.push_str(chunk.valid());
                        out.extend(chunk.invalid().iter().map(|&b| b as char));
                    }
                    out
                }
            },
            Encoding::Octet | Encoding::Latin1 | Encoding::Ascii => bytes.into_iter().map(|b| b as char).collect(),
            Encoding::Utf16Be | Encoding::Utf16Le => {
                let units = bytes.chunks(2).map(|c| {
                    let (a, b) = (c.first().copied().unwrap_or(0), c.get(1).copied().unwrap_or(0));
                    if self == Encoding::Utf16Be { u16::from_be_bytes([a, b]) } else { u16::from_le_bytes([a, b]) }
                });
                char::decode_utf16(units).map(|r| r.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
        }
    }

    /// Appends the bytes of `text`. A character the encoding lacks is written as the escape `\x..\`.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) {
        let limit = match self {
            Encoding::Utf8 => return out.extend_from_slice(text.as_bytes()),
            Encoding::Octet | Encoding::Latin1 => 0xFF,
            Encoding::Ascii => 0x7F,
            Encoding::Utf16Be => return out.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Encoding::Utf16Le => return out.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
        };
        for c in text.chars() {
            if c as u32 <= limit { out.push(c as u8) } else { out.extend(format!("\\x{:x}\\", c as u32).bytes()) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_round_trip_and_keep_bad_bytes() {
        for e in [Encoding::Utf8, Encoding::Utf16Be, Encoding::Utf16Le] {
            let mut b = Vec::new();
            e.encode("aé€😀", &mut b);
            assert_eq!(b.len() as u64, "aé€😀".chars().map(|c| e.width(c)).sum::<u64>());
            assert_eq!(e.decode(b), "aé€😀");
        }
        assert_eq!(Encoding::Utf8.decode(vec![b'a', 0xE9, b'b']), "aéb");
        let mut b = Vec::new();
        Encoding::Ascii.encode("é", &mut b);
        assert_eq!(b, b"\\xe9\\");
    }
}
