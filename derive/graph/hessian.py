"""Second derivatives by one backward sweep over the graph.

Of the nodes from the output down, products of two that depend on the inputs create second
derivatives, and every node hands those that it takes part in on to its arguments:

    W_jk += f_j f_k W_ii,    W_jp += f_j W_ip,    W_jk += f_jk adjoint_i

What inputs reach the output through few nodes is never spread out: of the kinetic energy of a
chain, W between the velocities of a link is the inertia of all that hangs on it.

Reference: Gower and Mello, A new framework for the computation of Hessians, Optimization Methods
and Software 27 (2012): edge pushing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from eomc.derive.graph.node import ZERO, Graph
from eomc.derive.graph.rotations import rotations
from eomc.derive.graph.traverse import dependents, reachable

_LINEAR = ("neg", "add", "sub")


def hessian(graph: Graph, output: int, inputs: Sequence[int]) -> list[list[int]] | None:
    """Rows of d2 output / d input_i d input_j, symmetric.

    None where the inputs enter otherwise than by sums, products and quotients by what does not
    depend on them.

    >>> g = Graph()
    >>> x, y, m = g.symbol("x"), g.symbol("y"), g.symbol("m")
    >>> rows = hessian(g, g.mul(m, g.mul(x, g.add(x, y))), [x, y])
    >>> rows == [[g.mul(g.constant(2), m), m], [m, g.constant(0)]]
    True
    """
    sweep = EdgePushing(graph, output)
    order = reachable(graph, [output])
    active = dependents(graph, order, inputs)
    for node in outermost_first(graph, order, active):
        if graph.args[node] and sweep.pass_on(node, active) is None:
            return None
    return [[sweep.second[i].get(j, ZERO) for j in inputs] for i in inputs]


def outermost_first(graph: Graph, order: Sequence[int], active: set[int]) -> Iterator[int]:
    """Active nodes, each after those that take it as an argument.

    Of those that could be next, one that passes all on to one other comes first, then inputs, then
    the farthest from the inputs: what belongs to one link of a chain is passed on at a time, else
    W fills up.
    """
    level: dict[int, int] = {}
    before: dict[int, set[int]] = {}
    uses = dict.fromkeys(active, 0)
    for node in order:
        if node in active:
            before[node] = active.intersection(graph.args[node])
            level[node] = 1 + max((level[arg] for arg in before[node]), default=0)
            for arg in before[node]:
                uses[arg] += 1
    ready = [(0, 0, -node) for node in order[-1:] if node in active]
    while ready:
        node = -heappop(ready)[2]
        yield node
        for arg in before[node]:
            uses[arg] -= 1
            if not uses[arg]:
                width = len(before[arg])
                rank = 0 if width == 1 else 1 if width == 0 else 2
                heappush(ready, (rank, -level[arg], -arg))


class EdgePushing:
    """`adjoint` are first derivatives by nodes, `second` the symmetric W."""

    def __init__(self, graph: Graph, output: int) -> None:
        self.graph = graph
        self.adjoint: dict[int, int] = {output: graph.constant(1)}
        self.second: defaultdict[int, dict[int, int]] = defaultdict(dict)

    def pass_on(self, node: int, active: set[int]) -> dict[int, int] | None:
        """Hand the derivatives by `node` on to its arguments: its partial derivatives by these, or
        None if its kind is unknown."""
        g, op, args = self.graph, self.graph.op[node], self.graph.args[node]
        live = [arg in active for arg in args]
        is_linear = (
            op in _LINEAR or (op == "mul" and not all(live)) or (op == "div" and not live[1])
        )
        if not (is_linear or op == "mul"):
            return None
        slopes: dict[int, int] = {}
        for arg, partial in rotations(g, node):
            if arg in active and partial is not None:
                slopes[arg] = g.add(slopes.get(arg, ZERO), partial)
        for other, value in self.second.pop(node, {}).items():
            if other == node:
                self._of_pairs(slopes, value)
                continue
            del self.second[other][node]
            for arg, slope in slopes.items():
                double = g.constant(2 if arg == other else 1)
                self._add(arg, other, g.mul(double, g.mul(slope, value)))
        bar = self.adjoint.get(node, ZERO)
        if not is_linear:
            self._add(args[0], args[1], g.mul(g.constant(2 if args[0] == args[1] else 1), bar))
        for arg, slope in slopes.items():
            self.adjoint[arg] = g.add(self.adjoint.get(arg, ZERO), g.mul(slope, bar))
        return slopes

    def _of_pairs(self, slopes: dict[int, int], value: int) -> None:
        g, arguments = self.graph, list(slopes)
        for k, i in enumerate(arguments):
            for j in arguments[: k + 1]:
                self._add(i, j, g.mul(slopes[i], g.mul(slopes[j], value)))

    def _add(self, i: int, j: int, value: int) -> None:
        if value == ZERO:
            return
        total = self.graph.add(self.second[i].get(j, ZERO), value)
        self.second[i][j] = self.second[j][i] = total
