//! What is written reads back as the same term, and looks as SWI-Prolog 9 writes it.

use deepclause_engine::atom::{self, Atom};
use deepclause_engine::cell::Cell;
use deepclause_engine::machine::Machine;
use deepclause_engine::ops::OpType;
use deepclause_engine::reader::{self, Position};
use deepclause_engine::writer::{Options, canonical, portray_clause, write};
use proptest::prelude::*;

fn machine() -> Machine {
    let mut m = Machine::new();
    let user = [
        (700, OpType::Xfx, "===>"),
        (150, OpType::Yf, "++"),
        (100, OpType::Xf, "##"),
        (900, OpType::Fy, "not"),
        (300, OpType::Fx, "neg"),
        (700, OpType::Xfx, "is_a"),
    ];
    for (p, t, n) in user {
        let a = m.heap.atoms.intern_pinned(n);
        m.ops.add(atom::USER, a, p, t);
    }
    m
}

fn read(m: &mut Machine, text: &str) -> Cell {
    let r = reader::read(&mut m.heap, &m.ops, &m.flags, atom::USER, &format!("{text} ."), Position::start());
    match r.map(|r| r.term) {
        Ok(Some(c)) => c,
        other => panic!("{text}: {other:?}"),
    }
}

fn writeq(m: &Machine, c: Cell) -> String {
    write(&m.heap, &m.ops, &m.flags, c, &Options { quoted: true, ..Options::default() })
}

/// Checks `(text, as written)`.
fn check(cases: &[(&str, &str)], o: &Options) {
    for (text, want) in cases {
        let m = &mut machine();
        let c = read(m, text);
        assert_eq!(&write(&m.heap, &m.ops, &m.flags, c, o), want, "{text}");
    }
}

#[test]
fn as_written_by_swi() {
    check(
        &[
            ("- 1", "- 1"),
            ("-(1)", "- 1"),
            ("-(-(1))", "- - 1"),
            ("1-(-1)", "1- -1"),
            ("-(1^2)", "- 1^2"),
            ("(-1)^2", "-1^2"),
            ("-(1)^2", "(- 1)^2"),
            ("+ 1", "+1"),
            ("-a^2", "-a^2"),
            ("(a:-b,c;d->e)", "a:-b,c;d->e"),
            ("f((a:-b),c)", "f((a:-b),c)"),
            ("[(a,b)|(c,d)]", "[(a,b)|(c,d)]"),
            ("f(:-a)", "f((:-a))"),
            ("\\+ (a,b)", "\\+ (a,b)"),
            ("\\+ [a]", "\\+[a]"),
            ("- {a}", "- {a}"),
            ("a- {b}", "a-{b}"),
            ("(dynamic)-(dynamic)", "(dynamic)-(dynamic)"),
            ("dynamic((a,b))", "dynamic a,b"),
            ("(:-dynamic a/1)", ":-dynamic a/1"),
            ("dynamic(-)", "dynamic (-)"),
            ("1 = (:-)", "1=(:-)"),
            ("- + -", "- + (-)"),
            ("a mod (c,d)", "a mod (c,d)"),
            ("'A' mod b", "'A'mod b"),
            ("'X' is 'Y'", "'X'is'Y'"),
            ("[] mod []", "[]mod[]"),
            ("(a|b)", "a|b"),
            ("'|'(a)", "'|'(a)"),
            ("f(',',(a,b),'|',[],{},;)", "f(',',(a,b),'|',[],{},;)"),
            ("f()", "f()"),
            ("'hello world'()", "'hello world'()"),
            ("{-}", "{-}"),
            ("'{}'(a,b)", "{}(a,b)"),
            ("'[]'", "'[]'"),
            ("a++ ++", "a++ ++"),
            ("-(a)++", "(-a)++"),
            ("(a++)*b", "a++ * b"),
            ("neg(neg(a))", "neg (neg a)"),
            ("neg(-1)", "neg-1"),
            ("not(-(1))", "not- 1"),
            ("f(++)", "f(++)"),
            ("'$VAR'(-1)", "S_1"),
            ("'$VAR'('Foo')", "Foo"),
            ("'$VAR'(x)", "'$VAR'(x)"),
            ("p{b:\"x\",a:(a:-b)}", "p{a: (a:-b),b:\"x\"}"),
            ("1.0e10", "10000000000.0"),
            ("1e100", "1.0e+100"),
            ("-1.0Inf", "-1.0Inf"),
            ("1r3+2", "1r3+2"),
            ("'it''s\\e\\x0\\'", "'it\\'s\\x1B\\\\x0\\'"),
        ],
        &Options::writeq(),
    );
}

#[test]
fn options() {
    let d = Options::default;
    check(&[("1+2*3", "+(1,*(2,3))"), ("(a:-b,c)", ":-(a,,(b,c))"), ("{a,b}", "{,(a,b)}")], &Options { ignore_ops: true, ..d() });
    check(
        &[("f(a,[b,c|d])", "f(a, [b, c|d])"), ("(a:-b,c)", "a:-b, c"), ("{a,b}", "{a, b}")],
        &Options { spacing_next_argument: true, ..d() },
    );
    check(
        &[("a+b+c+d+e", "... + ... + d+e"), ("f(g(h(i)))", "f(g(h(...)))"), ("[1,2,3,4]", "[1,2|...]")],
        &Options { max_depth: 3, ..d() },
    );
    check(&[("(a:-b)", "(a:-b)"), ("a+b", "a+b")], &Options { priority: 999, ..d() });
    check(&[("[a|b]", ".(a,b)")], &Options { dotlists: true, ..d() });
    check(&[("[a]", "'[|]'(a,[])")], &Options { no_lists: true, quoted: true, ..d() });
    check(&[("a", "a. "), ("+", "+ . ")], &Options { fullstop: true, ..d() });
    check(&[("'\\x1\\'", "'\\u0001'")], &Options { quoted: true, character_escapes_unicode: true, ..d() });
    let m = &mut machine();
    let c = read(m, "f(X,Y,X,{Z},- 1,'$VAR'(1))");
    assert_eq!(canonical::write_canonical(&m.heap, &m.ops, &m.flags, c), "f(A,_,A,{}(_),-(1),'$VAR'(1))");
}

