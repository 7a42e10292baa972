//! Lines of a long text that are not of its format: where another output may begin.
//!
//! Blank lines belong to every format. The exact parsers count foreign lines by reason; this scan only says where they
//! are, so that a paste of several outputs is taken apart without a second look at the rest.

use memchr::memmem;

use crate::perf::{fast_header, frame, header};
use crate::profile::tokens;

/// Words of a folded stack of one frame: a comm may contain blanks.
const MOST_WORDS: usize = 4;

/// Foreign lines in a row, blank lines between them included.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    /// First byte of the first line.
    pub start: usize,
    /// Lines of the text above it.
    pub lines_above: usize,
    /// Lines that are not blank.
    pub count: usize,
    /// First byte behind the run.
    pub end: usize,
}

/// Whether a line of `perf script` output may read so.
#[must_use]
pub fn is_perf_script(line: &[u8]) -> bool {
    line.first() == Some(&b'#')
        || frame::split(line).is_some()
        || fast_header::regular(line).is_some()
        || header::parse(line).is_some()
}

/// Whether a line of folded stacks may read so.
#[must_use]
pub fn is_folded(line: &[u8]) -> bool {
    let text = tokens::trim(line);
    if text.starts_with(b"#") || memchr::memchr(b';', text).is_some() {
        return true;
    }
    let is_weighted =
        text.last().is_some_and(u8::is_ascii_digit) && !matches!(text.first(), Some(b'[' | b'<'));
    let words = || text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let count = words().take(MOST_WORDS + 1).count();
    let weight = words().next_back().unwrap_or(b"");
    is_weighted
        && (2..=MOST_WORDS).contains(&count)
        && weight.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.')
}

/// The runs of foreign lines in `text`, at most `most`.
///
/// A paragraph that begins with a line of the format and ends with an indented line is a sample with its stack: what is
/// between is not looked at.
pub fn runs(text: &[u8], belongs: impl Fn(&[u8]) -> bool, most: usize) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let mut open: Option<Run> = None;
    let paragraph_end = memmem::Finder::new(b"\n\n");
    let mut counted = (0, 0);
    let mut is_after_blank = true;
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = &rest[..length];
        let mut end = start + length;
        if line.is_empty() || tokens::trim(line).is_empty() {
            is_after_blank = true;
        } else if belongs(line) {
            found.extend(open.take());
            if found.len() >= most {
                return found;
            }
            if is_after_blank && let Some(behind) = paragraph_end.find(rest) {
                let last = memchr::memrchr(b'\n', &rest[..behind]).map_or(0, |at| at + 1);
                end = if tokens::is_blank(rest[last]) { start + behind } else { end };
            }
            is_after_blank = false;
        } else {
            let run = open.get_or_insert_with(|| {
                counted = (start, counted.1 + memchr::memchr_iter(b'\n', &text[counted.0..start]).count());
                Run { start, lines_above: counted.1, count: 0, end }
            });
            run.count += 1;
            run.end = (end + 1).min(text.len());
            is_after_blank = false;
        }
        start = end + 1;
    }
    found.extend(open);
    found
}

#[cfg(test)]
mod tests {
    use super::{is_folded, is_perf_script, runs};

    const HEAD: &str = "java 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:\n";
    const FRAME: &str = "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])\n";
    const LOG: &str = "[  900.000001] INFO: task df:77 blocked for more than 120 seconds.\n";

    fn counts(text: &str) -> Vec<(usize, usize)> {
        let found = runs(text.as_bytes(), is_perf_script, 9);
        found.into_iter().map(|run| (run.lines_above, run.count)).collect()
    }

    #[test]
    fn samples_records_and_comments_are_not_foreign() {
        assert_eq!(counts(&format!("# captured on: x\n#\n{HEAD}{FRAME}\n{HEAD}{FRAME}\n")), []);
    }

    #[test]
    fn a_log_behind_samples_is_one_run() {
        let text = format!("{HEAD}{FRAME}\n{LOG}{LOG}\n{LOG}");
        assert_eq!(counts(&text), [(3, 3)]);
        let run = &runs(text.as_bytes(), is_perf_script, 9)[0];
        assert_eq!(&text[run.start..run.end], format!("{LOG}{LOG}\n{LOG}"));
    }

    #[test]
    fn a_stack_line_ends_a_run_and_the_search_ends_after_so_many() {
        let text = format!("{HEAD}{LOG}{FRAME}").repeat(20);
        assert_eq!(counts(&text).len(), 9);
        assert_eq!(counts(&text)[1], (4, 1));
    }

    #[test]
    fn a_log_that_touches_a_stack_is_found() {
        assert_eq!(counts(&format!("{HEAD}{FRAME}{LOG}\n{HEAD}{FRAME}\n")), [(2, 1)]);
    }

    #[test]
    fn stacks_and_single_frames_with_weights_are_folded() {
        for line in ["java;main;read 42", "swapper 7", "V8 Worker Thread 12.5", "a;b;c;d", "# comment"] {
            assert!(is_folded(line.as_bytes()), "{line}");
        }
        for line in
            ["[  1.000000] usb 1-1: new device 7", "it got slow at 7 and we looked at 9", "MemTotal: kB"]
        {
            assert!(!is_folded(line.as_bytes()), "{line}");
        }
    }
}
