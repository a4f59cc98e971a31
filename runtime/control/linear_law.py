"""Linear controllers with states of their own, such as those that python-control designs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import Actuators
from eomc.runtime.control.emitted_law import RememberingLaw, law_equation
from eomc.runtime.control.reference import ReferenceMotion, reference_motion
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.linearization.discretization import zero_order_hold
from eomc.runtime.model.compiled import CompiledModel


class LinearLaw(RememberingLaw):
    """x_k+1 = A x_k + B e_k, tau_k = C x_k + D e_k, or x' = A x + B e with e held over a period

    with e = difference(q, q_d), or (difference(q, q_d), u_d - u) where B and D are twice as wide.

    Reference: Franklin, Powell and Workman, *Digital Control of Dynamic Systems* (1998), ch. 6.

    Parameters
    ----------
    model : CompiledModel
    target : (nq,) array, mapping of names to values, or function t -> (q, u, a)
    A, B, C, D : (n, n), (n, nu) or (n, 2 nu), (nu, n), (nu, nu) or (nu, 2 nu)
    dt : float, optional
        The period of the matrices [s]; None of those in continuous time, which any period may
        sample.
    actuators : sequence of str, optional
        Speeds that the law acts on, "all" for all of them; by default all but those of bodies that
        move freely in the world, of which a warning tells.

    Raises ValueError for matrices that do not fit, and for a period that is not `dt`.
    """

    def __init__(
        self,
        model: CompiledModel,
        target: ReferenceMotion,
        A: ArrayLike,
        B: ArrayLike,
        C: ArrayLike,
        D: ArrayLike,
        dt: float | None = None,
        actuators: Actuators = None,
    ) -> None:
        super().__init__(model, reference_motion(model, target), actuators)
        nu = model.nu
        direct, n = np.array(D, dtype=np.float64), len(np.array(A, dtype=np.float64))
        width = direct.shape[-1] if direct.ndim == 2 else 0
        if width not in (nu, 2 * nu):
            raise ValueError(
                f"D has shape {direct.shape}, expected ({nu}, {nu}) of displacements, or "
                f"({nu}, {2 * nu}) of displacements and rates"
            )
        given = {"A": (A, (n, n)), "B": (B, (n, width)), "C": (C, (nu, n)), "D": (D, (nu, width))}
        self.A, self.B, self.C, self.D = (
            _matrix(name, matrix, shape) for name, (matrix, shape) in given.items()
        )
        self.dt = dt

    @classmethod
    def from_control(
        cls, model: CompiledModel, target: ReferenceMotion, system: Any, actuators: Actuators = None
    ) -> LinearLaw:
        """Of a ``control.StateSpace``, or of what ``control.ss`` makes one of.

        Raises ValueError for a discrete system that does not tell its period.
        """
        if not hasattr(system, "A"):
            import control

            system = control.ss(system)
        if system.dt is True:
            raise ValueError("the system is in discrete time of no period; give it one (dt)")
        period = None if not system.dt else float(system.dt)
        return cls(model, target, system.A, system.B, system.C, system.D, period, actuators)

    def sampled(self, period: float) -> tuple[Array, Array]:
        """A and B from sample to sample."""
        if self.dt is None:
            return zero_order_hold(self.A, self.B, period) if len(self.A) else (self.A, self.B)
        if abs(period - self.dt) > 1e-9 * self.dt:
            raise ValueError(
                f"the law has a period of {self.dt:g} s, and is sampled at {period:g} s"
            )
        return self.A, self.B

    def equation(self, period: float) -> DifferenceEquation:
        """Its state is x."""
        a, b = self.sampled(period)
        with_rates = self.D.shape[1] > self.model.nu

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, q_d: Any, u_d: Any
        ) -> tuple[Any, Any]:
            e = by.call("difference", q0=q, q1=q_d)
            e = np.concatenate([e, u_d - u]) if with_rates else e
            after = product(a, state) + product(b, e)
            return after, self.acts.only(product(self.C, state) + product(self.D, e))

        start = np.zeros(len(self.A))
        return law_equation(self.model, ("q_d", "u_d"), step, start, ("difference",))


def _matrix(name: str, given: ArrayLike, shape: tuple[int, int]) -> Array:
    matrix = np.array(given, dtype=np.float64)
    if matrix.size != shape[0] * shape[1] or not np.isfinite(matrix).all():
        raise ValueError(f"{name} has shape {matrix.shape}, expected finite numbers {shape}")
    return matrix.reshape(shape)
