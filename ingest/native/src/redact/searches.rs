//! Successive searches of one text, linear in its length together.
//!
//! Behind a match a search goes on as long as a preferred one may follow from the same place: `1.2.3.4.5.6.…` may still
//! become an e-mail address. When it does not, the next search begins behind the short match and looks as far ahead
//! again: n²/2 bytes for n matches. The state of the automaton decides how a search ends, so a search in a state in
//! which an earlier one passed the same place ends as that one did. Every 64th byte is such a place.

use std::collections::HashMap;
use std::ops::Range;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache as States, DFA};
use regex_automata::hybrid::regex::{Cache, Regex as Automaton};
use regex_automata::util::pool::PoolGuard;
use regex_automata::{Anchored, Input, Span};

use crate::redact::patterns::{NewCache, Place};

/// Bytes between the places that are remembered.
const STRIDE: usize = 64;

/// End (exclusive) and pattern of a match.
type Ending = (usize, usize);

/// End of the range, place and state of a search.
type Passed = (usize, usize, LazyStateID);

/// Searches of one text by one automaton.
pub(crate) struct Searches<'a> {
    automaton: &'a Automaton,
    cache: PoolGuard<'a, Cache, NewCache>,
    text: &'a [u8],
    endings: Endings,
}

/// How searches ended: the match found behind a place they passed, if any.
#[derive(Default)]
struct Endings {
    known: HashMap<Passed, Option<Ending>>,
    /// Times the automaton had dropped its states, whose numbers mean others since then.
    drops: usize,
}

impl<'a> Searches<'a> {
    pub(crate) fn new(
        automaton: &'a Automaton,
        cache: PoolGuard<'a, Cache, NewCache>,
        text: &'a [u8],
    ) -> Self {
        Self { automaton, cache, text, endings: Endings::default() }
    }

    /// The first match within `range`; `\b` and `^` see the bytes around it.
    pub(crate) fn first(&mut self, range: Range<usize>) -> Option<Place> {
        let (states, backward) = self.cache.as_parts_mut();
        let begin = range.start;
        let (end, pattern) = forward(self.automaton.forward(), states, self.text, range, &mut self.endings)?;
        if end == begin {
            return Some((end, end, pattern));
        }
        let input = Input::new(self.text).range(begin..end).anchored(Anchored::Yes);
        let found = self.automaton.reverse().try_search_rev(backward, &input).ok().flatten()?;
        Some((found.offset(), end, pattern))
    }
}

/// The leftmost match of `dfa` in `range`, as the engine's own search finds it.
fn forward(
    dfa: &DFA,
    states: &mut States,
    text: &[u8],
    range: Range<usize>,
    endings: &mut Endings,
) -> Option<Ending> {
    let Range { start: mut at, end } = range;
    if at > end {
        return None;
    }
    let prefilter = dfa.get_config().get_prefilter();
    let candidate = |from: usize| match prefilter {
        Some(begins) => begins.find(text, Span::from(from..end)).map(|span| span.start),
        None => Some(from),
    };
    at = candidate(at)?;
    let mut state = start(dfa, states, text, at..end);
    let mut found = None;
    let mut passed: Vec<(Passed, Option<Ending>)> = Vec::new();
    while at < end {
        let before = state;
        if !before.is_tagged() {
            state = dfa.next_state_untagged(states, before, text[at]);
            while found.is_none() && !state.is_tagged() && at + 1 < end {
                at += 1;
                let previous = state;
                state = dfa.next_state_untagged(states, previous, text[at]);
                if state.is_unknown() {
                    state = next(dfa, states, previous, text[at]);
                }
            }
        }
        if before.is_tagged() || state.is_unknown() {
            state = next(dfa, states, before, text[at]);
        }
        if state.is_match() {
            found = Some((at, dfa.match_pattern(states, state, 0).as_usize()));
        } else if state.is_dead() {
            return endings.remember(states, passed, found);
        } else if state.is_start() && found.is_none() {
            let from = candidate(at)?;
            if from > at {
                at = from;
                state = start(dfa, states, text, at..end);
                continue;
            }
        }
        at += 1;
        if found.is_some() && at % STRIDE == 0 {
            let here = (end, at, state);
            if endings.forget_dropped(states) {
                passed.clear();
            }
            if let Some(&ending) = endings.known.get(&here) {
                return endings.remember(states, passed, ending.or(found));
            }
            passed.push((here, found));
        }
    }
    let last = match text.get(end) {
        Some(&byte) => next(dfa, states, state, byte),
        None => dfa.next_eoi_state(states, state).expect("it drops states rather than giving up"),
    };
    if last.is_match() {
        found = Some((end, dfa.match_pattern(states, last, 0).as_usize()));
    }
    endings.remember(states, passed, found)
}

