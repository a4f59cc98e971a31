"""Rods that fly, and pulses at the tip: large motion with shear and stretch."""

from __future__ import annotations

from typing import Any

from eomc.derive.model import Model
from eomc.systems.rods.cantilever import cantilever, loaded_tip

__all__ = ["flying_rod", "pulsed_rod", "spatially_pulsed_rod"]


def flying_rod(spatial: bool = False, functions: tuple[int, int] = (4, 3), **rod: Any) -> Model:
    """The "flying spaghetti" of Simo and Vu-Quoc (1986, 1988): 10 m, free, loads at its tip.

    `functions` of each curvature, and of stretch and shears.

    >>> len(flying_rod(functions=(1, 1)).coordinates)
    6
    """
    bend, stretch = functions
    names = ["bend_z", "stretch", "shear_y"]
    names += ["twist", "bend_y", "shear_z"] if spatial else []
    counts = {name: bend if name.startswith(("bend", "twist")) else stretch for name in names}
    model = Model("flying", gravity=(0, 0, 0))
    given: dict[str, Any] = {
        "length": 10,
        "mass_per_length": 1,
        "EI": 500,
        "EA": 1e4,
        "GA": 1e4,
        "GJ": 500,
        "section_inertia": (20, 10, 10),
        "strains": counts,
        "order": 4,
    }
    model.deformable("rod", "rod", **{**given, **rod})
    kind: Any = ("floating", {}) if spatial else ("planar", {"axis": (0, 0, 1)})
    model.joint("free", kind[0], parent="world", child="rod", **kind[1])
    loaded_tip(model)
    return model


def pulsed_rod(functions: int = 5, others: int = 4, points: int = 8, **rod: Any) -> Model:
    """A clamped planar rod that shears and stretches, for a pulse of force at its tip.

    >>> len(pulsed_rod(2, 1, 4).coordinates)
    4
    """
    model = Model("pulsed", gravity=(0, 0, 0))
    given: dict[str, Any] = {
        "length": 1,
        "mass_per_length": 1,
        "EI": 1,
        "EA": 1e3,
        "GA": 1e3,
        "points": points,
        "strains": {"bend_z": functions, "stretch": others, "shear_y": others},
        "section_inertia": (4e-3, 2e-3, 2e-3),
        "order": 4,
    }
    model.deformable("rod", "rod", **{**given, **rod})
    model.joint("clamp", "fixed", parent="world", child="rod")
    loaded_tip(model)
    return model


def spatially_pulsed_rod(functions: int = 5, others: int = 3, points: int = 8, **rod: Any) -> Model:
    """A clamped rod that bends both ways, twists, shears and stretches, for a pulse at its tip.

    >>> len(spatially_pulsed_rod(2, 1, 4).coordinates)
    9
    """
    strains = dict.fromkeys(("twist", "bend_y", "bend_z"), functions)
    strains |= dict.fromkeys(("stretch", "shear_y", "shear_z"), others)
    given: dict[str, Any] = {
        "EI": (1, 2),
        "GJ": 0.5,
        "EA": 1e3,
        "GA": 1e3,
        "section_inertia": (3e-3, 1e-3, 2e-3),
        "strains": strains,
        "points": points,
        "order": 4,
    }
    return cantilever("spatially_pulsed", **{**given, **rod})
