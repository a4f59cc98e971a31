"""The exponential of a screw, and its tangent, by dual vectors.

Omega, with the angular part phi and the linear part rho, is the dual vector phi + e rho, e^2 = 0,
and everything of SE(3) is that of SO(3) with dual entries: (a, b) x (c, d) is
(a x c, a x d + b x c), and a function f of x = phi.phi has the dual part f'(x) 2 phi.rho. With
t^2 = x,

    a = sin t / t,   b = (1 - cos t) / t^2,   c = (t - sin t) / t^3,
    R = 1 + a [phi] + b [phi]^2,   p = rho + b phi x rho + c phi x (phi x rho),
    T v = v - b Omega x v + c Omega x (Omega x v),      R^-1 dR and so on = T dOmega,

the twist in child axes. The functions are power series in x: smooth, without a branch, as long as
they need to be for angles below a `reach`; beyond it the functions of the model fail with a code
that begins with "rod_beyond_reach". Reference: Selig, *Geometric Fundamentals of Robotics*, ch. 7
and 9.
"""

from __future__ import annotations

import math
from functools import cached_property

from eomc.derive.geometry import LinkPose, MatrixRotation, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression

__all__ = ["CODE", "Exponential"]

CODE = "rod_beyond_reach"
_SMALL = 2e-17

Dual = tuple[Expression, Expression]


def terms(reach: float, first: int) -> int:
    """Terms of sum (-x)^k / (2 k + first)! that count for x up to reach^2.

    >>> terms(1.5, 2)
    10
    """
    k = 1
    while reach ** (2 * k) / math.factorial(2 * k + first) > _SMALL / math.factorial(first):
        k += 1
    return k


class Exponential:
    """exp(Omega) for angles up to `reach` [rad]; what is beyond fails with the code."""

    def __init__(self, omega: SpatialMotion, reach: float, code: str = CODE) -> None:
        self.omega = omega
        phi, rho = omega.angular, omega.linear
        self.reach = reach
        x = phi.dot(phi)
        if not x.is_constant:
            margin = (reach * reach - x).required(code)
            x = reach * reach - margin
        self.x, self.y = x, phi.dot(rho) * 2
        self._known: dict[tuple[int, int], Expression] = {}

    def _series(self, first: int, slope: int = 0) -> Expression:
        """The derivative of order `slope` by x of sum (-x)^k / (2 k + first)!, by Horner's rule."""
        key = first, slope
        if key not in self._known:
            count = max(terms(self.reach, first), slope + 1)
            rows = [
                (-1) ** k * math.perm(k, slope) / math.factorial(2 * k + first)
                for k in range(slope, count)
            ]
            total = self.x * 0 + rows[-1]
            for row in reversed(rows[:-1]):
                total = total * self.x + row
            self._known[key] = total
        return self._known[key]

    def _dual(self, first: int) -> Dual:
        return self._series(first), self._series(first, 1) * self.y

    @cached_property
    def pose(self) -> LinkPose:
        """R and p."""
        phi, rho = self.omega.angular, self.omega.linear
        a, b, c = (self._series(first) for first in (1, 2, 3))
        one = self.x * 0 + 1
        x, y, z = phi
        bx, by, bz = x * b, y * b, z * b
        xy, xz, yz = bx * y, bx * z, by * z
        xx, yy, zz = bx * x, by * y, bz * z
        ax, ay, az = x * a, y * a, z * a
        rotation = MatrixRotation(
            (
                Vector(one - yy - zz, xy - az, xz + ay),
                Vector(xy + az, one - xx - zz, yz - ax),
                Vector(xz - ay, yz + ax, one - xx - yy),
            )
        )
        across = phi.cross(rho)
        origin = rho + across * b + phi.cross(across) * c
        return LinkPose(Rotation([rotation]), origin)

    def tangent(self, v: SpatialMotion) -> SpatialMotion:
        """T v, in child axes."""
        once = self.omega.cross(v)
        twice = self.omega.cross(once)
        b, c = self._dual(2), self._dual(3)
        return v + (-_times(b, once) + _times(c, twice))

    def tangent_rate(self, v: SpatialMotion) -> SpatialMotion:
        """T' v where Omega moves with v itself."""
        phi, rho = self.omega.angular, self.omega.linear
        rate = (phi.dot(v.angular) * 2, (phi.dot(v.linear) + rho.dot(v.angular)) * 2)
        once = self.omega.cross(v)
        twice = self.omega.cross(once)
        change = _times(self._rate(3, rate), twice) + -_times(self._rate(2, rate), once)
        return change + _times(self._dual(3), v.cross(once))

    def _rate(self, first: int, rate: Dual) -> Dual:
        """d/dt of a dual function whose argument changes with `rate`."""
        slope, second = self._series(first, 1), self._series(first, 2)
        return slope * rate[0], slope * rate[1] + second * self.y * rate[0]


def _times(scalar: Dual, v: SpatialMotion) -> SpatialMotion:
    angular = v.angular * scalar[0]
    return SpatialMotion(linear=v.linear * scalar[0] + v.angular * scalar[1], angular=angular)
