:- module(lists,
          [ append/2, append/3, prefix/2, select/3, select/4, selectchk/3, selectchk/4,
            subtract/3, permutation/2, member/2, memberchk/2, delete/3, flatten/2, clumped/2,
            nextto/3, same_length/2, reverse/2, proper_length/2, last/2, nth0/3, nth0/4,
            nth1/3, nth1/4, max_member/2, max_member/3, min_member/2, min_member/3,
            max_list/2, min_list/2, sum_list/2, numlist/3, is_set/1, list_to_set/2,
            intersection/3, union/3, subset/2, subseq/3
          ]).
:- use_module(library(error)).

:- meta_predicate max_member(2, -, +), min_member(2, -, +).

%!  member(?Elem, ?List) is nondet.
%   Elem is an element of List. Leaves no choice point on the last element.
member(X, [Y|Ys]) :-
    member_(Ys, X, Y).

member_(_, X, X).
member_([Y|Ys], X, _) :-
    member_(Ys, X, Y).

%!  memberchk(?Elem, ?List) is semidet.
%   First element of List that unifies with Elem; a partial list is extended.
%   Throws type_error(list, Tail) when the list ends in something else than `[]`.
memberchk(X, L) :-
    (   L = [Y|Ys]
    ->  (   X = Y
        ->  true
        ;   memberchk(X, Ys)
        )
    ;   L == []
    ->  fail
    ;   type_error(list, L)
    ).

%!  append(?Front, ?Back, ?Whole) is nondet.
%   Whole is Front followed by Back.
append([], L, L).
append([X|Xs], Ys, [X|Zs]) :-
    append(Xs, Ys, Zs).

%!  append(+Lists, ?Whole) is nondet.
%   Whole is the concatenation of a proper list of lists.
append(Lists, Whole) :-
    must_be(list, Lists),
    concat_lists(Lists, Whole).

concat_lists([], []).
concat_lists([L|Ls], Whole) :-
    append(L, Rest, Whole),
    concat_lists(Ls, Rest).

%!  prefix(?Part, ?Whole) is nondet.
%   Part is the beginning of Whole.
prefix([], _).
prefix([X|Xs], [X|Ys]) :-
    prefix(Xs, Ys).

%!  select(?Elem, ?List, ?Rest) is nondet.
%   Rest is List without one occurrence of Elem.
select(X, [H|T], Rest) :-
    select_(T, H, X, Rest).

select_(T, X, X, T).
select_([H|T], H0, X, [H0|Rest]) :-
    select_(T, H, X, Rest).

%!  select(?X, ?Xs, ?Y, ?Ys) is nondet.
%   Ys is Xs with one occurrence of X replaced by Y.
select(X, Xs, Y, Ys) :-
    swap_one(Xs, X, Y, Ys).

swap_one([X|T], X, Y, [Y|T]).
swap_one([H|T1], X, Y, [H|T2]) :-
    swap_one(T1, X, Y, T2).

%!  selectchk(+Elem, +List, -Rest) is semidet.
%   The first solution of select/3.
selectchk(X, L, Rest) :-
    select(X, L, R0),
    !,
    Rest = R0.

%!  selectchk(+X, ?Xs, +Y, ?Ys) is semidet.
%   The first solution of select/4.
selectchk(X, Xs, Y, Ys) :-
    select(X, Xs, Y, Ys),
    !.

%!  subtract(+Set, +Delete, -Rest) is det.
%   The elements of Set that unify with no element of Delete.
subtract(Xs, Ys, Rest) :-
    (   Xs == []
    ->  Rest = []
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   memberchk(X, Ys)
        ->  subtract(T, Ys, Rest)
        ;   Rest = [X|Rest1],
            subtract(T, Ys, Rest1)
        )
    ;   no_rule(subtract(Xs, Ys, Rest))
    ).

%!  intersection(+Set1, +Set2, -Both) is det.
%   The elements of Set1 that unify with an element of Set2.
intersection(Xs, Ys, Both) :-
    (   Xs == []
    ->  Both = []
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   memberchk(X, Ys)
        ->  Both = [X|Both1],
            intersection(T, Ys, Both1)
        ;   intersection(T, Ys, Both)
        )
    ;   no_rule(intersection(Xs, Ys, Both))
    ).

%!  union(+Set1, +Set2, -All) is det.
%   The elements of Set1 that are not in Set2, followed by Set2.
union(Xs, Ys, All) :-
    (   Xs == []
    ->  All = Ys
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   memberchk(X, Ys)
        ->  union(T, Ys, All)
        ;   All = [X|All1],
            union(T, Ys, All1)
        )
    ;   no_rule(union(Xs, Ys, All))
    ).

