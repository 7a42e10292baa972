//! Python bindings of the forms of prefixes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::log_prefix::learner::Learner;
use crate::log_prefix::messages::{Messages, Words};
use crate::python::line_classes::LineClasses;
use crate::python::linear::readable;

#[pyclass(frozen)]
struct KernelMessages {
    classes: Py<LineClasses>,
    messages: Messages,
}

#[pymethods]
impl KernelMessages {
    #[new]
    #[pyo3(signature = (classes, *, conditions, alarming, device_prefix, alarm_prefix, catalogue_prefix, device, frame))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        classes: Py<LineClasses>,
        conditions: Vec<(usize, String)>,
        alarming: Vec<usize>,
        device_prefix: String,
        alarm_prefix: String,
        catalogue_prefix: String,
        device: String,
        frame: String,
    ) -> PyResult<Self> {
        let words =
            Words { conditions, device_prefix, alarm_prefix, catalogue_prefix, alarming, device, frame };
        let messages = Messages::new(words).map_err(PyValueError::new_err)?;
        Ok(Self { classes, messages })
    }

    /// The places of the lines that begin with a message of the catalogue, whatever their indentation.
    fn catalogued(&self, lines: &Bound<'_, PyList>) -> PyResult<Vec<usize>> {
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let text = readable(line.cast::<PyString>()?)?;
            if self.messages.catalogued(text.to_str()?.trim_start_matches(' ').as_bytes()).is_some() {
                found.push(at);
            }
        }
        Ok(found)
    }
}

#[pyclass]
#[derive(Default)]
struct PrefixForms(Learner);

#[pymethods]
impl PrefixForms {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The lines of a log in the form of RFC 5424, by their places; lines of common forms are left out.
    fn read(
        &mut self,
        lines: &Bound<'_, PyList>,
        messages: &Bound<'_, KernelMessages>,
    ) -> PyResult<Vec<(usize, String)>> {
        let items: Vec<Bound<'_, PyString>> = lines
            .iter()
            .map(|item| item.cast_into::<PyString>().map_err(PyErr::from))
            .collect::<PyResult<_>>()?;
        // A line with lone surrogates is no UTF-8: it is none of a log.
        let texts: Vec<&str> = items.iter().map(|item| item.to_str().unwrap_or("")).collect();
        let known = messages.get();
        self.0.read(&texts, &known.messages, &known.classes.get().0).map_err(PyValueError::new_err)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KernelMessages>()?;
    module.add_class::<PrefixForms>()
}
