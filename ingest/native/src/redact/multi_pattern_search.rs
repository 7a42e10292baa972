//! Where any of very many words stands in a text: hundreds of thousands cost memory and no speed.
//!
//! A case of twenty thousand addresses is looked for in three hundred thousand writings. An automaton of so many
//! takes seconds to build and misses the cache at every byte. Here a byte of the text costs a look into two filters,
//! of what the next eight bytes are and of what the next three are; only what passes one of them is compared, with
//! words that are sorted. Nothing branches before that: what cannot be foreseen costs more than a look.

use std::collections::HashMap;

use crate::redact::bloom_filter::Filter;
use crate::redact::patterns::Place;

/// A word to look for.
#[derive(Clone)]
pub struct Word {
    pub needle: Vec<u8>,
    /// Its capitals count.
    pub is_exact: bool,
    /// It is not found inside of another word.
    pub is_bounded: bool,
}

/// So many first bytes decide where words are looked up; shorter words are looked up whole.
const PREFIX: usize = 8;
/// So many first bytes of a shorter word are looked up first.
const HEAD: usize = 3;
const NONE: usize = usize::MAX;

/// A word in its place among the others.
struct Entry {
    /// In small letters, and as it was given when its capitals count: ranges of `Words::letters`.
    small: (usize, usize),
    exact: Option<(usize, usize)>,
    is_bounded: bool,
    number: usize,
    /// The longest other word that this one begins with.
    shorter: usize,
}

/// Words, sorted by their small letters.
pub struct Words {
    letters: Vec<u8>,
    entries: Vec<Entry>,
    /// For each two first letters a bit per length of prefix.
    pairs: Vec<u8>,
    /// What words of the whole prefix begin with, and what shorter ones do.
    long: Filter,
    heads: Filter,
    /// There are words shorter than `HEAD`.
    has_tiny: bool,
    /// By length of prefix less one: prefix to the words that begin with it.
    ranges: [HashMap<u64, (usize, usize)>; PREFIX],
}

