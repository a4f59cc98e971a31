"""The steps of closed loops that are emitted in C alone, as Python functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from eomc.binding.arrays import Array
from eomc.building.called_in_place import Arrays, called_in_place
from eomc.codegen import emit
from eomc.derive.graph import Program

Step = Callable[[Mapping[str, Any], float], tuple[Array, Array, Array]]


def closed_loop_steps(program: Program, compiler: Any = None) -> dict[str, Step]:
    """A function (values by name, h) -> (q, [u; z], output) for each law, parameters at their
    defaults.

    The functions raise FloatingPointError where the C returns a code. Raises EmissionError,
    BuildError.
    """
    sources = emit(program)
    loops = json.loads(sources[f"{sources.name}.json"]).get("closed_loops", [])
    if not loops:
        return {}
    calls = called_in_place(sources, loops, {"h": "double"}, compiler)
    return {
        loop["law"]: partial(_step, call, loop["output"])
        for loop, call in zip(loops, calls, strict=True)
    }


def _step(
    call: Callable[..., Arrays], output: str, values: Mapping[str, Any], h: float
) -> tuple[Array, Array, Array]:
    found = call(values, h)
    return found["q"], found["u"], found[output]
