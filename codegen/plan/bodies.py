"""Values of a function that are the same step of several bodies.

A recursion goes from body to body, but much of what it does at one waits for no other: what the
motion of a body takes, how what hangs on it answers to a change of its motion. The derivation names
the quantities of which each body has one (`Graph.bodies`); what follows from those of one body is
the same expression of them as its like at another, numbers apart. Such values of several bodies
are one operation on vectors. What waits for its like at the next body, as the recursion itself
does, stays on plain numbers.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence

from eomc.codegen.plan.columns import VectorRow
from eomc.codegen.plan.schedule import without_sign
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FEWEST_LANES, LIKE_BODIES

_COMMUTATIVE = frozenset({"add", "sub", "mul"})

Step = tuple[int, int]
"""Number of an expression of quantities of a body, and the sign with which a value is that; 0 where
a factor is a number, which may have either sign."""
Steps = dict[int, Step]
"""The step that a value is, of each body that it belongs to."""
Group = dict[int, list[int]]
"""Nodes that are one expression of the quantities of a body, by body."""
Members = list[tuple[int, int] | None]
"""A node with its body for each lane, None where there is none."""


class Bodies:
    """Steps of the ``nodes``, which are in topological order.

    groups : the nodes of each expression
    """

    def __init__(self, graph: Graph, nodes: Sequence[int]) -> None:
        self.graph, self.nodes = graph, nodes
        self._numbers: dict[Hashable, int] = {}
        self._any = self._number("number")
        self._steps: dict[int, Steps | None] = {}  # None of constants, which suit every body
        self.groups: dict[int, Group] = {}
        self._follow(self._named())

    def rows(self, width: int) -> Iterator[VectorRow]:
        """So many bodies at a time."""
        waiting = self._waiting()
        groups = {step: group for step, group in self.groups.items() if step not in waiting}
        order = _neighbours(groups, width)
        for group in groups.values():
            for lanes in _lanes(group, order, width):
                yield self._row(lanes)

    def _number(self, expression: Hashable) -> int:
        return self._numbers.setdefault(expression, len(self._numbers))

    def _named(self) -> dict[int, Steps]:
        """The quantities of the bodies; one of two bodies, such as what a turn leaves as it is."""
        named: dict[int, Steps] = {}
        for quantity in self.graph.bodies:
            number = self._number(("quantity", quantity))
            for body, node in enumerate(quantity):
                inner = without_sign(self.graph, node)
                sign = 1 if inner == node else -1
                named.setdefault(inner, {}).setdefault(body, (number, sign))
        return named

    def _follow(self, named: dict[int, Steps]) -> None:
        op, args = self.graph.op, self.graph.args
        for node in self.nodes:
            if op[node] == "const":
                self._steps[node] = None
                continue
            if op[node] == "neg":
                inner = self._steps[args[node][0]] or {}
                self._steps[node] = {body: (step, -sign) for body, (step, sign) in inner.items()}
                continue
            found = self._expressions(node)
            if found and op[node] in _COMMUTATIVE:
                body, (step, _) = next(iter(found.items()))
                self.groups.setdefault(step, {}).setdefault(body, []).append(node)
            self._steps[node] = {**found, **named.get(node, {})}

    def _expressions(self, node: int) -> Steps:
        """Of each body on which all operands are values of it."""
        args = self.graph.args[node]
        own = [steps for steps in map(self._steps.__getitem__, args) if steps is not None]
        if not own:
            return {}
        return {
            body: self._expression(self.graph.op[node], [self._step(arg, body) for arg in args])
            for body in own[0]
            if all(body in steps for steps in own)
        }

    def _expression(self, op: str, operands: list[Step]) -> Step:
        if op not in _COMMUTATIVE:
            return self._number((op, *operands)), 1
        (a, x), (b, y) = operands
        if op == "mul":
            return self._number((op, *sorted((a, b)))), x * y
        if op == "sub":
            y = -y
        if b < a:
            (a, x), (b, y) = (b, y), (a, x)
        return self._number(("sum", a, b, x * y)), x or y

    def _step(self, node: int, body: int) -> Step:
        steps = self._steps[node]
        return (self._any, 0) if steps is None else steps[body]

    def _waiting(self) -> set[int]:
        """Expressions of which one body's value waits for that of another."""
        bits = {
            node: 1 << number
            for number, group in enumerate(self.groups.values())
            for members in group.values()
            for node in members
        }
        waiting = 0
        below: dict[int, int] = {}
        for node in self.nodes:
            found = 0
            for arg in self.graph.args[node]:
                found |= below[arg]
            bit = bits.get(node, 0)
            waiting |= found & bit
            below[node] = found | bit
        return {step for number, step in enumerate(self.groups) if waiting >> number & 1}

    def _row(self, lanes: Members) -> VectorRow:
        operands = [(None, None) if lane is None else self._operands(*lane) for lane in lanes]
        first, second = zip(*operands, strict=True)
        members = tuple(None if lane is None else lane[0] for lane in lanes)
        is_product = any(n is not None and self.graph.op[n] == "mul" for n in members)
        return VectorRow(members, "mul" if is_product else "sum", (first, second))

    def _operands(self, node: int, body: int) -> tuple[int, int]:
        """In the order of their expressions."""
        a, b = sorted(self.graph.args[node], key=lambda arg: self._step(arg, body))
        return without_sign(self.graph, a), without_sign(self.graph, b)


def _neighbours(groups: Mapping[int, Group], width: int) -> dict[int, int]:
    """Place of each body in a line in which like ones are neighbours, odd ones last; each kind
    begins a vector of its own where that takes no more of them."""
    steps: dict[int, set[int]] = {}
    for step, group in groups.items():
        for body in group:
            steps.setdefault(body, set()).add(step)
    kinds: list[list[int]] = []
    for body in sorted(steps):
        for kind in kinds:
            first, own = steps[kind[0]], steps[body]
            if len(first & own) >= LIKE_BODIES * max(len(first), len(own)):
                kind.append(body)
                break
        else:
            kinds.append([body])
    several = [kind for kind in kinds if len(kind) > 1]
    apart = sum(-(-len(kind) // width) for kind in several)
    begin_anew = apart <= -(-sum(map(len, several)) // width)
    line: list[int | None] = []
    for kind in sorted(kinds, key=lambda kind: len(kind) == 1):
        line += kind
        if begin_anew and len(kind) > 1:
            line += [None] * (-len(line) % width)
    return {body: place for place, body in enumerate(line) if body is not None}


def _lanes(group: Group, order: Mapping[int, int], width: int) -> Iterator[Members]:
    """Vectors with members enough; a body may have several of one expression."""
    for number in range(max(map(len, group.values()))):
        found: dict[int, Members] = {}
        for body, members in group.items():
            if number < len(members):
                vector, lane = divmod(order[body], width)
                found.setdefault(vector, [None] * width)[lane] = members[number], body
        for lanes in found.values():
            if sum(lane is not None for lane in lanes) >= FEWEST_LANES:
                yield lanes
