//! What a reader of `perf script` text has read so far.

use std::collections::HashMap;

use crate::perf::tails::Tails;
use crate::profile::hash::Key;
use crate::profile::interner::{Frames, Threads};
use crate::profile::samples::{Event, Stated};
use crate::profile::skips::Skips;
use crate::profile::tree::{FrameAt, Tree};

/// `# key : value` of perf's own file header.
pub type Comment = (String, String, u32);

/// What was read so far.
pub struct State {
    pub(crate) key: Key,
    pub(crate) new_tree: fn(Key) -> Tree,
    pub frames: Frames,
    pub threads: Threads,
    pub events: Vec<Event>,
    pub(crate) by_name: HashMap<Vec<u8>, usize>,
    pub(crate) last_event: usize,
    pub(crate) open: Option<Open>,
    pub(crate) stack: Vec<FrameAt>,
    pub(crate) tails: Tails,
    pub comments: Vec<Comment>,
    pub skips: Skips,
    pub lost: f64,
    pub lost_line: u32,
    pub cut_line: u32,
    pub(crate) last: Last,
    pub(crate) last_rest: Vec<u8>,
    pub(crate) line_count: u32,
}

/// A sample whose stack may follow.
pub(crate) struct Open {
    pub event: usize,
    pub stated: Stated,
    pub has_inline: bool,
}

/// Kind of the last non-blank line: shows whether the text was cut off.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Last {
    Nothing,
    Whole,
    OddFrame,
    Stranger,
}
