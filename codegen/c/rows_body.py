"""The body of one emitted function on rows: one step of several columns of a matrix at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from eomc.codegen.c.language import C99
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.expression import ATOM, LOOSE, SIGNED, Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import WIDEST, angles_first
from eomc.codegen.plan.bodies import Bodies
from eomc.codegen.plan.columns import VectorRows, seeds, swept
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.packing import Packing
from eomc.codegen.plan.partition import FunctionPartition, PieceLimits
from eomc.codegen.plan.rewritten import rewritten
from eomc.codegen.plan.schedule import LEAVES, MERGED, Schedule, schedule, without_sign
from eomc.codegen.plan.stored import Stored, through_memory
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import reachable
from eomc.derive.graph.tuning import COUNTED_VECTOR

_TAKEN = frozenset(f"lane{k}" for k in range(16))


@dataclass(frozen=True)
class OnRows:
    """A function whose nodes are those of a graph with rows.

    width : numbers of a row; statements : operations on rows and on numbers
    """

    entry: EmittedFunction
    graph: VectorGraph
    width: int
    statements: int


def on_rows(language: C99, entry: EmittedFunction, width: int, *, is_long: bool = True) -> OnRows:
    """``entry`` on rows of so many columns, as far as its outputs have like ones; of so many bodies
    too where it is long enough that they need not wait for each other."""
    graph, function = language.face.program.graph, entry.function
    nodes = reachable(graph, function.nodes)
    outputs = [(port.argument.entries, port.argument.shape) for port in entry.outputs]
    starts = [*seeds(outputs, width), *swept(graph, nodes, width)]
    rows = VectorRows(graph, nodes, starts, Bodies(graph, nodes).rows(width) if is_long else ())
    made = Packing(graph, nodes, rows, width, function.nodes)
    written = rewritten(entry, graph, made.into, made.scalar)
    return OnRows(written, made.into, width, made.statements)


class RowWriter(ScalarWriter):
    """Writes one function on rows; in the work array they follow the plain numbers."""

    graph: VectorGraph

    def __init__(
        self,
        language: C99,
        made: OnRows,
        limits: PieceLimits,
        *,
        is_short: bool = False,
        slab: int = 0,
    ) -> None:
        self.width = made.width
        self.row_type = f"{language.face.prefix}_row{made.width}"
        super().__init__(language, made.entry, limits, made.graph, is_short=is_short, slab=slab)
        angles = self.angles
        ahead = set(angles.nodes) if angles is not None else set()
        free = [node for node in self.parts.slots if node not in ahead]
        slots = self.parts.slots
        rows = sorted({slots[node] for node in free if node in self.graph.vectors})
        numbers = sorted({slots[node] for node in free if node not in self.graph.vectors})
        first = 0 if angles is None else 3 * angles.length
        self._row_slot = {slot: first + made.width * k for k, slot in enumerate(rows)}
        first += made.width * len(rows)
        self._number_slot = {slot: first + k for k, slot in enumerate(numbers)}
        self._length = first + len(numbers)

    def _schedule(self) -> Schedule:
        plan = schedule(self.graph, self.entry.function.nodes, MERGED | _TAKEN, slab=self.slab)
        plan, self.angles = angles_first(self.graph, plan, WIDEST // self.face.real.bytes)
        return plan

    def _partition(self, kept: list[int], limits: PieceLimits) -> FunctionPartition:
        parts = super()._partition(kept, limits)
        self.stored: Stored | None = None
        if len(parts.pieces) == 1:
            return parts
        results = {without_sign(self.graph, node) for node in self.entry.function.nodes}
        turned = self.angles.nodes if self.angles is not None else []
        stored = through_memory(self.graph, self.plan, results, turned)
        shorter = self._parted(stored.alive, kept, limits, stored)
        if len(shorter.pieces) == 1:  # whole, it would have no array to read from
            return parts
        self.stored, self.plan = stored, stored.plan
        return shorter

    def _expressions(self) -> "RowExpressions":
        references = {node: text for node, (text, _) in self.sources.items()}
        writer = RowExpressions(self.graph, self.language, references | self._gone)
        writer.lanes = self._lanes
        writer.row_type, writer.put = self.row_type, f"{self.face.prefix}_put{self.width}"
        return writer

    @cached_property
    def _inputs(self) -> Expressions:
        """Writer of inputs and constants."""
        references = {node: text for node, (text, _) in self.sources.items()}
        return Expressions(self.graph, self.language, references)

    @cached_property
    def _gone(self) -> dict[int, str]:
        """Texts of what needs no statement."""
        return {} if self.stored is None else {n: self._found(n) for n in self.stored.gone}

    @cached_property
    def _lanes(self) -> dict[int, str]:
        """Texts of lanes that stand in the work array."""
        return {} if self.stored is None else {n: self._found(n) for n in self.stored.lanes}

    def _variable(self, node: int, text: str) -> str:
        if node in self.graph.vectors:
            return f"    const {self.row_type} {self.names[node]} = {text};"
        return super()._variable(node, text)

    def _slot(self, node: int) -> str:
        if self.angles is not None and node in self.angles.nodes:
            return self._turned("work", node)
        if self.stored is not None and (home := self.stored.home(node)):
            return self._lane(*home)
        slot = self.parts.slots[node]
        if node in self.graph.vectors:
            return f"{self.face.macro}_ROW{self.width}_AT(work, {self._row_slot[slot]})"
        return self.language.item("work", self._number_slot[slot])

    def _is_there(self, node: int) -> bool:
        return super()._is_there(node) or (
            self.stored is not None and self.stored.home(node) is not None
        )

    @property
    def _wide(self) -> str | None:
        is_wide = self.width * self.face.real.bytes == COUNTED_VECTOR
        return f"{self.face.macro}_ROW{self.width}_AT" if is_wide else None

    def _found(self, node: int) -> str:
        """A lane or a row where it stands in the work array."""
        assert self.stored is not None
        if node not in self.stored.lanes:
            return self._slot(node)
        row, lane, negated = self.stored.lanes[node]
        return f"(-{self._lane(row, lane)})" if negated else self._lane(row, lane)

    def _lane(self, row: int, lane: int) -> str:
        """A number in the work array, as part of a row."""
        return self.language.item("work", self._row_slot[self.parts.slots[row]] + lane)

    def _saved(self, node: int, name: str) -> list[str]:
        stored = self.stored
        if stored is None or node not in stored.places:
            return super()._saved(node, name)
        lines: list[str] = []
        for pack in stored.begins.get(node, ()):
            lines += self._blank(pack)
        for pack, lane, negated in stored.places[node]:
            text = f"-{name}" if negated else name
            lines.append(INDENT + self.language.assignment(self._lane(pack, lane), text))
        return lines if stored.home(node) else [*lines, *super()._saved(node, name)]

    def _blank(self, pack: int) -> list[str]:
        """Statement of the lanes of a row that no other stores."""
        leaves = [without_sign(self.graph, arg) for arg in self.graph.args[pack]]
        if all(self.graph.op[arg] not in LEAVES for arg in leaves):
            return []
        texts = [
            self._inputs.operand(arg) if self.graph.op[leaf] in LEAVES else self.language.zero
            for arg, leaf in zip(self.graph.args[pack], leaves, strict=True)
        ]
        row = f"({self.row_type}){{{', '.join(texts)}}}"
        return [INDENT + self.language.assignment(self._slot(pack), row)]

    def _work_length(self) -> int:
        return self._length

    def _work_array(self, size: int) -> list[str]:
        return [self.language.aligned_array("work", size)]

    def body(self) -> FunctionText:
        body = super().body()
        numbers = self._length + self.width * self.parts.live
        if self.angles is not None and not self.is_cut:
            numbers += 3 * self.angles.length
        return replace(body, stack=stack_bound(numbers, self.face.real))


class RowExpressions(Expressions):
    """Writes nodes as vectors and as plain numbers."""

    graph: VectorGraph
    language: C99
    row_type: str
    put: str
    lanes: Mapping[int, str] = MappingProxyType({})
    """Text of lanes that stand in the work array."""

    def operand(self, node: int, loosest: int = LOOSE) -> str:
        if node in self.graph.vectors and self.graph.op[node] == "const":
            numbers: Any = self.graph.value[node]
            return self._row([self.language.number(number) for number in numbers])
        return super().operand(node, loosest)

    def _row(self, numbers: list[str]) -> str:
        return f"({self.row_type}){{{', '.join(numbers)}}}"

    def written(self, node: int) -> tuple[str, int]:
        op, args = self.graph.op[node], self.graph.args[node]
        if node in self.lanes:
            return self.lanes[node], ATOM
        if op == "pack":
            return self._row([self.operand(arg) for arg in args]), SIGNED
        if op.startswith("put"):
            vector, number = (self.operand(arg) for arg in args)
            return f"{self.put}({vector}, {op.removeprefix('put')}, {number})", ATOM
        if op.startswith("lane"):
            return f"{self.operand(args[0], ATOM)}[{op.removeprefix('lane')}]", ATOM
        return super().written(node)
