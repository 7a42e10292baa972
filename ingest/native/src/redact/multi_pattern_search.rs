//! Multi-pattern search: find hundreds of thousands of literal words in one pass, at a speed independent of their number.
//!
//! Twenty thousand addresses of a case have three hundred thousand encodings. An Aho-Corasick automaton of that size
//! takes seconds to build and misses the cache at every byte. Here each byte of the text costs two Bloom filter
//! lookups, one for the next eight bytes and one for the next three; only positions that pass one of them are
//! compared with the sorted words. There is no branch before the lookups: a misprediction costs more than a lookup.

use std::collections::HashMap;

use crate::redact::bloom_filter::BloomFilter;
use crate::redact::patterns::Place;

/// A word to search for.
#[derive(Clone)]
pub struct Word {
    pub needle: Vec<u8>,
    /// Case-sensitive.
    pub is_exact: bool,
    /// Must begin and end at word boundaries.
    pub is_bounded: bool,
}

/// Bytes of the lookup prefix; shorter words are looked up whole.
const PREFIX: usize = 8;
/// Bytes of a shorter word that its Bloom filter holds.
const HEAD: usize = 3;
const NONE: usize = usize::MAX;

/// One word in the sorted index.
struct Entry {
    /// Ranges of `MultiPatternSearch::pool`: the word in lower case, and unchanged if it is case-sensitive.
    small: (usize, usize),
    exact: Option<(usize, usize)>,
    is_bounded: bool,
    number: usize,
    /// Index of the longest other word that is a prefix of this one.
    shorter: usize,
}

/// An index of words, sorted by their lower-case bytes.
pub struct MultiPatternSearch {
    pool: Vec<u8>,
    entries: Vec<Entry>,
    /// For each pair of first bytes, one bit per prefix length.
    pairs: Vec<u8>,
    /// Bloom filters: prefixes of words of at least `PREFIX` bytes, heads of shorter words.
    long: BloomFilter,
    heads: BloomFilter,
    /// Some words are shorter than `HEAD`.
    has_tiny: bool,
    /// By prefix length minus one: from prefix to the range of entries that begin with it.
    ranges: [HashMap<u64, (usize, usize)>; PREFIX],
}

