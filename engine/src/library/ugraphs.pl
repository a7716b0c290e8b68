:- module(ugraphs,
          [ add_edges/3, add_vertices/3, complement/2, compose/3, connect_ugraph/3, del_edges/3,
            del_vertices/3, edges/2, neighbors/3, neighbours/3, reachable/3, top_sort/2,
            top_sort/3, transitive_closure/2, transpose_ugraph/2, ugraph_union/3, vertices/2,
            vertices_edges_to_ugraph/3
          ]).
:- use_module(library(lists)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).
:- use_module(library(rbtrees)).

% A graph is an ordered list of Vertex-Neighbours, Neighbours an ordered set of vertices.

%!  vertices(+Graph, -Vertices) is det.
vertices([], []).
vertices([V-_|G], [V|Vs]) :-
    vertices(G, Vs).

%!  edges(+Graph, -Edges) is det.
%   The edges From-To, ordered.
edges(Graph, Edges) :-
    edge_list(Graph, Edges).

edge_list([], []).
edge_list([V-Ns|G], Edges) :-
    edges_of(Ns, V, Edges, Rest),
    edge_list(G, Rest).

edges_of([], _, Es, Es).
edges_of([N|Ns], V, [V-N|Es], Rest) :-
    edges_of(Ns, V, Es, Rest).

%!  vertices_edges_to_ugraph(+Vertices, +Edges, -Graph) is det.
%   The graph of these vertices and edges From-To.
vertices_edges_to_ugraph(Vertices, Edges, Graph) :-
    sort(Edges, EdgeSet),
    ends(EdgeSet, Ends),
    append(Vertices, Ends, All0),
    sort(All0, All),
    with_neighbours(All, EdgeSet, Graph).

ends([], []).
ends([A-B|Es], [A,B|Vs]) :-
    ends(Es, Vs).

with_neighbours([], _, []).
with_neighbours([V|Vs], Edges, [V-Ns|G]) :-
    from(Edges, V, Ns, Rest),
    with_neighbours(Vs, Rest, G).

from([A-B|Es], V, [B|Ns], Rest) :-
    A == V,
    !,
    from(Es, V, Ns, Rest).
from(Rest, _, [], Rest).

%!  add_vertices(+Graph, +Vertices, -Graph2) is det.
add_vertices(Graph, Vertices, Graph2) :-
    sort(Vertices, Set),
    isolated(Set, Graph1),
    ugraph_union(Graph, Graph1, Graph2).

isolated([], []).
isolated([V|Vs], [V-[]|G]) :-
    isolated(Vs, G).

%!  del_vertices(+Graph, +Vertices, -Graph2) is det.
%   Takes vertices and the edges at them out.
del_vertices(Graph, Vertices, Graph2) :-
    sort(Vertices, Set),
    keep_vertices(Graph, Set, Graph2).

keep_vertices([], _, []).
keep_vertices([V-Ns|G], Set, Graph2) :-
    (   ord_memberchk(V, Set)
    ->  Graph2 = Rest
    ;   ord_subtract(Ns, Set, Ns2),
        Graph2 = [V-Ns2|Rest]
    ),
    keep_vertices(G, Set, Rest).

%!  add_edges(+Graph, +Edges, -Graph2) is det.
add_edges(Graph, Edges, Graph2) :-
    vertices_edges_to_ugraph([], Edges, Graph1),
    ugraph_union(Graph, Graph1, Graph2).

%!  del_edges(+Graph, +Edges, -Graph2) is det.
del_edges(Graph, Edges, Graph2) :-
    vertices_edges_to_ugraph([], Edges, Graph1),
    graph_subtract(Graph, Graph1, Graph2).

graph_subtract([], _, []).
graph_subtract([V-Ns|G], H, Graph2) :-
    graph_subtract_(H, V, Ns, G, Graph2).

