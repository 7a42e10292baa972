//! Who ran where and when: runs of neighbouring samples, lane by lane.

use std::collections::HashMap;

use crate::profile::columns::index;
use crate::views::view::View;

/// What makes a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Cpu,
    Thread,
    All,
}

/// What the samples of one run have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alike {
    Thread,
    Leaf,
    Stack,
}

/// Parameters of the lanes. `gap` ends a run and `bin` is set when there would be more than `max_spans`.
pub struct Query {
    pub by: By,
    pub alike: Alike,
    pub has_clock: bool,
    pub gap: Option<f64>,
    pub range: Option<(f64, f64)>,
    pub width: usize,
    pub max_lanes: usize,
    pub max_spans: usize,
}

/// One lane: `cpu` or `thread` is -1 where it is not what makes the lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    pub key: i32,
    pub samples: u32,
    pub weight: f64,
    pub spans: usize,
}

/// Lanes and their spans, lane after lane. `node` is the deepest that all samples of a span pass through.
#[derive(Debug, Default, PartialEq)]
pub struct Lanes {
    pub lanes: Vec<Lane>,
    pub left_out: usize,
    pub start: Vec<f64>,
    pub duration: Vec<f64>,
    pub samples: Vec<i32>,
    pub thread: Vec<i32>,
    pub node: Vec<i32>,
    pub leaf: Vec<i32>,
    pub from: f64,
    pub to: f64,
    pub interval: f64,
    pub gap: f64,
    pub bin: Option<f64>,
}

/// A run that goes on.
struct Run {
    start: f64,
    last: f64,
    key: (i32, i32),
    thread: i32,
    node: i32,
    count: u32,
    leaves: HashMap<i32, u32>,
}

/// The lanes of a view: the heaviest, by the number of their CPU or by weight.
#[must_use]
pub fn lanes(view: &View, query: &Query) -> Lanes {
    let at = axis(view, query.has_clock);
    let lanes = chosen(view, &at, query);
    let interval = interval(&lanes.samples, &at);
    let adjacent = !query.has_clock && interval <= 1.0;
    let gap = query.gap.unwrap_or(if adjacent { 1.0 } else { 3.0 * interval });
    let first = at.iter().copied().fold(f64::INFINITY, f64::min);
    let last = at.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (from, to) = query.range.unwrap_or(if first <= last { (first, last + interval) } else { (0.0, 0.0) });
    let mut result = Lanes { left_out: lanes.left_out, from, to, interval, gap, ..Lanes::default() };
    let reader = Reader { view, at: &at, depths: view.depths(), alike: query.alike };
    for (lane, samples) in lanes.lanes.iter().zip(&lanes.samples) {
        let before = result.start.len();
        reader.runs(samples, gap, interval, &mut result);
        result.lanes.push(Lane { spans: result.start.len() - before, ..lane.clone() });
    }
    if result.start.len() <= query.max_spans {
        return result;
    }
    let columns = query.width.min(query.max_spans / result.lanes.len().max(1)).max(1);
    #[allow(clippy::cast_precision_loss)]
    let bin = (to - from) / columns as f64;
    let mut coarse =
        Lanes { bin: Some(bin), left_out: lanes.left_out, from, to, interval, gap, ..Lanes::default() };
    for (lane, samples) in lanes.lanes.iter().zip(&lanes.samples) {
        let before = coarse.start.len();
        reader.bins(samples, bin, &mut coarse);
        coarse.lanes.push(Lane { spans: coarse.start.len() - before, ..lane.clone() });
    }
    coarse
}

/// Where every sample is on the axis: its time, or its position in the recording.
fn axis(view: &View, has_clock: bool) -> Vec<f64> {
    match &view.samples.times {
        Some(times) if has_clock => times.clone(),
        _ => view.samples.positions.iter().map(|&position| f64::from(position)).collect(),
    }
}

struct Chosen {
    lanes: Vec<Lane>,
    samples: Vec<Vec<usize>>,
    left_out: usize,
}

/// Lanes and their samples; samples without a position on the axis are in none.
fn chosen(view: &View, at: &[f64], query: &Query) -> Chosen {
    let samples = &view.samples;
    let mut number: HashMap<i32, usize> = HashMap::new();
    let mut lanes: Vec<(Lane, Vec<usize>)> = Vec::new();
    for sample in (0..samples.nodes.len()).filter(|&sample| !at[sample].is_nan()) {
        let key = match query.by {
            By::Cpu => samples.cpus.as_ref().map_or(-1, |cpus| cpus[sample]),
            By::Thread => samples.threads[sample],
            By::All => -1,
        };
        let lane = *number.entry(key).or_insert_with(|| {
            lanes.push((Lane { key, samples: 0, weight: 0.0, spans: 0 }, Vec::new()));
            lanes.len() - 1
        });
        lanes[lane].0.samples += 1;
        lanes[lane].0.weight += samples.weights[sample];
        lanes[lane].1.push(sample);
    }
    lanes.sort_by(|(a, _), (b, _)| b.weight.total_cmp(&a.weight).then(a.key.cmp(&b.key)));
    let left_out = lanes.len().saturating_sub(query.max_lanes);
    lanes.truncate(query.max_lanes);
    if query.by == By::Cpu {
        lanes.sort_by_key(|(lane, _)| lane.key);
    }
    let (lanes, samples) = lanes.into_iter().unzip();
    Chosen { lanes, samples, left_out }
}

