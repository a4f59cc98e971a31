"""Inputs of like limbs that answer to each other, found on the graph without knowing limbs.

A node's *class* is its expression with numbers and inputs anonymous and signs left out. A class of
two members stands at like places of two limbs; followed down to the inputs, argument by argument,
it tells which inputs take each other's place. Of four like legs each class has four members: the
first two answer to each other, and so do the others, in the order in which limbs are told.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FAR_FEWER, MOST_LIMBS

_SUMS = frozenset({"add", "sub"})
_COMMUTATIVE = _SUMS | {"mul"}

Partner = dict[int, int]
Arguments = dict[int, tuple[int, ...]]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Exchange:
    """Inputs that take each other's place.

    partner : the input that takes the place of each
    own, image : a number for the expression of each node, and for that with inputs exchanged
    met : nodes that change by the exchange, into others of the function
    """

    partner: Partner
    own: dict[int, int]
    image: dict[int, int]
    met: int


def exchanged(
    graph: Graph,
    nodes: list[int],
    below: dict[int, int],
    place: dict[int, str],
    arguments: Arguments,
) -> Exchange:
    """The exchange for which most nodes have an image among ``nodes``.

    ``below`` : inputs that each depends on, as bits; ``place`` names the argument of each input;
    ``arguments`` of each node stand there without their signs.
    """
    classes = _numbered(graph, nodes, lambda symbol: place.get(symbol, symbol))
    members: dict[int, list[int]] = {}
    for node in nodes:
        if graph.op[node] not in ("neg", "const", "symbol"):
            members.setdefault(classes[node], []).append(node)
    interned: dict[Hashable, int] = {}
    own = _numbered(graph, nodes, lambda symbol: symbol, interned)
    known = set(own.values())

    def exchange(partner: Partner) -> Exchange:
        if not partner:
            return Exchange({}, own, own, 0)
        image = _numbered(graph, nodes, lambda symbol: partner.get(symbol, symbol), interned)
        met = sum(image[node] != number and image[node] in known for node, number in own.items())
        return Exchange(partner, own, image, met)

    def elected(pairs: list[Pair]) -> Exchange:
        """Two components of the motion of a trunk may look alike, too: what enters no limb is
        not exchanged if more nodes find an image so."""
        partner, followed = _votes(graph, classes, pairs, arguments)
        best = exchange(partner)
        apart = _apart(graph, nodes, below, partner, followed)
        for some in [set().union(*apart), *apart] if apart else []:
            fewer = exchange({a: b for a, b in best.partner.items() if a not in some})
            best = max(best, fewer, key=lambda found: found.met)
        return best

    pairs = [(group[0], group[1]) for group in members.values() if len(group) == 2]
    by_two = elected(pairs)
    if 2 * len(by_two.partner) >= sum(graph.op[node] == "symbol" for node in nodes):
        return by_two
    more = [group for group in members.values() if 2 < len(group) <= MOST_LIMBS]
    pairs += [pair for group in more for pair in zip(group[::2], group[1::2], strict=False)]
    return max(by_two, elected(pairs), key=lambda found: found.met)


def _votes(
    graph: Graph, classes: dict[int, int], pairs: list[Pair], arguments: Arguments
) -> tuple[Partner, list[Pair]]:
    """Inputs that are met at each other's place most often, following down ``pairs``; and all pairs
    that were followed."""
    stack = list(pairs)
    seen = dict.fromkeys(stack)
    votes: dict[int, Counter[int]] = {}
    while stack:
        first, second = stack.pop()
        if graph.op[first] == "symbol":
            votes.setdefault(first, Counter())[second] += 1
            votes.setdefault(second, Counter())[first] += 1
            continue
        is_commutative = graph.op[first] in _COMMUTATIVE
        like = _like_arguments(classes, arguments[first], arguments[second], is_commutative)
        for pair in like:
            if pair[0] != pair[1] and pair not in seen:
                seen[pair] = None
                stack.append(pair)
    best = {symbol: max(sorted(count), key=count.__getitem__) for symbol, count in votes.items()}
    return {a: b for a, b in best.items() if best[b] == a}, list(seen)


def _apart(
    graph: Graph, nodes: list[int], below: dict[int, int], partner: Partner, followed: list[Pair]
) -> list[set[int]]:
    """Exchanged inputs that are far fewer than those of a limb, by what they enter together.

    Of a pair of limbs, those that enter one member alone are exchanged with those of the other.
    """
    symbols = [node for node in nodes if graph.op[node] == "symbol"]
    bits = {symbol: 1 << k for k, symbol in enumerate(symbols)}
    together = {a: {a, b} for a, b in partner.items()}
    apart = {(below[a] & ~below[b], below[b] & ~below[a]) for a, b in followed}
    for ours, theirs in sorted(apart):
        inputs = [a for a in partner if ours & bits[a]]
        if len(inputs) > 1 and sum(bits[partner[a]] for a in inputs) == theirs:
            limb = set().union(*(together[a] for a in inputs))
            together |= dict.fromkeys(limb, limb)
    limbs = {id(limb): limb for limb in together.values()}
    largest = max(map(len, limbs.values()), default=0)
    return [limb for limb in limbs.values() if FAR_FEWER * len(limb) < largest]


def _like_arguments(
    classes: dict[int, int], ours: tuple[int, ...], theirs: tuple[int, ...], is_commutative: bool
) -> list[Pair]:
    """Arguments of two nodes of one class that answer to each other beyond doubt."""
    if is_commutative:
        if classes[ours[0]] == classes[ours[1]]:
            mine = [node for node in ours if node not in theirs]
            others = [node for node in theirs if node not in ours]
            return [(mine[0], others[0])] if len(mine) == len(others) == 1 else []
        if classes[ours[0]] != classes[theirs[0]]:
            theirs = theirs[::-1]
    return [pair for pair in zip(ours, theirs, strict=True) if classes[pair[0]] == classes[pair[1]]]


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
