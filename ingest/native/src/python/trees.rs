//! Finished trees for Python: folded again, summed, and arranged for the judge's questions.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::folded::names::Style;
use crate::folded::writer;
use crate::profile::columns::{check, from_f8, from_i4, index as index_of};
use crate::profile::{index, matching, measure, runs};
use crate::python::column_bytes::bytes;

fn tree(parents: &[u8], node_frames: &[u8], frames: usize) -> PyResult<(Vec<i32>, Vec<i32>)> {
    let (parents, node_frames) = (from_i4(parents), from_i4(node_frames));
    check(&parents, &node_frames, frames).map_err(|error| PyValueError::new_err(error.0))?;
    Ok((parents, node_frames))
}

fn tree_of(
    py: Python<'_>,
    parents: &PyBuffer<i32>,
    node_frames: &PyBuffer<i32>,
    frames: usize,
) -> PyResult<(Vec<i32>, Vec<i32>)> {
    let (parents, node_frames) = (parents.to_vec(py)?, node_frames.to_vec(py)?);
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
    let samples = writer::Samples { nodes: &nodes, comms: &ran, weights: &weights };
    let text = py.detach(|| writer::fold(&parents, &frames, names, comms, &samples));
    Ok(PyBytes::new(py, &text))
}

#[pyfunction]
fn inferno_name(name: &str, module: &str) -> String {
    Style::Inferno.function(name, module)
}

#[pyfunction]
fn totals<'py>(py: Python<'py>, node_parent: &[u8], node_weight: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let parents = from_i4(node_parent);
    let weights = weights_of(node_weight, parents.len())?;
    check(&parents, &vec![0; parents.len()], 1).map_err(|error| PyValueError::new_err(error.0))?;
    bytes(py, &py.detach(|| measure::totals(&parents, &weights)))
}

#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
fn longest_runs(
    py: Python<'_>,
    cpus: PyBuffer<i32>,
    times: PyBuffer<f64>,
    threads: PyBuffer<i32>,
    places: PyBuffer<i32>,
    factor: f64,
    count: usize,
) -> PyResult<Vec<(u32, u32, f64)>> {
    let (cpus, times, threads, places) =
        (cpus.to_vec(py)?, times.to_vec(py)?, threads.to_vec(py)?, places.to_vec(py)?);
    if [cpus.len(), threads.len(), places.len()] != [times.len(); 3] {
        return Err(PyValueError::new_err("sample columns of unequal length"));
    }
    let samples = runs::Samples { cpus: &cpus, times: &times, threads: &threads, places: &places };
    let found = py.detach(|| runs::longest(&samples, factor, count));
    Ok(found.into_iter().map(|run| (run.first, run.last, run.seconds)).collect())
}

#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
fn sums<'py>(
    py: Python<'py>,
    values: PyBuffer<f64>,
    groups: PyBuffer<i32>,
    members: Option<&[u8]>,
    count: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let (values, groups) = (values.to_vec(py)?, groups.to_vec(py)?);
    if values.len() != groups.len() || members.is_some_and(|members| values.len() != members.len()) {
        return Err(PyValueError::new_err("columns of unequal length"));
    }
    bytes(py, &py.detach(|| measure::sums(&values, &groups, members, count)))
}

/// The weighed nodes of a tree, for what is asked of their paths to the root.
#[pyclass(frozen)]
struct Paths {
    parents: Vec<i32>,
    frames: Vec<i32>,
    frame_count: usize,
    weights: Vec<f64>,
}

/// A bytes object with one column after another.
type Columns<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pymethods]
#[allow(clippy::needless_pass_by_value)]
impl Paths {
    #[new]
    fn new(
        py: Python<'_>,
        node_parent: PyBuffer<i32>,
        node_frame: PyBuffer<i32>,
        frames: usize,
        node_weight: PyBuffer<f64>,
    ) -> PyResult<Self> {
        let (parents, node_frames) = tree_of(py, &node_parent, &node_frame, frames)?;
        let weights = node_weight.to_vec(py)?;
        if weights.len() != parents.len() {
            return Err(PyValueError::new_err("one weight per node"));
        }
        Ok(Self { parents, frames: node_frames, frame_count: frames, weights })
    }

