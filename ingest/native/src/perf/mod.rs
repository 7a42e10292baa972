//! `perf script` text to samples and one call tree per event.

pub(crate) mod fast_header;
pub(crate) mod fast_sample;
pub mod frame;
pub mod header;
pub mod inline;
pub(crate) mod merge;
pub mod parallel;
pub mod perf_script;
pub mod reader;
#[cfg(test)]
mod same_result;
pub mod state;
pub(crate) mod tails;
#[cfg(any(test, fuzzing))]
pub mod test_dump;
