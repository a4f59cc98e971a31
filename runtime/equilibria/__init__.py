"""Equilibria: rest, steady motion, steady turns, and their continuation in a parameter."""

from eomc.runtime.equilibria.acceleration import SteadyAcceleration, SteadyTurn, steady_turn
from eomc.runtime.equilibria.continuation import Branch, continuation
from eomc.runtime.equilibria.equilibrium import Equilibrium, equilibrium

__all__ = [
    "Branch",
    "Equilibrium",
    "SteadyAcceleration",
    "SteadyTurn",
    "continuation",
    "equilibrium",
    "steady_turn",
]
