//! With `python_views` the only file that names pyo3: columns leave and enter as little-endian bytes.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::columns::{self, Value, check, from_f8, from_i4, index as index_of};
use crate::frame::{self, Address};
use crate::interner::{Frames, Threads};
use crate::lines::{self, LineTooLong};
use crate::parallel::Parallel;
use crate::samples::Event;
use crate::{fold, folded, index, measure, python_views};

create_exception!(_core, LineTooLongError, PyException);

fn too_long(error: &LineTooLong) -> PyErr {
    LineTooLongError::new_err(error.line)
}

fn spent() -> PyErr {
    PyRuntimeError::new_err("the parser is spent")
}

/// A column as little-endian bytes, as numpy reads them.
pub(crate) fn bytes<'py, T: Value>(py: Python<'py>, column: &[T]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, column.len() * T::WIDTH, |place| {
        columns::write(column, place);
        Ok(())
    })
}

/// Numbers frames and threads of one event anew: only those it uses, in the order of their first use.
fn renumbered(used: &[u32], known: usize) -> (Vec<u32>, Vec<u32>) {
    let mut number = vec![u32::MAX; known];
    let mut order = Vec::new();
    let column = used
        .iter()
        .map(|&old| {
            let new = &mut number[old as usize];
            if *new == u32::MAX {
                *new = u32::try_from(order.len()).unwrap_or(u32::MAX);
                order.push(old);
            }
            *new
        })
        .collect();
    (column, order)
}

/// Columns of one event for Python; each is given up as soon as it was copied.
fn profile<'py>(
    py: Python<'py>,
    event: Event,
    frames: &Frames,
    threads: &Threads,
) -> PyResult<Bound<'py, PyDict>> {
    let Event { name, tree, samples } = event;
    let nodes = tree.into_nodes();
    let (node_frame, used_frames) = renumbered(&nodes.frames, frames.known.len());
    let (sample_thread, used_threads) = renumbered(&samples.threads, threads.known.len());
    let numbers = |column: Vec<i32>| bytes(py, &column);
    let counts = |column: Vec<u32>| bytes(py, &column);
    let measures = |column: Vec<f64>| bytes(py, &column);
    let told = PyDict::new(py);
    told.set_item("event", String::from_utf8_lossy(&name).into_owned())?;
    told.set_item("has_periods", samples.has_weights)?;
    let named = used_frames.iter().map(|&at| {
        let frame = &frames.known[at as usize];
        (frame.name.as_str(), frame.module.as_str(), frame.kind.name())
    });
    told.set_item("frames", PyList::new(py, named.collect::<Vec<_>>())?)?;
    let ran = used_threads.iter().map(|&at| {
        let thread = &threads.known[at as usize];
        (thread.comm.as_str(), thread.pid, thread.tid)
    });
    told.set_item("threads", PyList::new(py, ran.collect::<Vec<_>>())?)?;
    told.set_item("node_parent", numbers(nodes.parents)?)?;
    told.set_item("node_frame", counts(node_frame)?)?;
    told.set_item("node_line", counts(nodes.lines)?)?;
    told.set_item("sample_node", numbers(samples.nodes)?)?;
    told.set_item("sample_weight", measures(samples.weights)?)?;
    told.set_item("sample_time", samples.has_times.then(|| measures(samples.times)).transpose()?)?;
    told.set_item("sample_cpu", samples.has_cpus.then(|| numbers(samples.cpus)).transpose()?)?;
    told.set_item("sample_thread", counts(sample_thread)?)?;
    told.set_item("sample_line", counts(samples.lines)?)?;
    told.set_item("deep_samples", samples.deep)?;
    Ok(told)
}

/// Reads `perf script` text chunk by chunk.
#[pyclass]
struct PerfScript(Option<Parallel>);

#[pymethods]
impl PerfScript {
    #[new]
    fn new(first_line: u32, max_line_bytes: usize, threads: usize) -> Self {
        Self(Some(Parallel::new(first_line, max_line_bytes, threads)))
    }