/// The usual distance of neighbours in a lane: the median of those that are apart; 1 when there are none.
fn interval(lanes: &[Vec<usize>], at: &[f64]) -> f64 {
    let apart = |pair: &[usize]| at[pair[1]] - at[pair[0]];
    let mut distances: Vec<f64> =
        lanes.iter().flat_map(|lane| lane.windows(2).map(apart)).filter(|&apart| apart > 0.0).collect();
    if distances.is_empty() {
        return 1.0;
    }
    let middle = distances.len() / 2;
    *distances.select_nth_unstable_by(middle, f64::total_cmp).1
}

struct Reader<'a> {
    view: &'a View,
    at: &'a [f64],
    depths: Vec<i32>,
    alike: Alike,
}

impl Reader<'_> {
    /// Runs of one lane: neighbours that are alike and no more than `gap` apart.
    fn runs(&self, samples: &[usize], gap: f64, interval: f64, result: &mut Lanes) {
        let mut run: Option<Run> = None;
        for &sample in samples {
            let (at, key) = (self.at[sample], self.key(sample));
            match &mut run {
                // A sample from before the last one begins anew: its clock was set back.
                Some(open) if open.key == key && (0.0..=gap).contains(&(at - open.last)) => {
                    self.join(open, sample);
                }
                _ => {
                    if let Some(ended) = run.replace(self.begun(sample)) {
                        let end = (ended.last + interval).min(at.max(ended.last));
                        push_span(&ended, end, result);
                    }
                }
            }
        }
        if let Some(ended) = run {
            let end = ended.last + interval;
            push_span(&ended, end, result);
        }
    }

    /// The thread with most samples in every bin of one lane; equal neighbours are one span.
    #[allow(clippy::cast_possible_truncation)]
    fn bins(&self, samples: &[usize], bin: f64, result: &mut Lanes) {
        let number = |sample: usize| ((self.at[sample] - result.from) / bin).floor() as i64;
        let mut spans: Vec<(i64, i64, Run)> = Vec::new();
        for group in samples.chunk_by(|&a, &b| number(a) == number(b)) {
            let Some(winner) = self.most(group) else {
                continue;
            };
            let here = number(group[0]);
            let mut of_winner =
                group.iter().copied().filter(|&sample| self.view.samples.threads[sample] == winner);
            let adjacent = spans.last_mut().filter(|(_, end, run)| *end == here && run.thread == winner);
            if let Some((_, end, run)) = adjacent {
                *end = here + 1;
                of_winner.for_each(|sample| self.join(run, sample));
            } else if let Some(first) = of_winner.next() {
                let mut run = self.begun(first);
                of_winner.for_each(|sample| self.join(&mut run, sample));
                spans.push((here, here + 1, run));
            }
        }
        #[allow(clippy::cast_precision_loss)]
        let edge = |number: i64| result.from + number as f64 * bin;
        let bins: Vec<(f64, f64, Run)> =
            spans.into_iter().map(|(begin, end, run)| (edge(begin), edge(end), run)).collect();
        for (begin, end, run) in bins {
            push_span(&Run { start: begin, ..run }, end, result);
        }
    }

    fn most(&self, group: &[usize]) -> Option<i32> {
        let mut counts: Vec<(i32, u32)> = Vec::new();
        for &sample in group {
            let thread = self.view.samples.threads[sample];
            match counts.iter_mut().find(|(counted, _)| *counted == thread) {
                Some((_, count)) => *count += 1,
                None => counts.push((thread, 1)),
            }
        }
        counts.into_iter().max_by_key(|&(thread, count)| (count, -thread)).map(|(thread, _)| thread)
    }

    fn key(&self, sample: usize) -> (i32, i32) {
        let thread = self.view.samples.threads[sample];
        let node = self.view.samples.nodes[sample];
        match self.alike {
            Alike::Thread => (thread, 0),
            Alike::Leaf => (thread, self.leaf(node)),
            Alike::Stack => (thread, node),
        }
    }

    fn leaf(&self, node: i32) -> i32 {
        index(node).map_or(-1, |node| self.view.frames[node])
    }

    fn begun(&self, sample: usize) -> Run {
        let node = self.view.samples.nodes[sample];
        Run {
            start: self.at[sample],
            last: self.at[sample],
            key: self.key(sample),
            thread: self.view.samples.threads[sample],
            node,
            count: 1,
            leaves: HashMap::from([(self.leaf(node), 1)]),
        }
    }

    fn join(&self, run: &mut Run, sample: usize) {
        let node = self.view.samples.nodes[sample];
        run.last = self.at[sample];
        run.count += 1;
        *run.leaves.entry(self.leaf(node)).or_insert(0) += 1;
        run.node = self.common(run.node, node);
    }

    /// The deepest node that is on the way to both.
    fn common(&self, one: i32, other: i32) -> i32 {
        let (mut one, mut other) = (one, other);
        while one != other {
            let (Some(a), Some(b)) = (index(one), index(other)) else {
                return -1;
            };
            if self.depths[a] >= self.depths[b] {
                one = self.view.parents[a];
            }
            if self.depths[b] >= self.depths[a] {
                other = self.view.parents[b];
            }
        }
        one
    }
}

