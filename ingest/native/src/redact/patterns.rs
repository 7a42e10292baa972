//! Find the matches of many regular expressions in one pass.
//!
//! Works on bytes of any encoding; `\w` and `\b` mean ASCII.

use std::ops::Range;

use regex_automata::Input;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;

/// Memory limits of the compiled patterns and of the lazily built automaton.
const SIZE_LIMIT: usize = 64 << 20;
const CACHE_BYTES: usize = 16 << 20;

/// Compiled patterns.
pub struct Patterns {
    regex: Regex,
}

/// A match: start, end (exclusive), and the number of its pattern.
pub type Place = (usize, usize, usize);

impl Patterns {
    /// Compiles `patterns`; where several match at one position, the first of them wins.
    ///
    /// # Errors
    /// When one is no regular expression, or all would take too much memory.
    pub fn new(patterns: &[String]) -> Result<Self, String> {
        let regex = compiled(patterns)?;
        Ok(Self { regex })
    }

    /// All non-overlapping matches in `text` from byte `from` on, in order. `\b` and `^` see the bytes before `from`.
    #[must_use]
    pub fn places(&self, text: &[u8], from: usize) -> Vec<Place> {
        self.regex
            .find_iter(Input::new(text).range(from.min(text.len())..))
            .map(|found| (found.start(), found.end(), found.pattern().as_usize()))
            .collect()
    }

    /// The first match within `range`; `\b` and `^` see the bytes around it.
    pub(crate) fn first(&self, text: &[u8], range: Range<usize>) -> Option<Place> {
        let found = self.regex.find(Input::new(text).range(range))?;
        Some((found.start(), found.end(), found.pattern().as_usize()))
    }
}

/// Compiles `patterns` to one automaton over bytes.
///
/// # Errors
/// When one is no regular expression, or all would take too much memory.
pub(crate) fn compiled(patterns: &[String]) -> Result<Regex, String> {
    let config =
        Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT)).hybrid_cache_capacity(CACHE_BYTES);
    Regex::builder()
        .configure(config)
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .build_many(patterns)
        .map_err(|error| match error.pattern() {
            Some(at) => format!("pattern {}: {error}", at.as_usize()),
            None => error.to_string(),
        })
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    fn patterns(of: &[&str]) -> Patterns {
        Patterns::new(&of.iter().map(|&one| one.to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn each_match_has_its_place_and_its_pattern() {
        let two = patterns(&[r"\b[0-9]+\.[0-9]+\b", r"(?i)\bdb7\b"]);
        assert_eq!(two.places(b"DB7 at 10.2 and db71", 0), [(0, 3, 1), (7, 11, 0)]);
    }

    #[test]
    fn the_first_pattern_counts_where_two_begin_together() {
        assert_eq!(patterns(&["db7[.]corp", "db7"]).places(b"db7.corp db7", 0), [(0, 8, 0), (9, 12, 1)]);
    }

    #[test]
    fn bytes_before_the_start_count_as_context_and_never_match() {
        assert_eq!(patterns(&[r"\bdb7\b"]).places(b"adb7 db7", 1), [(5, 8, 0)]);
    }

    #[test]
    fn bytes_that_are_no_text_are_no_obstacle() {
        assert_eq!(patterns(&[r"\bdb7\b"]).places(b"\xff\xfedb7\xe4", 0), [(2, 5, 0)]);
    }

    #[test]
    fn a_broken_pattern_is_reported_by_its_number() {
        let broken = Patterns::new(&["a".to_owned(), "b(".to_owned()]);
        assert!(broken.is_err_and(|error| error.starts_with("pattern 1: ")));
    }
}
