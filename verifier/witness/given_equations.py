"""Equations that were given in SymPy, differentiated by SymPy and evaluated in numbers.

Of a Lagrangian, tau = d/dt dT/du - dT/dq + dV/dq + dD/du - Q, from the definition; of Kane's
equations M a - f as they stand. Constraints phi(q, t) = 0 are differentiated by time, and those on
speeds once less. The derivation differentiates none of this by SymPy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from eomc.binding.arrays import Array

MOST = 3_000
"""Operations of given expressions beyond which they are not differentiated here: it takes long."""

_ARRAYS = ("q", "u", "a", "r", "s", "s_rate", "s_acceleration")


@dataclass
class PlainSymbols:
    """Plain symbols in place of functions of time and their derivatives."""

    by_array: dict[str, list[sp.Symbol]]
    put: dict[sp.Basic, sp.Basic]
    rates: dict[sp.Basic, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, variables: Any) -> PlainSymbols:
        """Of the variables of a system."""
        given = {
            "q": variables.coordinates,
            "u": variables.speeds,
            "a": variables.accelerations(variables.speeds, variables.speed_names),
            "r": variables.inputs,
            "s": variables.prescribed,
            "s_rate": variables.prescribed_rates,
            "s_acceleration": variables.prescribed_accelerations,
        }
        own = {a: [sp.Symbol(f"{a}_{k}", real=True) for k in range(len(given[a]))] for a in _ARRAYS}
        put = {x: y for a in _ARRAYS for x, y in zip(given[a], own[a], strict=True)}
        time = sp.Symbol("time", real=True)
        put[variables.time] = time
        put |= {constant.symbol: sp.Float(constant.value, 17) for constant in variables.constants}
        own["t"] = [time]
        found = cls(own, put, {time: sp.Integer(1)})
        pairs = (("u", "a"), ("s", "s_rate"), ("s_rate", "s_acceleration"))
        for array, rate in pairs:
            found.rates |= dict(zip(own[array], own[rate], strict=True))
        inputs = dict(zip(variables.inputs, own["r"], strict=True))
        for symbol, plain in inputs.items():
            rate = variables.rate(symbol)
            if rate in inputs:
                found.rates[plain] = inputs[rate]
        return found

    def read(self, expression: Any) -> Any:
        """In plain symbols; the largest parts first, derivatives before what they are of."""
        return sp.sympify(expression).xreplace(self.put)

    def along_time(self, expression: Any) -> Any:
        """d/dt"""
        return sum((sp.diff(expression, x) * rate for x, rate in self.rates.items()), sp.Integer(0))


class GivenEquations:
    """Named values of a Lagrangian or a Kane system in numbers; `values` are those of a state."""

    def __init__(self, system: Any) -> None:
        self.symbols = PlainSymbols.of(system.variables)
        of_kane = hasattr(system.given, "mass_matrix")
        self.expressions = self._of_kane(system) if of_kane else self._of_lagrange(system.given)
        arguments = [x for xs in self.symbols.by_array.values() for x in xs]
        names, flat = list(self.expressions), list(self.expressions.values())
        self._names = names
        self._call = sp.lambdify(arguments, [sp.Array(x) for x in flat], "numpy", cse=True)

    def __call__(self, values: Mapping[str, Array]) -> dict[str, Array]:
        """By names of functions."""
        given = [
            float(x)
            for array, symbols in self.symbols.by_array.items()
            for x in np.ravel(values[array] if symbols else [])
        ]
        found = self._call(*given)
        return {
            name: np.asarray(x, dtype=float) for name, x in zip(self._names, found, strict=True)
        }

    def _of_lagrange(self, given: Any) -> dict[str, list[Any]]:
        s, own = self.symbols, self.symbols.by_array
        s.rates |= dict(zip(own["q"], own["u"], strict=True))
        kinetic, potential, lost = map(
            s.read, (given.kinetic_energy, given.potential_energy, given.dissipation)
        )
        tau = []
        for k, (q, u) in enumerate(zip(own["q"], own["u"], strict=True)):
            force = s.along_time(sp.diff(kinetic, u)) - sp.diff(kinetic, q)
            force += sp.diff(potential, q) + sp.diff(lost, u)
            tau.append(force - s.read(given.generalized_forces.get(k, 0)))
        mass = [[sp.diff(kinetic, x, y) for y in own["u"]] for x in own["u"]]
        rows = self._rows(given.holonomic, given.nonholonomic)
        return {
            "inverse_dynamics": tau,
            "mass_matrix": mass,
            "kinetic_energy": [kinetic],
            "potential_energy": [potential],
            "coordinate_rates": own["u"],
            **rows,
        }

    def _of_kane(self, system: Any) -> dict[str, list[Any]]:
        s, own, given = self.symbols, self.symbols.by_array, system.given
        rates = _kinematics(s, system)
        mass = [[s.read(entry) for entry in row] for row in given.mass_matrix]
        forcing = [s.read(entry) for entry in given.forcing]
        a = own["a"]
        tau = [
            sum((x * y for x, y in zip(row, a, strict=True)), -force)
            for row, force in zip(mass, forcing, strict=True)
        ]
        found = {"inverse_dynamics": tau, "mass_matrix": mass, "coordinate_rates": rates}
        for name in ("kinetic_energy", "potential_energy"):
            if getattr(given, name) is not None:
                found[name] = [s.read(getattr(given, name))]
        return found | self._rows((), given.velocity)

    def _rows(self, holonomic: Sequence[Any], nonholonomic: Sequence[Any]) -> dict[str, list[Any]]:
        """Of all constraints, in their order: velocity, gradients, and their rates at rest."""
        s, own = self.symbols, self.symbols.by_array
        positions = [s.read(phi) for phi in holonomic]
        rates = [*(s.along_time(phi) for phi in positions), *map(s.read, nonholonomic)]
        if not rates:
            return {}
        still = dict.fromkeys(own["a"], 0)
        found = {
            "constraint_velocity": rates,
            "constraint_jacobian": [[sp.diff(rate, u) for u in own["u"]] for rate in rates],
            "constraint_bias": [s.along_time(rate).subs(still) for rate in rates],
        }
        return found | ({"constraint_residual": positions} if positions else {})


def _kinematics(s: PlainSymbols, system: Any) -> list[Any]:
    """q' by the speeds, which stands for it from now on; auxiliary speeds are zero."""
    given, variables = system.given, system.variables
    s.put |= dict.fromkeys(given.zero, sp.Integer(0))
    s.put |= {sp.diff(x, variables.time): sp.Integer(0) for x in given.zero}
    rates = [s.read(given.rates[sp.diff(q, variables.time)]) for q in variables.coordinates]
    for q, rate in zip(variables.coordinates, rates, strict=True):
        s.put.setdefault(sp.diff(q, variables.time), rate)
    s.rates |= dict(zip(s.by_array["q"], rates, strict=True))
    return rates


