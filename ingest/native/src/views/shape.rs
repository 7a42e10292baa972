//! A call tree in another shape: stacks chosen by the frames they hold, frames taken out of them.

use crate::profile::columns::index;
use crate::views::selection::flag;
use crate::views::trie::Trie;

/// A node whose stack became empty.
pub const NO_STACK: i32 = -1;
/// A node whose samples are excluded.
pub const LEFT_OUT: i32 = -2;

/// What is done to the stacks; flags are one per frame.
#[derive(Default)]
pub struct Shape<'a> {
    /// Only stacks that hold one of these.
    pub focus: Option<&'a [u8]>,
    /// Only stacks that hold none of these.
    pub hide: Option<&'a [u8]>,
    /// Frames taken out: what they called hangs below their caller.
    pub merge: Option<&'a [u8]>,
    /// Neighbours of one name become one; the name's number of every frame.
    pub collapse: Option<&'a [i32]>,
}

impl Shape<'_> {
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.focus.is_none() && self.hide.is_none() && self.merge.is_none() && self.collapse.is_none()
    }

    /// Whether samples without a stack stay.
    #[must_use]
    pub fn keeps_stackless(&self) -> bool {
        self.focus.is_none()
    }

    /// Per node whether samples that end there stay.
    #[must_use]
    pub fn stays(&self, parents: &[i32], node_frames: &[i32]) -> Vec<bool> {
        if self.focus.is_none() && self.hide.is_none() {
            return vec![true; parents.len()];
        }
        let mut state: Vec<(bool, bool)> = Vec::with_capacity(parents.len());
        for (&parent, &frame) in parents.iter().zip(node_frames) {
            let (focused, hidden) = index(parent).map_or((self.focus.is_none(), false), |at| state[at]);
            let focused = focused || self.focus.is_some_and(|flags| flag(flags, frame));
            let hidden = hidden || self.hide.is_some_and(|flags| flag(flags, frame));
            state.push((focused, hidden));
        }
        state.into_iter().map(|(focused, hidden)| focused && !hidden).collect()
    }
}

/// A tree made of another one.
pub struct Shaped {
    pub parents: Vec<i32>,
    pub frames: Vec<i32>,
    /// For each node, its first node in the old tree.
    pub first: Vec<i32>,
    /// For each node of the old tree its node, `NO_STACK` or `LEFT_OUT`.
    pub of_node: Vec<i32>,
}

/// The tree of the nodes that are `live`, in the requested shape. A live node's parent is live.
#[must_use]
pub fn shaped(parents: &[i32], node_frames: &[i32], live: &[bool], shape: &Shape) -> Shaped {
    let joins = shape.merge.is_some() || shape.collapse.is_some();
    let mut trie = Trie::new();
    let mut first = Vec::new();
    let mut of_node = Vec::with_capacity(parents.len());
    for (node, (&parent, &frame)) in parents.iter().zip(node_frames).enumerate() {
        if !live[node] {
            of_node.push(LEFT_OUT);
            continue;
        }
        let above = index(parent).map_or(NO_STACK, |parent| of_node[parent]);
        if shape.merge.is_some_and(|flags| flag(flags, frame)) || is_again(shape, &trie, above, frame) {
            of_node.push(above);
            continue;
        }
        let new = if joins { trie.child(above, frame) } else { trie.push(above, frame) };
        if index(new) == Some(first.len()) {
            first.push(i32::try_from(node).unwrap_or(i32::MAX));
        }
        of_node.push(new);
    }
    Shaped { parents: trie.parents, frames: trie.frames, first, of_node }
}

/// Whether `frame` has the name of the frame it would hang below.
fn is_again(shape: &Shape, trie: &Trie, above: i32, frame: i32) -> bool {
    let Some(names) = shape.collapse else {
        return false;
    };
    let name = |frame: i32| index(frame).and_then(|frame| names.get(frame));
    index(above).is_some_and(|above| name(trie.frames[above]) == name(frame))
}

#[cfg(test)]
mod tests {
    use super::{LEFT_OUT, NO_STACK, Shape, shaped};

    // a ─ b ─ c ─ c, a ─ c, b
    const PARENTS: [i32; 6] = [-1, 0, 1, 2, 0, -1];
    const FRAMES: [i32; 6] = [0, 1, 2, 2, 2, 1];
    const ALL: [bool; 6] = [true; 6];

    #[test]
    fn a_merged_frame_leaves_what_it_called_to_its_caller() {
        let shape = Shape { merge: Some(&[0, 1, 0]), ..Shape::default() };
        let result = shaped(&PARENTS, &FRAMES, &ALL, &shape);
        assert_eq!((result.parents, result.frames), (vec![-1, 0, 1], vec![0, 2, 2]));
        assert_eq!((result.first, result.of_node), (vec![0, 2, 3], vec![0, 0, 1, 2, 1, NO_STACK]));
    }

    #[test]
    fn recursion_collapses_also_when_merging_made_it() {
        let shape = Shape { collapse: Some(&[0, 1, 2]), ..Shape::default() };
        assert_eq!(shaped(&PARENTS, &FRAMES, &ALL, &shape).of_node, [0, 1, 2, 2, 3, 4]);
        let shape = Shape { merge: Some(&[0, 1, 0]), collapse: Some(&[0, 1, 2]), ..Shape::default() };
        assert_eq!(shaped(&PARENTS, &FRAMES, &ALL, &shape).of_node, [0, 0, 1, 1, 1, NO_STACK]);
    }

    #[test]
    fn what_is_not_live_is_left_out() {
        let live = [true, false, false, false, true, false];
        let result = shaped(&PARENTS, &FRAMES, &live, &Shape::default());
        assert_eq!(result.of_node, [0, LEFT_OUT, LEFT_OUT, LEFT_OUT, 1, LEFT_OUT]);
        assert_eq!((result.parents, result.first), (vec![-1, 0], vec![0, 4]));
    }

    #[test]
    fn focus_and_hide_ask_the_whole_stack() {
        let focus = Shape { focus: Some(&[0, 1, 0]), ..Shape::default() };
        assert_eq!(focus.stays(&PARENTS, &FRAMES), [false, true, true, true, false, true]);
        let hide = Shape { hide: Some(&[0, 1, 0]), ..Shape::default() };
        assert_eq!(hide.stays(&PARENTS, &FRAMES), [true, false, false, false, true, false]);
    }
}
