//! DML programs in Rust.
#![deny(unsafe_code)]

pub mod entry;
pub mod event;
pub mod files;
pub mod interpolate;
pub mod json;
pub mod policy;
pub mod tools;
