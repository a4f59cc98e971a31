"""A mechanism that bends, seen as slow joints and fast elastic amplitudes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.constraints.independent import partition
from eomc.runtime.constraints.projection import MOST_STEPS, failed
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.control.flexible.subsystems import Subsystems
from eomc.runtime.control.state_feedback import chosen
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.linearization import LinearModel, linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, Values, initial_state, vector

_SOFT = 1e-12
"""Stiffness of a fast coordinate that counts as none, by the largest."""


@dataclass(frozen=True, eq=False)
class RigidForces:
    """Forces that a motion of the joints takes while the mechanism does not bend.

    Attributes
    ----------
    forces : (number of actuators,), tau-
    bending : (m,), f-: the elastic forces on the amplitudes
    q, u : (nq,), (nu,) of the model, not bent
    """

    forces: Array
    bending: Array
    q: Array
    u: Array


class SlowFast:
    """Joints theta and elastic amplitudes b of a model, trees and closed loops alike.

    Of a model with constraints theta and b are its independent coordinates; the others follow from
    the loops, and M, c, B of `Subsystems` are those of the natural orthogonal complement.

    Parameters
    ----------
    model : CompiledModel
    slow : sequence of str, optional
        Names of the speeds theta'; of a model without constraints all that are not fast.
    fast : sequence of str, optional
        Names of the speeds b'; by default the amplitudes of all deformable bodies.
    actuators : sequence of str, optional
        Names of inputs, or of speeds that a force acts on; the slow speeds by default.
    near : (nq,) array or mapping of names to values, optional
        A configuration near which loops are closed.
    inputs, prescribed, parameters : as of `simulate` (prescribed: its `motion`)

    Raises ValueError for unknown names, a model that does not bend, a fast coordinate without
    stiffness, more or fewer actuators than slow speeds; ConstraintError where slow and fast ones
    are not as many as the freedoms.
    """

    def __init__(
        self,
        model: CompiledModel,
        slow: Sequence[str] | None = None,
        fast: Sequence[str] | None = None,
        *,
        actuators: Sequence[str] | None = None,
        near: Values = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.model = model
        self._around: dict[str, Any] = {
            "inputs": inputs,
            "prescribed": prescribed,
            "parameters": parameters,
        }
        self.fast, self.slow = _names(model, slow, fast)
        self.mechanism = Actuated(
            Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters),
            self.slow if actuators is None else actuators,
        )
        self.actuators = self.mechanism.names
        if len(self.actuators) != len(self.slow):
            raise ValueError(
                f"{len(self.actuators)} actuators for {len(self.slow)} slow speeds "
                f"({', '.join(self.slow)}); there must be as many"
            )
        self._free = [model.speeds.index(name) for name in (*self.slow, *self.fast)]
        rest = [k for k in range(model.nu) if k not in self._free]
        self._order = (*self._free, *rest)
        self.coordinates = [_coordinate(model, name) for name in (*self.slow, *self.fast)]
        self.near = self._start(near)
        self._stiffness(0.0, self.configuration(0.0, self.theta(self.near)))

    # -- configurations --------------------------------------------------------------------------

    def theta(self, q: Array) -> Array:
        """(n,) of a configuration of the model."""
        return q[self.coordinates[: len(self.slow)]]

    def amplitudes(self, q: Array) -> Array:
        """b (m,) of a configuration of the model."""
        return q[self.coordinates[len(self.slow) :]]

    def configuration(
        self, t: float, theta: ArrayLike, b: ArrayLike | None = None, near: Array | None = None
    ) -> Array:
        """q (nq,) with these joints and amplitudes (none by default); loops closed near `near`."""
        q = np.array(self.near if near is None else near, dtype=np.float64)
        n, m = len(self.slow), len(self.fast)
        q[self.coordinates[:n]] = vector("theta", theta, n)
        q[self.coordinates[n:]] = 0.0 if b is None else vector("b", b, m)
        constraints = self.mechanism.constraints
        if constraints is None:
            return q
        state = State(q, np.zeros(self.model.nu))
        try:
            found = constraints.solve(
                "dependent_coordinates", t, state, MOST_STEPS, order=self._order
            )
        except FloatingPointError as failure:
            raise failed(constraints, t, state) from failure
        return np.asarray(found)

    def _start(self, near: Values) -> Array:
        if not self.model.is_constrained:
            return initial_state(self.model, near, None).q
        held = [name for name in self.fast if name in self.model.coordinates]
        return assemble(self.model, near, fixed=held, **self._around).q

    # -- motion ----------------------------------------------------------------------------------

    def speeds(self, t: float, q: Array, rates: Array) -> tuple[Array, Array]:
        """N (nu, n + m) and u = N psi' + k0 (nu,)."""
        constraints, nu = self.mechanism.constraints, self.model.nu
        if constraints is None:
            free = np.zeros((nu, len(self._free)))
            free[self._free, range(len(self._free))] = 1.0
            return free, free @ rates
        part = partition(constraints, t, State(q, np.zeros(nu)), self._order)
        return part.K, part.K @ rates + part.k0

    def _forces(
        self, t: float, q: Array, rates: Array, accelerations: Array
    ) -> tuple[Array, Array, dict[str, Any], Array]:
        """N^T (M a + c), N, the arguments of the model's functions, and u."""
        n_matrix, u = self.speeds(t, q, rates)
        a = n_matrix @ accelerations
        values = self.mechanism.arguments(t, State(q, u))
        constraints = self.mechanism.constraints
        if constraints is not None:
            bound = list(self._order[len(self._free) :])
            jacobian = self.mechanism.gradients(values)
            drift = jacobian @ a + self.mechanism.call("constraint_bias", values)
            a[bound] -= np.linalg.solve(jacobian[:, bound], drift)
        values["a"] = a
        taken = n_matrix.T @ self.mechanism.call("inverse_dynamics", values)
        return taken, n_matrix, values, u

    def rigid(
        self,
        t: float,
        theta: ArrayLike,
        rate: ArrayLike,
        acceleration: ArrayLike,
        near: Array | None = None,
    ) -> RigidForces:
        """Forces of a motion of the joints without bending, and the elastic forces in it:

        B_theta tau- = M_thetatheta theta'' + c_theta,   f- = B_b tau- - (M_btheta theta'' + c_b)
        """
        n, none = len(self.slow), np.zeros(len(self.fast))
        q = self.configuration(t, theta, near=near)
        rates = np.concatenate([vector("rate", rate, n), none])
        wanted = np.concatenate([vector("acceleration", acceleration, n), none])
        taken, n_matrix, values, u = self._forces(t, q, rates, wanted)
        forcing = n_matrix.T @ self.mechanism.forces(values)
        forces = np.asarray(np.linalg.solve(forcing[:n], taken[:n]), dtype=np.float64)
        return RigidForces(forces, forcing[n:] @ forces - taken[n:], q, u)

    def at(
        self,
        theta: ArrayLike | Mapping[str, float] | None = None,
        rate: ArrayLike | None = None,
        *,
        t: float = 0.0,
        scale: float | None = None,
    ) -> Subsystems:
        """The subsystems at joints theta (n,) with rates (n,), not bent.

        `scale` is k, by default the smallest eigenvalue of K.
        """
        n = len(self.slow)
        q = self.configuration(t, self._given(theta))
        rates = np.zeros(len(self._free))
        if rate is not None:
            rates[:n] = vector("rate", rate, n)
        bias, n_matrix, values, u = self._forces(t, q, rates, np.zeros(len(self._free)))
        nu = self.model.nu
        mass = n_matrix.T @ self.mechanism.call("mass_matrix", values).reshape(nu, nu) @ n_matrix
        stiffness, damping = self._stiffness(t, q)
        smallest = float(np.linalg.eigvalsh(stiffness)[0])
        k = smallest if scale is None else float(vector("scale", scale, 1)[0])
        if not k > 0:
            raise ValueError(f"scale is {k:g}; give a positive stiffness")
        forcing = n_matrix.T @ self.mechanism.forces(values)
        return Subsystems(
            self.slow, self.fast, self.actuators, q, u, mass, bias, forcing, stiffness, damping, k
        )

    def _given(self, theta: ArrayLike | Mapping[str, float] | None) -> Array:
        if theta is None:
            return self.theta(self.near)
        if isinstance(theta, Mapping):
            start = dict(zip(self.slow, self.theta(self.near).tolist(), strict=True))
            for name in theta:
                if name not in start:
                    raise ValueError(f"theta: {name!r} is none of {', '.join(self.slow)}")
            return np.array(list((start | dict(theta)).values()), dtype=np.float64)
        return vector("theta", theta, len(self.slow))

    def linear(self, q: Array, t: float = 0.0, outputs: Sequence[str] | None = None) -> LinearModel:
        """The model linearized at rest in q, in theta and b."""
        names = [self.model.displacements[place] for place in self._free]
        independent = names if self.model.is_constrained else None
        return linearize(
            self.model,
            q=q,
            a=np.zeros(self.model.nu),
            t=t,
            outputs=outputs,
            independent=independent,
            **self._around,
        )

    def _stiffness(self, t: float, q: Array) -> tuple[Array, Array]:
        """K and D of the fast coordinates in a state of rest, not bent."""
        linear = self.linear(q, t)
        displacements = [self.model.displacements[place] for place in self._free]
        rows = [linear.coordinates.index(name) for name in displacements[len(self.slow) :]]
        k = linear.stiffness[np.ix_(rows, rows)]
        k = (k + k.T) / 2
        values, modes = np.linalg.eigh(k)
        if values[0] <= _SOFT * values[-1]:
            soft = self.fast[int(np.argmax(np.abs(modes[:, 0])))]
            raise ValueError(
                f"fast: {soft!r} has no stiffness ({values[0]:.3g}); it belongs to the slow ones"
            )
        return k, linear.damping[np.ix_(rows, rows)]


