//! The first of many expressions that matches a line, found through the literals that each requires.
//!
//! Every expression must contain a literal: text that is in all it matches. One Aho-Corasick pass over the line finds the
//! literals in it; only the expressions of those are tried, in their order. A line of a boot log contains few of them, so
//! its cost hardly depends on how many expressions there are. An expression is compiled when it is first tried.
//!
//! `\w`, `\d` and `\s` are those of ASCII: kernels print nothing else, and such expressions compile in a tenth of the time.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind};

/// A shorter literal is in too many lines.
const SHORTEST: usize = 3;
/// Marks in the prefixes of a line: the time of a day has two.
const MOST_MARKS: usize = 8;
/// More alternatives than these are no filter.
const MOST: usize = 64;
/// Memory that one compiled expression may take.
const SIZE_LIMIT: usize = 10 << 20;

/// Expressions in the order in which they are tried.
pub struct LineClasses {
    expressions: Vec<(String, OnceLock<Regex>)>,
    search: AhoCorasick,
    literals: Vec<Vec<u8>>,
    /// The same search for long texts: larger, and several times faster.
    long_search: OnceLock<AhoCorasick>,
    /// For each literal, the expressions that require it or one of its alternatives.
    by_literal: Vec<Vec<usize>>,
}

impl LineClasses {
    /// Prepare `expressions`.
    ///
    /// # Errors
    /// When one of them is no regular expression, or requires no literal of three bytes.
    pub fn new(expressions: &[String]) -> Result<Self, String> {
        let every = expressions.iter().map(|one| required(one)).collect::<Result<Vec<_>, _>>()?;
        Self::with_required(expressions, every)
    }

    /// Prepare `expressions`, of each of which `required` was asked before.
    ///
    /// # Errors
    /// When the literals are too many for a search.
    pub fn with_required(expressions: &[String], every: Vec<Vec<Vec<u8>>>) -> Result<Self, String> {
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut literals: Vec<Vec<u8>> = Vec::new();
        let mut by_literal: Vec<Vec<usize>> = Vec::new();
        for (number, required) in every.into_iter().enumerate() {
            for literal in required {
                if let Some(&place) = known.get(&literal) {
                    by_literal[place].push(number);
                } else {
                    known.insert(literal.clone(), literals.len());
                    literals.push(literal);
                    by_literal.push(vec![number]);
                }
            }
        }
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(&literals)
            .map_err(|error| error.to_string())?;
        let expressions =
            expressions.iter().map(|expression| (expression.clone(), OnceLock::new())).collect();
        Ok(Self { expressions, search, literals, long_search: OnceLock::new(), by_literal })
    }

