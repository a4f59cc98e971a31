"""A cable with mass: straight elastic links, with point masses where they meet.

N links of a cable of the length L and the mass m per length are N cables of the length L/N with
N - 1 points of the mass m L/N between them; half a link's mass stays at each end, on what holds it.
The errors of its pulls and of its shape go with 1/N^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eomc.derive.model import Model
from eomc.derive.placement.placement import Point

__all__ = ["add_lumped_cable"]


def add_lumped_cable(
    model: Model,
    name: str,
    a: Point,
    b: Point,
    *,
    length: float,
    line_mass: float,
    lumps: int,
    ends: Sequence[Sequence[float]],
    **properties: Any,
) -> tuple[str, ...]:
    """Declare a cable of `lumps` links from a to b; gives the names of its point masses.

    `line_mass` is the mass [kg/m] per rest length; `ends` are the places of a and b in the world
    [m] where all coordinates are zero: the points are declared on the line between them. Further
    arguments go to `Model.cable`: modulus, area, viscosity, ...

    >>> model = Model("line")
    >>> add_lumped_cable(
    ...     model, "line", Point("world"), Point("world", (8, 0, -2)), length=10, line_mass=1.2,
    ...     lumps=3, ends=[(0, 0, 0), (8, 0, -2)], modulus=5e5,
    ... )
    ('line_1', 'line_2')
    """
    if isinstance(lumps, bool) or not isinstance(lumps, int) or lumps < 1:
        raise ValueError(f"lumps is {lumps!r}; give a number of links")
    first, last = (np.array(end, dtype=float) for end in ends)
    points = [f"{name}_{k}" for k in range(1, lumps)]
    for k, point in enumerate(points, 1):
        place = first + (last - first) * k / lumps
        model.body(point, mass=line_mass * length / lumps)
        model.joint(
            point, "translational", parent="world", child=point, placement=tuple(place.tolist())
        )
    stations = [a, *(Point(point) for point in points), b]
    for k in range(lumps):
        model.cable(
            f"{name}_link{k + 1}", [stations[k], stations[k + 1]], length=length / lumps,
            **properties,
        )  # fmt: skip
    return tuple(points)
