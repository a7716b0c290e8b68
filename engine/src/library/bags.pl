:- module('$bags',
          [ findall/3, findall/4, findnsols/4, findnsols/5, bagof/3, setof/3 ]).
:- use_module(library(error)).

:- meta_predicate
    findall(?, 0, -), findall(?, 0, -, ?), findnsols(+, ?, 0, -), findnsols(+, ?, 0, -, ?),
    bagof(?, ^, -), setof(?, ^, -).

%!  findall(?Template, :Goal, -List) is det.
%   The copies of Template for all solutions of Goal, in their order.
findall(Template, Goal, List) :-
    findall_loop(Template, Goal, List, []).

%!  findall(?Template, :Goal, -List, ?Tail) is det.
%   As findall/3, for a list that ends in Tail.
findall(Template, Goal, List, Tail) :-
    findall_loop(Template, Goal, List, Tail).

findall_loop(Template, Goal, List, Tail) :-
    '$findall_start',
    (   call(Goal),
        '$findall_add'(Template),
        fail
    ;   '$findall_collect'(List0, Tail)
    ),
    List = List0.

%!  findnsols(+Count, ?Template, :Goal, -List) is nondet.
%   As findall/3 for Count solutions at a time: each solution of findnsols/4 gives the next ones.
findnsols(Count, Template, Goal, List) :-
    findnsols(Count, Template, Goal, List, []).

%!  findnsols(+Count, ?Template, :Goal, -List, ?Tail) is nondet.
%   As findnsols/4, for a list that ends in Tail. Throws type_error(integer, Count), and
%   domain_error(not_less_than_zero, Count).
findnsols(Count, Template0, Goal0, List, Tail) :-
    must_be(integer, Count),
    (   Count < 0
    ->  domain_error(not_less_than_zero, Count)
    ;   Count =:= 0
    ->  List = Tail
    ;   % the bindings of a solution must not be seen when a part of the answers is given
        copy_term(Template0-Goal0, Template-Goal),
        State = found(0, []),
        (   call_cleanup(Goal, Last = true),
            arg(1, State, N0),
            arg(2, State, Found0),
            N is N0+1,
            (   Last == true
            ->  !,
                turn([Template|Found0], Tail, List0)
            ;   N =:= Count
            ->  nb_setarg(1, State, 0),
                nb_setarg(2, State, []),
                turn([Template|Found0], Tail, List0)
            ;   nb_setarg(2, State, [Template|Found0]),
                nb_setarg(1, State, N),
                fail
            )
        ;   arg(2, State, Found),
            turn(Found, Tail, List0)
        ),
        List = List0
    ).

turn([], List, List).
turn([X|Xs], Tail, List) :-
    turn(Xs, [X|Tail], List).

%!  bagof(?Template, :Goal, -List) is nondet.
%   The solutions of Goal, for each binding of the variables that are free in it: those that
%   occur neither in Template nor in a quantification Var^Goal. Fails if there are none.
bagof(Template, Goal, List) :-
    free_variables(Template, Goal, Plain, Witness),
    (   Witness == v
    ->  findall_loop(Template, Plain, List0, []),
        List0 \== [],
        List = List0
    ;   findall_loop(Witness-Template, Plain, Answers, []),
        Answers \== [],
        share_variables(Answers, _),
        keysort(Answers, Sorted),
        bag(Sorted, Witness, List)
    ).

%!  setof(?Template, :Goal, -Set) is nondet.
%   As bagof/3, each list sorted and without duplicates.
setof(Template, Goal, Set) :-
    free_variables(Template, Goal, Plain, Witness),
    (   Witness == v
    ->  findall_loop(Template, Plain, List, []),
        List \== [],
        sort(List, Set)
    ;   findall_loop(Witness-Template, Plain, Answers, []),
        Answers \== [],
        share_variables(Answers, _),
        sort(Answers, Sorted),
        bag(Sorted, Witness, List),
        sort(List, Set)
    ).

% Witnesses that are variants of each other become identical: the n-th variable of all of them
% is the same. Shared is a list with an open end.
share_variables([], _).
share_variables([Witness-_|Answers], Shared) :-
    term_variables(Witness, Vars),
    same_prefix(Vars, Shared),
    share_variables(Answers, Shared).

same_prefix([], _).
same_prefix([V|Vs], [V|Shared]) :-
    same_prefix(Vs, Shared).

% free_variables(Template, Goal, Plain, Witness): Plain is Goal without its quantifiers and
% Witness a term v(V1, …) of the variables that are free in it.
free_variables(Template, Goal, Plain, Witness) :-
    unquantified(Goal, Template, Bound, Plain),
    term_variables(Bound, BoundVars),
    term_variables(Bound+Plain, AllVars),
    drop_prefix(BoundVars, AllVars, Free),
    Witness =.. [v|Free].

unquantified(Goal, Bound0, Bound, Plain) :-
    strip_module(Goal, Module, Goal1),
    (   nonvar(Goal1), Goal1 = Var^Goal2
    ->  unquantified(Module:Goal2, Var+Bound0, Bound, Plain)
    ;   Bound = Bound0,
        Plain = Module:Goal1
    ).

% The variables of Bound come first in the variables of Bound+Goal.
drop_prefix([], Vars, Vars).
drop_prefix([_|Bs], [_|Vs], Vars) :-
    drop_prefix(Bs, Vs, Vars).

% Answers with identical witnesses make one solution.
bag(Answers, Witness, List) :-
    Answers = [W-T|Rest0],
    same_witness(Rest0, W, Ts, Rest),
    (   Rest == []
    ->  Witness = W,
        List = [T|Ts]
    ;   more_bags(Rest, W, [T|Ts], Witness, List)
    ).

more_bags(_, W, Ts, W, Ts).
more_bags(Rest, _, _, Witness, List) :-
    bag(Rest, Witness, List).

same_witness([], _, [], []).
same_witness([W1-T|Answers], W, Ts, Rest) :-
    (   W1 == W
    ->  Ts = [T|Ts1],
        same_witness(Answers, W, Ts1, Rest)
    ;   Ts = [],
        Rest = [W1-T|Answers]
    ).
