"""A graph that reuses products and sums it has already where associativity and distribution allow.

    (a b) y = b (a y)    if a y is there,        f p + f q = f (p + q)    if p + q is there

Of long sums, terms that are cosine and sine of one angle by something are added first, as a
component of a rotated vector; then the largest sum of terms that is there is taken. (SymPy flattens
(c x - s y) + l w to one sum of three terms in an order of its own.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eomc.derive.graph.node import ZERO, Graph


class SharingGraph(Graph):
    """As `Graph`; values differ by rounding."""

    __slots__ = ("_levels", "_totals")

    def __init__(self) -> None:
        super().__init__()
        self._levels: list[int] = []
        self._totals: dict[int, list[tuple[frozenset[int], int]]] = {}

    def _level(self, node: int) -> int:
        """Nodes on the longest way from an input or a constant to `node`."""
        levels = self._levels
        for args in self.args[len(levels) : node + 1]:
            levels.append(1 + max(map(levels.__getitem__, args), default=0))
        return levels[node]

    def _known(self, op: str, x: int, y: int) -> int | None:
        return self._index.get((op, (x, y) if x < y else (y, x)))

    def mul(self, a: int, b: int) -> int:
        """a * b"""
        if self.op[a] == "const" or self.op[b] == "const":
            return super().mul(a, b)
        negative_a, x = self._magnitude(a)
        negative_b, y = self._magnitude(b)
        product = self._known("mul", x, y) or self._regrouped(x, y) or self._regrouped(y, x)
        if product is None:
            return super().mul(a, b)
        return self.neg(product) if negative_a != negative_b else product

    def _regrouped(self, product: int, y: int) -> int | None:
        """(a b) y as b (a y), if a y is there."""
        if self.op[product] != "mul":
            return None
        for a, b in (self.args[product], self.args[product][::-1]):
            inner = None if self.op[a] == "const" else self._known("mul", a, y)
            if inner is not None:
                return super().mul(b, inner)
        return None

    def _sum(self, op: str, x: int, y: int) -> int:
        return self._factored(x, y, op) or super()._sum(op, x, y)

    def _factored(self, x: int, y: int, op: str) -> int | None:
        """f p +- f q as f (p +- q), if p +- q is there."""
        if self.op[x] != "mul" or self.op[y] != "mul" or self._known(op, x, y) is not None:
            return None
        for f, p in (self.args[x], self.args[x][::-1]):
            if f in self.args[y]:
                first, second = self.args[y]
                q = second if first == f else first
                inner = self._known(op, p, q)
                if inner is not None:
                    product = self.mul(f, inner)
                    return (
                        product if self.args[inner] == (p, q) or op == "add" else self.neg(product)
                    )
        return None

    def total(self, terms: Sequence[int]) -> int:
        """Sum of terms."""
        left = [self.mul(self.constant(n), term) for term, n in Counter(terms).items()]
        if len(left) < 3:
            return super().total(left)
        left = self._rotated(left)
        wanted = frozenset(left)
        if len(wanted) < len(left):
            return super().total(left)
        known = [
            entry for term in left for entry in self._totals.get(term, ()) if entry[0] <= wanted
        ]
        held, result = max(known, key=lambda entry: len(entry[0]), default=(frozenset(), ZERO))
        for term in sorted(wanted - held, key=lambda term: (self._level(term), term)):
            result, held = self.add(result, term), held | {term}
            if len(held) > 1:
                self._totals.setdefault(max(held), []).append((held, result))
        return result

    def _rotated(self, terms: list[int]) -> list[int]:
        """The terms, pairs by cosine and sine of one angle added up."""
        found: dict[tuple[str, int], list[int]] = {}
        for term in terms:
            product = self.args[term][0] if self.op[term] == "neg" else term
            for factor in self.args[product] if self.op[product] == "mul" else ():
                if self.op[factor] in ("sin", "cos"):
                    found.setdefault((self.op[factor], self.args[factor][0]), []).append(term)
        for (op, angle), holders in found.items():
            others = found.get(("sin", angle), []) if op == "cos" else []
            if len(holders) == len(others) == 1 and holders != others:
                pair = holders[0], others[0]
                if all(term in terms for term in pair):
                    terms = [term for term in terms if term not in pair]
                    terms.append(self.add(*pair))
        return terms
