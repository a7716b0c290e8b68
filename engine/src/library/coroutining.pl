:- module(coroutining, []).
:- reexport(library(dif)).
:- reexport(library(when)).

% freeze/2 and frozen/2 belong to the system and need no library.
