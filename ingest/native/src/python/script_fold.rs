//! Python binding of the fold of whole scripts.

use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::folded::names::Style;
use crate::script_fold::Refusal;
use crate::script_fold::script::{self, Fed, Options};

/// Signals are looked for each time so many bytes are read.
const SIGNAL_BYTES: u64 = 16 << 20;

fn spent() -> PyErr {
    PyRuntimeError::new_err("the script is spent")
}

fn result(read: Result<script::Script, Refusal>) -> PyResult<Option<FoldedScript>> {
    match read {
        Ok(script) => Ok(Some(FoldedScript(Some(script)))),
        Err(Refusal::Unreadable) => Err(PyOSError::new_err("it cannot be read")),
        Err(_) => Ok(None),
    }
}

/// A script that is counted.
#[pyclass]
struct FoldedScript(Option<script::Script>);

#[pymethods]
impl FoldedScript {
    #[getter]
    fn events(&self) -> PyResult<Vec<String>> {
        let events = self.0.as_ref().ok_or_else(spent)?.events();
        Ok(events.iter().map(|event| String::from_utf8_lossy(event).into_owned()).collect())
    }

    /// Write the stacks of the event with this number, piece by piece; false when they cannot be added up.
    #[allow(clippy::needless_pass_by_value)]
    fn write(
        &mut self,
        py: Python<'_>,
        event: usize,
        by_period: bool,
        is_inferno: bool,
        take: Py<PyAny>,
    ) -> PyResult<bool> {
        let script = self.0.take().ok_or_else(spent)?;
        let Some(event) = script.events().into_iter().nth(event) else { return Ok(false) };
        let style = if is_inferno { Style::Inferno } else { Style::Plain };
        let mut failed = None;
        let written = py.detach(|| {
            script.write(&event, by_period, style, |piece| {
                let taken = Python::attach(|py| take.call1(py, (PyBytes::new(py, &piece),)));
                failed = taken.err();
                failed.is_none()
            })
        });
        failed.map_or(Ok(written.is_ok()), Err)
    }
}

/// Fold a file: none when recognition has to look at it. `on_read` hears how many bytes were read.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
#[pyo3(signature = (path, threads, max_line_bytes, read_bytes=None, on_read=None))]
fn fold_script(
    py: Python<'_>,
    path: PathBuf,
    threads: usize,
    max_line_bytes: usize,
    read_bytes: Option<usize>,
    on_read: Option<Py<PyAny>>,
) -> PyResult<Option<FoldedScript>> {
    let options = options(threads, max_line_bytes, read_bytes);
    let mut failed = None;
    let mut heard = 0;
    let read = py.detach(|| {
        script::read_file(&path, options, |taken| {
            if taken < heard + SIGNAL_BYTES {
                return true;
            }
            heard = taken;
            failed = Python::attach(|py| {
                py.check_signals()?;
                on_read.as_ref().map_or(Ok(()), |on_read| on_read.call1(py, (taken,)).map(|_| ()))
            })
            .err();
            failed.is_none()
        })
    });
    failed.map_or_else(|| result(read), Err)
}

fn options(threads: usize, max_line_bytes: usize, read_bytes: Option<usize>) -> Options {
    let options = Options::new(threads, max_line_bytes);
    Options { read_bytes: read_bytes.unwrap_or(options.read_bytes), ..options }
}

/// Counts a script chunk by chunk, in threads of its own.
#[pyclass]
struct ScriptCounter(Option<Fed>);

#[pymethods]
impl ScriptCounter {
    #[new]
    #[pyo3(signature = (threads, max_line_bytes, read_bytes=None))]
    fn new(threads: usize, max_line_bytes: usize, read_bytes: Option<usize>) -> PyResult<Self> {
        let fed = Fed::start(options(threads, max_line_bytes, read_bytes));
        fed.map(|fed| Self(Some(fed))).map_err(|_| PyRuntimeError::new_err("no thread can be started"))
    }

    /// Count more; false when recognition has to look at the text.
    fn feed(&self, py: Python<'_>, chunk: PyBackedBytes) -> PyResult<bool> {
        let fed = self.0.as_ref().ok_or_else(spent)?;
        Ok(py.detach(|| fed.feed(Box::new(chunk))))
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<Option<FoldedScript>> {
        let fed = self.0.take().ok_or_else(spent)?;
        result(py.detach(|| fed.finish()))
    }
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<FoldedScript>()?;
    module.add_class::<ScriptCounter>()?;
    module.add_function(wrap_pyfunction!(fold_script, module)?)
}
