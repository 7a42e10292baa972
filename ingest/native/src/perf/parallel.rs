//! `perf script` text read by several threads: cut before samples, read apart, merged in order.
//!
//! ```text
//! feed -> text up to a cut -> reader 1 | reader 2 | ... | here, when all have enough -> absorb, in the order of the text
//! ```
//! The thread that is fed reads parts like the others whenever none of them needs one, so as many threads work as
//! were requested. A cut is behind a blank line, before a line that can be nothing but the beginning of a sample.
//! Where there is none the text is read by one thread as if there were no other. So the result never depends on
//! the number of threads, nor on who reads what.

use std::collections::VecDeque;
use std::thread;

use memchr::{memchr, memmem};

use crate::perf::fast_sample;
use crate::perf::merge::Numbers;
use crate::perf::perf_script::PerfScript;
use crate::perf::reader::{Apart, Chunk, Part, Read, Reader};
use crate::perf::state::State;
use crate::profile::lines::LineTooLong;

/// A chunk this long is a part; shorter ones are put together.
const PART_BYTES: usize = 512 << 10;

/// More threads would wait for the merge.
const MOST_THREADS: usize = 8;

/// Parts on their way, for each thread: what was read here waits for what others read before it.
const MOST_PARTS: usize = 4;

/// Reads parts of one text in threads.
pub struct Parallel {
    whole: PerfScript,
    /// Behind the last cut.
    text: Vec<u8>,
    readers: Vec<Reader>,
    here: Apart,
    numbers: Numbers,
    /// Parts in the order of the text.
    parts: VecDeque<On>,
    threads: usize,
    max_line_bytes: usize,
    part_bytes: usize,
}

/// Where a part is.
enum On {
    Reader(usize),
    Here(Box<Read>),
}

impl Parallel {
    /// Read with `threads` threads; 0 takes as many as there are CPUs for us.
    #[must_use]
    pub fn new(first_line: u32, max_line_bytes: usize, threads: usize) -> Self {
        let here = thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { here } else { threads };
        Self {
            whole: PerfScript::new(first_line, max_line_bytes),
            text: Vec::new(),
            readers: Vec::new(),
            here: Apart::new(max_line_bytes),
            numbers: Numbers::default(),
            parts: VecDeque::new(),
            threads: threads.min(MOST_THREADS),
            max_line_bytes,
            // A line that is too long is rejected before more of it is buffered.
            part_bytes: PART_BYTES.min(max_line_bytes),
        }
    }

    /// The same in parts small enough that a short text has many.
    #[cfg(any(test, fuzzing))]
    #[must_use]
    pub fn in_parts_of(self, part_bytes: usize) -> Self {
        Self { part_bytes, ..self }
    }

    /// Read more text.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn feed(&mut self, chunk: Chunk) -> Result<(), LineTooLong> {
        let bytes = (*chunk).as_ref();
        if self.threads < 2 {
            return self.whole.feed(bytes);
        }
        let part = if bytes.len() < self.part_bytes {
            self.text.extend_from_slice(bytes);
            if self.text.len() < self.part_bytes {
                return Ok(());
            }
            last_cut(&self.text).map(|end| {
                let rest = self.text.split_off(end);
                Part { before: std::mem::replace(&mut self.text, rest), chunk: None }
            })
        } else if let Some(end) = last_cut(bytes) {
            let before = std::mem::replace(&mut self.text, bytes[end..].to_vec());
            Some(Part { before, chunk: Some((chunk, end)) })
        } else {
            self.text.extend_from_slice(bytes);
            None
        };
        let Some(part) = part else {
            // Not the text we know how to cut: one thread reads on from here.
            self.threads = 1;
            return self.read_rest();
        };
        self.start_readers();
        let on = self.give(part);
        self.parts.push_back(on);
        while self.parts.len() > self.threads * MOST_PARTS {
            self.merge_next()?;
        }
        self.merge_ready()
    }

    /// Read the rest and close the last sample.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn finish(mut self) -> Result<State, LineTooLong> {
        self.read_rest()?;
        let Self { whole, readers, .. } = self;
        drop(readers);
        whole.finish()
    }

    /// Give a part to a reader that needs one, or read it.
    fn give(&mut self, mut part: Part) -> On {
        for (at, reader) in self.readers.iter_mut().enumerate() {
            match reader.give(part) {
                Ok(()) => return On::Reader(at),
                Err(back) => part = back,
            }
        }
        On::Here(Box::new(self.here.read(&part)))
    }

    /// Merge all parts, then read the remainder as one.
    fn read_rest(&mut self) -> Result<(), LineTooLong> {
        while !self.parts.is_empty() {
            self.merge_next()?;
        }
        let text = std::mem::take(&mut self.text);
        self.whole.feed(&text)
    }

    fn merge_next(&mut self) -> Result<(), LineTooLong> {
        match self.parts.pop_front() {
            Some(On::Reader(at)) => {
                let read = self.readers[at].take();
                self.merge(read, Some(at))
            }
            Some(On::Here(read)) => self.merge(*read, None),
            None => Ok(()),
        }
    }

    /// Merge what is read already, as far as nothing before it is missing.
    fn merge_ready(&mut self) -> Result<(), LineTooLong> {
        while let Some(on) = self.parts.pop_front() {
            let (read, reader) = match on {
                On::Here(read) => (*read, None),
                On::Reader(at) => {
                    let Some(read) = self.readers[at].take_ready() else {
                        self.parts.push_front(on);
                        break;
                    };
                    (read, Some(at))
                }
            };
            self.merge(read, reader)?;
        }
        Ok(())
    }

    fn merge(&mut self, read: Read, reader: Option<usize>) -> Result<(), LineTooLong> {
        let numbers = reader.map_or(&mut self.numbers, |at| &mut self.readers[at].numbers);
        let first = self.whole.lines.next_line();
        let (found, lines) = read.map_err(|error| LineTooLong { line: error.line + first - 1 })?;
        self.whole.state.absorb(found, numbers);
        self.whole.lines.skip(lines);
        Ok(())
    }

    /// Start the readers when there are none; with fewer than requested this thread reads more.
    fn start_readers(&mut self) {
        if self.readers.is_empty() {
            self.readers.extend((1..self.threads).map_while(|_| Reader::start(self.max_line_bytes)));
        }
    }
}

/// Where the last sample of `text` begins that follows a blank line.
pub(crate) fn last_cut(text: &[u8]) -> Option<usize> {
    let is_head = |at: &usize| {
        let line = &text[*at..];
        memchr(b'\n', line).is_some_and(|end| fast_sample::is_head(&line[..end]))
    };
    memmem::rfind_iter(text, b"\n\n").map(|at| at + 2).find(is_head)
}
