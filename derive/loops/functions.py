"""Functions of a model as loops, by name."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from eomc.derive.geometry import Inertia
from eomc.derive.graph import Array, Loop, Loops
from eomc.derive.loops import links, steps
from eomc.derive.loops.derivative_sweeps import DerivativeSweeps
from eomc.derive.loops.recursions import Recursions
from eomc.derive.model.errors import ModelError
from eomc.derive.system import System

Maker = Callable[[DerivativeSweeps], Loops | None]
_MAKERS: dict[str, Maker] = {}
_sweeps_of: WeakKeyDictionary[System, DerivativeSweeps] = WeakKeyDictionary()

# One zero for each speed of a joint: speeds or accelerations of links at rest.
_REST = "rest"


def _looped(name: str) -> Callable[[Maker], Maker]:
    def remember(maker: Maker) -> Maker:
        _MAKERS[name] = maker
        return maker

    return remember


def loops_of(system: System, function: str) -> Loops | None:
    """The loops of a function of this system; None if it stays unrolled.

    Raises `ModelError` if no function of the model can be in loops.
    """
    if reason := links.obstacle(system):
        raise ModelError(
            f"model {system.model.name!r}: small code is made of loops over rigid bodies in a tree "
            f"of free joints, but {reason}; leave out small",
            system.model.source,
        )
    if function not in _MAKERS:
        return None
    if system not in _sweeps_of:
        _sweeps_of[system] = DerivativeSweeps(Recursions(system))
    return _MAKERS[function](_sweeps_of[system])


def _newton_euler(over: DerivativeSweeps, force: str, *, u: str, a: str, loaded: bool) -> Loops:
    """Outward motions, inward wrenches; generalized forces go to the array `force`."""
    nu = over.tree.nu
    arrays = [*over.outward_arrays(loaded=loaded), *over.projection.arrays]
    if _REST in (u, a):
        arrays.append(over.rest(_REST))
    if over.rows.shares_speeds:
        arrays.append(Array(force, nu, dict.fromkeys(range(nu), over.tree.zero.node)))
    loops = [
        Loop(over.count, (over.pose, over.outward(u, a))),
        Loop(over.count, (over.project(force), over.carry_wrench), backward=True),
    ]
    if loaded:
        arrays += over.rows.taken.arrays
        loops += over.rows.taken.loops(force, a=a)
    return Loops(over.distinct(arrays), tuple(loops))


@_looped("inverse_dynamics")
def _inverse_dynamics(over: DerivativeSweeps) -> Loops:
    return _newton_euler(over, "tau", u="u", a="a", loaded=True)


@_looped("bias")
def _bias(over: DerivativeSweeps) -> Loops:
    return _newton_euler(over, "c", u="u", a=_REST, loaded=True)


@_looped("gravity")
def _gravity(over: DerivativeSweeps) -> Loops:
    return _newton_euler(over, "g", u=_REST, a=_REST, loaded=False)


@_looped("forward_dynamics")
def _forward_dynamics(over: DerivativeSweeps) -> Loops | None:
    """Articulated bodies; where a speed moves several links, they stay unrolled."""
    if over.rows.shares_speeds:
        return None
    left = over.rows.left
    force = "left" if left.speeds else "tau"
    arrays = [*over.outward_arrays(loaded=True), *over.shown_arrays, *left.arrays]
    arrays.append(over.rest(_REST))
    if left.speeds:
        arrays.append(Array("left", over.tree.nu))
    out = Loop(over.count, (over.pose, over.outward("u", _REST), over.show))
    back = Loop(over.speed_count, (over.eliminate(force), over.carry_shown), backward=True)
    again = Loop(over.speed_count, (over.follow, over.accelerate))
    loops = (*left.loops("tau"), out, back, again)
    return Loops(over.distinct(arrays), loops)


@_looped("mass_matrix")
def _mass_matrix(over: DerivativeSweeps) -> Loops | None:
    """Composite bodies, each column on its way to the base."""
    if over.rows.shares_speeds:
        return None
    arrays = [*over.pose_arrays, *over.composite_arrays(Inertia.zero(over.tree.zero))]
    loops = [
        Loop(over.count, (over.pose, over.own_composite)),
        Loop(over.count, (over.carry_composite,), backward=True),
        *over.columns_met("M"),
    ]
    arrays += over.matrix_arrays("M")
    return Loops(over.distinct(arrays), tuple(loops))


@_looped("kinetic_energy")
def _kinetic_energy(over: DerivativeSweeps) -> Loops:
    energy = Array("T", 1, {0: over.tree.zero.node})
    arrays = [*over.twist_arrays, *over.armature.arrays, energy]
    loops = (Loop(over.count, (over.pose, over.kinetic)), *over.rotor_energy)
    return Loops(over.distinct(arrays), loops)


@_looped("momentum")
def _momentum(over: DerivativeSweeps) -> Loops:
    out = Loop(over.count, (over.pose, over.moving))
    back = Loop(over.count, (over.carry_wrench,), backward=True)
    arrays = [*over.twist_arrays, over.wrench_array]
    return Loops(over.distinct(arrays), (out, back, over.show_momentum))


@_looped("potential_energy")
def _potential_energy(over: DerivativeSweeps) -> Loops:
    gravity = Array("gravity", 3, {k: e.node for k, e in enumerate(over.tree.gravity)})
    springs = over.rows.system.loads.conservative.potential
    energy = Array("V", 1, {0: springs.node})
    arrays = [*over.total_arrays, gravity, energy]
    return Loops(over.distinct(arrays), (*over.total, over.weight_energy))


@_looped("center_of_mass")
def _center_of_mass(over: DerivativeSweeps) -> Loops:
    return Loops(over.distinct(over.total_arrays), (*over.total, over.center))


@_looped("center_of_mass_jacobian")
def _center_of_mass_jacobian(over: DerivativeSweeps) -> Loops | None:
    """Linear momentum of each unit speed over the mass."""
    if over.rows.shares_speeds:
        return None
    arrays = [*over.total_arrays, over.turn_array, *over.columns.arrays]
    arrays.append(Array("carried", steps.WRENCH))
    _, back = over.total
    out = Loop(over.count, (over.pose, over.own_composite, over.turn))
    columns = Loop(over.speed_count, (over.momentum, over.center_column))
    return Loops(over.distinct(arrays), (out, back, columns))


@_looped("inverse_dynamics_derivatives")
def _inverse_dynamics_derivatives(over: DerivativeSweeps) -> Loops | None:
    """Each speed with those of its link and of its ancestors; by a, the mass matrix."""
    if over.rows.shares_speeds:
        return None
    arrays = [*over.outward_arrays(loaded=False), *over.pair_arrays]
    arrays += over.composite_arrays(Inertia.zero(over.tree.zero))
    arrays += over.matrix_arrays("dtau_da")
    out = (over.pose, over.outward("u", "a"), over.seen, over.own_composite)
    back = (over.carry_composite, over.carry_flow, over.carry_wrench)
    loops = (
        Loop(over.count, out),
        Loop(over.count, back, backward=True),
        *over.pairs_met,
        *over.columns_met("dtau_da"),
    )
    return Loops(over.distinct(arrays), loops)
