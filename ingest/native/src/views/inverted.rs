//! The tree upside down: innermost frames outermost, their callers below. Only what is heavy is unfolded.

use std::collections::{BinaryHeap, HashMap};

use crate::profile::columns::index;
use crate::views::graph::{Order, Query, Rows, Tree, below, rank};

/// A weight that moves from its leaf towards the root; now at node `at`.
#[derive(Clone, Copy)]
pub struct Walk {
    pub at: usize,
    pub weight: f64,
    pub leaf: usize,
}

impl Walk {
    /// A walk that begins at a node.
    #[must_use]
    pub fn from(node: usize, weight: f64) -> Self {
        Self { at: node, weight, leaf: node }
    }
}

/// A row of the inverted tree and its walks.
struct Group {
    frame: i32,
    total: f64,
    self_weight: f64,
    heaviest: Walk,
    first: usize,
    walks: Vec<Walk>,
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

/// Rows of the inverted tree. `node` is the heaviest node of the tree of a row; `self_weight` is
/// the weight that begins there: the weight of stacks whose outermost function the row is.
#[must_use]
pub fn rows(tree: &Tree, query: &Query) -> Rows {
    let inside = below(tree.parents, query.root);
    let leaves = (0..tree.weights.len()).filter(|&node| tree.weights[node] > 0.0 && inside[node]);
    let walks = leaves.map(|node| Walk::from(node, tree.weights[node])).collect();
    unfolded(tree, walks, false, |at| inside[at], query)
}

/// The row `depth` callers above the end of `leaf`, and everything below that row; none when there is none.
#[must_use]
pub fn rows_from(tree: &Tree, leaf: usize, depth: usize, query: &Query) -> Rows {
    let mut path = Vec::with_capacity(depth + 1);
    let mut at = Some(leaf);
    for _ in 0..=depth {
        let Some(node) = at else {
            return Rows::default();
        };
        path.push(tree.frames[node]);
        at = index(tree.parents[node]);
    }
    let on_path = |leaf: usize| {
        let mut at = leaf;
        for (step, &frame) in path.iter().enumerate() {
            if step > 0 {
                at = index(tree.parents[at])?;
            }
            if tree.frames[at] != frame {
                return None;
            }
        }
        Some(Walk { at, weight: tree.weights[leaf], leaf })
    };
    let leaves = (0..tree.weights.len()).filter(|&node| tree.weights[node] > 0.0);
    unfolded(tree, leaves.filter_map(on_path).collect(), true, |_| true, query)
}

/// Rows of the callers of `walks`, which are one row whatever their frames, or one per frame.
pub fn unfolded(
    tree: &Tree,
    walks: Vec<Walk>,
    is_one_row: bool,
    is_inside: impl Fn(usize) -> bool,
    query: &Query,
) -> Rows {
    let mut inverted = Inverted { frames: tree.frames, groups: Vec::new(), pruned: 0, least: query.least };
    let outermost = if is_one_row { inverted.one_group(walks) } else { inverted.group(walks.into_iter()) };
    let mut heap: BinaryHeap<Candidate> = inverted.candidates(&outermost);
    while let Some(next) = heap.pop() {
        if inverted.groups.len() >= query.max_rows {
            break;
        }
        let walks = std::mem::take(&mut inverted.groups[next.group].walks);
        let mut ended = 0.0;
        let mut onward = Vec::with_capacity(walks.len());
        for walk in walks {
            match index(tree.parents[walk.at]).filter(|&parent| is_inside(parent)) {
                Some(parent) => onward.push(Walk { at: parent, ..walk }),
                None => ended += walk.weight,
            }
        }
        inverted.groups[next.group].self_weight = ended;
        let children = inverted.group(onward.into_iter());
        heap.extend(inverted.candidates(&children));
        inverted.groups[next.group].children = children;
    }
    inverted.into_rows(outermost, query)
}

struct Inverted<'a> {
    frames: &'a [i32],
    groups: Vec<Group>,
    pruned: usize,
    least: f64,
}

