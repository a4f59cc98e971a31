"""Functions of a model as for-loops, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from eomc.derive.graph import ForLoop, Rolled, RolledArray
from eomc.derive.language.errors import ModelError
from eomc.derive.rolled import link_constants, matrices
from eomc.derive.rolled.energy_sweeps import EnergySweeps
from eomc.derive.rolled.layouts import WRENCH
from eomc.derive.rolled.link_tables import LinkTables
from eomc.derive.rolled.tree_axes import TreeAxes
from eomc.derive.system import System

Maker = Callable[["_SweepCalls"], Rolled | None]
_MAKERS: dict[str, Maker] = {}

# One zero for each speed of a joint: speeds or accelerations of links at rest.
_REST = "rest"


def _rolled(name: str) -> Callable[[Maker], Maker]:
    def remember(maker: Maker) -> Maker:
        _MAKERS[name] = maker
        return maker

    return remember


class _SweepCalls(EnergySweeps):
    """All calls."""

    @cached_property
    def tree_axes(self) -> TreeAxes:
        """Those in tree axes."""
        return TreeAxes(self, is_wide=False)


def rolled_functions(system: System, names: Iterable[str]) -> dict[str, Rolled]:
    """Functions of this system as for-loops, that share their steps; others stay unrolled.

    Raises `ModelError` if no function of the model can be rolled.
    """
    if reason := link_constants.obstacle(system):
        raise ModelError(
            f"model {system.model.name!r}: small code is made of loops over rigid bodies in a tree "
            f"of free joints, but {reason}; leave out small",
            system.model.source,
        )
    over = _SweepCalls(LinkTables(system))
    made = {name: _MAKERS[name](over) for name in names if name in _MAKERS}
    return {name: loops for name, loops in made.items() if loops is not None}


def _newton_euler(over: _SweepCalls, force: str, *, u: str, a: str, loaded: bool) -> Rolled:
    """Outward motions, inward wrenches; generalized forces go to the array `force`."""
    nu = over.tree.nu
    arrays = [*over.outward_arrays(loaded=loaded)]
    if _REST in (u, a):
        arrays.append(over.rest(_REST))
    if over.tables.shares_speeds:
        arrays.append(RolledArray(force, nu, dict.fromkeys(range(nu), over.tree.zero.node)))
    loops = [
        ForLoop(over.count, (over.pose, over.outward(u, a))),
        ForLoop(over.count, (over.project(force), over.carry_wrench), backward=True),
    ]
    if loaded:
        arrays += over.taken.arrays
        loops += over.taken.loops(force, a=a)
    return Rolled(over.distinct(arrays), tuple(loops))


@_rolled("inverse_dynamics")
def _inverse_dynamics(over: _SweepCalls) -> Rolled:
    return _newton_euler(over, "tau", u="u", a="a", loaded=True)


@_rolled("bias")
def _bias(over: _SweepCalls) -> Rolled:
    return _newton_euler(over, "c", u="u", a=_REST, loaded=True)


@_rolled("gravity")
def _gravity(over: _SweepCalls) -> Rolled:
    return _newton_euler(over, "g", u=_REST, a=_REST, loaded=False)


@_rolled("forward_dynamics")
def _forward_dynamics(over: _SweepCalls) -> Rolled | None:
    """Articulated bodies; where a speed moves several links, they stay unrolled."""
    if over.tables.shares_speeds:
        return None
    left = over.left
    force = "left" if left.speeds else "tau"
    arrays = [*over.outward_arrays(loaded=True), *over.articulated_arrays, *left.arrays]
    arrays.append(over.rest(_REST))
    if left.speeds:
        arrays.append(RolledArray("left", over.tree.nu))
    out = ForLoop(over.count, (over.pose, over.outward("u", _REST), over.own_articulated))
    back = ForLoop(over.speed_count, (over.eliminate(force), over.carry_articulated), backward=True)
    again = ForLoop(over.speed_count, (over.follow, over.accelerate))
    loops = (*left.loops("tau"), out, back, again)
    return Rolled(over.distinct(arrays), loops)


@_rolled("mass_matrix")
def _mass_matrix(over: _SweepCalls) -> Rolled | None:
    if over.tables.shares_speeds:
        return None
    return matrices.mass_matrix(over.tree_axes, 1)


@_rolled("kinetic_energy")
def _kinetic_energy(over: _SweepCalls) -> Rolled:
    energy = RolledArray("T", 1, {0: over.tree.zero.node})
    arrays = [*over.twist_arrays, *over.armature.arrays, energy]
    loops = (ForLoop(over.count, (over.pose, over.kinetic)), *over.rotor_energy)
    return Rolled(over.distinct(arrays), loops)


@_rolled("momentum")
def _momentum(over: _SweepCalls) -> Rolled:
    out = ForLoop(over.count, (over.pose, over.moving))
    back = ForLoop(over.count, (over.carry_wrench,), backward=True)
    arrays = [*over.twist_arrays, over.wrench_array]
    return Rolled(over.distinct(arrays), (out, back, over.total_momentum))


@_rolled("potential_energy")
def _potential_energy(over: _SweepCalls) -> Rolled:
    gravity = RolledArray("gravity", 3, {k: e.node for k, e in enumerate(over.tree.gravity)})
    springs = over.tables.system.loads.conservative.potential
    energy = RolledArray("V", 1, {0: springs.node})
    arrays = [*over.total_arrays, gravity, energy]
    return Rolled(over.distinct(arrays), (*over.total, over.weight_energy))


@_rolled("center_of_mass")
def _center_of_mass(over: _SweepCalls) -> Rolled:
    return Rolled(over.distinct(over.total_arrays), (*over.total, over.center))


@_rolled("center_of_mass_jacobian")
def _center_of_mass_jacobian(over: _SweepCalls) -> Rolled | None:
    """Linear momentum of each unit speed over the mass."""
    if over.tables.shares_speeds:
        return None
    arrays = [*over.total_arrays, over.turn_array, *over.columns.arrays]
    arrays.append(RolledArray("carried", WRENCH.size))
    _, back = over.total
    out = ForLoop(over.count, (over.pose, over.own_composite, over.turn))
    columns = ForLoop(over.speed_count, (over.momentum, over.center_column))
    return Rolled(over.distinct(arrays), (out, back, columns))


@_rolled("inverse_dynamics_derivatives")
def _inverse_dynamics_derivatives(over: _SweepCalls) -> Rolled | None:
    if over.tables.shares_speeds:
        return None
    return matrices.inverse_dynamics_derivatives(over.tree_axes, 1)


@_rolled("forward_dynamics_derivatives")
def _forward_dynamics_derivatives(over: _SweepCalls) -> Rolled | None:
    if over.tables.shares_speeds:
        return None
    return matrices.forward_dynamics_derivatives(over.tree_axes, 1)
