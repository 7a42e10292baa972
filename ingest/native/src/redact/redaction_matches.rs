//! Redaction matches: find the names in a text, and replace them.
//!
//! The caller decides what a match of a rule means, once for each distinct match: a log repeats a host many times. Two
//! matches are the same if their groups are equal (the whole match without groups) and, with context, two bytes on each
//! side. A decision refers to a name by number; replacements follow later, so first-pass decisions serve the second.

use std::collections::HashMap;
use std::sync::Arc;

use regex_automata::util::captures::Captures;
use regex_automata::{Anchored, Input};

use crate::redact::encoding::Encoding;
use crate::redact::encodings;
use crate::redact::host_names::whole_name;
use crate::redact::multi_pattern_search::{MultiPatternSearch, Word};
use crate::redact::patterns::Place;
use crate::redact::quiet_lines::QuietLines;
use crate::redact::rules::Rules;
use crate::redact::vocabulary::Vocabulary;

/// Cached decisions; beyond that the cache is cleared.
const MAX_DECISIONS: usize = 1 << 18;
const AROUND: usize = 2;
const ABSENT: usize = usize::MAX;

/// A part to replace: start, end (exclusive), kind, and the number of its name.
pub type Part = (usize, usize, usize, usize);

/// A match without a decision: number of its decision, start, end (exclusive), rule.
pub type Undecided = (usize, usize, usize, usize);

/// A word, its kind, and its replacement.
pub type Replaced = (Word, usize, Vec<u8>);

/// A name: the name and number of its kind, its bytes, and its replacement.
pub struct Named {
    pub kind: String,
    pub number: usize,
    pub name: Vec<u8>,
    pub by: Vec<u8>,
}

/// A part, relative to the start of a group of its match.
struct Piece {
    group: usize,
    start: usize,
    end: usize,
    kind: usize,
    name: usize,
}

/// A match in the last scanned text; its groups begin at `starts[groups..groups + count]`.
struct Found {
    decision: usize,
    groups: usize,
    count: usize,
}

/// Rules, words and the decisions so far.
pub struct RedactionMatches {
    rules: Arc<Rules>,
    captures: Vec<Option<Captures>>,
    words: MultiPatternSearch,
    by: Vec<(usize, Vec<u8>)>,
    names: Vec<Vec<u8>>,
    domains: MultiPatternSearch,
    decision_of: HashMap<Box<[u8]>, usize>,
    decisions: Vec<Vec<Piece>>,
    undecided: HashMap<usize, usize>,
    found: Vec<Found>,
    starts: Vec<usize>,
    is_rule: usize,
    quiet_lines: QuietLines,
}

