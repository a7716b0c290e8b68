//! Classes of characters: `char_type/2` and `code_type/2`.

use super::atoms::{lower_of, upper_of};
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res, Throw};
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Native, Redo, nondet};
use crate::text;

/// A class without argument, or what relates a character to the argument of a class.
#[derive(Clone, Copy)]
enum Class {
    Plain(fn(char) -> bool),
    /// The argument is a number.
    Weight(fn(char) -> Option<u32>),
    /// The argument is a character or code. The second function finds the character for a known argument.
    Related(fn(char) -> Option<char>, fn(char) -> Option<char>),
    EndOfFile,
}

/// Class names in the order of enumeration.
const CLASSES: &[(&str, Class)] = &[
    ("alnum", Class::Plain(char::is_alphanumeric)),
    ("alpha", Class::Plain(char::is_alphabetic)),
    ("csym", Class::Plain(csym)),
    ("csymf", Class::Plain(csymf)),
    ("prolog_var_start", Class::Plain(|c| c == '_' || c.is_uppercase())),
    ("prolog_atom_start", Class::Plain(|c| c.is_alphabetic() && !c.is_uppercase())),
    ("prolog_identifier_continue", Class::Plain(csym)),
    ("prolog_symbol", Class::Plain(symbol)),
    ("csymf", Class::Plain(csymf)),
    ("decimal", Class::Plain(|c| decimal(c).is_some())),
    ("decimal", Class::Weight(decimal)),
    ("ascii", Class::Plain(|c| c.is_ascii())),
    ("white", Class::Plain(|c| c == ' ' || c == '\t')),
    ("cntrl", Class::Plain(char::is_control)),
    ("digit", Class::Plain(|c| c.is_ascii_digit())),
    ("print", Class::Plain(print)),
    ("graph", Class::Plain(|c| print(c) && !space(c))),
    ("lower", Class::Plain(|c| c.is_lowercase() || titlecase(c))),
    ("lower", Class::Related(|c| c.is_lowercase().then(|| upper_of(c)), |u| Some(lower_of(u)))),
    ("upper", Class::Plain(|c| c.is_uppercase() || titlecase(c))),
    ("upper", Class::Related(|c| c.is_uppercase().then(|| lower_of(c)), |l| Some(upper_of(l)))),
    ("punct", Class::Plain(|c| print(c) && !space(c) && !c.is_alphanumeric())),
    ("space", Class::Plain(space)),
    ("end_of_line", Class::Plain(|c| ('\n'..='\r').contains(&c))),
    ("newline", Class::Plain(|c| c == '\n')),
    ("period", Class::Plain(|c| matches!(c, '.' | '?' | '!'))),
    ("quote", Class::Plain(|c| matches!(c, '\'' | '"' | '`'))),
    ("to_lower", Class::Related(|c| Some(upper_of(c)), |u| Some(lower_of(u)))),
    ("to_upper", Class::Related(|c| Some(lower_of(c)), |l| Some(upper_of(l)))),
    ("paren", Class::Related(closing, opening)),
    ("digit", Class::Weight(|c| c.to_digit(10))),
    ("xdigit", Class::Weight(|c| c.to_digit(16))),
    ("end_of_file", Class::EndOfFile),
];

fn csymf(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn csym(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn titlecase(c: char) -> bool {
    matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}')
}

fn space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}')
}

/// Anything that shows: no control characters, no unassigned planes or private use.
fn print(c: char) -> bool {
    !c.is_control() && !matches!(c as u32, 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xf0000..) && c as u32 & 0xfffe != 0xfffe
}

/// Symbol characters: the ASCII ones of ISO, and the signs of other scripts.
fn symbol(c: char) -> bool {
    if c.is_ascii() {
        return "#$&*+-./:<=>?@\\^~".contains(c);
    }
    if (c as u32) < 0x100 {
        return print(c) && !c.is_alphanumeric() && !matches!(c, '\u{a0}' | 'ª' | '\u{ad}' | '²' | '³' | '¹' | 'º' | '»'..='¾') || c == '»';
    }
    print(c) && !space(c) && !c.is_alphanumeric()
}

/// Value of a decimal digit of any script: digits stand in runs of ten, zero first.
fn decimal(c: char) -> Option<u32> {
    const ZEROS: &[u32] = &[
        0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20, 0x1040,
        0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0,
        0xaa50, 0xabf0, 0xff10, 0x104a0, 0x11066, 0x110f0, 0x11136, 0x111d0,
    ];
    let c = c as u32;
    ZEROS.iter().find_map(|&z| c.checked_sub(z).filter(|&d| d < 10))
}

fn closing(c: char) -> Option<char> {
    Some(match c {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => return None,
    })
}

