//! The merged call tree: every distinct path from the outermost function inwards is one node.

use crate::profile::hash::{DigestMap, Key};

/// Parent of an outermost node, and node of a sample without stack.
pub const NONE: i32 = -1;

/// A frame of a printed stack: its number, its content digest, and its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameAt {
    pub frame: u32,
    pub digest: u128,
    pub line: u32,
}

/// A node and the digest of its path; `Path::default()` is above the outermost node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path {
    pub node: i32,
    pub digest: u128,
}

impl Default for Path {
    fn default() -> Self {
        Self { node: NONE, digest: 0 }
    }
}

/// Nodes as columns; a parent precedes its children.
#[derive(Default)]
pub struct Nodes {
    pub parents: Vec<i32>,
    pub frames: Vec<u32>,
    pub lines: Vec<u32>,
}

/// Finds nodes by the digest of their path, and makes them.
///
/// Digests depend on text and on the key of this process alone: trees that were filled apart speak of the same
/// paths.
pub struct Tree {
    key: Key,
    by_path: DigestMap<i32>,
    paths: Vec<u128>,
    /// Digests of `nodes`; recorded only by part readers.
    digests: Option<Vec<u128>>,
    /// Number of nodes already transferred.
    before: usize,
    pub nodes: Nodes,
}

impl Tree {
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self {
            key,
            by_path: DigestMap::default(),
            paths: Vec::new(),
            digests: None,
            before: 0,
            nodes: Nodes::default(),
        }
    }

    /// A tree whose new nodes are transferred repeatedly.
    #[must_use]
    pub fn of_part(key: Key) -> Self {
        Self { digests: Some(Vec::new()), ..Self::new(key) }
    }

    /// Give away the nodes that are new since the last time, and the digests of their paths.
    pub fn hand_over(&mut self) -> (Nodes, Vec<u128>) {
        self.before += self.nodes.parents.len();
        let digests = self.digests.as_mut().map(std::mem::take);
        (std::mem::take(&mut self.nodes), digests.unwrap_or_default())
    }

    /// The nodes, without what finds them.
    #[must_use]
    pub fn into_nodes(self) -> Nodes {
        self.nodes
    }

    /// The node of a frame called from `above`.
    pub fn child(&mut self, above: Path, frame_at: FrameAt) -> Path {
        let digest = self.key.step(above.digest, frame_at.digest);
        let node = match self.by_path.get(&digest) {
            Some(&existing) => existing,
            None => self.add(above.node, frame_at.frame, frame_at.line, digest),
        };
        Path { node, digest }
    }

    /// The node of a path that was digested elsewhere.
    pub fn of_digest(&mut self, parent: i32, frame: u32, line: u32, digest: u128) -> i32 {
        match self.by_path.get(&digest) {
            Some(&existing) => existing,
            None => self.add(parent, frame, line, digest),
        }
    }

    /// The path of a stack printed innermost frame first; new nodes are made where it is new.
    ///
    /// A path's digest depends on its frames alone, so the whole stack is looked up first and then ever
    /// shorter paths up to the first known one: most stacks cost one look-up.
    pub fn path_of(&mut self, leaf_first: &[FrameAt]) -> Path {
        let mut digest = 0;
        self.paths.clear();
        for frame_at in leaf_first.iter().rev() {
            digest = self.key.step(digest, frame_at.digest);
            self.paths.push(digest);
        }
        let mut depth = self.paths.len();
        let mut node = NONE;
        while depth > 0 {
            if let Some(&existing) = self.by_path.get(&self.paths[depth - 1]) {
                node = existing;
                break;
            }
            depth -= 1;
        }
        for at in depth..self.paths.len() {
            let frame_at = leaf_first[leaf_first.len() - 1 - at];
            node = self.add(node, frame_at.frame, frame_at.line, self.paths[at]);
        }
        Path { node, digest }
    }

    #[allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation)]
    fn add(&mut self, parent: i32, frame: u32, line: u32, digest: u128) -> i32 {
        let node = (self.before + self.nodes.parents.len()) as i32;
        self.nodes.parents.push(parent);
        self.nodes.frames.push(frame);
        self.nodes.lines.push(line);
        self.by_path.insert(digest, node);
        if let Some(digests) = &mut self.digests {
            digests.push(digest);
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameAt, NONE, Path, Tree};
    use crate::profile::hash::Key;

    fn stack(frames: &[u32], line: u32) -> Vec<FrameAt> {
        let frame_at = |(&frame, line): (&u32, u32)| FrameAt { frame, digest: u128::from(frame), line };
        frames.iter().zip(line..).map(frame_at).collect()
    }

    #[test]
    fn stacks_share_the_nodes_of_their_callers() {
        let mut tree = Tree::new(Key::of_process());
        assert_eq!(tree.path_of(&stack(&[7, 5], 2)).node, 1);
        assert_eq!(tree.path_of(&stack(&[8, 5], 5)).node, 2);
        let above = tree.path_of(&stack(&[5], 9));
        assert_eq!(above.node, 0);
        assert_eq!(tree.child(above, stack(&[7], 20)[0]), tree.path_of(&stack(&[7, 5], 20)));
        let nodes = tree.nodes;
        assert_eq!(
            (nodes.parents, nodes.frames, nodes.lines),
            (vec![NONE, 0, 0], vec![5, 7, 8], vec![3, 2, 5])
        );
    }

    #[test]
    fn recursion_is_deep_and_no_stack_is_no_node() {
        let mut tree = Tree::new(Key::of_process());
        assert_eq!(tree.path_of(&[]), Path::default());
        assert_eq!(tree.path_of(&stack(&[1, 1, 1], 1)).node, 2);
        assert_eq!(tree.nodes.parents, [NONE, 0, 1]);
    }
}
