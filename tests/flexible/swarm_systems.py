"""A floating chain of deformable and rigid bodies, and its points one by one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
from flexible.point_masses import Points, Swarm, point_in, pose, quaternion, station, turn

import eomc
from eomc.derive.equations import Equations
from eomc.derive.model import Model, Placement

HULL, ARM = Swarm(0, 2), Swarm(1, 3, stiffness=7, damping=0.2)
GRAVITY = (0.4, -0.7, -9.81)
RIDER_MASS = 0.7
_RNG = np.random.default_rng(11)
PAYLOAD = [(float(m), _RNG.normal(size=3).tolist()) for m in _RNG.uniform(0.2, 0.6, size=5)]


def rigid(model: Model, name: str, points: Sequence[tuple[float, Sequence[float]]]) -> None:
    """A rigid body with the mass, centre and inertia of points."""
    mass = sum(m for m, _ in points)
    com = sum(m * np.array(r) for m, r in points) / mass
    inertia = np.zeros((3, 3))
    for m, r in points:
        arm = np.array(r) - com
        inertia += m * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    model.body(name, mass=mass, com=com.tolist(), inertia=inertia.tolist())


def chain(base: str = "floating", **arm: Any) -> Model:
    """A hull that deforms, a payload at its tip, an arm hinged to it, a body riding along."""
    model = Model("swarms", gravity=GRAVITY)
    model.deformable("hull", HULL)
    model.joint("base", base, parent="world", child="hull")
    rigid(model, "payload", PAYLOAD)
    model.joint(
        "tip",
        "attachment",
        parent="hull",
        child="payload",
        at="tip",
        placement=Placement((0.1, 0.2, 0.3), rpy=(0, 0, 0.4)),
        child_placement=(0, 0.1, 0),
    )
    model.deformable("arm", ARM, **arm)
    model.joint(
        "hinge",
        "revolute",
        parent="payload",
        child="arm",
        axis=(0, 1, 0),
        placement=Placement((0.3, 0, 0.1), rpy=(0.2, 0, 0)),
        child_placement=(0.1, 0, 0.2),
        damping=0.3,
        rotor_inertia=0.02,
        gear_ratio=3,
    )
    model.body("rider", mass=RIDER_MASS)
    model.joint("ride", "track", parent="arm", child="rider", placement=(0, 0.1, 0))
    return model


@lru_cache
def whole_equations() -> Equations:
    """Of `chain` with all of its coordinates."""
    return eomc.equations(chain())


ROTOR = 0.02 * 3**2
HINGE_DAMPING = 0.3


def points() -> Points:
    """Those of `chain`: q = base (7), hull (2), hinge, arm (3), ride."""
    hull, arm = HULL.masses, ARM.masses
    masses = [*hull, *(m for m, _ in PAYLOAD), *arm, RIDER_MASS]

    def places(q: Sequence[Any]) -> list[Any]:
        hull_xi, hinge, arm_xi, ride = q[7:9], q[9], q[10:13], q[13]
        hull_frame = pose(origin=q[:3]) * quaternion(*q[3:7])
        tip = hull_frame * pose(origin=(0.1, 0.2, 0.3)) * station(HULL, mpmath.mpf(1), hull_xi)
        payload = tip * turn("z", mpmath.mpf(0.4)) * pose(origin=(0, -0.1, 0))
        hinged = payload * pose(origin=(0.3, 0, 0.1)) * turn("x", mpmath.mpf(0.2))
        arm_frame = hinged * turn("y", hinge) * pose(origin=(-0.1, 0, -0.2))
        rider = arm_frame * pose(origin=(0, 0.1, 0)) * station(ARM, ride, arm_xi)
        return [
            *(point_in(hull_frame, r) for r in HULL.places(hull_xi)),
            *(point_in(payload, r) for _, r in PAYLOAD),
            *(point_in(arm_frame, r) for r in ARM.places(arm_xi)),
            point_in(rider, (0, 0, 0)),
        ]

    return Points(masses, places, True, GRAVITY)


def state(seed: int = 1) -> tuple[Any, Any, Any]:
    """(q, u, a) of the chain."""
    rng = np.random.default_rng(seed)
    q = 0.3 * rng.normal(size=14)
    q[3:7] = rng.normal(size=4)
    q[3:7] /= np.linalg.norm(q[3:7])
    return q, rng.normal(size=13), rng.normal(size=13)
