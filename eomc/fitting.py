"""Fits, designs and inverse kinematics of a model, compiled or not, or the path of its file."""

from __future__ import annotations

from eomc.runtime.designs.optimize import optimize as _optimize
from eomc.runtime.fit.fit import fit as _fit
from eomc.runtime.inverse_kinematics.pose import inverse_kinematics as _inverse_kinematics
from eomc.taking import of_models

__all__ = ["fit", "inverse_kinematics", "optimize"]

fit = of_models(_fit)
inverse_kinematics = of_models(_inverse_kinematics)
optimize = of_models(_optimize)
