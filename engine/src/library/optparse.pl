:- module(optparse, [opt_arguments/3, opt_parse/4, opt_parse/5, opt_help/2]).
:- use_module(library(error)).
:- use_module(library(lists)).
:- use_module(library(option)).

% A specification is a list of option lists with opt(Key), type(Type), default(Value),
% shortflags([Char]), longflags([Name]), meta(Name) and help(Text).

%!  opt_arguments(+Spec, -Options, -Positional) is det.
%   Parses the arguments of the program.
opt_arguments(Spec, Options, Positional) :-
    current_prolog_flag(argv, Argv),
    (   Argv = [_|Args]
    ->  true
    ;   Args = []
    ),
    opt_parse(Spec, Args, Options, Positional).

%!  opt_parse(+Spec, +Args, -Options, -Positional) is det.
opt_parse(Spec, Args, Options, Positional) :-
    opt_parse(Spec, Args, Options, Positional, []).

%!  opt_parse(+Spec, +Args, -Options, -Positional, +ParseOptions) is det.
%   Options are Key(Value) for all options of Spec, Positional the arguments that are no options.
%   ParseOptions: output_functor(Name).
opt_parse(Spec, Args, Options, Positional, ParseOptions) :-
    must_be(list, Spec),
    parse(Args, Spec, Given, Positional),
    option(output_functor(Functor), ParseOptions, none),
    results(Spec, Given, Functor, Options).

parse([], _, [], []).
parse([Arg|Args], Spec, Given, Positional) :-
    (   Arg == '--'
    ->  Given = [],
        Positional = Args
    ;   sub_atom(Arg, 0, 2, _, '--')
    ->  sub_atom(Arg, 2, _, 0, Flag),
        long_flag(Flag, Args, Rest, Spec, Key-Value),
        Given = [Key-Value|Given1],
        parse(Rest, Spec, Given1, Positional)
    ;   sub_atom(Arg, 0, 1, _, '-'),
        sub_atom(Arg, 1, 1, _, Short),
        flag_spec(Spec, shortflags, Short, Opt)
    ->  sub_atom(Arg, 2, _, 0, Attached),
        flag_value(Attached, Args, Rest, Opt, Value),
        memberchk(opt(Key), Opt),
        Given = [Key-Value|Given1],
        parse(Rest, Spec, Given1, Positional)
    ;   Positional = [Arg|Positional1],
        parse(Args, Spec, Given, Positional1)
    ).

long_flag(Flag, Args, Rest, Spec, Key-Value) :-
    (   sub_atom(Flag, Before, 1, After, '=')
    ->  sub_atom(Flag, 0, Before, _, Name),
        sub_atom(Flag, _, After, 0, Attached)
    ;   Name = Flag,
        Attached = ''
    ),
    (   flag_spec(Spec, longflags, Name, Opt)
    ->  flag_value(Attached, Args, Rest, Opt, Value)
    ;   atom_concat('no-', Positive, Name),
        flag_spec(Spec, longflags, Positive, Opt)
    ->  Value = false,
        Rest = Args
    ;   domain_error(command_line_option, Flag)
    ),
    memberchk(opt(Key), Opt).

flag_spec([Opt|Opts], Kind, Flag, Found) :-
    (   Want =.. [Kind,Flags],
        memberchk(Want, Opt),
        memberchk(Flag, Flags)
    ->  Found = Opt
    ;   flag_spec(Opts, Kind, Flag, Found)
    ).

flag_value(Attached, Args, Rest, Opt, Value) :-
    option(type(Type), Opt, term),
    (   Attached \== ''
    ->  Rest = Args,
        typed(Type, Attached, Value)
    ;   Type == boolean
    ->  Rest = Args,
        Value = true
    ;   Args = [Text|Rest]
    ->  typed(Type, Text, Value)
    ;   existence_error(command_line_argument, Opt)
    ).

typed(boolean, Text, Value) :-
    !,
    must_be(oneof([true,false]), Text),
    Value = Text.
typed(integer, Text, Value) :-
    !,
    number_text(Text, Value),
    must_be(integer, Value).
typed(float, Text, Value) :-
    !,
    number_text(Text, Value0),
    Value is float(Value0).
typed(atom, Text, Text) :-
    !.
typed(string, Text, Value) :-
    !,
    atom_string(Text, Value).
typed(_, Text, Value) :-
    term_to_atom(Value, Text).

number_text(Text, Value) :-
    (   atom_number(Text, Value)
    ->  true
    ;   type_error(number, Text)
    ).

results([], _, _, []).
results([Opt|Opts], Given, Functor, Results) :-
    (   memberchk(opt(Key), Opt)
    ->  (   last_given(Given, Key, Value)
        ->  true
        ;   option(default(Value), Opt, _)
        ),
        (   Functor == none
        ->  Result =.. [Key,Value]
        ;   Result =.. [Functor,Key,Value]
        ),
        Results = [Result|Results1]
    ;   Results = Results1
    ),
    results(Opts, Given, Functor, Results1).

last_given(Given, Key, Value) :-
    findall(V, member(Key-V, Given), Values),
    last(Values, Value).

%!  opt_help(+Spec, -Text) is det.
%   A line for every option.
opt_help(Spec, Text) :-
    help_lines(Spec, Lines),
    atomic_list_concat(Lines, Text).

help_lines([], []).
help_lines([Opt|Opts], [Line|Lines]) :-
    option(shortflags(Shorts), Opt, []),
    option(longflags(Longs), Opt, []),
    option(help(Help), Opt, ''),
    findall(F, ( member(S, Shorts), atom_concat('-', S, F) ), Fs),
    findall(F, ( member(L, Longs), atom_concat('--', L, F) ), Gs),
    append(Fs, Gs, Flags0),
    atomic_list_concat(Flags0, ', ', Flags),
    format(atom(Line), '  ~w~30|~w~n', [Flags, Help]),
    help_lines(Opts, Lines).
