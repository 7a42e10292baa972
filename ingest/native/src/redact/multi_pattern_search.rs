//! Multi-pattern search: find hundreds of thousands of literal words in one pass, at a speed independent of their number.
//!
//! Twenty thousand addresses of a case have three hundred thousand encodings. An Aho-Corasick automaton of that size
//! takes seconds to build and misses the cache at every byte. Here each byte of the text costs two Bloom filter
//! lookups, one for the next eight bytes and one for the next three; only positions that pass one of them are
//! compared with the sorted words. There is no branch before the lookups: a misprediction costs more than a lookup.

use crate::redact::bloom_filter::BloomFilter;
use crate::redact::patterns::Place;
use crate::redact::prefix_table::{Key, PrefixTable};

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
const NONE: u32 = u32::MAX;
const IS_EXACT: u32 = 1;
const IS_BOUNDED: u32 = 2;
const FLAG_BITS: u32 = 2;

/// One word in the sorted index, in 16 bytes: millions are in memory.
struct Entry {
    /// Begin in `MultiPatternSearch::pool`: the word in lower case, then unchanged if it is case-sensitive.
    begin: u32,
    /// Length and flags.
    form: u32,
    number: u32,
    /// Index of the longest other word that is a prefix of this one.
    shorter: u32,
}

impl Entry {
    fn len(&self) -> usize {
        (self.form >> FLAG_BITS) as usize
    }

    fn small<'a>(&self, pool: &'a [u8]) -> &'a [u8] {
        &pool[self.begin as usize..][..self.len()]
    }

    fn exact<'a>(&self, pool: &'a [u8]) -> Option<&'a [u8]> {
        (self.form & IS_EXACT != 0).then(|| &pool[self.begin as usize + self.len()..][..self.len()])
    }

    /// The length class and the first bytes.
    fn key(&self, pool: &[u8]) -> Key {
        let class = self.len().min(PREFIX) - 1;
        let mut padded = [0; PREFIX];
        padded[..=class].copy_from_slice(&self.small(pool)[..=class]);
        (class, u64::from_le_bytes(padded))
    }
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
    /// From a prefix to the first entry that begins with it.
    firsts: PrefixTable,
}

impl MultiPatternSearch {
    /// Index `words`. A match reports the index of its word; an empty word never matches.
    ///
    /// # Panics
    ///
    /// For 4 GiB of words or more.
    #[must_use]
    pub fn new(words: impl IntoIterator<Item = Word>) -> Self {
        let mut pool = Vec::new();
        let mut entries = Vec::new();
        for (number, word) in words.into_iter().enumerate() {
            if word.needle.is_empty() {
                continue;
            }
            let begin = small_number(pool.len());
            pool.extend(word.needle.iter().map(u8::to_ascii_lowercase));
            let mut form = small_number(word.needle.len() << FLAG_BITS);
            if word.is_exact {
                pool.extend(&word.needle);
                form |= IS_EXACT;
            }
            if word.is_bounded {
                form |= IS_BOUNDED;
            }
            entries.push(Entry { begin, form, number: small_number(number), shorter: NONE });
        }
        pool.shrink_to_fit();
        entries.shrink_to_fit();
        // Among equal words the first in `words` sorts last, and so is tried first.
        entries.sort_unstable_by(|one, other| {
            one.small(&pool).cmp(other.small(&pool)).then(other.number.cmp(&one.number))
        });
        let mut open: Vec<usize> = Vec::new();
        for at in 0..entries.len() {
            let small = entries[at].small(&pool);
            while let Some(&last) = open.last() {
                if small.starts_with(entries[last].small(&pool)) {
                    entries[at].shorter = small_number(last);
                    break;
                }
                open.pop();
            }
            open.push(at);
        }
        let short = entries.iter().filter(|entry| entry.len() < PREFIX).count();
        // Words of one class with equal prefixes follow one another, but for shorter ones.
        let mut last = [None; PREFIX];
        let mut begins = |entry: &Entry| {
            let (class, key) = entry.key(&pool);
            last[class].replace(key) != Some(key)
        };
        let count = entries.iter().filter(|entry| begins(entry)).count();
        let mut found = Self {
            long: BloomFilter::new(entries.len()),
            heads: BloomFilter::new(short),
            pool,
            entries,
            pairs: vec![0; 1 << 16],
            has_tiny: false,
            firsts: PrefixTable::new(count),
        };
        found.index();
        found
    }

