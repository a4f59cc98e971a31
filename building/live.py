"""From a model to what a live page carries: its functions in WebAssembly."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from eomc.building.latched import other_latches
from eomc.building.sources import SourceOptions, sources
from eomc.derive.model import ModelError
from eomc.runtime.output.progress import spinner

if TYPE_CHECKING:
    from eomc.runtime.page.live_model import LiveModel

PAGE = (
    *("forward_dynamics", "coordinate_rates", "normalize", "neutral", "integrate", "difference"),
    *("kinetic_energy", "potential_energy", "power", "poses", "pull", "body_lines"),
    *("element_lines", "element_outputs", "element_state_rates", "latches"),
    *("constraint_residual", "constraint_jacobian", "constraint_velocity", "constraint_bias"),
    *("position_correction", "velocity_correction", "mass_matrix", "bias", "inverse_dynamics"),
    *("closure_residual", "closure_jacobian", "closure_velocity"),
)
"""Functions that a page calls; the last two lines where there are constraints."""

_CONSTRAINED = PAGE[PAGE.index("constraint_residual") :]


def live_model(
    equations: Any,
    choice: SourceOptions,
    more: Sequence[str] = (),
    *,
    compiler: str | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
) -> LiveModel:
    """The model in WebAssembly with what a page asks of it, and `more` functions.

    Raises `ModelError` for equations that know of no bodies, `BuildError` without a compiler.
    """
    from eomc.codegen.wasm_compiler import compile_wasm
    from eomc.runtime.page.live_model import LiveModel

    metadata = equations.program(functions=["neutral"]).metadata
    names = page_functions(metadata["functions"], more)
    if "poses" not in names:
        raise ModelError(
            "a page shows bodies, and these equations know of none: declare them in a Model"
        )
    made = sources(equations, names, choice)
    with spinner(f"compiling {made.name} to WebAssembly"):
        wasm = compile_wasm(made, compiler=compiler, cache_dir=cache_dir)
    glue = (files("eomc.codegen.wasm") / "model.js").read_text("utf-8")

    def evaluate(function: str, values: Mapping[str, Any]) -> Any:
        quantity = getattr(equations, function)
        return quantity.evaluate(**{given.name: values[given.name] for given in quantity.inputs})

    manifest = json.loads(made[f"{made.name}.json"])
    others = {}
    for closed, other in other_latches(getattr(equations, "model", None)):
        further = sources(other, page_functions(other.function_names), choice)
        with spinner(f"compiling {further.name} with {', '.join(closed)} to WebAssembly"):
            module = compile_wasm(further, compiler=compiler, cache_dir=cache_dir)
        others[closed] = LiveModel(json.loads(further[f"{further.name}.json"]), module, glue)
    return LiveModel(manifest, wasm, glue, evaluate, others)


def page_functions(available: Sequence[str], more: Sequence[str] = ()) -> list[str]:
    """Those of `PAGE` that a model has, and `more` with what their arguments come from."""
    constrained = "constraint_jacobian" in available
    wanted = [name for name in PAGE if constrained or name not in _CONSTRAINED]
    if more:
        wanted += [*more, *(["constrained_dynamics"] if constrained else [])]
    return [name for name in wanted if name in available]
