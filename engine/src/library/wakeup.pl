%   What the machine calls by itself: goals of attributed variables and cleanup handlers.
%   Part of `system`, loaded by the engine itself.

%   '$wakeup'(+Goals): goals noted since the last look, the newest first.
'$wakeup'(Goals) :-
    '$wake_reverse'(Goals, [], Ordered),
    '$wake_all'(Ordered).

'$wake_reverse'([], L, L).
'$wake_reverse'([G|Gs], L0, L) :-
    '$wake_reverse'(Gs, [G|L0], L).

'$wake_all'([]).
'$wake_all'([G|Gs]) :-
    call(G),
    '$wake_all'(Gs).

%   '$wakeup'(+Attributes, +Value, +Variable): an attributed variable was bound.
'$wakeup'([], _, _).
'$wakeup'(att(Module, AttValue, More), Value, Var) :-
    Module:attr_unify_hook(AttValue, Value),
    '$wakeup'(More, Value, Var).

:- '$set_pred_flag'(system, setup_call_cleanup, 3, meta(setup_call_cleanup(0, 0, 0))).
:- '$set_pred_flag'(system, call_cleanup, 2, meta(call_cleanup(0, 0))).
:- '$set_pred_flag'(system, setup_call_catcher_cleanup, 4, meta(setup_call_catcher_cleanup(0, 0, ?, 0))).
:- '$set_pred_flag'(system, call_cleanup, 3, meta(call_cleanup(0, ?, 0))).

setup_call_cleanup(Setup, Goal, Cleanup) :-
    '$must_be_callable'(Cleanup),
    once(Setup),
    '$call_cleanup'(Goal, Cleanup).

call_cleanup(Goal, Cleanup) :-
    '$must_be_callable'(Cleanup),
    '$call_cleanup'(Goal, Cleanup).

call_cleanup(Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).

setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    '$must_be_callable'(Cleanup),
    once(Setup),
    '$call_cleanup'(Goal, '$catcher'(Catcher, Cleanup)).

'$must_be_callable'(Goal) :-
    strip_module(Goal, _, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   callable(Plain)
    ->  true
    ;   throw(error(type_error(callable, Plain), _))
    ).

%   A handler runs once; its failure and its choice points do not matter.
'$run_cleanup'(Handler, Reason) :-
    strip_module(Handler, _, Plain),
    (   Plain = '$catcher'(Catcher, Cleanup)
    ->  (   Catcher = Reason,
            call(Cleanup)
        ->  true
        ;   true
        )
    ;   call(Handler)
    ->  true
    ;   true
    ).

%   '$run_cleanup'(+Handler): after a cut or an exit, or before failing; what it raises goes on.
'$cleanup_exit'(Handler) :- '$run_cleanup'(Handler, exit).
'$cleanup_cut'(Handler) :- '$run_cleanup'(Handler, !).
'$cleanup_fail'(Handler) :- '$run_cleanup'(Handler, fail), fail.

%   While an exception unwinds, the first exception counts.
'$cleanup_throw'(Handler, Reason) :-
    catch('$run_cleanup'(Handler, Reason), _, true),
    arg(1, Reason, Ball),
    '$rethrow'(Ball).
