"""The body of one emitted function on vectors: the same statements for several states at once."""

from eomc.codegen.c.angles_body import AnglesFirst
from eomc.codegen.c.lanes_expression import LaneExpressions
from eomc.codegen.c.lanes_language import Lanes
from eomc.codegen.c.language import LIBRARY
from eomc.codegen.language.body import FunctionText
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import LeadingAngles, angles_first
from eomc.codegen.plan.displacement import origin, touched
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.schedule import MERGED, Schedule, schedule
from eomc.derive.graph.tuning import COUNTED_VECTOR, ZEROS_BESIDE_ANGLE

UNARY_CALLS = frozenset(LIBRARY) - {"abs", "atan2", "pow"}  # sine and cosine are our own
BINARY_CALLS = frozenset({"atan2", "pow"})


def lanes_function_body(
    language: Lanes, entry: EmittedFunction, limits: PieceLimits, lanes: int
) -> FunctionText:
    """``<function>_lanes`` on compilers that know vectors."""
    is_counted = lanes * language.face.real.bytes == COUNTED_VECTOR
    return (_CountedLaneWriter if is_counted else _LaneWriter)(language, entry, limits).body()


class _LaneWriter(AnglesFirst):
    language: Lanes
    stated = UNARY_CALLS | BINARY_CALLS
    cleared: tuple[int, list[int]] | None = None
    """An output, and its entries that become zero while angles are turned."""

    def _schedule(self) -> Schedule:
        # Library calls change a vector in place: they are statements.
        plan = schedule(self.graph, self.entry.function.nodes, MERGED - {"sqrt"})
        plan, self.angles = angles_first(self.graph, plan, numbers=1)
        return plan

    def _expressions(self) -> LaneExpressions:
        references = {node: text for node, (text, _) in self.sources.items()}
        return LaneExpressions(self.graph, self.language, references)

    def _zeros(self, number: int, places: list[int]) -> list[str] | None:
        """One vector each; the first of many are left to the loop over angles."""
        if not self.plan.order:
            return None
        beside = ZEROS_BESIDE_ANGLE * self.angles.length if self.angles else 0
        if 0 < beside <= len(places) and self.cleared is None:
            self.cleared = (number, places[:beside])
            places = places[beside:]
        zero = f"{self.face.macro}_SPLAT({self.language.zero})"
        outputs = [self._output(number, place) for place in places]
        return [INDENT + self.language.assignment(output, zero) for output in outputs]

    def _angles(self, position: int, piece: range) -> list[int]:
        """All sines and cosines that follow each other, none of which waits for another, where they
        are not the first."""
        together = super()._angles(position, piece)
        if self.angles is not None and together is self.angles.nodes:
            return together
        order, reads, op = self.plan.order, self.plan.reads, self.graph.op
        found: dict[int, None] = {}
        while position in piece and op[order[position]] in ("sin", "cos"):
            if not found.keys().isdisjoint(reads[position]):
                break
            found[order[position]] = None
            position += 1
        return list(found)

    def _sines_and_cosines(self, writer: Expressions, angles: list[int]) -> list[str]:
        """Of all angles in one call, which keeps the coefficients in registers."""
        if self.angles is not None and angles is self.angles.nodes:
            return self._zeros_table() + super()._sines_and_cosines(writer, angles)
        arguments = dict.fromkeys(self.graph.args[node][0] for node in angles)
        late = LeadingAngles(
            {angle: k for k, angle in enumerate(arguments)}, angles, len(arguments), 0
        )
        turns = f"turns_{self.plan.order.index(angles[0])}"
        lines = [self.language.aligned_array(turns, 3 * late.length)]
        lines += self._angles_set(writer, late, turns)
        lines.append(self._call_of_turns(turns, late.length))
        return [INDENT + line for line in lines] + [
            self._variable(node, self.language.item(turns, late.slot(self.graph, node)))
            for node in angles
        ]

    def _call_of_turns(self, array: str, count: int) -> str:
        return f"{self.face.prefix}_lanes_turns({array}, {count});"

    def _turns(self, array: str, count: int) -> str:
        if self.cleared is None:
            return self._call_of_turns(array, count)
        output = self.entry.outputs[self.cleared[0]].name
        return f"{self.face.prefix}_lanes_turns_and_zeros({array}, {count}, {output}, zeros);"

    def _zeros_table(self) -> list[str]:
        """The entries that become zero beside the angles."""
        if self.cleared is None:
            return []
        places = self.cleared[1]
        rows = [places[k : k + 16] for k in range(0, len(places), 16)]
        lines = [f"{INDENT * 2}{', '.join(map(str, row))}," for row in rows]
        head = f"{INDENT}static const int zeros[{len(places)}] = {{"
        output = self.entry.outputs[self.cleared[0]].name
        return [head + self.language.remark(f"of {output}"), *lines, f"{INDENT}}};"]

    def _computed(self, writer: Expressions, node: int) -> list[str]:
        """Library calls, which change a vector in place."""
        op, args, name = self.graph.op[node], self.graph.args[node], self.names[node]
        call = f"{self.face.prefix}_lanes_{op}"
        lines = [f"{INDENT}{self.language.value_type} {name} = {writer.value(args[0])};"]
        if op in UNARY_CALLS:
            return [*lines, f"{INDENT}{call}(&{name});"]
        return [
            *lines,
            f"{INDENT}{{",
            f"{INDENT * 2}const {self.language.value_type} second = {writer.value(args[1])};",
            f"{INDENT * 2}{call}(&{name}, &second);",
            f"{INDENT}}}",
        ]

    def _closing(self, writer: Expressions, lines: list[str]) -> None:
        macro, prefix, zero = self.face.macro, self.face.prefix, self.language.zero
        self._final_stores(writer, lines)
        lines += [
            f"{INDENT}for (int lane = 0; lane < {macro}_LANES; lane++) {{",
            f"{INDENT * 2}codes[lane] = {macro}_OK;",
            f"{INDENT}}}",
        ]
        guarded = self._guarded(writer)
        if not guarded:
            lines.append(f"{INDENT}return {macro}_OK;")
            return
        good = [f"({prefix}_lanes_mask)({value} > {macro}_SPLAT({zero}))" for value, _ in guarded]
        both = " & ".join(good) if len(good) < 3 else f"\n{INDENT * 2}& ".join(good)
        lines.append(f"{INDENT}{prefix}_lanes_mask good = {both};")
        lines += [f"{INDENT}if ({prefix}_lanes_all(&good)) {{", f"{INDENT * 2}return {macro}_OK;"]
        lines.append(f"{INDENT}}}")
        for mask, (_, status) in zip(good, guarded, strict=True):
            lines.append(f"{INDENT}good = {mask};")
            lines.append(f"{INDENT}{prefix}_lanes_fail(&good, {status.enumerator}, codes);")
        lines.append(f"{INDENT}return {prefix}_lanes_first(codes);")


class _CountedLaneWriter(_LaneWriter):
    """Each piece counts the vectors of the work array from a place of its own."""

    origin = 0

    def _piece(self, index: int) -> tuple[str, str]:
        self.origin = origin(touched(self.plan, self.parts, self.parts.pieces[index]))
        made = super()._piece(index)
        self.origin = 0
        return made

    def _slot(self, node: int) -> str:
        return self.language.item("work", self.parts.slots[node] - self.origin)

    def _work_given(self) -> str:
        return f"work + {self.origin}" if self.origin else "work"
