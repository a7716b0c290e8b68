use super::*;
use crate::heap::Term;
use crate::ops::OpType;

fn with(text: &str, options: &ReadOptions, change: impl Fn(&mut Heap, &mut OpTable, &mut Flags)) -> (Heap, Result<Read, SyntaxError>) {
    let mut heap = Heap::new();
    let mut ops = OpTable::new(&mut heap.atoms);
    let mut flags = Flags::default();
    change(&mut heap, &mut ops, &mut flags);
    let r = read_with(&mut heap, &ops, &flags, atom::USER, text, Position::start(), options);
    (heap, r)
}

fn show(text: &str) -> String {
    shown(with(text, &ReadOptions::default(), |_, _, _| {}))
}

fn shown((heap, r): (Heap, Result<Read, SyntaxError>)) -> String {
    match r {
        Ok(r) => r.term.map_or("<eof>".into(), |c| canonical(&heap, c)),
        Err(e) => format!("{} @{}", e.kind, e.at.char),
    }
}

/// Canonical text, for comparing shapes.
fn canonical(heap: &Heap, c: Cell) -> String {
    match heap.view(c) {
        Term::Atom(a) => heap.atoms.text(a).to_string(),
        Term::Int(i) => i.to_string(),
        Term::Float(f) => format!("{f:?}"),
        Term::Str(a) => format!("{:?}", heap.str_at(a)),
        Term::Big(a) => heap.big(a).to_string(),
        Term::Rational(a) => heap.rational(a).to_string(),
        Term::Var(_) | Term::Attributed(_) => "_".into(),
        _ => {
            let Some((n, _)) = heap.name_arity(c) else { return "?".into() };
            let args: Vec<String> = heap.args(c).map(|i| canonical(heap, heap.cells[i])).collect();
            format!("{}({})", heap.atoms.text(n), args.join(","))
        }
    }
}

#[test]
fn operators() {
    for (text, want) in [
        ("a:-b,c. ", ":-(a,,(b,c))"),
        ("f(a:-b).", "f(:-(a,b))"),
        ("(a|b).", "|(a,b)"),
        ("f(:- a).", "f(:-(a))"),
        ("- - 1.", "-(-(1))"),
        ("- 1.", "-(1)"),
        ("-1.", "-1"),
        ("a- -1.", "-(a,-1)"),
        ("a-1.", "-(a,1)"),
        ("a -1.", "-(a,1)"),
        ("[- , - | -].", "[|](-,[|](-,-))"),
        ("[- - -].", "[|](-(-(-)),[])"),
        ("- = x.", "=(-,x)"),
        ("- , a.", ",(-,a)"),
        ("= = = .", "=(=,=)"),
        (":- dynamic a/1, b/2.", ":-(dynamic(,(/(a,1),/(b,2))))"),
        ("a = dynamic.", "=(a,dynamic)"),
        ("\\+ (a,b).", "\\+(,(a,b))"),
        ("a-->{b},!.", "-->(a,,({}(b),!))"),
        ("-a^2.", "-(^(a,2))"),
        ("-(2)^2.", "^(-(2),2)"),
        ("- (2)^2.", "-(^(2,2))"),
        ("a:b:c.", ":(a,:(b,c))"),
        ("-(-)-(-).", "-(-(-),-)"),
        ("a;b->c.", ";(a,->(b,c))"),
        ("X.y.z.", ".(.(_,y),z)"),
        ("a.b(c)^2.", "^(.(a,b(c)),2)"),
        ("p{b:1,1:x,a:2}.", "dict(p,x,1,2,a,1,b)"),
        ("_{}.", "dict(_)"),
        ("a=b{}.", "=(a,dict(b))"),
        ("f( /* none */ ).", "f()"),
        ("[](a).", "[](a)"),
        ("{}(x).", "{}(x)"),
        ("[a|b:-c].", "[|](a,:-(b,c))"),
        ("%c\n", "<eof>"),
        ("a. % b", "a"),
        ("a.%", "a"),
    ] {
        assert_eq!(show(text), want, "{text}");
    }
}