impl MultiPatternSearch {
    /// Index `words`. A match reports the index of its word; an empty word never matches.
    #[must_use]
    pub fn new(words: &[Word]) -> Self {
        let mut pool = Vec::new();
        let mut entries: Vec<Entry> = words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.needle.is_empty())
            .map(|(number, word)| {
                let small = append(&mut pool, &word.needle.to_ascii_lowercase());
                let exact = word.is_exact.then(|| append(&mut pool, &word.needle));
                Entry { small, exact, is_bounded: word.is_bounded, number, shorter: NONE }
            })
            .collect();
        // Among equal words the first in `words` sorts last, and so is tried first.
        entries.sort_unstable_by(|one, other| {
            let by_bytes = pool[one.small.0..one.small.1].cmp(&pool[other.small.0..other.small.1]);
            by_bytes.then(other.number.cmp(&one.number))
        });
        let mut open: Vec<usize> = Vec::new();
        for at in 0..entries.len() {
            let small = &pool[entries[at].small.0..entries[at].small.1];
            while let Some(&last) = open.last() {
                if small.starts_with(&pool[entries[last].small.0..entries[last].small.1]) {
                    entries[at].shorter = last;
                    break;
                }
                open.pop();
            }
            open.push(at);
        }
        let mut found = Self {
            long: BloomFilter::new(entries.len()),
            heads: BloomFilter::new(
                entries.iter().filter(|entry| entry.small.1 - entry.small.0 < PREFIX).count(),
            ),
            pool,
            entries,
            pairs: vec![0; 1 << 16],
            has_tiny: false,
            ranges: Default::default(),
        };
        found.index();
        found
    }

    fn index(&mut self) {
        for (at, entry) in self.entries.iter().enumerate() {
            let small = &self.pool[entry.small.0..entry.small.1];
            let class = small.len().min(PREFIX) - 1;
            self.has_tiny |= small.len() < HEAD;
            let mut padded = [0; PREFIX];
            padded[..=class].copy_from_slice(&small[..=class]);
            let key = u64::from_le_bytes(padded);
            self.ranges[class].entry(key).and_modify(|range| range.1 = at + 1).or_insert((at, at + 1));
            if class == PREFIX - 1 {
                self.long.insert(key);
            } else {
                self.heads.insert(head(key));
            }
            let first = usize::from(small[0]);
            let seconds = if class == 0 { 0..256 } else { usize::from(small[1])..usize::from(small[1]) + 1 };
            for second in seconds {
                self.pairs[first | second << 8] |= 1 << class;
            }
        }
    }

    /// All non-overlapping matches in `text` from byte `from` on: leftmost, then longest.
    #[must_use]
    pub fn places(&self, text: &[u8], from: usize) -> Vec<Place> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let mut small = text.to_ascii_lowercase();
        small.extend([0; PREFIX]);
        let mut found = Vec::new();
        let mut at = from;
        while let Some((begins, key)) = self.next(&small, at) {
            let longest = self.longest(text, &small[..text.len()], begins, key);
            at = longest.map_or(begins + 1, |(end, number)| {
                found.push((begins, end, number));
                end
            });
        }
        found
    }

    /// The next candidate position from `from` on, and its first `PREFIX` bytes.
    fn next(&self, small: &[u8], from: usize) -> Option<(usize, u64)> {
        let is_open = self.has_tiny;
        for (ahead, bytes) in small.get(from..small.len() - 1)?.windows(PREFIX).enumerate() {
            let key = u64::from_le_bytes(*bytes.first_chunk()?);
            if self.long.may_contain(key) | self.heads.may_contain(head(key)) | is_open {
                return Some((from + ahead, key));
            }
        }
        None
    }

    /// The end and the number of the longest match at `at`; `key` is its first `PREFIX` bytes.
    fn longest(&self, text: &[u8], small: &[u8], at: usize, key: u64) -> Option<(usize, usize)> {
        let [first, second, ..] = key.to_le_bytes();
        let mut classes = self.pairs[usize::from(first) | usize::from(second) << 8];
        while classes != 0 {
            let class = 7 - classes.leading_zeros() as usize;
            classes ^= 1 << class;
            let key = key & (u64::MAX >> (8 * (PREFIX - 1 - class)));
            if let Some(found) = self.of_class(text, small, at, key, class) {
                return Some(found);
            }
        }
        None
    }

    /// The same among the words with prefix `key`.
    fn of_class(
        &self,
        text: &[u8],
        small: &[u8],
        at: usize,
        key: u64,
        class: usize,
    ) -> Option<(usize, usize)> {
        let &(first, behind) = self.ranges[class].get(&key)?;
        let here = &small[at..];
        // Every entry that sorts between a word and a text with that prefix has that prefix too. So all words that
        // are prefixes of the text are reached from the last entry that does not sort after it.
        let is_before = |entry: &Entry| &self.pool[entry.small.0..entry.small.1] <= here;
        let mut candidate =
            (first + self.entries[first..behind].partition_point(is_before)).checked_sub(1)?;
        while candidate != NONE && candidate >= first {
            let entry = &self.entries[candidate];
            let end = at + entry.small.1 - entry.small.0;
            let is_here = here.starts_with(&self.pool[entry.small.0..entry.small.1])
                && entry.exact.is_none_or(|(from, to)| text[at..end] == self.pool[from..to])
                && (!entry.is_bounded || is_whole(text, at, end));
            if is_here {
                return Some((end, entry.number));
            }
            candidate = entry.shorter;
        }
        None
    }
}

/// The first bytes of a key.
fn head(key: u64) -> u64 {
    key & (u64::MAX >> (8 * (PREFIX - HEAD)))
}

/// Append `more` to `pool`; return its range.
fn append(pool: &mut Vec<u8>, more: &[u8]) -> (usize, usize) {
    let start = pool.len();
    pool.extend(more);
    (start, pool.len())
}

