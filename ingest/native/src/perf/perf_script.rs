//! `perf script` text: heads, stacks, records and comments to one tree per event.
//!
//! Every head becomes exactly one sample. Other lines are counted by reason.

use std::collections::HashMap;

use crate::perf::fast_sample;
use crate::perf::frame;
use crate::perf::header::{self, Head, Header};
use crate::perf::state::{Last, Open, State};
use crate::perf::tails::Tails;
use crate::profile::hash::Key;
use crate::profile::interner::{Frames, Threads};
use crate::profile::lines::{LineTooLong, Lines};
use crate::profile::samples::{Event, Stated};
use crate::profile::skips::Skips;
use crate::profile::tokens;
use crate::profile::tree::{FrameAt, Tree};

/// perf's header has some thirty lines; more are no header.
pub(crate) const MAX_COMMENTS: usize = 256;

/// Everything read out of one text.
pub struct PerfScript {
    pub(crate) lines: Lines,
    pub(crate) state: State,
    max_line_bytes: usize,
}

impl PerfScript {
    #[must_use]
    pub fn new(first_line: u32, max_line_bytes: usize) -> Self {
        Self::with(Tree::new, first_line, max_line_bytes)
    }

    /// A reader of parts, transferred one after another; see `merge`.
    #[must_use]
    pub(crate) fn of_parts(max_line_bytes: usize) -> Self {
        Self::with(Tree::of_part, 1, max_line_bytes)
    }

    fn with(new_tree: fn(Key) -> Tree, first_line: u32, max_line_bytes: usize) -> Self {
        let key = Key::of_process();
        let state = State {
            key,
            new_tree,
            frames: Frames::new(key),
            threads: Threads::new(key),
            events: Vec::new(),
            by_name: HashMap::new(),
            last_event: 0,
            open: None,
            stack: Vec::new(),
            tails: Tails::new(),
            comments: Vec::new(),
            skips: Skips::default(),
            lost: 0.0,
            lost_line: 0,
            cut_line: 0,
            last: Last::Nothing,
            last_rest: Vec::new(),
            line_count: first_line.saturating_sub(1),
        };
        Self { lines: Lines::new(first_line, max_line_bytes), state, max_line_bytes }
    }

    /// Read more text.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), LineTooLong> {
        let mut rest = chunk;
        while !rest.is_empty() {
            let end = fast_sample::end(rest);
            if let Some(end) = end
                && end <= self.max_line_bytes
                && self.lines.is_between()
                && self.state.stack.is_empty()
                && let Some(lines) = self.state.regular(&rest[..end], self.lines.next_line())
            {
                self.lines.skip(lines + 1);
                rest = &rest[end + 1..];
                continue;
            }
            let (block, behind) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
            let state = &mut self.state;
            self.lines.feed(block, |line, number| state.take(line, number))?;
            rest = behind;
        }
        Ok(())
    }

    /// Read the unfinished last line; leave the last sample open.
    ///
    /// # Errors
    /// When the last line is too long.
    pub(crate) fn end_lines(&mut self) -> Result<&mut State, LineTooLong> {
        let state = &mut self.state;
        self.lines.finish(|line, number| state.take(line, number))?;
        Ok(&mut self.state)
    }

    /// Read the unfinished last line and close the last sample.
    ///
    /// # Errors
    /// When the last line is too long.
    pub fn finish(mut self) -> Result<State, LineTooLong> {
        let state = &mut self.state;
        let is_open = self.lines.finish(|line, number| state.take(line, number))?;
        state.end(is_open);
        Ok(self.state)
    }
}

impl State {
    fn take(&mut self, line: &[u8], number: u32) {
        self.line_count = number;
        match line.first() {
            None => self.blank(),
            Some(b'#') => self.comment(line, number),
            Some(b'\t') if self.open.is_some() => match frame::split(line) {
                Some(found) => self.frame(found, number),
                None => self.other(line, number),
            },
            Some(_) => self.other(line, number),
        }
    }

    /// A line that is not a tab-indented frame of an open sample.
    fn other(&mut self, line: &[u8], number: u32) {
        if tokens::trim(line).is_empty() {
            self.blank();
            return;
        }
        let framed = frame::split(line);
        if framed.is_none_or(|found| !tokens::is_blank(line[0]) || may_be_head(found)) {
            match header::parse(line) {
                Some(Head::Sample(head)) => return self.head(&head, number),
                Some(Head::Record(name, words)) => return self.record(name, words, number),
                None => {}
            }
        }
        match framed {
            Some(found) if self.open.is_some() => self.frame(found, number),
            Some(_) => {
                self.last = Last::Whole;
                self.skips.add("stack line without a sample", number);
            }
            None => self.stranger(line, number),
        }
    }

    /// The stack is over, unless it has not begun: some tools put a blank line above it.
    fn blank(&mut self) {
        if !self.stack.is_empty() {
            self.close();
        }
    }

    fn head(&mut self, head: &Header<'_>, number: u32) {
        self.begins();
        let stated = Stated {
            thread: self.threads.of_header(head),
            cpu: head.cpu,
            time: head.time,
            weight: head.period,
            line: number,
        };
        let event = self.event(head.event);
        if let Some(inline) = head.frame {
            let frame = self.frames.of_line(inline.address, inline.rest);
            self.stack.push(FrameAt { frame, digest: self.frames.digest(frame), line: number });
        }
        self.open = Some(Open { event, stated, has_inline: head.frame.is_some() });
    }

    /// A head or record: what came before is over.
    pub(crate) fn begins(&mut self) {
        self.close();
        self.last = Last::Whole;
    }

