"""Linear feedback of displacements and speeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import Actuators, actuators_of
from eomc.runtime.control.actuated import Actuated
from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.law import OfPlant
from eomc.runtime.control.reference import ReferenceMotion, reference_motion
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State, Values, initial_state, named_values, vector
from eomc.runtime.names.near_names import places_of


class StateFeedback(OfPlant):
    """f = f_0 - K x,   x = (difference(q_0, q), u - u_0, z - z_0)

    x holds the tangent displacements from the target and the speeds beyond its own, of those
    speeds that take part, then all states of elements; quaternions are no special case.

    Reference: Anderson and Moore, *Optimal Control: Linear Quadratic Methods* (1990), ch. 2.

    Parameters
    ----------
    model : CompiledModel
        The controller's model; it may know less than the plant, see `plant`.
    gain : (m, 2 n + nz)
        K: rows in the order of `actuators`, columns displacements and then rates of `speeds`, then
        the nz states of elements.
    target : (nq,) array, mapping of names to values, or function t -> (q, u, a)
        What the state is compared with.
    speeds : sequence of str, optional
        The n speeds whose displacements and rates are fed back; all by default.
    actuators : sequence of str, optional
        Where the m forces act: speeds, and declared inputs, whose generalized forces `torque` gives
        and whose values `values` does; "all" for all speeds. By default all speeds but those of
        bodies that move freely in the world, of which a warning tells.
    forces : (m,) array, or mapping of names of actuators to values, optional
        f_0: what holds the target; zero by default.
    states : (nz,) array, or mapping of names to values, optional
        z_0; the declared initial values by default.
    plant : StateMap, optional
        How the model's state follows from the plant's; by default they are the same.
    inputs, prescribed, parameters : as of `simulate` (prescribed: its `motion`)
        The model as the controller knows it.

    Raises ValueError for unknown names, other shapes, numbers that are not finite.
    """

    def __init__(
        self,
        model: CompiledModel,
        gain: ArrayLike,
        target: ReferenceMotion,
        *,
        speeds: Sequence[str] | None = None,
        actuators: Actuators = None,
        forces: Mapping[str, float] | ArrayLike | None = None,
        states: Values = None,
        plant: StateMap | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, plant, inputs, prescribed, parameters)
        self.speeds, self._rows = chosen(model, "speeds", speeds)
        self.mechanism = Actuated(
            self._excitation, actuators_of(model, actuators, type(self).__name__, model.inputs)
        )
        self.actuators = self.mechanism.names
        self.reference = reference_motion(model, target)
        self.element_states = tuple(model.element_states)
        if self.element_states and self.plant.plant is not model:
            raise ValueError(
                f"plant: states of elements ({', '.join(self.element_states)}) of the controller's "
                "model are known of the model itself only"
            )
        self._rest = initial_state(model, None, None, states).z
        shape = (len(self.actuators), 2 * len(self.speeds) + len(self.element_states))
        try:
            self.gain = np.array(gain, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"gain: give a matrix of shape {shape}") from None
        if self.gain.shape != shape:
            raise ValueError(f"gain has shape {self.gain.shape}, expected {shape}")
        if not np.isfinite(self.gain).all():
            raise ValueError("gain is not finite")
        self.forces = _forces(self.actuators, forces)

    def deviation(self, t: float, q: Array, u: Array, z: Array | None = None) -> Array:
        """x (2 n + nz,) in the plant's state (q, u, z)."""
        state, wanted = self.plant.state(q, u), self.reference(t)
        own = {"z": z} if z is not None and self.element_states else {}
        displacement = self.call("difference", t, state.q, state.u, q0=wanted.q, q1=state.q, **own)
        rows, beyond = self._rows, np.zeros(0) if z is None else z - self._rest
        return np.concatenate([displacement[rows], (state.u - wanted.u)[rows], beyond])

    def torque(self, t: float, q: Array, u: Array, z: Array | None = None) -> Array:
        """(nu,) of the plant [N m or N]"""
        state = self.plant.state(q, u)
        known = self.mechanism.arguments(t, State(state.q, state.u, z))
        return self.plant.forces(self.mechanism.forces(known) @ self.values(t, q, u, z))

    def values(self, t: float, q: Array, u: Array, z: Array | None = None) -> Array:
        """f (m,): the values of the actuators in the plant's state (q, u, z)."""
        found: Array = self.forces - self.gain @ self.deviation(t, q, u, z)
        return found

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples; it has no state.

        Raises NotEmittableError where states of elements take part, or of another plant.
        """
        if self.element_states or self.plant.plant is not self.model:
            raise NotEmittableError(
                "the law feeds back states of elements, or is of another plant; its C is the "
                "function state_feedback"
            )

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any
        ) -> tuple[Any, Any]:
            displacement = by.call("difference", q0=q_d, q1=q)
            x = np.concatenate([displacement[self._rows], (u - u_d)[self._rows]])
            forces = self.forces - product(self.gain, x)
            return state, self.mechanism.acted(by, q, u, forces)

        functions = ("difference", *self.mechanism.functions)
        return law_equation(
            self.model, ("q_d", "u_d"), step, (), functions, self.assumed_parameters()
        )


def named(names: Sequence[str]) -> tuple[str, ...]:
    """Several names, or one by itself."""
    return (names,) if isinstance(names, str) else tuple(names)


def chosen(
    model: CompiledModel, what: str, names: Sequence[str] | None
) -> tuple[tuple[str, ...], list[int]]:
    """Speeds by name, all by default, and their places."""
    wanted = model.speeds if names is None else named(names)
    places = places_of(wanted, model.speeds, f"{what}: no speed")
    for name in wanted:
        if wanted.count(name) > 1:
            raise ValueError(f"{what}: {name!r} is named twice")
    return wanted, places


def _forces(actuators: tuple[str, ...], forces: Mapping[str, float] | ArrayLike | None) -> Array:
    zero = np.zeros(len(actuators))
    if forces is None:
        return zero
    if isinstance(forces, Mapping):
        return named_values("forces", actuators, forces, zero)
    return vector("forces", forces, len(actuators))
