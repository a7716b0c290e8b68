//! Interned names.
//!
//! A table has a frozen part that all sessions of a program share and a local part of its own.
//! Local atoms that nothing refers to any more are reclaimed by the garbage collector, except
//! pinned ones (names that code, predicates, flags or operators refer to).

use hashbrown::HashTable;
use std::hash::BuildHasher;
use std::sync::Arc;

/// Index into an [`AtomTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[repr(transparent)]
pub struct Atom(pub u32);

macro_rules! atoms {
    ($($name:ident = $text:expr),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "a variant has the name of its constant")]
        #[repr(u32)]
        enum Index { $($name),* }
        $(#[doc = concat!("The atom `", $text, "`.")] pub const $name: Atom = Atom(Index::$name as u32);)*
        const STATIC: &[&str] = &[$($text),*];
    };
}

// `NIL` and `DICT` are reserved symbols, the first two: their texts do not intern to them.
atoms! {
    NIL = "[]", DICT = "dict",
    EXCEPTION = "exception", EXTERNAL_EXCEPTION = "external_exception",
    EMPTY = "", DOT = "[|]", COMMA = ",", SEMICOLON = ";", ARROW = "->", SOFT_ARROW = "*->", NECK = ":-", DCG_ARROW = "-->",
    QUERY = "?-", BAR = "|", CUT = "!", COLON = ":", CURLY = "{}", MINUS = "-", PLUS = "+", STAR = "*", SLASH = "/", INT_DIV = "//",
    POWER = "**", CARET = "^", EQ = "=", NOT_EQ = "\\=", IDENTICAL = "==", NOT_IDENTICAL = "\\==", LESS = "<", GREATER = ">",
    LESS_EQ = "=<", GREATER_EQ = ">=", ARITH_EQ = "=:=", ARITH_NE = "=\\=", TERM_LESS = "@<", TERM_GREATER = "@>",
    TERM_LESS_EQ = "@=<", TERM_GREATER_EQ = "@>=", UNIV = "=..", IS = "is", NOT_PROVABLE = "\\+", AS = "as", LAMBDA = ">>",
    PERIOD = ".", SSU_ARROW = "=>", DICT_CALL = ":=", DOLLAR_VAR = "$VAR", BACKSLASH = "\\", SHIFT_LEFT = "<<", SHIFT_RIGHT = ">>>",
    TRUE = "true", FALSE = "false", FAIL = "fail", ERROR = "error", USER = "user", SYSTEM = "system", CALL = "call", VAR = "var",
    NONVAR = "nonvar", ATOM = "atom", ATOMIC = "atomic", INTEGER = "integer", FLOAT = "float", NUMBER = "number", RATIONAL = "rational",
    STRING = "string", COMPOUND = "compound", CALLABLE = "callable", IS_LIST = "is_list", LIST = "list", TYPE_ERROR = "type_error",
    DOMAIN_ERROR = "domain_error", EXISTENCE_ERROR = "existence_error", PERMISSION_ERROR = "permission_error",
    REPRESENTATION_ERROR = "representation_error", EVALUATION_ERROR = "evaluation_error", RESOURCE_ERROR = "resource_error",
    INSTANTIATION_ERROR = "instantiation_error", UNINSTANTIATION_ERROR = "uninstantiation_error", SYNTAX_ERROR = "syntax_error",
    CONTEXT = "context", PROCEDURE = "procedure", EVALUABLE = "evaluable", ZERO_DIVISOR = "zero_divisor", UNDEFINED = "undefined",
    FLOAT_OVERFLOW = "float_overflow", INT_OVERFLOW = "int_overflow", CHARACTER = "character", CHARACTER_CODE = "character_code", IN_CHARACTER = "in_character",
    BOOLEAN = "boolean", BOOL = "bool", STREAM = "stream", SOURCE_SINK = "source_sink", END_OF_FILE = "end_of_file", MODULE = "module",
    FUNCTOR = "functor", ARG = "arg", NOT_LESS_THAN_ZERO = "not_less_than_zero", PREDICATE_INDICATOR = "predicate_indicator",
    MODIFY = "modify", ACCESS = "access", STATIC_PROCEDURE = "static_procedure", PRIVATE_PROCEDURE = "private_procedure",
    CREATE = "create", INPUT = "input", OUTPUT = "output", OPERATOR = "operator", OPERATOR_PRIORITY = "operator_priority",
    OPERATOR_SPECIFIER = "operator_specifier", KEY = "key", DICT_TYPE = "dict_type", PAIR = "pair", EVALUATE = "eval", MEMORY = "memory",
    HALT = "halt", THROW = "throw", CATCH = "catch", FINDALL = "findall", FORALL = "forall", NOT = "not", ONCE = "once", IGNORE = "ignore",
    DYNAMIC = "dynamic", DISCONTIGUOUS = "discontiguous", MULTIFILE = "multifile", INITIALIZATION = "initialization",
    META_PREDICATE = "meta_predicate", TABLE = "table", USE_MODULE = "use_module", EXPORT = "export", REEXPORT = "reexport",
    ATT = "att", WAKEUP = "$wakeup", FREEZE = "freeze", DIF = "dif", WHEN = "when", PI = "pi", E = "e", INF = "inf", NAN = "nan",
    EPSILON = "epsilon", MAX = "max", MIN = "min", MOD = "mod", REM = "rem", DIV = "div", DIVS = "divs", RDIV = "rdiv", XOR = "xor", ABS = "abs", SIGN = "sign",
    CODES = "codes", CHARS = "chars", GET = "get", PUT = "put", NOT_MEMBER = "put_dict", USER_INPUT = "user_input",
    USER_OUTPUT = "user_output", USER_ERROR = "user_error", READ = "read", WRITE = "write", APPEND = "append", LESS_THAN = "lt",
    XFX = "xfx", XFY = "xfy", YFX = "yfx", FY = "fy", FX = "fx", XF = "xf", YF = "yf", NULL = "null", EMPTY_BLOCK = "{", PAREN = "(",
}

