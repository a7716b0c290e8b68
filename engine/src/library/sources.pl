:- module('$sources', [source_location/2, prolog_load_context/2, exists_source/1, exists_source/2, source_file/1, source_file/2,
                       source_file_property/2, unload_file/1, make/0, module_property/2, set_module/1, predicate_property/2,
                       import_module/2, add_import_module/3, delete_import_module/2, current_module/1, module/1, module/2,
                       style_check/1, expects_dialect/1, license/1, license/2, set_prolog_gc_thread/1, prolog/0,
                       unknown/2, context_module_of/2, '$similar'/4, abolish/1, abolish/2, require/1, at_halt/1, prolog_stack_property/2]).

%   Questions about what has been loaded, and the directives that do little here.

:- meta_predicate source_file(:, ?), predicate_property(:, ?), abolish(:), abolish(:, +), unknown(:, ?).

%!  source_location(-File, -Line) is semidet.

source_location(File, Line) :-
    '$loading'(File),
    nb_getval('$line', Line).

%!  prolog_load_context(?Key, ?Value) is nondet.

prolog_load_context(Key, Value) :-
    (   var(Key)
    ->  key(Key)
    ;   true
    ),
    context(Key, Value).

key(K) :-
    '$member_of'([source, file, stream, directory, dialect, module, term, term_position, script, variable_names], K).

context(source, F) :- '$loading'(F).
context(file, F) :- '$loading'(F).
context(stream, S) :- nb_getval('$load_depth', D), D > 0, '$stream_of'(D, _, S), !.
context(directory, Dir) :-
    '$loading'(F),
    (   '$directory_of'(F, Dir0)
    ->  ( atom_concat(Dir1, /, Dir0), Dir1 \== '' -> Dir = Dir1 ; Dir = Dir0 )
    ;   Dir = '.'
    ).
context(dialect, swi).
context(module, M) :- '$module'(M, M).
context(term, T) :- '$loading'(_), catch(b_getval('$term', T), _, fail), T \== [].
context(term_position, '$stream_position'(0, Line, 0, 0)) :- '$loading'(_), nb_getval('$line', Line).
context(script, false) :- '$loading'(_).
context(variable_names, Vs) :- catch(b_getval('$variable_names', Vs), _, fail).

exists_source(Spec) :-
    exists_source(Spec, _).

exists_source(library(L), Path) :-
    !,
    '$library_name'(L, Name),
    '$library_text'(Name, _),
    atomic_list_concat(['library/', Name, '.pl'], Path).
exists_source(Spec, Path) :-
    catch('$find_source'(Spec, Path), error(existence_error(_, _), _), fail).

source_file(File) :-
    '$file'(File, _, _, _).

source_file(Head0, File) :-
    strip_module(Head0, M, Head),
    (   callable(Head)
    ->  functor(Head, N, A),
        '$pred_property'(M, N, A, file(File))
    ;   '$file'(File, M, _, _),
        '$current_predicate'(M, N, A),
        '$pred_property'(M, N, A, file(File)),
        functor(Head, N, A)
    ).

source_file_property(File, P) :-
    '$file'(File, M, Parent, _),
    file_property(P, M, Parent, File).

file_property(module(M), M, _, _) :- M \== user.
file_property(load_context(user, Parent, []), _, Parent, _).
file_property(includes(F, 0.0), _, _, File) :- '$included'(F, File).

unload_file(File) :-
    '$load_begin'(File),
    '$load_end'(File),
    retractall('$file'(File, _, _, _)).

make.

current_module(M) :-
    (   var(M)
    ->  '$current_module'(M)
    ;   atom(M)
    ->  '$current_module'(M), !
    ;   throw(error(type_error(module, M), _))
    ).

%!  module_property(?Module, ?Property) is nondet.

module_property(M, P) :-
    ( var(M) -> '$current_module'(M) ; '$current_module'(M), ! ),
    property_of(P, M).
module_property(M, P) :-
    nonvar(M),
    '$current_module'(M),
    property_of(P, M).

property_of(class(C), M) :-
    (   M == system -> C = system
    ;   '$file'(F, M, _, _), sub_atom(F, 0, _, _, 'library/') -> C = library
    ;   C = user
    ).
property_of(file(F), M) :- M \== user, '$file'(F, M, _, _).
property_of(line_count(L), M) :- M \== user, '$file'(_, M, _, L), L > 0.
property_of(exports(L), M) :- '$exports'(M, L), M \== user.
property_of(exported_operators(Ops), M) :-
    findall(op(P, T, N), '$export_op'(M, P, T, N), Ops),
    Ops \== [].

set_module(Spec) :-
    strip_module(Spec, _, S),
    (   S = base(B)
    ->  add_import_module(user, B, start)
    ;   true
    ).

import_module(M, Base) :-
    (   '$import_base'(M, Base)
    ;   \+ '$import_base'(M, _),
        ( M == user -> Base = system ; M \== system, Base = user )
    ).

:- dynamic('$import_base'/2).

