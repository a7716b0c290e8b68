//! Native predicates, one family per file.

pub mod flags;
pub mod ops;
