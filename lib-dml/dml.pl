%   The predicates of DML that are written in Prolog. Part of `system`; what a program defines under
%   the same names wins.

:- dynamic '$dml_default'/2.        % Key, Value: from `:- param` directives
:- dynamic '$dml_tool'/2.           % Head, Description: from `:- tool` directives
:- dynamic user:'$dml_param'/2.     % param/2 facts of the program
:- multifile user:'$dml_param'/2.

:- meta_predicate
    '$interp'(+, 0),
    with_tools(+, 0),
    without_tools(+, 0),
    with_reasoning(0, +),
    with_recipe(0, +),
    '$dml_with'(+, +, 0).

:- nb_setval('$dml_memory', []).
:- nb_setval('$dml_stack', []).
:- nb_setval('$dml_scope', []).
:- nb_setval('$dml_effort', []).
:- nb_setval('$dml_recipe', []).

%   '$interp'(+Parts, :Goal0)
%
%   Calls Goal0 with the text of Parts as its first argument. A part is a string, v(Value), or
%   p(Key, Literal): the parameter Key, or Literal when there is none.

'$interp'(Parts0, M:Goal0) :-
    '$dml_resolve'(Parts0, Parts),
    '$dml_fill'(Parts, Goal0, Goal),
    M:Goal.

'$dml_resolve'([], []).
'$dml_resolve'([P|Ps], [Q|Qs]) :-
    (   P = p(Key, Literal)
    ->  (   '$dml_lookup'(Key, V)
        ->  Q = v(V)
        ;   Q = Literal
        )
    ;   Q = P
    ),
    '$dml_resolve'(Ps, Qs).

% ---- parameters

%!  param(?Key, -Value) is nondet.
%!  param(?Key, +Description, -Value) is nondet.
%
%   The value of a parameter: the host's, else a param/2 fact of the program, else the default of a
%   `:- param` directive. Fails when there is none.

param(Key, Value) :-
    (   var(Key)
    ->  '$dml_keys'(Host),
        findall(K, ( user:'$dml_param'(K, _) ; '$dml_default'(K, _) ), Own),
        '$append'(Host, Own, Keys0),
        sort(Keys0, Keys),
        '$dml_member'(Key, Keys),
        '$dml_lookup'(Key, Value0),
        Value = Value0
    ;   '$dml_key'(Key, K),
        '$dml_lookup'(K, Value0),
        Value = Value0
    ).

param(Key, _, Value) :-
    param(Key, Value).

'$dml_lookup'(Key, Value) :-
    (   '$dml_host_param'(Key, V)
    ->  Value = V
    ;   user:'$dml_param'(Key, V)
    ->  Value = V
    ;   '$dml_default'(Key, V)
    ->  Value = V
    ).

'$dml_key'(Key0, Key) :-
    (   ( atom(Key0) ; string(Key0) )
    ->  downcase_atom(Key0, Key)
    ;   throw(error(type_error(atom, Key0), _))
    ).

'$dml_member'(X, [Y|Ys]) :-
    (   Ys == []
    ->  X = Y
    ;   ( X = Y ; '$dml_member'(X, Ys) )
    ).

'$dml_declare'(param(Key0, Default)) :-
    '$dml_key'(Key0, Key),
    retractall('$dml_default'(Key, _)),
    assertz('$dml_default'(Key, Default)).
'$dml_declare'(param(Key, _, Default)) :-
    '$dml_declare'(param(Key, Default)).
'$dml_declare'(tool(Head, Description)) :-
    assertz('$dml_tool'(Head, Description)).
'$dml_declare'(capability(_)).

% ---- memory of the conversation: global variables that backtracking restores

%!  system(+Text) is det.
%!  user(+Text) is det.
%
%   Add a message to the memory.

system(Text) :-
    '$dml_remember'(system, Text).

user(Text) :-
    '$dml_remember'(user, Text).

'$dml_remember'(Role, Text) :-
    '$dml_text'(Text, Content),
    dict_create(Message, message, [role-Role, content-Content]),
    b_getval('$dml_memory', Memory),
    b_setval('$dml_memory', [Message|Memory]).

%!  get_memory(-Messages) is det.
%
%   The messages, oldest first, as dicts `message{content, role}`.

