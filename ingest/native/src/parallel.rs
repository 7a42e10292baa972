//! `perf script` text read by several threads: cut before samples, read apart, merged in order.
//!
//! ```text
//! feed -> text up to a cut -> reader 0 | reader 1 | ... (each keeps what it learnt) -> absorb, in the order of the text
//! ```
//! A cut is behind a blank line, before a line that can be nothing but the beginning of a sample. Where there is
//! none the text is read by one thread as if there were no other. So the result never depends on the number of
//! threads.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use memchr::{memchr, memmem};

use crate::lines::{LineTooLong, Lines};
use crate::merge::{Found, Numbers};
use crate::perf_script::{PerfScript, State};
use crate::regular;

/// Text of one part.
const PART_BYTES: usize = 2 << 20;

/// More threads would wait for the merge.
const MOST_THREADS: usize = 8;

/// Reads parts of one text in threads.
pub struct Parallel {
    whole: PerfScript,
    text: Vec<u8>,
    /// Memory of parts that were read, to be filled again.
    spare: Vec<Vec<u8>>,
    readers: Vec<Reader>,
    /// Which reader has which part, in the order of the text.
    reading: VecDeque<usize>,
    next: usize,
    threads: usize,
    max_line_bytes: usize,
    part_bytes: usize,
}

/// A thread that reads the parts it is given, one after another.
struct Reader {
    give: Option<Sender<Vec<u8>>>,
    /// Python may look at a parser from any thread, and a receiver is for one: the lock is never waited for.
    take: Mutex<Receiver<Part>>,
    thread: Option<JoinHandle<()>>,
    numbers: Numbers,
}

/// A part of the text, and what was found in it.
struct Part {
    text: Vec<u8>,
    found: Result<(Found, u32), LineTooLong>,
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
            spare: Vec::new(),
            readers: Vec::new(),
            reading: VecDeque::new(),
            next: 0,
            threads: threads.min(MOST_THREADS),
            max_line_bytes,
            // A line that is too long is found before more of it is held.
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
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), LineTooLong> {
        if self.threads < 2 {
            return self.whole.feed(chunk);
        }
        self.text.extend_from_slice(chunk);
        if self.text.len() < self.part_bytes {
            return Ok(());
        }
        let Some(end) = last_cut(&self.text).filter(|_| self.has_readers()) else {
            // Not the text we know how to cut, or no thread to be had: one thread reads on from here.
            self.threads = 1;
            return self.read_rest();
        };
        let mut rest = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(self.part_bytes + chunk.len()));
        rest.extend_from_slice(&self.text[end..]);
        self.text.truncate(end);
        let text = std::mem::replace(&mut self.text, rest);
        self.readers[self.next].give(text);
        self.reading.push_back(self.next);
        self.next = (self.next + 1) % self.threads;
        while self.reading.len() > self.threads {
            self.merge_next()?;
        }
        Ok(())
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

    /// Merge all parts, then read what is left as one.
    fn read_rest(&mut self) -> Result<(), LineTooLong> {
        while !self.reading.is_empty() {
            self.merge_next()?;
        }
        let text = std::mem::take(&mut self.text);
        self.whole.feed(&text)
    }

    fn merge_next(&mut self) -> Result<(), LineTooLong> {
        let Some(at) = self.reading.pop_front() else { return Ok(()) };
        let reader = &mut self.readers[at];
        let part = reader.take();
        let first = self.whole.lines.next_line();
        let (found, lines) = part.found.map_err(|error| LineTooLong { line: error.line + first - 1 })?;
        self.whole.state.absorb(found, &mut reader.numbers);
        self.whole.lines.skip(lines);
        let mut text = part.text;
        text.clear();
        self.spare.push(text);
        Ok(())
    }

    /// Start the readers when there are none; say whether there are enough.
    fn has_readers(&mut self) -> bool {
        while self.readers.len() < self.threads {
            let Some(reader) = Reader::start(self.max_line_bytes) else { break };
            self.readers.push(reader);
        }
        self.readers.len() == self.threads
    }
}

impl Reader {
    fn start(max_line_bytes: usize) -> Option<Self> {
        let (give, texts) = mpsc::channel::<Vec<u8>>();
        let (parts, take) = mpsc::channel();
        let body = move || {
            let mut parser = PerfScript::of_parts(max_line_bytes);
            for text in texts {
                parser.lines = Lines::new(1, max_line_bytes);
                let read = parser.feed(&text);
                let lines = parser.lines.given(1);
                let found = read.map(|()| (parser.state.hand_over(), lines));
                if parts.send(Part { text, found }).is_err() {
                    break;
                }
            }
        };
        let thread = thread::Builder::new().spawn(body).ok()?;
        Some(Self {
            give: Some(give),
            take: Mutex::new(take),
            thread: Some(thread),
            numbers: Numbers::default(),
        })
    }

    fn give(&self, text: Vec<u8>) {
        // A reader that is gone has panicked; `take` goes on with that.
        let _ = self.give.as_ref().map(|give| give.send(text));
    }

    fn take(&mut self) -> Part {
        match self.take.get_mut().map(|parts| parts.recv()) {
            Ok(Ok(part)) => part,
            _ => self.end(),
        }
    }

    /// Go on with the panic of a thread that is gone.
    fn end(&mut self) -> ! {
        let panic = self.thread.take().and_then(|thread| thread.join().err());
        std::panic::resume_unwind(panic.unwrap_or_else(|| Box::new("a reader ended before its text")))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.give = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Where the last sample of `text` begins that follows a blank line.
pub(crate) fn last_cut(text: &[u8]) -> Option<usize> {
    let is_head = |at: &usize| {
        let line = &text[*at..];
        memchr(b'\n', line).is_some_and(|end| regular::is_head(&line[..end]))
    };
    memmem::rfind_iter(text, b"\n\n").map(|at| at + 2).find(is_head)
}
