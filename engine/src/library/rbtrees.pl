:- module(rbtrees,
          [ rb_new/1, rb_empty/1, rb_lookup/3, rb_update/4, rb_update/5, rb_apply/4,
            rb_insert/4, rb_insert_new/4, rb_delete/3, rb_delete/4, rb_visit/2, rb_keys/2,
            rb_map/2, rb_map/3, rb_partial_map/4, rb_fold/4, rb_clone/3, rb_min/3, rb_max/3,
            rb_del_min/4, rb_del_max/4, rb_next/4, rb_previous/4, list_to_rbtree/2,
            ord_list_to_rbtree/2, is_rbtree/1, rb_size/2, rb_in/3
          ]).
:- use_module(library(error)).

:- meta_predicate
    rb_map(+, 1), rb_map(+, 2, -), rb_partial_map(+, +, 2, -), rb_apply(+, +, 2, -),
    rb_fold(3, +, +, -).

% A tree is t(Nil, Root); a node is black(Left, Key, Value, Right) or red(…), and Nil, shared by
% all leaves, is black('', _, _, '').

%!  rb_new(-Tree) is det.
%   An empty tree.
rb_new(t(Nil,Nil)) :-
    Nil = black('',_,_,'').

%!  rb_empty(?Tree) is semidet.
%   Tree is empty.
rb_empty(t(Nil,Nil)) :-
    Nil = black('',_,_,'').

no_rule(Head) :-
    throw(error(existence_error(matching_rule, rbtrees:Head), _)).

%!  rb_lookup(+Key, -Value, +Tree) is semidet.
%   Value belongs to Key.
rb_lookup(Key, Value, Tree) :-
    (   nonvar(Tree), Tree = t(_,Root)
    ->  lookup(Root, Key, Value)
    ;   no_rule(rb_lookup(Key, Value, Tree))
    ).

lookup(black(L,K,V,R), Key, Value) :-
    L \== '',
    compare(Order, Key, K),
    lookup(Order, L, V, R, Key, Value).
lookup(red(L,K,V,R), Key, Value) :-
    compare(Order, Key, K),
    lookup(Order, L, V, R, Key, Value).

lookup(=, _, V, _, _, V).
lookup(<, L, _, _, Key, Value) :-
    lookup(L, Key, Value).
lookup(>, _, _, R, Key, Value) :-
    lookup(R, Key, Value).

% node(Node, Colour, Left, Key, Value, Right): takes apart or makes a node that is no leaf.
node(black(L,K,V,R), black, L, K, V, R) :-
    L \== ''.
node(red(L,K,V,R), red, L, K, V, R).

leaf(black(L,_,_,_)) :-
    L == ''.

paint(black, L, K, V, R, black(L,K,V,R)).
paint(red, L, K, V, R, red(L,K,V,R)).

%!  rb_min(+Tree, -Key, -Value) is semidet.
%   The first key.
rb_min(t(_,Root), Key, Value) :-
    first(Root, Key, Value).

first(Node, Key, Value) :-
    node(Node, _, L, K, V, _),
    (   leaf(L)
    ->  Key = K,
        Value = V
    ;   first(L, Key, Value)
    ).

%!  rb_max(+Tree, -Key, -Value) is semidet.
%   The last key.
rb_max(t(_,Root), Key, Value) :-
    last(Root, Key, Value).

last(Node, Key, Value) :-
    node(Node, _, _, K, V, R),
    (   leaf(R)
    ->  Key = K,
        Value = V
    ;   last(R, Key, Value)
    ).

%!  rb_next(+Tree, +Key, -Next, -Value) is semidet.
%   The first key after Key.
rb_next(t(_,Root), Key, Next, Value) :-
    after(Root, Key, none, found(Next, Value)).

after(Node, Key, Best, Found) :-
    (   leaf(Node)
    ->  Found = Best
    ;   node(Node, _, L, K, V, R),
        (   K @> Key
        ->  after(L, Key, found(K,V), Found)
        ;   after(R, Key, Best, Found)
        )
    ).

%!  rb_previous(+Tree, +Key, -Previous, -Value) is semidet.
%   The last key before Key.
rb_previous(t(_,Root), Key, Previous, Value) :-
    before(Root, Key, none, found(Previous, Value)).

before(Node, Key, Best, Found) :-
    (   leaf(Node)
    ->  Found = Best
    ;   node(Node, _, L, K, V, R),
        (   K @< Key
        ->  before(R, Key, found(K,V), Found)
        ;   before(L, Key, Best, Found)
        )
    ).

