:- module(debug,
          [ assertion/1, debug/1, nodebug/1, debug/3, debugging/1, debugging/2,
            list_debug_topics/0, debug_message_context/1
          ]).

:- meta_predicate assertion(0).

:- dynamic topic/2.

%!  assertion(:Goal) is det.
%   Succeeds if Goal has a solution, without bindings; throws assertion_failed otherwise.
assertion(Goal) :-
    \+ \+ catch(Goal, Error, assertion_failed(Error, Goal)),
    !.
assertion(Goal) :-
    assertion_failed(fail, Goal).

assertion_failed(Reason, Goal) :-
    print_message(error, assertion_failed(Reason, Goal)),
    throw(error(assertion_error(Reason, Goal), _)).

%!  debug(+Topic) is det.
%   Messages of this topic are printed from now on.
debug(Topic) :-
    retractall(topic(Topic, _)),
    assertz(topic(Topic, true)).

%!  nodebug(+Topic) is det.
%   Messages of this topic are not printed any more.
nodebug(Topic) :-
    (   retract(topic(Topic, _)),
        fail
    ;   true
    ),
    assertz(topic(Topic, false)).

%!  debugging(+Topic) is semidet.
%   Messages of this topic are printed.
debugging(Topic) :-
    topic(Topic, true),
    !.

%!  debugging(?Topic, ?Bool) is nondet.
%   Enumerates the topics that are known.
debugging(Topic, Bool) :-
    topic(Topic, Bool).

%!  list_debug_topics is det.
%   Prints the topics that are known.
list_debug_topics :-
    forall(topic(Topic, Bool), format(user_error, '~p: ~w~n', [Topic, Bool])).

%!  debug_message_context(+Context) is det.
%   Accepted without effect.
debug_message_context(_).

%!  debug(+Topic, +Format, +Args) is det.
%   Prints a message if Topic is on.
debug(Topic, Format, Args) :-
    (   topic(Topic, true)
        format(user_error, '% ', []),
        format(user_error, Format, Args),
        nl(user_error)
    ;   true
    ).
