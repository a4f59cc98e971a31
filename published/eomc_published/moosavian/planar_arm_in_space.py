"""A planar two-link arm on a free base in closed form, by barycentric vectors.

With the absolute angles phi = (theta_0, theta_0 + q_1, theta_0 + q_1 + q_2), e(phi) = (cos, sin),
masses m_b, inertias I_b and body b at sum_i A_bi e(phi_i) from the system's centre of mass,

    x_tip = sum_i T_i e(phi_i),
    L = sum_j h_j phi_j',   h_j = I_j + sum_i G_ij cos(phi_i - phi_j),   G_ij = sum_b m_b A_bi A_bj

Without momentum L = 0 gives theta_0', and with it the generalized Jacobian of the tip. Umetani and
Yoshida (1989), section III; Vafa and Dubowsky, The kinematics and dynamics of space manipulators:
the virtual manipulator approach, Int. J. Robotics Research 9 (1990) 3.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime import CompiledModel
from eomc.runtime.control.free_floating import FreeBase
from eomc.systems.free_flyer import PLANAR, tree_model

FLYER = replace(PLANAR, name="free_two_link_arm", manipulators=PLANAR.manipulators[:1])
"""The planar free-flyer with its first arm alone."""


@cache
def arm_in_space() -> FreeBase:
    """Compiled, with its matrices."""
    return FreeBase(robot())


@cache
def robot() -> CompiledModel:
    """Compiled with the functions of the cases."""
    functions = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "mass_matrix")
    frames = ("base", "arm1_tip")
    return build(tree_model(FLYER), functions=(*functions, "bias", "momentum"), frames=frames)


def _constants() -> tuple[Array, Array, Array]:
    """T (3,), inertias (3,) and G (3, 3)."""
    (arm,) = FLYER.manipulators
    inner, outer = arm.links
    mass = np.array([FLYER.mass, inner.mass, outer.mass])
    length = inner.r[0] - inner.l[0]
    A = np.array(
        [[0, 0, 0], [arm.r0[0], -inner.l[0], 0], [arm.r0[0], length, -outer.l[0]]], dtype=float
    )
    T = np.array([arm.r0[0], length, outer.r[0] - outer.l[0]])
    center = mass @ A / mass.sum()
    A, T = A - center, T - center
    inertia = np.array([FLYER.inertia[2], inner.inertia[2], outer.inertia[2]])
    return T, inertia, A.T @ (mass[:, None] * A)


def momentum_rows(joints: Array) -> Array:
    """(H_0, H_1, H_2) of L = H_0 theta_0' + H_1 q_1' + H_2 q_2'."""
    _, inertia, G = _constants()
    phi = np.array([0.0, joints[0], joints[0] + joints[1]])
    h = inertia + (G * np.cos(phi[:, None] - phi)).sum(axis=0)
    found: Array = np.cumsum(h[::-1])[::-1]
    return found


def coupling(joints: Array) -> Array:
    """theta_0' by q_1' and q_2' (2,)"""
    H = momentum_rows(joints)
    found: Array = -H[1:] / H[0]
    return found


def tip_jacobian(theta_0: float, joints: Array) -> Array:
    """J* of the tip (2, 2)."""
    T, _, _ = _constants()
    phi = theta_0 + np.array([0.0, joints[0], joints[0] + joints[1]])
    across = T * np.array([-np.sin(phi), np.cos(phi)])
    by_angles = np.cumsum(across[:, ::-1], axis=1)[:, ::-1]
    found: Array = by_angles[:, 1:] + np.outer(by_angles[:, 0], coupling(joints))
    return found


def null_direction(joints: Array) -> Array:
    """(q_1', q_2') of length 1 that leaves the base at rest: along (-H_2, H_1)."""
    _, first, second = momentum_rows(joints)
    found: Array = np.array([-second, first]) / np.hypot(first, second)
    return found
