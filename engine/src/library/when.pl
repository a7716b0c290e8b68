:- module(when, [when/2]).
:- use_module(library(error)).

:- meta_predicate when(+, 0).

% A suspended goal is susp(Done, Condition, Goal): Done is a variable until Goal has been
% called, Condition what remains to be true. The attribute of a variable that it waits for is
% waiting(Susps).

%!  when(+Condition, :Goal) is nondet.
%   Calls Goal as soon as Condition is true: nonvar(X), ground(T), ?=(X, Y), `,` and `;`.
%   Throws instantiation_error, and domain_error(when_condition, Condition).
when(Condition, Goal) :-
    '$must_be_condition'(Condition, Condition),
    (   remains(Condition, Rest, Vars, [])
    ->  suspend(Vars, susp(_, Rest, Goal))
    ;   call(Goal)
    ).

'$must_be_condition'(C, Whole) :-
    (   var(C)
    ->  throw(error(instantiation_error, _))
    ;   condition(C, Whole)
    ->  true
    ;   throw(error(domain_error(when_condition, Whole), _))
    ).

condition(nonvar(_), _).
condition(ground(_), _).
condition(?=(_,_), _).
condition((A,B), Whole) :-
    '$must_be_condition'(A, Whole),
    '$must_be_condition'(B, Whole).
condition((A;B), Whole) :-
    '$must_be_condition'(A, Whole),
    '$must_be_condition'(B, Whole).

% remains(Condition, Rest, Vars, Tail): what of Condition is not true yet, and the variables
% whose binding may change that. Fails if it is true.
remains(nonvar(X), nonvar(X), [X|Vars], Vars) :-
    var(X).
remains(ground(T), ground(T), [V|Vars], Vars) :-
    \+ ground(T),
    term_variables(T, [V|_]).
remains(?=(X,Y), ?=(X,Y), Vars, Tail) :-
    unifiable(X, Y, Unifier),
    Unifier \== [],
    unifier_vars(Unifier, Vars, Tail).
remains((A,B), Rest, Vars, Tail) :-
    (   remains(A, A1, Vars, Tail)
    ->  Rest = (A1,B)
    ;   remains(B, Rest, Vars, Tail)
    ).
remains((A;B), (A1;B1), Vars, Tail) :-
    remains(A, A1, Vars, Vars1),
    remains(B, B1, Vars1, Tail).

unifier_vars([], Vars, Vars).
unifier_vars([L=R|Us], [L|Vars], Tail) :-
    (   var(R)
    ->  Vars = [R|Vars1]
    ;   Vars = Vars1
    ),
    unifier_vars(Us, Vars1, Tail).

suspend([], _).
suspend([Var|Vars], Susp) :-
    (   get_attr(Var, when, waiting(Susps))
    ->  (   has_susp(Susps, Susp)
        ->  true
        ;   open_susps(Susps, [Susp], Susps1),
            put_attr(Var, when, waiting(Susps1))
        )
    ;   put_attr(Var, when, waiting([Susp]))
    ),
    suspend(Vars, Susp).

has_susp([S|Ss], Susp) :-
    (   arg(1, S, D1),
        arg(1, Susp, D2),
        D1 == D2
    ->  true
    ;   has_susp(Ss, Susp)
    ).

% The suspended goals of both lists that have not been called, without duplicates.
open_susps([], Susps, Susps).
open_susps([S|Ss], More, Susps) :-
    (   arg(1, S, Done),
        var(Done),
        \+ has_susp(More, S)
    ->  Susps = [S|Susps1]
    ;   Susps = Susps1
    ),
    open_susps(Ss, More, Susps1).

attr_unify_hook(waiting(Susps), Value) :-
    (   attvar(Value)
    ->  (   get_attr(Value, when, waiting(Others))
        ->  open_susps(Susps, Others, All)
        ;   All = Susps
        ),
        put_attr(Value, when, waiting(All))
    ;   true
    ),
    retry(Susps),
    clean(Value).

% A variable that waits for nothing any more loses the attribute.
clean(Var) :-
    (   attvar(Var),
        get_attr(Var, when, waiting(Susps)),
        open_susps(Susps, [], [])
    ->  del_attr(Var, when)
    ;   true
    ).

retry([]).
retry([Susp|Susps]) :-
    Susp = susp(Done, Condition, Goal),
    (   nonvar(Done)
    ->  true
    ;   remains(Condition, Rest, Vars, [])
    ->  setarg(2, Susp, Rest),
        suspend(Vars, Susp)
    ;   Done = true,
        call(Goal)
    ),
    retry(Susps).

%!  attribute_goals(+Var)//
%   Each suspended goal is shown for the first variable that it waits for.
attribute_goals(Var) -->
    { get_attr(Var, when, waiting(Susps)) },
    susp_goals(Susps, Var).

susp_goals([], _) -->
    [].
susp_goals([susp(Done, Condition, Goal)|Susps], Var) -->
    (   { var(Done), remains(Condition, Rest, [Owner|_], []), Owner == Var }
    ->  [when(Rest, Goal)]
    ;   []
    ),
    susp_goals(Susps, Var).
