//! Find the matches of many regular expressions in one pass.
//!
//! Works on bytes of any encoding; `\w` and `\b` mean ASCII. The automaton is built as texts need its states; when they
//! fill the memory it begins anew. The engine of `regex` would give such an automaton up in a process that reads many
//! short texts, and simulate the patterns byte by byte from then on, which is many times slower.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::hybrid::regex::{Cache, Regex as Automaton};
use regex_automata::meta::{Config, Regex};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchKind};

use crate::redact::searches::Searches;

/// Memory limits of the compiled patterns and of the lazily built automaton.
const SIZE_LIMIT: usize = 64 << 20;
const CACHE_BYTES: usize = 16 << 20;

pub(crate) type NewCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// Compiled patterns.
pub struct Patterns {
    pub(crate) automaton: Arc<Automaton>,
    /// States so far, for each thread that searches.
    states: Pool<Cache, NewCache>,
}

/// A match: start, end (exclusive), and the number of its pattern.
pub type Place = (usize, usize, usize);

impl Patterns {
    /// Compiles `patterns`; where several match at one position, the first of them wins.
    ///
    /// # Errors
    /// When one is no regular expression, or all would take too much memory.
    pub fn new(patterns: &[String]) -> Result<Self, String> {
        Self::within(CACHE_BYTES, patterns)
    }

    /// The same with another limit of the automaton's memory.
    pub(crate) fn within(cache_bytes: usize, patterns: &[String]) -> Result<Self, String> {
        let automaton = Arc::new(automaton(cache_bytes, patterns)?);
        let shared = Arc::clone(&automaton);
        Ok(Self { automaton, states: Pool::new(Box::new(move || shared.create_cache())) })
    }

    /// All non-overlapping matches in `text` from byte `from` on, in order. `\b` and `^` see the bytes before `from`.
    #[must_use]
    pub fn places(&self, text: &[u8], from: usize) -> Vec<Place> {
        let mut searches = self.searches(text);
        let mut at = from.min(text.len());
        let mut found = Vec::new();
        while let Some(place) = searches.first(at..text.len()) {
            found.push(place);
            at = place.1.max(place.0 + 1);
        }
        found
    }

    /// Whether one of them matches in `text`.
    #[must_use]
    pub fn has_any(&self, text: &[u8]) -> bool {
        self.automaton.is_match(&mut self.states.get(), Input::new(text))
    }

    /// Searches of `text`.
    pub(crate) fn searches<'a>(&'a self, text: &'a [u8]) -> Searches<'a> {
        Searches::new(&self.automaton, self.states.get(), text)
    }
}

/// Compiles `patterns` to one automaton over bytes, which never gives up.
fn automaton(cache_bytes: usize, patterns: &[String]) -> Result<Automaton, String> {
    let parsed = patterns
        .iter()
        .enumerate()
        .map(|(at, one)| {
            syntax::parse_with(one, &bytes_only()).map_err(|error| format!("pattern {at}: {error}"))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let compiled = |is_reverse: bool| {
        let config = thompson::Config::new()
            .utf8(false)
            .reverse(is_reverse)
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(SIZE_LIMIT));
        thompson::Compiler::new()
            .configure(config)
            .build_many_from_hir(&parsed)
            .map_err(|error| error.to_string())
    };
    let lazily = |config: dfa::Config, nfa| {
        let config = config.cache_capacity(cache_bytes).minimum_cache_clear_count(None);
        DFA::builder().configure(config).build_from_nfa(nfa).map_err(|error| error.to_string())
    };
    let begins = Prefilter::from_hirs_prefix(MatchKind::LeftmostFirst, &parsed);
    let forward = dfa::Config::new().specialize_start_states(begins.is_some()).prefilter(begins);
    let backward = dfa::Config::new().match_kind(MatchKind::All);
    Ok(Automaton::builder()
        .build_from_dfas(lazily(forward, compiled(false)?)?, lazily(backward, compiled(true)?)?))
}

fn bytes_only() -> syntax::Config {
    syntax::Config::new().unicode(false).utf8(false)
}

/// Compiles one pattern to an expression over bytes that tells its groups.
///
/// # Errors
/// When it is no regular expression, or would take too much memory.
pub(crate) fn compiled(pattern: &str) -> Result<Regex, String> {
    let config =
        Config::new().utf8_empty(false).nfa_size_limit(Some(SIZE_LIMIT)).hybrid_cache_capacity(CACHE_BYTES);
    Regex::builder().configure(config).syntax(bytes_only()).build(pattern).map_err(|error| error.to_string())
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
    fn an_automaton_whose_memory_is_full_begins_anew_as_often_as_it_has_to() {
        let expressions: Vec<_> =
            (0..20).map(|at| format!(r"\b[a-z]{{1,9}}{at}[0-9a-f]{{1,9}}x\b")).collect();
        let patterns = Patterns::within(40_000, &expressions).unwrap();
        for number in 0..3000_u64 {
            let text = format!("{:x}z a7{number:x}x b", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            assert!(patterns.places(text.as_bytes(), 0).iter().any(|&(_, end, _)| end == text.len() - 2));
        }
        let cleared = patterns.states.get().as_parts().0.clear_count();
        assert!(cleared > 10, "cleared {cleared} times");
    }

    #[test]
    fn a_broken_pattern_is_reported_by_its_number() {
        let broken = Patterns::new(&["a".to_owned(), "b(".to_owned()]);
        assert!(broken.is_err_and(|error| error.starts_with("pattern 1: ")));
    }
}
