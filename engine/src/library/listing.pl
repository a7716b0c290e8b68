:- module(listing, [listing/0, listing/1, listing/2, portray_clause/3]).
:- use_module(library(error)).
:- use_module(library(lists)).

:- meta_predicate listing(:), listing(:, +).

%!  portray_clause(+Stream, +Clause, +Options) is det.
%   As portray_clause/2. Options: variable_names(Bindings) gives names to variables.
portray_clause(Stream, Clause, Options) :-
    (   memberchk(variable_names(Names), Options)
    ->  true
    ;   Names = []
    ),
    '$portray_clause'(Stream, Clause, Names).

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
        member(Name/Arity, PIs)
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