%!  rb_update(+Tree, +Key, ?Value, -Tree2) is semidet.
%   Tree2 is Tree with another value for an existing key.
rb_update(Tree, Key, Value, Tree2) :-
    rb_update(Tree, Key, _, Value, Tree2).

%!  rb_update(+Tree, +Key, ?OldValue, ?Value, -Tree2) is semidet.
rb_update(t(Nil,Root), Key, Old, Value, t(Nil,Root2)) :-
    update(Root, Key, Old, Value, Root2).

update(Node, Key, Old, Value, Node2) :-
    node(Node, Colour, L, K, V, R),
    compare(Order, Key, K),
    (   Order = (=)
    ->  Old = V,
        paint(Colour, L, K, Value, R, Node2)
    ;   Order = (<)
    ->  update(L, Key, Old, Value, L2),
        paint(Colour, L2, K, V, R, Node2)
    ;   update(R, Key, Old, Value, R2),
        paint(Colour, L, K, V, R2, Node2)
    ).

%!  rb_apply(+Tree, +Key, :Goal, -Tree2) is semidet.
%   Replaces the value V of Key by the V2 of call(Goal, V, V2).
rb_apply(Tree, Key, Goal, Tree2) :-
    rb_update(Tree, Key, V, V2, Tree2),
    call(Goal, V, V2),
    !.

%!  rb_in(?Key, ?Value, +Tree) is nondet.
%   Enumerates the pairs in the order of the keys; a bound key is looked up.
rb_in(Key, Value, t(_,Root)) :-
    (   var(Key)
    ->  enumerate(Root, Key, Value)
    ;   lookup(Root, Key, Value)
    ).

enumerate(Node, Key, Value) :-
    node(Node, _, L, K, V, R),
    enumerate(L, R, K, V, Key, Value).

enumerate(L, _, _, _, Key, Value) :-
    enumerate(L, Key, Value).
enumerate(_, R, K, V, Key, Value) :-
    (   leaf(R)
    ->  Key = K,
        Value = V
    ;   here_or_right(R, K, V, Key, Value)
    ).

here_or_right(_, K, V, K, V).
here_or_right(R, _, _, Key, Value) :-
    enumerate(R, Key, Value).

%!  rb_insert(+Tree, +Key, ?Value, -Tree2) is det.
%   Tree2 is Tree with Key leading to Value.
rb_insert(Tree, Key, Value, Tree2) :-
    (   nonvar(Tree), Tree = t(Nil,Root)
    ->  Tree2 = t(Nil,Root2),
        insert(Root, Key, Value, Nil, replace, Root1),
        blacken(Root1, Root2)
    ;   no_rule(rb_insert(Tree, Key, Value, Tree2))
    ).

%!  rb_insert_new(+Tree, +Key, ?Value, -Tree2) is semidet.
%   As rb_insert/4, fails if Key is there.
rb_insert_new(Tree, Key, Value, Tree2) :-
    (   nonvar(Tree), Tree = t(Nil,Root)
    ->  Tree2 = t(Nil,Root2),
        insert(Root, Key, Value, Nil, new, Root1),
        blacken(Root1, Root2)
    ;   no_rule(rb_insert_new(Tree, Key, Value, Tree2))
    ).

blacken(Node, Black) :-
    (   Node = red(L,K,V,R)
    ->  Black = black(L,K,V,R)
    ;   Black = Node
    ).

insert(Node, Key, Value, Nil, How, Node2) :-
    (   leaf(Node)
    ->  Node2 = red(Nil,Key,Value,Nil)
    ;   node(Node, Colour, L, K, V, R),
        compare(Order, Key, K),
        (   Order = (=)
        ->  How == replace,
            paint(Colour, L, Key, Value, R, Node2)
        ;   Order = (<)
        ->  insert(L, Key, Value, Nil, How, L2),
            balance_left(Colour, L2, K, V, R, Node2)
        ;   insert(R, Key, Value, Nil, How, R2),
            balance_right(Colour, L, K, V, R2, Node2)
        )
    ).

