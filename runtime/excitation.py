"""What drives a model: torques of a controller, declared inputs, prescribed motion, parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.near_names import near_names
from eomc.runtime.state import State, named_values, vector

Array = NDArray[np.float64]


@runtime_checkable
class Controller(Protocol):
    """A control law: generalized forces (nu,) on the speeds at time t [s] in a state (q, u)."""

    def torque(self, t: float, state: State) -> ArrayLike:
        """tau(t, x)."""
        ...


TorqueLaw = Controller | Callable[[float, State], ArrayLike] | ArrayLike | None
InputLaw = Callable[[float, State], ArrayLike] | Mapping[str, float] | ArrayLike | None
MotionLaw = Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]] | ArrayLike | None


class Excitation:
    """All that a model's functions take beyond its state, at any time.

    Parameters
    ----------
    controller : object with ``torque(t, state)``, function ``(t, state) -> tau``, constant, or None
    inputs : function ``(t, state) -> r``, constant array, mapping of some names, or None for zero
    prescribed : function ``t -> (s, s_rate, s_acceleration)``, constant s, or None for zero
    parameters : values of tunable parameters that differ from their defaults

    Raises ValueError that names what has another shape or is not finite.
    """

    def __init__(
        self,
        model: CompiledModel,
        controller: TorqueLaw = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.model = model
        self.p = _parameters(model, parameters)
        self._torque = _torque_law(model, controller)
        self._inputs = _input_law(model, inputs)
        self._motion = _motion_law(model, prescribed)

    @property
    def is_constant(self) -> bool:
        """Whether torques and inputs never change."""
        return not callable(self._torque) and not callable(self._inputs)

    def torque(self, t: float, state: State) -> Array:
        """tau (nu,) at time t."""
        if not callable(self._torque):
            return self._torque
        return vector(f"controller: torque at t = {t:.6g} s", self._torque(t, state), self.model.nu)

    def others(self, t: float, state: State) -> dict[str, Any]:
        """Inputs r, time and prescribed motion at time t, by argument name."""
        values: dict[str, Any] = {"t": float(t)}
        if self.model.inputs:
            values["r"] = self._input_values(t, state)
        if self.model.prescribed:
            given = self._motion(t)
            names = ("s", "s_rate", "s_acceleration")
            if len(given) != len(names):
                raise ValueError(
                    f"prescribed motion at t = {t:.6g} s: give (s, s_rate, s_acceleration)"
                )
            for name, value in zip(names, given, strict=True):
                what = f"prescribed motion: {name} at t = {t:.6g} s"
                values[name] = vector(what, value, len(self.model.prescribed))
        return values

    def _input_values(self, t: float, state: State) -> Array:
        if not callable(self._inputs):
            return self._inputs
        what = f"inputs at t = {t:.6g} s"
        return vector(what, self._inputs(t, state), len(self.model.inputs))

    def call(self, function: str, values: Mapping[str, Any]) -> Any:
        """Evaluate a function of the model, its inputs taken by name from `values`."""
        arguments = [values[name] for name in self.model.inputs_of(function)]
        compiled = self.model.function(function)
        return compiled(*arguments) if self.p is None else compiled(*arguments, p=self.p)


def _torque_law(model: CompiledModel, controller: TorqueLaw) -> Callable[..., ArrayLike] | Array:
    if controller is None:
        return np.zeros(model.nu)
    if isinstance(controller, Controller):
        return controller.torque
    if callable(controller):
        return controller
    return vector("controller: constant torque", controller, model.nu)


def _input_law(model: CompiledModel, inputs: InputLaw) -> Callable[..., ArrayLike] | Array:
    if callable(inputs):
        return inputs
    zero = np.zeros(len(model.inputs))
    if inputs is None:
        return zero
    if isinstance(inputs, Mapping):
        return named_values("inputs", model.inputs, inputs, zero)
    return vector("inputs", inputs, len(model.inputs))


def _motion_law(
    model: CompiledModel, prescribed: MotionLaw
) -> Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]:
    if callable(prescribed):
        return prescribed
    zero = np.zeros(len(model.prescribed))
    held = zero if prescribed is None else vector("prescribed", prescribed, zero.size)
    return lambda t: (held, zero, zero)


def _parameters(model: CompiledModel, parameters: Mapping[str, float] | None) -> Array | None:
    """The functions' `p`: None for the defaults, or all of them with some changed."""
    if not parameters:
        return None
    for name in parameters:
        if name not in model.parameters:
            raise ValueError(
                f"parameters: model {model.name!r} has no tunable parameter {name!r}; "
                f"{near_names(name, model.parameters)}"
            )
    values = {**model.parameters, **parameters}
    return vector("parameters", list(values.values()), len(values))
