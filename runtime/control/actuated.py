"""A mechanism with its actuators: where they act, and which motions its constraints leave."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.rank import solutions
from eomc.runtime.control.acting import Actuators, actuators_of
from eomc.runtime.difference import Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.state import State


class Actuated:
    """A model under an excitation, actuated by some of its inputs, or by forces on speeds.

    `names` are those of the actuators: by default the model's inputs, of a model without inputs all
    its speeds but those of bodies that move freely in the world. Forces are taken as linear in the
    inputs. Raises ValueError for a name that is neither, or comes twice.
    """

    def __init__(self, excitation: Excitation, names: Actuators = None) -> None:
        self.excitation, self.model = excitation, excitation.model
        speeds, inputs = self.model.speeds, self.model.inputs
        if names is None and inputs:
            names = inputs
        self.names = actuators_of(self.model, names, "actuators", inputs)
        self._inputs = [k for k, name in enumerate(self.names) if name in inputs]
        self._speeds = [k for k, name in enumerate(self.names) if name not in inputs]
        self._columns = [inputs.index(self.names[k]) for k in self._inputs]
        self._rows = [speeds.index(self.names[k]) for k in self._speeds]

    @cached_property
    def constraints(self) -> IndependentConstraints | None:
        """Those of the model, if it has any."""
        return (
            IndependentConstraints(self.model, self.excitation)
            if self.model.is_constrained
            else None
        )

    def arguments(self, t: float, state: State, a: Array | None = None) -> dict[str, Any]:
        """Arguments of the model's functions by name; accelerations are zero by default.

        Inputs among the actuators count as zero.
        """
        a = np.zeros(self.model.nu) if a is None else a
        values = {"q": state.q, "u": state.u, "a": a} | self.excitation.others(t, state)
        if self._columns:
            values["r"] = np.array(values["r"])
            values["r"][self._columns] = 0.0
        return values

    def call(self, function: str, values: Mapping[str, Any]) -> Array:
        """A function of the model."""
        return np.asarray(self.excitation.call(function, values), dtype=np.float64)

    def forces(self, values: Mapping[str, Any]) -> Array:
        """B (nu, number of actuators): generalized forces of a unit of each."""
        found = np.zeros((self.model.nu, len(self.names)))
        if self._columns:
            found[:, self._inputs] = self.call("input_matrix", values)[:, self._columns]
        found[self._rows, self._speeds] = 1.0
        return found

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions of the model that `acted` calls."""
        return ("input_matrix",) if self._columns else ()

    def acted(self, by: Operations, q: Any, u: Any, forces: Any) -> Any:
        """B forces (nu,), in the operations of a difference equation."""
        unit = np.zeros((self.model.nu, len(self.names)))
        unit[self._rows, self._speeds] = 1.0
        found = product(unit, forces)
        if self._columns:
            zeros = {"a": np.zeros(self.model.nu), "r": np.zeros(len(self.model.inputs))}
            matrix = np.asarray(by.call("input_matrix", q=q, u=u, **zeros))
            found = found + product(matrix[:, self._columns], forces[self._inputs])
        return found

    def gradients(self, values: Mapping[str, Any]) -> Array:
        """G (m, nu) of the constraints."""
        if self.constraints is None:
            return np.zeros((0, self.model.nu))
        return self.call("constraint_jacobian", values).reshape(-1, self.model.nu)

    def freedoms(self, values: Mapping[str, Any]) -> Array:
        """K (nu, number of freedoms): directions of the speeds in which no constraint holds."""
        if self.constraints is None:
            return np.eye(self.model.nu)
        scaled = self.constraints.scaled(self.gradients(values), self.constraints.names)
        found: Array = self.constraints.u_sizes[:, None] * solutions(scaled)[1]
        return found
