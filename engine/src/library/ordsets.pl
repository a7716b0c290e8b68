:- module(ordsets,
          [ is_ordset/1, ord_empty/1, list_to_ord_set/2, ord_memberchk/2,
            ord_add_element/3, ord_del_element/3, ord_selectchk/3, ord_intersect/2,
            ord_intersect/3, ord_intersection/2, ord_intersection/3, ord_intersection/4,
            ord_disjoint/2, ord_subtract/3, ord_union/2, ord_union/3, ord_union/4,
            ord_symdiff/3, ord_seteq/2, ord_subset/2
          ]).
:- use_module(library(error)).

% An ordered set is a list without duplicates in the standard order of terms.

%!  is_ordset(@Term) is semidet.
%   Term is an ordered set.
is_ordset(Term) :-
    is_list(Term),
    ascending(Term).

ascending([]).
ascending([X|Xs]) :-
    ascending(Xs, X).

ascending([], _).
ascending([Y|Ys], X) :-
    X @< Y,
    ascending(Ys, Y).

%!  ord_empty(?Set) is semidet.
%   Set is empty.
ord_empty([]).

%!  list_to_ord_set(+List, -Set) is det.
%   The elements of List as a set.
list_to_ord_set(List, Set) :-
    sort(List, Set).

%!  ord_memberchk(@Elem, +Set) is semidet.
%   Elem is identical to an element of Set.
ord_memberchk(X, [Y|Ys]) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  true
    ;   Order = (>)
    ->  ord_memberchk(X, Ys)
    ).


%!  ord_add_element(+Set, +Elem, -Set2) is det.
%   Set2 is Set with Elem.
ord_add_element(Set, X, Set2) :-
    ord_union(Set, [X], Set2).

%!  ord_del_element(+Set, +Elem, -Set2) is det.
%   Set2 is Set without Elem.
ord_del_element(Set, X, Set2) :-
    ord_subtract(Set, [X], Set2).

%!  ord_selectchk(+Elem, +Set, -Rest) is semidet.
%   Elem is in Set, Rest is the remainder.
ord_selectchk(X, [Y|Ys], Rest) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  Rest = Ys
    ;   Order = (>)
    ->  Rest = [Y|Rest1],
        ord_selectchk(X, Ys, Rest1)
    ).

%!  ord_intersect(+A, +B) is semidet.
%   A and B have an element in common.
ord_intersect([X|Xs], [Y|Ys]) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  true
    ;   Order = (<)
    ->  ord_intersect(Xs, [Y|Ys])
    ;   ord_intersect([X|Xs], Ys)
    ).

%!  ord_intersect(+A, +B, -Both) is det.
%   The older name of ord_intersection/3.
ord_intersect(A, B, Both) :-
    ord_intersection(A, B, Both).

%!  ord_disjoint(+A, +B) is semidet.
%   A and B have no element in common.
ord_disjoint(A, B) :-
    \+ ord_intersect(A, B).

%!  ord_intersection(+A, +B, -Both) is det.
%   The elements that are in both sets.
ord_intersection([], _, []).
ord_intersection([X|Xs], Ys, Both) :-
    both(Ys, X, Xs, Both).

both([], _, _, []).
both([Y|Ys], X, Xs, Both) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  Both = [X|Both1],
        ord_intersection(Xs, Ys, Both1)
    ;   Order = (<)
    ->  ord_intersection(Xs, [Y|Ys], Both)
    ;   both(Ys, X, Xs, Both)
    ).

%!  ord_intersection(+A, +B, -Both, -OnlyB) is det.
%   As ord_intersection/3; OnlyB are the elements of B that are not in A.
ord_intersection([], Ys, [], Ys).
ord_intersection([X|Xs], Ys, Both, OnlyY) :-
    both(Ys, X, Xs, Both, OnlyY).

both([], _, _, [], []).
both([Y|Ys], X, Xs, Both, OnlyY) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  Both = [X|Both1],
        ord_intersection(Xs, Ys, Both1, OnlyY)
    ;   Order = (<)
    ->  ord_intersection(Xs, [Y|Ys], Both, OnlyY)
    ;   OnlyY = [Y|OnlyY1],
        both(Ys, X, Xs, Both, OnlyY1)
    ).

