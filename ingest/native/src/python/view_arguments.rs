//! What Python hands over to a view: columns, selection, arrangement.

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

use crate::profile::columns::index;
use crate::views::arranged::{Arranged, Arrangement, Place, arranged};
use crate::views::graph::{self, Query, Rows};
use crate::views::view::View;

/// The columns of a profile that a view is made of.
#[derive(FromPyObject)]
pub struct Columns {
    pub node_parent: PyBuffer<i32>,
    pub node_frame: PyBuffer<i32>,
    pub sample_node: PyBuffer<i32>,
    pub sample_weight: PyBuffer<f64>,
    pub sample_count: PyBuffer<f64>,
    pub sample_time: Option<PyBuffer<f64>>,
    pub sample_cpu: Option<PyBuffer<i32>>,
    pub sample_thread: PyBuffer<i32>,
}

/// What is selected and how it is shaped; flags are bytes, one per frame or thread.
#[derive(FromPyObject)]
pub struct SampleSelection {
    pub first: usize,
    pub end: Option<usize>,
    pub time: Option<(f64, f64)>,
    pub cpus: Option<Vec<i32>>,
    pub is_thread: Option<Vec<u8>>,
    pub is_idle: Option<Vec<u8>>,
    pub focus: Option<Vec<u8>>,
    pub hide: Option<Vec<u8>>,
    pub merge: Option<Vec<u8>>,
    pub collapse: Option<PyBuffer<i32>>,
}

/// How a graph arranges the tree: the command of every thread, and one flag per frame without a symbol.
#[derive(FromPyObject)]
pub struct ArrangementOptions {
    pub commands: Option<Vec<i32>>,
    pub nameless: Option<Vec<u8>>,
    pub frame_count: usize,
    pub namesakes: Vec<i32>,
}

impl ArrangementOptions {
    /// `keep` are nodes of the view; `root` is a node of the profile, or a command after all of these.
    #[must_use]
    pub fn arrange(&self, view: &View, keep: &[usize], root: Option<usize>) -> Arranged {
        let root = root.and_then(|root| match root.checked_sub(view.of_node.len()) {
            Some(command) => Some(Place::Command(command)),
            None => view.row_of(root).map(Place::Node),
        });
        let how = Arrangement {
            commands: self.commands.as_deref(),
            nameless: self.nameless.as_deref(),
            frame_count: self.frame_count,
            namesakes: &self.namesakes,
        };
        arranged(view, &how, keep, root)
    }

    /// The rows, the node or command of each, and how many nodes were joined in it; none without the root.
    #[must_use]
    pub fn rows(
        &self,
        view: &View,
        keep: &[usize],
        root: Option<usize>,
        query: &Query,
    ) -> Option<(Rows, Vec<i32>, Vec<i32>)> {
        let tree = self.arrange(view, keep, root);
        if root.is_some() && tree.root.is_none() {
            return None;
        }
        let mut rows = graph::rows(&tree.tree(), &Query { root: tree.root, keep: &tree.kept, ..*query });
        let joined = tree.joined_of(&rows);
        let commands = i32::try_from(view.of_node.len()).unwrap_or(i32::MAX);
        let place = |origin: i32| match index(origin) {
            Some(node) => view.first[node],
            None => commands.saturating_add(-1 - origin),
        };
        let nodes =
            rows.node.drain(..).map(|row| index(row).map_or(-1, |row| place(tree.origin[row]))).collect();
        Some((rows, nodes, joined))
    }
}
