"""Functions of a compiled model that take a model, or the path of a model file, as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

import eomc.runtime as runtime
from eomc.runtime.model.arguments import compiled_by
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.optimal import ocp as _ocp

__all__ = ["assemble", "equilibrium", "linearize", "ocp", "simulate"]

Given = ParamSpec("Given")
Found = TypeVar("Found")


def _build(model: Any) -> CompiledModel:
    from eomc.building import build

    return build(model)


def of_models(
    function: Callable[Concatenate[CompiledModel, Given], Found],
) -> Callable[Concatenate[Any, Given], Found]:
    """The function as type checkers know it: of what `eomc.build` takes, too."""
    return function


compiled_by(_build)
assemble = of_models(runtime.assemble)
equilibrium = of_models(runtime.equilibrium)
linearize = of_models(runtime.linearize)
ocp = of_models(_ocp)
simulate = of_models(runtime.simulate)
