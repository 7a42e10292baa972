//! Bloom filter over 64-bit keys: false positives, no false negatives.

/// Bits per key; the false-positive rate is one to two percent.
const BITS_EACH: usize = 32;
const BITS_OF_WORD: usize = 64;
/// Minimum size in words; it fits the L1 cache.
const SMALLEST: usize = 1 << 10;
/// Multiplier of Fibonacci hashing: 2^64 divided by the golden ratio, odd.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A Bloom filter with one hash function.
pub struct BloomFilter {
    words: Vec<u64>,
    shift: u32,
}

impl BloomFilter {
    /// An empty filter sized for about `count` keys.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let size = (count * BITS_EACH / BITS_OF_WORD).next_power_of_two().max(SMALLEST);
        Self { words: vec![0; size], shift: u64::BITS - (size * BITS_OF_WORD).trailing_zeros() }
    }

    /// Insert a key.
    pub fn insert(&mut self, key: u64) {
        let (at, bit) = self.place(key);
        self.words[at] |= 1 << bit;
    }

    /// Whether `key` may have been inserted.
    #[inline]
    #[must_use]
    pub fn may_contain(&self, key: u64) -> bool {
        let (at, bit) = self.place(key);
        self.words[at] >> bit & 1 != 0
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, key: u64) -> (usize, u32) {
        let place = key.wrapping_mul(SPREAD) >> self.shift;
        ((place / BITS_OF_WORD as u64) as usize, (place % BITS_OF_WORD as u64) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::BloomFilter;

    #[test]
    fn there_are_no_false_negatives_and_few_false_positives() {
        let mut filter = BloomFilter::new(1000);
        (0..1000).for_each(|number| filter.insert(number * 7919));
        assert!((0..1000).all(|number| filter.may_contain(number * 7919)));
        let others = (0..10_000).filter(|number| filter.may_contain(number * 7919 + 3)).count();
        assert!(others < 1000, "{others} of 10000 pass");
    }
}