% A black node whose left (right) side may begin with two red nodes. If the other side is red as
% well, the colours are exchanged, otherwise the nodes turn.
balance_left(red, L, K, V, R, red(L,K,V,R)).
balance_left(black, L, K, V, R, Node) :-
    (   L = red(LL,LK,LV,LR)
    ->  (   LL = red(A,AK,AV,B)
        ->  (   R = red(RL,RK,RV,RR)
            ->  Node = red(black(LL,LK,LV,LR),K,V,black(RL,RK,RV,RR))
            ;   Node = black(red(A,AK,AV,B),LK,LV,red(LR,K,V,R))
            )
        ;   LR = red(B,BK,BV,C)
        ->  (   R = red(RL,RK,RV,RR)
            ->  Node = red(black(LL,LK,LV,LR),K,V,black(RL,RK,RV,RR))
            ;   Node = black(red(LL,LK,LV,B),BK,BV,red(C,K,V,R))
            )
        ;   Node = black(L,K,V,R)
        )
    ;   Node = black(L,K,V,R)
    ).

balance_right(red, L, K, V, R, red(L,K,V,R)).
balance_right(black, L, K, V, R, Node) :-
    (   R = red(RL,RK,RV,RR)
    ->  (   RR = red(_,_,_,_)
        ->  (   L = red(LL,LK,LV,LR)
            ->  Node = red(black(LL,LK,LV,LR),K,V,black(RL,RK,RV,RR))
            ;   Node = black(red(L,K,V,RL),RK,RV,RR)
            )
        ;   RL = red(B,BK,BV,C)
        ->  (   L = red(LL,LK,LV,LR)
            ->  Node = red(black(LL,LK,LV,LR),K,V,black(RL,RK,RV,RR))
            ;   Node = black(red(L,K,V,B),BK,BV,red(C,RK,RV,RR))
            )
        ;   Node = black(L,K,V,R)
        )
    ;   Node = black(L,K,V,R)
    ).

%!  rb_delete(+Tree, +Key, -Tree2) is semidet.
%   Takes Key out.
rb_delete(Tree, Key, Tree2) :-
    rb_delete(Tree, Key, _, Tree2).

%!  rb_delete(+Tree, +Key, -Value, -Tree2) is semidet.
%   Takes Key and its value out.
rb_delete(t(Nil,Root), Key, Value, t(Nil,Root2)) :-
    remove(Root, Key, Value, Nil, Root1, _),
    blacken(Root1, Root2).

% The last argument of remove/6 tells whether the tree has lost a level of black nodes.
remove(Node, Key, Value, Nil, Node2, Short) :-
    node(Node, Colour, L, K, V, R),
    compare(Order, Key, K),
    (   Order = (=)
    ->  Value = V,
        unlink(Colour, L, R, Nil, Node2, Short)
    ;   Order = (<)
    ->  remove(L, Key, Value, Nil, L2, LShort),
        mend_left(LShort, Colour, L2, K, V, R, Node2, Short)
    ;   remove(R, Key, Value, Nil, R2, RShort),
        mend_right(RShort, Colour, L, K, V, R2, Node2, Short)
    ).

unlink(Colour, L, R, Nil, Node2, Short) :-
    (   leaf(L)
    ->  replace(Colour, R, Node2, Short)
    ;   leaf(R)
    ->  replace(Colour, L, Node2, Short)
    ;   take_first(R, K, V, Nil, R2, RShort),
        mend_right(RShort, Colour, L, K, V, R2, Node2, Short)
    ).

% The only child of a node takes its place.
replace(red, Child, Child, no).
replace(black, Child, Node, Short) :-
    (   Child = red(L,K,V,R)
    ->  Node = black(L,K,V,R),
        Short = no
    ;   Node = Child,
        Short = yes
    ).

take_first(Node, Key, Value, Nil, Node2, Short) :-
    node(Node, Colour, L, K, V, R),
    (   leaf(L)
    ->  Key = K,
        Value = V,
        replace(Colour, R, Node2, Short)
    ;   take_first(L, Key, Value, Nil, L2, LShort),
        mend_left(LShort, Colour, L2, K, V, R, Node2, Short)
    ).

take_last(Node, Key, Value, Nil, Node2, Short) :-
    node(Node, Colour, L, K, V, R),
    (   leaf(R)
    ->  Key = K,
        Value = V,
        replace(Colour, L, Node2, Short)
    ;   take_last(R, Key, Value, Nil, R2, RShort),
        mend_right(RShort, Colour, L, K, V, R2, Node2, Short)
    ).

% The left side has one level of black nodes less than the right one.
mend_left(no, Colour, L, K, V, R, Node, no) :-
    paint(Colour, L, K, V, R, Node).
