%   Loading of source text. Part of `system`, loaded by the engine itself.
%
%   The loop over the clauses of a file is driven by failure, so that it leaves nothing behind on
%   the stacks; an exception (a syntax error, say) is reported and the loop entered again. All
%   that rarely happens (hooks, grammar rules, dicts, messages) is in libraries loaded on demand.

:- '$set_pred_flag'(system, '$file', 4, dynamic).        % File, Module, Parent, Line
:- '$set_pred_flag'(system, '$stream_of', 3, dynamic).   % Depth, File, Stream: loads going on, innermost first
:- '$set_pred_flag'(system, '$included', 2, dynamic).    % File, Parent
:- '$declare'([term_expansion/2, term_expansion/4, goal_expansion/2, goal_expansion/4, file_search_path/2,
               message_hook/3, portray/1, prolog_load_file/2], user, dynamic).
:- '$declare'([term_expansion/2, term_expansion/4, goal_expansion/2, goal_expansion/4, file_search_path/2,
               message_hook/3, portray/1, prolog_load_file/2], user, multifile).
:- '$declare'([message/3], prolog, dynamic).
:- '$declare'([message/3], prolog, multifile).

:- '$set_pred_flag'(system, consult, 1, meta(consult(:))).
:- '$set_pred_flag'(system, load_files, 1, meta(load_files(:))).
:- '$set_pred_flag'(system, load_files, 2, meta(load_files(:, +))).
:- '$set_pred_flag'(system, ensure_loaded, 1, meta(ensure_loaded(:))).
:- '$set_pred_flag'(system, use_module, 1, meta(use_module(:))).
:- '$set_pred_flag'(system, use_module, 2, meta(use_module(:, +))).
:- '$set_pred_flag'(system, autoload, 1, meta(autoload(:))).
:- '$set_pred_flag'(system, autoload, 2, meta(autoload(:, +))).
:- '$set_pred_flag'(system, reexport, 1, meta(reexport(:))).
:- '$set_pred_flag'(system, reexport, 2, meta(reexport(:, +))).

:- nb_setval('$load_depth', 0).
:- nb_setval('$cond', []).
:- nb_setval('$first', false).
:- nb_setval('$at_end', false).
:- nb_setval('$library', false).

consult(Spec) :-
    load_files(Spec, [if(true)]).

[H|T] :-
    '$module'(M, M),
    '$consult_list'([H|T], M).

'$consult_list'([], _).
'$consult_list'([F|Fs], M) :-
    consult(M:F),
    '$consult_list'(Fs, M).

ensure_loaded(Spec) :-
    load_files(Spec, [if(not_loaded)]).

use_module(Spec) :-
    load_files(Spec, [if(not_loaded), must_be_module(true)]).

use_module(Spec, Imports) :-
    load_files(Spec, [if(not_loaded), must_be_module(true), imports(Imports)]).

autoload(Spec) :-
    use_module(Spec).

autoload(Spec, Imports) :-
    use_module(Spec, Imports).

reexport(Spec) :-
    load_files(Spec, [if(not_loaded), must_be_module(true), reexport(true)]).

reexport(Spec, Imports) :-
    load_files(Spec, [if(not_loaded), must_be_module(true), imports(Imports), reexport(true)]).

load_files(Spec) :-
    load_files(Spec, []).

%!  load_files(:Files, +Options) is det.
%
%   Options: if(true|changed|not_loaded), imports(all|List), must_be_module(Bool),
%   reexport(Bool), stream(S), silent(Bool).

load_files(Spec0, Options) :-
    strip_module(Spec0, M, Spec),
    '$load_each'(Spec, M, Options).

