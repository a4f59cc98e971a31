"""Typical size and deformation of a deformable body: for random states, and for what is small."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable

__all__ = ["TypicalSize", "typical_size"]

SHARE = 0.05
LARGEST_ANGLE = 0.3
UNKNOWN = 0.1


@dataclass(frozen=True)
class TypicalSize:
    """Radius of gyration [m] about the body's origin, and typical deviations of xi."""

    radius: float
    deviations: tuple[float, ...]


def typical_size(body: Deformable, parameters: Mapping[str, float]) -> TypicalSize:
    """From the body at rest.

    With i = sqrt(tr J / 2m) the radius of gyration, a deviation of xi_j moves the mass by
    sqrt(M_jj / m) of it in root mean square; the typical one moves it by a twentieth of i, turns by
    no more than 0.3 rad.
    """
    form = body.form
    rest = body.at_rest(parameters)
    mass, trace = rest.mass, sum(rest.moments)
    radius = math.sqrt(trace / (2 * mass)) if mass > 0 and trace > 0 else 0.0
    deviations = []
    for j, unit in enumerate(form.units):
        inertia = rest.internal[j][j]
        known = radius > 0 and inertia > 0
        size = SHARE * radius * math.sqrt(mass / inertia) if known else UNKNOWN
        deviations.append(min(size, LARGEST_ANGLE) if unit == "rad" else size)
    return TypicalSize(radius, tuple(deviations))
