"""Sensors beside coordinates and speeds: contact forces, tensions, forces in joints."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.law import ModelBased
from eomc.runtime.difference import Numeric, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector
from eomc.runtime.names.near_names import places_of
from eomc.runtime.names.renamed import current_arguments

_WRENCH = tuple(f"{part}_{axis}" for part in ("force", "moment") for axis in "xyz")


class Sensor(ModelBased):
    """y = h(q, u, tau) of a plant, a function of (t, q, u) and, where it feels them, of tau.

    What it reads is written in the operations of a difference equation: the same lines run here
    and, at the samples of `eomc.sampled_loop`, in C. A sensor of one's own is a class with `read`.

    Parameters
    ----------
    plant : CompiledModel
        What is measured, which may know more than the model of a law.
    names : sequence of str
        Of the entries of y.
    inputs, prescribed, parameters : as of `simulate`
        Those of the plant.

    Attributes
    ----------
    measures_forces : bool
        Whether y depends on the generalized forces that act, as what accelerations load does.
    """

    measures_forces: ClassVar[bool] = False

    @current_arguments
    def __init__(
        self,
        plant: CompiledModel,
        names: Sequence[str],
        *,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(plant, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.names = tuple(names)

    @abstractmethod
    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """y (k,) by functions of the plant; tau (nu,) are the forces that act."""

    def __call__(self, t: float, q: Array, u: Array, tau: Array | None = None) -> Array:
        """y (k,) at time t. Raises RuntimeError without tau where the sensor feels them."""
        if tau is None and self.measures_forces:
            raise RuntimeError(
                f"{type(self).__name__} measures under the forces that act, which a law knows at "
                "samples: run it in Sampled(law, period)"
            )
        acting = np.zeros(self.model.nu) if tau is None else tau
        return np.asarray(self.read(self.operations(t, q, u), q, u, acting), dtype=np.float64)

    def functions(self) -> tuple[str, ...]:
        """Names of the functions of the plant that it reads."""
        asked: dict[str, None] = {}
        q = np.asarray(self.model.function("neutral")(), dtype=np.float64)
        u = np.zeros(self.model.nu)
        by = self.operations(0.0, q, u)

        def recorded(function: str, **values: Any) -> Any:
            asked[function] = None
            return by.call(function, **values)

        self.read(Numeric(recorded), q, u, np.zeros(self.model.nu))
        return tuple(asked)


class _SensorRows(Sensor):
    """Some rows of one function of the plant, or combinations of them."""

    @current_arguments
    def __init__(
        self,
        plant: CompiledModel,
        rows: Sequence[str] | str,
        gain: ArrayLike | None = None,
        *,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        chosen = (rows,) if isinstance(rows, str) else tuple(rows)
        if not chosen:
            raise ValueError(f"rows of {self._function}: name at least one")
        if not plant.has_function(self._function):
            raise ValueError(
                f"model {plant.name!r} has no function {self._function!r}: {self._lacking}"
            )
        there = self._there(plant)
        self._places = places_of(chosen, there, f"{self._function}: no row")
        self.gain = None if gain is None else _gain(gain, len(chosen))
        names = chosen if self.gain is None else [f"y{k}" for k in range(len(self.gain))]
        super().__init__(plant, names, inputs=inputs, prescribed=prescribed, parameters=parameters)

    _function: ClassVar[str]
    _lacking: ClassVar[str]

    def _there(self, plant: CompiledModel) -> tuple[str, ...]:
        return plant.output_names(self._function)

    def _chosen(self, told: Any) -> Any:
        rows = np.ravel(told)[self._places]
        return rows if self.gain is None else self.gain @ rows


class ElementSensor(_SensorRows):
    """Sensor of outputs of the plant's elements: forces and gaps of contacts, tensions of cables.

    Parameters
    ----------
    plant : CompiledModel
    rows : sequence of str
        Of the function `element_outputs`, such as "wall.normal_force".
    gain : (k, rows), optional
        y = gain rows, such as the sign that makes a pressing the force on what presses.
    inputs, motion, parameters : as of `Sensor`

    Raises ValueError for rows that the plant has not, and a gain of another shape.
    """

    _function = "element_outputs"
    _lacking = "no element of it tells anything; declare a contact, a cable or another that does"

    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """As of `Sensor`."""
        return self._chosen(by.call("element_outputs", q=q, u=u))


class JointForceSensor(_SensorRows):
    """Forces and moments in joints of an open chain, as strain gauges in them feel: those of
    `joint_reactions` at the accelerations that the acting forces give.

    Parameters
    ----------
    plant : CompiledModel
        Without loops and constraints.
    rows : sequence of str
        ``joint.force_x`` to ``joint.moment_z``: what the parent side exerts on the child side, in
        the axes of the joint on its child.
    gain, inputs, motion, parameters : as of `ElementSensor`

    Raises ValueError as `ElementSensor`, and for a plant with loops or constraints.
    """

    measures_forces = True
    _function = "joint_reactions"
    _lacking = "it has no joints that transmit anything"

    def __init__(self, plant: CompiledModel, *given: Any, **options: Any) -> None:
        if plant.has_function("constraint_residual"):
            raise ValueError(
                f"model {plant.name!r} has loops or constraints, whose multipliers load joints "
                "too; write a Sensor with its own read()"
            )
        super().__init__(plant, *given, **options)

    def _there(self, plant: CompiledModel) -> tuple[str, ...]:
        joints = plant.output_names(self._function)
        return tuple(f"{joint}.{part}" for joint in joints for part in _WRENCH)

    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """As of `Sensor`."""
        a = by.call("forward_dynamics", q=q, u=u, tau=tau)
        return self._chosen(by.call("joint_reactions", q=q, u=u, a=a))


@runtime_checkable
class Sensing(Protocol):
    """A law that measures more than coordinates and speeds."""

    @property
    def sensors(self) -> Mapping[str, Sensor]:
        """By the names of the inputs of its difference equation that they give."""
        ...


class Feeling:
    """A law some of whose sensors feel the forces that act; `Sampled` tells them."""

    _felt: Array | None = None

    def acting(self, tau: Array | None) -> None:
        """The forces (nu,) that act on the plant at the sample that comes; None after it."""
        self._felt = tau

    def measured(
        self, what: str, sensor: Callable[..., ArrayLike], t: float, q: Array, u: Array, size: int
    ) -> Array:
        """Value of a sensor, or of a function of (t, q, u), at time t.

        Raises ValueError where it tells something else than `size` finite numbers.
        """
        more = (self._felt,) if isinstance(sensor, Sensor) else ()
        return vector(f"{what} at t = {t:.6g} s", sensor(t, q, u, *more), size)


def sensors_of(name: str, given: object) -> dict[str, Sensor]:
    """The sensor by the name of the input that it gives; nothing for other functions."""
    return {name: given} if isinstance(given, Sensor) else {}


def _gain(given: ArrayLike, count: int) -> Array:
    gain = np.atleast_2d(np.asarray(given, dtype=np.float64))
    if gain.shape[1:] != (count,) or not np.isfinite(gain).all():
        raise ValueError(f"gain has shape {gain.shape}; give finite numbers of shape (k, {count})")
    return gain
