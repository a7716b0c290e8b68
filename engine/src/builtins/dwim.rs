//! "Do what I mean": whether two names are likely to be the same one, misspelt (section 4.38 of the SWI-Prolog manual).

use crate::cell::Cell;
use crate::error::Res;
use crate::machine::Machine;
use crate::native::{Native, det};
use crate::text;

/// Registered predicates.
pub const BUILTINS: &[Native] = &[
    det("dwim_match", 2, dwim_match, "dwim_match(+Name1, +Name2)\nTrue when one name is likely a misspelling of the other."),
    det(
        "dwim_match",
        3,
        dwim_match,
        "dwim_match(+Name1, +Name2, -Difference)\nAs dwim_match/2; Difference is equal, mismatched_char, inserted_char, transposed_char, separated or transposed_word.",
    ),
];

/// Names shorter than this match only when they are equal or have the same words.
const SHORTEST: usize = 3;

fn dwim_match(m: &mut Machine, a: &[Cell]) -> Res<bool> {
    let (Some(x), Some(y)) = (text::get(&m.heap, a[0]), text::get(&m.heap, a[1])) else { return Ok(false) };
    let Some(difference) = difference(&x, &y) else { return Ok(false) };
    match a.get(2) {
        Some(&out) => {
            let name = m.heap.atom(difference);
            Ok(m.unify(out, name))
        }
        None => Ok(true),
    }
}

/// The name of the one small difference of two names, or none when they differ by more.
fn difference(x: &str, y: &str) -> Option<&'static str> {
    if x == y {
        return Some("equal");
    }
    let (a, b): (Vec<char>, Vec<char>) = (x.chars().collect(), y.chars().collect());
    if a.len().min(b.len()) >= SHORTEST {
        let same = a.iter().zip(&b).take_while(|(p, q)| p == q).count();
        let (p, q) = (&a[same..], &b[same..]);
        if p.len() == q.len() {
            if p[1..] == q[1..] {
                return Some("mismatched_char");
            }
            if p.len() > 1 && p[0] == q[1] && p[1] == q[0] && p[2..] == q[2..] {
                return Some("transposed_char");
            }
        }
        if p.get(1..) == Some(q) || q.get(1..) == Some(p) {
            return Some("inserted_char");
        }
    }
    let (p, q) = (words(x), words(y));
    if p == q {
        return Some("separated");
    }
    let swapped = |i: usize| {
        let mut p = p.clone();
        p.swap(i, i + 1);
        p == q
    };
    (p.len() == q.len() && (1..p.len()).any(|i| swapped(i - 1))).then_some("transposed_word")
}

/// The words of `exists_file` and of `existsFile`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            words.push(String::new());
        }
        if c != '_'
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn small_differences_have_a_name() {
        for (x, y, d) in [
            ("abc", "abc", "equal"),
            ("abc", "abd", "mismatched_char"),
            ("append", "appned", "transposed_char"),
            ("abc", "abcd", "inserted_char"),
            ("abcd", "acd", "inserted_char"),
            ("existsFile", "exists_file", "separated"),
            ("hello_world", "worldHello", "transposed_word"),
        ] {
            assert_eq!(difference(x, y), Some(d), "{x} {y}");
        }
    }

    #[test]
    fn more_than_that_is_another_name() {
        for (x, y) in [("abc", "xyz"), ("ab", "ba"), ("a1", "a2"), ("abc", "abcde"), ("aa_bb_cc", "cc_bb_aa"), ("aB", "ab"), ("", "a")] {
            assert_eq!(difference(x, y), None, "{x} {y}");
        }
    }
}