mend_left(yes, Colour, L, K, V, R, Node, Short) :-
    (   R = red(RL,RK,RV,RR)
    ->  % the parent is black: turn, then mend below
        mend_left(yes, red, L, K, V, RL, Left, _),
        Node = black(Left,RK,RV,RR),
        Short = no
    ;   R = black(RL,RK,RV,RR),
        (   RR = red(A,AK,AV,B)
        ->  paint(Colour, black(L,K,V,RL), RK, RV, black(A,AK,AV,B), Node),
            Short = no
        ;   RL = red(A,AK,AV,B)
        ->  paint(Colour, black(L,K,V,A), AK, AV, black(B,RK,RV,RR), Node),
            Short = no
        ;   Node = black(L,K,V,red(RL,RK,RV,RR)),
            short(Colour, Short)
        )
    ).

mend_right(no, Colour, L, K, V, R, Node, no) :-
    paint(Colour, L, K, V, R, Node).
mend_right(yes, Colour, L, K, V, R, Node, Short) :-
    (   L = red(LL,LK,LV,LR)
    ->  mend_right(yes, red, LR, K, V, R, Right, _),
        Node = black(LL,LK,LV,Right),
        Short = no
    ;   L = black(LL,LK,LV,LR),
        (   LL = red(A,AK,AV,B)
        ->  paint(Colour, black(A,AK,AV,B), LK, LV, black(LR,K,V,R), Node),
            Short = no
        ;   LR = red(A,AK,AV,B)
        ->  paint(Colour, black(LL,LK,LV,A), AK, AV, black(B,K,V,R), Node),
            Short = no
        ;   Node = black(red(LL,LK,LV,LR),K,V,R),
            short(Colour, Short)
        )
    ).

short(red, no).
short(black, yes).

%!  rb_del_min(+Tree, -Key, -Value, -Tree2) is semidet.
%   Takes the first key out.
rb_del_min(t(Nil,Root), Key, Value, t(Nil,Root2)) :-
    take_first(Root, Key, Value, Nil, Root1, _),
    blacken(Root1, Root2).

%!  rb_del_max(+Tree, -Key, -Value, -Tree2) is semidet.
%   Takes the last key out.
rb_del_max(t(Nil,Root), Key, Value, t(Nil,Root2)) :-
    take_last(Root, Key, Value, Nil, Root1, _),
    blacken(Root1, Root2).

%!  rb_visit(+Tree, -Pairs) is det.
%   The pairs Key-Value in the order of the keys.
rb_visit(t(_,Root), Pairs) :-
    visit(Root, Pairs, []).

visit(Node, Pairs, Rest) :-
    (   leaf(Node)
    ->  Pairs = Rest
    ;   node(Node, _, L, K, V, R),
        visit(L, Pairs, [K-V|Pairs1]),
        visit(R, Pairs1, Rest)
    ).

%!  rb_keys(+Tree, -Keys) is det.
%   The keys in their order.
rb_keys(t(_,Root), Keys) :-
    keys(Root, Keys, []).

keys(Node, Keys, Rest) :-
    (   leaf(Node)
    ->  Keys = Rest
    ;   node(Node, _, L, K, _, R),
        keys(L, Keys, [K|Keys1]),
        keys(R, Keys1, Rest)
    ).

%!  rb_map(+Tree, :Goal) is semidet.
%   call(Goal, Value) for all values.
rb_map(t(_,Root), Goal) :-
    map(Root, Goal).

map(Node, Goal) :-
    (   leaf(Node)
    ->  true
    ;   node(Node, _, L, _, V, R),
        map(L, Goal),
        call(Goal, V),
        !,
        map(R, Goal)
    ).

%!  rb_map(+Tree, :Goal, -Tree2) is semidet.
%   Tree2 has the values V2 of call(Goal, V, V2).
rb_map(t(Nil,Root), Goal, t(Nil,Root2)) :-
    map(Root, Goal, Root2).

map(Node, Goal, Node2) :-
    (   leaf(Node)
    ->  Node2 = Node
    ;   node(Node, Colour, L, K, V, R),
        map(L, Goal, L2),
        call(Goal, V, V2),
        !,
        map(R, Goal, R2),
        paint(Colour, L2, K, V2, R2, Node2)
    ).

