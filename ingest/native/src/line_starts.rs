//! Which of many conditions each line of a text meets: one pass of one automaton instead of a call per condition.
//!
//! A condition is met by a line that matches one of its expressions from its first byte on and, where it says so, has a
//! line that matches another expression at most so many lines below. What a condition names must still be looked at
//! exactly; the lines that meet none need no further look. So a line that is not all ASCII may name more: the classes of
//! Unicode would take 0.4 CPU seconds and 80 MB to compile, for one typographic quote in a paste.

use regex::bytes::{RegexSet, RegexSetBuilder};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::wide_expressions::widened;

/// Memory that the compiled expressions may take, and the states that are kept of them while matching.
const SIZE_LIMIT: usize = 64 << 20;

/// Lines up to which compiling more costs more than it spares.
const SHORT: usize = 200;

/// One condition, as it is stated.
#[derive(Clone)]
pub struct Condition {
    /// What is named for a line that meets it.
    pub number: usize,
    pub expressions: Vec<String>,
    /// For each expression literals of which one is in all that it matches; none where nothing is known.
    pub required: Vec<Vec<String>>,
    /// When not empty, one of these must match the line itself or one of the `within` lines below.
    pub near: Vec<String>,
    pub within: usize,
}

/// Expressions matched from the first byte of a line on, for lines of ASCII and for others.
pub(crate) struct Set {
    expressions: Vec<String>,
    ascii: OnceLock<RegexSet>,
    unicode: OnceLock<RegexSet>,
    wide: OnceLock<RegexSet>,
}

impl Set {
    pub(crate) fn new(expressions: &[String]) -> Self {
        let anchored = expressions.iter().map(|one| {
            // In verbose mode the last line may be a comment, which only a line end closes.
            let end = if one.starts_with("(?x") { "\n" } else { "" };
            format!("\\A(?:{}{end})", one.replace("\\Z", "\\z"))
        });
        Self {
            expressions: anchored.collect(),
            ascii: OnceLock::new(),
            unicode: OnceLock::new(),
            wide: OnceLock::new(),
        }
    }

    /// The set that matches exactly what the expressions match.
    pub(crate) fn of(&self, line: &str) -> Result<&RegexSet, String> {
        let is_ascii = line.is_ascii();
        let cell = if is_ascii { &self.ascii } else { &self.unicode };
        compiled(cell, &self.expressions, !is_ascii)
    }

    /// Whether the set that `wide` returns for a line is there.
    fn is_compiled(&self, line: &str) -> bool {
        if line.is_ascii() { self.ascii.get().is_some() } else { self.wide.get().is_some() }
    }

    /// A set that matches what the expressions match, and perhaps more of a line that is not all ASCII.
    fn wide(&self, line: &str) -> Result<&RegexSet, String> {
        if line.is_ascii() {
            return self.of(line);
        }
        if let Some(set) = self.wide.get() {
            return Ok(set);
        }
        let wide = self.expressions.iter().map(|one| widened(one)).collect::<Result<Vec<_>, _>>()?;
        compiled(&self.wide, &wide, true)
    }
}

fn compiled<'s>(
    cell: &'s OnceLock<RegexSet>,
    expressions: &[String],
    is_unicode: bool,
) -> Result<&'s RegexSet, String> {
    if let Some(set) = cell.get() {
        return Ok(set);
    }
    let built = RegexSetBuilder::new(expressions)
        .unicode(is_unicode)
        .size_limit(SIZE_LIMIT)
        .dfa_size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error| error.to_string())?;
    Ok(cell.get_or_init(|| built))
}

/// Expressions, and for each its condition.
struct Expressions {
    set: Set,
    condition_of: Vec<usize>,
}

impl Expressions {
    fn new<'e>(every: impl Iterator<Item = (usize, &'e String)>) -> Self {
        let (condition_of, expressions): (Vec<usize>, Vec<String>) =
            every.map(|(condition, expression)| (condition, expression.clone())).unzip();
        Self { set: Set::new(&expressions), condition_of }
    }
}

/// Conditions, compiled when they are first used.
pub struct LineStarts {
    every: Expressions,
    conditions: Vec<Condition>,
    /// Lines that were scanned for what their literals let be possible.
    scanned: AtomicUsize,
    near: Vec<Option<(Set, usize)>>,
    /// The expressions of the conditions that need no other line.
    alone: Set,
    /// All that is needed near, and the furthest that it may be below.
    every_near: Set,
    reach: usize,
}

/// The lines that meet a condition, and the numbers of their conditions.
pub struct Starts {
    pub lines: Vec<usize>,
    pub numbers: Vec<Vec<usize>>,
}

