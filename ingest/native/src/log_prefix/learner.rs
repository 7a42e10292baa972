//! Learns the forms of the prefixes of a text, and writes its lines of a log in one form.
//!
//! That form is RFC 5424's, with `-` for what is not known, the number of the characters of the line as its message id, and
//! times in seconds: of the epoch (`@`), or of a year that is not stated (`~`).
//!
//! ```text
//! <3>1 @1668219059 n2 kernel - 97 - watchdog: BUG: soft lockup
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::form::{Form, Key, has_time, is_hard};
use super::levels::level_of;
use super::messages::{Messages, Reason, decimals, marked, may_be_marked, program};
use super::scan::{Anchor, Scan, Telling, anchors_of, joined, scan, telling};
use super::times::{Time, time_of};
use super::tokens::{Kind, Token, tokens};
use crate::calendar::DAY;
use crate::line_classes::LineClasses;

const MOST_FORMS: usize = 256;
/// Tokens of a prefix of a single line.
const MOST_ALONE: usize = 16;
/// Words, outside of a date, of a prefix of a single line: a host, a unit, a thread.
const MOST_WORDS_ALONE: usize = 3;

/// Forms that were learned from the lines so far.
#[derive(Default)]
pub struct Learner {
    forms: HashMap<Key, Form>,
    /// Prefixes up to the word `kernel`: other programs' names may stand there.
    heads: HashSet<Key>,
    days: Days,
}

impl Learner {
    /// The lines of a log among `lines`, by their places, in the form of RFC 5424; lines of common forms are left out.
    ///
    /// # Errors
    /// When an expression of a class takes too much memory.
    pub fn read(
        &mut self,
        lines: &[&str],
        messages: &Messages,
        classes: &LineClasses,
    ) -> Result<Vec<(usize, String)>, String> {
        let mut anchors: HashMap<usize, Vec<Anchor>> = HashMap::new();
        let mut bare: HashSet<usize> = HashSet::new();
        let joined = joined(lines);
        for (at, raw) in lines.iter().enumerate() {
            let whole = joined.get(&at);
            let told = whole.map_or_else(|| telling(raw, classes), |_| Telling::Encoded);
            if told == Telling::Nothing {
                continue;
            }
            let Some(scan) = scan(at, whole.map_or(raw, String::as_str)) else { continue };
            // Most lines of most files have nothing of a message: their tokens are not looked for.
            let is_undecided = told == Telling::Encoded;
            if is_undecided && !may_be_marked(&scan.text) && !messages.is_possible(&scan.text, classes) {
                continue;
            }
            let tokens = tokens(&scan.text);
            let found = anchors_of(&scan, &tokens, messages, classes)?;
            if found.is_empty() {
                continue;
            }
            if found[0].token == 0 && !scan.is_changed {
                bare.insert(at);
                continue;
            }
            for anchor in &found {
                self.note(&scan, &tokens, *anchor);
            }
            anchors.insert(at, found);
        }
        if anchors.is_empty() && self.forms.is_empty() {
            return Ok(Vec::new());
        }
        let mut lengths: Vec<usize> = self
            .forms
            .iter()
            .filter(|(key, form)| form.is_accepted(key))
            .map(|(key, _)| key.len() - usize::from(matches!(key[0], Kind::Fields(..))))
            .collect();
        lengths.sort_unstable_by(|one, other| other.cmp(one));
        lengths.dedup();
        let mut found = Vec::new();
        for (at, raw) in lines.iter().enumerate() {
            let own = anchors.get(&at).map_or(&[][..], Vec::as_slice);
            // Somebody took the prefix of this line away.
            if own.is_empty() && (lengths.is_empty() || bare.contains(&at)) {
                continue;
            }
            let Some(scan) = scan(at, joined.get(&at).map_or(raw, String::as_str)) else { continue };
            if let Some(line) = self.written(&scan, own, &lengths) {
                let rest = at + 1..lines.len();
                found.push(line);
                found.extend(
                    rest.take_while(|next| joined.get(next).is_some_and(String::is_empty))
                        .map(Written::empty),
                );
            }
        }
        let kept = without_strays(&found, lines);
        Ok(found
            .into_iter()
            .zip(kept)
            .filter(|(_, keep)| *keep)
            .map(|(line, _)| (line.at, line.text))
            .collect())
    }

