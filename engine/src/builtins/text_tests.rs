//! Runs goals of native predicates without the reader, the writer or the machine's loop: a small notation for
//! terms in, a plain form of the solutions out.

use crate::atom;
use crate::cell::Cell;
use crate::error::Throw;
use crate::heap::{Heap, Term};
use crate::machine::Machine;
use crate::native::{Redo, Run, all};
use crate::text;

struct Notation<'a> {
    s: &'a [char],
    at: usize,
    vars: Vec<(String, Cell)>,
}

impl Notation<'_> {
    fn peek(&self) -> char {
        self.s.get(self.at).copied().unwrap_or('\0')
    }
    fn blanks(&mut self) {
        while self.peek() == ' ' {
            self.at += 1;
        }
    }
    fn take(&mut self, c: char) -> bool {
        self.blanks();
        let hit = self.peek() == c;
        self.at += usize::from(hit);
        hit
    }
    fn word(&mut self) -> String {
        let start = self.at;
        while self.peek() == '_' || self.peek().is_alphanumeric() {
            self.at += 1;
        }
        self.s[start..self.at].iter().collect()
    }
    fn quoted(&mut self, q: char) -> String {
        let mut out = String::new();
        self.at += 1;
        while self.peek() != q && self.at < self.s.len() {
            if self.peek() == '\\' {
                self.at += 1;
                match self.peek() {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'u' => {
                        let hex: String = self.s[self.at + 1..self.at + 5].iter().collect();
                        out.push(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32).unwrap_or(' '));
                        self.at += 4;
                    }
                    c => out.push(c),
                }
            } else {
                out.push(self.peek());
            }
            self.at += 1;
        }
        self.at += 1;
        out
    }
    fn list(&mut self, h: &mut Heap, end: char) -> Vec<Cell> {
        let mut items = Vec::new();
        if self.take(end) {
            return items;
        }
        loop {
            items.push(self.term(h));
            if !self.take(',') {
                return items;
            }
        }
    }
    fn primary(&mut self, h: &mut Heap) -> Cell {
        self.blanks();
        let c = self.peek();
        if c == '[' {
            self.at += 1;
            let items = self.list(h, ']');
            if items.is_empty() {
                return Cell::NIL;
            }
            let tail = if self.take('|') { self.term(h) } else { Cell::NIL };
            self.take(']');
            return h.list_with_tail(&items, tail);
        }
        if c == '"' {
            let s = self.quoted('"');
            return h.string(&s);
        }
        if c == '`' {
            let s = self.quoted('`');
            return text::codes(h, &s);
        }
        if c == '-' && !self.s.get(self.at + 1).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
            return Cell::atom(atom::MINUS);
        }
        if c.is_ascii_digit() || c == '-' {
            if c == '0' && self.s.get(self.at + 1) == Some(&'\'') {
                self.at += 3;
                return Cell::small(self.s[self.at - 1] as i64);
            }
            let start = self.at;
            self.at += 1;
            while self.peek().is_ascii_digit() || self.peek() == '.' || self.peek() == 'e' {
                self.at += 1;
            }
            let s: String = self.s[start..self.at].iter().collect();
            return match s.parse::<dashu_int::IBig>() {
                Ok(i) => h.integer(&i),
                Err(_) => h.float(s.parse().unwrap_or(f64::NAN)),
            };
        }
        let quoted = c == '\'';
        let name = if quoted { self.quoted('\'') } else { self.word() };
        let head = if !quoted && name.starts_with(|c: char| c == '_' || c.is_uppercase()) {
            match self.vars.iter().find(|v| v.0 == name && name != "_") {
                Some(v) => v.1,
                None => {
                    let v = h.new_var();
                    self.vars.push((name, v));
                    v
                }
            }
        } else {
            if self.peek() == '(' {
                self.at += 1;
                let args = self.list(h, ')');
                self.take(')');
                return h.compound_named(&name, &args);
            }
            h.atom(&name)
        };
        if self.peek() == '{' {
            self.at += 1;
            let mut entries = Vec::new();
            while !self.take('}') {
                let k = self.primary(h);
                self.take(':');
                let v = self.term(h);
                entries.push((k, v));
                self.take(',');
            }
            return super::dicts::build(h, head, entries).unwrap_or(Cell::NIL);
        }
        head
    }
    fn term(&mut self, h: &mut Heap) -> Cell {
        let mut left = self.primary(h);
        loop {
            self.blanks();
            let op = match self.peek() {
                c @ ('-' | '=' | '/' | ':') => c,
                _ => return left,
            };
            self.at += 1;
            let right = self.primary(h);
            left = h.compound_named(&op.to_string(), &[left, right]);
        }
    }
}

