"""Constraints on coordinates: gears and screws, drivers, expressions of the user."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.constraints.rows import Row, register
from eomc.derive.forces.loads import Scene
from eomc.derive.graph import Expression
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.errors import ModelError
from eomc.derive.model.near_names import near_names


def coordinate(constraint: Constraint, name: str | None, scene: Scene) -> Expression:
    """The coordinate of that name. Raises `ModelError` with near names if there is none."""
    if name not in scene.tree.coordinate_of:
        known = near_names(str(name), scene.tree.coordinate_of)
        raise ModelError(
            f"constraint {constraint.name!r}: no coordinate {name!r}; {known}", constraint.source
        )
    return scene.variables[name]


@register("coupling")
def coupling(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """first - ratio second - offset: a gear (1) or a screw (m/rad)."""
    first = coordinate(constraint, constraint.first, scene)
    second = coordinate(constraint, constraint.second, scene)
    ratio, shift = scene.scalar(constraint.ratio), scene.scalar(constraint.offset or 0)
    yield Row(constraint.name, "coupling", first - ratio * second - shift)


@register("driver")
def driver(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """first - f(t)"""
    first = coordinate(constraint, constraint.first, scene)
    yield Row(constraint.name, "driver", first - scene.scalar(constraint.expression))


@register("expression")
def expression(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """phi(q, t)"""
    yield Row(constraint.name, "expression", scene.scalar(constraint.expression))
