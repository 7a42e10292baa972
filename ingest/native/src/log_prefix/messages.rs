//! Where a message of the kernel may begin in a line: behind `kernel:`, at `[ s.us]`, or where the words are the kernel's.

use regex::bytes::{Regex, RegexBuilder};

use super::levels::is_facility;
use super::tokens::{Kind, Token};
use crate::line_classes::LineClasses;
use crate::messages::{LEAST_BITS, catalogue};

/// Why a message begins at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// `kernel:` stands before it.
    Mark,
    /// `[ s.us]` stands before it.
    Stamp,
    /// It is of a class that only the kernel prints.
    Class,
    /// A driver's message about its device.
    Device,
    /// It is of the catalogue of the kernel's messages, by enough bits.
    Catalogued,
    /// A frame of a call trace.
    Frame,
    /// It is of a class whose words other programs print, too.
    Unsure,
}

/// Words by which a message is known, of the reader of kernel logs.
pub struct Words {
    /// Expressions that a message of a class must match, too, to be surely the kernel's; by number of the class.
    pub conditions: Vec<(usize, String)>,
    /// What drivers print before the words of a class.
    pub device_prefix: String,
    /// What the kernel prints before the words of an alarming class.
    pub alarm_prefix: String,
    /// What the kernel prints before the constant words of a message of the catalogue.
    pub catalogue_prefix: String,
    /// Numbers of the alarming classes.
    pub alarming: Vec<usize>,
    /// A driver's message about its device.
    pub device: String,
    /// A frame of a call trace.
    pub frame: String,
}

/// Finds where messages begin.
pub struct Messages {
    conditions: Vec<(usize, Regex)>,
    device_prefix: Regex,
    alarm_prefix: Regex,
    catalogue_prefix: Regex,
    alarming: Vec<usize>,
    device: Regex,
    frame: Regex,
}

/// Bits of a message before which neither driver nor device stands: `dev_err` prints both, so programs' words are
/// like many of them (`Failed to initialize component`).
const LEAST_BITS_ALONE: u8 = 40;

fn built(expression: &str) -> Result<Regex, String> {
    RegexBuilder::new(expression).unicode(false).build().map_err(|error| error.to_string())
}

impl Messages {
    /// Prepare the words.
    ///
    /// # Errors
    /// When one of them is no regular expression.
    pub fn new(words: Words) -> Result<Self, String> {
        let conditions = words.conditions.iter().map(|(number, one)| Ok((*number, built(one)?)));
        Ok(Self {
            conditions: conditions.collect::<Result<_, String>>()?,
            device_prefix: built(&words.device_prefix)?,
            alarm_prefix: built(&words.alarm_prefix)?,
            catalogue_prefix: built(&words.catalogue_prefix)?,
            alarming: words.alarming,
            device: built(&words.device)?,
            frame: built(&words.frame)?,
        })
    }

    /// Whether the words of a message may be in a line at all.
    #[must_use]
    pub fn is_possible(&self, line: &str, classes: &LineClasses) -> bool {
        // The search for words comes last: it takes ten times as long as the others.
        line.contains(": ")
            || memchr::memmem::find(line.as_bytes(), b"+0x").is_some()
            || classes.has_literal(line)
    }

