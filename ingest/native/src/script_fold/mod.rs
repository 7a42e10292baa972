//! `perf script` text to folded text: counts of distinct stacks, without samples, times and trees between.
//!
//! ```text
//! Source -> pieces cut before samples -> Counter | Counter | … -> Stacks of each -> sorted, merged, written
//! ```
//! Every thread takes the next piece when it needs one and counts all that it reads for itself; what they counted is
//! merged once, at the end. What is not regular is read by `perf::perf_script`. A text that may hold anything else than
//! one script is refused: recognition has to look at it.

pub(crate) mod counter;
pub(crate) mod last_frame;
#[cfg(test)]
mod same_text;
pub mod script;
pub mod source;

/// Why a text is not folded here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It holds lines that are not of `perf script`, or has to be cleaned first.
    NotPlain,
    /// It cannot be read.
    Unreadable,
    /// Somebody else refused, or nobody wants it any more.
    Stopped,
}
