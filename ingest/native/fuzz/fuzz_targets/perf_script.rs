//! Whatever the bytes: `perf script` text is read, or refused for its lines, alike in every way of reading it.

#![no_main]

use casebook_core::perf::parallel::Parallel;
use casebook_core::perf::test_dump::dump;
use libfuzzer_sys::fuzz_target;

/// Shorter than the longest input, so that long lines are met too.
const MOST_LINE: usize = 2048;

fn read(text: &[u8], threads: usize, part_bytes: usize, chunk: usize) -> Result<String, u32> {
    let mut parser = Parallel::new(1, MOST_LINE, threads).in_parts_of(part_bytes);
    for piece in text.chunks(chunk) {
        parser.feed(Box::new(piece.to_vec())).map_err(|error| error.line)?;
    }
    parser.finish().map(dump).map_err(|error| error.line)
}

fuzz_target!(|text: &[u8]| {
    // One byte at a time never shows a whole sample: only the exact way can read it.
    let exactly = read(text, 1, 1, 1);
    assert_eq!(read(text, 1, 1, text.len().max(1)), exactly);
    let part = 40 + text.len() / 5;
    assert_eq!(read(text, 2, part, 1 + part / 2), exactly);
});