impl Inverted<'_> {
    /// Make one group per frame of the walks; light ones are counted and dropped.
    fn group(&mut self, walks: impl Iterator<Item = Walk>) -> Vec<usize> {
        let mut by_frame: HashMap<i32, Group> = HashMap::new();
        for walk in walks {
            let frame = self.frames[walk.at];
            by_frame.entry(frame).or_insert_with(|| Group::of(frame, walk)).take(walk);
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

    fn one_group(&mut self, walks: Vec<Walk>) -> Vec<usize> {
        let Some(&first) = walks.first() else {
            return Vec::new();
        };
        let mut group = Group::of(self.frames[first.at], first);
        for walk in walks {
            group.take(walk);
        }
        self.groups.push(group);
        vec![self.groups.len() - 1]
    }

    fn candidates(&self, groups: &[usize]) -> BinaryHeap<Candidate> {
        groups.iter().map(|&group| Candidate { total: self.groups[group].total, group }).collect()
    }

    fn into_rows(self, outermost: Vec<usize>, query: &Query) -> Rows {
        let mut rows = Rows { pruned: self.pruned, ..Rows::default() };
        let mut open: Vec<(usize, i32)> = Vec::new();
        let sorted = |mut siblings: Vec<usize>| {
            let of = |&at: &usize| &self.groups[at];
            match query.order {
                Order::LeftHeavy => siblings.sort_by(|a, b| of(b).total.total_cmp(&of(a).total)),
                Order::Alpha => siblings.sort_by_key(|at| rank(query.ranks, of(at).frame)),
                Order::Time => siblings.sort_by_key(|at| of(at).first),
            }
            siblings
        };
        let number = |node: usize| i32::try_from(node).unwrap_or(i32::MAX);
        open.extend(sorted(outermost).into_iter().rev().map(|at| (at, 0)));
        while let Some((at, depth)) = open.pop() {
            let group = &self.groups[at];
            rows.depth.push(depth);
            rows.frame.push(group.frame);
            rows.node.push(number(group.heaviest.at));
            rows.leaf.push(number(group.heaviest.leaf));
            rows.self_weight.push(group.self_weight);
            rows.total.push(group.total);
            open.extend(sorted(group.children.clone()).into_iter().rev().map(|at| (at, depth + 1)));
        }
        rows
    }
}

impl Group {
    fn of(frame: i32, walk: Walk) -> Self {
        Self {
            frame,
            total: 0.0,
            self_weight: 0.0,
            heaviest: walk,
            first: walk.at,
            walks: Vec::new(),
            children: Vec::new(),
        }
    }

    fn take(&mut self, walk: Walk) {
        self.total += walk.weight;
        self.first = self.first.min(walk.at);
        if walk.weight > self.heaviest.weight {
            self.heaviest = walk;
        }
        self.walks.push(walk);
    }
}

#[cfg(test)]
mod tests {
    use super::{rows, rows_from};
    use crate::views::graph::{Order, Query, Tree};

    // a ─ b 2, a ─ c ─ b 3
    const TREE: Tree = Tree {
        parents: &[-1, 0, 0, 2],
        frames: &[0, 1, 2, 1],
        weights: &[0.0, 2.0, 0.0, 3.0],
        totals: &[5.0, 2.0, 3.0, 3.0],
    };

    fn query(least: f64) -> Query<'static> {
        Query { least, root: None, keep: &[], order: Order::LeftHeavy, ranks: &[0, 1, 2], max_rows: 99 }
    }

    #[test]
    fn callers_stand_below_the_innermost_frame() {
        let all = rows(&TREE, &query(0.0));
        assert_eq!((all.frame, all.depth), (vec![1, 2, 0, 0], vec![0, 1, 2, 1]));
        assert_eq!((all.total, all.self_weight), (vec![5.0, 3.0, 3.0, 2.0], vec![0.0, 0.0, 3.0, 2.0]));
        let heavy = rows(&TREE, &query(3.0));
        assert_eq!((heavy.frame, heavy.pruned), (vec![1, 2, 0], 1));
    }

    #[test]
    fn a_row_is_found_again_by_where_one_of_its_stacks_ends() {
        let all = rows(&TREE, &query(0.0));
        for (row, (&leaf, &depth)) in all.leaf.iter().zip(&all.depth).enumerate() {
            let below =
                rows_from(&TREE, leaf.unsigned_abs() as usize, depth.unsigned_abs() as usize, &query(0.0));
            assert_eq!((below.frame[0], below.total[0]), (all.frame[row], all.total[row]));
        }
        assert_eq!(rows_from(&TREE, 1, 0, &query(0.0)).total, [5.0, 3.0, 3.0, 2.0]);
        assert!(rows_from(&TREE, 1, 9, &query(0.0)).frame.is_empty());
    }
}