    /// The chunk stays where it is until it is read.
    fn feed(&mut self, py: Python<'_>, chunk: PyBackedBytes) -> PyResult<()> {
        let parser = self.0.as_mut().ok_or_else(spent)?;
        py.detach(|| parser.feed(Box::new(chunk))).map_err(|error| too_long(&error))
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parser = self.0.take().ok_or_else(spent)?;
        let state = py.detach(|| parser.finish()).map_err(|error| too_long(&error))?;
        let told = PyDict::new(py);
        let profiles = PyList::empty(py);
        for event in state.events {
            profiles.append(profile(py, event, &state.frames, &state.threads)?)?;
        }
        told.set_item("profiles", profiles)?;
        told.set_item("comments", state.comments)?;
        told.set_item("skipped", state.skips.into_rows())?;
        told.set_item("lost", state.lost)?;
        told.set_item("lost_line", state.lost_line)?;
        told.set_item("cut_line", state.cut_line)?;
        Ok(told)
    }
}

/// Reads folded stacks chunk by chunk.
#[pyclass]
struct Folded(Option<folded::Folded>);

#[pymethods]
impl Folded {
    #[new]
    fn new(first_line: u32, max_line_bytes: usize, entries: Vec<String>) -> Self {
        Self(Some(folded::Folded::new(first_line, max_line_bytes, entries)))
    }

    fn feed(&mut self, py: Python<'_>, chunk: &[u8]) -> PyResult<()> {
        let parser = self.0.as_mut().ok_or_else(spent)?;
        py.detach(|| parser.feed(chunk)).map_err(|error| too_long(&error))
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parser = self.0.take().ok_or_else(spent)?;
        let state = py.detach(|| parser.finish()).map_err(|error| too_long(&error))?;
        let told = PyDict::new(py);
        let is_ordered = !state.event.samples.has_weights || state.has_equal_neighbours;
        told.set_item("is_ordered", is_ordered && !state.event.samples.nodes.is_empty())?;
        told.set_item("profile", profile(py, state.event, &state.frames, &state.threads)?)?;
        told.set_item("skipped", state.skips.into_rows())?;
        told.set_item("cut_line", state.cut_line)?;
        Ok(told)
    }
}

#[pyfunction]
fn line_ends(py: Python<'_>, text: &[u8]) -> usize {
    py.detach(|| lines::ends(text))
}

#[pyfunction]
fn kind_of(name: &str, module: &str, is_kernel_address: bool, has_address: bool) -> &'static str {
    let address = match (is_kernel_address, has_address) {
        (true, _) => Address::Kernel,
        (false, true) => Address::User,
        (false, false) => Address::NotPrinted,
    };
    frame::kind_of(name.as_bytes(), module.as_bytes(), address).name()
}

fn tree(parents: &[u8], node_frames: &[u8], frames: usize) -> PyResult<(Vec<i32>, Vec<i32>)> {
    let (parents, node_frames) = (from_i4(parents), from_i4(node_frames));
    check(&parents, &node_frames, frames).map_err(|error| PyValueError::new_err(error.0))?;
    Ok((parents, node_frames))
}

fn weights_of(column: &[u8], nodes: usize) -> PyResult<Vec<f64>> {
    let weights = from_f8(column);
    if weights.len() == nodes { Ok(weights) } else { Err(PyValueError::new_err("one weight per node")) }
}

#[pyfunction]
#[pyo3(name = "fold")]
#[allow(clippy::too_many_arguments, clippy::needless_pass_by_value)]
fn fold_stacks<'py>(
    py: Python<'py>,
    node_parent: &[u8],
    node_frame: &[u8],
    names: Vec<String>,
    comms: Vec<String>,
    sample_node: &[u8],
    sample_comm: &[u8],
    sample_weight: &[u8],
) -> PyResult<Bound<'py, PyBytes>> {
    let (parents, frames) = tree(node_parent, node_frame, names.len())?;
    let (nodes, ran, weights) = (from_i4(sample_node), from_i4(sample_comm), from_f8(sample_weight));
    let nodes_count = i32::try_from(parents.len()).unwrap_or(i32::MAX);
    if nodes.iter().any(|&node| node >= nodes_count)
        || nodes.len() != ran.len()
        || nodes.len() != weights.len()
    {
        return Err(PyValueError::new_err("sample columns do not fit the tree"));
    }
    let samples = fold::Samples { nodes: &nodes, comms: &ran, weights: &weights };
    let text = py.detach(|| fold::fold(&parents, &frames, &names, &comms, &samples));
    Ok(PyBytes::new(py, &text))
}

