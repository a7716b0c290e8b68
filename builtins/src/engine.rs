//! What sessions share: the libraries, loaded once.

use crate::library::{HostTable, Library};
use crate::session::{Names, Session, SessionConfig, Stop};
use crate::specials;
use deepclause_engine::atom;
use deepclause_engine::cell::Cell;
use deepclause_engine::machine::Machine;
use deepclause_engine::native::det;
use std::sync::{Arc, Mutex, PoisonError};

/// The libraries of DML and of the host, loaded and frozen. Cheap to clone; sessions are forks of it.
#[derive(Clone)]
pub struct Engine {
    template: Arc<Mutex<Machine>>,
    host: Arc<HostTable>,
    names: Arc<Names>,
}

/// Why an engine or a program could not be made ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub String);

impl Engine {
    /// An engine with the language and nothing else.
    ///
    /// # Errors
    /// The library of this version does not load: a broken build.
    pub fn new() -> Result<Engine, LoadError> {
        Engine::with_library(Library::new())
    }

    /// An engine with predicates of the host.
    ///
    /// # Errors
    /// The library's Prolog text does not load; the message says where.
    pub fn with_library(library: Library) -> Result<Engine, LoadError> {
        let mut m = Machine::boot().map_err(|e| LoadError(e.to_string()))?;
        let mut names = Names::default();
        for &(name, arity) in specials::HOST {
            m.register_suspending(atom::SYSTEM, name, arity);
            names.0.insert(m.heap.atoms.intern_pinned(name), name);
        }
        m.host_clock = Some(Arc::new(crate::clock::now));
        for n in specials::NATIVES.iter().chain(crate::clock::NATIVES) {
            m.register(atom::SYSTEM, *n);
        }
        let mut host = HostTable::default();
        let texts: Vec<(String, String)> = library.texts().to_vec();
        host.add(&mut m, library);
        let mut s = Session::new(m, SessionConfig::default(), Arc::default(), Arc::new(names));
        s.load_into(atom::SYSTEM, "dml", specials::LIBRARY)?;
        for (name, text) in &texts {
            s.load_into(atom::USER, name, text)?;
        }
        let Session { mut machine, names, .. } = s;
        machine.register(
            atom::SYSTEM,
            det("$read_clause", 5, specials::read_clause, "$read_clause(+Stream, -Term, -Variables, -Singletons, -Line)"),
        );
        specials::open_to_programs(&mut machine);
        machine.freeze();
        Ok(Engine { template: Arc::new(Mutex::new(machine)), host: Arc::new(host), names })
    }

    /// A new world of its own.
    pub fn session(&self, config: SessionConfig) -> Session {
        let machine = self.template.lock().unwrap_or_else(PoisonError::into_inner).fork();
        Session::new(machine, config, self.host.clone(), self.names.clone())
    }
}

impl Session {
    /// `setup_call_cleanup(open_string(Text, S), load_files(Module:Name, [stream(S)]), close(S))`.
    pub(crate) fn load_goal(&mut self, module: atom::Atom, name: &str, text: &str) -> Cell {
        let h = &mut self.machine.heap;
        let (name, text, s) = (h.atom(name), h.string(text), h.new_var());
        let open = h.compound_named("open_string", &[text, s]);
        let file = h.compound(atom::COLON, &[Cell::atom(module), name]);
        let option = h.compound(atom::STREAM, &[s]);
        let options = h.list_from(&[option]);
        let load = h.compound_named("load_files", &[file, options]);
        let close = h.compound_named("close", &[s]);
        h.compound_named("setup_call_cleanup", &[open, load, close])
    }

    /// Loads library text into a module; any message of the loader is an error.
    fn load_into(&mut self, module: atom::Atom, name: &str, text: &str) -> Result<(), LoadError> {
        let goal = self.load_goal(module, name, text);
        self.machine.start(goal, atom::SYSTEM);
        let stop = crate::block::block_on(self.go(), &|| false);
        match stop {
            Some(Stop::Solution { .. }) => self.machine.commit(),
            Some(Stop::Exception(ball)) => return Err(LoadError(format!("{name}: {}", crate::show::quoted(&self.machine, ball)))),
            _ => return Err(LoadError(format!("{name}: the library does not load"))),
        }
        let messages = self.take_error_output();
        if messages.is_empty() { Ok(()) } else { Err(LoadError(messages)) }
    }
}
