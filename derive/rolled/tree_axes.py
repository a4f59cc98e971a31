"""Calls in tree axes, for matrices whose columns go in blocks (see `tree_axes_steps`).

Links have the first slots of all arrays, and what each root hangs on those behind them. With
`is_wide`, angles are turned together, and numbers of many links stand side by side, so that what no
link waits for is computed for a row of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate

from eomc.derive.geometry import unit
from eomc.derive.graph import (
    Call,
    Expression,
    ForLoop,
    RolledArgument,
    RolledArray,
    RolledStep,
    RolledTurns,
)
from eomc.derive.rolled import tree_axes_steps as steps
from eomc.derive.rolled.layouts import (
    ASCENT,
    FLOW,
    INERTIA,
    MOTION,
    PARTIALS,
    POSE,
    ROTATION,
    SEEN,
    SPATIAL_MOTION,
    VECTOR,
    WRENCH,
)
from eomc.derive.rolled.link_tables import ConstantTable
from eomc.derive.rolled.load_derivatives import LoadDerivatives
from eomc.derive.rolled.step_builder import RowConstants
from eomc.derive.rolled.sweeps import SharedSweeps

_VECTOR = 8
"""Angles of the widest vectors that turn them, links of the widest rows."""
_WORLD = 0
REST = "rest"
"""Accelerations that are zero."""

_LINKS = {
    "turn": ROTATION.size,
    "arm": VECTOR.size,
    "composite": INERTIA.size,
    "motion": MOTION.size,
    "velocity": SPATIAL_MOTION.size,
    "seen": SEEN.size,
    "wrench": WRENCH.size,
    "flow": FLOW.size,
    "alone": INERTIA.size,
    "again": FLOW.size,
}
"""Numbers of each link."""
_SPEEDS = {
    "axis": SPATIAL_MOTION.size,
    "partials": PARTIALS.size,
    "started": ASCENT.size,
    "turned": SPATIAL_MOTION.size,
}
"""Numbers of each speed."""

Make = Callable[[str, RowConstants], RolledStep]
"""Of a kind of columns, by its name and the numbers of one."""
Given = Mapping[int, Iterable[Expression]]
"""Numbers by slot."""


class TreeAxes:
    """Calls and arrays of one layout."""

    def __init__(self, over: SharedSweeps, *, is_wide: bool) -> None:
        self.over, self.is_wide = over, is_wide
        self.tables, self.tree, self.count = over.tables, over.tree, over.count
        self.roots = [k for k, parent in enumerate(self.tables.parents) if parent == _WORLD]
        self.slots = self.count + len(self.roots)
        self.apart = odd_rows(max(self.slots, over.speed_count), _VECTOR) if is_wide else 1
        self._made: dict[tuple[str, int], Sequence[RolledStep]] = {}

    @cached_property
    def loads(self) -> LoadDerivatives:
        """Loads and their derivatives."""
        return LoadDerivatives(self.tables.system)

    # -- places ----------------------------------------------------------------------------------

    def piece(self, array: str, size: int, slots: Sequence[int]) -> RolledArgument:
        """The slots of an argument, of so many numbers each."""
        return RolledArgument(array, tuple(self.place(size, slot) for slot in slots))

    def place(self, size: int, slot: int, number: int = 0) -> int:
        """One number of a slot."""
        return slot + self.apart * number if self.is_wide else size * slot + number

    def _array(self, name: str, slots: int, given: Given | None = None) -> RolledArray:
        return self.array(name, (_LINKS | _SPEEDS)[name], slots, given)

    def array(self, name: str, size: int, slots: int, given: Given | None = None) -> RolledArray:
        """So many numbers of each slot, and the first values of some."""
        start = {
            self.place(size, slot, number): value.node
            for slot, values in (given or {}).items()
            for number, value in enumerate(values)
        }
        length = size * (self.apart if self.is_wide else slots)
        return RolledArray(name, length, start, apart=self.apart)

    @cached_property
    def of_links(self) -> dict[str, RolledArgument]:
        """Arguments of steps over links."""
        links = range(self.count)
        parents = [
            self.count + self.roots.index(k) if parent == _WORLD else parent - 1
            for k, parent in enumerate(self.tables.parents)
        ]
        found = {name: self.piece(name, size, links) for name, size in _LINKS.items()}
        found |= {f"parent_{n}": self.piece(n, size, parents) for n, size in _LINKS.items()}
        first = [self.over.speed_links.index(k) for k in links]
        for speed in range(max(link.motion.speeds for link in self.tree.links)):
            own = [min(k + speed, self.over.speed_count - 1) for k in first]
            found[f"axis_{speed}"] = self.piece("axis", _SPEEDS["axis"], own)
        for number, name in enumerate(("sines", "cosines"), start=1):
            places = tuple(number * self._padded + k for k in self._first_angles[:-1])
            found[name] = RolledArgument("turns", places)
        found |= {name: RolledArgument(name, self.tables.speed_places) for name in ("u", "a")}
        found["q"] = RolledArgument(
            "q", tuple(link.coordinates[0].index for link in self.tree.links)
        )
        found["placement"] = self.tables.placement[1].piece
        found["pose"] = RolledArgument("pose", tuple(POSE.size * k for k in links))
        found |= {name: piece for name, (_, piece) in self._tables.items()}
        return found

    @cached_property
    def of_speeds(self) -> dict[str, RolledArgument]:
        """Arguments of steps over speeds."""
        found = {
            name: RolledArgument(name, tuple(piece.offsets[k] for k in self.over.speed_links))
            for name, piece in self.of_links.items()
            if name in _LINKS
        }
        speeds = range(self.over.speed_count)
        found |= {name: self.piece(name, size, speeds) for name, size in _SPEEDS.items()}
        return {**found, "axis_0": found["axis"]}

    @cached_property
    def _tables(self) -> dict[str, tuple[RolledArray, RolledArgument]]:
        """Constants of bodies and motion subspaces by link."""
        return {
            name: self._table(name, *getattr(self.tables, name)) for name in ("inertia", "subspace")
        }

    def _table(
        self, name: str, numbers: Sequence[RowConstants], table: ConstantTable
    ) -> tuple[RolledArray, RolledArgument]:
        """As it is; or that of the links side by side."""
        if not self.is_wide:
            return table.array, table.piece
        sizes = [len(numbers[kind].varying) for kind in self.tables.kind_row]
        entries = dict.fromkeys(range(self.apart * max(sizes)), self.tree.zero.node)
        for link, (size, first) in enumerate(zip(sizes, table.piece.offsets, strict=True)):
            for number in range(size):
                place = self.place(size, link, number)
                entries[place] = table.array.start[first + number]
        array = RolledArray(name, len(entries), entries, apart=self.apart)
        return array, RolledArgument(name, tuple(range(self.count)))

    # -- links one after the other ---------------------------------------------------------------

    @cached_property
    def _angle_steps(self) -> tuple[RolledStep, ...]:
        kinds = zip(self.tables.kinds, self.tables.placement[0], strict=True)
        return tuple(
            steps.angles_step(kind.name, self.tree.links[kind.links[0]].motion, placement)
            for kind, placement in kinds
        )

    @cached_property
    def _first_angles(self) -> tuple[int, ...]:
        """Place of the first angle of each link, and the number of all; none of roots."""
        counts = [step.function.outputs[0].shape[0] for step in self._angle_steps]
        kinds = enumerate(self.tables.kind_row)
        each = (0 if k in self.roots else counts[kind] for k, kind in kinds)
        return tuple(accumulate(each, initial=0))

    @property
    def _padded(self) -> int:
        """The number of angles that fill vectors."""
        return -(-self._first_angles[-1] // _VECTOR) * _VECTOR

    @cached_property
    def _hanging(self) -> list[int]:
        """Links that hang on others."""
        return [k for k in range(self.count) if k not in self.roots]

    @property
    def turn(self) -> list[ForLoop | RolledTurns]:
        """Axes and arms of all links but roots, whose axes are given."""
        if not self._hanging:
            return []
        if not self.is_wide:
            attach = _over(self._hanging, [steps.attach_step()], (0,) * self.count, self.of_links)
            return [ForLoop(self.count, (self.over.pose,)), attach]
        loops: list[ForLoop | RolledTurns] = []
        kinds = self.tables.kind_row
        if self._padded:
            some = [bool(step.function.outputs[0].entries) for step in self._angle_steps]
            turning = [k for k in self._hanging if some[kinds[k]]]
            pieces = {**self.of_links, "angles": RolledArgument("turns", self._first_angles[:-1])}
            loops.append(_over(turning, self._angle_steps, kinds, pieces))
            loops.append(RolledTurns("turns", self._padded))
        return [*loops, _over(self._hanging, self._turn_steps, kinds, self.of_links)]

    @cached_property
    def _turn_steps(self) -> Sequence[RolledStep]:
        kinds = zip(self.tables.kinds, self.tables.placement[0], strict=True)
        return [
            steps.turn_step(kind.name, self.tree.links[kind.links[0]].motion, placement)
            for kind, placement in kinds
        ]

    def move(self, a: str = "a") -> ForLoop:
        """Motions, seen from parents too; at these accelerations, or at `rest`."""
        found = self._once(("move", 1), lambda: self.over.of_kinds(steps.move_step))
        pieces = dict(self.of_links)
        if a == REST:
            pieces["a"] = RolledArgument(REST, (0,) * self.count)
        return ForLoop(self.count, (Call(tuple(found), self.tables.kind_row, pieces),))

    @property
    def shift_composite(self) -> list[ForLoop]:
        """The inertia of each subtree, to its parent."""
        return self._to_parents(steps.shift_composite_step())

    @property
    def shift_subtree(self) -> list[ForLoop]:
        """Inertia, flow and wrench of each subtree, to its parent."""
        return self._to_parents(steps.shift_subtree_step())

    @property
    def shift_wrench(self) -> list[ForLoop]:
        """The wrench of each subtree, to its parent."""
        return self._to_parents(steps.shift_wrench_step())

    def _to_parents(self, step: RolledStep) -> list[ForLoop]:
        if not self._hanging:
            return []
        return [_over(self._hanging, [step], (0,) * self.count, self.of_links, backward=True)]

    # -- links and speeds side by side -----------------------------------------------------------

    def build(self, width: int, inertia: str = "composite") -> list[ForLoop]:
        """Columns and inertias of bodies, into that array."""
        found = [self._build_steps(each) for each in (width, 1)]
        alone = [link.motion.speeds == 1 for link in self.tree.links]
        pieces = {**self.of_links, "composite": self.of_links[inertia]}
        return self.side_by_side(found, self.tables.kind_row, alone, pieces, width)

    def _build_steps(self, width: int) -> Sequence[RolledStep]:
        make = partial(steps.build_step, width=width)
        return self._once(("build", width), lambda: self.over.of_kinds(make))

    def bodies(self, width: int, inertia: str = "composite", flow: str = "flow") -> list[ForLoop]:
        """Wrenches and flows of the bodies, by inertias and into an array of these names."""
        found = [[steps.body_step(each)] for each in (width, 1)]
        one = (0,) * self.count
        arrays = {"composite": inertia, "flow": flow}
        pieces = {**self.of_links, **{name: self.of_links[own] for name, own in arrays.items()}}
        return self.side_by_side(found, one, [True] * self.count, pieces, width)

    def depart(self, width: int) -> list[ForLoop]:
        """Changes by speeds, and what they carry to the base."""
        over, links = self.over, self.tree.links
        found = [
            self.of_columns("depart", partial(steps.depart_step, width=each), each)
            for each in (width, 1)
        ]
        alone = [links[link].motion.speeds == 1 for link in over.speed_links]
        return self.side_by_side(found, over.column_row, alone, self.of_speeds, width)

    def ready(self, force: str) -> ForLoop:
        """Forces of this array that the wrenches of subtrees leave, by speed."""
        over = self.over
        pieces = {
            **self.of_speeds,
            "force": RolledArgument(force, over.speeds),
            "ready": RolledArgument("ready", tuple(range(over.speed_count))),
        }
        found = self.of_columns("ready", steps.ready_step)
        return ForLoop(over.speed_count, (Call(tuple(found), over.column_row, pieces),))

    def of_columns(self, name: str, make: Make, width: int = 1) -> Sequence[RolledStep]:
        """A step of this name and width by kind of column."""
        kinds = zip(self.over.column_kinds, self.over.column_numbers, strict=True)
        return self._once((name, width), lambda: [make(*kind) for kind in kinds])

    def _once(
        self, key: tuple[str, int], make: Callable[[], Sequence[RolledStep]]
    ) -> Sequence[RolledStep]:
        """Steps that several functions share."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def side_by_side(
        self,
        found: Sequence[Sequence[RolledStep]],
        kinds: Sequence[int],
        alone: Sequence[bool],
        pieces: Mapping[str, RolledArgument],
        width: int,
    ) -> list[ForLoop]:
        """Steps on rows where as many neighbours are of one kind, steps one by one elsewhere."""
        rows, rest, k = [], [], 0
        while k < len(kinds):
            row = range(k, min(k + width, len(kinds)))
            if len(row) == width > 1 and all(alone[n] and kinds[n] == kinds[k] for n in row):
                rows.append(k)
                k += width
            else:
                rest.append(k)
                k += 1
        by_width = zip(found, (rows, rest), strict=True)
        return [_over(turns, each, kinds, pieces) for each, turns in by_width if turns]

    # -- arrays ----------------------------------------------------------------------------------

    @property
    def link_arrays(self) -> list[RolledArray]:
        """Links in tree axes."""
        zero, padded = self.tree.zero, self._padded
        axes = [entry for axis in range(3) for entry in unit(zero, axis)]
        zeros = dict.fromkeys(range(self._first_angles[-1], padded), zero.node)
        return [
            *([RolledArray("turns", 3 * padded, zeros)] if self.is_wide and padded else []),
            *self.over.pose_arrays,
            *(array for array, _ in self._tables.values() if array.size),
            self._array("turn", self.slots, dict.fromkeys(self.roots, axes)),
            self._array("arm", self.slots, dict.fromkeys(self.roots, [zero] * VECTOR.size)),
            self._array("axis", self.over.speed_count),
            self._array("composite", self.slots),
        ]

    @property
    def motion_arrays(self) -> list[RolledArray]:
        """Motions, and what speeds carry to the base.

        The base of each root rises against gravity; seen from a frame that moves with the root's
        origin, it leaves: large common velocities (an orbit) cause no cancellation.
        """
        zero, system = self.tree.zero_vector(), self.tables.system
        rise: dict[int, list[Expression]] = {}
        leave: dict[int, list[Expression]] = {}
        for slot, root in enumerate(self.roots, start=self.count):
            at = system.pose[root]
            v_r = at.relative(system.state.speeds(self.tree.links[root]), zero).linear
            rise[slot] = [*zero, *zero, *at.rotation.to_child(-self.tree.gravity)]
            leave[slot] = [*zero, *-v_r]
        return [
            self._array("motion", self.slots, rise),
            self._array("velocity", self.slots, leave),
            *(self._array(name, self.slots) for name in ("seen", "wrench", "flow")),
            *(
                self._array(name, self.over.speed_count)
                for name in ("partials", "started", "turned")
            ),
        ]

    @property
    def again_arrays(self) -> list[RolledArray]:
        """Bodies alone, for motions at two accelerations."""
        of_bodies = [self._array(name, self.count) for name in ("alone", "again")]
        return [*of_bodies, self.over.rest(REST)]


def _over(
    turns: Sequence[int],
    found: Sequence[RolledStep],
    kinds: Sequence[int],
    pieces: Mapping[str, RolledArgument],
    *,
    backward: bool = False,
) -> ForLoop:
    """Steps by kind at some of the links or speeds."""
    taken = {
        name: RolledArgument(piece.array, tuple(piece.offsets[k] for k in turns))
        for name, piece in pieces.items()
    }
    call = Call(tuple(found), tuple(kinds[k] for k in turns), taken)
    return ForLoop(len(turns), (call,), backward=backward)


def odd_rows(size: int, width: int) -> int:
    """Of as many numbers, in whole rows, those that spread over the sets of a cache."""
    rows = -(-size // width)
    return width * (rows + 1 - rows % 2)
