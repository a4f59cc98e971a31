"""A function on pairs: two like limbs computed at once, each value of one beside that of the other.

The function's part of the graph is written anew. A pair of nodes (a, b) that are each other's
mirror images becomes one node, a *pair* that holds (a, s b), s = 1 or -1: mirrored limbs differ by
signs, which the graph moves outwards until one limb adds where the other subtracts. Signs multiply
in products. A sum needs both members to be one instruction, so that the signs of its terms must
agree; where they do not, one term is multiplied by (1, -1). Constants take whatever sign is asked.

Three operations lead from and to plain numbers: ``pair`` of two numbers, ``low`` and ``high`` of a
pair. A number beside a pair stands for both members.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from eomc.codegen.plan.mirror import mirror_pairs
from eomc.codegen.plan.schedule import without_sign
from eomc.codegen.plan.signs import Sign, Signs
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import Graph

_ARITHMETIC = frozenset({"add", "sub", "mul", "div"})
_PAIRED = _ARITHMETIC | {"sin", "cos"}
_BEST = 3
"""Score of operands that are a pair."""


@dataclass
class Counts:
    """Numbers of operations of a function on pairs.

    nodes, packed : operations of the function, and those of them in pairs
    packs : operations on pairs
    fixes, gathers : changes of one sign, pairs put together of plain numbers that are computed
    """

    nodes: int = 0
    packed: int = 0
    packs: int = 0
    fixes: int = 0
    gathers: int = 0

    @property
    def statements(self) -> int:
        """Operations that the form on pairs executes."""
        return self.nodes - self.packed + self.packs + self.fixes + 2 * self.gathers


Signed = tuple[int, int]
"""A sign, 1 or -1, and a node that is no ``neg``."""
Operands = list[tuple[Signed, Signed]]
"""Operands of a pair's members, those that answer to each other together."""