impl Words {
    /// Prepares `words`; a match tells the position of its word, and an empty one stands nowhere.
    #[must_use]
    pub fn new(words: &[Word]) -> Self {
        let mut letters = Vec::new();
        let mut entries: Vec<Entry> = words
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.needle.is_empty())
            .map(|(number, word)| {
                let small = append(&mut letters, &word.needle.to_ascii_lowercase());
                let exact = word.is_exact.then(|| append(&mut letters, &word.needle));
                Entry { small, exact, is_bounded: word.is_bounded, number, shorter: NONE }
            })
            .collect();
        // Of equal words the one that was named first stands last, and so is tried first.
        entries.sort_unstable_by(|one, other| {
            let by_letters = letters[one.small.0..one.small.1].cmp(&letters[other.small.0..other.small.1]);
            by_letters.then(other.number.cmp(&one.number))
        });
        let mut open: Vec<usize> = Vec::new();
        for at in 0..entries.len() {
            let small = &letters[entries[at].small.0..entries[at].small.1];
            while let Some(&last) = open.last() {
                if small.starts_with(&letters[entries[last].small.0..entries[last].small.1]) {
                    entries[at].shorter = last;
                    break;
                }
                open.pop();
            }
            open.push(at);
        }
        let mut found = Self {
            long: Filter::new(entries.len()),
            heads: Filter::new(entries.iter().filter(|entry| entry.small.1 - entry.small.0 < PREFIX).count()),
            letters,
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
            let small = &self.letters[entry.small.0..entry.small.1];
            let class = small.len().min(PREFIX) - 1;
            self.has_tiny |= small.len() < HEAD;
            let mut padded = [0; PREFIX];
            padded[..=class].copy_from_slice(&small[..=class]);
            let key = u64::from_le_bytes(padded);
            self.ranges[class].entry(key).and_modify(|range| range.1 = at + 1).or_insert((at, at + 1));
            if class == PREFIX - 1 {
                self.long.add(key);
            } else {
                self.heads.add(head(key));
            }
            let first = usize::from(small[0]);
            let seconds = if class == 0 { 0..256 } else { usize::from(small[1])..usize::from(small[1]) + 1 };
            for second in seconds {
                self.pairs[first | second << 8] |= 1 << class;
            }
        }
    }

    /// Every word in `text` from byte `from` on, in order; of those that overlap the first, and of those that
    /// begin together the longest.
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

    /// The next place from `from` on where a word may begin, and the bytes there.
    fn next(&self, small: &[u8], from: usize) -> Option<(usize, u64)> {
        let is_open = self.has_tiny;
        for (ahead, bytes) in small.get(from..small.len() - 1)?.windows(PREFIX).enumerate() {
            let key = u64::from_le_bytes(*bytes.first_chunk()?);
            if self.long.may_hold(key) | self.heads.may_hold(head(key)) | is_open {
                return Some((from + ahead, key));
            }
        }
        None
    }

    /// The end and the number of the longest word at `at`, whose next bytes are `key`.
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

    /// The same among the words whose prefix is `key`.
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
        // Whatever stands in order between a word and a text that begins with it begins with that word too: so all
        // words that the text begins with are found from the last one that is not behind it.
        let is_before = |entry: &Entry| &self.letters[entry.small.0..entry.small.1] <= here;
        let mut candidate =
            (first + self.entries[first..behind].partition_point(is_before)).checked_sub(1)?;
        while candidate != NONE && candidate >= first {
            let entry = &self.entries[candidate];
            let end = at + entry.small.1 - entry.small.0;
            let is_here = here.starts_with(&self.letters[entry.small.0..entry.small.1])
                && entry.exact.is_none_or(|(from, to)| text[at..end] == self.letters[from..to])
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

/// Put `more` behind `letters`; returns where it stands.
fn append(letters: &mut Vec<u8>, more: &[u8]) -> (usize, usize) {
    let start = letters.len();
    letters.extend(more);
    (start, letters.len())
}
/// Whether no word goes on across either end of `text[start..end]`.
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

    use super::{Word, Words, is_whole};
    use crate::redact::patterns::Place;

    fn word(needle: &str, is_exact: bool, is_bounded: bool) -> Word {
        Word { needle: needle.as_bytes().to_vec(), is_exact, is_bounded }
    }

    #[test]
    fn a_word_is_found_in_capitals_unless_they_count() {
        let words = Words::new(&[word("db7", false, true), word("Zm9v", true, false)]);
        assert_eq!(words.places(b"DB7 xZm9vx zm9v", 0), [(0, 3, 0), (5, 9, 1)]);
    }

    #[test]
    fn a_bounded_word_is_not_found_inside_of_another() {
        let words = Words::new(&[word("db7", false, true)]);
        assert_eq!(words.places(b"adb7 db71 db7-x _db7", 0), [(10, 13, 0)]);
    }

    #[test]
    fn the_longest_of_those_that_begin_together_counts() {
        let words = Words::new(&[word("db", false, false), word("db7.acme", false, false)]);
        assert_eq!(words.places(b"db7.acme db", 0), [(0, 8, 1), (9, 11, 0)]);
    }

    #[test]
    fn a_word_that_is_none_there_hides_no_other() {
        let words = Words::new(&[word("pg-db7", false, true), word("db7", false, true)]);
        assert_eq!(words.places(b"xpg-db7", 0), [(4, 7, 1)]);
    }

    #[test]
    fn of_equal_words_the_one_named_first_counts_when_it_may_stand_there() {
        let words = Words::new(&[word("Ab12", true, false), word("aB12", false, false)]);
        assert_eq!(words.places(b"ab12 Ab12", 0), [(0, 4, 1), (5, 9, 0)]);
    }

    #[test]
    fn what_stands_before_the_beginning_is_seen_and_the_end_is_no_letter() {
        let words = Words::new(&[word("db7", false, true), word("x\0", false, false)]);
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
            told in prop::collection::vec(("[aAbB1._]{1,12}", any::<bool>(), any::<bool>()), 1..40),
            text in "[aAbB1._ ]{0,200}",
            from in 0_usize..20,
        ) {
            let words: Vec<Word> = told.iter().map(|(needle, exact, bounded)| word(needle, *exact, *bounded)).collect();
            let found = Words::new(&words).places(text.as_bytes(), from);
            prop_assert_eq!(found, plainly(&words, text.as_bytes(), from));
        }
    }
}
