//! Tests: what is counted here is what the reader of samples and the writer of trees make of the same text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use crate::folded::names::Style;
use crate::foreign_lines::{is_perf_script, runs};
use crate::perf::perf_script::PerfScript;
use crate::script_fold::script::{Fed, Options, Script};

const MOST_LINE: usize = 4096;

fn counted(text: &[u8], threads: usize, read_bytes: usize, chunk: usize) -> Option<Script> {
    let fed = Fed::start(Options { threads, read_bytes, max_line_bytes: MOST_LINE }).unwrap();
    for piece in text.chunks(chunk) {
        if !fed.feed(Box::new(piece.to_vec())) {
            break;
        }
    }
    fed.finish().ok()
}

/// All events folded, line by line out of the samples.
fn folded_exactly(text: &[u8], by_period: bool, style: Style) -> Vec<(Vec<u8>, BTreeMap<String, f64>)> {
    let mut parser = PerfScript::new(1, MOST_LINE);
    // Byte by byte the fast path never sees a whole sample.
    for byte in text {
        parser.feed(std::slice::from_ref(byte)).unwrap();
    }
    let state = parser.finish().unwrap();
    let mut events = Vec::new();
    for event in state.events {
        let nodes = &event.tree.nodes;
        let mut lines = BTreeMap::new();
        for (at, &node) in event.samples.nodes.iter().enumerate() {
            if style == Style::Inferno && node < 0 {
                continue;
            }
            let mut names = Vec::new();
            let mut node = node;
            while let Ok(place) = usize::try_from(node) {
                let frame = &state.frames.entries[nodes.frames[place] as usize];
                names.push(style.function(&frame.name, &frame.module));
                node = nodes.parents[place];
            }
            names.retain(|name| !name.is_empty());
            let thread = &state.threads.entries[event.samples.threads[at] as usize];
            if style == Style::Inferno || !thread.comm.is_empty() {
                names.push(style.thread(&thread.comm));
            }
            names.reverse();
            let line = if names.is_empty() { "[no stack]".to_owned() } else { names.join(";") };
            let is_weighed = by_period && event.samples.has_weights;
            *lines.entry(line).or_default() += if is_weighed { event.samples.weights[at] } else { 1.0 };
        }
        events.push((event.name, lines));
    }
    events
}

fn assert_same(text: &[u8], threads: usize, read_bytes: usize, chunk: usize) -> bool {
    let plain = text.iter().filter(|&&byte| byte != b'\r').copied().collect::<Vec<u8>>();
    for (by_period, style) in [(false, Style::Plain), (true, Style::Plain), (true, Style::Inferno)] {
        let exact = folded_exactly(&plain, by_period, style);
        let Some(script) = counted(text, threads, read_bytes, chunk) else {
            return false;
        };
        let names: Vec<Vec<u8>> = exact.iter().map(|event| event.0.clone()).collect();
        assert_eq!(script.events(), names);
        for (name, lines) in exact {
            let script = counted(text, threads, read_bytes, chunk).unwrap();
            let mut written = Vec::new();
            script
                .write(&name, by_period, style, |piece| {
                    written.extend(piece);
                    true
                })
                .unwrap();
            let mut expected = String::new();
            for (line, weight) in &lines {
                writeln!(expected, "{line} {weight}").unwrap();
            }
            assert_eq!(String::from_utf8(written).unwrap(), expected, "{}", String::from_utf8_lossy(text));
        }
    }
    true
}

fn sample(at: usize) -> String {
    let odd = match at % 13 {
        5 => "x 1 [000] 1.5: PERF_RECORD_LOST lost 3\n\n",
        7 => "\n",
        _ => "",
    };
    let stack = if at % 11 == 4 {
        String::new()
    } else {
        format!(
            "\tffffffff81{at:06x} f{}+0x{at:x} ([kernel.kallsyms])\n\t            7f00 g{} (/bin/x)\n",
            at % 7,
            at % 3
        )
    };
    format!("{odd}comm-{} {} [00{}] {at}.5: {} e{}: \n{stack}\n", at % 5, at % 9, at % 4, at + 1, at % 2)
}

