//! Names found and replaced in any text, in every encoding.

pub(crate) mod addresses;
pub mod bloom_filter;
pub(crate) mod encodings;
pub(crate) mod escape_decoder;
pub mod leak_encodings;
pub mod multi_pattern_search;
pub mod patterns;
pub mod redaction_matches;
