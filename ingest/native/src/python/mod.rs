//! The extension module; the only code that names pyo3.

pub(crate) mod column_bytes;
pub(crate) mod foreign_lines;
pub(crate) mod line_classes;
pub(crate) mod line_starts;
pub(crate) mod linear;
pub(crate) mod log_lines;
pub(crate) mod log_prefix;
pub(crate) mod messages;
mod module;
pub(crate) mod number_rows;
pub(crate) mod patterns;
pub(crate) mod readers;
pub(crate) mod script_fold;
pub(crate) mod trees;
pub(crate) mod view_arguments;
mod views;
