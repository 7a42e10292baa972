//! Where any of very many words stands in a text: tens of thousands cost memory and no speed, as patterns would not.

use aho_corasick::{AhoCorasick, Input};

use crate::patterns::Place;

/// A word to look for.
#[derive(Clone)]
pub struct Word {
    pub needle: Vec<u8>,
    /// Its capitals count.
    pub is_exact: bool,
    /// It is not found inside of another word.
    pub is_bounded: bool,
}

/// Words that are looked for in the same way, and the number of each.
struct Side {
    automaton: AhoCorasick,
    numbers: Vec<usize>,
}

/// Compiled words.
pub struct Words {
    sides: Vec<Side>,
    bounded: Vec<bool>,
}

impl Words {
    /// Compiles `words`; a match tells the position of its word.
    ///
    /// # Errors
    /// When one is empty, or all would take too much memory.
    pub fn new(words: &[Word]) -> Result<Self, String> {
        if words.iter().any(|word| word.needle.is_empty()) {
            return Err("an empty word stands everywhere".to_owned());
        }
        let mut sides = Vec::new();
        for is_exact in [true, false] {
            let numbers: Vec<usize> = (0..words.len()).filter(|&at| words[at].is_exact == is_exact).collect();
            if numbers.is_empty() {
                continue;
            }
            let automaton = AhoCorasick::builder()
                .ascii_case_insensitive(!is_exact)
                .build(numbers.iter().map(|&at| &words[at].needle))
                .map_err(|error| error.to_string())?;
            sides.push(Side { automaton, numbers });
        }
        Ok(Self { sides, bounded: words.iter().map(|word| word.is_bounded).collect() })
    }

    /// Every word in `text` from byte `from` on, in order; of those that overlap the first, and of those that
    /// begin together the longest.
    #[must_use]
    pub fn places(&self, text: &[u8], from: usize) -> Vec<Place> {
        let mut found: Vec<Place> = Vec::new();
        for side in &self.sides {
            let input = Input::new(text).range(from.min(text.len())..);
            for one in side.automaton.find_overlapping_iter(input) {
                let number = side.numbers[one.pattern().as_usize()];
                if !self.bounded[number] || is_whole(text, one.start(), one.end()) {
                    found.push((one.start(), one.end(), number));
                }
            }
        }
        found.sort_unstable_by_key(|&(start, end, number)| (start, usize::MAX - end, number));
        let mut behind = 0;
        found.retain(|&(start, end, _)| {
            let is_free = start >= behind;
            if is_free {
                behind = end;
            }
            is_free
        });
        found
    }
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
    use super::{Word, Words};

    fn word(needle: &str, is_exact: bool, is_bounded: bool) -> Word {
        Word { needle: needle.as_bytes().to_vec(), is_exact, is_bounded }
    }

    #[test]
    fn a_word_is_found_in_capitals_unless_they_count() {
        let words = Words::new(&[word("db7", false, true), word("Zm9v", true, false)]).unwrap();
        assert_eq!(words.places(b"DB7 xZm9vx zm9v", 0), [(0, 3, 0), (5, 9, 1)]);
    }

    #[test]
    fn a_bounded_word_is_not_found_inside_of_another() {
        let words = Words::new(&[word("db7", false, true)]).unwrap();
        assert_eq!(words.places(b"adb7 db71 db7-x _db7", 0), [(10, 13, 0)]);
    }

    #[test]
    fn the_longest_of_those_that_begin_together_counts() {
        let words = Words::new(&[word("db", false, false), word("db7.acme", false, false)]).unwrap();
        assert_eq!(words.places(b"db7.acme db", 0), [(0, 8, 1), (9, 11, 0)]);
    }

    #[test]
    fn a_word_that_is_none_there_hides_no_other() {
        let words = Words::new(&[word("pg-db7", false, true), word("db7", false, true)]).unwrap();
        assert_eq!(words.places(b"xpg-db7", 0), [(4, 7, 1)]);
    }
}
