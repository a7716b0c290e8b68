:- module('$sources', [source_location/2, prolog_load_context/2, exists_source/1, exists_source/2, source_file/1, source_file/2,
                       source_file_property/2, unload_file/1, make/0, module_property/2, set_module/1, predicate_property/2,
                       import_module/2, add_import_module/3, delete_import_module/2, current_module/1, module/1, module/2,
                       style_check/1, expects_dialect/1, license/1, license/2, set_prolog_gc_thread/1, prolog/0,
                       unknown/2, context_module_of/2, '$similar'/4, current_predicate/1, current_predicate/2, abolish/1, abolish/2, garbage_collect/0, garbage_collect_atoms/0, trim_stacks/0, char_conversion/2, current_char_conversion/2, require/1, at_halt/1, prolog_stack_property/2]).

%   Questions about what has been loaded, and the directives that do little here.

:- dynamic char_conversion_/2.
:- meta_predicate current_predicate(:), current_predicate(?, :), source_file(:, ?), predicate_property(:, ?), abolish(:), abolish(:, +), unknown(:, ?).

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
        source_of(M, N, A, File, _)
    ;   '$file'(File, M, _, _),
        '$current_predicate'(M, N, A),
        source_of(M, N, A, File, _),
        functor(Head, N, A)
    ).

source_of(M, N, A, File, Line) :-
    '$pred_info'(M, N, A, info(_, clauses, _, File, Line, _)),
    Line > 0.

source_file_property(File, P) :-
    '$file'(File, M, Parent, _),
    file_property(P, M, Parent, File).

file_property(module(M), M, _, _) :- M \== user.
file_property(load_context(user, Parent, []), _, Parent, _).
file_property(includes(F, 0.0), _, _, File) :- '$included'(F, File).

unload_file(File) :-
    '$wipe_reload'(user, File),
    retractall('$file'(File, _, _, _)).

make.

current_module(M) :-
    (   var(M)
    ->  '$modules'(Ms),
        '$member_of'(Ms, M)
    ;   atom(M)
    ->  '$current_module'(M)
    ;   throw(error(type_error(module, M), _))
    ).

%!  module_property(?Module, ?Property) is nondet.

module_property(M, P) :-
    current_module(M),
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

%!  current_predicate(:PI) is nondet.

current_predicate(Spec) :-
    strip_module(Spec, M, PI),
    (   var(PI)
    ->  PI = N/A,
        shown(M, N, A)
    ;   PI = N/A
    ->  indicator(N, A, PI),
        (   atom(N), integer(A)
        ->  '$pred_defined'(M, N, A)
        ;   shown(M, N, A)
        )
    ;   PI = Q:PI1,
        var(Q)
    ->  ( var(PI1) -> PI1 = N/A ; PI1 = N/A -> true ; throw(error(type_error(predicate_indicator, PI1), _)) ),
        current_module(Q),
        '$current_predicate'(Q, N, A)
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ).

indicator(N, A, PI) :-
    (   ( atom(N) ; var(N) ; N == [] ),
        ( integer(A) ; var(A) )
    ->  (   integer(A), A < 0
        ->  throw(error(domain_error(not_less_than_zero, A), _))
        ;   true
        )
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ).

shown(M, N, A) :-
    '$current_predicate'(M, N, A).
shown(M, N, A) :-
    '$member_of'([user, system], Q),
    Q \== M,
    '$current_predicate'(Q, N, A),
    \+ '$pred_local'(M, N, A).

%!  current_predicate(?Name, :Head) is nondet.

current_predicate(Name, Spec) :-
    strip_module(Spec, M0, Head),
    ( nonvar(Head), Head = M:Plain -> current_module(M) ; M = M0, Plain = Head ),
    (   callable(Plain)
    ->  functor(Plain, N, A),
        Name = N,
        '$pred_info'(M, N, A, info(DefM, _, _, _, _, _)),
        ( DefM \== system -> true ; M == system )
    ;   '$current_predicate'(M, Name, A),
        functor(Plain, Name, A)
    ).

%!  predicate_property(:Head, ?Property) is nondet.

predicate_property(Head0, P) :-
    strip_module(Head0, M, Head),
    (   var(M)
    ->  current_module(M)
    ;   true
    ),
    (   callable(Head)
    ->  functor(Head, N, A),
        (   '$pred_defined'(M, N, A)
        ->  true
        ;   nonvar(P),
            \+ no_autoload(P),
            catch('$autoload_into'(M, N, A), _, fail)
        ),
        pred_property(P, M, N, A)
    ;   var(Head)
    ->  '$current_predicate'(M, N, A),
        functor(Head, N, A),
        pred_property(P, M, N, A)
    ;   throw(error(type_error(callable, Head), _))
    ).

no_autoload(defined).
no_autoload(visible).
no_autoload(dynamic).
no_autoload(autoload(_)).
no_autoload(imported_from(_)).

pred_property(P, M, N, A) :-
    '$pred_info'(M, N, A, info(DefM, Kind, Clauses, File, Line, Meta)),
    pred_property(P, M, N, A, DefM, Kind, Clauses, File, Line, Meta).

