//! Stacks unmerged in time: a row is one uninterrupted stay in a function.
//!
//! Rows are in preorder. Rows narrower than `least` are dropped as soon as they end, so memory follows what is
//! shown and not what was recorded.

use std::cmp::Ordering;

use crate::profile::columns::index;
use crate::views::view::View;

/// Rows in preorder; `start` and `total` are weight, `first` and `last` positions in the recording.
#[derive(Debug, Default, PartialEq)]
pub struct Stays {
    pub depth: Vec<i32>,
    pub frame: Vec<i32>,
    pub node: Vec<i32>,
    pub self_weight: Vec<f64>,
    pub total: Vec<f64>,
    pub start: Vec<f64>,
    pub first: Vec<u32>,
    pub last: Vec<u32>,
    /// Time of the first sample; NaN without clock.
    pub time: Vec<f64>,
    pub pruned: usize,
}

/// A stay that goes on, and where its row is.
struct Open {
    node: i32,
    row: usize,
}

/// The stays of at least `least` weight, at most about `max_rows` of them and at least one.
#[must_use]
pub fn stays(view: &View, least: f64, max_rows: usize) -> Stays {
    let max_rows = max_rows.max(1);
    let least = Size { width: least, depth: i32::MAX };
    let mut chart = Chart { rows: Stays::default(), open: Vec::new(), depths: view.depths(), view, least };
    let mut passed = 0.0;
    for (at, (&node, &weight)) in view.samples.nodes.iter().zip(&view.samples.weights).enumerate() {
        chart.enter(node, at, passed);
        passed += weight;
        if chart.open.last().is_some_and(|top| top.node == node) {
            chart.weigh(at, weight);
        }
        if chart.rows.depth.len() > 2 * (max_rows + chart.open.len()) {
            chart.coarsen(max_rows);
        }
    }
    chart.close_to(0);
    chart.coarsen(max_rows);
    chart.rows
}

struct Chart<'a> {
    rows: Stays,
    open: Vec<Open>,
    depths: Vec<i32>,
    view: &'a View,
    least: Size,
}

impl Chart<'_> {
    /// End the stays that the stack of `node` does not continue, begin those it adds.
    fn enter(&mut self, node: i32, at: usize, passed: f64) {
        let mut added = Vec::new();
        let mut here = node;
        while let Some(inner) = index(here) {
            let depth = index(self.depths[inner]).unwrap_or(0);
            if self.open.get(depth).is_some_and(|open| open.node == here) {
                break;
            }
            added.push(inner);
            here = self.view.parents[inner];
        }
        let depth = index(here).map_or(0, |inner| index(self.depths[inner]).unwrap_or(0) + 1);
        self.close_to(depth);
        for inner in added.into_iter().rev() {
            self.begin(inner, at, passed);
        }
    }

    fn begin(&mut self, node: usize, at: usize, passed: f64) {
        let number = i32::try_from(node).unwrap_or(i32::MAX);
        let samples = &self.view.samples;
        self.open.push(Open { node: number, row: self.rows.depth.len() });
        self.rows.depth.push(self.depths[node]);
        self.rows.frame.push(self.view.frames[node]);
        self.rows.node.push(number);
        self.rows.self_weight.push(0.0);
        self.rows.total.push(0.0);
        self.rows.start.push(passed);
        self.rows.first.push(samples.positions[at]);
        self.rows.last.push(samples.positions[at]);
        self.rows.time.push(samples.times.as_ref().map_or(f64::NAN, |times| times[at]));
    }

    /// Add a sample to the innermost stay; those around it take its weight when it ends.
    fn weigh(&mut self, at: usize, weight: f64) {
        if let Some(top) = self.open.last() {
            self.rows.self_weight[top.row] += weight;
            self.rows.total[top.row] += weight;
            self.rows.last[top.row] = self.view.samples.positions[at];
        }
    }

    fn close_to(&mut self, depth: usize) {
        while self.open.len() > depth {
            let Some(ended) = self.open.pop() else {
                return;
            };
            let (total, last) = (self.rows.total[ended.row], self.rows.last[ended.row]);
            if let Some(around) = self.open.last() {
                self.rows.total[around.row] += total;
                self.rows.last[around.row] = self.rows.last[around.row].max(last);
            }
            if self.rows.size(ended.row).cmp(&self.least).is_lt() {
                // Rows that began after it are inside it, rank lower still, and are dropped already.
                self.rows.pruned += 1;
                self.rows.truncate(ended.row);
            }
        }
    }

    /// Query for more until at most `max_rows` are left; what goes on stays.
    fn coarsen(&mut self, max_rows: usize) {
        let is_open: Vec<usize> = self.open.iter().map(|open| open.row).collect();
        let goes_on = |row: &usize| is_open.binary_search(row).is_ok();
        let rows = 0..self.rows.depth.len();
        let mut ended: Vec<Size> =
            rows.clone().filter(|row| !goes_on(row)).map(|row| self.rows.size(row)).collect();
        if ended.len() <= max_rows {
            return;
        }
        ended.sort_unstable_by(Size::cmp);
        let cut = ended.len() - max_rows;
        // Rows of one size go together, so that no part of the recording is preferred.
        self.least = ended[cut];
        self.least.depth -= i32::from(ended[cut - 1].cmp(&ended[cut]).is_eq());
        let keeps: Vec<bool> =
            rows.map(|row| self.rows.size(row).cmp(&self.least).is_ge() || goes_on(&row)).collect();
        for open in &mut self.open {
            open.row = keeps[..open.row].iter().filter(|&&keep| keep).count();
        }
        self.rows.pruned += keeps.iter().filter(|&&keep| !keep).count();
        self.rows.retain(&keeps);
    }
}

