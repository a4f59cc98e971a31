"""The body of one emitted function on duals: what a value changes by, beside the value."""

from dataclasses import dataclass

from eomc.codegen.c.language import C99
from eomc.codegen.c.pairs_body import PairExpressions, PairWriter
from eomc.codegen.language.expression import ATOM
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import WIDEST, angles_first
from eomc.codegen.plan.changes import direction
from eomc.codegen.plan.duals import Duals
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.rewritten import rewritten
from eomc.codegen.plan.schedule import MERGED, Schedule, schedule
from eomc.codegen.plan.vector_graph import VectorGraph
from eomc.derive.graph import reachable

_QUAD = 4
_TAKEN = frozenset({"pair", *(f"lane{k}" for k in range(_QUAD))})


@dataclass(frozen=True)
class OnDuals:
    """A function whose nodes are those of a graph with duals.

    width : numbers of its widest vectors: 2, or 4 where duals of like limbs stand side by side
    statements : operations on vectors and on numbers
    """

    entry: EmittedFunction
    graph: VectorGraph
    width: int
    statements: int


def on_duals(language: C99, entry: EmittedFunction, *, mirrored: bool) -> OnDuals | None:
    """``entry`` on duals, of like limbs side by side; None if it has no direction."""
    graph, function = language.face.program.graph, entry.function
    roots = list(function.nodes)
    change = direction(graph, reachable(graph, roots))
    if not change:
        return None
    place = {node: port.name for port in entry.inputs for node in port.argument.entries}
    made = Duals(graph, roots, place, change, mirrored=mirrored)
    written = rewritten(entry, graph, made.into, made.scalar)
    return OnDuals(written, made.into, max(made.into.vectors.values(), default=1), made.statements)


class DualWriter(PairWriter):
    """Writes one function on duals; a slot of the work array holds the widest vector."""

    def __init__(
        self, language: C99, made: OnDuals, limits: PieceLimits, *, is_short: bool = False
    ) -> None:
        self.stride = made.width
        super().__init__(language, made, limits, is_short=is_short)

    @property
    def condition(self) -> str:
        """Of compilers and processors that have such vectors."""
        return f"{self.face.macro}_{'QUADS' if self.stride == _QUAD else 'PAIRS'}"

    def _schedule(self) -> Schedule:
        plan = schedule(self.graph, self.entry.function.nodes, MERGED | _TAKEN)
        numbers = WIDEST // self.face.real.bytes
        plan, self.angles = angles_first(self.graph, plan, numbers, self.graph.vectors)
        return plan

    def _expressions(self) -> "DualExpressions":
        references = {node: text for node, (text, _) in self.sources.items()}
        return DualExpressions(self.graph, self.language, references)

    def _variable(self, node: int, text: str) -> str:
        if self.graph.vectors.get(node) == _QUAD:
            return f"{INDENT}const {self.language.quad_type} {self.names[node]} = {text};"
        return super()._variable(node, text)

    def _item(self, array: str, index: int, node: int) -> str:
        if self.graph.vectors.get(node) == _QUAD:
            return self.language.quad_item(array, index)
        return super()._item(array, index, node)


class DualExpressions(PairExpressions):
    """Writes nodes as duals, of one value or of two, and as plain numbers."""

    def _vector(self, numbers: list[str]) -> str:
        kind = self.language.pair_type if len(numbers) < _QUAD else self.language.quad_type
        return f"({kind}){{{', '.join(numbers)}}}"

    def written(self, node: int) -> tuple[str, int]:
        op, args = self.graph.op[node], self.graph.args[node]
        if op.startswith("lane"):
            return f"{self.operand(args[0], ATOM)}[{op.removeprefix('lane')}]", ATOM
        if op.startswith("shuffle"):
            lanes = ", ".join(op.removeprefix("shuffle"))
            one, other = (self.operand(arg) for arg in args)
            return f"__builtin_shufflevector({one}, {other}, {lanes})", ATOM
        return super().written(node)
