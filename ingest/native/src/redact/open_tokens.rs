//! Candidates of the second look: distinct tokens that may be names, with their number and first place.
//!
//! A token is a run of letters, digits and the marks that host names, keys and ids contain. Most tokens of a text are
//! words, numbers and addresses of code; they are dropped here, by their bytes alone, so that the caller judges few.

use std::collections::HashMap;

/// Distinct tokens of one text; further ones are not collected.
const MAX_TOKENS: usize = 1 << 16;
const SHORTEST: usize = 4;
const LONGEST: usize = 200;
/// Bytes of the line on each side of the first occurrence.
const AROUND: usize = 60;
/// Hexadecimal digits of an address of code.
const ADDRESS_DIGITS: usize = 16;

/// What is known of one token.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub token: Vec<u8>,
    pub count: usize,
    /// 1-based.
    pub line: usize,
    pub before: Vec<u8>,
    pub behind: Vec<u8>,
}

/// Collects the candidates of one text that arrives in pieces.
#[derive(Default)]
pub struct OpenTokens {
    found: Vec<Candidate>,
    number_of: HashMap<Box<[u8]>, usize>,
    line: usize,
    unfinished: Vec<u8>,
}

impl OpenTokens {
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
            self.read_line(line.strip_suffix(b"\n").unwrap_or(line));
        }
    }

    fn read_line(&mut self, line: &[u8]) {
        let mut at = 0;
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
            // A word of lower-case letters, and a number: nothing to look at.
            if kinds & (DIGIT | MARK | OTHER) != 0 && kinds & (SMALL | CAPITAL | OTHER) != 0 {
                self.note(line, start, at);
            }
        }
    }

    fn note(&mut self, line: &[u8], start: usize, end: usize) {
        let is_mark = |byte: &u8| CLASS[usize::from(*byte)] == MARK || *byte == b'_';
        let begins = start + line[start..end].iter().take_while(|byte| is_mark(byte)).count();
        let ends = end - line[begins..end].iter().rev().take_while(|byte| is_mark(byte)).count();
        let token = &line[begins..ends];
        if !is_candidate(token) {
            return;
        }
        if let Some(&number) = self.number_of.get(token) {
            self.found[number].count += 1;
            return;
        }
        if self.found.len() >= MAX_TOKENS {
            return;
        }
        self.number_of.insert(token.into(), self.found.len());
        self.found.push(Candidate {
            token: token.to_vec(),
            count: 1,
            line: self.line,
            before: line[begins.saturating_sub(AROUND)..begins].to_vec(),
            behind: line[ends..line.len().min(ends + AROUND)].to_vec(),
        });
    }
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
    (SHORTEST..=LONGEST).contains(&token.len())
        && letters > 0
        && !token.starts_with(b"0x")
        && !(token.len() <= ADDRESS_DIGITS && token.iter().all(is_hex))
        && !token.windows(3).any(|three| three == b"+0x")
}

#[cfg(test)]
mod tests {
    use super::{Candidate, OpenTokens};

    fn tokens(text: &str) -> Vec<String> {
        let mut open = OpenTokens::default();
        open.add(text.as_bytes());
        open.finish().into_iter().map(|one| String::from_utf8(one.token).unwrap()).collect()
    }

    #[test]
    fn words_numbers_and_addresses_of_code_are_no_candidates() {
        assert!(tokens("swapping 12.5 ffffffff8a0d2e57 0x1f native_spin+0x19 -- a1").is_empty());
        assert_eq!(tokens("at db-7, Zk3vT9xQ: köln9"), ["db-7", "Zk3vT9xQ", "köln9"]);
    }

    #[test]
    fn a_candidate_has_its_number_and_its_first_place() {
        let mut open = OpenTokens::default();
        open.add(b"x\non db");
        open.add(b"-7 now\ndb-7\n");
        let first = Candidate {
            token: b"db-7".to_vec(),
            count: 2,
            line: 2,
            before: b"on ".to_vec(),
            behind: b" now".to_vec(),
        };
        assert_eq!(open.finish(), [first]);
        assert_eq!(open.finish(), []);
    }
}
