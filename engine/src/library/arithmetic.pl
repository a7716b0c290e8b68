:- module(arithmetic, [arithmetic_expression_value/2]).

%!  arithmetic_expression_value(+Expression, -Value) is det.
%   As is/2.
arithmetic_expression_value(Expression, Value) :-
    Value is Expression.
