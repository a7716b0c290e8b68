:- module('$messages', [print_message/2, print_message_lines/3, message_to_codes/3, message_to_lines/2,
                        translate_message//1, '$message_text'/3, message_property/2, assertion_failed/2]).

%   Texts of errors and warnings, and how they are printed.

%!  print_message(+Kind, +Term) is det.
%
%   Hooks see every message, silent ones as well; what no hook takes goes to user_error.

print_message(Kind, Term) :-
    message_to_lines(Term, Lines),
    (   catch(user:message_hook(Term, Kind, Lines), E, hook_failed(E))
    ->  true
    ;   print_system(Kind, Term, Lines)
    ).

hook_failed(E) :-
    (   nonvar(E), ( E = unwind(_) ; E == '$aborted' )
    ->  throw(E)
    ;   fail
    ).

print_system(silent, _, _) :- !.
print_system(debug(_), _, Lines) :-
    !,
    print_message_lines(user_error, '% ', Lines).
print_system(informational, _, Lines) :-
    !,
    (   current_prolog_flag(verbose, silent)
    ->  true
    ;   print_message_lines(user_error, '% ', Lines)
    ).
print_system(banner, _, _) :- !.
print_system(Kind, Term, Lines) :-
    (   located(Term)
    ->  print_message_lines(user_error, kind(Kind), Lines)
    ;   ( Kind == error ; Kind == warning ),
        source_location(File, Line)
    ->  indented(Lines, Lines1),
        print_message_lines(user_error, kind(Kind), ['~w:~d:'-[File, Line], nl, '   '|Lines1])
    ;   print_message_lines(user_error, kind(Kind), Lines)
    ).

located(load_error(_, _, _, _)).
located(load_singletons(_, _, _)).
located(directive_failed(_, _, _)).
located(discontiguous(_, _, _, _)).
located(error(syntax_error(_), C)) :- compound(C), ( C = file(_,_,_,_) ; C = stream(_,_,_,_) ).

indented([], []).
indented([nl|T], [nl, '   '|R]) :- !, indented(T, R).
indented([H|T], [H|R]) :- indented(T, R).

%!  print_message_lines(+Stream, +Prefix, +Lines) is det.

print_message_lines(_, _, []) :- !.
print_message_lines(current_output, Prefix, Lines) :-
    !,
    current_output(Stream),
    print_message_lines(Stream, Prefix, Lines).
print_message_lines(Stream, kind(Kind), Lines) :-
    !,
    kind_prefix(Kind, Prefix),
    print_message_lines(Stream, Prefix, Lines).
print_message_lines(Stream, Prefix0, Lines) :-
    plain_prefix(Prefix0, Prefix),
    (   Lines = [at_same_line|Rest]
    ->  true
    ;   Rest = Lines,
        write(Stream, Prefix)
    ),
    print_lines(Rest, Stream, Prefix).

kind_prefix(error, 'ERROR: ') :- !.
kind_prefix(warning, 'Warning: ') :- !.
kind_prefix(informational, '% ') :- !.
kind_prefix(debug(_), '% ') :- !.
kind_prefix(_, '').

plain_prefix(P, Prefix) :-
    (   P = F-Args
    ->  format(atom(Prefix), F, Args)
    ;   atomic_list_concat(Parts, '~N', P),
        atomic_list_concat(Parts, Prefix)
    ).

print_lines([], Stream, _) :-
    nl(Stream).
print_lines([flush|_], Stream, _) :-
    !,
    flush_output(Stream).
print_lines([nl], Stream, _) :-
    !,
    nl(Stream).
print_lines([nl|Lines], Stream, Prefix) :-
    !,
    nl(Stream),
    write(Stream, Prefix),
    print_lines(Lines, Stream, Prefix).
print_lines([E|Lines], Stream, Prefix) :-
    element(E, Stream),
    print_lines(Lines, Stream, Prefix).

element(V, S) :- var(V), !, print(S, V).
element(F-Args, S) :- !, format(S, F, Args).
element(ansi(_, F, Args), S) :- !, format(S, F, Args).
element(url(L), S) :- !, location(L, S).
element(url(_, Label), S) :- !, write(S, Label).
element(begin(_, _), _) :- !.
element(end(_), _) :- !.
element(full_stop, S) :- !, write(S, '.').
element(at_same_line, _) :- !.
element(prefix(_), _) :- !.
element(F, S) :- ( atom(F) ; string(F) ), !, format(S, F, []).
element(T, S) :- print(S, T).

location(F:L:C, S) :- !, format(S, '~w:~w:~w', [F, L, C]).
location(F:L, S) :- !, format(S, '~w:~w', [F, L]).
location(F, S) :- write(S, F).

message_property(_, _) :- fail.

%!  message_to_lines(+Term, -Lines) is det.

message_to_lines(Term, Lines) :-
    (   catch(translate_message(Term, Lines0, []), _, fail)
    ->  Lines = Lines0
    ;   Lines = ['Unknown message: ~p'-[Term]]
    ).

message_to_codes(Term, _, Codes) :-
    '$message_text'(error, Term, Text),
    string_codes(Text, Codes).

%!  '$message_text'(+Kind, +Term, -Text) is det.
%
%   The text of a message without prefix, as one string.

'$message_text'(_, Term, Text) :-
    message_to_lines(Term, Lines),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    (   string_concat(Text1, "\n", Text0)
    ->  Text = Text1
    ;   Text = Text0
    ).

assertion_failed(_, Goal) :-
    print_message(error, assertion_failed(Goal)).

% ---- translation

translate_message(V) -->
    { var(V) },
    !,
    ['Unknown message: ~p'-[V]].
translate_message(Term) -->
    prolog:message(Term),
    !.
translate_message(Term) -->
    text(Term),
    !.
translate_message(Term) -->
    ['Unknown message: ~p'-[Term]].

text(error(Formal, Context)) -->
    { nonvar(Formal) },
    !,
    before(Context),
    (   iso(Formal)
    ->  []
    ;   ['Unknown error term: ~p'-[Formal]]
    ),
    behind(Context, Formal).
text(unhandled_exception(E)) --> ['Unhandled exception: '], translate_message(E).
text(format(F, Args)) --> [F-Args].
text('$aborted') --> ['Execution Aborted'].
text(unwind(abort)) --> ['Execution Aborted'].
text(halt) --> [halt].
text(load_error(File, Line, _, E)) --> load_error(E, File, Line).
text(load_singletons(File, Line, Names)) -->
    { split_names(Names, Once, More) },
    singletons(Once, File, Line, More),
    multitons(More, File, Line).
text(singletons(_, Names)) --> ['Singleton variables: ~w'-[Names]].
text(multitons(_, Names)) --> ['Singleton-marked variables appearing more than once: ~w'-[Names]].
text(directive_failed(File, Line, Goal)) -->
    ['~w:~d:'-[File, Line], nl, '   Goal (directive) failed: ~p'-[Goal]].
text(discontiguous(PI, File, Line, Earlier)) -->
    ['~w:~d:'-[File, Line], nl, '   Clauses of ~p are not together in the source-file'-[PI], nl],
    earlier(Earlier),
    ['   Use :- discontiguous ~p. to suppress this message'-[PI]].
text(init_goal(failed, Goal)) --> ['Initialization goal failed: ~p'-[Goal]].
text(init_goal(goal_raised(E), _)) --> ['Initialization goal raised exception:', nl], translate_message(E).
text(conditional(What)) --> ['Directive :- ~w without :- if'-[What]].
text(unterminated_conditional(File)) --> ['~w: unterminated conditional compilation (:- if without :- endif)'-[File]].
text(undefined_export(M, PI)) --> ['Exported procedure ~q:~q is not defined'-[M, PI]].
text(redefined_procedure(Kind, PI)) --> ['Redefined ~w procedure ~p'-[Kind, PI]].
text(import_private(M, PI)) --> ['import/1: ~p is not exported (still imported into ~q)'-[PI, M]].
text(ignored_weak_import(Into, From:PI)) --> ['Local definition of ~p overrides weak import from ~q'-[Into:PI, From]].
text(no_current_module(M)) --> ['~w is not a current module (created)'-[M]].
text(goal_failed(Goal)) --> ['Goal failed: ~p'-[Goal]].
text(assertion_failed(_, Goal)) --> ['Assertion failed: ~p'-[Goal]].
text(query(no)) --> [ansi(truth(false), 'false.', []), '~N'-[]].
text(initialization_exception(E)) --> ['Prolog initialisation failed:', nl], translate_message(E).

earlier(none) --> !.
earlier(File:Line) --> ['   Earlier definition at ~w:~w'-[File, Line], nl].

split_names([], [], []).
split_names([N|Ns], Once, More) :-
    (   N = multiple(V)
    ->  More = [V|More1], Once = Once1
    ;   Once = [N|Once1], More = More1
    ),
    split_names(Ns, Once1, More1).

singletons([], _, _, _) --> [].
singletons([V|Vs], File, Line, More) -->
    ['~w:~d:'-[File, Line], nl, '   Singleton variables: ~w'-[[V|Vs]]],
    ( { More == [] } -> [] ; [nl] ).

multitons([], _, _) --> [].
multitons([V|Vs], File, Line) -->
    ['~w:~d:'-[File, Line], nl],
    (   { Vs == [] }
    ->  ['   Singleton-marked variable appears more than once: ~w'-[V]]
    ;   ['   Singleton-marked variables appearing more than once: ~w'-[[V|Vs]]]
    ).

load_error(error(syntax_error(What), Where), File, _) -->
    { compound(Where) },
    place(Where, File),
    !,
    ['Syntax error: '],
    syntax(What),
    source_line(Where).
load_error(E, File, Line) -->
    ['~w:~w:'-[File, Line], nl, '   '],
    { translate_message(E, Lines, []), indented(Lines, Lines1) },
    list(Lines1).

place(file(F, L, C, _), _) --> ['~w:~w:~w: '-[F, L, C]].
place(file(F, L, C, _, _), _) --> ['~w:~w:~w: '-[F, L, C]].
place(stream(_, L, C, _), File) --> ['~w:~w:~w: '-[File, L, C]].
place(stream(_, L, C, _, _), File) --> ['~w:~w:~w: '-[File, L, C]].

%   The reader may add the text of the line, shown with a caret below the place.
source_line(Where) -->
    {   functor(Where, _, 5),
        arg(3, Where, Column),
        arg(5, Where, Line),
        ( string(Line) ; atom(Line) )
    },
    !,
    [nl, '~w'-[Line], nl, '~*c^'-[Column, 0' ]].
source_line(_) --> [].

list([]) --> [].
list([H|T]) --> [H], list(T).

%   What stands before the text of an error: the predicate, or the place of a syntax error.
before(C) --> { var(C) }, !.
before(context(P, _)) --> { nonvar(P) }, !, predicate(P).
before(file(F, L, C, _)) --> !, [url(F:L:C), ': '].
before(stream(S, L, C, _)) --> !, ['Stream ~w:~d:~d '-[S, L, C]].
before(_) --> [].

predicate(system:N/A) --> !, ['~q/~w: '-[N, A]].
predicate(M:N/A) --> !, ['~q:~q/~w: '-[M, N, A]].
predicate(N/A) --> !, ['~q/~w: '-[N, A]].
predicate(P) --> ['~p: '-[P]].

behind(C, F) --> { var(C) }, !, hint(F).
behind(context(_, M), F) -->
    { nonvar(M) },
    !,
    (   { F = syntax_error(_), M = place(_, _) }
    ->  []
    ;   { ( atom(M) ; string(M) ; number(M) ; compound(M) ) }
    ->  [' (~w)'-[M]]
    ;   []
    ),
    hint(F).
behind(string(S, Pos), syntax_error(_)) -->
    { ( string(S) ; atom(S) ), integer(Pos), sub_string(S, 0, Pos, After, A), sub_string(S, Pos, After, 0, B) },
    !,
    [nl, '~w'-[A], nl, '** here **', nl, '~w'-[B]].
behind(_, F) --> hint(F).

iso(type_error(evaluable, F)) --> { nonvar(F) }, !, ['Arithmetic: `~p'' is not a function'-[F]].
iso(type_error(free_of_attvar, V)) --> !, ['Type error: `~p'' contains attributed variables'-[V]].
iso(type_error(T, V)) -->
    ['Type error: `~w'' expected, found `~p'''-[T, V]],
    { kind(V, Article, Kind) },
    [' (~w ~w)'-[Article, Kind]].
iso(instantiation_error) --> ['Arguments are not sufficiently instantiated'].
iso(uninstantiation_error(V)) --> ['Uninstantiated argument expected, found ~p'-[V]].
iso(domain_error(D, V)) --> ['Domain error: '-[], '`~w'''-[D], ' expected, found `~p'''-[V]].
iso(existence_error(procedure, PI)) --> !, ['Unknown procedure: ~q'-[PI]].
iso(existence_error(matching_rule, G)) --> !, ['No rule matches ~p'-[G]].
iso(existence_error(T, V)) --> ['~w `~p'' does not exist'-[T, V]].
iso(existence_error(T, V, In)) --> ['~w `~p'' does not exist in ~p'-[T, V, In]].
iso(permission_error(import_into(M), procedure, PI)) --> !, ['No permission to import ~p into ~w'-[PI, M]].
iso(permission_error(Action, static_procedure, PI)) --> !, ['No permission to ~w static procedure `~p'''-[Action, PI]].
iso(permission_error(input, stream, S)) --> !, ['No permission to read from output stream `~p'''-[S]].
iso(permission_error(output, stream, S)) --> !, ['No permission to write to input stream `~p'''-[S]].
iso(permission_error(input, binary_stream, S)) --> !, ['No permission to read bytes from TEXT stream `~p'''-[S]].
iso(permission_error(output, binary_stream, S)) --> !, ['No permission to write bytes to TEXT stream `~p'''-[S]].
iso(permission_error(input, text_stream, S)) --> !, ['No permission to read text from BINARY stream `~p'''-[S]].
iso(permission_error(output, text_stream, S)) --> !, ['No permission to write text to BINARY stream `~p'''-[S]].
iso(permission_error(input, past_end_of_stream, S)) --> !, ['No permission to read past end of stream `~p'''-[S]].
iso(permission_error(Action, Type, V)) --> ['No permission to ~w ~w `~p'''-[Action, Type, V]].
iso(representation_error(W)) --> ['Cannot represent due to `~w'''-[W]].
iso(evaluation_error(W)) --> ['Arithmetic: evaluation error: `~p'''-[W]].
iso(resource_error(W)) --> ['Not enough resources: ~w'-[W]].
iso(syntax_error(W)) --> ['Syntax error: '], syntax(W).
iso(timeout_error(Op, S)) --> ['Timeout in ~w from ~p'-[Op, S]].
iso(io_error(Op, S)) --> ['I/O error in ~w on stream ~p'-[Op, S]].
iso(occurs_check(V, T)) --> ['Cannot unify ~p with ~p: would create an infinite tree'-[V, T]].
iso(not_implemented(T, W)) --> ['~w `~p'' is not implemented in this version'-[T, W]].
iso(duplicate_key(K)) --> ['Duplicate key: ~p'-[K]].
iso(format(W)) --> ['Format error: ~w'-[W]].
iso(format(F, Args)) --> [F-Args].
iso(format_argument_type(C, V)) --> ['Illegal argument to format sequence ~~~w: ~p'-[C, V]].
iso(determinism_error(PI, det, Found, property)) -->
    ['Procedure ~p called from a deterministic procedure'-[PI]],
    found(Found).
iso(determinism_error(PI, det, fail, guard)) --> ['Procedure ~p failed after $-guard'-[PI]].
iso(determinism_error(PI, det, fail, guard_in_caller)) --> ['Procedure ~p failed after $-guard in caller'-[PI]].
iso(determinism_error(G, det, fail, goal)) --> ['Deterministic goal ~p failed'-[G]].
iso(determinism_error(G, det, nondet, goal)) --> ['Deterministic goal ~p succeeded with a choicepoint'-[G]].

found(fail) --> [' failed'-[]].
found(nondet) --> [' succeeded with a choicepoint'-[]].

kind(V, a, var) :- var(V), !.
kind(V, an, integer) :- integer(V), !.
kind(V, a, float) :- float(V), !.
kind(V, a, rational) :- rational(V), !.
kind(V, a, string) :- string(V), !.
kind([], an, empty_list) :- !.
kind(V, an, atom) :- atom(V), !.
kind(V, a, dict) :- is_dict(V), !.
kind(_, a, compound).

syntax(W) --> { sentence(W, Text) }, !, [Text].
syntax(undefined_char_escape(C)) --> !, ['Unknown character escape in quoted atom or string: `\\~w'''-[C]].
syntax(W) --> ['~w'-[W]].

sentence(end_of_clause, 'Unexpected end of clause').
sentence(end_of_clause_expected, 'End of clause expected').
sentence(end_of_file, 'Unexpected end of file').
sentence(end_of_file_in_block_comment, 'End of file in /* ... */ comment').
sentence(end_of_file_in_quoted, 'End of file in quoted text').
sentence(illegal_number, 'Illegal number').
sentence(cannot_start_term, 'Illegal start of term').
sentence(operator_expected, 'Operator expected').
sentence(operator_clash, 'Operator priority clash').
sentence(operator_balance, 'Unbalanced operator').
sentence(quoted_punctuation, 'Operand expected, unquoted comma or bar found').
sentence(list_rest, 'Unexpected comma or bar in rest of list').
sentence(cannot_start_term, 'Illegal start of term').
sentence(punct(_, End), Text) :- atom(End), atomic_list_concat(['Unexpected `', End, ''''], Text).

% ---- hints for undefined procedures

hint(existence_error(procedure, PI)) -->
    { nonvar(PI), strip_module(PI, M, N/A), atom(N), integer(A) },
    !,
    other_name(N, A, M).
hint(_) --> [].

other_name(N, _, _) -->
    { meant(N, Better) },
    !,
    [nl, '  Did you mean ~w?'-[Better]].
other_name(N, A, M) -->
    { catch('$similar'(M, N, A, PIs), _, fail), PIs \== [] },
    !,
    [nl, '  However, there are definitions for:'-[]],
    definitions(PIs).
other_name(_, _, _) --> [].

definitions([]) --> [].
definitions([PI|PIs]) --> [nl, '        ~q'-[PI]], definitions(PIs).

%   Names that other languages or guesses suggest, and what there is.
meant(json_parse, 'atom_json_dict/3').
meant(json_decode, 'atom_json_dict/3').
meant(json_encode, 'atom_json_dict/3').
meant(parse_json, 'atom_json_dict/3').
meant(string_format, 'format/3 with string(S), as in format(string(S), "~w", [X])').
meant(sprintf, 'format/3 with string(S), as in format(string(S), "~w", [X])').
meant(printf, 'format/2').
meant(println, 'format/2 with "~w~n"').
meant(get_field, 'get_dict/3, or Dict.key').
meant(dict_get, 'get_dict/3, or Dict.key').
meant(dict_set, 'put_dict/4, or Dict.put(Key, Value)').
meant(dict_put, 'put_dict/4, or Dict.put(Key, Value)').
meant(dict_keys, 'dict_keys/2 of your own over dict_pairs/3').
meant(string_join, 'atomic_list_concat/3').
meant(str_join, 'atomic_list_concat/3').
meant(join, 'atomic_list_concat/3').
meant(string_trim, 'normalize_space/2, or split_string(S, "", " \\t\\n", [T])').
meant(trim, 'normalize_space/2, or split_string(S, "", " \\t\\n", [T])').
meant(string_split, 'split_string/4').
meant(str_split, 'split_string/4').
meant(split, 'split_string/4').
meant(contains, 'sub_string/5 for text, member/2 for lists').
meant(string_contains, 'sub_string/5').
meant(str_contains, 'sub_string/5').
meant(list_unique, 'list_to_set/2 or sort/2').
meant(unique, 'list_to_set/2 or sort/2').
meant(range, 'numlist/3 or between/3').
meant(number_to_atom, 'atom_number/2').
meant(atom_to_number, 'atom_number/2').
meant(to_string, 'term_string/2 or atom_string/2').
meant(string_replace, 'atomic_list_concat/3 to split and to join').
meant(replace, 'atomic_list_concat/3 to split and to join').
meant(list_length, 'length/2').
meant(str_length, 'string_length/2').
meant(string_reverse, 'string_chars/2 with reverse/2').
meant(list_append, 'append/3').
meant(http_get, 'exec/2 with a tool of the host').
meant(url_fetch, 'exec/2 with a tool of the host').
meant(map, 'maplist/3').
meant(filter, 'include/3').
meant(reduce, 'foldl/4').
meant(fold, 'foldl/4').
