//! A frame on the head's own line: `event:  ffffffff9b201293 [unknown] ([unknown])`.
//!
//! Without a call chain perf prints one frame there, behind the sampled address, the data source text or a
//! branch's kind: the first address that a name follows. Of `A => B` the frame is A, where the branch was taken.

use crate::profile::tokens;

/// The frame's address and everything behind it.
#[derive(Debug, PartialEq, Clone, Copy)]
pub struct Inline<'a> {
    pub address: &'a [u8],
    pub rest: &'a [u8],
    /// The address comes first.
    pub is_first: bool,
}

/// perf pads addresses to this width.
const ADDRESS_WIDTH: usize = 16;

/// Find the frame in the text after the event. Arguments of tracepoints hold numbers of their own: there a
/// frame needs a long address and a module at the end of the line.
#[must_use]
pub fn find(tail: &[u8], is_tracepoint: bool) -> Option<Inline<'_>> {
    let tail = tokens::trim_end(before_arrow(tail));
    let mut at = 0;
    let mut is_first = true;
    while let Some(token) = tokens::next(tail, at) {
        let width = token.end - at.min(token.end);
        let is_plausible = if is_tracepoint {
            token.text.len() >= 8 && tail.ends_with(b")")
        } else {
            token.text.len() >= 5 || width >= ADDRESS_WIDTH
        };
        if is_plausible && tokens::is_address(token.text) && token.end < tail.len() {
            let next = tokens::next(tail, token.end)?;
            if is_name(next.text) {
                return Some(Inline { address: token.text, rest: &tail[next.start..], is_first });
            }
        }
        at = token.end;
        is_first = false;
    }
    None
}

/// A symbol, or a module in parentheses where symbols are not printed; not a number, not `|OP LOAD|`.
fn is_name(text: &[u8]) -> bool {
    text.first().is_some_and(|&first| first != b'|' && first != b'+' && first != b'=')
        && !tokens::is_address(text)
        && !text.iter().all(u8::is_ascii_punctuation)
}

fn before_arrow(tail: &[u8]) -> &[u8] {
    let arrow = tail.windows(4).position(|four| four == b" => ");
    arrow.map_or(tail, |arrow| &tail[..arrow])
}

#[cfg(test)]
mod tests {
    use super::find;

    fn found(tail: &str, is_tracepoint: bool) -> Option<String> {
        find(tail.as_bytes(), is_tracepoint).map(|frame| String::from_utf8_lossy(frame.rest).into_owned())
    }

    #[test]
    fn frames_are_found_and_arguments_are_not() {
        let branch = "   jcc             40ac3f itch::add+0xef (foo.so) =>     40ac20 itch::x+0xd0 (foo.so)";
        assert_eq!(found(branch, false).as_deref(), Some("itch::add+0xef (foo.so)"));
        let strt = "   tr strt                             0 [unknown] ([unknown]) =>     7f12ab dl (ld.so)";
        assert_eq!(found(strt, false).as_deref(), Some("[unknown] ([unknown])"));
        let period =
            "                                0     7fca99943ac7 dl_open_worker+0x37 (/usr/lib64/ld-2.28.so)";
        assert_eq!(found(period, false).as_deref(), Some("dl_open_worker+0x37 (/usr/lib64/ld-2.28.so)"));
        assert_eq!(
            found("  ffffffff8158e45a next_uptodate_folio", false).as_deref(),
            Some("next_uptodate_folio")
        );
        assert_eq!(found(" 8,0 WS 41873288 + 8 [dd]", true), None);
        assert_eq!(found(" NR 1 (3, 7ffd1234a, 1)", true), None);
        assert_eq!(found("", false), None);
    }
}
