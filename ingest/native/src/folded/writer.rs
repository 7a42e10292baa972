//! A profile as folded stacks.

use std::collections::HashMap;

use crate::folded::lines::{self, NONE, Row, Stacks};
use crate::profile::columns::index;

/// Columns of the samples: `comms` index the names of who ran, -1 for none.
pub struct Samples<'a> {
    pub nodes: &'a [i32],
    pub comms: &'a [i32],
    pub weights: &'a [f64],
}

/// Fold; an empty name leaves its frame out.
#[must_use]
pub fn fold(
    parents: &[i32],
    node_frames: &[i32],
    names: Vec<String>,
    comms: Vec<String>,
    samples: &Samples,
) -> Vec<u8> {
    let mut text = Vec::new();
    lines::write(vec![stacks(parents, node_frames, names, comms, samples)], |piece| {
        text.extend(piece);
        true
    });
    text
}

/// The distinct stacks of the samples.
#[must_use]
pub fn stacks(
    parents: &[i32],
    node_frames: &[i32],
    names: Vec<String>,
    comms: Vec<String>,
    samples: &Samples,
) -> Stacks {
    let (frames, threads) = (names.len(), comms.len());
    let mut part = Stacks { names, ..Stacks::default() };
    part.names.extend(comms);
    let mut by_place: HashMap<(i32, i32), usize> = HashMap::new();
    let number = |name: usize| u32::try_from(name).unwrap_or(NONE);
    for ((&node, &comm), &weight) in samples.nodes.iter().zip(samples.comms).zip(samples.weights) {
        let row = *by_place.entry((comm, node)).or_insert_with(|| {
            let start = part.callers.len();
            let mut at = index(node);
            while let Some(node) = at {
                part.callers.extend(index(node_frames[node]).map(number));
                at = index(parents[node]);
            }
            part.callers[start..].reverse();
            let leaf = if part.callers.len() > start { part.callers.pop().unwrap_or(NONE) } else { NONE };
            let count = number(part.callers.len() - start);
            let thread =
                index(comm).filter(|&comm| comm < threads).map_or(NONE, |comm| number(frames + comm));
            part.rows.push(Row { thread, start, count, leaf, weight: 0.0 });
            part.rows.len() - 1
        });
        part.rows[row].weight += weight;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::{Samples, fold};

    #[test]
    fn stacks_are_merged_and_sorted() {
        let names = ["main", "read", ""].map(str::to_owned).to_vec();
        let comms = vec!["app".to_owned()];
        let samples = Samples {
            nodes: &[1, 2, 1, -1, -1],
            comms: &[0, 0, 0, 0, -1],
            weights: &[1.0, 2.5, 1.0, 4.0, 1.0],
        };
        let text = fold(&[-1, 0, 0], &[0, 1, 2], names, comms, &samples);
        let expected = "[no stack] 1\napp 4\napp;main 2.5\napp;main;read 2\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
