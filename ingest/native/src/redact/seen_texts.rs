//! Places that a first pass found in a text: the second pass, which gets the same pieces, does not search again.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use crate::redact::patterns::Place;

/// Places that are kept; texts beyond that are searched again.
const MAX_PLACES: usize = 1 << 20;
/// What a text without any place counts.
const SHARE_OF_TEXT: usize = 8;

/// Texts by hashes, keyed per process.
#[derive(Default)]
pub(crate) struct SeenTexts {
    places: HashMap<u64, (Vec<Place>, usize)>,
    kept: usize,
    hasher: RandomState,
}

impl SeenTexts {
    /// The hash of a text.
    pub(crate) fn hash_of(&self, text: &[u8]) -> u64 {
        self.hasher.hash_one(text)
    }

    /// The places in a text that was seen once, and how many of them are those of rules; it is forgotten.
    pub(crate) fn take(&mut self, hash: u64) -> Option<(Vec<Place>, usize)> {
        let found = self.places.remove(&hash)?;
        self.kept -= found.0.len() + SHARE_OF_TEXT;
        Some(found)
    }

    /// Keep the places in a text until it is seen again.
    pub(crate) fn put(&mut self, hash: u64, places: &[Place], of_rules: usize) {
        let size = places.len() + SHARE_OF_TEXT;
        if self.kept + size <= MAX_PLACES {
            self.kept += size;
            self.places.insert(hash, (places.to_vec(), of_rules));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PLACES, SeenTexts};

    #[test]
    fn a_text_is_known_once() {
        let mut seen = SeenTexts::default();
        let hash = seen.hash_of(b"on db7");
        assert_eq!(seen.take(hash), None);
        seen.put(hash, &[(3, 6, 0)], 1);
        assert_eq!(seen.take(hash), Some((vec![(3, 6, 0)], 1)));
        assert_eq!((seen.take(hash), seen.kept), (None, 0));
    }

    #[test]
    fn no_more_places_are_kept_than_memory_allows() {
        let mut seen = SeenTexts::default();
        let many = vec![(0, 1, 0); MAX_PLACES / 2];
        for hash in 0..4 {
            seen.put(hash, &many, 0);
        }
        assert_eq!(seen.places.len(), 1);
    }
}
