:- module(nb_set,
          [ empty_nb_set/1, add_nb_set/2, add_nb_set/3, gen_nb_set/2, size_nb_set/2,
            nb_set_to_list/2
          ]).
:- use_module(library(lists)).

% A set that keeps its elements on backtracking: nb_set(Table, Size), elements are equal if they
% are variants.

%!  empty_nb_set(-Set) is det.
empty_nb_set(nb_set(Table, 0)) :-
    new_table(32, Table).

new_table(Slots, Table) :-
    functor(Table, buckets, Slots),
    clear(Slots, Table).

clear(I, Table) :-
    (   I =:= 0
    ->  true
    ;   arg(I, Table, []),
        I1 is I-1,
        clear(I1, Table)
    ).

%!  add_nb_set(+Key, !Set) is det.
%   Puts a copy of Key in.
add_nb_set(Key, Set) :-
    add_nb_set(Key, Set, _).

%!  add_nb_set(+Key, !Set, ?New) is semidet.
%   As add_nb_set/2; New tells whether Key was not there. With New = true it fails if Key was
%   there, with New = false it adds nothing and fails if Key was not there.
add_nb_set(Key, Set, New) :-
    arg(1, Set, Table),
    slot(Key, Table, Slot),
    arg(Slot, Table, Bucket),
    (   has_variant(Bucket, Key)
    ->  New = false
    ;   New = true,
        nb_setarg(Slot, Table, [Key|Bucket]),
        arg(2, Set, Size0),
        Size is Size0+1,
        nb_setarg(2, Set, Size),
        functor(Table, _, Slots),
        (   Size > Slots*4
        ->  grow(Set, Slots)
        ;   true
        )
    ).

slot(Key, Table, Slot) :-
    (   ground(Key)
    ->  term_hash(Key, Hash)
    ;   copy_term_nat(Key, Copy),
        numbervars(Copy, 0, _),
        term_hash(Copy, Hash)
    ),
    functor(Table, _, Slots),
    Slot is Hash mod Slots+1.

has_variant([K|Ks], Key) :-
    (   K =@= Key
    ->  true
    ;   has_variant(Ks, Key)
    ).

grow(Set, Slots) :-
    Slots2 is Slots*4,
    new_table(Slots2, Table2),
    arg(1, Set, Table),
    elements(Table, Keys),
    put_all(Keys, Table2),
    nb_setarg(1, Set, Table2).

put_all([], _).
put_all([Key|Keys], Table) :-
    slot(Key, Table, Slot),
    arg(Slot, Table, Bucket),
    setarg(Slot, Table, [Key|Bucket]),
    put_all(Keys, Table).

elements(Table, Keys) :-
    Table =.. [_|Buckets],
    append(Buckets, Keys).

%!  nb_set_to_list(+Set, -Keys) is det.
%   The elements, sorted.
nb_set_to_list(Set, Keys) :-
    arg(1, Set, Table),
    elements(Table, Keys0),
    sort(Keys0, Keys).

%!  gen_nb_set(+Set, -Key) is nondet.
%   Enumerates the elements in the standard order.
gen_nb_set(Set, Key) :-
    nb_set_to_list(Set, Keys),
    member(Key, Keys).

%!  size_nb_set(+Set, -Size) is det.
size_nb_set(Set, Size) :-
    arg(2, Set, Size).
