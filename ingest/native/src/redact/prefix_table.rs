//! Hash table from the first bytes of words to the first of the sorted words that begin with them.
//!
//! It holds indices only, four bytes each: keys are read from the words themselves.

/// Multiplier of Fibonacci hashing.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const FREE: u32 = u32::MAX;
/// Minimum size.
const SMALLEST: usize = 16;

/// A key: length class of the prefix, and its bytes, padded.
pub(crate) type Key = (usize, u64);

/// Indices by open addressing.
pub(crate) struct PrefixTable {
    slots: Vec<u32>,
    shift: u32,
}

impl PrefixTable {
    /// An empty table for `count` keys.
    pub(crate) fn new(count: usize) -> Self {
        let size = (count + count / 2).next_power_of_two().max(SMALLEST);
        Self { slots: vec![FREE; size], shift: u64::BITS - size.trailing_zeros() }
    }

    /// Insert the index of a key that is not in the table.
    pub(crate) fn insert(&mut self, key: Key, index: u32) {
        let mut at = self.place(key);
        while self.slots[at] != FREE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = index;
    }

    /// The index of `key`; `key_of` returns the key of an index.
    pub(crate) fn get(&self, key: Key, key_of: impl Fn(u32) -> Key) -> Option<u32> {
        let mut at = self.place(key);
        loop {
            match self.slots[at] {
                FREE => return None,
                index if key_of(index) == key => return Some(index),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn place(&self, (class, bytes): Key) -> usize {
        ((bytes ^ (bytes >> 29) ^ class as u64).wrapping_mul(SPREAD) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::PrefixTable;

    #[test]
    fn each_key_leads_to_its_index() {
        let keys: Vec<(usize, u64)> = (0..1000).map(|at| (at % 8, at as u64 * 7919)).collect();
        let mut table = PrefixTable::new(keys.len());
        for (index, &key) in keys.iter().enumerate() {
            table.insert(key, u32::try_from(index).unwrap());
        }
        let key_of = |index: u32| keys[index as usize];
        assert!(keys.iter().all(|&key| table.get(key, key_of).map(key_of) == Some(key)));
        assert_eq!(table.get((0, 3), key_of), None);
    }
}