    fn index(&mut self) {
        let mut last = [None; PREFIX];
        for (at, entry) in self.entries.iter().enumerate() {
            let small = entry.small(&self.pool);
            let (class, key) = entry.key(&self.pool);
            self.has_tiny |= small.len() < HEAD;
            if last[class].replace(key) != Some(key) {
                self.firsts.insert((class, key), small_number(at));
            }
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
        let key_of = |index: u32| self.entries[index as usize].key(&self.pool);
        let first = self.firsts.get((class, key), key_of)? as usize;
        let here = &small[at..];
        // Every entry that sorts between a word and a text with that prefix has that prefix too. So all words that
        // are prefixes of the text are reached from the last entry that does not sort after it.
        let mut candidate = self.last_until(here, first)?;
        while candidate != NONE && candidate as usize >= first {
            let entry = &self.entries[candidate as usize];
            let end = at + entry.len();
            let is_here = here.starts_with(entry.small(&self.pool))
                && entry.exact(&self.pool).is_none_or(|exact| &text[at..end] == exact)
                && (entry.form & IS_BOUNDED == 0 || is_whole(text, at, end));
            if is_here {
                return Some((end, entry.number as usize));
            }
            candidate = entry.shorter;
        }
        None
    }

    /// The last entry from `first` on that does not sort after `text`; few are between them.
    fn last_until(&self, text: &[u8], first: usize) -> Option<u32> {
        let is_before = |entry: &Entry| entry.small(&self.pool) <= text;
        let mut reach = 1;
        while self.entries.get(first + reach).is_some_and(is_before) {
            reach *= 2;
        }
        let behind = self.entries.len().min(first + reach);
        let count = self.entries[first..behind].partition_point(is_before);
        (first + count).checked_sub(1).map(small_number)
    }
}

/// A number below 2³².
fn small_number(number: usize) -> u32 {
    u32::try_from(number).expect("words take less than 4 GiB")
}

/// The first bytes of a key.
fn head(key: u64) -> u64 {
    key & (u64::MAX >> (8 * (PREFIX - HEAD)))
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
        let words = MultiPatternSearch::new([word("db7", false, true), word("Zm9v", true, false)]);
        assert_eq!(words.places(b"DB7 xZm9vx zm9v", 0), [(0, 3, 0), (5, 9, 1)]);
    }

    #[test]
    fn a_bounded_word_is_not_found_inside_of_another() {
        let words = MultiPatternSearch::new([word("db7", false, true)]);
        assert_eq!(words.places(b"adb7 db71 db7-x _db7", 0), [(10, 13, 0)]);
    }

    #[test]
    fn the_longest_of_those_that_begin_together_counts() {
        let words = MultiPatternSearch::new([word("db", false, false), word("db7.acme", false, false)]);
        assert_eq!(words.places(b"db7.acme db", 0), [(0, 8, 1), (9, 11, 0)]);
    }

    #[test]
    fn a_word_that_is_none_there_hides_no_other() {
        let words = MultiPatternSearch::new([word("pg-db7", false, true), word("db7", false, true)]);
        assert_eq!(words.places(b"xpg-db7", 0), [(4, 7, 1)]);
    }

    #[test]
    fn of_equal_words_the_one_named_first_counts_when_it_may_stand_there() {
        let words = MultiPatternSearch::new([word("Ab12", true, false), word("aB12", false, false)]);
        assert_eq!(words.places(b"ab12 Ab12", 0), [(0, 4, 1), (5, 9, 0)]);
    }

    #[test]
    fn the_byte_before_the_start_counts_as_context_and_the_end_is_a_boundary() {
        let words = MultiPatternSearch::new([word("db7", false, true), word("x\0", false, false)]);
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
            let found = MultiPatternSearch::new(words.clone()).places(text.as_bytes(), from);
            prop_assert_eq!(found, plainly(&words, text.as_bytes(), from));
        }
    }
}
