//! Cache of the tails of stacks: the lines below the leaf, found again by the digest of their bytes.

use crate::profile::tree::Path;

/// Tails that are remembered; a power of two. 48 bytes each: all of them stay in the processor's cache.
const SLOTS: usize = 1 << 15;

/// Whole tails of stacks by the digest of their text. One slot per digest: a newer tail takes the place of an
/// older one, so memory does not grow with the text.
pub(crate) struct Tails {
    slots: Vec<Tail>,
}

/// A cached tail, and the node of the last leaf above it.
#[derive(Clone, Copy)]
pub(crate) struct Tail {
    pub(crate) digest: u128,
    pub(crate) above: Path,
    pub(crate) frames: u32,
    pub(crate) leaf: u32,
    pub(crate) node: i32,
}

impl Tails {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new() }
    }

    pub(crate) fn slot(&mut self, digest: u128) -> &mut Tail {
        if self.slots.is_empty() {
            let nothing = Tail { digest: 0, above: Path::default(), frames: 0, leaf: u32::MAX, node: 0 };
            self.slots = vec![nothing; SLOTS];
        }
        #[allow(clippy::cast_possible_truncation)]
        let place = digest as usize % SLOTS;
        &mut self.slots[place]
    }
}
