:- module(dcg_basics,
          [ white//0, whites//0, nonblank//1, nonblanks//1, blank//0, blanks//0,
            blanks_to_nl//0, string//1, string_without//2, alpha_to_lower//1, digits//1,
            digit//1, integer//1, float//1, number//1, xdigits//1, xdigit//1, xinteger//1,
            prolog_symbol//1, csym//1, csyms//0, csyms//1, prolog_var_name//1, eos//0, eol//0,
            remainder//1, atom//1
          ]).
:- use_module(library(error)).

%!  string_without(+End, -Codes)//
%   As many codes as possible that are not in the text End.
string_without(End, Codes) -->
    { string(End) -> string_codes(End, EndCodes) ; EndCodes = End },
    codes_without(EndCodes, Codes).

codes_without(End, [C|Cs]) -->
    [C],
    { \+ code_in(End, C) },
    !,
    codes_without(End, Cs).
codes_without(_, []) -->
    [].

code_in([X|Xs], C) :-
    (   X == C
    ->  true
    ;   code_in(Xs, C)
    ).

%!  string(-Codes)//
%   As few codes as possible, more on backtracking.
string([]) -->
    [].
string([C|Cs]) -->
    [C],
    string(Cs).

%!  blanks//
%   All white space, also of more lines.
blanks -->
    blank,
    !,
    blanks.
blanks -->
    [].

%!  blank//
%   One code of white space.
blank -->
    [C],
    { nonvar(C), code_type(C, space) }.

%!  nonblanks(-Codes)//
%   All codes up to white space.
nonblanks([C|Cs]) -->
    [C],
    { code_type(C, graph) },
    !,
    nonblanks(Cs).
nonblanks([]) -->
    [].

%!  nonblank(-Code)//
%   One code that is no white space.
nonblank(C) -->
    [C],
    { code_type(C, graph) }.

%!  blanks_to_nl//
%   White space up to and with a line end, or up to the end of the input.
blanks_to_nl -->
    "\n",
    !.
blanks_to_nl -->
    blank,
    !,
    blanks_to_nl.
blanks_to_nl -->
    eos.

%!  whites//
%   All white space of the line.
whites -->
    white,
    !,
    whites.
whites -->
    [].

%!  white//
%   One code of white space that ends no line.
white -->
    [C],
    { nonvar(C), code_type(C, white) }.

%!  alpha_to_lower(?Lower)//
%   A letter, given in lower case.
alpha_to_lower(L) -->
    [C],
    {   nonvar(C)
    ->  code_type(C, alpha),
        code_type(C, to_upper(U)),
        ( L = U -> true ; L == C )
    ;   L = C
    }.

%!  digits(?Codes)//
%   As many digits as there are.
digits([D|Ds]) -->
    digit(D),
    !,
    digits(Ds).
digits([]) -->
    [].

%!  digit(?Code)//
%   One digit.
digit(C) -->
    [C],
    { code_type(C, digit) }.

%!  integer(?Integer)//
%   An integer with an optional sign; writes it if Integer is bound.
integer(I, Head, Tail) :-
    (   nonvar(I)
    ->  (   integer(I)
        ->  Value = I
        ;   Value is I
        ),
        must_be(integer, Value),
        number_codes(Value, Codes),
        codes_to(Codes, Head, Tail)
    ;   int_codes(Codes, Head, Rest),
        number_codes(I, Codes),
        Tail = Rest
    ).

codes_to([], Tail, Tail).
codes_to([C|Cs], [C|Head], Tail) :-
    codes_to(Cs, Head, Tail).

