"""Composite control: the joints as if nothing bent, the vibrations about that."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.control.flexible.fast_regulator import FastRegulator
from eomc.runtime.control.flexible.gain_schedule import GainSchedule
from eomc.runtime.control.flexible.rigid_motion import RigidMotion
from eomc.runtime.control.gains import critical_damping, gain_matrix
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.model.state import State


class CompositeControl:
    """tau = tau- + tau_f, the slow force by one of two laws, the fast one by elastic feedback:

        tau- = tau-_0(t) + Kp (theta_d - theta) + Kd (theta_d' - theta')
        tau- = B_theta^-1 (M_thetatheta v + c_theta),  v = theta_d'' + Kd (..)' + Kp (..)
        tau_f = -G_p (b - b-) - G_d b'

    The first adds gains [N/m, N s/m] to forces that were found before (`RigidMotion`), the second
    is computed torque of the mechanism that does not bend, at the joints as they are, with gains
    [1/s^2, 1/s]; b- then belongs to v.

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

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant [N m or N]"""
        state = self.plant.state(q, u)
        slow, fast = self.forces(t, state)
        mechanism = self.system.mechanism
        acting = mechanism.forces(mechanism.arguments(t, state))
        return self.plant.forces(acting @ (slow + fast))
