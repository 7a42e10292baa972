//! The extension module; the only code that names pyo3.

pub(crate) mod linear;
pub(crate) mod patterns;
pub(crate) mod readers;
pub(crate) mod trees;
pub(crate) mod views;