fn opening(c: char) -> Option<char> {
    Some(match c {
        ')' => '(',
        ']' => '[',
        '}' => '{',
        _ => return None,
    })
}

/// The character argument: `None` unbound, `Some(None)` the end of file.
fn character(heap: &mut Heap, c: Cell) -> Res<Option<Option<char>>> {
    let one = |s: &str| {
        let mut it = s.chars();
        it.next().filter(|_| it.next().is_none())
    };
    let found = match heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => return Ok(None),
        Term::Int(-1) => return Ok(Some(None)),
        Term::Int(i) => match u32::try_from(i).ok().and_then(char::from_u32) {
            Some(ch) => Some(ch),
            None => return Err(error::domain(heap, "character", c)),
        },
        Term::Atom(atom::END_OF_FILE) => return Ok(Some(None)),
        Term::Atom(atom::NIL) => None,
        Term::Atom(a) => one(heap.atoms.text(a)),
        Term::Str(s) => one(heap.str_at(s)),
        _ => None,
    };
    match found {
        Some(ch) => Ok(Some(Some(ch))),
        None => Err(error::type_error(heap, atom::CHARACTER, c)),
    }
}

/// The classes a class argument asks for.
enum Wanted {
    Any,
    /// Indices into [`CLASSES`], and the class's argument.
    These(Vec<usize>, Option<Cell>),
}

fn wanted(heap: &mut Heap, c: Cell) -> Result<Wanted, Throw> {
    let (name, argument) = match heap.view(c) {
        Term::Var(_) | Term::Attributed(_) => return Ok(Wanted::Any),
        Term::Atom(a) => (a, None),
        Term::Compound(_, n, 1) => (n, Some(heap.arg(c, 0))),
        _ => return Err(error::type_error_named(heap, "char_type", c)),
    };
    let name = heap.atoms.text(name);
    let plain = |class: &Class| matches!(class, Class::Plain(_) | Class::EndOfFile);
    let hits: Vec<usize> =
        (0..CLASSES.len()).filter(|&i| CLASSES[i].0 == name && plain(&CLASSES[i].1) == argument.is_none()).take(1).collect();
    if hits.is_empty() {
        return Err(error::type_error_named(heap, "char_type", c));
    }
    Ok(Wanted::These(hits, argument))
}

/// One character against one class: the argument of the class as a term, `Cell::NIL` for a class without.
fn test(heap: &mut Heap, c: Option<char>, class: Class, codes: bool) -> Option<Cell> {
    match (class, c) {
        (Class::EndOfFile, None) => Some(Cell::NIL),
        (Class::Plain(f), Some(c)) => f(c).then_some(Cell::NIL),
        (Class::Weight(f), Some(c)) => f(c).map(|w| Cell::small(w as i64)),
        (Class::Related(f, _), Some(c)) => f(c).map(|r| if codes { Cell::small(r as i64) } else { text::char_cell(heap, r) }),
        _ => None,
    }
}

/// Binds a class argument, which may be given as a character or as a code.
fn matches_argument(heap: &mut Heap, argument: Option<Cell>, value: Cell) -> bool {
    let Some(argument) = argument else { return true };
    if heap.is_var(argument) {
        return heap.unify(argument, value);
    }
    let known = |c| text::char_of(heap, c).or_else(|| text::code_of(heap, c));
    match heap.view(value) {
        // A weight is a number even where it could be a code.
        Term::Int(_) => heap.deref(argument) == value || text::char_of(heap, argument).is_some() && known(argument) == known(value),
        _ => known(argument).is_some() && known(argument) == known(value),
    }
}

fn make_char(heap: &mut Heap, c: Option<char>, codes: bool) -> Cell {
    match c {
        Some(c) if codes => Cell::small(c as i64),
        Some(c) => text::char_cell(heap, c),
        None if codes => Cell::small(-1),
        None => Cell::atom(atom::END_OF_FILE),
    }
}

/// Solutions of a known character: from class `from` on, one solution and the class to go on with.
fn of_character(m: &mut Machine, a: &[Cell], c: Option<char>, from: usize, codes: bool) -> Res<Redo> {
    let found = (from..CLASSES.len()).filter_map(|i| test(&mut m.heap, c, CLASSES[i].1, codes).map(|v| (i, v))).next();
    let Some((i, value)) = found else { return Ok(Redo::Fail) };
    let (name, class) = CLASSES[i];
    let made = match class {
        Class::Plain(_) | Class::EndOfFile => m.heap.atom(name),
        _ => m.heap.compound_named(name, &[value]),
    };
    if !m.unify(a[1], made) {
        return Ok(Redo::Fail);
    }
    let more = (i + 1..CLASSES.len()).any(|j| test(&mut m.heap, c, CLASSES[j].1, codes).is_some());
    Ok(if more { Redo::More(Cell::small(i as i64 + 1)) } else { Redo::Done })
}

