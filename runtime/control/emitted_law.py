"""Laws that are difference equations: what `Sampled` runs is what C steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import ActuatedSpeeds, Actuators
from eomc.runtime.control.reference import Reference
from eomc.runtime.difference import DifferenceEquation, Numeric
from eomc.runtime.model.compiled import CompiledModel

MEASURED = ("q", "u")
"""Inputs of a law that come from the mechanism; others are what it is to follow."""

FORCE = "force"
"""Input of a law: the force of the contact, as a sensor gives it."""

HELD = "held_force"
"""Input of a law: the forces of those that hold an object, as sensors in their grips give them."""


@runtime_checkable
class EmittedLaw(Protocol):
    """A law that can be written in C."""

    @property
    def model(self) -> CompiledModel:
        """The controller's."""
        ...

    @property
    def reference(self) -> Callable[[float], Reference | Mapping[str, Array]]:
        """The law's reference over time: t -> (q, u, a), or rows by the names of its inputs."""
        ...

    def equation(self, period: float) -> DifferenceEquation:
        """From "q" and "u", and what it needs of the reference, such as "q_d", to "tau" (nu,)."""
        ...


@runtime_checkable
class WrittenLaw(Protocol):
    """An `EmittedLaw` whose step is a program of its own in C, not an expression."""

    def program(self, name: str) -> Any:
        """For `eomc.codegen.emit`; names begin with `name`."""
        ...


class RememberingLaw(ABC):
    """A law with states of its own, which runs as its difference equation says.

    Parameters
    ----------
    model : CompiledModel
    reference : t -> (q, u, a)
    actuators : as of `PD`
    """

    def __init__(
        self,
        model: CompiledModel,
        reference: Callable[[float], Reference],
        actuators: Actuators = None,
    ) -> None:
        self.model, self.reference = model, reference
        self.acts = ActuatedSpeeds(model, actuators, type(self).__name__)

    @abstractmethod
    def equation(self, period: float) -> DifferenceEquation:
        """As of `EmittedLaw`."""

    def at_samples(self, period: float) -> Callable[[float, Array, Array], ArrayLike]:
        """The law of one run, called at each sample with what is measured."""
        equation = self.equation(period)
        sample = equation.begin(operations=Numeric(self._call))

        def step(t: float, q: Array, u: Array) -> ArrayLike:
            return sample(q, u, *wanted(equation, self.reference(t)).values())

        return step

    def _call(self, function: str, **values: Any) -> Any:
        names = self.model.inputs_of(function)
        return self.model.function(function)(*[values[name] for name in names])


def law_equation(
    model: CompiledModel,
    followed: tuple[str, ...],
    step: Callable[..., tuple[Any, Any]],
    start: ArrayLike = (),
    functions: tuple[str, ...] = (),
    parameters: Mapping[str, float] | None = None,
) -> DifferenceEquation:
    """A law that follows some of "q_d", "u_d" and "a_d"."""
    names = {"q": model.coordinates, "u": model.speeds}
    inputs = {name: names[name] for name in MEASURED}
    inputs |= {name: model.coordinates if name == "q_d" else model.speeds for name in followed}
    first = np.asarray(start, dtype=np.float64)
    return DifferenceEquation(
        first, inputs, "tau", model.speeds, step, 0, functions, parameters or {}
    )


def wanted(
    equation: DifferenceEquation, reference: Reference | Mapping[str, Array]
) -> dict[str, Array]:
    """Rows of a reference that a law takes, by the names of its inputs."""
    if isinstance(reference, Reference):
        rows: Mapping[str, Array] = {"q_d": reference.q, "u_d": reference.u, "a_d": reference.a}
    else:
        rows = reference
    return {name: rows[name] for name in equation.inputs if name in rows and name not in MEASURED}
