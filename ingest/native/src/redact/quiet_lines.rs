//! Lines of stacks in which no name was found. A profile consists of them, and repeats them.
//!
//! A line is a stack's when it begins with white space, an address in hexadecimal digits and white space: no match that
//! begins before it reaches into it, so what was found in it once is found in it always.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::ops::Range;

use crate::redact::patterns::Place;

/// Remembered lines; beyond that all are forgotten.
const MAX_LINES: usize = 1 << 20;
const LEAST_DIGITS: usize = 6;
const MOST_DIGITS: usize = 16;

/// A line and its hash.
pub(crate) type Hashed = (Range<usize>, u64);

/// Hashes of lines, keyed per process.
#[derive(Default)]
pub(crate) struct QuietLines {
    known: HashSet<u64, BuildHasherDefault<Unhashed>>,
    hasher: RandomState,
}

/// A hash is its own hash.
#[derive(Default)]
struct Unhashed(u64);

impl Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl QuietLines {
    /// The hash of a line of a stack, and whether it is known.
    fn look_up(&self, line: &[u8]) -> Option<(u64, bool)> {
        is_of_a_stack(line).then(|| {
            let hash = self.hasher.hash_one(line);
            (hash, self.known.contains(&hash))
        })
    }

    /// Remember a line by its hash.
    fn add(&mut self, hash: u64) {
        if self.known.len() >= MAX_LINES {
            self.known.clear();
        }
        self.known.insert(hash);
    }

    /// The ranges of `text` without known lines, and the lines of stacks in them.
    pub(crate) fn others(&self, text: &[u8]) -> (Vec<Range<usize>>, Vec<Hashed>) {
        let (mut ranges, mut new) = (Vec::new(), Vec::new());
        let (mut begun, mut at) = (0, 0);
        while at < text.len() {
            let end = memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |size| at + size + 1);
            if let Some((hash, is_known)) = self.look_up(&text[at..end]) {
                if is_known {
                    if begun < at {
                        ranges.push(begun..at);
                    }
                    begun = end;
                } else {
                    new.push((at..end, hash));
                }
            }
            at = end;
        }
        if begun < text.len() {
            ranges.push(begun..text.len());
        }
        (ranges, new)
    }

    /// Remember those of `lines`, which are in order, that no place reaches into.
    pub(crate) fn learn(&mut self, lines: &[Hashed], mut places: Vec<Place>) {
        places.sort_unstable();
        let mut places = places.into_iter().peekable();
        let mut reached = 0;
        for (line, hash) in lines {
            while let Some((_, end, _)) = places.next_if(|&(start, ..)| start < line.end) {
                reached = reached.max(end);
            }
            if reached <= line.start {
                self.add(*hash);
            }
        }
    }
}

/// Whether a place begins in one of `lines`, which are in order, and ends behind it: if it means nothing, it hides
/// what is found there once the line is known.
pub(crate) fn is_left(lines: &[Hashed], places: &[Place]) -> bool {
    places.iter().any(|&(start, end, _)| {
        let at = lines.partition_point(|(line, _)| line.end <= start);
        lines.get(at).is_some_and(|(line, _)| line.start <= start && line.end < end)
    })
}

/// Whether a line begins as that of a stack, see above.
pub(crate) fn is_of_a_stack(line: &[u8]) -> bool {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let digits = line[blanks..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let is_address = (LEAST_DIGITS..=MOST_DIGITS).contains(&digits);
    blanks > 0 && is_address && line.last() == Some(&b'\n') && line.get(blanks + digits) == Some(&b' ')
}

#[cfg(test)]
mod tests {
    use super::{QuietLines, Range, is_left};

    fn whole(text: &[u8]) -> Vec<Range<usize>> {
        std::iter::once(0..text.len()).collect()
    }

    const STACK: &[u8] = b"java 1 cycles:\n\tffff8a0d2e57 spin ([k])\n    7f3d2a1c0b47 run (/home/x/a)\n\n";

    #[test]
    fn a_line_without_a_match_is_searched_once() {
        let mut lines = QuietLines::default();
        let (ranges, new) = lines.others(STACK);
        assert_eq!((ranges, new.len()), (whole(STACK), 2));
        lines.learn(&new, vec![(new[1].0.start + 20, new[1].0.start + 28, 0)]);
        let (ranges, again) = lines.others(STACK);
        assert_eq!(ranges, [0..15, new[0].0.end..STACK.len()]);
        assert_eq!(again, [new[1].clone()]);
    }

    #[test]
    fn a_match_of_several_lines_reaches_into_all_of_them() {
        let mut lines = QuietLines::default();
        let (_, new) = lines.others(STACK);
        lines.learn(&new, vec![(0, STACK.len(), 0), (16, 17, 1)]);
        assert_eq!(lines.others(STACK).1.len(), 2);
    }

    #[test]
    fn a_place_that_leaves_its_line_is_told() {
        let lines = [(4..9, 1), (12..20, 2)];
        for (place, leaves) in
            [((4, 9, 0), false), ((5, 10, 0), true), ((9, 30, 0), false), ((19, 21, 0), true)]
        {
            assert_eq!(is_left(&lines, &[(0, 1, 0), place]), leaves, "{place:?}");
        }
    }

    #[test]
    fn other_lines_are_always_searched() {
        for line in [&b"ffff8a0d2e57 x\n"[..], b"  12 pages\n", b"  4a3b5c x", b"  00 11 22\n", b"\n"] {
            assert_eq!(QuietLines::default().others(line), (whole(line), vec![]));
        }
    }
}
