"""Momentum unloading: actuators of the base remove the momentum that wheels and arms hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.acting import actuators_of
from eomc.runtime.control.emitted_law import law_equation
from eomc.runtime.control.free_floating.free_base import base_of, places
from eomc.runtime.control.law import ModelBased
from eomc.runtime.difference import DifferenceEquation, Operations
from eomc.runtime.excitation.excitation import InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel


class MomentumUnloading(ModelBased):
    """tau_a = -k (p_a - M_ac M_cc^-1 p_c),   p_b = M_bb u_b + M_bj u_j

    with the base's speeds b in two parts: a have actuators, c have none. Of a floating base whose
    torques act, this is -k L, L being the angular momentum about the centre of mass of all; with
    forces and torques the linear momentum vanishes too. Whatever the joints do meanwhile, in world
    axes each momentum decays as exp(-k t).

    Joints cannot change the momentum; they can hold it: with the attitude of the base as an output
    of a `FreeFloatingTask` wheels or arms take it from the base, and its ``unloading=`` takes it
    from them.

    Reference: Wertz, *Spacecraft Attitude Determination and Control* (1978), sec. 18.3.

    Parameters
    ----------
    model, inputs, prescribed, parameters : as of `Task`
    rate : float
        k [1/s].
    actuators : sequence of str, optional
        The base's speeds that thrusters or magnetic torquers act on; by default all of them.
    base : as of `FreeBase`

    Raises ValueError for a rate that is not positive, names that are no speeds of the base, and as
    of `FreeBase`.
    """

    def __init__(
        self,
        model: CompiledModel,
        rate: float,
        *,
        actuators: Sequence[str] | None = None,
        base: Sequence[str] | str | None = None,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        if not (np.isfinite(rate) and rate > 0):
            raise ValueError(f"rate is {rate!r}; give a positive number [1/s]")
        speeds, _ = base_of(model, base)
        given = speeds if actuators is None else actuators
        self.actuators = actuators_of(model, given, type(self).__name__)
        for name in self.actuators:
            if name not in speeds:
                raise ValueError(
                    f"actuators: {name!r} is no speed of the base; valid: {', '.join(speeds)}"
                )
        self.rate = float(rate)
        b, _ = places(model, speeds)
        acting = np.isin(b, places(model, self.actuators)[0])
        self._a, self._c = b[acting], b[~acting]

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        return np.asarray(self.forces(self.call("mass_matrix", t, q, u), u))

    def forces(self, M: Any, u: Any, by: Operations | None = None) -> Any:
        """tau (nu,) by the mass matrix, in the operations of a difference equation."""
        a, c = self._a, self._c
        p, tau = M @ u, np.zeros_like(M[0])
        momentum = p[a]
        if c.size:
            solve = np.linalg.solve if by is None else by.solve_positive
            momentum = momentum - M[np.ix_(a, c)] @ solve(M[np.ix_(c, c)], p[c])
        tau[a] = -self.rate * momentum
        return tau

    def reference(self, t: float) -> dict[str, Array]:
        """It follows nothing."""
        return {}

    def equation(self, period: float) -> DifferenceEquation:
        """The same at samples, for C."""

        def step(by: Operations, state: Any, w: Any, q: Any, u: Any) -> tuple[Any, Any]:
            return state, self.forces(by.call("mass_matrix", q=q), u, by)

        return law_equation(self.model, (), step, (), ("mass_matrix",), self.assumed_parameters())
