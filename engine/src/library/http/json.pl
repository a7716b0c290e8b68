:- module(http_json, []).

:- reexport(library(json)).
