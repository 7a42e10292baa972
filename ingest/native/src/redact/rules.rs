//! Compiled rules: patterns that name a place, and shapes that no place names.

use std::sync::OnceLock;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input, PatternID};

use crate::redact::patterns::{Patterns, Place, compiled};

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

    /// All matches of rules in `text`, also those in what another match spans outside of its groups: an address is
    /// found in the line that names a host.
    pub(crate) fn places(&self, text: &[u8]) -> Vec<Place> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(place) = self.named.first(text, at..text.len()) {
            at = self.between_groups(text, place, &mut found);
        }
        found
    }

    /// Add a match and those between its groups; return where the search goes on.
    fn between_groups(&self, text: &[u8], (start, end, rule): Place, found: &mut Vec<Place>) -> usize {
        found.push((start, end, rule));
        let Some(regex) = self.with_groups(rule) else { return end.max(start + 1) };
        let mut captures = regex.create_captures();
        regex.search_captures(&Input::new(text).range(start..end).anchored(Anchored::Yes), &mut captures);
        let mut groups: Vec<_> =
            (1..captures.group_len()).filter_map(|group| captures.get_group(group)).collect();
        groups.sort_unstable_by_key(|group| group.start);
        let mut behind = start + 1;
        for group in groups {
            while let Some((from, to, other)) =
                self.named.first(text, behind..group.start.max(behind)).filter(|place| place.1 > place.0)
            {
                found.push((from, to, other));
                behind = to;
            }
            behind = behind.max(group.end);
        }
        behind
    }

    /// All matches of shapes in `text`, in order, numbered after the rules.
    pub(crate) fn shapes(&self, text: &[u8]) -> Vec<Place> {
        let found = self.shapes.places(text, 0).into_iter();
        found.map(|(start, end, shape)| (start, end, self.first_shape + shape)).collect()
    }

    /// The expression of a rule, when it has groups.
    pub(crate) fn with_groups(&self, rule: usize) -> Option<&Regex> {
        let compile_alone = || {
            // It compiled together with the others, so it compiles alone.
            let regex = compiled(std::slice::from_ref(&self.list[rule].expression)).ok()?;
            (regex.group_info().group_len(PatternID::ZERO) > 1).then_some(regex)
        };
        self.alone[rule].get_or_init(compile_alone).as_ref()
    }
}
