"""Clamped rods under loads at the tip."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model
from eomc.derive.placement.placement import Point

__all__ = ["cantilever", "column", "loaded_tip", "princeton_beam", "quarter_arc", "tip_place"]

FORCES, MOMENTS = ("Fx", "Fy", "Fz"), ("Mx", "My", "Mz")
FOLLOWING = ("thrust", "follower")


def cantilever(name: str = "cantilever", *, gravity: Any = (0, 0, 0), **rod: Any) -> Model:
    """A rod along x, clamped at the origin; L = EI = mass = 1 unless `rod` says otherwise.

    Inputs are dead forces Fx, Fy, Fz [N] and moments Mx, My, Mz [N m] at the tip in world axes,
    and forces `thrust` and `follower` [N] along the x and y axes of the tip, which turn with it.

    >>> cantilever(strains={"bend_z": 2}).coordinates
    ('rod_kz1', 'rod_kz2')
    """
    model = Model(name, gravity=gravity)
    model.deformable("rod", "rod", **{"length": 1, "mass_per_length": 1, "EI": 1, **rod})
    model.joint("clamp", "fixed", parent="world", child="rod")
    loaded_tip(model)
    return model


def loaded_tip(model: Model) -> None:
    """The body `tip` at the end of `rod`, with its loads."""
    model.attachment("tip", body="rod", at="tip")
    for name in (*FORCES, *MOMENTS, *FOLLOWING):
        model.input(name)
    model.force("dead_force", Point("tip"), FORCES)
    model.torque("dead_moment", "tip", MOMENTS)
    model.force("follower_force", Point("tip"), (*FOLLOWING, 0), frame="body")


def column(functions: int = 10, points: int = 16, **rod: Any) -> Model:
    """A planar cantilever of high order, with weight g [m/s^2] downwards along y.

    >>> len(column(3, 5).coordinates)
    3
    """
    model = cantilever(
        "column", gravity=(0, "-g", 0), strains={"bend_z": functions}, points=points, order=6, **rod
    )
    model.parameter("g", 0.0, units="m/s^2", tunable=True)
    return model


def quarter_arc(functions: int = 4, points: int = 10, *, extensible: bool = True) -> Model:
    """The 45-degree arc of Bathe and Bolourchi, radius 100, in the xy plane; tip force along z.

    `functions` of twist and curvatures, and up to four of them of stretch and shears.

    >>> len(quarter_arc(2, 5, extensible=False).coordinates)
    6
    """
    strains = dict.fromkeys(("twist", "bend_y", "bend_z"), functions)
    if extensible:
        strains |= dict.fromkeys(("stretch", "shear_y", "shear_z"), min(functions, 4))
    return cantilever(
        "arc",
        length=100 * np.pi / 4,
        EI=1e7 / 12,
        GJ=5e6 / 6,
        EA=1e7,
        GA=5 / 6 * 5e6,
        strains=strains,
        curvature=(0, 0, 1 / 100),
        section_inertia=(2 / 12, 1 / 12, 1 / 12),
        points=points,
        order=6,
    )


def princeton_beam(functions: int = 7, points: int = 9) -> Model:
    """The aluminium strip of the Princeton beam experiment (Dowell and Traybar 1975): stiff in
    bending about y, soft about z.

    >>> princeton_beam(2, 5).name
    'princeton'
    """
    height, width, modulus = 0.0123777, 0.0032024, 71.7e9
    stiff, soft = width * height**3 / 12, height * width**3 / 12
    shear_modulus = modulus / (2 * 1.31)
    density = 2700.0
    return cantilever(
        "princeton",
        length=0.508,
        mass_per_length=density * height * width,
        EI=(modulus * stiff, modulus * soft),
        GJ=0.198 * shear_modulus * (stiff + soft),
        section_inertia=(density * (stiff + soft), density * stiff, density * soft),
        strains=dict.fromkeys(("twist", "bend_y", "bend_z"), functions),
        points=points,
        order=6,
    )


def tip_place(model: Any, q: Any, **more: Any) -> Array:
    """Place (3,) [m] of the frame `tip` of a compiled model at q."""
    return np.asarray(model.frame_tip_pose(q, **more))[..., :3, 3]
