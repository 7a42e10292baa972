//! Counts distinct stacks of `perf script` text, piece by piece.
//!
//! A sample is a head, the line of its leaf, whose address varies, and the lines of its callers, which are the same
//! bytes whenever it was called the same way: their digest finds the range of `callers` that they are.

use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use crate::foreign_lines::{is_perf_script, runs};
use crate::perf::fast_header::{self, Regular};
use crate::perf::frame;
use crate::perf::perf_script::PerfScript;
use crate::perf::state::State;
use crate::profile::hash::{DigestMap, Key};
use crate::profile::interner::{Frames, KnownFrame};
use crate::script_fold::Refusal;
use crate::script_fold::last_frame::{FirstFrames, finished};
use crate::script_fold::source::Piece;

/// No frame, no stack.
pub(crate) const NONE: u32 = u32::MAX;

static BLANK_LINE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"\n\n"));

/// Threads looked at first: those whose id ends in the same bits.
const RECENT: usize = 256;

/// Callers are looked for in so many places at first; a power of two.
const FIRST_SLOTS: usize = 1 << 12;

/// An event in a part of the text.
#[derive(Debug, Clone)]
pub(crate) struct EventSeen {
    pub(crate) name: Vec<u8>,
    /// Piece and byte of its first sample.
    pub(crate) first: (u64, usize),
    pub(crate) has_periods: bool,
}

/// A name of threads, and an event they were sampled at.
pub(crate) struct Who {
    pub(crate) comm: Vec<u8>,
    pub(crate) event: usize,
}

/// A distinct stack: how often it was sampled, and the sum of its periods.
#[derive(Clone, Copy)]
pub(crate) struct Counted {
    pub(crate) who: u32,
    pub(crate) leaf: u32,
    pub(crate) start: usize,
    pub(crate) length: u32,
    pub(crate) count: u64,
    pub(crate) periods: u64,
}

/// What one thread counted.
pub(crate) struct Counts {
    pub(crate) frames: Vec<KnownFrame>,
    pub(crate) whos: Vec<Who>,
    pub(crate) events: Vec<EventSeen>,
    /// Frames of callers, outermost first.
    pub(crate) callers: Vec<u32>,
    pub(crate) stacks: Vec<Counted>,
    pub(crate) irregular: Option<State>,
    /// Pieces and bytes at which events of `irregular` were first seen.
    pub(crate) firsts: Vec<(u64, usize)>,
}

/// Callers by the digest of their lines, and the stack that was last counted above them.
#[derive(Clone, Copy)]
struct Slot {
    digest: u128,
    callers: u32,
    who: u32,
    leaf: u32,
    stack: u32,
}

const EMPTY: Slot = Slot { digest: 0, callers: NONE, who: NONE, leaf: NONE, stack: NONE };

/// Counts; see the module.
pub(crate) struct Counter {
    key: Key,
    frames: Frames,
    events: Vec<EventSeen>,
    by_event: HashMap<Vec<u8>, usize>,
    last_event: usize,
    whos: Vec<Who>,
    by_who: HashMap<(Vec<u8>, usize), u32>,
    recent: [u32; RECENT],
    callers: Vec<u32>,
    /// Ranges of `callers`.
    ranges: Vec<(usize, u32)>,
    slots: Vec<Slot>,
    stacks: Vec<Counted>,
    by_stack: DigestMap<u32>,
    irregular: Option<PerfScript>,
    firsts: Vec<(u64, usize)>,
    /// Of the thread that read the first piece.
    pub(crate) first_frames: Option<FirstFrames>,
    max_line_bytes: usize,
    place: (u64, usize),
}

impl Counter {
    pub(crate) fn new(max_line_bytes: usize) -> Self {
        let key = Key::of_process();
        Self {
            key,
            frames: Frames::new(key),
            events: Vec::new(),
            by_event: HashMap::new(),
            last_event: 0,
            whos: Vec::new(),
            by_who: HashMap::new(),
            recent: [0; RECENT],
            callers: Vec::new(),
            ranges: Vec::new(),
            slots: vec![EMPTY; FIRST_SLOTS],
            stacks: Vec::new(),
            by_stack: DigestMap::default(),
            irregular: None,
            firsts: Vec::new(),
            first_frames: None,
            max_line_bytes,
            place: (0, 0),
        }
    }

