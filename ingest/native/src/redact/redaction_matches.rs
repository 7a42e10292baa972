//! Redaction matches: find the names in a text, and replace them.
//!
//! The caller decides what a match of a rule means, once for each distinct match: a log repeats a host many times. Two
//! matches are the same if their groups are equal (the whole match without groups) and, with context, two bytes on each
//! side. A decision refers to a name by number; replacements follow later, so first-pass decisions serve the second.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use regex_automata::util::captures::Captures;
use regex_automata::{Anchored, Input};

use crate::redact::host_names::whole_name;
use crate::redact::multi_pattern_search::{MultiPatternSearch, Word};
use crate::redact::patterns::Place;
use crate::redact::quiet_lines::{self, QuietLines};
use crate::redact::replacement::{NAME, Replaced, Replacement, WORD, replaced};
use crate::redact::rules::Rules;
use crate::redact::seen_texts::SeenTexts;
use crate::redact::vocabulary::Vocabulary;
use crate::redact::writings::{self, Names, Writings};

/// Cached decisions; beyond that the cache is cleared.
const MAX_DECISIONS: usize = 1 << 18;
const AROUND: usize = 2;
const ABSENT: (usize, usize) = (usize::MAX, usize::MAX);

/// A part to replace: start, end (exclusive), kind, and the number of its name.
pub type Part = (usize, usize, usize, usize);

/// A match without a decision: number of its decision, start, end (exclusive), rule, and start and end of its groups.
pub type Undecided = (usize, usize, usize, usize, Vec<Option<(usize, usize)>>);

/// A part, relative to the start of a group of its match.
struct Piece {
    group: usize,
    start: usize,
    end: usize,
    kind: usize,
    name: usize,
}

/// A match in the last scanned text; its groups begin at `spans[groups..groups + count]`.
struct Found {
    decision: usize,
    groups: usize,
    count: usize,
}

/// Rules, words and the decisions so far.
pub struct RedactionMatches {
    rules: Arc<Rules>,
    captures: Vec<Option<Captures>>,
    writings: Writings,
    names: Vec<Vec<u8>>,
    /// For each pseudonym of words and of `names`, the kinds as which it has replaced something, one bit each.
    has_replaced: [Vec<u32>; 2],
    domains: MultiPatternSearch,
    decision_of: HashMap<Box<[u8]>, usize>,
    decisions: Vec<Vec<Piece>>,
    undecided: HashMap<usize, usize>,
    found: Vec<Found>,
    spans: Vec<(usize, usize)>,
    is_rule: usize,
    quiet_lines: QuietLines,
    seen: SeenTexts,
}

