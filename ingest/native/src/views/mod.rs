//! What a page asks of a profile: trees, tables, lanes, differences, of selected samples.

pub mod chart;
pub mod diff;
pub mod graph;
pub mod heat;
pub mod inverted;
pub mod lanes;
pub mod names;
pub mod pattern;
pub mod selection;
pub mod shape;
pub mod trie;
pub mod view;
