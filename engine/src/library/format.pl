:- module(format, [format/1, format/2, format/3, sformat/2, sformat/3]).

:- use_module(library(lists)).

%   format/2,3 over the native '$format'/4, which tells what arguments need goals: those of ~@, and of
%   ~p where portray/1 is defined.

:- meta_predicate format(+, :), format(+, +, :), sformat(-, +, :).

%!  format(+Format) is det.
%   As format/2 without arguments.
format(F) :-
    current_output(S),
    format(S, F, []).

%!  format(+Format, :Args) is semidet.
%   Writes text with directives such as ~w, ~q, ~d, ~2f, ~t~20| in which the arguments appear.
format(F, Args) :-
    current_output(S),
    format(S, F, Args).

%!  format(+Output, +Format, :Args) is semidet.
%   Output is a stream or a sink as of with_output_to/2.
format(Out, F, Args) :-
    compound(Out),
    \+ is_stream(Out),
    !,
    '$output_sink'(Out),
    '$push_output'(Mark),
    (   catch(format_current(F, Args), E, ( '$drop_output'(Mark), throw(E) ))
    ->  '$pop_output'(Mark, Text),
        '$output_result'(Out, Text)
    ;   '$drop_output'(Mark),
        fail
    ).
format(Out, F, Args) :-
    strip_module(Args, M, Plain),
    format_to(Out, F, Plain, M).

format_current(F, Args) :-
    current_output(S),
    strip_module(Args, M, Plain),
    format_to(S, F, Plain, M).

format_to(S, F, Args, M) :-
    '$format'(S, F, Args, Calls),
    (   Calls == []
    ->  true
    ;   run_calls(Calls, M, Args, Args1),
        '$format'(S, F, Args1, _)
    ).

run_calls([], _, Args, Args).
run_calls([Call|Calls], M, Args, Args2) :-
    arg(1, Call, I),
    arg_at(I, Args, A),
    call_text(Call, M, A, Text),
    '$format_replace'(Args, I, Text, Args1),
    run_calls(Calls, M, Args1, Args2).

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
