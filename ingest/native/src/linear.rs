//! One regular expression, applied the ways Python's `re` applies one, in time linear in the text.
//!
//! The syntax is that of the `regex` crate: no look-around and no back-references. `\Z` is read as `\z`.

use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};

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
}

impl Linear {
    /// Keep `written`; nothing is compiled yet.
    #[must_use]
    pub fn new(written: &str) -> Self {
        Self { written: written.replace("\\Z", "\\z"), compiled: Default::default() }
    }

    /// The expression, compiled for one way of matching.
    ///
    /// # Errors
    /// When it is no regular expression, or one that would take too much memory.
    pub fn regex(&self, how: How) -> Result<&Regex, String> {
        let cell = &self.compiled[how as usize];
        if let Some(regex) = cell.get() {
            return Ok(regex);
        }
        // In verbose mode the last line may be a comment, which only a line end closes.
        let end = if self.written.starts_with("(?x") { "\n" } else { "" };
        let anchored = match how {
            How::Match => format!("\\A(?:{}{end})", self.written),
            How::FullMatch => format!("\\A(?:{}{end})\\z", self.written),
            How::Search => self.written.clone(),
        };
        let regex =
            RegexBuilder::new(&anchored).size_limit(SIZE_LIMIT).build().map_err(|error| error.to_string())?;
        Ok(cell.get_or_init(|| regex))
    }
}

#[cfg(test)]
mod tests {
    use super::{How, Linear};

    fn found<'t>(written: &str, how: How, text: &'t str) -> Option<&'t str> {
        Linear::new(written).regex(how).unwrap().find(text).map(|found| found.as_str())
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
        assert!(Linear::new("a(").regex(How::Match).is_err());
        assert!(Linear::new("a)(b").regex(How::Search).is_err());
        assert!(Linear::new("(a{1000}){1000}").regex(How::Match).is_err());
    }
}
