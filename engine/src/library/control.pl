:- module('$control', [once/1, ignore/1, forall/2, apply/2, (not)/1, call_cleanup/2]).

:- meta_predicate once(0), ignore(0), forall(0, 0), apply(:, +), not(0), call_cleanup(0, 0).

%!  once(:Goal) is semidet.
%   The first solution of Goal.
once(Goal) :-
    (   call(Goal)
    ->  true
    ).

%!  ignore(:Goal) is det.
%   once(Goal), true also when Goal fails.
ignore(Goal) :-
    (   call(Goal)
    ->  true
    ;   true
    ).

%!  not(:Goal) is semidet.
%   Goal has no solution.
not(Goal) :-
    \+ call(Goal).

%!  forall(:Condition, :Action) is semidet.
%   No solution of Condition makes Action fail; leaves no bindings.
forall(Condition, Action) :-
    \+ ( call(Condition), \+ call(Action) ).

%!  apply(:Goal, +Args) is nondet.
%   Calls Goal with the list Args added to its arguments.
apply(Goal, Args) :-
    (   Args == []
    ->  call(Goal)
    ;   Call =.. [call, Goal|Args],
        call(Call)
    ).

%!  call_cleanup(:Goal, :Cleanup) is nondet.
%   Goal, and Cleanup once when Goal has no more to give.
call_cleanup(Goal, Cleanup) :-
    setup_call_cleanup(true, Goal, Cleanup).
