//! Native predicates, one family per file.

pub mod atoms;
pub mod chars;
pub mod chars_io;
pub mod dicts;
pub mod filenames;
pub mod files;
pub mod flags;
pub mod format;
pub(crate) mod format_number;
pub mod json;
pub mod loader;
pub mod ops;
pub(crate) mod parse_time;
pub mod read_text;
pub mod streams;
pub mod strings;
pub mod subtext;
pub mod time;
pub mod write;

#[cfg(test)]
mod text_tests;
