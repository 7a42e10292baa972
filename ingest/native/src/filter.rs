//! A filter: whether a number was perhaps added; one that was is never denied.

/// Bits of the filter for each number: about one in a hundred others passes.
const BITS_EACH: usize = 16;
const BITS_OF_WORD: usize = 64;
/// Odd, and without a pattern: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Two bits of one word of memory for each number that was added.
pub struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// A filter for about `count` numbers.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let size = (count * BITS_EACH / BITS_OF_WORD).next_power_of_two().max(2);
        Self { words: vec![0; size], shift: u64::BITS - size.trailing_zeros() }
    }

    /// Add a number of some class.
    pub fn add(&mut self, key: u64, class: usize) {
        let (at, bits) = self.place(key, class);
        self.words[at] |= bits;
    }

    /// Whether a number of this class was perhaps added.
    #[must_use]
    pub fn may_hold(&self, key: u64, class: usize) -> bool {
        let (at, bits) = self.place(key, class);
        self.words[at] & bits == bits
    }

    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, key: u64, class: usize) -> (usize, u64) {
        let spread = (key ^ (class as u64) << 56).wrapping_mul(SPREAD);
        let mixed = spread ^ spread >> 32;
        ((spread >> self.shift) as usize, 1 << (mixed & 63) | 1 << (mixed >> 6 & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::Filter;

    #[test]
    fn what_was_added_passes_and_little_else_does() {
        let mut filter = Filter::new(1000);
        (0..1000).for_each(|number| filter.add(number * 7919, 7));
        assert!((0..1000).all(|number| filter.may_hold(number * 7919, 7)));
        let others = (0..10_000).filter(|number| filter.may_hold(number * 7919 + 3, 7)).count();
        assert!(others < 1000, "{others} of 10000 pass");
    }
}
