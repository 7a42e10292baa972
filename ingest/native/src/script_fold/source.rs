//! Text in pieces that end before a sample, from a file or from what is fed.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::Receiver;

use memchr::{memchr, memrchr};

use crate::perf::parallel::last_cut;
use crate::perf::reader::Chunk;
use crate::script_fold::Refusal;

/// Most bytes read at once: a piece stays in the processor's cache.
pub const READ_BYTES: usize = 512 << 10;

/// Text in which no sample begins for so long is read by one thread.
const MOST_UNCUT_BYTES: usize = 2 << 20;

/// Where text comes from.
pub enum Input {
    File(File),
    Fed(Receiver<Chunk>),
}

/// A buffer that is reused for one piece after another.
#[derive(Default)]
pub struct Piece {
    bytes: Vec<u8>,
    filled: usize,
    /// Bytes before `end` are the piece.
    end: usize,
    /// Number of the piece in the text.
    pub number: u64,
    /// It begins with a sample, or the text.
    pub is_cut: bool,
    /// Nothing follows.
    pub is_last: bool,
    /// A sample follows, or nothing.
    pub ends_cut: bool,
}

impl Piece {
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.end]
    }
}

/// Hands out pieces in the order of the text.
pub struct Source {
    input: Input,
    read_bytes: usize,
    /// Read already, and part of the next piece.
    rest: Vec<u8>,
    number: u64,
    is_over: bool,
    is_crlf: Option<bool>,
    /// The thread that reads everything from here, where no sample begins.
    only: Option<usize>,
    /// Bytes handed out.
    pub taken: u64,
}

impl Source {
    #[must_use]
    pub fn new(input: Input, read_bytes: usize) -> Self {
        Self {
            input,
            read_bytes,
            rest: Vec::new(),
            number: 0,
            is_over: false,
            is_crlf: None,
            only: None,
            taken: 0,
        }
    }

    /// Fill `piece` with the next one for thread `me`; false when there is none.
    ///
    /// # Errors
    /// The text cannot be read, or its line ends are not those of a text.
    pub fn next(&mut self, me: usize, piece: &mut Piece) -> Result<bool, Refusal> {
        if self.is_over || self.only.is_some_and(|only| only != me) {
            return Ok(false);
        }
        piece.filled = 0;
        append(piece, &self.rest);
        self.rest.clear();
        piece.number = self.number;
        piece.is_cut = self.only.is_none();
        piece.ends_cut = true;
        piece.is_last = false;
        self.number += 1;
        loop {
            let before = piece.filled;
            if !self.read(piece)? {
                self.is_over = true;
                piece.is_last = true;
                piece.end = piece.filled;
                break;
            }
            self.unify_line_ends(piece, before)?;
            let text = &piece.bytes[..piece.filled];
            if self.only.is_none()
                && let Some(end) = last_cut(text)
            {
                piece.end = end;
                break;
            }
            if text.len() >= MOST_UNCUT_BYTES.min(self.read_bytes * 4)
                && let Some(last) = memrchr(b'\n', text)
            {
                self.only = Some(me);
                piece.ends_cut = false;
                piece.end = last + 1;
                break;
            }
        }
        self.rest.extend_from_slice(&piece.bytes[piece.end..piece.filled]);
        self.taken += piece.end as u64;
        Ok(piece.end > 0)
    }

    /// Read more behind what is in `piece`; false at the end of the text.
    fn read(&mut self, piece: &mut Piece) -> Result<bool, Refusal> {
        match &mut self.input {
            Input::File(file) => {
                let wanted = piece.filled + self.read_bytes;
                if piece.bytes.len() < wanted {
                    piece.bytes.resize(wanted, 0);
                }
                loop {
                    match file.read(&mut piece.bytes[piece.filled..wanted]) {
                        Ok(count) => {
                            piece.filled += count;
                            return Ok(count > 0);
                        }
                        Err(error) if error.kind() == ErrorKind::Interrupted => {}
                        Err(_) => return Err(Refusal::Unreadable),
                    }
                }
            }
            Input::Fed(chunks) => {
                let before = piece.filled;
                while piece.filled < before + self.read_bytes
                    && let Ok(chunk) = chunks.recv()
                {
                    append(piece, (*chunk).as_ref());
                }
                Ok(piece.filled > before)
            }
        }
    }

    /// Make LF of CRLF where the first line ends so.
    fn unify_line_ends(&mut self, piece: &mut Piece, from: usize) -> Result<(), Refusal> {
        let text = &piece.bytes[..piece.filled];
        let is_crlf = *self
            .is_crlf
            .get_or_insert_with(|| memchr(b'\n', text).is_some_and(|end| end > 0 && text[end - 1] == b'\r'));
        if !is_crlf {
            return Ok(());
        }
        // The last byte read before may be the first half of a line end.
        let from = from.saturating_sub(1);
        let mut to = from;
        let mut at = from;
        while let Some(found) = memchr(b'\r', &piece.bytes[at..piece.filled]) {
            let found = at + found;
            piece.bytes.copy_within(at..found, to);
            to += found - at;
            at = found + 1;
            match piece.bytes[..piece.filled].get(at) {
                Some(b'\n') => {}
                None => {
                    piece.bytes[to] = b'\r';
                    to += 1;
                }
                Some(_) => return Err(Refusal::NotPlain),
            }
        }
        piece.bytes.copy_within(at..piece.filled, to);
        piece.filled = to + piece.filled - at;
        Ok(())
    }
}

fn append(piece: &mut Piece, text: &[u8]) {
    let end = piece.filled + text.len();
    if piece.bytes.len() < end {
        piece.bytes.resize(end, 0);
    }
    piece.bytes[piece.filled..end].copy_from_slice(text);
    piece.filled = end;
}
