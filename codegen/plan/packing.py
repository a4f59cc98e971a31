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
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eomc.codegen.plan.columns import Lanes, Row, Rows
from eomc.codegen.plan.schedule import without_sign
from eomc.codegen.plan.signs import Sign, Signs
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import Graph


@dataclass(frozen=True)
class Operand:
    """One operand of a row: on all lanes the same, a row that numbers are put into, or numbers.

    shared : the node that stands for all lanes
    row : where most lanes come from; None if from nowhere
    """

    lanes: Lanes
    shared: int | None = None
    row: int | None = None


class _Circle(Exception):
    """A row waits for itself."""


class Packing:
    """Writes nodes of ``graph`` into `into`; `scalar` says where a node went.

    statements : operations that the form executes, on vectors and on numbers
    """

    def __init__(self, graph: Graph, nodes: Sequence[int], rows: Rows, width: int, results: Iterable[int] = ()) -> None:
        self.graph, self.into, self.width = graph, VectorGraph("pack", "lane"), width
        self.rows = dict(enumerate(rows.rows))
        self.place = dict(rows.place)
        self.statements = 0
        self._scalars: dict[int, int] = {}
        self._packs: dict[int, int] = {}
        order = self._order(nodes)
        self._operands = {r: self._both(row) for r, row in self.rows.items()}
        self._differs: set[int] = set()  # rows that subtract
        self._known: dict[int, Sign] = {}
        self._free: dict[object, Sign] = {}
        self._solve([-1 - unit for unit in order if unit < 0], results)
        for unit in order:
            if unit < 0:
                self._packs[-1 - unit] = self._packed(-1 - unit)
            else:
                self._scalars[unit] = self._copied(unit)

    # -- order -------------------------------------------------------------------------------------

    def _order(self, nodes: Sequence[int]) -> list[int]:
        """Nodes, and rows as negative numbers, operands first; rows in a circle are given up."""
        while True:
            try:
                return self._sorted(nodes)
            except _Circle as circle:
                row = self.rows.pop(circle.args[0])
                for node in row.members:
                    if node is not None:
                        del self.place[node]

    def _sorted(self, nodes: Iterable[int]) -> list[int]:
        args, place, rows = self.graph.args, self.place, self.rows
        order: list[int] = []
        done: dict[int, bool] = {}
        stack: list[int] = []
        path: list[int] = []  # units that wait for what is above them
        for node in nodes:
            stack.append(-1 - place[node][0] if node in place else node)
            while stack:
                unit = stack[-1]
                if done.get(unit):
                    stack.pop()
                    continue
                members = rows[-1 - unit].members if unit < 0 else (unit,)
                below = {
                    -1 - place[arg][0] if arg in place else arg
                    for member in members if member is not None
                    for arg in (without_sign(self.graph, a) for a in args[member])
                }  # fmt: skip
                waiting = sorted(b for b in below if not done.get(b))
                if not waiting:
                    done[stack.pop()] = True
                    order.append(unit)
                    if path and path[-1] == unit:
                        path.pop()
                    continue
                done[unit] = False
                path.append(unit)
                for other in waiting:
                    if other in done:  # nodes alone make no circle: there is a row in it
                        ends = min(other, unit)
                        raise _Circle(-1 - (ends if ends < 0 else min(path[path.index(other) :])))
                stack += reversed(waiting)
        return order

    # -- operands ----------------------------------------------------------------------------------

    def _both(self, row: Row) -> tuple[Operand, Operand]:
        return self._operand(row.operands[0]), self._operand(row.operands[1])

    def _operand(self, lanes: Lanes) -> Operand:
        present = [(k, node) for k, node in enumerate(lanes) if node is not None]
        if len({node for _, node in present}) == 1:
            return Operand(lanes, shared=present[0][1])
        counts = Counter(
            place[0]
            for k, node in present
            if (place := self.place.get(node)) is not None and place[1] == k
        )
        return Operand(lanes, row=counts.most_common(1)[0][0] if counts else None)

    def _is_constant(self, operand: Operand) -> bool:
        op = self.graph.op
        return all(node is None or op[node] == "const" for node in operand.lanes)

    def _terms(self, row: Row, lane: int) -> tuple[int, int]:
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
        node = operand.lanes[lane]
        assert node is not None
        if operand.row is not None and self.place.get(node) == (operand.row, lane):
            return self._known[node]
        key = self._key(operand, lane)
        if key not in self._free:
            self._free[key] = self._signs.unknown()
        return self._free[key]

    def _key(self, operand: Operand, lane: int) -> tuple[object, ...]:
        """Which sign that may be chosen a lane has: one for all uses of the operand."""
        return (operand.lanes, operand.row, lane)

    def _solve(self, order: Sequence[int], results: Iterable[int]) -> None:
        self._signs = Signs()
        for number in order:
            row, (first, second) = self.rows[number], self._operands[number]
            left: dict[int, Sign] = {}
            differences: dict[int, Sign] = {}
            for k, node in enumerate(row.members):
                if node is None:
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
                minus = max((0, 1), key=surely.count) if surely else 0
                if minus:
                    self._differs.add(number)
                for difference in differences.values():
                    self._signs.equate(difference, (0, minus))
            for k, sign in left.items():
                node = row.members[k]
                assert node is not None
                self._known[node] = self._signs.reduced(sign)
        for result in results:
            inner = without_sign(self.graph, result)
            if inner in self._known:
                self._signs.equate(self._known[inner], (0, int(inner != result)))
        solution = self._signs.solution()
        self._values = sum(1 << bit for bit, value in solution.items() if value)

    def _bit(self, sign: Sign) -> int:
        return ((sign[0] & self._values).bit_count() & 1) ^ sign[1]

    # -- writing -----------------------------------------------------------------------------------

    def scalar(self, node: int) -> int:
        """``node`` as a plain number."""
        inner = without_sign(self.graph, node)
        if inner not in self.place:
            return self._signed(self._scalars[inner], inner != node)
        number, lane = self.place[inner]
        pack = self._packs[number]
        if (inner != node) != bool(self._bit(self._known[inner])):
            pack = self.into.plain("neg", pack)  # once for all lanes
        return self.into.plain(f"lane{lane}", pack)

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
        made = into.plain(op, *args)
        if node in graph.labels:
            into.labels[made] = graph.labels[node]
        return made

    def _packed(self, number: int) -> int:
        """The operation of a row."""
        row, operands = self.rows[number], self._operands[number]
        first, second = (self._vector(operand) for operand in operands)
        if first not in self.into.vectors and second not in self.into.vectors:
            first = self.into.plain("pack", *(first,) * self.width)
        self.statements += 1
        if row.op == "mul":
            return self.into.plain("mul", first, second)
        minus = number in self._differs
        wrong = [
            k
            for k, node in enumerate(row.members)
            if node is not None and self._disagrees(row, operands, k) != minus
        ]
        if wrong:
            fix = tuple(-1.0 if k in wrong else 1.0 for k in range(self.width))
            second = self.into.plain("mul", second, self.into.vector_constant(*fix))
            self.statements += 1
        return self.into.plain("sub" if minus else "add", first, second)

    def _disagrees(self, row: Row, operands: tuple[Operand, Operand], lane: int) -> bool:
        a, b = self._terms(row, lane)
        x, y = (self._bit(self._sign(operand, lane)) for operand in operands)
        return bool(a ^ x ^ b ^ y)

    def _vector(self, operand: Operand) -> int:
        """An operand as a vector, or the number that stands for all lanes."""
        if operand.shared is not None:
            return self.scalar(operand.shared)
        present = {k: node for k, node in enumerate(operand.lanes) if node is not None}
        if operand.row is not None:
            made = self._packs[operand.row]
            for k, node in present.items():
                if self.place.get(node) != (operand.row, k):
                    made = self._put(made, k, self._on_lane(operand, k))
            return made
        some = next(iter(present))
        if self._is_constant(operand):
            numbers = {
                k: (-1.0) ** self._bit(self._sign(operand, k)) * float(self.graph.value[node])  # type: ignore[arg-type]
                for k, node in present.items()
            }
            return self.into.vector_constant(
                *(numbers.get(k, numbers[some]) for k in range(self.width))
            )
        values = {k: self._on_lane(operand, k) for k in present}
        known = len(self.into.op)
        made = self.into.plain("pack", *(values.get(k, values[some]) for k in range(self.width)))
        self.statements += len(present) if made >= known else 0
        return made

    def _put(self, vector: int, lane: int, number: int) -> int:
        known = len(self.into.op)
        made = self.into.plain(f"put{lane}", vector, number)
        self.statements += made >= known
        return made

    def _on_lane(self, operand: Operand, lane: int) -> int:
        """The number that enters a lane, with the sign that suits."""
        node = operand.lanes[lane]
        assert node is not None
        return self._signed(self.scalar(node), bool(self._bit(self._sign(operand, lane))))
