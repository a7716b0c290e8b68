:- module(backward_compatibility,
          [ sumlist/2, sublist/3, checklist/2, concat_atom/2, concat_atom/3, concat/3,
            hash_term/2, atom_prefix/2, flush/0, write_ln/1, proper_list/1,
            free_variables/2, merge/3, merge_set/3, string_to_atom/2,
            'C'/3, displayq/1, displayq/2, display/1, display/2,
            setup_and_call_cleanup/3, string_to_list/2
          ]).
:- use_module(library(lists)).
:- use_module(library(apply)).

:- meta_predicate sublist(1, +, ?), checklist(1, +), setup_and_call_cleanup(0, 0, 0).

%!  sumlist(+Numbers, -Sum) is det.
%   The older name of sum_list/2.
sumlist(Numbers, Sum) :-
    sum_list(Numbers, Sum).

%!  sublist(:Goal, +List, -Kept) is det.
%   The older name of include/3.
sublist(Goal, List, Kept) :-
    include(Goal, List, Kept).

%!  checklist(:Goal, +List) is nondet.
%   The older name of maplist/2.
checklist(Goal, List) :-
    maplist(Goal, List).

%!  concat(+A, +B, -AB) is det.
%   The older name of atomic_list_concat([A,B], AB).
concat(A, B, AB) :-
    atomic_list_concat([A,B], AB).

%!  concat_atom(+Parts, -Atom) is det.
%   The older name of atomic_list_concat/2.
concat_atom(Parts, Atom) :-
    atomic_list_concat(Parts, Atom).

%!  concat_atom(?Parts, +Separator, ?Atom) is det.
%   The older name of atomic_list_concat/3.
concat_atom(Parts, Separator, Atom) :-
    atomic_list_concat(Parts, Separator, Atom).

%!  hash_term(+Term, -Hash) is det.
%   The older name of term_hash/2.
hash_term(Term, Hash) :-
    term_hash(Term, Hash).

%!  atom_prefix(+Atom, +Prefix) is semidet.
%   Atom starts with the characters of Prefix.
atom_prefix(Atom, Prefix) :-
    sub_atom(Atom, 0, _, _, Prefix).

%!  flush is det.
%   The older name of flush_output/0.
flush :-
    flush_output.

%!  write_ln(+Term) is det.
%   The older name of writeln/1.
write_ln(Term) :-
    writeln(Term).

%!  proper_list(@Term) is semidet.
%   The older name of is_list/1.
proper_list(Term) :-
    is_list(Term).

%!  free_variables(+Term, -Vars) is det.
%   The older name of term_variables/2.
free_variables(Term, Vars) :-
    term_variables(Term, Vars).

%!  merge(+As, +Bs, -Merged) is det.
%   Merges two sorted lists; equal elements are kept.
merge([], Bs, Bs) :-
    !.
merge(As, [], As) :-
    !.
merge([A|As], [B|Bs], [C|Cs]) :-
    (   A @=< B
    ->  C = A,
        merge(As, [B|Bs], Cs)
    ;   C = B,
        merge([A|As], Bs, Cs)
    ).

%!  merge_set(+As, +Bs, -Merged) is det.
%   Merges two ordered sets.
merge_set(As, Bs, Merged) :-
    append(As, Bs, All),
    sort(All, Merged).

%!  string_to_atom(?String, ?Atom) is det.
%   Conversion between text and atom.
string_to_atom(String, Atom) :-
    atom_string(Atom, String).

%!  string_to_list(?String, ?Codes) is det.
%   Conversion between text and codes.
string_to_list(String, Codes) :-
    string_codes(String, Codes).

%!  'C'(?List, ?Elem, ?Rest) is semidet.
%   Elem is the first element of List.
'C'([X|Xs], X, Xs).

%!  display(+Term) is det.
%   Writes Term without operators.
display(Term) :-
    write_term(Term, [ignore_ops(true)]).

%!  display(+Stream, +Term) is det.
display(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true)]).

%!  displayq(+Term) is det.
%   Writes Term without operators and with quotes.
displayq(Term) :-
    write_term(Term, [ignore_ops(true), quoted(true)]).

%!  displayq(+Stream, +Term) is det.
displayq(Stream, Term) :-
    write_term(Stream, Term, [ignore_ops(true), quoted(true)]).

%!  setup_and_call_cleanup(:Setup, :Goal, :Cleanup) is nondet.
%   The older name of setup_call_cleanup/3.
setup_and_call_cleanup(Setup, Goal, Cleanup) :-
    setup_call_cleanup(Setup, Goal, Cleanup).
