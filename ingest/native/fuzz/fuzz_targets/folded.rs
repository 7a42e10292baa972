//! Whatever the bytes: folded stacks are read, or refused for their lines, alike in one chunk and in many.

#![no_main]

use casebook_core::folded::reader::Folded;
use libfuzzer_sys::fuzz_target;

const MOST_LINE: usize = 2048;

/// What was read: total weight, samples, nodes, and what was skipped, as text; or the line that was refused.
fn read(text: &[u8], chunk: usize) -> Result<String, u32> {
    let entries = vec!["do_syscall_64".to_owned(), "entry_*".to_owned()];
    let mut parser = Folded::new(1, MOST_LINE, entries);
    for piece in text.chunks(chunk) {
        parser.feed(piece).map_err(|error| error.line)?;
    }
    let state = parser.finish().map_err(|error| error.line)?;
    let samples = &state.event.samples;
    assert_eq!(samples.nodes.len(), samples.weights.len());
    assert!(samples.weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0));
    let tree = &state.event.tree.nodes;
    Ok(format!(
        "{:?} {:?} {:?} {:?} {:?} {} {:?}",
        (&samples.nodes, &samples.weights, &samples.lines),
        (&tree.parents, &tree.frames),
        state.frames.entries,
        state.threads.entries,
        state.has_equal_neighbours,
        state.cut_line,
        state.skips.into_rows(),
    ))
}

fuzz_target!(|text: &[u8]| {
    assert_eq!(read(text, 7), read(text, text.len().max(1)));
});
