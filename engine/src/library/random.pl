:- module(random,
          [ random/1, random/3, random_between/3, maybe/0, maybe/1, maybe/2, random_perm2/4,
            random_member/2, random_select/3, random_subseq/3, random_permutation/2,
            randseq/3, randset/3, random_numlist/4, getrand/1, setrand/1
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(pairs)).

%!  random(-X) is det.
%   A float between 0 and 1, both excluded.
random(X) :-
    X is random_float.

%!  random(+Low, +High, -X) is det.
%   A number from Low up to High, excluding High; an integer if both are integers.
random(Low, High, X) :-
    (   integer(Low), integer(High)
    ->  X is Low+random(High-Low)
    ;   X is Low+(High-Low)*random_float
    ).

%!  random_between(+Low, +High, -X) is semidet.
%   An integer from Low to High; fails if High is less than Low.
random_between(Low, High, X) :-
    must_be(integer, Low),
    must_be(integer, High),
    High >= Low,
    X is Low+random(High-Low+1).

%!  maybe is semidet.
%   Succeeds half of the times.
maybe :-
    0 =:= random(2).

%!  maybe(+P) is semidet.
%   Succeeds with probability P.
maybe(P) :-
    must_be(between(0.0, 1.0), P),
    random_float < P.

%!  maybe(+K, +N) is semidet.
%   Succeeds with probability K/N.
maybe(K, N) :-
    must_be(nonneg, K),
    must_be(positive_integer, N),
    random(N) < K.

%!  random_perm2(?A, ?B, ?X, ?Y) is semidet.
%   X and Y are A and B or B and A.
random_perm2(A, B, X, Y) :-
    (   maybe
    ->  X = A,
        Y = B
    ;   X = B,
        Y = A
    ).

%!  random_member(-X, +List) is semidet.
%   An element of List.
random_member(X, List) :-
    must_be(list, List),
    length(List, N),
    N > 0,
    I is random(N),
    nth0(I, List, X).

%!  random_select(?X, ?List, ?Rest) is semidet.
%   Takes an element out of List, or puts X into Rest at some place.
random_select(X, List, Rest) :-
    (   '$skip_list'(N, List, Tail), Tail == []
    ->  N > 0,
        I is random(N),
        nth0(I, List, X, Rest)
    ;   must_be(list, Rest),
        length(Rest, N),
        I is random(N+1),
        nth0(I, List, X, Rest)
    ).

%!  random_subseq(+List, -Part, -Rest) is det.
%   Divides List.
random_subseq([], [], []).
random_subseq([X|Xs], Part, Rest) :-
    (   maybe
    ->  Part = [X|Part1],
        random_subseq(Xs, Part1, Rest)
    ;   Rest = [X|Rest1],
        random_subseq(Xs, Part, Rest1)
    ).

%!  random_permutation(?List, ?Permutation) is det.
%   The elements in some order.
random_permutation(List, Permutation) :-
    (   is_list(List)
    ->  shuffle(List, Permutation)
    ;   must_be(list, Permutation),
        shuffle(Permutation, List)
    ).

shuffle(List, Shuffled) :-
    random_keys(List, Pairs),
    keysort(Pairs, Sorted),
    pairs_values(Sorted, Shuffled).

random_keys([], []).
random_keys([X|Xs], [K-X|Ps]) :-
    K is random_float,
    random_keys(Xs, Ps).

%!  randseq(+K, +Max, -List) is semidet.
%   K different integers from 1 to Max in some order.
randseq(K, Max, List) :-
    randset(K, Max, Set),
    shuffle(Set, List).

%!  randset(+K, +Max, -Set) is semidet.
%   K different integers from 1 to Max, ordered; fails if K is larger than Max.
randset(K, Max, Set) :-
    must_be(nonneg, K),
    must_be(nonneg, Max),
    K =< Max,
    choose(1, Max, K, Set).

choose(I, Max, K, Set) :-
    (   K =:= 0
    ->  Set = []
    ;   I1 is I+1,
        (   random(Max-I+1) < K
        ->  K1 is K-1,
            Set = [I|Set1],
            choose(I1, Max, K1, Set1)
        ;   choose(I1, Max, K, Set)
        )
    ).

%!  random_numlist(+P, +Low, +High, -List) is det.
%   The integers from Low to High, each with probability P.
random_numlist(P, Low, High, List) :-
    (   Low > High
    ->  List = []
    ;   Low1 is Low+1,
        (   random_float < P
        ->  List = [Low|List1]
        ;   List = List1
        ),
        random_numlist(P, Low1, High, List1)
    ).

%!  setrand(+Seed) is det.
%   Starts the random numbers from a seed.
setrand(Seed) :-
    (   integer(Seed)
    ->  set_random(seed(Seed))
    ;   term_hash(Seed, Hash),
        set_random(seed(Hash))
    ).

%!  getrand(-State) is det.
%   A term that stands for the state of the generator.
getrand(rand(A,B,C)) :-
    A is random(30000),
    B is random(30000),
    C is random(30000).
