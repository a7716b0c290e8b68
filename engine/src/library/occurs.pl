:- module(occurs,
          [ contains_term/2, contains_var/2, free_of_term/2, free_of_var/2,
            occurrences_of_term/3, occurrences_of_var/3, sub_term/2, sub_var/2,
            sub_term_shared_variables/3
          ]).
:- use_module(library(lists)).

%!  contains_term(+Sub, +Term) is semidet.
%   Sub unifies with a part of Term; no bindings are kept.
contains_term(Sub, Term) :-
    \+ free_of_term(Sub, Term).

%!  contains_var(+Sub, +Term) is semidet.
%   Sub is identical to a part of Term.
contains_var(Sub, Term) :-
    \+ free_of_var(Sub, Term).

%!  free_of_term(+Sub, +Term) is semidet.
%   Sub unifies with no part of Term.
free_of_term(Sub, Term) :-
    \+ ( sub_term(Part, Term), Part = Sub ).

%!  free_of_var(+Sub, +Term) is semidet.
%   Sub is identical to no part of Term.
free_of_var(Sub, Term) :-
    \+ ( sub_term(Part, Term), Part == Sub ).

%!  occurrences_of_term(+Sub, +Term, -Count) is det.
%   How many parts of Term are instances of Sub.
occurrences_of_term(Sub, Term, Count) :-
    findall(x, ( sub_term(Part, Term), subsumes_term(Sub, Part) ), Xs),
    length(Xs, Count).

%!  occurrences_of_var(+Sub, +Term, -Count) is det.
%   How many parts of Term are identical to Sub.
occurrences_of_var(Sub, Term, Count) :-
    findall(x, ( sub_term(Part, Term), Part == Sub ), Xs),
    length(Xs, Count).

%!  sub_term(-Sub, +Term) is nondet.
%   Sub is Term or a part of it, from the outside to the inside, left to right.
sub_term(Term, Term).
sub_term(Sub, Term) :-
    compound(Term),
    compound_name_arguments(Term, _, Args),
    member(Arg, Args),
    sub_term(Sub, Arg).

%!  sub_var(+Sub, +Term) is semidet.
%   Sub is identical to a part of Term.
sub_var(Sub, Term) :-
    sub_term(Part, Term),
    Sub == Part,
    !.

%!  sub_term_shared_variables(+Sub, +Term, -Vars) is det.
%   The variables of Sub that also occur in Term outside of it.
sub_term_shared_variables(Sub, Term, Vars) :-
    term_variables(Sub, SubVars),
    outside_vars(Term, Sub, Outside, []),
    term_variables(Outside, OutVars),
    shared(SubVars, OutVars, Vars).

outside_vars(Term, Sub, Vs, Rest) :-
    (   Term == Sub
    ->  Vs = Rest
    ;   var(Term)
    ->  Vs = [Term|Rest]
    ;   compound(Term)
    ->  compound_name_arguments(Term, _, Args),
        outside_args(Args, Sub, Vs, Rest)
    ;   Vs = Rest
    ).

outside_args([], _, Vs, Vs).
outside_args([A|As], Sub, Vs, Rest) :-
    outside_vars(A, Sub, Vs, Vs1),
    outside_args(As, Sub, Vs1, Rest).

shared([], _, []).
shared([V|Vs], OutVars, Shared) :-
    (   identical(OutVars, V)
    ->  Shared = [V|Shared1]
    ;   Shared = Shared1
    ),
    shared(Vs, OutVars, Shared1).

identical([W|Ws], V) :-
    (   W == V
    ->  true
    ;   identical(Ws, V)
    ).
