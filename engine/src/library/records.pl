:- module('$records', [recorda/2, recorda/3, recordz/2, recordz/3, recorded/2, recorded/3, instance/2, current_key/1,
                       nth_clause/3, flag/3]).

%   The recorded database, numbered clauses, and counters.

:- meta_predicate nth_clause(:, ?, ?).
:- dynamic(record/2).

recorda(K, V) :- recorda(K, V, _).
recorda(K, V, R) :- key(K, Key), asserta(record(Key, V), R).

recordz(K, V) :- recordz(K, V, _).
recordz(K, V, R) :- key(K, Key), assertz(record(Key, V), R).

recorded(K, V) :- recorded(K, V, _).
recorded(K, V, R) :-
    (   var(K)
    ->  clause(record(Key, V), true, R),
        key_term(Key, K)
    ;   key(K, Key),
        clause(record(Key, V), true, R)
    ).

%   Only name and arity of a compound key count.
key(K, Key) :-
    (   var(K)
    ->  throw(error(instantiation_error, _))
    ;   compound(K)
    ->  functor(K, N, A),
        Key = N/A
    ;   Key = K
    ).

key_term(Key, K) :-
    (   Key = N/A
    ->  functor(K, N, A)
    ;   K = Key
    ).

current_key(K) :-
    findall(Key, clause(record(Key, _), true), Keys0),
    sort(Keys0, Keys),
    member(Key, Keys),
    key_term(Key, K).

instance(R, T) :-
    clause(H, B, R),
    (   H = _:record(_, V)
    ->  T = V
    ;   H = record(_, V)
    ->  T = V
    ;   T = (H :- B)
    ).

%!  nth_clause(:Head, ?N, ?Reference) is nondet.

nth_clause(Spec, N, R) :-
    strip_module(Spec, M, Head0),
    (   var(Head0)
    ->  clause(M:Head0, _, R),
        functor(Head0, F, A)
    ;   functor(Head0, F, A)
    ),
    functor(Head, F, A),
    findall(R1, clause(M:Head, _, R1), Rs),
    nth1(N, Rs, R).

%!  flag(+Key, -Old, +New) is det.

flag(Key, Old, New) :-
    (   atomic(Key)
    ->  true
    ;   throw(error(type_error(key, Key), _))
    ),
    atom_concat('$flag ', Key, Name),
    ( nb_current(Name, Old0) -> true ; Old0 = 0 ),
    Old = Old0,
    Value is New,
    nb_setval(Name, Value).