impl RedactionMatches {
    /// Search with `rules` only.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            captures: rules.list.iter().map(|_| None).collect(),
            rules,
            words: MultiPatternSearch::new(&[]),
            by: Vec::new(),
            names: Vec::new(),
            domains: MultiPatternSearch::new(&[]),
            decision_of: HashMap::new(),
            decisions: Vec::new(),
            undecided: HashMap::new(),
            found: Vec::new(),
            starts: Vec::new(),
            is_rule: 0,
            quiet_lines: QuietLines::default(),
        }
    }

    /// Search also for `words`, encodings of `named` not made of `protected` words, and names below `domains`.
    pub fn settle(
        &mut self,
        mut words: Vec<Replaced>,
        named: &[Named],
        protected: &Vocabulary,
        domains: Vec<Vec<u8>>,
    ) {
        for one in named {
            words.extend(encodings::of(&one.kind, &one.name, &one.by, protected).into_iter().map(
                |encoding| {
                    let Encoding { encoded: needle, replacement, is_exact, is_bounded } = encoding;
                    (Word { needle, is_exact, is_bounded }, one.number, replacement)
                },
            ));
        }
        let (needles, by): (Vec<Word>, Vec<_>) =
            words.into_iter().map(|(word, kind, by)| (word, (kind, by))).unzip();
        self.words = MultiPatternSearch::new(&needles);
        self.by = by;
        let bare = |needle| Word { needle, is_exact: false, is_bounded: true };
        self.domains = MultiPatternSearch::new(&domains.into_iter().map(bare).collect::<Vec<_>>());
    }

    /// Append the replacements of further names; the first name ever has the number 0.
    pub fn add_replacements(&mut self, by: Vec<Vec<u8>>) {
        self.names.extend(by);
    }

    fn forget(&mut self) {
        self.decision_of.clear();
        self.decisions.clear();
    }

    /// Find the matches in `text`; return those without a decision.
    pub fn scan(&mut self, text: &[u8]) -> Vec<Undecided> {
        if self.decisions.len() >= MAX_DECISIONS {
            self.forget();
        }
        self.found.clear();
        self.starts.clear();
        self.undecided.clear();
        let mut unknown = Vec::new();
        let mut key = Vec::new();
        let rules = Arc::clone(&self.rules);
        let (ranges, new_lines) = self.quiet_lines.others(text);
        let mut places = Vec::new();
        for range in &ranges {
            rules.places(text, range.clone(), &mut places);
        }
        let of_rules = places.len();
        for range in ranges {
            rules.shapes(text, range, &mut places);
        }
        for &place in &places {
            self.match_of(&rules, text, place, &mut key, &mut unknown);
        }
        self.is_rule = of_rules;
        let is_open = |found: &Found| {
            self.undecided.contains_key(&found.decision) || !self.decisions[found.decision].is_empty()
        };
        let open = places.into_iter().zip(&self.found).filter(|(_, found)| is_open(found));
        self.quiet_lines.learn(&new_lines, open.map(|(place, _)| place).collect());
        let rule = rules.list.len();
        let below = self.domains.places(text, 0);
        let mut behind = 0;
        for (at, end, _) in below {
            let start = whole_name(text, behind, at);
            behind = end;
            let groups = self.starts.len();
            self.starts.push(start);
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
        let groups = self.starts.len();
        key.clear();
        key.extend((u32::try_from(rule).unwrap_or(u32::MAX)).to_le_bytes());
        self.starts.push(start);
        match rules.with_groups(rule) {
            Some(regex) => {
                let captures = self.captures[rule].get_or_insert_with(|| regex.create_captures());
                let input = Input::new(text).range(start..end).anchored(Anchored::Yes);
                regex.search_captures(&input, captures);
                for group in 1..captures.group_len() {
                    let (at, value) = captures
                        .get_group(group)
                        .map_or((ABSENT, &b""[..]), |span| (span.start, &text[span.start..span.end]));
                    self.starts.push(at);
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
            unknown.push((new, place.0, place.1, place.2));
            new
        };
        self.found.push(Found { decision, groups, count: self.starts.len() - groups });
    }

    /// Decide which parts of a match returned by `scan` are replaced; places are those of the scanned text.
    pub fn decide(&mut self, decision: usize, parts: Vec<Part>) {
        let Some(found) = self.undecided.get(&decision).and_then(|&at| self.found.get(at)) else { return };
        let starts = &self.starts[found.groups..found.groups + found.count];
        let pieces = parts.into_iter().map(|(start, end, kind, name)| {
            let begun = |group: &usize| starts[*group] != ABSENT && starts[*group] <= start;
            let group =
                (0..starts.len()).filter(begun).max_by_key(|&group| (starts[group], group)).unwrap_or(0);
            let origin = starts[group];
            Piece { group, start: start - origin, end: end - origin, kind, name }
        });
        self.decisions[decision] = pieces.collect();
    }

    /// The last scanned text with every name replaced that has a replacement, and the number of replacements by kind.
    #[must_use]
    pub fn apply(&self, text: &[u8], kinds: usize) -> (Vec<u8>, Vec<usize>) {
        let mut sure: Vec<_> =
            self.found[..self.is_rule].iter().flat_map(|found| self.parts(found)).collect();
        sure.sort_by_key(|&(start, ..)| start);
        let mut rest: Vec<_> =
            self.found[self.is_rule..].iter().flat_map(|found| self.parts(found)).collect();
        rest.extend(self.words.places(text, 0).into_iter().map(|(start, end, number)| {
            let (kind, by) = &self.by[number];
            (start, end, *kind, by.as_slice())
        }));
        rest.sort_by_key(|&(start, end, ..)| (start, usize::MAX - end));
        let mut counts = vec![0; kinds];
        let mut redacted = Vec::with_capacity(text.len());
        let mut at = 0;
        let (mut sure, mut rest) = (sure.into_iter().peekable(), rest.into_iter().peekable());
        loop {
            let limit = sure.peek().map_or(usize::MAX, |&(start, ..)| start);
            let next = match rest.next_if(|&(start, ..)| start < limit) {
                Some((start, end, ..)) if start < at || end > limit => continue,
                Some(part) => part,
                None => match sure.next() {
                    Some(part) => part,
                    None => match rest.next() {
                        Some((start, ..)) if start < at => continue,
                        Some(part) => part,
                        None => break,
                    },
                },
            };
            let (start, end, kind, by) = next;
            if start < at {
                continue;
            }
            redacted.extend(&text[at..start]);
            redacted.extend(by);
            at = end;
            if let Some(count) = counts.get_mut(kind) {
                *count += 1;
            }
        }
        redacted.extend(&text[at..]);
        (redacted, counts)
    }

    fn parts(&self, found: &Found) -> impl Iterator<Item = (usize, usize, usize, &[u8])> {
        let groups = found.groups;
        self.decisions[found.decision].iter().filter_map(move |piece| {
            let origin = self.starts[groups + piece.group];
            let by = self.names.get(piece.name)?;
            Some((origin + piece.start, origin + piece.end, piece.kind, by.as_slice()))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Named, RedactionMatches, Vocabulary};
    use crate::redact::multi_pattern_search::Word;
    use crate::redact::rules::{Rule, Rules};

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
        assert_eq!(matches.scan(text), [(0, 0, 8, 0), (1, 0, 8, 1), (2, 9, 14, 1)]);
        matches.decide(0, vec![(5, 8, 0, 0)]);
        matches.decide(1, vec![(0, 8, 0, 1)]);
        matches.decide(2, vec![(9, 14, 0, 1)]);
        matches.add_replacements(vec![b"zq0".to_vec(), b"zq1".to_vec()]);
        assert_eq!(matches.apply(text, 1).0, b"host=zq0 zq1");
    }

    fn word(needle: &str, by: &str) -> (Word, usize, Vec<u8>) {
        (Word { needle: needle.into(), is_exact: false, is_bounded: true }, 1, by.into())
    }

    #[test]
    fn equal_groups_need_one_decision_whatever_is_beside_them() {
        let mut matches = matches(&[r"(?m)^\d+ (?P<host>\w+):"]);
        let text = b"1 db7: a\n22 db7: b\n";
        assert_eq!(matches.scan(text), [(0, 0, 6, 0)]);
        matches.decide(0, vec![(2, 5, 0, 0)]);
        assert_eq!(matches.apply(text, 2), (text.to_vec(), vec![0, 0]));
        matches.add_replacements(vec![b"zqx".to_vec()]);
        assert_eq!(matches.apply(text, 2), (b"1 zqx: a\n22 zqx: b\n".to_vec(), vec![2, 0]));
        assert_eq!(matches.scan(b"333 db7: c"), []);
    }

    #[test]
    fn words_are_replaced_where_no_rule_has_replaced_anything() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        matches.settle(vec![word("db7", "zq1")], &[], &Vocabulary::new(), vec![]);
        let text = b"host=db7 on DB7 db71";
        let undecided = matches.scan(text);
        matches.decide(undecided[0].0, vec![(5, 8, 0, 0)]);
        matches.add_replacements(vec![b"zq0".to_vec()]);
        assert_eq!(matches.apply(text, 2), (b"host=zq0 on zq1 db71".to_vec(), vec![1, 1]));
    }

    #[test]
    fn a_rule_whose_match_means_nothing_hides_no_word() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        matches.settle(vec![word("db7", "zq1")], &[], &Vocabulary::new(), vec![]);
        assert_eq!(matches.scan(b"host=db7").len(), 1);
        assert_eq!(matches.apply(b"host=db7", 2).0, b"host=zq1");
    }

    #[test]
    fn decisions_made_before_the_words_are_set_stay() {
        let mut matches = matches(&[r"host=(?P<host>\w+)"]);
        assert_eq!(matches.scan(b"host=db7").len(), 1);
        matches.decide(0, vec![(5, 8, 0, 0)]);
        matches.settle(vec![word("db8", "zq1")], &[], &Vocabulary::new(), vec![]);
        matches.add_replacements(vec![b"zq0".to_vec()]);
        assert_eq!(matches.scan(b"host=db7"), []);
        assert_eq!(matches.apply(b"host=db7", 2).0, b"host=zq0");
    }

    #[test]
    fn a_name_is_replaced_in_its_other_encodings() {
        let mut matches = matches(&["x"]);
        let named =
            Named { kind: "host".into(), number: 1, name: b"db7-prod".into(), by: b"zqaaaaaa".into() };
        matches.settle(vec![], &[named], &Vocabulary::new(), vec![]);
        assert_eq!(matches.scan(b"at DB7_PROD"), []);
        assert_eq!(matches.apply(b"at DB7_PROD", 2), (b"at zqaaaaaa".to_vec(), vec![0, 1]));
    }

    #[test]
    fn a_name_below_a_domain_is_one_match() {
        let mut matches = matches(&["x"]);
        matches.settle(vec![], &[], &Vocabulary::new(), vec![b"acme.bank".to_vec()]);
        assert_eq!(matches.scan(b"at db7.hh.ACME.bank and acme.bank"), [(0, 3, 19, 1), (1, 24, 33, 1)]);
    }
}
