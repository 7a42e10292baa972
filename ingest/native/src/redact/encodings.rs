//! Encodings of a name and of its pseudonym: hexadecimal, base64, URL, JSON, reversed, LDAP.
//!
//! ```text
//! db7-prod  ->  6462372d70726f64, ZGI3LXByb2, db7%2Dprod, db7\u002dprod, db7_prod, dorp-7bd
//! 10.0.0.5  ->  0500000A, 167772165, 10_0_0_5, 5.0.0.10, 010.000.000.005
//! acme.com  ->  com.acme, dc=acme,dc=com
//! ```
//!
//! An encoded pseudonym is as long as the encoded name wherever the pseudonym is as long as the name.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::redact::addresses;
use crate::redact::encoding::Encoding;
use crate::redact::escapes::{NameChars, hex};
use crate::redact::vocabulary::Vocabulary;

/// Shorter names are searched for unencoded only: their encodings occur in any text by chance.
const SHORTEST: usize = 6;
const SHORTEST_BACKWARDS: usize = 8;
const COMM_CHARS: usize = 15;
const COLUMN: usize = 8;
/// Digits of the id of a container, and of the short forms that tools print.
const LONG_ID: usize = 64;
const SHORT_IDS: [usize; 2] = [12, 13];

/// The encodings of a name. For kinds that look like words, encodings made of `protected` words (lower case) are
/// dropped.
#[must_use]
pub fn of(kind: &str, name: &[u8], pseudonym: &[u8], protected: &Vocabulary) -> Vec<Encoding> {
    let mut found = match kind {
        "ipv4" => addresses::of_ipv4(name, pseudonym),
        "ipv6" => addresses::of_ipv6(name, pseudonym),
        "mac" => addresses::of_mac(name, pseudonym),
        "domain" => of_domain(name, pseudonym),
        "uuid" => of_id(name, pseudonym),
        _ => Vec::new(),
    };
    let mut any = of_any(kind, &NameChars::of(name), &NameChars::of(pseudonym));
    any.retain(|one| one.encoded != name);
    found.append(&mut any);
    if is_word_like(kind) {
        found.retain(|one| !is_made_of_words(&one.encoded, protected));
    }
    found
}

fn is_word_like(kind: &str) -> bool {
    matches!(kind, "host" | "user" | "domain" | "fqdn")
}

/// Whether `text` is, or consists of, words of the protected vocabulary.
fn is_made_of_words(text: &[u8], protected: &Vocabulary) -> bool {
    let low = String::from_utf8_lossy(text).to_lowercase();
    protected.contains(low.as_bytes())
        || low.split(['-', '_', '.']).all(|part| protected.contains(part.as_bytes()))
}

fn of_any<'a>(kind: &str, name: &NameChars<'a>, pseudonym: &NameChars<'a>) -> Vec<Encoding> {
    if name.count() < SHORTEST {
        return Vec::new();
    }
    let both = |encode: fn(&NameChars<'a>) -> Vec<u8>| Encoding::new(encode(name), encode(pseudonym));
    let mut found = vec![both(|chars| hex(chars.bytes()).into_bytes())];
    if !matches!(kind, "ipv4" | "ipv4hex") {
        found.extend([
            both(NameChars::all_in_a_url),
            both(NameChars::reserved_in_a_url),
            both(NameChars::in_json),
        ]);
    }
    for shift in 0..3 {
        let encoded = in_base64(name.bytes(), shift);
        let mut replacement = in_base64(pseudonym.bytes(), shift);
        replacement.truncate(encoded.len());
        found.push(Encoding { is_exact: true, ..Encoding::new(encoded, replacement) });
    }
    if is_word_like(kind) && name.bytes().iter().any(|byte| matches!(byte, b'-' | b'.')) {
        found.push(both(NameChars::with_underscores));
    }
    if name.count() >= SHORTEST_BACKWARDS {
        found.push(both(NameChars::backwards));
    }
    let cut = |count, end: &[u8]| {
        let [name, pseudonym] = [name, pseudonym].map(|chars| [chars.first(count), end].concat());
        Encoding::new(name, pseudonym)
    };
    if matches!(kind, "host" | "user") && name.count() > COMM_CHARS {
        found.push(cut(COMM_CHARS, b""));
    }
    if kind == "user" && name.count() > COLUMN {
        // `ps` cuts a user to its column and says so; `w` cuts silently.
        found.extend([cut(COLUMN - 1, b"+").bounded(), cut(COLUMN, b"").bounded()]);
    }
    found
}