#[pyfunction]
fn totals<'py>(py: Python<'py>, node_parent: &[u8], node_weight: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let parents = from_i4(node_parent);
    let weights = weights_of(node_weight, parents.len())?;
    check(&parents, &vec![0; parents.len()], 1).map_err(|error| PyValueError::new_err(error.0))?;
    bytes(py, &py.detach(|| measure::totals(&parents, &weights)))
}

/// A tree and its samples, arranged for the judge's questions.
#[pyclass(frozen)]
struct Index(index::Index);

#[pymethods]
#[allow(clippy::needless_pass_by_value)]
impl Index {
    #[new]
    fn new(
        py: Python<'_>,
        node_parent: &[u8],
        node_frame: &[u8],
        frames: usize,
        sample_node: &[u8],
    ) -> PyResult<Self> {
        let (parents, node_frames) = tree(node_parent, node_frame, frames)?;
        let nodes = from_i4(sample_node);
        let count = i32::try_from(parents.len()).unwrap_or(i32::MAX);
        if nodes.iter().any(|&node| node >= count) {
            return Err(PyValueError::new_err("a sample ends in a node that is not there"));
        }
        Ok(Self(py.detach(|| index::Index::new(parents, node_frames, frames, &nodes))))
    }

    fn completes<'py>(
        &self,
        py: Python<'py>,
        leaf: &[u8],
        callers: Vec<Vec<u8>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let callers: Vec<&[u8]> = callers.iter().map(Vec::as_slice).collect();
        bytes(py, &py.detach(|| self.0.completes(leaf, &callers)))
    }

    #[pyo3(signature = (leaf, callers, within))]
    fn leaves<'py>(
        &self,
        py: Python<'py>,
        leaf: &[u8],
        callers: Vec<Vec<u8>>,
        within: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let callers: Vec<&[u8]> = callers.iter().map(Vec::as_slice).collect();
        bytes(py, &py.detach(|| self.0.leaves(leaf, &callers, within)))
    }

    fn samples_of<'py>(
        &self,
        py: Python<'py>,
        nodes: &[u8],
        with_below: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.nodes(nodes)?;
        bytes(py, &py.detach(|| self.0.samples_of(&nodes, with_below)))
    }

    fn outside<'py>(&self, py: Python<'py>, nodes: &[u8], class: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.nodes(nodes)?;
        bytes(py, &py.detach(|| self.0.outside(&nodes, class)))
    }
}

impl Index {
    fn nodes(&self, column: &[u8]) -> PyResult<Vec<i32>> {
        let nodes = from_i4(column);
        let is_inside = |&node: &i32| index_of(node).is_some_and(|node| node < self.0.node_count());
        let is_fit = nodes.iter().all(is_inside);
        if is_fit { Ok(nodes) } else { Err(PyValueError::new_err("a node that is not there")) }
    }
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    module.add("LineTooLongError", module.py().get_type::<LineTooLongError>())?;
    module.add_class::<PerfScript>()?;
    module.add_class::<Folded>()?;
    module.add_class::<Index>()?;
    module.add_function(wrap_pyfunction!(kind_of, module)?)?;
    module.add_function(wrap_pyfunction!(line_ends, module)?)?;
    module.add_function(wrap_pyfunction!(fold_stacks, module)?)?;
    module.add_function(wrap_pyfunction!(totals, module)?)?;
    python_views::add(module)
}
