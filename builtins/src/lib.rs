//! DML programs in Rust: what others embed.
//!
//! An [`Engine`] holds the libraries, loaded once. A [`session::Session`] is one world: a machine, the files and tools it
//! may use, limits. In it, [`session::Session::run`] runs a DML program and gives its [`event::Event`]s, and
//! [`session::Session::query`] proves goals.
//!
//! ```
//! use deepclause::{Engine, event::Event, run::Program, session::SessionConfig};
//!
//! let engine = Engine::new()?;
//! let text = "agent_main(Name) :- output(\"hello {Name}\"), answer(\"done\").".to_string();
//! let mut run = engine.session(SessionConfig::default()).run(Program { name: "hello.dml".into(), text, args: vec!["Bo".into()] });
//! assert_eq!(run.next_blocking(), Some(Event::Output { content: "hello Bo".into() }));
//! assert_eq!(run.next_blocking(), Some(Event::Answer { content: "done".into() }));
//! # Ok::<(), deepclause::LoadError>(())
//! ```
#![deny(unsafe_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod block;
pub mod clock;
pub mod convert;
mod engine;
pub mod entry;
pub mod event;
mod exec;
pub mod files;
pub mod interpolate;
pub mod json;
pub mod library;
pub mod policy;
pub mod query;
mod report;
pub mod run;
pub mod session;
pub mod show;
pub mod specials;
pub mod tools;

pub use engine::{Engine, LoadError};
