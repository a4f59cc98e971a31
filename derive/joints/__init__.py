"""Joint kinds: one file each."""

from eomc.derive.joints import (
    cylindrical,
    euler,
    fixed,
    floating,
    helical,
    orbit_planar,
    orbit_polar,
    orbit_spherical,
    planar,
    planar_body,
    prismatic,
    revolute,
    spherical,
    universal,
)
from eomc.derive.joints.steps import Fixed, Step, register, steps

__all__ = [
    "Fixed",
    "Step",
    "cylindrical",
    "euler",
    "fixed",
    "floating",
    "helical",
    "orbit_planar",
    "orbit_polar",
    "orbit_spherical",
    "planar",
    "planar_body",
    "prismatic",
    "register",
    "revolute",
    "spherical",
    "steps",
    "universal",
]
