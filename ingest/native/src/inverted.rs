//! The tree upside down: innermost frames outermost, their callers below. Only what is heavy is unfolded.

use std::collections::{BinaryHeap, HashMap};

use crate::columns::index;
use crate::graph::{Order, Rows, View, below, rank};

/// A row of the inverted tree and the paths it stands for: where each walk stands now, and its weight.
struct Group {
    frame: i32,
    total: f64,
    self_weight: f64,
    node: i32,
    first: usize,
    walks: Vec<(usize, f64)>,
    children: Vec<usize>,
}

/// A group that may be unfolded; the heaviest comes first.
struct Candidate {
    total: f64,
    group: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Candidate {}
impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.total.total_cmp(&other.total).then(other.group.cmp(&self.group))
    }
}

/// Rows of the inverted tree. `node` is the heaviest node of the tree that a row stands for; `self_weight` is
/// what begins there: the weight of stacks whose outermost function the row is.
#[must_use]
pub fn rows(parents: &[i32], node_frames: &[i32], weights: &[f64], view: &View) -> Rows {
    let inside = below(parents, view.root);
    let mut tree = Inverted { node_frames, groups: Vec::new(), pruned: 0, least: view.least };
    let leaves = weights.iter().enumerate().filter(|&(node, &weight)| weight > 0.0 && inside[node]);
    let outermost = tree.group(leaves.map(|(node, &weight)| (node, weight)));
    let mut heap: BinaryHeap<Candidate> = tree.candidates(&outermost);
    while let Some(next) = heap.pop() {
        if tree.groups.len() >= view.max_rows {
            break;
        }
        let walks = std::mem::take(&mut tree.groups[next.group].walks);
        let mut ended = 0.0;
        let mut onward = Vec::with_capacity(walks.len());
        for (node, weight) in walks {
            match index(parents[node]).filter(|&parent| inside[parent]) {
                Some(parent) => onward.push((parent, weight)),
                None => ended += weight,
            }
        }
        tree.groups[next.group].self_weight = ended;
        let children = tree.group(onward.into_iter());
        heap.extend(tree.candidates(&children));
        tree.groups[next.group].children = children;
    }
    tree.into_rows(outermost, view)
}

struct Inverted<'a> {
    node_frames: &'a [i32],
    groups: Vec<Group>,
    pruned: usize,
    least: f64,
}

impl Inverted<'_> {
    /// Make one group per frame of the walks; light ones are counted and dropped.
    fn group(&mut self, walks: impl Iterator<Item = (usize, f64)>) -> Vec<usize> {
        let mut by_frame: HashMap<i32, Group> = HashMap::new();
        let mut heaviest: HashMap<i32, f64> = HashMap::new();
        for (node, weight) in walks {
            let frame = self.node_frames[node];
            let group = by_frame.entry(frame).or_insert_with(|| Group {
                frame,
                total: 0.0,
                self_weight: 0.0,
                node: i32::try_from(node).unwrap_or(i32::MAX),
                first: node,
                walks: Vec::new(),
                children: Vec::new(),
            });
            group.total += weight;
            group.first = group.first.min(node);
            let most = heaviest.entry(frame).or_insert(weight);
            if weight > *most {
                *most = weight;
                group.node = i32::try_from(node).unwrap_or(i32::MAX);
            }
            group.walks.push((node, weight));
        }
        let all = by_frame.len();
        let mut heavy: Vec<Group> =
            by_frame.into_values().filter(|group| group.total >= self.least).collect();
        heavy.sort_by_key(|group| (group.first, group.frame));
        self.pruned += all - heavy.len();
        let from = self.groups.len();
        self.groups.append(&mut heavy);
        (from..self.groups.len()).collect()
    }

    fn candidates(&self, groups: &[usize]) -> BinaryHeap<Candidate> {
        groups.iter().map(|&group| Candidate { total: self.groups[group].total, group }).collect()
    }

    fn into_rows(self, outermost: Vec<usize>, view: &View) -> Rows {
        let mut rows = Rows { pruned: self.pruned, ..Rows::default() };
        let mut open: Vec<(usize, i32)> = Vec::new();
        let sorted = |mut siblings: Vec<usize>| {
            let of = |&at: &usize| &self.groups[at];
            match view.order {
                Order::LeftHeavy => siblings.sort_by(|a, b| of(b).total.total_cmp(&of(a).total)),
                Order::Alpha => siblings.sort_by_key(|at| rank(view.ranks, of(at).frame)),
                Order::Time => siblings.sort_by_key(|at| of(at).first),
            }
            siblings
        };
        open.extend(sorted(outermost).into_iter().rev().map(|at| (at, 0)));
        while let Some((at, depth)) = open.pop() {
            let group = &self.groups[at];
            rows.depth.push(depth);
            rows.frame.push(group.frame);
            rows.node.push(group.node);
            rows.self_weight.push(group.self_weight);
            rows.total.push(group.total);
            open.extend(sorted(group.children.clone()).into_iter().rev().map(|at| (at, depth + 1)));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::graph::{Order, View};

    #[test]
    fn callers_stand_below_the_innermost_frame() {
        // a ─ b 2, a ─ c ─ b 3
        let (parents, frames, weights) = ([-1, 0, 0, 2], [0, 1, 2, 1], [0.0, 2.0, 0.0, 3.0]);
        let mut view = View {
            least: 0.0,
            root: None,
            keep: &[],
            order: Order::LeftHeavy,
            ranks: &[0, 1, 2],
            max_rows: 99,
        };
        let all = rows(&parents, &frames, &weights, &view);
        assert_eq!((all.frame, all.depth), (vec![1, 2, 0, 0], vec![0, 1, 2, 1]));
        assert_eq!((all.total, all.self_weight), (vec![5.0, 3.0, 3.0, 2.0], vec![0.0, 0.0, 3.0, 2.0]));
        view.least = 3.0;
        let heavy = rows(&parents, &frames, &weights, &view);
        assert_eq!((heavy.frame, heavy.pruned), (vec![1, 2, 0], 1));
    }
}
