//! Tagged 64-bit words, the representation of every Prolog term.
//!
//! The low three bits are a tag. Addresses are offsets into [`crate::heap::Heap::cells`], never
//! pointers, so that the used part of the heap can be copied to fork or save a session.

use crate::atom::Atom;

/// One tagged word: a reference, a pointer to a compound or box, or an immediate value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
#[repr(transparent)]
pub struct Cell(pub u64);

/// The three low bits of a [`Cell`].
pub mod tag {
    /// Reference to a heap cell; unbound when it refers to itself.
    pub const REF: u64 = 0;
    /// Attributed variable; unbound when the cell at the address is this same cell. The next cell holds its attributes.
    pub const ATV: u64 = 1;
    /// Pointer to a functor header followed by the arguments.
    pub const STR: u64 = 2;
    /// Pointer to two cells, head and tail of a list pair.
    pub const LST: u64 = 3;
    /// Atom, immediate.
    pub const ATM: u64 = 4;
    /// Integer of 61 bits, immediate.
    pub const INT: u64 = 5;
    /// Pointer to a box header followed by raw words: float, big integer, rational, string.
    pub const BOX: u64 = 6;
    /// Header word of a compound or a box. Never the value of a term.
    pub const HDR: u64 = 7;
}

/// What a header word introduces (bits 3 to 7).
pub mod kind {
    /// Functor: arity in bits 8 to 31, atom in bits 32 to 63.
    pub const FUNCTOR: u64 = 0;
    /// One raw word, the bits of an `f64`.
    pub const FLOAT: u64 = 1;
    /// Big integer: bit 8 the sign, bits 9 to 63 the number of limbs, least significant first.
    pub const BIG: u64 = 2;
    /// Rational: bits 9 to 63 the number of raw words; the first is `numerator limbs << 1 | sign`.
    pub const RATIONAL: u64 = 3;
    /// String: bit 8 set when all bytes are ASCII, bits 9 to 63 the length in bytes.
    pub const STRING: u64 = 4;
}

/// Largest integer held inside a cell.
pub const SMALL_MAX: i64 = (1 << 60) - 1;
/// Smallest integer held inside a cell.
pub const SMALL_MIN: i64 = -(1 << 60);
/// Largest arity of a compound.
pub const MAX_ARITY: usize = (1 << 24) - 1;

impl Cell {
    /// The atom `[]`, the empty list of SWI-Prolog 7.
    pub const NIL: Cell = Cell::atom(crate::atom::NIL);

    #[inline(always)]
    pub const fn new(tag: u64, addr: usize) -> Cell {
        Cell((addr as u64) << 3 | tag)
    }
    /// Reference to the cell at `addr`.
    #[inline(always)]
    pub const fn reference(addr: usize) -> Cell {
        Cell::new(tag::REF, addr)
    }
    /// Atom as a term.
    #[inline(always)]
    pub const fn atom(a: Atom) -> Cell {
        Cell((a.0 as u64) << 3 | tag::ATM)
    }
    /// Integer that is known to fit into 61 bits; use [`crate::heap::Heap::int`] for any `i64`.
    #[inline(always)]
    pub const fn small(i: i64) -> Cell {
        Cell(((i as u64) << 3) | tag::INT)
    }
    /// Functor header.
    #[inline(always)]
    pub const fn functor(name: Atom, arity: usize) -> Cell {
        Cell((name.0 as u64) << 32 | (arity as u64) << 8 | kind::FUNCTOR << 3 | tag::HDR)
    }
    #[inline(always)]
    pub const fn tag(self) -> u64 {
        self.0 & 7
    }
    /// Address part of a reference, pointer or box.
    #[inline(always)]
    pub const fn addr(self) -> usize {
        (self.0 >> 3) as usize
    }
    /// True for both kinds of reference, bound or not.
    #[inline(always)]
    pub const fn is_ref(self) -> bool {
        self.0 & 6 == 0
    }
    #[inline(always)]
    pub const fn is_atom(self) -> bool {
        self.tag() == tag::ATM
    }
    #[inline(always)]
    pub const fn is_small(self) -> bool {
        self.tag() == tag::INT
    }
    #[inline(always)]
    pub const fn is_list(self) -> bool {
        self.tag() == tag::LST
    }
    #[inline(always)]
    pub const fn is_str(self) -> bool {
        self.tag() == tag::STR
    }
    /// True for a list pair and any other compound.
    #[inline(always)]
    pub const fn is_compound(self) -> bool {
        self.0 & 6 == 2
    }
    /// The atom of an atom cell.
    #[inline(always)]
    pub const fn as_atom(self) -> Atom {
        Atom((self.0 >> 3) as u32)
    }
    /// The value of a small integer cell.
    #[inline(always)]
    pub const fn as_small(self) -> i64 {
        (self.0 as i64) >> 3
    }
    /// Name of a functor header.
    #[inline(always)]
    pub const fn functor_name(self) -> Atom {
        Atom((self.0 >> 32) as u32)
    }
    /// Arity of a functor header.
    #[inline(always)]
    pub const fn functor_arity(self) -> usize {
        ((self.0 >> 8) & 0xff_ffff) as usize
    }
    /// Kind of a header, see [`kind`].
    #[inline(always)]
    pub const fn header_kind(self) -> u64 {
        (self.0 >> 3) & 31
    }
    /// Number of raw words that follow a box header; 0 for a functor header.
    #[inline(always)]
    pub const fn box_words(self) -> usize {
        let n = (self.0 >> 9) as usize;
        match self.header_kind() {
            kind::FLOAT => 1,
            kind::BIG | kind::RATIONAL => n,
            kind::STRING => n.div_ceil(8),
            _ => 0,
        }
    }
    /// Bit 8 of a box header: sign of a big integer, ASCII-ness of a string.
    #[inline(always)]
    pub const fn box_flag(self) -> bool {
        self.0 >> 8 & 1 == 1
    }
    /// Box header.
    #[inline(always)]
    pub const fn box_header(kind: u64, flag: bool, len: usize) -> Cell {
        Cell((len as u64) << 9 | (flag as u64) << 8 | kind << 3 | tag::HDR)
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.tag() {
            tag::REF => write!(f, "REF {}", self.addr()),
            tag::ATV => write!(f, "ATV {}", self.addr()),
            tag::STR => write!(f, "STR {}", self.addr()),
            tag::LST => write!(f, "LST {}", self.addr()),
            tag::ATM => write!(f, "ATM {}", self.as_atom().0),
            tag::INT => write!(f, "INT {}", self.as_small()),
            tag::BOX => write!(f, "BOX {}", self.addr()),
            _ if self.header_kind() == kind::FUNCTOR => {
                write!(f, "FUN {}/{}", self.functor_name().0, self.functor_arity())
            }
            _ => write!(f, "HDR {}:{}", self.header_kind(), self.box_words()),
        }
    }
}
