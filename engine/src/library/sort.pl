:- module(sort, [predsort/3, locale_sort/2]).
:- use_module(library(error)).

:- meta_predicate predsort(3, +, -).

%!  predsort(:Compare, +List, -Sorted) is semidet.
%   Sorts by call(Compare, Order, A, B), which says `<`, `=` or `>`; of equal elements the
%   first is kept. Fails if Compare fails. A list that is not proper is an error.
predsort(Compare, List, Sorted) :-
    '$skip_list'(N, List, Tail),
    (   Tail == []
    ->  pred_sort(N, Compare, List, _, Sorted1),
        Sorted = Sorted1
    ;   existence_error(type, List)
    ).

% Sorts the first N elements of a list and gives what is left of it.
pred_sort(N, Compare, List, Rest, Sorted) :-
    (   N =:= 2
    ->  List = [A,B|Rest],
        call(Compare, Order, A, B),
        order_two(Order, A, B, Sorted)
    ;   N =:= 1
    ->  List = [A|Rest],
        Sorted = [A]
    ;   N =:= 0
    ->  Rest = List,
        Sorted = []
    ;   Half is N//2,
        Half2 is N-Half,
        pred_sort(Half, Compare, List, Rest1, Sorted1),
        pred_sort(Half2, Compare, Rest1, Rest, Sorted2),
        pred_merge(Compare, Sorted1, Sorted2, Sorted)
    ).

order_two(<, A, B, [A,B]).
order_two(=, A, _, [A]).
order_two(>, A, B, [B,A]).

pred_merge(_, [], Bs, Bs) :-
    !.
pred_merge(_, As, [], As) :-
    !.
pred_merge(Compare, [A|As], [B|Bs], Sorted) :-
    call(Compare, Order, A, B),
    !,
    merge_step(Order, Compare, A, B, As, Bs, Sorted).

merge_step(<, Compare, A, B, As, Bs, [A|Sorted]) :-
    pred_merge(Compare, As, [B|Bs], Sorted).
merge_step(=, Compare, A, _, As, Bs, [A|Sorted]) :-
    pred_merge(Compare, As, Bs, Sorted).
merge_step(>, Compare, A, B, As, Bs, [B|Sorted]) :-
    pred_merge(Compare, [A|As], Bs, Sorted).

%!  locale_sort(+Atoms, -Sorted) is det.
%   Atoms in alphabetical order.
locale_sort(Atoms, Sorted) :-
    must_be(list, Atoms),
    collation_pairs(Atoms, Pairs),
    keysort(Pairs, SortedPairs),
    pair_values(SortedPairs, Sorted).

collation_pairs([], []).
collation_pairs([A|As], [K-A|Ps]) :-
    collation_key(A, K),
    collation_pairs(As, Ps).

pair_values([], []).
pair_values([_-V|Ps], [V|Vs]) :-
    pair_values(Ps, Vs).
