//! The kernel's own messages: which source line prints a line of a log.
//!
//! `catalogue.bin` is written by `python -m tools.message_catalogue`; it holds the order of the constant words of each
//! message as ranks in a table of 4-byte hashes, its level, places and releases, and no text of a message. It is a part of
//! the library, so the system maps it on first use and all processes share it.
//!
//! ```text
//! usb 1-1: device descriptor read/64, error -71   ->   device descriptor read error, drivers/usb/core/hub.c, level 3
//! ```

pub mod catalogue;
mod entry;
pub mod lookup;
pub mod words;

pub use catalogue::Catalogue;
pub use entry::{Entry, Place};
pub use lookup::Found;

/// Constant words of fewer bits do not tell a kernel message from a line of a program.
pub const LEAST_BITS: u8 = 24;

static DATA: &[u8] = include_bytes!("catalogue.bin");

/// The catalogue of this build.
///
/// # Panics
/// Never: a test opens the data of the build.
#[must_use]
pub fn catalogue() -> &'static Catalogue<'static> {
    static OPENED: std::sync::OnceLock<Catalogue<'static>> = std::sync::OnceLock::new();
    OPENED.get_or_init(|| Catalogue::open(DATA).expect("the data of the build is whole"))
}

/// Bits and number of the catalogued message that `text` is, behind what the kernel prints before a message: a device
/// or the name of a module. None when it is none; fewer than `LEAST_BITS` bits are no evidence of the kernel.
#[must_use]
pub fn message_bits(text: &[u8]) -> Option<(u8, u32)> {
    catalogue().find(text).map(|found| (found.bits, found.entry))
}

#[cfg(test)]
fn stated_count(key: &str) -> usize {
    let about = String::from_utf8(catalogue().about().to_vec()).unwrap();
    let rest = about.split(&format!("\"{key}\":")).nth(1).unwrap();
    rest.split([',', '}']).next().unwrap().parse().unwrap()
}

/// How many words have a rank.
#[cfg(test)]
fn word_count() -> u32 {
    u32::try_from(stated_count("words")).unwrap()
}

#[cfg(test)]
mod tests {
    use super::{LEAST_BITS, catalogue, message_bits, stated_count, word_count};

    #[test]
    fn every_message_of_the_build_decodes() {
        let skeletons = catalogue().skeletons(word_count());
        assert_eq!(skeletons.len(), stated_count("messages"));
        for (number, _) in skeletons {
            let entry = catalogue().entry(number);
            assert!(entry.releases != 0 && entry.levels != 0, "{number}");
            assert!((1..=3).contains(&entry.places.len()), "{number}");
            assert!(entry.place_count as usize >= entry.places.len(), "{number}");
        }
    }

    #[test]
    fn values_of_any_kind_stand_in_the_gaps() {
        let bits = |text: &str| message_bits(text.as_bytes());
        let found = bits("nvme nvme0: I/O 12 QID 5 timeout, completion polled").unwrap();
        assert!(found.0 >= LEAST_BITS);
        assert_eq!(bits("nvme nvme7: I/O 0x1f QID 12 timeout, completion polled"), Some(found));
        assert_ne!(bits("nvme nvme0: I/O 12 QID 5 timeout, completion polled again"), Some(found));
        assert_ne!(bits("no I/O 12 QID 5 timeout, completion polled"), Some(found));
    }

    #[test]
    fn hostile_lines_are_read_to_their_limit_only() {
        for text in ["failed to ".repeat(100_000), "x".repeat(1_000_000), "\u{0}".repeat(9_000)] {
            assert!(message_bits(text.as_bytes()).is_none_or(|(bits, _)| bits < 64));
        }
    }
}
