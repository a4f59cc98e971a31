"""Models of other sets of closed latches, for pages and units that step through them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from eomc.building.equations import derived
from eomc.derive.model import ModelError

MOST_LATCHES = 3
"""Each doubles the number of models."""


def other_latches(model: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Other sets of closed latches, with their equations, but for those that cannot close or would
    make redundant loops."""
    names = tuple(model.latches) if model is not None else ()
    if len(names) > MOST_LATCHES:
        raise ModelError(
            f"pages and FMUs step through at most {MOST_LATCHES} latches, and model "
            f"{model.name!r} has {len(names)}; give Model.latched(..., keep=False)"
        )
    now = {name for name in names if model.latches[name].closed}
    for count in range(len(names) + 1):
        for closed in combinations(names, count):
            if set(closed) == now:
                continue
            try:
                made = derived(model.latched(*closed))
                told = made.program(functions=["neutral"]).metadata
            except ModelError:
                continue
            if not told.get("redundant"):
                yield closed, made