/// Rank of a row: wider first, then outer first. No row ranks above its caller.
#[derive(Clone, Copy)]
struct Size {
    width: f64,
    depth: i32,
}

impl Size {
    fn cmp(&self, other: &Self) -> Ordering {
        self.width.total_cmp(&other.width).then(other.depth.cmp(&self.depth))
    }
}

impl Stays {
    fn size(&self, row: usize) -> Size {
        Size { width: self.total[row], depth: self.depth[row] }
    }

    fn truncate(&mut self, rows: usize) {
        self.depth.truncate(rows);
        self.frame.truncate(rows);
        self.node.truncate(rows);
        self.self_weight.truncate(rows);
        self.total.truncate(rows);
        self.start.truncate(rows);
        self.first.truncate(rows);
        self.last.truncate(rows);
        self.time.truncate(rows);
    }

    fn retain(&mut self, keeps: &[bool]) {
        retain(&mut self.depth, keeps);
        retain(&mut self.frame, keeps);
        retain(&mut self.node, keeps);
        retain(&mut self.self_weight, keeps);
        retain(&mut self.total, keeps);
        retain(&mut self.start, keeps);
        retain(&mut self.first, keeps);
        retain(&mut self.last, keeps);
        retain(&mut self.time, keeps);
    }
}

fn retain<T>(column: &mut Vec<T>, keeps: &[bool]) {
    let mut keep = keeps.iter();
    column.retain(|_| keep.next().is_some_and(|&keep| keep));
}

#[cfg(test)]
mod tests {
    use super::stays;
    use crate::views::selection::Selection;
    use crate::views::shape::Shape;
    use crate::views::view::tests::view;

    #[test]
    fn a_stay_ends_where_another_stack_begins() {
        // a;b  a;b  a;c;b  d  a;b  no stack  a;b
        let nodes = [1, 1, 3, 4, 1, -1, 1];
        let all =
            view(&nodes, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], &Selection::default(), &Shape::default());
        let rows = stays(&all, 0.0, 1000);
        assert_eq!(rows.node, [0, 1, 2, 3, 4, 0, 1, 0, 1]);
        assert_eq!(rows.depth, [0, 1, 1, 2, 0, 0, 1, 0, 1]);
        assert_eq!(rows.start, [0.0, 0.0, 3.0, 3.0, 7.0, 15.0, 15.0, 63.0, 63.0]);
        assert_eq!(rows.total, [7.0, 3.0, 4.0, 4.0, 8.0, 16.0, 16.0, 64.0, 64.0]);
        assert_eq!((rows.first[0], rows.last[0], rows.time[4]), (0, 2, 3.0));
        let wide = stays(&all, 5.0, 1000);
        assert_eq!((wide.node, wide.pruned), (vec![0, 4, 0, 1, 0, 1], 3));
    }

    #[test]
    fn too_many_rows_leave_the_widest() {
        let nodes: Vec<i32> = (0..200).map(|at| if at % 2 == 0 { 1 } else { 4 }).collect();
        let weights: Vec<f64> = (0..200).map(f64::from).collect();
        let all = view(&nodes, &weights, &Selection::default(), &Shape::default());
        let some = stays(&all, 0.0, 20);
        assert!(!some.node.is_empty() && some.node.len() <= 20);
        assert!(some.total.iter().any(|&total| total > 198.0));
        assert_eq!(some.pruned + some.node.len(), stays(&all, 0.0, 1000).node.len());
        assert_eq!(stays(&all, 0.0, 0).node.len(), 1);
    }

    #[test]
    fn of_rows_of_one_width_the_outer_ones_stay() {
        let nodes: Vec<i32> = (0..200).map(|at| if at % 2 == 0 { 3 } else { 4 }).collect();
        let all = view(&nodes, &[1.0; 200], &Selection::default(), &Shape::default());
        let some = stays(&all, 0.0, 250);
        assert_eq!((some.node.len(), some.pruned), (200, 200));
        assert_eq!(some.depth, [0; 200]);
    }
}
