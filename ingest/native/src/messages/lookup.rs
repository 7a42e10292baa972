//! Finding the message that a line is: the rare words of the line lead to few messages, whose words are compared in order.

use super::catalogue::Catalogue;
use super::entry::{Cursor, Skeleton};
use super::words::{Word, hash_of, words};

/// Words that the values of one gap may hold.
const LONGEST_GAP: usize = 24;

/// The message that a line is.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct Found {
    /// How seldom its constant words stand in lines of programs: −log₂ of the share.
    pub bits: u8,
    /// The message, for `Catalogue::entry`.
    pub entry: u32,
    /// First byte of the first constant word; what stands before it is a prefix, or a value.
    pub start: usize,
    /// Byte behind the last constant word.
    pub end: usize,
    /// A hash of its constant words and gaps, the same in every catalogue.
    pub identity: u32,
    words: usize,
}

struct Line<'t> {
    text: &'t [u8],
    words: Vec<Word>,
    /// The rank of each word; `UNKNOWN` for one of no message.
    ranks: Vec<u32>,
    /// A bit for the last six bits of each rank.
    seen: u64,
}

const UNKNOWN: u32 = u32::MAX;

impl Line<'_> {
    fn has(&self, rank: u32) -> bool {
        self.seen >> (rank & 63) & 1 == 1 && self.ranks.contains(&rank)
    }

    /// Whether a message may begin at a word: not behind another word or number.
    fn is_start(&self, place: usize) -> bool {
        let before = self.text[..self.words[place].start].trim_ascii_end();
        before.last().is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
    }

    fn stands_at(&self, ranks: &[u32], place: usize) -> bool {
        self.ranks.get(place..place + ranks.len()) == Some(ranks)
    }

    /// The identity of a message whose words stand in this line.
    fn identity(&self, skeleton: &Skeleton) -> u32 {
        let ranks = &skeleton.ranks[..skeleton.count];
        let places = ranks.iter().filter_map(|rank| self.ranks.iter().position(|own| own == rank));
        let words = places.map(|place| self.words[place].hash);
        hash_of(words.flat_map(u32::to_le_bytes).chain(skeleton.gaps.to_le_bytes()))
    }

    /// First and last word of `skeleton` in this line.
    fn place_of(&self, skeleton: &Skeleton) -> Option<(usize, usize)> {
        let ranks = &skeleton.ranks[..skeleton.count];
        let is_gap = |at: usize| skeleton.gaps >> at & 1 == 1;
        let mut first = None;
        let (mut at, mut place) = (0, 0);
        while at < ranks.len() {
            let run = (at + 1..ranks.len()).find(|&next| is_gap(next)).unwrap_or(ranks.len());
            let part = &ranks[at..run];
            let is_last = run == ranks.len();
            let latest = self.ranks.len().checked_sub(part.len())?;
            let from = if is_last && !skeleton.is_open { latest.max(place) } else { place };
            let to = if at == 0 { latest } else { latest.min(place + LONGEST_GAP) };
            let anchored = at == 0 && !is_gap(0);
            let found =
                (from..=to).find(|&one| self.stands_at(part, one) && (!anchored || self.is_start(one)))?;
            first = first.or(Some(found));
            (at, place) = (run, found + part.len());
        }
        Some((first?, place - 1))
    }
}

