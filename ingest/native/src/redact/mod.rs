//! Redaction: find and replace names in a text, in every encoding.

pub(crate) mod addresses;
pub mod bloom_filter;
pub(crate) mod encoding;
pub(crate) mod encodings;
pub(crate) mod escapes;
pub(crate) mod host_names;
pub mod leak_encodings;
pub mod multi_pattern_search;
pub mod open_tokens;
pub mod patterns;
pub(crate) mod prefix_table;
pub(crate) mod quiet_lines;
pub mod redaction_matches;
pub(crate) mod replacement;
pub mod rules;
pub(crate) mod searches;
pub(crate) mod seen_texts;
pub mod value_places;
pub mod vocabulary;
pub mod writings;
