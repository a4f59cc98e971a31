"""A free-flying base whose arms of six or seven joints hold one object, with a source of momentum
in it.

Moosavian 1996, section 6.4, gives the formulation without data; those here are made up.
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement
from eomc.systems.free_flyer.topology import FreeFlyer, Link, Manipulator
from eomc.systems.free_flyer.tree_model import tree_model

__all__ = ["HOME", "MASS", "SOURCE", "free_robot", "holding_robot", "home"]


MASS = 20.0, (0.8, 1.0, 1.2)
"""Of the object [kg], and its principal inertias [kg m^2]."""
SOURCE = 1.5, (0.05, -0.1, 0.08), (0.6, -0.4, 1.0)
"""Mass [kg] and place [m] of what spins in the object, and its momentum [N m s]."""
HOME = {1: (0.2, 0.7, -1.3, 0.4, 0.9, 0.1), 2: (0.3, 0.6, -1.2, -0.3, 0.8, -0.2)}
"""Joint angles of the arms that hold it [rad]."""


def home(m: int, joints: int = 6) -> tuple[float, ...]:
    """Joint angles of arm m when it holds the object [rad]; the seventh joint is the third."""
    angles = HOME[m]
    return angles if joints == 6 else (*angles[:2], 0.4, *angles[2:])


def _arm(m: int, mount: float, shoulder: float, joints: int) -> Manipulator:
    rod = (0.03, 0.3, 0.3)
    roll = (Link((0, 0, 0.05), (0, 0, -0.05), 1.0, (0.02, 0.02, 0.01), 90.0),)
    bend = 0.0 if joints == 6 else -90.0
    return Manipulator(
        f"arm{m}",
        (mount, 0.0, 0.5),
        (
            Link((0, 0, 0.1), (0, 0, -0.1), 6.0, (0.05, 0.05, 0.02), shoulder),
            Link((0.4, 0, 0), (-0.4, 0, 0), 8.0, rod, 90.0),
            *(roll if joints == 7 else ()),
            Link((0.35, 0, 0), (-0.35, 0, 0), 6.0, rod, bend),
            Link((0, 0, 0.05), (0, 0, -0.05), 2.0, (0.02, 0.02, 0.01), 90.0),
            Link((0, 0, 0.05), (0, 0, -0.05), 1.5, (0.02, 0.02, 0.01), -90.0),
            Link((0, 0, 0.08), (0, 0, -0.08), 1.0, (0.01, 0.01, 0.01), 90.0),
        ),
        "pose",
    )


def _flyer(arms: int, joints: int) -> FreeFlyer:
    mounted = (_arm(1, 0.3, 0.0, joints), _arm(2, -0.3, 30.0, joints))
    return FreeFlyer("space_robot", 200.0, (9.0, 11.0, 7.0), mounted[:arms])


def free_robot(arms: int = 2, joints: int = 6) -> Model:
    """The robot without the object: what a law knows; its arms have 6 or 7 joints.

    Frames ``grip1``, ``grip2`` at the tips are parallel to the object's axes when it is held.

    >>> len(free_robot(1).speeds)
    12
    """
    model = tree_model(_flyer(arms, joints))
    for m, pose in enumerate(_grips(arms, joints), 1):
        model.frame(f"grip{m}", body=f"arm{m}_link{joints}", placement=_placement(pose))
    return model


def holding_robot(arms: int = 2, joints: int = 6) -> Model:
    """The robot with the object: two arms hold it at their tips, or one in its centre of mass.

    Frame ``center`` is at the object's centre of mass. Inputs f_x, f_y, f_z [N] act there in world
    axes, n_x, n_y, n_z [N m] about the object's axes, where the source of momentum is declared by
    its mass alone: its spin takes the moment L_s x omega.

    >>> model = holding_robot(2)
    >>> [joint.name for joint in model.cuts()]
    ['hold2']
    """
    model = free_robot(arms, joints)
    mass, inertia = MASS
    model.body("object", mass=mass, inertia=inertia)
    model.body("source", mass=SOURCE[0])
    model.joint(
        "seat", "fixed", parent="object", child="source", placement=Placement(xyz=SOURCE[1])
    )
    for m, pose in enumerate(_grips(arms, joints), 1):
        model.joint(
            f"hold{m}",
            "fixed",
            parent=f"arm{m}_link{joints}",
            child="object",
            placement=_placement(pose, center=True),
            cut=m > 1,
        )
    model.frame("center", body="object")
    for k, axis in enumerate("xyz"):
        direction = tuple(float(k == i) for i in range(3))
        f, n = model.input(f"f_{axis}", units="N"), model.input(f"n_{axis}", units="N m")
        model.force(f"push_{axis}", at="object", direction=direction, magnitude=f)
        model.torque(f"twist_{axis}", body="object", direction=direction, frame="body", magnitude=n)
    return model


def _grips(arms: int, joints: int) -> list[tuple[Array, Array]]:
    """Of each arm at home: rotation of the last link in the base, and the object's centre from its
    tip."""
    mounted = _flyer(arms, joints).manipulators
    tips = [_tip(arm, home(m, joints)) for m, arm in enumerate(mounted, 1)]
    center = np.mean([place for _, place in tips], axis=0)
    return [(R, center - place) for R, place in tips]


def _tip(arm: Manipulator, angles: tuple[float, ...]) -> tuple[Array, Array]:
    """Rotation of the last link and place of the tip in base axes."""
    R, at = np.eye(3), np.array(arm.r0)
    for link, angle in zip(arm.links, angles, strict=True):
        (c, s), twist = (np.cos(angle), np.sin(angle)), np.radians(link.twist)
        a, b = np.cos(twist), np.sin(twist)
        R = R @ np.array([[1, 0, 0], [0, a, -b], [0, b, a]])
        R = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        at = at + R @ (np.array(link.r) - np.array(link.l))
    return R, at


def _placement(pose: tuple[Array, Array], *, center: bool = False) -> Placement:
    """In the last link: at its tip or at the object's centre, parallel to the object."""
    R, lever = pose
    tip = np.array([0.0, 0.0, 0.16]) + (R.T @ lever if center else 0.0)
    T = R.T
    roll = float(np.arctan2(T[2, 1], T[2, 2]))
    pitch, yaw = float(-np.arcsin(T[2, 0])), float(np.arctan2(T[1, 0], T[0, 0]))
    return Placement(xyz=tuple(tip.tolist()), rpy=(roll, pitch, yaw))
