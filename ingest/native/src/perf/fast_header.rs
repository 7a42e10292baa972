//! The head of a sample as perf prints nearly all of them, read in one pass from left to right.
//!
//! ```text
//! python 10657 [000] 19476.307957:     200040 cpu-clock:pppH:
//! java 14031/14056 [003]  1038.279013:   10101010 cycles:
//! ```
//! One word, ids, CPU, time, perhaps a period, an event, nothing behind it. `header` reads every other shape, and
//! would read these to the same effect.

use crate::perf::header::{Header, MAX_COMM, NONE};
use crate::profile::tokens;

/// So many digits are exact in 53 bits.
const MOST_DIGITS: usize = 15;

/// Read a head; `None` when it has any other shape.
#[must_use]
pub(crate) fn parse(line: &[u8]) -> Option<Header<'_>> {
    let first = *line.first()?;
    if first.is_ascii_digit() || matches!(first, b' ' | b'\t' | b'-' | b'#') {
        return None;
    }
    let comm = line.iter().take(MAX_COMM + 1).position(|&byte| tokens::is_blank(byte))?;
    let mut at = blanks(line, comm)?;
    let (mut tid, end) = id(line, at)?;
    let mut pid = NONE;
    at = end;
    if line.get(at) == Some(&b'/') {
        pid = tid;
        (tid, at) = id(line, at + 1)?;
    }
    at = blanks(line, at)?;
    if line.get(at) != Some(&b'[') {
        return None;
    }
    let (cpu, end) = id(line, at + 1)?;
    if line.get(end) != Some(&b']') {
        return None;
    }
    at = blanks(line, end + 1)?;
    let (time, end) = time(line, at)?;
    at = blanks(line, end)?;
    let (period, at) = match digits(line, at) {
        (_, 0) => (None, at),
        (number, count) if count <= MOST_DIGITS => (Some(number), blanks(line, at + count)?),
        _ => return None,
    };
    let event = tokens::trim_end(&line[at..]).strip_suffix(b":")?;
    let first = *event.first()?;
    let is_name = first.is_ascii_alphabetic() || first == b'_' || first == b'{';
    if !is_name || event.iter().any(|&byte| tokens::is_blank(byte)) || event.starts_with(b"PERF_RECORD_") {
        return None;
    }
    #[allow(clippy::cast_precision_loss)]
    let period = period.map(|number| number as f64);
    Some(Header { comm: &line[..comm], pid, tid, cpu, time: Some(time), period, event, frame: None })
}

/// A head with all that a stack counted under its thread and event needs.
#[derive(Debug, PartialEq)]
pub(crate) struct Regular<'a> {
    pub(crate) comm: &'a [u8],
    pub(crate) tid: i32,
    pub(crate) event: &'a [u8],
    pub(crate) period: Option<u64>,
    /// It names an event, behind which is nothing.
    pub(crate) is_whole: bool,
}

/// Read the head of a sample whose stack follows on lines of its own: what is behind the event does not matter.
///
/// Wider than `parse`: names of several words, no CPU, no event, arguments of tracepoints. `None` when it has any
/// other shape.
#[must_use]
pub(crate) fn regular(line: &[u8]) -> Option<Regular<'_>> {
    let mut comm = 0;
    let mut at = 0;
    loop {
        let first = *line.get(at)?;
        if first.is_ascii_digit() && comm > 0 {
            break;
        }
        if first.is_ascii_digit() || matches!(first, b' ' | b'\t' | b'-' | b'[' | b'#') {
            return None;
        }
        comm = at + line[at..].iter().take(MAX_COMM + 1).position(|&byte| tokens::is_blank(byte))?;
        if comm > MAX_COMM {
            return None;
        }
        at = blanks(line, comm)?;
    }
    let (mut tid, mut at) = id(line, at)?;
    if line.get(at) == Some(&b'/') {
        (tid, at) = id(line, at + 1)?;
    }
    at = blanks(line, at)?;
    if line.get(at) == Some(&b'[') {
        let (_, end) = id(line, at + 1)?;
        at = blanks(line, (line.get(end) == Some(&b']')).then_some(end + 1)?)?;
    }
    let (_, at) = time(line, at)?;
    let none = Regular { comm: &line[..comm], tid, event: &[], period: None, is_whole: false };
    let Some(mut named) = tokens::next(line, at) else { return Some(none) };
    if named.start == at || named.text.starts_with(b"PERF_RECORD_") {
        return None;
    }
    let (number, count) = digits(named.text, 0);
    let mut period = None;
    if count == named.text.len() {
        if count > MOST_DIGITS {
            return None;
        }
        period = Some(number);
        let Some(next) = tokens::next(line, named.end) else { return Some(none) };
        named = next;
    }
    let Some((event, first)) = named.text.strip_suffix(b":").and_then(|event| Some((event, *event.first()?)))
    else {
        return Some(none);
    };
    if !(first.is_ascii_alphabetic() || first == b'_' || first == b'{') {
        return Some(none);
    }
    if event.starts_with(b"PERF_RECORD_") {
        return None;
    }
    let is_whole = tokens::next(line, named.end).is_none();
    Some(Regular { event, period, is_whole, ..none })
}

/// Behind one blank or more.
fn blanks(line: &[u8], from: usize) -> Option<usize> {
    let count = line.get(from..)?.iter().take_while(|&&byte| byte == b' ').count();
    (count > 0).then_some(from + count)
}

