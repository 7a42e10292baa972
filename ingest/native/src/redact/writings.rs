//! Writings of names: the words that are replaced wherever they occur, each with the pseudonym of its name.

use std::collections::HashMap;

use crate::redact::encoding::Encoding;
use crate::redact::encodings;
use crate::redact::multi_pattern_search::{MultiPatternSearch, Word};
use crate::redact::replacement::{Replacement, WORD};
use crate::redact::vocabulary::Vocabulary;

/// A word, its kind, its replacement, and the pseudonym of the name that it writes.
pub type Replaced = (Word, usize, Vec<u8>, Vec<u8>);

/// A name: the name and number of its kind, its bytes, and its replacement.
pub struct Named {
    pub kind: String,
    pub number: usize,
    pub name: Vec<u8>,
    pub by: Vec<u8>,
}

/// Kind and replacement of a word, and the number of its pseudonym.
struct Writing {
    kind: usize,
    by: Vec<u8>,
    of: usize,
}

/// All writings of the names of a case.
pub(crate) struct Writings {
    words: MultiPatternSearch,
    list: Vec<Writing>,
    /// Pseudonyms by their numbers.
    pub(crate) pseudonyms: Vec<Vec<u8>>,
}

impl Writings {
    /// Search for `words`, and for the encodings of `named` that are not made of `protected` words.
    pub(crate) fn new(words: Vec<Replaced>, named: &[Named], protected: &Vocabulary) -> Self {
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut number_of = |pseudonym: Vec<u8>| {
            let next = numbers.len();
            *numbers.entry(pseudonym).or_insert(next)
        };
        let (mut needles, mut list) = (Vec::new(), Vec::new());
        for (word, kind, by, pseudonym) in words {
            needles.push(word);
            list.push(Writing { kind, by, of: number_of(pseudonym) });
        }
        for one in named {
            let of = number_of(one.by.clone());
            for encoding in encodings::of(&one.kind, &one.name, &one.by, protected) {
                let Encoding { encoded: needle, replacement, is_exact, is_bounded } = encoding;
                needles.push(Word { needle, is_exact, is_bounded });
                list.push(Writing { kind: one.number, by: replacement, of });
            }
        }
        let mut pseudonyms = vec![Vec::new(); numbers.len()];
        for (pseudonym, number) in numbers {
            pseudonyms[number] = pseudonym;
        }
        Self { words: MultiPatternSearch::new(&needles), list, pseudonyms }
    }

    /// The replacements of the words in `text`, in order.
    pub(crate) fn places(&self, text: &[u8]) -> impl Iterator<Item = Replacement<'_>> {
        self.words.places(text, 0).into_iter().map(|(start, end, number)| {
            let Writing { kind, by, of } = &self.list[number];
            Replacement { start, end, kind: *kind, by, of: (WORD, *of) }
        })
    }
}
