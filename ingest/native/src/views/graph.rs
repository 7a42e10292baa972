//! The call tree as rows in preorder, without light branches: the rows of a flame graph.

use crate::profile::columns::index;

/// Order of the children of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The heaviest first.
    LeftHeavy,
    /// By name.
    Alpha,
    /// First occurrence first.
    Time,
}

impl Order {
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "left-heavy" => Some(Self::LeftHeavy),
            "alpha" => Some(Self::Alpha),
            "time" => Some(Self::Time),
            _ => None,
        }
    }
}

/// A call tree and its weights, borrowed: columns of one length, a parent before its children.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub parents: &'a [i32],
    pub frames: &'a [i32],
    pub weights: &'a [f64],
    pub totals: &'a [f64],
}

/// Rows in preorder. `pruned` counts the omitted nodes; their weight is in their parents' totals.
/// `leaf` is a node where a stack of the row ends, in an inverted tree alone.
#[derive(Debug, Default, PartialEq)]
pub struct Rows {
    pub depth: Vec<i32>,
    pub frame: Vec<i32>,
    pub node: Vec<i32>,
    pub self_weight: Vec<f64>,
    pub total: Vec<f64>,
    pub leaf: Vec<i32>,
    pub pruned: usize,
}

/// Parameters of a call tree.
pub struct Query<'a> {
    pub least: f64,
    pub root: Option<usize>,
    pub keep: &'a [usize],
    pub order: Order,
    /// Sort rank of every frame's name.
    pub ranks: &'a [i32],
    pub max_rows: usize,
}

/// The rows of a tree. Nodes lighter than `least` are omitted unless they, or a descendant, are in `keep`.
#[must_use]
pub fn rows(tree: &Tree, query: &Query) -> Rows {
    let Tree { parents, frames, weights, totals } = *tree;
    let inside = below(parents, query.root);
    let is_shown = shown(parents, totals, &inside, query);
    let children = Children::of(parents, &is_shown, query.root);
    let mut rows = Rows::default();
    let mut open: Vec<(usize, i32)> = Vec::new();
    let mut siblings: Vec<usize> = Vec::new();
    let mut enter = |of: Option<usize>, depth: i32, open: &mut Vec<(usize, i32)>| {
        siblings.clear();
        siblings.extend_from_slice(children.below(of));
        match query.order {
            Order::LeftHeavy => siblings.sort_by(|&a, &b| totals[b].total_cmp(&totals[a]).then(a.cmp(&b))),
            Order::Alpha => siblings.sort_by_key(|&node| (rank(query.ranks, frames[node]), node)),
            Order::Time => siblings.sort_unstable(),
        }
        open.extend(siblings.iter().rev().map(|&node| (node, depth)));
    };
    enter(None, 0, &mut open);
    while let Some((node, depth)) = open.pop() {
        rows.depth.push(depth);
        rows.frame.push(frames[node]);
        rows.node.push(i32::try_from(node).unwrap_or(i32::MAX));
        rows.self_weight.push(weights[node]);
        rows.total.push(totals[node]);
        enter(Some(node), depth + 1, &mut open);
    }
    rows.pruned = inside.iter().filter(|&&is_inside| is_inside).count() - rows.node.len();
    rows
}

/// Sort rank of a frame's name.
#[must_use]
pub fn rank(ranks: &[i32], frame: i32) -> i32 {
    index(frame).and_then(|frame| ranks.get(frame)).copied().unwrap_or(i32::MAX)
}

/// Which nodes are `root` or below it; all without a root.
#[must_use]
pub fn below(parents: &[i32], root: Option<usize>) -> Vec<bool> {
    let mut inside: Vec<bool> = Vec::with_capacity(parents.len());
    for (node, &parent) in parents.iter().enumerate() {
        let is_root = root.is_none_or(|root| root == node);
        inside.push(is_root || index(parent).is_some_and(|parent| inside[parent]));
    }
    inside
}

