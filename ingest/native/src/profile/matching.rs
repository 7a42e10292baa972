//! The samples of a pattern: their weight, in total and by process, and the nodes that have most of it.
//!
//! Samples are kept in the order of the index, so that those below a node are read one after another.

use std::ops::Range;

use crate::profile::columns::index;
use crate::profile::index::Index;

/// Nodes that are listed.
pub const LISTED: usize = 5;

/// Samples of an index in its order.
pub struct Samples {
    weights: Vec<f64>,
    /// Process of each sample, -1 for none.
    processes: Vec<i32>,
    process_count: usize,
    /// Node of each sample, in the order of the file.
    nodes: Vec<i32>,
}

/// The nodes of a pattern.
pub struct Pattern<'a> {
    pub index: &'a Index,
    /// Depth first.
    pub nodes: &'a [i32],
    /// Whether samples below the nodes count as well.
    pub with_below: bool,
    /// Nodes of which nothing counts, and nothing below them: depth first, none below another.
    pub without: &'a [i32],
    /// One byte per sample in the order of the index: 1 counts.
    pub members: &'a [u8],
}

/// A node and the first of its samples.
type Listed = (i32, u32);

pub struct Measured {
    pub weight: f64,
    pub by_process: Vec<f64>,
    /// One byte per process: 1 has a sample.
    pub is_there: Vec<u8>,
    /// Nodes with most weight, of equal ones the smallest number first; nodes without weight are left out.
    pub heaviest: Vec<Listed>,
}

impl Samples {
    /// Take the weights and processes (less than `process_count`, or -1) of samples that end in `nodes`.
    #[must_use]
    pub fn new(
        of: &Index,
        nodes: Vec<i32>,
        weights: &[f64],
        process: impl Fn(usize) -> i32,
        process_count: usize,
    ) -> Self {
        let order = of.samples();
        Self {
            weights: order.iter().map(|&sample| weights[sample as usize]).collect(),
            processes: order.iter().map(|&sample| process(sample as usize)).collect(),
            process_count,
            nodes,
        }
    }

    /// One flag per sample, put into the order of the index.
    #[must_use]
    pub fn members(of: &Index, flags: &[u8]) -> Vec<u8> {
        of.samples().iter().map(|&sample| flags.get(sample as usize).copied().unwrap_or_default()).collect()
    }

    /// Weigh the samples of a pattern.
    #[must_use]
    pub fn measure(&self, pattern: &Pattern) -> Measured {
        let mut weight = 0.0;
        let (mut by_process, mut is_there) = (vec![0.0; self.process_count], vec![0; self.process_count]);
        let mut heaviest = Heaviest::default();
        pattern.each_node(|samples| {
            let (mut own, mut first) = (0.0, None);
            for at in samples.filter(|&at| pattern.members[at] != 0) {
                own += self.weights[at];
                first = first.or(Some(at));
                if let Some(process) = index(self.processes[at]) {
                    by_process[process] += self.weights[at];
                    is_there[process] = 1;
                }
            }
            weight += own;
            if let Some(first) = first {
                heaviest.add(own, || self.listed(pattern.index, first));
            }
        });
        Measured { weight, by_process, is_there, heaviest: heaviest.listed() }
    }

    /// The nodes with most weight of each process, `LISTED` each.
    #[must_use]
    pub fn heaviest_by_process(&self, pattern: &Pattern) -> Vec<Vec<Listed>> {
        let mut found: Vec<Heaviest> = vec![Heaviest::default(); self.process_count];
        let mut own: Vec<(f64, usize)> = vec![(0.0, usize::MAX); self.process_count];
        let mut touched: Vec<usize> = Vec::new();
        pattern.each_node(|samples| {
            for at in samples.filter(|&at| pattern.members[at] != 0) {
                let Some(process) = index(self.processes[at]) else { continue };
                let of = &mut own[process];
                if of.1 == usize::MAX {
                    *of = (0.0, at);
                    touched.push(process);
                }
                of.0 += self.weights[at];
            }
            for process in touched.drain(..) {
                let (weight, first) = std::mem::replace(&mut own[process], (0.0, usize::MAX));
                found[process].add(weight, || self.listed(pattern.index, first));
            }
        });
        found.iter().map(Heaviest::listed).collect()
    }

