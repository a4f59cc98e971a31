"""Functions of a compiled model that take a model, or the path of a model file, as well."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import eomc.runtime as runtime
from eomc.runtime.model.compiled import CompiledModel

__all__ = ["assemble", "equilibrium", "linearize", "simulate"]

Given = ParamSpec("Given")
Found = TypeVar("Found")
Taken: TypeAlias = Any
"""A CompiledModel, or what `eomc.build` takes: a Model, Equations, the path of a model file."""


def taking_models(
    function: Callable[Concatenate[CompiledModel, Given], Found],
) -> Callable[Concatenate[Taken, Given], Found]:
    """The function, which first builds what is not compiled; twice the same is built once."""

    @wraps(function)
    def taking(*given: Any, **named: Any) -> Found:
        if "model" in named:
            given = (named.pop("model"), *given)
        if given:
            given = (_compiled(given[0]), *given[1:])
        return function(*given, **named)

    return taking


def _compiled(model: Taken) -> CompiledModel:
    if isinstance(model, CompiledModel):
        return model
    if isinstance(model, bytes | int | float | None):
        raise TypeError(
            f"a model is asked for, not {type(model).__name__}: give what eomc.build returned or "
            "takes, such as a Model or the path of a model file"
        )
    from eomc.building import build

    return build(os.fspath(model) if isinstance(model, os.PathLike) else model)


assemble = taking_models(runtime.assemble)
equilibrium = taking_models(runtime.equilibrium)
linearize = taking_models(runtime.linearize)
simulate = taking_models(runtime.simulate)