def auxiliary_forces(system: Any, values: Mapping[str, Array]) -> Array:
    """The unknowns of Kane's auxiliary equations, which are linear in them, in a state whose `a`
    are its accelerations."""
    s = PlainSymbols.of(system.variables)
    _kinematics(s, system)
    unknown = [sp.Symbol(f"unknown_{k}") for k in range(len(system.given.reactions))]
    s.put |= dict(zip(system.given.reactions, unknown, strict=True))
    at = {
        symbol: float(x)
        for array, symbols in s.by_array.items()
        for symbol, x in zip(symbols, np.ravel(values[array] if symbols else []), strict=True)
    }
    equations = [s.read(equation).xreplace(at) for equation in system.given.auxiliary]
    matrix, right = sp.linear_eq_to_matrix(equations, unknown)
    numbers = [np.array(part.evalf().tolist(), dtype=float) for part in (matrix, right)]
    found: Array = np.linalg.solve(numbers[0], numbers[1])[:, 0]
    return found


def unknown_forces(system: Any) -> list[Any]:
    """Functions of time in Kane's auxiliary equations beside the variables of the system."""
    given, variables, applied = system.given, system.variables, sp.core.function.AppliedUndef
    known = {*variables.coordinates, *variables.speeds, *variables.prescribed, *given.zero}
    found = {part for entry in given.auxiliary for part in sp.sympify(entry).atoms(applied)}
    return sorted(found - known - {*variables.inputs}, key=str)


def size(system: Any) -> int:
    """Operations of all that is given."""
    found: list[Any] = []
    for value in vars(system.given).values():
        if isinstance(value, Mapping):
            found += value.values()
        elif isinstance(value, Sequence):
            found += sp.flatten(value)
        elif value is not None:
            found.append(value)
    return sum(int(sp.count_ops(entry)) for entry in found if isinstance(entry, sp.Basic))
