"""From a problem to a program: multiple shooting, and direct collocation as records.

A method of collocation has nodes c_0 = 0, ..., c_s = 1 in every interval of length h, rows

    sum_j D_ij x_j - h sum_j E_ij f(x_j, v_j) = 0,

and weights b of the quadrature of the cost. Controls are unknowns at the nodes where f is used.
Multiple shooting has x_{k+1} - F(x_k, v_k) = 0 with the controls held over each step.

References: Bock and Plitt, *A multiple shooting algorithm for direct solution of optimal control
problems*, IFAC World Congress 1984; Betts, *Practical Methods for Optimal Control and Estimation*
(2010), ch. 3-4; Hairer and Wanner, *Solving Ordinary Differential Equations II*, sec. IV.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eomc.runtime.optimal.arrays import Array
from eomc.runtime.optimal.blocks import ProgramBlock
from eomc.runtime.optimal.dynamics import Dynamics, Step


@dataclass(frozen=True)
class Collocation:
    """A method: nodes c (s + 1,), D and E (rows, s + 1), weights b (s + 1,)."""

    title: str
    nodes: Array
    D: Array
    E: Array
    weights: Array

    @cached_property
    def used(self) -> Array:
        """True for the nodes where f is evaluated."""
        found: Array = (self.E != 0).any(axis=0)
        return found

    def interpolation(self, s: float) -> Array:
        """Weights of the nodes with controls in the control at c = s: Lagrange polynomials."""
        found = np.zeros(len(self.nodes))
        own = np.flatnonzero(self.used)
        nodes = self.nodes[own]
        for k, j in enumerate(own):
            others = np.delete(nodes, k)
            found[j] = np.prod((s - others) / (nodes[k] - others))
        return found


def _lagrange_slopes(nodes: Array, s: float) -> Array:
    """Derivatives of the Lagrange polynomials of the nodes at s."""
    slopes = []
    for j, own in enumerate(nodes):
        others = np.delete(nodes, j)
        polynomial = np.poly1d(others, r=True) / np.prod(own - others)
        slopes.append(polynomial.deriv()(s))
    return np.array(slopes)


def _radau() -> Collocation:
    """Radau IIA of three stages, order 5."""
    root = np.sqrt(6)
    nodes = np.array([0, (4 - root) / 10, (4 + root) / 10, 1])
    weights = np.array([0, (16 - root) / 36, (16 + root) / 36, 1 / 9])
    D = np.array([_lagrange_slopes(nodes, c) for c in nodes[1:]])
    return Collocation("Radau collocation, 3 stages", nodes, D, np.eye(3, 4, 1), weights)


COLLOCATIONS = {
    "trapezoid": Collocation(
        "trapezoidal collocation", np.array([0.0, 1]), np.array([[-1.0, 1]]),
        np.array([[0.5, 0.5]]), np.array([0.5, 0.5]),
    ),
    "hermite-simpson": Collocation(
        "Hermite-Simpson collocation",
        np.array([0.0, 0.5, 1]),
        np.array([[-0.5, 1, -0.5], [-1, 0, 1]]),
        np.array([[1 / 8, 0, -1 / 8], [1 / 6, 4 / 6, 1 / 6]]),
        np.array([1 / 6, 4 / 6, 1 / 6]),
    ),
    "radau": _radau(),
}  # fmt: skip


@dataclass(frozen=True)
class Horizon:
    """Duration T: a fixed number, or the column of z behind p.

    All blocks of a phase have z = (x, v, p), then T if it is free.
    """

    span: float
    free: bool

    def T(self, z: Array, width: int) -> Array:
        """T of each row, (K,)"""
        return z[:, width] if self.free else np.full(len(z), self.span)


class StepBlock(ProgramBlock):
    """Rows x_next - F(x, v, p, T share); z = (x, v, p, T, x_next)."""

    def __init__(
        self, rows: Any, columns: Any, step: Step, horizon: Horizon, shares: Array, starts: Array
    ) -> None:
        super().__init__(rows, columns)
        self.step, self._horizon, self._shares, self._starts = step, horizon, shares, starts
        nx, nz = step.motion.nx, self.columns.shape[1]
        self._at = np.arange(len(shares))
        self.slopes_mask = np.ones((nx, nz), dtype=bool)
        self.slopes_mask[:, -nx:] = np.eye(nx)
        self.curvature_mask = np.zeros((nz, nz), dtype=bool)
        self.curvature_mask[: nz - nx, : nz - nx] = True

    def _own(self, z: Array) -> tuple[Array, Array]:
        """(x, v, p, h), and the times of the starts."""
        width = self.step.motion.width
        span = self._horizon.T(z, width)
        return np.hstack([z[:, :width], (span * self._shares)[:, None]]), span * self._starts

    def value(self, z: Array) -> Array:
        own, t = self._own(z)
        result: Array = z[:, -self.step.motion.nx :] - self.step.value(own, self._at, t)
        return result

    def slopes(self, z: Array) -> Array:
        own, t = self._own(z)
        found = -self.step.slopes(own, self._at, t)
        by_span = found[:, :, -1:] * self._shares[:, None, None]
        one = np.broadcast_to(np.eye(found.shape[1]), (*found.shape[:2], found.shape[1]))
        return np.concatenate([found[:, :, :-1], *[by_span] * self._horizon.free, one], axis=2)

    def curvature(self, z: Array, weights: Array) -> Array:
        own, t = self._own(z)
        moving = np.ones(own.shape[1], dtype=bool)
        moving[-1] = self._horizon.free
        bent = -self.step.curvature(own, self._at, t, weights, moving)
        count = own.shape[1] - 1 + self._horizon.free
        if self._horizon.free:
            bent[:, -1] *= self._shares[:, None]
            bent[:, :, -1] *= self._shares[:, None]
        found = np.zeros((*z.shape, z.shape[1]))
        found[:, :count, :count] = bent[:, :count, :count]
        return found


class CollocationBlock(ProgramBlock):
    """The part -h E f of the rows; places are pairs of an interval and a node in it.

    `points` are all nodes where f is used, (K, nz) columns of z = (x, v, p, T); `pairs` are
    triples of arrays: number among `points`, interval, node in it.
    """

    def __init__(
        self,
        rows: Array,
        points: Array,
        pairs: tuple[Array, Array, Array],
        of: Dynamics,
        method: Collocation,
        horizon: Horizon,
        shares: Array,
        times: Array,
        at: Array,
    ) -> None:
        self._point, interval, node = pairs
        super().__init__(rows[interval], points[self._point])
        self._points, self._of, self._horizon = points, of, horizon
        self._times, self._at = times, at
        self._e = -shares[interval][:, None] * method.E[:, node].T  # (pairs, rows of the method)
        self.slopes_mask = np.ones((self.rows.shape[1], points.shape[1]), dtype=bool)

    @property
    def curved_columns(self) -> Array:
        return self._points

    def _once(self, z: Array) -> Array:
        """Rows of z at the points, each once."""
        found = np.zeros((len(self._points), z.shape[1]))
        found[self._point] = z
        return found

    def _f(self, z: Array, what: str, *more: Any) -> Array:
        own = z[:, : self._of.motion.width]
        span = self._horizon.T(z, own.shape[1])
        result: Array = getattr(self._of, what)(own, self._at, span * self._times, *more)
        return result

    def value(self, z: Array) -> Array:
        f = self._f(self._once(z), "value")[self._point]
        span = self._horizon.T(z, self._of.motion.width)
        result: Array = np.einsum("k,ki,kj->kij", span, self._e, f).reshape(len(z), -1)
        return result

    def slopes(self, z: Array) -> Array:
        once = self._once(z)
        by = self._f(once, "slopes")[self._point]
        span = self._horizon.T(z, self._of.motion.width)
        found = np.einsum("k,ki,kjl->kijl", span, self._e, by)
        if self._horizon.free:
            f = self._f(once, "value")[self._point]
            by_span = np.einsum("ki,kj->kij", self._e, f)[..., None]
            found = np.concatenate([found, by_span], axis=3)
        result: Array = found.reshape(len(z), -1, z.shape[1])
        return result

    def curvature(self, z: Array, weights: Array) -> Array:
        once = self._once(z)
        nx = self._of.motion.nx
        each = np.einsum("ki,kij->kj", self._e, weights.reshape(len(z), -1, nx))
        mu = np.zeros((len(once), nx))
        np.add.at(mu, self._point, each)
        width = self._of.motion.width
        span = self._horizon.T(once, width)
        found = np.zeros((*once.shape, once.shape[1]))
        found[:, :width, :width] = self._f(once, "curvature", span[:, None] * mu)
        if self._horizon.free:
            cross = np.einsum("kj,kjl->kl", mu, self._f(once, "slopes"))
            found[:, :width, width] = found[:, width, :width] = cross
        return found


@dataclass(frozen=True)
class Term:
    """Squares w (y - c)^2 of the quantities (x, v, outputs) at points, scaled by `share`, and by T
    where `timed`."""

    share: Array
    w: Array
    c: Array
    timed: bool


class PointBlock(ProgramBlock):
    """Costs and rows of quantities at points; z = (x, v, p, T) or without v."""

    def __init__(
        self,
        rows: Any,
        columns: Any,
        outputs: Any,
        width: int,
        horizon: Horizon,
        terms: list[Term],
        path: list[int],
        at: Array,
        times: Array,
    ) -> None:
        path_rows = np.asarray(rows, dtype=int).reshape(len(columns), -1)
        super().__init__(np.hstack([np.zeros((len(columns), 1), dtype=int), path_rows]), columns)
        self._outputs, self._width, self._horizon = outputs, width, horizon
        self._terms, self._path, self._at, self._times = terms, path, at, times
        if not outputs.names and not horizon.free:
            self.curvature_mask = np.eye(self.columns.shape[1], dtype=bool)

    def _quantities(self, z: Array) -> Array:
        """(x, v, outputs)"""
        y = self._outputs.value(z[:, : self._width], self._at, self._t(z))
        return np.hstack([z[:, : self._plain], y])

    @property
    def _plain(self) -> int:
        """Entries of z that are quantities themselves: x, v."""
        return self._width - len(self._outputs.motion.free)

    def _t(self, z: Array) -> Array:
        return self._horizon.T(z, self._width) * self._times

    def _by_z(self, z: Array) -> Array:
        own = np.broadcast_to(np.eye(self._plain, z.shape[1]), (len(z), self._plain, z.shape[1]))
        if not self._outputs.names:
            return own
        found = np.zeros((len(z), len(self._outputs.names), z.shape[1]))
        part = z[:, : self._width]
        found[:, :, : self._width] = self._outputs.slopes(part, self._at, self._t(z))
        return np.concatenate([own, found], axis=1)

    def _scale(self, z: Array, term: Term) -> Array:
        return term.share * (self._horizon.T(z, self._width) if term.timed else 1.0)

    def value(self, z: Array) -> Array:
        y = self._quantities(z)
        cost = sum(self._scale(z, t) * np.sum(t.w * (y - t.c) ** 2, axis=1) for t in self._terms)
        return np.hstack([(cost + np.zeros(len(z)))[:, None], y[:, self._path]])

    def _pulled(self, z: Array, y: Array) -> tuple[Array, Array]:
        """First and second derivatives of the cost by the quantities."""
        first, second = np.zeros_like(y), np.zeros_like(y)
        for t in self._terms:
            heavy = 2 * self._scale(z, t)[:, None] * t.w
            first, second = first + heavy * (y - t.c), second + heavy
        return first, second

    def _by_span(self, z: Array, y: Array) -> tuple[Array, Array]:
        """d cost / dT, and its derivatives by the quantities."""
        slope, cross = np.zeros(len(z)), np.zeros_like(y)
        for t in self._terms:
            if t.timed:
                slope = slope + t.share * np.sum(t.w * (y - t.c) ** 2, axis=1)
                cross = cross + 2 * t.share[:, None] * t.w * (y - t.c)
        return slope, cross

    def slopes(self, z: Array) -> Array:
        y, by = self._quantities(z), self._by_z(z)
        cost = np.einsum("ki,kij->kj", self._pulled(z, y)[0], by)
        if self._horizon.free:
            cost[:, -1] += self._by_span(z, y)[0]
        return np.concatenate([cost[:, None], by[:, self._path]], axis=1)

    def gauss_newton(self, z: Array, weights: Array) -> Array:
        """Second derivatives of the cost without those of outputs."""
        y, by = self._quantities(z), self._by_z(z)
        heavy = weights[:, :1] * self._pulled(z, y)[1]
        if self._outputs.names:
            found = np.swapaxes(by, 1, 2) @ (heavy[..., None] * by)
        else:
            found, own = np.zeros((*z.shape, z.shape[1])), np.arange(self._plain)
            found[:, own, own] = heavy
        if self._horizon.free:
            cross = weights[:, :1] * np.einsum("ki,kij->kj", self._by_span(z, y)[1], by)
            found[:, -1] += cross
            found[:, :, -1] += cross
        result: Array = found
        return result

    def curvature(self, z: Array, weights: Array) -> Array:
        found = self.gauss_newton(z, weights)
        if self._outputs.names:
            y = self._quantities(z)
            heavy = weights[:, :1] * self._pulled(z, y)[0]
            for k, place in enumerate(self._path):
                heavy[:, place] += weights[:, 1 + k]
            own = self._width
            found[:, :own, :own] += self._outputs.curvature(
                z[:, :own], self._at, self._t(z), heavy[:, self._plain :]
            )
        return found
