//! Words of a message: runs of letters and underscores, as 4-byte hashes.

/// Words behind these are not looked at: no message of the kernel is longer.
pub const MOST_WORDS: usize = 256;
/// Bytes behind these are not looked at.
pub const MOST_BYTES: usize = 4096;

/// A word of a line.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
pub struct Word {
    pub hash: u32,
    /// First byte and the byte behind.
    pub start: usize,
    pub end: usize,
}

/// The words of `text`, at most `MOST_WORDS`.
pub fn words(text: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let text = &text[..text.len().min(MOST_BYTES)];
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < text.len() && !is_letter(text[at]) {
            at += 1;
        }
        let start = at;
        let mut hash = OFFSET;
        while at < text.len() && is_letter(text[at]) {
            hash = (hash ^ u32::from(text[at])).wrapping_mul(PRIME);
            at += 1;
        }
        (at > start).then_some(Word { hash, start, end: at })
    })
    .take(MOST_WORDS)
}

/// FNV-1a.
const OFFSET: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

/// FNV-1a of some bytes.
pub(super) fn hash_of(bytes: impl Iterator<Item = u8>) -> u32 {
    bytes.fold(OFFSET, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn digits_and_signs_separate_words() {
        let text = b"eth0: can't reset mlx5_core";
        let found: Vec<&[u8]> = words(text).map(|word| &text[word.start..word.end]).collect();
        assert_eq!(found, [b"eth" as &[u8], b"can", b"t", b"reset", b"mlx", b"_core"]);
    }

    #[test]
    fn a_hash_is_of_the_bytes_of_the_word_alone() {
        let hashes: Vec<u32> = words(b"a b a1").map(|word| word.hash).collect();
        assert_eq!(hashes, [0xe40c_292c, 0xe70c_2de5, 0xe40c_292c]);
    }
}
