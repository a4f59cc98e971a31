"""Feedback linearization of some coordinates while others move as they will."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import MEASURED
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.given_motion import GivenMotion, Profile
from eomc.runtime.control.law import OfPlant
from eomc.runtime.control.state_feedback import chosen, named
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.renamed import current_arguments

# Directions of the controlled accelerations that answer the actuators less than this, relative to
# the strongest, count as out of reach.
_REACH = 1e-12
_FOLLOWED = ("x_d", "x_d_rate", "x_d_acceleration")


class FeedbackLinearization(OfPlant):
    """The controlled accelerations of M a + c = B f + P Lambda, solved for the forces f:

        a_c = a_0c + (M^-1 B)_c f + (M^-1 P)_c Lambda = v
        a_s = a_0s + (M^-1 B)_s f + (M^-1 P)_s Lambda = q_s''
        v = q_d'' + Kd (q_d' - q_c') + Kp (q_d - q_c)

    with a_0 = M^-1 (tau_known - c). Controlled are as many speeds as there are actuators; flexible
    and other passive coordinates answer as the model says. Specified coordinates s move as given by
    constraint forces Lambda, which are not the controller's: they are solved for along with f and
    left out of the torque. Wherever the model is exact, the controlled errors obey
    e'' + Kd e' + Kp e = 0; what the passive coordinates do is the zero dynamics.

    Reference: Spong, Partial feedback linearization of underactuated mechanical systems, IROS
    (1994); Caron, *Planar Dynamics and Control of Space-Based Flexible Manipulators* (1996), sec.
    5.2.

    Parameters
    ----------
    model : CompiledModel
        The controller's model; it may know less than the plant, see `plant`.
    target : mapping of controlled speeds, by name, to functions t -> (q, q', q''), or numbers
        A number is a place to hold. Each is the rate of a coordinate of its name.
    kp, kd : number, (nc,) or (nc, nc)
        Gains [1/s^2, 1/s] in the order of `target`. Without `kd` the errors are critically damped.
    actuators : sequence of str, optional
        Where the forces act, the controlled speeds by default.
    specified : mapping, by name of a speed, to functions t -> (q, q', q''), or numbers
        Coordinates of the model whose motion constraints maintain.
    plant : StateMap, optional
        How the model's state follows from the plant's; by default they are the same.
    inputs, prescribed, parameters : as of `simulate` (prescribed: its `target`)
        The model as the controller knows it.

    Raises ValueError for unknown names, other shapes, destabilizing gains. `torque` raises
    FloatingPointError where the actuators do not reach the controlled coordinates.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: Mapping[str, Profile | float],
        kp: ArrayLike,
        kd: ArrayLike | None = None,
        *,
        actuators: Sequence[str] | None = None,
        specified: Mapping[str, Profile | float] | None = None,
        plant: StateMap | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, plant, inputs, prescribed, parameters)
        self._given = GivenMotion(target), GivenMotion({} if specified is None else specified)
        self.controlled, self.specified = (given.names for given in self._given)
        self.actuators = self.controlled if actuators is None else named(actuators)
        places = _places(model, self.controlled, self.specified, self.actuators)
        self._rows, self._columns, self._coordinates = places
        self._is_constrained = model.is_constrained
        count = len(self.controlled)
        self.kp = gain_matrix("kp", kp, count)
        self.kd = critical_damping(self.kp) if kd is None else gain_matrix("kd", kd, count)

    def wanted(self, t: float) -> Array:
        """(nc + ns, 3): q, q', q'' of the controlled and the specified coordinates."""
        return np.vstack([motion(t) for motion in self._given])

    def acceleration(self, t: float, q: Array, u: Array) -> Array:
        """(nc + ns,): what the controlled and specified speeds are to accelerate by."""
        place, rate, acceleration = self.wanted(t).T
        nc = len(self.controlled)
        controlled, coordinates = self._rows[:nc], self._coordinates
        v: Array = acceleration.copy()
        v[:nc] += self.kd @ (rate[:nc] - u[controlled]) + self.kp @ (place[:nc] - q[coordinates])
        return v

    def torque(self, t: float, q: Array, u: Array, known: Array | None = None) -> Array:
        """(nu,) of the plant [N m or N], `known` forces on its speeds taken into account."""
        state = self.plant.state(q, u)
        other = np.zeros(self.model.nu) if known is None else self.plant.known(known)
        forces = self._solve(t, state.q, state.u, other)
        tau = np.zeros(self.model.nu)
        tau[self._columns[: len(self.actuators)]] = forces
        return self.plant.forces(tau)

    def reference(self, t: float) -> dict[str, Array]:
        """Wanted q, q', q'' (nc + ns,) at time t, by the names of the step's arguments."""
        return dict(zip(_FOLLOWED, self.wanted(t).T, strict=True))

    def equation(self, period: float) -> DifferenceEquation:
        """The law at samples, for C; of the state of its own model.

        Raises NotEmittableError of a model with constraints, which are told apart by rank.
        """
        if self._is_constrained:
            raise NotEmittableError(
                f"FeedbackLinearization of model {self.model.name!r}, which has constraints: "
                "solving them takes ranks, which emitted steps do not decide"
            )
        model, names = self.model, (*self.controlled, *self.specified)
        inputs = dict(zip(MEASURED, (model.coordinates, model.speeds), strict=True))
        inputs |= dict.fromkeys(_FOLLOWED, names)
        unit, nc = self._units(), len(self.controlled)

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, place: Any, rate: Any, coming: Any
        ) -> tuple[Any, Any]:
            e_rate, e = rate[:nc] - u[self._rows[:nc]], place[:nc] - q[self._coordinates]
            v = np.concatenate([coming[:nc] + self.kd @ e_rate + self.kp @ e, coming[nc:]])
            free = by.call("forward_dynamics", q=q, u=u, tau=np.zeros(model.nu))
            mass = by.call("mass_matrix", q=q, u=u)
            response = by.solve_positive(mass, unit)[self._rows]
            both = by.solve(response, v - free[self._rows], "not_reached", self._lacking)
            tau = np.zeros(model.nu, dtype=both.dtype)
            tau[self._columns[: len(self.actuators)]] = both[: len(self.actuators)]
            return state, tau

        called = ("forward_dynamics", "mass_matrix")
        return DifferenceEquation(
            np.zeros(0), inputs, "tau", model.speeds, step, 0, called, self.assumed_parameters()
        )

    def _lacking(self, response: Any) -> Exception:
        return FloatingPointError(
            "feedback linearization: the actuators do not reach all that move"
        )

    def _units(self) -> Array:
        """Unit forces (nu, nc + ns) of actuators and of what moves as given."""
        unit = np.zeros((self.model.nu, len(self._columns)))
        unit[self._columns, range(len(self._columns))] = 1.0
        return unit

    def _solve(self, t: float, q: Array, u: Array, known: Array) -> Array:
        """The actuators' forces in a state of the controller's model."""
        free = self.call("forward_dynamics", t, q, u, tau=known)
        response = self._response(t, q, u)
        lack = self.acceleration(t, q, u) - free[self._rows]
        self._require_reach(t, response)
        both = np.linalg.solve(response, lack)
        return np.array(both[: len(self.actuators)], dtype=np.float64)

    def _response(self, t: float, q: Array, u: Array) -> Array:
        """Accelerations (nc + ns, nc + ns) of the rows for unit forces; constraints of the model
        give way to none of them."""
        mass = self.call("mass_matrix", t, q, u)
        response = np.linalg.solve(mass, self._units())
        if self._is_constrained:
            g = self.call("constraint_jacobian", t, q, u)
            by_multipliers = np.linalg.solve(mass, g.T)
            multipliers = np.linalg.lstsq(g @ by_multipliers, g @ response, rcond=_REACH)[0]
            response = response - by_multipliers @ multipliers
        return np.array(response[self._rows], dtype=np.float64)

    def _require_reach(self, t: float, response: Array) -> None:
        # Rows and columns scaled to a like size: units must not decide.
        scaled = response / np.abs(response).max(axis=1, keepdims=True, initial=1e-300)
        scaled = scaled / np.abs(scaled).max(axis=0, keepdims=True, initial=1e-300)
        left, values, _ = np.linalg.svd(scaled)
        if values.size and values[-1] <= _REACH * values[0]:
            names = (*self.controlled, *self.specified)
            worst = names[int(np.argmax(np.abs(left[:, -1])))]
            raise FloatingPointError(
                f"feedback linearization at t = {t:.6g} s: the actuators "
                f"{', '.join(self.actuators)} do not reach {worst!r}: rank "
                f"{int((values > _REACH * values[0]).sum())} of {len(values)}"
            )


def _places(
    model: CompiledModel,
    controlled: tuple[str, ...],
    specified: tuple[str, ...],
    actuators: tuple[str, ...],
) -> tuple[list[int], list[int], list[int]]:
    """Rows of the accelerations, columns of the forces, places of the controlled coordinates."""
    _, moved = chosen(model, "target", controlled)
    _, prescribed = chosen(model, "specified", specified)
    _, driven = chosen(model, "actuators", actuators)
    for name in specified:
        if name in controlled or name in actuators:
            raise ValueError(f"specified: {name!r} is controlled or driven by an actuator as well")
    if len(actuators) != len(controlled):
        raise ValueError(
            f"{len(actuators)} actuators for {len(controlled)} controlled speeds; there must be as "
            "many"
        )
    places = []
    for name, speed in zip(controlled, moved, strict=True):
        if model.displacements[speed] not in model.coordinates:
            raise ValueError(f"target: speed {name!r} is the rate of no coordinate")
        places.append(model.coordinates.index(model.displacements[speed]))
    return moved + prescribed, driven + prescribed, places