fn start(dfa: &DFA, states: &mut States, text: &[u8], range: Range<usize>) -> LazyStateID {
    dfa.start_state_forward(states, &Input::new(text).range(range))
        .expect("unanchored searches are supported")
}

fn next(dfa: &DFA, states: &mut States, state: LazyStateID, byte: u8) -> LazyStateID {
    dfa.next_state(states, state, byte).expect("it drops states rather than giving up")
}

impl Endings {
    /// Forget all if the automaton has dropped its states; return whether it has.
    fn forget_dropped(&mut self, states: &States) -> bool {
        let is_dropped = self.drops != states.clear_count();
        if is_dropped {
            self.drops = states.clear_count();
            self.known.clear();
        }
        is_dropped
    }

    /// Remember how a search ended for the places it passed, each with the match known there; return the match.
    fn remember(
        &mut self,
        states: &States,
        passed: Vec<(Passed, Option<Ending>)>,
        found: Option<Ending>,
    ) -> Option<Ending> {
        if !passed.is_empty() && !self.forget_dropped(states) {
            self.known
                .extend(passed.into_iter().map(|(place, known)| (place, found.filter(|_| found != known))));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex_automata::Input;

    use crate::redact::patterns::Patterns;

    const EXPRESSIONS: [&str; 6] = [
        r"(?i)\b[a-z0-9][a-z0-9._%+-]*@[a-z0-9]+\b",
        r"[a-z]+://[^\s:]*:[^\s]+!",
        r"(?m)^a+:$",
        r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b",
        r"(?:[0-9a-f]{2}:){2,7}:",
        r"aa?",
    ];

    fn patterns(expressions: &[&str]) -> Vec<String> {
        expressions.iter().map(|&one| one.to_owned()).collect()
    }

    proptest! {
        #[test]
        fn each_search_finds_what_the_engine_finds(
            units in prop::collection::vec("[a1.:@/! \n]{1,3}", 1..6),
            times in 1_usize..120,
            tail in "[a1.:@! \n]{0,9}",
            cache_bytes in prop::sample::select(vec![40_000, 16 << 20]),
        ) {
            let text = units.iter().map(|unit| unit.repeat(times)).collect::<String>() + &tail;
            let all = Patterns::within(cache_bytes, &patterns(&EXPRESSIONS)).unwrap();
            let mut cache = all.automaton.create_cache();
            let expected: Vec<_> = all
                .automaton
                .find_iter(&mut cache, Input::new(&text))
                .map(|found| (found.start(), found.end(), found.pattern().as_usize()))
                .collect();
            prop_assert_eq!(all.places(text.as_bytes(), 0), expected);
        }
    }

    #[test]
    fn few_states_are_remembered_at_a_place_and_the_preferred_match_is_found_behind_any_row() {
        let all = Patterns::new(&patterns(&EXPRESSIONS)).unwrap();
        let row = "10.1.2.3.".repeat(1000);
        let mut searches = all.searches(row.as_bytes());
        let mut at = 0;
        while let Some((_, end, _)) = searches.first(at..row.len()) {
            at = end;
        }
        let places = row.len() / super::STRIDE;
        assert!(searches.endings.known.len() <= 2 * places, "{} of {places}", searches.endings.known.len());
        let mail = format!("{row}x@a1");
        assert_eq!(all.places(mail.as_bytes(), 0), [(0, mail.len(), 0)]);
    }
}
