//! One regular expression, applied the ways Python's `re` applies one, in time linear in the text.
//!
//! The syntax is that of the `regex` crate: no look-around and no back-references. `\Z` is read as `\z`.
//!
//! A text of ASCII has an expression of its own, in which `\w`, `\d`, `\s` and `\b` are those of ASCII. It finds the
//! same, and compiles in a tenth of the time, which is most of what a short text takes.

use std::sync::OnceLock;

use regex::{CaptureNames, Regex, RegexBuilder};

/// Memory that one compiled expression may take.
const SIZE_LIMIT: usize = 10 << 20;

/// How a text has to match.
#[derive(Clone, Copy)]
pub enum How {
    /// From its first character on.
    Match,
    /// From its first character to its last.
    FullMatch,
    /// Anywhere.
    Search,
}

/// An expression, compiled for each way of matching when it is first used that way.
pub struct Linear {
    written: String,
    compiled: [OnceLock<Regex>; 3],
    of_ascii: [OnceLock<Regex>; 3],
}

impl Linear {
    /// Keep `written`; nothing is compiled yet.
    #[must_use]
    pub fn new(written: &str) -> Self {
        Self {
            written: written.replace("\\Z", "\\z"),
            compiled: Default::default(),
            of_ascii: Default::default(),
        }
    }

    /// The expression, compiled for one way of matching `text`.
    ///
    /// # Errors
    /// When it is no regular expression, or one that would take too much memory.
    pub fn regex(&self, how: How, text: &str) -> Result<&Regex, String> {
        let is_ascii = text.is_ascii();
        let cell = &(if is_ascii { &self.of_ascii } else { &self.compiled })[how as usize];
        if let Some(regex) = cell.get() {
            return Ok(regex);
        }
        let regex = match is_ascii.then(|| built(&of_ascii(&self.written), how)) {
            Some(Ok(regex)) => regex,
            // A class of ASCII may be where none can be, as at the end of a range: all is well without.
            _ => built(&self.written, how)?,
        };
        Ok(cell.get_or_init(|| regex))
    }

    /// The names of the groups, in their order.
    ///
    /// # Errors
    /// When it is no regular expression, or one that would take too much memory.
    pub fn names(&self, how: How) -> Result<CaptureNames<'_>, String> {
        let compiled = self.of_ascii[how as usize].get().or_else(|| self.compiled[how as usize].get());
        Ok(compiled.map_or_else(|| self.regex(how, ""), Ok)?.capture_names())
    }
}

fn built(written: &str, how: How) -> Result<Regex, String> {
    // In verbose mode the last line may be a comment, which only a line end closes.
    let end = if written.starts_with("(?x") { "\n" } else { "" };
    let anchored = match how {
        How::Match => format!("\\A(?:{written}{end})"),
        How::FullMatch => format!("\\A(?:{written}{end})\\z"),
        How::Search => written.to_owned(),
    };
    RegexBuilder::new(&anchored).size_limit(SIZE_LIMIT).build().map_err(|error| error.to_string())
}

/// The expression with the classes of ASCII in place of those of Unicode; both match the same in a text of ASCII.
///
/// One with a class at the end of a range, which is none, stays as it is and is refused.
fn of_ascii(written: &str) -> String {
    let mut found = String::with_capacity(2 * written.len());
    let mut characters = written.chars();
    let mut depth = 0_usize;
    let mut before = ' ';
    while let Some(character) = characters.next() {
        if character != '\\' {
            depth = match character {
                '[' => depth + 1,
                ']' => depth.saturating_sub(1),
                _ => depth,
            };
            found.push(character);
            before = character;
            continue;
        }
        let Some(kind) = characters.next() else { break };
        let class = match kind {
            'w' => "[0-9A-Za-z_]",
            'W' => "[^0-9A-Za-z_]",
            'd' => "[0-9]",
            'D' => "[^0-9]",
            's' => r"[\t-\r\x20]",
            'S' => r"[^\t-\r\x20]",
            'b' if !characters.as_str().starts_with('{') => r"(?-u:\b)",
            _ => "",
        };
        if class.is_empty() {
            found.extend(['\\', kind]);
        } else {
            let is_at_end = characters.as_str().starts_with("-]");
            if depth > 0 && (before == '-' || (characters.as_str().starts_with('-') && !is_at_end)) {
                return written.to_owned();
            }
            found.push_str(class);
        }
        before = '\\';
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{How, Linear};

    fn found<'t>(written: &str, how: How, text: &'t str) -> Option<&'t str> {
        Linear::new(written).regex(how, text).unwrap().find(text).map(|found| found.as_str())
    }

    #[test]
    fn each_way_matches_as_it_is_called() {
        assert_eq!(found("a|ab", How::Match, "ab"), Some("a"));
        assert_eq!(found("a|ab", How::FullMatch, "ab"), Some("ab"));
        assert_eq!(found("a|ab", How::Match, "cab"), None);
        assert_eq!(found("a|ab", How::Search, "cab"), Some("a"));
    }

    #[test]
    fn the_end_of_python_and_comments_of_the_verbose_mode_are_understood() {
        assert_eq!(found(r"a\Z", How::Search, "ba"), Some("a"));
        assert_eq!(found("(?x) a # a letter", How::FullMatch, "a"), Some("a"));
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        assert!(Linear::new("a(").regex(How::Match, "").is_err());
        assert!(Linear::new("a)(b").regex(How::Search, "").is_err());
        assert!(Linear::new("(a{1000}){1000}").regex(How::Match, "").is_err());
    }

    #[test]
    fn a_text_of_ascii_is_matched_as_any_other() {
        let classes = [
            r"\w", r"\W", r"\d", r"\D", r"\s", r"\S", r"[\w.-]", r"[^\d\s]", r"\bo", r"\w\b", r"\\w",
            r"[+-\d]", r"[\w-z]", r"[\d-]", r"[-\d]", r"-\d",
        ];
        for written in classes {
            for text in (0u8..0x80).map(|byte| format!("{}o", byte as char)) {
                let of_unicode =
                    super::built(written, How::Search).map(|regex| regex.find(&text).map(|one| one.range()));
                let of_ascii = Linear::new(written)
                    .regex(How::Search, &text)
                    .map(|regex| regex.find(&text).map(|one| one.range()));
                assert_eq!(of_ascii, of_unicode, "{written} in {text:?}");
            }
        }
        assert_eq!(found(r"\w+", How::Search, "é1"), Some("é1"));
        assert_eq!(found(r"(?x) \s \d # a digit", How::Search, "a 1"), Some(" 1"));
    }
}
