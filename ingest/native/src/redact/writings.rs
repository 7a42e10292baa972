//! Writings of names: the words that are replaced wherever they occur, each with the pseudonym of its name.

use std::borrow::Cow;
use std::sync::Arc;

use crate::redact::encodings;
use crate::redact::multi_pattern_search::{MultiPatternSearch, Word};
use crate::redact::replacement::{Replacement, WORD};
use crate::redact::vocabulary::Vocabulary;

/// A word, its kind, its replacement, and the pseudonym of the name that it writes.
pub type Replaced = (Word, usize, Vec<u8>, Vec<u8>);

/// A name: the name and number of its kind, its bytes, and its replacement.
pub struct Named<'a> {
    pub kind: &'a str,
    pub number: usize,
    pub name: &'a [u8],
    pub by: &'a [u8],
}

/// Hundreds of thousands of names, one behind the other.
#[derive(Default)]
pub struct Names {
    kinds: Vec<(String, usize)>,
    /// For each name, the index of its kind, and the ends of its bytes and of its replacement in `pool`.
    kind_of: Vec<u8>,
    ends: Vec<(usize, usize)>,
    pool: Vec<u8>,
}

impl Names {
    /// Append a name.
    ///
    /// # Panics
    ///
    /// For more than 255 kinds.
    pub fn push(&mut self, one: &Named<'_>) {
        let known = self.kinds.iter().position(|(kind, number)| kind == one.kind && *number == one.number);
        let kind = known.unwrap_or_else(|| {
            self.kinds.push((one.kind.to_owned(), one.number));
            self.kinds.len() - 1
        });
        self.kind_of.push(u8::try_from(kind).expect("there are few kinds"));
        self.pool.extend(one.name);
        let end = self.pool.len();
        self.pool.extend(one.by);
        self.ends.push((end, self.pool.len()));
    }

    fn at(&self, index: usize) -> Named<'_> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let (end, behind) = self.ends[index];
        let (kind, number) = &self.kinds[usize::from(self.kind_of[index])];
        Named { kind, number: *number, name: &self.pool[begin..end], by: &self.pool[end..behind] }
    }

    fn all(&self) -> impl Iterator<Item = Named<'_>> {
        (0..self.ends.len()).map(|index| self.at(index))
    }
}

/// All writings of the names of a case. What replaces the encoding of a name is made when it is found: half a million
/// addresses have ten million encodings, and most never occur.
pub(crate) struct Writings {
    search: MultiPatternSearch,
    words: Vec<Replaced>,
    named: Names,
    /// For each writing behind the words, the index of its name and which of the encodings of that it is.
    encoded: (Vec<u32>, Vec<u8>),
    protected: Arc<Vocabulary>,
}

impl Writings {
    /// Search for `words`, and for the encodings of `named` that are not made of `protected` words.
    pub(crate) fn new(words: Vec<Replaced>, named: Names, protected: &Arc<Vocabulary>) -> Self {
        let mut encoded = (Vec::new(), Vec::new());
        let of_names = named.all().enumerate().flat_map(|(name, one)| {
            let found = encodings::of(one.kind, one.name, one.by, protected);
            found.into_iter().enumerate().map(move |(form, encoding)| (name, form, encoding))
        });
        let needles = words.iter().map(|(word, ..)| word.clone()).chain(of_names.map(|(name, form, one)| {
            encoded.0.push(u32::try_from(name).expect("names fit in memory"));
            encoded.1.push(u8::try_from(form).expect("a name has few encodings"));
            Word { needle: one.encoded, is_exact: one.is_exact, is_bounded: one.is_bounded }
        }));
        let search = MultiPatternSearch::new(needles);
        Self { search, words, named, encoded, protected: Arc::clone(protected) }
    }

    /// Pseudonyms of words, then of names.
    pub(crate) fn pseudonyms(&self) -> impl Iterator<Item = &[u8]> {
        let of_words = self.words.iter().map(|(.., pseudonym)| pseudonym.as_slice());
        of_words.chain(self.named.all().map(|one| one.by))
    }

    /// The replacements of the words in `text`, in order.
    pub(crate) fn places(&self, text: &[u8]) -> impl Iterator<Item = Replacement<'_>> {
        self.search.places(text, 0).into_iter().map(|(start, end, number)| {
            let Some(behind) = number.checked_sub(self.words.len()) else {
                let (_, kind, by, _) = &self.words[number];
                return Replacement { start, end, kind: *kind, by: Cow::Borrowed(by), of: (WORD, number) };
            };
            let name = self.encoded.0[behind] as usize;
            let one = self.named.at(name);
            let mut all = encodings::of(one.kind, one.name, one.by, &self.protected);
            let by = Cow::Owned(all.swap_remove(usize::from(self.encoded.1[behind])).replacement);
            Replacement { start, end, kind: one.number, by, of: (WORD, self.words.len() + name) }
        })
    }
}
