"""The motion of a mechanism with loops along given coordinates, and the forces that it takes.

The other coordinates follow from the constraints by Newton's method, from each time to the next;
with K the natural orthogonal complement and r = M a + c the forces on the given coordinates are
K^T r. Reference: Angeles and Lee, *The formulation of dynamical equations of holonomic mechanical
systems using a natural orthogonal complement*, J. Appl. Mech. 55 (1988).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.constraints.constraints import ConstraintValues, IndependentConstraints
from eomc.runtime.constraints.reacting import forces_taken, settled
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, Values, initial_state
from eomc.runtime.names.near_names import near_names

Motion = Callable[[float], Any]
_STEPS = 30
_CLOSED = 1e-13


@dataclass(frozen=True, eq=False)
class LoopMotion:
    """A motion on the constraints at times t (k,).

    Attributes
    ----------
    q, u, a : (k, n)
        Coordinates, speeds and accelerations in the order of the model.
    forces : (k, given)
        On the given coordinates, `names`, that make this motion [N or N m].
    """

    t: Array
    q: Array
    u: Array
    a: Array
    forces: Array
    names: tuple[str, ...]

    def force(self, name: str) -> Array:
        """The force (k,) on a given coordinate."""
        result: Array = self.forces[:, self.names.index(name)]
        return result


def loop_motion(
    model: CompiledModel,
    t: ArrayLike,
    given: Mapping[str, Motion],
    *,
    guess: Values = None,
    inputs: InputLaw = None,
    prescribed: MotionLaw = None,
    parameters: Mapping[str, float] | None = None,
) -> LoopMotion:
    """All coordinates, speeds and accelerations, and the forces of a motion.

    Parameters
    ----------
    model : CompiledModel
        With constraints, and coordinates whose rates are its speeds.
    t : (k,) times [s], increasing
    given : mapping of as many coordinates as there are degrees of freedom to their motions
        Functions of time with position, rate and acceleration, as of `eomc.runtime.trajectories`.
    guess : of the first configuration, which chooses the branch
    inputs, motion, parameters
        As of `simulate`.

    Raises
    ------
    ValueError
        For a name that is no coordinate, or a number of motions other than that of freedoms.
    ConstraintError
        Where the loops cannot be closed, with the time.
    """
    times = np.atleast_1d(np.asarray(t, dtype=float))
    names = tuple(given)
    for name in names:
        if name not in model.coordinates:
            known = near_names(name, model.coordinates)
            raise ValueError(f"no coordinate {name!r}; {known}")
    if model.nq != model.nu:
        raise ValueError("some coordinates have speeds that are not their rates")
    excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
    walk = _LoopWalk(
        IndependentConstraints(model, excitation), [model.coordinates.index(n) for n in names]
    )
    freedoms = model.nq - len(walk.constraints.names)
    if len(names) != freedoms:
        raise ValueError(f"{len(names)} motions for {freedoms} degrees of freedom")
    q = np.array(initial_state(model, guess, None).q)
    q[walk.free] = [float(given[name](times[0]).position) for name in names]
    q = assemble(
        model,
        q,
        fixed=list(names),
        t=float(times[0]),
        inputs=inputs,
        prescribed=prescribed,
        parameters=parameters,
    ).q
    rows = []
    for time in times.tolist():
        samples = [given[name](time) for name in names]
        q = walk.closed(time, q, np.array([float(s.position) for s in samples]))
        u = walk.speeds(time, q, np.array([float(s.rate) for s in samples]))
        a = walk.accelerations(time, q, u, np.array([float(s.acceleration) for s in samples]))
        rows.append((q, u, a, walk.forces(time, q, u, a)))
    along_q, along_u, along_a, forces = (np.array(c) for c in zip(*rows, strict=True))
    return LoopMotion(times, along_q, along_u, along_a, forces, names)


class _LoopWalk:
    """Newton's method on the dependent coordinates, and their rates."""

    def __init__(self, constraints: IndependentConstraints, free: list[int]) -> None:
        self.constraints, self.model, self.free = constraints, constraints.model, free
        self.rest = [k for k in range(self.model.nq) if k not in free]
        self.none = initial_state(self.model, None, None).z

    def at(self, t: float, q: Array, u: Array | None = None) -> ConstraintValues:
        """Values of the constraints."""
        rates = np.zeros(self.model.nu) if u is None else u
        return self.constraints.at(t, State(q, rates, self.none))

    def closed(self, t: float, q: Array, values: Array) -> Array:
        """phi = 0 by the dependent coordinates."""
        q = q.copy()
        q[self.free] = values
        for _ in range(_STEPS):
            at = self.at(t, q)
            step = np.linalg.solve(at.G[:, self.rest], at.residual)
            q[self.rest] -= step
            if np.abs(step).max(initial=0.0) < _CLOSED * (1 + np.abs(q).max()):
                return q
        raise ConstraintError(
            f"model {self.model.name!r}: the loops cannot be closed at t = {t:.6g} s near the "
            "configuration before; give more times, or a motion within reach"
        )

    def speeds(self, t: float, q: Array, values: Array) -> Array:
        """G u + b = 0"""
        u = self._placed(values)
        at = self.at(t, q, u)
        u[self.rest] = -np.linalg.solve(at.G[:, self.rest], at.velocity)
        return u

    def accelerations(self, t: float, q: Array, u: Array, values: Array) -> Array:
        """G u' + g = 0"""
        a = self._placed(values)
        at = self.at(t, q, u)
        a[self.rest] = -np.linalg.solve(at.G[:, self.rest], at.acceleration(a))
        return a

    def forces(self, t: float, q: Array, u: Array, a: Array) -> Array:
        """K^T (M a + c) with K = (1, -G_D^-1 G_I)"""
        at = self.at(t, q, u)
        values = {**at.arguments, "a": a}
        if self.model.has_reaction_friction:
            return self._reacting(t, at, values)
        taken = np.asarray(self.constraints.excitation.call("inverse_dynamics", values))
        carried = np.linalg.solve(at.G[:, self.rest].T, taken[self.rest])
        result: Array = taken[self.free] - at.G[:, self.free].T @ carried
        return result

    def _reacting(self, t: float, at: ConstraintValues, values: Mapping[str, Any]) -> Array:
        """The same where forces depend on the multipliers that carry the rest."""
        own = np.eye(self.model.nu)[:, self.free]
        found = np.zeros(len(self.free))

        def step(multipliers: Array) -> Array:
            taken, by = forces_taken(self.constraints, values, multipliers)
            solved = np.linalg.solve(np.hstack([own, at.G.T + by]), taken + by @ multipliers)
            found[:] = solved[: len(found)]
            return np.asarray(solved[len(found) :], dtype=np.float64)

        try:
            settled(step, len(at.G))
        except FloatingPointError as error:
            raise ConstraintError(f"model {self.model.name!r}: at t = {t:.6g} s {error}") from error
        return found

    def _placed(self, values: Array) -> Array:
        result = np.zeros(self.model.nu)
        result[self.free] = values
        return result
