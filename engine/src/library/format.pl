:- module('$format', [format/1, format/2, format/3, sformat/2, sformat/3]).

:- use_module(library(lists)).

%   format/2,3 over the native '$format'/4, which tells what arguments need goals: those of ~@, and of
%   ~p where portray/1 is defined.

:- meta_predicate format(+, :), format(+, +, :), sformat(-, +, :).

%!  format(+Format) is det.
%   As format/2 without arguments.
format(F) :-
    current_output(S),
    '$format'(S, F, [], Calls),
    run_calls(Calls, S, F, user, []).

%!  format(+Format, :Args) is det.
%   As format/1, with the argument or list of arguments Args.
format(F, Args) :-
    current_output(S),
    strip_module(Args, M, Plain),
    '$format'(S, F, Plain, Calls),
    run_calls(Calls, S, F, M, Plain).

%!  format(+Output, +Format, :Args) is det.
%   As format/2, to a stream or to atom(A), string(S), codes(Cs), chars(Cs).
format(Out, F, Args) :-
    compound(Out),
    \+ is_stream(Out),
    !,
    '$output_sink'(Out),
    '$push_output'(Mark),
    current_output(S),
    strip_module(Args, M, Plain),
    (   catch('$format_all'(S, F, Plain, M), E, true)
    ->  (   var(E)
        ->  '$pop_output'(Mark, Text),
            '$output_result'(Out, Text)
        ;   '$drop_output'(Mark),
            throw(E)
        )
    ;   '$drop_output'(Mark),
        fail
    ).
format(Out, F, Args) :-
    strip_module(Args, M, Plain),
    '$format'(Out, F, Plain, Calls),
    run_calls(Calls, Out, F, M, Plain).

'$format_all'(S, F, Args, M) :-
    '$format'(S, F, Args, Calls),
    run_calls(Calls, S, F, M, Args).

%   Directives that call goals have been left out: their texts are made and written in their places.
run_calls([], _, _, _, _) :- !.
run_calls(Calls, S, F, M, Args) :-
    call_texts(Calls, M, Args, Args1),
    '$format'(S, F, Args1, _).

call_texts([], _, Args, Args).
call_texts([Call|Calls], M, Args, Args2) :-
    arg(1, Call, I),
    arg_at(I, Args, A),
    call_text(Call, M, A, Text),
    '$format_replace'(Args, I, Text, Args1),
    call_texts(Calls, M, Args1, Args2).

arg_at(I, Args, A) :-
    (   is_list(Args)
    ->  nth0(I, Args, A)
    ;   A = Args
    ).

call_text(call(_), M, G, Text) :-
    with_output_to(string(Text), M:G).
call_text(print(_), _, T, Text) :-
    with_output_to(string(Text), print(T)).

%!  sformat(-String, +Format, :Args) is semidet.
%   As format/3 to string(String).
sformat(S, F) :-
    format(string(S), F, []).

sformat(S, F, Args) :-
    format(string(S), F, Args).
