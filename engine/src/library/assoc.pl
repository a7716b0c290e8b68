:- module(assoc,
          [ empty_assoc/1, put_assoc/4, get_assoc/3, get_assoc/5, list_to_assoc/2,
            ord_list_to_assoc/2, is_assoc/1, assoc_to_list/2, assoc_to_keys/2,
            assoc_to_values/2, min_assoc/3, max_assoc/3, gen_assoc/3, map_assoc/2, map_assoc/3,
            del_assoc/4, del_min_assoc/4, del_max_assoc/4, transpose_assoc/2
          ]).
:- use_module(library(error)).

:- meta_predicate map_assoc(1, ?), map_assoc(2, ?, ?).

% An association is an AVL tree: `t`, or t(Key, Value, Balance, Left, Right) where Balance is
% `<` if Left is deeper, `>` if Right is deeper and `-` if both are equally deep.

%!  empty_assoc(?Assoc) is semidet.
%   Assoc has no keys.
empty_assoc(t).

%!  get_assoc(+Key, +Assoc, -Value) is semidet.
%   Value belongs to Key. Throws type_error(btree, Assoc) if Assoc is no tree.
get_assoc(Key, Tree, Value) :-
    (   nonvar(Tree), Tree = t(K, V, _, L, R)
    ->  compare(Order, Key, K),
        (   Order = (=)
        ->  Value = V
        ;   Order = (<)
        ->  find(L, Key, Value)
        ;   find(R, Key, Value)
        )
    ;   Tree == t
    ->  fail
    ;   var(Tree)
    ->  instantiation_error(Tree)
    ;   type_error(btree, Tree)
    ).

find(t(K,V,_,L,R), Key, Value) :-
    compare(Order, Key, K),
    (   Order = (=)
    ->  Value = V
    ;   Order = (<)
    ->  find(L, Key, Value)
    ;   find(R, Key, Value)
    ).

%!  get_assoc(+Key, +Assoc, -Value, -Assoc2, ?Value2) is semidet.
%   Assoc2 is Assoc with Value2 in the place of Value.
get_assoc(Key, t(K,V,B,L,R), Value, Tree2, Value2) :-
    compare(Order, Key, K),
    (   Order = (=)
    ->  Value = V,
        Tree2 = t(K,Value2,B,L,R)
    ;   Order = (<)
    ->  Tree2 = t(K,V,B,L2,R),
        get_assoc(Key, L, Value, L2, Value2)
    ;   Tree2 = t(K,V,B,L,R2),
        get_assoc(Key, R, Value, R2, Value2)
    ).

%!  put_assoc(+Key, +Assoc, +Value, -Assoc2) is det.
%   Assoc2 is Assoc with Key leading to Value.
put_assoc(Key, Assoc, Value, Assoc2) :-
    insert(Assoc, Key, Value, Assoc2, _).

% The last argument tells whether the tree has become deeper.
insert(Tree, Key, Value, Tree2, Deeper) :-
    (   Tree == t
    ->  Tree2 = t(Key,Value,-,t,t),
        Deeper = yes
    ;   nonvar(Tree), Tree = t(K,V,B,L,R)
    ->  compare(Order, Key, K),
        (   Order = (=)
        ->  Tree2 = t(Key,Value,B,L,R),
            Deeper = no
        ;   Order = (<)
        ->  insert(L, Key, Value, L2, LeftDeeper),
            grown_left(LeftDeeper, B, K, V, L2, R, Tree2, Deeper)
        ;   insert(R, Key, Value, R2, RightDeeper),
            grown_right(RightDeeper, B, K, V, L, R2, Tree2, Deeper)
        )
    ;   no_rule(insert(Tree, Key, Value, Tree2, Deeper))
    ).

no_rule(Head) :-
    throw(error(existence_error(matching_rule, assoc:Head), _)).

grown_left(no, B, K, V, L, R, t(K,V,B,L,R), no).
grown_left(yes, B, K, V, L, R, Tree, Deeper) :-
    left_deeper(B, K, V, L, R, Tree, Deeper).

left_deeper(-, K, V, L, R, t(K,V,<,L,R), yes).
left_deeper(>, K, V, L, R, t(K,V,-,L,R), no).
left_deeper(<, K, V, L, R, Tree, no) :-
    turn_right(L, K, V, R, Tree, _).

grown_right(no, B, K, V, L, R, t(K,V,B,L,R), no).
grown_right(yes, B, K, V, L, R, Tree, Deeper) :-
    right_deeper(B, K, V, L, R, Tree, Deeper).

right_deeper(-, K, V, L, R, t(K,V,>,L,R), yes).
right_deeper(<, K, V, L, R, t(K,V,-,L,R), no).
right_deeper(>, K, V, L, R, Tree, no) :-
    turn_left(R, K, V, L, Tree, _).

