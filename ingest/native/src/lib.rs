//! The parsing core: text in, columns out. Python sees it through `python.rs` alone.
//!
//! `lines` cuts text into lines, `header` and `frame` understand one line each, `tree` and `samples` hold what
//! was understood, `perf_script` and `folded` drive them; `parallel` reads parts of a text in threads and `merge`
//! puts them together. `fold`, `graph`, `inverted`, `index`
//! and `measure` answer questions about a finished tree.

pub mod columns;
pub mod fold;
pub mod folded;
pub mod frame;
pub mod graph;
pub mod hash;
pub mod header;
pub mod index;
pub mod inline;
pub mod interner;
pub mod inverted;
pub mod lines;
pub mod measure;
mod merge;
pub mod parallel;
pub mod perf_script;
#[cfg(feature = "python")]
mod python;
mod regular;
pub mod samples;
mod simple_head;
pub mod skips;
pub mod tokens;
pub mod tree;
