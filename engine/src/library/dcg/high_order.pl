:- module(dcg_high_order,
          [ sequence//2, sequence//3, sequence//5, optional//2, foreach//2, foreach//3 ]).

:- meta_predicate
    sequence(3, ?, ?, ?), sequence(3, //, ?, ?, ?), sequence(//, 3, //, //, ?, ?, ?),
    optional(//, //, ?, ?), foreach(0, //, ?, ?), foreach(0, //, //, ?, ?).

%!  sequence(:Element, ?List)//
%   As many calls of Element as possible, each with an element of List; fewer on backtracking.
sequence(Element, List) -->
    elements(List, Element).

elements([X|Xs], Element) -->
    call(Element, X),
    elements(Xs, Element).
elements([], _) -->
    [].

%!  sequence(:Element, :Separator, ?List)//
%   Elements with Separator between them. When a separator was found, an element must follow.
sequence(Element, Separator, List) -->
    (   { List = [X|Xs] },
        call(Element, X)
    *-> (   { Xs == [] }
        ->  []
        ;   Separator
        ->  !,
            after_separator(Xs, Element, Separator)
        ;   { Xs = [] }
        )
    ;   { List = [] }
    ).

after_separator([X|Xs], Element, Separator) -->
    call(Element, X),
    (   { Xs == [] }
    ->  []
    ;   Separator
    ->  !,
        after_separator(Xs, Element, Separator)
    ;   { Xs = [] }
    ).

%!  sequence(:Start, :Element, :Separator, :End, ?List)//
%   As sequence//3 between Start and End.
sequence(Start, Element, Separator, End, List) -->
    Start,
    sequence(Element, Separator, List),
    End,
    !.

%!  optional(:Match, :Default)//
%   Match, or Default if that fails.
optional(Match, _) -->
    Match,
    !.
optional(_, Default) -->
    Default.

%!  foreach(:Generator, :Element)//
%   Element for every solution of Generator.
foreach(Generator, Element) -->
    foreach(Generator, Element, []).

%!  foreach(:Generator, :Element, :Separator)//
%   As foreach//2 with Separator between the elements.
foreach(Generator, Element, Separator) -->
    { term_variables(Generator, GenVars),
      findall(GenVars, Generator, Instances),
      term_variables(GenVars+Element+Separator, AllVars),
      others(GenVars, AllVars, Shared),
      instances(Instances, GenVars+Shared, Shared, Element, Elements)
    },
    each(Elements, Separator).

% The generator's variables come first in all variables; the others are shared.
others([], Shared, Shared).
others([_|Vs], [_|As], Shared) :-
    others(Vs, As, Shared).

instances([], _, _, _, []).
instances([I|Is], Vars, Shared, Element, [E|Es]) :-
    copy_term(Vars-Element, (I+Shared)-E),
    instances(Is, Vars, Shared, Element, Es).

each([], _) -->
    [].
each([E|Es], Separator) -->
    E,
    each_more(Es, Separator).

each_more([], _) -->
    [].
each_more([E|Es], Separator) -->
    Separator,
    E,
    each_more(Es, Separator).
