//! The merged call tree: every distinct path from the outermost function inwards is one node.

use crate::hash::{DigestMap, Key};

/// Parent of an outermost node, and node of a sample without stack.
pub const NONE: i32 = -1;

/// A frame of one printed stack and the line that prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    pub frame: u32,
    pub line: u32,
}

/// Nodes as columns; a parent precedes its children.
pub struct Tree {
    key: Key,
    by_path: DigestMap<i32>,
    digests: Vec<u128>,
    pub parents: Vec<i32>,
    pub frames: Vec<u32>,
    pub lines: Vec<u32>,
}

impl Tree {
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self {
            key,
            by_path: DigestMap::default(),
            digests: Vec::new(),
            parents: Vec::new(),
            frames: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The node of `frame` called from `parent`, whose path has the digest `above`; and its own path's digest.
    #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
    pub fn child(&mut self, parent: i32, above: u128, frame: u32, line: u32) -> (i32, u128) {
        let digest = self.key.step(above, frame);
        let node = *self.by_path.entry(digest).or_insert_with(|| {
            self.parents.push(parent);
            self.frames.push(frame);
            self.lines.push(line);
            (self.parents.len() - 1) as i32
        });
        (node, digest)
    }

    /// The node of a stack printed innermost frame first; new nodes are made where the path is new.
    ///
    /// A path's digest depends on its frames alone, so the whole stack is looked up first and then ever
    /// shorter paths up to the first known one: most stacks cost one look-up.
    #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
    pub fn node_of(&mut self, leaf_first: &[Placed]) -> i32 {
        let mut digest = 0;
        self.digests.clear();
        for placed in leaf_first.iter().rev() {
            digest = self.key.step(digest, placed.frame);
            self.digests.push(digest);
        }
        let mut depth = self.digests.len();
        let mut node = NONE;
        while depth > 0 {
            if let Some(&known) = self.by_path.get(&self.digests[depth - 1]) {
                node = known;
                break;
            }
            depth -= 1;
        }
        for at in depth..self.digests.len() {
            let placed = leaf_first[leaf_first.len() - 1 - at];
            self.parents.push(node);
            self.frames.push(placed.frame);
            self.lines.push(placed.line);
            node = (self.parents.len() - 1) as i32;
            self.by_path.insert(self.digests[at], node);
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::{NONE, Placed, Tree};
    use crate::hash::Key;

    fn stack(frames: &[u32], line: u32) -> Vec<Placed> {
        frames.iter().zip(line..).map(|(&frame, line)| Placed { frame, line }).collect()
    }

    #[test]
    fn stacks_share_the_nodes_of_their_callers() {
        let mut tree = Tree::new(Key::of_process());
        assert_eq!(tree.node_of(&stack(&[7, 5], 2)), 1);
        assert_eq!(tree.node_of(&stack(&[8, 5], 5)), 2);
        assert_eq!(tree.node_of(&stack(&[5], 9)), 0);
        assert_eq!(tree.node_of(&stack(&[7, 5], 20)), 1);
        assert_eq!((tree.parents, tree.frames, tree.lines), (vec![NONE, 0, 0], vec![5, 7, 8], vec![3, 2, 5]));
    }

    #[test]
    fn recursion_is_deep_and_no_stack_is_no_node() {
        let mut tree = Tree::new(Key::of_process());
        assert_eq!(tree.node_of(&[]), NONE);
        assert_eq!(tree.node_of(&stack(&[1, 1, 1], 1)), 2);
        assert_eq!(tree.parents, [NONE, 0, 1]);
    }
}
