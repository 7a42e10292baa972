//! The first line of a sample: `comm pid/tid [cpu] time: period event:` and the rest of the line.
//!
//! ```text
//! arrow-read-23 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:
//! V8 WorkerThread 25607 4794564.109216: cycles:
//! java 19983 cycles:
//! 825432/825432 339457.445933440:       1 cycles:u:
//!     false 39654 19115.489713:          1 cycles:u:  ffffffff9b201293 [unknown] ([unknown])
//! app 22980 [001]  1499.669309: vmscan:mm_vmscan_memcg_reclaim_begin: order=0 gfp_flags=GFP_NOFS
//! ```
//! A lone number is what perf prints by default: the thread id. Source: tools/perf/builtin-script.c
//! (`perf_sample__fprintf_start`, `process_event`).

use crate::perf::inline::{self, Inline};
use crate::profile::tokens::{self, Token};

/// Not printed.
pub const NONE: i32 = -1;

/// A comm is at most 15 bytes; tools that print longer names stay within this.
pub(crate) const MAX_COMM: usize = 64;

/// Letters that may follow an event's colon: tools/perf/Documentation/perf-list.txt.
const MODIFIERS: &[u8] = b"ukhHGpPSDWeIbR";

/// One sample's head.
#[derive(Debug, PartialEq)]
pub struct Header<'a> {
    pub comm: &'a [u8],
    pub pid: i32,
    pub tid: i32,
    pub cpu: i32,
    pub time: Option<f64>,
    pub period: Option<f64>,
    pub event: &'a [u8],
    pub frame: Option<Inline<'a>>,
}

/// A parsed line that begins with a thread.
#[derive(Debug, PartialEq)]
pub enum Head<'a> {
    Sample(Header<'a>),
    /// `PERF_RECORD_*` and what follows its name.
    Record(&'a [u8], &'a [u8]),
}

/// Read a line as the head of a sample.
#[must_use]
pub fn parse(line: &[u8]) -> Option<Head<'_>> {
    let start = tokens::next(line, 0)?.start;
    let mut comm_end = start;
    let mut at = start;
    while let Some(token) = tokens::next(line, at) {
        let comm = &line[start..comm_end];
        if let Some((pid, tid)) = ids(token.text) {
            let thread = Thread { comm, pid, tid, is_sure: token.text.contains(&b'/') };
            if let Some(head) = after_ids(line, token.end, &thread) {
                return Some(head);
            }
        } else if !comm.is_empty() && (is_time(token.text) || cpu(token.text).is_some()) {
            let thread = Thread { comm, pid: NONE, tid: NONE, is_sure: false };
            if let Some(head) = after_ids(line, token.start, &thread) {
                return Some(head);
            }
        }
        if token.end - start > MAX_COMM {
            break;
        }
        comm_end = token.end;
        at = token.end;
    }
    bare_row(line, start)
}

/// `   arrow-read-23  ffffffff8158e45a next_uptodate_folio`: `-F comm,ip,sym` without a call chain. perf pads
/// the address to 16 columns behind two blanks, which distinguishes it from any other text.
fn bare_row(line: &[u8], start: usize) -> Option<Head<'_>> {
    let mut comm_end = tokens::next(line, start)?.end;
    while let Some(token) = tokens::next(line, comm_end) {
        let is_column = token.end - comm_end == 18 && tokens::is_address(token.text);
        if comm_end - start > 16 || !is_column {
            comm_end = token.end;
            continue;
        }
        let frame = inline::find(&line[comm_end..], false)?;
        let thread = Thread { comm: &line[start..comm_end], pid: NONE, tid: NONE, is_sure: false };
        return Some(thread.sample(NONE, None, None, &[], Some(frame)));
    }
    None
}

struct Thread<'a> {
    comm: &'a [u8],
    pid: i32,
    tid: i32,
    is_sure: bool,
}

impl<'a> Thread<'a> {
    fn sample(
        &self,
        cpu: i32,
        time: Option<f64>,
        period: Option<f64>,
        event: &'a [u8],
        frame: Option<Inline<'a>>,
    ) -> Head<'a> {
        let Self { comm, pid, tid, .. } = *self;
        Head::Sample(Header { comm, pid, tid, cpu, time, period, event, frame })
    }
}

/// `14031/14056`, `14056` or `-1`.
fn ids(text: &[u8]) -> Option<(i32, i32)> {
    if let Some(slash) = text.iter().position(|&byte| byte == b'/') {
        return Some((id(&text[..slash])?, id(&text[slash + 1..])?));
    }
    Some((NONE, id(text)?))
}

fn id(text: &[u8]) -> Option<i32> {
    let first = *text.first()?;
    (first.is_ascii_digit() || text == b"-1").then(|| tokens::integer(text)).flatten()
}

