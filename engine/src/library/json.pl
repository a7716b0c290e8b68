:- module(json,
          [ json_read/2, json_read/3, json_read_dict/2, json_read_dict/3,
            json_write/2, json_write/3, json_write_dict/2, json_write_dict/3,
            is_json_term/1, is_json_term/2
          ]).

%   JSON on streams. The texts are made and read by native predicates.

%!  json_read(+Stream, -Term) is det.
%   Reads one value: objects are json([Key=Value]), texts atoms, and constants @(null), @(true), @(false).
json_read(Stream, Term) :-
    '$json_read'(Stream, term, [], Term).

json_read(Stream, Term, Options) :-
    '$json_read'(Stream, term, Options, Term).

%!  json_read_dict(+Stream, -Term) is det.
%   Reads one value: objects are dicts, texts strings, and constants null, true, false.
json_read_dict(Stream, Term) :-
    '$json_read'(Stream, dict, [], Term).

json_read_dict(Stream, Term, Options) :-
    '$json_read'(Stream, dict, Options, Term).

%!  json_write(+Stream, +Term) is det.
%   Writes a value over several lines when it does not fit on one.
json_write(Stream, Term) :-
    json_write(Stream, Term, []).

json_write(Stream, Term, Options) :-
    '$json_text'(Term, term, Options, Text),
    write(Stream, Text).

json_write_dict(Stream, Term) :-
    json_write_dict(Stream, Term, []).

json_write_dict(Stream, Term, Options) :-
    '$json_text'(Term, dict, Options, Text),
    write(Stream, Text).

%!  is_json_term(@Term) is semidet.
%   Term can be written with json_write/2.
is_json_term(Term) :-
    is_json_term(Term, []).

is_json_term(Term, Options) :-
    catch('$json_text'(Term, term, Options, _), error(_, _), fail).
