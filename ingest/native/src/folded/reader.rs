//! Folded stacks: `comm;outermost;…;innermost weight`, one line per distinct stack or, ordered, per sample.
//!
//! ```text
//! java;start_thread;JavaThread::run;Interpreter_[j];sys_read_[k] 42
//! ksoftirqd/11;ret_from_fork;kthread;run_ksoftirqd;__do_softirq
//! ```
//! Source: stackcollapse-perf.pl of github.com/brendangregg/FlameGraph (annotations `_[k]`, `_[j]`, `_[i]`).

use crate::perf::frame::{Kind, UNKNOWN};
use crate::perf::header::NONE;
use crate::profile::hash::{DigestMap, Key};
use crate::profile::interner::{Frames, Threads};
use crate::profile::lines::{LineTooLong, Lines};
use crate::profile::samples::{Event, Stated};
use crate::profile::skips::Skips;
use crate::profile::tokens;
use crate::profile::tree::{FrameAt, Tree};

/// A text of folded stacks.
pub struct Folded {
    lines: Lines,
    state: State,
}

/// What was read so far.
pub struct State {
    key: Key,
    entries: Vec<String>,
    is_entry: DigestMap<bool>,
    by_stack: DigestMap<(i32, u32, u32)>,
    pub frames: Frames,
    pub threads: Threads,
    pub event: Event,
    has_weight: Vec<bool>,
    pub skips: Skips,
    pub has_equal_neighbours: bool,
    pub cut_line: u32,
    previous: u128,
    stack: Vec<FrameAt>,
}

impl Folded {
    /// `entries` are kernel entry functions; one that ends in `*` is a prefix.
    #[must_use]
    pub fn new(first_line: u32, max_line_bytes: usize, entries: Vec<String>) -> Self {
        let key = Key::of_process();
        let state = State {
            key,
            entries,
            is_entry: DigestMap::default(),
            by_stack: DigestMap::default(),
            frames: Frames::new(key),
            threads: Threads::new(key),
            event: Event::new(b"", Tree::new(key)),
            has_weight: Vec::new(),
            skips: Skips::default(),
            has_equal_neighbours: false,
            cut_line: 0,
            previous: 0,
            stack: Vec::new(),
        };
        Self { lines: Lines::new(first_line, max_line_bytes), state }
    }

    /// Read more text.
    ///
    /// # Errors
    /// When a line is too long.
    pub fn feed(&mut self, chunk: &[u8]) -> Result<(), LineTooLong> {
        let state = &mut self.state;
        self.lines.feed(chunk, |line, number| state.take(line, number))
    }

    /// Read the last line; drop lines without weight where others have one.
    ///
    /// # Errors
    /// When the last line is too long.
    pub fn finish(mut self) -> Result<State, LineTooLong> {
        let state = &mut self.state;
        self.lines.finish(|line, number| state.take(line, number))?;
        state.end();
        Ok(self.state)
    }
}

impl State {
    fn take(&mut self, line: &[u8], number: u32) {
        let text = tokens::trim(line);
        if text.is_empty() {
            return;
        }
        if text.starts_with(b"#") || text.starts_with(b"//") {
            self.skips.add("comment", number);
            return;
        }
        let (stack, weight) = split_weight(text);
        if stack.is_empty() || weight.is_none() && !stack.contains(&b';') {
            self.skips.add("not a folded stack", number);
            return;
        }
        let digest = self.key.text(stack, 0);
        let (node, thread, depth) = match self.by_stack.get(&digest) {
            Some(&existing) => existing,
            None => self.learn(stack, digest, number),
        };
        self.has_equal_neighbours |= digest == self.previous;
        self.previous = digest;
        let stated = Stated { thread, cpu: NONE, time: None, weight, line: number };
        self.event.samples.push(stated, node, depth as usize);
        self.has_weight.push(weight.is_some());
    }

    #[allow(clippy::cast_possible_truncation)]
    fn learn(&mut self, stack: &[u8], digest: u128, number: u32) -> (i32, u32, u32) {
        let mut words: Vec<&[u8]> = stack.split(|&byte| byte == b';').collect();
        if let Some(last) = words.last()
            && (last.ends_with("…".as_bytes()) || last.ends_with(b"..."))
            && words.len() > 1
        {
            words.pop();
            self.skips.add("frame cut off at the end of a line", number);
            if self.cut_line == 0 {
                self.cut_line = number;
            }
        }
        let thread = self.thread(words[0]);
        self.stack.clear();
        let mut is_kernel = false;
        for (at, word) in words.iter().enumerate() {
            let word = tokens::trim(word);
            is_kernel |= at > 0 && self.is_entry(word);
            let frame = self.frame(word, is_kernel);
            self.stack.push(FrameAt { frame, digest: self.frames.digest(frame), line: number });
        }
        self.stack.reverse();
        let counted = (self.event.tree.path_of(&self.stack).node, thread, self.stack.len() as u32);
        self.by_stack.insert(digest, counted);
        counted
    }