/// The number that begins here, and of how many digits it is.
fn digits(line: &[u8], from: usize) -> (u64, usize) {
    let mut number = 0_u64;
    let mut count = 0;
    for &byte in &line[from..] {
        if !byte.is_ascii_digit() {
            break;
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
        count += 1;
    }
    (number, count)
}

/// A process, thread or CPU, and where it ends.
fn id(line: &[u8], from: usize) -> Option<(i32, usize)> {
    let (number, count) = digits(line, from);
    let is_short = (1..=9).contains(&count);
    is_short.then(|| i32::try_from(number).ok()).flatten().map(|number| (number, from + count))
}

/// `1038.279013:`, and where it ends.
#[allow(clippy::cast_precision_loss)]
fn time(line: &[u8], from: usize) -> Option<(f64, usize)> {
    let (whole, count) = digits(line, from);
    let point = from + count;
    if count == 0 || line.get(point) != Some(&b'.') {
        return None;
    }
    let (part, places) = digits(line, point + 1);
    let end = point + 1 + places;
    if places == 0 || count + places > MOST_DIGITS || line.get(end) != Some(&b':') {
        return None;
    }
    let power = 10_u64.pow(u32::try_from(places).ok()?);
    Some(((whole * power + part) as f64 / power as f64, end + 1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Regular, parse, regular};
    use crate::perf::header::{self, Head};

    #[test]
    fn what_it_reads_the_exact_parser_reads_the_same() {
        let heads = [
            "python 10657 [000] 19476.307957:     200040 cpu-clock:pppH: ",
            "java 14031/14056 [003]  1038.279013304:   10101010 cycles:",
            "kworker/u196:0- 12 [001] 1.5: cycles:",
            "[x] 12 [001] 1.5: 7 {a,b}:u:",
            "a 999999999 [001] 123456789.123456: 123456789012345 _x:",
        ];
        for line in heads {
            let exact = header::parse(line.as_bytes());
            assert_eq!(parse(line.as_bytes()).map(Head::Sample), exact, "{line}");
        }
    }

    #[test]
    fn every_other_shape_is_left_to_the_exact_parser() {
        let others = [
            "",
            "java",
            "V8 WorkerThread 25607 [000] 94564.109216: cycles:",
            "12 12 [001] 1.5: cycles:",
            "a 1000000000 [001] 1.5: cycles:",
            "a 1 [001] 1234567890.1234567: cycles:",
            "a 1 [001] 1.5: 1234567890123456 cycles:",
            "a 1 [001] 1.5: cycles: ffffffff81000000 f ([k])",
            "a 1 [001] 1.5: PERF_RECORD_LOST:",
            "a 1 [001] 1.5:",
            "a 1 1.5: cycles:",
            "a 1/x [001] 1.5: cycles:",
            "a 1 [x] 1.5: cycles:",
            "a 1 [1 1.5: cycles:",
            "a 1 [1] 1.: cycles:",
            "a 1 [1] 1.5 cycles:",
            "a 1 [1] 1.5: 5",
        ];
        for line in others {
            assert_eq!(parse(line.as_bytes()), None, "{line}");
        }
        assert_eq!(parse(format!("{} 1 [1] 1.5: cycles:", "a".repeat(65)).as_bytes()), None);
    }

    /// Thread, its id, event and period.
    type Parts = (Vec<u8>, i32, Vec<u8>, Option<f64>);

    /// The same out of the exact parser.
    fn exact(line: &str) -> Option<Parts> {
        match header::parse(line.as_bytes()) {
            Some(Head::Sample(head)) => {
                Some((head.comm.to_vec(), head.tid, head.event.to_vec(), head.period))
            }
            _ => None,
        }
    }

    #[allow(clippy::cast_precision_loss)]
    fn wide(head: &Regular<'_>) -> Parts {
        (head.comm.to_vec(), head.tid, head.event.to_vec(), head.period.map(|number| number as f64))
    }

    #[test]
    fn heads_of_several_words_and_without_cpu_are_regular() {
        for line in [
            "V8 WorkerThread 24636/25607 [000] 94564.109216: 7 cycles:",
            "C2 CompilerThre 12 1.5: cycles:u: ",
            "app 5 [001] 1.5: sched:sched_switch: prev_pid=3 ==> next_pid=4",
            "app 5 [001] 1.5: 200040 4cycles: ",
            "app 5 [001] 1.5:",
        ] {
            let found = regular(line.as_bytes());
            assert_eq!(found.as_ref().map(wide), exact(line), "{line}");
            assert!(found.is_some(), "{line}");
        }
    }

    fn word() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-z(:\\[\\]/-]{1,5}",
            "[0-9]{1,11}",
            "[0-9]{1,3}/[0-9]{1,3}",
            Just("[001]".to_owned()),
            Just("1.5:".to_owned()),
            Just("12.000001:".to_owned()),
            Just("cycles:".to_owned()),
            Just("4cycles:".to_owned()),
            Just("{a,b}:u:".to_owned()),
            Just("-1".to_owned()),
            Just("PERF_RECORD_LOST".to_owned()),
            Just("d.h2.".to_owned()),
            "[ -~]{0,6}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

        #[test]
        fn a_regular_head_is_what_the_exact_parser_reads(words in prop::collection::vec(word(), 1..9), blanks in " {1,2}") {
            let line = words.join(&blanks);
            if let Some(found) = regular(line.as_bytes()) {
                prop_assert_eq!(Some(wide(&found)), exact(&line));
                if found.is_whole {
                    let is_whole = matches!(header::parse(line.as_bytes()), Some(Head::Sample(head)) if head.frame.is_none());
                    prop_assert!(is_whole);
                }
            }
        }
    }
}
