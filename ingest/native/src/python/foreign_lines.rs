//! Python binding of the search for lines that are not of a format.

use pyo3::prelude::*;

use crate::foreign_lines::{is_folded, is_perf_script, runs};

/// First byte, lines above it, lines that are not blank, first byte behind.
type Run = (usize, usize, usize, usize);

/// The runs of lines in `text` that are not of `perf script`, at most `most`.
#[pyfunction]
fn foreign_to_perf_script(py: Python<'_>, text: &[u8], most: usize) -> Vec<Run> {
    py.detach(|| found(text, is_perf_script, most))
}

/// The runs of lines in `text` that are no folded stacks, at most `most`.
#[pyfunction]
fn foreign_to_folded(py: Python<'_>, text: &[u8], most: usize) -> Vec<Run> {
    py.detach(|| found(text, is_folded, most))
}

fn found(text: &[u8], belongs: fn(&[u8]) -> bool, most: usize) -> Vec<Run> {
    runs(text, belongs, most)
        .into_iter()
        .map(|run| (run.start, run.lines_above, run.count, run.end))
        .collect()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(foreign_to_perf_script, module)?)?;
    module.add_function(wrap_pyfunction!(foreign_to_folded, module)?)
}
