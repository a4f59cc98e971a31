"""Random programs that use every operation of the graph, inside its domain."""

from collections.abc import Callable

from hypothesis import strategies as st
from small_programs.pendulum import symbols

from eomc.derive.graph import Argument, Function, Graph, Program

INPUTS = 4
UNARY = [
    *("sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "atan", "exp", "abs", "sign", "floor")
]
# Arguments folded into the domain: f(|x| + c) or f(x / (1 + x^2)).
POSITIVE = ["sqrt", "log"]
BOUNDED = ["asin", "acos", "atanh"]


def grow(graph: Graph, choices: list[tuple[int, int, int, int]]) -> list[int]:
    """A random expression graph: each choice adds a node made of earlier ones."""
    nodes = [*symbols(graph, "x", INPUTS), graph.constant(2), graph.constant(0.1)]
    for kind, a, b, c in choices:
        x, y, z = (nodes[i % len(nodes)] for i in (a, b, c))
        one = graph.constant(1)
        square = graph.add(graph.mul(x, x), one)
        bounded = graph.div(x, square)
        conditions = [
            graph.less(x, y),
            graph.less_equal(y, z),
            graph.logical_and(graph.less(x, y), graph.logical_not(graph.less(y, z))),
            graph.logical_or(graph.equal(x, z), graph.less(z, x)),
        ]
        makers: list[Callable[[], int]] = [
            lambda x=x, y=y: graph.add(x, y),
            lambda x=x, y=y: graph.sub(x, y),
            lambda x=x, y=y: graph.mul(x, y),
            lambda x=x, s=square: graph.div(x, s),
            lambda x=x: graph.neg(x),
            lambda x=x, y=y: graph.binary("min", x, y),
            lambda x=x, y=y: graph.binary("max", x, y),
            lambda x=x, y=y: graph.binary("atan2", x, y),
            lambda s=square, b=bounded: graph.pow(s, b),
            *(lambda x=bounded, op=op: graph.unary(op, x) for op in UNARY),
            *(lambda s=square, op=op: graph.unary(op, s) for op in [*POSITIVE, "acosh"]),
            *(lambda b=bounded, op=op: graph.unary(op, b) for op in BOUNDED),
            *(lambda c=c, x=x, y=y: graph.select(c, x, y) for c in conditions),
        ]
        nodes.append(makers[kind % len(makers)]())
    return nodes


def random_program(choices: list[tuple[int, int, int, int]], outputs: int) -> Program:
    graph = Graph()
    nodes = grow(graph, choices)
    entries = tuple(nodes[-outputs:])
    arguments = (
        Argument("x", (INPUTS,), symbols(graph, "x", INPUTS)),
        Argument("unused", (1,), (graph.symbol("unused"),)),
    )
    function = Function("f", arguments, (Argument("y", (len(entries),), entries),))
    return Program("random", graph, (function,))


INTEGERS = st.integers(0, 10_000)
CHOICES = st.lists(st.tuples(INTEGERS, INTEGERS, INTEGERS, INTEGERS), min_size=1, max_size=60)
VALUES = st.lists(st.floats(-3, 3, width=32), min_size=INPUTS, max_size=INPUTS)
