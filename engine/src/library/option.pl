:- module(option,
          [ option/2, option/3, select_option/3, select_option/4, merge_options/3,
            meta_options/3, dict_options/2
          ]).
:- use_module(library(error)).
:- use_module(library(lists)).

:- meta_predicate meta_options(1, :, -).

%!  option(?Option, +Options, +Default) is semidet.
%   Option is Name(Value); unifies Value with that of the first option of this name, written
%   Name(Value) or Name=Value, or with Default. Options is a list or a dict.
option(Option, Options, Default) :-
    named(Option, Name, Value),
    (   find_option(Options, Name, Found)
    ->  Value = Found
    ;   Value = Default
    ).

%!  option(?Option, +Options) is semidet.
%   As option/3, fails if there is no such option. Throws an error if Options is not a list.
option(Option, Options) :-
    (   is_dict(Options)
    ->  named(Option, Name, Value),
        get_dict(Name, Options, Value)
    ;   is_list(Options)
    ->  (   var(Option)
        ->  instantiation_error(Option)
        ;   compound(Option),
            compound_name_arguments(Option, Name, [Value]),
            find_in_list(Options, Name, Found),
            Value = Found
        )
    ;   throw(error(existence_error(matching_rule, swi_option:option(Option, Options)), _))
    ).

named(Option, Name, Value) :-
    (   var(Option)
    ->  instantiation_error(Option)
    ;   compound(Option),
        compound_name_arguments(Option, Name, [Value])
    ->  true
    ;   type_error(compound, Option)
    ).

find_option(Options, Name, Value) :-
    (   is_dict(Options)
    ->  get_dict(Name, Options, Value)
    ;   find_in_list(Options, Name, Value)
    ).

% The value of the first option of this name. An unbound element or tail becomes that option.
find_in_list(Options, Name, Value) :-
    (   Options = [O|Os]
    ->  (   option_value(O, Name, Found)
        ->  Value = Found
        ;   find_in_list(Os, Name, Value)
        )
    ;   Options == []
    ->  fail
    ;   type_error(list, Options)
    ).

option_value(Option, Name, Value) :-
    (   var(Option)
    ->  Option =.. [Name,Value]
    ;   Option = (N=V)
    ->  N == Name,
        Value = V
    ;   compound(Option),
        compound_name_arguments(Option, Name, [Value])
    ).

%!  select_option(?Option, +Options, -Rest) is semidet.
%   As option/2; Rest are the other options.
select_option(Option, Options, Rest) :-
    (   \+ compound(Option), nonvar(Option)
    ->  nonvar(Options),
        take_identical(Options, Option, Rest)
    ;   named(Option, Name, Value),
        is_dict(Options)
    ->  del_dict(Name, Options, Value, Rest)
    ;   named(Option, Name, Value),
        take_option(Options, Name, Found, Rest0),
        Value = Found,
        Rest = Rest0
    ).

take_option([O|Os], Name, Value, Rest) :-
    (   option_value(O, Name, Found)
    ->  Value = Found,
        Rest = Os
    ;   Rest = [O|Rest1],
        take_option(Os, Name, Value, Rest1)
    ).

take_identical([O|Os], Option, Rest) :-
    (   O == Option
    ->  Rest = Os
    ;   Rest = [O|Rest1],
        take_identical(Os, Option, Rest1)
    ).

%!  select_option(?Option, +Options, -Rest, +Default) is semidet.
%   As option/3; Rest are the other options.
select_option(Option, Options, Rest, Default) :-
    named(Option, Name, Value),
    (   is_dict(Options)
    ->  (   del_dict(Name, Options, Found, Rest0)
        ->  Value = Found,
            Rest = Rest0
        ;   Value = Default,
            Rest = Options
        )
    ;   (   take_option(Options, Name, Found, Rest0)
        ->  Value = Found,
            Rest = Rest0
        ;   Value = Default,
            Rest = Options
        )
    ).

%!  merge_options(+New, +Old, -Merged) is det.
%   Merged are the options of both, sorted, each written Name(Value); those of New replace
%   those of Old with the same name.
merge_options(New, Old, Merged) :-
    canonical(New, News),
    canonical(Old, Olds),
    (   News == []
    ->  Merged = Olds
    ;   Olds == []
    ->  Merged = News
    ;   not_replaced(Olds, News, Olds1),
        append(News, Olds1, All),
        sort(All, Merged)
    ).

canonical(Options, List) :-
    (   is_dict(Options)
    ->  dict_pairs(Options, _, Pairs),
        pairs_options(Pairs, List)
    ;   var(Options)
    ->  Options = [],
        List = []
    ;   must_be(list, Options),
        plain_options(Options, List)
    ).

plain_options([], []).
plain_options([O|Os], [P|Ps]) :-
    (   nonvar(O), O = (Name=Value)
    ->  P =.. [Name,Value]
    ;   P = O
    ),
    plain_options(Os, Ps).

not_replaced([], _, []).
not_replaced([O|Os], News, Kept) :-
    (   functor(O, Name, Arity),
        has_functor(News, Name, Arity)
    ->  Kept = Kept1
    ;   Kept = [O|Kept1]
    ),
    not_replaced(Os, News, Kept1).

has_functor([O|Os], Name, Arity) :-
    (   functor(O, Name, Arity)
    ->  true
    ;   has_functor(Os, Name, Arity)
    ).

%!  meta_options(:IsMeta, :Options0, -Options) is det.
%   The values of the options for which call(IsMeta, Name) succeeds get the module of Options0.
meta_options(IsMeta, Module:Options0, Options) :-
    must_be(list, Options0),
    meta_list(Options0, IsMeta, Module, Options).

meta_list([], _, _, []).
meta_list([O0|Os0], IsMeta, Module, [O|Os]) :-
    (   nonvar(O0), O0 = (Name=Value), call(IsMeta, Name)
    ->  O = (Name=Qualified),
        qualify(Value, Module, Qualified)
    ;   compound(O0), compound_name_arguments(O0, Name, [Value]), call(IsMeta, Name)
    ->  qualify(Value, Module, Qualified),
        O =.. [Name,Qualified]
    ;   O = O0
    ),
    meta_list(Os0, IsMeta, Module, Os).

qualify(Value, Module, Qualified) :-
    (   nonvar(Value), Value = M:_, atom(M)
    ->  Qualified = Value
    ;   Qualified = Module:Value
    ).

%!  dict_options(?Dict, ?Options) is det.
%   Converts between a dict and a list of options.
dict_options(Dict, Options) :-
    (   nonvar(Dict)
    ->  dict_pairs(Dict, _, Pairs),
        pairs_options(Pairs, Options)
    ;   must_be(list, Options),
        dict_create(Dict, _, Options)
    ).

pairs_options([], []).
pairs_options([K-V|Ps], [O|Os]) :-
    O =.. [K,V],
    pairs_options(Ps, Os).
