//! The places of a text that name something, and the text with them replaced.
//!
//! What a match of a rule means is decided outside, once for each different one: a log names the same host in a
//! million lines. A match is known again by what its groups hold (by the whole of it when it has none) and, for a
//! rule that looks around itself, by the two bytes on each side. An answer says which name a part is, by a number;
//! what replaces the name is told later, so answers of the first pass serve the second.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;
use regex_automata::{Anchored, Input, PatternID};

use crate::redact::encodings::{self, Spelling};
use crate::redact::multi_pattern_search::{Word, Words};
use crate::redact::patterns::{Patterns, compiled};

/// So many answers are remembered; a text that asks more than that is answered anew.
const MAX_REMEMBERED: usize = 1 << 18;
const AROUND: usize = 2;
const ABSENT: usize = usize::MAX;

/// A pattern, and whether what stands around a match matters.
pub struct Rule {
    pub expression: String,
    pub looks_around: bool,
}

/// A part to replace: first byte, the byte behind the last, its kind, and the number of its name.
pub type Part = (usize, usize, usize, usize);

/// A match that nobody has decided on: where its answer goes, first byte, the byte behind the last, its rule.
pub type Asked = (usize, usize, usize, usize);

/// A word, its kind, and what replaces it.
pub type Replaced = (Word, usize, Vec<u8>);

/// A name, what its kind is called and its number, and what replaces it.
pub struct Named {
    pub kind: String,
    pub number: usize,
    pub name: Vec<u8>,
    pub by: Vec<u8>,
}

/// A part relative to the beginning of a group of its match.
struct Piece {
    group: usize,
    start: usize,
    end: usize,
    kind: usize,
    name: usize,
}

/// A match in the text that was scanned last; its groups begin at `starts[groups..groups + count]`.
struct Found {
    answer: usize,
    groups: usize,
    count: usize,
}

/// Compiled rules, which any number of cases share: compiling takes longer than redacting a short text.
pub struct Rules {
    patterns: Patterns,
    told: Vec<Rule>,
    /// Each by itself, compiled when it first finds something.
    alone: Vec<OnceLock<Option<Regex>>>,
}

impl Rules {
    /// Compiles `rules`; where several match at one place, the first of them counts.
    ///
    /// # Errors
    /// When one is no regular expression, or all would take too much memory.
    pub fn new(rules: Vec<Rule>) -> Result<Self, String> {
        let expressions: Vec<String> = rules.iter().map(|rule| rule.expression.clone()).collect();
        let patterns = Patterns::new(&expressions)?;
        Ok(Self { patterns, alone: rules.iter().map(|_| OnceLock::new()).collect(), told: rules })
    }

    /// The expression of a rule, when it has groups.
    fn with_groups(&self, rule: usize) -> Option<&Regex> {
        let made = || {
            // It was compiled among the others, so alone it is none that cannot be.
            let regex = compiled(std::slice::from_ref(&self.told[rule].expression)).ok()?;
            (regex.group_info().group_len(PatternID::ZERO) > 1).then_some(regex)
        };
        self.alone[rule].get_or_init(made).as_ref()
    }
}

/// Rules, words, and what was decided so far.
pub struct Spots {
    rules: Arc<Rules>,
    captures: Vec<Option<Captures>>,
    words: Words,
    by: Vec<(usize, Vec<u8>)>,
    names: Vec<Vec<u8>>,
    domains: Words,
    answer_of: HashMap<Box<[u8]>, usize>,
    answers: Vec<Vec<Piece>>,
    asked: HashMap<usize, usize>,
    found: Vec<Found>,
    starts: Vec<usize>,
    is_rule: usize,
}