% turn_right(Left, K, V, Right, Tree, Shallower): Left is two levels deeper than Right.
turn_right(t(LK,LV,LB,LL,LR), K, V, R, Tree, Shallower) :-
    turn_right(LB, LK, LV, LL, LR, K, V, R, Tree, Shallower).

turn_right(<, LK, LV, LL, LR, K, V, R, t(LK,LV,-,LL,t(K,V,-,LR,R)), yes).
turn_right(-, LK, LV, LL, LR, K, V, R, t(LK,LV,>,LL,t(K,V,<,LR,R)), no).
turn_right(>, LK, LV, LL, t(MK,MV,MB,ML,MR), K, V, R,
           t(MK,MV,-,t(LK,LV,B1,LL,ML),t(K,V,B2,MR,R)), yes) :-
    split_balance(MB, B1, B2).

% turn_left(Right, K, V, Left, Tree, Shallower): Right is two levels deeper than Left.
turn_left(t(RK,RV,RB,RL,RR), K, V, L, Tree, Shallower) :-
    turn_left(RB, RK, RV, RL, RR, K, V, L, Tree, Shallower).

turn_left(>, RK, RV, RL, RR, K, V, L, t(RK,RV,-,t(K,V,-,L,RL),RR), yes).
turn_left(-, RK, RV, RL, RR, K, V, L, t(RK,RV,<,t(K,V,>,L,RL),RR), no).
turn_left(<, RK, RV, t(MK,MV,MB,ML,MR), RR, K, V, L,
          t(MK,MV,-,t(K,V,B1,L,ML),t(RK,RV,B2,MR,RR)), yes) :-
    split_balance(MB, B1, B2).

split_balance(<, -, >).
split_balance(-, -, -).
split_balance(>, <, -).

%!  list_to_assoc(+Pairs, -Assoc) is det.
%   Throws type_error(pair, X), or domain_error(unique_key_pairs, Pairs) for equal keys.
list_to_assoc(Pairs, Assoc) :-
    must_be(list, Pairs),
    all_pairs(Pairs),
    keysort(Pairs, Sorted),
    (   rising(Sorted)
    ->  build(Sorted, Assoc)
    ;   domain_error(unique_key_pairs, Pairs)
    ).

all_pairs([]).
all_pairs([P|Ps]) :-
    must_be(pair, P),
    all_pairs(Ps).

%!  ord_list_to_assoc(+Pairs, -Assoc) is det.
%   As list_to_assoc/2 for pairs in the order of their keys; domain_error(key_ordered_pairs, Pairs).
ord_list_to_assoc(Pairs, Assoc) :-
    (   rising(Pairs)
    ->  build(Pairs, Assoc)
    ;   domain_error(key_ordered_pairs, Pairs)
    ).

rising([]).
rising([K-_|Ps]) :-
    rising(Ps, K).

rising([], _).
rising([K-_|Ps], K0) :-
    K0 @< K,
    rising(Ps, K).

build(Sorted, Assoc) :-
    length(Sorted, N),
    build(N, Sorted, _, _, Assoc).

% build(N, Pairs, Rest, Depth, Tree): Tree of the first N pairs.
build(N, Pairs, Rest, Depth, Tree) :-
    (   N =:= 0
    ->  Tree = t,
        Rest = Pairs,
        Depth = 0
    ;   NL is N//2,
        NR is N-1-NL,
        build(NL, Pairs, [K-V|Pairs1], DL, L),
        build(NR, Pairs1, Rest, DR, R),
        Depth is max(DL, DR)+1,
        Tree = t(K,V,B,L,R),
        (   DL > DR
        ->  B = (<)
        ;   B = (-)
        )
    ).

%!  is_assoc(+Term) is semidet.
%   Term is a balanced tree in the order of its keys.
is_assoc(Term) :-
    nonvar(Term),
    (   Term == t
    ->  true
    ;   well_formed(Term, none, _, _)
    ).

% well_formed(Tree, Before, Last, Depth): the keys come after the last key Before.
well_formed(Tree, Before, Last, Depth) :-
    (   Tree = t
    ->  Last = Before,
        Depth = 0
    ;   Tree = t(K,_,B,L,R),
        well_formed(L, Before, Before1, DL),
        (   Before1 = last(K1)
        ->  K1 @< K
        ;   true
        ),
        well_formed(R, last(K), Last, DR),
        Diff is DL-DR,
        balance(Diff, B),
        Depth is max(DL, DR)+1
    ).

balance(1, <).
balance(0, -).
balance(-1, >).