pred_property(interpreted, _, _, _, _, clauses, _, _, _, _).
pred_property(visible, _, _, _, _, _, _, _, _, _).
pred_property(built_in, _, _, _, system, _, _, _, _, _).
pred_property(foreign, _, _, _, _, Kind, _, _, _, _) :- Kind \== clauses.
pred_property(static, M, N, A, _, _, _, _, _, _) :- \+ '$get_pred_flag'(M, N, A, dynamic).
pred_property(dynamic, M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, dynamic).
pred_property(multifile, M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, multifile).
pred_property(discontiguous, M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, discontiguous).
pred_property(tabled, M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, tabled).
pred_property(tabled(variant), M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, tabled).
pred_property(public, M, N, A, _, _, _, _, _, _) :- '$get_pred_flag'(M, N, A, public).
pred_property(system, _, _, _, system, _, _, _, _, _).
pred_property(nodebug, _, _, _, system, _, _, _, _, _).
pred_property(iso, _, N, A, system, _, _, _, _, _) :- iso(N, A).
pred_property(defined, _, _, _, _, _, _, _, _, _).
pred_property(exported, _, N, A, DefM, _, _, _, _, _) :- DefM \== user, '$exports'(DefM, L), '$memberchk'(N/A, L).
pred_property(imported_from(DefM), M, _, _, DefM, _, _, _, _, _) :- DefM \== M, DefM \== system.
pred_property(file(File), _, _, _, _, clauses, _, File, Line, _) :- Line > 0.
pred_property(line_count(Line), _, _, _, _, clauses, _, _, Line, _) :- Line > 0.
pred_property(number_of_clauses(C), _, _, _, _, clauses, C, _, _, _).
pred_property(number_of_rules(R), M, N, A, _, clauses, _, _, _, _) :-
    functor(H, N, A),
    findall(x, ( catch(clause(M:H, B), _, fail), B \== true ), L),
    length(L, R).
pred_property(meta_predicate(Meta), _, _, _, _, _, _, _, _, Meta) :- Meta \== [].
pred_property(transparent, _, _, _, _, _, _, _, _, Meta) :- Meta \== [].
pred_property(size(0), _, _, _, _, clauses, _, _, _, _).
pred_property(notrace, _, _, _, system, _, _, _, _, _).

iso(N, A) :-
    '$memberchk'(N/A,
        [(=)/2, (\=)/2, (==)/2, (\==)/2, (@<)/2, (@>)/2, (@=<)/2, (@>=)/2, (is)/2, (=:=)/2, (=\=)/2, (<)/2, (>)/2, (=<)/2, (>=)/2,
         (=..)/2, functor/3, arg/3, copy_term/2, call/1, catch/3, throw/1, findall/3, bagof/3, setof/3, assertz/1, asserta/1, retract/1,
         abolish/1, atom_length/2, atom_chars/2, atom_codes/2, char_code/2, atom_concat/3, sub_atom/5, number_codes/2, number_chars/2,
         write/1, writeq/1, print/1, nl/0, halt/0, halt/1, op/3, current_op/3, var/1, nonvar/1, atom/1, atomic/1, compound/1, number/1,
         integer/1, float/1, callable/1, once/1, (\+)/1, (',')/2, (;)/2, (->)/2, true/0, fail/0, !/0]).

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

%   Collection is automatic; there is nothing to ask for.
garbage_collect.
garbage_collect_atoms.
trim_stacks.

%!  char_conversion(+From, +To) is det.
%   Notes that unquoted From is to be read as To; asked for by the standard. The reader converts nothing, as in SWI-Prolog.
char_conversion(From, To) :-
    must_be_character(From),
    must_be_character(To),
    retractall(char_conversion_(From, _)),
    (   From == To
    ->  true
    ;   assertz(char_conversion_(From, To))
    ).

%!  current_char_conversion(?From, ?To) is nondet.
%   A conversion noted by char_conversion/2; any other character stands for itself.
current_char_conversion(From, To) :-
    var(From),
    !,
    between(0, 255, Code),
    char_code(From, Code),
    converted(From, To).
current_char_conversion(From, To) :-
    must_be_character(From),
    converted(From, To).

converted(From, To) :-
    (   char_conversion_(From, Other)
    ->  To = Other
    ;   To = From
    ).

must_be_character(C) :-
    (   var(C)
    ->  throw(error(instantiation_error, _))
    ;   atom(C),
        atom_length(C, 1)
    ->  true
    ;   throw(error(type_error(character, C), _))
    ).

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
    ->  '$pi'(N/A, _, _),
        '$abolish'(M, N, A)
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
    ;   findall(D-(N1/A1), ( visible(M, N1, A1), A1 =:= A, '$edit_distance'(N, N1, D), near(N, D) ), Near0),
        keysort(Near0, Near),
        best(Near, PIs)
    ).

visible(M, N, A) :-
    '$member_of'([M, user, system], Q),
    '$current_predicate'(Q, N, A),
    \+ sub_atom(N, 0, 1, _, '$').
visible(_, N, A) :-
    '$autoload_list'(L),
    '$member_of'(L, N/A),
    \+ sub_atom(N, 0, 1, _, '$').

near(N, D) :-
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