add_import_module(M, Base, Where) :-
    (   '$import_base'(M, _)
    ->  true
    ;   import_module(M, Default),
        assertz('$import_base'(M, Default))
    ),
    (   '$import_base'(M, Base)
    ->  true
    ;   Where == start
    ->  asserta('$import_base'(M, Base))
    ;   assertz('$import_base'(M, Base))
    ).

delete_import_module(M, Base) :-
    import_module(M, Base),
    retractall('$import_base'(M, Base)).

module(M) :-
    '$module'(_, M).

module(M, Exports) :-
    '$module'(Old, M),
    '$export_list'(Exports, M),
    '$module'(_, Old).

%!  predicate_property(:Head, ?Property) is nondet.

predicate_property(Head0, P) :-
    strip_module(Head0, M, Head),
    (   var(M)
    ->  '$current_module'(M)
    ;   true
    ),
    (   callable(Head)
    ->  functor(Head, N, A),
        (   P == autoload(_)
        ->  fail
        ;   '$pred_visible'(M, N, A)
        ->  true
        ;   nonvar(P),
            \+ no_autoload(P),
            catch('$autoload_into'(M, N, A), _, fail)
        ),
        '$pred_property'(M, N, A, P)
    ;   var(Head)
    ->  '$current_predicate'(M, N, A),
        functor(Head, N, A),
        '$pred_property'(M, N, A, P)
    ;   throw(error(type_error(callable, Head), _))
    ).

no_autoload(defined).
no_autoload(visible).
no_autoload(dynamic).
no_autoload(imported_from(_)).

'$pred_visible'(M, N, A) :-
    '$pred_defined'(M, N, A).

style_check(V) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
style_check(+ Style) :- !, style(Style, true).
style_check(- Style) :- !, style(Style, false).
style_check(?(Style)) :- !, style_name(Style).
style_check([]) :- !.
style_check([S|Ss]) :- !, style_check(S), style_check(Ss).
style_check(S) :- throw(error(type_error(style_name, S), _)).

style(V, _) :- var(V), !, throw(error(instantiation_error, _)).
style(singleton, On) :- !, nb_setval('$style_singleton', On).
style(discontiguous, On) :- !, nb_setval('$style_discontiguous', On).
style(Name, _) :-
    (   style_name(Name)
    ->  true
    ;   throw(error(domain_error(style_name, Name), _))
    ).

style_name(Name) :-
    '$memberchk'(Name, [atom, discontiguous, no_effect, singleton, var_branches, charset, optimise_unify]).

expects_dialect(_).
license(_).
license(_, _).
set_prolog_gc_thread(_).
require(_).
at_halt(Goal) :- assertz('$at_halt'(Goal)).
:- dynamic('$at_halt'/1).
prolog :- throw(error(permission_error(run, toplevel, prolog), _)).
prolog_stack_property(_, _) :- fail.

unknown(Old, New) :-
    strip_module(Old, _, Old1),
    current_prolog_flag(unknown, Old1),
    set_prolog_flag(unknown, New).

context_module_of(Term, M) :-
    strip_module(Term, M, _).

%!  abolish(:PI) is det.

abolish(Spec) :-
    strip_module(Spec, M, PI),
    (   var(PI)
    ->  throw(error(instantiation_error, _))
    ;   PI = N/A
    ->  abolish(M:N, A)
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ).

abolish(Name, A) :-
    strip_module(Name, M, N),
    '$pi'(N/A, _, _),
    '$abolish'(M, N, A).

%!  '$similar'(+M, +Name, +Arity, -PIs) is det.
%
%   Predicates that were perhaps meant: the same name with other arities, else names that differ little.

'$similar'(M, N, A, PIs) :-
    findall(N/A1, ( visible(M, N, A1), A1 \== A ), Same0),
    sort(Same0, Same),
    (   Same \== []
    ->  PIs = Same
    ;   findall(D-(N1/A1), ( visible(M, N1, A1), A1 =:= A, '$edit_distance'(N, N1, D), close(N, D) ), Near0),
        keysort(Near0, Near),
        best(Near, PIs)
    ).

visible(M, N, A) :-
    '$member_of'([M, user, system], Q),
    '$current_predicate'(Q, N, A),
    \+ sub_atom(N, 0, 1, _, '$').
visible(_, N, A) :-
    '$autoload'(N, A, _).

close(N, D) :-
    atom_length(N, L),
    D =< max(1, L // 4).

best([], []).
best([D-PI|Rest], [PI|PIs]) :-
    same(Rest, D, PIs0),
    sort(PIs0, PIs1),
    '$delete_one'(PIs1, PI, PIs).

same([D-PI|Rest], D, [PI|PIs]) :- !, same(Rest, D, PIs).
same(_, _, []).

'$delete_one'([], _, []).
'$delete_one'([X|Xs], Y, Zs) :-
    ( X == Y -> Zs = Xs1 ; Zs = [X|Xs1] ),
    '$delete_one'(Xs, Y, Xs1).
