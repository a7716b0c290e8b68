:- module(dicts,
          [ nb_set_dict/3, dict_fill/4, dict_size/2, dicts_same_tag/2, dicts_same_keys/2, dicts_to_same_keys/3,
            dicts_join/3, dicts_join/4, dicts_slice/3, mapdict/2, mapdict/3, mapdict/4
          ]).

%   Predicates on dicts and lists of dicts; the basic ones are native.

:- meta_predicate dicts_to_same_keys(+, 3, -), mapdict(2, ?), mapdict(3, ?, ?), mapdict(4, ?, ?, ?).

%!  nb_set_dict(+Key, !Dict, +Value) is det.
%   Overwrites the value of a key in place; backtracking does not undo it.
nb_set_dict(Key, Dict, Value) :-
    '$dict_slot'(Key, Dict, Arg),
    nb_setarg(Arg, Dict, Value).

%!  dicts_same_tag(+Dicts, -Tag) is semidet.
dicts_same_tag([], _).
dicts_same_tag([D|Ds], Tag) :-
    is_dict(D, Tag),
    dicts_same_tag(Ds, Tag).

%!  dict_size(+Dict, -Count) is det.
dict_size(Dict, Count) :-
    dict_keys(Dict, Keys),
    length(Keys, Count).

%!  dicts_same_keys(+Dicts, -Keys) is semidet.
%   Every dict has just these keys.
dicts_same_keys([], _).
dicts_same_keys([D|Ds], Keys) :-
    dict_keys(D, Keys),
    dicts_same_keys(Ds, Keys).

%!  dict_fill(+Value0, +Key, +Dict, -Value) is det.
%   For dicts_to_same_keys/3: each missing key gets a copy of one value.
dict_fill(Value0, _, _, Value) :-
    copy_term(Value0, Value).

%!  dicts_to_same_keys(+Dicts, :OnEmpty, -NewDicts) is semidet.
%   Gives each dict the keys of all; call(OnEmpty, Key, Dict, Value) gives the values of missing ones.
dicts_to_same_keys(Dicts, OnEmpty, NewDicts) :-
    all_keys(Dicts, Lists),
    flat(Lists, Keys0),
    sort(Keys0, Keys),
    fill_all(Dicts, Keys, OnEmpty, NewDicts).

all_keys([], []).
all_keys([D|Ds], [Ks|Lists]) :-
    dict_keys(D, Ks),
    all_keys(Ds, Lists).

flat([], []).
flat([L|Ls], All) :-
    flat(Ls, Rest),
    '$append'(L, Rest, All).

fill_all([], _, _, []).
fill_all([D|Ds], Keys, OnEmpty, [N|Ns]) :-
    missing(Keys, D, OnEmpty, Pairs),
    put_dict(Pairs, D, N),
    fill_all(Ds, Keys, OnEmpty, Ns).

missing([], _, _, []).
missing([K|Ks], D, OnEmpty, Pairs) :-
    (   get_dict(K, D, _)
    ->  Pairs = Rest
    ;   call(OnEmpty, K, D, V),
        Pairs = [K-V|Rest]
    ),
    missing(Ks, D, OnEmpty, Rest).

%!  dicts_slice(+Keys, +Dicts, -NewDicts) is det.
%   The dicts with no other keys than these.
dicts_slice(Keys, Dicts, NewDicts) :-
    sort(Keys, Sorted),
    slice_all(Dicts, Sorted, NewDicts).

slice_all([], _, []).
slice_all([D|Ds], Keys, [N|Ns]) :-
    dict_pairs(D, Tag, Pairs0),
    slice(Pairs0, Keys, Pairs),
    dict_pairs(N, Tag, Pairs),
    slice_all(Ds, Keys, Ns).

slice([], _, []).
slice([K-V|T], Keys, Pairs) :-
    (   memberchk(K, Keys)
    ->  Pairs = [K-V|Rest]
    ;   Pairs = Rest
    ),
    slice(T, Keys, Rest).

%!  dicts_join(+Key, +Dicts, -Joined) is semidet.
%   Dicts with the same value of Key become one; values that both have must unify.
dicts_join(Key, Dicts, Joined) :-
    sort(Key, @=<, Dicts, Sorted),
    join_neighbours(Sorted, Key, Joined).

%!  dicts_join(+Key, +Dicts1, +Dicts2, -Joined) is semidet.
dicts_join(Key, Dicts1, Dicts2, Joined) :-
    '$append'(Dicts1, Dicts2, Dicts),
    dicts_join(Key, Dicts, Joined).

join_neighbours([], _, []).
join_neighbours([D], _, [D]) :-
    !.
join_neighbours([D1,D2|Ds], Key, Joined) :-
    get_dict(Key, D1, V1),
    get_dict(Key, D2, V2),
    (   V1 == V2
    ->  D1 >:< D2,
        put_dict(D2, D1, D),
        join_neighbours([D|Ds], Key, Joined)
    ;   Joined = [D1|Rest],
        join_neighbours([D2|Ds], Key, Rest)
    ).

%!  mapdict(:Goal, +Dict) is semidet.
%   call(Goal, Key, Value) for each entry in the order of keys; the other versions map to dicts of the same keys.
mapdict(Goal, Dict) :-
    dict_pairs(Dict, _, Pairs),
    map1(Pairs, Goal).

map1([], _).
map1([K-V|T], Goal) :-
    call(Goal, K, V),
    map1(T, Goal).

mapdict(Goal, Dict1, Dict2) :-
    same_keys([Dict1, Dict2], [P1, P2]),
    map2(P1, P2, Goal).

map2([], [], _).
map2([K-V1|T1], [K-V2|T2], Goal) :-
    call(Goal, K, V1, V2),
    map2(T1, T2, Goal).

mapdict(Goal, Dict1, Dict2, Dict3) :-
    same_keys([Dict1, Dict2, Dict3], [P1, P2, P3]),
    map3(P1, P2, P3, Goal).

map3([], [], [], _).
map3([K-V1|T1], [K-V2|T2], [K-V3|T3], Goal) :-
    call(Goal, K, V1, V2, V3),
    map3(T1, T2, T3, Goal).

%   Pairs of each dict; unbound ones become dicts with the keys of a bound one.
same_keys(Dicts, Pairs) :-
    (   known(Dicts, Dict)
    ->  dict_keys(Dict, Keys),
        pairs_of(Dicts, Keys, Pairs)
    ;   throw(error(instantiation_error, _))
    ).

known([D|Ds], Dict) :-
    (   nonvar(D)
    ->  Dict = D
    ;   known(Ds, Dict)
    ).

pairs_of([], _, []).
pairs_of([D|Ds], Keys, [Ps|Pairs]) :-
    (   var(D)
    ->  fresh(Keys, Ps),
        dict_pairs(D, _, Ps)
    ;   dict_pairs(D, _, Ps)
    ),
    pairs_of(Ds, Keys, Pairs).

fresh([], []).
fresh([K|Ks], [K-_|Ps]) :-
    fresh(Ks, Ps).
