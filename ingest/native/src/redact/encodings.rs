//! How names are spelled that stand there encoded, and how their pseudonyms are, spelled the same way.
//!
//! ```text
//! db7-prod  ->  6462372d70726f64, ZGI3LXByb2, db7%2Dprod, db7\u002dprod, db7_prod, dorp-7bd
//! 10.0.0.5  ->  0500000A, 167772165, 10_0_0_5, 5.0.0.10, 010.000.000.005
//! acme.com  ->  com.acme, dc=acme,dc=com
//! ```
//!
//! Each is as long as the name spelled that way wherever the pseudonym is as long as the name.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::redact::addresses;
use crate::redact::escape_decoder::{Letters, hex};

/// Shorter names are looked for as they are alone: their encodings stand in any text by chance.
const SHORTEST: usize = 6;
const SHORTEST_BACKWARDS: usize = 8;
const COMM_LETTERS: usize = 15;
const COLUMN: usize = 8;

/// One way to spell a name, and its pseudonym spelled that way.
#[derive(Clone, Debug, PartialEq)]
pub struct Spelling {
    pub written: Vec<u8>,
    pub by: Vec<u8>,
    /// Capitals count.
    pub is_exact: bool,
    /// It is no name inside of a longer word.
    pub is_bounded: bool,
}

impl Spelling {
    /// Found anywhere, in capitals or not.
    #[must_use]
    pub fn new(written: Vec<u8>, by: Vec<u8>) -> Self {
        Self { written, by, is_exact: false, is_bounded: false }
    }

    #[must_use]
    pub fn bounded(self) -> Self {
        Self { is_bounded: true, ..self }
    }
}

/// The encoded spellings of a name; of what is like a word none that is made of words of `protected` (small letters).
#[must_use]
pub fn of(kind: &str, name: &[u8], pseudonym: &[u8], protected: &HashSet<String>) -> Vec<Spelling> {
    let mut found = match kind {
        "ipv4" => addresses::of_ipv4(name, pseudonym),
        "ipv6" => addresses::of_ipv6(name, pseudonym),
        "mac" => addresses::of_mac(name, pseudonym),
        "domain" => of_domain(name, pseudonym),
        _ => Vec::new(),
    };
    let mut any = of_any(kind, &Letters::of(name), &Letters::of(pseudonym));
    any.retain(|one| one.written != name);
    found.append(&mut any);
    if is_word_like(kind) {
        found.retain(|one| !is_made_of_words(&one.written, protected));
    }
    found
}

fn is_word_like(kind: &str) -> bool {
    matches!(kind, "host" | "user" | "domain" | "fqdn")
}

/// Whether `text` is, or consists of, words of the protected vocabulary.
fn is_made_of_words(text: &[u8], protected: &HashSet<String>) -> bool {
    let low = String::from_utf8_lossy(text).to_lowercase();
    protected.contains(&low) || low.split(['-', '_', '.']).all(|part| protected.contains(part))
}

fn of_any<'a>(kind: &str, name: &Letters<'a>, pseudonym: &Letters<'a>) -> Vec<Spelling> {
    if name.count() < SHORTEST {
        return Vec::new();
    }
    let both = |spell: fn(&Letters<'a>) -> Vec<u8>| Spelling::new(spell(name), spell(pseudonym));
    let mut found = vec![both(|letters| hex(letters.bytes()).into_bytes())];
    if !matches!(kind, "ipv4" | "ipv4hex") {
        found.extend([both(Letters::all_in_a_url), both(Letters::reserved_in_a_url), both(Letters::in_json)]);
    }
    for shift in 0..3 {
        let written = in_base64(name.bytes(), shift);
        let mut by = in_base64(pseudonym.bytes(), shift);
        by.truncate(written.len());
        found.push(Spelling { is_exact: true, ..Spelling::new(written, by) });
    }
    if is_word_like(kind) && name.bytes().iter().any(|letter| matches!(letter, b'-' | b'.')) {
        found.push(both(Letters::with_underscores));
    }
    if name.count() >= SHORTEST_BACKWARDS {
        found.push(both(Letters::backwards));
    }
    let cut = |count, end: &[u8]| {
        let [name, pseudonym] = [name, pseudonym].map(|letters| [letters.first(count), end].concat());
        Spelling::new(name, pseudonym)
    };
    if matches!(kind, "host" | "user") && name.count() > COMM_LETTERS {
        found.push(cut(COMM_LETTERS, b""));
    }
    if kind == "user" && name.count() > COLUMN {
        // `ps` cuts a user to its column and says so; `w` cuts silently.
        found.extend([cut(COLUMN - 1, b"+").bounded(), cut(COLUMN, b"").bounded()]);
    }
    found
}

