"""Paths of the joints along which the base moves least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.free_floating.free_base import ATTITUDE, TWIST, FreeBase
from eomc.runtime.control.task_space.frame import chosen
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.polynomials import Quintic
from eomc.runtime.trajectories.profile import Profile, ProfileSample

_GAUSS = 3
"""Points of a segment at which the motion of the base is summed."""


class LeastReactionPath(Profile):
    """Joint coordinates q_j(s(t)) from rest to rest, with::

        min over q_j(s):  integral of |J_b* q_j'|^2 + effort^2 |q_j'|^2,   0 <= s <= 1

    J_b* being the generalized Jacobian of the base body: the curve of least motion of the base that
    leads from one end to the other, and no motion of it where both ends lie on one curve of the
    reaction null space. The curve is a spline through points that solve a least-squares problem
    within the limits of the joints; s(t) is a quintic, and another duration does not change
    the curve.

    Reference: Dubowsky and Torres, Path planning for space manipulators to minimize spacecraft
    attitude disturbances, IEEE ICRA (1991) 2522; Yoshida, Hashizume and Abiko, Zero reaction
    maneuver: flight validation with ETS-VII space robot and extension to kinematically redundant
    arm, IEEE ICRA (2001) 441.

    Parameters
    ----------
    free : FreeBase
        Its joint speeds are rates of coordinates.
    start, end : (nj,)
        Joint coordinates in the order of ``free.joint_speeds``.
    duration : float [s]
    rows : names
        Velocities of the base body that count, of vx, vy, vz, wx, wy, wz; its attitude by default.
    effort : float
        Weight of the joints' own motion; the smaller, the longer ways they may go.
    segments : int
        Segments of the spline.
    start_time : float [s]

    Attributes
    ----------
    reaction : float
        Integral of the norm of the velocity J_b* q_j' over the motion: how far the base turns,
        forth and back [rad].

    Raises ValueError for shapes, numbers that are not finite, fewer than 2 segments, ends beyond
    the limits of the joints, and RuntimeError if the problem is not solved.
    """

    def __init__(
        self,
        free: FreeBase,
        start: ArrayLike,
        end: ArrayLike,
        duration: float,
        *,
        rows: Sequence[str] = ATTITUDE,
        effort: float = 1e-2,
        segments: int = 12,
        start_time: float = 0.0,
    ) -> None:
        super().__init__(start_time, start_time + duration)
        n = len(free.joint_speeds)
        ends = np.array([finite("start", start, (n,)), finite("end", end, (n,))])
        if segments < 2:
            raise ValueError(f"segments is {segments!r}; give 2 or more")
        if not (np.isfinite(effort) and effort > 0):
            raise ValueError(f"effort is {effort!r}; give a positive number")
        self._free, self._rows = free, chosen("rows", tuple(rows), TWIST)
        from scipy.interpolate import CubicSpline

        knots = np.linspace(0.0, 1.0, segments + 1)
        # The spline's value and slope at Gauss points are linear in its points.
        x, weights = np.polynomial.legendre.leggauss(_GAUSS)
        at = (knots[:-1, None] + (1 + x) / (2 * segments)).ravel()
        basis = CubicSpline(knots, np.eye(segments + 1))
        root = np.sqrt(np.tile(weights, segments) / (2 * segments))[:, None]
        shapes = basis(at), basis(at, 1), root
        curve = CubicSpline(knots, self._solved(ends, shapes, float(effort)))
        self._curve = (curve, curve.derivative(), curve.derivative(2))
        self._timing = Quintic(0.0, 1.0, self.duration, start_time=self.start_time)
        moved = self._base_motion(curve(at), self._curve[1](at))
        self.reaction = float(root[:, 0] ** 2 @ np.linalg.norm(moved, axis=1))

    def inside(self, t: Array) -> ProfileSample:
        """Joint coordinates, rates and accelerations at times (k,)."""
        s, rate, acceleration = (row[:, None] for row in self._timing.inside(t))
        q, slope, bend = (np.asarray(f(s[:, 0])) for f in self._curve)
        return ProfileSample(q, slope * rate, bend * rate**2 + slope * acceleration)

    def _base_motion(self, joints: Array, rates: Array) -> Array:
        """J_b* q_j' (k, rows)"""
        free = self._free
        J = free.generalized_jacobian(free.configuration(joints), free.body)[:, self._rows]
        return np.asarray((J @ rates[..., None])[..., 0])

    def _solved(self, ends: Array, shapes: tuple[Array, Array, Array], effort: float) -> Array:
        """Points (segments + 1, nj) of the spline."""
        from scipy.optimize import least_squares

        (value, slope, root), n = shapes, ends.shape[1]
        low, high = self._limits(ends)
        inner = value.shape[1] - 2

        def points(x: Array) -> Array:
            return np.vstack([ends[:1], x.reshape(-1, n), ends[1:]])

        def residuals(x: Array) -> Array:
            rates = slope @ points(x)
            moved = self._base_motion(value @ points(x), rates)
            return np.asarray((np.hstack([moved, effort * rates]) * root).ravel())

        solution: Any = least_squares(
            residuals,
            np.linspace(ends[0], ends[1], inner + 2)[1:-1].ravel(),
            bounds=(np.tile(low, inner), np.tile(high, inner)),
        )
        if not solution.success:
            raise RuntimeError(f"path of least reaction: {solution.message}")
        return points(solution.x)

    def _limits(self, ends: Array) -> tuple[Array, Array]:
        model, names = self._free.model, self._free.joint_speeds
        self._free.configuration(ends)  # refuses joints without coordinates
        at = [model.coordinates.index(name) for name in names]
        low, high = model.lower[at], model.upper[at]
        for what, row in zip(("start", "end"), ends, strict=True):
            for name, value, least, most in zip(names, row, low, high, strict=True):
                if not least <= value <= most:
                    raise ValueError(f"{what}: {name} = {value:g} is beyond {least:g} to {most:g}")
        return low, high
