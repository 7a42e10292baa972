//! Words that are no names.

use std::collections::HashSet;

/// Words in lower case.
pub type Vocabulary = HashSet<Box<[u8]>>;
