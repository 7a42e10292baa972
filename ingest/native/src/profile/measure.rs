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

#[cfg(test)]
mod tests {
    use super::{has_above, outermost, outermost_above, totals};

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
