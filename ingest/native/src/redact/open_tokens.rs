//! Candidates of the second look: distinct tokens that may be names, with their number and first place.
//!
//! A token is a run of letters, digits and the marks that host names, keys and ids contain. Most tokens of a text are
//! words of the vocabulary, numbers and code; they are dropped here, so that the caller judges few. A word that stands as a
//! value is none of them, unless it is a usual value.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::redact::quiet_lines::is_of_a_stack;
use crate::redact::value_places::{Standing, standing};
use crate::redact::vocabulary::Vocabulary;

/// Distinct tokens of one text; further ones are not collected.
const MAX_TOKENS: usize = 1 << 16;
const SHORTEST: usize = 4;
const LONGEST: usize = 200;
/// Bytes of the line on each side of the first occurrence.
const AROUND: usize = 60;
/// Hexadecimal digits of an address of code.
const ADDRESS_DIGITS: usize = 16;
/// Hexadecimal digits of an id that tools abbreviate.
const ID_DIGITS: usize = 8;
/// Those of a container's short id.
const SHORT_ID_DIGITS: usize = 12;
/// Letters of the shortest part of a token that is looked up.
const SHORTEST_PART: usize = 3;
/// Words that follow from others, in this order.
const ENDINGS: [&[u8]; 6] = [b"s", b"ed", b"d", b"ing", b"er", b"ly"];
/// Marks between the frames of a stack on one line.
const FRAMES: usize = 3;
/// Remembered lines of stacks; beyond that all are forgotten.
const MAX_LINES: usize = 1 << 20;

/// What is known of one token.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub token: Vec<u8>,
    pub count: usize,
    /// 1-based.
    pub line: usize,
    pub before: Vec<u8>,
    pub behind: Vec<u8>,
    /// Where it looks most like a value.
    pub standing: Standing,
}

/// Collects the candidates of one text that arrives in pieces.
pub struct OpenTokens {
    vocabulary: Arc<Vocabulary>,
    usual: Option<Arc<Vocabulary>>,
    known: HashMap<Box<[u8]>, bool>,
    quiet: HashSet<u64>,
    hasher: RandomState,
    found: Vec<Candidate>,
    number_of: HashMap<Box<[u8]>, usize>,
    line: usize,
    unfinished: Vec<u8>,
}

impl OpenTokens {
    /// Collect words, too, that are not in `vocabulary`, and with `usual` those that are values and no usual ones.
    #[must_use]
    pub fn new(vocabulary: Arc<Vocabulary>, usual: Option<Arc<Vocabulary>>) -> Self {
        Self {
            vocabulary,
            usual,
            known: HashMap::new(),
            quiet: HashSet::new(),
            hasher: RandomState::new(),
            found: Vec::new(),
            number_of: HashMap::new(),
            line: 0,
            unfinished: Vec::new(),
        }
    }

    /// Add the next piece; a line that is cut is read with the rest of it.
    pub fn add(&mut self, piece: &[u8]) {
        let Some(end) = piece.iter().rposition(|&byte| byte == b'\n') else {
            self.unfinished.extend(piece);
            return;
        };
        let mut text = std::mem::take(&mut self.unfinished);
        text.extend(&piece[..=end]);
        self.read(&text);
        self.unfinished.extend(&piece[end + 1..]);
    }

    /// The candidates of the whole text, in the order of their first occurrence.
    pub fn finish(&mut self) -> Vec<Candidate> {
        let rest = std::mem::take(&mut self.unfinished);
        self.read(&rest);
        self.number_of.clear();
        self.line = 0;
        std::mem::take(&mut self.found)
    }