    /// The number of the first expression that matches somewhere in `line`, and its named groups.
    ///
    /// # Errors
    /// When an expression takes too much memory.
    pub fn find<'t>(&self, line: &'t str) -> Result<Option<ClassMatch<'_, 't>>, String> {
        let Some(number) = self.first(line)? else { return Ok(None) };
        self.groups(number, line)
    }

    /// The number of the first expression that matches somewhere in `line`.
    ///
    /// # Errors
    /// When an expression takes too much memory.
    pub fn first(&self, line: &str) -> Result<Option<usize>, String> {
        for number in self.candidates(line) {
            if self.regex(number)?.is_match(line.as_bytes()) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// The named groups of expression `number` in `line`, None when it does not match.
    ///
    /// # Errors
    /// When the expression takes too much memory.
    ///
    /// # Panics
    /// When there is no such expression.
    pub fn groups<'t>(&self, number: usize, line: &'t str) -> Result<Option<ClassMatch<'_, 't>>, String> {
        let regex = self.regex(number)?;
        let Some(groups) = regex.captures(line.as_bytes()) else { return Ok(None) };
        let start = groups.get_match().start();
        let named = regex
            .capture_names()
            .flatten()
            .filter_map(|name| groups.name(name).map(|part| (name, part.as_bytes())))
            .map(|(name, part)| (without_number(name), String::from_utf8_lossy(part)))
            .collect();
        Ok(Some(ClassMatch { number, start, named }))
    }

    /// Whether a literal that an expression requires is in `line`.
    #[must_use]
    pub fn has_literal(&self, line: &str) -> bool {
        // The automaton of long texts is faster, and too large to be made for a few lines.
        self.long_search.get().unwrap_or(&self.search).is_match(line)
    }

    /// The expressions whose literals are in `line`, in their order.
    fn candidates(&self, line: &str) -> Vec<usize> {
        if self.long_search.get().is_some_and(|search| !search.is_match(line)) {
            return Vec::new();
        }
        let found = self.search.find_overlapping_iter(line);
        let mut numbers: Vec<usize> =
            found.flat_map(|literal| &self.by_literal[literal.pattern().as_usize()]).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The first line of `text` from byte `at` on whose message an expression matches: its first byte and the byte
    /// behind it. A message begins with the line or behind a prefix.
    ///
    /// # Errors
    /// When an expression takes too much memory.
    pub fn first_line(&self, text: &[u8], mut at: usize) -> Result<Option<(usize, usize)>, String> {
        let search = if let Some(search) = self.long_search.get() {
            search
        } else {
            let built = AhoCorasick::builder()
                .kind(Some(AhoCorasickKind::DFA))
                .build(&self.literals)
                .map_err(|error| error.to_string())?;
            self.long_search.get_or_init(|| built)
        };
        while let Some(literal) = text.get(at..).and_then(|rest| search.find(rest)) {
            let place = at + literal.start();
            let start = memchr::memrchr(b'\n', &text[..place]).map_or(0, |end| end + 1);
            let end = memchr::memchr(b'\n', &text[place..]).map_or(text.len(), |length| place + length);
            let line = String::from_utf8_lossy(&text[start..end]);
            // What matches a message requires a literal of it, which is one of the line.
            for number in self.candidates(&line) {
                let regex = self.regex(number)?;
                if messages(&line).any(|message| regex.is_match(message.as_bytes())) {
                    return Ok(Some((start, end)));
                }
            }
            at = end;
        }
        Ok(None)
    }

    fn regex(&self, number: usize) -> Result<&Regex, String> {
        let (expression, cell) = &self.expressions[number];
        if let Some(regex) = cell.get() {
            return Ok(regex);
        }
        let built = RegexBuilder::new(expression).unicode(false).size_limit(SIZE_LIMIT).build();
        let regex = built.map_err(|error| error.to_string())?;
        Ok(cell.get_or_init(|| regex))
    }
}

/// What an expression found.
pub struct ClassMatch<'r, 't> {
    pub number: usize,
    /// First byte of the match.
    pub start: usize,
    /// The named groups that took part, in their order; `device_2` is a `device`, as an expression has a name once.
    pub named: Vec<(&'r str, Cow<'t, str>)>,
}

/// The line, and what follows the marks that end a prefix: `kernel: `, `[  1.000000] `, `4,1,2,-;`.
fn messages(line: &str) -> impl Iterator<Item = &str> {
    let marks = line.match_indices([':', ']', ';']).take(MOST_MARKS);
    let behind = marks.map(|(at, _)| {
        let rest = &line[at + 1..];
        rest.strip_prefix(' ').unwrap_or(rest)
    });
    std::iter::once(line).chain(behind)
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((base, number)) if number.len() == 1 && number.as_bytes()[0].is_ascii_digit() => base,
        _ => name,
    }
}

/// Literals of which every match of `expression` contains at least one.
///
/// # Errors
/// When it is no regular expression, or there are none.
pub fn required(expression: &str) -> Result<Vec<Vec<u8>>, String> {
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    let hir = parser.parse(expression).map_err(|error| error.to_string())?;
    literals(&hir)
        .ok_or_else(|| format!("no literal of {SHORTEST} bytes is in all that it matches: {expression}"))
}

