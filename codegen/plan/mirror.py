"""Values of a function that are each other's mirror images: limbs of a humanoid, two like arms.

A node's *class* is its expression with numbers and inputs anonymous and signs left out; a class of
two members is a pair that stands at like places of two limbs. Following such pairs down to the
inputs tells which input of one limb answers to which of the other. With these names exchanged a
node's expression is that of its image: two nodes are a pair where each one's expression, the inputs
exchanged, is the other's; of nodes of one expression, which differ in numbers alone, the one whose
arguments are images of the other's is taken.

The members of a pair are equally high above the inputs, and every argument is lower than what it
enters: whichever pairs are computed together, no value waits for itself.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from functools import lru_cache
from hashlib import blake2b

from eomc.codegen.plan.schedule import without_sign
from eomc.derive.graph import Graph

_SUMS = frozenset({"add", "sub"})
_COMMUTATIVE = _SUMS | {"mul"}
_MOST_TRIED = 8
"""Nodes of one expression that are looked at for the one whose arguments fit best."""


def mirror_pairs(graph: Graph, nodes: list[int], place: dict[int, str]) -> dict[int, int]:
    """First and second member of each pair among ``nodes``, which are in topological order.

    ``place`` names the argument that a symbol belongs to. The first member is the one that the
    first of the inputs enters in which the two differ.
    """
    plain = [node for node in nodes if graph.op[node] != "neg"]
    classes = _numbered(graph, nodes, lambda symbol: place.get(symbol, symbol))
    partner = _exchanged_inputs(graph, plain, classes)
    if not partner:
        return {}
    interned: dict[Hashable, int] = {}
    own = _numbered(graph, nodes, lambda symbol: symbol, interned)
    image = _numbered(graph, nodes, lambda symbol: partner.get(symbol, symbol), interned)
    height = heights(graph, nodes)
    groups: dict[tuple[int, int], list[int]] = {}
    for node in plain:
        if graph.op[node] != "const":
            groups.setdefault((own[node], height[node]), []).append(node)
    below = _inputs_below(graph, nodes)
    images: dict[int, int] = {}
    pairs: dict[int, int] = {}
    for node in sorted(plain, key=lambda n: (height[n], n)):
        others = groups.get((image[node], height[node]), [])
        if graph.op[node] == "const" or own[node] >= image[node] or not others:
            continue
        fits = [_fit(graph, images, node, other) for other in others[:_MOST_TRIED]]
        best = max(range(len(fits)), key=fits.__getitem__)
        if fits[best] < 0:
            continue
        other = others.pop(best)
        images[node], images[other] = other, node
        differing = below[node] ^ below[other]
        lowest = differing & -differing
        first, second = (node, other) if below[node] & lowest else (other, node)
        pairs[first] = second
    return pairs


def _fit(graph: Graph, images: dict[int, int], node: int, other: int) -> int:
    """Arguments that are images of each other; -1 if no argument of an operation is."""
    ours = [without_sign(graph, arg) for arg in graph.args[node]]
    theirs = [without_sign(graph, arg) for arg in graph.args[other]]
    if not ours:
        return 0
    fits = 0
    for arg in ours:
        if graph.op[arg] == "const":
            wanted = next((a for a in theirs if graph.op[a] == "const"), None)
        else:
            wanted = next((a for a in theirs if a == images.get(arg, arg)), None)
        if wanted is not None:
            fits += 1
            theirs.remove(wanted)
    return fits or -1


def _numbered(
    graph: Graph,
    nodes: list[int],
    name: Callable[[int], Hashable],
    interned: dict[Hashable, int] | None = None,
) -> dict[int, int]:
    """A number for the expression of each node, equal for equal ones, symbols having a ``name``."""
    table: dict[Hashable, int] = {} if interned is None else interned
    found: dict[int, int] = {}
    totals: dict[int, int] = {}
    ops, arguments = graph.op, graph.args
    for node in nodes:
        op, args = ops[node], arguments[node]
        if op == "neg":
            found[node] = found[args[0]]
            if args[0] in totals:
                totals[node] = totals[args[0]]
            continue
        key: Hashable
        if op == "const":
            key = "const"
        elif op == "symbol":
            key = ("symbol", name(node))
        elif op in _SUMS:
            # What both limbs add to a trunk is the same whichever comes first: of all terms of
            # sums of sums, the total of long numbers that stand for them.
            a, b = args
            first = totals[a] if a in totals else _long(found[a])
            totals[node] = first + (totals[b] if b in totals else _long(found[b]))
            key = ("sum", totals[node])
        elif op == "mul":
            x, y = found[args[0]], found[args[1]]
            key = (op, x, y) if x <= y else (op, y, x)
        else:
            key = (op, *(found[arg] for arg in args))
        found[node] = table.setdefault(key, len(table))
    return found


@lru_cache(1 << 16)
def _long(number: int) -> int:
    """A number that sums of few others do not meet."""
    return int.from_bytes(blake2b(number.to_bytes(8, "little"), digest_size=16).digest(), "little")


def _exchanged_inputs(graph: Graph, nodes: list[int], classes: dict[int, int]) -> dict[int, int]:
    """The symbol that takes the place of each, by the votes of classes of two members."""
    members: dict[int, list[int]] = {}
    for node in nodes:
        members.setdefault(classes[node], []).append(node)
    stack = [(group[0], group[1]) for group in members.values() if len(group) == 2]
    seen = set(stack)
    votes: dict[int, Counter[int]] = {}
    while stack:
        first, second = stack.pop()
        if graph.op[first] == "symbol":
            votes.setdefault(first, Counter())[second] += 1
            votes.setdefault(second, Counter())[first] += 1
            continue
        for pair in _like_arguments(graph, classes, first, second):
            if pair[0] != pair[1] and pair not in seen:
                seen.add(pair)
                stack.append(pair)
    best = {symbol: max(sorted(count), key=count.__getitem__) for symbol, count in votes.items()}
    return {symbol: other for symbol, other in best.items() if best[other] == symbol}


def _like_arguments(
    graph: Graph, classes: dict[int, int], first: int, second: int
) -> list[tuple[int, int]]:
    """Arguments of two nodes of one class that answer to each other beyond doubt."""
    ours = [without_sign(graph, arg) for arg in graph.args[first]]
    theirs = [without_sign(graph, arg) for arg in graph.args[second]]
    if graph.op[first] in _COMMUTATIVE:
        if classes[ours[0]] == classes[ours[1]]:
            common = set(ours) & set(theirs)
            ours = [node for node in ours if node not in common]
            theirs = [node for node in theirs if node not in common]
            return list(zip(ours, theirs, strict=False)) if len(ours) == len(theirs) == 1 else []
        if classes[ours[0]] != classes[theirs[0]]:
            theirs.reverse()
    return [pair for pair in zip(ours, theirs, strict=True) if classes[pair[0]] == classes[pair[1]]]


def _inputs_below(graph: Graph, nodes: list[int]) -> dict[int, int]:
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
    for node in nodes:
        step = graph.op[node] != "neg"
        height[node] = max((height[arg] + step for arg in graph.args[node]), default=0)
    return height
