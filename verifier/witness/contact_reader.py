"""Declared contacts in numbers: outlines and surfaces by the poses of their bodies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.verifier.witness.contact import WitnessContact
from eomc.verifier.witness.contact_laws import FRICTION, NORMAL
from eomc.verifier.witness.contact_outline import BallOutline, OvalOutline, Site, boxed
from eomc.verifier.witness.contact_surface import SURFACES, PlacedSurface

_SWITCHES = ("Piecewise", "Max", "Min", "Abs", "sign", "Heaviside")
"""Of levels: a complex step does not pass them."""

Outline = Callable[[Array, Array], list[Site]]
"""Sites from the centre and the axes in the world."""


def is_known(element: Any) -> bool:
    """True if shape, surface and, of a contact, the laws are of kinds known here."""
    tables: dict[str, Any] = {
        "shape": _SHAPES,
        "surface": SURFACES,
        "normal": NORMAL,
        "friction": FRICTION,
    }
    parts = ((getattr(element, word, None), table) for word, table in tables.items())
    level = str(getattr(element.surface, "expression", ""))
    stands = getattr(element.shape, "points", 0)
    if stands or getattr(element, "form", None) or any(word in level for word in _SWITCHES):
        return False
    return all(part is None or part.word in table for part, table in parts)


def across(reader: Any, axis: Any) -> tuple[Array, Array]:
    """Two directions across an axis, those of a planar joint: the first from the coordinate axis
    that follows the largest entry, one that holds names counting as 1/2."""
    n = reader.unit(axis)
    sizes = [abs(x) if isinstance(d, int | float) else 0.5 for d, x in zip(axis, n, strict=True)]
    zeros = [isinstance(d, int | float) and d == 0 for d in axis]
    largest = zeros.index(False) if sum(zeros) == 2 else int(np.argmax(sizes))
    following = np.eye(3)[(largest + 1) % 3]
    first = following - (following @ n) * n
    first /= np.linalg.norm(first)
    return first, np.cross(n, first)


def _frame(reader: Any, axis: Any, first: Any = None) -> Array:
    """Unit directions as columns, the last along `axis`, the first near `first`."""
    if first is None:
        return np.array([*across(reader, axis), reader.unit(axis)]).T
    third, near = reader.unit(axis), reader.numbers.vector(first)
    near = near - third * (third @ near)
    near = near / np.linalg.norm(near)
    return np.array([near, np.cross(third, near), third]).T


def _rings(numbers: Any, shape: Any, places: Sequence[float], tube: float = 0.0) -> Outline:
    radius, flat = numbers(shape.radius), numbers(shape.flat)
    sizes = np.array([radius, radius, 0.0])
    return lambda c, r: [OvalOutline(c + place * r[:, 2], r, sizes, tube, flat) for place in places]


def _balls(places: Sequence[float], radius: float) -> Outline:
    return lambda c, r: [BallOutline(c + place * r[:, 2], radius) for place in places]


def _of_cylinder(numbers: Any, shape: Any) -> Outline:
    half = numbers(shape.half_length)
    return _rings(numbers, shape, (half, -half))


def _of_capsule(numbers: Any, shape: Any) -> Outline:
    half = numbers(shape.half_length)
    return _balls((half, -half), numbers(shape.radius))


def _of_ellipsoid(numbers: Any, shape: Any) -> Outline:
    sizes = numbers.vector(shape.semi_axes)
    return lambda c, r: [OvalOutline(c, r, sizes)]


def _of_box(numbers: Any, shape: Any) -> Outline:
    halves = numbers.vector(shape.half_sizes)
    return lambda c, r: [*boxed(c, r, halves)]


_SHAPES: dict[str, Callable[[Any, Any], Outline]] = {
    "point": lambda numbers, shape: _balls((0.0,), 0.0),
    "sphere": lambda numbers, shape: _balls((0.0,), numbers(shape.radius)),
    "capsule": _of_capsule,
    "box": _of_box,
    "disc": lambda numbers, shape: _rings(numbers, shape, (0.0,)),
    "torus": lambda numbers, shape: _rings(numbers, shape, (0.0,), numbers(shape.tube)),
    "cylinder": _of_cylinder,
    "ellipsoid": _of_ellipsoid,
}


def sites(reader: Any, shape: Any) -> Callable[[Array], Sequence[Site]]:
    """Sites of a declared shape by the pose of its body."""
    outline = _SHAPES[shape.word](reader.numbers, shape)
    middle = reader.numbers.vector(shape.at.xyz)
    axes = _frame(reader, getattr(shape, "axis", (0, 0, 1)), getattr(shape, "first", None))
    return lambda x: outline(x[:3, :3] @ middle + x[:3, 3], x[:3, :3] @ axes)


def surface(reader: Any, declared: Any) -> Callable[[Array], PlacedSurface]:
    """A declared surface by the pose of its body."""
    numbers = reader.numbers
    middle = numbers.vector(declared.at.xyz)
    word = "normal" if hasattr(declared, "normal") else "axis"
    axes = _frame(reader, getattr(declared, word, (0, 0, 1)), getattr(declared, "first", None))
    if declared.word == "implicit":
        axes = np.eye(3)
    sizes = []
    for name in ("radius", "tube", "half_length"):
        value = getattr(declared, name, None)
        sizes += [] if value is None else [numbers(value)]
    for name in ("semi_axes", "half_sizes"):
        sizes += [*numbers.vector(getattr(declared, name))] if hasattr(declared, name) else []
    level = numbers.level(declared.expression) if hasattr(declared, "expression") else None
    inside = getattr(declared, "side", "") == "inside"
    algebraic = getattr(declared, "gap", "") == "algebraic"

    def placed(x: Array) -> PlacedSurface:
        origin, turned = x[:3, :3] @ middle + x[:3, 3], x[:3, :3] @ axes
        return PlacedSurface(origin, turned, np.array(sizes), inside, level, algebraic)

    return placed


def directions(reader: Any, declared: Any) -> tuple[Array, Array] | None:
    """Directions in its body that stay with a flat surface."""
    if declared.word == "plane":
        return across(reader, declared.normal)
    if declared.word == "face":
        first, second, _ = _frame(reader, declared.normal, declared.first).T
        return first, second
    return None


def contact(reader: Any, element: Any) -> WitnessContact:
    """A declared contact."""
    number, normal, friction = reader.numbers, element.normal, element.friction
    count = element.shape.count()
    names = [entry.of(element.name) for entry in element.states()]
    own = len(names) // count
    return WitnessContact(
        element.name,
        reader.places[element.shape.at.body],
        reader.places[element.surface.at.body],
        sites(reader, element.shape),
        surface(reader, element.surface),
        element.surface.word,
        directions(reader, element.surface),
        NORMAL[normal.word](number, normal),
        None if friction is None else FRICTION[friction.word](number, friction),
        number(element.width),
        element.smoothing,
        tuple(tuple(names[k * own : (k + 1) * own]) for k in range(count)) if own else (),
        (number(normal.restitution), number(normal.rest_speed)) if normal.word == "rigid" else None,
        (
            number(element.rolling_resistance),
            number(element.spin_friction),
            number(element.turn_speed),
        ),
    )
