//! One encoding of a name, together with its pseudonym in the same encoding.

/// A name in one encoding, and its pseudonym in that encoding.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoding {
    pub encoded: Vec<u8>,
    pub replacement: Vec<u8>,
    /// Matching is case-sensitive.
    pub is_exact: bool,
    /// A match must begin and end at word boundaries.
    pub is_bounded: bool,
}

impl Encoding {
    /// An encoding that matches anywhere, ignoring case.
    #[must_use]
    pub fn new(encoded: Vec<u8>, replacement: Vec<u8>) -> Self {
        Self { encoded, replacement, is_exact: false, is_bounded: false }
    }

    #[must_use]
    pub fn bounded(self) -> Self {
        Self { is_bounded: true, ..self }
    }
}
