//! The fast way: a sample as perf prints most of them, read whole.
//!
//! ```text
//! python 10657 [000] 19476.307957:     200040 cpu-clock:pppH:
//!         ffffffff8158c370 next_uptodate_folio+0x50 ([kernel.kallsyms])     the leaf: its address varies
//!         ffffffff8158c7dd filemap_map_pages+0x1fd ([kernel.kallsyms])      the tail: the same bytes whenever
//!         ffffffff815e4e4c do_fault+0x2ec ([kernel.kallsyms])               it was called from the same place
//!
//! ```
//! A tail that was read before is found again by the digest of its bytes: that is one step for all its lines. What
//! is not regular in any way goes to the exact reader of lines in `perf_script`, which gives the same result.

use memchr::{memchr, memchr_iter, memmem};

use crate::perf::fast_header;
use crate::perf::frame::{self, Line};
use crate::perf::header::{self, Head, Header};
use crate::perf::state::{Last, State};
use crate::perf::tails::Tail;
use crate::profile::samples::Stated;
use crate::profile::tree::{FrameAt, Path};

/// A tail that is new is looked for again behind 1, 3, 7 and 15 of its lines.
const MOST_LOOKS: usize = 4;

/// Where the first sample of `text` ends with its blank line, when that is in the text: behind the last line.
#[must_use]
pub(crate) fn end(text: &[u8]) -> Option<usize> {
    memmem::find(text, b"\n\n").map(|at| at + 1)
}

/// Whether a line after a blank line begins a sample, whatever precedes it.
#[must_use]
pub(crate) fn is_head(line: &[u8]) -> bool {
    head_of(line).is_some() || matches!(header::parse(line), Some(Head::Record(..)) if is_plain(line))
}

/// Whether a line can be nothing but a head: no comment, and no stack line of another tool.
fn is_plain(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'#' | b'\t') => false,
        Some(b' ') => frame::split(line).is_none(),
        Some(_) => true,
    }
}

fn head_of(line: &[u8]) -> Option<Header<'_>> {
    fast_header::parse(line).or_else(|| match header::parse(line) {
        Some(Head::Sample(head)) if head.frame.is_none() && is_plain(line) => Some(head),
        _ => None,
    })
}

fn regular_line(line: &[u8]) -> Option<Line<'_>> {
    frame::split_regular(line).filter(|found| found.rest.ends_with(b")"))
}

impl State {
    /// Read a whole sample, every line with its end, `number` being the number of the first; return how many lines.
    ///
    /// `None` when anything about it is unusual: it is then to be read line by line, which does again, to the same
    /// effect, what was done.
    pub(crate) fn regular(&mut self, text: &[u8], number: u32) -> Option<u32> {
        let head_end = memchr(b'\n', text)?;
        let stack = &text[head_end + 1..];
        if stack.first() != Some(&b'\t') {
            return None;
        }
        let head = head_of(&text[..head_end])?;
        let leaf_end = memchr(b'\n', stack)?;
        let leaf = regular_line(&stack[..leaf_end])?;
        self.begins();
        let thread = self.threads.of_header(&head);
        let event = self.event(head.event);
        let leaf = self.frames.of_line(leaf.address, leaf.rest);
        let (node, depth) = self.node_above(event, leaf, &stack[leaf_end + 1..], number + 1)?;
        let stated = Stated { thread, cpu: head.cpu, time: head.time, weight: head.period, line: number };
        self.events[event].samples.push(stated, node, depth as usize);
        self.last = Last::Whole;
        self.line_count = number + depth + 1;
        Some(depth + 1)
    }

    /// The node of `leaf`, printed on line `number`, called from `tail`; and how deep it is.
    fn node_above(&mut self, event: usize, leaf: u32, tail: &[u8], number: u32) -> Option<(i32, u32)> {
        let digest = self.key.text(tail, event as u64);
        let mut cached = *self.tails.slot(digest);
        if cached.digest != digest {
            cached = self.learn(event, tail, number + 1)?;
            cached.digest = digest;
        }
        if cached.leaf != leaf {
            let frame_at = FrameAt { frame: leaf, digest: self.frames.digest(leaf), line: number };
            cached.node = self.events[event].tree.child(cached.above, frame_at).node;
            cached.leaf = leaf;
            *self.tails.slot(digest) = cached;
        }
        Some((cached.node, cached.frames + 1))
    }

    /// Read a tail whose first line is line `number`: line by line until the rest of it is cached.
    ///
    /// The rest is looked for behind one line, two more, four more and so on, and remembered where it was looked for.
    fn learn(&mut self, event: usize, tail: &[u8], number: u32) -> Option<Tail> {
        let mut start = 0;
        let mut line = number;
        let mut looked_for: [(u128, u32); MOST_LOOKS] = [(0, 0); MOST_LOOKS];
        let mut looks = 0;
        let mut above = Path::default();
        let mut frames = 0;
        self.stack.clear();
        for end in memchr_iter(b'\n', tail) {
            let Some(found) = regular_line(&tail[start..end]) else {
                self.stack.clear();
                return None;
            };
            let frame = self.frames.of_line(found.address, found.rest);
            self.stack.push(FrameAt { frame, digest: self.frames.digest(frame), line });
            start = end + 1;
            line += 1;
            if looks < MOST_LOOKS && line - number == (2 << looks) - 1 {
                let digest = self.key.text(&tail[start..], event as u64);
                let cached = *self.tails.slot(digest);
                if cached.digest == digest {
                    (above, frames) = (cached.above, cached.frames);
                    break;
                }
                looked_for[looks] = (digest, line - number);
                looks += 1;
            }
        }
        frames += line - number;
        let tree = &mut self.events[event].tree;
        let mut looked = looked_for[..looks].iter().rev().peekable();
        for (at, &frame_at) in self.stack.iter().enumerate().rev() {
            while let Some(&&(digest, place)) = looked.peek().filter(|look| look.1 as usize == at + 1) {
                *self.tails.slot(digest) =
                    Tail { digest, above, frames: frames - place, leaf: u32::MAX, node: 0 };
                looked.next();
            }
            above = tree.child(above, frame_at);
        }
        self.stack.clear();
        Some(Tail { digest: 0, above, frames, leaf: u32::MAX, node: 0 })
    }
}