'$load_each'(V, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$load_each'([], _, _) :- !.
'$load_each'([F|Fs], M, Options) :-
    !,
    '$load_each'(F, M, Options),
    '$load_each'(Fs, M, Options).
'$load_each'(M:F, _, Options) :-
    !,
    '$load_each'(F, M, Options).
'$load_each'(Spec, M, Options) :-
    (   '$option'(stream(S), Options)
    ->  '$stream_id'(Spec, Id),
        '$load_stream'(S, Id, M, Options, From),
        '$after_load'(From, M, Options)
    ;   Spec = library(L),
        '$library_name'(L, Name),
        '$library_text'(Name, _)
    ->  '$load_library'(Name, From),
        '$after_load'(From, M, Options)
    ;   Spec = library(L),
        '$library_name'(L, Name),
        '$native_library'(Name)
    ->  true
    ;   '$current_source'(Spec, M, From)
    ->  '$after_load'(From, M, Options)
    ;   Spec == user
    ->  '$load_stream'(user_input, user, M, Options, From),
        '$after_load'(From, M, Options)
    ;   '$find_source'(Spec, File),
        (   '$option'(if(If), Options),
            If \== true,
            '$file'(File, From, _, _)
        ->  true
        ;   open(File, read, S, []),
            setup_call_cleanup(true, '$load_stream'(S, File, M, Options, From), close(S))
        ),
        '$after_load'(From, M, Options)
    ).

%   Libraries whose predicates are part of the engine.
'$native_library'(Name) :-
    '$memberchk'(Name,
        [apply_macros, arithmetic, backcomp, charsio, codesio, ctypes, date, dialect, dicts, dif, edinburgh, gensym, listing, main,
         nb_set, occurs, operators, prolog_stack, quintus, random, readutil, shlib, statistics, strings, system, tabling, terms,
         time, utf8, when, 'http/json', prolog_code, prolog_source, filesex, error, debug, option]).

%   use_module(m) where m is a module that came without a file of its own.
'$current_source'(Spec, M, Spec) :-
    atom(Spec),
    Spec \== M,
    Spec \== user,
    '$current_module'(Spec),
    \+ '$has_source'(Spec).

'$has_source'(Spec) :-
    catch('$find_source'(Spec, _), _, fail).

'$option'(O, Options) :-
    '$member_of'(Options, O),
    !.

'$stream_id'(Spec, Id) :-
    (   atom(Spec)
    ->  Id = Spec
    ;   string(Spec)
    ->  atom_string(Id, Spec)
    ;   term_to_atom(Spec, Id)
    ).

'$library_name'(L, Name) :-
    (   atom(L)
    ->  Name = L
    ;   L = D/F
    ->  '$library_name'(D, DN),
        '$library_name'(F, FN),
        atomic_list_concat([DN, /, FN], Name)
    ).

%!  '$load_library'(+Name, -Module) is det.
%
%   Loads a library of the engine unless it is there already.

'$load_library'(Name, Module) :-
    atomic_list_concat(['library/', Name, '.pl'], File),
    (   '$file'(File, Module, _, _)
    ->  true
    ;   '$library_text'(Name, Text),
        open_string(Text, S),
        setup_call_cleanup(true, '$load_stream'(S, File, user, [library(true)], Module), close(S))
    ).

%   What a load gives to the module that asked for it.
'$after_load'(From, M, Options) :-
    (   From == M
    ->  true
    ;   '$exports'(From, Exports)
    ->  '$import_all'(Options, From, M, Exports)
    ;   true
    ).

% ---- files

%!  '$find_source'(+Spec, -File) is det.

'$find_source'(Spec, File) :-
    (   '$source_name'(Spec, Base),
        '$source_candidate'(Base, File),
        exists_file(File)
    ->  true
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

'$source_name'(Spec, Base) :-
    (   atom(Spec)
    ->  Base = Spec
    ;   string(Spec)
    ->  atom_string(Base, Spec)
    ;   Spec = A/B
    ->  '$source_name'(A, AN),
        '$source_name'(B, BN),
        atomic_list_concat([AN, /, BN], Base)
    ;   compound(Spec),
        functor(Spec, Alias, 1)
    ->  arg(1, Spec, Sub),
        '$source_name'(Sub, SubN),
        user:file_search_path(Alias, Dir),
        '$source_name'(Dir, DirN),
        atomic_list_concat([DirN, /, SubN], Base)
    ;   throw(error(type_error(source_sink, Spec), _))
    ).

'$source_candidate'(Base, File) :-
    (   \+ sub_atom(Base, 0, 1, _, /),
        '$loading'(Parent),
        '$directory_of'(Parent, Dir)
    ->  ( atom_concat(Dir, Base, Path) ; Path = Base )
    ;   Path = Base
    ),
    ( File = Path ; '$source_suffix'(Suffix), atom_concat(Path, Suffix, File) ).

'$source_suffix'('.pl').
'$source_suffix'('.dml').
'$source_suffix'('.prolog').

%   The directory of a file with its last slash; fails for a bare name.
'$directory_of'(File, Dir) :-
    atom(File),
    sub_atom(File, B, 1, 0, _),
    '$last_slash'(File, B, N),
    sub_atom(File, 0, N, _, Dir).

'$last_slash'(File, B, N) :-
    (   sub_atom(File, B, 1, _, /)
    ->  N is B + 1
    ;   B > 0,
        B1 is B - 1,
        '$last_slash'(File, B1, N)
    ).

% ---- one source

%   The source being loaded, innermost first.
'$loading'(File) :-
    nb_getval('$load_depth', D),
    D > 0,
    '$stream_of'(D, File, _),
    !.

%!  '$load_stream'(+Stream, +File, +M, +Options, -Module) is det.
%
%   Loads into M, or into the module that the text declares.

'$load_stream'(S, File, M, Options, Module) :-
    '$module'(Old, M),
    nb_getval('$load_depth', D0),
    nb_getval('$cond', Cond),
    nb_getval('$line', Line),
    nb_getval('$at_end', AtEnd),
    nb_getval('$library', Library),
    '$save_flags'(Flags),
    D is D0 + 1,
    ( '$loading'(Parent) -> true ; Parent = user ),
    setup_call_cleanup(
        '$load_enter'(D, S, File, M, Parent, Options),
        '$load_source'(S, File),
        '$load_leave'(D, File, Old, st(Cond, Line, AtEnd, Library), Flags)),
    '$file'(File, Module, _, _),
    '$run_init_goals'(File).

'$load_enter'(D, S, File, M, Parent, Options) :-
    (   '$option'(library(true), Options)
    ->  nb_setval('$library', true),
        '$default_flags'
    ;   nb_setval('$library', false)
    ),
    nb_setval('$load_depth', D),
    nb_setval('$cond', []),
    nb_setval('$at_end', false),
    nb_setval('$first', true),
    asserta(system:'$stream_of'(D, File, S)),
    (   retract(system:'$file'(File, _, _, _))
    ->  '$wipe_reload'(M, File)
    ;   true
    ),
    retractall(system:'$init_goal'(File, _)),
    assertz(system:'$file'(File, M, Parent, 0)).

'$load_leave'(D, File, Old, st(Cond, Line, AtEnd, Library), Flags) :-
    '$module'(_, Old),
    retractall(system:'$stream_of'(D, _, _)),
    D0 is D - 1,
    nb_setval('$load_depth', D0),
    nb_setval('$cond', Cond),
    nb_setval('$line', Line),
    nb_setval('$at_end', AtEnd),
    nb_setval('$library', Library),
    nb_setval('$first', false),
    (   '$file'(File, user, _, _)
    ->  '$restore_flags'(Flags, other)
    ;   '$restore_flags'(Flags)
    ).

'$load_source'(S, File) :-
    '$load_first'(S, File),
    '$load_loop'(S, File),
    ( nb_getval('$cond', []) -> true ; '$print'(error, unterminated_conditional(File)) ),
    '$close_ssu'(File),
    '$check_exports'(File).

'$check_exports'(File) :-
    '$file'(File, M, _, _),
    M \== user,
    '$exports'(M, PIs),
    '$member_of'(PIs, N/A),
    \+ '$pred_defined'(M, N, A),
    '$print'(error, undefined_export(M, N/A)),
    fail.
'$check_exports'(_).

%   `:- module(...)` counts only as the first term.
'$load_first'(S, File) :-
    (   catch('$load_one'(S, File), E, '$load_error'(E, S, File))
    ->  true
    ;   true
    ),
    nb_setval('$first', false).

'$load_loop'(_, _) :-
    nb_getval('$at_end', true),
    !.
'$load_loop'(S, File) :-
    catch('$load_all'(S, File), E, true),
    (   var(E)
    ->  true
    ;   '$load_error'(E, S, File),
        '$load_loop'(S, File)
    ).

'$load_all'(S, File) :-
    repeat,
    '$read_clause'(S, T, Vars, Singles, Line),
    nb_setval('$line', Line),
    '$load_term'(T, S, File, Vars, Singles, Line, End),
    End == end,
    !,
    nb_setval('$at_end', true).

'$load_one'(S, File) :-
    '$read_clause'(S, T, Vars, Singles, Line),
    nb_setval('$line', Line),
    '$load_term'(T, S, File, Vars, Singles, Line, End),
    ( End == end -> nb_setval('$at_end', true) ; true ).

'$load_term'(T, S, File, Vars, Singles, Line, End) :-
    ( Singles == [] -> true ; '$warn_singletons'(Singles, File, Line) ),
    '$clause_kind'(T, Kind),
    '$load_kind'(Kind, T, S, File, Vars, Line, End).

%   The kinds the quick native test tells apart: `clause` is a fact or rule without functional
%   notation.
'$load_kind'(clause, T, _, File, Vars, Line, _) :-
    '$module'(M, M),
    (   '$active_hooks'(M)
    ->  '$load_expanded'(T, M, File, Vars, Line, _)
    ;   '$add_clause'(M, T, File, Line)
    ).
'$load_kind'(directive, (:- D), S, File, Vars, Line, End) :-
    '$load_directive'(D, S, File, Vars, Line, End).
'$load_kind'(ssu, T, _, File, Vars, Line, _) :-
    '$module'(M, M),
    (   '$active_hooks'(M)
    ->  '$load_expanded'(T, M, File, Vars, Line, _)
    ;   '$add_ssu'(T, M, File, Line)
    ).
'$load_kind'(query, (?- D), S, File, Vars, Line, End) :-
    '$load_directive'(D, S, File, Vars, Line, End).
'$load_kind'(grammar, T, _, File, Vars, Line, _) :-
    '$module'(M, M),
    (   '$active_hooks'(M)
    ->  '$load_expanded'(T, M, File, Vars, Line, _)
    ;   dcg_clause(M, T, [(:- non_terminal(PI)), Clause]),
        '$declare'(PI, M, non_terminal),
        '$add_clause'(M, Clause, File, Line)
    ).
'$load_kind'(expand, T, _, File, Vars, Line, End) :-
    '$module'(M, M),
    '$load_expanded'(T, M, File, Vars, Line, End).
'$load_kind'(end, _, _, File, Vars, Line, End) :-
    '$module'(M, M),
    % The end stays the end when a hook raises on it.
    nb_setval('$at_end', true),
    (   '$active_hooks'(M)
    ->  '$load_expanded'(end_of_file, M, File, Vars, Line, _)
    ;   true
    ),
    End = end.
'$load_kind'(var, _, _, _, _, _, _) :-
    throw(error(instantiation_error, _)).

%   Hooks of the user are for the user's files, not for the engine's library.
'$active_hooks'(M) :-
    nb_getval('$library', false),
    '$hooked'(M).

'$load_expanded'(T, M, File, Vars, Line, End) :-
    b_setval('$term', T),
    b_setval('$variable_names', Vars),
    '$expand_term'(M, T, X),
    '$store'(X, File, Vars, Line, End).

'$store'(V, _, _, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$store'([], _, _, _, _) :- !.
'$store'([T|Ts], File, Vars, Line, End) :-
    !,
    '$store'(T, File, Vars, Line, End),
    '$store'(Ts, File, Vars, Line, End).
'$store'((:- D), File, Vars, Line, End) :-
    !,
    '$directive'(D, File, Vars, Line, End).
'$store'((?- D), File, Vars, Line, End) :-
    !,
    '$directive'(D, File, Vars, Line, End).
'$store'(end_of_file, _, _, _, end) :- !.
'$store'('$source_location'(File:Line):T, _, Vars, _, End) :-
    !,
    '$store'(T, File, Vars, Line, End).
'$store'((H => B), File, _, Line, _) :-
    !,
    '$module'(M, M),
    '$add_ssu'((H => B), M, File, Line).
'$store'(T, File, _, Line, _) :-
    '$module'(M, M),
    '$add_clause'(M, T, File, Line).

'$load_error'(E, S, File) :-
    (   '$uncatchable'(E)
    ->  throw(E)
    ;   nb_getval('$library', true),
        E = error(permission_error(modify, static_procedure, _), _)
    ->  true
    ;   nb_getval('$line', Line),
        '$print'(error, load_error(File, Line, S, E))
    ).

'$uncatchable'(E) :-
    nonvar(E),
    ( E = unwind(_) ; E == '$aborted' ).

'$warn_singletons'(Singles, File, Line) :-
    (   nb_getval('$style_singleton', false)
    ->  true
    ;   '$print'(warning, load_singletons(File, Line, Singles))
    ).

:- nb_setval('$style_singleton', true).
:- nb_setval('$style_discontiguous', true).
:- nb_setval('$line', 0).

% ---- rules with single-sided unification

%   Head, Guard => Body: the goal must be an instance of the head; then the rule is committed to.
%   A last clause, added when the file ends, raises the error for a goal that no rule matches.
'$add_ssu'((H0 => B), M0, File, Line) :-
    strip_module(M0:H0, M, H1),
    (   nonvar(H1), H1 = (H2, Guard)
    ->  true
    ;   H2 = H1, Guard = true
    ),
    (   var(H2)
    ->  throw(error(instantiation_error, _))
    ;   callable(H2)
    ->  true
    ;   throw(error(type_error(callable, H2), _))
    ),
    functor(H2, N, A),
    functor(General, N, A),
    (   A =:= 0
    ->  Body = (Guard, !, B)
    ;   Body = (subsumes_term(H2, General), General = H2, Guard, !, B)
    ),
    '$add_clause'(M, (General :- Body), File, Line),
    (   '$ssu'(File, M, N, A)
    ->  true
    ;   assertz(system:'$ssu'(File, M, N, A))
    ).

:- '$set_pred_flag'(system, '$ssu', 4, dynamic).

'$close_ssu'(File) :-
    (   retract(system:'$ssu'(File, M, N, A)),
        functor(Goal, N, A),
        '$add_clause'(M, (Goal :- '$no_matching_rule'(M, Goal)), File, 0),
        fail
    ;   true
    ).

'$no_matching_rule'(M, Goal) :-
    ( M == user -> Culprit = Goal ; Culprit = M:Goal ),
    throw(error(existence_error(matching_rule, Culprit), _)).

% ---- directives

'$load_directive'(D, _, _, _, _, _) :-
    var(D),
    !,
    throw(error(instantiation_error, _)).
'$load_directive'(if(G), S, File, Vars, Line, End) :-
    !,
    '$condition'(G, Vars, S, File, Line, End).
'$load_directive'(elif(_), S, File, _, _, End) :-
    !,
    '$cond_other'(elif, S, File, End).
'$load_directive'(else, S, File, _, _, End) :-
    !,
    '$cond_other'(else, S, File, End).
'$load_directive'(endif, _, _, _, _, _) :-
    !,
    (   nb_getval('$cond', [_|C])
    ->  nb_setval('$cond', C)
    ;   '$print'(error, conditional(endif))
    ).
'$load_directive'(D, _, File, Vars, Line, End) :-
    '$module'(M, M),
    (   '$active_hooks'(M)
    ->  '$load_expanded'((:- D), M, File, Vars, Line, End)
    ;   '$directive'(D, File, Vars, Line, End)
    ).

'$directive'(module(Name, Exports), File, _, Line, _) :-
    !,
    (   nb_getval('$first', true)
    ->  '$start_module'(Name, Exports, File, Line)
    ;   throw(error(permission_error(directive, module, Name), _))
    ).
'$directive'(module(Name, Exports, _), File, _, Line, _) :-
    !,
    '$start_module'(Name, Exports, File, Line).
'$directive'(include(Spec), _, _, _, _) :-
    !,
    '$include'(Spec).
'$directive'(encoding(_), _, _, _, _) :- !.
'$directive'(D, File, Vars, Line, _) :-
    b_setval('$variable_names', Vars),
    b_setval('$term', (:- D)),
    '$module'(M, M),
    (   '$has_functions'(D)
    ->  '$expand_goal'(M, D, G)
    ;   G = D
    ),
    (   catch(M:G, E, true)
    ->  (   var(E)
        ->  true
        ;   '$uncatchable'(E)
        ->  throw(E)
        ;   '$print'(error, load_error(File, Line, directive, E))
        )
    ;   '$print'(warning, directive_failed(File, Line, M:D))
    ).

'$start_module'(Name0, Exports, File, Line) :-
    (   var(Name0)
    ->  '$stem'(File, Name)
    ;   atom(Name0)
    ->  Name = Name0
    ;   throw(error(type_error(module, Name0), _))
    ),
    (   '$file'(Other, Name, _, _),
        Other \== File,
        Name \== user,
        '$current_module'(Name),
        \+ '$file'(File, Name, _, _)
    ->  throw(error(permission_error(load, module, Name), context(_, Other)))
    ;   true
    ),
    '$new_module'(Name, File),
    '$module'(_, Name),
    retract(system:'$file'(File, _, Parent, _)),
    assertz(system:'$file'(File, Name, Parent, Line)),
    '$export_list'(Exports, Name).

'$stem'(File, Name) :-
    (   '$directory_of'(File, Dir),
        atom_concat(Dir, Base, File)
    ->  true
    ;   Base = File
    ),
    (   sub_atom(Base, B, _, _, '.')
    ->  sub_atom(Base, 0, B, _, Name)
    ;   Name = Base
    ).

'$include'(Spec) :-
    '$find_source'(Spec, File),
    '$loading'(Parent),
    assertz(system:'$included'(File, Parent)),
    open(File, read, S, []),
    nb_getval('$at_end', AtEnd),
    nb_setval('$at_end', false),
    setup_call_cleanup(true, '$load_loop'(S, Parent), close(S)),
    nb_setval('$at_end', AtEnd).

% ---- conditional compilation

'$condition'(G, Vars, S, File, Line, End) :-
    '$module'(M, M),
    (   '$condition_holds'(G, M, Vars, File, Line)
    ->  '$push_cond'
    ;   '$skip_branch'(S, File, seek, 0, End)
    ).

'$push_cond' :-
    nb_getval('$cond', C),
    nb_setval('$cond', [taken|C]).

'$condition_holds'(G0, M, Vars, File, Line) :-
    b_setval('$variable_names', Vars),
    '$expand_condition'(G0, M, G),
    catch(M:G, E, ( '$print'(error, load_error(File, Line, directive, E)), fail )),
    !.

'$expand_condition'(G0, M, G) :-
    (   '$active_hooks'(M)
    ->  '$expand_goal'(M, G0, G)
    ;   '$has_functions'(G0)
    ->  '$expand_goal'(M, G0, G)
    ;   G = G0
    ).

%   An else or elif that ends the branch taken.
'$cond_other'(Which, S, File, End) :-
    (   nb_getval('$cond', [_|C])
    ->  nb_setval('$cond', C),
        '$skip_branch'(S, File, done, 0, End)
    ;   '$print'(error, conditional(Which))
    ).

%   Reads over terms up to the branch to take (Mode seek) or to the end of the condition (done).
'$skip_branch'(S, File, Mode, Depth, End) :-
    (   catch('$read_clause'(S, T, Vars, _, Line), error(_, _), T = skipped)
    ->  true
    ;   T = skipped
    ),
    '$skip_term'(T, Vars, Line, S, File, Mode, Depth, End).

'$skip_term'(T, _, _, S, File, Mode, Depth, End) :-
    ( var(T) ; T \= (:- _), T \== end_of_file ),
    !,
    '$skip_branch'(S, File, Mode, Depth, End).
'$skip_term'(end_of_file, _, _, _, File, _, _, end) :-
    !,
    '$print'(error, unterminated_conditional(File)).
'$skip_term'((:- D), Vars, Line, S, File, Mode, Depth, End) :-
    (   var(D)
    ->  '$skip_branch'(S, File, Mode, Depth, End)
    ;   D = if(_)
    ->  Depth1 is Depth + 1,
        '$skip_branch'(S, File, Mode, Depth1, End)
    ;   D == endif
    ->  (   Depth =:= 0
        ->  true
        ;   Depth1 is Depth - 1,
            '$skip_branch'(S, File, Mode, Depth1, End)
        )
    ;   Depth =:= 0,
        Mode == seek,
        (   D == else
        ->  true
        ;   D = elif(G),
            '$module'(M, M),
            '$condition_holds'(G, M, Vars, File, Line)
        )
    ->  '$push_cond'
    ;   '$skip_branch'(S, File, Mode, Depth, End)
    ).

% ---- the goal of a query

%!  '$read_query'(+Text, -Goal, -Bindings) is det.
%
%   Reads and expands a goal as the toplevel does. Bindings are Name = Variable pairs.

'$read_query'(Text, Goal, Bindings) :-
    string_concat(Text, " .\n", Full),
    open_string(Full, S),
    setup_call_cleanup(true,
                       read_term(S, Goal0, [variable_names(Bindings), module(user)]),
                       close(S)),
    b_setval('$variable_names', Bindings),
    (   ( '$active_hooks'(user) ; '$has_functions'(Goal0) )
    ->  '$expand_goal'(user, Goal0, Goal)
    ;   Goal = Goal0
    ).

%!  '$query'(+Text, -Bindings) is nondet.

'$query'(Text, Bindings) :-
    '$read_query'(Text, Goal, Bindings),
    call(user:Goal).
