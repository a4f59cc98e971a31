"""Values of a function that are each other's images: limbs of a humanoid, legs, two like arms.

With the inputs of like limbs exchanged (`exchange`) a node's expression is that of its image: two
nodes are a pair where each one's expression, the inputs exchanged, is the other's; of nodes of one
expression, which differ in numbers alone, the one whose arguments are images of the other's is
taken.

The members of a pair are equally high above the inputs, and every argument is lower than what it
enters: whichever pairs are computed together, no value waits for itself.
"""

from eomc.codegen.plan.exchange import exchanged
from eomc.codegen.plan.schedule import unsigned_arguments
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import MOST_CANDIDATES


def mirror_pairs(graph: Graph, nodes: list[int], place: dict[int, str]) -> dict[int, int]:
    """First and second member of each pair among ``nodes``, which are in topological order.

    ``place`` names the argument that a symbol belongs to. The first member is the one that the
    first of the inputs enters in which the two differ, or first members of other pairs do.
    """
    below = inputs_below(graph, nodes)
    arguments = unsigned_arguments(graph, nodes)
    found = exchanged(graph, nodes, below, place, arguments)
    if not found.partner:
        return {}
    own, image = found.own, found.image
    plain = [node for node in nodes if graph.op[node] not in ("neg", "const")]
    height = heights(graph, nodes)
    groups: dict[tuple[int, int], list[int]] = {}
    for node in plain:
        groups.setdefault((own[node], height[node]), []).append(node)
    images: dict[int, int] = {}
    pairs: dict[int, int] = {}
    for node in sorted(plain, key=lambda n: (height[n], n)):
        if own[node] >= image[node]:
            continue
        others = groups.get((image[node], height[node]))
        if not others:
            continue
        ours = arguments[node]
        fits = [_fit(graph, images, ours, arguments[other]) for other in others[:MOST_CANDIDATES]]
        best = max(range(len(fits)), key=fits.__getitem__)
        if fits[best] < 0:
            continue
        other = others.pop(best)
        images[node], images[other] = other, node
        differing = below[node] ^ below[other]
        is_first = bool(below[node] & differing & -differing)
        if not differing:
            is_first = any(arg in pairs for arg in ours)
        first, second = (node, other) if is_first else (other, node)
        pairs[first] = second
    return pairs


def _fit(
    graph: Graph, images: dict[int, int], ours: tuple[int, ...], theirs: tuple[int, ...]
) -> int:
    """Arguments that are images of each other; -1 if no argument of an operation is."""
    if not ours:
        return 0
    left = list(theirs)
    for arg in ours:
        if graph.op[arg] == "const":
            wanted = next((a for a in left if graph.op[a] == "const"), -1)
        else:
            wanted = images.get(arg, arg)
        if wanted in left:
            left.remove(wanted)
    return len(theirs) - len(left) or -1


def inputs_below(graph: Graph, nodes: list[int]) -> dict[int, int]:
    """The symbols that each node depends on, as bits of an integer, the first symbol lowest."""
    below: dict[int, int] = {}
    bit = 1
    for node in nodes:
        if graph.op[node] == "symbol":
            below[node] = bit
            bit <<= 1
            continue
        known = 0
        for arg in graph.args[node]:
            known |= below[arg]
        below[node] = known
    return below


def heights(graph: Graph, nodes: list[int]) -> dict[int, int]:
    """Operations on the longest way from the inputs to each node, signs not counted."""
    height: dict[int, int] = {}
    op, args = graph.op, graph.args
    for node in nodes:
        below = [height[arg] for arg in args[node]]
        height[node] = max(below) + (op[node] != "neg") if below else 0
    return height
