:- module('$expand', [expand_term/2, expand_goal/2, expand_term/4, expand_goal/4,
                      '$expand_term'/3, '$expand_goal'/3, '$expand_query'/3, dcg_clause/3]).

%   Rewriting of clauses and goals before they are compiled: hooks, grammar rules, functional
%   notation on dicts. Loaded when the first term needs any of it.

%!  expand_term(+Term, -Expanded) is det.
%
%   Expanded is a clause, a directive or a list of them.

expand_term(T0, T) :-
    '$module'(M, M),
    '$expand_term'(M, T0, T).

expand_term(T0, P, T, P) :-
    expand_term(T0, T).

%!  expand_goal(+Goal, -Expanded) is det.

expand_goal(G0, G) :-
    '$module'(M, M),
    '$expand_goal'(M, G0, G).

expand_goal(G0, P, G, P) :-
    expand_goal(G0, G).

'$expand_term'(_, T0, T) :-
    var(T0),
    !,
    T = T0.
'$expand_term'(M, T0, T) :-
    hooks(M, term_expansion, Hooks),
    term_hooks(Hooks, T0, T1),
    map_terms(T1, rest(M), T).

%   Modules whose hooks apply to code of M: its own, then those of user and system.
hooks(M, Name, Hooks) :-
    ( M == user -> Ms = [user, system] ; M == system -> Ms = [system] ; Ms = [M, user, system] ),
    hooks_of(Ms, Name, Hooks).

hooks_of([], _, []).
hooks_of([M|Ms], Name, Hooks) :-
    ( '$pred_local'(M, Name, 4) -> Hooks = [M-4|H1] ; Hooks = H1 ),
    ( '$pred_local'(M, Name, 2) -> H1 = [M-2|H2] ; H1 = H2 ),
    hooks_of(Ms, Name, H2).

term_hooks([], T, T).
term_hooks([M-A|Hs], T0, T) :-
    (   nonvar(T0),
        ( A == 2 -> M:term_expansion(T0, T1) ; M:term_expansion(T0, _, T1, _) )
    ->  map_terms(T1, hooks(Hs), T)
    ;   term_hooks(Hs, T0, T)
    ).

map_terms(T, How, X) :-
    (   var(T)
    ->  X = T
    ;   T = [H|R]
    ->  map_terms(H, How, H1),
        map_terms(R, How, R1),
        join(H1, R1, X)
    ;   T == []
    ->  X = []
    ;   How = hooks(Hs)
    ->  term_hooks(Hs, T, X)
    ;   How = rest(M),
        expand_one(T, M, X)
    ).

join(H, R, X) :-
    (   is_list(H)
    ->  '$append'(H, R, X)
    ;   X = [H|R]
    ).

%   What every term gets after the hooks.
expand_one(end_of_file, _, end_of_file) :- !.
expand_one((:- D), M, (:- D1)) :-
    !,
    '$expand_goal'(M, D, D1).
expand_one((?- D), M, (?- D1)) :-
    !,
    '$expand_goal'(M, D, D1).
expand_one((H --> B), M, X) :-
    !,
    dcg_clause(M, (H --> B), X).
expand_one(Q:T0, M, X) :-
    atom(Q),
    callable(T0),
    !,
    (   T0 = (_ --> _)
    ->  expand_one(T0, Q, X0),
        ( X0 = [D, C] -> X = [D, Q:C] ; X = Q:X0 )
    ;   T0 = (_ :- _)
    ->  expand_one(T0, M, X0),
        X = Q:X0
    ;   expand_clause(T0, M, X0),
        ( X0 = (H :- B) -> X = (Q:H :- B) ; X = Q:X0 )
    ).
expand_one(T, M, X) :-
    expand_clause(T, M, X).

%!  dcg_clause(+M, +Rule, -Terms) is det.
%
%   A grammar rule as the declaration of its nonterminal and the clause.

dcg_clause(M, Rule, [(:- non_terminal(Q:Name/Arity)), Clause]) :-
    dcg_translate_rule(Rule, Clause0),
    Clause0 = (Head0 :- _),
    strip_module(M:Head0, Q, Head),
    functor(Head, Name, Arity),
    expand_clause(Clause0, M, Clause).

expand_clause((L := V), M, X) :-
    method(L, R, Call),
    !,
    expand_method(R, Call, V, true, M, X).
expand_clause((L := V :- B), M, X) :-
    method(L, R, Call),
    !,
    expand_method(R, Call, V, B, M, X).
expand_clause((H0 :- B0), M, (H :- B)) :-
    !,
    functions(H0, H, Eval, []),
    '$expand_goal'(M, B0, B1),
    before(Eval, B1, B).
expand_clause((H0 => B0), M, (H => B)) :-
    !,
    '$expand_goal'(M, B0, B),
    (   nonvar(H0), H0 = (H1, G0)
    ->  functions(H1, H2, Eval, []),
        '$expand_goal'(M, G0, G1),
        before(Eval, G1, G),
        H = (H2, G)
    ;   functions(H0, H1, Eval, []),
        ( Eval == [] -> H = H1 ; conj(Eval, G), H = (H1, G) )
    ).
