"""Derivatives of functions of a program in one state, by a complex step of their graphs.

What is differentiated are functions that other checks judge: inverse and forward dynamics, rates
of coordinates, constraints. Their graphs hold no derivative by these directions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.arithmetic.complex_step import complex_step
from eomc.verifier.subject.derived_subject import DerivedSubject
from eomc.verifier.subject.states import TestState


class FunctionDerivatives:
    """Functions of the program of `subject` and their derivatives in `state`.

    Arrays are named as the inputs of functions; derivatives by "q" are along the tangent
    directions, "p" are the tunable parameters.
    """

    def __init__(self, subject: DerivedSubject, state: TestState) -> None:
        self.subject, self.state = subject, state
        self.values = subject.symbol_values(state)
        self._tangents: Array | None = None
        self._found: dict[tuple[str, str], Array] = {}

    def outputs(self, function: str) -> dict[str, Array]:
        """Values that the compiled function gives, by the names of its outputs."""
        found = self.subject.call(function, self.state)
        arrays = found if isinstance(found, tuple) else (found,)
        names = [argument.name for argument in self.subject.derived(function).outputs]
        return {name: np.asarray(x) for name, x in zip(names, arrays, strict=True)}

    @property
    def tangents(self) -> Array:
        """G (nq, nu) of q' = G u + g."""
        if self._tangents is None:
            still = self.rates_at(np.zeros(self.subject.nu))
            units = [self.rates_at(unit) - still for unit in np.eye(self.subject.nu)]
            self._tangents = np.reshape(units, (self.subject.nu, -1)).T
        return self._tangents

    def rates_at(self, u: Array) -> Array:
        """q' at other speeds."""
        return np.asarray(self.subject.call("coordinate_rates", self.state, u=u), dtype=float)

    def entries(self, array: str) -> tuple[int | str, ...]:
        """Symbols of an array; none if no function takes it."""
        if array == "p":
            return tuple(str(parameter.symbol) for parameter in self.subject.program.parameters)
        for function in self.subject.program.functions:
            for argument in function.inputs:
                if argument.name == array:
                    return tuple(argument.entries)
        return ()

    def along(self, changes: Mapping[str, Array]) -> dict[int | str, Array]:
        """Rates of the symbols where each array changes by columns: (entries, directions), of
        tangent displacements for "q", of the coordinates themselves for "q entries"."""
        found: dict[int | str, Array] = {}
        for array, columns in changes.items():
            rates = self.tangents @ columns if array == "q" else columns
            entries = self.entries(array.removesuffix(" entries"))
            found.update(zip(entries, rates, strict=True))
        return found

    def change(self, function: str, changes: Mapping[str, Array]) -> Array:
        """(entries of all outputs, directions): derivatives along directions."""
        outputs = self.subject.derived(function).outputs
        return self.change_of([node for output in outputs for node in output.entries], changes)

    def change_of(self, nodes: Sequence[int], changes: Mapping[str, Array]) -> Array:
        """The same of nodes of the graph."""
        graph = self.subject.program.graph
        return complex_step(graph, nodes, self.values, self.along(changes))

    def size(self, array: str) -> int:
        """Number of directions of an array."""
        return self.subject.nu if array == "q" else len(self.entries(array))

    def by(self, function: str, array: str) -> Array:
        """(entries of all outputs, entries of the array): the Jacobian."""
        key = function, array
        if key not in self._found:
            self._found[key] = self.change(function, {array: np.eye(self.size(array))})
        return self._found[key]

    def motion(self) -> dict[str, Array]:
        """The direction in which time goes at given accelerations, but for z and r."""
        values, found = self.state.values, {"q entries": self.rates_at(self.state["u"])}
        rates = {"u": "a", "s": "s_rate", "s_rate": "s_acceleration"}
        found |= {array: values[rate] for array, rate in rates.items() if self.entries(array)}
        if self.entries("t"):
            found["t"] = np.ones(1)
        return {array: np.reshape(rate, (-1, 1)) for array, rate in found.items()}
