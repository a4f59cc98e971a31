"""Random mechanisms of every joint kind."""

from __future__ import annotations

import numpy as np

from eomc.derive.model import Model, Placement

KINDS = (
    *("revolute", "prismatic", "screw", "cylindrical", "planar", "universal", "spherical"),
    *("spherical_euler", "floating", "floating_euler", "fixed"),
)


def random_placement(rng: np.random.Generator) -> Placement:
    """Identity, a pure offset, a quarter turn or anything, so that all folding paths are met."""
    choice = rng.integers(4)
    xyz = tuple(float(x) for x in rng.normal(size=3))
    if choice == 0:
        return Placement()
    if choice == 1:
        return Placement(xyz=xyz)
    if choice == 2:
        return Placement(xyz=xyz, rpy=("pi/2", 0, 0))
    return Placement(xyz=xyz, rpy=tuple(float(x) for x in rng.uniform(-3, 3, size=3)))


def random_axis(rng: np.random.Generator) -> tuple[float, float, float]:
    """A coordinate axis of either sign, or any direction."""
    if rng.integers(2):
        axis = [0, 0, 0]
        axis[rng.integers(3)] = int(rng.choice([-1, 1]))
        return tuple(axis)
    return tuple(float(x) for x in rng.normal(size=3))


def random_tree(seed: int, joints: int = 5) -> Model:
    """A tree with full inertias on every body."""
    rng = np.random.default_rng(seed)
    model = Model(f"tree{seed}", gravity=tuple(float(x) for x in rng.normal(size=3) * 5))
    bodies = ["world"]
    for k in range(joints):
        kind = str(rng.choice(KINDS)) if k else str(rng.choice(KINDS[:-1]))
        spread = rng.normal(size=(3, 3))
        second = spread @ spread.T
        tensor = np.trace(second) * np.eye(3) - second  # satisfies the triangle inequality
        entries = tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        model.body(
            f"b{k}",
            mass=float(rng.uniform(0.5, 2)),
            com=tuple(float(x) for x in rng.normal(size=3)),
            inertia=tuple(float(x) for x in entries),
        )
        extra: dict[str, object] = {}
        if kind in ("revolute", "prismatic", "screw", "cylindrical", "planar"):
            extra["axis"] = random_axis(rng)
        if kind == "screw":
            extra["pitch"] = float(rng.normal())
        if kind == "universal":
            extra |= {"axis": (1, 0, 0), "axis2": (0, 1, 0)}
        if "euler" in kind:
            extra["sequence"] = str(rng.choice(["zyx", "xyz", "zxz", "yxy"]))
        model.joint(
            f"j{k}",
            kind,
            parent=bodies[rng.integers(max(0, len(bodies) - 3), len(bodies))],
            child=f"b{k}",
            placement=random_placement(rng),
            child_placement=random_placement(rng) if rng.integers(2) else None,
            **extra,
        )
        bodies.append(f"b{k}")
    return model


def random_coordinates(model: Model, rng: np.random.Generator) -> np.ndarray:
    """Coordinates with unit quaternions."""
    q: list[float] = []
    for joint in model.tree():
        values = rng.uniform(-1.5, 1.5, size=len(joint.coordinates))
        if joint.kind in ("spherical", "floating"):
            values[-4:] /= np.linalg.norm(values[-4:])
        q += list(values)
    return np.array(q)
