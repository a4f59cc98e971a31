"""Matrices of a model as for-loops over blocks of columns, by name.

They take fewer operations than columns one by one, and as many columns at once as a row has
numbers: the form of matrices that are long in straight lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eomc.derive.dynamics import chain_response
from eomc.derive.graph import Rolled, RolledArray
from eomc.derive.graph.tuning import LONG_CHAIN
from eomc.derive.rolled import link_constants
from eomc.derive.rolled.block_calls import BlockCalls
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


def blocked_functions(system: System, names: Iterable[str]) -> dict[str, dict[int, Rolled]]:
    """Functions of `BLOCKED` as for-loops by numbers of a row; none if the tree has no such."""
    if link_constants.obstacle(system) or not link_constants.owns_its_speeds(system):
        return {}
    axes = TreeAxes(SharedSweeps(LinkTables(system)), is_wide=True)
    return {name: {width: BLOCKED[name](axes, width) for width in WIDTHS} for name in names}
