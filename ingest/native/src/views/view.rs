//! A profile as it is looked at: the selected samples and the tree of their stacks, weighed.

use crate::profile::columns::index;
use crate::profile::measure::totals;
use crate::views::selection::{Samples, Selection};
use crate::views::shape::{LEFT_OUT, Shape, Shaped, shaped};

/// The selected samples, in the order of the recording; `nodes` are those of the view.
#[derive(Default)]
pub struct Selected {
    pub positions: Vec<u32>,
    pub nodes: Vec<i32>,
    pub weights: Vec<f64>,
    pub counts: Vec<f64>,
    pub times: Option<Vec<f64>>,
    pub cpus: Option<Vec<i32>>,
    pub threads: Vec<i32>,
}

/// A weighed tree. `weights` are those of samples that end in a node, `totals` also of those below.
pub struct View {
    pub parents: Vec<i32>,
    pub frames: Vec<i32>,
    pub first: Vec<i32>,
    pub of_node: Vec<i32>,
    pub weights: Vec<f64>,
    pub totals: Vec<f64>,
    pub samples: Selected,
    /// Everything selected, samples without a stack too.
    pub total_weight: f64,
    pub total_samples: f64,
}

impl View {
    /// View `samples` on the tree of `parents` and `node_frames`, whose columns were checked.
    #[must_use]
    pub fn new(
        parents: &[i32],
        node_frames: &[i32],
        samples: &Samples,
        selection: &Selection,
        shape: &Shape,
    ) -> Self {
        let mut positions = selection.positions(samples, node_frames);
        let is_whole = selection.is_everything() && shape.focus.is_none() && shape.hide.is_none();
        let live = if is_whole {
            vec![true; parents.len()]
        } else {
            let stays = shape.stays(parents, node_frames);
            positions
                .retain(|&at| index(samples.nodes[at]).map_or(shape.keeps_stackless(), |node| stays[node]));
            live(parents, samples, &positions)
        };
        let tree = shaped(parents, node_frames, &live, shape);
        Self::weighed(tree, samples, &positions)
    }

    fn weighed(tree: Shaped, samples: &Samples, positions: &[usize]) -> Self {
        let mut weights = vec![0.0; tree.parents.len()];
        let (mut total_weight, mut total_samples) = (0.0, 0.0);
        let mut nodes = Vec::with_capacity(positions.len());
        for &at in positions {
            let node = index(samples.nodes[at]).map_or(-1, |node| tree.of_node[node]);
            if let Some(node) = index(node) {
                weights[node] += samples.weights[at];
            }
            total_weight += samples.weights[at];
            total_samples += samples.counts[at];
            nodes.push(node);
        }
        let selected = Selected {
            positions: positions.iter().map(|&at| u32::try_from(at).unwrap_or(u32::MAX)).collect(),
            nodes,
            weights: positions.iter().map(|&at| samples.weights[at]).collect(),
            counts: positions.iter().map(|&at| samples.counts[at]).collect(),
            times: samples.times.map(|times| positions.iter().map(|&at| times[at]).collect()),
            cpus: samples.cpus.map(|cpus| positions.iter().map(|&at| cpus[at]).collect()),
            threads: positions.iter().map(|&at| samples.threads[at]).collect(),
        };
        Self {
            totals: totals(&tree.parents, &weights),
            weights,
            parents: tree.parents,
            frames: tree.frames,
            first: tree.first,
            of_node: tree.of_node,
            samples: selected,
            total_weight,
            total_samples,
        }
    }

    /// The node of this view that contains `node` of the profile, if any.
    #[must_use]
    pub fn row_of(&self, node: usize) -> Option<usize> {
        self.of_node.get(node).filter(|&&new| new > LEFT_OUT).copied().and_then(index)
    }

    /// How many frames deep every node is, the outermost 0.
    #[must_use]
    pub fn depths(&self) -> Vec<i32> {
        let mut depths: Vec<i32> = Vec::with_capacity(self.parents.len());
        for &parent in &self.parents {
            depths.push(index(parent).map_or(0, |parent| depths[parent] + 1));
        }
        depths
    }
}

/// Nodes in which a sample ends, and those above them.
fn live(parents: &[i32], samples: &Samples, positions: &[usize]) -> Vec<bool> {
    let mut live = vec![false; parents.len()];
    for &at in positions {
        if let Some(node) = index(samples.nodes[at]) {
            live[node] = true;
        }
    }
    for node in (0..parents.len()).rev() {
        if let Some(parent) = index(parents[node]).filter(|_| live[node]) {
            live[parent] = true;
        }
    }
    live
}

#[cfg(test)]
pub mod tests {
    use super::View;
    use crate::views::selection::{Samples, Selection};
    use crate::views::shape::Shape;

    // a ─ b, a ─ c ─ b; d      frames by number: b 1, c 2, a 3, d 0
    pub const PARENTS: [i32; 5] = [-1, 0, 0, 2, -1];
    pub const FRAMES: [i32; 5] = [3, 1, 2, 1, 0];

    /// A view of samples that end in `nodes` with `weights`, one each second.
    #[must_use]
    pub fn view(nodes: &[i32], weights: &[f64], selection: &Selection, shape: &Shape) -> View {
        let times: Vec<f64> = (0_u32..).take(nodes.len()).map(f64::from).collect();
        let counts = vec![1.0; nodes.len()];
        let threads = vec![0; nodes.len()];
        let samples =
            Samples { nodes, weights, counts: &counts, times: Some(&times), cpus: None, threads: &threads };
        View::new(&PARENTS, &FRAMES, &samples, selection, shape)
    }

    #[test]
    fn a_view_weighs_what_is_selected_and_no_more() {
        let whole = view(&[1, 3, 4, -1], &[2.0, 3.0, 10.0, 1.0], &Selection::default(), &Shape::default());
        assert_eq!((whole.totals, whole.total_weight), (vec![5.0, 2.0, 3.0, 3.0, 10.0], 16.0));
        let selection = Selection { time: Some((1.0, 2.0)), ..Selection::default() };
        let some = view(&[1, 3, 4, -1], &[2.0, 3.0, 10.0, 1.0], &selection, &Shape::default());
        assert_eq!((some.frames, some.first), (vec![3, 2, 1], vec![0, 2, 3]));
        assert_eq!((some.totals, some.total_weight, some.total_samples), (vec![3.0; 3], 3.0, 1.0));
    }

    #[test]
    fn a_focus_leaves_samples_without_stack_out() {
        let shape = Shape { focus: Some(&[0, 0, 1, 0]), ..Shape::default() };
        let result = view(&[1, 3, -1], &[2.0, 3.0, 1.0], &Selection::default(), &shape);
        assert_eq!((result.total_weight, result.row_of(3), result.row_of(1)), (3.0, Some(2), None));
    }
}
