:- module(apply,
          [ include/3, exclude/3, partition/4, partition/5, maplist/2, maplist/3, maplist/4,
            maplist/5, maplist/6, maplist/7, convlist/3, foldl/4, foldl/5, foldl/6, foldl/7,
            foldr/4, scanl/4, scanl/5, scanl/6, scanl/7
          ]).
:- use_module(library(error)).

:- meta_predicate
    include(1, +, -), exclude(1, +, -), partition(1, +, -, -), partition(2, +, -, -, -),
    maplist(1, ?), maplist(2, ?, ?), maplist(3, ?, ?, ?), maplist(4, ?, ?, ?, ?),
    maplist(5, ?, ?, ?, ?, ?), maplist(6, ?, ?, ?, ?, ?, ?), convlist(2, +, -),
    foldl(3, +, +, -), foldl(4, +, +, +, -), foldl(5, +, +, +, +, -),
    foldl(6, +, +, +, +, +, -), foldr(3, +, +, -),
    scanl(3, +, +, -), scanl(4, +, +, +, -), scanl(5, +, +, +, +, -),
    scanl(6, +, +, +, +, +, -).

%!  include(:Goal, +List, -Kept) is det.
%   The elements for which call(Goal, X) succeeds.
include(Goal, List, Kept) :-
    include_(List, Goal, Kept).

include_([], _, []).
include_([X|Xs], Goal, Kept) :-
    (   call(Goal, X)
    ->  Kept = [X|Kept1]
    ;   Kept = Kept1
    ),
    include_(Xs, Goal, Kept1).

%!  exclude(:Goal, +List, -Kept) is det.
%   The elements for which call(Goal, X) fails.
exclude(Goal, List, Kept) :-
    exclude_(List, Goal, Kept).

exclude_([], _, []).
exclude_([X|Xs], Goal, Kept) :-
    (   call(Goal, X)
    ->  Kept = Kept1
    ;   Kept = [X|Kept1]
    ),
    exclude_(Xs, Goal, Kept1).

%!  partition(:Goal, +List, -In, -Out) is det.
%   In are the elements for which call(Goal, X) succeeds, Out the others.
partition(Goal, List, In, Out) :-
    partition_(List, Goal, In, Out).

partition_([], _, [], []).
partition_([X|Xs], Goal, In, Out) :-
    (   call(Goal, X)
    ->  In = [X|In1],
        Out = Out1
    ;   In = In1,
        Out = [X|Out1]
    ),
    partition_(Xs, Goal, In1, Out1).

%!  partition(:Goal, +List, -Less, -Equal, -Greater) is semidet.
%   Three-way division by the answer `<`, `=` or `>` of call(Goal, X, Answer).
%   Throws type_error(oneof([<,=,>]), Answer).
partition(Goal, List, Less, Equal, Greater) :-
    partition_(List, Goal, Less, Equal, Greater).

partition_([], _, [], [], []).
partition_([X|Xs], Goal, Less, Equal, Greater) :-
    call(Goal, X, Answer),
    sort_out(Answer, X, Xs, Goal, Less, Equal, Greater).

sort_out(Answer, X, Xs, Goal, Less, Equal, Greater) :-
    (   Answer == (<)
    ->  Less = [X|Less1],
        partition_(Xs, Goal, Less1, Equal, Greater)
    ;   Answer == (=)
    ->  Equal = [X|Equal1],
        partition_(Xs, Goal, Less, Equal1, Greater)
    ;   Answer == (>)
    ->  Greater = [X|Greater1],
        partition_(Xs, Goal, Less, Equal, Greater1)
    ;   must_be(oneof([<,=,>]), Answer)
    ).

%!  maplist(:Goal, ?Xs) is nondet.
%   call(Goal, X) for every element. The versions with more lists walk all of them together.
maplist(Goal, Xs) :-
    maplist_(Xs, Goal).

maplist_([], _).
maplist_([X|Xs], Goal) :-
    call(Goal, X),
    maplist_(Xs, Goal).

%!  maplist(:Goal, ?Xs, ?Ys) is nondet.
maplist(Goal, Xs, Ys) :-
    maplist_(Xs, Ys, Goal).

maplist_([], [], _).
maplist_([X|Xs], [Y|Ys], Goal) :-
    call(Goal, X, Y),
    maplist_(Xs, Ys, Goal).

%!  maplist(:Goal, ?Xs, ?Ys, ?Zs) is nondet.
maplist(Goal, Xs, Ys, Zs) :-
    maplist_(Xs, Ys, Zs, Goal).

maplist_([], [], [], _).
maplist_([X|Xs], [Y|Ys], [Z|Zs], Goal) :-
    call(Goal, X, Y, Z),
    maplist_(Xs, Ys, Zs, Goal).

%!  maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds) is nondet.
maplist(Goal, As, Bs, Cs, Ds) :-
    maplist_(As, Bs, Cs, Ds, Goal).

maplist_([], [], [], [], _).
maplist_([A|As], [B|Bs], [C|Cs], [D|Ds], Goal) :-
    call(Goal, A, B, C, D),
    maplist_(As, Bs, Cs, Ds, Goal).

%!  maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es) is nondet.
maplist(Goal, As, Bs, Cs, Ds, Es) :-
    maplist_(As, Bs, Cs, Ds, Es, Goal).