fn show(h: &Heap, c: Cell) -> String {
    let all = |r: std::ops::Range<usize>| r.map(|i| show(h, h.cells[i])).collect::<Vec<_>>().join(",");
    match h.view(c) {
        Term::Var(_) | Term::Attributed(_) => "_".into(),
        Term::Atom(atom::NIL) => "[]".into(),
        Term::Atom(a) => {
            let t = h.atoms.text(a);
            let plain = t.starts_with(|c: char| c.is_lowercase()) && t.chars().all(|c| c == '_' || c.is_alphanumeric());
            let sign = !t.is_empty() && t.chars().all(|c| "#&*+-./:<=>?@\\^~".contains(c));
            if plain || sign {
                t.into()
            } else {
                format!("'{}'", t.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\t', "\\t"))
            }
        }
        Term::Str(s) => format!("\"{}\"", h.str_at(s).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")),
        Term::List(_) => match h.list_to_vec(c) {
            Ok(v) => format!("[{}]", v.iter().map(|&c| show(h, c)).collect::<Vec<_>>().join(",")),
            Err(t) => format!("[..|{}]", show(h, t)),
        },
        Term::Compound(a, n, 2) if ["-", "=", "/", ":"].contains(&h.atoms.text(n)) => {
            format!("{}{}{}", show(h, h.cells[a + 1]), h.atoms.text(n), show(h, h.cells[a + 2]))
        }
        Term::Compound(a, n, k) => match super::dicts::view(h, c) {
            Some((tag, e)) => {
                let e: Vec<_> = e.iter().map(|&(k, v)| format!("{}:{}", show(h, k), show(h, v))).collect();
                format!("{}{{{}}}", show(h, tag), e.join(","))
            }
            None => format!("{}({})", show(h, Cell::atom(n)), all(a + 1..a + 1 + k)),
        },
        _ => text::number(h, c).unwrap_or_default(),
    }
}

/// All solutions of a goal as `X=1,Y=2 ; ...`, or `ERR Formal`.
pub(super) fn solve(goal: &str) -> String {
    let mut m = Machine::new();
    let chars: Vec<char> = goal.chars().collect();
    let mut n = Notation { s: &chars, at: 0, vars: Vec::new() };
    let goal = n.term(&mut m.heap);
    let (name, arity) = m.heap.name_arity(goal).unwrap_or((atom::NIL, 0));
    let args: Vec<Cell> = m.heap.args(goal).map(|i| m.heap.cells[i]).collect();
    let text = m.heap.atoms.text(name).to_owned();
    let Some(p) = all().find(|p| p.name == text && p.arity == arity) else { return format!("no {text}/{arity}") };
    let mut vars: Vec<_> = n.vars.into_iter().filter(|v| !v.0.starts_with('_')).collect();
    vars.sort_by(|a, b| a.0.cmp(&b.0));
    let bindings = |h: &Heap| {
        let b: Vec<_> =
            vars.iter().filter(|v| h.deref(v.1) != v.1 || !h.is_var(v.1)).map(|(n, c)| format!("{n}={}", show(h, *c))).collect();
        if b.is_empty() { "true".to_owned() } else { b.join(",") }
    };
    let mut out = Vec::new();
    let mut state = None;
    m.heap.hb = usize::MAX;
    for _ in 0..10 {
        let mark = m.heap.trail.len();
        let r = match p.run {
            Run::Det(f) => f(&mut m, &args).map(|ok| if ok { Redo::Done } else { Redo::Fail }),
            Run::Nondet(f) => f(&mut m, &args, state),
            Run::Suspend => Ok(Redo::Fail),
        };
        let more = match r {
            Ok(Redo::Fail) => break,
            Ok(Redo::Done) => None,
            Ok(Redo::More(s)) => Some(s),
            Err(Throw::Ball(b)) => {
                let formal = m.heap.args(b).next().map(|i| show(&m.heap, m.heap.cells[i]));
                out.push(format!("ERR {}", formal.unwrap_or_default()));
                break;
            }
            Err(e) => return format!("{e:?}"),
        };
        out.push(bindings(&m.heap));
        m.heap.undo_to(mark);
        state = more;
        if state.is_none() {
            break;
        }
    }
    out.join(" ; ")
}

#[test]
fn goals() {
    for (goal, expected) in [
        ("atom_length([], L)", "L=0"),
        ("atom_length(abc, a)", "ERR type_error(integer,a)"),
        ("atom_length(f(x), _)", "ERR type_error(text,f(x))"),
        ("atom_codes(X, \"abc\")", "X=abc"),
        ("atom_chars([], L)", "ERR type_error(atom,[])"),
        ("atom_chars(X, [a|_])", "ERR instantiation_error"),
        ("atom_chars(abc, [H|T])", "H=a,T=[b,c]"),
        ("atom_chars(X, [a,1])", "ERR type_error(character,1)"),
        ("atom_codes(abc, abc)", "ERR type_error(list,abc)"),
        ("char_code(X, -1)", "ERR type_error(character_code,-1)"),
        ("char_code(ab, X)", "ERR type_error(character,ab)"),
        ("char_code(X, a)", "ERR type_error(integer,a)"),
        ("number_codes(X, \" 12\")", "X=12"),
        ("number_codes(X, \"1a\")", "ERR syntax_error(illegal_number)"),
        ("number_codes(12, \"012\")", "true"),
        ("atom_number('--1', X)", ""),
        ("atom_number(A, 3.14)", "A='3.14'"),
        ("atom_number(X, Y)", "ERR instantiation_error"),
        ("number_string(X, \" 12\")", ""),
        ("atom_string(12, S)", "S=\"12\""),
        ("string_to_atom(S, 12)", "S=\"12\""),
        ("upcase_atom('straße', X)", "X='STRAßE'"),
        ("atom_concat(X, Y, ab)", "X='',Y=ab ; X=a,Y=b ; X=ab,Y=''"),
        ("atom_concat(X, X, abab)", "X=ab"),
        ("atom_concat(X, c, abd)", ""),
        ("atom_concat([], a, X)", "ERR type_error(atom,[])"),
        ("string_concat(X, \"b\", \"ab\")", "X=\"a\""),
        ("string_concat(a, b, ab)", "true"),
        ("sub_atom(abcab, B, L, A, ab)", "A=3,B=0,L=2 ; A=0,B=3,L=2"),
        ("sub_atom(ab, B, L, 0, S)", "B=0,L=2,S=ab ; B=1,L=1,S=b ; B=2,L=0,S=''"),
        ("sub_atom(ab, 0, L, A, S)", "A=2,L=0,S='' ; A=1,L=1,S=a ; A=0,L=2,S=ab"),
        ("sub_atom(abc, B, X, X, S)", "B=1,S=b,X=1 ; B=3,S='',X=0"),
        ("sub_atom(aaa, B, _, _, aa)", "B=0 ; B=1"),
        ("sub_atom(abc, B, 2, 0, S)", "B=1,S=bc"),
        ("sub_atom(abc, -1, L, A, S)", "ERR domain_error(not_less_than_zero,-1)"),
        ("sub_string(\"日本語\", B, 1, 1, S)", "B=1,S=\"本\""),
        ("sub_string(\"aéa\", B, 1, _, a)", "B=0 ; B=2"),
        ("sub_string(\"é本\", B, 1, A, S)", "A=1,B=0,S=\"é\" ; A=0,B=1,S=\"本\""),
        ("sub_string(\"\", B, L, A, S)", "A=0,B=0,L=0,S=\"\""),
        ("sub_atom(abc, 4, L, A, S)", ""),
        ("sub_atom_icasechk('Hello World', S, world)", "S=6"),
        ("atomic_list_concat([a,1,\"s\",2.5], X)", "X='a1s2.5'"),
        ("atomic_list_concat(X, '-', '-a-')", "X=['',a,'']"),
        ("atomic_list_concat([A,B], '-', 'a-b-c')", ""),
        ("atomic_list_concat([a,B], '-', 'a-b')", "B=b"),
        ("atomic_list_concat(X, '', abc)", "ERR domain_error(non_empty_atom,'')"),
        ("atomic_list_concat([a,[]], X)", "ERR type_error(text,[])"),
        ("atomics_to_string([a,\"b\",1], S)", "S=\"ab1\""),
        ("atomics_to_string([a,_], ',', S)", "ERR instantiation_error"),
        ("atomics_to_string(L, ',', \"a,b\")", "L=[\"a\",\"b\"]"),
        ("split_string(\"/home//jan\", \"/\", \"\", L)", "L=[\"\",\"home\",\"\",\"jan\"]"),
        ("split_string(\"  a   b  \", \" \", \" \", L)", "L=[\"a\",\"b\"]"),
        ("split_string(\"//a//b//\", \"/\", \"/\", L)", "L=[\"a\",\"b\"]"),
        ("split_string(\"a , , b\", \",\", \" \", L)", "L=[\"a\",\"\",\"b\"]"),
        ("string_code(X, \"abc\", Y)", "X=1,Y=97 ; X=2,Y=98 ; X=3,Y=99"),
        ("string_code(X, \"aba\", 97)", "X=1 ; X=3"),
        ("get_string_code(9, \"abc\", X)", "ERR domain_error(range(1,3),9)"),
        ("text_to_string(12, X)", "ERR type_error(text,12)"),
        ("char_type(X, digit(3))", "X='3'"),
        ("char_type(a, to_lower(L))", "L='A'"),
        ("char_type('A', upper(L))", "L=a"),
        ("char_type('(', paren)", "ERR type_error(char_type,paren)"),
        ("code_type(102, xdigit(W))", "W=15"),
        ("code_type(X, end_of_file)", "X=-1"),
        ("char_type(X, paren(Y))", "X='(',Y=')' ; X='[',Y=']' ; X='{',Y='}'"),
        ("base64(foobar, X)", "X='Zm9vYmFy'"),
        ("base64_encoded(X, \"w6k=\")", "X=\"é\""),
        ("dict_pairs(D, t, [b-1,a-2])", "D=t{a:2,b:1}"),
        ("dict_pairs(D, t, [a-1,a-2])", "ERR duplicate_key(a)"),
        ("dict_create(D, t, [a-1,b=2,c(3)])", "D=t{a:1,b:2,c:3}"),
        ("get_dict(K, t{b:1,a:2}, V)", "K=a,V=2 ; K=b,V=1"),
        ("get_dict(K, t{b:1,a:2}, 1)", "K=b"),
        ("get_dict(a, foo, X)", "ERR type_error(dict,foo)"),
        ("put_dict(t{b:2}, t{a:1}, D)", "D=t{a:1,b:2}"),
        ("del_dict(a, t{a:1,b:2}, V, D)", "D=t{b:2},V=1"),
        ("get_dict_ex(b, t{a:1}, V)", "ERR existence_error(key,b,t{a:1})"),
        ("select_dict(t{a:X}, t{a:1,b:2}, R)", "R=_{b:2},X=1"),
        ("'$dict_eval'(t{a:1}, put(b/c, 3), X)", "X=t{a:1,b:_{c:3}}"),
        ("'$dict_eval'(t{a:1}, get(b, d), X)", "X=d"),
        ("'$format_time'('%a %h %e %T', 1000000000, S)", "S=\"Sun Sep  9 01:46:40\""),
        ("stamp_date_time(0, D, 3600)", "D=date(1969,12,31,23,0,0.0,3600,-,-)"),
        ("date_time_stamp(date(2024,2,29,12,30,15.5,0,-,-), S)", "S=1709209815.5"),
        ("parse_time('2001-09-09', F, T)", "F=iso_8601,T=999993600.0"),
        ("day_of_the_week(date(2024,2,29), D)", "D=4"),
        ("get_time(T)", "ERR permission_error(access,system,clock)"),
        ("atom_json_dict('{\"a\":[1,\"x\",null]}', D, [])", "D=_{a:[1,\"x\",null]}"),
        ("atom_json_term('{\"a\":[\"x\",true]}', T, [])", "T=json([a=[x,@(true)]])"),
        ("atom_json_dict(A, _{a:[1,b]}, [as(string)])", "A=\"{\\\"a\\\": [1, \\\"b\\\" ]}\""),
        ("atom_json_dict(A, f(x), [])", "ERR type_error(json_term,f(x))"),
        ("atom_json_dict('{\"a\":1', D, [])", "ERR syntax_error(json(unexpected_end_of_file))"),
    ] {
        assert_eq!(solve(goal), expected, "{goal}");
    }
}

/// Odd arguments in every place: errors and failures are fine, a panic is not.
#[test]
fn any_arguments() {
    const POOL: &[&str] = &[
        "X",
        "Y",
        "a",
        "''",
        "[]",
        "'é本'",
        "\"aéa\"",
        "\"\"",
        "0",
        "-1",
        "3",
        "1.5",
        "123456789012345678901234567890",
        "[a,b]",
        "[a|T]",
        "[97,b]",
        "f(x)",
        "t{a:1,b:2}",
        "_{}",
        "[a-1,b=2]",
        "[X]",
        "date(2024,2,30)",
        "date(2024,13,0,99,-5,70.5,3600,-,-)",
        "'UTC'",
        "a/b/c",
        "get(a)",
        "put(a/b, 1)",
        "digit(W)",
        "upper(a)",
        "'%a %:z %99f %'",
        "' , '",
        "'[1,{\"a\":[]}]'",
        "'{\"a'",
        "1000000000000000",
        "-1.0e300",
        "utf8",
        "[as(string),width(0)]",
        "alpha",
        "codes",
    ];
    let families = [
        super::atoms::BUILTINS,
        super::strings::BUILTINS,
        super::subtext::BUILTINS,
        super::chars::BUILTINS,
        super::dicts::BUILTINS,
        super::time::BUILTINS,
        super::json::BUILTINS,
    ];
    let mut seed = 12345usize;
    for p in families.iter().flat_map(|f| f.iter()) {
        for _ in 0..150 {
            let args: Vec<&str> = (0..p.arity)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    POOL[(seed >> 33) % POOL.len()]
                })
                .collect();
            solve(&format!("'{}'({})", p.name, args.join(",")));
        }
    }
}
