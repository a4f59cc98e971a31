"""The tensegrity prism: n struts that touch nothing but the cables between their ends.

Bottom and top polygon, of n nodes each, are regular and of one radius R; cables run along both and
from each bottom node i to the top node i, struts from each bottom node i to the top node i + 1.
It balances under prestress if the top is turned by pi/2 - pi/n against the bottom. Of the force
densities F/l, that of the vertical cables being q, the struts have -q and the horizontal cables
q/(2 sin(pi/n)): one state of self-stress, beside one mechanism that it stiffens,

    omega_1^2 = 4 q sin(pi/n)/(m (1 + R^2 cos(pi/n)^2/H^2))     members that do not stretch

Reference: Pellegrino, *Analysis of prestressed mechanisms*, Int. J. Solids Structures 26 (1990)
1329; Connelly and Terrell, *Globally rigid symmetric tensegrities*, Structural Topology 21 (1995).
"""

from __future__ import annotations

import math

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model

__all__ = ["MEMBERS", "force_densities", "frequency", "members", "nodes", "prism", "twist"]


#: Letters of the kinds of members: cables along the bottom and the top, upright ones, struts.
MEMBERS = ("bottom", "top", "vertical", "strut")


def twist(n: int) -> float:
    """Of the top against the bottom [degrees].

    >>> twist(3)
    30.0
    """
    return 90 - 180 / n


def nodes(n: int, radius: float, height: float, turned: float) -> dict[str, Array]:
    """Places of the nodes a1, ... at the bottom and b1, ... at the top, turned by degrees."""
    found = {}
    for letter, z, start in (("a", 0.0, 0.0), ("b", height, math.radians(turned))):
        for i in range(n):
            at = start + 2 * math.pi * i / n
            found[f"{letter}{i + 1}"] = np.array([radius * math.cos(at), radius * math.sin(at), z])
    return found


def members(n: int) -> dict[str, tuple[str, str]]:
    """Their nodes, by names as ``bottom1`` and ``strut1``."""
    after = {i: i % n + 1 for i in range(1, n + 1)}
    ends = {
        "bottom": lambda i: (f"a{i}", f"a{after[i]}"),
        "top": lambda i: (f"b{i}", f"b{after[i]}"),
        "vertical": lambda i: (f"a{i}", f"b{i}"),
        "strut": lambda i: (f"a{i}", f"b{after[i]}"),
    }
    return {f"{kind}{i}": ends[kind](i) for kind in MEMBERS for i in after}


def force_densities(n: int, q: float) -> dict[str, float]:
    """Of the members, by the force density q of the vertical cables [N/m]."""
    level = q / (2 * math.sin(math.pi / n))
    of = {"bottom": level, "top": level, "vertical": q, "strut": -q}
    return {name: of[name.rstrip("0123456789")] for name in members(n)}


def frequency(n: int, radius: float, height: float, mass: float, q: float) -> float:
    """omega_1 of members that do not stretch [rad/s]."""
    a = math.pi / n
    return math.sqrt(4 * q * math.sin(a) / (mass * (1 + (radius * math.cos(a) / height) ** 2)))


def prism(
    n: int = 3,
    *,
    radius: float = 0.5,
    height: float = 0.8,
    mass: float = 0.4,
    force_density: float = 25.0,
    cable_stiffness: float = 3e3,
    strut_stiffness: float = 2e4,
) -> Model:
    """The prism of point masses at the nodes, struts as springs; it floats and rests as declared.

    `force_density` is that of the vertical cables, stiffness the slope dF/dl of every member.

    >>> prism().coordinates[:3]
    ('a1_x', 'a1_y', 'a1_z')
    """
    model = Model("prism", gravity=(0, 0, 0))
    places = nodes(n, radius, height, twist(n))
    for name, place in places.items():
        model.body(name, mass=mass)
        model.joint(name, "translational", parent="world", child=name, placement=tuple(place))
    density = force_densities(n, force_density)
    for name, (a, b) in members(n).items():
        length = float(np.linalg.norm(places[b] - places[a]))
        stiffness = strut_stiffness if name.startswith("strut") else cable_stiffness
        rest = length - density[name] * length / stiffness
        if name.startswith("strut"):
            model.spring(name, a=a, b=b, stiffness=stiffness, free_length=rest)
        else:
            model.cable(name, [a, b], length=rest, modulus=stiffness * rest)
    return model