#[test]
fn clauses() {
    for (text, want) in [
        ("f(X,Y,X)", "f(A, _, A).\n"),
        ("(a:-true)", "a.\n"),
        ("(a(X):-b(X,Y),c(Y,_))", "a(A) :-\n    b(A, B),\n    c(B, _).\n"),
        ("(a:-b,(c;d->e;f),\\+g)", "a :-\n    b,\n    (   c\n    ;   d\n    ->  e\n    ;   f\n    ),\n    \\+ g.\n"),
        ("(a:-(b*->c;d))", "a :-\n    (   b\n    *-> c\n    ;   d\n    ).\n"),
        ("(a-->b,{c})", "a -->\n    b,\n    { c\n    }.\n"),
        ("(a:- \\+ (b,c))", "a :-\n    \\+ ( b,\n         c\n       ).\n"),
        (
            "(a:-findall(X,(b(X),c),L),d(L))",
            "a :-\n    findall(A,\n            ( b(A),\n              c\n            ),\n            B),\n    d(B).\n",
        ),
        ("(:- module(m,[a/1]))", ":- module(m,\n          [ a/1\n          ]).\n"),
        ("(a,g=>b)", "a, g =>\n    b.\n"),
    ] {
        let m = &mut machine();
        let c = read(m, text);
        assert_eq!(portray_clause::portray_clause(&m.heap, &m.ops, &m.flags, c, atom::USER, &[]), want);
    }
}

/// A term by its tokens.
#[derive(Clone, Debug)]
enum T {
    Atom(&'static str),
    Int(i64),
    Float(f64),
    Ratio(i64),
    Str(String),
    List(Vec<T>, Box<T>),
    Compound(&'static str, Vec<T>),
}

const NAMES: &[&str] = &[
    "a", "foo", "A b", "+", "-", "*", "\\+", ":-", "dynamic", ",", "|", ";", "->", "is", "mod", "{}", "[]", "!", "$", ".", "", "é", "É",
    "++", "##", "not", "neg", "is_a", "===>", "=", "^", "**", ":", "?-", "-->", "/*", "'", "\\", "\n", "table", "as", "@",
];

fn term() -> impl Strategy<Value = T> {
    let name = || prop::sample::select(NAMES);
    let leaf = prop_oneof![
        4 => name().prop_map(T::Atom),
        2 => (-3i64..3).prop_map(T::Int),
        1 => any::<i64>().prop_map(T::Int),
        1 => any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(T::Float),
        1 => (-3i64..3).prop_map(T::Ratio),
        1 => any::<String>().prop_map(T::Str),
    ];
    leaf.prop_recursive(6, 40, 4, move |inner| {
        prop_oneof![
            4 => (name(), prop::collection::vec(inner.clone(), 1..3)).prop_map(|(n, a)| T::Compound(n, a)),
            1 => (name(), prop::collection::vec(inner.clone(), 3..4)).prop_map(|(n, a)| T::Compound(n, a)),
            1 => (prop::collection::vec(inner.clone(), 1..4), inner).prop_map(|(l, t)| T::List(l, Box::new(t))),
        ]
    })
}

fn build(m: &mut Machine, t: &T) -> Cell {
    match t {
        T::Atom("[]") => Cell::NIL,
        T::Atom(n) => m.heap.atom(n),
        T::Int(i) => m.heap.int(*i),
        T::Float(f) => m.heap.float(*f),
        T::Ratio(i) => m.heap.ratio(&dashu_ratio::RBig::from_parts((*i).into(), 7u8.into())),
        T::Str(s) => m.heap.string(s),
        T::List(l, t) => {
            let items: Vec<Cell> = l.iter().map(|x| build(m, x)).collect();
            let tail = build(m, t);
            m.heap.list_with_tail(&items, tail)
        }
        T::Compound(n, a) => {
            let args: Vec<Cell> = a.iter().map(|x| build(m, x)).collect();
            let name: Atom = m.heap.atoms.intern(n);
            m.heap.compound(name, &args)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn reads_back(t in term()) {
        let m = &mut machine();
        let c = build(m, &t);
        for text in [writeq(m, c), canonical::write_canonical(&m.heap, &m.ops, &m.flags, c)] {
            let back = reader::read(&mut m.heap, &m.ops, &m.flags, atom::USER, &format!("{text} ."), Position::start());
            let back = match back { Ok(r) => r.term, Err(e) => { prop_assert!(false, "{text}: {e:?}"); None } };
            let Some(back) = back else { prop_assert!(false, "{text}: nothing"); return Ok(()) };
            prop_assert!(m.heap.unify(c, back), "{text} reads as {}", writeq(m, back));
        }
    }
}
