//! The parsing core: text in, columns out. Python sees it through `python` alone.
//!
//! `perf` and `folded` read; `script_fold` makes folded text of a script without a tree between; `profile` holds what was read, the call tree and the samples; `views` answers what a page asks
//! of it; `redact` finds and replaces names in any text; `linear` is a regular expression for the readers in Python;
//! `line_classes` finds the first of many that matches a line, `line_starts` which of many conditions each line meets;
//! `foreign_lines` finds the lines of a long text that are not of its format; `log_lines` takes the prefixes off lines of a
//! system log and says which messages need no further look; `messages` is the catalogue of the kernel's own messages;
//! `number_rows` makes numbers of the rows of a table.

mod calendar;
pub mod folded;
pub mod foreign_lines;
pub mod line_classes;
pub mod line_kinds;
pub mod line_starts;
pub mod linear;
pub mod log_lines;
pub mod log_prefix;
pub mod messages;
pub mod number_rows;
pub mod perf;
pub mod profile;
#[cfg(feature = "python")]
mod python;
pub mod redact;
pub mod script_fold;
pub mod views;
mod wide_expressions;
