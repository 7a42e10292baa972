//! A filter: whether a number was perhaps added; one that was is never denied.

/// Bits of the filter for each number: one or two in a hundred others pass.
const BITS_EACH: usize = 32;
const BITS_OF_WORD: usize = 64;
/// So many words a filter has at least: it stays in the nearest cache.
const SMALLEST: usize = 1 << 10;
/// Odd, and without a pattern: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// One bit for each number that was added.
pub struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// A filter for about `count` numbers.
    #[must_use]
    pub fn new(count: usize) -> Self {
        let size = (count * BITS_EACH / BITS_OF_WORD).next_power_of_two().max(SMALLEST);
        Self { words: vec![0; size], shift: u64::BITS - (size * BITS_OF_WORD).trailing_zeros() }
    }

    /// Add a number.
    pub fn add(&mut self, key: u64) {
        let (at, bit) = self.place(key);
        self.words[at] |= 1 << bit;
    }

    /// Whether a number was perhaps added.
    #[inline]
    #[must_use]
    pub fn may_hold(&self, key: u64) -> bool {
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
    use super::Filter;

    #[test]
    fn what_was_added_passes_and_little_else_does() {
        let mut filter = Filter::new(1000);
        (0..1000).for_each(|number| filter.add(number * 7919));
        assert!((0..1000).all(|number| filter.may_hold(number * 7919)));
        let others = (0..10_000).filter(|number| filter.may_hold(number * 7919 + 3)).count();
        assert!(others < 1000, "{others} of 10000 pass");
    }
}