%!  subset(+Part, +Whole) is semidet.
%   Every element of Part unifies with one of Whole.
subset(Xs, Ys) :-
    (   Xs == []
    ->  true
    ;   nonvar(Xs), Xs = [X|T]
    ->  memberchk(X, Ys),
        subset(T, Ys)
    ;   no_rule(subset(Xs, Ys))
    ).

% The commit-style predicates of this library report an argument that none of their
% rules covers.
no_rule(Head) :-
    throw(error(existence_error(matching_rule, lists:Head), _)).

%!  permutation(?Xs, ?Ys) is nondet.
%   Ys holds the elements of Xs in some order. One of the two must be bounded in
%   length, or lists of growing length are enumerated.
permutation(Xs, Ys) :-
    '$skip_list'(N, Xs, XTail),
    '$skip_list'(M, Ys, YTail),
    (   XTail == [], YTail == []
    ->  N == M,
        arrange(Xs, Ys)
    ;   var(XTail), var(YTail)
    ->  length(Xs, L),
        length(Ys, L),
        arrange(Xs, Ys)
    ;   XTail == [], var(YTail)
    ->  length(Ys, N),
        arrange(Xs, Ys)
    ;   YTail == [], var(XTail)
    ->  length(Xs, M),
        arrange(Xs, Ys)
    ;   must_be(list, Xs),
        must_be(list, Ys)
    ).

arrange([], []).
arrange(Xs, [Y|Ys]) :-
    select(Y, Xs, Rest),
    arrange(Rest, Ys).

%!  delete(+List, @Elem, -Rest) is det.
%   List without the elements that unify with Elem; no bindings are made.
delete([], _, []).
delete([X|Xs], Elem, Rest) :-
    (   X \= Elem
    ->  Rest = [X|Rest1],
        delete(Xs, Elem, Rest1)
    ;   delete(Xs, Elem, Rest)
    ).

%!  flatten(+Nested, -Flat) is det.
%   Flat holds the elements of nested lists; `[]` disappears, what is no list becomes one.
flatten(Nested, Flat) :-
    flat(Nested, [], Flat0),
    !,
    Flat = Flat0.

flat(X, Tail, [X|Tail]) :-
    var(X),
    !.
flat([], Tail, Tail) :-
    !.
flat([X|Xs], Tail, Flat) :-
    !,
    flat(X, Rest, Flat),
    flat(Xs, Tail, Rest).
flat(X, Tail, [X|Tail]).

%!  clumped(+Items, -Runs) is det.
%   Runs are `Item-Count` pairs for the runs of identical elements.
clumped([], []).
clumped([X|Xs], Runs) :-
    clump(Xs, X, 1, Runs).

clump([], X, N, [X-N]).
clump([Y|Ys], X, N, Runs) :-
    (   X == Y
    ->  N1 is N+1,
        clump(Ys, X, N1, Runs)
    ;   Runs = [X-N|Runs1],
        clump(Ys, Y, 1, Runs1)
    ).

%!  subseq(+List, -Part, -Rest) is nondet.
%   Part and Rest divide the elements of List, both in order.
subseq([], [], []).
subseq([X|Xs], Part, [X|Rest]) :-
    subseq(Xs, Part, Rest).
subseq([X|Xs], [X|Part], Rest) :-
    subseq(Xs, Part, Rest).

%!  nextto(?X, ?Y, ?List) is nondet.
%   Y comes directly after X.
nextto(X, Y, [X,Y|_]).
nextto(X, Y, [_|T]) :-
    nextto(X, Y, T).

%!  same_length(?Xs, ?Ys) is nondet.
%   Both lists have the same length.
same_length([], []).
same_length([_|Xs], [_|Ys]) :-
    same_length(Xs, Ys).

%!  reverse(?Xs, ?Ys) is det.
%   Ys is Xs backwards.
reverse(Xs, Ys) :-
    reverse_(Xs, [], Ys).

reverse_([], Ys, Ys).
reverse_([X|Xs], Acc, Ys) :-
    reverse_(Xs, [X|Acc], Ys).

%!  proper_length(@List, -Length) is semidet.
%   List is a proper list of this length.
proper_length(List, Length) :-
    '$skip_list'(N, List, Tail),
    Tail == [],
    Length = N.

%!  last(?List, ?Last) is nondet.
%   Last is the last element.
last([X|Xs], Last) :-
    last_(Xs, X, Last).

last_([], Last, Last).
last_([X|Xs], _, Last) :-
    last_(Xs, X, Last).

