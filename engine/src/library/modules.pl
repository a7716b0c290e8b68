%   Modules: export and import. Part of `system`, loaded by the engine itself.

:- '$set_pred_flag'(system, export, 1, meta(export(:))).
:- '$set_pred_flag'(system, import, 1, meta(import(:))).

'$export_list'(V, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$export_list'([], _) :- !.
'$export_list'([E|Es], M) :-
    !,
    '$export_one'(E, M),
    '$export_list'(Es, M).
'$export_list'(E, _) :-
    throw(error(type_error(list, E), _)).

'$export_one'(op(P, T, N), M) :-
    !,
    op(P, T, M:N),
    assertz(system:'$export_op'(M, P, T, N)).
'$export_one'(PI0, M) :-
    strip_module(M:PI0, Q, PI),
    '$pi'(PI, N, A),
    '$export'(Q, N/A).

:- '$set_pred_flag'(system, '$export_op', 4, dynamic).

export(Spec0) :-
    strip_module(Spec0, M, Spec),
    '$export_spec'(Spec, M).

'$export_spec'((A, B), M) :-
    !,
    '$export_spec'(A, M),
    '$export_spec'(B, M).
'$export_spec'([A|B], M) :-
    !,
    '$export_list'([A|B], M).
'$export_spec'(S, M) :-
    '$export_one'(S, M).

import(Spec0) :-
    strip_module(Spec0, M, _),
    '$import_spec'(Spec0, M, M).

'$import_spec'(M:Spec, _, Into) :-
    !,
    '$import_spec'(Spec, M, Into).
'$import_spec'([A|B], From, Into) :-
    !,
    '$import_spec'(A, From, Into),
    ( B == [] -> true ; '$import_spec'(B, From, Into) ).
'$import_spec'(PI, From, Into) :-
    '$pi'(PI, N, A),
    '$import'(Into, From, N, A, N).

%   Imports by the options of load_files/2.
'$import_all'(Options, From, M, Exports) :-
    (   '$option'(imports(Which), Options)
    ->  true
    ;   Which = all
    ),
    '$import_which'(Which, From, M, Exports, Done),
    (   '$option'(reexport(true), Options)
    ->  '$export_all'(Done, M)
    ;   true
    ).

'$import_which'(V, _, _, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$import_which'(all, From, M, Exports, Done) :-
    !,
    '$import_each'(Exports, From, M, Done),
    '$import_ops'(From, M).
'$import_which'(except(Not), From, M, Exports, Done) :-
    !,
    '$without'(Exports, Not, Kept),
    '$import_each'(Kept, From, M, Done0),
    '$import_renamed'(Not, From, M, Done0, Done),
    '$import_ops'(From, M).
'$import_which'(List, From, M, Exports, Done) :-
    '$import_list'(List, From, M, Exports, Done).

'$import_each'([], _, _, []).
'$import_each'([N/A|PIs], From, M, [N/A|Done]) :-
    '$import_one'(M, From, N, A, N),
    '$import_each'(PIs, From, M, Done).

%   What a library leaves to the engine needs no import.
'$import_one'(M, From, N, A, As) :-
    (   '$pred_local'(system, N, A),
        \+ '$pred_local'(From, N, A)
    ->  true
    ;   '$import'(M, From, N, A, As)
    ->  true
    ;   true
    ).

'$import_ops'(From, M) :-
    (   '$export_op'(From, P, T, N),
        op(P, T, M:N),
        fail
    ;   true
    ).

'$without'([], _, []).
'$without'([PI|PIs], Not, Kept) :-
    (   '$member_of'(Not, E),
        nonvar(E),
        ( E = (PI0 as _) -> true ; E = PI0 ),
        '$plain_pi'(PI0, PI)
    ->  Kept = Kept1
    ;   Kept = [PI|Kept1]
    ),
    '$without'(PIs, Not, Kept1).

'$plain_pi'(N/A, N/A) :- !.
'$plain_pi'(N//A0, N/A) :- A is A0 + 2.

'$import_renamed'([], _, _, Done, Done).
'$import_renamed'([E|Es], From, M, Done0, Done) :-
    (   E = (PI as Name)
    ->  '$plain_pi'(PI, N/A),
        '$import'(M, From, N, A, Name),
        Done1 = [Name/A|Done0]
    ;   Done1 = Done0
    ),
    '$import_renamed'(Es, From, M, Done1, Done).

'$import_list'([], _, _, _, []) :- !.
'$import_list'([E|Es], From, M, Exports, Done) :-
    !,
    '$import_item'(E, From, M, Exports, Done, Done1),
    '$import_list'(Es, From, M, Exports, Done1).
'$import_list'(X, _, _, _, _) :-
    throw(error(type_error(import_specifier, X), _)).

'$import_item'(V, _, _, _, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$import_item'(op(P, T, N), From, M, _, Done, Done) :-
    !,
    (   '$export_op'(From, P, T, N),
        op(P, T, M:N),
        fail
    ;   true
    ).
'$import_item'(PI as Name, From, M, Exports, [Name/A|Done], Done) :-
    !,
    '$importable'(PI, From, Exports, N, A),
    '$import'(M, From, N, A, Name).
'$import_item'(PI, From, M, Exports, [N/A|Done], Done) :-
    '$importable'(PI, From, Exports, N, A),
    '$import_one'(M, From, N, A, N).

'$importable'(PI, From, Exports, N, A) :-
    '$pi'(PI, N, A),
    (   '$memberchk'(N/A, Exports)
    ->  true
    ;   throw(error(existence_error(export, PI, module(From)), _))
    ).

'$export_all'([], _).
'$export_all'([PI|PIs], M) :-
    '$export'(M, PI),
    '$export_all'(PIs, M).
