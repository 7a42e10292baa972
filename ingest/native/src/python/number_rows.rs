//! Python bindings of rows of numbers.

use std::sync::Mutex;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::number_rows::{self, Cells, Place};
use crate::python::column_bytes::bytes;
use crate::python::linear::readable;

/// The cells, and the numbers of the texts.
type Read<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>);

#[pyclass(frozen)]
struct NumberRows(Mutex<number_rows::NumberRows>);

#[pymethods]
impl NumberRows {
    /// `text` is 0 for rows without one, -1 for the first word, -2 for the last of two words, else the bar it is left of.
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(width: usize, kept: Vec<usize>, factors: Vec<f64>, text: i64) -> PyResult<Self> {
        let place = match text {
            0 => Place::Nowhere,
            -1 => Place::FirstWord,
            -2 => Place::LastWord,
            count => Place::LeftOfBar(
                usize::try_from(count).map_err(|_| PyValueError::new_err("no place of a text"))?,
            ),
        };
        let rows =
            number_rows::NumberRows::new(width, &kept, factors, place).map_err(PyValueError::new_err)?;
        Ok(Self(Mutex::new(rows)))
    }

    /// The cells of the `count` rows from the `first` on, and the numbers of their texts.
    #[pyo3(signature = (rows, first, count, *, has_text = true))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'py, PyList>,
        first: usize,
        count: usize,
        has_text: bool,
    ) -> PyResult<Read<'py>> {
        let mut table = self.0.lock().map_err(|_| PyValueError::new_err("a reader failed before"))?;
        let mut cells = Cells::default();
        for at in first..first.saturating_add(count).min(rows.len()) {
            let item = rows.get_item(at)?;
            let row = readable(item.cast::<PyString>()?)?;
            table.read(row.to_str()?, has_text, &mut cells).map_err(PyValueError::new_err)?;
        }
        Ok((bytes(py, &cells.values)?, bytes(py, &cells.texts)?))
    }

    /// The number of a text that stands in no row.
    fn number_of(&self, text: &str) -> PyResult<i32> {
        let mut table = self.0.lock().map_err(|_| PyValueError::new_err("a reader failed before"))?;
        Ok(table.number_of(text))
    }

    /// The texts by their numbers.
    fn names(&self) -> PyResult<Vec<String>> {
        let table = self.0.lock().map_err(|_| PyValueError::new_err("a reader failed before"))?;
        Ok(table.names().to_vec())
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NumberRows>()
}