fn push_span(run: &Run, end: f64, result: &mut Lanes) {
    let leaf = run.leaves.iter().max_by_key(|&(&leaf, &count)| (count, -leaf)).map_or(-1, |(&leaf, _)| leaf);
    result.start.push(run.start);
    result.duration.push((end - run.start).max(0.0));
    result.samples.push(i32::try_from(run.count).unwrap_or(i32::MAX));
    result.thread.push(run.thread);
    result.node.push(run.node);
    result.leaf.push(leaf);
}

#[cfg(test)]
mod tests {
    use super::{Alike, By, Query, lanes};
    use crate::views::selection::{Samples, Selection};
    use crate::views::shape::Shape;
    use crate::views::view::View;
    use crate::views::view::tests::{FRAMES, PARENTS};

    const QUERY: Query = Query {
        by: By::Thread,
        alike: Alike::Thread,
        has_clock: false,
        gap: None,
        range: None,
        width: 100,
        max_lanes: 9,
        max_spans: 99,
    };

    /// Samples of threads 0 and 1; stacks a;b, a;c;b, d of the tree that views are tested with.
    fn view(nodes: &[i32], threads: &[i32], times: Option<&[f64]>) -> View {
        let ones = vec![1.0; nodes.len()];
        let samples = Samples { nodes, weights: &ones, counts: &ones, times, cpus: None, threads };
        View::new(&PARENTS, &FRAMES, &samples, &Selection::default(), &Shape::default())
    }

    #[test]
    fn without_a_clock_the_order_is_the_axis() {
        let result = lanes(&view(&[1, 3, 3, 4, 4, 1], &[0, 0, 0, 1, 1, 0], None), &QUERY);
        assert_eq!((result.from, result.to, result.interval), (0.0, 6.0, 1.0));
        assert_eq!((result.start, result.duration), (vec![0.0, 5.0, 3.0], vec![3.0, 1.0, 2.0]));
        assert_eq!((result.samples, result.thread), (vec![3, 1, 2], vec![0, 0, 1]));
        // a;b and a;c;b have a in common; all leaves are b.
        assert_eq!((result.node, result.leaf), (vec![0, 1, 4], vec![1, 1, 0]));
    }

    #[test]
    fn one_lane_of_all_shows_who_came_after_whom() {
        let result = lanes(&view(&[1, 3, 4, 4], &[0, 0, 1, 1], None), &Query { by: By::All, ..QUERY });
        assert_eq!((result.thread, result.samples, result.lanes.len()), (vec![0, 1], vec![2, 2], 1));
    }

    #[test]
    fn a_pause_on_the_clock_ends_a_run() {
        let times = [0.0, 1.0, 2.0, 9.0, 10.0];
        let result = lanes(&view(&[1; 5], &[0; 5], Some(&times)), &Query { has_clock: true, ..QUERY });
        assert_eq!((result.start, result.duration), (vec![0.0, 9.0], vec![3.0, 2.0]));
        let backwards =
            lanes(&view(&[1; 4], &[0; 4], Some(&[5.0, 6.0, 0.0, 1.0])), &Query { has_clock: true, ..QUERY });
        assert_eq!(backwards.start, [5.0, 0.0]);
        let unknown =
            lanes(&view(&[1; 3], &[0; 3], Some(&[5.0, f64::NAN, 6.0])), &Query { has_clock: true, ..QUERY });
        assert_eq!((unknown.start, unknown.samples), (vec![5.0], vec![2]));
        let bridged = Query { has_clock: true, gap: Some(7.0), ..QUERY };
        assert_eq!(lanes(&view(&[1; 5], &[0; 5], Some(&times)), &bridged).samples, [5]);
    }

    #[test]
    fn too_many_runs_are_binned() {
        let threads: Vec<i32> = (0..1000).map(|at| i32::from(at % 3 == 0)).collect();
        let query = Query { by: By::All, width: 10, max_spans: 50, ..QUERY };
        let result = lanes(&view(&[1; 1000], &threads, None), &query);
        assert_eq!((result.thread, result.duration), (vec![0], vec![1000.0]));
        assert_eq!(result.bin, Some(100.0));
    }
}
