:- module(error,
          [ type_error/2, domain_error/2, existence_error/2, existence_error/3,
            permission_error/3, instantiation_error/1, uninstantiation_error/1,
            representation_error/1, syntax_error/1, resource_error/1, must_be/2,
            is_of_type/2, current_type/3, is_not/2
          ]).

:- multifile has_type/2.
:- dynamic has_type/2.

%!  type_error(+Type, @Term) is erroneous.
%   Each of these throws error(Formal, _) with its own name and arguments as Formal.
type_error(Type, Term) :-
    throw(error(type_error(Type, Term), _)).

%!  domain_error(+Domain, @Term) is erroneous.
domain_error(Domain, Term) :-
    throw(error(domain_error(Domain, Term), _)).

%!  existence_error(+Kind, @Term) is erroneous.
existence_error(Kind, Term) :-
    throw(error(existence_error(Kind, Term), _)).

%!  existence_error(+Kind, @Term, @Where) is erroneous.
existence_error(Kind, Term, Where) :-
    throw(error(existence_error(Kind, Term, Where), _)).

%!  permission_error(+Action, +Kind, @Term) is erroneous.
permission_error(Action, Kind, Term) :-
    throw(error(permission_error(Action, Kind, Term), _)).

%!  instantiation_error(@Term) is erroneous.
instantiation_error(_) :-
    throw(error(instantiation_error, _)).

%!  uninstantiation_error(@Term) is erroneous.
uninstantiation_error(Term) :-
    throw(error(uninstantiation_error(Term), _)).

%!  representation_error(+Limit) is erroneous.
representation_error(Limit) :-
    throw(error(representation_error(Limit), _)).

%!  syntax_error(+Message) is erroneous.
syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

%!  resource_error(+Resource) is erroneous.
resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

%!  must_be(+Type, @Term) is det.
%   True if Term is of Type; throws the error that fits otherwise:
%   instantiation, type, domain, or existence_error(type, Type) if Type is unknown.
must_be(Type, Term) :-
    (   nonvar(Type),
        has_type(Type, Term)
    ->  true
    ;   nonvar(Type)
    ->  is_not(Type, Term)
    ;   instantiation_error(Type)
    ).

%!  is_not(+Type, @Term) is erroneous.
%   Throws the error that tells why Term is not of Type.
is_not(Type, Term) :-
    (   why_not(Type, Term, Error)
    ->  throw(error(Error, _))
    ;   list_type(Type, Elem)
    ->  not_list(Term, Type, Elem)
    ;   \+ known_type(Type)
    ->  existence_error(type, Type)
    ;   var(Term)
    ->  instantiation_error(Term)
    ;   ground_type(Type), \+ ground(Term)
    ->  instantiation_error(Term)
    ;   type_error(Type, Term)
    ).

why_not(var, Term, uninstantiation_error(Term)).
why_not(cyclic, Term, domain_error(cyclic_term, Term)).
why_not(acyclic, Term, domain_error(acyclic_term, Term)).

% Lists and the type of their elements.
list_type(list, any).
list_type(list(Type), Type).
list_type(chars, char).
list_type(codes, code).

% Types for which a term that is not ground is not instantiated enough.
ground_type(ground).
ground_type(text).
ground_type(string).
ground_type(rational).
ground_type(stream).
ground_type(oneof(_)).

not_list(Term, Type, Elem) :-
    '$skip_list'(_, Term, Tail),
    (   var(Tail)
    ->  instantiation_error(Term)
    ;   Tail == []
    ->  bad_element(Term, Elem)
    ;   shown_list_type(Type, Shown),
        type_error(Shown, Term)
    ).

shown_list_type(Type, Shown) :-
    (   Type == chars
    ->  Shown = list(char)
    ;   Type == codes
    ->  Shown = list(code)
    ;   Shown = Type
    ).

bad_element([X|Xs], Type) :-
    must_be(Type, X),
    bad_element(Xs, Type).

%!  is_of_type(+Type, @Term) is semidet.
%   Term is of Type; false for an unknown type. Throws instantiation_error.
is_of_type(Type, Term) :-
    (   nonvar(Type)
    ->  (   has_type(Type, Term)
        ->  true
        )
    ;   instantiation_error(Type)
    ).

%!  has_type(+Type, @Term) is semidet.
%   Hook: what the types are. Clauses may be added by others.
has_type(any, _).
has_type(atom, X) :- atom(X).
has_type(atomic, X) :- atomic(X).
has_type(between(L, U), X) :-
    (   integer(L), integer(U)
    ->  integer(X), X >= L, X =< U
    ;   number(X), X >= L, X =< U
    ).
has_type(boolean, X) :- ( X == true -> true ; X == false ).
has_type(callable, X) :- callable(X).
has_type(char, X) :- atom(X), atom_length(X, 1).
has_type(chars, X) :- is_list(X), all_of(X, char).
has_type(code, X) :- integer(X), X >= 0, X =< 0x10ffff.
has_type(codes, X) :- is_list(X), all_of(X, code).
has_type(text, X) :- is_text(X).
has_type(compound, X) :- compound(X).
has_type(constant, X) :- atomic(X).
has_type(float, X) :- float(X).
has_type(ground, X) :- ground(X).
has_type(cyclic, X) :- \+ acyclic_term(X).
has_type(acyclic, X) :- acyclic_term(X).
has_type(integer, X) :- integer(X).
has_type(nonneg, X) :- integer(X), X >= 0.
has_type(positive_integer, X) :- integer(X), X >= 1.
has_type(negative_integer, X) :- integer(X), X < 0.
has_type(nonvar, X) :- nonvar(X).
has_type(number, X) :- number(X).
has_type(oneof(L), X) :- ground(X), one_of(L, X).
has_type(pair, X) :- nonvar(X), X = _-_.
has_type(proper_list, X) :- is_list(X).
has_type(list, X) :- is_list(X).
has_type(symbol, X) :- atom(X).
has_type(var, X) :- var(X).
has_type(rational, X) :- rational(X).
has_type(string, X) :- string(X).
has_type(stream, X) :- is_stream(X).
has_type(encoding, X) :- encoding(X).
has_type(dict, X) :- is_dict(X).
has_type(list(Type), X) :- is_list(X), all_of(X, Type).
has_type(type, X) :- ground(X), known_type(X).

known_type(Type) :-
    clause(has_type(Type, _), _),
    !.

all_of([], _).
all_of([X|Xs], Type) :-
    is_of_type(Type, X),
    all_of(Xs, Type).

one_of([Y|Ys], X) :-
    (   X == Y
    ->  true
    ;   one_of(Ys, X)
    ).

is_text(X) :-
    (   atom(X)
    ->  true
    ;   string(X)
    ->  true
    ;   is_list(X)
    ->  (   all_of(X, code)
        ->  true
        ;   all_of(X, char)
        )
    ;   X == []
    ).

encoding(octet).
encoding(ascii).
encoding(iso_latin_1).
encoding(text).
encoding(utf8).
encoding(unicode_be).
encoding(unicode_le).
encoding(utf16be).
encoding(utf16le).
encoding(wchar_t).

%!  current_type(?Type, @Term, -Body) is nondet.
%   Body is the goal that tells whether Term is of Type.
current_type(Type, Term, Body) :-
    clause(has_type(Type, Term), Body).
