"""Calls of the responses of a chain: joints one after the other, then blocks of columns that
descend (see `response_steps`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial

from eomc.derive.graph import Call, Climb, ForLoop, RolledArgument, RolledArray, RolledStep
from eomc.derive.rolled import response_steps as steps
from eomc.derive.rolled.block_rows import BlockRows
from eomc.derive.rolled.blocks import ChainBlocks
from eomc.derive.rolled.factor_steps import less_step
from eomc.derive.rolled.layouts import (
    ARTICULATED,
    CHANGES,
    MOBILITY,
    NUMBER,
    SPATIAL_MOTION,
    VECTOR,
    VELOCITY_MAP,
)
from eomc.derive.rolled.step_builder import RowConstants
from eomc.derive.rolled.tree_axes import REST, Make, TreeAxes

_JOINTS = {
    "by_d": SPATIAL_MOTION.size,
    "velocity_by_d": VECTOR.size,
    "reciprocal": NUMBER.size,
    "ready": NUMBER.size,
    "beyond": ARTICULATED.size,
    "beyond_map": VELOCITY_MAP.size,
    "beyond_wrench": SPATIAL_MOTION.size,
    "above": SPATIAL_MOTION.size,
    "mobility": MOBILITY.size,
    "own": NUMBER.size,
    "field": SPATIAL_MOTION.size,
    "supplied": 2 * SPATIAL_MOTION.size,
    "response": CHANGES.size,
}
"""Numbers of each joint."""
_CARRIED = {
    "carried_inertia": ARTICULATED.size,
    "carried_map": VELOCITY_MAP.size,
    "carried_wrench": SPATIAL_MOTION.size,
    "carried_acceleration": SPATIAL_MOTION.size,
    "carried_mobility": MOBILITY.size,
}
"""Numbers that go on from joint to joint; none come from the base and the tip."""


class ResponseCalls(BlockRows):
    """Blocks of one width over the joints of a chain, that have one speed each."""

    def __init__(self, axes: TreeAxes, width: int) -> None:
        super().__init__(axes, ChainBlocks(axes.over.speeds, width), width)
        self.loads = axes.loads

    # -- joints ----------------------------------------------------------------------------------

    @property
    def take_out(self) -> ForLoop:
        """Joints, from the tip on, under tau and the loads."""
        rotors = dict(zip(self.over.column_kinds, self.over.rotors[0], strict=True))

        def make(name: str, column: RowConstants) -> RolledStep:
            return steps.take_out_step(name, column, rotors[name])

        return ForLoop(self.count, (self._each_joint("take out", make),), backward=True)

    @property
    def set_off(self) -> ForLoop:
        """Accelerations, from the base on."""
        return ForLoop(self.count, (self._each_joint("set off", steps.set_off_step),))

    @property
    def answer(self) -> ForLoop:
        """Answers of the chain before each joint."""
        return ForLoop(self.count, (self._each_joint("answer", steps.answer_step),))

    @property
    def respond(self) -> list[ForLoop]:
        """Wrenches and changes by each joint, on rows."""
        found = [self._respond_steps(width) for width in (self.width, 1)]
        alone = [True] * self.count
        row = self.over.column_row
        return self.axes.side_by_side(found, row, alone, self._of_joints, self.width)

    def _respond_steps(self, width: int) -> Sequence[RolledStep]:
        return self.axes.of_columns("respond", partial(steps.respond_step, width=width), width)

    # -- the matrices ----------------------------------------------------------------------------

    def matrices(self, by_q: str, by_u: str, by_tau: str) -> list[ForLoop]:
        """Columns on their way to the tip; the diagonal of M^-1; loads."""
        met = {
            "column_q": (by_q, False),
            "column_u": (by_u, False),
            "row_q": (by_q, True),
            "row_u": (by_u, True),
        }
        # Rows come after columns: at its own joint, a row has what is right.
        meet = self.meet("pass", steps.pass_step, met, by_tau)
        descend = Call((steps.descend_step(self.width),), self.still_joints, self.pieces)
        join = self.join(CHANGES.size, "response")
        fields = {"carried": RolledArgument("fields", self.still)}
        join_field = self.join(SPATIAL_MOTION.size, "field")
        join_field = replace(join_field, pieces={**join_field.pieces, **fields})
        columns = self.loop(CHANGES.size, (descend, join, meet, join_field), (descend, meet))
        clear = self.clear(SPATIAL_MOTION.size)
        clear = replace(clear, pieces={**clear.pieces, **fields})
        columns = replace(columns, calls=(*columns.calls, clear))
        return [columns, self._diagonal(by_tau), *self._shares({"q": by_q, "u": by_u}, by_tau)]

    def _diagonal(self, matrix: str) -> ForLoop:
        """Of each joint by its own force."""
        places = tuple((self.nu + 1) * speed for speed in self.over.speeds)
        pieces = {"from": self._of_joints["own"], "to": RolledArgument(matrix, places)}
        return ForLoop(self.count, (Call((steps.put_step(),), self.still_joints, pieces),))

    def _shares(self, matrices: dict[str, str], inverse: str) -> list[ForLoop]:
        """M^-1 times what the loads take off, one entry after the other."""
        nu, loops = self.nu, []
        rows = tuple(nu * k for k in range(nu))
        for name, places in self.loads.places.items():
            still = (0,) * nu
            columns = tuple(place % nu for place in places)
            pieces = {
                "total": RolledArgument(matrices[name], columns, rows),
                "other": RolledArgument(inverse, tuple(place // nu for place in places), rows),
                "factor": RolledArgument(self.loads.array(name), tuple(range(len(places))), still),
            }
            climb = Climb(
                (0,) * len(places), (*range(1, nu), -1), (Call((less_step(),), still, pieces),)
            )
            loops.append(ForLoop(len(places), (), (climb,)))
        return loops

    # -- arrays ----------------------------------------------------------------------------------

    @property
    def joint_arrays(self) -> list[RolledArray]:
        """Numbers that joints keep, and those that go on from one to the next."""
        zero = self.over.tree.zero.node
        return [
            *(self.axes.array(name, size, self.count) for name, size in _JOINTS.items()),
            *(RolledArray(name, n, dict.fromkeys(range(n), zero)) for name, n in _CARRIED.items()),
            *self.over.rotors[1].arrays,
            self.over.rest(REST),
            *self.arrays(CHANGES.size),
            RolledArray("fields", SPATIAL_MOTION.size, width=self.width),
            *self.loads.left_arrays,
        ]

    # -- calls -----------------------------------------------------------------------------------

    @cached_property
    def still_joints(self) -> tuple[int, ...]:
        return (0,) * self.count

    @cached_property
    def _of_joints(self) -> dict[str, RolledArgument]:
        """Arguments of steps over joints."""
        joints = range(self.count)
        found = {**self.axes.of_links, **self.axes.of_speeds}
        found |= {name: self.axes.piece(name, size, joints) for name, size in _JOINTS.items()}
        found |= {name: RolledArgument(name, self.still_joints) for name in _CARRIED}
        found["armature"] = self.over.rotors[1].piece
        found["force"] = RolledArgument(self.loads.force, self.over.speeds)
        return found

    def _each_joint(self, name: str, make: Make) -> Call:
        found = self.axes.of_columns(name, make)
        return Call(tuple(found), self.over.column_row, self._of_joints)

    @cached_property
    def pieces(self) -> dict[str, RolledArgument]:
        """Arguments in climbs."""
        names = ("by_d", "velocity_by_d", "supplied")
        of_joints = {name: self.numbers(name, _JOINTS[name]) for name in names}
        return {**super().pieces, **of_joints, "fields": RolledArgument("fields", self.still)}