impl Spots {
    /// Look for what `rules` find.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            captures: rules.told.iter().map(|_| None).collect(),
            rules,
            words: Words::new(&[]),
            by: Vec::new(),
            names: Vec::new(),
            domains: Words::new(&[]),
            answer_of: HashMap::new(),
            answers: Vec::new(),
            asked: HashMap::new(),
            found: Vec::new(),
            starts: Vec::new(),
            is_rule: 0,
        }
    }

    /// Look also for `words`, each with its kind and what replaces it, for `named` in their other spellings, and for
    /// what stands below `domains`. Of what is like a word no spelling counts that is made of `protected` words.
    pub fn settle(
        &mut self,
        mut words: Vec<Replaced>,
        named: &[Named],
        protected: &HashSet<String>,
        domains: Vec<Vec<u8>>,
    ) {
        for one in named {
            words.extend(encodings::of(&one.kind, &one.name, &one.by, protected).into_iter().map(|spelt| {
                let Spelling { written: needle, by, is_exact, is_bounded } = spelt;
                (Word { needle, is_exact, is_bounded }, one.number, by)
            }));
        }
        let (needles, by): (Vec<Word>, Vec<_>) =
            words.into_iter().map(|(word, kind, by)| (word, (kind, by))).unzip();
        self.words = Words::new(&needles);
        self.by = by;
        let bare = |needle| Word { needle, is_exact: false, is_bounded: true };
        self.domains = Words::new(&domains.into_iter().map(bare).collect::<Vec<_>>());
    }

    /// What replaces further names; the first that was ever told has the number 0.
    pub fn tell(&mut self, by: Vec<Vec<u8>>) {
        self.names.extend(by);
    }

    fn forget(&mut self) {
        self.answer_of.clear();
        self.answers.clear();
    }

    /// Find the matches in `text`, and tell those that `decide` was never asked about.
    pub fn scan(&mut self, text: &[u8]) -> Vec<Asked> {
        if self.answers.len() >= MAX_REMEMBERED {
            self.forget();
        }
        self.found.clear();
        self.starts.clear();
        self.asked.clear();
        let mut unknown = Vec::new();
        let mut key = Vec::new();
        let rules = Arc::clone(&self.rules);
        for (start, end, rule) in rules.patterns.places(text, 0) {
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
                        let (at, held) = captures
                            .get_group(group)
                            .map_or((ABSENT, &b""[..]), |span| (span.start, &text[span.start..span.end]));
                        self.starts.push(at);
                        key.extend(held.len().to_le_bytes());
                        key.extend(held);
                    }
                }
                None => key.extend(&text[start..end]),
            }
            if rules.told[rule].looks_around {
                let before = &text[start.saturating_sub(AROUND)..start];
                key.extend([0, u8::try_from(before.len()).unwrap_or(0)]);
                key.extend(before);
                key.extend(&text[end..text.len().min(end + AROUND)]);
            }
            self.note(&key, groups, (start, end, rule), &mut unknown);
        }
        self.is_rule = self.found.len();
        let rule = rules.told.len();
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

    fn note(&mut self, key: &[u8], groups: usize, place: (usize, usize, usize), unknown: &mut Vec<Asked>) {
        let answer = if let Some(&known) = self.answer_of.get(key) {
            known
        } else {
            let new = self.answers.len();
            self.answers.push(Vec::new());
            self.answer_of.insert(key.into(), new);
            self.asked.insert(new, self.found.len());
            unknown.push((new, place.0, place.1, place.2));
            new
        };
        self.found.push(Found { answer, groups, count: self.starts.len() - groups });
    }

    /// Decide what is replaced of a match that `scan` told, by its places in the text that was scanned.
    pub fn decide(&mut self, answer: usize, parts: Vec<Part>) {
        let Some(found) = self.asked.get(&answer).and_then(|&at| self.found.get(at)) else { return };
        let starts = &self.starts[found.groups..found.groups + found.count];
        let pieces = parts.into_iter().map(|(start, end, kind, name)| {
            let begun = |group: &usize| starts[*group] != ABSENT && starts[*group] <= start;
            let group =
                (0..starts.len()).filter(begun).max_by_key(|&group| (starts[group], group)).unwrap_or(0);
            let origin = starts[group];
            Piece { group, start: start - origin, end: end - origin, kind, name }
        });
        self.answers[answer] = pieces.collect();
    }

    /// The text that was scanned last with everything replaced whose name was told, and how often each of `kinds` kinds was.
    #[must_use]
    pub fn apply(&self, text: &[u8], kinds: usize) -> (Vec<u8>, Vec<usize>) {
        let sure: Vec<_> = self.found[..self.is_rule].iter().flat_map(|found| self.parts(found)).collect();
        let mut rest: Vec<_> =
            self.found[self.is_rule..].iter().flat_map(|found| self.parts(found)).collect();
        rest.extend(self.words.places(text, 0).into_iter().map(|(start, end, number)| {
            let (kind, by) = &self.by[number];
            (start, end, *kind, by.as_slice())
        }));
        rest.sort_by_key(|&(start, end, ..)| (start, usize::MAX - end));
        let mut counts = vec![0; kinds];
        let mut told = Vec::with_capacity(text.len());
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
            told.extend(&text[at..start]);
            told.extend(by);
            at = end;
            if let Some(count) = counts.get_mut(kind) {
                *count += 1;
            }
        }
        told.extend(&text[at..]);
        (told, counts)
    }

    fn parts(&self, found: &Found) -> impl Iterator<Item = (usize, usize, usize, &[u8])> {
        let groups = found.groups;
        self.answers[found.answer].iter().filter_map(move |piece| {
            let origin = self.starts[groups + piece.group];
            let by = self.names.get(piece.name)?;
            Some((origin + piece.start, origin + piece.end, piece.kind, by.as_slice()))
        })
    }
}