/// The short form of the id of a container.
fn of_id(name: &[u8], pseudonym: &[u8]) -> Vec<Encoding> {
    if name.len() != LONG_ID || pseudonym.len() != LONG_ID {
        return Vec::new();
    }
    let short = |count| Encoding::new(name[..count].to_vec(), pseudonym[..count].to_vec()).bounded();
    SHORT_IDS.map(short).to_vec()
}

/// The base64 digits that depend on the name alone when `shift` bytes precede it.
fn in_base64(name: &[u8], shift: usize) -> Vec<u8> {
    let digits = STANDARD.encode([&[0; 2][..shift], name].concat());
    let behind = (shift + name.len()) % 3;
    let (from, less) = ([0, 2, 3][shift], [0, 3, 2][behind]);
    digits.as_bytes().get(from..digits.len().saturating_sub(less)).unwrap_or_default().to_vec()
}

fn of_domain(name: &[u8], pseudonym: &[u8]) -> Vec<Encoding> {
    let [old, new] = [name, pseudonym].map(|text| text.split(|&byte| byte == b'.').collect::<Vec<&[u8]>>());
    if old.len() < 2 || NameChars::of(name).count() < SHORTEST {
        return Vec::new();
    }
    let backwards = |labels: &[&[u8]]| labels.iter().rev().copied().collect::<Vec<_>>().join(&b'.');
    let in_ldap = |labels: &[&[u8]]| {
        labels.iter().map(|label| [b"dc=", *label].concat()).collect::<Vec<_>>().join(&b',')
    };
    let mut found = vec![
        Encoding::new(backwards(&old), backwards(&new)).bounded(),
        Encoding::new(in_ldap(&old), in_ldap(&new)),
    ];
    if old[0].contains(&b'-') && NameChars::of(old[0]).count() >= SHORTEST_BACKWARDS {
        let bare: Vec<u8> = old[0].iter().copied().filter(|&byte| byte != b'-').collect();
        let replacement = NameChars::of(new[0]).first(NameChars::of(&bare).count()).to_vec();
        found.push(Encoding::new(bare, replacement).bounded());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Vocabulary, of};

    fn written(kind: &str, name: &str, pseudonym: &str) -> Vec<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        of(kind, name.as_bytes(), pseudonym.as_bytes(), &Vocabulary::new())
            .into_iter()
            .map(|one| (text(one.encoded), text(one.replacement)))
            .collect()
    }

    #[test]
    fn a_host_is_spelled_in_every_code() {
        let encodings = written("host", "db7-prod", "zqaaaaaa");
        let expected = [
            ("6462372d70726f64", "7a71616161616161"),
            ("db7%2dprod", "zqaaaaaa"),
            ("db7\\u002dprod", "zqaaaaaa"),
            ("ZGI3LXByb2", "enFhYWFhYW"),
            ("RiNy1wcm9k", "pxYWFhYWFh"),
            ("kYjctcHJvZ", "6cWFhYWFhY"),
            ("db7_prod", "zqaaaaaa"),
            ("dorp-7bd", "aaaaaaqz"),
        ];
        assert_eq!(encodings, expected.map(|(one, other)| (one.to_owned(), other.to_owned())));
    }

    #[test]
    fn a_long_user_is_also_cut_as_tools_cut_it() {
        let encodings = written("user", "maximilian.muster", "user-abcdefghijk2");
        for cut in ["maximilian.must", "maximil+", "maximili"] {
            assert!(encodings.iter().any(|(written, by)| written == cut && by.len() == cut.len()), "{cut}");
        }
    }

    #[test]
    fn a_domain_is_spelled_backwards_and_as_a_directory_does() {
        let encodings = written("domain", "acme-bank.com", "zqabcdefg.test");
        for (one, other) in [
            ("com.acme-bank", "test.zqabcdefg"),
            ("dc=acme-bank,dc=com", "dc=zqabcdefg,dc=test"),
            ("acmebank", "zqabcdef"),
        ] {
            assert!(encodings.contains(&(one.to_owned(), other.to_owned())), "{one}");
        }
    }

    #[test]
    fn a_spelling_made_of_protected_words_is_none() {
        let protected = Vocabulary::from([b"memory"[..].into(), b"events"[..].into()]);
        let encodings = of("host", b"memory-events", b"zqaaaaaaaaaaa", &protected);
        assert!(encodings.iter().all(|one| one.encoded != b"memory_events"));
    }
}
