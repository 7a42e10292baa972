//! Two call trees as one: what every path weighs in each, and by how much its share changed.

use crate::profile::columns::index;
use crate::profile::measure::totals;
use crate::views::graph::{Children, Tree, rank};
use crate::views::trie::Trie;

/// One side: a tree, the number of every frame's name among those of both, and what 100 % is.
pub struct Side<'a> {
    pub tree: Tree<'a>,
    pub names: &'a [i32],
    pub whole: f64,
}

/// Order of siblings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By the sum of both shares.
    LeftHeavy,
    Alpha,
    /// The most changed first.
    Delta,
}

impl Order {
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "left-heavy" => Some(Self::LeftHeavy),
            "alpha" => Some(Self::Alpha),
            "delta" => Some(Self::Delta),
            _ => None,
        }
    }
}

/// Parameters of a difference: rows with at least `min_share` in one of the sides, or above a row that changed by at
/// least `min_delta`; `ranks` sorts names.
pub struct Query<'a> {
    pub min_share: f64,
    pub min_delta: f64,
    pub order: Order,
    pub ranks: &'a [i32],
    pub max_rows: usize,
}

/// Rows in preorder; a node is -1 on the side that has no such path.
#[derive(Debug, Default, PartialEq)]
pub struct Rows {
    pub depth: Vec<i32>,
    pub name: Vec<i32>,
    pub weight: [Vec<f64>; 2],
    pub own: [Vec<f64>; 2],
    pub node: [Vec<i32>; 2],
    /// Share of each side's whole on paths that the other does not have.
    pub only: [f64; 2],
    pub pruned: usize,
}

struct Joined {
    trie: Trie,
    own: [Vec<f64>; 2],
    totals: [Vec<f64>; 2],
    node: [Vec<i32>; 2],
}

/// Join both sides by the names on their paths.
#[must_use]
pub fn rows(sides: &[Side; 2], query: &Query) -> Rows {
    let joined = join(sides);
    let size = joined.trie.parents.len();
    let share = |side: usize, node: usize| {
        if sides[side].whole > 0.0 { joined.totals[side][node] / sides[side].whole } else { 0.0 }
    };
    let delta: Vec<f64> = (0..size).map(|node| share(1, node) - share(0, node)).collect();
    let mut changed: Vec<f64> = delta.iter().map(|delta| delta.abs()).collect();
    for node in (0..size).rev() {
        if let Some(parent) = index(joined.trie.parents[node]) {
            changed[parent] = changed[parent].max(changed[node]);
        }
    }
    let width: Vec<f64> = (0..size).map(|node| share(0, node).max(share(1, node))).collect();
    let mut is_shown: Vec<bool> =
        (0..size).map(|node| width[node] >= query.min_share && changed[node] >= query.min_delta).collect();
    let mut shown: Vec<usize> = (0..size).filter(|&node| is_shown[node]).collect();
    if shown.len() > query.max_rows {
        shown.sort_by(|&a, &b| width[b].total_cmp(&width[a]).then(a.cmp(&b)));
        for &node in &shown[query.max_rows..] {
            is_shown[node] = false;
        }
    }
    let mut result = Rows { only: only(sides, &joined), ..Rows::default() };
    let children = Children::of(&joined.trie.parents, &is_shown, None);
    let mut open: Vec<(usize, i32)> = Vec::new();
    let enter = |of: Option<usize>, depth: i32, open: &mut Vec<(usize, i32)>| {
        let mut siblings = children.below(of).to_vec();
        match query.order {
            Order::LeftHeavy => {
                let both = |node: usize| share(0, node) + share(1, node);
                siblings.sort_by(|&a, &b| both(b).total_cmp(&both(a)).then(a.cmp(&b)));
            }
            Order::Alpha => siblings.sort_by_key(|&node| (rank(query.ranks, joined.trie.frames[node]), node)),
            Order::Delta => {
                siblings.sort_by(|&a, &b| delta[b].abs().total_cmp(&delta[a].abs()).then(a.cmp(&b)));
            }
        }
        open.extend(siblings.into_iter().rev().map(|node| (node, depth)));
    };
    enter(None, 0, &mut open);
    while let Some((node, depth)) = open.pop() {
        result.depth.push(depth);
        result.name.push(joined.trie.frames[node]);
        for side in 0..2 {
            result.weight[side].push(joined.totals[side][node]);
            result.own[side].push(joined.own[side][node]);
            result.node[side].push(joined.node[side][node]);
        }
        enter(Some(node), depth + 1, &mut open);
    }
    result.pruned = size - result.depth.len();
    result
}