    fn read(&mut self, text: &[u8]) {
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            self.line += 1;
            if !is_of_a_stack(line) {
                self.read_line(line.strip_suffix(b"\n").unwrap_or(line));
                continue;
            }
            // A profile repeats its lines: those without a candidate are read once. Only the path of a frame has names.
            let hash = self.hasher.hash_one(line);
            if self.quiet.contains(&hash) {
                continue;
            }
            let path = memchr::memrchr(b'(', line).unwrap_or(0);
            if !self.read_line(&line[path..line.len() - 1]) {
                if self.quiet.len() >= MAX_LINES {
                    self.quiet.clear();
                }
                self.quiet.insert(hash);
            }
        }
    }

    /// Note the candidates of a line, and return whether there are any.
    fn read_line(&mut self, line: &[u8]) -> bool {
        let is_folded = is_folded(line);
        let (mut at, mut has_any) = (0, false);
        while at < line.len() {
            let mut kinds = CLASS[usize::from(line[at])];
            if kinds == 0 {
                at += 1;
                continue;
            }
            let start = at;
            at += 1;
            while at < line.len() && CLASS[usize::from(line[at])] != 0 {
                kinds |= CLASS[usize::from(line[at])];
                at += 1;
            }
            let is_number = kinds & (SMALL | CAPITAL | OTHER) == 0;
            if !(is_number || is_folded && is_frame(line, start, at)) {
                has_any |= self.note(line, start, at, kinds & (DIGIT | MARK | OTHER) == 0);
            }
        }
        has_any
    }

    /// Note the token at `start..end` unless its bytes or its words tell that it is no name.
    fn note(&mut self, line: &[u8], start: usize, end: usize, is_word: bool) -> bool {
        let is_mark = |byte: &u8| CLASS[usize::from(*byte)] == MARK || *byte == b'_';
        let begins = start + line[start..end].iter().take_while(|byte| is_mark(byte)).count();
        let ends = end - line[begins..end].iter().rev().take_while(|byte| is_mark(byte)).count();
        let token = &line[begins..ends];
        let is_address = line[..begins].ends_with(b"0x");
        if !is_candidate(token) || is_address || (is_word && is_code(line, start, end)) {
            return false;
        }
        let is_known = is_word && self.is_known(token);
        if is_known && self.usual.is_none() {
            return false;
        }
        let standing = standing(line, begins, ends);
        if is_known && !self.is_unusual(token, standing) {
            return false;
        }
        if let Some(&number) = self.number_of.get(token) {
            let one = &mut self.found[number];
            one.count += 1;
            one.standing = one.standing.max(standing);
            return true;
        }
        if self.found.len() >= MAX_TOKENS {
            return true;
        }
        self.number_of.insert(token.into(), self.found.len());
        self.found.push(Candidate {
            token: token.to_vec(),
            count: 1,
            line: self.line,
            before: line[begins.saturating_sub(AROUND)..begins].to_vec(),
            behind: line[ends..line.len().min(ends + AROUND)].to_vec(),
            standing,
        });
        true
    }

    /// Whether a word of the vocabulary, no title with a capital, stands as a value and is no usual one.
    fn is_unusual(&self, word: &[u8], standing: Standing) -> bool {
        let is_value = standing >= Standing::Cell && !word.first().is_some_and(u8::is_ascii_uppercase);
        is_value && self.usual.as_ref().is_some_and(|usual| !usual.contains(word))
    }

    /// Whether all parts of a word are in the vocabulary: parts begin at underscores and at capitals.
    fn is_known(&mut self, word: &[u8]) -> bool {
        if let Some(&is_known) = self.known.get(word) {
            return is_known;
        }
        let is_known = self.has(&word.to_ascii_lowercase())
            || parts(word).all(|part| part.len() < SHORTEST_PART || self.has(&part.to_ascii_lowercase()));
        if self.known.len() >= MAX_TOKENS {
            self.known.clear();
        }
        self.known.insert(word.into(), is_known);
        is_known
    }

    fn has(&self, word: &[u8]) -> bool {
        let stems = ENDINGS.iter().filter_map(|ending| word.strip_suffix(*ending));
        self.vocabulary.contains(word) || stems.into_iter().any(|stem| self.vocabulary.contains(stem))
    }
}

/// The parts of a word, which begin at underscores and at the first capital of several or before small letters.
fn parts(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    word.split(|&byte| byte == b'_').flat_map(|piece| {
        let mut cuts = vec![0];
        for at in 1..piece.len() {
            let is_capital = piece[at].is_ascii_uppercase();
            let is_begin =
                piece[at - 1].is_ascii_lowercase() || piece.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if is_capital && is_begin {
                cuts.push(at);
            }
        }
        cuts.push(piece.len());
        cuts.windows(2).map(|cut| &piece[cut[0]..cut[1]]).collect::<Vec<_>>()
    })
}

/// Whether a line is a stack of several frames and their weight.
fn is_folded(line: &[u8]) -> bool {
    let has_weight = line.last().is_some_and(u8::is_ascii_digit);
    has_weight && memchr::memchr_iter(b';', line).take(FRAMES).count() == FRAMES
}

/// Whether another frame is beside a token.
fn is_frame(line: &[u8], start: usize, end: usize) -> bool {
    line[..start].last() == Some(&b';') || line.get(end) == Some(&b';')
}

/// Whether marks of code are beside a token: a call or a scope.
fn is_code(line: &[u8], start: usize, end: usize) -> bool {
    let (before, behind) = (&line[..start], &line[end..]);
    let is_call = behind.first() == Some(&b'(') && !behind.get(1).is_some_and(u8::is_ascii_digit);
    let is_scope = behind.starts_with(b"::") && !behind.get(2).is_some_and(u8::is_ascii_digit);
    is_call || is_scope || before.ends_with(b"::")
}

