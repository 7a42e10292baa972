//! A line that is not of a common form, and where messages of the kernel may begin in it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::encodings::decoded;
use super::form::{Key, has_time, may_begin};
use super::messages::{Messages, Reason, is_stamp, marked, program};
use super::structured::{self, Fields};
use super::tokens::{Kind, Token};
use crate::line_classes::LineClasses;
use crate::log_lines;

/// A longer line is no line of a log that is looked at.
const MOST_BYTES: usize = 16 << 10;
/// What lines with fields contain.
const STRUCTURES: [&str; 3] = ["msg=", "message=", structured::STRUCT_MESSAGE];
/// Lines that a structured line is wrapped to.
const MOST_WRAPS: usize = 12;

/// A place at which a message may begin.
#[derive(Debug, Clone, Copy)]
pub struct Anchor {
    pub token: usize,
    pub reason: Reason,
    /// Whether the message is of a class, or of the catalogue: only the kernel prints it.
    pub is_class: bool,
}

/// A line that is not of a common form.
pub struct Scan<'t> {
    pub at: usize,
    pub width: usize,
    pub text: Cow<'t, str>,
    pub fields: Option<Fields>,
    pub is_changed: bool,
}

/// Whether the line is of a common form, and nothing more stands before its message.
fn is_common(raw: &str) -> bool {
    log_lines::parsed(raw)
        .is_some_and(|line| !line.is_kernel || !line.text.starts_with(['|', '-', '[', '(', '<', '>']))
}

/// What a byte of a line may belong to; see `telling`.
const MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    let mut at = 0;
    while at < ENCODING.len() {
        marks[ENCODING[at] as usize] = IS_ENCODED;
        at += 1;
    }
    marks[b':' as usize] = HAS_COLON;
    marks[b'+' as usize] = HAS_PLUS;
    marks[b'k' as usize] = HAS_K;
    marks
};
/// One of these is in every line that has an encoding, fields or a stamp in brackets.
const ENCODING: [u8; 9] = [0x1b, b'[', b'\\', b'<', b'&', b';', b'=', b'{', b'"'];
const IS_ENCODED: u8 = 1;
const HAS_COLON: u8 = 2;
const HAS_PLUS: u8 = 4;
const HAS_K: u8 = 8;

/// What one pass over a line tells of messages in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// It has none: most lines of most files are not looked at further.
    Nothing,
    /// It has what `may_be_marked` or `Messages::is_possible` look for, and no encoding.
    Something,
    /// It may have an encoding, which is to be undone first.
    Encoded,
}

/// Whether a line may have anything of a message.
#[must_use]
pub fn telling(raw: &str, classes: &LineClasses) -> Telling {
    let seen = raw.bytes().fold(0, |seen, byte| seen | MARKS[usize::from(byte)]);
    if seen & IS_ENCODED != 0 {
        return Telling::Encoded;
    }
    let has_any = seen & HAS_COLON != 0 && raw.contains(": ")
        || seen & HAS_PLUS != 0 && raw.contains("+0x")
        || seen & HAS_K != 0 && raw.contains("kernel")
        || classes.has_literal(raw);
    if has_any { Telling::Something } else { Telling::Nothing }
}

/// The line without its encodings, None when it is of a common form or of no log.
#[must_use]
pub fn scan(at: usize, raw: &str) -> Option<Scan<'_>> {
    let bare = raw.trim_start();
    // Quotes of mail, and fields of the journal, are taken away by others, who see all of the lines.
    let is_of_others = bare.is_empty() || bare.starts_with(['>', '|', '"']) || bare.starts_with("MESSAGE=");
    if raw.len() > MOST_BYTES || is_of_others || is_common(raw) {
        return None;
    }
    let mut text = decoded(raw);
    let is_own =
        raw.contains("\"_TRANSPORT\"") || raw.contains("\"MESSAGE\"") || raw.starts_with("{\"log\":\"[");
    let has_structure =
        !is_own && (text.trim_start().starts_with('{') || STRUCTURES.iter().any(|one| text.contains(one)));
    let fields = if has_structure { structured::fields(&text) } else { None };
    if let Some(fields) = &fields {
        text = Cow::Owned(fields.message.clone());
    }
    let is_changed = fields.is_some() || matches!(text, Cow::Owned(_));
    Some(Scan { at, width: raw.chars().count(), text, fields, is_changed })
}

