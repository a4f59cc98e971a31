"""Slots: where a slider may go along a body that moves itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, hypot, pi, sin

from eomc.derive.drawing.mark import SLIDE
from eomc.derive.joints.joint import Joint
from eomc.derive.language.naming import WORLD
from eomc.derive.language.scalar import Vector3
from eomc.derive.model.model import Model
from eomc.derive.picture.links import links
from eomc.derive.picture.marks import Shown, body_material, given_shapes, instead, slide_range
from eomc.derive.picture.numbers import Numbers, numbers, rounded, unit
from eomc.derive.picture.outline import Outline, hinge_axis
from eomc.derive.placement.rotation import cross, rotate

__all__ = ["slots"]

# In radii: of the slot across, of its bar, of the slider's half length; the shortest that is drawn.
_HALF, _BAR, _SLIDER, _SHORTEST = 2.0, 0.35, 2.3, 4.0
# Parts of a half turn at each end.
_ARCS = 8
# A link is along the axis if it leaves it by less than this share of the reach.
_STRAIGHT = 1e-6


def slots(model: Model, found: Outline, values: Mapping[str, float]) -> Iterator[Shown]:
    """Round the stretch that limits tell, else round the link along which the slider goes."""
    sliders = [
        joint
        for joint in model.joints.values()
        if SLIDE in joint.declaration.drawn and joint.child != WORLD
        if joint.parent in model.bodies and joint.parent not in model.deformables
    ]
    if not sliders:
        return
    given, hinges = given_shapes(model), hinge_axis(model, values)
    normal = _axis(hinges)
    for joint in sliders:
        spare = instead(given.get(joint.parent, ()))
        if spare is None:
            continue
        start = numbers(joint.placement.xyz, values)
        along = unit(numbers(rotate(joint.placement.matrix, joint.direction), values))
        stretch = _stretch(joint, start, along, found, values, model)
        if stretch is None or stretch[1] - stretch[0] < _SHORTEST * found.radius:
            continue
        side = _across(along, normal)
        yield (
            "shapes",
            {
                "body": joint.parent,
                "kind": "line",
                "placement": {"xyz": [0.0, 0.0, 0.0]},
                "points": [list(p) for p in _outline(start, along, side, stretch, found.radius)],
                "radius": rounded(_BAR * found.radius),
                "joint": joint.name,
                "material": body_material(list(model.bodies).index(joint.parent)),
                "auto": True,
                **spare,
            },
        )


def _stretch(
    joint: Joint,
    start: Numbers,
    along: Numbers,
    found: Outline,
    values: Mapping[str, float],
    model: Model,
) -> tuple[float, float] | None:
    """Ends of the slot along the axis, counted from the joint's frame [m]; None if unknown."""
    limits = slide_range(joint, values)
    if limits is not None:
        return limits[0] - _SLIDER * found.radius, limits[1] + _SLIDER * found.radius
    stations: list[float] = []
    for link in links(model.bodies[joint.parent], found, values):
        if link["kind"] != "capsule":
            continue
        arms = [[x - s for x, s in zip(link[end], start, strict=True)] for end in ("a", "b")]
        ways = [sum(x * e for x, e in zip(arm, along, strict=True)) for arm in arms]
        aside = [
            hypot(*(x - way * e for x, e in zip(arm, along, strict=True)))
            for arm, way in zip(arms, ways, strict=True)
        ]
        if max(aside) <= _STRAIGHT * found.reach:
            stations += ways
    return (min(stations), max(stations)) if stations else None


def _across(along: Numbers, normal: Vector3) -> Numbers:
    """In the plane of a plane mechanism; else any direction across the axis."""
    x, y, z = along
    side = numbers(cross(normal, (x, y, z)), {})
    if hypot(*side) < 0.5:
        least = min(range(3), key=lambda k: abs(along[k]))
        side = numbers(cross(_axis(least), (x, y, z)), {})
    return unit(side)


def _axis(k: int | None) -> Vector3:
    return float(k == 0), float(k == 1), float(k == 2)


def _outline(
    start: Numbers, along: Numbers, side: Numbers, stretch: tuple[float, float], radius: float
) -> Iterator[Numbers]:
    """Two straight sides and two half turns, closed."""
    half = _HALF * radius
    turns = [k * pi / _ARCS for k in range(_ARCS + 1)]
    way = [(stretch[1] + half * sin(a), half * cos(a)) for a in turns]
    way += [(stretch[0] - half * sin(a), -half * cos(a)) for a in turns]
    for s, y in [*way, way[0]]:
        yield tuple(rounded(p + s * e + y * n) for p, e, n in zip(start, along, side, strict=True))
