"""Check that the circles of two stations stay in one plane as the joints between them move.

The span between two circles is found in the plane of the first. What can be known of that before
anything moves is found by trial: at generic coordinates of the joints between the two bodies, the
sine of the angle of the two planes, and the height of the second center over the first plane. Loops
may hold joints that could leave the plane; then the states tell, `eomc verify` looks there.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.cables.station import CableStation
from eomc.derive.elements.element import Mechanism
from eomc.derive.joints.joint import Joint
from eomc.derive.joints.numeric import generic, numeric_joint
from eomc.derive.joints.pose import pose
from eomc.derive.language.errors import ModelError
from eomc.derive.language.value import value_of
from eomc.derive.placement.directions import unit_vector
from eomc.derive.placement.placement import Placement

__all__ = ["check_planes"]


FLAT = 1e-9
"""Sine of an angle that is none, and part of a distance."""
_TRIALS = 3


def check_planes(
    before: CableStation,
    after: CableStation,
    place: int,
    model: Mechanism,
    values: Mapping[str, float],
    owner: str,
) -> None:
    """Raise `ModelError` for two circles that no motion brings into one plane, and warn of a joint
    that can take them out of it; `place` is that of the first on the route of `owner`."""
    if before.normal() is None or after.normal() is None:
        return
    between = _CirclePlanes(before, after, model, values)
    if any(joint.declaration.rides for joint in between.path):
        return
    found = np.array([between.planes(trial) for trial in range(_TRIALS)])
    moves = np.abs(np.ptp(found, axis=0)) > FLAT
    if (np.abs(found) <= FLAT).all():
        return
    if (~moves & (np.abs(found[0]) > FLAT)).any():
        raise ModelError(
            f"its circle is not in the plane of station {place}; lead the cable through a point "
            "between them"
        )
    movers = (joint.name for joint in between.path if between.depends_on(joint))
    warnings.warn(
        f"{owner}: joint {next(movers, '')!r} can take the circles of route[{place}] and "
        f"route[{place + 1}] out of one plane, in which the span between them is taken to be; lead "
        "the cable through a point between them, unless something holds the joint",
        UserWarning,
        stacklevel=2,
    )


@dataclass(frozen=True)
class _CirclePlanes:
    """Two circles and the joints from the body of the first to that of the second."""

    before: CableStation
    after: CableStation
    model: Mechanism
    values: Mapping[str, float]

    @property
    def path(self) -> list[Joint]:
        """Those of either way to the world that are not of both."""
        first, second = (_to_world(s.at.body, self.model) for s in (self.before, self.after))
        return [j for j in first if j not in second] + [j for j in second if j not in first]

    @cached_property
    def size(self) -> float:
        """Distance of the centers at the first trial [m]."""
        (_, center), (_, other) = (self._circle(s, 0.0, "") for s in (self.before, self.after))
        return float(np.linalg.norm(other - center)) or 1.0

    def planes(self, trial: float, moved: str = "") -> tuple[float, float]:
        """Sine of the angle, and height in parts of `size`; joint `moved` stands elsewhere than
        the others."""
        n, center = self._circle(self.before, trial, moved)
        m, other = self._circle(self.after, trial, moved)
        return float(np.linalg.norm(np.cross(n, m))), float(n @ (other - center)) / self.size

    def depends_on(self, joint: Joint) -> bool:
        """True if the planes change with that joint alone, or with the one that it mimics."""
        while joint.mimic is not None:
            joint = self.model.joints[joint.mimic.joint]
        change = np.subtract(self.planes(0), self.planes(0, joint.name))
        return bool(np.abs(change).max() > FLAT)

    def _circle(self, station: CableStation, trial: float, moved: str) -> tuple[Array, Array]:
        """Normal and center in the world."""
        frame = Placement()
        for joint in reversed(_to_world(station.at.body, self.model)):
            frame = frame @ self._pose(joint, trial, moved)
        axis = station.normal()
        assert axis is not None
        rotation = np.array(frame.matrix, dtype=float)
        n = [value_of(x, self.values) for x in unit_vector(axis, "axis")]
        center = [value_of(x, self.values) for x in station.at.xyz]
        return rotation @ n, rotation @ center + np.array(frame.xyz, dtype=float)

    def _pose(self, joint: Joint, trial: float, moved: str) -> Placement:
        """The child's frame in the parent's."""
        if joint.declaration.rides:  # common to both ways
            return Placement()
        numeric, q = numeric_joint(joint, self.values), self._coordinates(joint, trial, moved)
        return numeric.placement @ pose(numeric, q) @ numeric.child_placement.inverse()

    def _coordinates(self, joint: Joint, trial: float, moved: str) -> tuple[float, ...]:
        if joint.locked is not None:
            return tuple(value_of(x, self.values) for x in joint.locked)
        if joint.mimic is not None:
            rule = joint.mimic
            factor, offset = (value_of(x, self.values) for x in (rule.multiplier, rule.offset))
            leader = self._coordinates(self.model.joints[rule.joint], trial, moved)
            return tuple(factor * x + offset for x in leader)
        own = 0.7 * list(self.model.joints).index(joint.name)
        return generic(len(joint.coordinates), trial + own + (joint.name == moved))


def _to_world(body: str, model: Mechanism) -> list[Joint]:
    """Joints of the tree from a body to the world."""
    above = {joint.child: joint for joint in model.tree()}
    found = []
    while body in above:
        found.append(above[body])
        body = above[body].parent
    return found
