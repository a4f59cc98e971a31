"""Random mechanisms of every joint kind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from eomc.derive.model import Mimic, Model, ModelError, Placement

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
            extra |= {"axis": (1, 0, 0), "axis_2": (0, 1, 0)}
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
    """Free coordinates, with unit quaternions."""
    q: list[float] = []
    for joint in model.tree():
        if joint.mimic is not None:
            continue
        values = rng.uniform(-1.5, 1.5, size=len(joint.coordinates))
        if joint.kind in ("spherical", "floating"):
            values[-4:] /= np.linalg.norm(values[-4:])
        q += list(values)
    return np.array(q)


def with_extras(model: Model, seed: int, *extras: str) -> Model:
    """A copy with some of: "mimic", "massless", "rotors", "losses"; and a frame "tool"."""
    rng = np.random.default_rng([seed, 1])
    model = model.copy()
    for extra in extras:
        {"mimic": _mimic, "massless": _massless, "rotors": _rotors, "losses": _losses}[extra](
            model, rng
        )
    model.frame("tool", body=str(rng.choice(list(model.bodies))), placement=random_placement(rng))
    return model


def _of_one_coordinate(model: Model) -> list[str]:
    return [joint.name for joint in model.tree() if len(joint.coordinates) == 1]


def _mimic(model: Model, rng: np.random.Generator) -> None:
    """Every other joint of one coordinate follows the one before it in the tree."""
    names = _of_one_coordinate(model)
    for leader, follower in zip(names[::2], names[1::2], strict=False):
        rule = Mimic(leader, float(rng.normal()), float(rng.normal()))
        model.joints[follower] = replace(model.joints[follower], mimic=rule)


def _massless(model: Model, _: np.random.Generator) -> None:
    """Bodies that carry others lose their mass wherever the mass matrix stays regular."""
    for name in dict.fromkeys(joint.parent for joint in model.tree() if joint.parent != "world"):
        with_mass = model.bodies[name]
        model.bodies[name] = replace(with_mass, mass=0, inertia=(0,) * 6)
        try:
            model.validate()
        except ModelError:
            model.bodies[name] = with_mass


def _rotors(model: Model, rng: np.random.Generator) -> None:
    for name in _of_one_coordinate(model):
        rotor, ratio = float(rng.uniform(0, 0.01)), float(rng.normal() * 10)
        model.joints[name] = replace(model.joints[name], rotor_inertia=rotor, gear_ratio=ratio)


def _losses(model: Model, rng: np.random.Generator) -> None:
    for name, joint in model.joints.items():
        size = len(joint.speeds)
        damping = tuple(float(x) for x in rng.uniform(size=size))
        friction = tuple(float(x) for x in rng.uniform(size=size))
        model.joints[name] = replace(
            joint, damping=damping, friction=friction, friction_speed=float(rng.uniform(0.1, 1))
        )