fn join(sides: &[Side; 2]) -> Joined {
    let mut trie = Trie::new();
    let mut own = [Vec::new(), Vec::new()];
    let mut nodes: [Vec<i32>; 2] = [Vec::new(), Vec::new()];
    for (side, Side { tree, names, .. }) in sides.iter().enumerate() {
        let mut of_node: Vec<i32> = Vec::with_capacity(tree.parents.len());
        for (node, (&parent, &frame)) in tree.parents.iter().zip(tree.frames).enumerate() {
            let above = index(parent).map_or(-1, |parent| of_node[parent]);
            let name = index(frame).and_then(|frame| names.get(frame)).copied().unwrap_or(0);
            let at = trie.child(above, name);
            of_node.push(at);
            let Some(at) = index(at) else {
                continue;
            };
            for (own, nodes) in own.iter_mut().zip(&mut nodes) {
                own.resize(trie.parents.len(), 0.0);
                nodes.resize(trie.parents.len(), -1);
            }
            own[side][at] += tree.weights[node];
            if nodes[side][at] < 0 {
                nodes[side][at] = i32::try_from(node).unwrap_or(i32::MAX);
            }
        }
    }
    let totals = [totals(&trie.parents, &own[0]), totals(&trie.parents, &own[1])];
    Joined { trie, own, totals, node: nodes }
}

/// Weight below the outermost nodes of one side that the other does not have, as shares of the wholes.
fn only(sides: &[Side; 2], joined: &Joined) -> [f64; 2] {
    let mut found = [0.0, 0.0];
    for (node, &parent) in joined.trie.parents.iter().enumerate() {
        for (side, found) in found.iter_mut().enumerate() {
            let is_only = |node: usize| joined.node[1 - side][node] < 0;
            if is_only(node) && !index(parent).is_some_and(is_only) && sides[side].whole > 0.0 {
                *found += joined.totals[side][node] / sides[side].whole;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Order, Query, Side, rows};
    use crate::views::graph::Tree;

    // a ─ b 3, a ─ c 1  against  a ─ b 2, d 6      names a 0, b 1, c 2, d 3
    const BEFORE: Tree = Tree {
        parents: &[-1, 0, 0],
        frames: &[0, 1, 2],
        weights: &[0.0, 3.0, 1.0],
        totals: &[4.0, 3.0, 1.0],
    };
    const AFTER: Tree = Tree {
        parents: &[-1, 0, -1],
        frames: &[0, 1, 2],
        weights: &[0.0, 2.0, 6.0],
        totals: &[2.0, 2.0, 6.0],
    };

    fn sides() -> [Side<'static>; 2] {
        [
            Side { tree: BEFORE, names: &[0, 1, 2], whole: 4.0 },
            Side { tree: AFTER, names: &[0, 1, 3], whole: 8.0 },
        ]
    }

    fn query(min_share: f64, min_delta: f64, order: Order) -> Query<'static> {
        Query { min_share, min_delta, order, ranks: &[0, 1, 2, 3], max_rows: 99 }
    }

    #[test]
    fn paths_are_joined_by_their_names() {
        let result = rows(&sides(), &query(0.0, 0.0, Order::Alpha));
        assert_eq!((result.name, result.depth), (vec![0, 1, 2, 3], vec![0, 1, 1, 0]));
        assert_eq!(result.weight, [vec![4.0, 3.0, 1.0, 0.0], vec![2.0, 2.0, 0.0, 6.0]]);
        assert_eq!(result.node, [vec![0, 1, 2, -1], vec![0, 1, -1, 2]]);
        assert_eq!(result.only.to_vec(), vec![0.25, 0.75]);
    }

    #[test]
    fn what_changed_most_stands_first_and_what_changed_little_is_left_out() {
        let result = rows(&sides(), &query(0.0, 0.0, Order::Delta));
        assert_eq!(result.name, [0, 1, 2, 3]);
        let result = rows(&sides(), &query(0.0, 0.4, Order::LeftHeavy));
        assert_eq!((result.name, result.pruned), (vec![0, 1, 3], 1));
        let result = rows(&sides(), &query(0.3, 0.0, Order::Alpha));
        assert_eq!(result.name, [0, 1, 3]);
    }
}
