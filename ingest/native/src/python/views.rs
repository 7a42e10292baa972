//! Views of profiles for Python. Columns enter as contiguous arrays and leave as little-endian bytes.

// Python hands over its arguments and has many of them.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::profile::columns::{check, index};
use crate::python::column_bytes::bytes;
use crate::python::view_arguments::{ArrangementOptions, Columns, SampleSelection};
use crate::views::chart;
use crate::views::diff;
use crate::views::graph::{self, Order, Query, Rows, Tree};
use crate::views::heat::Grid;
use crate::views::inverted;
use crate::views::lanes;
use crate::views::lanes::{Alike, By};
use crate::views::names;
use crate::views::pattern;
use crate::views::selection::{Samples, Selection};
use crate::views::shape::Shape;
use crate::views::view::View;

fn wrong(reason: &'static str) -> PyErr {
    PyValueError::new_err(reason)
}

/// One shaped and weighed selection of a profile.
#[pyclass(frozen, name = "View")]
struct ProfileView(View);

fn order_of(name: &str) -> PyResult<Order> {
    Order::named(name).ok_or_else(|| wrong("order is left-heavy, alpha or time"))
}

impl ProfileView {
    fn tree(&self) -> Tree<'_> {
        let View { parents, frames, weights, totals, .. } = &self.0;
        Tree { parents, frames, weights, totals }
    }

    /// Nodes of the profile for nodes of the view.
    fn firsts(&self, nodes: &[i32]) -> Vec<i32> {
        nodes.iter().map(|&node| index(node).map_or(-1, |node| self.0.first[node])).collect()
    }

    fn row_columns<'py>(&self, py: Python<'py>, rows: &Rows) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        result.set_item("depth", bytes(py, &rows.depth)?)?;
        result.set_item("frame", bytes(py, &rows.frame)?)?;
        result.set_item("node", bytes(py, &self.firsts(&rows.node))?)?;
        result.set_item("self_weight", bytes(py, &rows.self_weight)?)?;
        result.set_item("total", bytes(py, &rows.total)?)?;
        result.set_item("leaf", bytes(py, &self.firsts(&rows.leaf))?)?;
        result.set_item("pruned", rows.pruned)?;
        Ok(result)
    }

    fn nodes_of(&self, nodes: &[usize]) -> Vec<usize> {
        nodes.iter().filter_map(|&node| self.0.row_of(node)).collect()
    }
}

#[pymethods]
impl ProfileView {
    #[new]
    fn new(py: Python<'_>, columns: Columns, options: SampleSelection) -> PyResult<Self> {
        let parents = columns.node_parent.to_vec(py)?;
        let node_frames = columns.node_frame.to_vec(py)?;
        check(&parents, &node_frames, usize::MAX).map_err(|error| wrong(error.0))?;
        let nodes = columns.sample_node.to_vec(py)?;
        let weights = columns.sample_weight.to_vec(py)?;
        let counts = columns.sample_count.to_vec(py)?;
        let times = columns.sample_time.map(|column| column.to_vec(py)).transpose()?;
        let cpus = columns.sample_cpu.map(|column| column.to_vec(py)).transpose()?;
        let threads = columns.sample_thread.to_vec(py)?;
        let lengths = [weights.len(), counts.len(), threads.len()];
        let optional = [times.as_ref().map(Vec::len), cpus.as_ref().map(Vec::len)];
        let is_even = lengths.into_iter().chain(optional.into_iter().flatten()).all(|len| len == nodes.len());
        if !is_even || nodes.iter().any(|&node| index(node).is_some_and(|node| node >= parents.len())) {
            return Err(wrong("sample columns do not fit the tree"));
        }
        let collapse = options.collapse.as_ref().map(|names| names.to_vec(py)).transpose()?;
        let view = py.detach(|| {
            let samples = Samples {
                nodes: &nodes,
                weights: &weights,
                counts: &counts,
                times: times.as_deref(),
                cpus: cpus.as_deref(),
                threads: &threads,
            };
            let selection = Selection {
                from: options.first,
                to: options.end,
                time: options.time,
                cpus: options.cpus.as_deref(),
                is_thread: options.is_thread.as_deref(),
                is_idle: options.is_idle.as_deref(),
            };
            let shape = Shape {
                focus: options.focus.as_deref(),
                hide: options.hide.as_deref(),
                merge: options.merge.as_deref(),
                collapse: collapse.as_deref(),
            };
            View::new(&parents, &node_frames, &samples, &selection, &shape)
        });
        Ok(Self(view))
    }

