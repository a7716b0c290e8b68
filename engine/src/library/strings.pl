:- module(strings,
          [ dedent_lines/3, indent_lines/3, indent_lines/4, interpolate_string/4,
            string_lines/2, split_lines/2
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).

:- meta_predicate indent_lines(1, +, +, -), interpolate_string(+, -, +, +).

%!  string_lines(?String, ?Lines) is det.
%   The lines of a string, without their ends. The other way round each line gets an end.
string_lines(String, Lines) :-
    (   nonvar(String)
    ->  split_string(String, "\n", "", Parts),
        without_last_empty(Parts, Lines)
    ;   must_be(list, Lines),
        ended(Lines, Parts),
        atomics_to_string(Parts, String)
    ).

%!  split_lines(+String, -Lines) is det.
%   The lines of a string.
split_lines(String, Lines) :-
    string_lines(String, Lines).

without_last_empty([], []).
without_last_empty([P|Ps], Lines) :-
    (   Ps == [],
        P == ""
    ->  Lines = []
    ;   Lines = [P|Lines1],
        without_last_empty(Ps, Lines1)
    ).

ended([], []).
ended([L|Ls], [L,"\n"|Ps]) :-
    ended(Ls, Ps).

join_lines(Lines, String) :-
    atomic_list_concat(Lines, '\n', Atom),
    atom_string(Atom, String).

%!  dedent_lines(+Text, -Dedented, +Options) is det.
%   Takes the white space that all lines begin with away. Options: tab(Columns), 8 by default.
dedent_lines(Text, Dedented, Options) :-
    (   memberchk(tab(Tab), Options)
    ->  true
    ;   Tab = 8
    ),
    split_string(Text, "\n", "", Lines),
    least_indent(Lines, Tab, none, Least),
    (   Least == none
    ->  Indent = 0
    ;   Indent = Least
    ),
    cut_lines(Lines, Tab, Indent, Cut),
    join_lines(Cut, Dedented).

least_indent([], _, Least, Least).
least_indent([L|Ls], Tab, Least0, Least) :-
    string_codes(L, Codes),
    indent_of(Codes, Tab, 0, Indent),
    (   Indent == blank
    ->  Least1 = Least0
    ;   Least0 == none
    ->  Least1 = Indent
    ;   Least1 is min(Least0, Indent)
    ),
    least_indent(Ls, Tab, Least1, Least).

indent_of([], _, _, blank).
indent_of([C|Cs], Tab, N0, N) :-
    (   C =:= 0'\s
    ->  N1 is N0+1,
        indent_of(Cs, Tab, N1, N)
    ;   C =:= 0'\t
    ->  N1 is (N0//Tab+1)*Tab,
        indent_of(Cs, Tab, N1, N)
    ;   N = N0
    ).

cut_lines([], _, _, []).
cut_lines([L|Ls], Tab, Indent, [C|Cs]) :-
    string_codes(L, Codes),
    drop_indent(Codes, Tab, 0, Indent, Rest),
    string_codes(C, Rest),
    cut_lines(Ls, Tab, Indent, Cs).

drop_indent(Codes, Tab, N0, Indent, Rest) :-
    (   N0 >= Indent
    ->  Extra is N0-Indent,
        pad(Extra, Codes, Rest)
    ;   Codes = [C|Cs]
    ->  (   C =:= 0'\t
        ->  N1 is (N0//Tab+1)*Tab
        ;   N1 is N0+1
        ),
        drop_indent(Cs, Tab, N1, Indent, Rest)
    ;   Rest = []
    ).

pad(N, Codes, Padded) :-
    (   N =:= 0
    ->  Padded = Codes
    ;   N1 is N-1,
        pad(N1, [0'\s|Codes], Padded)
    ).

%!  indent_lines(+Prefix, +Text, -Indented) is det.
%   Puts Prefix before all lines that are not blank.
indent_lines(Prefix, Text, Indented) :-
    indent_lines(strings:not_blank, Prefix, Text, Indented).

not_blank(Line) :-
    \+ split_string(Line, "", " \t", [""]).

%!  indent_lines(:Filter, +Prefix, +Text, -Indented) is det.
%   Puts Prefix before all lines for which call(Filter, Line) succeeds.
indent_lines(Filter, Prefix, Text, Indented) :-
    split_string(Text, "\n", "", Lines),
    prefix_lines(Lines, Filter, Prefix, Prefixed),
    join_lines(Prefixed, Indented).

prefix_lines([], _, _, []).
prefix_lines([L|Ls], Filter, Prefix, [P|Ps]) :-
    (   call(Filter, L)
    ->  string_concat(Prefix, L, P)
    ;   P = L
    ),
    prefix_lines(Ls, Filter, Prefix, Ps).

%!  interpolate_string(+Template, -String, +Bindings, +Options) is det.
%   Replaces `{Name}` and `{Name,Format}` by the value of Name=Value in Bindings.
interpolate_string(Template, String, Bindings, _Options) :-
    string_codes(Template, Codes),
    interpolate(Codes, Bindings, Parts),
    atomics_to_string(Parts, String).

interpolate(Codes, Bindings, Parts) :-
    (   append(Before, [0'{|Rest0], Codes),
        append(Inside, [0'}|Rest], Rest0)
    ->  string_codes(BeforeText, Before),
        Parts = [BeforeText,Value|Parts1],
        value(Inside, Bindings, Value),
        interpolate(Rest, Bindings, Parts1)
    ;   string_codes(Text, Codes),
        Parts = [Text]
    ).

value(Inside, Bindings, Text) :-
    atom_codes(Spec, Inside),
    (   atomic_list_concat([Name|FormatParts], ',', Spec),
        memberchk(Name=Value, Bindings)
    ->  (   FormatParts = [Format0]
        ->  atom_concat('~', Format0, Format)
        ;   Format = '~w'
        ),
        format(string(Text), Format, [Value])
    ;   format(string(Text), '{~w}', [Spec])
    ).
