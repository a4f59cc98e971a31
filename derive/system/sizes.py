"""Sizes of what coordinates and speeds count: 1 rad where they turn, the model's length where not.

Residuals, steps and ranks are judged by them, so that it does not matter in which units, or of
which size, a mechanism is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from eomc.derive.language.value import value_of
from eomc.derive.model.model import Model
from eomc.derive.model.typical_size import typical_size

if TYPE_CHECKING:
    from eomc.derive.system import System

Array = NDArray[np.float64]

__all__ = ["length", "sliding"]


def length(model: Model) -> float:
    """The largest of distances in bodies, radii of gyration and parameters in metres; 1 without."""
    return max(filter(math.isfinite, _lengths(model)), default=0.0) or 1.0


def _lengths(model: Model) -> Iterator[float]:
    values = model.defaults()
    places = [at.xyz for joint in model.joints.values()
              for at in (joint.placement, joint.child_placement)]  # fmt: skip
    for place in (*places, *(body.com for body in model.bodies.values())):
        yield math.hypot(*(value_of(entry, values) for entry in place))
    for body in model.bodies.values():
        mass = value_of(body.mass, values)
        trace = sum(value_of(entry, values) for entry in body.inertia[:3])
        yield math.sqrt(trace / (2 * mass)) if mass > 0 and trace > 0 else 0.0
    yield from (abs(values[name]) for name, p in model.parameters.items() if p.units == "m")
    for deformable in model.deformables.values():
        yield typical_size(deformable, values).radius


def sliding(system: System) -> tuple[Array, Array]:
    """Flags of free speeds (nu,) and prescribed ones (ns,): 1 where they turn nothing, else 0."""
    free, prescribed = np.zeros(system.nu), np.zeros(len(system.s))
    for link in system.tree.links:
        columns = link.motion.subspace(system.state.coordinates(link))
        for (angular, _), speed in zip(columns, link.speeds, strict=True):
            if speed.factor is None and not speed.follows and angular.is_zero:
                (prescribed if speed.prescribed else free)[speed.index] = 1.0
    return free, prescribed
