//! Views of selected samples: trees, tables, lanes, differences.

pub mod arranged;
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
