:- module(readutil, [read_line_to_codes/3, read_stream_to_codes/3, read_file_to_terms/3]).

%!  read_line_to_codes(+Stream, -Codes, ?Tail) is det.
%   The next line with its end, as a list that ends in Tail; `[]` at the end of the stream.
read_line_to_codes(Stream, Codes, Tail) :-
    get_code(Stream, C),
    (   C =:= -1
    ->  Codes = Tail
    ;   C =:= 0'\n
    ->  Codes = [C|Tail]
    ;   Codes = [C|Codes1],
        read_line_to_codes(Stream, Codes1, Tail)
    ).

%!  read_stream_to_codes(+Stream, -Codes, ?Tail) is det.
%   All codes up to the end, as a list that ends in Tail.
read_stream_to_codes(Stream, Codes, Tail) :-
    read_stream_to_codes(Stream, Codes0),
    link(Codes0, Codes, Tail).

link([], Tail, Tail).
link([C|Cs], [C|Codes], Tail) :-
    link(Cs, Codes, Tail).

%!  read_file_to_terms(+File, -Terms, +Options) is det.
%   All terms of a file. Options are those of open/4 and read_term/2.
read_file_to_terms(File, Terms, Options) :-
    setup_call_cleanup(open(File, read, Stream),
                       read_terms(Stream, Options, Terms),
                       close(Stream)).

read_terms(Stream, Options, Terms) :-
    read_term(Stream, Term, Options),
    (   Term == end_of_file
    ->  Terms = []
    ;   Terms = [Term|Terms1],
        read_terms(Stream, Options, Terms1)
    ).