impl RedactionMatches {
    /// Search with `rules` only.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            captures: rules.list.iter().map(|_| None).collect(),
            rules,
            writings: Writings::new(Vec::new(), Names::default(), &Arc::default()),
            names: Vec::new(),
            has_replaced: Default::default(),
            domains: MultiPatternSearch::new([]),
            decision_of: HashMap::new(),
            decisions: Vec::new(),
            undecided: HashMap::new(),
            found: Vec::new(),
            spans: Vec::new(),
            is_rule: 0,
            quiet_lines: QuietLines::default(),
            seen: SeenTexts::default(),
        }
    }

    /// Search also for `words`, encodings of `named` not made of `protected` words, and names below `domains`.
    pub fn settle(
        &mut self,
        words: Vec<writings::Replaced>,
        named: Names,
        protected: &Arc<Vocabulary>,
        domains: Vec<Vec<u8>>,
    ) {
        self.writings = Writings::new(words, named, protected);
        self.has_replaced[WORD] = vec![0; self.writings.pseudonyms().count()];
        let bare = |needle| Word { needle, is_exact: false, is_bounded: true };
        self.domains = MultiPatternSearch::new(domains.into_iter().map(bare));
    }

    /// Append the replacements of further names; the first name ever has the number 0.
    pub fn add_replacements(&mut self, by: Vec<Vec<u8>>) {
        self.names.extend(by);
        self.has_replaced[NAME].resize(self.names.len(), 0);
    }

    /// The pseudonyms that have replaced something, by kind.
    #[must_use]
    pub fn used(&self, kinds: usize) -> Vec<HashSet<&[u8]>> {
        let mut used = vec![HashSet::new(); kinds];
        let names = self.names.iter().map(Vec::as_slice);
        let bits = self.has_replaced.iter().flatten();
        for (pseudonym, &bits) in self.writings.pseudonyms().chain(names).zip(bits) {
            for (kind, of_kind) in used.iter_mut().enumerate() {
                if bits >> kind & 1 == 1 {
                    of_kind.insert(pseudonym);
                }
            }
        }
        used
    }

    /// Find the matches in `text`; return those without a decision.
    pub fn scan(&mut self, text: &[u8]) -> Vec<Undecided> {
        if self.decisions.len() >= MAX_DECISIONS {
            self.decision_of.clear();
            self.decisions.clear();
        }
        self.found.clear();
        self.spans.clear();
        self.undecided.clear();
        let mut unknown = Vec::new();
        let mut key = Vec::new();
        let rules = Arc::clone(&self.rules);
        let hash = self.seen.hash_of(text);
        let (places, of_rules, new_lines) = if let Some((places, of_rules)) = self.seen.take(hash) {
            (places, of_rules, Vec::new())
        } else {
            let (ranges, new_lines) = self.quiet_lines.others(text);
            let mut places = Vec::new();
            for range in &ranges {
                rules.places(text, range.clone(), &mut places);
            }
            let of_rules = places.len();
            for range in ranges {
                rules.shapes(text, range, &mut places);
            }
            if !quiet_lines::is_left(&new_lines, &places) {
                self.seen.put(hash, &places, of_rules);
            }
            (places, of_rules, new_lines)
        };
        for &place in &places {
            self.match_of(&rules, text, place, &mut key, &mut unknown);
        }
        self.is_rule = of_rules;
        let is_open = |found: &Found| {
            self.undecided.contains_key(&found.decision) || !self.decisions[found.decision].is_empty()
        };
        let open = places.into_iter().zip(&self.found).filter(|(_, found)| is_open(found));
        self.quiet_lines.learn(&new_lines, open.map(|(place, _)| place).collect());
        let (rule, mut behind) = (rules.list.len(), 0);
        for (at, end, _) in self.domains.places(text, 0) {
            let start = whole_name(text, behind, at);
            behind = end;
            let groups = self.spans.len();
            self.spans.push((start, end));
            key.clear();
            key.extend((u32::try_from(rule).unwrap_or(u32::MAX)).to_le_bytes());
            key.extend(&text[start..end]);
            self.note(&key, groups, (start, end, rule), &mut unknown);
        }
        unknown
    }

    /// Record a match of a rule or shape, identified by its groups and, where they count, the bytes around it.
    fn match_of(
        &mut self,
        rules: &Rules,
        text: &[u8],
        (start, end, rule): Place,
        key: &mut Vec<u8>,
        unknown: &mut Vec<Undecided>,
    ) {
        let groups = self.spans.len();
        key.clear();
        key.extend((u32::try_from(rule).unwrap_or(u32::MAX)).to_le_bytes());
        self.spans.push((start, end));
        match rules.with_groups(rule) {
            Some(regex) => {
                let captures = self.captures[rule].get_or_insert_with(|| regex.create_captures());
                let input = Input::new(text).range(start..end).anchored(Anchored::Yes);
                regex.search_captures(&input, captures);
                for group in 1..captures.group_len() {
                    let span = captures.get_group(group).map_or(ABSENT, |span| (span.start, span.end));
                    let value = text.get(span.0..span.1).unwrap_or_default();
                    self.spans.push(span);
                    key.extend(value.len().to_le_bytes());
                    key.extend(value);
                }
            }
            None => key.extend(&text[start..end]),
        }
        if rules.list[rule].looks_around {
            let before = &text[start.saturating_sub(AROUND)..start];
            key.extend([0, u8::try_from(before.len()).unwrap_or(0)]);
            key.extend(before);
            key.extend(&text[end..text.len().min(end + AROUND)]);
        }
        self.note(key, groups, (start, end, rule), unknown);
    }

    fn note(
        &mut self,
        key: &[u8],
        groups: usize,
        place: (usize, usize, usize),
        unknown: &mut Vec<Undecided>,
    ) {
        let decision = if let Some(&existing) = self.decision_of.get(key) {
            existing
        } else {
            let new = self.decisions.len();
            self.decisions.push(Vec::new());
            self.decision_of.insert(key.into(), new);
            self.undecided.insert(new, self.found.len());
            let parts = self.spans[groups + 1..].iter().map(|&span| (span != ABSENT).then_some(span));
            unknown.push((new, place.0, place.1, place.2, parts.collect()));
            new
        };
        self.found.push(Found { decision, groups, count: self.spans.len() - groups });
    }

    /// Decide which parts of a match returned by `scan` are replaced; places are those of the scanned text.
    pub fn decide(&mut self, decision: usize, parts: Vec<Part>) {
        let Some(found) = self.undecided.get(&decision).and_then(|&at| self.found.get(at)) else { return };
        let spans = &self.spans[found.groups..found.groups + found.count];
        let pieces = parts.into_iter().map(|(start, end, kind, name)| {
            let begun = |group: &usize| spans[*group].0 <= start;
            let group =
                (0..spans.len()).filter(begun).max_by_key(|&group| (spans[group].0, group)).unwrap_or(0);
            let origin = spans[group].0;
            Piece { group, start: start - origin, end: end - origin, kind, name }
        });
        self.decisions[decision] = pieces.collect();
    }

    /// The last scanned text with every name replaced that has a replacement, and the number of replacements by kind.
    #[must_use]
    pub fn apply(&mut self, text: &[u8], kinds: usize) -> (Vec<u8>, Vec<usize>) {
        let mut sure: Vec<_> =
            self.found[..self.is_rule].iter().flat_map(|found| self.parts(found)).collect();
        sure.sort_by_key(|part| part.start);
        let mut rest: Vec<_> =
            self.found[self.is_rule..].iter().flat_map(|found| self.parts(found)).collect();
        rest.extend(self.writings.places(text));
        rest.sort_by_key(|part| (part.start, usize::MAX - part.end));
        let Replaced { text: redacted, counts, used } = replaced(text, sure, rest, kinds);
        for ((from, number), kind) in used {
            self.has_replaced[from][number] |= 1 << kind;
        }
        (redacted, counts)
    }

    fn parts(&self, found: &Found) -> impl Iterator<Item = Replacement<'_>> {
        let groups = found.groups;
        self.decisions[found.decision].iter().filter_map(move |piece| {
            let origin = self.spans[groups + piece.group].0;
            let by = self.names.get(piece.name)?;
            Some(Replacement {
                start: origin + piece.start,
                end: origin + piece.end,
                kind: piece.kind,
                by: Cow::Borrowed(by),
                of: (NAME, piece.name),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{HashSet, Names, RedactionMatches};
    use crate::redact::multi_pattern_search::Word;
    use crate::redact::rules::{Rule, Rules};
    use crate::redact::writings::{Named, Replaced};

    fn matches(rules: &[&str]) -> RedactionMatches {
        with_shapes(rules, &[])
    }

    fn with_shapes(rules: &[&str], shapes: &[&str]) -> RedactionMatches {
        let list = |all: &[&str]| -> Vec<Rule> {
            all.iter().map(|&one| Rule { expression: one.to_owned(), looks_around: false }).collect()
        };
        RedactionMatches::new(Arc::new(Rules::new(list(rules), list(shapes)).unwrap()))
    }

    #[test]
    fn a_shape_hides_no_rule_and_yields_to_it() {
        let mut matches = with_shapes(&[r"host=(?P<host>\w+)"], &[r"[a-z]+=\w+"]);
        let text = b"host=db7 id=x9";
        assert_eq!(
            matches.scan(text),
            [(0, 0, 8, 0, vec![Some((5, 8))]), (1, 0, 8, 1, vec![]), (2, 9, 14, 1, vec![])]
        );
        matches.decide(0, vec![(5, 8, 0, 0)]);
        matches.decide(1, vec![(0, 8, 0, 1)]);
        matches.decide(2, vec![(9, 14, 0, 1)]);
        matches.add_replacements(vec![b"zq0".to_vec(), b"zq1".to_vec()]);
        assert_eq!(matches.apply(text, 1).0, b"host=zq0 zq1");
    }

    fn word(needle: &str, by: &str) -> Replaced {
        (Word { needle: needle.into(), is_exact: false, is_bounded: true }, 1, by.into(), by.into())
    }

    #[test]
    fn equal_groups_need_one_decision_whatever_is_beside_them() {
        let mut matches = matches(&[r"(?m)^\d+ (?P<host>\w+):"]);
        let text = b"1 db7: a\n22 db7: b\n";
        assert_eq!(matches.scan(text), [(0, 0, 6, 0, vec![Some((2, 5))])]);
        matches.decide(0, vec![(2, 5, 0, 0)]);
        assert_eq!(matches.apply(text, 2), (text.to_vec(), vec![0, 0]));
        matches.add_replacements(vec![b"zqx".to_vec()]);
        assert_eq!(matches.apply(text, 2), (b"1 zqx: a\n22 zqx: b\n".to_vec(), vec![2, 0]));
        assert_eq!(matches.scan(b"333 db7: c"), []);
    }

    #[test]
    fn words_are_replaced_where_no_rule_has_replaced_anything() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        matches.settle(vec![word("db7", "zq1")], Names::default(), &Arc::default(), vec![]);
        let text = b"host=db7 on DB7 db71";
        let undecided = matches.scan(text);
        matches.decide(undecided[0].0, vec![(5, 8, 0, 0)]);
        matches.add_replacements(vec![b"zq0".to_vec()]);
        assert_eq!(matches.apply(text, 2), (b"host=zq0 on zq1 db71".to_vec(), vec![1, 1]));
    }

    #[test]
    fn a_name_counts_once_in_whichever_writing_it_was_replaced() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        let (named, other) = (word("db7", "zq1"), word("db8", "zq2"));
        let part = (named.0.clone(), 1, b"zq".to_vec(), b"zq1".to_vec());
        let begin = (Word { needle: b"d7".to_vec(), ..part.0 }, part.1, part.2, part.3);
        matches.settle(vec![named, other, begin], Names::default(), &Arc::default(), vec![]);
        let text = b"host=db7 on DB7, d7";
        let undecided = matches.scan(text);
        matches.decide(undecided[0].0, vec![(5, 8, 1, 0)]);
        matches.add_replacements(vec![b"zq1".to_vec()]);
        assert_eq!(matches.apply(text, 2), (b"host=zq1 on zq1, zq".to_vec(), vec![0, 3]));
        assert_eq!(matches.used(2), [HashSet::new(), HashSet::from([&b"zq1"[..]])]);
    }

    #[test]
    fn a_rule_whose_match_means_nothing_hides_no_word() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        matches.settle(vec![word("db7", "zq1")], Names::default(), &Arc::default(), vec![]);
        assert_eq!(matches.scan(b"host=db7").len(), 1);
        assert_eq!(matches.apply(b"host=db7", 2).0, b"host=zq1");
    }

    #[test]
    fn decisions_made_before_the_words_are_set_stay() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        assert_eq!(matches.scan(b"host=db7").len(), 1);
        matches.decide(0, vec![(5, 8, 0, 0)]);
        matches.settle(vec![word("db8", "zq1")], Names::default(), &Arc::default(), vec![]);
        matches.add_replacements(vec![b"zq0".to_vec()]);
        assert_eq!(matches.scan(b"host=db7"), []);
        assert_eq!(matches.apply(b"host=db7", 2).0, b"host=zq0");
    }

    #[test]
    fn a_name_is_replaced_in_its_other_encodings() {
        let mut matches = matches(&["x"]);
        let mut names = Names::default();
        names.push(&Named { kind: "host", number: 1, name: b"db7-prod", by: b"zqaaaaaa" });
        matches.settle(vec![], names, &Arc::default(), vec![]);
        assert_eq!(matches.scan(b"at DB7_PROD"), []);
        assert_eq!(matches.apply(b"at DB7_PROD", 2), (b"at zqaaaaaa".to_vec(), vec![0, 1]));
    }

    #[test]
    fn a_name_below_a_domain_is_one_match() {
        let mut matches = matches(&["x"]);
        matches.settle(vec![], Names::default(), &Arc::default(), vec![b"acme.bank".to_vec()]);
        let found = matches.scan(b"at db7.hh.ACME.bank and acme.bank");
        assert_eq!(found, [(0, 3, 19, 1, vec![]), (1, 24, 33, 1, vec![])]);
    }
}
