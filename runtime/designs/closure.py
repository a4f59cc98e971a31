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

Linear = tuple[Array, Array, Array]
"""Phi, Phi_q, Phi_p of samples."""


class DesignError(ValueError):
    """A design that cannot be evaluated, such as a loop that does not close."""


class DesignClosure:
    """The loops of a model for given coordinates."""

    def __init__(self, functions: DesignFunctions, given: NDArray[np.bool_]) -> None:
        self.functions = functions
        self.free = np.flatnonzero(~given)

    def linear(self, q: Array, p: Array) -> Linear:
        """(Phi, Phi_q, Phi_p) of samples q (count, nq)."""
        found, by = self.functions.blocks("constraint_residual", {"q": q, "p": p}, len(q))
        return found, by["q"], by.get("p", np.zeros((*found.shape, len(p))))

    def sweep(self, q: Array, given: Array, p: DualArray, near: Array | None) -> DualArray:
        """q (count, nq) closed, each sample from the one `near` it, or from the sample before;
        `given` are the derivatives (count, nq, n) of the given coordinates.

        Raises DesignError with the sample that does not close.
        """
        at = None
        if near is not None:
            start = q.copy()
            start[:, self.free] = near[:, self.free]
            closed, at = self._newton(start, p.value)
        if at is None or not (_is_closed(at) and self._is_one_branch(at[1])):
            closed = self._continued(q, p.value)
            at = self.linear(closed, p.value)
            if not self._is_one_branch(at[1]):
                raise DesignError(
                    f"the loops of {self.functions.model.name!r} pass a dead centre: the samples "
                    "lie on both branches"
                )
        _, by_q, by_p = at
        slopes = given.copy()
        slopes[:, self.free] = -self._solved(by_q, by_p @ p.slopes + by_q @ given)
        return DualArray(closed, slopes)

    def _continued(self, q: Array, p: Array) -> Array:
        """Samples closed one after the other."""
        closed = q.copy()
        closed[:1], at = self._newton(q[:1], p)
        for k in range(len(q)):
            if k:
                closed[k], at = self._onwards(closed[k - 1], q[k], p)
            if not _is_closed(at):
                raise DesignError(
                    f"the loops of {self.functions.model.name!r} do not close at sample {k}: "
                    f"the closest misses by {np.abs(at[0]).max():.3g}"
                )
        return closed

    def _onwards(self, before: Array, target: Array, p: Array) -> tuple[Array, Linear]:
        """The next sample; where it does not close from the one before, in shorter steps."""
        given = np.ones(len(target), dtype=bool)
        given[self.free] = False
        for parts in (1, _PARTS):
            q = before
            for share in np.arange(1, parts + 1) / parts:
                start = np.where(given, before + share * (target - before), q)
                moved, at = self._newton(start[None], p)
                q = moved[0]
                if not _is_closed(at):
                    break
            else:
                break
        return q, at

    def _newton(self, q: Array, p: Array) -> tuple[Array, Linear]:
        """Samples after Newton's method, and the equations there."""
        q, at = q.copy(), self.linear(q, p)
        for _ in range(_STEPS):
            change = -self._solved(at[1], at[0][:, :, None])[:, :, 0]
            longest = np.abs(change).max(axis=1, initial=0.0)
            share = np.minimum(1, _LONGEST / np.maximum(longest, 1e-300))
            q[:, self.free] += change * share[:, None]
            at = self.linear(q, p)
            if longest.max(initial=0.0) <= _CLOSED * (1 + np.abs(q).max(initial=0.0)):
                break
        return q, at

    def _solved(self, by_q: Array, right: Array) -> Array:
        """Phi_z^+ times the right sides, by samples."""
        by_z = by_q[:, :, self.free]
        if by_z.shape[1] == by_z.shape[2]:
            try:
                return np.asarray(np.linalg.solve(by_z, right))
            except np.linalg.LinAlgError:
                pass
        return np.asarray(np.linalg.pinv(by_z, rcond=_RANK) @ right)

    def _is_one_branch(self, by_q: Array) -> bool:
        """True if the determinant of Phi_z has one sign, where it has one."""
        by_z = by_q[:, :, self.free]
        if by_z.shape[1] != by_z.shape[2]:
            return True
        signs = np.linalg.slogdet(by_z)[0]
        return bool((signs == signs[0]).all() and signs[0] != 0)


def _is_closed(at: Linear) -> bool:
    return bool(np.abs(at[0]).max(initial=0.0) <= _ACCEPTED)
