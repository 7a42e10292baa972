//! A profile as folded stacks: sorted `comm;outermost;…;innermost weight` lines, equal stacks merged.

use std::collections::BTreeMap;
use std::collections::HashMap;
use std::fmt::Write as _;

use crate::profile::columns::index;

/// What a sample without frames and without a name is called.
const NO_STACK: &str = "[no stack]";

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
    names: &[String],
    comms: &[String],
    samples: &Samples,
) -> Vec<u8> {
    let mut by_place: HashMap<(i32, i32), f64> = HashMap::new();
    for ((&node, &comm), &weight) in samples.nodes.iter().zip(samples.comms).zip(samples.weights) {
        *by_place.entry((comm, node)).or_default() += weight;
    }
    let mut by_stack: BTreeMap<String, f64> = BTreeMap::new();
    let mut chain: Vec<&str> = Vec::new();
    for ((comm, node), weight) in by_place {
        chain.clear();
        let mut at = index(node);
        while let Some(node) = at {
            let name = index(node_frames[node]).and_then(|frame| names.get(frame));
            chain.extend(name.map(String::as_str).filter(|name| !name.is_empty()));
            at = index(parents[node]);
        }
        chain.extend(index(comm).and_then(|comm| comms.get(comm)).map(String::as_str));
        if chain.is_empty() {
            chain.push(NO_STACK);
        }
        chain.reverse();
        *by_stack.entry(chain.join(";")).or_default() += weight;
    }
    let mut text = String::new();
    for (stack, weight) in by_stack {
        // Writing to a string cannot fail; whole numbers are written without a fraction.
        let _ = writeln!(text, "{stack} {weight}");
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::{Samples, fold};

    #[test]
    fn stacks_are_merged_and_sorted() {
        let names = ["main", "read", ""].map(str::to_owned);
        let comms = ["app".to_owned()];
        let samples = Samples {
            nodes: &[1, 2, 1, -1, -1],
            comms: &[0, 0, 0, 0, -1],
            weights: &[1.0, 2.5, 1.0, 4.0, 1.0],
        };
        let text = fold(&[-1, 0, 0], &[0, 1, 2], &names, &comms, &samples);
        let expected = "[no stack] 1\napp 4\napp;main 2.5\napp;main;read 2\n";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
