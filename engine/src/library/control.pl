:- module('$control', [once/1, ignore/1, forall/2, apply/2, (not)/1]).

:- meta_predicate once(0), ignore(0), forall(0, 0), apply(:, +), not(0).

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
