:- module(solution_sequences,
          [ distinct/1, distinct/2, limit/2, offset/2, call_nth/2, order_by/2, reduced/1,
            reduced/3, group_by/4
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).

:- meta_predicate
    distinct(0), distinct(?, 0), limit(+, 0), offset(+, 0), call_nth(0, ?), order_by(?, 0),
    reduced(0), reduced(?, 0, +), group_by(?, ?, 0, -).

%!  limit(+Count, :Goal) is nondet.
%   The first Count solutions of Goal; all for `inf` or `infinite`.
limit(Count, Goal) :-
    (   Count == infinite
    ->  call(Goal)
    ;   Count > 0,
        State = count(0),
        call(Goal),
        arg(1, State, N0),
        N is N0+1,
        (   N >= Count
        ->  !
        ;   nb_setarg(1, State, N)
        )
    ).

%!  offset(+Count, :Goal) is nondet.
%   The solutions of Goal without the first Count. Throws domain_error(not_less_than_zero, Count).
offset(Count, Goal) :-
    (   Count > 0
    ->  State = count(0),
        call(Goal),
        arg(1, State, N0),
        (   N0 >= Count
        ->  true
        ;   N is N0+1,
            nb_setarg(1, State, N),
            fail
        )
    ;   Count =:= 0
    ->  call(Goal)
    ;   domain_error(not_less_than_zero, Count)
    ).

%!  call_nth(:Goal, ?N) is nondet.
%   The N-th solution of Goal; enumerates them with their numbers when N is unbound.
%   Throws type_error(integer, N) and domain_error(not_less_than_one, N).
call_nth(Goal, Nth) :-
    (   var(Nth)
    ->  State = count(0),
        call(Goal),
        arg(1, State, N0),
        N is N0+1,
        nb_setarg(1, State, N),
        Nth = N
    ;   must_be(integer, Nth),
        (   Nth < 1
        ->  domain_error(not_less_than_one, Nth)
        ;   State = count(0),
            call(Goal),
            arg(1, State, N0),
            N is N0+1,
            nb_setarg(1, State, N),
            N =:= Nth,
            !
        )
    ).

%!  order_by(+Specs, :Goal) is nondet.
%   The solutions of Goal ordered by the list of asc(Term) and desc(Term), the first being the
%   most important. Throws domain_error(order_specifier, Spec).
order_by(Specs, Goal) :-
    must_be(list, Specs),
    (   Specs == []
    ->  domain_error(non_empty_list, Specs)
    ;   order_specs(Specs, Keys, Orders)
    ),
    term_variables(Goal, Vars),
    findall(row(Keys, Vars), Goal, Rows),
    length(Orders, N),
    sort_rows(N, Orders, Rows, Sorted),
    member(row(_, Vars), Sorted).

order_specs([], [], []).
order_specs([Spec|Specs], [Key|Keys], [Order|Orders]) :-
    (   var(Spec)
    ->  instantiation_error(Spec)
    ;   Spec = asc(Key)
    ->  Order = (@=<)
    ;   Spec = desc(Key)
    ->  Order = (@>=)
    ;   domain_error(order_specifier, Spec)
    ),
    order_specs(Specs, Keys, Orders).

% Sorts by the last key first: sorting is stable.
sort_rows(N, Orders, Rows, Sorted) :-
    (   N =:= 0
    ->  Sorted = Rows
    ;   nth1(N, Orders, Order),
        keyed(Rows, N, Keyed),
        sort(1, Order, Keyed, Keyed1),
        unkeyed(Keyed1, Rows1),
        N1 is N-1,
        sort_rows(N1, Orders, Rows1, Sorted)
    ).

keyed([], _, []).
keyed([row(Ks,Vs)|Rows], N, [key(K, row(Ks,Vs))|Keyed]) :-
    nth1(N, Ks, K),
    keyed(Rows, N, Keyed).

unkeyed([], []).
unkeyed([key(_, Row)|Keyed], [Row|Rows]) :-
    unkeyed(Keyed, Rows).

%!  distinct(:Goal) is nondet.
%   The solutions of Goal without those that are variants of earlier ones.
distinct(Goal) :-
    term_variables(Goal, Witness),
    distinct(Witness, Goal).

%!  distinct(?Witness, :Goal) is nondet.
%   As distinct/1, where solutions with variants of Witness are the same.
distinct(Witness, Goal) :-
    Seen = seen([], 0, []),
    call(Goal),
    new_witness(Witness, Seen).

%   Succeeds once for each witness up to variance. The hash table of what was seen is kept
%   outside of backtracking.
new_witness(Witness, Seen) :-
    copy_term_nat(Witness, Key),
    numbervars(Key, 0, _, [singletons(false)]),
    term_hash(Key, Hash),
    arg(2, Seen, Size),
    (   Size =:= 0
    ->  functor(Table0, table, 509),
        fill(509, Table0),
        nb_setarg(1, Seen, Table0),
        nb_setarg(2, Seen, 509)
    ;   true
    ),
    arg(1, Seen, Table),
    Slot is Hash mod 509+1,
    arg(Slot, Table, Bucket),
    \+ identical_member(Bucket, Key),
    nb_setarg(Slot, Table, [Key|Bucket]).

fill(I, Table) :-
    (   I =:= 0
    ->  true
    ;   arg(I, Table, []),
        I1 is I-1,
        fill(I1, Table)
    ).

identical_member([K|Ks], Key) :-
    (   K == Key
    ->  true
    ;   identical_member(Ks, Key)
    ).

%!  reduced(:Goal) is nondet.
%   As distinct/1; a version that may forget what it has seen.
reduced(Goal) :-
    distinct(Goal).

%!  reduced(?Witness, :Goal, +Options) is nondet.
%   As distinct/2; Options (size_limit) are accepted.
reduced(Witness, Goal, Options) :-
    must_be(list, Options),
    distinct(Witness, Goal).

%!  group_by(+By, +Template, :Goal, -Bag) is nondet.
%   Bag are the values of Template for the solutions of Goal with the same By, ordered by By.
group_by(By, Template, Goal, Bag) :-
    term_variables(Goal, GoalVars),
    term_variables(By, ByVars),
    other_vars(GoalVars, ByVars, Others),
    bagof(Template, Others^Goal, Bag).

other_vars([], _, []).
other_vars([V|Vs], ByVars, Others) :-
    (   identical_member(ByVars, V)
    ->  Others = Others1
    ;   Others = [V|Others1]
    ),
    other_vars(Vs, ByVars, Others1).
