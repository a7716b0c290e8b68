:- module('$control', [apply/2]).

:- meta_predicate apply(:, +).

%!  apply(:Goal, +Args) is nondet.
%   Calls Goal with the list Args added to its arguments.
apply(Goal, Args) :-
    (   Args == []
    ->  call(Goal)
    ;   Call =.. [call, Goal|Args],
        call(Call)
    ).
