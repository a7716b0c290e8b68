:- module(prolog_code,
          [ body_term_calls/2, comma_list/2, extend_goal/3, head_name_arity/3,
            is_control_goal/1, is_predicate_indicator/1, mkconj/3, mkdisj/3,
            most_general_goal/2, pi_head/2, predicate_label/2, predicate_sort_key/2,
            semicolon_list/2
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).

%!  comma_list(?Conjunction, ?List) is nondet.
%   Conversion between (A,B,…) and [A,B,…].
comma_list(Conjunction, List) :-
    chain_list(Conjunction, (','), List).

%!  semicolon_list(?Disjunction, ?List) is nondet.
%   Conversion between (A;B;…) and [A,B,…].
semicolon_list(Disjunction, List) :-
    chain_list(Disjunction, (;), List).

chain_list(Chain, Op, List) :-
    (   is_list(List)
    ->  list_chain(List, Op, Chain)
    ;   chain_items(Chain, Op, List, [])
    ).

list_chain([X|Xs], Op, Chain) :-
    list_chain(Xs, X, Op, Chain).

list_chain([], X, _, X).
list_chain([Y|Ys], X, Op, Chain) :-
    Chain =.. [Op,X,Rest],
    list_chain(Ys, Y, Op, Rest).

chain_items(Chain, Op, Items, Rest) :-
    (   nonvar(Chain), Chain =.. [Op,A,B]
    ->  chain_items(A, Op, Items, Items1),
        chain_items(B, Op, Items1, Rest)
    ;   Items = [Chain|Rest]
    ).

%!  mkconj(+A, +B, -Conjunction) is det.
%   (A,B), without `true`.
mkconj(A, B, Conjunction) :-
    (   A == true
    ->  Conjunction = B
    ;   B == true
    ->  Conjunction = A
    ;   Conjunction = (A,B)
    ).

%!  mkdisj(+A, +B, -Disjunction) is det.
%   (A;B), without `false` and `fail`.
mkdisj(A, B, Disjunction) :-
    (   fails(A)
    ->  Disjunction = B
    ;   fails(B)
    ->  Disjunction = A
    ;   Disjunction = (A;B)
    ).

fails(G) :-
    (   G == false
    ->  true
    ;   G == fail
    ).

%!  is_control_goal(@Goal) is semidet.
%   Goal is a control structure.
is_control_goal(Goal) :-
    (   var(Goal)
    ->  instantiation_error(Goal)
    ;   control(Goal)
    ).

control((_,_)).
control((_;_)).
control((_->_)).
control((_*->_)).
control(\+_).

%!  is_predicate_indicator(@Term) is semidet.
%   Term is Name/Arity or Name//Arity, perhaps with a module.
is_predicate_indicator(Term) :-
    (   var(Term)
    ->  instantiation_error(Term)
    ;   Term = M:PI
    ->  atom(M),
        plain_indicator(PI)
    ;   plain_indicator(Term)
    ).

plain_indicator(PI) :-
    nonvar(PI),
    (   PI = Name/Arity
    ->  true
    ;   PI = Name//Arity
    ),
    atom(Name),
    integer(Arity),
    Arity >= 0.

%!  pi_head(?PI, ?Head) is det.
%   Conversion between predicate indicators and heads.
pi_head(PI, Head) :-
    (   nonvar(PI)
    ->  pi_to_head(PI, Head)
    ;   nonvar(Head)
    ->  head_to_pi(Head, PI)
    ;   instantiation_error(PI)
    ).

pi_to_head(PI, Head) :-
    (   PI = M:PI1
    ->  Head = M:Head1,
        pi_head(PI1, Head1)
    ;   PI = Name/Arity
    ->  functor(Head, Name, Arity)
    ;   PI = Name//Arity0
    ->  Arity is Arity0+2,
        functor(Head, Name, Arity)
    ;   type_error(predicate_indicator, PI)
    ).

head_to_pi(Head, PI) :-
    (   Head = M:Head1
    ->  PI = M:PI1,
        pi_head(PI1, Head1)
    ;   PI = Name/Arity,
        functor(Head, Name, Arity)
    ).

%!  head_name_arity(?Head, ?Name, ?Arity) is det.
%   As functor/3 for callable terms.
head_name_arity(Head, Name, Arity) :-
    functor(Head, Name, Arity).

%!  most_general_goal(+Goal, -General) is det.
%   General has the functor of Goal and new variables.
most_general_goal(Goal, General) :-
    (   var(Goal)
    ->  General = Goal
    ;   Goal = M:Goal1
    ->  General = M:General1,
        most_general_goal(Goal1, General1)
    ;   functor(Goal, Name, Arity),
        functor(General, Name, Arity)
    ).

%!  extend_goal(+Goal, +Args, -Extended) is det.
%   Goal with more arguments.
extend_goal(Goal, Args, Extended) :-
    (   Args == []
    ->  Extended = Goal
    ;   nonvar(Goal), Goal = M:Goal1
    ->  Extended = M:Extended1,
        extend_goal(Goal1, Args, Extended1)
    ;   Goal =.. List0,
        append(List0, Args, List),
        Extended =.. List
    ).

%!  predicate_label(+PI, -Label) is det.
%   Label is the text that names a predicate to a user.
predicate_label(PI, Label) :-
    (   PI = M:PI1
    ->  (   ( M == user ; M == system ; hidden_module(M) )
        ->  format(atom(Label), '~q', [PI1])
        ;   format(atom(Label), '~q', [PI])
        )
    ;   format(atom(Label), '~q', [PI])
    ).

% Predicates of libraries are known without their module.
hidden_module(M) :-
    catch(module_property(M, class(library)), _, fail).

%!  predicate_sort_key(+PI, -Key) is det.
%   Key is the name by which predicates are sorted.
predicate_sort_key(PI, Key) :-
    (   PI = _:PI1
    ->  predicate_sort_key(PI1, Key)
    ;   PI = Key/_
    ->  true
    ;   PI = Key//_
    ).

%!  body_term_calls(:Body, ?Called) is nondet.
%   Called is Body or a goal in it.
body_term_calls(Body, Called) :-
    Called = Body.
body_term_calls(Body, Called) :-
    compound(Body),
    part(Body, Part),
    body_term_calls(Part, Called).

part((A,_), A).
part((_,B), B).
part((A;_), A).
part((_;B), B).
part((A->_), A).
part((_->B), B).
part((A*->_), A).
part((_*->B), B).
part(\+A, A).
part(_:A, A).
