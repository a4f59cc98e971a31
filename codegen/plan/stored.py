"""Rows and their numbers in the work array of a function in pieces.

Numbers that are stored side by side are a row, and each lane of a row that is stored is a number:
what leads from numbers to rows and back, a dozen instructions in registers, is nothing there. So
numbers that a row is made of are stored where the row is read, each when it is computed; lanes that
operations take as numbers are read where the row stands.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from eomc.codegen.plan.schedule import LEAVES, Schedule, without_sign
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph.tuning import FEWEST_STORED_LANES


@dataclass(frozen=True)
class Stored:
    """Contents of the work array, and nodes that are read from it.

    plan : without statements for what is read from there
    alive : for each statement, the statements and rows that must be there
    rows : rows that are stored for their lanes
    lanes : of each node that is read there: row, lane, and whether it stands there negated
    gone : lanes that need no statement, and rows that are made by storing their numbers
    places : of a statement's value: pack, lane, and whether it is stored negated
    begins : packs of which a statement's value is the first
    """

    plan: Schedule
    alive: Schedule
    rows: frozenset[int]
    lanes: Mapping[int, tuple[int, int, bool]]
    gone: frozenset[int]
    places: Mapping[int, list[tuple[int, int, bool]]]
    begins: Mapping[int, list[int]]

    def home(self, node: int) -> tuple[int, int] | None:
        """Pack and lane where a number stands as it is."""
        for pack, lane, negated in self.places.get(node, ()):
            if not negated:
                return pack, lane
        return None


def through_memory(
    graph: VectorGraph, plan: Schedule, results: Collection[int], outside: Collection[int]
) -> Stored:
    """Of ``plan``; ``results`` keep their statements, numbers ``outside`` are in other arrays."""
    statements = set(plan.order)
    packs = {
        node
        for node in plan.order
        if graph.op[node] == "pack"
        and all(_may_stand(graph, arg, statements, outside) for arg in graph.args[node])
        and any(graph.op[without_sign(graph, arg)] not in LEAVES for arg in graph.args[node])
    }
    read: dict[int, set[int]] = {}
    for node in [*plan.order, *plan.merged]:
        for arg in graph.args[node]:
            inner = without_sign(graph, arg)
            if graph.op[inner].startswith("lane") and node not in packs:
                read.setdefault(without_sign(graph, graph.args[inner][0]), set()).add(inner)
    rows = {
        r for r, found in read.items() if len(found) >= FEWEST_STORED_LANES and r in statements
    } - packs
    lanes: dict[int, tuple[int, int, bool]] = {}
    for row in rows | (packs & read.keys()):
        for node in read[row]:
            negated = graph.args[node][0] != row
            lanes[node] = row, int(graph.op[node].removeprefix("lane")), negated
    needed = {without_sign(graph, arg) for pack in packs for arg in graph.args[pack]}
    kept = (needed | set(results)) & statements
    gone = packs | (lanes.keys() - kept)
    order = [node for node in plan.order if node not in gone]
    reads, alive = [], []
    for node in order:
        own, there = _reads(graph, node, plan.merged, lanes, gone)
        reads.append(tuple(own))
        alive.append((*own, *there))
    places: dict[int, list[tuple[int, int, bool]]] = {}
    begins: dict[int, list[int]] = {}
    begun: set[int] = set()
    for pack in sorted(packs):
        for lane, arg in enumerate(graph.args[pack]):
            inner = without_sign(graph, arg)
            if graph.op[inner] not in LEAVES:
                places.setdefault(inner, []).append((pack, lane, inner != arg))
    for node in order:
        for pack, _, _ in places.get(node, ()):
            if pack not in begun:
                begun.add(pack)
                begins.setdefault(node, []).append(pack)
    written = replace(plan, order=order, reads=reads)
    return Stored(
        written,
        replace(written, reads=alive),
        frozenset(rows),
        lanes,
        frozenset(gone),
        places,
        begins,
    )


def _may_stand(
    graph: VectorGraph, arg: int, statements: set[int], outside: Collection[int]
) -> bool:
    inner = without_sign(graph, arg)
    return graph.op[inner] in LEAVES or (inner in statements and inner not in outside)


def _reads(
    graph: VectorGraph,
    node: int,
    merged: Collection[int],
    lanes: Mapping[int, tuple[int, int, bool]],
    gone: Collection[int],
) -> tuple[dict[int, None], dict[int, None]]:
    """Statements that the text of ``node`` names, and rows that it finds in the work array."""
    own: dict[int, None] = {}
    there: dict[int, None] = {}
    if node in lanes:
        return own, {lanes[node][0]: None}
    stack = list(graph.args[node][::-1])
    while stack:
        arg = stack.pop()
        if arg in gone or (arg in merged and arg in lanes):
            there[lanes[arg][0] if arg in lanes else arg] = None
        elif graph.op[arg] == "neg" or arg in merged:
            stack += graph.args[arg][::-1]
        elif graph.op[arg] not in LEAVES:
            own[arg] = None
    return own, there