#[test]
fn errors() {
    for (text, want) in [
        ("a = b = c.", "operator_clash @2"),
        ("X = \\+a.", "operator_clash @2"),
        (":- :- a.", "operator_clash @1"),
        ("dynamic = a.", "operator_expected @9"),
        ("a = .", "operator_balance @3"),
        ("(a = .", "end_of_clause @4"),
        ("f((a).", "operator_expected @4"),
        ("f(,).", "quoted_punctuation @1"),
        (":- , a.", "quoted_punctuation @2"),
        ("f(a b).", "operator_expected @3"),
        ("a].", "cannot_start_term @0"),
        ("foo(a,).", "cannot_start_term @5"),
        ("[a|b|c].", "list_rest @3"),
        ("[|a].", "double_bar_outside_quasiquotation @0"),
        ("X '=' Y.", "operator_expected @1"),
        ("'\\z'.", "undefined_char_escape(z) @1"),
        ("'\\8'.", "undefined_char_escape('8') @1"),
        ("'\\u12'.", "Illegal \\u or \\U sequence @1"),
        ("'\\x110000\\'.", "Illegal character code @2"),
        ("'abc", "end_of_file_in_quoted('\\'') @0"),
        ("a b \"c", "end_of_file_in_quoted('\"') @0"),
        ("a /* b", "end_of_file_in_block_comment @0"),
        ("a b", "end_of_file @2"),
        (".", "end_of_clause @0"),
        ("0b2.", "illegal_number @0"),
        ("1r0.", "illegal_number @0"),
        ("1e400.", "float_overflow @0"),
        ("1.0NaN.", "numeric constant out of range @0"),
        ("_{a:1,a:2}.", "duplicate_key(a) @8"),
        ("_{\"a\":1}.", "key_expected @1"),
        ("_{a:-1}.", "colon_expected @2"),
        ("_{1.5:a}.", "key_domain @1"),
        ("-{a}.", "colon_expected @2"),
        ("_ {a:1}.", "operator_expected @1"),
        ("{|html||x|}.", "quasi_quotations_not_supported @0"),
    ] {
        assert_eq!(show(text), want, "{text}");
    }
}

#[test]
fn numbers() {
    for (text, want) in [
        ("1 000 000.", "1000000"),
        ("1_000_\n 000.", "1000000"),
        ("1_ /* x9 */ 5.", "15"),
        ("1_000.5.", ".(1000,5)"),
        ("0'a.", "97"),
        ("0'''.", "39"),
        ("0''.", "39"),
        ("0'\\n.", "10"),
        ("-0'\\x41\\ .", "-65"),
        ("0xFF_FF.", "65535"),
        ("0o17.", "15"),
        ("0b101.", "5"),
        ("36'Zz.", "1295"),
        ("123456789012345678901234567890.", "123456789012345678901234567890"),
        ("-9223372036854775808.", "-9223372036854775808"),
        ("2r4.", "1/2"),
        ("-4r2.", "-2"),
        ("1e10.", "10000000000.0"),
        ("1.5E-3.", "0.0015"),
        ("-1.0Inf.", "-inf"),
        ("1.5NaN.", "NaN"),
        ("1.e5.", ".(1,e5)"),
    ] {
        assert_eq!(show(text), want, "{text}");
    }
    let mut heap = Heap::new();
    let mut number = |t: &str| parse_number(&mut heap, t, &Flags::default()).map(|c| canonical(&heap.clone(), c));
    assert_eq!(number(" +0x1A").as_deref(), Some("26"));
    assert_eq!(number("-7").as_deref(), Some("-7"));
    assert_eq!([number("7 "), number("- 7"), number("a"), number(""), number("3.")], [None, None, None, None, None]);
}

#[test]
fn quoted_items() {
    for (text, want) in [
        ("'it''s'.", "it's"),
        ("'ab\\\n   cd'.", "abcd"),
        ("'a\\c\n  b'.", "ab"),
        ("'\\x41\\b\\102\\c'.", "AbBc"),
        ("\"\\u00e9\\U0001F600\\e\\s\".", "\"é😀\\u{1b} \""),
        ("'a\nb'.", "a\nb"),
        ("`ab`.", "[|](97,[|](98,[]))"),
        ("日本(É).", "日本(_)"),
    ] {
        assert_eq!(show(text), want, "{text}");
    }
}

#[test]
fn options_and_flags() {
    let chars = ReadOptions {
        double_quotes: Some(Quotes::Chars),
        dotlists: true,
        var_prefix: Some(true),
        stop_optional: true,
        ..Default::default()
    };
    assert_eq!(shown(with("f(\"ab\", .(a,[]), A, _b)", &chars, |_, _, _| {})), "f([|](a,[|](b,[])),[|](a,[]),A,_)");
    let ops = |heap: &mut Heap, ops: &mut OpTable, _: &mut Flags| {
        let both = heap.atoms.intern("++");
        ops.add(atom::USER, both, 200, OpType::Xf);
        ops.add(atom::USER, both, 500, OpType::Yfx);
        ops.add(atom::USER, atom::NIL, 100, OpType::Yf);
    };
    let plain = ReadOptions::default();
    assert_eq!(shown(with("f(a ++, b ++ c, X[1][2], Y[]).", &plain, ops)), "f(++(a),++(b,c),[]([|](2,[]),[]([|](1,[]),_)),[]([],_))");
}

