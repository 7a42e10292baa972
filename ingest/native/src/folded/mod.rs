//! Folded stacks, read and written.

pub mod lines;
pub mod names;
pub mod reader;
pub mod writer;