%!  nth0(?Index, ?List, ?Elem) is nondet.
%   Elem is at Index, counting from 0. Throws type_error(integer, Index).
nth0(Index, List, Elem) :-
    (   integer(Index)
    ->  Index >= 0,
        nth_det(Index, List, Elem)
    ;   var(Index)
    ->  nth_gen(List, Elem, 0, Index)
    ;   type_error(integer, Index)
    ).

%!  nth1(?Index, ?List, ?Elem) is nondet.
%   As nth0/3, counting from 1.
nth1(Index, List, Elem) :-
    (   integer(Index)
    ->  Index >= 1,
        Index0 is Index-1,
        nth_det(Index0, List, Elem)
    ;   var(Index)
    ->  nth_gen(List, Elem, 1, Index)
    ;   type_error(integer, Index)
    ).

nth_det(I, [X|Xs], Elem) :-
    (   I =:= 0
    ->  Elem = X
    ;   I1 is I-1,
        nth_det(I1, Xs, Elem)
    ).

nth_gen([X|Xs], Elem, Base, Index) :-
    nth_gen_(Xs, X, Elem, Base, Index).

nth_gen_(_, Elem, Elem, Base, Base).
nth_gen_([X|Xs], _, Elem, Base, Index) :-
    Base1 is Base+1,
    nth_gen_(Xs, X, Elem, Base1, Index).

%!  nth0(?Index, ?List, ?Elem, ?Rest) is nondet.
%   Elem is at Index of List and Rest is List without it; also inserts.
%   Throws type_error(nonneg, Index).
nth0(Index, List, Elem, Rest) :-
    (   var(Index)
    ->  pick_gen(List, Elem, Rest, 0, Index)
    ;   must_be(nonneg, Index),
        pick_det(Index, List, Elem, Rest)
    ).

%!  nth1(?Index, ?List, ?Elem, ?Rest) is nondet.
%   As nth0/4, counting from 1. Throws type_error(positive_integer, Index).
nth1(Index, List, Elem, Rest) :-
    (   var(Index)
    ->  pick_gen(List, Elem, Rest, 1, Index)
    ;   must_be(positive_integer, Index),
        Index0 is Index-1,
        pick_det(Index0, List, Elem, Rest)
    ).

pick_det(I, [X|Xs], Elem, Rest) :-
    (   I =:= 0
    ->  Elem = X,
        Rest = Xs
    ;   I1 is I-1,
        Rest = [X|Rest1],
        pick_det(I1, Xs, Elem, Rest1)
    ).

pick_gen([X|Xs], Elem, Rest, Base, Index) :-
    pick_gen_(Xs, X, Elem, Rest, Base, Index).

pick_gen_(Xs, Elem, Elem, Xs, Base, Base).
pick_gen_([X|Xs], X0, Elem, [X0|Rest], Base, Index) :-
    Base1 is Base+1,
    pick_gen_(Xs, X, Elem, Rest, Base1, Index).

%!  max_member(-Max, +List) is semidet.
%   The largest element in the standard order of terms.
max_member(Max, List) :-
    (   nonvar(List), List = [X|Xs]
    ->  max_std(Xs, X, Max)
    ;   List == []
    ->  fail
    ;   no_rule(max_member(Max, List))
    ).

max_std(Xs, Max0, Max) :-
    (   Xs == []
    ->  Max = Max0
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   X @=< Max0
        ->  max_std(T, Max0, Max)
        ;   max_std(T, X, Max)
        )
    ;   no_rule(max_member_(Xs, Max0, Max))
    ).

%!  min_member(-Min, +List) is semidet.
%   The smallest element in the standard order of terms.
min_member(Min, List) :-
    (   nonvar(List), List = [X|Xs]
    ->  min_std(Xs, X, Min)
    ;   List == []
    ->  fail
    ;   no_rule(min_member(Min, List))
    ).

min_std(Xs, Min0, Min) :-
    (   Xs == []
    ->  Min = Min0
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   X @< Min0
        ->  min_std(T, X, Min)
        ;   min_std(T, Min0, Min)
        )
    ;   no_rule(min_member_(Xs, Min0, Min))
    ).

%!  max_member(:Pred, -Max, +List) is semidet.
%   The last element of List that is not before another by call(Pred, A, B), read as `A =< B`.
max_member(Pred, Max, List) :-
    (   nonvar(List), List = [X|Xs]
    ->  max_pred(Xs, Pred, X, Max)
    ;   List == []
    ->  fail
    ;   no_rule(max_member(Pred, Max, List))
    ).

