:- module('$dicts_dot', ['.'/3]).

%   The value of `Dict.Function`, into which expansion turns functional notation.

'.'(Dict, Function, Value) :-
    (   is_dict(Dict)
    ->  (   compound(Function)
        ->  call_function(Function, Dict, Value)
        ;   var(Function)
        ->  get_dict(Function, Dict, Value)
        ;   key(Function)
        ->  (   get_dict(Function, Dict, Value0)
            ->  Value = Value0
            ;   throw(error(existence_error(key, Function, Dict), _))
            )
        ;   throw(error(existence_error(key, Function, Dict), _))
        )
    ;   var(Dict)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(dict, Dict), _))
    ).

key(K) :- atom(K), !.
key(K) :- integer(K).

call_function(get(K), Dict, V) :-
    !,
    path_get(K, Dict, V).
call_function(get(K, Default), Dict, V) :-
    !,
    (   path_get(K, Dict, V0)
    *-> V = V0
    ;   V = Default
    ).
call_function(put(New), Dict, V) :-
    !,
    put_dict(New, Dict, V).
call_function(put(K, New), Dict, V) :-
    !,
    path_put(K, Dict, New, V).
call_function(Function, Dict, V) :-
    compound_name_arguments(Function, Name, Args0),
    is_dict(Dict, Tag),
    (   var(Tag)
    ->  throw(error(instantiation_error, _))
    ;   '$append'(Args0, [Dict, V], Args),
        compound_name_arguments(Goal, Name, Args),
        call(Tag:Goal)
    ).

%   A key may be a path K1/K2 into dicts inside.
path_get(K, Dict, V) :-
    (   nonvar(K),
        K = Path/Last
    ->  path_get(Path, Dict, Inner),
        is_dict(Inner),
        get_dict(Last, Inner, V)
    ;   get_dict(K, Dict, V)
    ).

path_put(K, Dict, New, V) :-
    (   var(K)
    ->  throw(error(instantiation_error, _))
    ;   K = Path/Last
    ->  (   catch(path_get(Path, Dict, Inner0), error(type_error(dict, _), _), fail),
            is_dict(Inner0)
        ->  true
        ;   dict_pairs(Inner0, _, [])
        ),
        ( var(Last) -> throw(error(instantiation_error, _)) ; true ),
        put_dict(Last, Inner0, New, Inner),
        path_put(Path, Dict, Inner, V)
    ;   put_dict(K, Dict, New, V)
    ).