    #[getter]
    fn total_weight(&self) -> f64 {
        self.0.total_weight
    }

    #[getter]
    fn total_samples(&self) -> f64 {
        self.0.total_samples
    }

    /// Number of nodes and samples.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.0.parents.len(), self.0.samples.nodes.len())
    }

    fn holds(&self, node: usize) -> bool {
        self.0.row_of(node).is_some()
    }

    /// The tree and the samples as columns: what a profile is made of.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        result.set_item("node_parent", bytes(py, &self.0.parents)?)?;
        result.set_item("node_frame", bytes(py, &self.0.frames)?)?;
        result.set_item("first", bytes(py, &self.0.first)?)?;
        result.set_item("position", bytes(py, &self.0.samples.positions)?)?;
        result.set_item("sample_node", bytes(py, &self.0.samples.nodes)?)?;
        Ok(result)
    }

    fn graph<'py>(
        &self,
        py: Python<'py>,
        least: f64,
        root: Option<usize>,
        keep: Vec<usize>,
        order: &str,
        ranks: PyBuffer<i32>,
        max_rows: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (order, ranks) = (order_of(order)?, ranks.to_vec(py)?);
        let root = root.map(|node| self.0.row_of(node).ok_or_else(|| wrong("no such node"))).transpose()?;
        let keep = self.nodes_of(&keep);
        let query = Query { least, root, keep: &keep, order, ranks: &ranks, max_rows };
        let rows = py.detach(|| graph::rows(&self.tree(), &query));
        self.row_columns(py, &rows)
    }

    /// As `graph`, with commands as the first level and neighbouring frames without a symbol as one.
    fn arranged_graph<'py>(
        &self,
        py: Python<'py>,
        options: ArrangementOptions,
        least: f64,
        root: Option<usize>,
        keep: Vec<usize>,
        order: &str,
        ranks: PyBuffer<i32>,
        max_rows: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (order, ranks) = (order_of(order)?, ranks.to_vec(py)?);
        let query = Query { least, root: None, keep: &[], order, ranks: &ranks, max_rows };
        let (rows, nodes, joined) = py
            .detach(|| options.rows(&self.0, &self.nodes_of(&keep), root, &query))
            .ok_or_else(|| wrong("no such row"))?;
        let result = self.row_columns(py, &rows)?;
        result.set_item("node", bytes(py, &nodes)?)?;
        result.set_item("joined", bytes(py, &joined)?)?;
        Ok(result)
    }

    /// One flag per selected sample: it passes through a row of the arranged tree.
    fn arranged_passing<'py>(
        &self,
        py: Python<'py>,
        options: ArrangementOptions,
        root: usize,
    ) -> Bound<'py, PyBytes> {
        let flags = py.detach(|| options.arrange(&self.0, &[], Some(root)).passing());
        PyBytes::new(py, &flags)
    }

    /// `row` is a leaf and a depth: only that row and what is below it.
    fn inverted<'py>(
        &self,
        py: Python<'py>,
        least: f64,
        root: Option<usize>,
        row: Option<(usize, usize)>,
        order: &str,
        ranks: PyBuffer<i32>,
        max_rows: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (order, ranks) = (order_of(order)?, ranks.to_vec(py)?);
        let root = root.map(|node| self.0.row_of(node).ok_or_else(|| wrong("no such node"))).transpose()?;
        let row = row
            .map(|(leaf, depth)| {
                Ok::<_, PyErr>((self.0.row_of(leaf).ok_or_else(|| wrong("no such node"))?, depth))
            })
            .transpose()?;
        let query = Query { least, root, keep: &[], order, ranks: &ranks, max_rows };
        let rows = py.detach(|| match row {
            Some((leaf, depth)) => inverted::rows_from(&self.tree(), leaf, depth, &query),
            None => inverted::rows(&self.tree(), &query),
        });
        self.row_columns(py, &rows)
    }

    fn chart<'py>(&self, py: Python<'py>, least: f64, max_rows: usize) -> PyResult<Bound<'py, PyDict>> {
        let stays = py.detach(|| chart::stays(&self.0, least, max_rows));
        let result = PyDict::new(py);
        result.set_item("depth", bytes(py, &stays.depth)?)?;
        result.set_item("frame", bytes(py, &stays.frame)?)?;
        result.set_item("node", bytes(py, &self.firsts(&stays.node))?)?;
        result.set_item("self_weight", bytes(py, &stays.self_weight)?)?;
        result.set_item("total", bytes(py, &stays.total)?)?;
        result.set_item("start", bytes(py, &stays.start)?)?;
        result.set_item("first_sample", bytes(py, &stays.first)?)?;
        result.set_item("last_sample", bytes(py, &stays.last)?)?;
        result.set_item("time", bytes(py, &stays.time)?)?;
        result.set_item("pruned", stays.pruned)?;
        Ok(result)
    }

    /// Own and total weight per name, and whether it is there at all.
    #[allow(clippy::type_complexity)]
    fn by_name<'py>(
        &self,
        py: Python<'py>,
        names: PyBuffer<i32>,
        count: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let names = names.to_vec(py)?;
        if names.iter().any(|&name| index(name).is_none_or(|name| name >= count)) {
            return Err(wrong("a name outside"));
        }
        let result = py.detach(|| names::by_name(&self.tree(), &names, count));
        Ok((bytes(py, &result.own)?, bytes(py, &result.total)?, PyBytes::new(py, &result.is_there)))
    }

    /// One flag per node of the view: it is the row of `node`, or below it.
    fn below<'py>(&self, py: Python<'py>, node: usize) -> Bound<'py, PyBytes> {
        let inside = match self.0.row_of(node) {
            Some(row) => graph::below(&self.0.parents, Some(row)),
            None => vec![false; self.0.parents.len()],
        };
        PyBytes::new(py, &inside.into_iter().map(u8::from).collect::<Vec<u8>>())
    }

    fn passing(&self, py: Python<'_>, class: &[u8]) -> f64 {
        py.detach(|| names::passing(&self.tree(), class))
    }

    /// Callers, callees, and how many outermost calls there are.
    #[allow(clippy::type_complexity)]
    fn sandwich<'py>(
        &self,
        py: Python<'py>,
        class: &[u8],
        least: f64,
        order: &str,
        ranks: PyBuffer<i32>,
        max_rows: usize,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>, usize)> {
        let (order, ranks) = (order_of(order)?, ranks.to_vec(py)?);
        let query = Query { least, root: None, keep: &[], order, ranks: &ranks, max_rows };
        let (above, below, calls) = py.detach(|| {
            let tree = self.tree();
            let calls = names::outermost(&tree, class).len();
            (names::callers(&tree, class, &query), names::callees(&tree, class, &query), calls)
        });
        Ok((self.row_columns(py, &above)?, self.row_columns(py, &below)?, calls))
    }

    fn heat<'py>(
        &self,
        py: Python<'py>,
        origin_s: f64,
        column_seconds: f64,
        columns: usize,
        rows: usize,
        only: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let times = self.0.samples.times.as_ref().ok_or_else(|| wrong("no clock"))?;
        if rows == 0 || column_seconds <= 0.0 {
            return Err(wrong("a grid without cells"));
        }
        let grid = Grid { origin_s, column_s: column_seconds, columns, rows };
        bytes(py, &py.detach(|| grid.counts(times, &self.0.samples.counts, only)))
    }

    fn lanes<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        alike: &str,
        has_clock: bool,
        gap: Option<f64>,
        range: Option<(f64, f64)>,
        width: usize,
        max_lanes: usize,
        max_spans: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let by = match by {
            "cpu" => By::Cpu,
            "thread" => By::Thread,
            _ => By::All,
        };
        let alike = match alike {
            "leaf" => Alike::Leaf,
            "stack" => Alike::Stack,
            _ => Alike::Thread,
        };
        let query = lanes::Query { by, alike, has_clock, gap, range, width, max_lanes, max_spans };
        let found = py.detach(|| lanes::lanes(&self.0, &query));
        let frames: Vec<i32> =
            found.node.iter().map(|&node| index(node).map_or(-1, |node| self.0.frames[node])).collect();
        let result = PyDict::new(py);
        let rows = found.lanes.iter().map(|lane| (lane.key, lane.samples, lane.weight, lane.spans));
        result.set_item("lanes", PyList::new(py, rows)?)?;
        result.set_item("left_out", found.left_out)?;
        result.set_item("start", bytes(py, &found.start)?)?;
        result.set_item("duration", bytes(py, &found.duration)?)?;
        result.set_item("samples", bytes(py, &found.samples)?)?;
        result.set_item("thread", bytes(py, &found.thread)?)?;
        result.set_item("frame", bytes(py, &frames)?)?;
        result.set_item("node", bytes(py, &self.firsts(&found.node))?)?;
        result.set_item("leaf", bytes(py, &found.leaf)?)?;
        result.set_item("range", (found.from, found.to))?;
        result.set_item("interval", found.interval)?;
        result.set_item("gap", found.gap)?;
        result.set_item("bin", found.bin)?;
        Ok(result)
    }

    /// This view is before, `after` the other; `names` number the names of both sides' frames.
    fn diff<'py>(
        &self,
        py: Python<'py>,
        after: Py<Self>,
        names: (PyBuffer<i32>, PyBuffer<i32>),
        min_share: f64,
        min_delta: f64,
        order: &str,
        ranks: PyBuffer<i32>,
        max_rows: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let order = diff::Order::named(order).ok_or_else(|| wrong("order is left-heavy, alpha or delta"))?;
        let (before_names, after_names) = (names.0.to_vec(py)?, names.1.to_vec(py)?);
        let ranks = ranks.to_vec(py)?;
        let after = after.get();
        let rows = py.detach(|| {
            let sides = [
                diff::Side { tree: self.tree(), names: &before_names, whole: self.0.total_weight },
                diff::Side { tree: after.tree(), names: &after_names, whole: after.0.total_weight },
            ];
            diff::rows(&sides, &diff::Query { min_share, min_delta, order, ranks: &ranks, max_rows })
        });
        let result = PyDict::new(py);
        result.set_item("depth", bytes(py, &rows.depth)?)?;
        result.set_item("name", bytes(py, &rows.name)?)?;
        result.set_item("weight_a", bytes(py, &rows.weight[0])?)?;
        result.set_item("weight_b", bytes(py, &rows.weight[1])?)?;
        result.set_item("self_a", bytes(py, &rows.own[0])?)?;
        result.set_item("self_b", bytes(py, &rows.own[1])?)?;
        result.set_item("node_a", bytes(py, &self.firsts(&rows.node[0]))?)?;
        result.set_item("node_b", bytes(py, &after.firsts(&rows.node[1]))?)?;
        result.set_item("only", (rows.only[0], rows.only[1]))?;
        result.set_item("pruned", rows.pruned)?;
        Ok(result)
    }
}

/// One flag per name: the regular expression is found in it.
#[pyfunction]
fn found<'py>(py: Python<'py>, expression: &str, names: Vec<String>) -> PyResult<Bound<'py, PyBytes>> {
    let flags = py.detach(|| pattern::found(expression, &names)).map_err(PyValueError::new_err)?;
    Ok(PyBytes::new(py, &flags))
}

/// Add everything here to the module.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ProfileView>()?;
    module.add_function(wrap_pyfunction!(found, module)?)
}