maplist_([], [], [], [], [], _).
maplist_([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], Goal) :-
    call(Goal, A, B, C, D, E),
    maplist_(As, Bs, Cs, Ds, Es, Goal).

%!  maplist(:Goal, ?As, ?Bs, ?Cs, ?Ds, ?Es, ?Fs) is nondet.
maplist(Goal, As, Bs, Cs, Ds, Es, Fs) :-
    maplist_(As, Bs, Cs, Ds, Es, Fs, Goal).

maplist_([], [], [], [], [], [], _).
maplist_([A|As], [B|Bs], [C|Cs], [D|Ds], [E|Es], [F|Fs], Goal) :-
    call(Goal, A, B, C, D, E, F),
    maplist_(As, Bs, Cs, Ds, Es, Fs, Goal).

%!  convlist(:Goal, +Xs, -Ys) is det.
%   The Y of call(Goal, X, Y), for the elements where it succeeds.
convlist(Goal, Xs, Ys) :-
    convlist_(Xs, Goal, Ys).

convlist_([], _, []).
convlist_([X|Xs], Goal, Ys) :-
    (   call(Goal, X, Y)
    ->  Ys = [Y|Ys1]
    ;   Ys = Ys1
    ),
    convlist_(Xs, Goal, Ys1).

%!  foldl(:Goal, +Xs, +V0, -V) is nondet.
%   Threads a value through call(Goal, X, V0, V1), … from the left.
foldl(Goal, Xs, V0, V) :-
    foldl_(Xs, Goal, V0, V).

foldl_([], _, V, V).
foldl_([X|Xs], Goal, V0, V) :-
    call(Goal, X, V0, V1),
    foldl_(Xs, Goal, V1, V).

%!  foldl(:Goal, +Xs, +Ys, +V0, -V) is nondet.
foldl(Goal, Xs, Ys, V0, V) :-
    foldl_(Xs, Ys, Goal, V0, V).

foldl_([], [], _, V, V).
foldl_([X|Xs], [Y|Ys], Goal, V0, V) :-
    call(Goal, X, Y, V0, V1),
    foldl_(Xs, Ys, Goal, V1, V).

%!  foldl(:Goal, +Xs, +Ys, +Zs, +V0, -V) is nondet.
foldl(Goal, Xs, Ys, Zs, V0, V) :-
    foldl_(Xs, Ys, Zs, Goal, V0, V).

foldl_([], [], [], _, V, V).
foldl_([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, V) :-
    call(Goal, X, Y, Z, V0, V1),
    foldl_(Xs, Ys, Zs, Goal, V1, V).

%!  foldl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -V) is nondet.
foldl(Goal, As, Bs, Cs, Ds, V0, V) :-
    foldl_(As, Bs, Cs, Ds, Goal, V0, V).

foldl_([], [], [], [], _, V, V).
foldl_([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, V) :-
    call(Goal, A, B, C, D, V0, V1),
    foldl_(As, Bs, Cs, Ds, Goal, V1, V).

%!  foldr(:Goal, +Xs, +V0, -V) is nondet.
%   As foldl/4, from the right end of the list.
foldr(Goal, Xs, V0, V) :-
    foldr_(Xs, Goal, V0, V).

foldr_([], _, V, V).
foldr_([X|Xs], Goal, V0, V) :-
    foldr_(Xs, Goal, V0, V1),
    call(Goal, X, V1, V).

%!  scanl(:Goal, +Xs, +V0, -Vs) is nondet.
%   As foldl/4, and Vs are V0 and all values after it.
scanl(Goal, Xs, V0, [V0|Vs]) :-
    scanl_(Xs, Goal, V0, Vs).

scanl_([], _, _, []).
scanl_([X|Xs], Goal, V0, [V1|Vs]) :-
    call(Goal, X, V0, V1),
    scanl_(Xs, Goal, V1, Vs).

%!  scanl(:Goal, +Xs, +Ys, +V0, -Vs) is nondet.
scanl(Goal, Xs, Ys, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Goal, V0, Vs).

scanl_([], [], _, _, []).
scanl_([X|Xs], [Y|Ys], Goal, V0, [V1|Vs]) :-
    call(Goal, X, Y, V0, V1),
    scanl_(Xs, Ys, Goal, V1, Vs).

%!  scanl(:Goal, +Xs, +Ys, +Zs, +V0, -Vs) is nondet.
scanl(Goal, Xs, Ys, Zs, V0, [V0|Vs]) :-
    scanl_(Xs, Ys, Zs, Goal, V0, Vs).

scanl_([], [], [], _, _, []).
scanl_([X|Xs], [Y|Ys], [Z|Zs], Goal, V0, [V1|Vs]) :-
    call(Goal, X, Y, Z, V0, V1),
    scanl_(Xs, Ys, Zs, Goal, V1, Vs).

%!  scanl(:Goal, +As, +Bs, +Cs, +Ds, +V0, -Vs) is nondet.
scanl(Goal, As, Bs, Cs, Ds, V0, [V0|Vs]) :-
    scanl_(As, Bs, Cs, Ds, Goal, V0, Vs).

scanl_([], [], [], [], _, _, []).
scanl_([A|As], [B|Bs], [C|Cs], [D|Ds], Goal, V0, [V1|Vs]) :-
    call(Goal, A, B, C, D, V0, V1),
    scanl_(As, Bs, Cs, Ds, Goal, V1, Vs).
