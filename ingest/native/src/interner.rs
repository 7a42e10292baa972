//! Frames and threads, each once, found again by their text.

use crate::frame::{self, Address, Kind};
use crate::hash::{DigestMap, Key};
use crate::header::Header;

/// A frame as it is kept.
#[derive(Debug, Clone)]
pub struct KnownFrame {
    pub name: String,
    pub module: String,
    pub kind: Kind,
}

/// Interns frames; every distinct line of text is understood once.
pub struct Frames {
    key: Key,
    by_line: DigestMap<u32>,
    by_frame: DigestMap<u32>,
    pub known: Vec<KnownFrame>,
}

impl Frames {
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self { key, by_line: DigestMap::default(), by_frame: DigestMap::default(), known: Vec::new() }
    }

    /// The frame of a stack line. Text alone decides, so the address's noise does not make new entries.
    pub fn of_line(&mut self, address: &[u8], rest: &[u8]) -> u32 {
        let place = Address::of(address);
        if rest.is_empty() {
            let frame = frame::parse(rest, address);
            return self.of(frame.name, frame.module, frame.kind);
        }
        let digest = self.key.text(rest, place as u64);
        if let Some(&known) = self.by_line.get(&digest) {
            return known;
        }
        let frame = frame::parse(rest, address);
        let known = self.of(frame.name, frame.module, frame.kind);
        self.by_line.insert(digest, known);
        known
    }

    /// The frame of given parts.
    #[allow(clippy::cast_possible_truncation)]
    pub fn of(&mut self, name: &[u8], module: &[u8], kind: Kind) -> u32 {
        let seed = 100 + kind as u64;
        let digest = self.key.text(name, seed) ^ self.key.text(module, seed + 100).rotate_left(1);
        *self.by_frame.entry(digest).or_insert_with(|| {
            self.known.push(KnownFrame {
                name: String::from_utf8_lossy(name).into_owned(),
                module: String::from_utf8_lossy(module).into_owned(),
                kind,
            });
            (self.known.len() - 1) as u32
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

/// Interns threads.
pub struct Threads {
    key: Key,
    by_text: DigestMap<u32>,
    pub known: Vec<Thread>,
}

impl Threads {
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self { key, by_text: DigestMap::default(), known: Vec::new() }
    }

    pub fn of_header(&mut self, header: &Header<'_>) -> u32 {
        self.of(header.comm, header.pid, header.tid)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn of(&mut self, comm: &[u8], pid: i32, tid: i32) -> u32 {
        let seed = (u64::from(pid as u32) << 32) | u64::from(tid as u32);
        let digest = self.key.text(comm, seed);
        *self.by_text.entry(digest).or_insert_with(|| {
            self.known.push(Thread { comm: String::from_utf8_lossy(comm).into_owned(), pid, tid });
            (self.known.len() - 1) as u32
        })
    }
}
