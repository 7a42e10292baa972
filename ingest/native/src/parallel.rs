//! `perf script` text read by several threads: cut between samples, read apart, merged in order.
//!
//! A cut is a blank line before a line that is not indented. The reader of a part says whether its first line
//! stands by itself; where it does not, and where no place to cut is found, the text is read by one thread as
//! if there were no other. So the result never depends on the number of threads.

use std::collections::VecDeque;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use memchr::memmem;

use crate::lines::LineTooLong;
use crate::perf_script::{PerfScript, State};
use crate::tokens;

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
    reading: VecDeque<Reading>,
    threads: usize,
    max_line_bytes: usize,
    part_bytes: usize,
}

/// A part that is being read, or was read where no thread could be started.
enum Reading {
    Apart(JoinHandle<Part>),
    Done(Box<Part>),
}

/// A part of the text and what was read out of it, lines counted from 1.
struct Part {
    text: Vec<u8>,
    read: Result<(State, u32), LineTooLong>,
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
            reading: VecDeque::new(),
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
        let Some(end) = last_cut(&self.text) else {
            // Not the text we know how to cut: one thread reads on from here.
            self.threads = 1;
            return self.read_rest();
        };
        let mut rest = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(self.part_bytes + chunk.len()));
        rest.extend_from_slice(&self.text[end..]);
        self.text.truncate(end);
        let text = std::mem::replace(&mut self.text, rest);
        self.reading.push_back(read_apart(text, self.max_line_bytes));
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
        self.whole.finish()
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
        let part = match self.reading.pop_front() {
            None => return Ok(()),
            Some(Reading::Done(part)) => *part,
            Some(Reading::Apart(handle)) => {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }
        };
        match part.read {
            Ok((state, lines)) if state.begins_anew != Some(false) => {
                self.whole.state.absorb(state);
                self.whole.lines.skip(lines);
            }
            // Read again where its beginning is known; a line that is too long is found again, with its number.
            _ => self.whole.feed(&part.text)?,
        }
        let mut text = part.text;
        text.clear();
        self.spare.push(text);
        Ok(())
    }
}

fn read_apart(text: Vec<u8>, max_line_bytes: usize) -> Reading {
    let (send, receive) = mpsc::channel::<Vec<u8>>();
    let body = move || read(receive.recv().unwrap_or_default(), max_line_bytes);
    match thread::Builder::new().spawn(body) {
        Ok(handle) => match send.send(text) {
            Ok(()) => Reading::Apart(handle),
            Err(mpsc::SendError(text)) => Reading::Done(Box::new(read(text, max_line_bytes))),
        },
        Err(_) => Reading::Done(Box::new(read(text, max_line_bytes))),
    }
}

fn read(text: Vec<u8>, max_line_bytes: usize) -> Part {
    let mut parser = PerfScript::new(1, max_line_bytes);
    let read = parser.feed(&text);
    let lines = parser.lines.given(1);
    Part { text, read: read.map(|()| (parser.state, lines)) }
}

/// Where the last sample of `text` begins that follows a blank line.
fn last_cut(text: &[u8]) -> Option<usize> {
    let is_head =
        |at: usize| text.get(at).is_some_and(|&byte| !tokens::is_blank(byte) && byte > b' ' && byte != b'#');
    memmem::rfind_iter(text, b"\n\n").map(|at| at + 2).find(|&at| is_head(at))
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
                let tree = (&event.tree.parents, &event.tree.frames, &event.tree.lines);
                let samples =
                    (&event.nodes, &event.weights, &event.times, &event.cpus, &event.threads, &event.lines);
                let rest = (event.has_weights, event.has_times, event.has_cpus, event.deep);
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
    fn a_cut_is_before_a_line_that_is_not_indented() {
        assert_eq!(last_cut(b"a\n\nb\n\n\tc"), Some(3));
        assert_eq!(last_cut(b"a\n\n\tb\n\n"), None);
    }
}
