//! A finished tree, arranged so that a question costs what its answer is large, not what the tree is.
//!
//! ```text
//! nodes by frame    the nodes of a function, without visiting others
//! nodes in order    depth first: what is below a node is one run of places
//! samples in order  by the place of the node they end in: what ends below a node is one run of samples
//! ```

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use crate::profile::columns::index;
use crate::profile::measure::has_above;

/// Nodes and samples in the order of the stacks.
pub struct Index {
    parents: Vec<i32>,
    frames: Vec<i32>,
    /// Place of every node, and the place behind the last node below it.
    places: Vec<u32>,
    ends: Vec<u32>,
    /// Nodes by frame, and where each frame's begin.
    by_frame: Vec<u32>,
    frame_starts: Vec<u32>,
    /// Samples by place, those of the file's order first, and where each place's begin.
    samples: Vec<u32>,
    place_starts: Vec<u32>,
}

#[allow(clippy::cast_possible_truncation)]
impl Index {
    /// Arrange a tree of which `columns::check` has nothing to say, and samples that end in its nodes or in none.
    #[must_use]
    pub fn new(parents: Vec<i32>, frames: Vec<i32>, frame_count: usize, sample_nodes: &[i32]) -> Self {
        let ((places, ends, samples), by_frame) = thread::scope(|scope| {
            let by_frame = scope.spawn(|| group(frames.iter().map(|&frame| index(frame)), frame_count));
            let (places, ends) = depth_first(&parents);
            let place = |node: i32| index(node).map(|node| places[node]);
            let samples = by_place(sample_nodes.iter().map(|&node| place(node)), parents.len());
            let by_frame = by_frame.join().unwrap_or_else(|panic| resume_unwind(panic));
            ((places, ends, samples), by_frame)
        });
        Self {
            parents,
            frames,
            places,
            ends,
            by_frame: by_frame.0,
            frame_starts: by_frame.1,
            samples: samples.0,
            place_starts: samples.1,
        }
    }

    /// Nodes where a path completes, the outermost of each stack: their frame is in `leaf`, and `callers`, nearest
    /// first, stand above in this order. Depth first.
    #[must_use]
    pub fn completes(&self, leaf: &[u8], callers: &[&[u8]]) -> Vec<i32> {
        let mut found = self.leaves(leaf, callers, None);
        let mut end = 0;
        found.retain(|&node| {
            let node = index(node).unwrap_or_default();
            let is_outermost = self.places[node] >= end;
            if is_outermost {
                end = self.ends[node];
            }
            is_outermost
        });
        found
    }

    /// Nodes whose frame is in `leaf` and whose callers hold `callers`, nearest first, in this order; the first of
    /// them at most `within` frames above. Depth first.
    #[must_use]
    #[allow(clippy::cast_possible_wrap)]
    pub fn leaves(&self, leaf: &[u8], callers: &[&[u8]], within: Option<usize>) -> Vec<i32> {
        let mut found: Vec<u32> = Vec::new();
        for (frame, _) in leaf.iter().enumerate().filter(|(_, flag)| **flag != 0) {
            let Some(&[start, end]) = self.frame_starts.get(frame..frame + 2) else { continue };
            let nodes = &self.by_frame[start as usize..end as usize];
            found.extend(nodes.iter().filter(|&&node| self.has_callers(node as usize, callers, within)));
        }
        found.sort_unstable_by_key(|&node| self.places[node as usize]);
        found.into_iter().map(|node| node as i32).collect()
    }

    /// The nearest match of each suffices: everything above a farther one is above it too.
    fn has_callers(&self, node: usize, callers: &[&[u8]], within: Option<usize>) -> bool {
        let mut wanted = callers.iter();
        let Some(mut class) = wanted.next() else { return true };
        let mut remaining = within;
        let mut at = index(self.parents[node]);
        while let Some(caller) = at {
            if remaining == Some(0) {
                return false;
            }
            remaining = remaining.map(|remaining| remaining - 1);
            if is_in(class, self.frames[caller]) {
                let Some(next) = wanted.next() else { return true };
                class = next;
                remaining = None;
            }
            at = index(self.parents[caller]);
        }
        false
    }

