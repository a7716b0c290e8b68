//! From nothing to a loader: the files of [`crate::library::EAGER`] are read by the engine itself, clause by clause and
//! without any expansion; everything else is loaded by them on demand.

use super::{Machine, Step};
use crate::atom;
use crate::library;
use crate::reader::{self, Position};

/// Why the engine's own library could not be loaded: a defect of this build.
#[derive(Debug, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct BootError {
    pub file: &'static str,
    pub line: usize,
    pub message: String,
}

impl Machine {
    /// A machine with the built-in predicates, the loader, and an empty program.
    pub fn boot() -> Result<Machine, BootError> {
        let mut m = Machine::bare();
        for file in &library::EAGER[..std::env::var("DCN").ok().and_then(|s| s.parse().ok()).unwrap_or(99).min(library::EAGER.len())] {
            m.boot_text(file, library::text(file).unwrap_or(""))?;
        }
        m.source_module = atom::USER;
        m.freeze();
        Ok(m)
    }

    fn boot_text(&mut self, file: &'static str, text: &str) -> Result<(), BootError> {
        self.source_module = atom::SYSTEM;
        let name = self.heap.atoms.intern_pinned(file);
        let mut at = Position::start();
        loop {
            let top = self.heap.top();
            let read = reader::read(&mut self.heap, &self.ops, &self.flags, atom::SYSTEM, text, at);
            let read = read.map_err(|e| BootError { file, line: e.at.line, message: e.kind.clone() })?;
            let Some(term) = read.term else { return Ok(()) };
            at = read.end;
            let line = read.start.line;
            let fail = |m: String| BootError { file, line, message: m };
            if let Some(&[goal]) = self.heap.match_compound(term, atom::NECK, 1) {
                self.start(goal, atom::SYSTEM);
                match self.step(u64::MAX >> 1) {
                    Step::Solution { .. } => self.commit(),
                    other => {
                        let m = match other {
                            Step::Exception(b) => {
                                crate::writer::write(&self.heap, &self.ops, &self.flags, b, &crate::writer::Options::writeq())
                            }
                            o => format!("{o:?}"),
                        };
                        return Err(fail(format!("directive: {m}")));
                    }
                }
            } else if let Err(e) = self.add(atom::SYSTEM, term, true, false, Some((name, line as u32))) {
                return Err(fail(format!("{e:?}")));
            }
            self.heap.cells.truncate(top);
            self.heap.trail.clear();
        }
    }
}
