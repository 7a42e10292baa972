//! Tokens at the left of a log line: times, numbers, words, brackets and bars.
//!
//! ```text
//! [Чт мар 23 19:11:18 2023] msg       [ Word Word Num Time Num ] Word
//! 01-02 03:04:05.123  0  0 E msg      Date Time Num Num Level Word
//! ```

use super::levels::is_level;

/// A prefix is looked for in so many bytes.
pub const MOST_BYTES: usize = 320;
const MOST_TOKENS: usize = 48;

/// What a token is; two lines of one form have the same kinds at the left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `2026-11-21T05:00:19.621988Z`
    DateTime,
    /// `2026-11-21`, `01-02`, `21.11.2026`
    Date,
    /// `05:00:19.621988`
    Time,
    /// `+0800`
    Zone,
    /// `12`, `12.5`, `12s`
    Num,
    /// `warning`, `E`
    Level,
    Word,
    Open(u8),
    Close(u8),
    Bar(char),
    /// The fields of a structured line before those of its message: a number of their names, and whether one is a time.
    Fields(u64, bool),
}

/// One token: its kind, its bytes, and how many brackets are open around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub depth: u8,
}

const BREAKS: &str = "[](){}<>|,;:=\"'`";

/// The tokens at the left of `text`.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut limit = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(limit) {
        limit -= 1;
    }
    let text = &text[..limit];
    let mut found: Vec<Token> = Vec::with_capacity(16);
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    while found.len() < MOST_TOKENS {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { break };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let depth = u8::try_from(open.len()).unwrap_or(u8::MAX);
        let (kind, length, depth) = match first {
            '[' | '(' | '{' | '<' => {
                open.push(first as u8);
                (Kind::Open(first as u8), 1, depth + 1)
            }
            ']' | ')' | '}' | '>' => {
                let mate = mate_of(first);
                if open.last() == Some(&mate) {
                    open.pop();
                    (Kind::Close(mate), 1, depth)
                } else {
                    (Kind::Bar(first), 1, depth)
                }
            }
            '0'..='9' => {
                let is_after_colon =
                    found.last().is_some_and(|last| last.end == at && last.kind == Kind::Bar(':'));
                let (kind, length) = digits(rest, is_after_colon);
                (kind, length, depth)
            }
            '+' | '-' if zone(rest).is_some() && found.last().is_some_and(is_of_time) => {
                (Kind::Zone, zone(rest).unwrap_or(1), depth)
            }
            '+' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => {
                let (kind, length) = digits(&rest[1..], false);
                (kind, length + 1, depth)
            }
            '-' if rest.as_bytes().get(1).is_none_or(|&next| next == b' ' || next == b';') => {
                (Kind::Bar('-'), 1, depth)
            }
            _ if BREAKS.contains(first)
                || !(first.is_alphanumeric() || "_-/.@~%$#&*+!?\\".contains(first)) =>
            {
                (Kind::Bar(first), first.len_utf8(), depth)
            }
            _ => {
                let length = word(rest);
                let kind = if is_level(&rest[..length]) { Kind::Level } else { Kind::Word };
                (kind, length, depth)
            }
        };
        found.push(Token { kind, start: at, end: at + length, depth });
        at += length;
    }
    found
}

fn mate_of(close: char) -> u8 {
    match close {
        ']' => b'[',
        ')' => b'(',
        '}' => b'{',
        _ => b'<',
    }
}

fn is_of_time(token: &Token) -> bool {
    matches!(token.kind, Kind::Time | Kind::DateTime)
}

/// Bytes of the word that `rest` begins with.
fn word(rest: &str) -> usize {
    rest.char_indices()
        .find(|&(_, one)| one.is_whitespace() || BREAKS.contains(one))
        .map_or(rest.len(), |(at, _)| at)
        .max(1)
}