    fn note(&mut self, scan: &Scan<'_>, tokens: &[Token], anchor: Anchor) {
        let text = &*scan.text;
        let prefix = &tokens[..anchor.token];
        let key = scan.key(prefix);
        if key.is_empty() || self.forms.len() >= MOST_FORMS && !self.forms.contains_key(&key) {
            return;
        }
        if matches!(anchor.reason, Reason::Mark | Reason::Stamp)
            && let Some(word) = marked(text, tokens).and_then(|mark| mark.program)
        {
            self.heads.insert(scan.key(&tokens[..word]));
        }
        let gap = gap_of(text, tokens, anchor.token);
        self.forms.entry(key).or_default().note(text, prefix, gap, anchor.reason);
    }

    /// The line in the form of RFC 5424, None when it is not known to be of a log.
    fn written(&mut self, scan: &Scan<'_>, own: &[Anchor], lengths: &[usize]) -> Option<Written> {
        let text = &*scan.text;
        let tokens = tokens(text);
        let accepted = |length: usize| {
            let key = scan.key(tokens.get(..length)?);
            self.forms.get(&key).filter(|form| form.is_accepted(&key))
        };
        let best = own
            .iter()
            .filter_map(|anchor| Some((accepted(anchor.token)?, anchor.token)))
            .max_by_key(|(form, token)| (form.count(), std::cmp::Reverse(*token)))
            .map(|(form, token)| (form.gap, token, true));
        let known = best.or_else(|| {
            lengths.iter().find_map(|&length| {
                let form = accepted(length)?;
                form.has_words(text, &tokens[..length]).then_some((form.gap, length, false))
            })
        });
        if let Some((gap, token, is_anchored)) = known {
            let key = scan.key(&tokens[..token]);
            let is_stray = !is_anchored && !has_time(&key);
            let named = program(text, &tokens[token..]).filter(|other| other.word == 0 && other.has_pid);
            let own_program =
                named.map(|other| &text[tokens[token + other.word].start..tokens[token + other.word].end]);
            let from = named.map_or(token, |other| token + other.end);
            let gap = if named.is_some() { 1 } else { gap };
            let line = self.line(scan, &tokens, token, message(text, &tokens, from, gap), own_program);
            return Some(Written {
                at: scan.at,
                text: line,
                form: is_stray.then_some(key),
                is_anchor: is_anchored,
            });
        }
        if let Some(other) =
            program(text, &tokens).filter(|other| self.heads.contains(&scan.key(&tokens[..other.word])))
        {
            let name = &text[tokens[other.word].start..tokens[other.word].end];
            let line = self.line(scan, &tokens, other.word, message(text, &tokens, other.end, 1), Some(name));
            return Some(Written { at: scan.at, text: line, form: None, is_anchor: false });
        }
        let alone = own
            .iter()
            .find(|anchor| anchor.is_class && (scan.is_changed || is_alone(&tokens[..anchor.token])))?;
        // A driver and its device before the words of the catalogue are of the message.
        let alone = own
            .iter()
            .find(|anchor| anchor.token < alone.token && anchor.reason == Reason::Device)
            .unwrap_or(alone);
        let gap = gap_of(text, &tokens, alone.token);
        let line = self.line(scan, &tokens, alone.token, message(text, &tokens, alone.token, gap), None);
        Some(Written { at: scan.at, text: line, form: None, is_anchor: true })
    }

    fn line(
        &mut self,
        scan: &Scan<'_>,
        tokens: &[Token],
        end: usize,
        message: &str,
        program: Option<&str>,
    ) -> String {
        let text = &*scan.text;
        let prefix = &tokens[..end];
        let fields = scan.fields.as_ref();
        let level = level(text, prefix).or_else(|| fields.and_then(|fields| fields.level));
        let time = time_of(text, prefix).or_else(|| fields.and_then(|fields| fields.time));
        let host = host(text, tokens, prefix).or_else(|| {
            fields.map(|fields| fields.host.as_str()).filter(|host| !host.is_empty() && !host.contains(' '))
        });
        let program = program.or_else(|| {
            fields
                .map(|fields| fields.program.as_str())
                .filter(|name| !name.is_empty() && !name.contains(' '))
        });
        let mut line = String::with_capacity(message.len() + 64);
        let _ = match level {
            Some(level) => write!(line, "<{level}>1 "),
            None => write!(line, "<->1 "),
        };
        let _ = match time.map(|time| self.days.stamp(time)) {
            // Microseconds, without the noise of binary fractions.
            Some((mark, seconds)) => write!(line, "{mark}{}", (seconds * 1e6).round() / 1e6),
            None => write!(line, "-"),
        };
        let _ = write!(line, " {} {} - {} - ", host.unwrap_or("-"), program.unwrap_or("kernel"), scan.width);
        if let Some(seconds) = rounded(text, prefix).filter(|_| time.is_none()) {
            let _ = write!(line, "[{seconds:.6}] ");
        }
        line.extend(message.chars().map(|one| if one == '\n' { ' ' } else { one }));
        line
    }
}

