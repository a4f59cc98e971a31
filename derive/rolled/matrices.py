"""Matrices of a model as for-loops over blocks of columns, by name.

They take fewer operations than columns one by one, and as many columns at once as a row has
numbers: the form of matrices that are long in straight lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from eomc.derive.dynamics import chain_response
from eomc.derive.graph import ForLoop, Rolled
from eomc.derive.rolled import link_constants
from eomc.derive.rolled.block_calls import BlockCalls
from eomc.derive.rolled.layouts import ASCENT, SPATIAL
from eomc.derive.rolled.link_tables import LinkTables
from eomc.derive.rolled.load_derivatives import LoadDerivatives
from eomc.derive.rolled.response_calls import ResponseCalls
from eomc.derive.rolled.sweeps import Sweeps
from eomc.derive.rolled.tree_axes import TreeAxes
from eomc.derive.system import System

WIDTHS = (8, 4, 2, 1)
"""Numbers of a row: of vectors of 512, 256 and 128 bits, and without."""
FEWEST, LONG = 16, 12_000
"""Speeds of a tree, and operations of a function, from which on a line may be long."""

Maker = Callable[[TreeAxes, int], Rolled | None]


def mass_matrix(axes: TreeAxes, width: int) -> Rolled:
    """Momenta of subtrees on their way to the base, in rows of this width."""
    over, blocks = axes.over, BlockCalls(axes, width)
    arrays = [*axes.link_arrays, *blocks.arrays(SPATIAL.size), *over.armature.arrays]
    loops = (
        *axes.turn,
        *axes.build(width),
        *axes.shift_composite,
        blocks.mass_matrix("M"),
        *over.add_armature("M"),
    )
    return Rolled(over.distinct([*arrays, blocks.unmet("M")]), loops)


def inverse_dynamics_derivatives(axes: TreeAxes, width: int) -> Rolled:
    """Pairs of speeds on their way to the base; by a, the mass matrix."""
    over, blocks = axes.over, BlockCalls(axes, width)
    loads = LoadDerivatives(axes.tables.system)
    matrices = ("dtau_dq", "dtau_du", "dtau_da")
    arrays = [*axes.link_arrays, *axes.motion_arrays, *blocks.arrays(ASCENT.size)]
    arrays += [*over.armature.arrays, *loads.arrays]
    loops = (
        *axes.turn,
        *axes.build(width),
        ForLoop(over.count, (axes.move,)),
        *axes.bodies(width),
        *axes.shift_subtree,
        *axes.depart(width),
        blocks.derivatives(*matrices),
        *over.add_armature("dtau_da"),
        *loads.loops,
    )
    return Rolled(over.distinct([*arrays, *map(blocks.unmet, matrices)]), loops)


def forward_dynamics_derivatives(axes: TreeAxes, width: int) -> Rolled | None:
    """Responses of a chain to displacements, speeds and forces on their way to the tip."""
    over, system = axes.over, axes.tables.system
    if not chain_response.applies(system.tree, system.state):
        return None
    loads = LoadDerivatives(system)
    responses = ResponseCalls(axes, width, loads)
    arrays = [*axes.link_arrays, *axes.motion_arrays, *responses.joint_arrays, *loads.arrays]
    loops = (
        *axes.turn,
        *axes.build(width),
        responses.move,
        *axes.bodies(width),
        responses.take_out,
        responses.set_off,
        responses.answer,
        *responses.respond,
        *responses.matrices("da_dq", "da_du", "da_dtau"),
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
    axes = TreeAxes(Sweeps(LinkTables(system)), is_wide=True)
    found: dict[str, dict[int, Rolled]] = {}
    for name in names:
        by_width = ((width, BLOCKED[name](axes, width)) for width in WIDTHS)
        found[name] = {width: loops for width, loops in by_width if loops is not None}
    return found