%!  assoc_to_list(+Assoc, -Pairs) is det.
%   The pairs Key-Value in the order of the keys.
assoc_to_list(Tree, Pairs) :-
    tree_pairs(Tree, Pairs, []).

tree_pairs(t, Ps, Ps).
tree_pairs(t(K,V,_,L,R), Ps, Rest) :-
    tree_pairs(L, Ps, [K-V|Ps1]),
    tree_pairs(R, Ps1, Rest).

%!  assoc_to_keys(+Assoc, -Keys) is det.
assoc_to_keys(Tree, Keys) :-
    tree_keys(Tree, Keys, []).

tree_keys(t, Ks, Ks).
tree_keys(t(K,_,_,L,R), Ks, Rest) :-
    tree_keys(L, Ks, [K|Ks1]),
    tree_keys(R, Ks1, Rest).

%!  assoc_to_values(+Assoc, -Values) is det.
%   The values in the order of their keys.
assoc_to_values(Tree, Values) :-
    tree_values(Tree, Values, []).

tree_values(t, Vs, Vs).
tree_values(t(_,V,_,L,R), Vs, Rest) :-
    tree_values(L, Vs, [V|Vs1]),
    tree_values(R, Vs1, Rest).

%!  min_assoc(+Assoc, -Key, -Value) is semidet.
%   The first key and its value.
min_assoc(Tree, Key, Value) :-
    (   nonvar(Tree), Tree = t(K,V,_,L,_)
    ->  (   L == t
        ->  Key = K,
            Value = V
        ;   min_assoc(L, Key, Value)
        )
    ;   Tree == t
    ->  fail
    ;   no_rule(min_assoc(Tree, Key, Value))
    ).

%!  max_assoc(+Assoc, -Key, -Value) is semidet.
%   The last key and its value.
max_assoc(Tree, Key, Value) :-
    (   nonvar(Tree), Tree = t(K,V,_,_,R)
    ->  (   R == t
        ->  Key = K,
            Value = V
        ;   max_assoc(R, Key, Value)
        )
    ;   Tree == t
    ->  fail
    ;   no_rule(max_assoc(Tree, Key, Value))
    ).

%!  gen_assoc(?Key, +Assoc, ?Value) is nondet.
%   Enumerates the pairs in the order of the keys; a ground Key is looked up.
gen_assoc(Key, Tree, Value) :-
    (   ground(Key)
    ->  get_assoc(Key, Tree, Value)
    ;   gen_assoc_(Key, Tree, Value)
    ).

gen_assoc_(Key, Tree, Value) :-
    (   nonvar(Tree), Tree = t(K,V,_,L,R)
    ->  gen_node(L, K, V, R, Key, Value)
    ;   Tree == t
    ->  fail
    ;   no_rule(gen_assoc_(Key, Tree, Value))
    ).

gen_node(L, K, V, R, Key, Value) :-
    (   L == t
    ->  gen_here(R, K, V, Key, Value)
    ;   gen_assoc_(Key, L, Value)
    ;   gen_here(R, K, V, Key, Value)
    ).

gen_here(R, K, V, Key, Value) :-
    (   R == t
    ->  Key = K,
        Value = V
    ;   Key = K,
        Value = V
    ;   gen_assoc_(Key, R, Value)
    ).

%!  map_assoc(:Goal, +Assoc) is semidet.
%   call(Goal, Value) for all values.
map_assoc(Goal, Tree) :-
    map_assoc_(Tree, Goal).

map_assoc_(Tree, Goal) :-
    (   Tree == t
    ->  true
    ;   nonvar(Tree), Tree = t(_,V,_,L,R)
    ->  map_assoc_(L, Goal),
        call(Goal, V),
        map_assoc_(R, Goal)
    ;   no_rule(map_assoc_(Tree, Goal))
    ).

%!  map_assoc(:Goal, +Assoc, ?Assoc2) is semidet.
%   call(Goal, Value, Value2) for all values; Assoc2 has the same keys.
map_assoc(Goal, Tree, Tree2) :-
    map_assoc_(Tree, Goal, Tree2).

map_assoc_(Tree, Goal, Tree2) :-
    (   Tree == t
    ->  Tree2 = t
    ;   nonvar(Tree), Tree = t(K,V,B,L,R)
    ->  Tree2 = t(K,V2,B,L2,R2),
        map_assoc_(L, Goal, L2),
        call(Goal, V, V2),
        map_assoc_(R, Goal, R2)
    ;   no_rule(map_assoc_(Tree, Goal, Tree2))
    ).

%!  del_min_assoc(+Assoc, -Key, -Value, -Assoc2) is semidet.
%   Takes the first pair out.
del_min_assoc(Tree, Key, Value, Tree2) :-
    del_min(Tree, Key, Value, Tree2, _).

