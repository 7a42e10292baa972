//! Tests: threads, chunk sizes and the fast path give the same result.

use proptest::prelude::*;

use crate::perf::parallel::{Parallel, last_cut};
use crate::perf::state::State;
use crate::perf::test_dump::dump;

/// Longer lines are rejected; generated lines are shorter.
const MOST_LINE: usize = 4096;

fn read(text: &[u8], threads: usize, part_bytes: usize, chunk: usize) -> State {
    let mut parser = Parallel::new(1, MOST_LINE, threads).in_parts_of(part_bytes);
    for piece in text.chunks(chunk) {
        parser.feed(Box::new(piece.to_vec())).unwrap();
    }
    parser.finish().unwrap()
}

/// Read with one thread, one byte at a time: the fast path never sees a whole sample.
fn read_exactly(text: &[u8]) -> String {
    dump(read(text, 1, 1, 1))
}

fn sample(at: usize) -> String {
    let odd = match at % 13 {
        3 => "Warning: something else\n\n",
        5 => "x 1 [000] 1.5: PERF_RECORD_LOST lost 3\n\n",
        7 => "\n",
        _ => "",
    };
    let stack = if at % 11 == 4 {
        String::new()
    } else {
        format!("\tffffffff81{at:06x} f{} ([kernel.kallsyms])\n\t7f00 g{} (/bin/x)\n", at % 7, at % 3)
    };
    format!("{odd}comm{} {} [00{}] {at}.5: {} cycles: \n{stack}\n", at % 5, at % 9, at % 4, at + 1)
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut text = String::from("# hostname : h\n");
    for at in 0..400 {
        text += &sample(at);
    }
    text += "comm1 1 [000] 9.5: 1 cycles: \n\tffffffff8158e45a cut_o";
    let one = dump(read(text.as_bytes(), 1, 1 << 20, 1 << 20));
    for threads in [2, 3, 8] {
        for part_bytes in [100, 333, 5000] {
            for chunk in [50, 1000] {
                assert_eq!(
                    dump(read(text.as_bytes(), threads, part_bytes, chunk)),
                    one,
                    "{threads} {part_bytes} {chunk}"
                );
            }
        }
    }
}

#[test]
fn a_part_that_begins_with_a_stack_is_read_behind_its_head() {
    let text = "a 1 1.5: cycles: \n\nffffffff81000000 f ([k])\nffffffff81000001 g ([k])\n\n".repeat(40);
    assert_eq!(dump(read(text.as_bytes(), 2, 60, 40)), dump(read(text.as_bytes(), 1, 1, 1 << 20)));
}

#[test]
fn a_name_that_is_no_text_is_one_thread_in_every_part() {
    let text = b"read\xa407 14040 1.5: cycles: \n\n".repeat(40);
    let one = read(&text, 1, 1, 1 << 20);
    assert_eq!(one.threads.entries.len(), 1);
    assert_eq!(dump(read(&text, 2, 60, 40)), dump(one));
}

#[test]
fn a_text_without_blank_lines_is_read_by_one_thread() {
    let text = "a 1 1.5: cycles: \n\tffffffff81000000 f ([k])\n".repeat(100);
    assert_eq!(dump(read(text.as_bytes(), 2, 60, 40)), dump(read(text.as_bytes(), 1, 1, 1 << 20)));
}

#[test]
fn a_line_that_is_too_long_is_reported_by_its_number_in_the_whole_text() {
    let mut parser = Parallel::new(1, 64, 2).in_parts_of(100);
    let text = sample(1).repeat(4) + &"x".repeat(100) + "\n\n" + &sample(2).repeat(9);
    let failed = text.as_bytes().chunks(30).find_map(|piece| parser.feed(Box::new(piece.to_vec())).err());
    assert_eq!(failed.map(|error| error.line), Some(17));
}

#[test]
fn a_cut_is_before_the_head_of_a_sample() {
    assert_eq!(last_cut(b"a\n\nb 1 1.5: cycles: \n\n\tc\n"), Some(3));
    assert_eq!(last_cut(b"a\n\n\tb\n\nc 1 1.5: cyc"), None);
    assert_eq!(last_cut(b"a\n\nWarning: x\n\n81000000 f ([k])\n"), None);
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
        4 => (number.clone(), number.clone()).prop_map(|(a, b)| format!("c{} {b} [00{}] 1.{a}: 7 e{}: ", a % 3, b % 4, a % 2)),
        6 => (number.clone(), number.clone())
            .prop_map(|(a, b)| format!("\tffffffff8100{a:04x} f{}+0x{b:x} ([kernel.kallsyms])", a % 5)),
        6 => Just(String::new()),
        1 => (number.clone(), word()).prop_map(|(a, b)| format!("\t{a:16x} {b} (/lib/x)")),
        1 => prop::collection::vec(word(), 0..6).prop_map(|words| words.join(" ")),
        1 => prop::collection::vec(word(), 0..4).prop_map(|words| format!("\t{}", words.join(" "))),
        1 => (number.clone(), number).prop_map(|(a, b)| format!("  c d {a}/{b} 1.5: PERF_RECORD_LOST lost {b}")),
        1 => Just("# hostname : h\r".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_written_is_read_the_same_in_every_way(
        lines in prop::collection::vec(line(), 0..60),
        repeats in 1_usize..4,
        has_end in any::<bool>(),
        threads in 1_usize..4,
        part_bytes in 40_usize..400,
        chunk in 1_usize..200,
    ) {
        let mut text = (lines.join("\n") + "\n").repeat(repeats);
        if !has_end {
            text.truncate(text.len() - 1);
        }
        let exactly = read_exactly(text.as_bytes());
        prop_assert_eq!(dump(read(text.as_bytes(), 1, 1, 1 << 20)), exactly.clone());
        prop_assert_eq!(dump(read(text.as_bytes(), threads, part_bytes, chunk)), exactly);
    }
}
