"""A mast of tensegrity prisms: three chains of struts, held upright by a net of cables.

Each stage is a prism of three struts with the height H between triangles of the radius R, one
twisted against the other by 30 degrees. Struts of one stage stand on those of the stage below by
ball joints. With the force density q of the cables between the triangles, -q of the struts and
q/sqrt(3) of the cables along a triangle a prism is in equilibrium by itself; along a triangle that
two stages share there is twice that (Motro, *Tensegrity*, ch. 3). Stages turn left and right in
turn. Braces, taut from the place of equilibrium on, run along the other diagonals of the sides and
past one stage.
"""

from __future__ import annotations

import math

from eomc.derive.model import Model, ModelError, Placement, Point

__all__ = ["mast"]

_RADIUS, _HEIGHT = 0.5, 0.8
Node = tuple[int, int]


def mast(
    stages: int = 8,
    *,
    density: float = 25.0,
    modulus: float = 1e8,
    viscosity: float = 0.0,
    gravity: float = 9.81,
) -> Model:
    """The mast on the ground; 3 struts and 12 cables a stage, 3 cables less in all.

    The coordinates are the quaternions ``strut<stage>_<i>_w``... of the struts in those below them,
    unit ones where all is straight without gravity.

    Parameters
    ----------
    stages : number of prisms, at least 1
    density : force density q of the cables between triangles [N/m]
    modulus : of the cables [Pa], with the section 1e-6 m^2
    viscosity : of the cables [Pa s]
    gravity : [m/s^2]

    >>> len(mast(9).cables)
    105
    """
    if isinstance(stages, bool) or not isinstance(stages, int) or stages < 1:
        raise ModelError(f"stages is {stages!r}; give a whole number, at least 1")
    model = Model(f"mast_{stages}", gravity=(0, 0, -gravity))
    at: dict[Node, Point] = {(0, i): Point("world", node(0, i)) for i in range(3)}
    for foot in range(3):  # chain by chain, from the ground
        i = foot
        for k in range(stages):
            place = at[k, i]
            at[k + 1, (i + _hand(k)) % 3] = _strut(model, k, i, place)
            i = (i + _hand(k)) % 3
    cables: list[tuple[Node, Node, float]] = []
    for k in range(stages):
        shared = 1 if k == stages - 1 else 2
        for i in range(3):
            above = k + 1
            cables.append(((k, i), (above, i), density))
            cables.append(((above, i), (above, (i + 1) % 3), shared * density / math.sqrt(3)))
            cables.append(((k, i), (above, (i - _hand(k)) % 3), 0.0))
            if k:
                cables.append(((k - 1, i), (above, i), 0.0))
    for number, (a, b, q) in enumerate(cables):
        length = math.dist(node(*a), node(*b))
        rest = length / (1 + q * length / (modulus * 1e-6))
        model.cable(
            f"cable{number}",
            [at[a], at[b]],
            length=rest,
            modulus=modulus,
            area=1e-6,
            viscosity=viscosity,
        )
    return model


def node(level: int, i: int) -> tuple[float, float, float]:
    """Place of a node of a level [m]."""
    turned = sum(_hand(k) for k in range(level)) * math.pi / 6
    angle = 2 * math.pi * i / 3 + turned
    return _RADIUS * math.cos(angle), _RADIUS * math.sin(angle), _HEIGHT * level


def _hand(stage: int) -> int:
    """The strut's top is the next node, or the one before."""
    return -1 if stage % 2 else 1


def _strut(model: Model, stage: int, i: int, foot: Point) -> Point:
    """A strut on a ball joint at a node; its upper end. Axes of all struts are those of the world
    when the mast is straight."""
    top = (i + _hand(stage)) % 3
    along = tuple(b - a for a, b in zip(node(stage, i), node(stage + 1, top), strict=True))
    length, mass, thick = math.hypot(*along), 0.4, 0.02
    # A rod with its length along `along`: m l^2/12 across it, m thick^2/2 about it.
    across, about = mass * length**2 / 12, mass * thick**2 / 2
    e = [entry / length for entry in along]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    inertia = [across * (r == c) + (about - across) * e[r] * e[c] for r, c in pairs]
    name = f"strut{stage}_{i}"
    model.body(name, mass=mass, com=tuple(entry / 2 for entry in along), inertia=tuple(inertia))
    model.joint(name, "spherical", parent=foot.body, child=name, placement=Placement(xyz=foot.xyz))
    x, y, z = along
    return Point(name, (x, y, z))
