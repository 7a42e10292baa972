//! Many patterns at once, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::patterns;

#[pyclass(frozen)]
struct Patterns(patterns::Patterns);

#[pymethods]
impl Patterns {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(expressions: Vec<String>) -> PyResult<Self> {
        patterns::Patterns::new(&expressions).map(Self).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (text, start = 0))]
    fn places(&self, py: Python<'_>, text: &[u8], start: usize) -> Vec<patterns::Place> {
        py.detach(|| self.0.places(text, start))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Patterns>()
}
