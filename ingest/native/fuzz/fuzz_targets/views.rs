//! Whatever columns a reading folder holds: those that pass `check` are looked at in every way without a panic,
//! and what a view weighs is what was selected.

#![no_main]

use casebook_core::profile::columns::check;
use casebook_core::views::graph::{self, Query, Order, Tree};
use casebook_core::profile::index::Index;
use casebook_core::views::lanes::{self, Alike, By};
use casebook_core::views::selection::{Samples, Selection};
use casebook_core::views::shape::Shape;
use casebook_core::views::view::View;
use casebook_core::views::chart;
use casebook_core::views::diff;
use casebook_core::folded::writer;
use casebook_core::views::inverted;
use casebook_core::views::names;
use libfuzzer_sys::fuzz_target;

const FRAMES: usize = 6;

/// Bytes as numbers, one after another; zero when there are no more.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    fn below(&mut self, bound: i32) -> i32 {
        i32::from(self.next()) % bound.max(1)
    }

    fn column(&mut self, size: usize, bound: i32) -> Vec<i32> {
        (0..size).map(|_| self.below(bound) - 1).collect()
    }

    fn flags(&mut self) -> Vec<u8> {
        let bits = self.next();
        (0..FRAMES).map(|at| bits >> at & 1).collect()
    }

    /// Mostly small numbers; some that no recording has.
    fn measure(&mut self) -> f64 {
        match self.next() {
            255 => f64::NAN,
            254 => f64::INFINITY,
            253 => f64::MAX,
            252 => -1.0,
            251 => f64::MIN_POSITIVE,
            small => f64::from(small) / 4.0,
        }
    }

    fn measures(&mut self, size: usize) -> Vec<f64> {
        (0..size).map(|_| self.measure()).collect()
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let nodes = usize::from(bytes.next() % 40);
    let count = usize::from(bytes.next() % 40);
    let parents: Vec<i32> =
        (0..nodes).map(|at| bytes.below(i32::try_from(at).unwrap_or(0) + 2) - 1).collect();
    let frames = bytes.column(nodes, 8);
    if check(&parents, &frames, FRAMES).is_err() {
        return;
    }
    let ends = bytes.column(count, i32::try_from(nodes).unwrap_or(0) + 1);
    let (weights, times, cpus) = (bytes.measures(count), bytes.measures(count), bytes.column(count, 5));
    let (counts, threads) = (vec![1.0; count], bytes.column(count, 4));
    let samples = Samples {
        nodes: &ends,
        weights: &weights,
        counts: &counts,
        times: (bytes.next() & 1 == 1).then_some(&times),
        cpus: (bytes.next() & 1 == 1).then_some(&cpus),
        threads: &threads,
    };
    let (focus, hide, merge, class) = (bytes.flags(), bytes.flags(), bytes.flags(), bytes.flags());
    let collapse = bytes.column(FRAMES, 4);
    let selection =
        Selection { from: usize::from(bytes.next() % 3), is_idle: Some(&hide), ..Selection::default() };
    let shape = Shape {
        focus: (bytes.next() & 1 == 1).then_some(&focus),
        hide: (bytes.next() & 1 == 1).then_some(&hide),
        merge: (bytes.next() & 1 == 1).then_some(&merge),
        collapse: (bytes.next() & 1 == 1).then_some(&collapse),
    };
    let view = View::new(&parents, &frames, &samples, &selection, &shape);
    let whole = View::new(&parents, &frames, &samples, &Selection::default(), &Shape::default());
    weighs_what_was_recorded(&whole, &weights);
    weighs_what_was_recorded(&view, &view.samples.weights);
    look(&view, &class, &mut bytes);
    let names = [0, 1, 2, 3, 4, 5];
    let side = |view: &'_ View| -> f64 { view.total_weight };
    let sides = [&whole, &view].map(|view| diff::Side { tree: tree(view), names: &names, whole: side(view) });
    let query =
        diff::Query { min_share: 0.0, min_delta: 0.0, order: diff::Order::Delta, ranks: &names, max_rows: 20 };
    let _ = diff::rows(&sides, &query);
    let index = Index::new(parents.clone(), frames.clone(), FRAMES, &ends);
    let found = index.completes(&class, &[&focus, &merge]);
    let _ = index.samples_of(&found, true);
    let _ = index.leaves(&class, &[&focus], Some(2));
    let known: Vec<String> = (0..FRAMES).map(|at| format!("f{at}")).collect();
    let folded = writer::Samples { nodes: &ends, comms: &threads, weights: &weights };
    let _ = writer::fold(&parents, &frames, &known, &known, &folded);
});

fn tree(view: &View) -> Tree<'_> {
    Tree { parents: &view.parents, frames: &view.frames, weights: &view.weights, totals: &view.totals }
}

/// Exact, because the small weights are quarters; sums with others depend on their order.
fn weighs_what_was_recorded(view: &View, weights: &[f64]) {
    if weights.iter().any(|weight| !(0.0..=64.0).contains(weight) || (weight * 4.0).fract() != 0.0) {
        return;
    }
    let sum: f64 = weights.iter().sum();
    assert!((view.total_weight - sum).abs() < 1e-9);
    let outermost = view.parents.iter().zip(&view.totals).filter(|(parent, _)| **parent < 0);
    let below: f64 = outermost.map(|(_, total)| total).sum();
    let without: f64 = view
        .samples
        .nodes
        .iter()
        .zip(&view.samples.weights)
        .filter(|(node, _)| **node < 0)
        .map(|(_, w)| w)
        .sum();
    assert!((below + without - sum).abs() < 1e-9);
}

fn look(view: &View, class: &[u8], bytes: &mut Bytes) {
    let ranks = [3, 1, 2, 0, 5, 4];
    let orders = [Order::LeftHeavy, Order::Alpha, Order::Time];
    let root = (bytes.next() & 1 == 1 && !view.parents.is_empty())
        .then(|| usize::from(bytes.next()) % view.parents.len());
    let query = Query {
        least: bytes.measure(),
        root,
        keep: &[],
        order: orders[usize::from(bytes.next() % 3)],
        ranks: &ranks,
        max_rows: usize::from(bytes.next() % 30),
    };
    let result = graph::rows(&tree(view), &query);
    assert_eq!(result.frame.len(), result.total.len());
    let _ = inverted::rows(&tree(view), &query);
    if let Some(leaf) = root {
        let _ = inverted::rows_from(&tree(view), leaf, usize::from(bytes.next() % 5), &query);
    }
    let _ = names::by_name(&tree(view), &[0, 1, 2, 3, 4, 5], FRAMES);
    let _ = names::callers(&tree(view), class, &query);
    let _ = names::callees(&tree(view), class, &query);
    let _ = chart::stays(view, bytes.measure(), usize::from(bytes.next() % 30));
    let query = lanes::Query {
        by: [By::Cpu, By::Thread, By::All][usize::from(bytes.next() % 3)],
        alike: [Alike::Thread, Alike::Leaf, Alike::Stack][usize::from(bytes.next() % 3)],
        has_clock: view.samples.times.is_some() && bytes.next() & 1 == 1,
        gap: None,
        range: None,
        width: usize::from(bytes.next() % 50),
        max_lanes: usize::from(bytes.next() % 5),
        max_spans: usize::from(bytes.next() % 9),
    };
    let _ = lanes::lanes(view, &query);
}
