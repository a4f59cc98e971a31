"""Steps of the emitted Runge-Kutta method that advance a state in place, called in C."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from eomc.building.called_in_place import Arrays, called_in_place
from eomc.codegen import emit
from eomc.derive.graph import Program


def steps_in_place(
    program: Program, values: Mapping[str, Any], h: float, steps: int, compiler: Any = None
) -> Arrays:
    """q and u = [u; z], among others, after so many steps with the inputs held, parameters at their
    defaults.

    Raises FloatingPointError where the C returns a code; EmissionError, BuildError; KeyError for a
    program without such a method.
    """
    sources = emit(program)
    manifest = json.loads(sources[f"{sources.name}.json"])
    method = {entry["name"]: entry for entry in manifest["integrators"]}["rk4"]
    (call,) = called_in_place(sources, [method], {"h": "double", "steps": "int"}, compiler)
    return call(values, h, steps)
