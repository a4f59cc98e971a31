"""A cable with mass: straight elastic links, with point masses where they meet.

N links of a cable of the length L and the mass m per length are N cables of the length L/N with
N - 1 points of the mass m L/N between them; half a link's mass goes with the body at each end. The
errors of its pulls and of its shape go with 1/N^2.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from eomc.derive.fields.part import positive
from eomc.derive.joints.pose import neutral, pose
from eomc.derive.language.errors import ModelError, declaring
from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.scalar import scalar, vector3
from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement, Point

if TYPE_CHECKING:
    from eomc.derive.cables.station import CableStation
    from eomc.derive.language.errors import Source
    from eomc.derive.model.model import Model

__all__ = ["declare_lumped_cable"]

#: Each link adds three freedoms.
MOST_LUMPS = 1000
_OWN = ("name", "route", "length", "source")


def declare_lumped_cable(
    model: Model,
    name: str,
    *,
    a: Any,
    b: Any,
    length: Any,
    line_mass: Any,
    lumps: int,
    ends: Sequence[Sequence[Any]] | None = None,
    source: Source | None = None,
    **properties: Any,
) -> None:
    """Declare a cable of `lumps` links from a to b: cables <name>_link1, ..., point masses
    <name>_1, ... between them, and half a link's mass <name>_a, <name>_b on a body at an end.

    The points slide freely; where all coordinates are zero they are on the line from end to end.

    Parameters
    ----------
    a, b : stations
        Where it is fastened: a point, the name of a body, or a winch, whose turn pays out and takes
        in the link beside it.
    length, line_mass : Scalar
        Rest length [m] with winches at angle zero, mass per rest length [kg/m].
    lumps : int
        Number of links, from 2 on.
    ends : two (3,), optional
        Places of a and b in the world [m] where the points begin; by default those where all
        coordinates are neutral, of joints that are declared already.
    properties
        Of each link, as of `eomc.Model.cable`: modulus, area, viscosity, law, width, ...

    Examples
    --------
    >>> from eomc.derive.model import Model, Point
    >>> model = Model("line")
    >>> model.lumped_cable("line", a="world", b=Point("world", (8, 0, -2)), length=10,
    ...                    line_mass=1.2, lumps=4, modulus=5e5)
    >>> list(model.bodies), list(model.cables)[-1]
    (['line_1', 'line_2', 'line_3'], 'line_link4')

    Raises
    ------
    ModelError
        Naming the argument; nothing of the cable is then declared.
    """
    from eomc.derive.cables.route import Route
    from eomc.derive.forces.cable import Cable  # other models load no cables

    with declaring("lumped_cable", name, source) as source:
        if isinstance(lumps, bool) or not isinstance(lumps, int) or not 2 <= lumps <= MOST_LUMPS:
            raise ModelError(f"lumps is {lumps!r}; give a whole number from 2 to {MOST_LUMPS}")
        known = [field.name for field in dataclasses.fields(Cable) if field.name not in _OWN]
        for word in properties:
            if word not in known:
                raise ModelError(f"unknown key {word!r}; {near_names(word, known)}")
        first, last = Route("").read([a, b], "ends")
        values = model.defaults()
        whole, per_length = scalar(length, "length"), scalar(line_mass, "line_mass")
        if first.wound() is None and last.wound() is None:
            positive(whole, "length", values)
        positive(per_length, "line_mass", values)
        places = _on_line(model, first, last, lumps, ends)
        points = [f"{name}_{k}" for k in range(1, lumps)]
        stations = [first, *(Point(point) for point in points), last]
        # All that can be wrong with a link is wrong with the first: it goes before the points.
        for k in range(lumps):
            model.add(
                Cable(
                    f"{name}_link{k + 1}",
                    stations[k : k + 2],
                    length=whole / lumps,
                    source=source,
                    **properties,
                )
            )
        mass = per_length * whole / lumps
        for point, place in zip(points, places, strict=True):
            model.body(point, mass=mass, source=source)
            model.joint(
                point, "translational", parent=WORLD, child=point, placement=place, source=source
            )
        for end, station in (("a", first), ("b", last)):
            if station.at.body != WORLD:
                held = f"{name}_{end}"
                model.body(held, mass=mass / 2, source=source)
                model.joint(
                    held,
                    "fixed",
                    parent=station.at.body,
                    child=held,
                    placement=station.at.xyz,
                    source=source,
                )


def _on_line(
    model: Model, a: CableStation, b: CableStation, lumps: int, ends: Sequence[Sequence[Any]] | None
) -> list[tuple[float, ...]]:
    """Places in the world where the points begin, on the line between the ends."""
    if ends is None:
        found = [_at_rest(model, station.at) for station in (a, b)]
    else:
        if isinstance(ends, str) or not isinstance(ends, Sequence) or len(ends) != 2:
            raise ModelError(f"ends is {ends!r}; give two places in the world")
        values = model.defaults()
        found = [[value_of(x, values) for x in vector3(end, "ends")] for end in ends]
    if found[0] == found[1]:
        raise ModelError("its ends begin in one place; give `ends` between which its points lie")
    steps = [k / lumps for k in range(1, lumps)]
    return [tuple(x + (y - x) * t for x, y in zip(*found, strict=True)) for t in steps]


def _at_rest(model: Model, point: Point) -> list[float]:
    """The point in the world where all coordinates are neutral."""
    carriers = {j.child: j for j in reversed(model.joints.values()) if not j.cut}
    body, frame, passed = point.body, Placement(), 0
    while body != WORLD:
        joint = carriers.get(body)
        if joint is None or joint.declaration.rides or passed > len(carriers):
            raise ModelError(
                f"where body {body!r} is, is not told by joints declared before; declare the cable "
                "behind them, or give `ends`"
            )
        moved = pose(joint, joint.locked or neutral(joint))
        frame = joint.placement @ moved @ joint.child_placement.inverse() @ frame
        body, passed = joint.parent, passed + 1
    values = model.defaults()
    return [value_of(x, values) for x in frame.point(point.xyz)]