impl LineStarts {
    /// Prepare `conditions`.
    #[must_use]
    pub fn new(conditions: Vec<Condition>) -> Self {
        let all = || conditions.iter().enumerate();
        let every = all().flat_map(|(place, one)| one.expressions.iter().map(move |text| (place, text)));
        let every = Expressions::new(every);
        let alone: Vec<String> = conditions
            .iter()
            .filter(|one| one.near.is_empty())
            .flat_map(|one| one.expressions.iter().cloned())
            .collect();
        let every_near: Vec<String> = conditions.iter().flat_map(|one| one.near.iter().cloned()).collect();
        let near = conditions
            .iter()
            .map(|one| (!one.near.is_empty()).then(|| (Set::new(&one.near), one.within)))
            .collect();
        let reach = conditions.iter().map(|one| one.within).max().unwrap_or(0);
        Self {
            every,
            conditions,
            scanned: AtomicUsize::new(0),
            near,
            alone: Set::new(&alone),
            every_near: Set::new(&every_near),
            reach,
        }
    }

    /// The expressions that may match one of `lines` by the literals that they require; None for long texts, and when
    /// many lines were scanned: then all are compiled once.
    fn possible(&self, lines: &[&str]) -> Option<Expressions> {
        if self.scanned.fetch_add(lines.len(), Ordering::Relaxed) + lines.len() > SHORT {
            return None;
        }
        let is_in = |literal: &String| {
            let finder = memchr::memmem::Finder::new(literal);
            lines.iter().any(|line| finder.find(line.as_bytes()).is_some())
        };
        let every = self.conditions.iter().enumerate().flat_map(|(place, one)| {
            one.expressions.iter().zip(&one.required).map(move |(text, required)| (place, text, required))
        });
        Some(Expressions::new(
            every
                .filter(|(_, _, required)| required.is_empty() || required.iter().any(is_in))
                .map(|(place, text, _)| (place, text)),
        ))
    }

    /// How many lines below a line may decide whether it meets a condition.
    #[must_use]
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// Those of the first `count` lines that meet a condition; the lines below are only looked at as near ones.
    ///
    /// # Errors
    /// When an expression is none, or takes too much memory.
    pub fn scan(&self, lines: &[&str], count: usize) -> Result<Starts, String> {
        let mut found = Starts { lines: Vec::new(), numbers: Vec::new() };
        let mut next_near: Vec<usize> = vec![0; self.near.len()];
        let mut next_of_any = 0;
        let mut asked = 0;
        let mut met: Vec<usize> = Vec::new();
        let possible = self.possible(lines);
        let Expressions { set, condition_of } = possible.as_ref().unwrap_or(&self.every);
        for (at, &line) in lines.iter().enumerate().take(count) {
            let set = set.wide(line)?;
            // Most lines of JSON and of system logs may begin a format only beside a line that is not there.
            if !set.is_match(line.as_bytes()) {
                continue;
            }
            asked += 1;
            // A short text does not pay for two more sets, but for those that an earlier text has compiled.
            if (asked > SHORT || self.alone.is_compiled(line))
                && !first_near(&self.every_near, self.reach, &mut next_of_any, lines, at)?
                && !self.alone.wide(line)?.is_match(line.as_bytes())
            {
                continue;
            }
            met.clear();
            for expression in set.matches(line.as_bytes()) {
                let condition = condition_of[expression];
                let number = self.conditions[condition].number;
                if !met.contains(&number) && self.is_near(condition, &mut next_near[condition], lines, at)? {
                    met.push(number);
                }
            }
            if !met.is_empty() {
                met.sort_unstable();
                found.lines.push(at);
                found.numbers.push(met.clone());
            }
        }
        Ok(found)
    }

    /// Whether the condition's other line is near `at`.
    fn is_near(&self, condition: usize, next: &mut usize, lines: &[&str], at: usize) -> Result<bool, String> {
        let Some((set, within)) = &self.near[condition] else { return Ok(true) };
        first_near(set, *within, next, lines, at)
    }
}

/// Whether a line that `set` matches is at `at` or at most `within` below; before `next` there is none from `at` on.
fn first_near(set: &Set, within: usize, next: &mut usize, lines: &[&str], at: usize) -> Result<bool, String> {
    *next = (*next).max(at);
    while *next < lines.len() && *next <= at + within {
        let line = lines[*next];
        if set.wide(line)?.is_match(line.as_bytes()) {
            return Ok(true);
        }
        *next += 1;
    }
    Ok(false)
}

/// Lines in a row that match, across blank lines where the line below them begins again.
pub struct LineRuns {
    lines: Set,
    heads: Set,
}

impl LineRuns {
    /// Prepare the expressions of the lines, and of those that may stand below blank ones.
    #[must_use]
    pub fn new(expressions: &[String], heads: &[String]) -> Self {
        Self { lines: Set::new(expressions), heads: Set::new(heads) }
    }

    /// Take the line at `place` into a run, and return whether the run may go on below it.
    ///
    /// # Errors
    /// When an expression is none, or takes too much memory.
    pub fn take(&self, run: &mut Run, place: usize, line: &str) -> Result<bool, String> {
        let set = if run.is_blank { &self.heads } else { &self.lines };
        if set.of(line)?.is_match(line.as_bytes()) {
            *run = Run { end: place + 1, is_blank: false };
            return Ok(true);
        }
        run.is_blank = !self.heads.expressions.is_empty() && line.trim().is_empty();
        Ok(run.is_blank)
    }
}

