"""A force element: a tyre on a level road at z = 0.

A declaration and one function, as the documentation's page on adding a force describes.

    load     N = k (z0 - z) - d z'                  z the height of the contact point
    slip     alpha = atan(v_left / v_forward)       of the contact point, along the road
    lateral  F = -c N alpha                         across the wheel's heading

Constant cornering stiffness a load; the wheel is not expected to leave the road.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eomc.derive.forces import AllLoads, Scene, register
from eomc.derive.geometry import Vector
from eomc.derive.model import Model, ModelError, Point, Source
from eomc.derive.model.elements import TABLES
from eomc.derive.model.errors import declaring
from eomc.derive.model.naming import check_name, check_new
from eomc.derive.model.placement import point
from eomc.derive.model.scalar import Scalar, Vector3, scalar, vector3

__all__ = ["Tyre", "add_tyre"]


@dataclass(frozen=True)
class Tyre:
    """A tyre whose contact point is `at`.

    stiffness, damping : vertical [N/m, N s/m]
    free_height : height of the contact point without load [m]
    cornering : lateral force a unit of load and slip angle [1/rad]
    direction : heading of the wheel in body axes; may hold inputs and coordinates
    """

    name: str
    at: Point
    stiffness: Scalar
    damping: Scalar
    free_height: Scalar
    cornering: Scalar
    direction: Vector3
    source: Source | None = field(default=None, compare=False, repr=False)


def add_tyre(
    model: Model,
    name: str,
    *,
    at: Any,
    stiffness: Any,
    damping: Any = 0,
    free_height: Any = 0,
    cornering: Any = 0,
    direction: Sequence[Any] = (1, 0, 0),
    source: Source | None = None,
) -> None:
    """Declare a tyre; see `Tyre`."""
    with declaring("tyre", name, source) as source:
        tyres: dict[str, Tyre] = model.__dict__.setdefault("tyres", {})
        check_new(check_name(name), "tyres", tyres)
        tyres[name] = Tyre(
            name,
            point(at),
            scalar(stiffness, "stiffness"),
            scalar(damping, "damping"),
            scalar(free_height, "free_height"),
            scalar(cornering, "cornering"),
            vector3(direction, "direction"),
            source,
        )


TABLES.setdefault("tyres", "tyre")
# Models that were made before this file was imported have none.
Model.tyres = {}  # type: ignore[attr-defined]
Model.tyre = add_tyre  # type: ignore[attr-defined]


@register("tyres")
def tyres(scene: Scene, loads: AllLoads) -> None:
    """Add every tyre."""
    zero = scene.tree.zero_vector()
    up = Vector(zero.x, zero.x, zero.x + 1)
    for tyre in getattr(scene.model, "tyres", {}).values():
        if tyre.at.body not in scene.tree.pose_of:
            raise ModelError(f"tyre {tyre.name!r}: no body {tyre.at.body!r}", tyre.source)
        at = scene.point(tyre.at.body, tyre.at.xyz)
        stiffness = scene.scalar(tyre.stiffness)
        compressed = scene.scalar(tyre.free_height) - at.position.z
        elastic = stiffness * compressed
        damper = -(scene.scalar(tyre.damping) * at.velocity.z)
        potential = loads.conservative.potential
        loads.conservative.potential = potential + stiffness * compressed * compressed / 2
        loads.conservative.add_force(at, up * elastic)
        loads.other.add_force(at, up * damper)
        cornering = scene.scalar(tyre.cornering)
        if cornering.is_zero:
            continue
        _, axes, _ = scene.tree.pose_of[tyre.at.body]
        local = Vector(*(scene.scalar(entry) for entry in tyre.direction))
        heading = at.axes.to_parent(axes.to_parent(local))
        size = 1 / (heading.x * heading.x + heading.y * heading.y).sqrt()
        forward = Vector(heading.x * size, heading.y * size, zero.x)
        left = up.cross(forward)
        slip = (left.dot(at.velocity) / forward.dot(at.velocity)).unary("atan")
        loads.other.add_force(at, left * -(cornering * (elastic + damper) * slip))
