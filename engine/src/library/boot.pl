%   What every program may need before anything else is loaded: declarations, undefined
%   procedures, flags of predicates. Loaded into `system` by the engine itself, clause by clause,
%   without any expansion.

'$append'([], L, L).
'$append'([X|Xs], L, [X|Ys]) :-
    '$append'(Xs, L, Ys).

'$memberchk'(X, L) :-
    '$member_of'(L, X),
    !.

'$member_of'([X|_], X).
'$member_of'([_|T], X) :-
    '$member_of'(T, X).

:- '$set_pred_flag'(system, once, 1, meta(once(0))).
:- '$set_pred_flag'(system, ignore, 1, meta(ignore(0))).
:- '$set_pred_flag'(system, not, 1, meta(not(0))).
:- '$set_pred_flag'(system, forall, 2, meta(forall(0, 0))).

%   Native predicates that work on the caller's module. Code of `system` itself names the module.
:- '$set_pred_flag'(system, assert, 1, meta(assert(:))).
:- '$set_pred_flag'(system, assertz, 1, meta(assertz(:))).
:- '$set_pred_flag'(system, asserta, 1, meta(asserta(:))).
:- '$set_pred_flag'(system, assert, 2, meta(assert(:, -))).
:- '$set_pred_flag'(system, assertz, 2, meta(assertz(:, -))).
:- '$set_pred_flag'(system, asserta, 2, meta(asserta(:, -))).
:- '$set_pred_flag'(system, retract, 1, meta(retract(:))).
:- '$set_pred_flag'(system, retractall, 1, meta(retractall(:))).
:- '$set_pred_flag'(system, clause, 2, meta(clause(:, ?))).
:- '$set_pred_flag'(system, clause, 3, meta(clause(:, ?, ?))).
:- '$set_pred_flag'(system, op, 3, meta(op(+, +, :))).
:- '$set_pred_flag'(system, current_op, 3, meta(current_op(?, ?, :))).

once(Goal) :-
    call(Goal),
    !.

ignore(Goal) :-
    ( call(Goal) -> true ; true ).

not(Goal) :-
    \+ call(Goal).

forall(Condition, Action) :-
    \+ ( call(Condition), \+ call(Action) ).

true.

fail :- fail.

false :- fail.

repeat.
repeat :-
    repeat.

strip_module(Term, M, Plain) :-
    '$strip_module'(Term, M, Plain).

:- '$set_pred_flag'(system, strip_module, 3, meta(strip_module(:, -, -))).

'$current_predicate'(M, N, A) :-
    '$module_predicates'(M, PIs),
    '$member_of'(PIs, N/A).

% ---- declarations

:- '$set_pred_flag'(system, dynamic, 1, meta(dynamic(:))).
:- '$set_pred_flag'(system, dynamic, 2, meta(dynamic(:, ?))).
:- '$set_pred_flag'(system, discontiguous, 1, meta(discontiguous(:))).
:- '$set_pred_flag'(system, multifile, 1, meta(multifile(:))).
:- '$set_pred_flag'(system, module_transparent, 1, meta(module_transparent(:))).
:- '$set_pred_flag'(system, meta_predicate, 1, meta(meta_predicate(:))).
:- '$set_pred_flag'(system, public, 1, meta(public(:))).
:- '$set_pred_flag'(system, volatile, 1, meta(volatile(:))).
:- '$set_pred_flag'(system, thread_local, 1, meta(thread_local(:))).
:- '$set_pred_flag'(system, non_terminal, 1, meta(non_terminal(:))).
:- '$set_pred_flag'(system, noprofile, 1, meta(noprofile(:))).
:- '$set_pred_flag'(system, compile_predicates, 1, meta(compile_predicates(:))).
:- '$set_pred_flag'(system, redefine_system_predicate, 1, meta(redefine_system_predicate(:))).

dynamic(Spec) :-
    strip_module(Spec, _, Plain),
    (   var(Plain)
    ->  throw(error(uninstantiation_error(Plain), _))
    ;   '$declare'(Spec, dynamic)
    ).
dynamic(Spec, _) :- '$declare'(Spec, dynamic).
discontiguous(Spec) :- '$declare'(Spec, discontiguous).
multifile(Spec) :- '$declare'(Spec, multifile).
module_transparent(Spec) :- '$declare'(Spec, transparent).
public(Spec) :- '$declare'(Spec, public).
volatile(Spec) :- '$declare'(Spec, public).
thread_local(Spec) :- '$declare'(Spec, dynamic).
non_terminal(Spec) :- '$declare'(Spec, non_terminal).
noprofile(Spec) :- '$declare'(Spec, public).
compile_predicates(Spec) :- '$declare'(Spec, static).

'$declare'(Spec0, Flag) :-
    strip_module(Spec0, M, Spec),
    '$declare'(Spec, M, Flag).

