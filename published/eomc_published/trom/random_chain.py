"""Random branched chains of every joint: Cartesian bodies, and the same as a declared model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement, Point
from eomc_published.trom.cartesian import Axis, CartesianBody, CartesianSpring, TurnSpring
from eomc_published.trom.cartesian.forces import Spring
from eomc_published.trom.cartesian.kinematics import GROUND

_X, _Y, _Z = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class RandomChain:
    """A branched chain with a floating base and every kind of joint, in a random state.

    Base (three slides, three turns); on it a revolute and a cylindrical joint; on the revolute one
    a translational and a universal joint; on the universal one a spherical joint.
    """

    bodies: tuple[CartesianBody, ...]
    springs: tuple[Spring, ...]
    q: Array
    rates: Array
    accelerations: Array


KINDS = ("floating", "revolute", "translational", "cylindrical", "universal", "spherical")
_PARENTS = (GROUND, 0, 1, 0, 1, 4)


def random_chain(seed: int) -> RandomChain:
    """Reproducible by its seed."""
    rng = np.random.default_rng(seed)

    def direction() -> tuple[float, float, float]:
        v = rng.normal(size=3)
        x, y, z = (v / np.linalg.norm(v)).tolist()
        return x, y, z

    def triple(scale: float = 1.0) -> tuple[float, float, float]:
        x, y, z = (scale * rng.normal(size=3)).tolist()
        return x, y, z

    bodies = []
    for kind, parent in zip(KINDS, _PARENTS, strict=True):
        spread = rng.normal(size=(3, 3))
        second = spread @ spread.T
        inertia = np.trace(second) * np.eye(3) - second
        u = direction()
        axes = {
            "floating": tuple(Axis("slide", e) for e in (_X, _Y, _Z))
            + tuple(Axis("turn", e) for e in (_X, _Y, _Z)),
            "revolute": (Axis("turn", u),),
            "translational": (Axis("slide", u),),
            "cylindrical": (Axis("turn", u), Axis("slide", u)),
            "universal": (Axis("turn", _X), Axis("turn", _Y)),
            "spherical": tuple(Axis("turn", e) for e in (_X, _Y, _Z)),
        }[kind]
        rows = tuple(tuple(row) for row in ((inertia + inertia.T) / 2).tolist())
        joint = (0.0, 0.0, 0.0) if parent == GROUND else triple()
        arm = (0.0, 0.0, 0.0) if parent == GROUND else triple()
        bodies.append(CartesianBody(parent, axes, joint, arm, float(rng.uniform(1, 3)), rows))
    springs = (
        CartesianSpring(5, triple(0.5), GROUND, triple(3.0), 80.0, 6.0, 1.0),
        CartesianSpring(2, triple(0.5), 3, triple(0.5), 40.0, 3.0, 0.5),
        TurnSpring(6, 30.0, 2.0, 0.1),
    )
    size = sum(len(body.axes) for body in bodies)
    q, rates, accelerations = rng.normal(size=(3, size))
    return RandomChain(tuple(bodies), springs, q, rates, accelerations)


def as_model(chain: RandomChain, seed: int) -> Model:
    """The same chain as a declared model: body frames at the mass centres."""
    model = Model(f"random_chain_{seed}", gravity=(0, 0, -9.81))
    names = ["world" if parent == GROUND else f"body{parent}" for parent in _PARENTS]
    for i, (kind, parent, body) in enumerate(zip(KINDS, names, chain.bodies, strict=True)):
        model.body(f"body{i}", mass=body.mass, inertia=body.inertia)
        x, y, z = body.from_joint
        back = (-x, -y, -z)
        u = body.axes[0].direction
        special: dict[str, dict[str, Any]] = {
            "floating": {"sequence": "xyz"},
            "spherical": {"sequence": "xyz"},
            "universal": {"axis": _X, "axis_2": _Y},
        }
        more = special.get(kind, {"axis": u})
        known = {"floating": "floating_euler", "translational": "prismatic"}
        known |= {"spherical": "spherical_euler"}
        model.joint(
            f"j{i}",
            known.get(kind, kind),
            parent=parent,
            child=f"body{i}",
            placement=Placement(xyz=body.to_joint),
            child_placement=Placement(xyz=back),
            **more,
        )
    for k, spring in enumerate(chain.springs):
        if isinstance(spring, TurnSpring):
            model.joint_spring(
                f"s{k}",
                joint="j1",
                stiffness=spring.stiffness,
                damping=spring.damping,
                free_angle=spring.free_angle,
            )
            continue
        ends = [
            Point("world" if end == GROUND else f"body{end}", at)
            for end, at in ((spring.a, spring.at_a), (spring.b, spring.at_b))
        ]
        model.spring(
            f"s{k}",
            a=ends[0],
            b=ends[1],
            stiffness=spring.stiffness,
            damping=spring.damping,
            free_length=spring.free_length,
        )
    return model