const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
const DIGIT: u8 = 4;
const MARK: u8 = 8;
/// A byte of a letter outside of ASCII.
const OTHER: u8 = 16;

const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte: u8 = 0;
    loop {
        class[byte as usize] = match byte {
            b'a'..=b'z' | b'_' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            b'0'..=b'9' => DIGIT,
            b'-' | b'.' | b'@' | b'+' | b'=' => MARK,
            0x80.. => OTHER,
            _ => 0,
        };
        if byte == u8::MAX {
            break class;
        }
        byte += 1;
    }
};

/// Whether the bytes of a token allow it to be a name: not an address of code, not a symbol with an offset.
fn is_candidate(token: &[u8]) -> bool {
    let is_hex = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f' | b'A'..=b'F');
    let letters = token.iter().filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
    let is_address = token.len() <= ADDRESS_DIGITS && token.iter().all(is_hex) && !is_id(token, letters);
    (SHORTEST..=LONGEST).contains(&token.len())
        && letters > 0
        && !token.starts_with(b"0x")
        && !is_address
        && !token.windows(3).any(|three| three == b"+0x")
}

/// Whether hexadecimal digits may be an abbreviated id: no word, and not where kernels and programs are mapped.
fn is_id(token: &[u8], letters: usize) -> bool {
    let is_mapped = [&b"00"[..], b"ffff", b"7f", b"55", b"56"].iter().any(|begin| token.starts_with(begin))
        || token.len() != SHORT_ID_DIGITS && token.first() == Some(&b'0');
    token.len() >= ID_DIGITS && letters < token.len() && !is_mapped
}

#[cfg(test)]
mod tests {
    use super::{Arc, Candidate, OpenTokens, Standing};

    fn open_tokens() -> OpenTokens {
        let words = ["swap", "native", "spin", "now", "page", "cache"];
        OpenTokens::new(Arc::new(words.iter().map(|word| word.as_bytes().into()).collect()), None)
    }

    fn tokens(text: &str) -> Vec<String> {
        let mut open = open_tokens();
        open.add(text.as_bytes());
        open.finish().into_iter().map(|one| String::from_utf8(one.token).unwrap()).collect()
    }

    #[test]
    fn words_numbers_and_addresses_of_code_are_no_candidates() {
        assert!(tokens("swaps 12.5 ffffffff8a0d2e57 0x1f native_spin+0x19 -- a1").is_empty());
        assert_eq!(tokens("at db-7, Zk3vT9xQ: köln9"), ["db-7", "Zk3vT9xQ", "köln9"]);
    }

    #[test]
    fn words_outside_of_the_vocabulary_are_candidates_unless_they_are_code() {
        assert_eq!(
            tokens("user mkarlsen now walnut PageCache mkarlsen(20417)"),
            ["user", "mkarlsen", "walnut"]
        );
        assert!(tokens("walnut() std::walnut::x a;walnut;b;c 7\n\tffff8a0d2e57 walnut (swap)\n").is_empty());
        assert_eq!(tokens("\tffff8a0d2e57 walnut (/srv/acme/page)\n"), ["acme"]);
    }

    #[test]
    fn short_ids_in_hexadecimal_digits_are_candidates_and_addresses_are_none() {
        assert_eq!(
            tokens("2f8e6d31 0x2f8e6d31 ffff8a0d 7f3d2a1c0b47 00412a3b 12345678 0c1e88af21d3"),
            ["2f8e6d31", "0c1e88af21d3"]
        );
    }

    #[test]
    fn words_of_the_vocabulary_are_candidates_as_values_unless_they_are_usual_there() {
        let words = |all: &[&str]| Arc::new(all.iter().map(|word| word.as_bytes().into()).collect());
        let mut open = OpenTokens::new(words(&["cache", "page", "swap"]), Some(words(&["swap"])));
        open.add(b"page: cache\npage: swap\nthe page swap\nPage  Cache\n");
        let found: Vec<_> = open.finish().into_iter().map(|one| (one.token, one.standing)).collect();
        assert_eq!(found, [(b"cache".to_vec(), Standing::Value)]);
    }

    #[test]
    fn a_candidate_has_its_number_and_its_first_place() {
        let mut open = open_tokens();
        open.add(b"x\non db");
        open.add(b"-7 now\ndb-7\n");
        let first = Candidate {
            token: b"db-7".to_vec(),
            count: 2,
            line: 2,
            before: b"on ".to_vec(),
            behind: b" now".to_vec(),
            standing: Standing::Word,
        };
        assert_eq!(open.finish(), [first]);
        assert_eq!(open.finish(), []);
    }
}
