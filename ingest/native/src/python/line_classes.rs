//! Python bindings of the classes of lines.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::line_classes;
use crate::python::linear::readable;

/// Number of the expression, first byte of the match, named groups.
type Found<'py> = (usize, usize, Bound<'py, PyDict>);

#[pyclass(frozen)]
pub(crate) struct LineClasses(pub(crate) line_classes::LineClasses);

#[pymethods]
impl LineClasses {
    #[new]
    #[pyo3(signature = (expressions, required = vec![]))]
    #[allow(clippy::needless_pass_by_value)]
    fn new(expressions: Vec<String>, required: Vec<Vec<String>>) -> PyResult<Self> {
        let classes = if required.len() == expressions.len() && !required.iter().any(Vec::is_empty) {
            let bytes = required.into_iter().map(|one| one.into_iter().map(String::into_bytes).collect());
            line_classes::LineClasses::with_required(&expressions, bytes.collect())
        } else {
            line_classes::LineClasses::new(&expressions)
        };
        classes.map(Self).map_err(PyValueError::new_err)
    }

    fn find<'py>(&self, line: &Bound<'py, PyString>) -> PyResult<Option<Found<'py>>> {
        let text = readable(line)?;
        let found = self.0.find(text.to_str()?).map_err(PyValueError::new_err)?;
        found.map(|found| Ok((found.number, found.start, dict_of(line.py(), found)?))).transpose()
    }

    /// The named groups of one expression in `line`.
    fn groups<'py>(&self, number: usize, line: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyDict>> {
        let text = readable(line)?;
        match self.0.groups(number, text.to_str()?).map_err(PyValueError::new_err)? {
            Some(found) => dict_of(line.py(), found),
            None => Ok(PyDict::new(line.py())),
        }
    }

    /// The first line of `text` from byte `at` on that an expression matches: first byte, byte behind.
    fn first_line(&self, py: Python<'_>, text: &[u8], at: usize) -> PyResult<Option<(usize, usize)>> {
        py.detach(|| self.0.first_line(text, at)).map_err(PyValueError::new_err)
    }

    /// The indices of the lines that an expression matches, without the blanks that they begin with.
    fn among(&self, lines: &Bound<'_, PyList>) -> PyResult<Vec<usize>> {
        let mut matched = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let text = readable(line.cast::<PyString>()?)?;
            let bare = text.to_str()?.trim_start_matches(' ');
            if self.0.first(bare).map_err(PyValueError::new_err)?.is_some() {
                matched.push(at);
            }
        }
        Ok(matched)
    }
}

fn dict_of<'py>(py: Python<'py>, found: line_classes::ClassMatch<'_, '_>) -> PyResult<Bound<'py, PyDict>> {
    let named = PyDict::new(py);
    for (name, part) in found.named {
        named.set_item(name, part.as_ref())?;
    }
    Ok(named)
}

/// Literals of which one is in all that an expression matches; none where nothing is known.
#[pyfunction]
fn required_literals(expression: &str) -> Vec<String> {
    let found = line_classes::required(&expression.replace("\\Z", "\\z")).unwrap_or_default();
    found.into_iter().map(String::from_utf8).collect::<Result<_, _>>().unwrap_or_default()
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(required_literals, module)?)?;
    module.add_class::<LineClasses>()
}
