//! What readers build and views answer from: lines, tokens, the call tree, samples as columns.

pub mod columns;
pub mod demangle;
pub mod hash;
pub mod index;
pub mod interner;
pub mod lines;
pub mod matching;
pub mod measure;
pub mod runs;
pub mod samples;
pub mod skips;
pub mod tokens;
pub mod tree;
