//! Aggregates over all nodes of a tree.

use crate::profile::columns::index;

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

/// Nodes of a class of frames (one byte per frame: 1 is in it) with none of it above: 1 for each, else 0.
#[must_use]
pub fn outermost(parents: &[i32], frames: &[i32], class: &[u8]) -> Vec<u8> {
    let is_in = |frame: i32| index(frame).and_then(|at| class.get(at)).is_some_and(|&flag| flag != 0);
    let mut is_below: Vec<bool> = Vec::with_capacity(parents.len());
    let mut flags = Vec::with_capacity(parents.len());
    for (&parent, &frame) in parents.iter().zip(frames) {
        let above = index(parent).is_some_and(|parent| is_below[parent]);
        let is_met = is_in(frame);
        is_below.push(above || is_met);
        flags.push(u8::from(is_met && !above));
    }
    flags
}

/// Of every node the outermost one of a class of frames between the root and itself, -1 where there is none.
///
/// A parent precedes its children, so one pass is enough.
#[must_use]
pub fn outermost_above(parents: &[i32], frames: &[i32], class: &[u8]) -> Vec<i32> {
    let mut found: Vec<i32> = Vec::with_capacity(parents.len());
    for (node, (&parent, &frame)) in (0_i32..).zip(parents.iter().zip(frames)) {
        let above = index(parent).map_or(-1, |parent| found[parent]);
        let is_in = || index(frame).and_then(|at| class.get(at)).is_some_and(|&flag| flag != 0);
        found.push(if above < 0 && is_in() { node } else { above });
    }
    found
}

/// Of every node whether one of a class of frames is between the root and itself: 1, else 0.
#[must_use]
pub fn has_above(parents: &[i32], frames: &[i32], class: &[u8]) -> Vec<u8> {
    let mut found: Vec<u8> = Vec::with_capacity(parents.len());
    for (&parent, &frame) in parents.iter().zip(frames) {
        let above = index(parent).map_or(0, |parent| found[parent]);
        let is_in = index(frame).and_then(|at| class.get(at)).is_some_and(|&flag| flag != 0);
        found.push(above | u8::from(is_in));
    }
    found
}

/// Of each of `count` groups the sum of the values of its members, of all without `members`; a value of no group
/// is in none.
#[must_use]
pub fn sums(values: &[f64], groups: &[i32], members: Option<&[u8]>, count: usize) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    let mut add = |(&value, &group): (&f64, &i32)| {
        if let Some(sum) = index(group).and_then(|group| sums.get_mut(group)) {
            *sum += value;
        }
    };
    let each = values.iter().zip(groups);
    match members {
        Some(members) => each.zip(members).filter(|(_, flag)| **flag != 0).for_each(|(one, _)| add(one)),
        None => each.for_each(add),
    }
    sums
}

/// Nodes that are listed of each class.
pub const LISTED: usize = 3;

/// The heaviest nodes, of equal ones the first; -1 where there are fewer.
#[derive(Clone, Copy)]
struct Heaviest {
    nodes: [i32; LISTED],
    weights: [f64; LISTED],
}

impl Heaviest {
    const NONE: Self = Self { nodes: [-1; LISTED], weights: [f64::NEG_INFINITY; LISTED] };

    fn add(&mut self, node: i32, weight: f64) {
        if let Some(at) = self.weights.iter().position(|&other| weight > other) {
            self.nodes[at..].rotate_right(1);
            self.weights[at..].rotate_right(1);
            (self.nodes[at], self.weights[at]) = (node, weight);
        }
    }
}

/// Of every frame its heaviest nodes, `LISTED` each.
#[must_use]
pub fn heaviest_by_frame(frames: &[i32], weights: &[f64], frame_count: usize) -> Vec<i32> {
    let mut found = vec![Heaviest::NONE; frame_count];
    for (node, (&frame, &weight)) in (0_i32..).zip(frames.iter().zip(weights)) {
        if let Some(of) = index(frame).and_then(|frame| found.get_mut(frame)) {
            of.add(node, weight);
        }
    }
    found.iter().flat_map(|of| of.nodes).collect()
}

/// Of each of eight classes of frames (one bit each) the weight of the nodes of and below it, and the heaviest of
/// these nodes, `LISTED` each.
#[must_use]
pub fn weights_below(
    parents: &[i32],
    frames: &[i32],
    weights: &[f64],
    classes: &[u8],
) -> (Vec<f64>, Vec<i32>) {
    let (mut sums, mut heaviest) = ([0.0; 8], [Heaviest::NONE; 8]);
    let mut found: Vec<u8> = Vec::with_capacity(parents.len());
    for (node, (&parent, (&frame, &weight))) in (0_i32..).zip(parents.iter().zip(frames.iter().zip(weights)))
    {
        let above = index(parent).map_or(0, |parent| found[parent]);
        let own = above | index(frame).and_then(|frame| classes.get(frame)).copied().unwrap_or_default();
        found.push(own);
        let mut rest = own;
        while rest != 0 {
            let class = rest.trailing_zeros() as usize;
            sums[class] += weight;
            heaviest[class].add(node, weight);
            rest &= rest - 1;
        }
    }
    (sums.to_vec(), heaviest.iter().flat_map(|of| of.nodes).collect())
}

