//! Python bindings of the conditions of lines.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::line_kinds;
use crate::line_starts::{self, Condition, Run};
use crate::python::linear::readable;

/// Number, expressions, expressions near, lines that these may be below.
type Stated = (usize, Vec<String>, Vec<String>, usize);
/// For each expression of each condition literals of which one is in all that it matches.
type Required = Vec<Vec<Vec<String>>>;
/// Lines, and the numbers of the conditions that each meets.
type Starts = (Vec<usize>, Vec<Vec<usize>>);

#[pyclass(frozen)]
struct LineStarts(line_starts::LineStarts);

#[pymethods]
impl LineStarts {
    #[new]
    #[pyo3(signature = (conditions, required = None))]
    fn new(conditions: Vec<Stated>, required: Option<Required>) -> Self {
        let mut every = required.unwrap_or_default().into_iter();
        let conditions = conditions.into_iter().map(|(number, expressions, near, within)| {
            let mut required = every.next().unwrap_or_default();
            required.resize(expressions.len(), Vec::new());
            Condition { number, expressions, required, near, within }
        });
        Self(line_starts::LineStarts::new(conditions.collect()))
    }

    /// Those of `count` lines from the `first` on that meet a condition, counted from the first line of all.
    #[pyo3(signature = (lines, first = 0, count = usize::MAX))]
    fn scan(&self, lines: &Bound<'_, PyList>, first: usize, count: usize) -> PyResult<Starts> {
        let end = first.saturating_add(count).saturating_add(self.0.reach()).min(lines.len());
        let texts = (first..end)
            .map(|at| readable(lines.get_item(at)?.cast::<PyString>()?))
            .collect::<PyResult<Vec<_>>>()?;
        let read = texts.iter().map(|text| text.to_str()).collect::<PyResult<Vec<_>>>()?;
        let starts = self.0.scan(&read, count).map_err(PyValueError::new_err)?;
        Ok((starts.lines.into_iter().map(|line| line + first).collect(), starts.numbers))
    }
}

#[pyclass(frozen)]
struct LineRuns(line_starts::LineRuns);

#[pymethods]
impl LineRuns {
    #[new]
    #[pyo3(signature = (expressions, heads = vec![]))]
    #[allow(clippy::needless_pass_by_value)]
    fn new(expressions: Vec<String>, heads: Vec<String>) -> Self {
        Self(line_starts::LineRuns::new(&expressions, &heads))
    }

    /// The index of the first line from `at` on that is not of the run; the number of lines if all are.
    fn end(&self, lines: &Bound<'_, PyList>, at: usize) -> PyResult<usize> {
        let mut run = Run { end: at, is_blank: false };
        for place in at..lines.len() {
            let item = lines.get_item(place)?;
            let line = readable(item.cast::<PyString>()?)?;
            if !self.0.take(&mut run, place, line.to_str()?).map_err(PyValueError::new_err)? {
                break;
            }
        }
        Ok(run.end)
    }
}

#[pyclass(frozen)]
struct LineKinds(line_kinds::LineKinds);

#[pymethods]
impl LineKinds {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(known: Vec<String>, expressions: Vec<String>) -> PyResult<Self> {
        line_kinds::LineKinds::new(known, &expressions).map(Self).map_err(PyValueError::new_err)
    }

    /// The kind of each line from `first` on, up to the first that is of none.
    fn kinds<'py>(&self, lines: &Bound<'py, PyList>, first: usize) -> PyResult<Bound<'py, PyBytes>> {
        let mut kinds = Vec::new();
        for place in first..lines.len() {
            let item = lines.get_item(place)?;
            let line = readable(item.cast::<PyString>()?)?;
            match self.0.kind(line.to_str()?).map_err(PyValueError::new_err)? {
                0 => break,
                kind => kinds.push(kind),
            }
        }
        Ok(PyBytes::new(lines.py(), &kinds))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LineStarts>()?;
    module.add_class::<LineRuns>()?;
    module.add_class::<LineKinds>()
}
