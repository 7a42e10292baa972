//! Which samples count: by position, time, CPU, thread, and whether the CPU was idle.

use crate::profile::columns::index;

/// The samples of a profile as columns of one length.
pub struct Samples<'a> {
    pub nodes: &'a [i32],
    pub weights: &'a [f64],
    pub counts: &'a [f64],
    pub times: Option<&'a [f64]>,
    pub cpus: Option<&'a [i32]>,
    pub threads: &'a [i32],
}

/// Conditions on a sample; all must hold.
#[derive(Default)]
pub struct Selection<'a> {
    /// Positions `[from, to)`; `to` beyond the end is the end.
    pub from: usize,
    pub to: Option<usize>,
    /// Times `[t0, t1)` on the recording's clock.
    pub time: Option<(f64, f64)>,
    pub cpus: Option<&'a [i32]>,
    /// One flag per thread.
    pub is_thread: Option<&'a [u8]>,
    /// One flag per frame: samples that end in such a frame are excluded.
    pub is_idle: Option<&'a [u8]>,
}

impl Selection<'_> {
    /// Whether every sample is selected.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.from == 0
            && self.to.is_none()
            && self.time.is_none()
            && self.cpus.is_none()
            && self.is_thread.is_none()
            && self.is_idle.is_none()
    }

    /// Positions of the selected samples, ascending.
    #[must_use]
    pub fn positions(&self, samples: &Samples, node_frames: &[i32]) -> Vec<usize> {
        let end = self.to.map_or(samples.nodes.len(), |to| to.min(samples.nodes.len()));
        (self.from.min(end)..end).filter(|&at| self.takes(samples, node_frames, at)).collect()
    }

    fn takes(&self, samples: &Samples, node_frames: &[i32], at: usize) -> bool {
        let is_timely = self
            .time
            .is_none_or(|(t0, t1)| samples.times.is_some_and(|times| times[at] >= t0 && times[at] < t1));
        let is_on =
            self.cpus.is_none_or(|wanted| samples.cpus.is_some_and(|cpus| wanted.contains(&cpus[at])));
        is_timely
            && is_on
            && self.is_thread.is_none_or(|flags| flag(flags, samples.threads[at]))
            && !self.is_idle.is_some_and(|flags| {
                index(samples.nodes[at]).is_some_and(|node| flag(flags, node_frames[node]))
            })
    }
}

/// The flag of a frame or thread; what has none is not flagged.
#[must_use]
pub fn flag(flags: &[u8], at: i32) -> bool {
    index(at).and_then(|at| flags.get(at)).is_some_and(|&flag| flag != 0)
}

#[cfg(test)]
mod tests {
    use super::{Samples, Selection};

    const FRAMES: [i32; 2] = [0, 1];

    fn positions(selection: &Selection) -> Vec<usize> {
        let samples = Samples {
            nodes: &[0, 1, -1, 1],
            weights: &[1.0; 4],
            counts: &[1.0; 4],
            times: Some(&[5.0, 5.5, 6.0, f64::NAN]),
            cpus: Some(&[0, 1, 0, -1]),
            threads: &[0, 1, 1, 0],
        };
        selection.positions(&samples, &FRAMES)
    }

    #[test]
    fn a_range_of_time_is_open_at_its_end_and_holds_no_unknown_time() {
        assert_eq!(positions(&Selection { time: Some((5.0, 6.0)), ..Selection::default() }), [0, 1]);
        assert_eq!(
            positions(&Selection { time: Some((5.5, f64::INFINITY)), ..Selection::default() }),
            [1, 2]
        );
    }

    #[test]
    fn every_demand_must_hold() {
        assert_eq!(positions(&Selection::default()), [0, 1, 2, 3]);
        assert_eq!(positions(&Selection { from: 1, to: Some(9), ..Selection::default() }), [1, 2, 3]);
        let demands = Selection { cpus: Some(&[0]), is_thread: Some(&[0, 1]), ..Selection::default() };
        assert_eq!(positions(&demands), [2]);
    }

    #[test]
    fn the_innermost_frame_decides_what_is_idle() {
        assert_eq!(positions(&Selection { is_idle: Some(&[0, 1]), ..Selection::default() }), [0, 2]);
    }
}
