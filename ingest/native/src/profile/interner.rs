//! Interners of frames and threads, keyed by their text.

use crate::perf::frame::{self, Address, Kind};
use crate::perf::header::Header;
use crate::profile::demangle::demangled;
use crate::profile::hash::{DigestMap, Key};

/// An interned frame.
#[derive(Debug, Clone)]
pub struct KnownFrame {
    pub name: String,
    pub module: String,
    pub kind: Kind,
}

/// Interns frames; each distinct line is parsed once, whatever its offset into the function.
///
/// A function mostly has the caller it had last time, so the line that followed a line is tried first: comparing
/// text in the cache is cheaper than a digest and a look-up.
pub struct Frames {
    key: Key,
    by_line: DigestMap<u32>,
    by_frame: DigestMap<u32>,
    lines: Vec<KnownLine>,
    texts: Vec<u8>,
    last: usize,
    digests: Vec<u128>,
    pub entries: Vec<KnownFrame>,
}

/// A distinct line: its text in `texts`, its frame, and the line that followed it last.
struct KnownLine {
    start: usize,
    length: usize,
    place: Address,
    frame: u32,
    next: u32,
}

/// Longer lines are not cached.
const MOST_KEPT_BYTES: usize = 256;

impl Frames {
    #[must_use]
    pub fn new(key: Key) -> Self {
        // The line before all others, which no text equals.
        let nothing =
            KnownLine { start: 0, length: usize::MAX, place: Address::NotPrinted, frame: 0, next: 0 };
        Self {
            key,
            by_line: DigestMap::default(),
            by_frame: DigestMap::default(),
            lines: vec![nothing],
            texts: Vec::new(),
            last: 0,
            digests: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Digest of the content of a frame, independent of its number.
    #[must_use]
    pub fn digest(&self, frame: u32) -> u128 {
        self.digests[frame as usize]
    }

    /// Give away the frames that are new since the last time, and their digests.
    pub fn hand_over(&mut self) -> Vec<(KnownFrame, u128)> {
        let new = std::mem::take(&mut self.entries);
        let digests = self.digests[self.digests.len() - new.len()..].iter().copied();
        new.into_iter().zip(digests).collect()
    }

    /// The frame of a stack line. Text alone decides, so the address's noise does not make new entries.
    pub fn of_line(&mut self, address: &[u8], rest: &[u8]) -> u32 {
        let place = Address::of(address);
        if rest.is_empty() {
            let frame = frame::parse(rest, address);
            return self.of(frame.name, frame.module, frame.kind);
        }
        let next = self.lines[self.last].next as usize;
        if self.is(next, rest, place) {
            self.last = next;
            return self.lines[next].frame;
        }
        let (symbol, module) = frame::around_offset(rest);
        let digest = self.key.text(symbol, place as u64) ^ self.key.text(module, 99).rotate_left(1);
        let line = match self.by_line.get(&digest) {
            Some(&line) => line,
            None => self.keep(digest, address, rest, place),
        };
        self.lines[self.last].next = line;
        self.last = line as usize;
        self.lines[self.last].frame
    }

    fn is(&self, line: usize, rest: &[u8], place: Address) -> bool {
        let cached = &self.lines[line];
        cached.length == rest.len()
            && cached.place == place
            && &self.texts[cached.start..cached.start + cached.length] == rest
    }

    #[allow(clippy::cast_possible_truncation)]
    fn keep(&mut self, digest: u128, address: &[u8], rest: &[u8], place: Address) -> u32 {
        let frame = frame::parse(rest, address);
        let frame = self.of(frame.name, frame.module, frame.kind);
        let is_kept = rest.len() <= MOST_KEPT_BYTES;
        let length = if is_kept { rest.len() } else { usize::MAX };
        self.lines.push(KnownLine { start: self.texts.len(), length, place, frame, next: 0 });
        if is_kept {
            self.texts.extend_from_slice(rest);
        }
        let line = (self.lines.len() - 1) as u32;
        self.by_line.insert(digest, line);
        line
    }

    /// The frame of given parts; a mangled name is the one of the source.
    pub fn of(&mut self, name: &[u8], module: &[u8], kind: Kind) -> u32 {
        let plain = demangled(name);
        let name = plain.as_deref().map_or(name, str::as_bytes);
        let seed = 100 + kind as u64;
        let digest = self.key.text(name, seed) ^ self.key.text(module, seed + 100).rotate_left(1);
        self.of_digest(digest, || KnownFrame {
            name: String::from_utf8_lossy(name).into_owned(),
            module: String::from_utf8_lossy(module).into_owned(),
            kind,
        })
    }

    /// The frame that was digested elsewhere.
    #[allow(clippy::cast_possible_truncation)]
    pub fn of_digest(&mut self, digest: u128, frame: impl FnOnce() -> KnownFrame) -> u32 {
        *self.by_frame.entry(digest).or_insert_with(|| {
            self.entries.push(frame());
            self.digests.push(digest);
            (self.digests.len() - 1) as u32
        })
    }
}

/// Who ran: -1 where not printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thread {
    pub comm: String,
    pub pid: i32,
    pub tid: i32,
}

/// Interns threads; the one that ran last with the same last digits of its id is tried first.
pub struct Threads {
    key: Key,
    by_text: DigestMap<u32>,
    recent: [u32; RECENT],
    /// Number of `entries` already transferred to the main reader.
    before: usize,
    pub entries: Vec<Thread>,
}

const RECENT: usize = 256;

impl Threads {
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self { key, by_text: DigestMap::default(), recent: [0; RECENT], before: 0, entries: Vec::new() }
    }

    /// Tell the threads that are new since the last time.
    pub fn hand_over(&mut self) -> Vec<Thread> {
        let new = self.entries[self.before..].to_vec();
        self.before = self.entries.len();
        new
    }

    pub fn of_header(&mut self, header: &Header<'_>) -> u32 {
        self.of(header.comm, header.pid, header.tid)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn of(&mut self, comm: &[u8], pid: i32, tid: i32) -> u32 {
        let place = tid as u32 as usize % RECENT;
        let recent = self.recent[place];
        let is_it =
            |thread: &Thread| thread.tid == tid && thread.pid == pid && thread.comm.as_bytes() == comm;
        if self.entries.get(recent as usize).is_some_and(is_it) {
            return recent;
        }
        let seed = (u64::from(pid as u32) << 32) | u64::from(tid as u32);
        // Keyed by the lossy text: part readers transfer text, not bytes.
        let comm = String::from_utf8_lossy(comm);
        let digest = self.key.text(comm.as_bytes(), seed);
        let index = *self.by_text.entry(digest).or_insert_with(|| {
            self.entries.push(Thread { comm: comm.into_owned(), pid, tid });
            (self.entries.len() - 1) as u32
        });
        self.recent[place] = index;
        index
    }
}
