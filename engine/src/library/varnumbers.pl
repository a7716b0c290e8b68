:- module(varnumbers,
          [ numbervars/1, varnumbers/2, varnumbers/3, max_var_number/3, varnumbers_names/3 ]).

%!  numbervars(+Term) is det.
%   numbervars(Term, 0, _).
numbervars(Term) :-
    numbervars(Term, 0, _).

%!  varnumbers(+Term, -Term2) is det.
%   Term2 has variables in the place of the terms '$VAR'(N) of Term.
varnumbers(Term, Term2) :-
    varnumbers(Term, 0, Term2).

%!  varnumbers(+Term, +Start, -Term2) is det.
%   As varnumbers/2 for numbers from Start.
varnumbers(Term, Start, Term2) :-
    replace(Term, number(Start), Term2, [], _).

%!  varnumbers_names(+Term, -Term2, -Bindings) is det.
%   As varnumbers/2, also for '$VAR'(Name); Bindings are the pairs Name=Var.
varnumbers_names(Term, Term2, Bindings) :-
    replace(Term, any, Term2, [], Bindings0),
    turn(Bindings0, [], Bindings).

turn([], Bs, Bs).
turn([B|Bs0], Bs1, Bs) :-
    turn(Bs0, [B|Bs1], Bs).

replace(Term, Kind, Term2, Map0, Map) :-
    (   compound(Term)
    ->  (   Term = '$VAR'(Name),
            stands_for_variable(Kind, Name)
        ->  (   known(Map0, Name, Var)
            ->  Term2 = Var,
                Map = Map0
            ;   Map = [Name=Term2|Map0]
            )
        ;   compound_name_arguments(Term, F, Args),
            replace_all(Args, Kind, Args2, Map0, Map),
            compound_name_arguments(Term2, F, Args2)
        )
    ;   Term2 = Term,
        Map = Map0
    ).

replace_all([], _, [], Map, Map).
replace_all([A|As], Kind, [B|Bs], Map0, Map) :-
    replace(A, Kind, B, Map0, Map1),
    replace_all(As, Kind, Bs, Map1, Map).

stands_for_variable(any, Name) :-
    atomic(Name).
stands_for_variable(number(Start), N) :-
    integer(N),
    N >= Start.

known([N=V|Map], Name, Var) :-
    (   N == Name
    ->  Var = V
    ;   known(Map, Name, Var)
    ).

%!  max_var_number(+Term, +Start, -Max) is det.
%   Max is the largest N of a part '$VAR'(N), or Start if that is larger.
max_var_number(Term, Max0, Max) :-
    (   compound(Term)
    ->  (   Term = '$VAR'(N), integer(N)
        ->  Max is max(N, Max0)
        ;   compound_name_arguments(Term, _, Args),
            max_all(Args, Max0, Max)
        )
    ;   Max = Max0
    ).

max_all([], Max, Max).
max_all([A|As], Max0, Max) :-
    max_var_number(A, Max0, Max1),
    max_all(As, Max1, Max).
