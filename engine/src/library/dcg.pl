:- module('$dcg', [dcg_translate_rule/2, dcg_translate_rule/4, dcg_translate_body/4, phrase/2, phrase/3]).

%   Grammar rules. A nonterminal gets two arguments more, the list before and the list after it.
%   Terminals stay unifications in the body, so that a cut or a test before them keeps its place.

:- meta_predicate phrase(//, ?), phrase(//, ?, ?).

%!  dcg_translate_rule(+Rule, -Clause) is det.

dcg_translate_rule(Rule, Clause) :-
    dcg_translate_rule(Rule, _, Clause, _).

dcg_translate_rule(Rule, Pos, Clause, Pos) :-
    '$dcg_rule'(Rule, Clause).

'$dcg_rule'(-->(LHS, Body), (Head :- Goals)) :-
    strip_module(LHS, _, Plain),
    nonvar(Plain),
    Plain = (NT, PushBack),
    !,
    '$dcg_terminals'(PushBack, PushBack, S, S1, Back),
    '$dcg_head'(LHS, NT, S0, S, Head),
    '$dcg_body'(Body, S0, S1, Goal),
    Goals = (Goal, Back).
'$dcg_rule'(-->(LHS, Body), (Head :- Goals)) :-
    '$dcg_head'(LHS, LHS, S0, S, Head),
    '$dcg_body'(Body, S0, S, Goals).

%   The head keeps the module that the rule was written with.
'$dcg_head'(LHS, NT, S0, S, M:Head) :-
    nonvar(LHS),
    LHS = M:_,
    !,
    strip_module(NT, _, Plain),
    '$dcg_extend'(Plain, S0, S, Head).
'$dcg_head'(_, NT, S0, S, Head) :-
    '$dcg_extend'(NT, S0, S, Head).

'$dcg_extend'(V, _, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$dcg_extend'(M:NT, S0, S, M:Goal) :-
    !,
    '$dcg_extend'(NT, S0, S, Goal).
'$dcg_extend'(NT, S0, S, Goal) :-
    '$dcg_extendable'(NT),
    !,
    NT =.. L0,
    '$append'(L0, [S0, S], L),
    Goal =.. L.
'$dcg_extend'(NT, _, _, _) :-
    throw(error(type_error(callable, NT), _)).

'$dcg_extendable'(NT) :-
    callable(NT),
    NT \= [_|_],
    NT \== [].

'$dcg_body'(Var, S0, S, phrase(Var, S0, S)) :-
    var(Var),
    !.
'$dcg_body'(M:X, S0, S, phrase(M:X, S0, S)) :-
    ( var(X) ; var(M) ),
    !.
'$dcg_body'(M:X, S0, S, Goal) :-
    !,
    '$dcg_body'(X, S0, S, G),
    '$dcg_qualify'(G, M, Goal).
'$dcg_body'([], S0, S, S0 = S) :-
    !.
'$dcg_body'(List, S0, S, Goal) :-
    ( List = [_|_] ; string(List) ),
    !,
    '$dcg_terminals'(List, List, S0, S, Goal).
'$dcg_body'((A, B), S0, S, (GA, GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'((A ; B), S0, S, (GA ; GB)) :-
    !,
    '$dcg_body'(A, S0, S, GA),
    '$dcg_body'(B, S0, S, GB).
'$dcg_body'((A | B), S0, S, (GA ; GB)) :-
    !,
    '$dcg_body'(A, S0, S, GA),
    '$dcg_body'(B, S0, S, GB).
'$dcg_body'((A -> B), S0, S, (GA -> GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'((A *-> B), S0, S, (GA *-> GB)) :-
    !,
    '$dcg_body'(A, S0, S1, GA),
    '$dcg_body'(B, S1, S, GB).
'$dcg_body'(!, S0, S, (!, S = S0)) :-
    !.
'$dcg_body'({}, S, S, true) :-
    !.
'$dcg_body'({Goal}, S0, S, (Goal, S = S0)) :-
    !.
'$dcg_body'(\+ A, S0, S, (\+ GA, S = S0)) :-
    !,
    '$dcg_body'(A, S0, _, GA).
'$dcg_body'(Call, S0, S, Goal) :-
    compound(Call),
    compound_name_arguments(Call, call, Args0),
    Args0 = [_|_],
    !,
    '$append'(Args0, [S0, S], Args),
    compound_name_arguments(Goal, call, Args).
'$dcg_body'(NT, S0, S, Goal) :-
    '$dcg_extend'(NT, S0, S, Goal).

'$dcg_qualify'(phrase(X, S0, S), M, phrase(M:X, S0, S)) :- !.
'$dcg_qualify'(G, M, M:G).

'$dcg_terminals'(V, _, _, _, _) :-
    var(V),
    !,
    throw(error(instantiation_error, _)).
'$dcg_terminals'(Text, _, S0, S, Goal) :-
    string(Text),
    !,
    string_codes(Text, Codes),
    '$dcg_terminals'(Codes, Text, S0, S, Goal).
'$dcg_terminals'(List, Text, S0, S, Goal) :-
    (   '$skip_list'(_, List, Tail), Tail == []
    ->  (   List == []
        ->  Goal = (S0 = S)
        ;   '$append'(List, S, Full),
            Goal = (S0 = Full)
        )
    ;   throw(error(type_error(list_or_partial_list, Text), _))
    ).

%!  dcg_translate_body(+Body, ?S0, ?S, -Goal) is det.
%
%   The goal that runs a grammar body on the difference of two lists.

dcg_translate_body(Body, S0, S, Goal) :-
    '$dcg_body'(Body, S0, S, Goal).

%!  phrase(:Body, ?List, ?Rest) is nondet.

phrase(Body, List) :-
    phrase(Body, List, []).

phrase(Body, List, Rest) :-
    strip_module(Body, M, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, context(system:phrase/3, _)))
    ;   callable(Plain) ; string(Plain)
    ),
    !,
    '$dcg_list'(List),
    '$dcg_list'(Rest),
    '$dcg_body'(Plain, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(M:Goal).
phrase(Body, _, _) :-
    strip_module(Body, _, Plain),
    throw(error(type_error(callable, Plain), context(system:phrase/3, _))).

'$dcg_list'(List) :-
    (   '$skip_list'(_, List, Tail),
        ( var(Tail) ; Tail == [] ; Tail \== List, \+ List = [] )
    ->  true
    ;   throw(error(type_error(list, List), context(system:phrase/3, _)))
    ).