    /// Count the samples of a piece.
    ///
    /// # Errors
    /// The text may be more than a script.
    pub(crate) fn read(&mut self, piece: &Piece) -> Result<(), Refusal> {
        let text = piece.text();
        if piece.is_cut {
            self.close();
        }
        let mut at = 0;
        while at < text.len() {
            self.place = (piece.number, at);
            let rest = &text[at..];
            let end = BLANK_LINE.find(rest);
            let block = &rest[..end.map_or(rest.len(), |end| end + 2)];
            at += block.len();
            if let Some(end) = end
                && end < self.max_line_bytes
            {
                if self.regular(&block[..=end]) {
                    continue;
                }
                let behind = &text[at..];
                let is_over = if behind.is_empty() { piece.ends_cut } else { begins_sample(behind) };
                if is_over && self.without_stack(&block[..end]) {
                    continue;
                }
            }
            self.irregular(block)?;
        }
        if piece.number == 0 {
            let irregular = self.irregular.as_ref().map_or(&[][..], |read| &read.state.frames.entries);
            self.first_frames = Some(FirstFrames::of(&self.frames.entries, irregular, piece.is_last));
        }
        Ok(())
    }

    /// Hand over what was counted.
    ///
    /// # Errors
    /// The last line is too long, or it cannot be told whether the text was cut in it.
    pub(crate) fn finish(mut self, first: FirstFrames) -> Result<Counts, Refusal> {
        let irregular = self.irregular.take().map(|read| finished(read, first)).transpose()?;
        // An unfinished last line may be the first sample of an event.
        self.firsts.resize(irregular.as_ref().map_or(0, |state| state.events.len()), self.place);
        Ok(Counts {
            frames: self.frames.entries,
            whos: self.whos,
            events: self.events,
            callers: self.callers,
            stacks: self.stacks,
            irregular,
            firsts: self.firsts,
        })
    }

    /// Count a sample with a stack, every line with its end; false where anything about it is unusual.
    fn regular(&mut self, text: &[u8]) -> bool {
        let Some(head_end) = memchr(b'\n', text) else { return false };
        let stack = &text[head_end + 1..];
        if stack.first() != Some(&b'\t') {
            return false;
        }
        let Some(head) = fast_header::regular(&text[..head_end]) else { return false };
        let Some(leaf_end) = memchr(b'\n', stack) else { return false };
        let first = &text[..head_end + 1 + leaf_end];
        let Some(leaf) = frame_line(&stack[..leaf_end]).filter(|_| is_text(first)) else { return false };
        let tail = &stack[leaf_end + 1..];
        let digest = self.key.text(tail, 0);
        let Some(slot) = self.slot_of(digest, tail) else { return false };
        let leaf = self.frames.of_line(leaf.address, leaf.rest);
        let who = self.who(&head);
        self.count(&head, who, slot, leaf);
        true
    }

    fn count(&mut self, head: &Regular<'_>, who: u32, slot: usize, leaf: u32) {
        let found = self.slots[slot];
        let stack = if found.who == who && found.leaf == leaf {
            found.stack
        } else {
            let stack = self.stack(who, leaf, found.callers);
            self.slots[slot] = Slot { who, leaf, stack, ..found };
            stack
        };
        self.add(head, stack);
    }

    fn add(&mut self, head: &Regular<'_>, stack: u32) {
        let counted = &mut self.stacks[stack as usize];
        counted.count += 1;
        match head.period {
            Some(period) => counted.periods = counted.periods.saturating_add(period),
            None => self.events[self.whos[counted.who as usize].event].has_periods = false,
        }
    }

    /// Count a sample that has no stack, when the text is its head and no more.
    fn without_stack(&mut self, text: &[u8]) -> bool {
        let head = fast_header::regular(text).filter(|head| head.is_whole && is_text(text));
        let Some(head) = head.filter(|_| memchr(b'\n', text).is_none()) else { return false };
        let who = self.who(&head);
        let stack = self.stack(who, NONE, NONE);
        self.add(&head, stack);
        true
    }

    /// The sample that is open in the reader of irregular ones is over.
    fn close(&mut self) {
        if let Some(irregular) = &mut self.irregular {
            irregular.state.begins();
        }
    }

