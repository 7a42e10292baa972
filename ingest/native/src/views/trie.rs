//! A tree built path by path: a child is its parent and its frame, whatever trees the paths came from.

use crate::profile::columns::index;
use crate::profile::hash::{DigestMap, Key};

/// Multiplier that spreads a number over both halves of a digest.
const BOTH_HALVES: u128 = (1 << 64) + 1;

/// Nodes in order of creation, so parents precede their children.
pub struct Trie {
    key: Key,
    by_step: DigestMap<i32>,
    pub parents: Vec<i32>,
    pub frames: Vec<i32>,
}

impl Trie {
    #[must_use]
    pub fn new() -> Self {
        let key = Key::of_process();
        Self { key, by_step: DigestMap::default(), parents: Vec::new(), frames: Vec::new() }
    }

    /// The child of `parent` in `frame`, made when it is new.
    pub fn child(&mut self, parent: i32, frame: i32) -> i32 {
        let above = index(parent).map_or(0, |parent| parent as u128 + 1);
        let step = self.key.step(above, u128::from(frame.unsigned_abs()) * BOTH_HALVES);
        let next = i32::try_from(self.parents.len()).unwrap_or(i32::MAX);
        let node = *self.by_step.entry(step).or_insert(next);
        if node == next {
            self.parents.push(parent);
            self.frames.push(frame);
        }
        node
    }

    /// Add a child that is new and is never looked up again.
    pub fn push(&mut self, parent: i32, frame: i32) -> i32 {
        self.parents.push(parent);
        self.frames.push(frame);
        i32::try_from(self.parents.len() - 1).unwrap_or(i32::MAX)
    }
}

impl Default for Trie {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Trie;

    #[test]
    fn a_path_is_interned_once() {
        let mut trie = Trie::new();
        let main = trie.child(-1, 7);
        let read = trie.child(main, 3);
        assert_eq!((main, read, trie.child(-1, 7), trie.child(0, 3)), (0, 1, 0, 1));
        assert_eq!(trie.child(-1, 3), 2);
        assert_eq!((trie.parents, trie.frames), (vec![-1, 0, -1], vec![7, 3, 3]));
    }
}