    /// The first word names who ran: `java`, with `--tid` `java-14031/14056`.
    fn thread(&mut self, word: &[u8]) -> u32 {
        if let Some(dash) = word.iter().rposition(|&byte| byte == b'-') {
            let mut ids = word[dash + 1..].splitn(2, |&byte| byte == b'/');
            if let (Some(pid), Some(tid)) = (ids.next(), ids.next())
                && (tokens::is_decimal(pid) || pid == b"?")
                && tokens::is_decimal(tid)
            {
                let pid = tokens::integer(pid).unwrap_or(NONE);
                return self.threads.of(&word[..dash], pid, tokens::integer(tid).unwrap_or(NONE));
            }
        }
        self.threads.of(word, NONE, NONE)
    }

    fn frame(&mut self, word: &[u8], is_kernel: bool) -> u32 {
        let by_place = if is_kernel { Kind::Kernel } else { Kind::Unknown };
        let (name, kind) = match word.iter().rposition(|&byte| byte == b'_') {
            Some(at) if at > 0 => match &word[at..] {
                b"_[k]" => (&word[..at], Kind::Kernel),
                b"_[j]" => (&word[..at], Kind::Jit),
                b"_[i]" => (&word[..at], by_place),
                _ => (word, by_place),
            },
            _ => (word, by_place),
        };
        let name = if name.is_empty() { UNKNOWN } else { name };
        self.frames.of(name, b"", kind)
    }

    fn is_entry(&mut self, word: &[u8]) -> bool {
        let digest = self.key.text(word, 1);
        *self.is_entry.entry(digest).or_insert_with(|| {
            let bare = word.strip_suffix(b"_[k]").unwrap_or(word);
            self.entries.iter().any(|entry| match entry.strip_suffix('*') {
                Some(prefix) => bare.starts_with(prefix.as_bytes()),
                None => bare == entry.as_bytes(),
            })
        })
    }

    fn end(&mut self) {
        let weighted = self.has_weight.iter().filter(|&&has| has).count();
        if weighted == 0 || weighted == self.has_weight.len() {
            return;
        }
        let keep = std::mem::take(&mut self.has_weight);
        let samples = &mut self.event.samples;
        for (&line, _) in samples.lines.iter().zip(&keep).filter(|(_, keep)| !**keep) {
            self.skips.add("folded stack without a weight", line);
        }
        retain(&mut samples.nodes, &keep);
        retain(&mut samples.weights, &keep);
        retain(&mut samples.times, &keep);
        retain(&mut samples.cpus, &keep);
        retain(&mut samples.threads, &keep);
        retain(&mut samples.lines, &keep);
        samples.has_weights = true;
    }
}

fn retain<T>(column: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    column.retain(|_| *flags.next().unwrap_or(&true));
}

/// The stack and the number behind its last blank; blanks inside frames are theirs.
fn split_weight(text: &[u8]) -> (&[u8], Option<f64>) {
    let Some(blank) = text.iter().rposition(|&byte| tokens::is_blank(byte)) else {
        return (text, None);
    };
    let number = &text[blank + 1..];
    let is_number = number.first().is_some_and(u8::is_ascii_digit)
        && number.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.');
    match tokens::decimal(number).filter(|weight| is_number && weight.is_finite()) {
        Some(weight) => (tokens::trim_end(&text[..blank]), Some(weight)),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, State, split_weight};

    fn read(text: &str) -> State {
        let entries = vec!["do_syscall_64".to_owned(), "entry_SYSCALL_64*".to_owned()];
        let mut folded = Folded::new(1, 1000, entries);
        folded.feed(text.as_bytes()).unwrap();
        folded.finish().unwrap()
    }

    #[test]
    fn a_weight_is_the_last_number() {
        let cases: [(&str, &str, Option<f64>); 5] = [
            ("a;b 12", "a;b", Some(12.0)),
            ("a;f(int, char) 1.5", "a;f(int, char)", Some(1.5)),
            ("a;b 6.", "a;b", Some(6.0)),
            ("a;b c", "a;b c", None),
            ("a;b", "a;b", None),
        ];
        for (line, stack, weight) in cases {
            assert_eq!(split_weight(line.as_bytes()), (stack.as_bytes(), weight));
        }
    }

    #[test]
    fn below_an_entry_everything_is_kernel() {
        let state = read("do_syscall_64;main;entry_SYSCALL_64_after_hwframe;ksys_read 1\n");
        let kinds: Vec<_> = state.frames.entries.iter().map(|frame| frame.kind.name()).collect();
        assert_eq!(kinds, ["unknown", "unknown", "kernel", "kernel"]);
    }

    #[test]
    fn lines_without_weight_are_dropped_where_others_have_one() {
        let state = read("a;b 2\na;c\n# note\n");
        assert_eq!((state.event.samples.nodes.len(), state.event.samples.weights), (1, vec![2.0]));
        let reasons: Vec<_> = state.skips.into_rows().into_iter().map(|row| (row.0, row.2)).collect();
        assert_eq!(reasons, [("comment".to_owned(), 3), ("folded stack without a weight".to_owned(), 2)]);
    }

    #[test]
    fn equal_neighbours_are_samples_in_order() {
        assert!(read("a;b\na;b\n").has_equal_neighbours);
        assert!(!read("a;b 1\na;c 1\na;b 1\n").has_equal_neighbours);
    }
}
