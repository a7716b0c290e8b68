:- module('$io',
          [ with_output_to/2, tab/1, tab/2, print/1, print/2, write_term/2, write_term/3,
            writef/1, writef/2 ]).

%   Output that runs goals: captures, print/1 with portray/1, and small wrappers over the native
%   predicates of streams.

:- meta_predicate with_output_to(?, 0).

%!  with_output_to(+Sink, :Goal) is semidet.
%   What Goal writes to current output goes to the sink: atom(A), string(S), codes(C), codes(C,T),
%   chars(C), chars(C,T) or a stream.
with_output_to(Sink, Goal) :-
    is_stream(Sink),
    !,
    current_output(Old),
    setup_call_cleanup(set_output(Sink), once(Goal), set_output(Old)).
with_output_to(Sink, Goal) :-
    '$output_sink'(Sink),
    '$push_output'(Mark),
    (   catch(Goal, E, ( '$drop_output'(Mark), throw(E) ))
    ->  '$pop_output'(Mark, Text),
        '$output_result'(Sink, Text)
    ;   '$drop_output'(Mark),
        fail
    ).

%!  tab(+Expression) is det.
%   Writes that many spaces.
tab(E) :-
    N is E,
    '$tab'(N).

tab(S, E) :-
    N is E,
    '$tab'(S, N).

%!  print(+Term) is det.
%   Writes a term with portray/1 for its parts, else as writeq/1.
print(T) :-
    current_output(S),
    print(S, T).

print(S, T) :-
    write_term(S, T, [portray(true), numbervars(true), quoted(true)]).

%!  write_term(+Term, +Options) is det.
%   Writes a term; see write_term/3.
write_term(T, Options) :-
    current_output(S),
    (   '$portray_wanted'(Options),
        clause(user:portray(_), _)
    ->  write_term(S, T, Options)
    ;   '$write_term'(S, T, Options)
    ).

%!  write_term(+Stream, +Term, +Options) is det.
%   Options: quoted(B), ignore_ops(B), numbervars(B), portray(B), max_depth(N), priority(P),
%   variable_names(L), spacing(S), fullstop(B), nl(B), cycles(B), attributes(A), module(M) and more.
write_term(S, T, Options) :-
    (   '$portray_wanted'(Options),
        clause(user:portray(_), _)
    ->  portray_term(T, T1, Names, []),
        '$write_portrayed'(S, T1, Names, Options)
    ;   '$write_term'(S, T, Options)
    ).

%   portray_term(+Term, -Term1, -Names, ?Tail): Term with each subterm that portray/1 writes replaced
%   by a variable, and Text = Variable for each of them.
portray_term(T, T1, N, N0) :-
    var(T),
    !,
    T1 = T,
    N = N0.
portray_term(T, V, [Text = V|N], N) :-
    '$push_output'(Mark),
    (   catch(user:portray(T), E, ( '$drop_output'(Mark), throw(E) ))
    ->  '$pop_output'(Mark, Text)
    ;   '$drop_output'(Mark),
        fail
    ),
    !.
portray_term([H|T], L, N, N0) :-
    !,
    L = [H1|T1],
    portray_term(H, H1, N, N1),
    portray_tail(T, T1, N1, N0).
portray_term(T, T1, N, N0) :-
    compound(T),
    !,
    compound_name_arguments(T, F, As),
    portray_args(As, Bs, N, N0),
    compound_name_arguments(T1, F, Bs).
portray_term(T, T, N, N).

portray_tail(T, T1, N, N0) :-
    nonvar(T),
    T = [H|R],
    !,
    T1 = [H1|R1],
    portray_term(H, H1, N, N1),
    portray_tail(R, R1, N1, N0).
portray_tail([], [], N, N) :-
    !.
portray_tail(T, T1, N, N0) :-
    portray_term(T, T1, N, N0).

portray_args([], [], N, N).
portray_args([A|As], [B|Bs], N, N0) :-
    portray_term(A, B, N, N1),
    portray_args(As, Bs, N1, N0).

%!  writef(+Format, +Args) is det.
%   %w an argument, %d one more, %s a list of codes, \n and \l newlines.
writef(Format) :-
    writef(Format, []).

writef(Format, Args) :-
    atom_codes(Format, Codes),
    writef_(Codes, Args).

writef_([], _).
writef_([0'%, 0'w|Cs], [A|As]) :- !, write(A), writef_(Cs, As).
writef_([0'%, 0'p|Cs], [A|As]) :- !, print(A), writef_(Cs, As).
writef_([0'%, 0'd|Cs], [A|As]) :- !, write(A), writef_(Cs, As).
writef_([0'%, 0's|Cs], [A|As]) :- !, atom_codes(T, A), write(T), writef_(Cs, As).
writef_([0'\\, 0'n|Cs], As) :- !, nl, writef_(Cs, As).
writef_([0'\\, 0'l|Cs], As) :- !, nl, writef_(Cs, As).
writef_([0'\\, 0't|Cs], As) :- !, put_char('\t'), writef_(Cs, As).
writef_([C|Cs], As) :- put_char(C), writef_(Cs, As).
