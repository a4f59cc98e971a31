"""Regulators that measure outputs alone: LQG, with recovery of the loop gain of the full state.

    x^' = A x^ + B v + L (y - C x^),   v = -K x^

K is that of a linear quadratic regulator and L of a stationary Kalman filter. Its noise on x' is
W + q^2 B B^T: as q grows, the loop gain at the inputs of a plant with as many outputs, and without
zeros in the right half plane, tends to that of the full state, K (s - A)^-1 B, with its margins.

References: Doyle and Stein, Multivariable feedback design: concepts for a classical/modern
synthesis, IEEE Trans. Automatic Control 26 (1981) 4; Balas, Feedback control of flexible systems,
IEEE Trans. Automatic Control 23 (1978) 673 (spillover).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import Actuators
from eomc.runtime.control.linear_law import LinearLaw
from eomc.runtime.control.reference import ReferenceMotion
from eomc.runtime.control.regulator import regulator
from eomc.runtime.linearization.discretization import checked_system
from eomc.runtime.model.compiled import CompiledModel

__all__ = ["OutputRegulator", "lqg", "modal_truncation"]


@dataclass(frozen=True)
class OutputRegulator:
    """x' = A x + B y, v = C x, for a plant x' = a x + b v, y = c x."""

    A: Array
    B: Array
    C: Array

    def closed_loop(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> Array:
        """Matrix of the plant's states and its own."""
        own, inputs, outputs = (np.asarray(matrix, dtype=float) for matrix in (a, b, c))
        found: Array = np.block([[own, inputs @ self.C], [self.B @ outputs, self.A]])
        return found

    def loop_gain(
        self, a: ArrayLike, b: ArrayLike, c: ArrayLike, omega: ArrayLike
    ) -> NDArray[np.complex128]:
        """-K(i w) G(i w) (n, m, m) at the inputs of a plant, at frequencies omega (n,) [rad/s]."""
        plant = _response(np.asarray(a), np.asarray(b), np.asarray(c), omega)
        return -_response(self.A, self.B, self.C, omega) @ plant

    def law(
        self,
        model: CompiledModel,
        target: ReferenceMotion,
        measured: ArrayLike,
        actuators: Actuators = None,
    ) -> LinearLaw:
        """The controller of a model about a target; `measured` (ny, nu) makes its outputs y out of
        displacements, and its inputs v are the forces on `actuators`, in their order."""
        names = [actuators] if isinstance(actuators, str) else list(actuators or model.speeds)
        onto = np.zeros((model.nu, len(self.C)))
        onto[[model.speeds.index(name) for name in names], range(len(names))] = 1.0
        rows = -self.B @ np.asarray(measured, dtype=float)
        direct = np.zeros((model.nu, model.nu))
        return LinearLaw(model, target, self.A, rows, onto @ self.C, direct, actuators=names)


def _response(a: Array, b: Array, c: Array, omega: ArrayLike) -> NDArray[np.complex128]:
    """c (i w - a)^-1 b."""
    s = 1j * np.asarray(omega, dtype=float)[:, None, None]
    return np.asarray(c @ np.linalg.solve(s * np.eye(len(a)) - a, b[None].astype(complex)))


def lqg(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike,
    gain: ArrayLike,
    process: ArrayLike,
    noise: ArrayLike,
    recovery: float = 0.0,
) -> OutputRegulator:
    """The regulator of a plant by a gain on the full state and a Kalman filter.

    Parameters
    ----------
    a, b, c : (n, n), (n, m), (k, n)
    gain : (m, n)
        K, as of `regulator`.
    process, noise : number, row or matrix
        Densities of white noise on the rates and on the measurements.
    recovery : number
        q of the noise q^2 B B^T that is added to `process`.

    Raises ControllabilityError if the measurements do not see every mode, ValueError as
    `regulator`.

    >>> plant = [[0, 1], [0, 0]], [[0], [1]], [[1, 0]]
    >>> made = lqg(*plant, gain=[[1, 1.5]], process=[0, 1], noise=1)
    >>> bool((np.linalg.eigvals(made.closed_loop(*plant)).real < 0).all())
    True
    """
    system, inputs = checked_system(a, b)
    outputs, feedback = np.asarray(c, dtype=float), np.asarray(gain, dtype=float)
    width = np.asarray(process, dtype=float)
    density = np.diag(np.broadcast_to(width, len(system))) if width.ndim < 2 else width
    disturbed = density + recovery**2 * inputs @ inputs.T
    # The Kalman filter is the regulator of the dual system.
    observer = regulator(system.T, outputs.T, disturbed, noise).gain.T
    return OutputRegulator(system - inputs @ feedback - observer @ outputs, observer, -feedback)


def modal_truncation(
    a: ArrayLike, b: ArrayLike, c: ArrayLike, count: int
) -> tuple[Array, Array, Array]:
    """The part of a system in its `count` slowest eigenvalues, the others left out.

    Raises ValueError if that would part a conjugate pair, or eigenvalues of one magnitude.
    """
    import scipy.linalg

    system, inputs = checked_system(a, b)
    sizes = np.sort(np.abs(np.linalg.eigvals(system)))
    if not 0 < count < len(sizes) or sizes[count] - sizes[count - 1] <= 1e-9 * sizes[-1]:
        raise ValueError(f"{count} states part eigenvalues of one magnitude, or are all or none")
    edge = (sizes[count - 1] + sizes[count]) / 2
    t, z, _ = scipy.linalg.schur(system, sort=lambda re, im=0.0: abs(complex(re, im)) < edge)
    across = scipy.linalg.solve_sylvester(t[:count, :count], -t[count:, count:], -t[:count, count:])
    turned = z.T @ inputs
    slow = np.asarray(c, dtype=float) @ z[:, :count]
    return t[:count, :count], turned[:count] - across @ turned[count:], slow
