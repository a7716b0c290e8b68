:- module(terms,
          [ term_size/2, variant/2, subsumes/2, subsumes_chk/2, term_subsumer/3,
            term_factorized/3, mapargs/3, mapsubterms/3, mapsubterms_var/3, foldsubterms/4,
            foldsubterms/5, same_functor/2, same_functor/3, same_functor/4
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(rbtrees)).

:- meta_predicate
    mapargs(2, ?, ?), mapsubterms(2, ?, ?), mapsubterms_var(2, ?, ?),
    foldsubterms(3, +, +, -), foldsubterms(4, +, ?, +, -).

%!  term_size(@Term, -Cells) is det.
%   The memory that Term takes, in cells.
term_size(Term, Cells) :-
    size(Term, 0, Cells).

size(Term, N0, N) :-
    (   compound(Term)
    ->  compound_name_arguments(Term, _, Args),
        length(Args, Arity),
        N1 is N0+Arity+1,
        sizes(Args, N1, N)
    ;   string(Term)
    ->  string_length(Term, Length),
        N is N0+2+(Length+8)//8
    ;   float(Term)
    ->  N is N0+3
    ;   integer(Term), ( Term >= 1<<60 ; Term < -(1<<60) )
    ->  N is N0+4+msb(abs(Term))//64
    ;   N = N0
    ).

sizes([], N, N).
sizes([A|As], N0, N) :-
    size(A, N0, N1),
    sizes(As, N1, N).

%!  variant(@A, @B) is semidet.
%   A and B are equal up to the names of their variables.
variant(A, B) :-
    A =@= B.

%!  subsumes(+General, +Specific) is semidet.
%   Makes General equal to Specific without binding Specific.
subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

%!  subsumes_chk(@General, @Specific) is semidet.
%   As subsumes/2 without bindings.
subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%!  term_subsumer(+A, +B, -General) is det.
%   The most specific term of which A and B are instances.
term_subsumer(A, B, General) :-
    generalise(A, B, General, [], _).

generalise(A, B, G, Map0, Map) :-
    (   A == B
    ->  G = A,
        Map = Map0
    ;   compound(A), compound(B),
        compound_name_arity(A, Name, Arity),
        compound_name_arity(B, Name, Arity)
    ->  compound_name_arguments(A, Name, As),
        compound_name_arguments(B, Name, Bs),
        generalise_args(As, Bs, Gs, Map0, Map),
        compound_name_arguments(G, Name, Gs)
    ;   known(Map0, A, B, G0)
    ->  G = G0,
        Map = Map0
    ;   Map = [map(A,B,G)|Map0]
    ).

generalise_args([], [], [], Map, Map).
generalise_args([A|As], [B|Bs], [G|Gs], Map0, Map) :-
    generalise(A, B, G, Map0, Map1),
    generalise_args(As, Bs, Gs, Map1, Map).

known([map(A1,B1,G1)|Map], A, B, G) :-
    (   A1 == A, B1 == B
    ->  G = G1
    ;   known(Map, A, B, G)
    ).

%!  term_factorized(+Term, -Skeleton, -Substitutions) is det.
%   Compound parts that occur more than once are replaced by variables, which Substitutions
%   gives as Var=Value.
term_factorized(Term, Skeleton, Substitutions) :-
    rb_new(Counts0),
    count_parts(Term, Counts0, Counts),
    rb_new(Vars0),
    factor(Term, Counts, Vars0, _, Skeleton, Substitutions0, []),
    reverse(Substitutions0, Substitutions).

count_parts(Term, Counts0, Counts) :-
    (   compound(Term)
    ->  (   rb_update(Counts0, Term, N0, N, Counts)
        ->  N is N0+1
        ;   rb_insert(Counts0, Term, 1, Counts1),
            compound_name_arguments(Term, _, Args),
            count_args(Args, Counts1, Counts)
        )
    ;   Counts = Counts0
    ).

count_args([], Counts, Counts).
count_args([A|As], Counts0, Counts) :-
    count_parts(A, Counts0, Counts1),
    count_args(As, Counts1, Counts).

factor(Term, Counts, Vars0, Vars, Skeleton, Subs, Rest) :-
    (   compound(Term)
    ->  rb_lookup(Term, N, Counts),
        (   N =:= 1
        ->  factor_parts(Term, Counts, Vars0, Vars, Skeleton, Subs, Rest)
        ;   rb_lookup(Term, Var, Vars0)
        ->  Skeleton = Var,
            Vars = Vars0,
            Subs = Rest
        ;   rb_insert(Vars0, Term, Skeleton, Vars1),
            factor_parts(Term, Counts, Vars1, Vars, Value, Subs, [Skeleton=Value|Rest])
        )
    ;   Skeleton = Term,
        Vars = Vars0,
        Subs = Rest
    ).

factor_parts(Term, Counts, Vars0, Vars, Skeleton, Subs, Rest) :-
    compound_name_arguments(Term, Name, Args),
    factor_args(Args, Counts, Vars0, Vars, Args2, Subs, Rest),
    compound_name_arguments(Skeleton, Name, Args2).

factor_args([], _, Vars, Vars, [], Subs, Subs).
factor_args([A|As], Counts, Vars0, Vars, [B|Bs], Subs, Rest) :-
    factor(A, Counts, Vars0, Vars1, B, Subs, Subs1),
    factor_args(As, Counts, Vars1, Vars, Bs, Subs1, Rest).

%!  mapargs(:Goal, ?A, ?B) is nondet.
%   call(Goal, X, Y) for the arguments of two terms with the same functor.
mapargs(Goal, A, B) :-
    same_functor(A, B, Arity),
    mapargs(1, Arity, Goal, A, B).

mapargs(I, Arity, Goal, A, B) :-
    (   I > Arity
    ->  true
    ;   arg(I, A, X),
        arg(I, B, Y),
        call(Goal, X, Y),
        I1 is I+1,
        mapargs(I1, Arity, Goal, A, B)
    ).

%!  mapsubterms(:Goal, +A, -B) is det.
%   Replaces the outermost parts X that are no variables by the Y of call(Goal, X, Y).
mapsubterms(Goal, A, B) :-
    map_parts(A, Goal, false, B).

%!  mapsubterms_var(:Goal, +A, -B) is det.
%   As mapsubterms/3, also for variables.
mapsubterms_var(Goal, A, B) :-
    map_parts(A, Goal, true, B).

map_parts(A, Goal, Vars, B) :-
    (   var(A), Vars == false
    ->  B = A
    ;   call(Goal, A, B0)
    ->  B = B0
    ;   compound(A)
    ->  compound_name_arguments(A, Name, As),
        map_all(As, Goal, Vars, Bs),
        compound_name_arguments(B, Name, Bs)
    ;   B = A
    ).

map_all([], _, _, []).
map_all([A|As], Goal, Vars, [B|Bs]) :-
    map_parts(A, Goal, Vars, B),
    map_all(As, Goal, Vars, Bs).

%!  foldsubterms(:Goal, +Term, +State0, -State) is semidet.
%   Threads a state through call(Goal, Part, S0, S) for the outermost parts where it succeeds.
foldsubterms(Goal, Term, S0, S) :-
    fold_parts(Term, Goal, S0, S).

fold_parts(Term, Goal, S0, S) :-
    (   call(Goal, Term, S0, S1)
    ->  S = S1
    ;   compound(Term)
    ->  compound_name_arguments(Term, _, Args),
        fold_all(Args, Goal, S0, S)
    ;   S = S0
    ).

fold_all([], _, S, S).
fold_all([A|As], Goal, S0, S) :-
    fold_parts(A, Goal, S0, S1),
    fold_all(As, Goal, S1, S).

%!  foldsubterms(:Goal, +A, -B, +State0, -State) is semidet.
%   As foldsubterms/4 with call(Goal, X, Y, S0, S); B has the Ys in the place of the Xs.
foldsubterms(Goal, A, B, S0, S) :-
    fold_map(A, Goal, B, S0, S).

fold_map(A, Goal, B, S0, S) :-
    (   call(Goal, A, B0, S0, S1)
    ->  B = B0,
        S = S1
    ;   compound(A)
    ->  compound_name_arguments(A, Name, As),
        fold_map_all(As, Goal, Bs, S0, S),
        compound_name_arguments(B, Name, Bs)
    ;   B = A,
        S = S0
    ).

fold_map_all([], _, [], S, S).
fold_map_all([A|As], Goal, [B|Bs], S0, S) :-
    fold_map(A, Goal, B, S0, S1),
    fold_map_all(As, Goal, Bs, S1, S).

%!  same_functor(?A, ?B) is semidet.
%   A and B have the same name and arity; one of them may be unbound.
same_functor(A, B) :-
    same_functor(A, B, _, _).

%!  same_functor(?A, ?B, ?Arity) is semidet.
same_functor(A, B, Arity) :-
    same_functor(A, B, _, Arity).

%!  same_functor(?A, ?B, ?Name, ?Arity) is semidet.
same_functor(A, B, Name, Arity) :-
    (   nonvar(A)
    ->  functor(A, Name, Arity),
        functor(B, Name, Arity)
    ;   functor(B, Name, Arity),
        functor(A, Name, Arity)
    ).
