//! Readers of perf script and folded text for Python.

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyList};

use crate::folded::reader;
use crate::perf::frame::{self, Address};
use crate::perf::parallel::Parallel;
use crate::profile::demangle::demangled;
use crate::profile::interner::{Frames, Threads};
use crate::profile::lines::{self, LineTooLong};
use crate::profile::samples::Event;
use crate::python::column_bytes::bytes;

create_exception!(_core, LineTooLongError, PyException);

fn too_long(error: &LineTooLong) -> PyErr {
    LineTooLongError::new_err(error.line)
}

fn spent() -> PyErr {
    PyRuntimeError::new_err("the parser is spent")
}

/// Numbers frames and threads of one event anew: only those it uses, in the order of their first use.
fn renumbered(used: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut number = vec![u32::MAX; count];
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

/// Columns of one event for Python; each is freed after it is copied.
fn profile<'py>(
    py: Python<'py>,
    event: Event,
    frames: &Frames,
    threads: &Threads,
) -> PyResult<Bound<'py, PyDict>> {
    let Event { name, tree, samples } = event;
    let nodes = tree.into_nodes();
    let (node_frame, used_frames) = renumbered(&nodes.frames, frames.entries.len());
    let (sample_thread, used_threads) = renumbered(&samples.threads, threads.entries.len());
    let numbers = |column: Vec<i32>| bytes(py, &column);
    let counts = |column: Vec<u32>| bytes(py, &column);
    let measures = |column: Vec<f64>| bytes(py, &column);
    let result = PyDict::new(py);
    result.set_item("event", String::from_utf8_lossy(&name).into_owned())?;
    result.set_item("has_periods", samples.has_weights)?;
    let named = used_frames.iter().map(|&at| {
        let frame = &frames.entries[at as usize];
        (frame.name.as_str(), frame.module.as_str(), frame.kind.name())
    });
    result.set_item("frames", PyList::new(py, named.collect::<Vec<_>>())?)?;
    let ran = used_threads.iter().map(|&at| {
        let thread = &threads.entries[at as usize];
        (thread.comm.as_str(), thread.pid, thread.tid)
    });
    result.set_item("threads", PyList::new(py, ran.collect::<Vec<_>>())?)?;
    result.set_item("node_parent", numbers(nodes.parents)?)?;
    result.set_item("node_frame", counts(node_frame)?)?;
    result.set_item("node_line", counts(nodes.lines)?)?;
    result.set_item("sample_node", numbers(samples.nodes)?)?;
    result.set_item("sample_weight", measures(samples.weights)?)?;
    result.set_item("sample_time", samples.has_times.then(|| measures(samples.times)).transpose()?)?;
    result.set_item("sample_cpu", samples.has_cpus.then(|| numbers(samples.cpus)).transpose()?)?;
    result.set_item("sample_thread", counts(sample_thread)?)?;
    result.set_item("sample_line", counts(samples.lines)?)?;
    result.set_item("deep_samples", samples.deep)?;
    Ok(result)
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
        let result = PyDict::new(py);
        let profiles = PyList::empty(py);
        for event in state.events {
            profiles.append(profile(py, event, &state.frames, &state.threads)?)?;
        }
        result.set_item("profiles", profiles)?;
        result.set_item("comments", state.comments)?;
        result.set_item("skipped", state.skips.into_rows())?;
        result.set_item("lost", state.lost)?;
        result.set_item("lost_line", state.lost_line)?;
        result.set_item("cut_line", state.cut_line)?;
        Ok(result)
    }
}

/// Reads folded stacks chunk by chunk.
#[pyclass]
struct Folded(Option<reader::Folded>);

#[pymethods]
impl Folded {
    #[new]
    fn new(first_line: u32, max_line_bytes: usize, entries: Vec<String>) -> Self {
        Self(Some(reader::Folded::new(first_line, max_line_bytes, entries)))
    }

    fn feed(&mut self, py: Python<'_>, chunk: &[u8]) -> PyResult<()> {
        let parser = self.0.as_mut().ok_or_else(spent)?;
        py.detach(|| parser.feed(chunk)).map_err(|error| too_long(&error))
    }

    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let parser = self.0.take().ok_or_else(spent)?;
        let state = py.detach(|| parser.finish()).map_err(|error| too_long(&error))?;
        let result = PyDict::new(py);
        let is_ordered = !state.event.samples.has_weights || state.has_equal_neighbours;
        result.set_item("is_ordered", is_ordered && !state.event.samples.nodes.is_empty())?;
        result.set_item("profile", profile(py, state.event, &state.frames, &state.threads)?)?;
        result.set_item("skipped", state.skips.into_rows())?;
        result.set_item("cut_line", state.cut_line)?;
        Ok(result)
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

#[pyfunction]
fn demangle(name: &str) -> Option<String> {
    demangled(name.as_bytes())
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("LineTooLongError", module.py().get_type::<LineTooLongError>())?;
    module.add_class::<PerfScript>()?;
    module.add_class::<Folded>()?;
    module.add_function(wrap_pyfunction!(kind_of, module)?)?;
    module.add_function(wrap_pyfunction!(demangle, module)?)?;
    module.add_function(wrap_pyfunction!(line_ends, module)?)
}