int_codes([0'-,D|Ds]) -->
    "-",
    !,
    digits([D|Ds]).
int_codes([D|Ds]) -->
    (   "+"
    ->  []
    ;   []
    ),
    digits([D|Ds]).

%!  float(?Float)//
%   A number with a fraction or an exponent, as a float; writes it if Float is bound.
float(F, Head, Tail) :-
    (   nonvar(F)
    ->  float(F),
        number_codes(F, Codes),
        codes_to(Codes, Head, Tail)
    ;   float_codes(Codes, Head, Rest),
        number_codes(F0, Codes),
        F is float(F0),
        Tail = Rest
    ).

float_codes(Codes) -->
    int_codes(Int),
    (   fraction(Fraction)
    ->  (   exponent(Exponent)
        ->  []
        ;   { Exponent = [] }
        )
    ;   exponent(Exponent),
        { Fraction = [0'.,0'0] }
    ),
    { join(Int, Fraction, Exponent, Codes) }.

join(A, B, C, Codes) :-
    codes_to(B, BC, C),
    codes_to(A, Codes, BC).

fraction([0'.,D|Ds]) -->
    ".",
    digits([D|Ds]).

exponent([0'e|Codes]) -->
    (   "e"
    ->  []
    ;   "E"
    ),
    int_codes(Codes).

%!  number(?Number)//
%   An integer or float; writes it if Number is bound. Throws type_error(number, Number).
number(N, Head, Tail) :-
    (   nonvar(N)
    ->  must_be(number, N),
        number_codes(N, Codes),
        codes_to(Codes, Head, Tail)
    ;   number_text(Codes, Head, Rest),
        number_codes(N, Codes),
        Tail = Rest
    ).

number_text(Codes) -->
    int_codes(Int),
    (   fraction(Fraction)
    ->  (   exponent(Exponent)
        ->  []
        ;   { Exponent = [] }
        )
    ;   exponent(Exponent)
    ->  { Fraction = [0'.,0'0] }
    ;   { Fraction = [], Exponent = [] }
    ),
    { join(Int, Fraction, Exponent, Codes) }.

%!  xinteger(?Integer)//
%   A hexadecimal integer without prefix; writes it if Integer is bound.
xinteger(I, Head, Tail) :-
    (   nonvar(I)
    ->  must_be(integer, I),
        format(codes(Codes), '~16r', [I]),
        codes_to(Codes, Head, Tail)
    ;   xdigits([W|Ws], Head, Rest),
        weigh(Ws, W, I),
        Tail = Rest
    ).

weigh([], I, I).
weigh([W|Ws], I0, I) :-
    I1 is I0*16+W,
    weigh(Ws, I1, I).

%!  xdigits(?Weights)//
%   As many hexadecimal digits as there are, as their values.
xdigits([W|Ws]) -->
    xdigit(W),
    !,
    xdigits(Ws).
xdigits([]) -->
    [].

%!  xdigit(?Weight)//
%   One hexadecimal digit, as its value.
xdigit(W) -->
    [C],
    { code_type(C, xdigit(W)) }.

%!  eos//
%   The end of the input.
eos([], []).

%!  eol//
%   The end of a line or of the input.
eol -->
    "\n",
    !.
eol -->
    "\r\n",
    !.
eol -->
    eos.

%!  remainder(-Codes)//
%   All that is left.
remainder(Codes, Codes, []).

%!  prolog_symbol(-Symbol)//
%   An atom of symbol characters.
prolog_symbol(S) -->
    [C],
    { code_type(C, prolog_symbol) },
    symbol_codes(Cs),
    { atom_codes(S, [C|Cs]) }.

symbol_codes([C|Cs]) -->
    [C],
    { code_type(C, prolog_symbol) },
    !,
    symbol_codes(Cs).
symbol_codes([]) -->
    [].

%!  csyms(-Codes)//
%   As many letters, digits and underscores as there are.
csyms([C|Cs]) -->
    csym(C),
    !,
    csyms(Cs).
csyms([]) -->
    [].

%!  csyms//
csyms -->
    csyms(_).

%!  csym(?Code)//
%   A letter, digit or underscore.
csym(C) -->
    [C],
    { code_type(C, csym) }.

%!  prolog_var_name(-Name)//
%   The name of a Prolog variable, as an atom.
prolog_var_name(Name) -->
    [C],
    { code_type(C, prolog_var_start) },
    !,
    var_codes(Cs),
    { atom_codes(Name, [C|Cs]) }.

var_codes([C|Cs]) -->
    [C],
    { code_type(C, prolog_identifier_continue) },
    !,
    var_codes(Cs).
var_codes([]) -->
    [].

%!  atom(+Text)//
%   Writes or matches the text of a term.
atom(Atom, Head, Tail) :-
    must_be(nonvar, Atom),
    format(codes(Codes), '~w', [Atom]),
    codes_to(Codes, Head, Tail).
