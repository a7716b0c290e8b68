//! A compiled, suspendable, bounded, forkable Prolog machine for the SWI-Prolog 7 dialect.
#![deny(unsafe_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod arith;
pub mod atom;
pub mod builtins;
pub mod cell;
pub mod code;
pub mod compiler;
pub mod error;
pub mod flags;
pub mod heap;
pub mod host;
pub mod json;
pub mod library;
pub mod machine;
pub mod native;
pub mod number;
pub mod ops;
pub mod order;
pub mod reader;
pub mod record;
pub mod streams;
pub mod text;
pub mod writer;
