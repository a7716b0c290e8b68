:- module(pairs,
          [ pairs_keys_values/3, pairs_values/2, pairs_keys/2, transpose_pairs/2,
            map_list_to_pairs/3, group_pairs_by_key/2
          ]).

:- meta_predicate map_list_to_pairs(2, +, -).

%!  pairs_keys_values(?Pairs, ?Keys, ?Values) is det.
%   Pairs are the terms Key-Value. Any argument may be open.
pairs_keys_values([], [], []).
pairs_keys_values([K-V|Ps], [K|Ks], [V|Vs]) :-
    pairs_keys_values(Ps, Ks, Vs).

%!  pairs_values(+Pairs, -Values) is det.
pairs_values([], []).
pairs_values([_-V|Ps], [V|Vs]) :-
    pairs_values(Ps, Vs).

%!  pairs_keys(+Pairs, -Keys) is det.
pairs_keys([], []).
pairs_keys([K-_|Ps], [K|Ks]) :-
    pairs_keys(Ps, Ks).

%!  transpose_pairs(+Pairs, -Swapped) is det.
%   The pairs Value-Key, sorted by key; pairs with the same key keep their order.
transpose_pairs(Pairs, Swapped) :-
    swap_pairs(Pairs, Swapped0),
    keysort(Swapped0, Swapped).

swap_pairs([], []).
swap_pairs([K-V|Ps], [V-K|Qs]) :-
    swap_pairs(Ps, Qs).

%!  map_list_to_pairs(:Function, +List, -Pairs) is det.
%   The pairs Key-X with call(Function, X, Key).
map_list_to_pairs(Function, List, Pairs) :-
    key_items(List, Function, Pairs).

key_items([], _, []).
key_items([X|Xs], Function, [K-X|Ps]) :-
    call(Function, X, K),
    key_items(Xs, Function, Ps).

%!  group_pairs_by_key(+Pairs, -Groups) is det.
%   Groups are Key-Values for runs of pairs with identical keys.
group_pairs_by_key([], []).
group_pairs_by_key([K-V|Ps], [K-[V|Vs]|Groups]) :-
    same_key_run(Ps, K, Vs, Rest),
    group_pairs_by_key(Rest, Groups).

same_key_run([K1-V|Ps], K, [V|Vs], Rest) :-
    K1 == K,
    !,
    same_key_run(Ps, K, Vs, Rest).
same_key_run(Rest, _, [], Rest).