    fn below<'py>(&self, py: Python<'py>, classes: &[u8]) -> PyResult<Columns<'py>> {
        let found = py.detach(|| measure::weights_below(&self.parents, &self.frames, &self.weights, classes));
        Ok((bytes(py, &found.0)?, bytes(py, &found.1)?))
    }

    fn heaviest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let frames = &self.frames;
        bytes(py, &py.detach(|| measure::heaviest_by_frame(frames, &self.weights, self.frame_count)))
    }

    fn entries<'py>(
        &self,
        py: Python<'py>,
        class: &[u8],
        resting: &[u8],
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let found =
            py.detach(|| measure::entries(&self.parents, &self.frames, &self.weights, class, resting));
        Ok((bytes(py, &found.frames)?, bytes(py, &found.weights)?, bytes(py, &found.busy_weights)?))
    }

    fn has<'py>(&self, py: Python<'py>, class: &[u8]) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| measure::has_above(&self.parents, &self.frames, class)))
    }

    fn outermost<'py>(&self, py: Python<'py>, class: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        bytes(py, &py.detach(|| measure::outermost_above(&self.parents, &self.frames, class)))
    }
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
        node_parent: PyBuffer<i32>,
        node_frame: PyBuffer<i32>,
        frames: usize,
        sample_node: PyBuffer<i32>,
    ) -> PyResult<Self> {
        let (parents, node_frames) = tree_of(py, &node_parent, &node_frame, frames)?;
        let nodes = sample_node.to_vec(py)?;
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

    fn has<'py>(&self, py: Python<'py>, class: &[u8]) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.0.has(class)))
    }

    fn sampled<'py>(&self, py: Python<'py>, nodes: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.nodes(nodes)?;
        bytes(py, &py.detach(|| self.0.sampled(&nodes)))
    }

    fn outside<'py>(&self, py: Python<'py>, nodes: &[u8], class: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let nodes = self.nodes(nodes)?;
        bytes(py, &py.detach(|| self.0.outside(&nodes, class)))
    }
}

/// Samples of an index with their weights and processes.
#[pyclass(frozen)]
struct Samples {
    index: Py<Index>,
    samples: matching::Samples,
}

#[pymethods]
#[allow(clippy::needless_pass_by_value)]
impl Samples {
    #[new]
    fn new(
        py: Python<'_>,
        index: Py<Index>,
        sample_node: PyBuffer<i32>,
        sample_weight: PyBuffer<f64>,
        sample_thread: PyBuffer<i32>,
        process_of_thread: PyBuffer<i32>,
        process_count: usize,
    ) -> PyResult<Self> {
        let (nodes, weights) = (sample_node.to_vec(py)?, sample_weight.to_vec(py)?);
        let (threads, processes) = (sample_thread.to_vec(py)?, process_of_thread.to_vec(py)?);
        let has_threads = threads.len() == nodes.len();
        let count = i32::try_from(process_count).unwrap_or(i32::MAX);
        if weights.len() != nodes.len()
            || !(has_threads || threads.is_empty())
            || threads.iter().any(|&thread| index_of(thread).is_none_or(|thread| thread >= processes.len()))
            || processes.iter().any(|&process| process >= count)
        {
            return Err(PyValueError::new_err("sample columns do not fit together"));
        }
        let process = |sample: usize| {
            threads.get(sample).and_then(|&thread| index_of(thread)).map_or(-1, |thread| processes[thread])
        };
        let of = &index.get().0;
        if of.samples().iter().any(|&sample| sample as usize >= nodes.len()) {
            return Err(PyValueError::new_err("samples of another index"));
        }
        let samples = py.detach(|| matching::Samples::new(of, nodes, &weights, process, process_count));
        Ok(Self { index, samples })
    }

    fn members<'py>(&self, py: Python<'py>, flags: &[u8]) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| matching::Samples::members(&self.index.get().0, flags)))
    }

    fn measure<'py>(
        &self,
        py: Python<'py>,
        nodes: &[u8],
        with_below: bool,
        without: &[u8],
        members: &[u8],
    ) -> PyResult<MeasuredColumns<'py>> {
        let (nodes, without) = self.pattern(nodes, without, members)?;
        let index = &self.index.get().0;
        let pattern = matching::Pattern { index, nodes: &nodes, with_below, without: &without, members };
        let found = py.detach(|| self.samples.measure(&pattern));
        let by_process = bytes(py, &found.by_process)?;
        Ok((found.weight, by_process, PyBytes::new(py, &found.is_there), found.heaviest))
    }

    fn heaviest(
        &self,
        py: Python<'_>,
        nodes: &[u8],
        with_below: bool,
        without: &[u8],
        members: &[u8],
    ) -> PyResult<Vec<Vec<(i32, u32)>>> {
        let (nodes, without) = self.pattern(nodes, without, members)?;
        let index = &self.index.get().0;
        let pattern = matching::Pattern { index, nodes: &nodes, with_below, without: &without, members };
        Ok(py.detach(|| self.samples.heaviest_by_process(&pattern)))
    }
}

/// Weight, weight by process (f8), one byte per process, nodes with their first samples.
type MeasuredColumns<'py> = (f64, Bound<'py, PyBytes>, Bound<'py, PyBytes>, Vec<(i32, u32)>);

impl Samples {
    fn pattern(&self, nodes: &[u8], without: &[u8], members: &[u8]) -> PyResult<(Vec<i32>, Vec<i32>)> {
        let index = self.index.get();
        if members.len() != index.0.samples().len() {
            return Err(PyValueError::new_err("one member flag per sample with a stack"));
        }
        Ok((index.nodes(nodes)?, index.nodes(without)?))
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

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Index>()?;
    module.add_class::<Paths>()?;
    module.add_class::<Samples>()?;
    module.add_function(wrap_pyfunction!(fold_stacks, module)?)?;
    module.add_function(wrap_pyfunction!(inferno_name, module)?)?;
    module.add_function(wrap_pyfunction!(longest_runs, module)?)?;
    module.add_function(wrap_pyfunction!(sums, module)?)?;
    module.add_function(wrap_pyfunction!(totals, module)?)
}
