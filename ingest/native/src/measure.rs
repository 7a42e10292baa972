//! Questions to all nodes of a tree at once. A class of frames is one byte per frame: 1 is in it.

use crate::columns::index;

/// Nodes whose way from the root holds frames of `classes` in this order; `first` only where it completes.
#[must_use]
pub fn match_path(parents: &[i32], node_frames: &[i32], classes: &[&[u8]], first: bool) -> Vec<u8> {
    let mut met: Vec<u16> = Vec::with_capacity(parents.len());
    let goal = classes.len();
    let mut flags = Vec::with_capacity(parents.len());
    for (&parent, &frame) in parents.iter().zip(node_frames) {
        let before = index(parent).map_or(0, |parent| met[parent]);
        let class = classes.get(usize::from(before));
        let is_met = class.is_some_and(|class| is_in(class, frame));
        let now = before + u16::from(is_met);
        met.push(now);
        flags.push(u8::from(usize::from(now) == goal && (!first || is_met || (goal == 0 && parent < 0))));
    }
    flags
}

/// Nodes whose frame is in `leaf` and whose callers hold `called_from`, nearest first, in this order; the
/// first of them at most `within` frames above.
#[must_use]
pub fn match_leaf(
    parents: &[i32],
    node_frames: &[i32],
    leaf: &[u8],
    called_from: &[&[u8]],
    within: Option<usize>,
) -> Vec<u8> {
    let above = |node: usize| has_callers(parents, node_frames, node, called_from, within);
    let is_leaf = |node: usize| is_in(leaf, node_frames[node]);
    (0..parents.len()).map(|node| u8::from(is_leaf(node) && above(node))).collect()
}

/// The nearest of each is as good as any other: whatever stands above a farther one stands above it too.
fn has_callers(
    parents: &[i32],
    node_frames: &[i32],
    node: usize,
    called_from: &[&[u8]],
    within: Option<usize>,
) -> bool {
    let mut wanted = called_from.iter();
    let Some(mut class) = wanted.next() else {
        return true;
    };
    let mut left = within;
    let mut at = index(parents[node]);
    while let Some(caller) = at {
        if left == Some(0) {
            return false;
        }
        left = left.map(|left| left - 1);
        if is_in(class, node_frames[caller]) {
            let Some(next) = wanted.next() else {
                return true;
            };
            class = next;
            left = None;
        }
        at = index(parents[caller]);
    }
    false
}

fn is_in(class: &[u8], frame: i32) -> bool {
    index(frame).and_then(|frame| class.get(frame)).is_some_and(|&flag| flag != 0)
}

/// Every node's weight with that of all nodes below it.
#[must_use]
pub fn totals(parents: &[i32], weights: &[f64]) -> Vec<f64> {
    let mut totals = weights.to_vec();
    for node in (0..parents.len()).rev() {
        if let Some(parent) = index(parents[node]) {
            totals[parent] += totals[node];
        }
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::{match_leaf, match_path, totals};

    // 0 ─ 1 ─ 2 ─ 1 ─ 3    frames along one stack, and 0 ─ 3 beside it
    const PARENTS: [i32; 6] = [-1, 0, 1, 2, 3, 0];
    const FRAMES: [i32; 6] = [0, 1, 2, 1, 3, 3];

    #[test]
    fn a_path_holds_its_classes_in_order() {
        let (one, two): (&[u8], &[u8]) = (&[0, 1, 0, 0], &[0, 0, 1, 0]);
        assert_eq!(match_path(&PARENTS, &FRAMES, &[one, two], false), [0, 0, 1, 1, 1, 0]);
        assert_eq!(match_path(&PARENTS, &FRAMES, &[one, two], true), [0, 0, 1, 0, 0, 0]);
        assert_eq!(match_path(&PARENTS, &FRAMES, &[two, two], false), [0; 6]);
        assert_eq!(match_path(&PARENTS, &FRAMES, &[], false), [1; 6]);
    }

    #[test]
    fn a_leaf_is_called_from_near_or_far() {
        let (three, two, zero): (&[u8], &[u8], &[u8]) = (&[0, 0, 0, 1], &[0, 0, 1, 0], &[1, 0, 0, 0]);
        assert_eq!(match_leaf(&PARENTS, &FRAMES, three, &[], None), [0, 0, 0, 0, 1, 1]);
        assert_eq!(match_leaf(&PARENTS, &FRAMES, three, &[zero], Some(1)), [0, 0, 0, 0, 0, 1]);
        assert_eq!(match_leaf(&PARENTS, &FRAMES, three, &[two, zero], Some(2)), [0, 0, 0, 0, 1, 0]);
        assert_eq!(match_leaf(&PARENTS, &FRAMES, three, &[two], Some(1)), [0; 6]);
    }

    #[test]
    fn totals_hold_everything_below() {
        assert_eq!(totals(&PARENTS, &[1.0, 0.0, 0.0, 0.0, 2.0, 4.0]), [7.0, 2.0, 2.0, 2.0, 2.0, 4.0]);
    }
}