impl Catalogue<'_> {
    /// The message that a line is, the one of most bits; None when it is none.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<Found> {
        let words: Vec<Word> = words(text).collect();
        let ranks: Vec<u32> = words.iter().map(|&word| self.rank(word).unwrap_or(UNKNOWN)).collect();
        let known = ranks.iter().filter(|&&rank| rank != UNKNOWN);
        let seen = known.fold(0, |seen, rank| seen | 1 << (rank & 63));
        self.best(&Line { text, words, ranks, seen })
    }

    fn best(&self, line: &Line<'_>) -> Option<Found> {
        let mut best: Option<Found> = None;
        for (place, &rank) in line.ranks.iter().enumerate() {
            if rank != UNKNOWN && !line.ranks[..place].contains(&rank) {
                self.of_word(line, rank, &mut best);
            }
        }
        best
    }

    /// The numbers and words of all messages, whose words have ranks below `ranks`.
    #[cfg(test)]
    pub(super) fn skeletons(&self, ranks: u32) -> Vec<(u32, Skeleton)> {
        let mut found = Vec::new();
        for rank in 0..ranks {
            let (start, end) = self.bucket(rank);
            let mut cursor = Cursor::new(self.messages, start);
            let mut second = 0;
            while cursor.at < end {
                second += cursor.small();
                let length = cursor.small() as usize;
                let behind = cursor.at + length;
                while cursor.at < behind {
                    let number = u32::try_from(cursor.at).unwrap();
                    let skeleton = cursor.skeleton(rank, second.wrapping_sub(1));
                    assert!(skeleton.ranks[..skeleton.count].iter().all(|&rank| rank < ranks));
                    found.push((number, skeleton));
                    cursor.skip_details();
                }
                assert_eq!(cursor.at, behind);
            }
        }
        found
    }

    /// Compare the messages whose rarest word is `rank`.
    fn of_word(&self, line: &Line<'_>, rank: u32, best: &mut Option<Found>) {
        let (start, end) = self.bucket(rank);
        let mut cursor = Cursor::new(self.messages, start);
        let mut second = 0;
        while cursor.at < end {
            second += cursor.small();
            let length = cursor.small() as usize;
            let behind = cursor.at + length;
            if second == 0 || line.has(second - 1) {
                while cursor.at < behind {
                    compare(&mut cursor, line, rank, second, best);
                }
            }
            cursor.at = behind;
        }
    }
}

/// Compare the message at the cursor, and step over it.
fn compare(cursor: &mut Cursor<'_>, line: &Line<'_>, rank: u32, second: u32, best: &mut Option<Found>) {
    let entry = u32::try_from(cursor.at).unwrap_or(0);
    let skeleton = cursor.skeleton(rank, second.wrapping_sub(1));
    cursor.skip_details();
    let order = (skeleton.bits, skeleton.count);
    if best.is_none_or(|known| order > (known.bits, known.words))
        && let Some((first, last)) = line.place_of(&skeleton)
    {
        let (start, end) = (line.words[first].start, line.words[last].end);
        let identity = line.identity(&skeleton);
        *best = Some(Found { bits: skeleton.bits, entry, start, end, identity, words: skeleton.count });
    }
}

#[cfg(test)]
mod tests {
    use super::super::{catalogue, word_count};
    use super::{Line, Skeleton, UNKNOWN, words};

    /// A line that a message prints: its words, and `values` words for each value.
    fn printed(skeleton: &Skeleton, values: usize) -> (String, Vec<u32>) {
        let (mut text, mut ranks) = (String::from("3-1: "), Vec::new());
        for (at, &rank) in skeleton.ranks[..skeleton.count].iter().enumerate() {
            if skeleton.gaps >> at & 1 == 1 {
                text.push_str(&"v 7 ".repeat(values));
                ranks.extend(std::iter::repeat_n(UNKNOWN, values));
            }
            text.push_str("w ");
            ranks.push(rank);
        }
        (text, ranks)
    }

    /// Each message is found in a line that it prints, or one that bears as much: all with `CASEBOOK_TESTS=long`.
    #[test]
    fn a_message_is_found_in_the_lines_that_it_prints() {
        let step = if std::env::var("CASEBOOK_TESTS").is_ok_and(|form| form == "long") { 1 } else { 97 };
        let skeletons = catalogue().skeletons(word_count());
        assert!(skeletons.len() > 100_000);
        for (place, (number, skeleton)) in skeletons.iter().enumerate().step_by(step) {
            let (text, ranks) = printed(skeleton, place % 3);
            let seen =
                ranks.iter().filter(|&&rank| rank != UNKNOWN).fold(0, |all, rank| all | 1 << (rank & 63));
            let line = Line { text: text.as_bytes(), words: words(text.as_bytes()).collect(), ranks, seen };
            let found = catalogue().best(&line).unwrap_or_else(|| panic!("{number} is not found"));
            assert!(found.bits >= skeleton.bits, "{number}");
        }
    }
}
