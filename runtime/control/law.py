"""Base of control laws that evaluate a model: its functions at a time and state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import Numeric, Operations
from eomc.runtime.excitation.excitation import Excitation, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State


class ModelBased:
    """Evaluates functions of a model as the controller knows it.

    Parameters
    ----------
    model : CompiledModel
        The controller's model; it need not be the simulated one.
    inputs, motion, parameters
        Declared inputs, prescribed motion and tunable parameters as the controller assumes them; as
        of `simulate`.
    """

    def __init__(
        self,
        model: CompiledModel,
        *,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.model = model
        self._excitation = Excitation(
            model, inputs=inputs, prescribed=prescribed, parameters=parameters
        )

    def call(self, function: str, t: float, q: Array, u: Array, **values: Any) -> Array:
        """A function of the model at time t in the state (q, u)."""
        return np.asarray(self.call_all(function, t, q, u, **values))

    def call_all(self, function: str, t: float, q: Array, u: Array, **values: Any) -> Any:
        """A function of several outputs."""
        others = self._excitation.others(t, State(q, u, values.get("z")))
        known = {"q": q, "u": u} | others | values
        return self._excitation.call(function, known)

    def assumed_parameters(self) -> dict[str, float]:
        """Values of tunable parameters as the controller knows them; none if as declared."""
        return self._excitation.assumed_parameters()

    def operations(self, t: float, q: Array, u: Array) -> Operations:
        """Those of difference equations, on the model at time t in the state (q, u)."""
        known: dict[str, Any] = {"q": q, "u": u} | self._excitation.others(t, State(q, u))
        return Numeric(lambda function, **values: self._excitation.call(function, known | values))


class OfPlant(ModelBased):
    """A law whose model may know less than the plant, whose states it is given.

    Parameters
    ----------
    model, inputs, prescribed, parameters : as of `ModelBased`
    plant : StateMap, optional
        How the model's state follows from the plant's; by default they are the same.

    Raises ValueError if the map leads to another model.
    """

    def __init__(
        self,
        model: CompiledModel,
        plant: StateMap | None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.plant = StateMap.identity(model) if plant is None else plant
        if self.plant.model is not model:
            raise ValueError("plant: the map leads to another model than the controller's")
