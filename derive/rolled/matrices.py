"""Matrices of a model as for-loops over blocks of columns, by name.

They take fewer operations than columns one by one, and as many columns at once as a row has
numbers: the form of matrices that are long in straight lines.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from eomc.derive.dynamics import chain_response
from eomc.derive.graph import Rolled, RolledArray, flops
from eomc.derive.graph.tuning import (
    BYTES_PER_INSTRUCTION,
    COLUMNS_OF_HALF_GAIN,
    CORE,
    INSTRUCTIONS_PER_OPERATION,
    INSTRUCTIONS_PER_TURNED,
    LARGE_LINE_BYTES,
    LINE_SHARE,
    LINE_SHARE_UNDER_CONSTRAINTS,
    LONG_CHAIN,
    VAST_LINE_BYTES,
    WORTH_A_LINE,
)
from eomc.derive.rolled import link_constants
from eomc.derive.rolled.block_calls import BlockCalls
from eomc.derive.rolled.column_loops import ColumnLoops, OffRowsError
from eomc.derive.rolled.factor_calls import FactorCalls
from eomc.derive.rolled.layouts import ASCENT, SPATIAL_MOTION
from eomc.derive.rolled.link_tables import LinkTables
from eomc.derive.rolled.response_calls import ResponseCalls
from eomc.derive.rolled.solution_calls import SolutionCalls
from eomc.derive.rolled.sweeps import SharedSweeps
from eomc.derive.rolled.tree_axes import REST, TreeAxes
from eomc.derive.system import System

WIDTHS = (8, 4, 2, 1)
"""Numbers of a row: of vectors of 512, 256 and 128 bits, and without."""


_RESPONSES = {"by_q": "da_dq", "by_u": "da_du", "by_tau": "da_dtau"}

Maker = Callable[[TreeAxes, int], Rolled]


def mass_matrix(axes: TreeAxes, width: int) -> Rolled:
    """Momenta of subtrees on their way to the base, in rows of this width."""
    over, blocks = axes.over, BlockCalls(axes, width)
    arrays = [*axes.link_arrays, *blocks.arrays(SPATIAL_MOTION.size), *over.armature.arrays]
    loops = (
        *axes.turn,
        *axes.build(width),
        *axes.shift_composite,
        blocks.mass_matrix("M"),
        *over.add_armature("M", over.tree.nu),
    )
    return Rolled(over.distinct([*arrays, over.matrix("M", over.tree.nu)]), loops)


def inverse_dynamics_derivatives(axes: TreeAxes, width: int) -> Rolled:
    """Pairs of speeds on their way to the base; by a, the mass matrix."""
    over, loads, blocks = axes.over, axes.loads, BlockCalls(axes, width)
    matrices = ("dtau_dq", "dtau_du", "dtau_da")
    arrays = [*axes.link_arrays, *axes.motion_arrays, *blocks.arrays(ASCENT.size)]
    arrays += [*over.armature.arrays, *loads.arrays]
    arrays += [over.matrix(name, over.tree.nu) for name in matrices]
    loops = (
        *axes.turn,
        *axes.build(width),
        axes.move(),
        *axes.bodies(width),
        *axes.shift_subtree,
        *axes.depart(width),
        blocks.derivatives(*matrices),
        *over.add_armature("dtau_da", over.tree.nu),
        *loads.loops({"q": "dtau_dq", "u": "dtau_du"}, over.tree.nu),
    )
    return Rolled(over.distinct(arrays), loops)


def forward_dynamics_derivatives(axes: TreeAxes, width: int) -> Rolled:
    """Responses of a long chain; elsewhere through M."""
    system = axes.tables.system
    if system.nu >= LONG_CHAIN and chain_response.applies(system.tree, system.state):
        return _by_responses(axes, width)
    return _through_factor(axes, width)


def _by_responses(axes: TreeAxes, width: int) -> Rolled:
    """Those to displacements, speeds and forces on their way to the tip."""
    responses = ResponseCalls(axes, width)
    arrays = [*axes.link_arrays, *axes.motion_arrays, *responses.joint_arrays, *axes.loads.arrays]
    loops = (
        *axes.turn,
        *axes.build(width),
        axes.move(REST),
        *axes.bodies(width),
        responses.take_out,
        responses.set_off,
        responses.answer,
        *responses.respond,
        *responses.matrices(*_RESPONSES.values()),
    )
    return Rolled(axes.over.distinct(arrays), loops)


def _through_factor(axes: TreeAxes, width: int) -> Rolled:
    """-M^-1 times the derivatives of inverse dynamics at the accelerations that M^-1 gives."""
    over, loads = axes.over, axes.loads
    factor = FactorCalls(over, width, "M")
    filled = (entry for places in loads.places.values() for entry in places)
    solutions = SolutionCalls(over, width, _RESPONSES, filled)
    by_q, by_u, _ = solutions.into.values()
    masses, changes = (BlockCalls(axes, width, rows.pitch) for rows in (factor, solutions))
    arrays = [*axes.link_arrays, *axes.motion_arrays, *axes.again_arrays]
    arrays += [*changes.arrays(ASCENT.size), *over.armature.arrays]
    arrays += [*loads.arrays, *loads.left_arrays, RolledArray("ready", over.speed_count)]
    arrays += [*factor.arrays, *solutions.arrays, RolledArray("a", over.tree.nu)]
    loops = (
        *axes.turn,
        *axes.build(width),
        *axes.build(width, "alone"),
        axes.move(REST),
        *axes.bodies(width),
        *axes.shift_subtree,
        masses.mass_matrix("M"),
        *over.add_armature("M", factor.pitch),
        factor.factor,
        axes.ready(loads.force),
        *factor.solve("ready", "a"),
        axes.move(),
        *axes.bodies(width, "alone", "again"),
        *axes.shift_wrench,
        *axes.depart(width),
        changes.derivatives(by_q, by_u, None),
        *loads.loops({"q": by_q, "u": by_u}, solutions.pitch),
        *solutions.loops,
    )
    return Rolled(over.distinct(arrays), loops)


BLOCKED: dict[str, Maker] = {
    "mass_matrix": mass_matrix,
    "inverse_dynamics_derivatives": inverse_dynamics_derivatives,
    "forward_dynamics_derivatives": forward_dynamics_derivatives,
}
"""Functions that have such loops."""


class BlockedFunctions:
    """Functions of `BLOCKED` of one system as for-loops, which share their steps.

    line_share : of the operations of loops over single columns, those of a straight line, which
        passes over zeros
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.line_share = LINE_SHARE if self._axes else LINE_SHARE_UNDER_CONSTRAINTS
        self._made: dict[str, dict[int, Rolled]] = {}

    @cached_property
    def _axes(self) -> TreeAxes | None:
        """Of a tree that has such loops."""
        obstacle = link_constants.obstacle(self.system)
        if obstacle or not link_constants.owns_its_speeds(self.system):
            return None
        return TreeAxes(SharedSweeps(LinkTables(self.system)), is_wide=True)

    def of(self, name: str) -> dict[int, Rolled]:
        """A function by numbers of a row; none if it has no such loops."""
        if name not in self._made:
            self._made[name] = self._make(name) if name in BLOCKED else {}
        return self._made[name]

    def _make(self, name: str) -> dict[int, Rolled]:
        if self._axes:
            return {width: BLOCKED[name](self._axes, width) for width in WIDTHS}
        is_wide = self.system.is_constrained and self.system.nu >= max(WIDTHS)
        if name != "forward_dynamics_derivatives" or not is_wide:
            return {}
        try:
            loops = ColumnLoops(self.system)
        except OffRowsError:
            return {}
        return {width: loops.rolled(width) for width in WIDTHS}

    def begun(self, name: str) -> list[int]:
        """Nodes of what the loops of a function begin with."""
        return [node for array in self.of(name)[1].arrays for node in array.start.values()]

    def win(self, name: str) -> bool:
        """True if loops beat the straight line of a function by estimate, before it is derived."""
        loops = self.of(name)
        if not loops:
            return False
        system = self.system
        first = flops(system.graph, self.begun(name))
        operations = self.line_share * loops[1].operations + first
        size = operations * INSTRUCTIONS_PER_OPERATION * BYTES_PER_INSTRUCTION
        gain = max(WIDTHS) * system.nu / (system.nu + COLUMNS_OF_HALF_GAIN)
        on_numbers = size / CORE.bytes
        in_loops = INSTRUCTIONS_PER_TURNED * (loops[max(WIDTHS)].operations + first) / CORE.looped
        if size > VAST_LINE_BYTES and in_loops < on_numbers:
            return True
        return size > LARGE_LINE_BYTES * gain and in_loops < WORTH_A_LINE * on_numbers / gain