/// `[003]`.
fn cpu(text: &[u8]) -> Option<i32> {
    let inner = text.strip_prefix(b"[")?.strip_suffix(b"]")?;
    tokens::is_decimal(inner).then(|| tokens::integer(inner)).flatten()
}

/// `1038.279013:`.
fn is_time(text: &[u8]) -> bool {
    let Some(inner) = text.strip_suffix(b":") else {
        return false;
    };
    let Some(dot) = inner.iter().position(|&byte| byte == b'.') else {
        return false;
    };
    tokens::is_decimal(&inner[..dot]) && tokens::is_decimal(&inner[dot + 1..])
}

/// Flags of `-F +misc` and of tracepoints: `K`, `d.h2.`.
fn is_flags(text: &[u8]) -> bool {
    text.len() <= 6 && text.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'.')
}

fn after_ids<'a>(line: &'a [u8], from: usize, thread: &Thread<'a>) -> Option<Head<'a>> {
    let mut at = from;
    let mut on_cpu = NONE;
    let mut token = tokens::next(line, at);
    if let Some((number, found)) = token.and_then(|token| Some((cpu(token.text)?, token))) {
        on_cpu = number;
        at = found.end;
        token = tokens::next(line, at);
    }
    let mut time = token.filter(|token| is_time(token.text));
    if let Some(flags) = token.filter(|token| time.is_none() && is_flags(token.text)) {
        time = tokens::next(line, flags.end).filter(|token| is_time(token.text));
    }
    if let Some(found) = time {
        at = found.end;
    }
    if thread.comm.is_empty() && time.is_none() && !(thread.is_sure && on_cpu != NONE) {
        return None;
    }
    let rest = event_of(line, at);
    if let Rest::Record(name, words) = rest {
        return Some(Head::Record(name, words));
    }
    let Rest::Event { period, event, tail } = rest else {
        return None;
    };
    let frame = inline::find(tail, is_tracepoint(event));
    let has_clean_end = frame.is_some() || tokens::trim(tail).is_empty();
    let is_sample = match (time, event.is_empty()) {
        (Some(_), _) => true,
        (None, false) => has_clean_end || on_cpu != NONE,
        (None, true) => has_clean_end && (on_cpu != NONE || frame.is_some_and(|frame| frame.is_first)),
    };
    let at = time.and_then(|token| tokens::decimal(&token.text[..token.text.len() - 1]));
    is_sample.then(|| thread.sample(on_cpu, at, period, event, frame))
}

enum Rest<'a> {
    Event { period: Option<f64>, event: &'a [u8], tail: &'a [u8] },
    Record(&'a [u8], &'a [u8]),
}

/// `10101010 cpu-clock:ppp: tail`; without an event everything is tail.
fn event_of(line: &[u8], from: usize) -> Rest<'_> {
    let none = Rest::Event { period: None, event: &[], tail: &line[from..] };
    let Some(first) = tokens::next(line, from) else {
        return none;
    };
    if first.text.starts_with(b"PERF_RECORD_") {
        let end = first.text.iter().position(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        let end = first.start + end.unwrap_or(first.text.len());
        return Rest::Record(&line[first.start..end], &line[end..]);
    }
    let (period, named) = if tokens::is_decimal(first.text) {
        (tokens::decimal(first.text), tokens::next(line, first.end))
    } else {
        (None, Some(first))
    };
    match named.and_then(|token| Some((event_name(token)?, token.end))) {
        Some((event, end)) => Rest::Event { period, event, tail: &line[end..] },
        None => none,
    }
}

fn event_name(token: Token<'_>) -> Option<&[u8]> {
    let name = token.text.strip_suffix(b":")?;
    let first = *name.first()?;
    (first.is_ascii_alphabetic() || first == b'_' || first == b'{').then_some(name)
}

/// Whether an event is `system:name`: its suffix is more than modifiers (`cycles:uppp`).
#[must_use]
pub fn is_tracepoint(event: &[u8]) -> bool {
    let Some(colon) = event.iter().position(|&byte| byte == b':') else {
        return false;
    };
    let (system, behind) = (&event[..colon], &event[colon + 1..]);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    system.iter().all(is_word)
        && behind.iter().all(is_word)
        && behind.iter().any(|byte| !MODIFIERS.contains(byte))
}

#[cfg(test)]
mod tests {
    use super::{Head, Header, NONE, is_tracepoint, parse};