/// Lines in a row as they come.
pub struct Run {
    /// Behind the last one that matched.
    pub end: usize,
    /// Whether the last one was blank.
    pub is_blank: bool,
}

#[cfg(test)]
mod tests {
    use super::{Condition, LineRuns, LineStarts, Run};

    fn condition(number: usize, expression: &str, near: &str, within: usize) -> Condition {
        let near = if near.is_empty() { vec![] } else { vec![near.to_owned()] };
        let required = vec![vec![]];
        Condition { number, expressions: vec![expression.to_owned()], required, near, within }
    }

    fn found(conditions: &[Condition], lines: &[&str]) -> Vec<(usize, Vec<usize>)> {
        let starts = LineStarts::new(conditions.to_vec()).scan(lines, lines.len()).unwrap();
        starts.lines.into_iter().zip(starts.numbers).collect()
    }

    #[test]
    fn a_line_names_each_condition_that_it_meets_once() {
        let conditions = [condition(3, "a+", "", 0), condition(1, "ab", "", 0), condition(3, "ab?", "", 0)];
        assert_eq!(found(&conditions, &["ab", "cab", "", "a"]), [(0, vec![1, 3]), (3, vec![3])]);
    }

    #[test]
    fn the_other_line_may_be_the_line_itself_or_the_last_within_reach() {
        let conditions = [condition(0, "frame|end", "end", 2)];
        assert_eq!(
            found(&conditions, &["frame", "frame", "x", "end", "frame"]),
            [(1, vec![0]), (3, vec![0])]
        );
    }

    #[test]
    fn a_short_text_is_searched_for_what_its_literals_allow_as_a_long_one_is_for_all() {
        let of = |number, expression, literals: &[&str]| {
            let required = vec![literals.iter().map(ToString::to_string).collect()];
            Condition { required, ..condition(number, expression, "", 0) }
        };
        let starts =
            LineStarts::new(vec![of(0, "ab+c|bd", &["bc", "bd"]), of(1, "x", &[]), of(2, "ab", &["ab"])]);
        let line = |text: &str| starts.scan(&[text], 1).unwrap().numbers.concat();
        let texts = ["abbc", "bd", "x", "ac", "b", "é x"];
        let found = texts.map(line);
        assert_eq!(found, [vec![0, 2], vec![0], vec![1], vec![], vec![], vec![]]);
        starts.scan(&["-"; 200], 200).unwrap();
        assert_eq!(texts.map(line), found);
    }

    #[test]
    fn a_line_of_another_language_is_matched_by_its_characters() {
        let conditions = [condition(0, r"^\w+ # end", "", 0), condition(1, "(?x) ^├─ # a branch", "", 0)];
        assert_eq!(found(&conditions, &["データ # end", "├─init"]), [(0, vec![0]), (1, vec![1])]);
    }

    #[test]
    fn a_line_with_other_characters_names_at_least_what_it_meets() {
        let lines = ["é1 # end", "1\u{a0}kB", "« a »", "naïve: 7", "É", "x", "Κ5", "\u{2019}5 b"];
        let expressions =
            [r"\w\d", r"\d\skB", r"\W\s\w", r"[^\d:]+:\s*\d", r"(?i)é\b", r".$", r"\D\d\b", r"[a-z]{3}"];
        for expression in expressions {
            let exact = regex::bytes::Regex::new(&format!(r"\A(?:{expression})")).unwrap();
            let named = found(&[condition(0, expression, "", 0)], &lines);
            for (at, line) in lines.iter().enumerate() {
                let is_named = named.iter().any(|(place, _)| *place == at);
                assert!(is_named || !exact.is_match(line.as_bytes()), "{expression} in {line}");
            }
        }
    }

    #[test]
    fn a_class_of_ascii_stays_one() {
        assert!(found(&[condition(0, "[a-f0-9]+: ", "", 0)], &["é: ", "a—: "]).is_empty());
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        assert!(LineStarts::new(vec![condition(0, "a(", "", 0)]).scan(&["a"], 1).is_err());
        assert!(end(&["a("], &[], &["a"]).is_err());
    }

    fn end(expressions: &[&str], heads: &[&str], lines: &[&str]) -> Result<usize, String> {
        let owned = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        let (runs, mut run) =
            (LineRuns::new(&owned(expressions), &owned(heads)), Run { end: 0, is_blank: false });
        for (at, line) in lines.iter().enumerate() {
            if !runs.take(&mut run, at, line)? {
                break;
            }
        }
        Ok(run.end)
    }

    #[test]
    fn a_run_goes_on_below_blank_lines_only_with_a_head() {
        let lines = ["a", "", " ", "H", "a", "", "a"];
        assert_eq!(end(&["a", "H"], &["H"], &lines), Ok(5));
        assert_eq!(end(&["a", "H"], &[], &lines), Ok(1));
        assert_eq!(end(&["a"], &["H"], &["a", ""]), Ok(1));
        assert_eq!(end(&["a"], &[], &["b"]), Ok(0));
    }
}