/// Where the name begins whose domain begins at `at`, not before `behind`.
fn whole_name(text: &[u8], behind: usize, at: usize) -> usize {
    let mut start = at;
    while start > behind && text[start - 1] == b'.' {
        let label = text[behind..start - 1]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .count();
        if label == 0 {
            break;
        }
        start -= label + 1;
    }
    start
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{HashSet, Named, Rule, Rules, Spots};
    use crate::redact::multi_pattern_search::Word;

    fn spots(rules: &[&str]) -> Spots {
        let rules: Vec<Rule> =
            rules.iter().map(|&one| Rule { expression: one.to_owned(), looks_around: false }).collect();
        Spots::new(Arc::new(Rules::new(rules).unwrap()))
    }

    fn word(needle: &str, by: &str) -> (Word, usize, Vec<u8>) {
        (Word { needle: needle.into(), is_exact: false, is_bounded: true }, 1, by.into())
    }

    #[test]
    fn a_match_is_asked_about_once_whatever_stands_beside_its_group() {
        let mut spots = spots(&[r"(?m)^\d+ (?P<host>\w+):"]);
        let text = b"1 db7: a\n22 db7: b\n";
        assert_eq!(spots.scan(text), [(0, 0, 6, 0)]);
        spots.decide(0, vec![(2, 5, 0, 0)]);
        assert_eq!(spots.apply(text, 2), (text.to_vec(), vec![0, 0]));
        spots.tell(vec![b"zqx".to_vec()]);
        assert_eq!(spots.apply(text, 2), (b"1 zqx: a\n22 zqx: b\n".to_vec(), vec![2, 0]));
        assert_eq!(spots.scan(b"333 db7: c"), []);
    }

    #[test]
    fn words_are_replaced_where_no_rule_has_replaced_anything() {
        let mut spots = spots(&[r"host=(?P<host>\w+)"]);
        spots.settle(vec![word("db7", "zq1")], &[], &HashSet::new(), vec![]);
        let text = b"host=db7 on DB7 db71";
        let asked = spots.scan(text);
        spots.decide(asked[0].0, vec![(5, 8, 0, 0)]);
        spots.tell(vec![b"zq0".to_vec()]);
        assert_eq!(spots.apply(text, 2), (b"host=zq0 on zq1 db71".to_vec(), vec![1, 1]));
    }

    #[test]
    fn a_rule_whose_match_means_nothing_hides_no_word() {
        let mut spots = spots(&[r"host=(?P<host>\w+)"]);
        spots.settle(vec![word("db7", "zq1")], &[], &HashSet::new(), vec![]);
        assert_eq!(spots.scan(b"host=db7").len(), 1);
        assert_eq!(spots.apply(b"host=db7", 2).0, b"host=zq1");
    }

    #[test]
    fn what_was_decided_before_the_words_came_is_not_asked_again() {
        let mut spots = spots(&[r"host=(?P<host>\w+)"]);
        assert_eq!(spots.scan(b"host=db7").len(), 1);
        spots.decide(0, vec![(5, 8, 0, 0)]);
        spots.settle(vec![word("db8", "zq1")], &[], &HashSet::new(), vec![]);
        spots.tell(vec![b"zq0".to_vec()]);
        assert_eq!(spots.scan(b"host=db7"), []);
        assert_eq!(spots.apply(b"host=db7", 2).0, b"host=zq0");
    }

    #[test]
    fn a_name_is_replaced_in_its_other_spellings() {
        let mut spots = spots(&["x"]);
        let named =
            Named { kind: "host".into(), number: 1, name: b"db7-prod".into(), by: b"zqaaaaaa".into() };
        spots.settle(vec![], &[named], &HashSet::new(), vec![]);
        assert_eq!(spots.scan(b"at DB7_PROD"), []);
        assert_eq!(spots.apply(b"at DB7_PROD", 2), (b"at zqaaaaaa".to_vec(), vec![0, 1]));
    }

    #[test]
    fn names_below_a_domain_are_asked_about_whole() {
        let mut spots = spots(&["x"]);
        spots.settle(vec![], &[], &HashSet::new(), vec![b"acme.bank".to_vec()]);
        assert_eq!(spots.scan(b"at db7.hh.ACME.bank and acme.bank"), [(0, 3, 19, 1), (1, 24, 33, 1)]);
    }
}
