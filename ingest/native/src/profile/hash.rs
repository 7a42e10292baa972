//! Keyed 128-bit hashes of text and of paths, with a random key per process.
//!
//! Uploads are hostile: with an unknown key nobody can prepare lines that collide, and 128 bits make an
//! accidental collision (2^-60 at a billion lines) rarer than a broken memory cell. So text is not compared.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::sync::OnceLock;

/// A map from digests to small numbers; the digest is its own hash.
pub type DigestMap<V> = HashMap<u128, V, BuildHasherDefault<Identity>>;

/// Takes the low half of a digest as its hash.
#[derive(Default)]
pub struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}

/// Four odd secrets.
#[derive(Clone, Copy)]
pub struct Key([u64; 4]);

impl Key {
    /// The key of this process.
    #[must_use]
    pub fn of_process() -> Self {
        static KEY: OnceLock<Key> = OnceLock::new();
        *KEY.get_or_init(|| {
            let state = RandomState::new();
            Key([1_u64, 2, 3, 4].map(|part| state.hash_one(part) | 1))
        })
    }

    /// Digest of `text` under `seed`.
    #[must_use]
    pub fn text(&self, text: &[u8], seed: u64) -> u128 {
        let [k0, k1, k2, k3] = self.0;
        let mut low = k0 ^ seed;
        // Rotated, so that no secret meets itself further down and is gone.
        let mut high = k1.rotate_left(17) ^ (text.len() as u64);
        let mut text = text;
        if text.len() >= 64 {
            // Two digests side by side: one waits for its products while the other is computed.
            let (mut low_too, mut high_too) = (low ^ k2, high ^ k3);
            while let Some((chunk, behind)) = text.split_first_chunk::<32>() {
                let (a, b) = (word(&chunk[..8]), word(&chunk[8..16]));
                let (c, d) = (word(&chunk[16..24]), word(&chunk[24..]));
                low = fold(a ^ k2 ^ low, b ^ k3);
                high = fold(b ^ k0 ^ high, a ^ k1);
                low_too = fold(c ^ k2 ^ low_too, d ^ k3);
                high_too = fold(d ^ k0 ^ high_too, c ^ k1);
                text = behind;
            }
            (low, high) = (fold(low ^ k1, high_too ^ k0), fold(high ^ k3, low_too ^ k2));
        }
        let mut chunks = text.chunks_exact(16);
        for chunk in &mut chunks {
            let (a, b) = (word(&chunk[..8]), word(&chunk[8..]));
            low = fold(a ^ k2 ^ low, b ^ k3);
            high = fold(b ^ k0 ^ high, a ^ k1);
        }
        let rest = chunks.remainder();
        let mut padded = [0_u8; 16];
        padded[..rest.len()].copy_from_slice(rest);
        let (a, b) = (word(&padded[..8]), word(&padded[8..]));
        low = fold(a ^ k3 ^ low, b ^ k1 ^ high);
        high = fold(b ^ k2 ^ high, a ^ k0 ^ low);
        join(low, high)
    }

    /// Digest of the path with digest `above`, extended by one frame digest.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)]
    pub fn step(&self, above: u128, frame: u128) -> u128 {
        let [k0, k1, k2, k3] = self.0;
        let (low, high) = (above as u64, (above >> 64) as u64);
        let (a, b) = (frame as u64, (frame >> 64) as u64);
        join(fold(low ^ a ^ k0, high ^ k1), fold(high ^ b ^ k2, low ^ k3))
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut eight = [0_u8; 8];
    eight.copy_from_slice(bytes);
    u64::from_le_bytes(eight)
}

#[allow(clippy::cast_possible_truncation)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

fn join(low: u64, high: u64) -> u128 {
    (u128::from(high) << 64) | u128::from(low)
}

#[cfg(test)]
mod tests {
    use super::Key;
    use std::collections::HashSet;

    #[test]
    fn every_byte_counts_and_so_do_length_and_seed() {
        let key = Key::of_process();
        let mut seen = HashSet::new();
        for length in 0..170 {
            for changed in 0..=length {
                let mut text = vec![b'a'; length];
                if let Some(byte) = text.get_mut(changed) {
                    *byte = b'b';
                }
                assert!(seen.insert(key.text(&text, 0)));
                assert!(seen.insert(key.text(&text, 1)));
            }
            assert!(length == 0 || seen.insert(key.text(&vec![0; length], 0)));
        }
    }

    #[test]
    fn a_path_is_not_its_reverse() {
        let key = Key::of_process();
        assert_ne!(key.step(key.step(0, 1), 2), key.step(key.step(0, 2), 1));
        assert_eq!(key.step(key.step(0, 1), 2), key.step(key.step(0, 1), 2));
    }
}
