:- module(csv,
          [ csv//1, csv//2, csv_read_file/2, csv_read_file/3, csv_read_stream/3,
            csv_read_row/3, csv_read_file_row/3, csv_options/2, csv_write_file/2,
            csv_write_file/3, csv_write_stream/3
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(option)).

%!  csv(?Rows)//
%   Rows of comma separated values, as terms row(Value, …); also writes them.
csv(Rows) -->
    csv(Rows, []).

%!  csv(?Rows, +Options)//
%   Options: separator(Code), functor(Name), arity(N), match_arity(Bool), convert(Bool),
%   case(down|preserve|up), strip(Bool), ignore_quotes(Bool), skip_header(Prefix).
csv(Rows, Options, Head, Tail) :-
    csv_options(Csv, Options),
    (   var(Rows)
    ->  skip_header(Options, Head, Head1),
        rows(Csv, Rows, Head1, Tail)
    ;   write_rows(Rows, Csv, Head, Tail)
    ).

%!  csv_options(-Csv, +Options) is det.
%   Csv are the options in the form in which reading uses them.
csv_options(csv(Separator,Functor,Arity,Match,Convert,Case,Strip,Quotes), Options) :-
    option(separator(Separator), Options, 0',),
    option(functor(Functor), Options, row),
    option(arity(Arity), Options, _),
    option(match_arity(Match), Options, true),
    option(convert(Convert), Options, true),
    option(case(Case), Options, preserve),
    option(strip(Strip), Options, false),
    option(ignore_quotes(Quotes), Options, false).

skip_header(Options, Head, Tail) :-
    (   option(skip_header(Prefix), Options)
    ->  format(codes(Codes), '~w', [Prefix]),
        skip_lines(Codes, Head, Tail)
    ;   Tail = Head
    ).

skip_lines(Prefix, Head, Tail) :-
    (   append(Prefix, Rest, Head)
    ->  rest_of_line(Rest, Next),
        skip_lines(Prefix, Next, Tail)
    ;   Tail = Head
    ).

rest_of_line([], []).
rest_of_line([C|Cs], Next) :-
    (   C =:= 0'\n
    ->  Next = Cs
    ;   rest_of_line(Cs, Next)
    ).

rows(Csv, Rows, Head, Tail) :-
    (   Head == []
    ->  Rows = [],
        Tail = []
    ;   row(Csv, Row, Head, Head1),
        Rows = [Row|Rows1],
        rows(Csv, Rows1, Head1, Tail)
    ).

row(Csv, Row, Head, Tail) :-
    fields(Csv, Fields, Head, Tail),
    Csv = csv(_,Functor,Arity,Match,_,_,_,_),
    length(Fields, N),
    (   Match == true
    ->  (   Arity = N
        ->  true
        ;   domain_error(row_arity(Arity), N)
        )
    ;   true
    ),
    Row =.. [Functor|Fields].

fields(Csv, [Field|Fields], Head, Tail) :-
    field(Csv, Field, Head, Head1),
    arg(1, Csv, Separator),
    (   Head1 = [C|Cs]
    ->  (   C =:= Separator
        ->  fields(Csv, Fields, Cs, Tail)
        ;   Fields = [],
            line_end(Head1, Tail)
        )
    ;   Fields = [],
        Tail = []
    ).

line_end([0'\r,0'\n|Tail], Tail) :-
    !.
line_end([0'\n|Tail], Tail) :-
    !.
line_end([0'\r|Tail], Tail).

field(Csv, Field, Head, Tail) :-
    Csv = csv(_,_,_,_,_,_,Strip,Quotes),
    (   Strip == true
    ->  skip_blanks(Head, Csv, Head1)
    ;   Head1 = Head
    ),
    (   Quotes \== true,
        Head1 = [0'"|Rest]
    ->  quoted(Rest, Codes, Tail0),
        (   Strip == true
        ->  skip_blanks(Tail0, Csv, Tail)
        ;   Tail = Tail0
        ),
        make_text(Csv, Codes, Field)
    ;   plain(Head1, Csv, Codes0, Tail),
        (   Strip == true
        ->  strip_end(Codes0, Codes)
        ;   Codes = Codes0
        ),
        make_value(Csv, Codes, Field)
    ).

skip_blanks(Head, Csv, Tail) :-
    arg(1, Csv, Separator),
    (   Head = [C|Cs],
        C =\= Separator,
        ( C =:= 0'\s ; C =:= 0'\t )
    ->  skip_blanks(Cs, Csv, Tail)
    ;   Tail = Head
    ).

strip_end(Codes, Stripped) :-
    reverse(Codes, Turned),
    skip_turned(Turned, Turned1),
    reverse(Turned1, Stripped).

skip_turned(Codes, Rest) :-
    (   Codes = [C|Cs],
        ( C =:= 0'\s ; C =:= 0'\t )
    ->  skip_turned(Cs, Rest)
    ;   Rest = Codes
    ).

quoted([0'",0'"|Cs], [0'"|Codes], Tail) :-
    !,
    quoted(Cs, Codes, Tail).
quoted([0'"|Tail], [], Tail) :-
    !.
quoted([C|Cs], [C|Codes], Tail) :-
    quoted(Cs, Codes, Tail).

plain(Head, Csv, Codes, Tail) :-
    arg(1, Csv, Separator),
    (   Head = [C|Cs],
        C =\= Separator,
        C =\= 0'\n,
        C =\= 0'\r
    ->  Codes = [C|Codes1],
        plain(Cs, Csv, Codes1, Tail)
    ;   Codes = [],
        Tail = Head
    ).

make_value(Csv, Codes, Value) :-
    Csv = csv(_,_,_,_,Convert,_,_,_),
    (   Convert == true,
        Codes \== [],
        catch(number_codes(Number, Codes), _, fail)
    ->  Value = Number
    ;   make_text(Csv, Codes, Value)
    ).

make_text(csv(_,_,_,_,_,Case,_,_), Codes, Text) :-
    atom_codes(Atom, Codes),
    (   Case == down
    ->  downcase_atom(Atom, Text)
    ;   Case == up
    ->  upcase_atom(Atom, Text)
    ;   Text = Atom
    ).

write_rows([], _, Tail, Tail).
write_rows([Row|Rows], Csv, Head, Tail) :-
    arg(1, Csv, Separator),
    Row =.. [_|Fields],
    write_fields(Fields, Separator, Head, Head1),
    write_rows(Rows, Csv, Head1, Tail).

write_fields([], _, [0'\r,0'\n|Tail], Tail).
write_fields([F|Fs], Separator, Head, Tail) :-
    format(codes(Codes), '~w', [F]),
    (   member(C, Codes),
        ( C =:= Separator ; C =:= 0'" ; C =:= 0'\n ; C =:= 0'\r )
    ->  doubled(Codes, Quoted, [0'"|Head1]),
        Head = [0'"|Quoted]
    ;   append(Codes, Head1, Head)
    ),
    (   Fs == []
    ->  Head1 = [0'\r,0'\n|Tail]
    ;   Head1 = [Separator|Head2],
        write_fields(Fs, Separator, Head2, Tail)
    ).

doubled([], Tail, Tail).
doubled([C|Cs], Codes, Tail) :-
    (   C =:= 0'"
    ->  Codes = [0'",0'"|Codes1]
    ;   Codes = [C|Codes1]
    ),
    doubled(Cs, Codes1, Tail).

%!  csv_read_file(+File, -Rows) is det.
csv_read_file(File, Rows) :-
    csv_read_file(File, Rows, []).

%!  csv_read_file(+File, -Rows, +Options) is det.
%   The rows of a file; the separator of a `.tsv` file is a tab.
csv_read_file(File, Rows, Options) :-
    file_separator(File, Options, Options1),
    read_file_to_codes(File, Codes, []),
    csv(Rows, Options1, Codes, []).

file_separator(File, Options, Options1) :-
    (   option(separator(_), Options)
    ->  Options1 = Options
    ;   file_name_extension(_, tsv, File)
    ->  Options1 = [separator(0'\t)|Options]
    ;   Options1 = Options
    ).

%!  csv_read_stream(+Stream, -Rows, +Options) is det.
csv_read_stream(Stream, Rows, Options) :-
    read_stream_to_codes(Stream, Codes),
    csv(Rows, Options, Codes, []).

%!  csv_read_row(+Stream, -Row, +Csv) is det.
%   One row, `end_of_file` at the end; Csv is what csv_options/2 gives.
csv_read_row(Stream, Row, Csv) :-
    read_row_codes(Stream, false, Codes),
    (   Codes == end_of_file
    ->  Row = end_of_file
    ;   row(Csv, Row, Codes, _)
    ).

read_row_codes(Stream, Inside, Codes) :-
    get_code(Stream, C),
    (   C =:= -1
    ->  (   Inside == false
        ->  Codes = end_of_file
        ;   Codes = []
        )
    ;   row_codes(C, Stream, false, Codes)
    ).

row_codes(C, Stream, Quoted, Codes) :-
    (   C =:= -1
    ->  Codes = []
    ;   C =:= 0'\n,
        Quoted == false
    ->  Codes = []
    ;   Codes = [C|Codes1],
        (   C =:= 0'"
        ->  (   Quoted == true
            ->  Quoted1 = false
            ;   Quoted1 = true
            )
        ;   Quoted1 = Quoted
        ),
        get_code(Stream, C1),
        row_codes(C1, Stream, Quoted1, Codes1)
    ).

%!  csv_read_file_row(+File, -Row, +Options) is nondet.
%   Enumerates the rows of a file.
csv_read_file_row(File, Row, Options) :-
    csv_read_file(File, Rows, Options),
    member(Row, Rows).

%!  csv_write_file(+File, +Rows) is det.
csv_write_file(File, Rows) :-
    csv_write_file(File, Rows, []).

%!  csv_write_file(+File, +Rows, +Options) is det.
csv_write_file(File, Rows, Options) :-
    must_be(list, Rows),
    file_separator(File, Options, Options1),
    setup_call_cleanup(open(File, write, Stream),
                       csv_write_stream(Stream, Rows, Options1),
                       close(Stream)).

%!  csv_write_stream(+Stream, +Rows, +Options) is det.
csv_write_stream(Stream, Rows, Options) :-
    csv(Rows, Options, Codes, []),
    format(Stream, '~s', [Codes]).
