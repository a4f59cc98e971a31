"""Scalars of a declared model in numbers, by SymPy itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.verifier.witness.mechanism import Law


class Numbers:
    """Scalars of a model as numbers, and expressions as functions of named values."""

    def __init__(self, model: Model) -> None:
        self.parameters: dict[sympy.Symbol, sympy.Expr] = {}
        for name, parameter in model.parameters.items():
            value = sympy.sympify(parameter.value)
            self.parameters[sympy.Symbol(name)] = value

    def __call__(self, value: Any) -> float:
        """A constant scalar."""
        if isinstance(value, int | float):
            return float(value)
        return float(sympy.N(sympy.sympify(value).xreplace(self.parameters), 30))

    def vector(self, values: Sequence[Any]) -> Array:
        """Constant scalars."""
        return np.array([self(value) for value in values])

    def law(self, value: Any) -> Law:
        """An expression in coordinates, speeds, inputs and time."""
        return compiled(sympy.sympify(value).xreplace(self.parameters))

    def level(self, value: Any) -> WitnessLevel:
        """An expression in x, y and z."""
        return WitnessLevel(sympy.sympify(value).xreplace(self.parameters))


def compiled(expression: Any) -> Law:
    """A SymPy expression as a function of the values of its symbols by name."""
    symbols = sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))
    if not symbols:
        number = float(sympy.N(expression, 30))
        return lambda values: number
    plain = [sympy.Dummy(f"x{k}", real=True) for k in range(len(symbols))]
    body = expression.xreplace(dict(zip(symbols, plain, strict=True)))
    function: Callable[..., Any] = sympy.lambdify(plain, body, modules=["scipy", "numpy"])
    names = [symbol.name for symbol in symbols]

    def law(values: Mapping[str, float]) -> float:
        with np.errstate(all="ignore"):
            return float(function(*(np.float64(values[name]) for name in names)))

    return law


class WitnessLevel:
    """f(x, y, z) with its gradient and second derivatives, by SymPy, of real or complex places."""

    def __init__(self, expression: Any) -> None:
        places = [s for s in expression.free_symbols if s.name in ("x", "y", "z")]
        plain = sympy.symbols("x y z", real=True)
        named = dict(zip("xyz", plain, strict=True))
        f = expression.xreplace({s: named[s.name] for s in places})
        slope = [f.diff(s) for s in plain]
        bend = [[f.diff(s, r) for r in plain] for s in plain]
        self._found = sympy.lambdify(plain, [f, slope, bend], modules=["scipy", "numpy"])

    def __call__(self, place: Array) -> tuple[Any, Array, Array]:
        """f, its gradient (3,) and its second derivatives (3, 3)."""
        f, slope, bend = self._found(*place)
        return f, np.array(slope), np.array(bend)
