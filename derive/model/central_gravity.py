"""Attraction by a point mass, such as a planet that bodies orbit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from eomc.derive.model.body import Body
from eomc.derive.model.errors import ModelError, Source
from eomc.derive.model.expression_value import value_of
from eomc.derive.model.near_names import near_names
from eomc.derive.model.scalar import Scalar, Vector3, scalar, vector3

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["BODY", "EXACT", "SECOND_ORDER", "CentralGravity", "check_central_gravity", "declared"]

EXACT, SECOND_ORDER = "exact", "second_order"
BODY = "body"
_ROUNDING = 1e-9


@dataclass(frozen=True)
class CentralGravity:
    """Every body is attracted by a mass at `center` with mu = G M [m^3/s^2].

    expansion : "second_order" takes each body's mass, first and second moments of mass (the force
        and the gravity-gradient torque; terms beyond the square of size over distance dropped),
        "exact" drops nothing and takes bodies of known shape: points, and the uniform slender
        `rods`, given by the vector from the middle to one end, body axes [m].
    about : where the second-order expansion is made: "body" for the origin of each body's own
        frame, or the name of one body for the origin of its frame.
    """

    name: str
    mu: Scalar
    center: Vector3 = (0, 0, 0)
    expansion: str = SECOND_ORDER
    about: str = BODY
    rods: tuple[tuple[str, Vector3], ...] = ()
    source: Source | None = field(default=None, compare=False, repr=False)


def declared(
    name: str,
    mu: Any,
    center: Sequence[Any],
    expansion: str,
    about: str,
    rods: Mapping[str, Sequence[Any]] | Sequence[Any] | None,
    source: Source | None,
) -> CentralGravity:
    """The element with its arguments checked by themselves."""
    if expansion not in (EXACT, SECOND_ORDER):
        raise ModelError(f"expansion is {expansion!r}; valid: {EXACT!r}, {SECOND_ORDER!r}")
    if not isinstance(about, str):
        raise ModelError(f"about: give {BODY!r} or the name of a body")
    if expansion == EXACT and about != BODY:
        raise ModelError(f"about is {about!r}, but nothing is expanded; leave it out")
    pairs = list(rods.items()) if isinstance(rods, Mapping) else list(rods or ())
    if pairs and expansion != EXACT:
        raise ModelError(f"rods matter only where expansion is {EXACT!r}; leave them out")
    shapes = []
    for pair in pairs:
        if not (isinstance(pair, Sequence) and len(pair) == 2 and isinstance(pair[0], str)):
            raise ModelError("rods: give names of bodies with the half length (x, y, z) of each")
        shapes.append((pair[0], vector3(pair[1], f"rods: {pair[0]}")))
    return CentralGravity(
        name,
        scalar(mu, "mu"),
        vector3(center, "center"),
        expansion,
        about,
        tuple(shapes),
        source,
    )


def check_central_gravity(
    element: CentralGravity, model: Model, values: Mapping[str, float]
) -> None:
    """Raise `ModelError` if the element names no body, or takes a body for what it is not."""
    bodies = list(model.bodies)
    named = [name for name, _ in element.rods]
    for name in (*named, *([] if element.about == BODY else [element.about])):
        if name not in model.bodies:
            raise ModelError(f"unknown body {name!r}; {near_names(name, bodies)}")
    if len(set(named)) != len(named):
        raise ModelError("rods: a body is named twice; give each one half length")
    if value_of(element.mu, values) < 0:
        raise ModelError("mu is negative; give G M in m^3/s^2, at least 0")
    if element.expansion == EXACT:
        for name in model.deformables:
            raise ModelError(f"body {name!r} deforms; take expansion {SECOND_ORDER!r}")
        rods = dict(element.rods)
        for body in model.bodies.values():
            _check_shape(body, rods.get(body.name), values)


def _check_shape(body: Body, rod: Vector3 | None, values: Mapping[str, float]) -> None:
    """A point has no inertia about its centre of mass; a rod of half length a has
    m (a.a 1 - a a^T)/3."""
    mass = value_of(body.mass, values)
    half = np.array([value_of(entry, values) for entry in rod or (0, 0, 0)])
    xx, yy, zz, xy, xz, yz = (value_of(entry, values) for entry in body.inertia_com)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    shape = mass * (half @ half * np.eye(3) - np.outer(half, half)) / 3
    if np.abs(inertia - shape).max() <= _ROUNDING * np.abs(shape).max(initial=mass * 1e-3):
        return
    if rod is not None:
        raise ModelError(
            f"rods: the inertia of body {body.name!r} is not that of a uniform slender rod of half "
            f"length {tuple(half.tolist())} m; give its mass, centre and inertia so"
        )
    raise ModelError(
        f"body {body.name!r} is extended and its shape is not known; name it among rods, compose "
        f"it of point masses by fixed joints, or take expansion {SECOND_ORDER!r}"
    )
