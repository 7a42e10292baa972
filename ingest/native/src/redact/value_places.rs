//! How a token stands in its line: among words, behind a mark, as a whole value, or in a cell of a table.
//!
//! Programs print names as values: `name: x`, `name=x`, `'x'`, `[x]`, or in a column of their own. What stands between
//! words of a sentence is rarely one; parts of a path are mostly those of a system.

/// Blanks between columns.
const GAP: &[u8] = b"  ";
/// Lines between columns.
const BARS: [&str; 6] = ["|", "│", "┃", "║", "┊", "¦"];
/// What begins an item of a list or a tree.
const ITEMS: [&str; 10] = ["*", "-", "+", "•", "->", "<-", "|-", "\\_", "├─", "└─"];

/// How a token stands, in ascending order of evidence that it is a value.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Standing {
    /// Between words.
    Word = 0,
    /// Behind a mark of a value; words follow.
    Begin = 1,
    /// Alone in its column.
    Cell = 2,
    /// Alone behind a mark of a value.
    Value = 3,
}

/// How the token at `start..end` of `line` stands.
#[must_use]
pub fn standing(line: &[u8], start: usize, end: usize) -> Standing {
    let (before, behind) = (&line[..start], &line[end..]);
    let is_ended = is_ended(behind);
    if opens(before) && !goes_on(behind) {
        return if is_ended || closes(behind) { Standing::Value } else { Standing::Begin };
    }
    let is_alone = before.iter().chain(behind).all(u8::is_ascii_whitespace);
    let begins = before.iter().all(u8::is_ascii_whitespace) || is_gap_at_end(before) || is_item(before);
    if is_ended && !is_alone && begins {
        return Standing::Cell;
    }
    Standing::Word
}

/// Whether a mark of a value ends `before`, with blanks behind it.
fn opens(before: &[u8]) -> bool {
    let bare = before.trim_ascii_end();
    let is_near = before.len() - bare.len() <= 1;
    match bare.last() {
        Some(b'=' | b':') => bare.len() > 1,
        Some(b'"' | b'\'' | b'`' | b'(' | b'<' | b'[' | b'{' | b'@' | b'#' | b',') => is_near,
        _ => false,
    }
}

/// Whether a value goes on behind the token: it is a key, a call, or the begin of a path.
fn goes_on(behind: &[u8]) -> bool {
    let quoted = behind.strip_prefix(b"\"").or_else(|| behind.strip_prefix(b"'"));
    let bare = quoted.unwrap_or(behind);
    let next = bare.strip_prefix(b" ").unwrap_or(bare);
    let is_key = next.strip_prefix(b":").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_digit));
    is_key || next.starts_with(b"=") || (quoted.is_none() && matches!(next.first(), Some(b'(' | b'[' | b'/')))
}

/// Whether a mark that ends a value begins `behind`.
fn closes(behind: &[u8]) -> bool {
    matches!(
        behind.first(),
        Some(b'"' | b'\'' | b'`' | b')' | b'>' | b']' | b'}' | b',' | b';' | b'@' | b':')
    )
}

/// Whether the line ends behind the token and its port, or another column follows.
fn is_ended(behind: &[u8]) -> bool {
    let rest = without_port(behind);
    let bare = rest.trim_ascii_start();
    bare.is_empty()
        || rest.starts_with(GAP)
        || rest[0] == b'\t'
        || BARS.iter().any(|bar| bare.starts_with(bar.as_bytes()))
}

/// What follows a port behind a host, such as `:3306`.
fn without_port(behind: &[u8]) -> &[u8] {
    let Some(rest) = behind.strip_prefix(b":") else { return behind };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 { &rest[digits..] } else { behind }
}

/// Whether another column ends `before`.
fn is_gap_at_end(before: &[u8]) -> bool {
    let bare = before.trim_ascii_end();
    before.ends_with(GAP) || before.ends_with(b"\t") || BARS.iter().any(|bar| bare.ends_with(bar.as_bytes()))
}

/// Whether `before` is what begins an item of a list or a tree.
fn is_item(before: &[u8]) -> bool {
    let bare = before.trim_ascii();
    before.ends_with(b" ") && ITEMS.iter().any(|item| bare == item.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::{Standing, standing};

    fn of(marked: &str) -> Standing {
        let (before, rest) = marked.split_once('⟦').unwrap();
        let (token, behind) = rest.split_once('⟧').unwrap();
        standing(format!("{before}{token}{behind}").as_bytes(), before.len(), before.len() + token.len())
    }

    #[test]
    fn a_value_stands_alone_behind_a_mark() {
        for line in [
            "pool: ⟦atlas⟧",
            "pool=⟦atlas⟧, x",
            "Pool   :   ⟦atlas⟧",
            "on '⟦atlas⟧' now",
            "at=⟦atlas⟧:80",
            "<x v=\"⟦atlas⟧\"/>",
            "[⟦atlas⟧]",
        ] {
            assert_eq!(of(line), Standing::Value, "{line}");
        }
    }

    #[test]
    fn a_cell_stands_alone_between_columns() {
        for line in [
            "⟦atlas⟧   online  2",
            "2  ⟦atlas⟧",
            "| ⟦atlas⟧ | 2 |",
            "│ ⟦atlas⟧ │",
            "┊ ⟦atlas⟧ ┊ 2 ┊",
            "2\t⟦atlas⟧\t3",
            "2  ⟦atlas⟧:3306   ok",
            " - ⟦atlas⟧",
            "  └─ ⟦atlas⟧:80",
        ] {
            assert_eq!(of(line), Standing::Cell, "{line}");
        }
    }

    #[test]
    fn words_keys_and_calls_are_no_values() {
        assert_eq!(of("error: ⟦atlas⟧ has failed"), Standing::Begin);
        for line in [
            "the ⟦atlas⟧ has failed",
            "⟦atlas⟧",
            "x, ⟦atlas⟧=2",
            "a=⟦atlas⟧(2)",
            "{\"⟦atlas⟧\": 2",
            "/⟦atlas⟧/x",
            "a - ⟦atlas⟧",
            "- ⟦atlas⟧ has failed",
        ] {
            assert_eq!(of(line), Standing::Word, "{line}");
        }
    }
}