/// The digits that depend on the name alone, when `shift` bytes stand before it.
fn in_base64(name: &[u8], shift: usize) -> Vec<u8> {
    let told = STANDARD.encode([&[0; 2][..shift], name].concat());
    let behind = (shift + name.len()) % 3;
    let (from, less) = ([0, 2, 3][shift], [0, 3, 2][behind]);
    told.as_bytes().get(from..told.len().saturating_sub(less)).unwrap_or_default().to_vec()
}

fn of_domain(name: &[u8], pseudonym: &[u8]) -> Vec<Spelling> {
    let [old, new] =
        [name, pseudonym].map(|text| text.split(|&letter| letter == b'.').collect::<Vec<&[u8]>>());
    if old.len() < 2 || Letters::of(name).count() < SHORTEST {
        return Vec::new();
    }
    let backwards = |labels: &[&[u8]]| labels.iter().rev().copied().collect::<Vec<_>>().join(&b'.');
    let in_ldap = |labels: &[&[u8]]| {
        labels.iter().map(|label| [b"dc=", *label].concat()).collect::<Vec<_>>().join(&b',')
    };
    let mut found = vec![
        Spelling::new(backwards(&old), backwards(&new)).bounded(),
        Spelling::new(in_ldap(&old), in_ldap(&new)),
    ];
    if old[0].contains(&b'-') && Letters::of(old[0]).count() >= SHORTEST_BACKWARDS {
        let bare: Vec<u8> = old[0].iter().copied().filter(|&letter| letter != b'-').collect();
        let by = Letters::of(new[0]).first(Letters::of(&bare).count()).to_vec();
        found.push(Spelling::new(bare, by).bounded());
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::of;

    fn written(kind: &str, name: &str, pseudonym: &str) -> Vec<(String, String)> {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        of(kind, name.as_bytes(), pseudonym.as_bytes(), &HashSet::new())
            .into_iter()
            .map(|one| (text(one.written), text(one.by)))
            .collect()
    }

    #[test]
    fn a_host_is_spelled_in_every_code() {
        let told = written("host", "db7-prod", "zqaaaaaa");
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
        assert_eq!(told, expected.map(|(one, other)| (one.to_owned(), other.to_owned())));
    }

    #[test]
    fn a_long_user_is_also_cut_as_tools_cut_it() {
        let told = written("user", "maximilian.muster", "user-abcdefghijk2");
        for cut in ["maximilian.must", "maximil+", "maximili"] {
            assert!(told.iter().any(|(written, by)| written == cut && by.len() == cut.len()), "{cut}");
        }
    }

    #[test]
    fn a_domain_is_spelled_backwards_and_as_a_directory_does() {
        let told = written("domain", "acme-bank.com", "zqabcdefg.test");
        for (one, other) in [
            ("com.acme-bank", "test.zqabcdefg"),
            ("dc=acme-bank,dc=com", "dc=zqabcdefg,dc=test"),
            ("acmebank", "zqabcdef"),
        ] {
            assert!(told.contains(&(one.to_owned(), other.to_owned())), "{one}");
        }
    }

    #[test]
    fn a_spelling_made_of_protected_words_is_none() {
        let protected = HashSet::from(["memory".to_owned(), "events".to_owned()]);
        let told = of("host", b"memory-events", b"zqaaaaaaaaaaa", &protected);
        assert!(told.iter().all(|one| one.written != b"memory_events"));
    }
}
