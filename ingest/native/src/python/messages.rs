//! Python bindings of the catalogue of kernel messages.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};

use crate::messages::{catalogue, message_bits};
use crate::python::linear::readable;

/// Bits, number of the message, first byte of its constant words, byte behind the last, identity.
type Found = (u8, u32, usize, usize, u32);
/// Path, function of the path, level, does the code return an error.
type Place = (u32, u32, u8, bool);
/// Bits, releases, levels, number of places, places.
type Entry = (u8, u32, u8, u32, Vec<Place>);

/// The message of the catalogue that `line` is.
#[pyfunction]
fn message_find(line: &Bound<'_, PyString>) -> PyResult<Option<Found>> {
    found_in(line)
}

fn found_in(line: &Bound<'_, PyString>) -> PyResult<Option<Found>> {
    let text = readable(line)?;
    let found = catalogue().find(text.to_str()?.as_bytes());
    Ok(found.map(|found| (found.bits, found.entry, found.start, found.end, found.identity)))
}

/// The message of the catalogue that each of `lines` is.
#[pyfunction]
fn messages_find(lines: &Bound<'_, PyList>) -> PyResult<Vec<Option<Found>>> {
    lines.iter().map(|line| found_in(line.cast::<PyString>()?)).collect()
}

/// How many lines of `text` are a message of at least `least` bits, and how many distinct ones.
#[pyfunction]
fn messages_count(py: Python<'_>, text: &[u8], least: u8) -> (usize, usize) {
    py.detach(|| {
        let found = text.split(|&byte| byte == b'\n').filter_map(message_bits);
        let mut numbers: Vec<u32> =
            found.filter(|&(bits, _)| bits >= least).map(|(_, number)| number).collect();
        let lines = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        (lines, numbers.len())
    })
}

/// What is known of the message `number`.
#[pyfunction]
fn message_entry(number: u32) -> Entry {
    let entry = catalogue().entry(number);
    let places = entry.places.iter().map(|place| (place.path, place.function, place.level, place.is_error));
    (entry.bits, entry.releases, entry.levels, entry.place_count, places.collect())
}

/// What the catalogue was made from, as JSON.
#[pyfunction]
fn message_sources(py: Python<'_>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, catalogue().about())
}

/// A compressed block of names; None behind the last.
#[pyfunction]
fn message_names(py: Python<'_>, block: usize) -> Option<Bound<'_, PyBytes>> {
    catalogue().names(block).map(|data| PyBytes::new(py, data))
}

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(message_find, module)?)?;
    module.add_function(wrap_pyfunction!(messages_find, module)?)?;
    module.add_function(wrap_pyfunction!(messages_count, module)?)?;
    module.add_function(wrap_pyfunction!(message_entry, module)?)?;
    module.add_function(wrap_pyfunction!(message_sources, module)?)?;
    module.add_function(wrap_pyfunction!(message_names, module)?)
}
