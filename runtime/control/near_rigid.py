"""Control of mechanisms that stretch as if they did not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.constraints.rank import solutions
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.control.allocation import Bounds, bounds_of
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.given_motion import GivenMotion, Profile
from eomc.runtime.control.least_effort import AllocationError, least_effort
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments

Told = Callable[[str], Array]
"""A function of the model at the state, by its name."""

_AXES = ("x", "y", "z")
_LACKING = 1e-9
"""Part of the accelerations wanted that may be lacking as rounding; also of 1 m/s^2 or rad/s^2, as
rows that want none hold what is left of terms of the speeds that cancel."""


@dataclass(frozen=True, eq=False)
class NearRigidForces:
    """Forces of a near-rigid law in a state, and changes of strains to be expected.

    Attributes
    ----------
    forces : (number of actuators,)
    strain_changes : (number of elements,) to be expected, d
    accelerations : (nu,) as they would be without strains' rates of their own
    tau : (nu,) generalized forces of the actuators
    """

    forces: Array
    strain_changes: Array
    accelerations: Array
    tau: Array


class NearRigid:
    """Least forces f for wanted accelerations, strains being held: minimize f^T f subject to

        M a + c = B f + A d + G^T lambda,   G a + g = 0,   a_c = v,   eps'' = J a + j = 0
        lower <= f <= upper,   eps_min <= eps + d <= eps_max
        v = q_d'' + Kd (q_d' - q_c') + Kp (q_d - q_c)

    The strains eps of cables are superfluous: as many equations more than freedoms of the rigid
    mechanism. They are closed by changes d of strain to be expected, each with its column A of
    generalized forces; bounds keep eps + d above a pretension, without which there is no control.
    What is neither controlled nor a strain is free, and found along with the forces. The forces are
    applied, the changes forgotten: strains follow by themselves, damped by the cables alone, and
    disturb the motion the less, the stiffer the cables are. Without gains nothing leads errors
    back.

    Free accelerations cost nothing, unless `free_damping` = (weight, rate) adds
    weight the square of a_f + rate u_f to f^T f, which damps internal motions.

    Sampled, by a fixed step of `simulate`, forces are held over a step and errors grow with it;
    adaptive methods of SciPy call the law at every stage.

    Parameters
    ----------
    model : CompiledModel
        With elements that stretch, such as cables.
    target : mapping to functions t -> (q, q', q''), or numbers
        Of speeds by name, or of ``frame.x``, ``.y``, ``.z`` of frames in world axes.
    strains : (lower, upper), or mapping of names of elements to such pairs
    limits : (lower, upper), or mapping of names of actuators to such pairs, optional
    actuators : sequence of str, optional
        Names of inputs, or of speeds that a force acts on; as of `actuation`.
    kp, kd : number, (nc,) or (nc, nc)
        Gains [1/s^2, 1/s] in the order of `target`, zero by default; without `kd` critically
        damped.
    free_damping : (weight, rate), optional
    inputs, prescribed, parameters : as of `simulate` (prescribed: its `target`)
        The model as the controller knows it.

    Raises ValueError for unknown names, other shapes, gains that destabilize. `torque` raises
    AllocationError where no forces are within the bounds.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: Mapping[str, Profile | float],
        strains: Bounds,
        limits: Bounds = None,
        *,
        actuators: Sequence[str] | str | None = None,
        kp: ArrayLike = 0.0,
        kd: ArrayLike | None = None,
        free_damping: tuple[float, float] = (0.0, 0.0),
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        if not model.has_function("element_strains"):
            raise ValueError(f"model {model.name!r} has no element that stretches, such as a cable")
        excitation = Excitation(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.model, self.mechanism = model, Actuated(excitation, actuators)
        self._motion = GivenMotion(target)
        self.controlled = self._motion.names
        self._rows = [_row(model, name) for name in self.controlled]
        self.elements = model.output_names("element_strains")
        self._strains = bounds_of("strains", self.elements, strains)
        self._limits = bounds_of("limits", self.mechanism.names, limits)
        self.kp = gain_matrix("kp", kp, len(self._rows))
        self.kd = (
            critical_damping(self.kp) if kd is None else gain_matrix("kd", kd, len(self._rows))
        )
        self.free_damping = free_damping

    def solve(self, t: float, q: Array, u: Array) -> NearRigidForces:
        """Forces, and what comes with them, at a time and state."""
        mechanism, nu = self.mechanism, self.model.nu
        values = mechanism.arguments(t, State(q, u))
        strain, slopes, drift, pulls = (
            np.asarray(part) for part in mechanism.excitation.call("element_strains", values)
        )
        rows, wanted = self._wanted(t, values)
        jacobian = mechanism.gradients(values)
        held = np.vstack([jacobian, rows, slopes])
        asked = np.concatenate([-self._bias(values), wanted, -drift])
        a, free = _accelerations(held, asked)
        mass = mechanism.call("mass_matrix", values).reshape(nu, nu)
        complement, acting = mechanism.freedoms(values), mechanism.forces(values)
        # K^T (M (a + N y) + c) = K^T (B f + A d)
        taken = mass @ a + mechanism.call("inverse_dynamics", values)
        sides = [acting, pulls, -mass @ free]
        n, m, k = (side.shape[1] for side in sides)
        weight, rate = self.free_damping
        own = np.full((2, k), [[-np.inf], [np.inf]])
        found = least_effort(
            complement.T @ np.hstack(sides),
            complement.T @ taken,
            *np.hstack([self._limits, self._strains - strain, own]),
            costs=np.repeat([1.0, 0.0, weight], (n, m, k)),
            targets=np.concatenate([np.zeros(n + m), -rate * (free.T @ u)]),
            names=(*mechanism.names, *(f"change of strain of {e}" for e in self.elements)),
        )
        forces = found[:n]
        return NearRigidForces(forces, found[n : n + m], a + free @ found[n + m :], acting @ forces)

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        return self.solve(t, q, u).tau

    def _bias(self, values: Mapping[str, Any]) -> Array:
        if self.mechanism.constraints is None:
            return np.zeros(0)
        return self.mechanism.call("constraint_bias", values)

    def _wanted(self, t: float, values: Mapping[str, Any]) -> tuple[Array, Array]:
        """Rows of the controlled accelerations, and what these are to be, their drift taken off."""
        # The axes of a frame share its functions.
        told = cache(lambda function: self.mechanism.call(function, values))
        found = [row.at(told, values) for row in self._rows]
        place, rate = (np.array([at[k] for at in found]) for k in (0, 1))
        s, s_rate, s_acceleration = self._motion(t).T
        v = s_acceleration + self.kd @ (s_rate - rate) + self.kp @ (s - place)
        rows = np.array([at[2] for at in found]).reshape(-1, self.model.nu)
        return rows, v - np.array([at[3] for at in found])


@dataclass(frozen=True)
class _Speed:
    """A speed that is the rate of a coordinate, by their places."""

    coordinate: int
    speed: int

    def at(self, told: Told, values: Mapping[str, Any]) -> tuple[float, float, Array, float]:
        """(q, q', row of q'', drift)"""
        row = np.zeros(len(values["u"]))
        row[self.speed] = 1.0
        return values["q"][self.coordinate], values["u"][self.speed], row, 0.0


@dataclass(frozen=True)
class _FrameOrigin:
    """A coordinate of a frame's origin in world axes."""

    frame: str
    axis: int

    def at(self, told: Told, values: Mapping[str, Any]) -> tuple[float, float, Array, float]:
        """(x, x', row of x'', drift)"""
        pose, velocity, _, jacobian, rate = function_names(self.frame)
        k = self.axis
        row, drift = told(jacobian)[k], told(rate)[k] @ values["u"]
        return told(pose)[k, 3], told(velocity)[k], row, float(drift)


def _row(model: CompiledModel, name: str) -> _Speed | _FrameOrigin:
    frame, _, axis = name.rpartition(".")
    if frame in model.frames and axis in _AXES:
        return _FrameOrigin(frame, _AXES.index(axis))
    if name not in model.speeds:
        places = [f"{frame}.{axis}" for frame in model.frames for axis in _AXES]
        raise ValueError(f"target of {name!r}: {near_names(name, (*model.speeds, *places))}")
    speed = model.speeds.index(name)
    if model.displacements[speed] not in model.coordinates:
        raise ValueError(f"target: speed {name!r} is the rate of no coordinate")
    return _Speed(model.coordinates.index(model.displacements[speed]), speed)


def _accelerations(held: Array, asked: Array) -> tuple[Array, Array]:
    """a_0 and N of rows a = asked; AllocationError if there is none."""
    size = np.linalg.norm(held, axis=1)
    scaled = held / np.where(size > 0, size, 1.0)[:, None]
    target = asked / np.where(size > 0, size, 1.0)
    a, free = solutions(scaled, target)
    if np.abs(scaled @ a - target).max(initial=0.0) > _LACKING * (1 + np.abs(target).max()):
        raise AllocationError(
            "the motion wanted contradicts the constraints, or the strains as they are held"
        )
    return a, free