/// Characters of a known class, from code `from` on.
fn of_class(m: &mut Machine, a: &[Cell], class: Class, argument: Option<Cell>, from: u32, codes: bool) -> Res<Redo> {
    if let Class::EndOfFile = class {
        let c = make_char(&mut m.heap, None, codes);
        return Ok(if m.unify(a[0], c) { Redo::Done } else { Redo::Fail });
    }
    let known = argument.filter(|&x| !m.heap.is_var(x));
    if let (Class::Related(f, back), Some(x)) = (class, known) {
        // One character belongs to a known argument.
        let x = text::char_of(&m.heap, x).or_else(|| text::code_of(&m.heap, x));
        let Some(c) = x.and_then(back) else { return Ok(Redo::Fail) };
        if f(c).is_none() {
            return Ok(Redo::Fail);
        }
        let c = make_char(&mut m.heap, Some(c), codes);
        return Ok(if m.unify(a[0], c) { Redo::Done } else { Redo::Fail });
    }
    let fits = |heap: &Heap, c: char| match class {
        Class::Plain(f) => f(c),
        Class::Weight(f) => f(c).is_some_and(|w| known.is_none_or(|k| heap.deref(k) == Cell::small(w as i64))),
        Class::Related(f, _) => f(c).is_some(),
        Class::EndOfFile => false,
    };
    let next = |heap: &Heap, from: u32| (from..=char::MAX as u32).filter_map(char::from_u32).find(|&c| fits(heap, c));
    let Some(c) = next(&m.heap, from) else { return Ok(Redo::Fail) };
    if let Some(value) = test(&mut m.heap, Some(c), class, codes) {
        // With the argument known its value has been compared above.
        if known.is_none() && !matches_argument(&mut m.heap, argument, value) {
            return Ok(Redo::Fail);
        }
    }
    let made = make_char(&mut m.heap, Some(c), codes);
    if !m.unify(a[0], made) {
        return Ok(Redo::Fail);
    }
    // A known weight belongs to one character; `xdigit` of 10 is `a`, as the search below finds no other in ASCII order but `A`.
    Ok(match next(&m.heap, c as u32 + 1) {
        Some(n) => Redo::More(Cell::small(n as i64)),
        None => Redo::Done,
    })
}

fn char_type(m: &mut Machine, a: &[Cell], state: Option<Cell>, codes: bool) -> Res<Redo> {
    let from = match state.map(|s| m.heap.view(s)) {
        Some(Term::Int(i)) => i as usize,
        _ => 0,
    };
    let c = character(&mut m.heap, a[0])?;
    match (c, wanted(&mut m.heap, a[1])?) {
        (None, Wanted::Any) => Err(error::instantiation(&mut m.heap)),
        (Some(c), Wanted::Any) => of_character(m, a, c, from, codes),
        (Some(c), Wanted::These(classes, argument)) => {
            for i in classes {
                if let Some(v) = test(&mut m.heap, c, CLASSES[i].1, codes) {
                    return Ok(if matches_argument(&mut m.heap, argument, v) { Redo::Done } else { Redo::Fail });
                }
            }
            Ok(Redo::Fail)
        }
        (None, Wanted::These(classes, argument)) => {
            let Some(&(_, class)) = classes.first().and_then(|&i| CLASSES.get(i)) else { return Ok(Redo::Fail) };
            if let (Class::Weight(f), Some(x)) = (class, argument)
                && let Term::Int(w) = m.heap.view(x)
            {
                // Lower case before upper case, and only one.
                let c = ('0'..='9').chain('a'..='f').find(|&c| f(c).map(i64::from) == Some(w));
                let Some(c) = c else { return Ok(Redo::Fail) };
                let made = make_char(&mut m.heap, Some(c), codes);
                return Ok(if m.unify(a[0], made) { Redo::Done } else { Redo::Fail });
            }
            of_class(m, a, class, argument, from as u32, codes)
        }
    }
}

fn char_type2(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    char_type(m, a, state, false)
}

fn code_type2(m: &mut Machine, a: &[Cell], state: Option<Cell>) -> Res<Redo> {
    char_type(m, a, state, true)
}

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    nondet(
        "char_type",
        2,
        char_type2,
        "char_type(?Char, ?Class)\nThe character is of the class: alpha, digit(Weight), upper(Lower), paren(Close) and so on.",
    ),
    nondet("code_type", 2, code_type2, "code_type(?Code, ?Class)\nAs char_type/2 for character codes."),
];