    pub(crate) fn event(&mut self, name: &[u8]) -> usize {
        if self.events.get(self.last_event).is_none_or(|event| event.name != name) {
            self.last_event = if let Some(&existing) = self.by_name.get(name) {
                existing
            } else {
                self.events.push(Event::new(name, (self.new_tree)(self.key)));
                self.by_name.insert(name.to_vec(), self.events.len() - 1);
                self.events.len() - 1
            };
        }
        self.last_event
    }

    fn frame(&mut self, found: frame::Line<'_>, number: u32) {
        if let Some(open) = &mut self.open
            && open.has_inline
        {
            // What looked like a frame on the head's line was an argument: the real stack follows.
            open.has_inline = false;
            self.stack.clear();
        }
        let frame = self.frames.of_line(found.address, found.rest);
        self.stack.push(FrameAt { frame, digest: self.frames.digest(frame), line: number });
        self.last = Last::Whole;
        if !found.rest.ends_with(b")") {
            self.last = Last::OddFrame;
            self.last_rest.clear();
            self.last_rest.extend_from_slice(found.rest);
        }
    }

    /// Whether the frame that ends the text, and lacks the end of its module, was cut by its own look.
    ///
    /// `None` where no such frame ends it.
    pub(crate) fn odd_frame_at_end(&self) -> Option<bool> {
        let is_odd = self.last == Last::OddFrame && !self.stack.is_empty();
        is_odd.then(|| frame::is_cut(&self.last_rest))
    }

    /// Whether the last frame lacks what the others have: the end of its module, or all of it.
    fn is_last_frame_cut(&self) -> bool {
        let modules = self.frames.entries.iter().take(64).filter(|frame| !frame.module.is_empty()).count();
        modules > 2 || frame::is_cut(&self.last_rest)
    }

    pub(crate) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let event = &mut self.events[open.event];
            let node = event.tree.path_of(&self.stack).node;
            event.samples.push(open.stated, node, self.stack.len());
        }
        self.stack.clear();
    }

    fn record(&mut self, name: &[u8], words: &[u8], number: u32) {
        self.begins();
        if name.starts_with(b"PERF_RECORD_LOST") {
            self.add_lost(first_number(words).unwrap_or(1.0), number);
        }
        self.skips.add(&format!("{} record", String::from_utf8_lossy(name)), number);
    }

    pub(crate) fn add_lost(&mut self, count: f64, number: u32) {
        if self.lost == 0.0 && count > 0.0 {
            self.lost_line = number;
        }
        self.lost += count;
    }

    fn stranger(&mut self, line: &[u8], number: u32) {
        let text = tokens::trim(line);
        if is_lost(text) {
            self.add_lost(first_number(text).unwrap_or(1.0), number);
            self.skips.add("lost events", number);
            return;
        }
        self.last = Last::Stranger;
        if text.starts_with(b"PERF_RECORD_") {
            let name =
                text.split(|&byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).next().unwrap_or(text);
            self.record(name, &[], number);
        } else if self.open.is_some() && tokens::is_blank(line[0]) {
            self.skips.add("indented line without an address", number);
        } else {
            self.skips.add("not a perf script line", number);
        }
    }

    fn comment(&mut self, line: &[u8], number: u32) {
        let text = String::from_utf8_lossy(&line[1..]);
        if let Some((key, value)) = text.split_once(" : ")
            && self.comments.len() < MAX_COMMENTS
        {
            self.comments.push((key.trim().to_owned(), value.trim().to_owned(), number));
        }
    }

    /// Close the last sample; return the line where the text was cut, if it was.
    fn end(&mut self, is_open: bool) {
        let is_cut = match self.last {
            Last::OddFrame => self.is_last_frame_cut(),
            Last::Stranger => is_open && self.open.is_some(),
            Last::Whole => self.open.is_some() && self.stack.is_empty() && self.mostly_has_stacks(),
            Last::Nothing => false,
        };
        if is_cut {
            self.cut_line = self.line_count;
            if self.last == Last::OddFrame {
                self.stack.pop();
                self.skips.add("frame cut off at the end", self.line_count);
            }
        }
        self.close();
    }

    fn mostly_has_stacks(&self) -> bool {
        let (mut all, mut with) = (0, 0);
        for event in &self.events {
            all += event.samples.nodes.len();
            with += event.samples.nodes.iter().filter(|&&node| node >= 0).count();
        }
        with * 10 > all * 9
    }
}

/// Whether an indented line that begins with an address could be the head of a thread with such a name: its next word
/// begins like a thread id, a CPU or a time, or is an address itself.
fn may_be_head(found: frame::Line<'_>) -> bool {
    let Some(next) = tokens::next(found.rest, 0) else { return false };
    let first = next.text[0];
    first.is_ascii_digit() || first == b'[' || first == b'-' || tokens::is_address(next.text)
}

/// `LOST 12 events!`, `Processed 5 events and lost 3 chunks!`.
fn is_lost(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let has = |word: &[u8]| lower.windows(word.len()).any(|part| part == word);
    lower.starts_with(b"lost ")
        || (has(b" lost ") && (has(b"chunks!") || has(b"events!") || has(b"samples!")))
}

/// The number behind `lost`, else the first number.
fn first_number(words: &[u8]) -> Option<f64> {
    let text = String::from_utf8_lossy(words).to_ascii_lowercase();
    let behind = text.find("lost ").map_or(text.as_str(), |at| &text[at + 5..]);
    behind.split(|letter: char| !letter.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok()
}
