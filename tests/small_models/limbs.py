"""Trunks with limbs: mirrored, alike, three, unlike; floating, with four legs; and a chain."""

import numpy as np

from eomc.derive.model import Model, Placement
from eomc.systems.chain import general_chain

JOINTS = 5
AXES = ((0, 1, 0), (1, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0))


def limb(model: Model, name: str, side: tuple[int, int, int], seed: int, joints: int) -> None:
    """A chain of turns below the trunk, its numbers turned over where ``side`` is negative."""
    rng = np.random.default_rng(seed)
    sign = np.array(side, float)
    parent = "trunk"
    for k in range(joints):
        spread = rng.normal(size=(3, 3))
        second = np.outer(sign, sign) * (spread @ spread.T)
        tensor = np.trace(second) * np.eye(3) - second
        child = f"{name}{k}"
        model.body(
            child,
            mass=float(rng.uniform(1, 2)),
            com=tuple((sign * rng.normal(size=3)).tolist()),
            inertia=tuple(map(tuple, ((tensor + tensor.T) / 2).tolist())),
        )
        offset = Placement(xyz=tuple((sign * rng.normal(size=3)).tolist()))
        model.joint(
            f"{child}_joint", "revolute", parent=parent, child=child, axis=AXES[k], placement=offset
        )
        parent = child


def body_with(*limbs: tuple[tuple[int, int, int], int, int], floating: bool = False) -> Model:
    """A trunk that turns about two axes or floats, with limbs of a side, seed and number of joints
    each."""
    model = Model("limbs", gravity=(0, 0, -9.81))
    turning = [("world", "waist"), ("waist", "trunk")]
    if floating:
        turning = []
        model.body("trunk", mass=5.0, com=(0.1, 0.0, 0.2), inertia=(0.3, 0.4, 0.5))
        model.joint("root", "floating", parent="world", child="trunk")
    for k, (parent, child) in enumerate(turning):
        model.body(child, mass=3.0 + k, com=(0.1, 0.0, 0.2), inertia=(0.3, 0.4, 0.5))
        model.joint(
            f"{child}_joint",
            "revolute",
            parent=parent,
            child=child,
            axis=AXES[2 * k],
            placement=Placement(xyz=(0, 0, 0.3)),
        )
    for number, (side, seed, joints) in enumerate(limbs):
        limb(model, f"limb{number}_", side, seed, joints)
    return model


def driven(model: Model) -> Model:
    """Sines and cosines of more than sums and products, on a joint of each of two limbs."""
    for name in ("limb0_4_joint", "limb1_4_joint"):
        both = f"sin(2*atan({name})) + cos(2*atan({name})) + sin(exp(-{name}**2))"
        model.generalized_force(f"on_{name}", speed=name, expression=both)
    return model


LEFT, RIGHT = (1, 1, 1), (1, -1, 1)
BODIES = {
    "driven": driven(body_with((LEFT, 1, JOINTS), (LEFT, 2, JOINTS))),
    "mirrored": body_with((LEFT, 1, JOINTS), (RIGHT, 1, JOINTS)),
    "like": body_with((LEFT, 1, JOINTS), (LEFT, 2, JOINTS)),
    "three": body_with((LEFT, 1, 3), (LEFT, 2, 3), (RIGHT, 3, 3)),
    "unlike": body_with((LEFT, 1, JOINTS), (RIGHT, 1, 2)),
    "chain": general_chain(8),
    "floating": body_with((LEFT, 1, JOINTS), (RIGHT, 1, JOINTS), floating=True),
    "quadruped": body_with(
        *((side, end, 3) for end in (1, 2) for side in (LEFT, RIGHT)), floating=True
    ),
}
