:- module(apply_macros, [expand_phrase/2, expand_phrase/4]).

% Calls of maplist/N and its kin are fast without being expanded, therefore loading this library
% changes nothing.

%!  expand_phrase(+Goal, -Expanded) is semidet.
%   The call of the translated non-terminal for phrase/2,3.
expand_phrase(phrase(Body, List), Expanded) :-
    expand_phrase(phrase(Body, List, []), Expanded).
expand_phrase(phrase(Body, List, Rest), Expanded) :-
    callable(Body),
    dcg_translate_rule((x --> Body), (x(S0, S) :- Expanded0)),
    S0 = List,
    S = Rest,
    Expanded = Expanded0.

%!  expand_phrase(+Goal, +Position0, -Expanded, -Position) is semidet.
expand_phrase(Goal, Position, Expanded, Position) :-
    expand_phrase(Goal, Expanded).