class Pairing:
    """Writes nodes of ``graph`` into `into`; `scalar` says where a node went."""

    def __init__(self, graph: Graph, nodes: list[int], place: dict[int, str]) -> None:
        self._begin(graph)
        self.counts.nodes = sum(graph.op[n] not in ("const", "symbol", "neg") for n in nodes)
        for row in self._rows(nodes, mirror_pairs(graph, nodes, place)):
            self._build(row)
        self.counts.packed = 2 * len(self.second)
        self.counts.fixes, self.counts.gathers = len(self._changed), len(self._gathered)

    def _begin(self, graph: Graph) -> None:
        self.graph, self.counts = graph, Counts()
        self.into = VectorGraph("pair", "low", "high", "lane")
        self._scalars: dict[int, int] = {}
        self._packs: dict[int, tuple[int, int]] = {}  # by first member: the node, and the sign
        self._changed: set[int] = set()
        self._gathered: set[int] = set()

    def _rows(self, nodes: Iterable[int], found: Mapping[int, int]) -> list[tuple[int, ...]]:
        """Pairs and plain numbers in the order of their computation, the signs of pairs chosen."""
        self.second = {a: b for a, b in found.items() if self.graph.op[a] in _PAIRED}
        self.first = {b: a for a, b in self.second.items()}
        order = self._order(nodes)
        self._operands = {a: self._matched(a, b) for a, b in self.second.items()}
        self._negative = self._free_signs([row[0] for row in order if len(row) == 2])
        return order

    def _order(self, nodes: Iterable[int]) -> list[tuple[int, ...]]:
        """That of the nodes; a pair stands where its first member stood, after its operands."""
        args, first_of = self.graph.args, self.first
        order: list[tuple[int, ...]] = []
        stack: list[int] = []
        done: set[int] = set()
        for node in nodes:
            stack.append(node)
            while stack:
                first = first_of.get(stack[-1], stack[-1])
                if first in done:
                    stack.pop()
                    continue
                row = self._members(first)
                below = [first_of.get(arg, arg) for member in row for arg in args[member]]
                if not done.issuperset(below):
                    stack += [arg for arg in reversed(below) if arg not in done]
                    continue
                stack.pop()
                done.add(first)
                order.append(row)
        return order

    def _build(self, row: tuple[int, ...]) -> None:
        if len(row) == 1:
            self._scalars[row[0]] = self._copied(row[0])
            return
        self._packs[row[0]] = self._packed(row[0])
        self.counts.packs += 1
        if row[0] in self.graph.labels:
            label = f"{self.graph.labels[row[0]]} and its image"
            self.into.labels[self._packs[row[0]][0]] = label

    def _members(self, node: int) -> tuple[int, ...]:
        if node in self.second:
            return (node, self.second[node])
        return (self.first[node], node) if node in self.first else (node,)

    # -- plain numbers -----------------------------------------------------------------------------

    def scalar(self, node: int) -> int:
        """``node`` as a plain number."""
        first, *second = self._members(node)
        if not second:
            return self._scalars[node]
        pack, sign = self._pack(first)
        if node == first:
            return self.into.plain("low", pack)
        high = self.into.plain("high", pack)
        return high if sign > 0 else self.into.plain("neg", high)

    def _pack(self, first: int) -> tuple[int, int]:
        """The pair of two images, and the sign of the second."""
        return self._packs[first]

    def _copied(self, node: int) -> int:
        graph, into = self.graph, self.into
        op = graph.op[node]
        if op == "const":
            return into.constant(graph.value[node])
        if op == "symbol":
            return into.symbol(str(graph.value[node]))
        args = tuple(self.scalar(arg) for arg in graph.args[node])
        if op == "neg" and into.op[args[0]] == "neg":
            return into.args[args[0]][0]
        made = into.plain(op, *args)
        if node in graph.labels:
            into.labels[made] = graph.labels[node]
        return made

    # -- signs -------------------------------------------------------------------------------------

    def _matched(self, a: int, b: int) -> Operands:
        """Operands of two mirror images, those that answer to each other side by side."""
        ours, theirs = self._terms(a), self._terms(b)
        if self.graph.op[a] in ("add", "sub", "mul"):
            fit, turned = self._fit(ours, theirs), theirs[::-1]
            if fit < _BEST * len(ours) and self._fit(ours, turned) > fit:
                theirs = turned
        return list(zip(ours, theirs, strict=True))

    def _terms(self, node: int) -> list[Signed]:
        """Operands with their signs, a difference as a sum."""
        signed = []
        for k, arg in enumerate(self.graph.args[node]):
            inner = without_sign(self.graph, arg)
            minus = (inner != arg) != (k == 1 and self.graph.op[node] == "sub")
            signed.append((-1 if minus else 1, inner))
        return signed

    def _fit(self, ours: list[Signed], theirs: list[Signed]) -> int:
        """Score of operands side by side: the better they answer to each other, the larger."""
        total = 0
        for (_, x), (_, y) in zip(ours, theirs, strict=True):
            if self.second.get(x) == y:
                total += _BEST
            elif x == y or self._is_constant(x, y):
                total += 2
        return total

    def _is_constant(self, x: int, y: int) -> bool:
        """True if two numbers stand side by side, the second with any sign."""
        return self.graph.op[x] == self.graph.op[y] == "const"

    def _is_gathered(self, x: int, y: int) -> bool:
        """True if plain numbers are put side by side, inputs or of the trunk; one sign serves all
        uses."""
        return self.second.get(x) != y and not self._is_constant(x, y)

    def _free_signs(self, packs: list[int]) -> set[tuple[int, int]]:
        """Keys of signs that may be chosen and are negative, so that those of most sums agree: of
        constants in products by pair and operand, of inputs by their nodes, of sines by themselves.
        """
        signs = Signs()
        known: dict[int, Sign] = {}
        unknown: dict[tuple[int, int], Sign] = {}

        def chosen(key: tuple[int, int]) -> Sign:
            if key not in unknown:
                unknown[key] = signs.unknown()
            return unknown[key]

        second = self.second
        for a in packs:
            like, products = self._followed(a)
            if like in known:
                known[a] = known[like]
                for x, key, sign in products:
                    if x in known:
                        (bits, bit), (more, also) = known[x], chosen(key)
                        signs.equate(known[a], (bits ^ more, bit ^ also ^ (sign < 0)))
                continue
            exponents: list[Sign] = []
            op, operands = self.graph.op[a], self._operands[a]
            for k, ((mine, x), (other, y)) in enumerate(operands):
                bits, bit = 0, 0
                if second.get(x) == y and x in known:
                    bits, bit = known[x]
                elif self._is_constant(x, y):
                    if op in ("mul", "div"):
                        bits, bit = chosen((a, k))
                elif op in _ARITHMETIC:
                    bits, bit = chosen((x, y))
                exponents.append((bits, bit ^ (mine != other)))
            if op in ("add", "sub"):
                free = [self._is_constant(x, y) for (_, x), (_, y) in operands]
                if not any(free):
                    signs.equate(*exponents)
                known[a] = signs.reduced(exponents[free[0]])
            elif op == "cos":
                known[a] = (0, 0)
            elif op == "sin":
                known[a] = chosen((a, a))
            else:
                bits, bit = 0, 0
                for more, also in exponents:
                    bits, bit = bits ^ more, bit ^ also
                known[a] = bits, bit
        values = signs.solution()
        return {key for key, (bits, _) in unknown.items() if values[bits.bit_length() - 1]}

    def _followed(self, first: int) -> tuple[int, list[tuple[int, tuple[int, int], int]]]:
        """First member of the pair whose sign this pair has, if any; pairs and keys of numbers
        whose products should have it, too, and with what sign they enter."""
        return -1, []

    # -- pairs -------------------------------------------------------------------------------------

    def _packed(self, a: int) -> tuple[int, int]:
        """The pair of two mirror images, and the sign of the second."""
        op, operands = self.graph.op[a], self._operands[a]
        lanes = []
        for k, ((_, x), (_, y)) in enumerate(operands):
            key = (x, y) if self._is_gathered(x, y) and op in _ARITHMETIC else (a, k)
            lanes.append(self._lanes(x, y, self._sign(key)))
        nodes = [node for node, _ in lanes]
        signs = [
            s * mine * other
            for (_, s), ((mine, _), (other, _)) in zip(lanes, operands, strict=True)
        ]
        if op in ("add", "sub"):
            return self._sum(operands, nodes, signs)
        node = self.into.plain(op, *self._some_pair(nodes))
        sign = 1
        for s, ((mine, _), _) in zip(signs, operands, strict=True):
            node = self.into.plain("neg", node) if mine < 0 and op != "cos" else node
            sign *= s
        if op == "cos":
            return node, 1
        if op == "sin" and sign != self._sign((a, a)):
            return self._fixed(node), -sign
        return node, sign

    def _sign(self, key: tuple[int, int]) -> int:
        return -1 if key in self._negative else 1

    def _some_pair(self, nodes: list[int]) -> list[int]:
        """Operands one of which is a pair."""
        if self.into.vectors.keys().isdisjoint(nodes):
            return [self.into.plain("pair", nodes[0], nodes[0]), *nodes[1:]]
        return nodes

    def _lanes(self, x: int, y: int, sign: int = 1) -> tuple[int, int]:
        """A node that holds (x, s y), or a number that stands for both; and s.

        Constants and inputs take the ``sign`` that is asked.
        """
        if self.second.get(x) == y:
            return self._pack(x)
        if self._is_constant(x, y):
            if x == y and sign > 0:
                return self.scalar(x), 1
            first, second = (float(self.graph.value[n]) for n in (x, y))  # type: ignore[arg-type]
            return self.into.vector_constant(first, sign * second), sign
        if x == y:
            return (self.scalar(x), 1) if sign > 0 else (self._fixed(self.scalar(x)), -1)
        high = self.scalar(y) if sign > 0 else self.into.plain("neg", self.scalar(y))
        made = self.into.plain("pair", self.scalar(x), high)
        if self.graph.op[x] != "symbol":
            self._gathered.add(made)
        return made, sign

    def _fixed(self, node: int) -> int:
        """(x, -y) of a pair (x, y)."""
        made = self.into.plain("mul", node, self.into.vector_constant(1.0, -1.0))
        self._changed.add(made)
        return made

    def _sum(self, operands: Operands, nodes: list[int], signs: list[int]) -> tuple[int, int]:
        """(x + y, s (x' + y')): the signs of both terms must come to the same s."""
        into = self.into
        if signs[0] != signs[1]:
            free = [self._is_constant(x, y) for (_, x), (_, y) in operands]
            k = free.index(True) if any(free) else int(nodes[1] not in into.vectors)
            if free[k]:
                nodes[k] = self._lanes(operands[k][0][1], operands[k][1][1], -1)[0]
            else:
                nodes[k] = self._fixed(nodes[k])
            signs[k] = -signs[k]
        first, second = self._some_pair(nodes)
        plus, also = (mine > 0 for (mine, _), _ in operands)
        if plus:
            return into.plain("add" if also else "sub", first, second), signs[0]
        if also:
            return into.plain("sub", second, first), signs[0]
        return into.plain("neg", into.plain("add", first, second)), signs[0]
