//! One message of the catalogue, decoded from its bytes.
//!
//! ```text
//! words × 2 + is open, a word each (0: the rarest, 1: the next rare, else rank + 2), a bit for each gap, bits,
//! set of releases, kind: level | returns an error << 3 | places << 4, [number of places, levels], places: path, function
//! ```

use super::catalogue::Catalogue;

/// The most words of a message.
pub(super) const MOST: usize = 40;
const MANY: u8 = 3;

/// Where a message is printed.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct Place {
    pub path: u32,
    /// The place of the function among those of its path.
    pub function: u32,
    /// 0 emergency … 7 debugging.
    pub level: u8,
    /// The code right behind the call returns an error.
    pub is_error: bool,
}

/// What is known of a message.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    pub bits: u8,
    /// A bit for each release that prints it.
    pub releases: u32,
    /// A bit for each level that a place prints it at.
    pub levels: u8,
    /// Places of the newest release that prints it; at most three are listed.
    pub place_count: u32,
    pub places: Vec<Place>,
}

/// The part of a message that a line is compared with.
pub(super) struct Skeleton {
    pub ranks: [u32; MOST],
    pub count: usize,
    /// A bit for each word before which a value may stand.
    pub gaps: u64,
    pub is_open: bool,
    pub bits: u8,
}

/// Reads numbers from the messages.
pub(super) struct Cursor<'d> {
    data: &'d [u8],
    pub at: usize,
}

impl<'d> Cursor<'d> {
    pub fn new(data: &'d [u8], at: usize) -> Self {
        Self { data, at }
    }

    #[inline]
    pub fn byte(&mut self) -> u8 {
        let byte = self.data.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    #[inline]
    pub fn number(&mut self) -> u64 {
        let first = self.byte();
        if first < 0x80 {
            return u64::from(first);
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..63).step_by(7) {
            let byte = self.byte();
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    pub fn small(&mut self) -> u32 {
        self.number() as u32
    }

    /// The next message's words, of the group of two rare words.
    pub fn skeleton(&mut self, first: u32, second: u32) -> Skeleton {
        let head = self.number();
        let count = usize::try_from(head / 2).unwrap_or(MOST).min(MOST);
        let mut ranks = [0; MOST];
        for rank in &mut ranks[..count] {
            *rank = match self.small() {
                0 => first,
                1 => second,
                other => other - 2,
            };
        }
        let gaps = self.number();
        Skeleton { ranks, count, gaps, is_open: head & 1 == 1, bits: self.byte() }
    }

    /// What stands behind the words of a message.
    pub fn details(&mut self) -> (usize, u32, u8, Vec<Place>) {
        let releases = self.number();
        let kind = self.byte();
        let listed = kind >> 4 & MANY;
        let (count, mut levels) =
            if kind >> 6 == 1 { (self.small(), self.byte()) } else { (u32::from(listed), 0) };
        let mut places = Vec::with_capacity(usize::from(listed));
        for number in 0..listed {
            let own = if number == 0 { kind } else { self.byte() };
            let level = own & 7;
            levels |= 1 << level;
            let place = Place { level, is_error: own & 8 != 0, path: self.small(), function: self.small() };
            places.push(place);
        }
        (usize::try_from(releases).unwrap_or(0), count, levels, places)
    }

    /// Step over what stands behind the words of a message.
    pub fn skip_details(&mut self) {
        self.number();
        let kind = self.byte();
        let listed = kind >> 4 & MANY;
        if kind >> 6 == 1 {
            self.number();
            self.byte();
        }
        for number in 0..listed {
            if number > 0 {
                self.byte();
            }
            self.number();
            self.number();
        }
    }
}

impl Catalogue<'_> {
    /// The message of a number that a lookup gave.
    #[must_use]
    pub fn entry(&self, number: u32) -> Entry {
        let mut cursor = Cursor::new(self.messages, number as usize);
        let bits = cursor.skeleton(0, 0).bits;
        let (releases, place_count, levels, places) = cursor.details();
        Entry { bits, releases: self.releases(releases), levels, place_count, places }
    }
}
