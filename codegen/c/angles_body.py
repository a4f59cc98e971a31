"""A function in C whose angles come first: sines and cosines of all of them in one call."""

from dataclasses import replace

from eomc.codegen.c.body import CWriter
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import LeadingAngles
from eomc.codegen.plan.partition import FunctionPartition, PieceLimits, partition
from eomc.codegen.plan.schedule import Schedule
from eomc.codegen.plan.stored import Stored


class AnglesFirst(CWriter):
    """Angles, their sines, and their cosines stand side by side in one array: the first part of
    the work array where the function is cut, else one of their own. `_schedule` finds them."""

    angles: LeadingAngles | None

    def _partition(self, kept: list[int], limits: PieceLimits) -> FunctionPartition:
        return self._parted(self.plan, kept, limits)

    def _parted(
        self, plan: Schedule, kept: list[int], limits: PieceLimits, stored: Stored | None = None
    ) -> FunctionPartition:
        """``plan`` in pieces, behind its angles."""
        angles = self.angles
        placed = angles.nodes if angles else []
        return partition(
            plan,
            kept,
            whole_limit=limits.whole,
            piece_size=limits.piece,
            opening=angles.opening if angles else 0,
            placed={node: angles.slot(self.graph, node) for node in placed} if angles else {},
            reserved=3 * angles.length if angles else 0,
            stored=stored,
        )

    def _first_beside_zeros(self) -> int:
        """Behind the angles, but where nothing follows them."""
        opening = self.angles.opening if self.angles else 0
        return opening if opening < len(self.plan.order) else 0

    def _angles(self, position: int, piece: range) -> list[int]:
        if self.angles is not None and self.plan.order[position] == self.angles.nodes[0]:
            return self.angles.nodes
        return super()._angles(position, piece)

    def _sines_and_cosines(self, writer: Expressions, angles: list[int]) -> list[str]:
        together = self.angles
        if together is None or angles is not together.nodes:
            return super()._sines_and_cosines(writer, angles)
        array, size = ("work" if self.is_cut else "turns"), 3 * together.length
        lines = [] if self.is_cut else [self.language.aligned_array(array, size)]
        lines += self._angles_set(writer, together, array)
        lines.append(self._turns(array, together.length))
        lines = [INDENT + line for line in lines]
        for node in angles:
            place = self._turned(array, node)
            if self.is_cut:
                writer.references[node] = place
            else:
                lines.append(self._variable(node, place))
        return lines

    def _turns(self, array: str, count: int) -> str:
        """The call that computes so many sines and cosines."""
        return f"{self.face.prefix}_turns({array}, {count});"

    def _turned(self, array: str, node: int) -> str:
        """A sine or a cosine in the array."""
        assert self.angles is not None
        return self.language.item(array, self.angles.slot(self.graph, node))

    def _angles_set(self, writer: Expressions, angles: LeadingAngles, array: str) -> list[str]:
        """Statements that fill the array of angles."""
        values = self._angle_values(writer, angles)
        return [f"{self.language.item(array, k)} = {value};" for k, value in enumerate(values)]

    def _angle_values(self, writer: Expressions, angles: LeadingAngles) -> list[str]:
        """The angles, in the order of the array."""
        return [writer.value(node) for node in angles.places]

    def _opening(self, writer: Expressions, lines: list[str]) -> None:
        if self.angles is not None:
            self._statements(writer, range(self.angles.opening), lines)
            lines.append("")

    def body(self) -> FunctionText:
        body = super().body()
        if self.angles is None or self.is_cut:
            return body
        numbers = self.parts.work + self.parts.live + 3 * self.angles.length
        return replace(body, stack=stack_bound(numbers, self.face.real))
