//! The letters of a name and how codes write them; a byte that belongs to none is a letter of its own.

use std::fmt::Write as _;

/// What such a byte is called in JSON and by Python: a surrogate that no text holds.
const ESCAPED: u32 = 0xdc00;

/// A name, letter by letter.
pub struct Letters<'a> {
    name: &'a [u8],
    /// Where each letter begins, and the end.
    starts: Vec<usize>,
}

impl<'a> Letters<'a> {
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

    /// The first `count` letters, or all of fewer.
    #[must_use]
    pub fn first(&self, count: usize) -> &'a [u8] {
        &self.name[..self.starts[count.min(self.count())]]
    }

    /// The last letter first.
    #[must_use]
    pub fn backwards(&self) -> Vec<u8> {
        self.starts.windows(2).rev().flat_map(|ends| &self.name[ends[0]..ends[1]]).copied().collect()
    }

    /// Dashes and dots as underscores.
    #[must_use]
    pub fn with_underscores(&self) -> Vec<u8> {
        self.name.iter().map(|&letter| if matches!(letter, b'-' | b'.') { b'_' } else { letter }).collect()
    }

    /// Everything but letters and digits as `%2d`.
    #[must_use]
    pub fn all_in_a_url(&self) -> Vec<u8> {
        in_a_url(self.name, b"")
    }

    /// What has a meaning in a URL as `%2d`.
    #[must_use]
    pub fn reserved_in_a_url(&self) -> Vec<u8> {
        in_a_url(self.name, b"-._~")
    }

    /// Everything but letters and digits as `\u002d`.
    #[must_use]
    pub fn in_json(&self) -> Vec<u8> {
        let mut told = String::new();
        for ends in self.starts.windows(2) {
            let letter = &self.name[ends[0]..ends[1]];
            let code = std::str::from_utf8(letter)
                .ok()
                .and_then(|text| text.chars().next())
                .map_or_else(|| ESCAPED + u32::from(letter[0]), u32::from);
            match char::from_u32(code) {
                Some(plain) if plain.is_ascii_alphanumeric() => told.push(plain),
                // Writing to a string cannot fail.
                _ => _ = write!(told, "\\u{code:04x}"),
            }
        }
        told.into_bytes()
    }
}

fn in_a_url(name: &[u8], kept: &[u8]) -> Vec<u8> {
    let mut told = Vec::with_capacity(name.len());
    for &byte in name {
        if byte.is_ascii_alphanumeric() || kept.contains(&byte) {
            told.push(byte);
        } else {
            told.push(b'%');
            told.extend(hex(&[byte]).bytes());
        }
    }
    told
}

/// Two hexadecimal digits for each byte.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut told, byte| {
        // Writing to a string cannot fail.
        let _ = write!(told, "{byte:02x}");
        told
    })
}

#[cfg(test)]
mod tests {
    use super::Letters;

    #[test]
    fn a_letter_of_several_bytes_is_one_and_a_broken_byte_too() {
        let letters = Letters::of(b"m\xc3\xbcl\xff");
        assert_eq!(letters.count(), 4);
        assert_eq!(letters.first(2), b"m\xc3\xbc");
        assert_eq!(letters.backwards(), b"\xffl\xc3\xbcm");
        assert_eq!(letters.in_json(), b"m\\u00fcl\\udcff");
        assert_eq!(letters.all_in_a_url(), b"m%c3%bcl%ff");
    }
}
