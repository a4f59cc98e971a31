"""Composite control: the joints as if nothing bent, the vibrations about that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.flexible.fast_regulator import FastRegulator
from eomc.runtime.control.flexible.gain_schedule import GainSchedule
from eomc.runtime.control.flexible.rigid_motion import RigidMotion
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.difference import DifferenceEquation, NotEmittableError, Operations
from eomc.runtime.difference.equation import product
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State


class CompositeControl:
    """tau = tau- + tau_f, the slow force by one of two laws, the fast one by elastic feedback:

        tau- = tau-_0(t) + Kp (theta_d - theta) + Kd (theta_d' - theta')
        tau- = B_theta^-1 (M_thetatheta v + c_theta),  v = theta_d'' + Kd (..)' + Kp (..)
        tau_f = -G_p (b - b-) - G_d b'

    The first adds gains [N/m, N s/m] to forces that were found before (`RigidMotion`), the second
    is computed torque of the mechanism that does not bend, at the joints as they are, with gains
    [1/s^2, 1/s]; b- then belongs to v. Sampled, the first law can be written in C, see `equation`.

    References: Siciliano and Book, Int. J. Robotics Research 7 (1988) 79; Luh, Walker and Paul,
    IEEE Trans. Automatic Control 25 (1980).

    Parameters
    ----------
    rigid : RigidMotion
        Where to go, of the controller's model.
    kp, kd : number, (n,) or (n, n)
        Without `kd` and with computed torque the slow errors are critically damped.
    fast : GainSchedule or FastRegulator, optional
    computed_torque : bool
        The second law.
    plant : StateMap, optional
        How the controller's model follows from a plant that knows more, such as more modes.

    Raises ValueError for gains of other shapes or that destabilize, other amplitudes, a map that
    leads to another model.
    """

    def __init__(
        self,
        rigid: RigidMotion,
        kp: ArrayLike,
        kd: ArrayLike | None = None,
        fast: GainSchedule | FastRegulator | None = None,
        *,
        computed_torque: bool = False,
        plant: StateMap | None = None,
    ) -> None:
        self.rigid, self.system = rigid, rigid.system
        n = len(self.system.slow)
        self.kp = gain_matrix("kp", kp, n)
        if kd is None and not computed_torque:
            raise ValueError("kd: give it; only with computed torque does it follow from kp")
        self.kd = critical_damping(self.kp) if kd is None else gain_matrix("kd", kd, n)
        self.fast = GainSchedule.constant(fast) if isinstance(fast, FastRegulator) else fast
        if self.fast is not None and (self.fast.fast, self.fast.actuators) != (
            self.system.fast,
            self.system.actuators,
        ):
            raise ValueError("fast: the gains are of other amplitudes or actuators")
        self.computed_torque = computed_torque
        self.plant = StateMap.identity(self.system.model) if plant is None else plant
        if self.plant.model is not self.system.model:
            raise ValueError("plant: the map leads to another model than the controller's")
        speeds = [self.system.model.speeds.index(s) for s in (*self.system.slow, *self.system.fast)]
        self._coordinates = self.system.coordinates[:n], self.system.coordinates[n:]
        self._speeds = speeds[:n], speeds[n:]

    def forces(self, t: float, state: State) -> tuple[Array, Array]:
        """tau- and tau_f (n,) in a state of the controller's model."""
        (slow, fast), (slow_rates, fast_rates) = self._coordinates, self._speeds
        theta, theta_rate = state.q[slow], state.u[slow_rates]
        wanted, rate, acceleration = self.rigid.motion(t).T
        pull = self.kp @ (wanted - theta) + self.kd @ (rate - theta_rate)
        if self.computed_torque:
            at = self.system.rigid(t, theta, theta_rate, acceleration + pull, near=state.q)
            force, rest = at.forces, np.linalg.solve(self.rigid.stiffness, at.bending)
        else:
            force, rest = self.rigid.looked_up(t)
            force = force + pull
        if self.fast is None:
            return force, np.zeros(len(self.system.actuators))
        by_amplitude, by_rate = self.fast(t)
        return force, -by_amplitude @ (state.q[fast] - rest) - by_rate @ state.u[fast_rates]

    @property
    def model(self) -> CompiledModel:
        """The controller's."""
        return self.system.model

    def reference(self, t: float) -> dict[str, Array]:
        """theta_d, theta_d', tau-_0 and b- at time t, and t itself where gains change with it."""
        place, rate, _ = self.rigid.motion(t).T
        force, rest = self.rigid.looked_up(t)
        rows = {"theta_d": place, "theta_d_rate": rate, "force_d": force, "amplitude_d": rest}
        return rows | ({"t": np.array([t])} if self._varies else {})

    @property
    def _varies(self) -> bool:
        return self.fast is not None and (len(self.fast.times) > 1 or self.fast.begin > -np.inf)

    def equation(self, period: float) -> DifferenceEquation:
        """The first law at samples, for C, with the table of its gains; it has no state.

        Raises NotEmittableError for computed torque, and of another plant.
        """
        system, (slow, fast), (rates, fast_rates) = self.system, self._coordinates, self._speeds
        if self.computed_torque or self.plant.plant is not self.model:
            raise NotEmittableError(
                "the law is computed torque, or of another plant; its C is the function "
                "composite_control"
            )

        def step(
            by: Operations, state: Any, w: Any, q: Any, u: Any, *given: Any
        ) -> tuple[Any, Any]:
            place, rate, force, rest, *t = given
            force = force + product(self.kp, place - q[slow]) + product(self.kd, rate - u[rates])
            if self.fast is not None:
                gains = self.fast.looked_up(by, t[0] if t else np.zeros(1))
                bent = q[fast] - rest, u[fast_rates]
                force = force - sum(product(gain, x) for gain, x in zip(gains, bent, strict=True))
            return state, system.mechanism.acted(by, q, u, force)

        inputs = {"q": self.model.coordinates, "u": self.model.speeds}
        inputs |= {"theta_d": system.slow, "theta_d_rate": system.slow}
        inputs |= {"force_d": system.actuators, "amplitude_d": system.fast}
        inputs |= {"t": ("t",)} if self._varies else {}
        return DifferenceEquation(
            np.zeros(0),
            inputs,
            "tau",
            self.model.speeds,
            step,
            functions=system.mechanism.functions,
            parameters=system.mechanism.excitation.assumed_parameters(),
        )

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        state = self.plant.state(q, u)
        slow, fast = self.forces(t, state)
        mechanism = self.system.mechanism
        acting = mechanism.forces(mechanism.arguments(t, state))
        return self.plant.forces(acting @ (slow + fast))
