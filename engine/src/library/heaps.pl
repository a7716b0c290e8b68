:- module(heaps,
          [ add_to_heap/4, delete_from_heap/4, empty_heap/1, get_from_heap/4, heap_size/2,
            heap_to_list/2, is_heap/1, list_to_heap/2, merge_heaps/3, min_of_heap/3,
            min_of_heap/5, singleton_heap/3
          ]).

% A priority queue is heap(Tree, Size) with a pairing heap: `nil` or t(Key, Priority, Trees)
% where no priority in Trees comes before Priority in the standard order.

%!  empty_heap(?Heap) is semidet.
%   Heap has no elements.
empty_heap(heap(nil,0)).

%!  singleton_heap(?Heap, ?Priority, ?Key) is semidet.
%   Heap has this one element.
singleton_heap(heap(t(Key,Priority,[]),1), Priority, Key).

%!  add_to_heap(+Heap, +Priority, ?Key, -Heap2) is det.
%   Puts Key in.
add_to_heap(heap(Tree0,N0), Priority, Key, heap(Tree,N)) :-
    N is N0+1,
    meld(Tree0, t(Key,Priority,[]), Tree).

meld(nil, Tree, Tree) :-
    !.
meld(Tree, nil, Tree) :-
    !.
meld(A, B, Tree) :-
    A = t(KA,PA,TA),
    B = t(KB,PB,TB),
    (   PA @< PB
    ->  Tree = t(KA,PA,[B|TA])
    ;   Tree = t(KB,PB,[A|TB])
    ).

%!  get_from_heap(?Heap, ?Priority, ?Key, -Heap2) is semidet.
%   Takes the element with the smallest priority out.
get_from_heap(heap(t(Key,Priority,Trees),N0), Priority, Key, heap(Tree,N)) :-
    N is N0-1,
    meld_pairs(Trees, Tree).

meld_pairs([], nil).
meld_pairs([T|Ts], Tree) :-
    meld_pairs(Ts, T, Tree).

meld_pairs([], T, T).
meld_pairs([T2|Ts], T1, Tree) :-
    meld(T1, T2, T12),
    meld_pairs(Ts, Rest),
    meld(T12, Rest, Tree).

%!  delete_from_heap(+Heap, -Priority, +Key, -Heap2) is semidet.
%   Takes one element with this key out.
delete_from_heap(heap(Tree0,N0), Priority, Key, heap(Tree,N)) :-
    without(Tree0, Priority, Key, Tree),
    !,
    N is N0-1.

without(t(Key,Priority,Trees), Priority, Key, Tree) :-
    meld_pairs(Trees, Tree).
without(t(K,P,Trees0), Priority, Key, Tree) :-
    take_tree(Trees0, Priority, Key, New, Others),
    meld(t(K,P,Others), New, Tree).

take_tree([T|Ts], Priority, Key, New, Ts) :-
    without(T, Priority, Key, New),
    !.
take_tree([T|Ts], Priority, Key, New, [T|Others]) :-
    take_tree(Ts, Priority, Key, New, Others).

%!  heap_size(+Heap, -Size) is det.
%   The number of elements.
heap_size(heap(_,Size), Size).

%!  heap_to_list(+Heap, -Pairs) is det.
%   The elements as Priority-Key in the order of the priorities.
heap_to_list(Heap, Pairs) :-
    (   get_from_heap(Heap, Priority, Key, Heap2)
    ->  Pairs = [Priority-Key|Pairs1],
        heap_to_list(Heap2, Pairs1)
    ;   Pairs = []
    ).

%!  list_to_heap(+Pairs, -Heap) is det.
%   The heap of a list of Priority-Key.
list_to_heap(Pairs, Heap) :-
    empty_heap(Heap0),
    add_pairs(Pairs, Heap0, Heap).

add_pairs([], Heap, Heap).
add_pairs([Priority-Key|Pairs], Heap0, Heap) :-
    add_to_heap(Heap0, Priority, Key, Heap1),
    add_pairs(Pairs, Heap1, Heap).

%!  merge_heaps(+A, +B, -Heap) is det.
%   The elements of both.
merge_heaps(heap(TA,NA), heap(TB,NB), heap(Tree,N)) :-
    N is NA+NB,
    meld(TA, TB, Tree).

%!  min_of_heap(+Heap, ?Priority, ?Key) is semidet.
%   The element with the smallest priority.
min_of_heap(heap(t(Key,Priority,_),_), Priority, Key).

%!  min_of_heap(+Heap, ?Priority1, ?Key1, ?Priority2, ?Key2) is semidet.
%   The two elements with the smallest priorities.
min_of_heap(Heap, Priority1, Key1, Priority2, Key2) :-
    get_from_heap(Heap, Priority1, Key1, Heap2),
    min_of_heap(Heap2, Priority2, Key2).

%!  is_heap(@Term) is semidet.
%   Term is a well-formed heap.
is_heap(Term) :-
    nonvar(Term),
    Term = heap(Tree,N),
    integer(N),
    nonvar(Tree),
    (   Tree == nil
    ->  N =:= 0
    ;   N > 0,
        is_tree(Tree)
    ).

is_tree(Tree) :-
    nonvar(Tree),
    Tree = t(_,P,Trees),
    is_list(Trees),
    are_trees(Trees, P).

are_trees([], _).
are_trees([T|Ts], P0) :-
    is_tree(T),
    arg(2, T, P),
    P0 @=< P,
    are_trees(Ts, P0).
