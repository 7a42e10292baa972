//! Views of profiles for Python. Columns enter as contiguous arrays and leave as little-endian bytes.

// Python hands over its arguments and has many of them.
#![allow(clippy::needless_pass_by_value, clippy::too_many_arguments)]

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::profile::columns::{check, index};
use crate::python::readers::bytes;
use crate::views::chart;
use crate::views::diff;
use crate::views::graph::{self, Ask, Order, Rows, Tree};
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

/// The columns of a profile that a view is made of.
#[derive(FromPyObject)]
struct Columns {
    node_parent: PyBuffer<i32>,
    node_frame: PyBuffer<i32>,
    sample_node: PyBuffer<i32>,
    sample_weight: PyBuffer<f64>,
    sample_count: PyBuffer<f64>,
    sample_time: Option<PyBuffer<f64>>,
    sample_cpu: Option<PyBuffer<i32>>,
    sample_thread: PyBuffer<i32>,
}

/// What is selected and how it is shaped; flags are bytes, one per frame or thread.
#[derive(FromPyObject)]
struct Asked {
    first: usize,
    end: Option<usize>,
    time: Option<(f64, f64)>,
    cpus: Option<Vec<i32>>,
    is_thread: Option<Vec<u8>>,
    is_idle: Option<Vec<u8>>,
    focus: Option<Vec<u8>>,
    hide: Option<Vec<u8>>,
    merge: Option<Vec<u8>>,
    collapse: Option<PyBuffer<i32>>,
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

    fn told<'py>(&self, py: Python<'py>, rows: &Rows) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("depth", bytes(py, &rows.depth)?)?;
        told.set_item("frame", bytes(py, &rows.frame)?)?;
        told.set_item("node", bytes(py, &self.firsts(&rows.node))?)?;
        told.set_item("self_weight", bytes(py, &rows.self_weight)?)?;
        told.set_item("total", bytes(py, &rows.total)?)?;
        told.set_item("leaf", bytes(py, &self.firsts(&rows.leaf))?)?;
        told.set_item("pruned", rows.pruned)?;
        Ok(told)
    }

    fn nodes_of(&self, nodes: &[usize]) -> Vec<usize> {
        nodes.iter().filter_map(|&node| self.0.row_of(node)).collect()
    }
}

#[pymethods]
impl ProfileView {
    #[new]
    fn new(py: Python<'_>, columns: Columns, asked: Asked) -> PyResult<Self> {
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
        let collapse = asked.collapse.as_ref().map(|names| names.to_vec(py)).transpose()?;
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
                from: asked.first,
                to: asked.end,
                time: asked.time,
                cpus: asked.cpus.as_deref(),
                is_thread: asked.is_thread.as_deref(),
                is_idle: asked.is_idle.as_deref(),
            };
            let shape = Shape {
                focus: asked.focus.as_deref(),
                hide: asked.hide.as_deref(),
                merge: asked.merge.as_deref(),
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

    /// Nodes and samples held.
    #[getter]
    fn size(&self) -> (usize, usize) {
        (self.0.parents.len(), self.0.samples.nodes.len())
    }

    fn holds(&self, node: usize) -> bool {
        self.0.row_of(node).is_some()
    }

    /// The tree and the samples as columns: what a profile is made of.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("node_parent", bytes(py, &self.0.parents)?)?;
        told.set_item("node_frame", bytes(py, &self.0.frames)?)?;
        told.set_item("first", bytes(py, &self.0.first)?)?;
        told.set_item("position", bytes(py, &self.0.samples.positions)?)?;
        told.set_item("sample_node", bytes(py, &self.0.samples.nodes)?)?;
        Ok(told)
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
        let ask = Ask { least, root, keep: &keep, order, ranks: &ranks, max_rows };
        let rows = py.detach(|| graph::rows(&self.tree(), &ask));
        self.told(py, &rows)
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
        let ask = Ask { least, root, keep: &[], order, ranks: &ranks, max_rows };
        let rows = py.detach(|| match row {
            Some((leaf, depth)) => inverted::rows_from(&self.tree(), leaf, depth, &ask),
            None => inverted::rows(&self.tree(), &ask),
        });
        self.told(py, &rows)
    }

