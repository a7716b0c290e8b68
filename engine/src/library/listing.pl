:- module(listing, [listing/0, listing/1, listing/2, portray_clause/1, portray_clause/2, portray_clause/3]).
:- use_module(library(error)).

:- meta_predicate listing(:), listing(:, +).

%!  portray_clause(+Clause) is det.
%   Writes a clause as a program text: variables are named `A`, `B`, …, those that occur once `_`.
portray_clause(Clause) :-
    \+ \+ ( named_copy(Clause, Copy),
            clause_text(Copy),
            write('.'),
            nl ).

%!  portray_clause(+Stream, +Clause) is det.
portray_clause(Stream, Clause) :-
    current_output(Old),
    setup_call_cleanup(set_output(Stream), portray_clause(Clause), set_output(Old)).

%!  portray_clause(+Stream, +Clause, +Options) is det.
%   Options: variable_names(Bindings) gives names to variables.
portray_clause(Stream, Clause, Options) :-
    (   memberchk(variable_names(Bindings), Options)
    ->  \+ \+ ( bind_names(Bindings), portray_clause(Stream, Clause) )
    ;   portray_clause(Stream, Clause)
    ).

bind_names([]).
bind_names([Name=Var|Bindings]) :-
    (   var(Var)
    ->  Var = '$VAR'(Name)
    ;   true
    ),
    bind_names(Bindings).

named_copy(Clause, Copy) :-
    copy_term_nat(Clause, Copy),
    numbervars(Copy, 0, _, [singletons(true)]).

clause_text((Head :- Body)) :-
    !,
    (   Body == true
    ->  put_term(Head, 1199)
    ;   put_term(Head, 1199),
        write(' :-'),
        new_line(4),
        body(Body, 4)
    ).
clause_text((Head --> Body)) :-
    !,
    put_term(Head, 1199),
    write(' -->'),
    new_line(4),
    body(Body, 4).
clause_text((Head => Body)) :-
    !,
    put_term(Head, 1199),
    write(' =>'),
    new_line(4),
    body(Body, 4).
clause_text((:- Goal)) :-
    !,
    write(':- '),
    body(Goal, 3).
clause_text((?- Goal)) :-
    !,
    write('?- '),
    body(Goal, 3).
clause_text(Term) :-
    (   control(Term)
    ->  body(Term, 0)
    ;   put_term(Term, 999)
    ).

control(Term) :-
    compound(Term),
    control_term(Term).

control_term((_,_)).
control_term((_;_)).
control_term((_->_)).
control_term((_*->_)).
control_term({_}).

new_line(Column) :-
    nl,
    spaces(Column).

spaces(N) :-
    (   N > 0
    ->  put_char(' '),
        N1 is N-1,
        spaces(N1)
    ;   true
    ).

% body(Goal, Column): writes a goal that begins at Column.
body(Goal, Column) :-
    (   compound(Goal),
        body_form(Goal, Column)
    ->  true
    ;   goal(Goal, Column)
    ).

body_form((A,B), Column) :-
    body(A, Column),
    write(','),
    new_line(Column),
    body(B, Column).
body_form((A;B), Column) :-
    alternatives((A;B), Column).
body_form((A->B), Column) :-
    alternatives((A->B), Column).
body_form((A*->B), Column) :-
    alternatives((A*->B), Column).
body_form(\+ Goal, Column) :-
    write('\\+ '),
    Column3 is Column+3,
    (   enclosed(Goal, Column3)
    ->  true
    ;   nonvar(Goal), Goal = (\+ _)
    ->  body(Goal, Column3)
    ;   put_term(Goal, 200)
    ).
body_form({Goal}, Column) :-
    write('{ '),
    Column2 is Column+2,
    body(Goal, Column2),
    new_line(Column),
    write('}').
body_form(Goal, Column) :-
    meta_arguments(Goal, Metas),
    compound_name_arguments(Goal, Name, Args),
    has_control(Args, Metas),
    name_text(Name, Text),
    write(Text),
    write('('),
    string_length(Text, Length),
    Column1 is Column+Length+1,
    goal_arguments(Args, Metas, Column1),
    write(')').

alternatives(Goal, Column) :-
    write('(   '),
    Column4 is Column+4,
    alternative(Goal, Column, Column4),
    new_line(Column),
    write(')').

alternative(Goal, Column, Column4) :-
    (   nonvar(Goal), Goal = (A;B)
    ->  branch(A, Column, Column4),
        new_line(Column),
        write(';   '),
        alternative(B, Column, Column4)
    ;   branch(Goal, Column, Column4)
    ).

branch(Goal, Column, Column4) :-
    (   nonvar(Goal), Goal = (A->B)
    ->  body(A, Column4),
        new_line(Column),
        write('->  '),
        body(B, Column4)
    ;   nonvar(Goal), Goal = (A*->B)
    ->  body(A, Column4),
        new_line(Column),
        write('*-> '),
        body(B, Column4)
    ;   body(Goal, Column4)
    ).

% A control structure as an argument.
enclosed(Goal, Column) :-
    nonvar(Goal),
    (   Goal = (_,_)
    ->  write('( '),
        Column2 is Column+2,
        body(Goal, Column2),
        new_line(Column),
        write(')')
    ;   control(Goal),
        Goal \= {_},
        alternatives(Goal, Column)
    ).

