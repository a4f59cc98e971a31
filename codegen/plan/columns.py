"""Values of a function that are the same step of several columns: of M, of M^-1, of derivatives.

A recursion takes every column of a matrix through the same steps: past a joint all of them are
turned by one angle. What they have in common is not their expression, which grows from joint to
joint, but what they are multiplied by. So a *row* of values, each of which belongs to another
column, is followed from the entries of an output downwards: products whose factor is one and the
same value, and sums of terms that are alike so, are one operation on vectors, and their other
operands are rows again. A column that begins at this joint enters a row as a plain number.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eomc.codegen.plan.mirror import heights
from eomc.codegen.plan.schedule import without_sign
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FACTOR_DEPTH, FEWEST_LANES

Lanes = tuple[int | None, ...]
"""A node for each lane of a vector, without its sign; None where there is none."""

_SUMS = frozenset({"add", "sub"})


@dataclass(frozen=True)
class VectorRow:
    """Nodes that are one operation on vectors.

    members : the nodes, by lane
    op : ``sum`` or ``mul``
    operands : of all members, those that answer to each other together; by lane
    passed : lanes of a sum whose member is one operand, the other being 0: columns that have one
        term less
    """

    members: Lanes
    op: str
    operands: tuple[Lanes, Lanes]
    passed: frozenset[int] = frozenset()


def seeds(outputs: Iterable[tuple[Sequence[int], tuple[int, ...]]], width: int) -> list[Lanes]:
    """Entries of matrices (nodes in a row, shape): by columns, then by rows, each node once."""
    found: list[Lanes] = []
    for entries, shape in outputs:
        if len(shape) != 2:
            continue
        n, m = shape
        lines = [[entries[i * m + j] for i in range(n)] for j in range(m)]
        lines += [list(entries[i * m : i * m + m]) for i in range(n)]
        found += [part for line in lines for part in _parts(line, width)]
    return found


def swept(graph: Graph, nodes: Iterable[int], width: int) -> list[Lanes]:
    """Lanes of the derivatives of each node along several directions, as far as in ``nodes``."""
    taken = set(nodes)
    found: list[Lanes] = []
    for column in graph.columns:
        line = [None if n is None else without_sign(graph, n) for n in column]
        found += _parts([n if n in taken else None for n in line], width)
    return found


def _parts(line: Sequence[int | None], width: int) -> Iterator[Lanes]:
    """So many at a time."""
    for start in range(0, len(line), width):
        part = line[start : start + width]
        yield (*part, *[None] * (width - len(part)))


class VectorRows:
    """The rows among ``nodes``, which are in topological order, below the ``starts``."""

    def __init__(
        self,
        graph: Graph,
        nodes: list[int],
        starts: Iterable[Lanes],
        known: Iterable[VectorRow] = (),
    ) -> None:
        self.graph = graph
        self.rows: list[VectorRow] = list(known)
        self.place: dict[int, tuple[int, int]] = {}
        """Row and lane of each node that is in one."""
        self.bodies = len(self.rows)
        """So many of the first rows were given."""
        for number, row in enumerate(self.rows):
            self.place |= {
                node: (number, k) for k, node in enumerate(row.members) if node is not None
            }
        self._height = heights(graph, nodes)
        self._known: dict[int, tuple[int, int]] = {}  # terms by node
        self._queue: list[tuple[int, int, Lanes]] = []
        self._asked: set[Lanes] = set()
        for start in starts:
            self._ask(tuple(None if n is None else without_sign(graph, n) for n in start))
        while self._queue:
            self._find(heapq.heappop(self._queue)[2])

    def _ask(self, lanes: Lanes) -> None:
        """Look for a row among these later, after all that are higher."""
        op = self.graph.op
        kept: list[int | None] = [
            n if n is not None and op[n] in ("add", "sub", "mul") else None for n in lanes
        ]
        wanted = tuple(kept)
        present = {n for n in wanted if n is not None}
        if len(present) >= FEWEST_LANES and wanted not in self._asked:
            self._asked.add(wanted)
            top = max(self._height[n] for n in present)
            heapq.heappush(self._queue, (-top, len(self._asked), wanted))

    def _find(self, lanes: Lanes) -> None:
        left: dict[int, int] = {}
        for k, node in enumerate(lanes):
            if node is not None and node not in self.place and node not in left.values():
                left[k] = node
        while len(left) >= FEWEST_LANES:
            best = max((self._like(left, k) for k in self._tried(left)), key=len)
            if len(best) < FEWEST_LANES:
                return
            op = "mul" if self.graph.op[left[next(iter(best))]] == "mul" else "sum"
            passed = self._passed(lanes, best) if op == "sum" else {}
            pairs = best | passed
            members = tuple(lanes[k] if k in pairs else None for k in range(len(lanes)))
            first, second = (
                tuple(pairs[k][side] if k in pairs else None for k in range(len(lanes)))
                for side in (0, 1)
            )
            for k in best:
                self.place[left.pop(k)] = len(self.rows), k
            self.rows.append(VectorRow(members, op, (first, second), frozenset(passed)))
            for operand in (first, second):
                if len(set(operand) - {None}) > 1:
                    self._ask(operand)

    def _passed(
        self, lanes: Lanes, best: dict[int, tuple[int, int]]
    ) -> dict[int, tuple[int | None, int | None]]:
        """Other lanes, whose node is like one term of the sums that were found."""
        a, b = next(iter(best.values()))
        found: dict[int, tuple[int | None, int | None]] = {}
        for k, node in enumerate(lanes):
            if node is None or k in best:
                continue
            if self._alike(a, node) >= 2:
                found[k] = node, None
            elif self._alike(b, node) >= 2:
                found[k] = None, node
        return found

    @staticmethod
    def _tried(left: dict[int, int]) -> list[int]:
        """Lanes that others are compared with."""
        lanes = list(left)
        return sorted({lanes[0], lanes[len(lanes) // 2], lanes[-1]})

    def _like(self, left: dict[int, int], lane: int) -> dict[int, tuple[int, int]]:
        """Operands, in like order, of the nodes that take the same step as that of ``lane``."""
        if self.graph.op[left[lane]] == "mul":
            return self._products(left, lane)
        a, b = self._terms(left[lane])
        found: dict[int, tuple[int, int]] = {}
        for k, node in left.items():
            if self.graph.op[node] not in _SUMS:
                continue
            x, y = self._terms(node)
            straight = self._alike(a, x), self._alike(b, y)
            turned = self._alike(a, y), self._alike(b, x)
            if sum(turned) > sum(straight):
                x, y, straight = y, x, turned
            if max(straight) >= 2:
                found[k] = x, y
        return found

    def _products(self, left: dict[int, int], lane: int) -> dict[int, tuple[int, int]]:
        """Those with one factor in common, which comes first."""
        products = {k: self._terms(n) for k, n in left.items() if self.graph.op[n] == "mul"}
        counts = Counter(factor for pair in products.values() for factor in set(pair))
        a, b = products[lane]
        factor = a if counts[a] >= counts[b] else b
        return {
            k: (factor, y if x == factor else x)
            for k, (x, y) in products.items()
            if factor in (x, y)
        }

    def _terms(self, node: int) -> tuple[int, int]:
        terms = self._known.get(node)
        if terms is None:
            a, b = self.graph.args[node]
            terms = self._known[node] = without_sign(self.graph, a), without_sign(self.graph, b)
        return terms

    def _alike(self, a: int, b: int, depth: int = FACTOR_DEPTH) -> int:
        """Likeness of two terms of sums as one step: 3 surely, 0 not."""
        if a == b:
            return 3
        if a in self.place and b in self.place:
            return 3 if self.place[a][0] == self.place[b][0] else 0
        op = self.graph.op
        if op[a] == op[b] == "mul":
            return 2 if set(self._terms(a)) & set(self._terms(b)) else 0
        if not (op[a] in _SUMS and op[b] in _SUMS):
            return 0
        if depth == 0:
            return 1
        (p, q), (x, y) = self._terms(a), self._terms(b)
        crossed = ((p, x), (q, y), (p, y), (q, x))
        return 2 if any(self._alike(*both, depth - 1) >= 2 for both in crossed) else 1