/// One line of a log.
struct Written {
    at: usize,
    text: String,
    /// Of a line that only the kinds of a form without a time tell to be of the log.
    form: Option<Key>,
    is_anchor: bool,
}

impl Written {
    /// The rest of a wrapped line.
    fn empty(at: usize) -> Self {
        Self { at, text: String::new(), form: None, is_anchor: false }
    }
}

/// Whether each line is kept: without a time, a form is that of the lines that stand with a message of the kernel.
fn without_strays(found: &[Written], lines: &[&str]) -> Vec<bool> {
    let mut kept = vec![true; found.len()];
    let follows = |before: usize, at: usize| lines[before + 1..at].iter().all(|line| line.trim().is_empty());
    let mut first = 0;
    while first < found.len() {
        let mut end = first + 1;
        while end < found.len() && follows(found[end - 1].at, found[end].at) {
            end += 1;
        }
        if !found[first..end].iter().any(|line| line.is_anchor) {
            for place in first..end {
                kept[place] = found[place].form.is_none();
            }
        }
        first = end;
    }
    kept
}

/// Whether the prefix of a single line is one of a log.
fn is_alone(prefix: &[Token]) -> bool {
    let kinds: Key = prefix.iter().map(|token| token.kind).collect();
    let words = kinds.iter().filter(|&&kind| kind == Kind::Word).count();
    let of_dates = if has_time(&kinds) { 2 } else { 0 };
    prefix.len() <= MOST_ALONE && is_hard(&kinds) && words <= MOST_WORDS_ALONE + of_dates
}

/// Blanks before a token.
fn gap_of(text: &str, tokens: &[Token], at: usize) -> usize {
    let end = at.checked_sub(1).map_or(0, |before| tokens[before].end);
    text[end..].chars().take_while(|one| one.is_whitespace()).count()
}

/// What follows a prefix, without the blanks that belong to it.
fn message<'t>(text: &'t str, tokens: &[Token], at: usize, gap: usize) -> &'t str {
    let end = at.checked_sub(1).map_or(0, |before| tokens[before].end);
    let mut rest = &text[end..];
    for _ in 0..gap {
        rest = rest.strip_prefix(|one: char| one.is_whitespace()).unwrap_or(rest);
    }
    rest
}

fn level(text: &str, prefix: &[Token]) -> Option<u8> {
    for (at, token) in prefix.iter().enumerate() {
        if token.kind == Kind::Open(b'<') {
            let number = prefix.get(at + 1).filter(|one| one.kind == Kind::Num)?;
            return text[number.start..number.end]
                .parse::<u16>()
                .ok()
                .and_then(|number| u8::try_from(number & 7).ok());
        }
    }
    prefix
        .iter()
        .rev()
        .find(|token| token.kind == Kind::Level)
        .and_then(|token| level_of(&text[token.start..token.end]))
}

/// The word before `kernel`, behind a time.
fn host<'t>(text: &'t str, tokens: &[Token], prefix: &[Token]) -> Option<&'t str> {
    let kernel = marked(text, tokens)?.program.filter(|&word| word < prefix.len())?;
    let word = prefix[kernel.checked_sub(1)?];
    let name = &text[word.start..word.end];
    let is_host = word.kind == Kind::Word
        && word.depth == 0
        && !matches!(name, "kern" | "kernel")
        && !name.contains('/');
    let has_time = prefix[..kernel].iter().any(|token| matches!(token.kind, Kind::Time | Kind::DateTime));
    (is_host && has_time).then_some(name)
}

/// Seconds in brackets of a prefix, `[ 12.3]`.
fn rounded(text: &str, prefix: &[Token]) -> Option<f64> {
    let at = (0..prefix.len()).find(|&at| decimals(text, prefix, at).is_some_and(|decimals| decimals < 3))?;
    text[prefix[at + 1].start..prefix[at + 1].end].parse().ok()
}

/// Counts the days and months of times that do not state them.
#[derive(Default)]
struct Days {
    last: f64,
    before: f64,
}

impl Days {
    /// Mark and seconds of a time.
    fn stamp(&mut self, time: Time) -> (char, f64) {
        match time {
            Time::At(seconds) => ('@', seconds),
            Time::OfYear(seconds) => ('~', seconds),
            Time::OfMonth(seconds) => ('~', self.later(seconds, 31.0 * DAY)),
            Time::OfDay(seconds) => ('~', self.later(seconds, DAY)),
        }
    }

    fn later(&mut self, seconds: f64, period: f64) -> f64 {
        if seconds + period / 2.0 < self.last {
            self.before += period;
        }
        self.last = seconds;
        self.before + seconds
    }
}
