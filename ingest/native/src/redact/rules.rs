//! Compiled rules: patterns that name a place, and shapes that no place names.

use std::ops::Range;
use std::sync::OnceLock;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input, PatternID, Span};

use crate::redact::patterns::{Patterns, Place, compiled};
use crate::redact::searches::Searches;

/// A pattern, and whether the bytes around a match are part of its identity.
pub struct Rule {
    pub expression: String,
    pub looks_around: bool,
}

/// Compiled rules, shared by all cases: compiling takes longer than redacting a short text.
///
/// Shapes are searched for separately: a match of a shape hides no match of a rule, and yields to it.
pub struct Rules {
    named: Patterns,
    shapes: Patterns,
    /// The rules, then the shapes.
    pub(crate) list: Vec<Rule>,
    first_shape: usize,
    /// Each of `list` alone, compiled at its first match.
    alone: Vec<OnceLock<Option<Regex>>>,
}

impl Rules {
    /// Compiles `rules` and `shapes`; where several of one list match at one position, the first of them wins.
    ///
    /// # Errors
    /// When one is no regular expression, or all would take too much memory.
    pub fn new(rules: Vec<Rule>, shapes: Vec<Rule>) -> Result<Self, String> {
        let compiled = |list: &[Rule]| {
            Patterns::new(&list.iter().map(|rule| rule.expression.clone()).collect::<Vec<_>>())
        };
        let first_shape = rules.len();
        let (of_rules, of_shapes) = (compiled(&rules)?, compiled(&shapes)?);
        let list: Vec<Rule> = rules.into_iter().chain(shapes).collect();
        let alone = list.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { named: of_rules, shapes: of_shapes, list, first_shape, alone })
    }

    /// Add to `found` all matches of rules within `range`, also those in what another match spans outside of its
    /// groups: an address is found in the line that names a host.
    pub(crate) fn places(&self, text: &[u8], range: Range<usize>, found: &mut Vec<Place>) {
        self.search(&self.named, 0, text, range, found);
    }

    /// The same for shapes, numbered after the rules.
    pub(crate) fn shapes(&self, text: &[u8], range: Range<usize>, found: &mut Vec<Place>) {
        self.search(&self.shapes, self.first_shape, text, range, found);
    }

    fn search(
        &self,
        patterns: &Patterns,
        first: usize,
        text: &[u8],
        range: Range<usize>,
        found: &mut Vec<Place>,
    ) {
        let mut searches = patterns.searches(text);
        let mut at = range.start;
        while let Some((start, end, number)) = searches.first(at..range.end) {
            let rule = first + number;
            found.push((start, end, rule));
            at = match self.with_groups(rule) {
                None => end.max(start + 1),
                Some(regex) => {
                    let groups = groups_of(regex, text, start..end);
                    between_groups(&mut searches, first, start, &groups, found)
                }
            };
        }
    }

    /// The expression of a rule, when it has groups.
    pub(crate) fn with_groups(&self, rule: usize) -> Option<&Regex> {
        let compile_alone = || {
            // It compiled together with the others, so it compiles alone.
            let regex = compiled(&self.list[rule].expression).ok()?;
            (regex.group_info().group_len(PatternID::ZERO) > 1).then_some(regex)
        };
        self.alone[rule].get_or_init(compile_alone).as_ref()
    }
}

/// The groups of the match of `regex` in `range`, in order.
fn groups_of(regex: &Regex, text: &[u8], range: Range<usize>) -> Vec<Span> {
    let mut captures = regex.create_captures();
    regex.search_captures(&Input::new(text).range(range).anchored(Anchored::Yes), &mut captures);
    let mut groups: Vec<_> =
        (1..captures.group_len()).filter_map(|group| captures.get_group(group)).collect();
    groups.sort_unstable_by_key(|group| group.start);
    groups
}

/// Add the matches between the groups of a match; return where the search goes on.
fn between_groups(
    searches: &mut Searches<'_>,
    first: usize,
    start: usize,
    groups: &[Span],
    found: &mut Vec<Place>,
) -> usize {
    let mut behind = start + 1;
    for group in groups {
        let mut between = |behind: usize| searches.first(behind..group.start.max(behind));
        while let Some((from, to, other)) = between(behind).filter(|place| place.1 > place.0) {
            found.push((from, to, first + other));
            behind = to;
        }
        behind = behind.max(group.end);
    }
    behind
}
