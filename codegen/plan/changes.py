"""Values of a function that are computed together with what they change by along its direction.

The derivation remembers which node is the change of which (`eomc.derive.graph.Graph.changes`). From
the results of a function downwards: where a change is asked for, it is taken together with its
value as a *dual*; where a dual is a sum or a product, so are its operands that change. Other
operations, such as quotients and sines, are computed as numbers, and their changes, too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from eomc.codegen.plan.schedule import LEAVES, without_sign
from eomc.derive.graph import Graph, reachable
from eomc.derive.graph.powers import powers
from eomc.derive.graph.rotations import rotations
from eomc.derive.graph.traverse import dependents

_LINEAR = frozenset({"add", "sub", "mul"})
Links = list[tuple[int, int]]
"""Nodes that one depends on, with its derivatives by them."""


class ChangingValues:
    """Of what is needed for ``roots``, what is a dual and what a number.

    of : what nodes change by
    moved : nodes that depend on the direction
    value : by a change that depends on the direction: its sign, and the node whose change it is
    duals : nodes that are taken with their changes
    numbers : nodes that are taken as numbers
    products : how often a node is a factor beside another one that changes
    """

    def __init__(self, graph: Graph, roots: Sequence[int], change: Mapping[int, int]) -> None:
        self.graph, self.of = graph, change
        # Nodes whose change is given, not made of those of operands: inputs, and what stands for
        # them, as entries of a quaternion at unit length.
        self._led = {x for x in change if change.keys().isdisjoint(graph.args[x])}
        self._given = set(reachable(graph, [change[x] for x in change if x in self._led]))
        self.moved = self._moved(roots)
        self._powers = powers(graph, reachable(graph, list(change)))
        self.value = self._values()
        self.duals: set[int] = set()
        self.numbers: set[int] = set()
        self.products: Counter[int] = Counter()
        self._takers: Counter[int] = Counter()
        self._find(roots)

    def _moved(self, roots: Iterable[int]) -> set[int]:
        """Of what ``roots`` need, all that depends on the amounts by which inputs change."""
        graph = self.graph
        amounts = [n for n in self._given if graph.op[n] == "symbol" and n not in self.of]
        return dependents(graph, reachable(graph, roots), amounts)

    def _values(self) -> dict[int, tuple[int, int]]:
        """By each change of what may be a dual: its sign, and whose change it is."""
        op = self.graph.op
        found: dict[int, tuple[int, int]] = {}
        alone = set(self._given)  # changes of numbers, of which a dual may be made
        for node, dot in self.of.items():
            inner = without_sign(self.graph, dot)
            if self._may_be(node) and inner in self.moved and op[inner] not in LEAVES:
                found.setdefault(inner, (1 if inner == dot else -1, node))
            elif op[node] != "neg":
                alone.add(inner)
        return {dot: value for dot, value in found.items() if dot not in alone}

    def _may_be(self, node: int) -> bool:
        """True if a node that changes may be a dual: of what the changes of inputs are made of, it
        would wait for itself."""
        return (
            self.graph.op[node] in _LINEAR
            and node in self.of
            and node not in self._led
            and node not in self._given
            and node not in self._powers
        )

    def is_inside(self, row: Iterable[int]) -> bool:
        """True if each of the duals is a term of one sum and nothing else."""
        return all(self._takers[node] == 1 for node in row)

    def turn(self, node: int) -> Links:
        """Of a component of a rotated vector both terms and the angle; of other nodes nothing."""
        if self.graph.op[node] == "mul":
            return []
        links = [(arg, by) for arg, by in rotations(self.graph, node) if by is not None]
        return links if len(links) > len(self.graph.args[node]) else []

    def _find(self, roots: Iterable[int]) -> None:
        stack = [(root, False) for root in roots]
        while stack:
            node, is_dual = stack.pop()
            node = without_sign(self.graph, node)
            if not is_dual and node in self.value:
                node, is_dual = self.value[node][1], True
                self._takers[node] += 1  # beside the sum that it may be a term of
            if is_dual and self._may_be(node):
                self._takers[node] += 1
                if node not in self.duals:
                    self.duals.add(node)
                    stack += self._taken(node)
                continue
            if node not in self.numbers:
                self.numbers.add(node)
                stack += [(arg, False) for arg in self.graph.args[node]]
            if is_dual and node in self.of:
                stack.append((self.of[node], False))

    def _taken(self, node: int) -> list[tuple[int, bool]]:
        """Nodes that a dual takes, and whether as duals."""
        if links := self.turn(node):
            (x, f), (y, h), (angle, slope) = links
            numbers = [f, h, slope]
            if angle in self.of:
                numbers.append(self.of[angle])
            return [(x, True), (y, True), *((number, False) for number in numbers)]
        x, y = (without_sign(self.graph, arg) for arg in self.graph.args[node])
        if self.graph.op[node] != "mul":
            return [(x, True), (y, True)]
        if x not in self.of or y not in self.of:
            return [(x, x in self.of), (y, y in self.of)]
        self.products.update((x, y))
        self._takers.update((x, y))  # a factor is no term
        return [(x, True), (y, True), (x, False), (y, False)]


def direction(graph: Graph, nodes: Iterable[int]) -> Mapping[int, int]:
    """Changes of nodes along the direction of which the most are among ``nodes``."""
    own = {node for node in nodes if graph.op[node] not in LEAVES}

    def found(change: Mapping[int, int]) -> int:
        return sum(without_sign(graph, dot) in own for dot in change.values())

    best: Mapping[int, int] = max(graph.changes, key=found, default={})
    return best if found(best) else {}
