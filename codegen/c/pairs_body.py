"""The body of one emitted function on pairs: two like limbs side by side, on vectors of two."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from eomc.codegen.c.language import C99
from eomc.codegen.c.scalar_body import ScalarWriter
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.expression import ATOM, LOOSE, SIGNED, Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import WIDEST, LeadingAngles, angles_first
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.pairs import Counts, Pairing
from eomc.codegen.plan.partition import FunctionPartition, PieceLimits, partition
from eomc.codegen.plan.rewritten import rewritten
from eomc.codegen.plan.schedule import MERGED, Schedule, schedule
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import reachable


class Rewritten(Protocol):
    """A function whose nodes are those of a graph with vectors."""

    @property
    def entry(self) -> EmittedFunction: ...

    @property
    def graph(self) -> VectorGraph: ...


@dataclass(frozen=True)
class Paired:
    """A function whose nodes are those of a graph with pairs, and what pairing took."""

    entry: EmittedFunction
    graph: VectorGraph
    counts: Counts


def paired(language: C99, entry: EmittedFunction) -> Paired:
    """``entry`` on pairs, as far as it has mirror images."""
    graph, function = language.face.program.graph, entry.function
    place = {node: port.name for port in entry.inputs for node in port.argument.entries}
    made = Pairing(graph, reachable(graph, function.nodes), place)
    return Paired(rewritten(entry, graph, made.into, made.scalar), made.into, made.counts)


class PairWriter(ScalarWriter):
    """Writes one function on pairs; a slot of the work array holds a pair, or one number."""

    graph: VectorGraph
    stride = 2
    """Numbers of a slot."""

    def __init__(
        self,
        language: C99,
        made: "Rewritten",
        limits: PieceLimits,
        *,
        is_short: bool = False,
        slab: int = 0,
    ) -> None:
        super().__init__(language, made.entry, limits, made.graph, is_short=is_short, slab=slab)

    def _schedule(self) -> Schedule:
        plan = schedule(
            self.graph, self.entry.function.nodes, MERGED | {"pair", "low", "high"}, slab=self.slab
        )
        numbers = WIDEST // self.face.real.bytes
        plan, self.angles = angles_first(self.graph, plan, numbers, self.graph.vectors)
        return plan

    def _partition(self, kept: list[int], limits: PieceLimits) -> FunctionPartition:
        angles = self.angles
        nodes = [] if angles is None else angles.nodes
        return partition(
            self.plan,
            kept,
            whole_limit=limits.whole,
            piece_size=limits.piece,
            opening=0 if angles is None else angles.opening,
            placed={node: k for k, node in enumerate(nodes)},
            reserved=0 if angles is None else 3 * angles.length // self.stride,
        )

    def _expressions(self) -> "PairExpressions":
        references = {node: text for node, (text, _) in self.sources.items()}
        return PairExpressions(self.graph, self.language, references)

    def _variable(self, node: int, text: str) -> str:
        if node in self.graph.vectors:
            return f"{INDENT}const {self.language.pair_type} {self.names[node]} = {text};"
        return super()._variable(node, text)

    def _sines_and_cosines(self, writer: Expressions, angles: list[int]) -> list[str]:
        """Of a pair that the opening does not turn, number by number."""
        opening = self.angles is not None and angles is self.angles.nodes
        if opening or angles[0] not in self.graph.vectors:
            return super()._sines_and_cosines(writer, angles)
        assert isinstance(writer, PairExpressions)
        sine, cosine = sorted(angles, key=lambda node: self.graph.op[node] == "cos")
        names = [[f"{self.names[node]}_{k}" for k in range(2)] for node in (sine, cosine)]
        lines: list[str] = []
        for s, c, angle in zip(*names, writer.lanes(self.graph.args[sine][0]), strict=True):
            lines += [INDENT + line for line in self.language.sine_and_cosine(s, c, angle)]
        return lines + [
            self._variable(node, writer.vector(both))
            for node, both in zip((sine, cosine), names, strict=True)
        ]

    # -- arrays ------------------------------------------------------------------------------------

    def _item(self, array: str, index: int, node: int) -> str:
        is_pair = node in self.graph.vectors
        return (self.language.pair_item if is_pair else self.language.item)(array, index)

    def _turned(self, array: str, node: int) -> str:
        assert self.angles is not None
        return self._item(array, self.angles.slot(self.graph, node), node)

    def _slot(self, node: int) -> str:
        if self.angles is not None and node in self.angles.nodes:
            return self._turned("work", node)
        return self._item("work", self.stride * self.parts.slots[node], node)

    def _work_length(self) -> int:
        return self.stride * self.parts.work

    def _angle_values(self, writer: Expressions, angles: LeadingAngles) -> list[str]:
        pairs = [node for node in angles.places if node in self.graph.vectors]
        others = [node for node in angles.places if node not in self.graph.vectors]
        assert isinstance(writer, PairExpressions)
        lanes = [text for node in pairs for text in writer.lanes(node)]
        return lanes + [writer.value(node) for node in others]

    def body(self) -> FunctionText:
        body = super().body()
        numbers = self.stride * (self.parts.work + self.parts.live)
        if self.angles is not None and not self.is_cut:
            numbers += 3 * self.angles.length
        return replace(body, stack=stack_bound(numbers, self.face.real))


class PairExpressions(Expressions):
    """Writes nodes as pairs and as plain numbers."""

    graph: VectorGraph
    language: C99

    def operand(self, node: int, loosest: int = LOOSE) -> str:
        if node in self.graph.vectors and self.graph.op[node] == "const":
            numbers: Any = self.graph.value[node]
            return self.vector([self.language.number(number) for number in numbers])
        return super().operand(node, loosest)

    def vector(self, numbers: list[str]) -> str:
        """Two numbers as a pair."""
        return f"({self.language.pair_type}){{{', '.join(numbers)}}}"

    def lanes(self, node: int) -> list[str]:
        """Both numbers of a pair."""
        if self.graph.op[node] == "pair" and node not in self.references:
            return [self.value(arg) for arg in self.graph.args[node]]
        return [f"{self.operand(node, ATOM)}[{k}]" for k in range(2)]

    def written(self, node: int) -> tuple[str, int]:
        op, args = self.graph.op[node], self.graph.args[node]
        if op in ("sin", "cos") and node in self.graph.vectors:
            return self.vector([self.language.call(op, [x]) for x in self.lanes(args[0])]), SIGNED
        if op == "pair":
            return self.vector([self.operand(arg) for arg in args]), SIGNED
        if op in ("low", "high"):
            return f"{self.operand(args[0], ATOM)}[{int(op == 'high')}]", ATOM
        return super().written(node)