    fn listed(&self, of: &Index, at: usize) -> Listed {
        let sample = of.samples()[at];
        (self.nodes[sample as usize], sample)
    }
}

impl Pattern<'_> {
    /// Visit the samples of each node that has any, as places in the order of the index.
    fn each_node(&self, mut visit: impl FnMut(Range<usize>)) {
        let mut without = self.without.iter().map(|&node| self.index.places_below(node)).peekable();
        for &node in self.nodes {
            let mut places = self.index.places_below(node);
            if !self.with_below {
                places.end = places.start + 1;
            }
            while let Some(place) = places.next() {
                while without.next_if(|left_out| left_out.end <= place).is_some() {}
                if let Some(left_out) = without.peek().filter(|left_out| left_out.start <= place) {
                    places.start = left_out.end.min(places.end);
                    continue;
                }
                let samples = self.index.samples_at(place);
                if !samples.is_empty() {
                    visit(samples);
                }
            }
        }
    }
}

#[derive(Clone, Default)]
struct Heaviest {
    /// Weight, node, sample: the heaviest first.
    found: Vec<(f64, i32, u32)>,
}

impl Heaviest {
    fn add(&mut self, weight: f64, node: impl FnOnce() -> Listed) {
        let least = if self.found.len() < LISTED { 0.0 } else { self.found[LISTED - 1].0 };
        if !(weight > 0.0 && weight >= least) {
            return;
        }
        let (node, sample) = node();
        let is_before = |&(other, of, _): &(f64, i32, u32)| weight > other || (weight >= other && node < of);
        let at = self.found.iter().position(is_before).unwrap_or(self.found.len());
        self.found.insert(at, (weight, node, sample));
        self.found.truncate(LISTED);
    }

    fn listed(&self) -> Vec<Listed> {
        self.found.iter().map(|&(_, node, sample)| (node, sample)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Pattern, Samples};
    use crate::profile::index::Index;

    // 0 ─ 1 ─ 2 ─ 3 along one stack, and 0 ─ 4 beside it
    fn of() -> (Index, Vec<i32>) {
        let nodes = vec![3, 4, 1, -1, 3, 2, 4];
        (Index::new(vec![-1, 0, 1, 2, 0], vec![0, 1, 2, 3, 4], 5, &nodes), nodes)
    }

    fn samples(of: &Index, nodes: Vec<i32>) -> Samples {
        let processes = [0, 1, 0, 0, 1, -1, 1];
        Samples::new(of, nodes, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], |sample| processes[sample], 3)
    }

    #[test]
    fn samples_below_a_node_are_weighed_by_process() {
        let (index, nodes) = of();
        let samples = samples(&index, nodes);
        let members = Samples::members(&index, &[1, 1, 1, 1, 1, 0, 1]);
        let whole = Pattern { index: &index, nodes: &[1], with_below: true, without: &[], members: &members };
        let found = samples.measure(&whole);
        assert_eq!((found.weight, found.by_process), (21.0, vec![5.0, 16.0, 0.0]));
        assert_eq!((found.is_there, found.heaviest), (vec![1, 1, 0], vec![(3, 0), (1, 2)]));
        assert_eq!(samples.heaviest_by_process(&whole), [vec![(1, 2), (3, 0)], vec![(3, 4)], vec![]]);
        let part = Pattern { nodes: &[0], without: &[2], ..whole };
        assert_eq!(samples.measure(&part).heaviest, [(4, 1), (1, 2)]);
        let own = Pattern { nodes: &[1], with_below: false, without: &[], ..part };
        assert_eq!(samples.measure(&own).by_process, [4.0, 0.0, 0.0]);
    }
}