    fn irregular(&mut self, block: &[u8]) -> Result<(), Refusal> {
        if memchr2(b'\r', 0, block).is_some() || !runs(block, is_perf_script, 1).is_empty() {
            return Err(Refusal::NotPlain);
        }
        let read = self.irregular.get_or_insert_with(|| PerfScript::new(1, self.max_line_bytes));
        read.feed(block).map_err(|_| Refusal::NotPlain)?;
        while self.firsts.len() < read.state.events.len() {
            self.firsts.push(self.place);
        }
        Ok(())
    }

    /// The number of a thread's name with an event.
    fn who(&mut self, head: &Regular<'_>) -> u32 {
        self.close();
        let event = self.event(head.event);
        #[allow(clippy::cast_sign_loss)]
        let place = head.tid as usize % RECENT;
        let recent = self.recent[place];
        if self.whos.get(recent as usize).is_some_and(|who| who.event == event && who.comm == head.comm) {
            return recent;
        }
        let who = *self.by_who.entry((head.comm.to_vec(), event)).or_insert_with(|| {
            self.whos.push(Who { comm: head.comm.to_vec(), event });
            number(self.whos.len() - 1)
        });
        self.recent[place] = who;
        who
    }

    fn event(&mut self, name: &[u8]) -> usize {
        if self.events.get(self.last_event).is_none_or(|event| event.name != name) {
            self.last_event = *self.by_event.entry(name.to_vec()).or_insert_with(|| {
                self.events.push(EventSeen { name: name.to_vec(), first: self.place, has_periods: true });
                self.events.len() - 1
            });
        }
        self.last_event
    }

    /// The slot of callers, whose lines are read when they are new; `None` when one is not regular.
    fn slot_of(&mut self, digest: u128, tail: &[u8]) -> Option<usize> {
        let at = self.place_of(digest);
        if self.slots[at].callers != NONE {
            return Some(at);
        }
        let start = self.callers.len();
        let mut line = 0;
        for end in memchr_iter(b'\n', tail) {
            let Some(found) = frame_line(&tail[line..end]).filter(|found| is_text(found.rest)) else {
                self.callers.truncate(start);
                return None;
            };
            let frame = self.frames.of_line(found.address, found.rest);
            self.callers.push(frame);
            line = end + 1;
        }
        self.callers[start..].reverse();
        self.ranges.push((start, number(self.callers.len() - start)));
        let at = if self.ranges.len() * 2 > self.slots.len() {
            self.grow();
            self.place_of(digest)
        } else {
            at
        };
        self.slots[at] = Slot { digest, callers: number(self.ranges.len() - 1), ..EMPTY };
        Some(at)
    }

    /// The place of a digest, or the free one where it belongs.
    #[allow(clippy::cast_possible_truncation)]
    fn place_of(&self, digest: u128) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = digest as usize & mask;
        while self.slots[at].callers != NONE && self.slots[at].digest != digest {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let wider = vec![EMPTY; self.slots.len() * 4];
        let old = std::mem::replace(&mut self.slots, wider);
        for slot in old.into_iter().filter(|slot| slot.callers != NONE) {
            let at = self.place_of(slot.digest);
            self.slots[at] = slot;
        }
    }

    fn stack(&mut self, who: u32, leaf: u32, callers: u32) -> u32 {
        let digest = self.key.step(u128::from(callers), u128::from(who) << 64 | u128::from(leaf));
        *self.by_stack.entry(digest).or_insert_with(|| {
            let (start, length) = self.ranges.get(callers as usize).copied().unwrap_or((0, 0));
            self.stacks.push(Counted { who, leaf, start, length, count: 0, periods: 0 });
            number(self.stacks.len() - 1)
        })
    }
}

/// Whether a line behind a blank one begins a sample that is read here.
fn begins_sample(text: &[u8]) -> bool {
    memchr(b'\n', text).is_some_and(|end| fast_header::regular(&text[..end]).is_some())
}

/// A frame as perf prints it, its module at the end.
fn frame_line(line: &[u8]) -> Option<frame::Line<'_>> {
    frame::split_regular(line).filter(|found| found.rest.ends_with(b")"))
}

/// Whether nothing has to be taken away before it is read.
fn is_text(line: &[u8]) -> bool {
    memchr2(b'\r', 0, line).is_none()
}

#[allow(clippy::cast_possible_truncation)]
fn number(length: usize) -> u32 {
    length as u32
}