    fn chart<'py>(&self, py: Python<'py>, least: f64, max_rows: usize) -> PyResult<Bound<'py, PyDict>> {
        let stays = py.detach(|| chart::stays(&self.0, least, max_rows));
        let told = PyDict::new(py);
        told.set_item("depth", bytes(py, &stays.depth)?)?;
        told.set_item("frame", bytes(py, &stays.frame)?)?;
        told.set_item("node", bytes(py, &self.firsts(&stays.node))?)?;
        told.set_item("self_weight", bytes(py, &stays.self_weight)?)?;
        told.set_item("total", bytes(py, &stays.total)?)?;
        told.set_item("start", bytes(py, &stays.start)?)?;
        told.set_item("first_sample", bytes(py, &stays.first)?)?;
        told.set_item("last_sample", bytes(py, &stays.last)?)?;
        told.set_item("time", bytes(py, &stays.time)?)?;
        told.set_item("pruned", stays.pruned)?;
        Ok(told)
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
        let told = py.detach(|| names::by_name(&self.tree(), &names, count));
        Ok((bytes(py, &told.own)?, bytes(py, &told.total)?, PyBytes::new(py, &told.is_there)))
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
        let ask = Ask { least, root: None, keep: &[], order, ranks: &ranks, max_rows };
        let (above, below, calls) = py.detach(|| {
            let tree = self.tree();
            let calls = names::outermost(&tree, class).len();
            (names::callers(&tree, class, &ask), names::callees(&tree, class, &ask), calls)
        });
        Ok((self.told(py, &above)?, self.told(py, &below)?, calls))
    }

    fn heat<'py>(
        &self,
        py: Python<'py>,
        origin_s: f64,
        column_seconds: f64,
        columns: usize,
        rows: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let times = self.0.samples.times.as_ref().ok_or_else(|| wrong("no clock"))?;
        if rows == 0 || column_seconds <= 0.0 {
            return Err(wrong("a grid without cells"));
        }
        let grid = Grid { origin_s, column_s: column_seconds, columns, rows };
        bytes(py, &py.detach(|| grid.counts(times, &self.0.samples.counts)))
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
        let ask = lanes::Ask { by, alike, has_clock, gap, range, width, max_lanes, max_spans };
        let found = py.detach(|| lanes::lanes(&self.0, &ask));
        let frames: Vec<i32> =
            found.node.iter().map(|&node| index(node).map_or(-1, |node| self.0.frames[node])).collect();
        let told = PyDict::new(py);
        let rows = found.lanes.iter().map(|lane| (lane.key, lane.samples, lane.weight, lane.spans));
        told.set_item("lanes", PyList::new(py, rows)?)?;
        told.set_item("left_out", found.left_out)?;
        told.set_item("start", bytes(py, &found.start)?)?;
        told.set_item("duration", bytes(py, &found.duration)?)?;
        told.set_item("samples", bytes(py, &found.samples)?)?;
        told.set_item("thread", bytes(py, &found.thread)?)?;
        told.set_item("frame", bytes(py, &frames)?)?;
        told.set_item("node", bytes(py, &self.firsts(&found.node))?)?;
        told.set_item("leaf", bytes(py, &found.leaf)?)?;
        told.set_item("range", (found.from, found.to))?;
        told.set_item("interval", found.interval)?;
        told.set_item("gap", found.gap)?;
        told.set_item("bin", found.bin)?;
        Ok(told)
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
            diff::rows(&sides, &diff::Ask { min_share, min_delta, order, ranks: &ranks, max_rows })
        });
        let told = PyDict::new(py);
        told.set_item("depth", bytes(py, &rows.depth)?)?;
        told.set_item("name", bytes(py, &rows.name)?)?;
        told.set_item("weight_a", bytes(py, &rows.weight[0])?)?;
        told.set_item("weight_b", bytes(py, &rows.weight[1])?)?;
        told.set_item("self_a", bytes(py, &rows.own[0])?)?;
        told.set_item("self_b", bytes(py, &rows.own[1])?)?;
        told.set_item("node_a", bytes(py, &self.firsts(&rows.node[0]))?)?;
        told.set_item("node_b", bytes(py, &after.firsts(&rows.node[1]))?)?;
        told.set_item("only", (rows.only[0], rows.only[1]))?;
        told.set_item("pruned", rows.pruned)?;
        Ok(told)
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
