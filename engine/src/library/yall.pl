:- module(yall,
          [ (>>)/2, (>>)/3, (>>)/4, (>>)/5, (>>)/6, (>>)/7, (>>)/8, (>>)/9,
            (/)/2, (/)/3, (/)/4, (/)/5, (/)/6, (/)/7, (/)/8, (/)/9,
            is_lambda/1, lambda_calls/2, lambda_calls/3
          ]).
:- use_module(library(error)).

:- meta_predicate
    '>>'(?, 0), '>>'(?, :, ?), '>>'(?, :, ?, ?), '>>'(?, :, ?, ?, ?), '>>'(?, :, ?, ?, ?, ?),
    '>>'(?, :, ?, ?, ?, ?, ?), '>>'(?, :, ?, ?, ?, ?, ?, ?), '>>'(?, :, ?, ?, ?, ?, ?, ?, ?),
    '/'(?, 0), '/'(?, 1, ?), '/'(?, 2, ?, ?), '/'(?, 3, ?, ?, ?), '/'(?, 4, ?, ?, ?, ?),
    '/'(?, 5, ?, ?, ?, ?, ?), '/'(?, 6, ?, ?, ?, ?, ?, ?), '/'(?, 7, ?, ?, ?, ?, ?, ?, ?).

%!  >>(+Params, :Body, ?A1, …) is nondet.
%   Calls a copy of Body after unifying a copy of Params with the arguments; arguments that
%   are left over are added to Body. `Free/Params>>Body` with Free as `{V1,…}` shares the
%   variables of Free with the context. Throws domain_error(lambda_parameters, Lambda) when
%   there are more parameters than arguments, type_error(list, Params) and
%   type_error(lambda_free, Free).
'>>'(Params, Body) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [], Goal),
    call(Goal).

'>>'(Params, Body, A1) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2, A3) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2, A3], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2, A3, A4) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2, A3, A4], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2, A3, A4, A5) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2, A3, A4, A5], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2, A3, A4, A5, A6) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2, A3, A4, A5, A6], Goal),
    call(Goal).

'>>'(Params, Body, A1, A2, A3, A4, A5, A6, A7) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    bind_params(Params1, Body1, Params>>Body, [A1, A2, A3, A4, A5, A6, A7], Goal),
    call(Goal).

%!  /(+Free, :Lambda, ?A1, …) is nondet.
%   Calls Lambda, or a copy of a plain goal, with the arguments; only the variables of Free,
%   written `{V1,…}`, are shared with the context.
'/'(Free, Lambda) :-
    free_goal(Free, Lambda, [], Goal),
    call(Goal).

'/'(Free, Lambda, A1) :-
    free_goal(Free, Lambda, [A1], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2) :-
    free_goal(Free, Lambda, [A1, A2], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2, A3) :-
    free_goal(Free, Lambda, [A1, A2, A3], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2, A3, A4) :-
    free_goal(Free, Lambda, [A1, A2, A3, A4], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2, A3, A4, A5) :-
    free_goal(Free, Lambda, [A1, A2, A3, A4, A5], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2, A3, A4, A5, A6) :-
    free_goal(Free, Lambda, [A1, A2, A3, A4, A5, A6], Goal),
    call(Goal).

'/'(Free, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    free_goal(Free, Lambda, [A1, A2, A3, A4, A5, A6, A7], Goal),
    call(Goal).

% A copy of a lambda expression that shares its declared free variables. Attributes of
% variables are not copied.
lambda_copy(Params>>Body, Copy) :-
    (   nonvar(Params), Params = Free/_
    ->  check_free(Free),
        copy_term_nat(Free-(Params>>Body), Free-Copy)
    ;   copy_term_nat(Params>>Body, Copy)
    ).

check_free(Free) :-
    (   var(Free)
    ->  instantiation_error(Free)
    ;   Free == {}
    ->  true
    ;   Free = {_}
    ->  true
    ;   type_error(lambda_free, Free)
    ).

% Goal is Body with Params bound to Args and the remaining arguments added.
bind_params(Params, Body, Lambda, Args, Goal) :-
    (   nonvar(Params), Params = _/List
    ->  true
    ;   List = Params
    ),
    must_be(list, List),
    bind_list(List, Args, Rest, Lambda),
    add_args(Rest, Body, Goal).

bind_list([], Rest, Rest, _).
bind_list([P|Ps], Args, Rest, Lambda) :-
    (   Args = [A|As]
    ->  P = A,
        bind_list(Ps, As, Rest, Lambda)
    ;   domain_error(lambda_parameters, Lambda)
    ).

add_args([], Goal, Goal) :-
    !.
add_args(Args, Goal, Call) :-
    Call =.. [call, Goal|Args].

free_goal(Free, Lambda, Args, Goal) :-
    check_free(Free),
    copy_term_nat(Free-Lambda, Free-Copy),
    strip_module(Copy, Module, Plain),
    (   nonvar(Plain), Plain = Params>>Body
    ->  bind_params(Free/Params, Module:Body, Free/Lambda, Args, Goal)
    ;   add_args(Args, Copy, Goal)
    ).

%!  is_lambda(@Term) is semidet.
%   Term is a lambda expression: `Params>>Body` or `Free/Lambda` with `{…}` as Free.
is_lambda(Term) :-
    nonvar(Term),
    lambda_form(Term).

lambda_form(Params>>_) :-
    (   nonvar(Params), Params = Free/List
    ->  free_form(Free),
        is_list(List)
    ;   is_list(Params)
    ).
lambda_form(Free/_) :-
    free_form(Free).

free_form(Free) :-
    nonvar(Free),
    (   Free == {}
    ->  true
    ;   Free = {_}
    ).

%!  lambda_calls(+Lambda, -Goal) is semidet.
%   The goal that calling Lambda would run.
lambda_calls(Lambda, Goal) :-
    lambda_calls(Lambda, 0, Goal).

%!  lambda_calls(+Lambda, +Extra, -Goal) is semidet.
%   As lambda_calls/2 with Extra arguments, or with the arguments of a list.
lambda_calls(Lambda, Extra, Goal) :-
    (   integer(Extra)
    ->  length(Args, Extra)
    ;   is_list(Extra)
    ->  Args = Extra
    ;   must_be(integer, Extra)
    ),
    nonvar(Lambda),
    strip_module(Lambda, _, Plain),
    called(Plain, Args, Goal).

called(Params>>Body, Args, Goal) :-
    lambda_copy(Params>>Body, Params1>>Body1),
    (   nonvar(Params1), Params1 = _/List
    ->  true
    ;   List = Params1
    ),
    must_be(list, List),
    bind_list(List, Args, Rest, Params>>Body),
    extend(Rest, Body1, Goal).
called(Free/Lambda, Args, Goal) :-
    check_free(Free),
    copy_term_nat(Free-Lambda, Free-Copy),
    (   nonvar(Copy), Copy = Params>>Body
    ->  called(Free/Params>>Body, Args, Goal)
    ;   extend(Args, Copy, Goal)
    ).

extend(Args, Goal0, Goal) :-
    (   Args == []
    ->  Goal = Goal0
    ;   nonvar(Goal0), Goal0 = Module:Plain
    ->  Goal = Module:Plain1,
        extend(Args, Plain, Plain1)
    ;   Goal0 =.. List0,
        append_args(List0, Args, List),
        Goal =.. List
    ).

append_args([], Args, Args).
append_args([X|Xs], Args, [X|Ys]) :-
    append_args(Xs, Args, Ys).
