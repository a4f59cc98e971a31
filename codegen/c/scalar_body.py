"""The body of one emitted function on one state: angles first, then straight on."""

from eomc.codegen.c.angles_body import AnglesFirst
from eomc.codegen.c.language import C99
from eomc.codegen.c.places import NearPlaces
from eomc.codegen.language.expression import Expressions
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.angles import WIDEST, LeadingAngles, angles_first
from eomc.codegen.plan.interface import EmittedFunction
from eomc.codegen.plan.partition import PieceLimits
from eomc.codegen.plan.schedule import Schedule
from eomc.codegen.plan.zeros import runs, side_by_side
from eomc.derive.graph import Graph
from eomc.derive.graph.tuning import FEWEST_COPIED, FEWEST_ZEROS, ZEROS_AT_ONCE


class ScalarWriter(AnglesFirst):
    """Writes one function; its angles are turned together, and many zeros cleared by fours."""

    far = 25

    def __init__(
        self,
        language: C99,
        entry: EmittedFunction,
        limits: PieceLimits,
        graph: Graph | None = None,
        *,
        is_short: bool = False,
        slab: int = 0,
    ) -> None:
        self.is_short = is_short  # few bytes before little time
        self.slab = slab
        self.cleared: list[str] = []
        super().__init__(language, entry, limits, graph)

    # -- sines and cosines -------------------------------------------------------------------------

    def _schedule(self) -> Schedule:
        plan, self.angles = angles_first(
            self.graph, super()._schedule(), WIDEST // self.face.real.bytes
        )
        return plan

    def _angles_set(self, writer: Expressions, angles: LeadingAngles, array: str) -> list[str]:
        """Fill the array of angles, by whole vectors: a load waits for stores that are narrower."""
        values = self._angle_values(writer, angles)
        values += [self.language.zero] * (angles.length - len(values))
        if self.is_short:
            return self._filled(array, values)
        each = WIDEST // self.face.real.bytes
        return [
            f"{self.face.prefix}_set_turns(&{array}[{k}], {', '.join(values[k : k + each])});"
            for k in range(0, len(values), each)
        ]

    def _filled(self, array: str, values: list[str]) -> list[str]:
        """Neighbours of one input in a loop."""
        item, zero = self.language.item, self.language.zero
        following = {
            item(port.name, k): item(port.name, k + 1)
            for port in self.entry.inputs
            if not port.by_value
            for k in range(port.size)
        }
        following[zero] = zero
        lines: list[str] = []
        first = 0
        while first < len(values):
            last = first
            while last + 1 < len(values) and values[last + 1] == following.get(values[last]):
                last += 1
            run = range(first, last + 1)
            if len(run) < FEWEST_COPIED:
                lines += [f"{item(array, k)} = {values[k]};" for k in run]
            else:
                lines += self._copied(array, run, values[first])
            first = last + 1
        return lines

    def _copied(self, array: str, places: range, value: str) -> list[str]:
        """A loop over ``places``, from neighbours of ``value`` if that is an entry of an array."""
        name, bracket, index = value.partition("[")
        if bracket:
            shift = int(index.removesuffix("]")) - places.start
            moved = f" {'-' if shift < 0 else '+'} {abs(shift)}" if shift else ""
            value = f"{name}[entry{moved}]"
        head = f"for (int entry = {places.start}; entry < {places.stop}; entry++) {{"
        return [head, f"{INDENT}{array}[entry] = {value};", "}"]

    def _counted(self, lines: list[str]) -> list[str]:
        arrays = {port.name: port.size for port in self.entry.outputs}
        taken = [*self.names.values(), *(port.name for port in self.entry.ports), "p", "work"]
        arrays["work"] = self._work_length()
        return NearPlaces(self.face, arrays, self._wide).counted(lines, taken)

    @property
    def _wide(self) -> str | None:
        """Macro that names vectors of 64 bytes in the work array; None where there are none."""
        return None

    def _work_array(self, size: int) -> list[str]:
        if self.angles is not None:
            return [self.language.aligned_array("work", size)]
        return super()._work_array(size)

    # -- zeros -------------------------------------------------------------------------------------

    def _zeros(self, number: int, places: list[int]) -> list[str] | None:
        if len(places) < FEWEST_ZEROS:
            return None
        port, found = self.entry.outputs[number], runs(places)
        if self.is_short or not self.plan.order or len(places) < ZEROS_AT_ONCE * len(found):
            head = f"for (int entry = 0; entry < {port.size}; entry++) {{"
            store = f"{INDENT}{port.name}[entry] = {self.language.zero};"
            self.cleared += [INDENT + line for line in (head, store, "}")]
            return []
        pieces = [piece for run in found for piece in side_by_side(run, ZEROS_AT_ONCE)]
        return [INDENT + self._zero(number, piece) for piece in pieces]

    def _zero(self, number: int, piece: range) -> str:
        first = self._output(number, piece.start)
        if len(piece) == 1:
            return self.language.assignment(first, self.language.zero)
        return f"{self.face.prefix}_four_zeros(&{first});"

    def _definition(self, lines: list[str]) -> str:
        return super()._definition(self.cleared + lines)