/// Whether `text[start..end]` begins and ends at word boundaries.
fn is_whole(text: &[u8], start: usize, end: usize) -> bool {
    let goes_on = |left: Option<&u8>, right: Option<&u8>| match (left, right) {
        (Some(&left), Some(&right)) => is_word(left) && is_word(right),
        _ => false,
    };
    let before = start.checked_sub(1).and_then(|at| text.get(at));
    !goes_on(before, text.get(start)) && !goes_on(text.get(end - 1), text.get(end))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MultiPatternSearch, Word, is_whole};
    use crate::redact::patterns::Place;

    fn word(needle: &str, is_exact: bool, is_bounded: bool) -> Word {
        Word { needle: needle.as_bytes().to_vec(), is_exact, is_bounded }
    }

    #[test]
    fn a_word_is_found_in_capitals_unless_they_count() {
        let words = MultiPatternSearch::new(&[word("db7", false, true), word("Zm9v", true, false)]);
        assert_eq!(words.places(b"DB7 xZm9vx zm9v", 0), [(0, 3, 0), (5, 9, 1)]);
    }

    #[test]
    fn a_bounded_word_is_not_found_inside_of_another() {
        let words = MultiPatternSearch::new(&[word("db7", false, true)]);
        assert_eq!(words.places(b"adb7 db71 db7-x _db7", 0), [(10, 13, 0)]);
    }

    #[test]
    fn the_longest_of_those_that_begin_together_counts() {
        let words = MultiPatternSearch::new(&[word("db", false, false), word("db7.acme", false, false)]);
        assert_eq!(words.places(b"db7.acme db", 0), [(0, 8, 1), (9, 11, 0)]);
    }

    #[test]
    fn a_word_that_is_none_there_hides_no_other() {
        let words = MultiPatternSearch::new(&[word("pg-db7", false, true), word("db7", false, true)]);
        assert_eq!(words.places(b"xpg-db7", 0), [(4, 7, 1)]);
    }

    #[test]
    fn of_equal_words_the_one_named_first_counts_when_it_may_stand_there() {
        let words = MultiPatternSearch::new(&[word("Ab12", true, false), word("aB12", false, false)]);
        assert_eq!(words.places(b"ab12 Ab12", 0), [(0, 4, 1), (5, 9, 0)]);
    }

    #[test]
    fn the_byte_before_the_start_counts_as_context_and_the_end_is_a_boundary() {
        let words = MultiPatternSearch::new(&[word("db7", false, true), word("x\0", false, false)]);
        assert_eq!(words.places(b"adb7 db7", 1), [(5, 8, 0)]);
        assert_eq!(words.places(b"x\0x", 0), [(0, 2, 1)]);
    }

    /// The same, word by word and place by place.
    fn plainly(words: &[Word], text: &[u8], from: usize) -> Vec<Place> {
        let mut found = Vec::new();
        let mut at = from;
        while at < text.len() {
            let here = |word: &Word| {
                let end = at + word.needle.len();
                let is_equal = text.get(at..end).is_some_and(|here| {
                    here == word.needle || (!word.is_exact && here.eq_ignore_ascii_case(&word.needle))
                });
                (is_equal && (!word.is_bounded || is_whole(text, at, end))).then_some(end)
            };
            let ends = words.iter().enumerate().filter_map(|(number, word)| Some((here(word)?, number)));
            let best = ends.min_by_key(|&(end, number)| (usize::MAX - end, number));
            found.extend(best.map(|(end, number)| (at, end, number)));
            at = best.map_or(at + 1, |(end, _)| end);
        }
        found
    }

    proptest! {
        #[test]
        fn every_word_is_found_that_a_plain_look_finds(
            drawn in prop::collection::vec(("[aAbB1._]{1,12}", any::<bool>(), any::<bool>()), 1..40),
            text in "[aAbB1._ ]{0,200}",
            from in 0_usize..20,
        ) {
            let words: Vec<Word> = drawn.iter().map(|(needle, exact, bounded)| word(needle, *exact, *bounded)).collect();
            let found = MultiPatternSearch::new(&words).places(text.as_bytes(), from);
            prop_assert_eq!(found, plainly(&words, text.as_bytes(), from));
        }
    }
}
