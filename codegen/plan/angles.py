"""The angles of a function whose sines and cosines are computed together, before all the rest.

Straight-line code beyond what a core keeps of decoded instructions runs at so many bytes a
nanosecond, and a sine with its cosine takes some 400 bytes wherever it stands. One loop over all
angles takes 800 bytes in all, works on as many angles at once as the vectors of the machine hold,
and leaves its results in memory, where instructions read them as operands.
"""

import itertools
from collections.abc import Collection
from dataclasses import dataclass

from eomc.codegen.plan.schedule import LEAVES, Schedule, without_sign
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FEWEST_ANGLES, LARGEST_CONE

WIDEST = 64
"""Bytes of the longest vectors: the arrays of angles are filled up to a multiple of them."""

_PLAIN = frozenset({"add", "sub", "mul", "div", "pair"})


@dataclass(frozen=True)
class LeadingAngles:
    """The angles that open a function.

    places : where each angle stands in the array, by node
    nodes : the sines and cosines of them, in the order of the schedule
    length : of the array, rounded up to whole vectors; sines follow angles, cosines follow sines
    opening : statements that compute angles, and the sines and cosines; the schedule begins with
        them
    """

    places: dict[int, int]
    nodes: list[int]
    length: int
    opening: int

    def slot(self, graph: Graph, node: int) -> int:
        """Index of a sine or a cosine in the array."""
        part = 1 if graph.op[node] == "sin" else 2
        return part * self.length + self.places[graph.args[node][0]]


def angles_first(
    graph: Graph, plan: Schedule, numbers: int, pairs: Collection[int] = ()
) -> tuple[Schedule, LeadingAngles | None]:
    """``plan`` with its angles and their sines and cosines at the front, where they are many.

    The longest vectors hold so many ``numbers``; the nodes ``pairs`` take two places. With one
    number, several states of it, any angle is worth the call, and the first to be used come first.
    """
    turned = [node for node in plan.order if graph.op[node] in ("sin", "cos")]
    cones = {angle: _cone(graph, angle) for angle in {graph.args[node][0] for node in turned}}
    nodes = [node for node in turned if cones[graph.args[node][0]] is not None]
    turning = set(nodes)
    read = dict.fromkeys(itertools.chain(*plan.reads, nodes))
    angles = list(dict.fromkeys([graph.args[node][0] for node in read if node in turning]))
    if numbers > 1:
        # In the order of the inputs, which are copied in a loop; pairs where vectors of two begin.
        angles.sort(key=lambda angle: (angle not in pairs, angle))
    places: dict[int, int] = {}
    taken = 0
    for angle in angles:
        places[angle] = taken
        taken += 1 + (angle in pairs)
    if taken < (FEWEST_ANGLES if numbers > 1 else 1):
        return plan, None
    below = {node for angle in places for node in cones[angle] or ()}
    first = [node for node in plan.order if node in below]
    ahead = {*first, *nodes}
    rest = [node for node in plan.order if node not in ahead]
    reads = dict(zip(plan.order, plan.reads, strict=True))
    order = [*first, *nodes, *rest]
    moved = Schedule(order, [reads[n] for n in order], plan.uses, plan.symbols, plan.merged)
    length = -(-taken // numbers) * numbers
    return moved, LeadingAngles(places, nodes, length, len(first) + len(nodes))


def _cone(graph: Graph, angle: int) -> set[int] | None:
    """The operations that lead to ``angle``; None if they are many or not plain arithmetic."""
    found: set[int] = set()
    stack = [angle]
    while stack:
        node = without_sign(graph, stack.pop())
        if graph.op[node] in LEAVES or node in found:
            continue
        if graph.op[node] not in _PLAIN or len(found) == LARGEST_CONE:
            return None
        found.add(node)
        stack += graph.args[node]
    return found