expand_clause(H0, _, X) :-
    functions(H0, H, Eval, []),
    (   Eval == []
    ->  X = H
    ;   conj(Eval, B),
        X = (H :- B)
    ).

%   A function on dicts becomes a predicate with the dict and the result behind its arguments.
method(L, R, Call) :-
    compound(L),
    functor(L, '.', 2),
    arg(1, L, R),
    arg(2, L, Call),
    callable(Call).

expand_method(R, Call, V0, B0, M, (H :- B)) :-
    functions(V0, V, Eval, []),
    compound_name_arguments(Call, Name, Args0),
    '$append'(Args0, [R, V], Args),
    compound_name_arguments(H0, Name, Args),
    functions(H0, H, HeadEval, []),
    '$expand_goal'(M, B0, B1),
    after(B1, Eval, B2),
    before(HeadEval, B2, B).

after(G, [], G) :- !.
after(true, Eval, G) :- !, conj(Eval, G).
after(G0, Eval, (G0, G)) :- conj(Eval, G).

before([], G, G) :- !.
before(Eval, G0, G) :-
    conj(Eval, E),
    ( G0 == true -> G = E ; G = (E, G0) ).

conj([G|Gs], C) :- conj(Gs, G, C).

conj([], C, C).
conj([G|Gs], C0, C) :- conj(Gs, (C0, G), C).

%   functions(+T0, -T, -Evals, ?Tail): T is T0 with a variable for each `D.f`; Evals compute them.
functions(T0, T, L0, L) :-
    \+ '$has_functions'(T0),
    !,
    T = T0,
    L = L0.
functions(T0, V, L0, L) :-
    functor(T0, '.', 2),
    !,
    arg(1, T0, D0),
    arg(2, T0, F0),
    functions(D0, D, L0, L1),
    functions(F0, F, L1, L2),
    L2 = ['.'(D, F, V)|L].
functions(T0, T, L0, L) :-
    compound_name_arguments(T0, N, As0),
    functions_list(As0, As, L0, L),
    compound_name_arguments(T, N, As).

functions_list([], [], L, L).
functions_list([A0|As0], [A|As], L0, L) :-
    functions(A0, A, L0, L1),
    functions_list(As0, As, L1, L).

% ---- goals

'$expand_goal'(M, G0, G) :-
    hooks(M, goal_expansion, Hooks),
    (   Hooks == [],
        \+ '$has_functions'(G0)
    ->  G = G0
    ;   goal(G0, M, Hooks, [], G)
    ).

%!  '$expand_query'(+M, +Goal0, -Goal) is det.

'$expand_query'(M, G0, G) :-
    '$expand_goal'(M, G0, G).

%   goal(+G0, +M, +Hooks, +Done, -G): Done are the goals whose expansion led here.
goal(G0, _, _, _, G) :-
    var(G0),
    !,
    G = G0.
goal(Q:G0, M, Hooks, Done, G) :-
    !,
    (   atom(Q)
    ->  ( Q == M -> Hooks1 = Hooks ; hooks(Q, goal_expansion, Hooks1) ),
        goal(G0, Q, Hooks1, Done, G1),
        G = Q:G1
    ;   plain(Q:G0, G)
    ).
goal(G0, M, Hooks, Done, G) :-
    callable(G0),
    Hooks \== [],
    \+ seen(Done, G0),
    goal_hook(Hooks, G0, G1),
    G1 \== G0,
    !,
    goal(G1, M, Hooks, [G0|Done], G).
goal(G0, M, Hooks, Done, G) :-
    compound(G0),
    !,
    (   functor(G0, '.', 2)
    ->  functions(G0, V, Eval, []),
        before(Eval, call(V), G)
    ;   meta(G0, M, Spec)
    ->  compound_name_arguments(G0, N, As0),
        compound_name_arguments(Spec, _, Ss),
        arguments(As0, Ss, M, Hooks, Done, As, Eval, []),
        compound_name_arguments(G1, N, As),
        before_call(Eval, G1, G)
    ;   plain(G0, G)
    ).
goal(G, _, _, _, G).

plain(G0, G) :-
    functions(G0, G1, Eval, []),
    before_call(Eval, G1, G).

before_call([], G, G) :- !.
before_call(Eval, G, (E, G)) :- conj(Eval, E).

seen([D|Ds], G) :-
    ( D == G -> true ; seen(Ds, G) ).

goal_hook([M-A|Hs], G0, G) :-
    (   ( A == 2 -> M:goal_expansion(G0, G1) ; M:goal_expansion(G0, _, G1, _) )
    ->  G = G1
    ;   goal_hook(Hs, G0, G)
    ).

arguments([], _, _, _, _, [], L, L).
arguments([A0|As0], [S|Ss], M, Hooks, Done, [A|As], L0, L) :-
    argument(S, A0, M, Hooks, Done, A, L0, L1),
    arguments(As0, Ss, M, Hooks, Done, As, L1, L).

