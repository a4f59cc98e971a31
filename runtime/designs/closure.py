"""Closed configurations Phi(q, p) = 0 of a design along a sweep, and their derivatives

    dq/dtheta = -Phi_z^+ (Phi_d dd/dtheta + Phi_p dp/dtheta)

over the coordinates z that follow the given ones d. Lengths of links so move all configurations.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.designs.dual import DualArray
from eomc.runtime.designs.states import DesignFunctions

_CLOSED, _ACCEPTED, _STEPS, _RANK = 1e-9, 1e-10, 30, 1e-10
_LONGEST = 0.5
_PARTS = 4


class DesignError(ValueError):
    """A design that cannot be evaluated, such as a loop that does not close."""


class DesignClosure:
    """The loops of a model for given coordinates."""

    def __init__(self, functions: DesignFunctions, given: NDArray[np.bool_]) -> None:
        self.functions = functions
        self.free = np.flatnonzero(~given)

    def linear(self, q: Array, p: Array) -> tuple[Array, Array, Array]:
        """(Phi, Phi_q, Phi_p) of samples q (count, nq)."""
        found, by = self.functions.blocks("constraint_residual", {"q": q, "p": p}, len(q))
        nothing = np.zeros((*found.shape, len(p)))
        return found, by["q"], by.get("p", nothing)

    def sweep(self, q: Array, p: Array, near: Array | None) -> Array:
        """q closed, each sample from the one `near` it, or from the sample before.

        Raises DesignError with the sample that does not close.
        """
        if near is not None:
            start = q.copy()
            start[:, self.free] = near[:, self.free]
            closed, left = self._newton(start, p)
            if (left <= _ACCEPTED).all() and self._is_one_branch(closed, p):
                return closed
        closed = q.copy()
        closed[:1], left = self._newton(q[:1], p)
        for k in range(1, len(q)):
            if not left.max() <= _ACCEPTED:
                break
            closed[k], left = self._onwards(closed[k - 1], q[k], p, _PARTS)
        else:
            k = len(q)
        if not left.max() <= _ACCEPTED:
            raise DesignError(
                f"the loops of {self.functions.model.name!r} do not close at sample {k - 1}: "
                f"the closest misses by {left.max():.3g}"
            )
        if not self._is_one_branch(closed, p):
            raise DesignError(
                f"the loops of {self.functions.model.name!r} pass a dead centre: the samples lie "
                "on both branches"
            )
        return closed

    def _onwards(self, before: Array, target: Array, p: Array, parts: int) -> tuple[Array, Array]:
        """The next sample; where it does not close from the one before, in shorter steps."""
        given = np.ones(len(target), dtype=bool)
        given[self.free] = False
        for count in (1, parts):
            q, left = before, np.zeros(1)
            for share in np.arange(1, count + 1) / count:
                start = np.where(given, before + share * (target - before), q)
                moved, left = self._newton(start[None], p)
                q = moved[0]
                if not left.max() <= _ACCEPTED:
                    break
            else:
                break
        return q, left

    def _newton(self, q: Array, p: Array) -> tuple[Array, Array]:
        """Samples after Newton's method, and what is left open."""
        q = q.copy()
        for _ in range(_STEPS):
            value, by_q, _ = self.linear(q, p)
            inverse = np.linalg.pinv(by_q[:, :, self.free], rcond=_RANK)
            change = -(inverse @ value[:, :, None])[:, :, 0]
            longest = np.abs(change).max(axis=1, initial=0.0)
            q[:, self.free] += (
                change * np.minimum(1, _LONGEST / np.maximum(longest, 1e-300))[:, None]
            )
            if longest.max(initial=0.0) <= _CLOSED * (1 + np.abs(q).max(initial=0.0)):
                break
        value = self.linear(q, p)[0]
        return q, np.abs(value).max(axis=1, initial=0.0)

    def _is_one_branch(self, q: Array, p: Array) -> bool:
        """True if the determinant of Phi_z has one sign, where it has one."""
        by_z = self.linear(q, p)[1][:, :, self.free]
        if by_z.shape[1] != by_z.shape[2]:
            return True
        signs = np.linalg.slogdet(by_z)[0]
        return bool((signs == signs[0]).all() and signs[0] != 0)

    def slopes(self, q: Array, given: Array, p: DualArray) -> Array:
        """dq/dtheta (count, nq, n); `given` are those of the given coordinates."""
        _, by_q, by_p = self.linear(q, p.value)
        inverse = np.linalg.pinv(by_q[:, :, self.free], rcond=_RANK)
        found = given.copy()
        found[:, self.free] = -inverse @ (by_p @ p.slopes + by_q @ given)
        return found
