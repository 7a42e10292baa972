//! The parsing core: text in, columns out. Python sees it through `python.rs` alone.
//!
//! `lines` cuts text into lines, `header` and `frame` understand one line each, `tree` and `samples` hold what
//! was understood, `perf_script` and `folded` drive them; `parallel` cuts a text into parts that `reader`s
//! read in threads, and `merge` puts them together. `fold`, `index` and `measure` answer questions about a finished tree.
//!
//! `selection` and `shape` make a `view` of it, the samples and stacks that are looked at; `graph`, `inverted`,
//! `chart`, `names`, `heat`, `lanes` and `diff` answer what a page asks of views. `patterns` and `words` find in any text
//! what redaction looks for, and `spots` replaces it; `linear` is a regular expression for the readers in Python.

pub mod chart;
pub mod columns;
pub mod diff;
pub mod filter;
pub mod fold;
pub mod folded;
pub mod frame;
pub mod graph;
pub mod hash;
pub mod header;
pub mod heat;
pub mod index;
pub mod inline;
pub mod interner;
pub mod inverted;
pub mod lanes;
mod letters;
pub mod linear;
pub mod lines;
pub mod measure;
mod merge;
pub mod names;
mod network;
pub mod parallel;
pub mod pattern;
pub mod patterns;
pub mod perf_script;
#[cfg(feature = "python")]
mod python;
#[cfg(feature = "python")]
mod python_linear;
#[cfg(feature = "python")]
mod python_patterns;
#[cfg(feature = "python")]
mod python_trees;
#[cfg(feature = "python")]
mod python_views;
pub mod reader;
mod regular;
#[cfg(test)]
mod same_result;
pub mod samples;
pub mod selection;
pub mod shape;
mod simple_head;
pub mod skips;
mod spellings;
pub mod spots;
pub mod tokens;
#[cfg(any(test, fuzzing))]
pub mod told;
pub mod tree;
pub mod trie;
pub mod view;
pub mod words;
pub mod writings;
