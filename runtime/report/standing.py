"""A model in one state, drawn as a run of one row is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

import numpy as np

from eomc.runtime.picture.description import PicturedModel
from eomc.runtime.plot.canvas import still


class Evaluated(PicturedModel, Protocol):
    """A compiled model as its drawing needs it."""

    @property
    def is_constrained(self) -> bool: ...
    def inputs_of(self, name: str) -> tuple[str, ...]: ...
    def function(self, name: str) -> Any: ...
    def solver(self, name: str) -> tuple[Any, tuple[str, ...]]: ...


class Standing:
    """One row: arrays by the names of arguments, each (1, n)."""

    def __init__(self, model: Evaluated, values: Mapping[str, Any]) -> None:
        self.model = model
        self._values = {name: np.asarray(value)[None] for name, value in values.items()}

    @property
    def count(self) -> int:
        """Of its rows."""
        return 1

    def evaluate(self, function: str) -> Any:
        """A function of the model in the state; what is not given of its arguments is zero."""
        names = self.model.inputs_of(function)
        compiled = self.model.function(function)
        if not names:
            return compiled()
        p = self._values.get("p")
        keywords = {} if p is None or not p.size else {"parameters": p[0]}
        return compiled(*[self._values[name] for name in names], **keywords)


def closed(model: Evaluated, values: Mapping[str, Any]) -> dict[str, Any]:
    """The same with q and u near it that satisfy the constraints, if such are found."""
    found = dict(values)
    if model.is_constrained:
        with suppress(FloatingPointError, AttributeError, KeyError, TypeError):
            project, names = model.solver("project")
            p = {"parameters": values["p"]} if np.size(values["p"]) else {}
            found["q"], found["u"] = project(*[values[name] for name in names], **p)
    return found


def drawing(model: Evaluated, values: Mapping[str, Any], dpi: float = 110.0) -> bytes:
    """PNG of the model in a state. Raises ValueError, ImportError as `still` does."""
    return still(Standing(model, closed(model, values)), dpi=dpi)