fn shown(parents: &[i32], total: &[f64], inside: &[bool], query: &Query) -> Vec<bool> {
    let mut is_kept = vec![false; parents.len()];
    for &node in query.keep {
        let mut at = Some(node).filter(|&node| node < parents.len());
        while let Some(node) = at.filter(|&node| !is_kept[node]) {
            is_kept[node] = true;
            at = index(parents[node]);
        }
    }
    let mut is_shown: Vec<bool> = (0..parents.len())
        .map(|node| inside[node] && (is_kept[node] || total[node] >= query.least))
        .collect();
    let count = is_shown.iter().filter(|&&shown| shown).count();
    if count > query.max_rows {
        // A parent is never lighter than its child and precedes it, so the heaviest nodes form a tree.
        let mut nodes: Vec<usize> = (0..parents.len()).filter(|&node| is_shown[node]).collect();
        nodes.sort_by(|&a, &b| {
            is_kept[b].cmp(&is_kept[a]).then(total[b].total_cmp(&total[a])).then(a.cmp(&b))
        });
        for &node in &nodes[query.max_rows..] {
            is_shown[node] = false;
        }
    }
    if let Some(root) = query.root.filter(|&root| root < parents.len()) {
        is_shown[root] = true;
    }
    is_shown
}

/// Shown children of every node, in one array.
pub struct Children {
    starts: Vec<usize>,
    nodes: Vec<usize>,
}

impl Children {
    /// Slot 0 holds the outermost nodes, slot `node + 1` the children of a node.
    #[must_use]
    pub fn of(parents: &[i32], is_shown: &[bool], root: Option<usize>) -> Self {
        let slot = |node: usize| {
            if root == Some(node) { 0 } else { index(parents[node]).map_or(0, |parent| parent + 1) }
        };
        let mut starts = vec![0_usize; parents.len() + 2];
        let shown = || (0..parents.len()).filter(|&node| is_shown[node]);
        for node in shown() {
            starts[slot(node) + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0; starts[starts.len() - 1]];
        for node in shown() {
            let at = &mut next[slot(node)];
            nodes[*at] = node;
            *at += 1;
        }
        Self { starts, nodes }
    }

    /// The shown children of a node, or the outermost nodes.
    #[must_use]
    pub fn below(&self, of: Option<usize>) -> &[usize] {
        let slot = of.map_or(0, |node| node + 1);
        &self.nodes[self.starts[slot]..self.starts[slot + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::{Order, Query, Rows, Tree, rows};
    use crate::profile::measure::totals;

    // a(0) ─ b(1), a ─ c(2) ─ b(3); d(4)
    const PARENTS: [i32; 5] = [-1, 0, 0, 2, -1];
    const FRAMES: [i32; 5] = [3, 1, 2, 1, 0];
    const WEIGHTS: [f64; 5] = [1.0, 2.0, 0.0, 3.0, 10.0];

    fn rows_of(query: &Query) -> Rows {
        let totals = totals(&PARENTS, &WEIGHTS);
        rows(&Tree { parents: &PARENTS, frames: &FRAMES, weights: &WEIGHTS, totals: &totals }, query)
    }

    fn shown(least: f64, root: Option<usize>, keep: &[usize], order: Order) -> (Vec<i32>, usize) {
        let rows = rows_of(&Query { least, root, keep, order, ranks: &[0, 1, 2, 3], max_rows: 100 });
        (rows.node, rows.pruned)
    }

    #[test]
    fn rows_stand_in_preorder() {
        assert_eq!(shown(0.0, None, &[], Order::Time), (vec![0, 1, 2, 3, 4], 0));
        assert_eq!(shown(0.0, None, &[], Order::LeftHeavy), (vec![4, 0, 2, 3, 1], 0));
        assert_eq!(shown(0.0, None, &[], Order::Alpha), (vec![4, 0, 1, 2, 3], 0));
    }

    #[test]
    fn light_nodes_are_pruned_unless_pinned() {
        assert_eq!(shown(6.0, None, &[], Order::LeftHeavy), (vec![4, 0], 3));
        assert_eq!(shown(6.0, None, &[3], Order::LeftHeavy), (vec![4, 0, 2, 3], 1));
    }

    #[test]
    fn a_subtree_begins_at_its_node() {
        assert_eq!(shown(0.0, Some(2), &[], Order::Time), (vec![2, 3], 0));
    }

    #[test]
    fn the_heaviest_rows_remain_when_there_are_too_many() {
        let query = Query { least: 0.0, root: None, keep: &[], order: Order::Time, ranks: &[], max_rows: 3 };
        assert_eq!(rows_of(&query).node, [0, 2, 4]);
    }
}