'$declare'(V, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$declare'([], _, _) :- !.
'$declare'([A|B], M, Flag) :-
    !,
    '$declare'(A, M, Flag),
    '$declare'(B, M, Flag).
'$declare'((A, B), M, Flag) :-
    !,
    '$declare'(A, M, Flag),
    '$declare'(B, M, Flag).
'$declare'(M:Spec, _, Flag) :-
    !,
    '$declare'(Spec, M, Flag).
'$declare'(Spec as _, M, Flag) :-
    !,
    '$declare'(Spec, M, Flag).
'$declare'(PI, M, Flag) :-
    '$pi'(PI, N, A),
    '$set_pred_flag'(M, N, A, Flag).

'$pi'(PI, N, A) :-
    (   PI = N/A0
    ->  Extra = 0
    ;   PI = N//A0
    ->  Extra = 2
    ;   throw(error(type_error(predicate_indicator, PI), _))
    ),
    (   ( var(N) ; var(A0) )
    ->  throw(error(instantiation_error, _))
    ;   \+ atom(N),
        N \== []
    ->  throw(error(type_error(atom, N), _))
    ;   \+ integer(A0)
    ->  throw(error(type_error(integer, A0), _))
    ;   A0 < 0
    ->  throw(error(domain_error(not_less_than_zero, A0), _))
    ;   A is A0 + Extra
    ).

meta_predicate(Spec0) :-
    strip_module(Spec0, M, Spec),
    '$meta_predicate'(Spec, M).

'$meta_predicate'(V, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$meta_predicate'([], _) :- !.
'$meta_predicate'([A|B], M) :-
    !,
    '$meta_predicate'(A, M),
    '$meta_predicate'(B, M).
'$meta_predicate'((A, B), M) :-
    !,
    '$meta_predicate'(A, M),
    '$meta_predicate'(B, M).
'$meta_predicate'(M:A, _) :-
    !,
    '$meta_predicate'(A, M).
'$meta_predicate'(Head, M) :-
    (   callable(Head)
    ->  functor(Head, N, A),
        '$set_pred_flag'(M, N, A, meta(Head))
    ;   throw(error(type_error(callable, Head), _))
    ).

redefine_system_predicate(Head0) :-
    strip_module(Head0, M, Head),
    '$redefine_system'(Head, M).

'$redefine_system'((A, B), M) :-
    !,
    '$redefine_system'(A, M),
    '$redefine_system'(B, M).
'$redefine_system'(Head, M) :-
    callable(Head),
    functor(Head, N, A),
    '$set_pred_flag'(M, N, A, redefine).

% ---- undefined procedures

%   Called by the machine for a goal without a definition: loads the library that has one, or
%   does what the flag `unknown` says.
'$undefined'(M, Goal) :-
    functor(Goal, N, A),
    (   '$autoload_into'(M, N, A)
    ->  call(M:Goal)
    ;   current_prolog_flag(unknown, Unknown),
        '$unknown'(Unknown, M, N, A)
    ).

'$autoload_into'(M, N, A) :-
    current_prolog_flag(autoload, Auto),
    Auto \== false,
    '$autoload'(N, A, Library),
    '$load_library'(Library, From),
    '$pred_defined'(From, N, A),
    '$autoload_target'(Library, From, M, Into),
    (   From == Into
    ->  true
    ;   '$import'(Into, From, N, A, N)
    ).

%   The system's own lazily loaded parts are imported once, for all.
'$autoload_target'(_, From, M, Into) :-
    (   sub_atom(From, 0, 1, _, '$')
    ->  Into = system
    ;   Into = M
    ).

'$unknown'(error, M, N, A) :-
    (   M == user
    ->  PI = N/A
    ;   PI = M:N/A
    ),
    '$throw_unknown'(PI).
'$unknown'(warning, M, N, A) :-
    print_message(warning, error(existence_error(procedure, M:N/A), _)),
    fail.

% ---- small control

:- '$set_pred_flag'(system, @, 2, meta(@(0, +))).
:- '$set_pred_flag'(system, context_module, 1, meta(context_module(:))).

%   No predicate here looks at the context module other than through the qualification of its
%   arguments, which the goal keeps.
@(Goal, M) :-
    (   atom(M)
    ->  call(Goal)
    ;   var(M)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(module, M), _))
    ).

context_module(Q) :-
    (   nonvar(Q),
        Q = M:V
    ->  V = M
    ;   Q = system
    ).

:- '$set_pred_flag'(system, initialization, 1, meta(initialization(0))).
:- '$set_pred_flag'(system, initialization, 2, meta(initialization(0, +))).

:- '$set_pred_flag'(system, '$init_goal', 2, dynamic).
:- '$set_pred_flag'(system, '$main_goal', 1, dynamic).

%!  initialization(:Goal) is det.
%
%   Runs Goal after the file being loaded has been loaded, or now when none is.

initialization(Goal) :-
    (   '$loading'(File)
    ->  assertz(system:'$init_goal'(File, Goal))
    ;   '$run_init'(Goal)
    ).

initialization(Goal, When) :-
    (   var(When)
    ->  throw(error(instantiation_error, _))
    ;   When == now
    ->  '$run_init'(Goal)
    ;   When == main
    ->  retractall(system:'$main_goal'(_)),
        assertz(system:'$main_goal'(Goal))
    ;   '$memberchk'(When, [after_load, restore, restore_state, program, prepare_state])
    ->  initialization(Goal)
    ;   throw(error(domain_error(initialization_type, When), _))
    ).

'$run_init'(Goal) :-
    (   catch(Goal, E, true)
    ->  (   nonvar(E)
        ->  '$init_error'(E, Goal)
        ;   true
        )
    ;   '$print'(warning, init_goal(failed, Goal))
    ).

'$init_error'(E, _) :-
    E = unwind(_),
    !,
    throw(E).
'$init_error'(E, Goal) :-
    '$print'(error, init_goal(goal_raised(E), Goal)).

'$run_init_goals'(File) :-
    (   retract(system:'$init_goal'(File, Goal)),
        '$run_init'(Goal),
        fail
    ;   true
    ).

%   Messages of the loader: not worth an exception when printing itself goes wrong.
'$print'(Kind, Message) :-
    catch(print_message(Kind, Message), _, true),
    !.
'$print'(_, _).