    /// Of every node whether one of a class of frames is between the root and itself: 1, else 0.
    #[must_use]
    pub fn has(&self, class: &[u8]) -> Vec<u8> {
        has_above(&self.parents, &self.frames, class)
    }

    /// Those of `nodes` that are not of `class` and have no caller of it.
    #[must_use]
    pub fn outside(&self, nodes: &[i32], class: &[u8]) -> Vec<i32> {
        let is_outside = |&node: &i32| {
            index(node)
                .is_some_and(|at| !is_in(class, self.frames[at]) && !self.has_callers(at, &[class], None))
        };
        nodes.iter().copied().filter(is_outside).collect()
    }

    /// Samples that end in one of `nodes`, or anywhere below when `with_below`; by place.
    #[must_use]
    pub fn samples_of(&self, nodes: &[i32], with_below: bool) -> Vec<u32> {
        let mut found = Vec::new();
        for node in nodes.iter().filter_map(|&node| index(node)) {
            let place = self.places[node] as usize;
            let end = if with_below { self.ends[node] as usize } else { place + 1 };
            let (start, end) = (self.place_starts[place], self.place_starts[end]);
            found.extend_from_slice(&self.samples[start as usize..end as usize]);
        }
        found
    }

    /// Samples in the order of the places of their nodes.
    #[must_use]
    pub fn samples(&self) -> &[u32] {
        &self.samples
    }

    /// Samples that end in the node at a place, as a run of `samples`.
    #[must_use]
    pub fn samples_at(&self, place: usize) -> Range<usize> {
        self.place_starts[place] as usize..self.place_starts[place + 1] as usize
    }

    /// Places of a node and of all nodes below it; none of a node that is not there.
    #[must_use]
    pub fn places_below(&self, node: i32) -> Range<usize> {
        index(node)
            .filter(|&node| node < self.places.len())
            .map_or(0..0, |node| self.places[node] as usize..self.ends[node] as usize)
    }

    /// Those of `nodes` that have samples.
    #[must_use]
    pub fn sampled(&self, nodes: &[i32]) -> Vec<i32> {
        let has_samples = |&node: &i32| {
            let places = self.places_below(node);
            !places.is_empty() && !self.samples_at(places.start).is_empty()
        };
        nodes.iter().copied().filter(has_samples).collect()
    }

    #[must_use]
    pub fn node_count(&self) -> usize {
        self.parents.len()
    }
}

/// Place of every node, depth first, and the place behind the last node below it. A parent precedes its children,
/// so one pass back counts what is below, and one pass forward gives out the places: when all children have theirs,
/// the next free place of a node is the one behind them.
fn depth_first(parents: &[i32]) -> (Vec<u32>, Vec<u32>) {
    let mut sizes = vec![1_u32; parents.len()];
    for node in (0..parents.len()).rev() {
        if let Some(parent) = index(parents[node]) {
            sizes[parent] += sizes[node];
        }
    }
    let mut places = sizes;
    let mut next = vec![0_u32; parents.len()];
    let mut next_root = 0;
    for (node, &parent) in parents.iter().enumerate() {
        let free = match index(parent) {
            Some(parent) => &mut next[parent],
            None => &mut next_root,
        };
        let (place, size) = (*free, places[node]);
        *free += size;
        places[node] = place;
        next[node] = place + 1;
    }
    (places, next)
}

/// Numbers of items by group, in their order within each; and where each group begins, with the end of the last.
/// First a group's start is where it ends; filled from its end, it is where it begins.
#[allow(clippy::cast_possible_truncation)]
fn group(
    groups: impl DoubleEndedIterator<Item = Option<usize>> + ExactSizeIterator + Clone,
    count: usize,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; count + 1];
    for group in groups.clone().flatten() {
        starts[group] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    let mut items = vec![0_u32; end as usize];
    for (item, group) in groups.enumerate().rev() {
        if let Some(group) = group {
            starts[group] -= 1;
            items[starts[group] as usize] = item as u32;
        }
    }
    (items, starts)
}

