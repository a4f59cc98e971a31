"""Warnings of what a model can hardly mean: inertias far from its size, turns given in degrees,
words that are no units, gravity along the axes of all joints."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from eomc.derive.language.naming import WORLD
from eomc.derive.language.near_names import near_names
from eomc.derive.language.value import value_of

if TYPE_CHECKING:
    from eomc.derive.model.model import Model

__all__ = ["ImplausibleModelWarning", "implausible", "unknown_units", "warn_of_model"]


class ImplausibleModelWarning(UserWarning):
    """A model is possible, but hardly meant; ``warnings.simplefilter("ignore", ...)`` quiets it."""


# A radius of gyration so many times as large as the model: kg cm^2 given as kg m^2 make it a
# hundred times, kg mm^2 a thousand.
_FAR = 12.0
# Turns of a placement; sums of angles are more than one, 15 degrees given as radians more than two.
_TURNS = 2
# Cosines of axes that count as parallel or across.
_PARALLEL = 1e-9

_BARE = (
    "m",
    "g",
    "s",
    "A",
    "K",
    "mol",
    "cd",
    "rad",
    "sr",
    "Hz",
    "N",
    "Pa",
    "J",
    "W",
    "C",
    "V",
    "F",
    "Ohm",
    "ohm",
    "S",
    "Wb",
    "T",
    "H",
    "lm",
    "lx",
    "bar",
    "t",
    "l",
    "L",
    "Ω",
)
_PREFIXES = ("", "n", "u", "µ", "m", "c", "d", "k", "M", "G")
_OTHERS = ("1", "deg", "°", "%", "min", "h", "d", "rev", "rpm", "cycle", "count", "px")
UNITS = frozenset([prefix + unit for unit in _BARE for prefix in _PREFIXES] + list(_OTHERS))
"""Words that units are made of."""


def unknown_units(text: str) -> list[str]:
    """Words of a unit that are none.

    >>> unknown_units("N m/rad"), unknown_units("kg m^2"), unknown_units("Nm")
    ([], [], ['Nm'])
    """
    words = re.split(r"[\s*/·()^]+", text)
    exponent = re.compile(r"[-+]?[0-9.]+$")
    bare = [re.sub(r"[-+]?[0-9²³⁻]+$", "", word) or "1" for word in words if word]
    return [word for word in bare if word not in UNITS and not exponent.match(word)]


def warn_of_model(model: Model) -> None:
    """Warn once of each thing that is hardly meant."""
    for sentence in implausible(model):
        warnings.warn(sentence, ImplausibleModelWarning, stacklevel=5)


def implausible(model: Model) -> Iterator[str]:
    """Sentences about what is hardly meant."""
    for word, table in (("parameter", model.parameters), ("input", model.inputs)):
        for name, element in table.items():
            for unit in unknown_units(element.units):
                place = f"{element.source}: " if element.source else ""
                hint = near_names(unit, UNITS) if unit.lower() != "nm" else "did you mean 'N m'?"
                hint = hint if hint.startswith("did") else "give SI units, as in 'N m/rad'"
                yield f"{place}{word} {name!r}: {unit!r} is no unit; {hint}"
    yield from _inertias(model)
    yield from _turns(model)
    if gravity_moves_nothing(model):
        yield (
            f"model {model.name!r}: gravity is along the axes of all joints and moves nothing; turn"
            " it into the plane of motion, or give gravity=(0, 0, 0)"
        )


def gravity_moves_nothing(model: Model) -> bool:
    """True of a planar mechanism of two joints or more, gravity across its plane."""
    values = model.defaults()
    gravity = np.array([value_of(entry, values) for entry in model.gravity])
    if not gravity.any() or model.deformables:
        return False
    down, moving = gravity / np.linalg.norm(gravity), 0
    axes = {WORLD: np.eye(3)}  # of each body, all joints at zero: turns about gravity keep angles
    for joint in model.tree():
        turn, back = (
            np.array([[value_of(entry, values) for entry in row] for row in place.matrix])
            for place in (joint.placement, joint.child_placement)
        )
        here = axes[joint.parent] @ turn
        axes[joint.child] = here @ back.T
        if joint.is_fixed:
            continue
        kind = joint.declaration
        if tuple(kind.arguments) != ("axis",) or len(kind.coordinates) != 1:
            return False
        axis = np.array([value_of(entry, values) for entry in joint.direction])
        cosine = abs(down @ here @ axis) / np.linalg.norm(axis)
        if abs(cosine - (kind.coordinates[0].unit == "rad")) > _PARALLEL:
            return False
        moving += 1
    return moving > 1


def _turns(model: Model) -> Iterator[str]:
    """Placements turned by several turns: 90 degrees given as 90 rad are fourteen."""
    values = model.defaults()
    joints = [(f"joint {joint.name!r}", joint) for joint in model.joints.values()]
    placed = [(title, joint.source, joint.placement) for title, joint in joints]
    placed += [(title, joint.source, joint.child_placement) for title, joint in joints]
    frames = model.frames.values()
    placed += [(f"frame {frame.name!r}", frame.source, frame.placement) for frame in frames]
    for title, source, placement in placed:
        angles = [value_of(angle, values) for angle in placement.rpy or ()]
        if max(map(abs, angles), default=0.0) > _TURNS * 2 * math.pi:
            place = f"{source}: " if source else ""
            shown = ", ".join(f"{angle:g}" for angle in angles)
            yield (
                f"{place}{title}: rpy of ({shown}) rad are several turns; if degrees are meant, "
                "give math.radians() of them"
            )


def _inertias(model: Model) -> Iterator[str]:
    values = model.defaults()
    size = _size(model, values)
    if not size:
        return
    for body in model.bodies.values():
        mass = value_of(body.mass, values)
        largest = max(abs(value_of(entry, values)) for entry in body.inertia_com)
        if mass > 0 and largest > mass * (_FAR * size) ** 2:
            place = f"{body.source}: " if body.source else ""
            yield (
                f"{place}body {body.name!r}: its inertia of {largest:.3g} kg m^2 and mass of "
                f"{mass:.3g} kg have a radius of gyration of {(largest / mass) ** 0.5:.3g} m, in a "
                f"model of {size:.2g} m; are these kg m^2?"
            )


def _size(model: Model, values: dict[str, float]) -> float:
    """The largest distance [m] that the model declares within a body."""
    points = [joint.placement.xyz for joint in model.joints.values()]
    points += [joint.child_placement.xyz for joint in model.joints.values()]
    points += [body.com for body in model.bodies.values()]
    points += [frame.placement.xyz for frame in model.frames.values()]
    numbers = [[value_of(entry, values) for entry in point] for point in points]
    lengths = [float(np.linalg.norm(point)) for point in numbers]
    return 0.0 if model.deformables else max(lengths, default=0.0)