/// Where stacks enter a class of frames.
pub struct Entries {
    /// Of every node the frame of the outermost node of the class between the root and itself, -1 for none.
    pub frames: Vec<i32>,
    /// Of every frame the weight of the nodes that it is the entry of.
    pub weights: Vec<f64>,
    /// The same without nodes that rest.
    pub busy_weights: Vec<f64>,
}

/// Find where stacks enter a class of frames; nodes whose frame is in `resting` rest.
#[must_use]
pub fn entries(parents: &[i32], frames: &[i32], weights: &[f64], class: &[u8], resting: &[u8]) -> Entries {
    let is_in =
        |class: &[u8], frame: i32| index(frame).and_then(|at| class.get(at)).is_some_and(|&flag| flag != 0);
    let mut found: Vec<i32> = Vec::with_capacity(parents.len());
    let (mut sums, mut busy) = (vec![0.0; class.len()], vec![0.0; class.len()]);
    for (&parent, (&frame, &weight)) in parents.iter().zip(frames.iter().zip(weights)) {
        let above = index(parent).map_or(-1, |parent| found[parent]);
        let entry = if above < 0 && is_in(class, frame) { frame } else { above };
        found.push(entry);
        if let Some(entry) = index(entry).filter(|&entry| entry < sums.len()) {
            sums[entry] += weight;
            busy[entry] += if is_in(resting, frame) { 0.0 } else { weight };
        }
    }
    Entries { frames: found, weights: sums, busy_weights: busy }
}

#[cfg(test)]
mod tests {
    use super::{
        entries, has_above, heaviest_by_frame, outermost, outermost_above, sums, totals, weights_below,
    };

    #[test]
    fn classes_have_the_weight_below_them_and_their_heaviest_nodes() {
        let (parents, frames) = ([-1, 0, 1, 2, 3, 0], [0, 1, 2, 1, 3, 3]);
        let weights = [1.0, 2.0, 0.0, 2.0, 4.0, 8.0];
        let (sums, heaviest) = weights_below(&parents, &frames, &weights, &[0, 1, 0, 3]);
        assert_eq!(sums[..3], [16.0, 12.0, 0.0]);
        assert_eq!(heaviest[..9], [5, 4, 1, 5, 4, -1, -1, -1, -1]);
        assert_eq!(heaviest_by_frame(&frames, &weights, 4), [0, -1, -1, 1, 3, -1, 2, -1, -1, 5, 4, -1]);
    }

    #[test]
    fn members_are_summed_by_group() {
        let (values, groups) = ([1.0, 2.0, 4.0, 8.0, 16.0], [1, 0, 1, -1, 1]);
        assert_eq!(sums(&values, &groups, Some(&[1, 1, 1, 1, 0]), 3), [2.0, 5.0, 0.0]);
        assert_eq!(sums(&values, &groups, None, 3), [2.0, 21.0, 0.0]);
    }

    #[test]
    fn stacks_enter_a_class_once() {
        let (parents, frames) = ([-1, 0, 1, 2, 3, 0], [0, 1, 2, 1, 3, 3]);
        let found = entries(&parents, &frames, &[1.0; 6], &[0, 1, 1, 0], &[0, 0, 0, 1]);
        assert_eq!(found.frames, [-1, 1, 1, 1, 1, -1]);
        assert_eq!((found.weights, found.busy_weights), (vec![0.0, 4.0, 0.0, 0.0], vec![0.0, 3.0, 0.0, 0.0]));
    }

    #[test]
    fn every_node_below_a_class_has_the_outermost_of_it() {
        let (parents, frames) = ([-1, 0, 1, 2, 3, 0], [0, 1, 2, 1, 3, 3]);
        assert_eq!(outermost_above(&parents, &frames, &[0, 1, 0, 0]), [-1, 1, 1, 1, 1, -1]);
        assert_eq!(outermost_above(&parents, &frames, &[0, 0, 0, 1]), [-1, -1, -1, -1, 4, 5]);
        assert_eq!(has_above(&parents, &frames, &[0, 1, 0, 0]), [0, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn the_outermost_has_none_of_its_class_above() {
        let (parents, frames) = ([-1, 0, 1, 2, 3, 0], [0, 1, 2, 1, 3, 3]);
        assert_eq!(outermost(&parents, &frames, &[0, 1, 0, 0]), [0, 1, 0, 0, 0, 0]);
        assert_eq!(outermost(&parents, &frames, &[0, 0, 0, 1]), [0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn totals_hold_everything_below() {
        let parents = [-1, 0, 1, 2, 3, 0];
        assert_eq!(totals(&parents, &[1.0, 0.0, 0.0, 0.0, 2.0, 4.0]), [7.0, 2.0, 2.0, 2.0, 2.0, 4.0]);
    }
}
