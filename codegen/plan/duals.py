"""A function on duals: what a value changes by along a direction, computed beside the value.

A product with a derivative takes every step of a function twice, once for the value and once for
its change: of k x, with a number k that does not change, k x and k dx; of x + y, x + y and dx + dy.
A dual (x, dx) takes both in one instruction. Where both factors change,

    (x y, x dy + y dx) = x (y, dy) + y (0, dx)

and of a component of a rotated vector, n = c x - s y with m = s x + c y
(`eomc.derive.graph.rotations`),

    (n, dn) = c (x, dx) - s (y, dy) - m (0, dangle)

Each sum is built in two parts: first the terms that give its value, then those that its change
alone has. A value that others are multiplied by is taken from the first part and waits for no
change; a sum that is but a term of another hands both parts over.

Where a function has like limbs, too (`eomc.codegen.plan.pairs`), the duals of mirror images a and b
stand side by side, (a, da, s b, s db).

Reference: Clifford, *Preliminary sketch of biquaternions*, Proceedings of the London Mathematical
Society 4 (1873), for dual numbers; Griewank and Walther, *Evaluating Derivatives*, 2nd ed., ch. 3.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from eomc.codegen.plan.changes import ChangingValues, Links
from eomc.codegen.plan.mirror import mirror_pairs
from eomc.codegen.plan.pairs import Pairing, Signed
from eomc.codegen.plan.schedule import LEAVES, without_sign
from eomc.derive.graph import ZERO, Graph, reachable

Operand = tuple[Signed, ...]
"""An operand of a value, or of each of two images."""
Held = tuple[int, int]
"""A node of the new graph, and the sign of the second image there."""
Key = tuple[int, int]
"""Of a sign that may be chosen (`Pairing`)."""
_TWO = 2
"""Images."""


@dataclass
class DualStep:
    """A dual, or the duals of two images, by what they take.

    value : factor, None for 1, argument and key of each term that gives the value
    change : of each term that the change alone has, the factor and whose change it multiplies
    """

    value: list[tuple[Operand | None, Operand, Key]] = field(default_factory=list)
    change: list[tuple[Operand, Operand]] = field(default_factory=list)


class Duals(Pairing):
    """Writes the nodes of ``graph`` below ``roots`` into `into`.

    ``change`` says what nodes change by; like limbs are taken side by side if ``mirrored``.

    statements : operations that the form executes, on vectors and on numbers
    """

    def __init__(
        self,
        graph: Graph,
        roots: Sequence[int],
        place: Mapping[int, str],
        change: Mapping[int, int],
        *,
        mirrored: bool,
    ) -> None:
        self._begin(graph)
        self.changes = ChangingValues(graph, roots, change)
        self._values: dict[int, Held] = {}
        self._begun: set[int] = set()
        self._wholes: dict[int, Held] = {}
        self._steps: dict[int, DualStep] = {}
        duals = self.changes.duals
        nodes = reachable(graph, [*roots, *sorted(duals)])
        found = mirror_pairs(graph, nodes, dict(place)) if mirrored else {}
        alike = {a: b for a, b in found.items() if (a in duals) == (b in duals)}
        for row in self._rows(nodes, alike):
            self._build(row)
        written = reachable(self.into, [self.scalar(root) for root in roots])
        self.statements = sum(not _is_free(self.into.op[node]) for node in written)

    # -- steps -------------------------------------------------------------------------------------

    def _step(self, first: int) -> DualStep:
        """Of a dual or of two that are images."""
        if first not in self._steps:
            row = self._members(first)
            turns = [self.changes.turn(node) for node in row]
            if all(turns):
                self._steps[first] = self._turned(first, turns)
            elif self.graph.op[first] == "mul":
                self._steps[first] = self._product(first, self._sides(row))
            else:
                sides = self._sides(row)
                self._steps[first] = DualStep([(None, x, (first, k)) for k, x in enumerate(sides)])
        return self._steps[first]

    def _sides(self, row: tuple[int, ...]) -> list[Operand]:
        """Operands, those of images side by side."""
        if len(row) == 1:
            return [(term,) for term in self._terms(row[0])]
        return list(self._operands[row[0]])

    def _turned(self, first: int, turns: list[Links]) -> DualStep:
        if len(turns) == _TWO:
            (_, f), *_ = turns[0]
            one, other, last = turns[1]
            inner = [without_sign(self.graph, n) for n in (f, one[1])]
            if self.graph.op[inner[0]] != self.graph.op[inner[1]]:  # a sine beside a cosine
                turns = [turns[0], [other, one, last]]
        terms = [
            (self._signed([f for _, f in links]), self._signed([x for x, _ in links]))
            for links in zip(*turns, strict=True)
        ]
        products = [without_sign(self.graph, arg) for arg in self.graph.args[first]]
        step = DualStep(
            [(f, x, self._key(m, x)) for m, (f, x) in zip(products, terms[:2], strict=True)]
        )
        if any(x in self.changes.of for _, x in terms[2][1]):
            step.change.append(terms[2])
        return step

    def _key(self, product: int, operand: Operand) -> Key:
        """Of the sign of a number that a product has for operand."""
        args = [without_sign(self.graph, arg) for arg in self.graph.args[product]]
        return product, args.index(operand[0][1])

    def _signed(self, nodes: Iterable[int]) -> Operand:
        found = []
        for node in nodes:
            inner = without_sign(self.graph, node)
            found.append((1 if inner == node else -1, inner))
        return tuple(found)

    def _product(self, first: int, sides: list[Operand]) -> DualStep:
        """x y with the factor first that has no change, or whose change alone is used more."""
        moving = [any(x in self.changes.of for _, x in side) for side in sides]
        products, duals = self.changes.products, self.changes.duals
        ranks = [
            (moves, x in duals, -products[x])
            for moves, ((_, x), *_) in zip(moving, sides, strict=True)
        ]
        k = int(ranks[1] < ranks[0])
        factor, argument = sides[k], sides[1 - k]
        step = DualStep([(factor, argument, (first, k))])
        if all(moving):
            step.change.append((argument, factor))
        return step

    # -- building ----------------------------------------------------------------------------------

    def _build(self, row: tuple[int, ...]) -> None:
        first = row[0]
        if first in self.changes.duals:
            if not self.changes.is_inside(row):
                self._whole(first)
        elif not self.changes.numbers.isdisjoint(row):
            for node in row:
                self.scalar(node)

    def _value(self, first: int) -> Held:
        """Terms of a dual that give its value."""
        if first not in self._values:
            self._begun.add(first)
            terms: list[Held] = []
            for factor, argument, key in sorted(self._step(first).value, key=self._is_last):
                if factor is None:
                    terms.append(self._argument(argument, key, terms))
                else:
                    terms.append(self._times(self._twice(factor, key), self._dual(argument, key)))
            self._values[first] = self._total(terms)
        return self._values[first]

    def _is_near(self, first: int) -> bool:
        """False where a value is wanted on the way to it, such as by what a quotient changes by:
        there it is computed as a number."""
        return first in self._values or first not in self._begun

    def _is_last(self, term: tuple[Operand | None, Operand, Key]) -> bool:
        """True for two numbers in a sum, which take the sign of the other term."""
        factor, ((_, x), *_), _ = term
        return factor is None and self.graph.op[x] == "const"

    def _argument(self, argument: Operand, key: Key, before: Sequence[Held]) -> Held:
        if len(argument) == _TWO and before:
            (mine, x), (other, y) = argument
            if self._is_constant(x, y):
                sign = before[0][1] * mine * other
                return self._with_signs(self._constants(x, y, sign), argument)
        row = self._dual_row(argument)
        if row and self.changes.is_inside(row):
            return self._with_signs(self._value(row[0]), argument)
        return self._dual(argument, key)

    def _changes(self, first: int) -> list[Held]:
        """Terms that only the change has."""
        step = self._step(first)
        found = [
            self._times(self._twice(f, (first, 2)), self._change_alone(x)) for f, x in step.change
        ]
        for factor, argument, _ in step.value:
            row = self._dual_row(argument)
            if factor is None and row and self.changes.is_inside(row):
                found += [self._with_signs(term, argument) for term in self._changes(row[0])]
        return found

    def _whole(self, first: int) -> Held:
        """A dual, or two side by side."""
        if first not in self._wholes:
            made = self._total([self._value(first), *self._changes(first)])
            self._wholes[first] = made
            if first in self.graph.labels:
                inner = without_sign(self.into, made[0])
                self.into.labels[inner] = f"{self.graph.labels[first]}, and its change"
        return self._wholes[first]

    def _total(self, terms: Sequence[Held]) -> Held:
        (total, sign), *others = terms
        for node, s in others:
            total = self.into.outward("add", total, node if s == sign else self._fixed(node))
        return total, sign

    def _times(self, factor: Held, dual: Held) -> Held:
        (f, s), (x, t) = factor, dual
        return self.into.outward("mul", f, x), s * t

    def _fixed(self, node: int) -> int:
        if self.into.vectors.get(node) != 2 * _TWO:
            return super()._fixed(node)
        made = self.into.plain("mul", node, self.into.vector_constant(1.0, 1.0, -1.0, -1.0))
        self._changed.add(made)
        return made

    def _with_signs(self, held: Held, operand: Operand) -> Held:
        """Nodes of an operand, with the operand's signs."""
        node, sign = held
        (mine, _), *images = operand
        for other, _ in images:
            sign *= mine * other
        return self._negative_of(node) if mine < 0 else node, sign

    def _negative_of(self, node: int) -> int:
        inner = without_sign(self.into, node)
        return inner if inner != node else self.into.plain("neg", node)

    # -- operands of duals -------------------------------------------------------------------------

    def _dual_row(self, operand: Operand) -> tuple[int, ...]:
        """The duals that an operand is; none if it is put together."""
        nodes = tuple(x for _, x in operand)
        return nodes if nodes[0] in self.changes.duals and self._members(nodes[0]) == nodes else ()

    def _beside(self, operand: Operand, key: Key) -> Held:
        """Values of an operand, as one number or side by side."""
        (_, x), *other = operand
        if not other:
            return self._with_signs((self.scalar(x), 1), operand)
        ((_, y),) = other
        sign = self._sign((x, y) if self._is_gathered(x, y) else key)
        return self._with_signs(self._lanes(x, y, sign), operand)

    def _twice(self, operand: Operand, key: Key) -> Held:
        """Values for the product with duals: each on both lanes of its dual."""
        into = self.into
        row = self._dual_row(operand)
        if len(row) == _TWO and self._is_near(row[0]):
            node, sign = self._value(row[0])
            return self._with_signs((into.shuffled(node, "0022"), sign), operand)
        node, sign = self._beside(operand, key)
        return self._spread(node), sign

    def _spread(self, node: int) -> int:
        """A pair on four lanes, each number twice; a number stays one."""
        into = self.into
        if node not in into.vectors:
            return node
        if into.op[node] == "const":
            one, other = cast("tuple[float, float]", into.value[node])
            return into.vector_constant(one, one, other, other)
        return into.shuffled(node, "0011")

    def _dual(self, operand: Operand, key: Key) -> Held:
        """An operand with its change."""
        into = self.into
        row = self._dual_row(operand)
        if row:
            return self._with_signs(self._whole(row[0]), operand)
        if len(operand) == 1:
            ((_, x),) = operand
            return self._with_signs((self._single(x), 1), operand)
        (_, x), (_, y) = operand
        if self._is_constant(x, y):
            return self._with_signs(self._constants(x, y, self._sign(key)), operand)
        if self._members(x) == (x, y) and x not in self.changes.duals:
            return self._with_signs(self._joined(x, y), operand)
        if self.graph.op[x] == self.graph.op[y] == "symbol":
            numbers = [self.scalar(n) for z in (x, y) for n in (z, self.changes.of.get(z, ZERO))]
            made = into.plain("pair", *numbers)
        else:
            made = into.shuffled(self._single(x), "0123", self._single(y))
        sign = self._sign((x, y))
        return self._with_signs((made if sign > 0 else self._fixed(made), sign), operand)

    def _constants(self, x: int, y: int, sign: int) -> Held:
        node, sign = self._lanes(x, y, sign)
        found: Any = self.into.value[node]
        one, other = found if node in self.into.vectors else (found, found)
        return self.into.vector_constant(one, 0.0, other, 0.0), sign

    def _joined(self, x: int, y: int) -> Held:
        """Two images that are a pair, with their changes."""
        node, sign = self._pack(x)
        changes = self._signed(self.changes.of.get(each, ZERO) for each in (x, y))
        dots: int = self.into.vector_constant(0.0, 0.0)
        if any(dot != ZERO for _, dot in changes):
            dots, other = self._beside(changes, (x, y))
            if dots not in self.into.vectors:
                dots = self.into.plain("pair", dots, dots)
            dots = dots if other == sign else self._fixed(dots)
        return self.into.shuffled(node, "0213", dots), sign

    def _single(self, node: int) -> int:
        """One value with its change."""
        number = self.graph.number(node)
        if number is not None:
            return self.into.vector_constant(float(number), 0.0)
        if node not in self.changes.duals:
            change = self.changes.of.get(node, ZERO)
            return self.into.plain("pair", self.scalar(node), self.scalar(change))
        members = self._members(node)
        made, sign = self._whole(members[0])
        if len(members) == 1:
            return made
        half = self.into.shuffled(made, "01" if node == members[0] else "23")
        return self._negative_of(half) if node != members[0] and sign < 0 else half

    def _change_alone(self, operand: Operand) -> Held:
        """(0, dx)"""
        into = self.into
        row = self._dual_row(operand)
        if row:
            node, sign = self._whole(row[0])
            inner = without_sign(into, node)
            made = into.plain("mul", inner, into.vector_constant(*[0.0, 1.0] * len(row)))
            made = made if inner == node else self._negative_of(made)
            return self._with_signs((made, sign), operand)
        changes = self._signed(self.changes.of.get(x, ZERO) for _, x in operand)
        node, sign = self._beside(changes, (changes[0][1], 0))
        if node in into.vectors:
            zeros = into.vector_constant(0.0, 0.0)
            made = into.shuffled(zeros, "0213", node)
        else:
            made = into.plain("pair", *[into.constant(0), node] * len(operand))
        return self._with_signs((made, sign), operand)

    # -- plain numbers and pairs -------------------------------------------------------------------

    def scalar(self, node: int) -> int:
        """``node`` as a plain number."""
        if node not in self._scalars:
            self._scalars[node] = self._number(node)
        return self._scalars[node]

    def _number(self, node: int) -> int:
        sign, value = self._whose(node)
        if value is not None:
            made = self._lane(self._whole(self._members(value)[0]), value, 1)
            return made if sign > 0 else self._negative_of(made)
        members = self._members(node)
        first = members[0]
        if node in self.changes.duals and self._is_near(first):
            return self._lane(self._value(first), node, 0)
        if len(members) == _TWO and node not in self.changes.duals:
            self._pack(first)
            return super().scalar(node)
        op = self.graph.op[node]
        if op in LEAVES or op == "neg":
            return self._copied(node)
        args = [self.scalar(arg) for arg in self.graph.args[node]]
        made = self.into.outward(op, *args)
        if node in self.graph.labels:
            self.into.labels[without_sign(self.into, made)] = self.graph.labels[node]
        return made

    def _whose(self, node: int) -> tuple[int, int | None]:
        """The dual that ``node`` is the change of, and with what sign."""
        sign, value = self.changes.value.get(node, (1, -1))
        return sign, (value if value in self.changes.duals else None)

    def _lane(self, held: Held, node: int, part: int) -> int:
        """A value (``part`` 0) or its change (1) out of a dual."""
        vector, sign = held
        members = self._members(node)
        place = members.index(node)
        inner = without_sign(self.into, vector)
        made = self.into.plain(f"lane{2 * place + part}", inner)
        is_negative = (inner != vector) != (place == 1 and sign < 0)
        return self._negative_of(made) if is_negative else made

    def _pack(self, first: int) -> Held:
        if first not in self._packs:
            self._packs[first] = self._pair_of(first)
        return self._packs[first]

    def _pair_of(self, first: int) -> Held:
        """Two images as a pair: out of duals, or computed."""
        second = self.second[first]
        if first in self.changes.duals and self._is_near(first):
            node, sign = self._value(first)
            return self.into.shuffled(node, "02"), sign
        (mine, x), (other, y) = self._whose(first), self._whose(second)
        if x is None and y is None and first not in self.changes.duals:
            return self._packed(first)
        if first in self.changes.duals or x is None or self.second.get(x) != y:
            return self.into.plain("pair", self.scalar(first), self.scalar(second)), 1
        node, sign = self._whole(x)
        node = self.into.shuffled(node, "13")
        return (node if mine > 0 else self._negative_of(node)), sign * mine * other

    def _free_signs(self, packs: list[int]) -> set[Key]:
        """A change is computed as a part of its dual, not from parts of its own."""
        parts = self.changes.moved - self.changes.numbers
        return super()._free_signs(
            [a for a in packs if a not in parts or self._whose(a)[1] in self.second]
        )

    def _followed(self, first: int) -> tuple[int, list[tuple[int, Key, int]]]:
        _, value = self._whose(first)
        if value is None or value not in self.second:
            return -1, []
        products = []
        for slopes, angles in self._step(value).change:
            (one, x), (other, y) = self._signed(
                self.changes.of.get(angle, ZERO) for _, angle in angles
            )
            if self.graph.op[x] == self.graph.op[y] == "symbol":
                sign = one * other
                for (mine, _), (theirs, _) in zip(slopes, angles, strict=True):
                    sign *= mine * theirs
                products.append((slopes[0][1], (x, y), sign))
        return value, products


def _is_free(op: str) -> bool:
    return op in LEAVES or op in ("neg", "low", "high") or op.startswith("lane")
