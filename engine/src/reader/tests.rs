use super::*;
use crate::atom;
use crate::heap::Term;

fn parse(text: &str) -> Result<(Heap, Cell), String> {
    let mut heap = Heap::new();
    let ops = OpTable::new(&mut heap.atoms);
    let options = ReadOptions { stop_optional: true, ..Default::default() };
    let r = read_with(&mut heap, &ops, &Flags::default(), atom::USER, text, Position::start(), &options);
    match r {
        Ok(r) => r.term.map(|t| (heap, t)).ok_or_else(|| "end".into()),
        Err(e) => Err(e.kind),
    }
}

/// Canonical text, for comparing shapes.
fn canonical(heap: &Heap, c: Cell) -> String {
    match heap.view(c) {
        Term::Atom(a) => heap.atoms.text(a).to_string(),
        Term::Int(i) => i.to_string(),
        Term::Float(f) => format!("{f:?}"),
        Term::Str(a) => format!("{:?}", heap.str_at(a)),
        Term::Var(_) | Term::Attributed(_) => "_".into(),
        _ => {
            let (n, _) = heap.name_arity(c).unwrap();
            let args: Vec<String> = heap.args(c).map(|i| canonical(heap, heap.cells[i])).collect();
            format!("{}({})", heap.atoms.text(n), args.join(","))
        }
    }
}

#[test]
fn operators() {
    for (text, want) in [
        ("a:-b,c", ":-(a,,(b,c))"),
        ("f(a:-b)", "f(:-(a,b))"),
        ("(a|b)", "|(a,b)"),
        ("f(:- a)", "f(:-(a))"),
        ("- - 1", "-(-(1))"),
        ("- 1", "-(1)"),
        ("-1", "-1"),
        ("a- -1", "-(a,-1)"),
        ("a-1", "-(a,1)"),
        ("\\+ -1", "\\+(-1)"),
        ("[-]", "[|](-,[])"),
        ("- = x", "=(-,x)"),
        (":- dynamic a/1, b/2", ":-(dynamic(,(/(a,1),/(b,2))))"),
        ("a = \\+", "=(a,\\+)"),
        ("\\+ (a,b)", "\\+(,(a,b))"),
        ("{a,b}", "{}(,(a,b))"),
        ("-a^2", "-(^(a,2))"),
        ("-1^2", "^(-1,2)"),
        ("- 1^2", "-(^(1,2))"),
        ("a:b:c", ":(a,:(b,c))"),
        ("1-2-3", "-(-(1,2),3)"),
        ("* = *", "=(*,*)"),
        ("-(-)-(-)", "-(-(-),-)"),
        ("-(2)^2", "^(-(2),2)"),
        ("f(;)", "f(;)"),
        ("a;b->c", ";(a,->(b,c))"),
        ("X.y.z", ".(.(_,y),z)"),
        ("p{b:1,a:2}", "dict(p,2,a,1,b)"),
        ("f()", "f()"),
    ] {
        match parse(text) {
            Ok((h, c)) => assert_eq!(canonical(&h, c), want, "{text}"),
            Err(e) => panic!("{text}: {e}"),
        }
    }
}

#[test]
fn errors() {
    for (text, want) in [
        ("a=b=c", "operator_clash"),
        ("f(,)", "quoted_punctuation"),
        ("f(a b)", "operator_expected"),
        ("a)", "cannot_start_term"),
        ("'\\z'", "undefined_char_escape(z)"),
        ("[a|b|c]", "list_rest"),
        (":- :- a", "operator_clash"),
        ("0x1G", "operator_expected"),
        ("'abc", "end_of_file_in_quoted"),
    ] {
        assert_eq!(parse(text).map(|_| ()), Err(want.to_string()), "{text}");
    }
}

#[test]
fn deep() {
    let n = 1_000_000;
    for text in [
        format!("{}a{}", "f(".repeat(n), ")".repeat(n)),
        format!("1{}", "-1".repeat(n)),
        format!("{}{}", "[".repeat(n), "]".repeat(n)),
        format!("a{}", ",a".repeat(n)),
    ] {
        assert!(parse(&text).is_ok());
    }
}