fn literals(hir: &Hir) -> Option<Vec<Vec<u8>>> {
    match hir.kind() {
        HirKind::Literal(literal) if literal.0.len() >= SHORTEST => Some(vec![literal.0.to_vec()]),
        HirKind::Capture(capture) => literals(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => literals(&repetition.sub),
        HirKind::Concat(parts) => parts.iter().filter_map(literals).max_by_key(|found| {
            let shortest = found.iter().map(Vec::len).min().unwrap_or(0);
            (shortest, usize::MAX - found.len())
        }),
        HirKind::Alternation(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(literals(part)?);
            }
            (all.len() <= MOST).then_some(all)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{LineClasses, required};

    fn classes(expressions: &[&str]) -> LineClasses {
        let owned: Vec<String> = expressions.iter().map(|&one| one.to_owned()).collect();
        LineClasses::new(&owned).unwrap()
    }

    fn texts(expression: &str) -> Vec<String> {
        let found = required(expression).unwrap();
        found.into_iter().map(|literal| String::from_utf8(literal).unwrap()).collect()
    }

    #[test]
    fn the_longest_literal_is_required() {
        assert_eq!(texts(r"^CPU\d+: Core temperature above"), [": Core temperature above"]);
        assert_eq!(texts(r"^(?P<device>\w+): (?:timed out|aborted) now"), ["timed out", "aborted"]);
        assert_eq!(texts(r"(?:reset )+\w"), ["reset "]);
    }

    #[test]
    fn an_expression_without_a_literal_is_an_error() {
        assert!(required(r"\w+").is_err());
        assert!(required(r"(?:abc|\d+)").is_err());
        assert!(required(r"(?:abc)?").is_err());
        assert!(required(r"ab").is_err());
        assert!(required(r"a(").is_err());
    }

    #[test]
    fn the_first_expression_in_order_wins() {
        let found = classes(&["disk (?P<disk>sd[a-z]) failed", "disk .* failed", "failed"]);
        let first = found.find("disk sda failed").unwrap().unwrap();
        assert_eq!((first.number, first.named), (0, vec![("disk", "sda".into())]));
        assert_eq!(found.find("disk nvme failed").unwrap().unwrap().number, 1);
        assert_eq!(found.find("it failed").unwrap().unwrap().number, 2);
        assert!(found.find("all is well").unwrap().is_none());
    }

    #[test]
    fn a_long_text_is_searched_for_its_first_line_of_a_class() {
        let found = classes(&["^disk sd[a-z] failed"]);
        let text = b"a disk sda failed not\n05:01:02 host kernel: [1.0] disk sdb failed\ndisk sdc failed";
        assert_eq!(found.first_line(text, 0).unwrap(), Some((22, 65)));
        assert_eq!(found.first_line(text, 65).unwrap(), Some((66, 81)));
        assert_eq!(found.first_line(text, 81).unwrap(), None);
    }

    #[test]
    fn literals_inside_one_another_are_all_found() {
        let found = classes(&["abcd: x", "bcd", "abc"]);
        assert_eq!(found.find("abcd").unwrap().unwrap().number, 1);
        assert_eq!(found.find("abc").unwrap().unwrap().number, 2);
    }

    #[test]
    fn a_group_holds_the_characters_of_any_language() {
        let found = classes(&[r"^task (?P<comm>.+):(?P<pid>\d+) hung"]);
        let first = found.find("task データ:12 hung").unwrap().unwrap();
        assert_eq!(first.named, [("comm", "データ".into()), ("pid", "12".into())]);
    }

    #[test]
    fn a_group_of_an_alternative_has_the_name_without_its_number() {
        let found = classes(&[r"^(?P<port_text>\w+) is down|^link (?P<port_text_2>\w+) down"]);
        let first = found.find("link eth0 down").unwrap().unwrap();
        assert_eq!((first.start, first.named), (0, vec![("port_text", "eth0".into())]));
    }

    #[test]
    fn a_group_that_took_no_part_is_left_out() {
        let found = classes(&["down(?: for (?P<seconds>\\d+)s)?"]);
        assert!(found.find("link down").unwrap().unwrap().named.is_empty());
    }
}