get_memory(Messages) :-
    b_getval('$dml_memory', Memory),
    '$dml_reverse'(Memory, [], Messages).

'$dml_reverse'([], L, L).
'$dml_reverse'([X|Xs], L0, L) :-
    '$dml_reverse'(Xs, [X|L0], L).

%!  push_context is det.
%!  push_context(+How) is det.
%!  pop_context is det.
%!  clear_memory is det.
%
%   Save the memory and keep it, or start an empty one (`push_context(clear)`); restore the saved one; empty it.

push_context :-
    b_getval('$dml_memory', Memory),
    b_getval('$dml_stack', Stack),
    b_setval('$dml_stack', [Memory|Stack]).

push_context(How) :-
    push_context,
    (   How == clear
    ->  clear_memory
    ;   true
    ).

pop_context :-
    b_getval('$dml_stack', Stack),
    (   Stack = [Memory|Rest]
    ->  b_setval('$dml_stack', Rest),
        b_setval('$dml_memory', Memory)
    ;   true
    ).

clear_memory :-
    b_setval('$dml_memory', []).

% ---- what model calls inside a goal may use

%!  with_tools(+Names, :Goal) is nondet.
%!  without_tools(+Names, :Goal) is nondet.
%!  with_reasoning(:Goal, +Effort) is nondet.
%!  with_recipe(:Goal, +Query) is nondet.

with_tools(Names, Goal) :-
    '$dml_with'('$dml_scope', with(Names), Goal).

without_tools(Names, Goal) :-
    '$dml_with'('$dml_scope', without(Names), Goal).

with_reasoning(Goal, Effort) :-
    '$dml_with'('$dml_effort', Effort, Goal).

with_recipe(Goal, Query) :-
    '$dml_with'('$dml_recipe', Query, Goal).

'$dml_with'(Variable, Value, Goal) :-
    b_getval(Variable, Old),
    b_setval(Variable, [Value|Old]),
    call(Goal),
    b_setval(Variable, Old).

% ---- messages of the loader go to the host

:- multifile user:message_hook/3.
:- dynamic user:message_hook/3.

user:message_hook(Term, Kind, Lines) :-
    '$dml_message'(Kind, Term, Lines).

'$dml_message'(Kind, Term, Lines) :-
    '$dml_kind'(Kind),
    '$dml_listening',
    with_output_to(string(Text), print_message_lines(current_output, '', Lines)),
    '$dml_where'(Term, File, Line),
    '$dml_report'(Kind, File, Line, Text, Term).

'$dml_kind'(error).
'$dml_kind'(warning).

'$dml_where'(Term, File, Line) :-
    (   '$dml_place'(Term, File0, Line0),
        atomic(File0),
        integer(Line0)
    ->  File = File0,
        Line = Line0
    ;   source_location(File, Line)
    ->  true
    ;   File = [],
        Line = 0
    ).

'$dml_place'(load_error(File, Line, _, _), File, Line).
'$dml_place'(load_singletons(File, Line, _), File, Line).
'$dml_place'(directive_failed(File, Line, _), File, Line).
'$dml_place'(discontiguous(File, Line, _, _), File, Line).

%   A clause about which there is something to say.

'$dml_clause'(Notes, Clause) :-
    source_location(File, Line),
    '$dml_note'(Notes, File, Line),
    b_getval('$variable_names', Vars),
    '$module'(M, M),
    '$load_expanded'(Clause, M, File, Vars, Line, _).

'$dml_known'(Keys) :-
    findall(K, ( '$dml_default'(K, _) ; user:'$dml_param'(K, _) ), Keys).

% ---- nondeterministic predicates of the host

'$host_from'(Id, I, Row) :-
    '$host_row'(Id, I, R, More),
    (   More == true
    ->  (   Row = R
        ;   I1 is I + 1,
            '$host_from'(Id, I1, Row)
        )
    ;   Row = R
    ).

% ---- queries of the host

'$dml_query'(Goal0) :-
    (   ( '$has_functions'(Goal0) ; '$hooked'(user) )
    ->  expand_goal(Goal0, Goal)
    ;   Goal = Goal0
    ),
    call(user:Goal).
