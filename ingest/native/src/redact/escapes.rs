//! URL and JSON escapes of a name, character by character; an invalid UTF-8 byte counts as one character.

use std::fmt::Write as _;

/// Added to an invalid byte to get its lone surrogate, as in JSON and in Python's `surrogateescape`.
const ESCAPED: u32 = 0xdc00;

/// A name as a sequence of characters.
pub struct NameChars<'a> {
    name: &'a [u8],
    /// The start of each character, and the end of the name.
    starts: Vec<usize>,
}

impl<'a> NameChars<'a> {
    #[must_use]
    pub fn of(name: &'a [u8]) -> Self {
        let mut starts = vec![];
        let mut at = 0;
        for chunk in name.utf8_chunks() {
            starts.extend(chunk.valid().char_indices().map(|(start, _)| at + start));
            at += chunk.valid().len();
            starts.extend((0..chunk.invalid().len()).map(|byte| at + byte));
            at += chunk.invalid().len();
        }
        starts.push(at);
        Self { name, starts }
    }

    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.name
    }

    #[must_use]
    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The first `count` characters, or all if there are fewer.
    #[must_use]
    pub fn first(&self, count: usize) -> &'a [u8] {
        &self.name[..self.starts[count.min(self.count())]]
    }

    /// Reversed, last character first.
    #[must_use]
    pub fn backwards(&self) -> Vec<u8> {
        self.starts.windows(2).rev().flat_map(|ends| &self.name[ends[0]..ends[1]]).copied().collect()
    }

    /// Dashes and dots as underscores.
    #[must_use]
    pub fn with_underscores(&self) -> Vec<u8> {
        self.name.iter().map(|&byte| if matches!(byte, b'-' | b'.') { b'_' } else { byte }).collect()
    }

    /// Everything but ASCII chars and digits as `%2d`.
    #[must_use]
    pub fn all_in_a_url(&self) -> Vec<u8> {
        in_a_url(self.name, b"")
    }

    /// Characters reserved in a URL as `%2d`.
    #[must_use]
    pub fn reserved_in_a_url(&self) -> Vec<u8> {
        in_a_url(self.name, b"-._~")
    }

    /// Everything but ASCII chars and digits as `\u002d`.
    #[must_use]
    pub fn in_json(&self) -> Vec<u8> {
        let mut escaped = String::new();
        for ends in self.starts.windows(2) {
            let character = &self.name[ends[0]..ends[1]];
            let code = std::str::from_utf8(character)
                .ok()
                .and_then(|text| text.chars().next())
                .map_or_else(|| ESCAPED + u32::from(character[0]), u32::from);
            match char::from_u32(code) {
                Some(plain) if plain.is_ascii_alphanumeric() => escaped.push(plain),
                // Writing to a string cannot fail.
                _ => _ = write!(escaped, "\\u{code:04x}"),
            }
        }
        escaped.into_bytes()
    }
}

fn in_a_url(name: &[u8], unescaped: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_alphanumeric() || unescaped.contains(&byte) {
            escaped.push(byte);
        } else {
            escaped.push(b'%');
            escaped.extend(hex(&[byte]).bytes());
        }
    }
    escaped
}

/// Two hexadecimal digits for each byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[cfg(test)]
mod tests {
    use super::NameChars;

    #[test]
    fn a_multi_byte_character_counts_as_one_and_so_does_an_invalid_byte() {
        let chars = NameChars::of(b"m\xc3\xbcl\xff");
        assert_eq!(chars.count(), 4);
        assert_eq!(chars.first(2), b"m\xc3\xbc");
        assert_eq!(chars.backwards(), b"\xffl\xc3\xbcm");
        assert_eq!(chars.in_json(), b"m\\u00fcl\\udcff");
        assert_eq!(chars.all_in_a_url(), b"m%c3%bcl%ff");
    }
}
