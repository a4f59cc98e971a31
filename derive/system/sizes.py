"""Sizes of what coordinates and speeds count: 1 rad where they turn, the model's length where not.

Residuals, steps and ranks are judged by them, so that it does not matter in which units, or of
which size, a mechanism is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.fields.field import Fields, fields_of
from eomc.derive.language.scalar import is_number
from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.model.typical_size import typical_size

if TYPE_CHECKING:
    from eomc.derive.system import System


__all__ = ["length", "sliding"]


def length(model: Model) -> float:
    """The largest of distances in bodies, radii of gyration and parameters in metres; without any,
    the largest length of an element, as of a spring or a shape that meets a surface; else 1."""
    found = max(filter(math.isfinite, _lengths(model)), default=0.0)
    if not found:
        elements = [element for table in model.acting().values() for element in table.values()]
        lengths = (x for element in elements for x in _of_record(element, model.defaults()))
        found = max(filter(math.isfinite, lengths), default=0.0)
    return found or 1.0


def _lengths(model: Model) -> Iterator[float]:
    values = model.defaults()
    places = [
        at.xyz for joint in model.joints.values() for at in (joint.placement, joint.child_placement)
    ]
    for place in (*places, *(body.com for body in model.bodies.values())):
        yield math.hypot(*(value_of(entry, values) for entry in place))
    for body in model.bodies.values():
        mass = value_of(body.mass, values)
        trace = sum(value_of(entry, values) for entry in body.inertia[:3])
        yield math.sqrt(trace / (2 * mass)) if mass > 0 and trace > 0 else 0.0
    yield from (abs(values[name]) for name, p in model.parameters.items() if p.units == "m")
    for deformable in model.deformables.values():
        yield typical_size(deformable, values).radius


def _of_record(record: Fields, values: Mapping[str, float]) -> Iterator[float]:
    for name, kind in fields_of(type(record)).items():
        value = getattr(record, name)
        if isinstance(value, Fields):
            yield from _of_record(value, values)
        elif value is not None:
            for point in kind.points(value):
                yield math.hypot(*(value_of(entry, values) for entry in point.xyz))
            entries = value if isinstance(value, tuple) else (value,)
            for entry in entries if kind.units == "m" else ():
                if is_number(entry):
                    yield abs(float(entry))


def sliding(system: System) -> tuple[Array, Array]:
    """Flags of free speeds (nu,) and prescribed ones (ns,): 1 where they turn nothing, else 0."""
    free, prescribed = np.zeros(system.nu), np.zeros(len(system.s))
    for link in system.tree.links:
        columns = link.motion.subspace(system.state.coordinates(link))
        for column, speed in zip(columns, link.speeds, strict=True):
            if speed.factor is None and not speed.follows and column.angular.is_zero:
                (prescribed if speed.prescribed else free)[speed.index] = 1.0
    return free, prescribed
