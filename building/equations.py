"""From what a user hands over to what has equations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eomc.derive.equations import Equations, equations
from eomc.derive.formats import load
from eomc.derive.graph import Program
from eomc.derive.model import Model, ModelError
from eomc.derive.rolled.link_constants import obstacle


def derived(model: Any, purpose: str = "build") -> Any:
    """The equations: a system with a method ``program``, or a program itself.

    Raises `ModelError` for what has none, naming the `purpose`, and where nothing moves.
    """
    if isinstance(model, str | Path):
        model = load(model)
    if isinstance(model, Model):
        made = equations(model)
        if not model.speeds:
            raise ModelError(
                f"nothing moves freely in model {model.name!r}; give it a joint that does",
                model.source,
            )
        return made
    if isinstance(model, Program) or callable(getattr(model, "program", None)):
        return model
    raise ModelError(
        f"cannot {purpose} {type(model).__name__!r}; give a Model, the path of its file, or "
        "equations"
    )


def has_loops(system: Any, lanes: int, tunable: Any) -> bool:
    """True if functions of these equations can be emitted as rolled recursions."""
    if not isinstance(system, Equations) or lanes > 1:
        return False
    return obstacle(system.formulation(system.tunable(tunable))) is None


def check_small(system: Any, lanes: int = 1) -> None:
    """Raise `ModelError` where small code cannot be made."""
    if not isinstance(system, Equations):
        raise ModelError(
            "small code is made of loops over the bodies of a model; these equations know of no "
            "bodies: leave out small"
        )
    if lanes > 1:
        raise ModelError(
            f"lanes={lanes} writes every function unrolled once more, and small asks for loops; "
            "leave out one of them"
        )
