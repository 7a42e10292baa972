//! Long runs: samples of one CPU that follow one another in one thread and one place.

use std::cmp::Ordering;

use crate::profile::columns::index;

/// A gap shorter than this ends no run.
const LEAST_GAP: f64 = 1e-9;

/// So many numbers of CPUs are ranked by themselves.
const FEW_CPUS: usize = 1024;

/// Samples as columns of equal length.
pub struct Samples<'a> {
    pub cpus: &'a [i32],
    /// Seconds.
    pub times: &'a [f64],
    pub threads: &'a [i32],
    /// Where each is; -1 is nowhere and in no run with others.
    pub places: &'a [i32],
}

/// A run from its first sample to its last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    pub first: u32,
    pub last: u32,
    pub seconds: f64,
}

/// The longest runs, longest first, of equal ones that of the lowest CPU and then the earliest.
///
/// A gap of more than `factor` median intervals between samples of one CPU ends a run; without intervals there
/// is none.
#[must_use]
#[allow(clippy::cast_possible_truncation)]
pub fn longest(samples: &Samples, factor: f64, count: usize) -> Vec<Run> {
    let order = order_in_time(samples.times);
    let in_time = || (0..samples.times.len()).map(|at| order.as_ref().map_or(at, |order| order[at] as usize));
    let cpus = Cpus::of(samples.cpus);
    let Some(median) = median_interval(samples, in_time(), &cpus) else { return Vec::new() };
    let gap = (factor * median).max(LEAST_GAP);
    let mut open: Vec<Option<Run>> = vec![None; cpus.count()];
    let mut found: Vec<(usize, Run)> = Vec::new();
    for at in in_time() {
        let cpu = cpus.rank(samples.cpus[at]);
        let run = &mut open[cpu];
        if let Some(own) = run {
            let last = own.last as usize;
            if samples.is_one_place(last, at) && samples.times[at] - samples.times[last] <= gap {
                own.last = at as u32;
                own.seconds = samples.times[at] - samples.times[own.first as usize];
                continue;
            }
            add(&mut found, cpu, *own, count);
        }
        *run = Some(Run { first: at as u32, last: at as u32, seconds: 0.0 });
    }
    for (cpu, run) in open.into_iter().enumerate() {
        if let Some(run) = run {
            add(&mut found, cpu, run, count);
        }
    }
    found.into_iter().map(|(_, run)| run).collect()
}

impl Samples<'_> {
    fn is_one_place(&self, one: usize, other: usize) -> bool {
        self.threads[one] == self.threads[other]
            && self.places[one] == self.places[other]
            && index(self.places[one]).is_some()
    }
}

/// Runs of a CPU come in the order of time, so of equal ones the first stays first.
fn add(found: &mut Vec<(usize, Run)>, cpu: usize, run: Run, count: usize) {
    let is_after = |other: &(usize, Run)| match run.seconds.total_cmp(&other.1.seconds) {
        Ordering::Greater => true,
        Ordering::Equal => cpu < other.0,
        Ordering::Less => false,
    };
    if found.len() < count || found.last().is_some_and(is_after) {
        let at = found.iter().position(is_after).unwrap_or(found.len());
        found.insert(at, (cpu, run));
        found.truncate(count);
    }
}

/// Samples in the order of time; None when they are in it.
#[allow(clippy::cast_possible_truncation)]
fn order_in_time(times: &[f64]) -> Option<Vec<u32>> {
    if times.is_sorted() {
        return None;
    }
    let mut order: Vec<u32> = (0..times.len() as u32).collect();
    order.sort_by(|&one, &other| times[one as usize].total_cmp(&times[other as usize]));
    Some(order)
}

/// The CPUs of a recording by rank, and how many there are at most.
enum Cpus {
    /// From this number on.
    From(i32, usize),
    /// These, in order: they are far apart.
    Known(Vec<i32>),
}

impl Cpus {
    #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
    fn of(cpus: &[i32]) -> Self {
        let (least, most) =
            (cpus.iter().min().copied().unwrap_or(0), cpus.iter().max().copied().unwrap_or(0));
        let range = (i64::from(most) - i64::from(least)) as usize + 1;
        if range <= cpus.len().max(FEW_CPUS) {
            return Self::From(least, range);
        }
        let mut known = cpus.to_vec();
        known.sort_unstable();
        known.dedup();
        Self::Known(known)
    }

    fn count(&self) -> usize {
        match self {
            Self::From(_, count) => *count,
            Self::Known(known) => known.len(),
        }
    }

    fn rank(&self, cpu: i32) -> usize {
        match self {
            Self::From(least, _) => index(cpu - least).unwrap_or_default(),
            Self::Known(known) => known.binary_search(&cpu).unwrap_or_default(),
        }
    }
}

/// The median of the intervals between samples of one CPU that are not at one time; None without any.
fn median_interval(samples: &Samples, in_time: impl Iterator<Item = usize>, cpus: &Cpus) -> Option<f64> {
    let mut before = vec![f64::NAN; cpus.count()];
    let mut intervals: Vec<f64> = Vec::with_capacity(samples.times.len());
    for at in in_time {
        let before = &mut before[cpus.rank(samples.cpus[at])];
        let interval = samples.times[at] - std::mem::replace(before, samples.times[at]);
        if interval > 0.0 {
            intervals.push(interval);
        }
    }
    if intervals.is_empty() {
        return None;
    }
    let middle = intervals.len() / 2;
    let is_even = intervals.len().is_multiple_of(2);
    let (below, &mut upper, _) = intervals.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(if is_even { f64::midpoint(lower, upper) } else { upper })
}

#[cfg(test)]
mod tests {
    use super::{Run, Samples, longest};

    #[test]
    fn runs_end_with_the_thread_the_place_and_a_gap() {
        let samples = Samples {
            cpus: &[0, 1, 0, 1, 0, 1, 0, 1, 0],
            times: &[0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 9.0],
            threads: &[1, 2, 1, 2, 1, 2, 1, 3, 1],
            places: &[7, 8, 7, 8, 7, -1, 6, 8, 6],
        };
        let found = longest(&samples, 3.0, 3);
        let run = |first, last, seconds| Run { first, last, seconds };
        assert_eq!(found, [run(0, 4, 2.0), run(1, 3, 1.0), run(6, 6, 0.0)]);
        assert_eq!(longest(&samples, 9.0, 1), [run(6, 8, 6.0)]);
    }

    #[test]
    fn samples_need_no_order_and_one_time_has_no_intervals() {
        let samples = Samples {
            cpus: &[i32::MAX, -1, i32::MAX],
            times: &[2.0, 0.0, 1.0],
            threads: &[0, 0, 0],
            places: &[1, 1, 1],
        };
        assert_eq!(longest(&samples, 3.0, 1), [Run { first: 2, last: 0, seconds: 1.0 }]);
        assert_eq!(longest(&Samples { times: &[1.0; 3], ..samples }, 3.0, 1), []);
    }
}
