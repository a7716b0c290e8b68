//! Operator tables: the SWI-Prolog 7 defaults, and definitions local to a module.

use crate::atom::{self, Atom, AtomTable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Operator type, by the position and the priority of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum OpType {
    Xfx,
    Xfy,
    Yfx,
    Fy,
    Fx,
    Xf,
    Yf,
}

/// The three ways an atom can be an operator at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixity {
    Prefix,
    Infix,
    Postfix,
}

impl OpType {
    pub fn fixity(self) -> Fixity {
        match self {
            OpType::Fy | OpType::Fx => Fixity::Prefix,
            OpType::Xf | OpType::Yf => Fixity::Postfix,
            _ => Fixity::Infix,
        }
    }
    /// Name as in `op/3`.
    pub fn atom(self) -> Atom {
        match self {
            OpType::Xfx => atom::XFX,
            OpType::Xfy => atom::XFY,
            OpType::Yfx => atom::YFX,
            OpType::Fy => atom::FY,
            OpType::Fx => atom::FX,
            OpType::Xf => atom::XF,
            OpType::Yf => atom::YF,
        }
    }
    /// The type of this name.
    pub fn from_atom(a: Atom) -> Option<OpType> {
        Some(match a {
            atom::XFX => OpType::Xfx,
            atom::XFY => OpType::Xfy,
            atom::YFX => OpType::Yfx,
            atom::FY => OpType::Fy,
            atom::FX => OpType::Fx,
            atom::XF => OpType::Xf,
            atom::YF => OpType::Yf,
            _ => return None,
        })
    }
    /// Largest priority of the left and of the right argument, for an operator of priority `p`.
    pub fn argument_priorities(self, p: u16) -> (u16, u16) {
        match self {
            OpType::Xfx => (p - 1, p - 1),
            OpType::Xfy => (p - 1, p),
            OpType::Yfx => (p, p - 1),
            OpType::Fy => (0, p),
            OpType::Fx => (0, p - 1),
            OpType::Xf => (p - 1, 0),
            OpType::Yf => (p, 0),
        }
    }
}

/// Priority (0 = explicitly no operator) and type.
pub type OpDef = (u16, OpType);

#[derive(Clone, Copy, Default, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Definitions {
    prefix: Option<OpDef>,
    infix: Option<OpDef>,
    postfix: Option<OpDef>,
}

impl Definitions {
    fn get(&self, f: Fixity) -> Option<OpDef> {
        match f {
            Fixity::Prefix => self.prefix,
            Fixity::Infix => self.infix,
            Fixity::Postfix => self.postfix,
        }
    }
}

type Table = FxHashMap<Atom, Definitions>;

/// Operators of all modules. Lookup goes from the module to `user` to `system`.
#[derive(Clone, Debug)]
pub struct OpTable {
    modules: Arc<FxHashMap<Atom, Table>>,
}

const DEFAULTS: &[(u16, OpType, &[&str])] = &[
    (1200, OpType::Xfx, &[":-", "-->", "=>"]),
    (1200, OpType::Fx, &[":-", "?-"]),
    (1100, OpType::Xfy, &[";", "|"]),
    (1105, OpType::Xfy, &["|"]),
    (1050, OpType::Xfy, &["->", "*->"]),
    (1000, OpType::Xfy, &[","]),
    (800, OpType::Xfx, &[":="]),
    (900, OpType::Fy, &["\\+"]),
    (
        700,
        OpType::Xfx,
        &[
            "<", "=", "=..", "=@=", "\\=@=", "=:=", "=<", "==", "=\\=", ">", ">=", "@<", "@=<", "@>", "@>=", "\\=", "\\==", "as", "is",
            ">:<", ":<",
        ],
    ),
    (600, OpType::Xfy, &[":"]),
    (500, OpType::Yfx, &["+", "-", "/\\", "\\/"]),
    (400, OpType::Yfx, &["*", "/", "//", "rdiv", "<<", ">>", "div", "rem", "mod", "xor"]),
    (200, OpType::Xfx, &["**"]),
    (200, OpType::Xfy, &["^"]),
    (200, OpType::Fy, &["-", "+", "\\"]),
    (100, OpType::Yfx, &["."]),
    (1, OpType::Fx, &["$"]),
    (
        1150,
        OpType::Fx,
        &[
            "dynamic",
            "discontiguous",
            "initialization",
            "meta_predicate",
            "module_transparent",
            "multifile",
            "public",
            "thread_local",
            "thread_initialization",
            "volatile",
            "table",
        ],
    ),
];