#[test]
fn nothing_depends_on_threads_and_pieces() {
    let mut text = String::from("# hostname : h\n");
    for at in 0..400 {
        text += &sample(at);
    }
    let cut = format!("{text}comm1 1 [000] 9.5: 1 e0: \n\tffffffff8158e45a cut_o");
    assert!(assert_same(cut.as_bytes(), 1, 1 << 20, 1 << 20));
    assert!(assert_same(cut.as_bytes(), 3, 20_000, 700));
    for (threads, read_bytes, chunk) in [(1, 1 << 20, 1 << 20), (2, 100, 50), (3, 333, 1000), (8, 5000, 64)] {
        assert!(assert_same(text.as_bytes(), threads, read_bytes, chunk), "{threads} {read_bytes} {chunk}");
    }
}

#[test]
fn line_ends_of_windows_are_line_ends() {
    let text = (0..100).map(sample).collect::<String>().replace('\n', "\r\n");
    for chunk in [1, 7, 64, 1 << 20] {
        assert!(assert_same(text.as_bytes(), 2, 100, chunk));
    }
}

#[test]
fn a_text_without_blank_lines_is_read_by_one_thread() {
    let text = "a 1 1.5: cycles: \n\tffffffff81000000 f ([k])\n".repeat(300);
    assert!(assert_same(text.as_bytes(), 3, 60, 40));
}

#[test]
fn what_may_be_more_than_a_script_is_refused() {
    let script: String = (0..50).map(sample).collect();
    for odd in [
        "[    1.0] usb 1-1: new device\n",
        "a\0b 1 [000] 1.5: e: \n\tf ([k])\n\n",
        "x\ry 1 [000] 1.5: e: \n\n",
    ] {
        let text = format!("{script}{odd}{script}");
        assert!(counted(text.as_bytes(), 2, 300, 100).is_none(), "{odd}");
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{1,6}",
        "[0-9a-f]{1,16}",
        "[ -~]{0,12}",
        Just("[kernel.kallsyms]".to_owned()),
        Just("f+0x10".to_owned()),
        Just("cycles:".to_owned()),
    ]
}

/// A line as perf prints it, nearly so, or anything at all.
fn line() -> impl Strategy<Value = String> {
    let number = 0_u32..20;
    prop_oneof![
        6 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("c{} {b} [00{}] 1.{a}: 7 e{}: ", a % 3, b % 4, a % 2)),
        2 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("V8 T{} {b} 1.{a}: {} e: ", a % 3, b + 1)),
        1 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("c d {a}/{b} [001] 1.{a}: {b}4 4e: ")),
        1 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("c {a}/{b} [001] 1.{a}: s:t: x={b} ffffffff81000000 f ([k])")),
        9 => (number.clone(), number.clone())
            .prop_map(|(a, b)| format!("\tffffffff8100{a:04x} f{}+0x{b:x} ([kernel.kallsyms])", a % 5)),
        9 => Just(String::new()),
        1 => (number.clone(), word()).prop_map(|(a, b)| format!("\t{a:16x} {b} (/lib/x)")),
        1 => prop::collection::vec(word(), 0..4).prop_map(|words| format!("\t{}", words.join(" "))),
        1 => (number.clone(), number).prop_map(|(a, b)| format!("  c d {a}/{b} 1.5: PERF_RECORD_LOST lost {b}")),
        1 => Just("# hostname : h".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_counted_is_what_the_samples_are(
        lines in prop::collection::vec(line(), 0..60),
        repeats in 1_usize..4,
        has_end in any::<bool>(),
        threads in 1_usize..4,
        read_bytes in 40_usize..400,
        chunk in 1_usize..200,
    ) {
        let mut text = (lines.join("\n") + "\n").repeat(repeats);
        if !has_end {
            text.truncate(text.len() - 1);
        }
        let is_counted = assert_same(text.as_bytes(), threads, read_bytes, chunk);
        let is_plain = runs(text.as_bytes(), is_perf_script, 1).is_empty();
        prop_assert!(is_plain || !is_counted || text.contains("\n\n"));
    }
}
