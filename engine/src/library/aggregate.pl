:- module(aggregate,
          [ foreach/2, aggregate/3, aggregate/4, aggregate_all/3, aggregate_all/4,
            free_variables/4
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).

:- meta_predicate
    foreach(0, 0), aggregate(?, ^, -), aggregate(?, ?, ^, -), aggregate_all(?, 0, -),
    aggregate_all(?, ?, ^, -).

%!  aggregate_all(+Template, :Goal, -Result) is semidet.
%   Template is count, sum(E), max(E), min(E), max(E, Witness), min(E, Witness), bag(E), set(E),
%   or a compound of these. All solutions count together; max and min fail without solutions.
%   Throws instantiation_error and domain_error(aggregate_template, Template).
aggregate_all(Template, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   simple(Template)
    ->  all_simple(Template, Goal, Result)
    ;   pattern(Template, Pattern, Plan),
        findall(Pattern, Goal, List),
        combine(Plan, List, Result)
    ).

simple(count).
simple(sum(_)).
simple(max(_)).
simple(min(_)).
simple(max(_,_)).
simple(min(_,_)).
simple(bag(_)).
simple(set(_)).

all_simple(count, Goal, Count) :-
    State = count(0),
    (   call(Goal),
        arg(1, State, N0),
        N is N0+1,
        nb_setarg(1, State, N),
        fail
    ;   arg(1, State, Count)
    ).
all_simple(sum(X), Goal, Sum) :-
    State = sum(0),
    (   call(Goal),
        arg(1, State, S0),
        S is S0+X,
        nb_setarg(1, State, S),
        fail
    ;   arg(1, State, Sum)
    ).
all_simple(max(X), Goal, Max) :-
    State = max(X),
    (   call(Goal),
        arg(1, State, M0),
        M is max(M0, X),
        nb_setarg(1, State, M),
        fail
    ;   arg(1, State, Max),
        nonvar(Max)
    ).
all_simple(min(X), Goal, Min) :-
    State = min(X),
    (   call(Goal),
        arg(1, State, M0),
        M is min(M0, X),
        nb_setarg(1, State, M),
        fail
    ;   arg(1, State, Min),
        nonvar(Min)
    ).
all_simple(max(X,W), Goal, max(Max,Witness)) :-
    State = best(none, _, _),
    (   call(Goal),
        State = best(Any, M0, _),
        (   Any == some
        ->  X > M0
        ;   check_number(X)
        ),
        nb_setarg(2, State, X),
        nb_setarg(3, State, W),
        nb_setarg(1, State, some),
        fail
    ;   State = best(some, Max, Witness)
    ).
all_simple(min(X,W), Goal, min(Min,Witness)) :-
    State = best(none, _, _),
    (   call(Goal),
        State = best(Any, M0, _),
        (   Any == some
        ->  X < M0
        ;   check_number(X)
        ),
        nb_setarg(2, State, X),
        nb_setarg(3, State, W),
        nb_setarg(1, State, some),
        fail
    ;   State = best(some, Min, Witness)
    ).
all_simple(bag(X), Goal, Bag) :-
    findall(X, Goal, Bag).
all_simple(set(X), Goal, Set) :-
    findall(X, Goal, Bag),
    sort(Bag, Set).

check_number(X) :-
    (   number(X)
    ->  true
    ;   var(X)
    ->  instantiation_error(X)
    ;   type_error(number, X)
    ).

%!  aggregate_all(+Template, +Discriminator, :Goal, -Result) is semidet.
%   As aggregate_all/3 over the solutions with different Discriminator and value.
aggregate_all(Template, Discriminator, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   pattern(Template, Pattern, Plan),
        unquantified(Goal, Plain),
        findall(Discriminator-Pattern, Plain, Pairs0),
        sort(Pairs0, Pairs),
        pairs_values(Pairs, List),
        combine(Plan, List, Result)
    ).

unquantified(Goal, Plain) :-
    strip_module(Goal, Module, Goal1),
    (   nonvar(Goal1), Goal1 = _^Goal2
    ->  unquantified(Module:Goal2, Plain)
    ;   Plain = Module:Goal1
    ).

%!  aggregate(+Template, :Goal, -Result) is nondet.
%   As aggregate_all/3, for each binding of the free variables of Goal as in bagof/3. Fails
%   without solutions.
aggregate(Template, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   pattern(Template, Pattern, Plan),
        bagof(Pattern, Goal, List),
        combine(Plan, List, Result)
    ).

%!  aggregate(+Template, +Discriminator, :Goal, -Result) is nondet.
%   As aggregate/3 over the solutions with different Discriminator and value.
aggregate(Template, Discriminator, Goal, Result) :-
    (   var(Template)
    ->  instantiation_error(Template)
    ;   pattern(Template, Pattern, Plan),
        setof(Discriminator-Pattern, Goal, Pairs),
        pairs_values(Pairs, List),
        combine(Plan, List, Result)
    ).

% pattern(Template, Pattern, Plan): Pattern is what is collected of each solution, Plan tells
% how the values are combined.
pattern(Template, Pattern, Plan) :-
    (   one(Template, Pattern0, Plan0)
    ->  Pattern = Pattern0,
        Plan = Plan0
    ;   compound(Template)
    ->  Template =.. [Name|Args],
        patterns(Args, Patterns, Plans),
        Pattern =.. [Name|Patterns],
        Plan = each(Name, Plans)
    ;   domain_error(aggregate_template, Template)
    ).

one(sum(X), X, sum).
one(max(X), X, max).
one(min(X), X, min).
one(max(X,W), X-W, max_witness).
one(min(X,W), X-W, min_witness).
one(count, x, count).
one(bag(X), X, bag).
one(set(X), X, set).

patterns([], [], []).
patterns([T|Ts], [P|Ps], [Plan|Plans]) :-
    (   one(T, P0, Plan0)
    ->  P = P0,
        Plan = Plan0
    ;   domain_error(aggregate_template, T)
    ),
    patterns(Ts, Ps, Plans).

combine(count, List, Count) :-
    length(List, Count).
combine(sum, List, Sum) :-
    sum_up(List, 0, Sum).
combine(max, [X|Xs], Max) :-
    Max0 is X,
    max_of(Xs, Max0, Max).
combine(min, [X|Xs], Min) :-
    Min0 is X,
    min_of(Xs, Min0, Min).
combine(max_witness, [X-W|Ps], max(Max,Witness)) :-
    Max0 is X,
    max_pair(Ps, Max0, W, Max, Witness).
combine(min_witness, [X-W|Ps], min(Min,Witness)) :-
    Min0 is X,
    min_pair(Ps, Min0, W, Min, Witness).
combine(bag, List, List).
combine(set, List, Set) :-
    sort(List, Set).
combine(each(Name,Plans), List, Result) :-
    combine_each(Plans, 1, List, Results),
    Result =.. [Name|Results].

combine_each([], _, _, []).
combine_each([Plan|Plans], I, List, [R|Rs]) :-
    column(List, I, Values),
    combine(Plan, Values, R),
    I1 is I+1,
    combine_each(Plans, I1, List, Rs).

column([], _, []).
column([T|Ts], I, [A|As]) :-
    arg(I, T, A),
    column(Ts, I, As).

sum_up([], Sum, Sum).
sum_up([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0+X,
    sum_up(Xs, Sum1, Sum).

max_of([], Max, Max).
max_of([X|Xs], Max0, Max) :-
    Max1 is max(Max0, X),
    max_of(Xs, Max1, Max).

min_of([], Min, Min).
min_of([X|Xs], Min0, Min) :-
    Min1 is min(Min0, X),
    min_of(Xs, Min1, Min).

max_pair([], Max, W, Max, W).
max_pair([X-W|Ps], Max0, W0, Max, Witness) :-
    (   X > Max0
    ->  Max1 is X,
        max_pair(Ps, Max1, W, Max, Witness)
    ;   max_pair(Ps, Max0, W0, Max, Witness)
    ).

min_pair([], Min, W, Min, W).
min_pair([X-W|Ps], Min0, W0, Min, Witness) :-
    (   X < Min0
    ->  Min1 is X,
        min_pair(Ps, Min1, W, Min, Witness)
    ;   min_pair(Ps, Min0, W0, Min, Witness)
    ).

%!  foreach(:Generator, :Goal) is nondet.
%   The conjunction of the instances of Goal for all solutions of Generator. Variables of Goal
%   that are not in Generator are shared by the instances.
foreach(Generator, Goal) :-
    term_variables(Generator, GenVars0),
    sort(GenVars0, GenVars),
    term_variables(Goal, GoalVars0),
    sort(GoalVars0, GoalVars),
    ord_subtract(GoalVars, GenVars, Shared),
    ord_intersection(GenVars, GoalVars, Templ),
    findall(Templ, Generator, Instances),
    prove_all(Instances, Templ, Shared, Goal).

prove_all([], _, _, _).
prove_all([Instance|Instances], Templ, Shared, Goal) :-
    copy_term(Templ+Shared+Goal, Instance+Shared+Copy),
    call(Copy),
    prove_all(Instances, Templ, Shared, Goal).

%!  free_variables(:Goal, +Template, +Vars0, -Vars) is det.
%   Vars are the variables of Goal that are free with regard to Template and quantifications,
%   in front of Vars0.
free_variables(Goal, Template, Vars0, Vars) :-
    quantified(Goal, Template, Bound, Plain),
    term_variables(Bound, BoundVars0),
    sort(BoundVars0, BoundVars),
    term_variables(Plain, PlainVars),
    add_free(PlainVars, BoundVars, Vars0, Vars).

quantified(Goal, Bound0, Bound, Plain) :-
    (   nonvar(Goal), Goal = V^Goal1
    ->  quantified(Goal1, V+Bound0, Bound, Plain)
    ;   nonvar(Goal), Goal = _:Goal1, nonvar(Goal1), Goal1 = _^_
    ->  quantified(Goal1, Bound0, Bound, Plain)
    ;   Bound = Bound0,
        Plain = Goal
    ).

add_free([], _, Vars, Vars).
add_free([V|Vs], Bound, Vars0, Vars) :-
    (   ( ord_memberchk(V, Bound) ; occurs(Vars0, V) )
    ->  add_free(Vs, Bound, Vars0, Vars)
    ;   add_free(Vs, Bound, [V|Vars0], Vars)
    ).

occurs([W|Ws], V) :-
    (   W == V
    ->  true
    ;   occurs(Ws, V)
    ).