#[test]
fn places_and_variables() {
    let text = "%c\n é(X, _, Y, X,\t\"s\") :- [A|{_Z}].\nnext.";
    let (mut heap, r) = with(text, &ReadOptions { positions: true, comments: true, ..Default::default() }, |_, _, _| {});
    let r = r.unwrap();
    assert_eq!(r.start, Position { byte: 4, char: 4, line: 2, column: 1 });
    assert_eq!((r.end.line, r.end.char, r.comments[0].1.as_str()), (2, 35, "%c"));
    let names: Vec<&str> = r.variables.iter().map(|v| v.0.as_str()).collect();
    assert_eq!((names, r.singletons, r.all_variables.len()), (vec!["X", "Y", "A", "_Z"], vec!["Y".into(), "A".into(), "_Z".into()], 5));
    let want = "term_position(4,34,23,25,[|](term_position(4,22,4,5,[|](-(6,7),[|](-(9,10),[|](-(12,13),[|](-(15,16),[|](string_position(18,21),[])))))),[|](list_position(26,34,[|](-(27,28),[]),brace_term_position(29,33,-(30,32))),[])))";
    assert_eq!(canonical(&heap, r.positions.unwrap()), want);
    let ops = OpTable::new(&mut heap.atoms);
    let next = read(&mut heap, &ops, &Flags::default(), atom::USER, text, r.end).unwrap();
    assert_eq!((canonical(&heap, next.term.unwrap()), next.start.line), ("next".into(), 3));
}

#[test]
fn resumes_after_an_error() {
    let text = "foo bar '. ' x. ok. foo(]. /* a. */ ok('.'). a b";
    let mut heap = Heap::new();
    let ops = OpTable::new(&mut heap.atoms);
    let (mut at, mut out) = (Position::start(), Vec::new());
    while at.byte < text.len() {
        match read(&mut heap, &ops, &Flags::default(), atom::USER, text, at) {
            Ok(r) => {
                out.push(canonical(&heap, r.term.unwrap()));
                at = r.end;
            }
            Err(e) => {
                out.push(format!("{} {}", e.kind, e.incomplete));
                at = e.end;
            }
        }
    }
    assert_eq!(out, ["operator_expected false", "ok", "cannot_start_term false", "ok(.)", "end_of_file true"]);
}

#[test]
fn deep_and_long() {
    let n = 1_000_000;
    for text in [
        format!("{}a{}.", "f(".repeat(n), ")".repeat(n)),
        format!("1{}.", "-1".repeat(n)),
        format!("{}a.", "- ".repeat(n)),
        format!("{}{}.", "[".repeat(n), "]".repeat(n)),
        format!("{}a{}.", "{".repeat(n), "}".repeat(n)),
        format!("{}a{}.", "(".repeat(n), ")".repeat(n)),
        format!("a{}.", ",a".repeat(n)),
        format!("[a{}].", ",a".repeat(n)),
        format!("{}1{}.", "_{a:".repeat(n), "}".repeat(n)),
        format!("f(_{}).", (0..n / 4).map(|i| format!(",V{i}")).collect::<String>()),
        format!("'{}'.", "\\n".repeat(n)),
    ] {
        let (_, r) = with(&text, &ReadOptions::default(), |_, _, _| {});
        assert!(r.is_ok(), "{}", &text[..10]);
        let (_, r) = with(&text[..text.len() - 2], &ReadOptions::default(), |_, _, _| {});
        assert!(r.is_err_and(|e| e.incomplete), "{}", &text[..10]);
    }
}

proptest::proptest! {
    #[test]
    fn any_text_ends(text in "[aA_ 0-9'\"`(){}\\[\\],|.\\\\+\\-:;!é²%/*\n]{0,40}") {
        let (_, r) = with(&text, &ReadOptions { positions: true, comments: true, ..Default::default() }, |_, _, _| {});
        let (start, end) = match &r { Ok(r) => (r.start, r.end), Err(e) => (e.start, e.end) };
        proptest::prop_assert!(start.byte <= end.byte && end.byte <= text.len() && text.is_char_boundary(end.byte));
        proptest::prop_assert!(end.byte > 0 || text.is_empty());
    }
}
