"""Linearization along a motion: time-varying A(t), B(t)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.derivatives.user_force import UserForce
from eomc.runtime.linearization.linear_model import LinearModel
from eomc.runtime.linearization.linearize import linearize
from eomc.runtime.model.errors import LinearizationError, numerical_errors
from eomc.runtime.record.trajectory import Trajectory


@dataclass(frozen=True)
class LinearSequence:
    """x' = A(t) x + B(t) v, y = C(t) x + D(t) v beside a motion.

    Attributes
    ----------
    t : (n,) [s]
    models : tuple of LinearModel
        One a time.
    """

    t: Array
    models: tuple[LinearModel, ...]

    @property
    def A(self) -> Array:
        """(n, nx, nx)"""
        return np.array([model.A for model in self.models])

    @property
    def B(self) -> Array:
        """(n, nx, nv)"""
        return np.array([model.B for model in self.models])

    @property
    def C(self) -> Array:
        """(n, ny, nx)"""
        return np.array([model.C for model in self.models])

    @property
    def D(self) -> Array:
        """(n, ny, nv)"""
        return np.array([model.D for model in self.models])

    @property
    def eigenvalues(self) -> NDArray[np.complex128]:
        """(n, nx) of the frozen instants: no statement about the stability of the motion."""
        return np.array([model.modes().eigenvalues for model in self.models])

    def transition(self) -> Array:
        """Phi (n, nx, nx) with x(t_k) = Phi_k x(t_0) for v = 0, Phi' = A(t) Phi.

        By the fourth-order Magnus method, A interpolated by cubics between the times; over a period
        of a periodic motion the eigenvalues of Phi are its Floquet multipliers.
        """
        from scipy.interpolate import CubicSpline
        from scipy.linalg import expm

        a = CubicSpline(self.t, self.A, axis=0) if len(self.t) > 1 else None
        phi = [np.eye(self.models[0].A.shape[0])]
        offset = np.sqrt(3.0) / 6
        for start, end in zip(self.t[:-1], self.t[1:], strict=True):
            assert a is not None
            h, middle = end - start, (start + end) / 2
            a1, a2 = a(middle - offset * h), a(middle + offset * h)
            omega = h / 2 * (a1 + a2) - np.sqrt(3.0) / 12 * h * h * (a1 @ a2 - a2 @ a1)
            phi.append(expm(omega) @ phi[-1])
        return np.array(phi)

    def controllability_gramian(self) -> Array:
        """W (nx, nx) at the end, of Phi(T, t) B B^T Phi(T, t)^T over the motion.

        x^T W^{-1} x is the least integral of v^T v that moves the motion's end by x.
        """
        phi = self.transition()
        onward = phi[-1] @ np.linalg.inv(phi)
        return self._integral(onward @ self.B)

    def observability_gramian(self) -> Array:
        """W (nx, nx) at the start, of Phi^T C^T C Phi over the motion: x^T W x is the integral of
        y^T y after a perturbation x of its start."""
        return self._integral((self.C @ self.transition()).mT)

    def _integral(self, factors: Array) -> Array:
        """Of F F^T over time, by cubics between the times."""
        from scipy.interpolate import CubicSpline

        return np.asarray(CubicSpline(self.t, factors @ factors.mT).integrate(*self.t[[0, -1]]))


@numerical_errors(LinearizationError)
def linearize_along(
    run: Trajectory,
    t: ArrayLike | None = None,
    *,
    forces: UserForce | Sequence[UserForce] = (),
    outputs: Sequence[str] | None = None,
    **options: Any,
) -> LinearSequence:
    """Linearize about instants of a run, by default all times of its record.

    Torques, inputs and prescribed motion are those of the record, held against the perturbation: a
    controller's own reaction is not part of the result. `forces`, `outputs` and further options as
    of `linearize`. Raises ValueError without a model or for times outside the run.
    """
    if run.model is None:
        raise ValueError("linearization needs the model: Trajectory.from_npz(path, model)")
    rows = run if t is None else run.resampled(np.atleast_1d(np.asarray(t, dtype=float)))
    model, found = run.model, []
    for k, time in enumerate(rows.t):
        motion = None
        if model.prescribed:
            given = rows.s[k], rows.s_rate[k], rows.s_acceleration[k]
            motion = lambda _, given=given: given  # noqa: E731
        found.append(
            linearize(
                model,
                (rows.q[k], rows.u[k]),
                z=rows.z[k] if model.element_states else None,
                t=float(time),
                tau=rows.tau[k],
                inputs=rows.r[k] if model.inputs else None,
                prescribed=motion,
                parameters=dict(rows.parameters) or None,
                forces=forces,
                outputs=outputs,
                **options,
            )
        )
    return LinearSequence(np.array(rows.t), tuple(found))
