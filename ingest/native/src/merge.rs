//! Two neighbouring parts of one text, read apart, put together as if read in one go.
//!
//! Frames, threads and nodes of the later part are numbered anew in the order in which they first came, so the
//! result is the same, number for number, as that of one reader.

use crate::columns::index;
use crate::perf_script::{Last, MAX_COMMENTS, Open, State};
use crate::samples::{Event, Stated};
use crate::tree::{NONE, Placed, Tree};

/// What the numbers of the later part are in the whole.
struct Numbers {
    frames: Vec<u32>,
    threads: Vec<u32>,
    events: Vec<usize>,
    /// Lines before the part.
    lines: u32,
}

impl State {
    /// Take over what `part` read out of the text behind ours, its lines counted from 1.
    ///
    /// To be called only when the part begins anew; see `State::begins_anew`.
    pub(crate) fn absorb(&mut self, part: State) {
        self.close();
        let lines = self.line_count;
        let numbers = Numbers {
            frames: part
                .frames
                .known
                .iter()
                .map(|frame| self.frames.of(frame.name.as_bytes(), frame.module.as_bytes(), frame.kind))
                .collect(),
            threads: part
                .threads
                .known
                .iter()
                .map(|thread| self.threads.of(thread.comm.as_bytes(), thread.pid, thread.tid))
                .collect(),
            events: part.events.iter().map(|event| self.event(&event.name)).collect(),
            lines,
        };
        for (event, &whole) in part.events.iter().zip(&numbers.events) {
            self.events[whole].absorb(event, &numbers);
        }
        self.open = part.open.map(|open| Open {
            event: numbers.events[open.event],
            stated: Stated {
                thread: numbers.threads[open.stated.thread as usize],
                line: open.stated.line + lines,
                ..open.stated
            },
            has_inline: open.has_inline,
        });
        self.stack.extend(part.stack.iter().map(|placed| Placed {
            frame: numbers.frames[placed.frame as usize],
            line: placed.line + lines,
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
        self.begins_anew = self.begins_anew.or(part.begins_anew);
        self.line_count += part.line_count;
    }
}

impl Event {
    fn absorb(&mut self, part: &Event, numbers: &Numbers) {
        let nodes = self.tree.absorb(&part.tree, numbers);
        self.nodes.extend(part.nodes.iter().map(|&node| index(node).map_or(NONE, |at| nodes[at])));
        self.weights.extend_from_slice(&part.weights);
        self.times.extend_from_slice(&part.times);
        self.cpus.extend_from_slice(&part.cpus);
        self.threads.extend(part.threads.iter().map(|&thread| numbers.threads[thread as usize]));
        self.lines.extend(part.lines.iter().map(|&line| line + numbers.lines));
        self.has_weights &= part.has_weights;
        self.has_times &= part.has_times;
        self.has_cpus |= part.has_cpus;
        self.deep += part.deep;
    }
}

impl Tree {
    /// Add every node of `part`, parents first; return what each is here.
    fn absorb(&mut self, part: &Tree, numbers: &Numbers) -> Vec<i32> {
        let mut nodes: Vec<i32> = Vec::with_capacity(part.parents.len());
        let mut digests: Vec<u128> = Vec::with_capacity(part.parents.len());
        for ((&parent, &frame), &line) in part.parents.iter().zip(&part.frames).zip(&part.lines) {
            let (above, path) = index(parent).map_or((NONE, 0), |at| (nodes[at], digests[at]));
            let frame = numbers.frames[frame as usize];
            let (node, digest) = self.child(above, path, frame, line + numbers.lines);
            nodes.push(node);
            digests.push(digest);
        }
        nodes
    }
}