graph_subtract_([], V, Ns, G, [V-Ns|G]).
graph_subtract_([W-Ms|H], V, Ns, G, Graph2) :-
    compare(Order, V, W),
    (   Order = (=)
    ->  ord_subtract(Ns, Ms, Ns2),
        Graph2 = [V-Ns2|Rest],
        graph_subtract(G, H, Rest)
    ;   Order = (<)
    ->  Graph2 = [V-Ns|Rest],
        graph_subtract(G, [W-Ms|H], Rest)
    ;   graph_subtract_(H, V, Ns, G, Graph2)
    ).

%!  ugraph_union(+A, +B, -Graph) is det.
%   The vertices and edges of both.
ugraph_union([], H, H).
ugraph_union([V-Ns|G], H, Graph) :-
    union_(H, V, Ns, G, Graph).

union_([], V, Ns, G, [V-Ns|G]).
union_([W-Ms|H], V, Ns, G, Graph) :-
    compare(Order, V, W),
    (   Order = (=)
    ->  ord_union(Ns, Ms, All),
        Graph = [V-All|Rest],
        ugraph_union(G, H, Rest)
    ;   Order = (<)
    ->  Graph = [V-Ns|Rest],
        ugraph_union(G, [W-Ms|H], Rest)
    ;   Graph = [W-Ms|Rest],
        union_(H, V, Ns, G, Rest)
    ).

%!  transpose_ugraph(+Graph, -Graph2) is det.
%   All edges turned round.
transpose_ugraph(Graph, Graph2) :-
    edges(Graph, Edges),
    vertices(Graph, Vertices),
    turned(Edges, Turned),
    vertices_edges_to_ugraph(Vertices, Turned, Graph2).

turned([], []).
turned([A-B|Es], [B-A|Ts]) :-
    turned(Es, Ts).

%!  neighbours(+Vertex, +Graph, -Neighbours) is semidet.
neighbours(Vertex, [V-Ns|G], Neighbours) :-
    compare(Order, Vertex, V),
    (   Order = (=)
    ->  Neighbours = Ns
    ;   Order = (>)
    ->  neighbours(Vertex, G, Neighbours)
    ).

%!  neighbors(+Vertex, +Graph, -Neighbours) is semidet.
neighbors(Vertex, Graph, Neighbours) :-
    neighbours(Vertex, Graph, Neighbours).

%!  reachable(+Vertex, +Graph, -Vertices) is semidet.
%   The vertices on paths from Vertex, with itself.
reachable(Vertex, Graph, Vertices) :-
    neighbours(Vertex, Graph, _),
    reach([Vertex], Graph, [Vertex], Vertices).

reach([], _, Seen, Seen).
reach([V|Vs], Graph, Seen0, Seen) :-
    (   neighbours(V, Graph, Ns)
    ->  ord_union(Seen0, Ns, Seen1, New),
        append(New, Vs, Agenda)
    ;   Seen1 = Seen0,
        Agenda = Vs
    ),
    reach(Agenda, Graph, Seen1, Seen).

%!  top_sort(+Graph, -Vertices) is semidet.
%   The vertices in an order in which all edges go forward; fails on cycles.
top_sort(Graph, Vertices) :-
    top_order(Graph, Vertices, []).

%!  top_sort(+Graph, -Tail, -Vertices) is semidet.
%   As top_sort/2; Vertices ends in Tail.
top_sort(Graph, Tail, Vertices) :-
    top_order(Graph, Vertices, Tail).

top_order(Graph, Vertices, Tail) :-
    in_degrees(Graph, Degrees),
    sources(Graph, Degrees, Sources),
    ord_list_to_rbtree(Graph, GraphTree),
    ord_list_to_rbtree(Degrees, DegreeTree),
    length(Graph, N),
    take_sources(Sources, GraphTree, DegreeTree, N, Vertices, Tail).

in_degrees(Graph, Degrees) :-
    vertices(Graph, Vertices),
    edges(Graph, Edges),
    pairs_values(Edges, Targets0),
    msort(Targets0, Targets),
    degrees(Vertices, Targets, Degrees).

degrees([], _, []).
degrees([V|Vs], Targets, [V-N|Ds]) :-
    count(Targets, V, 0, N, Rest),
    degrees(Vs, Rest, Ds).

