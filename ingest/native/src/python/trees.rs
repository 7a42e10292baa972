//! Finished trees for Python: folded again, summed, and arranged for the judge's questions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::folded::names::Style;
use crate::folded::writer;
use crate::profile::columns::{check, from_f8, from_i4, index as index_of};
use crate::profile::index;
use crate::profile::measure;
use crate::python::column_bytes::bytes;

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

/// The nodes of a tree, for what is asked of their paths to the root.
#[pyclass(frozen)]
struct Paths {
    parents: Vec<i32>,
    frames: Vec<i32>,
}

#[pymethods]
impl Paths {
    #[new]
    fn new(node_parent: &[u8], node_frame: &[u8], frames: usize) -> PyResult<Self> {
        let (parents, frames) = tree(node_parent, node_frame, frames)?;
        Ok(Self { parents, frames })
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

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Index>()?;
    module.add_class::<Paths>()?;
    module.add_function(wrap_pyfunction!(fold_stacks, module)?)?;
    module.add_function(wrap_pyfunction!(inferno_name, module)?)?;
    module.add_function(wrap_pyfunction!(totals, module)?)
}
