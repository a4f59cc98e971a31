"""Designs: parameters of a model that make an objective least, with exact gradients."""

from eomc.runtime.designs.closure import DesignError
from eomc.runtime.designs.design import Design
from eomc.runtime.designs.optimize import OptimalDesign, optimize
from eomc.runtime.fit.unknowns import FreeValue

__all__ = ["Design", "DesignError", "FreeValue", "OptimalDesign", "optimize"]
