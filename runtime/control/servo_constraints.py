"""Given motion of some coordinates, kept by the Lagrange multipliers that it takes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.control.given_motion import GivenMotion, Profile
from eomc.runtime.control.law import ModelBased
from eomc.runtime.excitation.excitation import Controller, InputLaw, MotionLaw
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import vector
from eomc.runtime.names.near_names import near_names
from eomc.runtime.names.renamed import current_arguments

_FUNCTION = "driven_dynamics"


class ServoConstraints(ModelBased):
    """tau = tau_0 + P Lambda, so that the driven speeds accelerate by

        w = s'' + 2 omega (s' - u) + omega^2 (s - q)

    With omega = 0 and a start on the motion, nothing but rounding and the integrator's error leads
    away from it; omega > 0 leads back (Baumgarte). The forces of a run are its multipliers.

    Reference: Meirovitch, *Methods of Analytical Dynamics*, sec. 2.9; Baumgarte, Computer Methods
    in Applied Mechanics and Engineering 1 (1972).

    Parameters
    ----------
    model : CompiledModel
        With drives; see `Model.servo_constraint`.
    target : mapping of names of driven speeds to functions t -> (s, s', s'')
        A number holds one at rest. All of them are needed; each is the rate of a coordinate of its
        name.
    controller : object with a method ``torque(t, q, u)``, optional
        Gives tau_0, which the multipliers take into account.
    frequency : float
        omega [1/s].
    inputs, prescribed, parameters : as of `simulate` (prescribed: its `target`)

    Raises ValueError for a model without drives, unknown or missing names, other shapes.
    """

    @current_arguments
    def __init__(
        self,
        model: CompiledModel,
        target: Mapping[str, Profile | float],
        *,
        controller: Controller | None = None,
        frequency: float = 0.0,
        inputs: InputLaw = None,
        prescribed: MotionLaw = None,
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(model, inputs=inputs, prescribed=prescribed, parameters=parameters)
        self.names = _driven(model)
        for name in (*target, *self.names):
            if name not in self.names:
                raise ValueError(f"target of {name!r}: {near_names(name, self.names)}")
            if name not in target:
                raise ValueError(f"target of the driven speed {name!r} is missing")
            if name not in model.coordinates:
                raise ValueError(f"driven speed {name!r} is the rate of no coordinate")
        if not (np.isfinite(frequency) and frequency >= 0):
            raise ValueError(f"frequency is {frequency!r}; give a number of at least 0")
        self.frequency = float(frequency)
        self._motion = GivenMotion({name: target[name] for name in self.names})
        self._controller = controller
        self._places = [model.speeds.index(name) for name in self.names]
        self._coordinates = [model.coordinates.index(name) for name in self.names]

    def wanted(self, t: float) -> Array:
        """(number of driven speeds, 3): s, s', s'' at time t."""
        return self._motion(t)

    def start(self, t: float = 0.0) -> tuple[dict[str, float], dict[str, float]]:
        """(q, u) of the driven coordinates at time t, by name, for `simulate`."""
        wanted = self.wanted(t)
        return (
            dict(zip(self.names, wanted[:, 0].tolist(), strict=True)),
            dict(zip(self.names, wanted[:, 1].tolist(), strict=True)),
        )

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        tau = np.zeros(self.model.nu)
        if self._controller is not None:
            tau = vector("controller", self._controller.torque(t, q, u), self.model.nu).copy()
        s, rate, acceleration = self.wanted(t).T
        omega = self.frequency
        w = acceleration + 2 * omega * (rate - u[self._places])
        w = w + omega**2 * (s - q[self._coordinates])
        _, multipliers = self.call_all(_FUNCTION, t, q, u, tau=tau, driven_acceleration=w)
        tau[self._places] += multipliers
        return tau


def _driven(model: CompiledModel) -> tuple[str, ...]:
    """Names of the driven speeds."""
    if not model.has_function(_FUNCTION):
        raise ValueError(
            f"model {model.name!r} has no servo constraints; declare them before it is built "
            "(Model.servo_constraint)"
        )
    model.function(_FUNCTION)  # made now, if it is not yet
    inputs = model.manifest["functions"][_FUNCTION]["inputs"]
    (rows,) = (entry["rows"] for entry in inputs if entry["name"] == "driven_acceleration")
    return tuple(rows)
