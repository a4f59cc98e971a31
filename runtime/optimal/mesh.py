"""Errors of a discretization in its intervals.

Of shooting, the difference between a step and two half steps; of collocation, that between its
states and Runge-Kutta steps, eight an interval, under the interpolated controls.

Reference: Betts, *Practical Methods for Optimal Control and Estimation* (2010), sec. 4.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from eomc.runtime.optimal.arrays import Array

if TYPE_CHECKING:
    from eomc.runtime.optimal.phase import Phase

_SUBSTEPS = 8
_HALVED = {"rk4": 16 / 15, "midpoint": 4 / 3}
"""Error of a step of order 4 or 2 by its difference to two half steps."""


def interval_errors(phase: Phase, w: Array) -> Array:
    """Largest error of a state at the end of each interval, relative to 1 + |x|, (N,)."""
    shares = np.diff(phase.mesh) * phase.span(w)
    starts = phase.mesh[:-1] * phase.span(w)
    x = w[phase.x_at]
    p = np.tile(w[phase.p_at], (len(shares), 1))
    try:
        if phase.method is None:
            v, at = w[phase.v_at], np.arange(len(shares))
            half = np.hstack([x[:-1], v, p, shares[:, None] / 2])
            middle = phase.step.value(half, at, starts, to=at)
            half[:, : phase.nx] = middle
            whole = phase.step.value(half, at, starts + shares / 2)
            apart = (x[1:] - whole) * _HALVED[phase.problem.method]
        else:
            first, last = phase.of_interval[:, 0], phase.of_interval[:, -1]
            whole = _integrated(phase, w, p, shares, starts, x[first], first)
            apart = x[last] - whole
    except FloatingPointError:
        return np.full(len(shares), np.inf)
    relative: Array = np.abs(apart) / (1 + np.abs(whole))
    result: Array = relative.max(axis=1, initial=0.0)
    return result


def _integrated(
    phase: Phase, w: Array, p: Array, shares: Array, starts: Array, x: Array, at: Array
) -> Array:
    assert phase.method is not None
    v = np.zeros((phase.count, phase.m))
    v[phase.controlled] = w[phase.v_at]
    own = v[phase.of_interval]
    blend = phase.method.interpolation
    h = shares / _SUBSTEPS
    for k in range(_SUBSTEPS):
        rate, total = np.zeros_like(x), x
        for c, b in ((0.0, 1 / 6), (0.5, 1 / 3), (0.5, 1 / 3), (1.0, 1 / 6)):
            s = (k + c) / _SUBSTEPS
            control = np.einsum("j,ijk->ik", blend(s), own)
            z = np.hstack([x + c * h[:, None] * rate, control, p])
            rate = phase.flow.value(z, at, starts + s * shares)
            total = total + b * h[:, None] * rate
        x = total
    return x
