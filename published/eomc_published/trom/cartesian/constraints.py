"""Constraints of cut joints and their Jacobians by Cartesian velocities: tables 2.4 and 2.6.

Each joint holds a point and a triad of axes on either body; x is the joint's axis. The distance d
runs from the point on j to the point on i. The translational joint's last row is u_iy . u_jz, which
the printed u_iy . u_jx is not: that one adds no rank.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from eomc_published.trom.cartesian.kinematics import Array, cross_matrix

Triad = Array
"""Columns are the axes x, y, z in global components."""


@dataclass(frozen=True)
class CutSide:
    """One body at the cut: mass centre, arm to the joint point, triad there."""

    r: Array
    s: Array
    triad: Triad

    @property
    def place(self) -> Array:
        """The joint point."""
        point: Array = self.r + self.s
        return point


def _point(i: CutSide, j: CutSide) -> Array:
    return i.place - j.place


def _across(i: CutSide, j: CutSide, a: str, b: str) -> Array:
    x = "xyz"
    return np.array([i.triad[:, x.index(a)] @ j.triad[:, x.index(b)]])


def _along(i: CutSide, j: CutSide, b: str) -> Array:
    return np.array([_point(i, j) @ j.triad[:, "xyz".index(b)]])


def _point_rows(i: CutSide, j: CutSide) -> Array:
    one = np.eye(3)
    return np.hstack([one, -cross_matrix(i.s), -one, cross_matrix(j.s)])


def _across_rows(i: CutSide, j: CutSide, a: str, b: str) -> Array:
    u, w = i.triad[:, "xyz".index(a)], j.triad[:, "xyz".index(b)]
    turn, zero = np.cross(u, w), np.zeros(3)
    return np.concatenate([zero, turn, zero, -turn])[None]


def _along_rows(i: CutSide, j: CutSide, b: str) -> Array:
    w = j.triad[:, "xyz".index(b)]
    far = i.r + i.s - j.r
    return np.concatenate([w, np.cross(i.s, w), -w, -np.cross(far, w)])[None]


Equations = Callable[[CutSide, CutSide], Array]


def _stack(*parts: Array) -> Array:
    return np.concatenate(parts)


EQUATIONS: dict[str, Equations] = {
    "spherical": _point,
    "universal": lambda i, j: _stack(_point(i, j), _across(i, j, "x", "x")),
    "revolute": lambda i, j: _stack(_point(i, j), _across(i, j, "x", "y"), _across(i, j, "x", "z")),
    "cylindrical": lambda i, j: _stack(
        _along(i, j, "y"), _along(i, j, "z"), _across(i, j, "x", "y"), _across(i, j, "x", "z")
    ),
    "translational": lambda i, j: _stack(EQUATIONS["cylindrical"](i, j), _across(i, j, "y", "z")),
}
"""Table 2.4: Phi of each cut joint."""

JACOBIANS: dict[str, Equations] = {
    "spherical": _point_rows,
    "universal": lambda i, j: _stack(_point_rows(i, j), _across_rows(i, j, "x", "x")),
    "revolute": lambda i, j: _stack(
        _point_rows(i, j), _across_rows(i, j, "x", "y"), _across_rows(i, j, "x", "z")
    ),
    "cylindrical": lambda i, j: _stack(
        _along_rows(i, j, "y"),
        _along_rows(i, j, "z"),
        _across_rows(i, j, "x", "y"),
        _across_rows(i, j, "x", "z"),
    ),
    "translational": lambda i, j: _stack(
        JACOBIANS["cylindrical"](i, j), _across_rows(i, j, "y", "z")
    ),
}
"""Table 2.6: rows by (v_i, omega_i, v_j, omega_j)."""