impl OpTable {
    /// The operators of SWI-Prolog 9, in module `system`.
    pub fn new(atoms: &mut AtomTable) -> OpTable {
        let mut system = Table::default();
        for (p, t, names) in DEFAULTS {
            for n in *names {
                let a = atoms.intern_pinned(n);
                set(&mut system, a, (*p, *t));
            }
        }
        let mut modules = FxHashMap::default();
        modules.insert(atom::SYSTEM, system);
        OpTable { modules: Arc::new(modules) }
    }

    /// Defines (priority 0: removes) an operator in a module. The caller has checked permissions and pinned the atom.
    pub fn add(&mut self, module: Atom, name: Atom, priority: u16, t: OpType) {
        let modules = Arc::make_mut(&mut self.modules);
        set(modules.entry(module).or_default(), name, (priority, t));
    }

    /// The definition that holds for code of `module`, if the atom is such an operator there.
    #[inline]
    pub fn get(&self, module: Atom, name: Atom, fixity: Fixity) -> Option<OpDef> {
        let find = |m: Atom| self.modules.get(&m).and_then(|t| t.get(&name)).and_then(|d| d.get(fixity));
        let hit = find(module)
            .or_else(|| if module == atom::USER || module == atom::SYSTEM { None } else { find(atom::USER) })
            .or_else(|| find(atom::SYSTEM));
        hit.filter(|d| d.0 > 0)
    }

    /// Whether the atom is any kind of operator in the module.
    pub fn is_op(&self, module: Atom, name: Atom) -> bool {
        [Fixity::Prefix, Fixity::Infix, Fixity::Postfix].into_iter().any(|f| self.get(module, name, f).is_some())
    }

    /// All operators visible in a module, as `(name, priority, type)`, sorted by the name's number (order of creation).
    pub fn all(&self, module: Atom) -> Vec<(Atom, u16, OpType)> {
        let mut names: Vec<Atom> =
            [module, atom::USER, atom::SYSTEM].iter().filter_map(|m| self.modules.get(m)).flat_map(|t| t.keys().copied()).collect();
        names.sort();
        names.dedup();
        let mut out = Vec::new();
        for n in names {
            for f in [Fixity::Prefix, Fixity::Infix, Fixity::Postfix] {
                if let Some((p, t)) = self.get(module, n, f) {
                    out.push((n, p, t));
                }
            }
        }
        out
    }

    /// Definitions made in one module itself, for export lists and saving: `(name, priority, type)`.
    pub fn local(&self, module: Atom) -> Vec<(Atom, u16, OpType)> {
        let mut out: Vec<_> = self
            .modules
            .get(&module)
            .into_iter()
            .flat_map(|t| t.iter())
            .flat_map(|(n, d)| [d.prefix, d.infix, d.postfix].into_iter().flatten().map(|(p, t)| (*n, p, t)))
            .collect();
        out.sort_by_key(|x| x.0);
        out
    }

    /// Modules that have operators of their own.
    pub fn modules(&self) -> Vec<Atom> {
        let mut m: Vec<Atom> = self.modules.keys().copied().collect();
        m.sort();
        m
    }
}

fn set(table: &mut Table, name: Atom, def: OpDef) {
    let d = table.entry(name).or_default();
    match def.1.fixity() {
        Fixity::Prefix => d.prefix = Some(def),
        Fixity::Infix => d.infix = Some(def),
        Fixity::Postfix => d.postfix = Some(def),
    }
}
