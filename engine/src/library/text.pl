:- module(text,
          [ normalize_space/2, format_time/3, format_time/4, sformat/2, sformat/3 ]).

%   Predicates on text and time that hand their result to a sink: atom(A), string(S), codes(C) and so on, or a stream.

put_text(Out, _) :-
    var(Out),
    !,
    throw(error(instantiation_error, _)).
put_text(Out, Text) :-
    sink(Out),
    !,
    '$output_result'(Out, Text).
put_text(Stream, Text) :-
    write(Stream, Text).

sink(atom(_)).
sink(string(_)).
sink(codes(_)).
sink(codes(_, _)).
sink(chars(_)).
sink(chars(_, _)).

%!  normalize_space(+Out, +Text) is det.
%   Text without white space at its ends, and with one blank for each run of white space inside.
normalize_space(Out, Text) :-
    '$normalize_space'(Text, Normal),
    put_text(Out, Normal).

%!  format_time(+Out, +Format, +StampOrDate) is det.
format_time(Out, Format, Time) :-
    '$format_time'(Format, Time, Text),
    put_text(Out, Text).

%!  format_time(+Out, +Format, +StampOrDate, +Locale) is det.
%   The only locale is posix.
format_time(Out, Format, Time, Locale) :-
    (   Locale == posix
    ->  format_time(Out, Format, Time)
    ;   var(Locale)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(domain_error(locale, Locale), _))
    ).

%!  sformat(-String, +Format, +Arguments) is det.
sformat(String, Format, Arguments) :-
    format(string(String), Format, Arguments).

sformat(String, Format) :-
    format(string(String), Format, []).
