"""Fits and inverse kinematics of a compiled model, a model, or the path of a model file."""

from __future__ import annotations

from eomc.runtime.fit.fit import fit as _fit
from eomc.taking import of_models

__all__ = ["fit"]

fit = of_models(_fit)
