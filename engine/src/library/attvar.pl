:- module('$attvar', [copy_term/3, freeze/2, frozen/2]).

:- meta_predicate freeze(?, 0).

%!  freeze(?Var, :Goal) is nondet.
%   Calls Goal when Var is bound; immediately if it is.
freeze(Var, Goal) :-
    (   var(Var)
    ->  (   get_attr(Var, freeze, Goals)
        ->  put_attr(Var, freeze, '$and'(Goals, Goal))
        ;   put_attr(Var, freeze, Goal)
        )
    ;   call(Goal)
    ).

% The hook of the attribute `freeze`.
freeze:attr_unify_hook(Goals, Value) :-
    '$attvar':thaw(Goals, Value).

thaw(Goals, Value) :-
    (   attvar(Value)
    ->  (   get_attr(Value, freeze, More)
        ->  put_attr(Value, freeze, '$and'(More, Goals))
        ;   put_attr(Value, freeze, Goals)
        )
    ;   call_frozen(Goals)
    ).

call_frozen(Goals) :-
    (   Goals = '$and'(First, Second)
    ->  call_frozen(First),
        call_frozen(Second)
    ;   call(Goals)
    ).

%!  frozen(@Term, -Goal) is det.
%   Goal is the conjunction of the goals that are suspended on variables of Term, `true` if
%   there are none.
frozen(Term, Goal) :-
    term_attvars(Term, Vars0),
    sort(Vars0, Vars),
    residual_goals(Vars, Goals0, []),
    sort(Goals0, Goals),
    conjunction(Goals, Goal).

conjunction([], true).
conjunction([G|Gs], Goal) :-
    conjunction(Gs, G, Goal).

conjunction([], Goal, Goal).
conjunction([G|Gs], G0, (G0,Goal)) :-
    conjunction(Gs, G, Goal).

%!  copy_term(+Term, -Copy, -Goals) is det.
%   Copy is Term with plain variables in the place of attributed ones; calling Goals gives
%   them the attributes again.
copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Vars0),
    (   Vars0 == []
    ->  Goals = [],
        copy_term(Term, Copy)
    ;   sort(Vars0, Vars),
        residual_goals(Vars, Goals0, []),
        copy_term_nat(Term+Goals0, Copy+Goals)
    ).

residual_goals([], Goals, Goals).
residual_goals([Var|Vars], Goals, Rest) :-
    (   get_attrs(Var, Attributes)
    ->  attribute_goals(Attributes, Var, Goals, Goals1)
    ;   Goals = Goals1
    ),
    residual_goals(Vars, Goals1, Rest).

attribute_goals([], _, Goals, Goals).
attribute_goals(att(Module, Attribute, Attributes), Var, Goals, Rest) :-
    (   module_goals(Module, Attribute, Var, Goals, Goals1)
    ->  true
    ;   Goals = [put_attr(Var, Module, Attribute)|Goals1]
    ),
    attribute_goals(Attributes, Var, Goals1, Rest).

module_goals(Module, Attribute, Var, Goals, Rest) :-
    (   Module == freeze
    ->  frozen_goals(Attribute, Var, Goals, Rest)
    ;   current_predicate(Module:attribute_goals/3)
    ->  call(Module:attribute_goals(Var, Given, [])),
        qualified(Given, Module, Goals, Rest)
    ;   current_predicate(Module:attr_portray_hook/2),
        fail
    ).

frozen_goals(Attribute, Var, Goals, Rest) :-
    (   Attribute = '$and'(First, Second)
    ->  frozen_goals(First, Var, Goals, Goals1),
        frozen_goals(Second, Var, Goals1, Rest)
    ;   Goals = [freeze(Var, Attribute)|Rest]
    ).

qualified([], _, Goals, Goals).
qualified([G|Gs], Module, [G|Goals], Rest) :-
    qualified(Gs, Module, Goals, Rest).