max_pred(Xs, Pred, Max0, Max) :-
    (   Xs == []
    ->  Max = Max0
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   call(Pred, X, Max0)
        ->  max_pred(T, Pred, Max0, Max)
        ;   max_pred(T, Pred, X, Max)
        )
    ;   no_rule(max_member_(Xs, Pred, Max0, Max))
    ).

%!  min_member(:Pred, -Min, +List) is semidet.
%   The first element of List that comes before all others by call(Pred, A, B), read as `A =< B`.
min_member(Pred, Min, List) :-
    (   nonvar(List), List = [X|Xs]
    ->  min_pred(Xs, Pred, X, Min)
    ;   List == []
    ->  fail
    ;   no_rule(min_member(Pred, Min, List))
    ).

min_pred(Xs, Pred, Min0, Min) :-
    (   Xs == []
    ->  Min = Min0
    ;   nonvar(Xs), Xs = [X|T]
    ->  (   call(Pred, Min0, X)
        ->  min_pred(T, Pred, Min0, Min)
        ;   min_pred(T, Pred, X, Min)
        )
    ;   no_rule(min_member_(Xs, Pred, Min0, Min))
    ).

%!  max_list(+Numbers, -Max) is semidet.
%   The largest number, as the function max/2 finds it. Fails on `[]`.
max_list(Xs, Max) :-
    (   nonvar(Xs), Xs = [X|T]
    ->  max_num(T, X, Max)
    ;   Xs == []
    ->  fail
    ;   no_rule(max_list(Xs, Max))
    ).

max_num(Xs, Max0, Max) :-
    (   Xs == []
    ->  Max = Max0
    ;   nonvar(Xs), Xs = [X|T]
    ->  Max1 is max(Max0, X),
        max_num(T, Max1, Max)
    ;   no_rule(max_list(Xs, Max0, Max))
    ).

%!  min_list(+Numbers, -Min) is semidet.
%   The smallest number, as the function min/2 finds it. Fails on `[]`.
min_list(Xs, Min) :-
    (   nonvar(Xs), Xs = [X|T]
    ->  min_num(T, X, Min)
    ;   Xs == []
    ->  fail
    ;   no_rule(min_list(Xs, Min))
    ).

min_num(Xs, Min0, Min) :-
    (   Xs == []
    ->  Min = Min0
    ;   nonvar(Xs), Xs = [X|T]
    ->  Min1 is min(Min0, X),
        min_num(T, Min1, Min)
    ;   no_rule(min_list(Xs, Min0, Min))
    ).

%!  sum_list(+Numbers, -Sum) is det.
%   The sum, 0 for `[]`.
sum_list(Xs, Sum) :-
    sum_list(Xs, 0, Sum).

sum_list(Xs, Sum0, Sum) :-
    (   Xs == []
    ->  Sum = Sum0
    ;   nonvar(Xs), Xs = [X|T]
    ->  Sum1 is Sum0+X,
        sum_list(T, Sum1, Sum)
    ;   no_rule(sum_list(Xs, Sum0, Sum))
    ).

%!  numlist(+Low, +High, -Numbers) is semidet.
%   The integers from Low to High; fails if High is less than Low.
numlist(Low, High, Numbers) :-
    must_be(integer, Low),
    must_be(integer, High),
    Low =< High,
    numlist_(Low, High, Numbers).

numlist_(I, High, [I|T]) :-
    (   I =:= High
    ->  T = []
    ;   I1 is I+1,
        numlist_(I1, High, T)
    ).

%!  is_set(@Term) is semidet.
%   Term is a proper list without identical elements.
is_set(Set) :-
    '$skip_list'(N, Set, Tail),
    Tail == [],
    sort(Set, Sorted),
    length(Sorted, N).

%!  list_to_set(+List, -Set) is det.
%   List without the later copies of identical elements.
list_to_set(List, Set) :-
    must_be(list, List),
    number_items(List, 1, Numbered),
    sort(1, @=<, Numbered, Sorted),
    first_of_runs(Sorted, Firsts),
    sort(2, @=<, Firsts, InOrder),
    pair_keys(InOrder, Set).

number_items([], _, []).
number_items([X|Xs], N, [X-N|Ps]) :-
    N1 is N+1,
    number_items(Xs, N1, Ps).

first_of_runs([], []).
first_of_runs([X-N|Ps], [X-N|Fs]) :-
    skip_run(Ps, X, Fs).

skip_run([], _, []).
skip_run([Y-M|Ps], X, Fs) :-
    (   X == Y
    ->  skip_run(Ps, X, Fs)
    ;   Fs = [Y-M|Fs1],
        skip_run(Ps, Y, Fs1)
    ).

pair_keys([], []).
pair_keys([X-_|Ps], [X|Xs]) :-
    pair_keys(Ps, Xs).