#[derive(Clone, Debug)]
struct Entry {
    text: Arc<str>,
    /// References from code and tables; such an atom is never reclaimed.
    pins: u32,
}

#[derive(Default, Clone, Debug)]
struct Layer {
    entries: Vec<Option<Entry>>,
    index: HashTable<u32>,
}

/// The atoms of one session: a frozen shared part below a local part.
#[derive(Clone, Debug)]
pub struct AtomTable {
    frozen: Arc<Layer>,
    local: Layer,
    free: Vec<u32>,
    /// Seeded per process: atom text comes from users and models, so a fixed hash would be a way to make lookups slow. No order depends on it.
    hasher: hashbrown::DefaultHashBuilder,
    /// Bytes of text held by local atoms, for the memory limit.
    pub local_bytes: usize,
}

impl Default for AtomTable {
    fn default() -> Self {
        Self::new()
    }
}

impl AtomTable {
    /// A table with the atoms that the engine itself names.
    pub fn new() -> Self {
        let hasher = hashbrown::DefaultHashBuilder::default();
        let mut layer = Layer::default();
        for (i, text) in STATIC.iter().enumerate() {
            layer.entries.push(Some(Entry { text: Arc::from(*text), pins: 1 }));
            if i > 1 {
                let hash = hasher.hash_one(*text);
                layer.index.insert_unique(hash, i as u32, |&j| hasher.hash_one(STATIC[j as usize]));
            }
        }
        AtomTable { frozen: Arc::new(layer), local: Layer::default(), free: Vec::new(), hasher, local_bytes: 0 }
    }

    fn find(&self, text: &str, hash: u64) -> Option<Atom> {
        let base = self.frozen.entries.len() as u32;
        let hit = self.frozen.index.find(hash, |&i| matches!(&self.frozen.entries[i as usize], Some(e) if &*e.text == text));
        if let Some(&i) = hit {
            return Some(Atom(i));
        }
        self.local.index.find(hash, |&i| matches!(&self.local.entries[i as usize], Some(e) if &*e.text == text)).map(|&i| Atom(base + i))
    }

    /// The atom with this text, if it exists already.
    pub fn lookup(&self, text: &str) -> Option<Atom> {
        self.find(text, self.hasher.hash_one(text))
    }

    /// The atom with this text, made when it does not exist.
    pub fn intern(&mut self, text: &str) -> Atom {
        let hash = self.hasher.hash_one(text);
        if let Some(a) = self.find(text, hash) {
            return a;
        }
        let entry = Some(Entry { text: Arc::from(text), pins: 0 });
        self.local_bytes += text.len() + 48;
        let i = match self.free.pop() {
            Some(i) => {
                self.local.entries[i as usize] = entry;
                i
            }
            None => {
                self.local.entries.push(entry);
                (self.local.entries.len() - 1) as u32
            }
        };
        let (entries, hasher) = (&self.local.entries, &self.hasher);
        self.local.index.insert_unique(hash, i, |&j| hasher.hash_one(entries[j as usize].as_ref().map_or("", |e| &*e.text)));
        Atom(self.frozen.entries.len() as u32 + i)
    }

    /// As [`AtomTable::intern`], for a name that code or a table will keep.
    pub fn intern_pinned(&mut self, text: &str) -> Atom {
        let a = self.intern(text);
        self.pin(a);
        a
    }

    fn local_entry(&mut self, a: Atom) -> Option<&mut Entry> {
        let base = self.frozen.entries.len() as u32;
        if a.0 < base { None } else { self.local.entries.get_mut((a.0 - base) as usize)?.as_mut() }
    }

    /// Keeps the atom alive until a matching [`AtomTable::unpin`].
    pub fn pin(&mut self, a: Atom) {
        if let Some(e) = self.local_entry(a) {
            e.pins = e.pins.saturating_add(1);
        }
    }

