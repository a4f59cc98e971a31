"""An independent finite-element model of pinned chains of inextensible planar beams.

The unknown is the inclination theta(s) of the axis, linear in each element, jumping at the pins;
the axis is r(s) = integral of (cos theta, sin theta) ds, exact for any deflection. With a(s) the
rows dr/dq of the nodal inclinations q,

    M = integral of mu a^T a,   M q'' = -integral of mu a^T (a' q' + g e_y) - K q,

K from EI theta'^2. Shares no code with what is tested.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array

_POINTS = 4


class PinnedChain:
    """Beams of one length, mu and EI, `count` elements each; gravity along -y."""

    def __init__(
        self, beams: int, length: float, mu: float, stiffness: float, gravity: float, count: int
    ) -> None:
        h, nodes = length / count, beams * (count + 1)
        points, weights = np.polynomial.legendre.leggauss(_POINTS)
        points, weights = (points + 1) / 2, weights / 2
        size = beams * count * _POINTS
        self.shape = np.zeros((size, nodes))  # inclination at the points from the nodes
        self.stiffness = np.zeros((nodes, nodes))
        self.mu, self.gravity = mu, gravity
        self.weights = np.tile(weights * h, beams * count)
        # integral from the start of the chain to each point, of a function given at the points
        self.sum = np.zeros((size, size))
        inner = np.array([[self._part(points, k, s) for k in range(_POINTS)] for s in points])
        for element in range(beams * count):
            first = element + element // count
            rows = slice(element * _POINTS, (element + 1) * _POINTS)
            self.shape[rows, first] = 1 - points
            self.shape[rows, first + 1] = points
            part = slice(first, first + 2)
            self.stiffness[part, part] += stiffness / h * np.array([[1, -1], [-1, 1]])
            self.sum[rows, : element * _POINTS] = self.weights[: element * _POINTS]
            self.sum[rows, rows] = h * inner

    @staticmethod
    def _part(points: Array, k: int, end: float) -> float:
        """Integral from 0 to `end` of the Lagrange polynomial of point k."""
        others = np.delete(points, k)
        polynomial = np.poly1d(others, r=True) / np.prod(points[k] - others)
        return float(polynomial.integ()(end))

    def accelerations(self, q: Array, rate: Array) -> Any:
        """q''"""
        theta, theta_rate = self.shape @ q, self.shape @ rate
        mass, force = np.zeros((q.size, q.size)), -self.stiffness @ q
        turned = ((-np.sin(theta), -np.cos(theta), 0.0), (np.cos(theta), -np.sin(theta), 1.0))
        for first, second, down in turned:
            rows = self.sum @ (first[:, None] * self.shape)
            weighted = (self.mu * self.weights)[:, None] * rows
            mass += weighted.T @ rows
            force -= weighted.T @ (self.sum @ (second * theta_rate**2) + down * self.gravity)
        return np.linalg.solve(mass, force)

    def ends(self, q: Array) -> Array:
        """Places (2,) of the end of the chain, one row a row of q."""
        theta = self.shape @ np.atleast_2d(q).T
        result: Array = np.array([self.weights @ np.cos(theta), self.weights @ np.sin(theta)]).T
        return result
