//! The sections of `catalogue.bin`, all numbers little-endian; `tools/message_catalogue/pack.py` writes them.
//!
//! ```text
//! head     magic, then offset and length of each section
//! tops     where the hashes with the same 12 first bits begin
//! hashes   of the words, ascending
//! ranks    of the word of each hash: 0 is the commonest
//! bases    where the messages of 32 ranks begin
//! starts   of the messages of each rank, behind its base
//! messages by their rarest word, in groups by the next rare one: rank + 1 less that of the group before, length, messages
//! releases distinct sets of releases
//! about    JSON for people
//! names    compressed blocks of paths with their modules and functions, behind a table of their ends
//! ```

use super::words::Word;

const MAGIC: &[u8; 8] = b"CBKMSG\x01\0";
const SECTIONS: usize = 9;
const TOP_SHIFT: u32 = 20;
const RANK_BYTES: usize = 3;
/// Ranks with one base.
const TOGETHER: usize = 32;

/// A catalogue on its bytes.
pub struct Catalogue<'d> {
    tops: &'d [u8],
    hashes: &'d [u8],
    ranks: &'d [u8],
    bases: &'d [u8],
    starts: &'d [u8],
    pub(super) messages: &'d [u8],
    releases: &'d [u8],
    about: &'d [u8],
    names: &'d [u8],
}

impl<'d> Catalogue<'d> {
    /// Open the bytes of a catalogue; None when they are none.
    #[must_use]
    pub fn open(data: &'d [u8]) -> Option<Self> {
        let mut head = data.strip_prefix(MAGIC)?;
        let mut sections = [&data[..0]; SECTIONS];
        for section in &mut sections {
            let (start, length);
            (start, head) = number(head)?;
            (length, head) = number(head)?;
            *section = data.get(start..start.checked_add(length)?)?;
        }
        let [tops, hashes, ranks, bases, starts, messages, releases, about, names] = sections;
        Some(Self { tops, hashes, ranks, bases, starts, messages, releases, about, names })
    }

    /// The rank of a word; None when no message has it.
    pub(super) fn rank(&self, word: Word) -> Option<u32> {
        let top = (word.hash >> TOP_SHIFT) as usize;
        let (from, to) = (u32_at(self.tops, top) as usize, u32_at(self.tops, top + 1) as usize);
        let place = self.hashes.get(4 * from..4 * to)?.as_chunks::<4>().0;
        let inside = place.binary_search_by_key(&word.hash, |bytes| u32::from_le_bytes(*bytes)).ok()?;
        let bytes = self.ranks.get(RANK_BYTES * (from + inside)..)?;
        Some(u32::from_le_bytes([*bytes.first()?, *bytes.get(1)?, *bytes.get(2)?, 0]))
    }

    /// First byte and the byte behind of the messages whose rarest word has this rank.
    pub(super) fn bucket(&self, rank: u32) -> (usize, usize) {
        (self.start(rank as usize), self.start(rank as usize + 1))
    }

    fn start(&self, rank: usize) -> usize {
        let inside = self
            .starts
            .get(2 * rank..2 * rank + 2)
            .map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        u32_at(self.bases, rank / TOGETHER) as usize + usize::from(inside)
    }

    /// The releases of a set, one bit for each.
    pub(super) fn releases(&self, number: usize) -> u32 {
        u32_at(self.releases, number)
    }

    /// What the catalogue was made from, as JSON.
    #[must_use]
    pub fn about(&self) -> &'d [u8] {
        self.about
    }

    /// A compressed block of names; None behind the last.
    #[must_use]
    pub fn names(&self, block: usize) -> Option<&'d [u8]> {
        let count = u32_at(self.names, 0) as usize;
        let data = self.names.get(4 * (count + 1)..)?;
        let start = if block == 0 { 0 } else { u32_at(self.names, block) as usize };
        (block < count).then(|| data.get(start..u32_at(self.names, block + 1) as usize))?
    }
}

fn number(head: &[u8]) -> Option<(usize, &[u8])> {
    let (bytes, rest) = head.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*bytes) as usize, rest))
}

fn u32_at(section: &[u8], place: usize) -> u32 {
    let bytes = section.get(4 * place..).and_then(<[u8]>::first_chunk::<4>);
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