meta_arguments(Goal, Metas) :-
    catch(predicate_property(Goal, meta_predicate(Spec)), _, fail),
    !,
    compound_name_arguments(Spec, _, Metas).

has_control([A|As], [M|Ms]) :-
    (   goal_spec(M),
        control(A),
        A \= {_}
    ->  true
    ;   has_control(As, Ms)
    ).

goal_spec(0).
goal_spec(^).
goal_spec(//).

goal_arguments([A|As], [M|Ms], Column) :-
    (   goal_spec(M),
        enclosed(A, Column)
    ->  true
    ;   argument(A, Column)
    ),
    (   As == []
    ->  true
    ;   write(','),
        new_line(Column),
        goal_arguments(As, Ms, Column)
    ).

% A goal in one line if it fits, otherwise its arguments in a line each.
goal(Goal, Column) :-
    text(Goal, 999, Text),
    string_length(Text, Length),
    (   (   Column+Length =< 78
        ;   \+ breakable(Goal)
        )
    ->  write(Text)
    ;   compound_name_arguments(Goal, Name, Args),
        name_text(Name, NameText),
        write(NameText),
        write('('),
        string_length(NameText, NameLength),
        Column1 is Column+NameLength+1,
        arguments(Args, Column1),
        write(')')
    ).

breakable(Term) :-
    compound(Term),
    compound_name_arity(Term, Name, Arity),
    Arity > 0,
    atom(Name),
    Name \== '[|]',
    \+ ( Arity =< 2, current_op(_, _, Name) ).

arguments([A|As], Column) :-
    argument(A, Column),
    (   As == []
    ->  true
    ;   write(','),
        new_line(Column),
        arguments(As, Column)
    ).

argument(Term, Column) :-
    text(Term, 999, Text),
    string_length(Text, Length),
    (   Column+Length =< 78
    ->  write(Text)
    ;   is_list(Term), Term \== []
    ->  write('[ '),
        Column2 is Column+2,
        arguments(Term, Column2),
        new_line(Column),
        write(']')
    ;   breakable(Term)
    ->  goal(Term, Column)
    ;   write(Text)
    ).

put_term(Term, Priority) :-
    text(Term, Priority, Text),
    write(Text).

text(Term, Priority, Text) :-
    with_output_to(string(Text),
                   write_term(Term, [portray(true), numbervars(true), quoted(true),
                                     spacing(next_argument), priority(Priority)])).

name_text(Name, Text) :-
    with_output_to(string(Text), writeq(Name)).

%!  listing is det.
%   Lists the dynamic predicates and those of the program in module user.
listing :-
    forall(( current_predicate(user:Name/Arity),
             functor(Head, Name, Arity),
             \+ predicate_property(user:Head, imported_from(_)) ),
           list_predicate(user, Name, Arity)).

%!  listing(:Spec) is det.
%   Lists predicates: Name, Name/Arity, Name//Arity, or a list of these.
listing(Spec) :-
    listing(Spec, []).

%!  listing(:Spec, +Options) is det.
%   As listing/1; Options are accepted.
listing(Spec0, Options) :-
    strip_module(Spec0, Module, Spec),
    must_be(list, Options),
    list_spec(Spec, Module).

list_spec(Spec, Module) :-
    (   var(Spec)
    ->  instantiation_error(Spec)
    ;   Spec == []
    ->  true
    ;   Spec = [S|Ss]
    ->  list_spec(S, Module),
        list_spec(Ss, Module)
    ;   Spec = M:Spec1
    ->  list_spec(Spec1, M)
    ;   spec_name_arity(Spec, Name, Arity)
    ->  forall(defined(Module, Name, Arity), list_predicate(Module, Name, Arity))
    ;   type_error(predicate_indicator, Spec)
    ).

spec_name_arity(Name/Arity, Name, Arity) :-
    !.
spec_name_arity(Name//Arity0, Name, Arity) :-
    !,
    (   integer(Arity0)
    ->  Arity is Arity0+2
    ;   true
    ).
spec_name_arity(Name, Name, _) :-
    atom(Name).

defined(Module, Name, Arity) :-
    (   atom(Name), integer(Arity)
    ->  functor(Head, Name, Arity),
        once(catch(( predicate_property(Module:Head, dynamic)
                   ; predicate_property(Module:Head, defined)
                   ), _, fail))
    ;   findall(Name/Arity, current_predicate(Module:Name/Arity), PIs0),
        sort(PIs0, PIs),
        '$listing_member'(PIs, Name/Arity)
    ).

'$listing_member'([X|Xs], Y) :-
    (   Y = X
    ;   '$listing_member'(Xs, Y)
    ).

list_predicate(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    declaration(Module, Head, Name/Arity),
    (   Module == user
    ->  Shown = Head
    ;   Shown = Module:Head
    ),
    (   catch(clause(Module:Head, Body), error(permission_error(_, _, _), _), fail),
        show_clause(Shown, Body),
        fail
    ;   true
    ),
    nl.

show_clause(Head, Body) :-
    (   Body == true
    ->  portray_clause(Head)
    ;   portray_clause((Head :- Body))
    ).

declaration(Module, Head, PI) :-
    (   predicate_property(Module:Head, dynamic)
    ->  (   Module == user
        ->  Shown = PI
        ;   Shown = Module:PI
        ),
        format(':- dynamic ~q.~n~n', [Shown])
    ;   true
    ).