fn run(text: &[u8], from: usize) -> usize {
    text[from.min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Bytes of `+0800`, `-08:00` or `+08`.
fn zone(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let hours = run(bytes, 1);
    let length = match hours {
        4 => 5,
        2 if bytes.get(3) == Some(&b':') && run(bytes, 4) == 2 => 6,
        2 => 3,
        _ => return None,
    };
    bytes.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric()).then_some(length)
}

/// The token that begins with a digit.
fn digits(rest: &str, is_after_colon: bool) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let first = run(bytes, 0);
    if (first == 4 || first == 2)
        && let Some(length) = date(bytes, first)
    {
        let time = time(&bytes[(length + 1).min(bytes.len())..]);
        return match (bytes.get(length), time) {
            (Some(b'T' | b't' | b'_'), Some(more)) => {
                let end = length + 1 + more;
                (Kind::DateTime, end + zone(&rest[end..]).filter(|_| is_signed(bytes, end)).unwrap_or(0))
            }
            _ => (Kind::Date, length),
        };
    }
    if !is_after_colon
        && (first == 1 || first == 2)
        && let Some(length) = time(bytes)
    {
        return (Kind::Time, length);
    }
    let mut length = first;
    if bytes.get(length) == Some(&b'.') || bytes.get(length) == Some(&b',') {
        let part = run(bytes, length + 1);
        if part > 0 {
            length += 1 + part;
        }
    }
    let suffix = bytes[length..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let end = length + suffix;
    let is_ended = rest[end..].chars().next().is_none_or(|one| one.is_whitespace() || BREAKS.contains(one));
    if is_ended && suffix <= 2 {
        return (Kind::Num, end);
    }
    (Kind::Word, word(rest))
}

fn is_signed(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at), Some(b'+' | b'-'))
}

/// Bytes of a date: `2026-11-21`, `2026/11/21`, `01-02`, `21.11.2026`.
fn date(bytes: &[u8], first: usize) -> Option<usize> {
    let mark = *bytes.get(first)?;
    if !matches!(mark, b'-' | b'/' | b'.') || run(bytes, first + 1) != 2 {
        return None;
    }
    let second = first + 3;
    let last = if bytes.get(second) == Some(&mark) { run(bytes, second + 1) } else { 0 };
    let end = match (first, last) {
        (4, 2) => second + 3,
        (2, 2 | 4) => second + 1 + last,
        (2, 0) if mark != b'.' => second,
        _ => return None,
    };
    let next = bytes.get(end);
    let is_ended = next.is_none_or(|byte| !byte.is_ascii_alphanumeric() || matches!(byte, b'T' | b't'));
    (is_ended && !matches!(next, Some(b'-' | b'/'))).then_some(end)
}

/// Bytes of a time of the day, with `Z` behind it.
fn time(bytes: &[u8]) -> Option<usize> {
    let hours = run(bytes, 0);
    if !(1..=2).contains(&hours) || bytes.get(hours) != Some(&b':') || run(bytes, hours + 1) != 2 {
        return None;
    }
    let mut end = hours + 3;
    if bytes.get(end) == Some(&b':') {
        if run(bytes, end + 1) != 2 {
            return None;
        }
        end += 3;
        if matches!(bytes.get(end), Some(b'.' | b',')) && run(bytes, end + 1) > 0 {
            end += 1 + run(bytes, end + 1);
        }
    } else if bytes.get(end) == Some(&b'.') {
        // `06:00.0` is the address of a PCI device.
        return None;
    }
    if matches!(bytes.get(end), Some(b'Z')) {
        end += 1;
    }
    bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b':').then_some(end).or_else(
        || {
            (bytes.get(end) == Some(&b':') && bytes.get(end + 1).is_none_or(|&next| next == b' '))
                .then_some(end)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{Kind, tokens};

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).iter().map(|token| token.kind).collect()
    }

    #[test]
    fn dates_times_and_zones_are_tokens() {
        use Kind::{Bar, Close, Date, DateTime, Level, Num, Open, Time, Word, Zone};
        assert_eq!(kinds("2022-11-12 10:10:59 +0800 | x"), [Date, Time, Zone, Bar('|'), Word]);
        assert_eq!(kinds("2020-06-16T14:59:36.6272 warning"), [DateTime, Level]);
        assert_eq!(kinds("2020-06-16T14:59:36.6272+02:00 x"), [DateTime, Word]);
        assert_eq!(kinds("01-02 03:04:05.123 0 E x"), [Date, Time, Num, Level, Word]);
        let local = [Open(b'['), Word, Word, Num, Time, Num, Close(b'[')];
        assert_eq!(kinds("[Чт мар 23 19:11:18 2023]"), local);
        assert_eq!(kinds("[   12s] [ 9.870001]")[..3], [Open(b'['), Num, Close(b'[')]);
    }

    #[test]
    fn an_address_of_a_device_is_no_time() {
        use Kind::{Bar, Num};
        assert_eq!(kinds("0000:06:00.0: x")[..3], [Num, Bar(':'), Kind::Num]);
        assert_eq!(kinds("usb 1-1: x")[2], Bar(':'));
        assert_eq!(kinds("17:Nov")[..2], [Num, Bar(':')]);
    }
}
