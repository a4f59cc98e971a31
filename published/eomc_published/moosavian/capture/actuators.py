"""Jets and motors of a free-flyer, and what they can give.

    Q = J_Q (f_s, n_s, tau)

f_s and n_s are the force and torque of the jets at the base's centre of mass in base axes, tau the
torques of the joints. Moosavian 1996, sections 3.4 and 4.4.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime import CompiledModel
from eomc.runtime.control.signal import Saturation
from eomc.runtime.excitation.excitation import Clocked, Controller
from eomc.systems.free_flyer.topology import FreeFlyer

_PLANE = [0, 1, 5]
"""Rows of a six-vector that are of the plane."""


class Actuators:
    """The actuators of a `tree_model` of `flyer`, in any way to write its base's motion."""

    def __init__(self, flyer: FreeFlyer, model: CompiledModel) -> None:
        self.base, self.rows = model.frame("base"), _PLANE if flyer.planar else list(range(6))
        axes = np.array(["f_x", "f_y", "f_z", "n_x", "n_y", "n_z"])[self.rows].tolist()
        self.names = (*axes, *flyer.joint_names)
        efforts = [link.effort for arm in flyer.manipulators for link in arm.links]
        self.limits = np.array([*np.array([*flyer.thrust, *flyer.torque])[self.rows], *efforts])
        # Neither has memory, period or chance.
        self._clip = Saturation(self.limits).begin(self.names, 1.0, np.random.default_rng(0))

    def _base_block(self, q: Array) -> Array:
        """d (v_0, omega_0 in base axes) / d (speeds of the base)"""
        n, R = len(self.rows), self.base.pose(q)[:3, :3]
        J = self.base.jacobian(q)[:, :n]
        return np.concatenate([R.T @ J[:3], R.T @ J[3:]])[self.rows]

    def forces(self, q: Array, Q: Array) -> Array:
        """(f_s, n_s, tau) of generalized forces: J_Q^-1 Q."""
        block = self._base_block(q)
        return np.concatenate([np.linalg.solve(block.T, Q[: len(block)]), Q[len(block) :]])

    def generalized(self, q: Array, forces: Array) -> Array:
        """Q = J_Q (f_s, n_s, tau)"""
        block = self._base_block(q)
        return np.concatenate([block.T @ forces[: len(block)], forces[len(block) :]])

    def clip(self, forces: Array) -> Array:
        """The forces within the limits of the actuators."""
        return self._clip(forces)


class Limited:
    """A law as limited actuators carry it out: Q = J_Q clip(J_Q^-1 Q_law)."""

    def __init__(self, law: Controller, actuators: Actuators) -> None:
        self.law, self.actuators = law, actuators

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        wanted = self.actuators.forces(q, np.asarray(self.law.torque(t, q, u)))
        return self.actuators.generalized(q, self.actuators.clip(wanted))


class LimitedClocked(Limited):
    """The same of a law that acts at instants."""

    law: Clocked

    def begin(self, model: CompiledModel, t: float) -> None:
        """As of `Clocked`."""
        self.law.begin(model, t)

    def following(self) -> float:
        """As of `Clocked`."""
        return self.law.following()

    def act(self, t: float, q: Array, u: Array) -> None:
        """As of `Clocked`."""
        self.law.act(t, q, u)


def limited(law: Controller, actuators: Actuators) -> Limited:
    """The law within the limits of the actuators."""
    return (LimitedClocked if isinstance(law, Clocked) else Limited)(law, actuators)
