"""Force elements: one file a kind."""

from eomc.derive.forces import (
    applied,
    central_gravity,
    cut_joint_losses,
    elasticity,
    joint_losses,
    joint_spring,
    point_spring,
    potential,
)
from eomc.derive.forces.loads import AllLoads, Loads, Scene, all_loads, register

__all__ = [
    "AllLoads",
    "Loads",
    "Scene",
    "all_loads",
    "applied",
    "central_gravity",
    "cut_joint_losses",
    "elasticity",
    "joint_losses",
    "joint_spring",
    "point_spring",
    "potential",
    "register",
]
