//! Columns leave and enter Python as little-endian bytes.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::profile::columns::{self, Value};

/// A column as little-endian bytes, as numpy reads them.
pub(crate) fn bytes<'py, T: Value>(py: Python<'py>, column: &[T]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, column.len() * T::WIDTH, |place| {
        columns::write(column, place);
        Ok(())
    })
}
