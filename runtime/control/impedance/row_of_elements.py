"""Elements in a row, coupled by springs: the first is driven, the last is the object."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.emitted_law import FORCE
from eomc.runtime.control.given_motion import GivenMotion, Profile
from eomc.runtime.control.impedance.desired_impedance import Impedance
from eomc.runtime.control.law import OfPlant
from eomc.runtime.control.sensor import Feeling, Sensor, sensors_of
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import places_of
from eomc.runtime.names.renamed import current_arguments

_FOLLOWED = ("x_d", "x_d_rate", "x_d_acceleration")

ContactForce = Callable[[float, Array, Array], ArrayLike] | None
"""(t, q, u) of the plant to the force of the contact on the object (k,), measured or estimated."""


class RowOfElements(OfPlant, Feeling):
    """F = sum_i (M a + c)_i - F_c, the force that the accelerations a of all elements take.

    What the couplings ask of one element they give to its neighbour, so that they cancel in the
    sum. Laws differ in the accelerations.

    Parameters
    ----------
    model : CompiledModel
        The controller's model, without what is touched; it may know less than the plant.
    target : mapping of str to functions t -> (x, x', x''), or numbers
        By the names of the object's speeds; each is the rate of a coordinate of its name.
    impedance : Impedance
    elements : sequence of sequences of str
        Names of the speeds of each element between actuator and object, the driven one first; one
        for each of the object's, in the same directions.
    offsets : (number of elements, k), optional
        Where elements stand from the object when nothing strains; as in the neutral configuration
        by default.
    contact : function (t, q, u) -> (k,), or Sensor, optional
        F_c on the object, of the state of the plant; none by default.
    plant, inputs, prescribed, parameters : as of `FeedbackLinearization`

    Raises ValueError for unknown names, other shapes, an unsound impedance.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: Mapping[str, Profile | float],
        impedance: Impedance,
        elements: Sequence[Sequence[str] | str],
        *,
        offsets: ArrayLike | None = None,
        contact: ContactForce = None,
        plant: StateMap | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, plant, inputs, prescribed, parameters)
        self._given = GivenMotion(target)
        self.impedance = impedance
        count = len(self._given.names)
        impedance.matrices(count)
        rows = [(names,) if isinstance(names, str) else tuple(names) for names in elements]
        if not rows:
            raise ValueError("elements: name at least the one that is driven")
        for k, row in enumerate([*rows, self._given.names]):
            if len(row) != count:
                raise ValueError(f"element {k + 1} has {len(row)} speeds, the object {count}")
        named = [name for row in rows for name in row] + list(self._given.names)
        self._rows = np.array(places_of(named, model.speeds, "elements: no speed"))
        self._places = np.array(places_of(named, model.coordinates, "elements: no coordinate"))
        self._rows, self._places = (x.reshape(-1, count) for x in (self._rows, self._places))
        neutral = np.asarray(model.function("neutral")(), dtype=np.float64)[self._places]
        given = neutral[:-1] - neutral[-1] if offsets is None else offsets
        self.offsets = np.vstack([_matrix(given, (len(rows), count)), np.zeros(count)])
        self._contact = contact

    @abstractmethod
    def accelerations(self, wanted: Array, x: Array, rate: Array, contact: Array) -> Array:
        """Of all elements (n, k), the object last; `wanted` (n, k, 3), x and rate (n, k)."""

    def force(self, t: float, q: Array, u: Array) -> Array:
        """F (k,) on the driven element in the plant's state [N or N m]."""
        count, state = self._rows.shape[1], self.plant.state(q, u)
        by = self.operations(t, state.q, state.u)
        contact = np.zeros(count)
        if callable(self._contact):
            contact = self.measured("contact", self._contact, t, q, u, count)
        return np.asarray(self._driving(by, state.q, state.u, self._given(t), contact))

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        return self.plant.forces(self._acting(self.force(t, q, u)))

    @property
    def sensors(self) -> dict[str, Sensor]:
        """Sensors beside coordinates and speeds, by input: that of the contact, if there is one."""
        return sensors_of(FORCE, self._contact)

    def reference(self, t: float) -> dict[str, Array]:
        """Wanted motion of the object at time t, by the names of the step's arguments."""
        return dict(zip(_FOLLOWED, self._given(t).T, strict=True))

    def equation(self, period: float) -> DifferenceEquation:
        """The law at samples, for C; a contact is one more argument, ``force``."""
        model = self.model
        names = self._given.names
        inputs = {"q": model.coordinates, "u": model.speeds} | dict.fromkeys(_FOLLOWED, names)
        if self._contact is not None:
            inputs[FORCE] = names

        def step(
            by: Operations, memory: Any, chance: Any, q: Any, u: Any, *given: Any
        ) -> tuple[Any, Any]:
            contact = np.zeros(len(names)) if self._contact is None else given[3]
            force = self._driving(by, q, u, np.stack(given[:3], axis=1), contact)
            return memory, self._acting(force)

        called = ("inverse_dynamics",)
        return DifferenceEquation(
            np.zeros(0), inputs, "tau", model.speeds, step, 0, called, self.assumed_parameters()
        )

    def _driving(self, by: Operations, q: Any, u: Any, wanted: Any, contact: Any) -> Any:
        """F (k,) in the model's state, `wanted` (k, 3) of the object."""
        goals = np.repeat(wanted[None], len(self._rows), axis=0)
        goals[:, :, 0] = goals[:, :, 0] + self.offsets
        x, rate = q[self._places], u[self._rows]
        a = np.zeros(self.model.nu, dtype=x.dtype)
        a[self._rows] = self.accelerations(goals, x, rate, contact)
        taken = by.call("inverse_dynamics", q=q, u=u, a=a)
        return taken[self._rows].sum(axis=0) - contact

    def _acting(self, force: Any) -> Any:
        """(nu,) of the model: the force on the driven element."""
        tau = np.zeros(self.model.nu, dtype=force.dtype)
        tau[self._rows[0]] = force
        return tau


def _matrix(given: ArrayLike, shape: tuple[int, int]) -> Array:
    array = np.asarray(given, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"offsets: give finite numbers of shape {shape}")
    return array