argument(0, A0, M, Hooks, Done, A, L, L) :-
    !,
    goal(A0, M, Hooks, Done, A).
argument(^, A0, M, Hooks, Done, A, L, L) :-
    !,
    existential(A0, M, Hooks, Done, A).
argument(N, A0, M, Hooks, Done, A, L0, L) :-
    integer(N),
    Hooks \== [],
    callable(A0),
    A0 \= _:_,
    \+ '$has_functions'(A0),
    extended(N, A0, M, Hooks, Done, A),
    !,
    L = L0.
argument(_, A0, _, _, _, A, L0, L) :-
    functions(A0, A, L0, L).

%   A closure is expanded as the goal it will be, when the result is a closure again.
extended(N, A0, M, Hooks, Done, A) :-
    length(Extra, N),
    A0 =.. L0,
    '$append'(L0, Extra, L1),
    G0 =.. L1,
    goal(G0, M, Hooks, Done, G1),
    G1 \== G0,
    callable(G1),
    \+ control(G1),
    G1 =.. L2,
    '$append'(L3, Extra1, L2),
    Extra1 == Extra,
    !,
    A =.. L3,
    term_variables(A, Vs),
    \+ ( '$member'(V, Vs), '$member'(E, Extra), V == E ).

control((_, _)).
control((_ ; _)).
control((_ -> _)).
control((_ *-> _)).
control(\+ _).
control(_:_).

'$member'(X, [X|_]).
'$member'(X, [_|T]) :- '$member'(X, T).

existential(A0, M, Hooks, Done, A) :-
    (   nonvar(A0), A0 = V^B0
    ->  A = V^B,
        existential(B0, M, Hooks, Done, B)
    ;   goal(A0, M, Hooks, Done, B1),
        (   A0 \== B1,
            '$has_functions'(A0)
        ->  term_variables(A0, Vs0),
            term_variables(B1, Vs1),
            new_variables(Vs1, Vs0, New),
            ( New == [] -> A = B1 ; T =.. [v|New], A = T^B1 )
        ;   A = B1
        )
    ).

new_variables([], _, []).
new_variables([V|Vs], Old, New) :-
    ( '$member'(O, Old), O == V -> New = New1 ; New = [V|New1] ),
    new_variables(Vs, Old, New1).

%   Argument kinds of the goals that take goals.
meta((_, _), _, (0, 0)) :- !.
meta((_ ; _), _, (0 ; 0)) :- !.
meta((_ -> _), _, (0 -> 0)) :- !.
meta((_ *-> _), _, (0 *-> 0)) :- !.
meta(\+ _, _, \+ 0) :- !.
meta(G, M, Spec) :-
    functor(G, N, A),
    (   '$pred_info'(M, N, A, info(_, _, _, _, _, Spec0)),
        Spec0 \== []
    ->  Spec = Spec0
    ;   known(G, Spec)
    ).

known(findall(_,_,_), findall(?,0,?)).
known(findall(_,_,_,_), findall(?,0,?,?)).
known(forall(_,_), forall(0,0)).
known(call(_), call(0)).
known(once(_), once(0)).
known(ignore(_), ignore(0)).
known(not(_), not(0)).
known(catch(_,_,_), catch(0,?,0)).
known(catch_with_backtrace(_,_,_), catch_with_backtrace(0,?,0)).
known(setup_call_cleanup(_,_,_), setup_call_cleanup(0,0,0)).
known(call_cleanup(_,_), call_cleanup(0,0)).
known(findnsols(_,_,_,_), findnsols(?,?,0,?)).
known(bagof(_,_,_), bagof(?,^,?)).
known(setof(_,_,_), setof(?,^,?)).
known(aggregate_all(_,_,_), aggregate_all(?,0,?)).
known(aggregate_all(_,_,_,_), aggregate_all(?,?,0,?)).
known(with_output_to(_,_), with_output_to(?,0)).
known(call_with_depth_limit(_,_,_), call_with_depth_limit(0,?,?)).
known(call_with_time_limit(_,_), call_with_time_limit(?,0)).
known(call_with_inference_limit(_,_,_), call_with_inference_limit(0,?,?)).
known(time(_), time(0)).
known(freeze(_,_), freeze(?,0)).
known(when(_,_), when(?,0)).
known(maplist(_,_), maplist(1,?)).
known(maplist(_,_,_), maplist(2,?,?)).
known(maplist(_,_,_,_), maplist(3,?,?,?)).
known(maplist(_,_,_,_,_), maplist(4,?,?,?,?)).
known(foldl(_,_,_,_), foldl(3,?,?,?)).
known(foldl(_,_,_,_,_), foldl(4,?,?,?,?)).
known(include(_,_,_), include(1,?,?)).
known(exclude(_,_,_), exclude(1,?,?)).
known(partition(_,_,_,_), partition(1,?,?,?)).
known(call(_,_), call(1,?)).
known(call(_,_,_), call(2,?,?)).
known(call(_,_,_,_), call(3,?,?,?)).
