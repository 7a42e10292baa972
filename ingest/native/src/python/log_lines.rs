//! Python bindings of the lines of a system log.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::log_lines::{self, Known, QuietMessages};
use crate::python::line_classes::LineClasses;

/// Text, line, last line, uptime, epoch seconds, host, is it the kernel's, has it a prefix, level, is it quiet, number of
/// its class, seconds since the beginning of the year.
type Entry<'t> = (
    &'t str,
    usize,
    usize,
    Option<f64>,
    Option<f64>,
    &'t str,
    bool,
    bool,
    Option<u8>,
    bool,
    isize,
    Option<f64>,
);

/// The number of the class of a message of none.
const NO_CLASS: isize = -1;

#[pyclass(frozen)]
struct LogLines {
    classes: Py<LineClasses>,
    quiet: QuietMessages,
}

#[pymethods]
impl LogLines {
    #[new]
    #[allow(clippy::needless_pass_by_value)]
    fn new(classes: Py<LineClasses>, notable: Vec<String>) -> PyResult<Self> {
        let quiet = QuietMessages::new(&notable).map_err(PyValueError::new_err)?;
        Ok(Self { classes, quiet })
    }

    /// The entries of `lines`, the first of which is line `first_line`; None for forms that are not read.
    fn entries<'py>(&self, lines: &Bound<'py, PyList>, first_line: usize) -> PyResult<Bound<'py, PyList>> {
        let py = lines.py();
        let classes = &self.classes.get().0;
        let entries = PyList::empty(py);
        for (number, item) in (first_line..).zip(lines.iter()) {
            let raw = item.cast::<PyString>()?;
            // A line with lone surrogates is no UTF-8: the reader looks at it.
            let found = raw.to_str().ok().and_then(log_lines::parsed);
            let Some(line) = found else {
                entries.append(py.None())?;
                continue;
            };
            let known = self.quiet.known(&line, classes).map_err(PyValueError::new_err)?;
            let class = match known {
                Known::Class(number) => isize::try_from(number).unwrap_or(NO_CLASS),
                Known::NoClass | Known::Quiet => NO_CLASS,
            };
            let entry: Entry<'_> = (
                line.text,
                number,
                number,
                line.uptime,
                line.at,
                line.host,
                line.is_kernel,
                true,
                line.level,
                known == Known::Quiet,
                class,
                line.clock,
            );
            entries.append(entry)?;
        }
        Ok(entries)
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LogLines>()
}
