//! The option list of `write_term/2,3`.

use super::{Attributes, Options};
use crate::atom;
use crate::cell::Cell;
use crate::error::{self, Res};
use crate::heap::Term;
use crate::machine::Machine;

/// Takes an option list apart.
///
/// # Errors
/// `instantiation_error` for a partial list or an unbound value, `type_error` for a value of the wrong type,
/// `domain_error` for a value out of range. Unknown options are ignored.
pub fn parse(m: &mut Machine, list: Cell) -> Res<Options> {
    let mut o =
        Options { character_escapes_unicode: true, module: atom::USER, character_escapes: m.flags.character_escapes, ..Options::default() };
    let mut partial = false;
    let mut numbervars = None;
    for (name, value) in crate::streams::args::options(m, list)? {
        match name.as_str() {
            "quoted" => o.quoted = boolean(m, value)?,
            "ignore_ops" => o.ignore_ops = boolean(m, value)?,
            "numbervars" => numbervars = Some(boolean(m, value)?),
            "portray" | "portrayed" => o.portray = boolean(m, value)?,
            "max_depth" => o.max_depth = integer(m, value)?.clamp(0, i64::from(i32::MAX)) as usize,
            "priority" => o.priority = integer(m, value)?.clamp(0, 1200) as u16,
            "spacing" => match atom_of(m, value)?.as_str() {
                "standard" => o.spacing_next_argument = false,
                "next_argument" => o.spacing_next_argument = true,
                _ => return Err(error::domain(&mut m.heap, "spacing", value)),
            },
            "module" => {
                let name = atom_of(m, value)?;
                o.module = m.heap.atoms.intern(&name);
            }
            "variable_names" => o.variable_names = names(m, value)?,
            "dotlists" => o.dotlists = boolean(m, value)?,
            "brace_terms" => o.brace_terms = boolean(m, value)?,
            "no_lists" => o.no_lists = boolean(m, value)?,
            "cycles" => o.cycles = boolean(m, value)?,
            "partial" => partial = boolean(m, value)?,
            "fullstop" => o.fullstop = boolean(m, value)?,
            "nl" => o.nl = boolean(m, value)?,
            "character_escapes" => o.character_escapes = boolean(m, value)?,
            "character_escapes_unicode" => o.character_escapes_unicode = boolean(m, value)?,
            "attributes" => {
                o.attributes = match atom_of(m, value)?.as_str() {
                    "ignore" => Attributes::Ignore,
                    "dots" => Attributes::Dots,
                    "write" => Attributes::Write,
                    "portray" => Attributes::Portray,
                    _ => return Err(error::domain(&mut m.heap, "write_attributes", value)),
                }
            }
            "blobs" if atom_of(m, value)?.as_str() != "portray" => return Err(error::domain(&mut m.heap, "blobs", value)),
            _ => {}
        }
    }
    // What prints through portray/1 also shows numbered variables.
    o.numbervars = numbervars.unwrap_or(o.portray);
    if partial {
        o.after = Some(' ');
    }
    Ok(o)
}

fn boolean(m: &mut Machine, c: Cell) -> Res<bool> {
    match m.heap.view(c) {
        Term::Atom(atom::TRUE) => Ok(true),
        Term::Atom(atom::FALSE) => Ok(false),
        Term::Atom(a) if m.heap.atoms.text(a) == "on" => Ok(true),
        Term::Atom(a) if m.heap.atoms.text(a) == "off" => Ok(false),
        _ => Err(error::type_error(&mut m.heap, atom::BOOL, c)),
    }
}

fn integer(m: &mut Machine, c: Cell) -> Res<i64> {
    match m.heap.view(c) {
        Term::Int(i) => Ok(i),
        _ => Err(error::type_error(&mut m.heap, atom::INTEGER, c)),
    }
}

fn atom_of(m: &mut Machine, c: Cell) -> Res<String> {
    match m.heap.view(c) {
        Term::Atom(a) => Ok(m.heap.atoms.text(a).to_string()),
        _ => Err(error::type_error(&mut m.heap, atom::ATOM, c)),
    }
}

/// `['X' = Var, ...]`.
fn names(m: &mut Machine, list: Cell) -> Res<Vec<(String, Cell)>> {
    let items = match m.heap.list_to_vec(list) {
        Ok(items) => items,
        Err(tail) if m.heap.is_var(tail) => return Err(error::instantiation(&mut m.heap)),
        Err(_) => return Err(error::type_error(&mut m.heap, atom::LIST, list)),
    };
    let mut out = Vec::with_capacity(items.len());
    for c in items {
        let Some(&[name, var]) = m.heap.match_compound(c, atom::EQ, 2) else {
            return Err(error::type_error_named(&mut m.heap, "variable_assignment", c));
        };
        let text = match m.heap.view(name) {
            Term::Atom(a) => m.heap.atoms.text(a).to_string(),
            Term::Str(a) => m.heap.str_at(a).to_string(),
            _ => return Err(error::type_error(&mut m.heap, atom::ATOM, name)),
        };
        if !super::quote::is_variable_name(&text) {
            return Err(error::domain(&mut m.heap, "variable_name", name));
        }
        out.push((text, var));
    }
    Ok(out)
}
