:- module(gensym, [gensym/2, reset_gensym/1, reset_gensym/0]).
:- use_module(library(error)).

:- dynamic counter/2.

%!  gensym(+Base, -Unique) is det.
%   Unique is Base followed by 1, 2, …
gensym(Base, Unique) :-
    must_be(atomic, Base),
    atom_string(Key, Base),
    (   retract(counter(Key, N0))
    ->  N is N0+1
    ;   N = 1
    ),
    assertz(counter(Key, N)),
    atom_concat(Key, N, Unique).

%!  reset_gensym(+Base) is det.
%   Starts again at 1 for Base.
reset_gensym(Base) :-
    must_be(atomic, Base),
    atom_string(Key, Base),
    retractall(counter(Key, _)).

%!  reset_gensym is det.
%   Starts again at 1 for all.
reset_gensym :-
    retractall(counter(_, _)).
