"""Small models that between them pass through what derives and emits."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from verification.mutants.models import (
    composed,
    deformable,
    first,
    forces,
    given,
    held,
    lines,
    links,
    mechanisms,
    structures,
    touching,
)

import eomc
from eomc.derive.model import Model

MODELS: dict[str, Callable[[], Any]] = {
    **first.MODELS,
    **forces.MODELS,
    **held.MODELS,
    **deformable.MODELS,
    **structures.MODELS,
    **lines.MODELS,
    **links.MODELS,
    **touching.MODELS,
    **mechanisms.MODELS,
    **given.MODELS,
    **composed.MODELS,
}


def make(name: str) -> Any:
    """The derived model of that name; or its system."""
    made = MODELS[name]()
    return eomc.equations(made) if isinstance(made, Model) else made


def declared_in(model: Callable[[], Any]) -> str:
    """The text of the file that declares it."""
    function = model.func if isinstance(model, partial) else model
    file = inspect.getsourcefile(function)
    assert file is not None
    return Path(file).read_text(encoding="utf-8")