% The last argument tells whether the tree has become shallower.
del_min(t(K,V,B,L,R), Key, Value, Tree2, Shallower) :-
    (   L == t
    ->  Key = K,
        Value = V,
        Tree2 = R,
        Shallower = yes
    ;   del_min(L, Key, Value, L2, LeftShallower),
        shrunk_left(LeftShallower, B, K, V, L2, R, Tree2, Shallower)
    ).

%!  del_max_assoc(+Assoc, -Key, -Value, -Assoc2) is semidet.
%   Takes the last pair out.
del_max_assoc(Tree, Key, Value, Tree2) :-
    del_max(Tree, Key, Value, Tree2, _).

del_max(t(K,V,B,L,R), Key, Value, Tree2, Shallower) :-
    (   R = t
    ->  Key = K,
        Value = V,
        Tree2 = L,
        Shallower = yes
    ;   del_max(R, Key, Value, R2, RightShallower),
        shrunk_right(RightShallower, B, K, V, L, R2, Tree2, Shallower)
    ).

%!  del_assoc(+Key, +Assoc, -Value, -Assoc2) is semidet.
%   Takes Key and its value out; fails if Key is not there.
del_assoc(Key, Tree, Value, Tree2) :-
    delete(Tree, Key, Value, Tree2, _).

delete(Tree, Key, Value, Tree2, Shallower) :-
    (   nonvar(Tree), Tree = t(K,V,B,L,R)
    ->  compare(Order, Key, K),
        (   Order = (=)
        ->  Value = V,
            join(L, R, B, Tree2, Shallower)
        ;   Order = (<)
        ->  delete(L, Key, Value, L2, LeftShallower),
            shrunk_left(LeftShallower, B, K, V, L2, R, Tree2, Shallower)
        ;   delete(R, Key, Value, R2, RightShallower),
            shrunk_right(RightShallower, B, K, V, L, R2, Tree2, Shallower)
        )
    ;   Tree == t
    ->  fail
    ;   no_rule(delete(Tree, Key, Value, Tree2, Shallower))
    ).

% The tree of a node's two sides without the node itself.
join(L, R, B, Tree, Shallower) :-
    (   L == t
    ->  Tree = R,
        Shallower = yes
    ;   R == t
    ->  Tree = L,
        Shallower = yes
    ;   B == (>)
    ->  del_min(R, K, V, R2, RightShallower),
        shrunk_right(RightShallower, B, K, V, L, R2, Tree, Shallower)
    ;   del_max(L, K, V, L2, LeftShallower),
        shrunk_left(LeftShallower, B, K, V, L2, R, Tree, Shallower)
    ).

shrunk_left(no, B, K, V, L, R, t(K,V,B,L,R), no).
shrunk_left(yes, B, K, V, L, R, Tree, Shallower) :-
    left_shallower(B, K, V, L, R, Tree, Shallower).

left_shallower(<, K, V, L, R, t(K,V,-,L,R), yes).
left_shallower(-, K, V, L, R, t(K,V,>,L,R), no).
left_shallower(>, K, V, L, R, Tree, Shallower) :-
    turn_left(R, K, V, L, Tree, Shallower).

shrunk_right(no, B, K, V, L, R, t(K,V,B,L,R), no).
shrunk_right(yes, B, K, V, L, R, Tree, Shallower) :-
    right_shallower(B, K, V, L, R, Tree, Shallower).

right_shallower(>, K, V, L, R, t(K,V,-,L,R), yes).
right_shallower(-, K, V, L, R, t(K,V,<,L,R), no).
right_shallower(<, K, V, L, R, Tree, Shallower) :-
    turn_right(L, K, V, R, Tree, Shallower).

%!  transpose_assoc(+Assoc, -Swapped) is det.
%   Swapped leads from the values of Assoc to the lists of their keys.
transpose_assoc(Assoc, Swapped) :-
    assoc_to_list(Assoc, Pairs),
    swap_all(Pairs, Swapped0),
    keysort(Swapped0, Sorted),
    runs(Sorted, Groups),
    ord_list_to_assoc(Groups, Swapped).

swap_all([], []).
swap_all([K-V|Ps], [V-K|Qs]) :-
    swap_all(Ps, Qs).

runs([], []).
runs([K-V|Ps], [K-[V|Vs]|Groups]) :-
    run(Ps, K, Vs, Rest),
    runs(Rest, Groups).

run(Pairs, K, Vs, Rest) :-
    (   Pairs = [K1-V|Ps], K1 == K
    ->  Vs = [V|Vs1],
        run(Ps, K, Vs1, Rest)
    ;   Vs = [],
        Rest = Pairs
    ).
