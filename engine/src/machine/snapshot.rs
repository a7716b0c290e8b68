//! Saving a stopped session to bytes and restoring it, in another process too.
//!
//! Only what differs from the frozen program is written. Code addresses become `(clause, offset)`; a clause of the
//! program is named by its predicate and position, which the same version and program give again.
#![allow(unsafe_code)]

use super::predicate::{Chain, Definition, Slot};
use super::{Choice, Kind, Limits, Machine, State, Unwind};
use crate::atom::Atom;
use crate::cell::Cell;
use crate::code::{Clause, Instr};
use crate::flags::Flags;
use crate::ops::OpType;
use crate::record::Record;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const MAGIC: [u8; 8] = *b"DCSESSN1";

/// Why saved bytes cannot be restored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RestoreError {
    #[error("this is no saved session")]
    NotASession,
    #[error("the session was saved by engine version {saved}, this is {running}")]
    Version { saved: String, running: String },
    #[error("the session was saved with another program or library: load the same files in the same order before restoring")]
    Program,
    #[error("the saved session is damaged: {0}")]
    Damaged(String),
    #[error("the session cannot be saved: {0}")]
    Unsaveable(String),
}

/// A code address: which code, and how many instructions into it.
#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
struct Place {
    code: Code,
    offset: u32,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
enum Code {
    Static(u8),
    Clause { predicate: u32, slot: u32 },
    Buried(u32),
}

#[derive(Serialize, Deserialize)]
enum SavedKind {
    Clauses { predicate: u32, slot: u32, arg: u8, key: u64, generation: u64 },
    Inline(Place),
    Catch,
    Cleanup,
    Native(u32),
    Dead,
    Base,
}

#[derive(Serialize, Deserialize)]
struct SavedChoice {
    kind: SavedKind,
    e: usize,
    cp: Place,
    b0: usize,
    trail: usize,
    h: usize,
    env_top: usize,
    args: usize,
    findall: usize,
}

#[derive(Serialize, Deserialize)]
struct SavedSlot {
    clause: SavedClause,
    born: u64,
    died: u64,
    next: u32,
    order: i64,
}

#[derive(Serialize, Deserialize)]
enum SavedClause {
    /// The clause at this position of the program's own predicate.
    Program(u32),
    New(Clause),
}

#[derive(Serialize, Deserialize)]
enum SavedDefinition {
    Undefined,
    Clauses,
    Det(u32),
    Nondet(u32),
    Suspend,
    Link { to: u32, auto: bool },
    Same,
}

#[derive(Serialize, Deserialize)]
struct SavedPredicate {
    index: u32,
    module: Atom,
    name: Atom,
    arity: u32,
    definition: SavedDefinition,
    slots: Vec<SavedSlot>,
    chain: (u32, u32, i64, i64),
    flags: [bool; 6],
    file: u32,
    load: u32,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    fingerprint: u64,
    atoms: Vec<Option<(String, u32)>>,
    predicates: Vec<SavedPredicate>,
    epoch: u32,
    flags: Flags,
    ops: Vec<(Atom, Vec<(Atom, u16, OpType)>)>,
    modules: Vec<(Atom, Option<Atom>, Vec<(Atom, usize)>)>,
    source_module: Atom,
    limits: Limits,
    cells: Vec<Cell>,
    trail: Vec<u64>,
    wakeup: Cell,
    x: Vec<Cell>,
    env: Vec<Cell>,
    env_places: Vec<(usize, Place)>,
    interrupted: Vec<(usize, Place)>,
    choices: Vec<SavedChoice>,
    choice_args: Vec<Cell>,
    p: Place,
    cp: Place,
    e: usize,
    b0: usize,
    state: u8,
    host_call: Option<(u32, Cell)>,
    reenter: Option<u32>,
    inferences: u64,
    generation: u64,
    findall: Vec<Vec<Record>>,
    buried: Vec<Clause>,
    roots: Vec<Cell>,
    unwinding: Option<(u8, i32)>,
    load_number: u32,
    clause_bytes: usize,
    extra: Vec<u8>,
}