    fn sample(line: &str) -> Header<'_> {
        match parse(line.as_bytes()) {
            Some(Head::Sample(header)) => header,
            other => panic!("{line:?} is {other:?}"),
        }
    }

    fn parts_of(line: &str) -> (String, i32, i32, i32, Option<f64>, Option<f64>, String) {
        let h = sample(line);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(h.comm), h.pid, h.tid, h.cpu, h.time, h.period, text(h.event))
    }

    #[test]
    fn every_observed_form_is_read() {
        let cases = [
            (
                "perf 47118 [011] 51499.088689:          1 page-faults: ",
                ("perf", NONE, 47118, 11, Some(51_499.088_689), Some(1.0), "page-faults"),
            ),
            ("java 19983 cycles:", ("java", NONE, 19983, NONE, None, None, "cycles")),
            ("java  7 10101010 cpu-clock: ", ("java", NONE, 7, NONE, None, Some(10_101_010.0), "cpu-clock")),
            ("perf 10447 346832.330193:", ("perf", NONE, 10447, NONE, Some(346_832.330_193), None, "")),
            (
                "825432/825432 339457.445933440:       1 cycles:u: ",
                ("", 825_432, 825_432, NONE, Some(339_457.445_933_44), Some(1.0), "cycles:u"),
            ),
            (
                "swapper     0/0     [003]  1.5:     cpu-clock: ",
                ("swapper", 0, 0, 3, Some(1.5), None, "cpu-clock"),
            ),
            (
                "V8 WorkerThread 24636/25607 [000] 94564.109216: cycles:",
                ("V8 WorkerThread", 24636, 25607, 0, Some(94_564.109_216), None, "cycles"),
            ),
            (
                "IO Task Pool (3 12 [001] 1.5: cycles:",
                ("IO Task Pool (3", NONE, 12, 1, Some(1.5), None, "cycles"),
            ),
            (
                "kworker/u196:0- 12 [001] 1.5: cycles:",
                ("kworker/u196:0-", NONE, 12, 1, Some(1.5), None, "cycles"),
            ),
            ("a [b]: 3 12 [001] 1.5: cycles:", ("a [b]: 3", NONE, 12, 1, Some(1.5), None, "cycles")),
            (
                ":12 12 [001] 1.5: cpu_core/cycles:ppp/: ",
                (":12", NONE, 12, 1, Some(1.5), None, "cpu_core/cycles:ppp/"),
            ),
            (
                "app\t123 [001] 1.5: 99 cpu-clock:u:",
                ("app", NONE, 123, 1, Some(1.5), Some(99.0), "cpu-clock:u"),
            ),
            (
                "app 5 [001] d.h2. 1.5: sched:sched_switch: prev_pid=3 ==> next_pid=4",
                ("app", NONE, 5, 1, Some(1.5), None, "sched:sched_switch"),
            ),
            (
                "1/1 1.5:  50   branch-misses/period=50/u: ",
                ("", 1, 1, NONE, Some(1.5), Some(50.0), "branch-misses/period=50/u"),
            ),
        ];
        for (line, (comm, pid, tid, cpu, time, period, event)) in cases {
            let expected = (comm.to_owned(), pid, tid, cpu, time, period, event.to_owned());
            assert_eq!(parts_of(line), expected, "{line:?}");
        }
    }

    #[test]
    fn an_inline_frame_is_found_behind_address_and_data_source() {
        let line = " app 20144 [028] 13166.1: 10009 MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64:mg:pinned:     55ffba5cda08     11868100242 |OP LOAD|LVL L1 hit|LCK No 45  ffffffffa4470d46 [unknown] ([kernel.kallsyms])";
        let frame = sample(line).frame.unwrap();
        assert_eq!(
            (frame.address, frame.rest),
            (b"ffffffffa4470d46".as_slice(), b"[unknown] ([kernel.kallsyms])".as_slice())
        );
    }

    #[test]
    fn a_row_of_comm_address_and_symbol_is_a_sample() {
        let header = sample("          python      7f572ad0bb84 unicodekeys_lookup_unicode");
        assert_eq!((header.comm, header.tid), (b"python".as_slice(), NONE));
        assert_eq!(header.frame.unwrap().rest, b"unicodekeys_lookup_unicode");
    }

    #[test]
    fn records_are_no_samples() {
        let line = "taskd   12 [003]  5.5: PERF_RECORD_MMAP2 1/1: [0x0(0x1) @ 0]: x //anon";
        assert!(matches!(parse(line.as_bytes()), Some(Head::Record(b"PERF_RECORD_MMAP2", _))));
    }

    #[test]
    fn other_lines_are_not_heads() {
        for line in [
            "\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])",
            "",
            "error 12 at: line 3",
            "# ========",
            "  400824 main (/srv/app)",
            " instruction trace error type 1 time 47170.1 cpu -1 pid 293415 tid 293415 ip 0x7f code 7: x",
        ] {
            assert_eq!(parse(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn modifiers_are_not_tracepoints() {
        for event in
            ["cycles:uppp", "cpu-clock", "MEM:ldlat=64:precise=2:mh:mg:pinned", "cpu_core/cycles:ppp/"]
        {
            assert!(!is_tracepoint(event.as_bytes()), "{event}");
        }
        for event in ["vmscan:mm_vmscan_memcg_reclaim_begin", "block:bio", "probe_libc:malloc"] {
            assert!(is_tracepoint(event.as_bytes()), "{event}");
        }
    }
}
