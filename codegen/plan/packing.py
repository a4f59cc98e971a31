"""A function on rows: one step of several columns at once, each on a lane of a vector.

The function's part of the graph is written anew, the nodes of a row (`eomc.codegen.plan.columns`)
as one operation on vectors. A lane holds its node or, where the graph moved a sign outwards in that
column alone, its negative: signs multiply in products, those of the terms of a sum must agree on
every lane, and a number that enters a row takes the sign that is asked for. Where they do not
agree, the lane is multiplied by -1.

Operations that lead to and from plain numbers: ``pack`` of a number for each lane, ``put`` of a
number on one lane, ``lane`` of a vector. A number beside a vector stands for all lanes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from eomc.codegen.plan.columns import Lanes, VectorRow, VectorRows
from eomc.codegen.plan.schedule import without_sign
from eomc.codegen.plan.signs import Sign, Signs
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import Graph


@dataclass(frozen=True)
class Operand:
    """One operand of a row: on all lanes the same, a row that numbers are put into, or numbers.

    shared : the node that stands for all lanes
    row : where most lanes come from; None if from nowhere
    zeros : lanes that must hold 0
    """

    lanes: Lanes
    shared: int | None = None
    row: int | None = None
    zeros: frozenset[int] = frozenset()


class _CircularWait(Exception):
    """A row waits for itself."""


class Packing:
    """Writes nodes of ``graph`` into `into`; `scalar` says where a node went.

    statements : operations that the form executes, on vectors and on numbers
    """

    def __init__(
        self,
        graph: Graph,
        nodes: Sequence[int],
        rows: VectorRows,
        width: int,
        results: Iterable[int] = (),
    ) -> None:
        self.graph, self.width = graph, width
        self.rows, self._bodies = dict(enumerate(rows.rows)), rows.bodies
        self.place = dict(rows.place)
        order = self._order(nodes)
        self._minus: dict[int, Sign] = {}  # of the second operand of a sum
        self._known: dict[tuple[int, int], Sign] = {}
        self._free: dict[tuple[Lanes, int | None, int], Sign] = {}
        results = tuple(results)
        self._solve([-1 - unit for unit in order if unit < 0], results, self._taken(order))
        self._negated: set[int] = set()
        self._write(order)
        if negated := self._stored_negated(results):
            self._negated = negated
            self._write(order)

    def _write(self, order: Sequence[int]) -> None:
        self.into = VectorGraph("pack", "lane")
        self.statements = 0
        self._scalars: dict[int, int] = {}
        self._packs: dict[int, int] = {}
        self._zeros: dict[int, set[int]] = {}  # lanes of vectors that hold 0
        for unit in order:
            if unit < 0:
                self._packs[-1 - unit] = self._packed(-1 - unit)
            else:
                self._scalars[unit] = self._copied(unit)

    def _stored_negated(self, results: Iterable[int]) -> set[int]:
        """Numbers that more of what stores them takes as negatives: to compute these saves an
        instruction for each."""
        into = self.into
        storing = [
            args
            for op, args in zip(into.op, into.args, strict=True)
            if op == "pack" or op.startswith("put")
        ]
        counts: Counter[int] = Counter()
        for arg in [*chain.from_iterable(storing), *map(self.scalar, results)]:
            inner = without_sign(into, arg)
            counts[inner] += 1 if inner == arg else -1
        made = {without_sign(into, new): node for node, new in self._scalars.items()}
        return {made[node] for node, count in counts.items() if count < 0 and node in made}

    # -- order -------------------------------------------------------------------------------------

    def _order(self, nodes: Sequence[int]) -> list[int]:
        """Nodes, and rows as negative numbers, operands first; rows in a circle are given up."""
        self._holders: dict[tuple[int, int], list[int]] = {}
        for number, row in self.rows.items():
            for k, node in enumerate(row.members):
                if node is not None:
                    self._holders.setdefault((k, node), []).append(number)
        self._operands = {r: self._both(row) for r, row in self.rows.items()}
        order: list[int] = []
        done: set[int] = set()
        for node in nodes:
            while True:
                try:
                    self._follow(self._unit(node), order, done)
                    break
                except _CircularWait as circle:
                    self._give_up(circle.args[0])
        return order

    def _unit(self, node: int) -> int:
        """A node that stands alone, or its row as a negative number."""
        return -1 - self.place[node][0] if node in self.place else node

    def _follow(self, unit: int, order: list[int], done: set[int]) -> None:
        """Append what a unit waits for, and the unit. What is done waits for no circle."""
        stack = [unit]
        path: dict[int, None] = {}  # units that wait for what is above them
        while stack:
            unit = stack[-1]
            if unit in done:
                stack.pop()
                continue
            waiting = sorted(self._below(unit) - done)
            if not waiting:
                done.add(stack.pop())
                order.append(unit)
                path.pop(unit, None)
                continue
            path[unit] = None
            for other in waiting:
                if other in path:  # nodes alone make no circle: there is a row in it
                    units = list(path)
                    circle = [-1 - each for each in units[units.index(other) :] if each < 0]
                    of_bodies = [number for number in circle if number < self._bodies]
                    ends = [-1 - each for each in (other, unit) if each < 0]
                    raise _CircularWait(max(of_bodies or ends or circle))
            stack += reversed(waiting)

    def _give_up(self, number: int) -> None:
        """Take a row apart; those that it was an operand of look for another."""
        row = self.rows.pop(number)
        for k, node in enumerate(row.members):
            if node is not None:
                self._holders[k, node].remove(number)
                if k not in row.passed:
                    del self.place[node]
        for other, operands in self._operands.items():
            if other in self.rows and number in (operands[0].row, operands[1].row):
                self._operands[other] = self._both(self.rows[other])

    def _below(self, unit: int) -> set[int]:
        """Units that a unit waits for."""
        if unit >= 0:
            return {self._unit(without_sign(self.graph, arg)) for arg in self.graph.args[unit]}
        found: set[int] = set()
        for operand in self._operands[-1 - unit]:
            if operand.row is not None:
                found.add(-1 - operand.row)
            found |= {
                self._unit(node)
                for k, node in enumerate(operand.lanes)
                if node is not None and not self._is_held(operand, k)
            }
        return found

    # -- operands ----------------------------------------------------------------------------------

    def _both(self, row: VectorRow) -> tuple[Operand, Operand]:
        first, second = (self._operand(lanes, row.passed) for lanes in row.operands)
        return first, second

    def _operand(self, lanes: Lanes, passed: frozenset[int]) -> Operand:
        present = [(k, node) for k, node in enumerate(lanes) if node is not None]
        zeros = frozenset(k for k in passed if lanes[k] is None)
        if len({node for _, node in present}) == 1 and not zeros:
            return Operand(lanes, shared=present[0][1])
        counts = Counter(row for place in present for row in self._holders.get(place, ()))
        row = counts.most_common(1)[0][0] if counts else None
        return Operand(lanes, row=row, zeros=zeros)

    def _is_held(self, operand: Operand, lane: int) -> bool:
        """True if a lane comes with the row that the operand is."""
        row = operand.row
        return row is not None and self.rows[row].members[lane] == operand.lanes[lane]

    def _is_constant(self, operand: Operand) -> bool:
        op = self.graph.op
        return all(node is None or op[node] == "const" for node in operand.lanes)

    def _terms(self, row: VectorRow, lane: int) -> tuple[int, int]:
        """Signs of both operands of a member, in the order of the row, as bits."""
        node = row.members[lane]
        assert node is not None
        bits = []
        for k, arg in enumerate(self.graph.args[node]):
            inner = without_sign(self.graph, arg)
            bits.append(int((inner != arg) != (k == 1 and self.graph.op[node] == "sub")))
        first = without_sign(self.graph, self.graph.args[node][0])
        if first != row.operands[0][lane]:
            bits.reverse()
        return bits[0], bits[1]

    # -- signs -------------------------------------------------------------------------------------

    def _sign(self, operand: Operand, lane: int) -> Sign:
        """The exponent of what an operand holds on a lane."""
        if operand.shared is not None:
            return 0, 0
        if operand.row is not None and self._is_held(operand, lane):
            return self._known[operand.row, lane]
        key = self._key(operand, lane)
        if key not in self._free:
            self._free[key] = self._signs.unknown()
        return self._free[key]

    def _key(self, operand: Operand, lane: int) -> tuple[Lanes, int | None, int]:
        """Key of the sign of a lane, where it may be chosen: one for all uses of the operand."""
        return (operand.lanes, operand.row, lane)

    def _solve(self, order: Sequence[int], results: Iterable[int], taken: Iterable[int]) -> None:
        self._signs = Signs()
        for number in order:
            row, (first, second) = self.rows[number], self._operands[number]
            left: dict[int, Sign] = {}
            differences: dict[int, Sign] = {}
            for k, node in enumerate(row.members):
                if node is None or k in row.passed:
                    continue
                a, b = self._terms(row, k)
                x, y = self._sign(first, k), self._sign(second, k)
                x, y = (x[0], x[1] ^ a), (y[0], y[1] ^ b)
                if row.op == "mul":
                    left[k] = x[0] ^ y[0], x[1] ^ y[1]
                else:
                    left[k] = x
                    differences[k] = self._signs.reduced((x[0] ^ y[0], x[1] ^ y[1]))
            if differences:
                surely = [bit for bits, bit in differences.values() if not bits]
                minus = (0, max((0, 1), key=surely.count)) if surely else self._signs.unknown()
                self._minus[number] = minus
                for difference in differences.values():
                    self._signs.equate(difference, minus)
                for k in row.passed:
                    sign = self._sign(first if second.lanes[k] is None else second, k)
                    if first.lanes[k] is None:
                        sign = sign[0] ^ minus[0], sign[1] ^ minus[1]
                    left[k] = sign
            for k, sign in left.items():
                self._known[number, k] = self._signs.reduced(sign)
        self._suit(results)
        self._enter()
        self._suit(taken)
        solution = self._signs.solution()
        self._values = sum(1 << bit for bit, value in solution.items() if value)

    def _enter(self) -> None:
        """Let numbers enter rows as they are."""
        for (lanes, _, lane), sign in self._free.items():
            node = lanes[lane]
            if node is not None and self.graph.op[node] != "const":
                self._signs.equate(sign, (0, 0))

    def _taken(self, order: Sequence[int]) -> Iterator[int]:
        """Nodes that operations on plain numbers take, and those that stand for all lanes."""
        for unit in order:
            if unit >= 0:
                yield from self.graph.args[unit]
            else:
                for operand in self._operands[-1 - unit]:
                    if operand.shared is not None:
                        yield operand.shared

    def _suit(self, results: Iterable[int]) -> None:
        """Choose signs so that what is taken is had as it is, or else all of a row negated."""
        wrong: dict[int, list[Sign]] = {}
        for result in results:
            inner = without_sign(self.graph, result)
            if inner in self.place:
                unknowns, bit = self._known[self.place[inner]]
                sign = unknowns, bit ^ int(inner != result)
                wrong.setdefault(self.place[inner][0], []).append(sign)
        for first, *others in wrong.values():
            for other in others:
                self._signs.equate(first, other)
        for first, *_ in wrong.values():
            self._signs.equate(first, (0, 0))

    def _bit(self, sign: Sign) -> int:
        return ((sign[0] & self._values).bit_count() & 1) ^ sign[1]

    # -- writing -----------------------------------------------------------------------------------

    def scalar(self, node: int) -> int:
        """``node`` as a plain number."""
        inner = without_sign(self.graph, node)
        if inner not in self.place:
            return self._signed(self._scalars[inner], inner != node)
        number, lane = self.place[inner]
        is_negative = (inner != node) != bool(self._bit(self._known[number, lane]))
        return self._signed(self.into.plain(f"lane{lane}", self._packs[number]), is_negative)

    def _signed(self, node: int, is_negative: bool) -> int:
        if not is_negative:
            return node
        if self.into.op[node] == "neg":
            return self.into.args[node][0]
        return self.into.plain("neg", node)

    def _copied(self, node: int) -> int:
        graph, into = self.graph, self.into
        op = graph.op[node]
        if op == "const":
            return into.constant(graph.value[node])
        if op == "symbol":
            return into.symbol(str(graph.value[node]))
        args = tuple(self.scalar(arg) for arg in graph.args[node])
        if op == "neg":
            return self._signed(args[0], True)
        self.statements += 1
        made = into.outward(op, *args)
        if node in self._negated:
            made = into.negated(made)
        if node in graph.labels:
            into.labels[without_sign(into, made)] = graph.labels[node]
        return made

    def _packed(self, number: int) -> int:
        """The operation of a row."""
        row, operands = self.rows[number], self._operands[number]
        first, second = (self._vector(operand) for operand in operands)
        if first not in self.into.vectors and second not in self.into.vectors:
            first = self.into.plain("pack", *(first,) * self.width)
        self.statements += 1
        zeros = [self._zeros.get(vector, set()) for vector in (first, second)]
        if row.op == "mul":
            made = self.into.plain("mul", first, second)
            self._zeros[made] = zeros[0] | zeros[1]
            return made
        minus = bool(self._bit(self._minus[number]))
        wrong = [
            k
            for k, node in enumerate(row.members)
            if node is not None
            and k not in row.passed
            and self._disagrees(row, operands, k) != minus
        ]
        if wrong:
            fix = tuple(-1.0 if k in wrong else 1.0 for k in range(self.width))
            second = self.into.plain("mul", second, self.into.vector_constant(*fix))
            self.statements += 1
        made = self.into.plain("sub" if minus else "add", first, second)
        self._zeros[made] = zeros[0] & zeros[1]
        return made

    def _disagrees(self, row: VectorRow, operands: tuple[Operand, Operand], lane: int) -> bool:
        a, b = self._terms(row, lane)
        x, y = (self._bit(self._sign(operand, lane)) for operand in operands)
        return bool(a ^ x ^ b ^ y)

    def _vector(self, operand: Operand) -> int:
        """An operand as a vector, or the number that stands for all lanes."""
        if operand.shared is not None:
            return self.scalar(operand.shared)
        present = {k: node for k, node in enumerate(operand.lanes) if node is not None}
        if operand.row is None:
            return self._numbers(operand, present)
        made = self._packs[operand.row]
        for k in present:
            if not self._is_held(operand, k):
                made = self._put(made, k, self._on_lane(operand, k))
        for k in sorted(operand.zeros - self._zeros.get(made, set())):
            made = self._put(made, k, self.into.constant(0))
        return made

    def _numbers(self, operand: Operand, present: dict[int, int]) -> int:
        """A number for each lane, 0 where there is none."""
        if self._is_constant(operand):
            numbers = {
                k: (-1.0) ** self._bit(self._sign(operand, k)) * float(self.graph.value[node])  # type: ignore[arg-type]
                for k, node in present.items()
            }
            made = self.into.vector_constant(*(numbers.get(k, 0.0) for k in range(self.width)))
        else:
            values = {k: self._on_lane(operand, k) for k in present}
            known, zero = len(self.into.op), self.into.constant(0)
            made = self.into.plain("pack", *(values.get(k, zero) for k in range(self.width)))
            self.statements += len(present) if made >= known else 0
        self._zeros[made] = set(range(self.width)) - present.keys()
        return made

    def _put(self, vector: int, lane: int, number: int) -> int:
        known = len(self.into.op)
        made = self.into.plain(f"put{lane}", vector, number)
        self.statements += made >= known
        zeros = self._zeros.get(vector, set())
        self._zeros[made] = zeros | {lane} if self.into.number(number) == 0 else zeros - {lane}
        return made

    def _on_lane(self, operand: Operand, lane: int) -> int:
        """The number that enters a lane, with the sign that suits."""
        node = operand.lanes[lane]
        assert node is not None
        return self._signed(self.scalar(node), bool(self._bit(self._sign(operand, lane))))
