"""Compiled models from what is given as one: a model or its path too, if a builder is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.runtime.model.compiled import CompiledModel

__all__ = ["compiled_by", "taken"]

_builders: list[Callable[[Any], CompiledModel]] = []


def compiled_by(build: Callable[[Any], CompiledModel]) -> None:
    """From now on what is not compiled is built by `build`."""
    _builders[:] = [build]


def taken(model: Any) -> CompiledModel:
    """The compiled model; TypeError for what is none and cannot be made one."""
    if isinstance(model, CompiledModel):
        return model
    if not _builders or model is None or isinstance(model, bytes | int | float):
        raise TypeError(
            f"a compiled model is asked for, not {type(model).__name__}: give what eomc.build "
            "returned or takes, such as a Model or the path of a model file"
        )
    return _builders[0](model)