/// Bits that one pass of `by_place` sorts by: so many places to write at fit into the caches.
const DIGIT: u32 = 11;

/// Numbers of items by their place, in their order within each; and where each place begins, with the end of the last.
///
/// Places are as many as nodes, so that items are sorted digit by digit: `group` would write all over the memory.
#[allow(clippy::cast_possible_truncation)]
fn by_place(places: impl ExactSizeIterator<Item = Option<u32>>, count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut items: Vec<u64> = Vec::with_capacity(places.len());
    items.extend(
        (0_u64..).zip(places).filter_map(|(item, place)| place.map(|place| u64::from(place) << 32 | item)),
    );
    let bits = usize::BITS - count.leading_zeros();
    let mut sorted = vec![0_u64; items.len()];
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = |item: u64| (item >> (32 + shift)) as usize & ((1 << DIGIT) - 1);
        let mut starts = vec![0_usize; 1 << DIGIT];
        for &item in &items {
            starts[digit(item)] += 1;
        }
        let mut next = 0;
        for start in &mut starts {
            next += std::mem::replace(start, next);
        }
        for &item in &items {
            let at = &mut starts[digit(item)];
            sorted[*at] = item;
            *at += 1;
        }
        std::mem::swap(&mut items, &mut sorted);
    }
    let mut starts = vec![0_u32; count + 1];
    for &item in &items {
        starts[(item >> 32) as usize + 1] += 1;
    }
    let mut end = 0;
    for start in &mut starts {
        end += *start;
        *start = end;
    }
    (items.into_iter().map(|item| item as u32).collect(), starts)
}

fn is_in(class: &[u8], frame: i32) -> bool {
    index(frame).and_then(|frame| class.get(frame)).is_some_and(|&flag| flag != 0)
}

#[cfg(test)]
mod tests {
    use super::Index;

    // 0 ─ 1 ─ 2 ─ 1 ─ 3    frames along one stack, and 0 ─ 3 beside it; samples in the nodes 4, 1, 5, none, 4
    fn index() -> Index {
        Index::new(vec![-1, 0, 1, 2, 3, 0], vec![0, 1, 2, 1, 3, 3], 4, &[4, 1, 5, -1, 4])
    }

    const ONE: &[u8] = &[0, 1, 0, 0];
    const TWO: &[u8] = &[0, 0, 1, 0];
    const THREE: &[u8] = &[0, 0, 0, 1];

    #[test]
    fn a_path_completes_where_its_last_frame_stands_first() {
        assert_eq!(index().completes(ONE, &[]), [1]);
        assert_eq!(index().completes(TWO, &[ONE]), [2]);
        assert_eq!(index().completes(ONE, &[TWO]), [3]);
        assert_eq!(index().completes(TWO, &[TWO]), [] as [i32; 0]);
        assert_eq!(index().completes(&[1; 9], &[]), [0]);
    }

    #[test]
    fn a_leaf_is_called_from_near_or_far() {
        let zero: &[u8] = &[1, 0, 0, 0];
        assert_eq!(index().leaves(THREE, &[], None), [4, 5]);
        assert_eq!(index().leaves(THREE, &[zero], Some(1)), [5]);
        assert_eq!(index().leaves(THREE, &[TWO, zero], Some(2)), [4]);
        assert_eq!(index().leaves(THREE, &[TWO], Some(1)), [] as [i32; 0]);
    }

    #[test]
    fn what_stands_below_a_class_is_not_outside_it() {
        assert_eq!(index().outside(&[0, 2, 4, 5], TWO), [0, 5]);
    }

    #[test]
    fn samples_come_by_the_place_of_their_node() {
        assert_eq!(index().samples_of(&[0], true), [1, 0, 4, 2]);
        assert_eq!(index().samples_of(&[1, 5], false), [1, 2]);
        assert_eq!(index().samples_of(&[2], true), [0, 4]);
    }
}
