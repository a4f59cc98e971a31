"""Equilibria: rest, steady motion, steady turns, and their continuation in a parameter."""

from eomc.runtime.equilibrium.acceleration import SteadyAcceleration, SteadyTurn, steady_turn
from eomc.runtime.equilibrium.continuation import Branch, continuation
from eomc.runtime.equilibrium.equilibrium import Equilibrium, equilibrium

__all__ = [
    "Branch",
    "Equilibrium",
    "SteadyAcceleration",
    "SteadyTurn",
    "continuation",
    "equilibrium",
    "steady_turn",
]