%!  ord_intersection(+Sets, -All) is semidet.
%   The elements that are in all of a non-empty list of sets; fails on `[]`.
ord_intersection([Set|Sets], All) :-
    common(Sets, Set, All).

common([], All, All).
common([Set|Sets], All0, All) :-
    ord_intersection(All0, Set, All1),
    common(Sets, All1, All).

%!  ord_subtract(+A, +B, -Rest) is det.
%   The elements of A that are not in B.
ord_subtract([], _, []).
ord_subtract([X|Xs], Ys, Rest) :-
    without(Ys, X, Xs, Rest).

without([], X, Xs, [X|Xs]).
without([Y|Ys], X, Xs, Rest) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  ord_subtract(Xs, Ys, Rest)
    ;   Order = (<)
    ->  Rest = [X|Rest1],
        ord_subtract(Xs, [Y|Ys], Rest1)
    ;   without(Ys, X, Xs, Rest)
    ).

%!  ord_union(+Sets, -All) is det.
%   The union of a list of sets.
ord_union(Sets, All) :-
    append_all(Sets, List),
    sort(List, All).

append_all([], []).
append_all([Set|Sets], List) :-
    prepend(Set, Rest, List),
    append_all(Sets, Rest).

prepend([], List, List).
prepend([X|Xs], List, [X|Zs]) :-
    prepend(Xs, List, Zs).

%!  ord_union(+A, +B, -All) is det.
%   The elements that are in one of the sets.
ord_union([], Ys, Ys).
ord_union([X|Xs], Ys, All) :-
    either(Ys, X, Xs, All).

either([], X, Xs, [X|Xs]).
either([Y|Ys], X, Xs, All) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  All = [X|All1],
        ord_union(Xs, Ys, All1)
    ;   Order = (<)
    ->  All = [X|All1],
        ord_union(Xs, [Y|Ys], All1)
    ;   All = [Y|All1],
        either(Ys, X, Xs, All1)
    ).

%!  ord_union(+A, +B, -All, -New) is det.
%   As ord_union/3; New are the elements of B that are not in A.
ord_union([], Ys, Ys, Ys).
ord_union([X|Xs], Ys, All, New) :-
    either(Ys, X, Xs, All, New).

either([], X, Xs, [X|Xs], []).
either([Y|Ys], X, Xs, All, New) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  All = [X|All1],
        ord_union(Xs, Ys, All1, New)
    ;   Order = (<)
    ->  All = [X|All1],
        ord_union(Xs, [Y|Ys], All1, New)
    ;   All = [Y|All1],
        New = [Y|New1],
        either(Ys, X, Xs, All1, New1)
    ).

%!  ord_symdiff(+A, +B, -Diff) is det.
%   The elements that are in exactly one of the sets.
ord_symdiff([], Ys, Ys).
ord_symdiff([X|Xs], Ys, Diff) :-
    differ(Ys, X, Xs, Diff).

differ([], X, Xs, [X|Xs]).
differ([Y|Ys], X, Xs, Diff) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  ord_symdiff(Xs, Ys, Diff)
    ;   Order = (<)
    ->  Diff = [X|Diff1],
        ord_symdiff(Xs, [Y|Ys], Diff1)
    ;   Diff = [Y|Diff1],
        differ(Ys, X, Xs, Diff1)
    ).

%!  ord_seteq(+A, +B) is semidet.
%   Both sets have identical elements.
ord_seteq(A, B) :-
    A == B.

%!  ord_subset(+Part, +Whole) is semidet.
%   All elements of Part are in Whole.
ord_subset([], _).
ord_subset([X|Xs], [Y|Ys]) :-
    compare(Order, X, Y),
    (   Order = (=)
    ->  ord_subset(Xs, Ys)
    ;   Order = (>)
    ->  ord_subset([X|Xs], Ys)
    ).
