"""Joint motions that lead the end of a planar arm along a path."""

from __future__ import annotations

from abc import abstractmethod
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.jet import Jet, acos, atan2, cos, sin, sqrt
from eomc.runtime.trajectories.profile import Profile, ProfileSample


class InverseKinematics(Profile):
    """Coordinates along a path (x, y) of the arm's end, with exact rates and accelerations.

    Parameters
    ----------
    path : Profile of points (2,)
        Such as ``SineRamp(start, end, duration)`` for a straight line from rest to rest.
    base : point (2,)
        The arm's first joint, in the frame of the path [m].

    Raises ValueError for other shapes and for a path that leaves the arm's reach; the message says
    when.
    """

    _CHECKED = 1001
    """Times at which the path is checked before it is used."""

    def __init__(self, path: Profile, base: ArrayLike = (0.0, 0.0)) -> None:
        if not isinstance(path, Profile):
            raise ValueError(f"path: give a profile of points, not {type(path).__name__}")
        super().__init__(path.start_time, path.end_time)
        self.path = path
        self.base = finite("base", base, (2,))
        times = np.linspace(self.start_time, self.end_time, self._CHECKED)
        self.inside(times)

    @abstractmethod
    def coordinates(self, x: Jet, y: Jet, t: Array) -> tuple[Jet, ...]:
        """Coordinates of the arm with its end at (x, y) from the base, at times t (k,)."""

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        point = self.path.inside(t)
        if point.position.shape != (len(t), 2):
            raise ValueError(f"the path has points of shape {point.position.shape[1:]}, not (2,)")
        x, y = (
            Jet(point.position[:, i] - self.base[i], point.rate[:, i], point.acceleration[:, i])
            for i in range(2)
        )
        jets = self.coordinates(x, y, t)
        return ProfileSample(
            np.stack([jet.value for jet in jets], axis=1),
            np.stack([jet.rate for jet in jets], axis=1),
            np.stack([jet.acceleration for jet in jets], axis=1),
        )


class SlewAndExtend(InverseKinematics):
    """Angle and length (alpha, l) of one link that turns and extends:

        x = l cos(alpha),   y = l sin(alpha)

    The angle is that of atan2, in (-pi, pi]. Reference: Caron, *Planar Dynamics and Control of
    Space-Based Flexible Manipulators* (1996), eq. (4.4), (4.5).

    >>> from eomc.runtime.trajectories import SineRamp
    >>> SlewAndExtend(SineRamp([3.0, 4.0], [4.0, 3.0], duration=2.0))(0.0).position.round(4)
    array([0.9273, 5.    ])
    """

    def coordinates(self, x: Jet, y: Jet, t: Array) -> tuple[Jet, ...]:
        """(alpha, l)"""
        square = x * x + y * y
        _require(t, square.value > 0, "goes through the base, where the angle is anything")
        return atan2(y, x), sqrt(square)


class TwoLinks(InverseKinematics):
    """Angles (alpha_1, alpha_2) of two links of given lengths, the second relative to the first:

        x = l_1 cos(alpha_1) + l_2 cos(alpha_1 + alpha_2),   y = ... sin ...

    With c the angle between the links, cos(c) = (l_1^2 + l_2^2 - x^2 - y^2)/(2 l_1 l_2), alpha_2 is
    pi - c with the elbow below the chord, seen along it from the base, and c - pi above. Reference:
    Caron 1996, eq. (4.6); Craig, *Introduction to Robotics* (2005), sec. 4.4.

    Parameters
    ----------
    path, base : as of `InverseKinematics`
    lengths : (l_1, l_2) [m]
    elbow : "below" or "above"
    """

    def __init__(
        self,
        path: Profile,
        lengths: ArrayLike,
        base: ArrayLike = (0.0, 0.0),
        *,
        elbow: Literal["below", "above"] = "below",
    ) -> None:
        self.lengths = finite("lengths", lengths, (2,))
        if not (self.lengths > 0).all():
            raise ValueError("lengths must be positive")
        if elbow not in ("below", "above"):
            raise ValueError(f"elbow is {elbow!r}; give 'below' or 'above'")
        self.elbow = elbow
        super().__init__(path, base)

    def coordinates(self, x: Jet, y: Jet, t: Array) -> tuple[Jet, ...]:
        """(alpha_1, alpha_2)"""
        first, second = self.lengths.tolist()
        cosine = (first**2 + second**2 - (x * x + y * y)) / (2 * first * second)
        _require(t, np.abs(cosine.value) < 1, "leaves the reach of the two links, or its border")
        bend = np.pi - acos(cosine)
        if self.elbow == "above":
            bend = -bend
        return atan2(y, x) - atan2(second * sin(bend), first + second * cos(bend)), bend


def _require(t: Array, good: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], fault: str) -> None:
    if not good.all():
        raise ValueError(f"at t = {t[int(np.argmin(good))]:.6g} s the path {fault}")
