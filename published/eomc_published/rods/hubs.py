"""Rods on hubs: spin-up, blades, spinning shafts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from eomc.derive.model import Model

__all__ = ["rotating_blade", "shaft", "spin_up_beam", "spin_up_law", "steady"]

Law = Callable[[float], tuple[float, float, float]]


def hub(name: str, axis: tuple[float, float, float], **rod: Any) -> Model:
    """A rod along x on a hub at the origin whose angle `hub` about `axis` is given."""
    model = Model(name, gravity=(0, 0, 0))
    model.deformable("rod", "rod", **{"length": 1, "mass_per_length": 1, "EI": 1, **rod})
    model.joint("hub", "revolute", parent="world", child="rod", axis=axis)
    model.prescribed("hub")
    model.attachment("tip", body="rod", at="tip")
    return model


def steady(speed: float) -> Law:
    """The hub turns at `speed` [rad/s].

    >>> steady(2.0)(1.5)
    (3.0, 2.0, 0.0)
    """
    return lambda t: (speed * t, speed, 0.0)


def rotating_blade(flap: bool = False, functions: int = 8, points: int = 14) -> Model:
    """A cantilever that turns with its root: bending in the plane of rotation (lag) or out of it
    (flap); L = EI = mass per length = 1, sections without inertia.

    >>> rotating_blade(functions=2, points=4).coordinates
    ('rod_kz1', 'rod_kz2')
    """
    return hub(
        "blade",
        (0, 1, 0) if flap else (0, 0, 1),
        strains={"bend_z": functions},
        points=points,
        order=6,
    )


def shaft(
    *,
    ratio: Any = 1.0,
    section_inertia: Any = 0.0,
    damping: Any = 0.0,
    functions: int = 8,
    points: int = 10,
    **rod: Any,
) -> Model:
    """A cantilever shaft that is turned about its axis; EI about z is `ratio` times that about y.

    >>> shaft(functions=1, points=3).coordinates
    ('rod_ky1', 'rod_kz1')
    """
    return hub(
        "shaft",
        (1, 0, 0),
        strains={"bend_y": functions, "bend_z": functions},
        EI=(1.0, ratio),
        section_inertia=(f"2*({section_inertia})", section_inertia, section_inertia),
        damping=damping,
        points=points,
        **{"order": 4, **rod},
    )


def spin_up_beam(functions: int = 4, points: int = 7, stretch: int = 0) -> Model:
    """The beam of Kane, Ryan and Banerjee (1987), as Simo and Vu-Quoc (1987) have it: 10 m.

    >>> spin_up_beam(2, 4).name
    'spin_up'
    """
    strains = {"bend_z": functions, "stretch": stretch}
    return hub(
        "spin_up",
        (0, 0, 1),
        length=10,
        mass_per_length=1.2,
        EI=1.4e4,
        EA=2.8e7,
        points=points,
        strains={name: count for name, count in strains.items() if count},
        section_inertia=(1.2e-3, 6e-4, 6e-4),
        order=4,
    )


def spin_up_law(t: float) -> tuple[float, float, float]:
    """Angle, speed and acceleration of the hub: from rest to 6 rad/s in 15 s.

    >>> spin_up_law(15.0)[1]
    6.0
    """
    w, rate = 2 * math.pi / 15, 6 / 15
    if t >= 15:
        return rate * 112.5 + 6 * (t - 15), 6.0, 0.0
    angle = rate * (t * t / 2 + (math.cos(w * t) - 1) / w**2)
    return angle, rate * (t - math.sin(w * t) / w), rate * (1 - math.cos(w * t))
