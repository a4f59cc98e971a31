"""Steps of a controller in Python, recorded for the test that its C carries."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control import Sampled
from eomc.runtime.control.emitted_law import EmittedLaw, wanted
from eomc.runtime.difference import DifferenceEquation, Numeric

SAMPLES = 8
"""Steps in a row."""

_AWAY = 0.1
"""Of what is measured, from the neutral state [rad or m, rad/s or m/s]."""


def recorded_steps(controller: Any, equation: DifferenceEquation) -> dict[str, list[list[float]]]:
    """Rows of inputs and of the output, by name, one a sample: of the difference equation on NumPy,
    on the compiled functions of its model.

    The record ends before a sample at which the law has no value.
    """
    law: Any = getattr(controller, "law", None)
    model: Any = law.model if isinstance(law, EmittedLaw) else getattr(controller, "model", None)

    def call(function: str, **values: Any) -> Any:
        names = model.inputs_of(function)
        more = {"parameters": equation.parameters} if equation.parameters else {}
        return model.function(function)(*[values[name] for name in names], **more)

    rng = np.random.default_rng(1)
    sample = equation.begin(rng if equation.draws else None, Numeric(call))
    rows: dict[str, list[list[float]]] = {name: [] for name in (*equation.inputs, equation.output)}
    for k in range(SAMPLES):
        given = {name: _AWAY * _numbers(rng, len(own)) for name, own in equation.inputs.items()}
        if isinstance(controller, Sampled) and isinstance(law, EmittedLaw):
            neutral = np.asarray(model.function("neutral")(), dtype=np.float64)
            given["q"] = np.asarray(model.function("normalize")(neutral + given["q"]))
            given |= wanted(equation, law.reference(k * controller.period))
        try:
            found = sample(*given.values())
        except (ArithmeticError, ValueError):
            break
        if not np.isfinite(found).all():
            break
        for name, row in (*given.items(), (equation.output, found)):
            rows[name].append(np.asarray(row, dtype=np.float64).tolist())
    return rows


def _numbers(rng: np.random.Generator, size: int) -> Array:
    """Within (-1, 1), in 1/64ths, which every scalar type holds."""
    found: Array = rng.integers(-63, 64, size) / 64
    return found
