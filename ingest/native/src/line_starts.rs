//! Which of many conditions each line of a text meets: one pass of one automaton instead of a call per condition.
//!
//! A condition is met by a line that matches one of its expressions from its first byte on and, where it says so, has a
//! line that matches another expression at most so many lines below. What a condition names must still be looked at
//! exactly; the lines that meet none need no further look. So a line that is not all ASCII may name more: the classes of
//! Unicode would take 0.4 CPU seconds and 80 MB to compile, for one typographic quote in a paste.

use regex::bytes::{RegexSet, RegexSetBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Memory that the compiled expressions may take, and the states that are kept of them while matching.
const SIZE_LIMIT: usize = 64 << 20;

/// Lines up to which the expressions of `alone` cost more than they spare.
const SHORT: usize = 200;

/// One condition, as it is stated.
pub struct Condition {
    /// What is named for a line that meets it.
    pub number: usize,
    pub expressions: Vec<String>,
    /// When not empty, one of these must match the line itself or one of the `within` lines below.
    pub near: Vec<String>,
    pub within: usize,
}

/// Expressions matched from the first byte of a line on, for lines of ASCII and for others.
struct Set {
    expressions: Vec<String>,
    ascii: OnceLock<RegexSet>,
    unicode: OnceLock<RegexSet>,
    wide: OnceLock<RegexSet>,
}

impl Set {
    fn new(expressions: &[String]) -> Self {
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
    fn of(&self, line: &str) -> Result<&RegexSet, String> {
        let is_ascii = line.is_ascii();
        let cell = if is_ascii { &self.ascii } else { &self.unicode };
        compiled(cell, &self.expressions, !is_ascii)
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

/// An expression whose classes have every character that is not ASCII if they have one of them, and which asks for no
/// boundary of a word.
fn widened(expression: &str) -> Result<String, String> {
    let parsed = ParserBuilder::new().utf8(false).build().parse(expression);
    Ok(wide(parsed.map_err(|error| error.to_string())?).to_string())
}

fn wide(hir: Hir) -> Hir {
    match hir.into_kind() {
        HirKind::Literal(literal) => Hir::literal(literal.0),
        HirKind::Class(Class::Unicode(class)) => Hir::class(Class::Unicode(wide_class(class))),
        HirKind::Class(class) => Hir::class(class),
        HirKind::Look(look @ (Look::Start | Look::End | Look::StartLF | Look::EndLF)) => Hir::look(look),
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Repetition(one) => Hir::repetition(Repetition { sub: Box::new(wide(*one.sub)), ..one }),
        HirKind::Capture(group) => wide(*group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.into_iter().map(wide).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.into_iter().map(wide).collect()),
    }
}

fn wide_class(mut class: ClassUnicode) -> ClassUnicode {
    if class.maximum_len().is_some_and(|bytes| bytes > 1) {
        class.union(&ClassUnicode::new([ClassUnicodeRange::new('\u{80}', char::MAX)]));
    }
    class
}

/// Conditions, compiled when they are first used.
pub struct LineStarts {
    set: Set,
    /// For each expression its condition.
    condition_of: Vec<usize>,
    numbers: Vec<usize>,
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
    pub fn new(conditions: &[Condition]) -> Self {
        let all = || conditions.iter().enumerate();
        let expressions: Vec<String> = all().flat_map(|(_, one)| one.expressions.iter().cloned()).collect();
        let condition_of =
            all().flat_map(|(place, one)| one.expressions.iter().map(move |_| place)).collect();
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
        Self {
            set: Set::new(&expressions),
            condition_of,
            numbers: conditions.iter().map(|condition| condition.number).collect(),
            near,
            alone: Set::new(&alone),
            every_near: Set::new(&every_near),
            reach: conditions.iter().map(|one| one.within).max().unwrap_or(0),
        }
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
        for (at, &line) in lines.iter().enumerate().take(count) {
            let set = self.set.wide(line)?;
            // Most lines of JSON and of system logs may begin a format only beside a line that is not there.
            if !set.is_match(line.as_bytes()) {
                continue;
            }
            if !first_near(&self.every_near, self.reach, &mut next_of_any, lines, at)? {
                asked += 1;
                // A short text does not pay for another set.
                if asked > SHORT && !self.alone.wide(line)?.is_match(line.as_bytes()) {
                    continue;
                }
            }
            met.clear();
            for expression in set.matches(line.as_bytes()) {
                let condition = self.condition_of[expression];
                if !met.contains(&self.numbers[condition])
                    && self.is_near(condition, &mut next_near[condition], lines, at)?
                {
                    met.push(self.numbers[condition]);
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

/// Of which kind each line is: one of some known lines, or what an expression matches.
pub struct LineKinds {
    known: HashMap<String, u8>,
    sets: Vec<Set>,
}

impl LineKinds {
    /// Prepare the kinds: those of `known` lines come first, then those of the expressions.
    ///
    /// # Errors
    /// When there are more than 255.
    pub fn new(known: Vec<String>, expressions: &[String]) -> Result<Self, String> {
        if known.len() + expressions.len() > usize::from(u8::MAX) {
            return Err("more than 255 kinds".to_owned());
        }
        let known = known.into_iter().zip(1..).collect();
        Ok(Self { known, sets: expressions.iter().map(|one| Set::new(std::slice::from_ref(one))).collect() })
    }

    /// The kind of a line, counted from 1; 0 when it is of none.
    ///
    /// # Errors
    /// When an expression is none, or takes too much memory.
    pub fn kind(&self, line: &str) -> Result<u8, String> {
        if let Some(&kind) = self.known.get(line) {
            return Ok(kind);
        }
        let first = u8::try_from(self.known.len()).unwrap_or(u8::MAX);
        for (set, kind) in self.sets.iter().zip(first + 1..=u8::MAX) {
            if set.of(line)?.is_match(line.as_bytes()) {
                return Ok(kind);
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Condition, LineKinds, LineRuns, LineStarts, Run};

    fn condition(number: usize, expression: &str, near: &str, within: usize) -> Condition {
        let near = if near.is_empty() { vec![] } else { vec![near.to_owned()] };
        Condition { number, expressions: vec![expression.to_owned()], near, within }
    }

    fn found(conditions: &[Condition], lines: &[&str]) -> Vec<(usize, Vec<usize>)> {
        let starts = LineStarts::new(conditions).scan(lines, lines.len()).unwrap();
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
        assert!(LineStarts::new(&[condition(0, "a(", "", 0)]).scan(&["a"], 1).is_err());
        assert!(end(&["a("], &[], &["a"]).is_err());
        assert!(LineKinds::new(vec![], &["a(".to_owned()]).unwrap().kind("a").is_err());
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

    #[test]
    fn kinds_are_known_lines_and_then_expressions() {
        let kinds = LineKinds::new(vec!["head".into(), String::new()], &["a+$".into(), "h".into()]).unwrap();
        let found: Vec<u8> =
            ["head", "", "aa", "heads", "x"].iter().map(|line| kinds.kind(line).unwrap()).collect();
        assert_eq!(found, [1, 2, 3, 4, 0]);
        assert!(LineKinds::new(vec![String::new(); 200], &vec!["a".to_owned(); 56]).is_err());
    }
}