    /// Why a message of the kernel begins at the first byte of `text`, None when nothing says so.
    ///
    /// # Errors
    /// When an expression of a class takes too much memory.
    pub fn reason(&self, text: &str, classes: &LineClasses) -> Result<Option<Reason>, String> {
        let bytes = text.as_bytes();
        if memchr::memmem::find(bytes, b"+0x").is_some() && self.frame.is_match(bytes) {
            return Ok(Some(Reason::Frame));
        }
        let is_of_device = self.device.is_match(bytes);
        if let Some(number) = classes.first(text)? {
            let start = classes.groups(number, text)?.map_or(0, |found| found.start);
            let before = &bytes[..start];
            let is_first = start == 0
                || self.device_prefix.is_match(before)
                || self.alarming.contains(&number) && self.alarm_prefix.is_match(before);
            if is_first {
                let mut needed = self.conditions.iter().filter(|(of, _)| *of == number);
                let is_sure = is_of_device || needed.all(|(_, condition)| condition.is_match(bytes));
                return Ok(Some(if is_sure { Reason::Class } else { Reason::Unsure }));
            }
        }
        if is_of_device {
            return Ok(Some(Reason::Device));
        }
        // Behind a time, a word alone may be a program that quotes the kernel; one with a number names a device.
        let start = self.catalogued(bytes);
        let is_named = |start: &usize| *start == 0 || bytes[..*start].iter().any(u8::is_ascii_digit);
        Ok(start.filter(is_named).map(|_| Reason::Catalogued))
    }

    /// Where the constant words of a message of the catalogue, of enough bits, begin: at the first byte, or behind what
    /// the kernel prints before them. None when `text` begins with no such message.
    #[must_use]
    pub fn catalogued(&self, text: &[u8]) -> Option<usize> {
        let found = catalogue().find(text).filter(|found| found.bits >= LEAST_BITS)?;
        let is_first = if found.start == 0 {
            found.bits >= LEAST_BITS_ALONE
        } else {
            self.catalogue_prefix.is_match(&text[..found.start])
        };
        is_first.then_some(found.start)
    }
}

/// Whether a line has what every mark of `marked` has.
#[must_use]
pub fn may_be_marked(text: &str) -> bool {
    text.contains('[') || text.contains("kernel")
}

/// The token that a message begins with, by a mark before it: `kernel:`, `kernel - - -` of RFC 5424, or `[ s.us]`.
#[must_use]
pub fn marked(text: &str, tokens: &[Token]) -> Option<Marked> {
    for (at, token) in tokens.iter().enumerate() {
        if token.depth > 0 && token.kind != Kind::Open(b'[') {
            continue;
        }
        if is_stamp(text, tokens, at) {
            return Some(Marked { message: at, program: None, is_of_dmesg: false });
        }
        if let Some(end) = padded(text, tokens, at) {
            return Some(Marked { message: end, program: None, is_of_dmesg: false });
        }
        if let Some(end) = delta(text, tokens, at) {
            return Some(Marked { message: end, program: None, is_of_dmesg: true });
        }
        if token.kind != Kind::Word || &text[token.start..token.end] != "kernel" {
            continue;
        }
        let next = |ahead: usize| tokens.get(at + ahead).map(|token| token.kind);
        let is_colon = next(1) == Some(Kind::Bar(':')) && tokens[at + 1].start == token.end;
        let message = if is_colon {
            at + 2
        } else if is_5424(tokens, at) {
            at + 4
        } else {
            continue;
        };
        return Some(Marked { message, program: Some(at), is_of_dmesg: false });
    }
    None
}

/// A mark of the kernel before a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// The token that the message begins with; the number of tokens when nothing follows.
    pub message: usize,
    /// The word `kernel`, when the mark is one.
    pub program: Option<usize>,
    /// Whether the mark is one that only dmesg prints.
    pub is_of_dmesg: bool,
}

/// The token behind `[   45.12]`, and behind the caller after it; the kernel pads seconds to five places.
fn padded(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    decimals(text, tokens, at).filter(|decimals| *decimals < 3)?;
    let place = text[tokens[at].end..tokens[at + 2].start].find('.')?;
    if !(5..=10).contains(&place) {
        return None;
    }
    let word = tokens.get(at + 4).map(|token| &text[token.start..token.end]);
    let is_caller = tokens.get(at + 3).is_some_and(|token| token.kind == Kind::Open(b'['))
        && word.is_some_and(|word| word.starts_with(['T', 'C']))
        && tokens.get(at + 5).is_some_and(|token| token.kind == Kind::Close(b'['));
    Some(if is_caller { at + 6 } else { at + 3 })
}