count([T|Ts], V, N0, N, Rest) :-
    T == V,
    !,
    N1 is N0+1,
    count(Ts, V, N1, N, Rest).
count(Rest, _, N, N, Rest).

sources([], [], []).
sources([V-_|G], [_-N|Ds], Sources) :-
    (   N =:= 0
    ->  Sources = [V|Rest]
    ;   Sources = Rest
    ),
    sources(G, Ds, Rest).

take_sources([], _, _, 0, Tail, Tail).
take_sources([V|Vs], Graph, Degrees0, N0, [V|Rest], Tail) :-
    rb_lookup(V, Ns, Graph),
    released(Ns, Degrees0, Degrees, Vs, Agenda),
    N is N0-1,
    take_sources(Agenda, Graph, Degrees, N, Rest, Tail).

released([], Degrees, Degrees, Agenda, Agenda).
released([W|Ws], Degrees0, Degrees, Agenda0, Agenda) :-
    (   rb_update(Degrees0, W, D0, D, Degrees1)
    ->  D is D0-1,
        (   D =:= 0
        ->  Agenda1 = [W|Agenda0]
        ;   Agenda1 = Agenda0
        ),
        released(Ws, Degrees1, Degrees, Agenda1, Agenda)
    ;   released(Ws, Degrees0, Degrees, Agenda0, Agenda)
    ).

%!  transitive_closure(+Graph, -Closure) is det.
%   An edge for every path.
transitive_closure(Graph, Closure) :-
    close(Graph, Graph, Closure).

close([], Closure, Closure).
close([V-_|G], Graph, Closure) :-
    (   neighbours(V, Graph, Ns)
    ->  through(Graph, V, Ns, Graph1)
    ;   Graph1 = Graph
    ),
    close(G, Graph1, Closure).

through([], _, _, []).
through([W-Ms|G], V, Ns, [W-Ms2|G2]) :-
    (   ord_memberchk(V, Ms)
    ->  ord_union(Ms, Ns, Ms2)
    ;   Ms2 = Ms
    ),
    through(G, V, Ns, G2).

%!  compose(+A, +B, -Graph) is det.
%   An edge for every edge of A followed by one of B.
compose(A, B, Graph) :-
    vertices(A, VA),
    vertices(B, VB),
    ord_union(VA, VB, Vertices),
    compose(Vertices, A, B, Graph).

compose([], _, _, []).
compose([V|Vs], A, B, [V-Ns|Graph]) :-
    (   neighbours(V, A, Ms)
    ->  second_steps(Ms, B, Sets),
        ord_union(Sets, Ns)
    ;   Ns = []
    ),
    compose(Vs, A, B, Graph).

second_steps([], _, []).
second_steps([M|Ms], B, Sets) :-
    (   neighbours(M, B, Ns)
    ->  Sets = [Ns|Sets1]
    ;   Sets = Sets1
    ),
    second_steps(Ms, B, Sets1).

%!  complement(+Graph, -Graph2) is det.
%   The edges that Graph does not have, without loops.
complement(Graph, Graph2) :-
    vertices(Graph, Vertices),
    complement(Graph, Vertices, Graph2).

complement([], _, []).
complement([V-Ns|G], Vertices, [V-Others|G2]) :-
    ord_add_element(Ns, V, Ns1),
    ord_subtract(Vertices, Ns1, Others),
    complement(G, Vertices, G2).

%!  connect_ugraph(+Graph, -Start, -Graph2) is det.
%   Graph2 has a new first vertex Start with edges to all vertices without incoming edge, and
%   to all others.
connect_ugraph(Graph, Start, Graph2) :-
    (   Graph = [V-_|_]
    ->  vertices(Graph, Vertices),
        before(V, Start),
        Graph2 = [Start-Vertices|Graph]
    ;   Start = 0,
        Graph2 = [0-[]]
    ).

before(Vertex, Start) :-
    (   0 @< Vertex
    ->  Start = 0
    ;   integer(Vertex)
    ->  Start is Vertex-1
    ;   Start = ''
    ).
