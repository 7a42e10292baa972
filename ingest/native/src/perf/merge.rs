//! Parts of one text, read apart by several readers, put together as if read in one go.
//!
//! A reader of parts keeps what it learnt and hands over what is new after every part. Frames, threads and nodes
//! are numbered anew in the order in which they first came, so the result is the same, number for number, as
//! that of one reader: what is new to the whole is new to the reader as well, and in the same order.

use crate::perf::perf_script::MAX_COMMENTS;
use crate::perf::state::{Comment, Last, Open, State};
use crate::profile::columns::index;
use crate::profile::interner::{KnownFrame, Thread};
use crate::profile::samples::{Columns, Event};
use crate::profile::skips::Skips;
use crate::profile::tree::{FrameAt, NONE, Nodes};

/// What one reader found in one part; lines are counted from 1, numbers are the reader's own.
pub(crate) struct Found {
    frames: Vec<(KnownFrame, u128)>,
    threads: Vec<Thread>,
    events: Vec<FoundEvent>,
    comments: Vec<Comment>,
    skips: Skips,
    lost: f64,
    lost_line: u32,
    open: Option<Open>,
    stack: Vec<FrameAt>,
    last: Last,
    last_rest: Vec<u8>,
    lines: u32,
}

/// New nodes with the digests of their paths, and samples, of one event.
struct FoundEvent {
    name: Vec<u8>,
    nodes: Nodes,
    digests: Vec<u128>,
    samples: Columns,
}

/// What the numbers of one reader are in the whole.
#[derive(Default)]
pub(crate) struct Numbers {
    frames: Vec<u32>,
    threads: Vec<u32>,
    events: Vec<usize>,
    nodes: Vec<Vec<i32>>,
}

impl State {
    /// Give away what is new since the last time, and be ready for another part.
    pub(crate) fn hand_over(&mut self) -> Found {
        let events = self.events.iter_mut().map(|event| {
            let (nodes, digests) = event.tree.hand_over();
            FoundEvent {
                name: event.name.clone(),
                nodes,
                digests,
                samples: std::mem::take(&mut event.samples),
            }
        });
        Found {
            events: events.collect(),
            frames: self.frames.hand_over(),
            threads: self.threads.hand_over(),
            comments: std::mem::take(&mut self.comments),
            skips: std::mem::take(&mut self.skips),
            lost: std::mem::take(&mut self.lost),
            lost_line: self.lost_line,
            open: self.open.take(),
            stack: std::mem::take(&mut self.stack),
            last: std::mem::replace(&mut self.last, Last::Nothing),
            last_rest: std::mem::take(&mut self.last_rest),
            lines: std::mem::take(&mut self.line_count),
        }
    }

    /// Take over what a reader found in the part behind ours, `numbers` being what its numbers are here.
    ///
    /// To be called for the parts in their order, and only when each begins with a sample.
    pub(crate) fn absorb(&mut self, part: Found, numbers: &mut Numbers) {
        self.close();
        let lines = self.line_count;
        let frames = part.frames.into_iter().map(|(frame, digest)| self.frames.of_digest(digest, || frame));
        numbers.frames.extend(frames);
        let threads = part.threads.iter();
        let threads = threads.map(|thread| self.threads.of(thread.comm.as_bytes(), thread.pid, thread.tid));
        numbers.threads.extend(threads);
        for (at, event) in part.events.into_iter().enumerate() {
            if at == numbers.events.len() {
                numbers.events.push(self.event(&event.name));
                numbers.nodes.push(Vec::new());
            }
            let nodes = &mut numbers.nodes[at];
            let whole = &mut self.events[numbers.events[at]];
            whole.absorb_nodes(&event, nodes, &numbers.frames, lines);
            whole.absorb_samples(&event.samples, nodes, &numbers.threads, lines);
        }
        self.open = part.open.map(|mut open| {
            open.event = numbers.events[open.event];
            open.stated.thread = numbers.threads[open.stated.thread as usize];
            open.stated.line += lines;
            open
        });
        let frame_at = part.stack.into_iter();
        self.stack.extend(frame_at.map(|frame_at| FrameAt {
            frame: numbers.frames[frame_at.frame as usize],
            line: frame_at.line + lines,
            ..frame_at
        }));
        for (reason, count, line) in part.skips.into_rows() {
            self.skips.add_many(&reason, count, line + lines);
        }
        for (key, value, line) in part.comments {
            if self.comments.len() < MAX_COMMENTS {
                self.comments.push((key, value, line + lines));
            }
        }
        if part.lost > 0.0 {
            self.add_lost(part.lost, part.lost_line + lines);
        }
        if part.last != Last::Nothing {
            self.last = part.last;
            self.last_rest = part.last_rest;
        }
        self.line_count += part.lines;
    }
}

impl Event {
    /// Add every new node, parents first; continue the list of what each is here.
    fn absorb_nodes(&mut self, part: &FoundEvent, nodes: &mut Vec<i32>, frames: &[u32], lines: u32) {
        let columns = part.nodes.parents.iter().zip(&part.nodes.frames).zip(&part.nodes.lines);
        for (((&parent, &frame), &line), &digest) in columns.zip(&part.digests) {
            let above = index(parent).map_or(NONE, |at| nodes[at]);
            nodes.push(self.tree.of_digest(above, frames[frame as usize], line + lines, digest));
        }
    }

    fn absorb_samples(&mut self, part: &Columns, nodes: &[i32], threads: &[u32], lines: u32) {
        let whole = &mut self.samples;
        whole.nodes.extend(part.nodes.iter().map(|&node| index(node).map_or(NONE, |at| nodes[at])));
        whole.weights.extend_from_slice(&part.weights);
        whole.times.extend_from_slice(&part.times);
        whole.cpus.extend_from_slice(&part.cpus);
        whole.threads.extend(part.threads.iter().map(|&thread| threads[thread as usize]));
        whole.lines.extend(part.lines.iter().map(|&line| line + lines));
        whole.has_weights &= part.has_weights;
        whole.has_times &= part.has_times;
        whole.has_cpus |= part.has_cpus;
        whole.deep += part.deep;
    }
}
