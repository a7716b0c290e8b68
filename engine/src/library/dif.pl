:- module(dif, [dif/2]).

% A constraint is node(Id, Pairs): at least one of the pairs must become different. Id is a
% variable as long as it is open. Pairs are Left-Right, of which `closed(Left-Right)` are those
% that the pairs after them were made from. The attribute of every variable in an open pair is
% vardif(Nodes), in the order of the constraints.

%!  dif(?X, ?Y) is semidet.
%   X and Y are and stay different. Suspends while they could still become equal.
dif(X, Y) :-
    (   unifiable(X, Y, Unifier)
    ->  Unifier \== [],
        open_pairs(Unifier, [], Pairs),
        attach(Pairs, node(_, Pairs))
    ;   true
    ).

% The pairs of a unifier, in the order of the arguments they come from.
open_pairs([], Pairs, Pairs).
open_pairs([L=R|Us], Pairs0, Pairs) :-
    open_pairs(Us, [L-R|Pairs0], Pairs).

attach([], _).
attach([P|Ps], Node) :-
    (   P = L-R
    ->  watch(L, Node),
        watch(R, Node)
    ;   true
    ),
    attach(Ps, Node).

watch(Var, Node) :-
    (   var(Var)
    ->  (   get_attr(Var, dif, vardif(Nodes))
        ->  (   has_node(Nodes, Node)
            ->  true
            ;   append_nodes(Nodes, [Node], Nodes1),
                put_attr(Var, dif, vardif(Nodes1))
            )
        ;   put_attr(Var, dif, vardif([Node]))
        )
    ;   true
    ).

has_node([N|Ns], Node) :-
    (   same_node(N, Node)
    ->  true
    ;   has_node(Ns, Node)
    ).

same_node(node(A,_), node(B,_)) :-
    A == B.

% Open nodes of both lists, without duplicates.
append_nodes([], Nodes, Nodes).
append_nodes([N|Ns], More, Nodes) :-
    (   is_open(N),
        \+ has_node(More, N)
    ->  Nodes = [N|Nodes1]
    ;   Nodes = Nodes1
    ),
    append_nodes(Ns, More, Nodes1).

is_open(node(Id, _)) :-
    var(Id).

attr_unify_hook(vardif(Nodes), Value) :-
    (   attvar(Value)
    ->  (   get_attr(Value, dif, vardif(Others))
        ->  without(Nodes, Others, Nodes1),
            append_nodes(Others, Nodes1, All)
        ;   append_nodes(Nodes, [], All)
        ),
        put_attr(Value, dif, vardif(All))
    ;   true
    ),
    check(Nodes).

% Nodes that are in the first list only.
without([], _, []).
without([N|Ns], Nodes, Rest) :-
    (   has_node(Nodes, N)
    ->  Rest = Rest1
    ;   Rest = [N|Rest1]
    ),
    without(Ns, Nodes, Rest1).

check([]).
check([Node|Nodes]) :-
    (   is_open(Node)
    ->  arg(2, Node, Pairs),
        recheck(Pairs, Node)
    ;   true
    ),
    check(Nodes).

recheck(Pairs, Node) :-
    sides(Pairs, Ls, Rs),
    (   unifiable(Ls, Rs, Unifier)
    ->  Unifier \== [],
        renew(Pairs, Node, Pairs1),
        setarg(2, Node, Pairs1)
    ;   arg(1, Node, done),
        release(Pairs)
    ).

sides([], [], []).
sides([P|Ps], Ls, Rs) :-
    (   P = L-R
    ->  Ls = [L|Ls1],
        Rs = [R|Rs1]
    ;   Ls = Ls1,
        Rs = Rs1
    ),
    sides(Ps, Ls1, Rs1).

renew([], _, []).
renew([P|Ps], Node, Pairs) :-
    (   P = L-R
    ->  (   L == R
        ->  Pairs = Pairs1
        ;   nonvar(L), nonvar(R)
        ->  unifiable(L, R, Unifier),
            open_pairs(Unifier, [], New),
            attach(New, Node),
            Pairs = [closed(P)|Pairs2],
            join(New, Pairs1, Pairs2)
        ;   Pairs = [P|Pairs1]
        )
    ;   P = closed(L-R),
        (   L == R
        ->  Pairs = Pairs1
        ;   Pairs = [P|Pairs1]
        )
    ),
    renew(Ps, Node, Pairs1).

join([], Pairs, Pairs).
join([P|Ps], Rest, [P|Pairs]) :-
    join(Ps, Rest, Pairs).

% Variables that wait for nothing any more lose the attribute.
release([]).
release([P|Ps]) :-
    (   P = L-R
    ->  release_var(L),
        release_var(R)
    ;   true
    ),
    release(Ps).

release_var(Var) :-
    (   var(Var),
        get_attr(Var, dif, vardif(Nodes))
    ->  append_nodes(Nodes, [], Open),
        (   Open == []
        ->  del_attr(Var, dif)
        ;   put_attr(Var, dif, vardif(Open))
        )
    ;   true
    ).

%!  attribute_goals(+Var)//
%   Each constraint is shown for the first variable of its open pairs.
attribute_goals(Var) -->
    { get_attr(Var, dif, vardif(Nodes)) },
    node_goals(Nodes, Var).

node_goals([], _) -->
    [].
node_goals([Node|Nodes], Var) -->
    (   { is_open(Node), arg(2, Node, Pairs), owner(Pairs, Owner), Owner == Var }
    ->  { shown(Pairs, Goal) },
        [Goal]
    ;   []
    ),
    node_goals(Nodes, Var).

owner([P|Ps], Owner) :-
    (   P = L-R
    ->  (   var(L)
        ->  Owner = L
        ;   Owner = R
        )
    ;   owner(Ps, Owner)
    ).

shown(Pairs, Goal) :-
    plain_sides(Pairs, Ls, Rs),
    (   Ls = [L]
    ->  Rs = [R],
        Goal = dif(L, R)
    ;   X =.. [f|Ls],
        Y =.. [f|Rs],
        Goal = dif(X, Y)
    ).

plain_sides([], [], []).
plain_sides([P|Ps], [L|Ls], [R|Rs]) :-
    (   P = closed(L-R)
    ->  true
    ;   P = L-R
    ),
    plain_sides(Ps, Ls, Rs).
