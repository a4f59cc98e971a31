"""Compensation of gravity."""

from __future__ import annotations

from eomc.runtime.control.law import Array, ModelBased


class GravityCompensation(ModelBased):
    """tau = g(q): what holds the mechanism at rest, and makes it weightless in motion.

    g are the generalized forces of `model.gravity`: of uniform gravity.

    Reference: Siciliano, Sciavicco, Villani and Oriolo, *Robotics: Modelling, Planning and Control*
    (2009), sec. 8.5.1.

    Parameters
    ----------
    model, inputs, motion, parameters : as of `simulate`
        The model as the controller knows it.
    """

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) [N m or N]"""
        return self.call("gravity", t, q, u)