def _names(
    model: CompiledModel, slow: Sequence[str] | None, fast: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fast and slow speeds."""
    if fast is None:
        bodies = model.manifest.get("metadata", {}).get("deformables", ())
        internal = [
            name
            for body in bodies
            for name, neutral in zip(body["coordinates"], body["neutral"], strict=True)
            if neutral == 0
        ]
        fast = [s for s in model.speeds if s in internal and s not in (slow or ())]
    if not fast:
        raise ValueError(f"model {model.name!r} has no deformable body; name what is fast (fast=)")
    quick, _ = chosen(model, "fast", fast)
    if slow is None:
        if model.is_constrained:
            raise ValueError(f"model {model.name!r} has constraints: name the slow speeds (slow=)")
        slow = [name for name in model.speeds if name not in quick]
    lazy, _ = chosen(model, "slow", slow)
    for name in lazy:
        if name in quick:
            raise ValueError(f"slow: {name!r} is among the fast ones too")
    if not lazy:
        raise ValueError("slow: there is no joint that moves")
    if not model.is_constrained and len(lazy) + len(quick) != model.nu:
        left = next(name for name in model.speeds if name not in (*lazy, *quick))
        raise ValueError(f"speed {left!r} is neither slow nor fast")
    return quick, lazy


def _coordinate(model: CompiledModel, speed: str) -> int:
    displacement = model.displacements[model.speeds.index(speed)]
    if displacement not in model.coordinates:
        raise ValueError(f"speed {speed!r} is the rate of no coordinate")
    return model.coordinates.index(displacement)