    /// Takes one pin back.
    pub fn unpin(&mut self, a: Atom) {
        if let Some(e) = self.local_entry(a) {
            e.pins = e.pins.saturating_sub(1);
        }
    }

    /// Text of an atom.
    #[inline]
    pub fn text(&self, a: Atom) -> &str {
        let base = self.frozen.entries.len();
        let i = a.0 as usize;
        let e = if i < base { self.frozen.entries.get(i) } else { self.local.entries.get(i - base) };
        match e {
            Some(Some(e)) => &e.text,
            _ => "",
        }
    }

    /// Text of an atom as a shared string, for callers that must release the table's borrow.
    pub fn text_arc(&self, a: Atom) -> Arc<str> {
        let base = self.frozen.entries.len();
        let i = a.0 as usize;
        let e = if i < base { self.frozen.entries.get(i) } else { self.local.entries.get(i - base) };
        match e {
            Some(Some(e)) => e.text.clone(),
            _ => Arc::from(""),
        }
    }

    /// Number of atoms in use.
    pub fn len(&self) -> usize {
        self.frozen.entries.len() + self.local.entries.len() - self.free.len()
    }

    /// Never true: the engine's own atoms are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Every atom in use, in order of creation (for `current_atom/1`).
    pub fn iter(&self) -> impl Iterator<Item = Atom> + '_ {
        let base = self.frozen.entries.len() as u32;
        let all = self.frozen.entries.iter().enumerate().map(|(i, e)| (i as u32, e));
        let local = self.local.entries.iter().enumerate().map(move |(i, e)| (base + i as u32, e));
        all.chain(local).filter(|(_, e)| e.is_some()).map(|(i, _)| Atom(i))
    }

    /// Makes the local part shared, so that forks of this session copy no text.
    pub fn freeze(&mut self) {
        if self.local.entries.is_empty() {
            return;
        }
        let mut layer = (*self.frozen).clone();
        let base = layer.entries.len() as u32;
        let hasher = &self.hasher;
        for (i, e) in std::mem::take(&mut self.local.entries).into_iter().enumerate() {
            let text = e.as_ref().map(|e| e.text.clone());
            // A reclaimed slot keeps its number: later atoms must not change theirs.
            layer.entries.push(e.map(|e| Entry { pins: 1, ..e }));
            if let Some(text) = text {
                let Layer { entries, index } = &mut layer;
                index.insert_unique(hasher.hash_one(&*text), base + i as u32, |&j| {
                    hasher.hash_one(entries[j as usize].as_ref().map_or("", |e| &*e.text))
                });
            }
        }
        self.local.index.clear();
        self.free.clear();
        self.frozen = Arc::new(layer);
    }

    /// First index of the local part.
    pub fn local_base(&self) -> u32 {
        self.frozen.entries.len() as u32
    }

    /// Number of local slots, used or free.
    pub fn local_slots(&self) -> usize {
        self.local.entries.len()
    }

    /// Drops the local atoms that are neither pinned nor marked. `marked[i]` speaks of `Atom(local_base + i)`.
    pub fn sweep(&mut self, marked: &[bool]) {
        for i in 0..self.local.entries.len() {
            let Some(e) = &self.local.entries[i] else { continue };
            if e.pins > 0 || marked.get(i).copied().unwrap_or(true) {
                continue;
            }
            let hash = self.hasher.hash_one(&*e.text);
            self.local_bytes = self.local_bytes.saturating_sub(e.text.len() + 48);
            if let Ok(o) = self.local.index.find_entry(hash, |&j| j as usize == i) {
                o.remove();
            }
            self.local.entries[i] = None;
            self.free.push(i as u32);
        }
    }

    /// Local atoms for saving a session: `(text, pins)` by slot.
    pub(crate) fn local_texts(&self) -> Vec<Option<(String, u32)>> {
        self.local.entries.iter().map(|e| e.as_ref().map(|e| (e.text.to_string(), e.pins))).collect()
    }

    /// Replaces the local part with saved atoms.
    pub(crate) fn restore_local(&mut self, texts: Vec<Option<(String, u32)>>) {
        self.local = Layer::default();
        self.free.clear();
        self.local_bytes = 0;
        for (i, t) in texts.into_iter().enumerate() {
            let Some((text, pins)) = t else {
                self.local.entries.push(None);
                self.free.push(i as u32);
                continue;
            };
            self.local_bytes += text.len() + 48;
            let hash = self.hasher.hash_one(&*text);
            self.local.entries.push(Some(Entry { text: Arc::from(text), pins }));
            let (entries, hasher) = (&self.local.entries, &self.hasher);
            self.local.index.insert_unique(hash, i as u32, |&j| hasher.hash_one(entries[j as usize].as_ref().map_or("", |e| &*e.text)));
        }
    }
}
