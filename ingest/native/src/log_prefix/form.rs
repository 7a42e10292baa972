//! A form of prefixes: the kinds of its tokens, the words seen in it, and how far behind it messages begin.

use std::collections::HashSet;

use super::messages::Reason;
use super::tokens::{Kind, Token};

/// Kinds of the tokens of a prefix.
pub type Key = Vec<Kind>;

/// More different words than these at one place are any words.
const MOST_WORDS: usize = 8;
/// Lines in which a message of the kernel follows a form, for it to be one of a log.
const FEWEST: usize = 2;

/// What is known of a form.
#[derive(Debug, Default)]
pub struct Form {
    /// Lines in which a message that is surely the kernel's follows.
    pub sure: usize,
    /// Of them, those that are of a class or have a mark of the kernel.
    strong: usize,
    /// Of them, those in which `[ s.us]` follows.
    stamped: usize,
    /// Lines in which words that other programs print, too, follow.
    unsure: usize,
    /// Fewest blanks between the prefix and a message.
    pub gap: usize,
    words: Vec<Seen>,
}

/// The words seen at one place.
#[derive(Debug, Clone)]
enum Seen {
    Any,
    These(HashSet<String>),
}

impl Form {
    /// Note a line of this form.
    pub fn note(&mut self, text: &str, prefix: &[Token], gap: usize, reason: Reason) {
        self.stamped += usize::from(reason == Reason::Stamp);
        if self.words.is_empty() {
            self.gap = gap;
            self.words = (0..prefix.len())
                .map(|at| if is_free(prefix, at) { Seen::Any } else { Seen::These(HashSet::new()) })
                .collect();
        }
        self.gap = self.gap.min(gap);
        match reason {
            Reason::Unsure => self.unsure += 1,
            Reason::Mark | Reason::Stamp | Reason::Class => {
                self.sure += 1;
                self.strong += 1;
            }
            Reason::Device | Reason::Catalogued | Reason::Frame => self.sure += 1,
        }
        for (seen, token) in self.words.iter_mut().zip(prefix) {
            if let Seen::These(words) = seen {
                words.insert(without_numbers(&text[token.start..token.end]));
                if words.len() > MOST_WORDS {
                    *seen = Seen::Any;
                }
            }
        }
    }

    /// Whether the form is that of a log of the kernel.
    #[must_use]
    pub fn is_accepted(&self, key: &[Kind]) -> bool {
        // `host kernel: `; prose says `the kernel: ` once.
        let is_of_host = key == [Kind::Word, Kind::Word, Kind::Bar(':')];
        let is_of_log = is_hard(key) || is_of_host || self.stamped >= FEWEST;
        self.sure >= FEWEST && is_of_log && (self.strong > 0 || has_time(key))
    }

    /// How many lines of this form were seen.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sure + self.unsure
    }

    /// Whether the words of a prefix are among those seen.
    #[must_use]
    pub fn has_words(&self, text: &str, prefix: &[Token]) -> bool {
        self.words.iter().zip(prefix).all(|(seen, token)| match seen {
            Seen::Any => true,
            Seen::These(words) => words.contains(&without_numbers(&text[token.start..token.end])),
        })
    }
}

/// A word with one digit for every number in it: threads and processors are numbered.
fn without_numbers(word: &str) -> String {
    let mut bare = String::with_capacity(word.len());
    for one in word.chars() {
        match one {
            '0'..='9' if bare.ends_with('0') => {}
            '0'..='9' => bare.push('0'),
            _ => bare.push(one),
        }
    }
    bare
}

/// Whether any token of its kind may stand at a place: only words are told apart, and those of a date are not.
fn is_free(prefix: &[Token], at: usize) -> bool {
    if prefix[at].kind != Kind::Word {
        return true;
    }
    for token in prefix.iter().skip(at + 1).take(3) {
        match token.kind {
            Kind::Time | Kind::DateTime => return true,
            Kind::Word | Kind::Num | Kind::Date => {}
            _ => return false,
        }
    }
    false
}

/// Whether a prefix has a token that prose has not before a quotation; a number must be its first.
#[must_use]
pub fn is_hard(key: &[Kind]) -> bool {
    key.first() == Some(&Kind::Num)
        || key.iter().any(|kind| {
            matches!(
                kind,
                Kind::DateTime
                    | Kind::Date
                    | Kind::Time
                    | Kind::Level
                    | Kind::Close(_)
                    | Kind::Bar('|' | ';')
                    | Kind::Fields(..)
            )
        })
}

/// Whether a prefix has a time.
#[must_use]
pub fn has_time(key: &[Kind]) -> bool {
    key.iter().any(|kind| matches!(kind, Kind::DateTime | Kind::Time | Kind::Fields(_, true)))
}

/// Whether a message may begin at a token: behind a blank, a bracket or a bar, outside of brackets.
#[must_use]
pub fn may_begin(tokens: &[Token], at: usize) -> bool {
    let token = tokens[at];
    let is_outside = token.depth == 0 || token.depth == 1 && matches!(token.kind, Kind::Open(_));
    if !is_outside
        || matches!(
            token.kind,
            Kind::Level | Kind::Time | Kind::DateTime | Kind::Date | Kind::Zone | Kind::Bar(_)
        )
    {
        return false;
    }
    let Some(before) = at.checked_sub(1).map(|place| tokens[place]) else { return true };
    before.end < token.start
        || matches!(before.kind, Kind::Close(_))
        || matches!(before.kind, Kind::Bar(':' | ';' | '|' | '>'))
}
