"""A chain of links that lie crooked in each other, with general inertias: no term is zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.derive.model import Model, Placement


def _crooked() -> Model:
    """Four links, each turned and moved along all axes against the one before."""
    model = Model("crooked", gravity=(0.3, -0.4, -9.81))
    parent = "world"
    for k, axis in enumerate(((0, 0, 1), (0, 1, 0), (0, 0.6, 0.8), (1, 0, 0))):
        inertia = (0.31, 0.42 - 0.03 * k, 0.23 + 0.02 * k, 0.02, -0.03, 0.01)
        model.body(f"b{k}", mass=1.3 - 0.2 * k, com=(0.1, -0.2, 0.3 - 0.1 * k), inertia=inertia)
        place = Placement(xyz=(0.2, -0.1 - 0.1 * k, 0.3), rpy=(0.3 + 0.2 * k, -0.5, 0.7))
        model.joint(f"j{k}", "revolute", parent=parent, child=f"b{k}", axis=axis, placement=place)
        parent = f"b{k}"
    return model


MODELS: dict[str, Callable[[], Any]] = {"crooked": _crooked}