/// The token behind `[May13 07:47]` or `[  +0.000012]`, which dmesg prints with the times between lines.
fn delta(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let rest = tokens.get(at..)?;
    if rest.first()?.kind != Kind::Open(b'[') || rest[0].depth != 1 {
        return None;
    }
    let word = |place: usize| rest.get(place).map(|token| &text[token.start..token.end]);
    let is_close = |place: usize| rest.get(place).is_some_and(|token| token.kind == Kind::Close(b'['));
    let is_delta = word(1)?.strip_prefix('+').and_then(|number| number.split_once(['.', ',']));
    if is_delta.is_some_and(|(_, part)| part.len() == 6) && rest[1].kind == Kind::Num && is_close(2) {
        return Some(at + 3);
    }
    let is_day = |word: &str| {
        word.len() >= 3 && word.is_char_boundary(3) && crate::calendar::month_of(&word[..3]).is_some()
    };
    let is_hour = rest.get(2).is_some_and(|token| token.kind == Kind::Time && token.end - token.start == 5);
    if is_day(word(1)?) && is_hour && is_close(3) {
        return Some(at + 4);
    }
    // `[May 3 07:47]`
    let is_hour = rest.get(3).is_some_and(|token| token.kind == Kind::Time && token.end - token.start == 5);
    (word(1)?.len() == 3 && is_day(word(1)?) && is_hour && is_close(4)).then_some(at + 5)
}

fn is_5424(tokens: &[Token], at: usize) -> bool {
    let is_nil = |kind: Kind| matches!(kind, Kind::Bar('-'));
    let is_open = at >= 4 && tokens[0].kind == Kind::Open(b'<');
    is_open
        && tokens.get(at + 1..at + 4).is_some_and(|rest| {
            (is_nil(rest[0].kind) || rest[0].kind == Kind::Num) && rest[1].depth == 0 && is_nil(rest[2].kind)
        })
}

/// Whether `[ 2225.621988]` begins at a token.
#[must_use]
pub fn is_stamp(text: &str, tokens: &[Token], at: usize) -> bool {
    decimals(text, tokens, at).is_some_and(|decimals| (3..=9).contains(&decimals))
}

/// Decimals of the seconds in brackets that begin at a token, None when none do.
#[must_use]
pub fn decimals(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let [open, number, close, ..] = tokens.get(at..)? else { return None };
    if open.kind != Kind::Open(b'[') || open.depth != 1 || number.kind != Kind::Num {
        return None;
    }
    if close.kind != Kind::Close(b'[') || close.start != number.end {
        return None;
    }
    let (seconds, part) = text[number.start..number.end].split_once('.')?;
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits(seconds) && is_digits(part)).then_some(part.len())
}

/// A program that names itself in a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub word: usize,
    /// The token behind `name[12]:`.
    pub end: usize,
    /// Whether the number of its process stands behind the name.
    pub has_pid: bool,
}

/// The first program other than the kernel that names itself: `systemd[1]: `, `nginx: `.
#[must_use]
pub fn program(text: &str, tokens: &[Token]) -> Option<Program> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let touches = |at: usize| at < tokens.len() && tokens[at].start == tokens[at - 1].end;
    for (at, token) in tokens.iter().enumerate() {
        let name = &text[token.start..token.end];
        if token.depth > 0 || token.kind != Kind::Word || name == "kernel" || is_facility(name) {
            continue;
        }
        let has_pid = kind(at + 1) == Some(Kind::Open(b'['))
            && touches(at + 1)
            && kind(at + 2) == Some(Kind::Num)
            && kind(at + 3) == Some(Kind::Close(b'['));
        let colon = if has_pid { at + 4 } else { at + 1 };
        let is_named = kind(colon) == Some(Kind::Bar(':')) && touches(colon);
        let is_ended =
            tokens.get(colon).is_none_or(|one| !text[one.end..].starts_with(|next: char| next > ' '));
        if is_named && is_ended {
            return Some(Program { word: at, end: colon + 1, has_pid });
        }
    }
    None
}
