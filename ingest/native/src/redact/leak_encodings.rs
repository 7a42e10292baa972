//! Encodings in which a name may have leaked, for the independent leak scan; shares no code with redaction.

use std::net::Ipv4Addr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::redact::multi_pattern_search::{MultiPatternSearch, Word};

const COMM_BYTES: usize = 15;
/// Shorter names are searched for as whole words only: three characters occur in any base64.
const SHORT: usize = 6;

/// A leaked name: start, end (exclusive), number of the name, and its encoding.
pub type LeakMatch = (usize, usize, usize, &'static str);

/// Names in all their encodings.
pub struct LeakEncodings {
    words: MultiPatternSearch,
    /// For each word, the number of its name and of its encoding in `titles`.
    of: (Vec<u32>, Vec<u8>),
    titles: Vec<&'static str>,
    longest: usize,
}

impl LeakEncodings {
    /// Index all encodings of `names`.
    ///
    /// # Panics
    ///
    /// With more than 2^32 names.
    #[must_use]
    pub fn new(names: &[Vec<u8>]) -> Self {
        let mut of = (Vec::new(), Vec::new());
        let mut titles: Vec<&'static str> = Vec::new();
        let mut longest = 0;
        let all = names.iter().enumerate().flat_map(|(number, name)| {
            encodings(name).into_iter().map(move |(title, word)| (number, title, word))
        });
        let words = MultiPatternSearch::new(all.map(|(number, title, word)| {
            let place = titles.iter().position(|&one| one == title).unwrap_or_else(|| {
                titles.push(title);
                titles.len() - 1
            });
            of.0.push(u32::try_from(number).expect("names fit in memory"));
            of.1.push(u8::try_from(place).expect("there are few encodings"));
            longest = longest.max(word.needle.len());
            word
        }));
        Self { words, of, titles, longest }
    }

    /// Bytes of the longest encoding.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// All leaked names in `text` from byte `from` on, in order.
    #[must_use]
    pub fn places(&self, text: &[u8], from: usize) -> Vec<LeakMatch> {
        let leak = |(start, end, number): (usize, usize, usize)| {
            (start, end, self.of.0[number] as usize, self.titles[usize::from(self.of.1[number])])
        };
        self.words.places(text, from).into_iter().map(leak).collect()
    }
}

fn encodings(name: &[u8]) -> Vec<(&'static str, Word)> {
    let is_short = name.len() < SHORT;
    let word = |needle: Vec<u8>, is_exact, is_bounded| Word { needle, is_exact, is_bounded };
    let mut found = vec![("as it is", word(name.to_vec(), false, is_short))];
    if !is_short {
        let with_nuls: Vec<u8> = name.iter().flat_map(|&byte| [byte, 0]).take(2 * name.len() - 1).collect();
        found.extend([
            ("in a URL", word(in_a_url(name), false, false)),
            ("with NULs", word(with_nuls, true, false)),
            ("in hexadecimal", word(hexadecimal(name), false, false)),
            ("backwards", word(name.iter().rev().copied().collect(), false, false)),
        ]);
        for shift in 0..3 {
            let digits = STANDARD.encode([&[0; 2][..shift], name].concat());
            // The first digits depend on what precedes the name too, the last on what follows it.
            let inner = digits[[0, 2, 3][shift]..digits.len() - 4].trim_end_matches('=');
            found.push(("in base64", word(inner.into(), true, false)));
        }
        if name.len() > COMM_BYTES {
            found.push(("cut to 15 bytes", word(name[..COMM_BYTES].to_vec(), false, false)));
        }
        let addresses = std::str::from_utf8(name).map(of_address).unwrap_or_default();
        found.extend(
            addresses
                .into_iter()
                .map(|(encoding, text, is_bounded)| (encoding, word(text.into_bytes(), false, is_bounded))),
        );
    }
    found
}

fn of_address(name: &str) -> Vec<(&'static str, String, bool)> {
    if let Some(octets) = octets_of_mac(name) {
        let with = |mark: &str| octets.map(|octet| format!("{octet:02x}")).join(mark);
        let mut found = vec![("without separators", with(""), false)];
        found.extend([":", ".", "_", "-"].map(|mark| ("with other separators", with(mark), false)));
        let [vendor @ .., fourth, fifth, sixth] = octets.map(u16::from);
        let groups =
            [(vendor[0] ^ 2) << 8 | vendor[1], vendor[2] << 8 | 0xff, 0xfe << 8 | fourth, fifth << 8 | sixth];
        found.push(("as EUI-64", groups.map(|group| format!("{group:x}")).join(":"), false));
        return found;
    }
    let Ok(address) = name.parse::<Ipv4Addr>() else { return Vec::new() };
    let [a, b, c, d] = address.octets();
    let number = u32::from(address);
    vec![
        ("dashed", format!("{a}-{b}-{c}-{d}"), true),
        ("reversed", format!("{d}.{c}.{b}.{a}"), true),
        ("as procfs writes it", format!("{:08x}:", number.swap_bytes()), true),
        ("in hexadecimal", format!("{number:08x}"), true),
    ]
}

/// The bytes of `3c:fd:fe:…`, with dashes too.
fn octets_of_mac(name: &str) -> Option<[u8; 6]> {
    let parts: Vec<&str> = name.split([':', '-']).collect();
    let octet = |part: &&str| {
        let is_pair = part.len() == 2 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_pair.then(|| u8::from_str_radix(part, 16).ok()).flatten()
    };
    parts.iter().map(octet).collect::<Option<Vec<u8>>>()?.try_into().ok()
}

fn hexadecimal(name: &[u8]) -> Vec<u8> {
    name.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}

fn in_a_url(name: &[u8]) -> Vec<u8> {
    let encoding = |&byte: &u8| match byte {
        b'-' | b'.' | b'_' | b'~' => vec![byte],
        _ if byte.is_ascii_alphanumeric() => vec![byte],
        _ => format!("%{byte:02x}").into_bytes(),
    };
    name.iter().flat_map(encoding).collect()
}

#[cfg(test)]
mod tests {
    use super::LeakEncodings;

    #[test]
    fn a_name_is_found_in_every_encoding() {
        let encodings = LeakEncodings::new(&[b"acme-db-prod-east-07".to_vec(), b"10.20.30.40".to_vec()]);
        for (text, name, encoding) in [
            ("at ACME-db-prod-east-07", 0, "as it is"),
            ("61636d652d64622d70726f642d656173742d3037", 0, "in hexadecimal"),
            ("70-tsae-dorp-bd-emca", 0, "backwards"),
            ("task acme-db-prod-ea", 0, "cut to 15 bytes"),
            ("xYWNtZS1kYi1wcm9kLWVhc3QtMDc=", 0, "in base64"),
            ("a\0c\0m\0e\0-\0d\0b\0-\0p\0r\0o\0d\0-\0e\0a\0s\0t\0-\x000\x007", 0, "with NULs"),
            ("ip-10-20-30-40", 1, "dashed"),
            ("40.30.20.10.in-addr.arpa", 1, "reversed"),
            (" 281E140A:1F90", 1, "as procfs writes it"),
        ] {
            let found = encodings.places(text.as_bytes(), 0);
            assert_eq!(
                found.iter().map(|one| (one.2, one.3)).collect::<Vec<_>>(),
                [(name, encoding)],
                "{text:?}"
            );
        }
    }

    #[test]
    fn a_short_name_is_found_as_a_whole_word_only() {
        let encodings = LeakEncodings::new(&[b"db7".to_vec()]);
        assert_eq!(encodings.places(b"adb71 646237 DB7", 0), [(13, 16, 0, "as it is")]);
    }

    #[test]
    fn a_hardware_address_is_found_with_other_separators_and_inside_an_ipv6_address() {
        let encodings = LeakEncodings::new(&[b"3c:fd:fe:12:34:56".to_vec()]);
        for (text, encoding) in [
            ("3cfdfe123456", "without separators"),
            ("3C-FD-FE-12-34-56", "with other separators"),
            ("fe80::3efd:feff:fe12:3456", "as EUI-64"),
        ] {
            assert_eq!(encodings.places(text.as_bytes(), 0)[0].3, encoding);
        }
    }
}
