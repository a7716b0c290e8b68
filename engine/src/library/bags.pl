:- module(bags,
          [ findall/3, findall/4, findnsols/4, findnsols/5, bagof/3, setof/3, (^)/2 ]).
:- use_module(library(error)).

:- meta_predicate
    findall(?, 0, -), findall(?, 0, -, ?), findnsols(+, ?, 0, -), findnsols(+, ?, 0, -, ?),
    bagof(?, ^, -), setof(?, ^, -), ^(?, 0).

%!  findall(?Template, :Goal, -List) is det.
%   The copies of Template for all solutions of Goal, in their order.
findall(Template, Goal, List) :-
    result_list(List),
    findall_(Template, Goal, List, []).

%!  findall(?Template, :Goal, -List, ?Tail) is det.
%   As findall/3, for a list that ends in Tail.
findall(Template, Goal, List, Tail) :-
    result_list(List),
    findall_(Template, Goal, List, Tail).

% A result that is neither a list nor partial fails at the end like any other that does not
% unify, therefore it needs no check of its own.
result_list(_).

findall_(Template, Goal, List, Tail) :-
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
%   type_error(nonneg, Count).
findnsols(Count, Template, Goal, List, Tail) :-
    must_be(nonneg, Count),
    (   Count =:= 0
    ->  List = Tail
    ;   State = found(0, []),
        (   call(Goal),
            arg(1, State, N0),
            arg(2, State, Found0),
            N is N0+1,
            (   N =:= Count
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

%!  ^(?Var, :Goal) is nondet.
%   Outside bagof/3 and setof/3 it is Goal itself.
_^Goal :-
    call(Goal).

%!  bagof(?Template, :Goal, -List) is nondet.
%   The solutions of Goal, for each binding of the variables that are free in it: those that
%   occur neither in Template nor in a quantification Var^Goal. Fails if there are none.
bagof(Template, Goal, List) :-
    '$free_variables'(Template^Goal, Plain, Witness),
    (   Witness == v
    ->  findall_(Template, Plain, List0, []),
        List0 \== [],
        List = List0
    ;   findall_(Witness-Template, Plain, Answers, []),
        Answers \== [],
        keysort(Answers, Sorted),
        bag(Sorted, Witness, List)
    ).

%!  setof(?Template, :Goal, -Set) is nondet.
%   As bagof/3, each list sorted and without duplicates.
setof(Template, Goal, Set) :-
    '$free_variables'(Template^Goal, Plain, Witness),
    (   Witness == v
    ->  findall_(Template, Plain, List, []),
        List \== [],
        sort(List, Set)
    ;   findall_(Witness-Template, Plain, Answers, []),
        Answers \== [],
        (   ground_keys(Answers)
        ->  sort(Answers, Sorted)
        ;   keysort(Answers, Sorted)
        ),
        bag(Sorted, Witness, List),
        sort(List, Set)
    ).

ground_keys([]).
ground_keys([K-_|Ps]) :-
    ground(K),
    ground_keys(Ps).

% Answers with witnesses that are variants of each other make one solution.
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
    (   W1 =@= W
    ->  W1 = W,
        Ts = [T|Ts1],
        same_witness(Answers, W, Ts1, Rest)
    ;   Ts = [],
        Rest = [W1-T|Answers]
    ).
