//! Folded stacks, read and written.

pub mod reader;
pub mod writer;
