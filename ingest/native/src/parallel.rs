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
const PART_BYTES: usize = 4 << 20;

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
fn last_cut(text: &[u8]) -> Option<usize> {
    let is_head = |at: &usize| {
        let line = &text[*at..];
        memchr(b'\n', line).is_some_and(|end| regular::is_head(&line[..end]))
    };
    memmem::rfind_iter(text, b"\n\n").map(|at| at + 2).find(is_head)
}

#[cfg(test)]
mod tests {
    use super::{Parallel, last_cut};
    use crate::perf_script::State;

    fn read(text: &str, threads: usize, part_bytes: usize, chunk: usize) -> State {
        let mut parser = Parallel::new(1, 4096, threads);
        parser.part_bytes = part_bytes;
        for piece in text.as_bytes().chunks(chunk) {
            parser.feed(piece).unwrap();
        }
        parser.finish().unwrap()
    }

    /// Everything a caller can see of a reading.
    fn told(state: State) -> String {
        let events: Vec<_> = state
            .events
            .iter()
            .map(|event| {
                let tree = (&event.tree.nodes.parents, &event.tree.nodes.frames, &event.tree.nodes.lines);
                let of = &event.samples;
                let samples = (&of.nodes, &of.weights, &of.times, &of.cpus, &of.threads, &of.lines);
                let rest = (of.has_weights, of.has_times, of.has_cpus, of.deep);
                format!("{:?} {tree:?} {samples:?} {rest:?}", event.name)
            })
            .collect();
        let rest = (&state.comments, state.lost, state.lost_line, state.cut_line);
        format!(
            "{:?} {:?} {events:?} {rest:?} {:?}",
            state.frames.known,
            state.threads.known,
            state.skips.into_rows()
        )
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
        let one = told(read(&text, 1, 1 << 20, 1 << 20));
        for threads in [2, 3, 8] {
            for part_bytes in [100, 333, 5000] {
                for chunk in [50, 1000] {
                    assert_eq!(
                        told(read(&text, threads, part_bytes, chunk)),
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
        assert_eq!(told(read(&text, 2, 60, 40)), told(read(&text, 1, 1, 1 << 20)));
    }

    #[test]
    fn a_text_without_blank_lines_is_read_by_one_thread() {
        let text = "a 1 1.5: cycles: \n\tffffffff81000000 f ([k])\n".repeat(100);
        assert_eq!(told(read(&text, 2, 60, 40)), told(read(&text, 1, 1, 1 << 20)));
    }

    #[test]
    fn a_line_that_is_too_long_is_told_by_its_number_in_the_whole() {
        let mut parser = Parallel::new(1, 64, 2);
        parser.part_bytes = 100;
        let text = sample(1).repeat(4) + &"x".repeat(100) + "\n\n" + &sample(2).repeat(9);
        let failed = text.as_bytes().chunks(30).find_map(|piece| parser.feed(piece).err());
        assert_eq!(failed.map(|error| error.line), Some(17));
    }

    #[test]
    fn a_cut_is_before_the_head_of_a_sample() {
        assert_eq!(last_cut(b"a\n\nb 1 1.5: cycles: \n\n\tc\n"), Some(3));
        assert_eq!(last_cut(b"a\n\n\tb\n\nc 1 1.5: cyc"), None);
        assert_eq!(last_cut(b"a\n\nWarning: x\n\n81000000 f ([k])\n"), None);
    }
}
