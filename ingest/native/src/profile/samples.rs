//! The samples of one event as columns, in the order of the file.

use crate::perf::header::NONE;
use crate::profile::tree::Tree;

/// perf's own bound on stack depth (`kernel.perf_event_max_stack`); a stack this deep was cut.
pub const DEEP: usize = 127;

/// What one sample states besides its stack.
#[derive(Debug, Clone, Copy)]
pub struct Stated {
    pub thread: u32,
    pub cpu: i32,
    pub time: Option<f64>,
    pub weight: Option<f64>,
    pub line: u32,
}

/// Samples: where each ends, and what it states; -1 and NaN where nothing is stated.
pub struct Columns {
    pub nodes: Vec<i32>,
    pub weights: Vec<f64>,
    pub times: Vec<f64>,
    pub cpus: Vec<i32>,
    pub threads: Vec<u32>,
    pub lines: Vec<u32>,
    pub has_weights: bool,
    pub has_times: bool,
    pub has_cpus: bool,
    pub deep: u32,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            weights: Vec::new(),
            times: Vec::new(),
            cpus: Vec::new(),
            threads: Vec::new(),
            lines: Vec::new(),
            has_weights: true,
            has_times: true,
            has_cpus: false,
            deep: 0,
        }
    }
}

impl Columns {
    /// Add a sample that ends in `node`, `depth` frames deep.
    pub fn push(&mut self, stated: Stated, node: i32, depth: usize) {
        self.nodes.push(node);
        self.weights.push(stated.weight.unwrap_or(1.0));
        self.times.push(stated.time.unwrap_or(f64::NAN));
        self.cpus.push(stated.cpu);
        self.threads.push(stated.thread);
        self.lines.push(stated.line);
        self.has_weights &= stated.weight.is_some();
        self.has_times &= stated.time.is_some();
        self.has_cpus |= stated.cpu != NONE;
        self.deep += u32::from(depth >= DEEP);
    }
}

/// One event: its tree and its samples.
pub struct Event {
    pub name: Vec<u8>,
    pub tree: Tree,
    pub samples: Columns,
}

impl Event {
    #[must_use]
    pub fn new(name: &[u8], tree: Tree) -> Self {
        Self { name: name.to_vec(), tree, samples: Columns::default() }
    }
}