%!  rb_partial_map(+Tree, +Keys, :Goal, -Tree2) is semidet.
%   As rb_map/3 for the keys in an ordered list.
rb_partial_map(Tree, [], _, Tree).
rb_partial_map(Tree, [Key|Keys], Goal, Tree2) :-
    (   rb_update(Tree, Key, V, V2, Tree1)
    ->  call(Goal, V, V2),
        !,
        rb_partial_map(Tree1, Keys, Goal, Tree2)
    ;   rb_partial_map(Tree, Keys, Goal, Tree2)
    ).

%!  rb_fold(:Goal, +Tree, +State0, -State) is semidet.
%   Threads a state through call(Goal, Key-Value, S0, S) in the order of the keys.
rb_fold(Goal, t(_,Root), State0, State) :-
    fold(Root, Goal, State0, State).

fold(Node, Goal, S0, S) :-
    (   leaf(Node)
    ->  S = S0
    ;   node(Node, _, L, K, V, R),
        fold(L, Goal, S0, S1),
        call(Goal, K-V, S1, S2),
        fold(R, Goal, S2, S)
    ).

%!  rb_clone(+Tree, -Tree2, -Pairs) is det.
%   Tree2 has the keys of Tree and new variables as values, which Pairs gives.
rb_clone(t(Nil,Root), t(Nil,Root2), Pairs) :-
    clone(Root, Root2, Pairs, []).

clone(Node, Node2, Pairs, Rest) :-
    (   leaf(Node)
    ->  Node2 = Node,
        Pairs = Rest
    ;   node(Node, Colour, L, K, _, R),
        clone(L, L2, Pairs, [K-V|Pairs1]),
        clone(R, R2, Pairs1, Rest),
        paint(Colour, L2, K, V, R2, Node2)
    ).

%!  rb_size(+Tree, -Size) is det.
%   The number of keys.
rb_size(t(_,Root), Size) :-
    size(Root, 0, Size).

size(Node, N0, N) :-
    (   leaf(Node)
    ->  N = N0
    ;   node(Node, _, L, _, _, R),
        size(L, N0, N1),
        N2 is N1+1,
        size(R, N2, N)
    ).

%!  list_to_rbtree(+Pairs, -Tree) is det.
%   The tree of a list of Key-Value.
list_to_rbtree(Pairs, Tree) :-
    must_be(list, Pairs),
    sort(Pairs, Sorted),
    ord_list_to_rbtree(Sorted, Tree).

%!  ord_list_to_rbtree(+Pairs, -Tree) is det.
%   As list_to_rbtree/2 for pairs in the order of their keys.
ord_list_to_rbtree(Pairs, t(Nil,Root)) :-
    Nil = black('',_,_,''),
    length(Pairs, N),
    (   N > 1
    ->  Levels is msb(N)
    ;   Levels = 1
    ),
    build(N, Levels, Nil, Pairs, _, Root).

% Nodes below the last full level are red.
build(N, Level, Nil, Pairs, Rest, Node) :-
    (   N =:= 0
    ->  Node = Nil,
        Rest = Pairs
    ;   NL is (N-1)//2,
        NR is N-1-NL,
        Level1 is Level-1,
        build(NL, Level1, Nil, Pairs, [K-V|Pairs1], L),
        build(NR, Level1, Nil, Pairs1, Rest, R),
        (   Level =< 0
        ->  Node = red(L,K,V,R)
        ;   Node = black(L,K,V,R)
        )
    ).

%!  is_rbtree(@Term) is semidet.
%   Term is a well-formed tree.
is_rbtree(Term) :-
    nonvar(Term),
    Term = t(Nil,Root),
    nonvar(Nil),
    nonvar(Root),
    (   Nil == Root
    ->  leaf(Nil)
    ;   Root = black(_,_,_,_),
        well_formed(Root, black, _),
        keys(Root, Keys, []),
        rising(Keys)
    ).

well_formed(Node, Parent, Depth) :-
    nonvar(Node),
    (   leaf(Node)
    ->  Depth = 0
    ;   node(Node, Colour, L, _, _, R),
        \+ ( Colour == red, Parent == red ),
        well_formed(L, Colour, DL),
        well_formed(R, Colour, DR),
        DL =:= DR,
        (   Colour == black
        ->  Depth is DL+1
        ;   Depth = DL
        )
    ).

rising([]).
rising([K|Ks]) :-
    rising(Ks, K).

rising([], _).
rising([K|Ks], K0) :-
    K0 @< K,
    rising(Ks, K).
