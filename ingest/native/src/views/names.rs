//! Weights by function name: the table of functions, and callers and callees of one function (sandwich view).

use crate::profile::columns::index;
use crate::profile::measure::{self, totals};
use crate::views::graph::{Children, Query, Rows, Tree, rows};
use crate::views::inverted::{Walk, unfolded};
use crate::views::trie::Trie;

/// What every name weighs, as columns of one length.
pub struct Names {
    /// Samples that end in it.
    pub own: Vec<f64>,
    /// Samples that pass through it, each counted once.
    pub total: Vec<f64>,
    /// 1 if it occurs in the tree, whatever its weight.
    pub is_there: Vec<u8>,
}

/// Weigh every name; `names` numbers that of every frame, below `count`.
#[must_use]
pub fn by_name(tree: &Tree, names: &[i32], count: usize) -> Names {
    let mut own = vec![0.0; count];
    let mut total = vec![0.0; count];
    let mut is_there = vec![0; count];
    let mut open = vec![0_u32; count];
    let children = Children::of(tree.parents, &vec![true; tree.parents.len()], None);
    let mut ahead: Vec<(usize, bool)> =
        children.below(None).iter().rev().map(|&node| (node, false)).collect();
    while let Some((node, is_left)) = ahead.pop() {
        let Some(name) =
            index(tree.frames[node]).and_then(|frame| names.get(frame)).and_then(|&at| index(at))
        else {
            continue;
        };
        if is_left {
            open[name] -= 1;
            continue;
        }
        own[name] += tree.weights[node];
        is_there[name] = 1;
        if open[name] == 0 {
            total[name] += tree.totals[node];
        }
        open[name] += 1;
        ahead.push((node, true));
        ahead.extend(children.below(Some(node)).iter().rev().map(|&child| (child, false)));
    }
    Names { own, total, is_there }
}

/// The outermost nodes with a frame of `class` on each path from the root.
#[must_use]
pub fn outermost(tree: &Tree, class: &[u8]) -> Vec<usize> {
    let first = measure::outermost(tree.parents, tree.frames, class);
    (0..first.len()).filter(|&node| first[node] != 0).collect()
}

/// Weight of the samples that pass through a frame of `class`, each counted once.
#[must_use]
pub fn passing(tree: &Tree, class: &[u8]) -> f64 {
    outermost(tree, class).into_iter().map(|node| tree.totals[node]).sum()
}

/// Who calls the functions of `class`: the first row is these themselves, as their outermost calls.
#[must_use]
pub fn callers(tree: &Tree, class: &[u8], query: &Query) -> Rows {
    let nodes = outermost(tree, class).into_iter().filter(|&node| tree.totals[node] > 0.0);
    let walks = nodes.map(|node| Walk::from(node, tree.totals[node])).collect();
    unfolded(tree, walks, true, |_| true, query)
}

/// What the functions of `class` call: their subtrees as one, from their outermost calls on.
#[must_use]
pub fn callees(tree: &Tree, class: &[u8], query: &Query) -> Rows {
    let first = measure::outermost(tree.parents, tree.frames, class);
    let mut merged = Trie::new();
    let mut of_node: Vec<Option<i32>> = Vec::with_capacity(first.len());
    let mut weights: Vec<f64> = Vec::new();
    let mut origin: Vec<usize> = Vec::new();
    for (node, &is_first) in first.iter().enumerate() {
        let above = index(tree.parents[node]).and_then(|parent| of_node[parent]);
        let joined = match (is_first != 0, above) {
            (true, _) if merged.frames.is_empty() => Some(merged.child(-1, tree.frames[node])),
            (true, _) => Some(0),
            (false, Some(above)) => Some(merged.child(above, tree.frames[node])),
            (false, None) => None,
        };
        if let Some(at) = joined.and_then(index) {
            if at == weights.len() {
                weights.push(0.0);
                origin.push(node);
            }
            weights[at] += tree.weights[node];
        }
        of_node.push(joined);
    }
    let totals = totals(&merged.parents, &weights);
    let joined =
        Tree { parents: &merged.parents, frames: &merged.frames, weights: &weights, totals: &totals };
    let mut result = rows(&joined, query);
    for node in &mut result.node {
        *node = index(*node).map_or(-1, |at| i32::try_from(origin[at]).unwrap_or(i32::MAX));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{by_name, callees, callers, passing};
    use crate::views::graph::{Order, Query, Tree};

    // a ─ b 2 ─ c 4 ─ b 1, d ─ b 3 ─ c 5      c has two modules: frames 2 and 4
    const TREE: Tree = Tree {
        parents: &[-1, 0, 1, 2, -1, 4, 5],
        frames: &[0, 1, 2, 1, 3, 1, 4],
        weights: &[0.0, 2.0, 4.0, 1.0, 0.0, 3.0, 5.0],
        totals: &[7.0, 7.0, 5.0, 1.0, 8.0, 8.0, 5.0],
    };
    const QUERY: Query =
        Query { least: 0.0, root: None, keep: &[], order: Order::LeftHeavy, ranks: &[], max_rows: 99 };
    const B: [u8; 5] = [0, 1, 0, 0, 0];

    #[test]
    fn a_recursive_sample_counts_once() {
        let result = by_name(&TREE, &[0, 1, 2, 3, 2], 5);
        assert_eq!(result.own, [0.0, 6.0, 9.0, 0.0, 0.0]);
        assert_eq!(result.total, [7.0, 15.0, 10.0, 8.0, 0.0]);
        assert_eq!(result.is_there, [1, 1, 1, 1, 0]);
        assert!((passing(&TREE, &B) - 15.0).abs() < 1e-9);
    }

    #[test]
    fn both_sides_weigh_what_passes_through() {
        let above = callers(&TREE, &B, &QUERY);
        assert_eq!((above.frame, above.total), (vec![1, 3, 0], vec![15.0, 8.0, 7.0]));
        assert_eq!(above.self_weight, [0.0, 8.0, 7.0]);
        let below = callees(&TREE, &B, &QUERY);
        assert_eq!((below.frame, below.depth), (vec![1, 2, 1, 4], vec![0, 1, 2, 1]));
        assert_eq!((below.total, below.node), (vec![15.0, 5.0, 1.0, 5.0], vec![1, 2, 3, 6]));
    }

    #[test]
    fn what_nobody_passes_has_no_rows() {
        assert!(callers(&TREE, &[0; 5], &QUERY).frame.is_empty());
        assert!(callees(&TREE, &[0; 5], &QUERY).frame.is_empty());
    }
}
