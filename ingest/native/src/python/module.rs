//! The Python module `_core`. Only the files of this folder name pyo3.

use pyo3::prelude::*;

use crate::python::{
    foreign_lines, line_classes, line_starts, linear, log_lines, log_prefix, messages, number_rows, patterns,
    readers, script_fold, trees, views,
};

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    readers::add(module)?;
    script_fold::add(module)?;
    line_classes::add(module)?;
    line_starts::add(module)?;
    foreign_lines::add(module)?;
    linear::add(module)?;
    log_lines::add(module)?;
    log_prefix::add(module)?;
    messages::add(module)?;
    number_rows::add(module)?;
    patterns::add(module)?;
    trees::add(module)?;
    views::add(module)
}