impl Scan<'_> {
    /// The kinds of a prefix, with the fields around it.
    #[must_use]
    pub fn key(&self, prefix: &[Token]) -> Key {
        let fields = self.fields.iter().map(|fields| {
            let mut hasher = DefaultHasher::new();
            fields.names.hash(&mut hasher);
            Kind::Fields(hasher.finish(), fields.time.is_some())
        });
        fields.chain(prefix.iter().map(|token| token.kind)).collect()
    }
}

/// Structured lines that a mailer or terminal wrapped: the first of each with all of it, and the others as nothing.
#[must_use]
pub fn joined(lines: &[&str]) -> HashMap<usize, String> {
    let mut found = HashMap::new();
    let mut at = 0;
    while at < lines.len() {
        let first = at;
        at += 1;
        if structured::is_whole(lines[first]) {
            continue;
        }
        let mut whole = lines[first].to_owned();
        for (place, rest) in lines.iter().enumerate().skip(first + 1).take(MOST_WRAPS) {
            whole.push_str(rest);
            if structured::is_whole(&whole) {
                found.insert(first, whole);
                found.extend((first + 1..=place).map(|rest| (rest, String::new())));
                at = place + 1;
                break;
            }
        }
    }
    found
}

/// Where messages of the kernel may begin in a line: at the first token only, when it is one without a prefix.
///
/// # Errors
/// When an expression of a class takes too much memory.
pub fn anchors_of(
    scan: &Scan<'_>,
    tokens: &[Token],
    messages: &Messages,
    classes: &LineClasses,
) -> Result<Vec<Anchor>, String> {
    let text = &*scan.text;
    let fewest = usize::from(!scan.is_changed);
    if scan.fields.as_ref().is_some_and(|fields| !fields.program.is_empty()) {
        return Ok(Vec::new());
    }
    if let Some(mark) = marked(text, tokens) {
        let named = program(text, &tokens[..mark.message.min(tokens.len())]);
        let is_other = named.is_some_and(|other| other.has_pid || mark.program.is_some());
        if mark.message < fewest || is_other {
            return Ok(Vec::new());
        }
        let rest = &text[tokens.get(mark.message).map_or(text.len(), |token| token.start)..];
        let message =
            rest.split_once("] ").filter(|_| rest.starts_with('[')).map_or(rest, |(_, message)| message);
        let reason = messages.reason(message.trim_start(), classes)?;
        // Behind colours, or behind both marks, a line is the kernel's without a word of it.
        let is_stamped = is_stamp(text, tokens, mark.message);
        let is_own = mark.is_of_dmesg || is_stamped && (mark.message == 0 || mark.program.is_some());
        let is_class = is_own || matches!(reason, Some(Reason::Class | Reason::Device | Reason::Catalogued));
        let reason = if is_stamped || mark.program.is_none() { Reason::Stamp } else { Reason::Mark };
        return Ok(vec![Anchor { token: mark.message, reason, is_class }]);
    }
    let mut found = Vec::new();
    if !messages.is_possible(text, classes) {
        return Ok(found);
    }
    let whole = messages.reason(text.trim_start(), classes)?;
    if let Some(reason @ (Reason::Class | Reason::Device | Reason::Catalogued)) = whole
        && fewest > 0
    {
        return Ok(vec![Anchor { token: 0, reason, is_class: false }]);
    }
    for at in fewest..tokens.len() {
        if !may_begin(tokens, at) {
            continue;
        }
        let Some(reason) = messages.reason(&text[tokens[at].start..], classes)? else { continue };
        let prefix = &tokens[..at];
        let has_fields = prefix.iter().any(|token| token.kind == Kind::Bar('='));
        if has_fields || program(text, prefix).is_some() || is_prompt(text, prefix) {
            break;
        }
        let kinds: Key = prefix.iter().map(|token| token.kind).collect();
        if reason == Reason::Frame && !has_time(&kinds) {
            continue;
        }
        let is_class = matches!(reason, Reason::Class | Reason::Catalogued);
        found.push(Anchor { token: at, reason, is_class });
    }
    Ok(found)
}

/// Whether a prompt of a shell stands in a prefix: what follows is a command.
fn is_prompt(text: &str, prefix: &[Token]) -> bool {
    prefix.iter().any(|token| text[token.start..token.end].ends_with(['$', '#', '%']))
}
