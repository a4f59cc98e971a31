"""Random mechanisms with every kind of force and named parameters."""

from __future__ import annotations

import numpy as np
from peers.random_trees import random_tree

from eomc.derive.model import Model, Point


def loaded_tree(seed: int, *, conservative_only: bool = False) -> Model:
    """A random tree with springs, potentials and (unless `conservative_only`) losses, laws and
    inputs."""
    rng = np.random.default_rng(seed + 1000)
    model = random_tree(seed, joints=4)
    model.parameter("k", 12.5)
    model.parameter("rest", 0.4)
    model.parameter("mu", 0.3)
    bodies = list(model.bodies)

    def point(body: str) -> Point:
        return Point(body, tuple(float(x) for x in rng.normal(size=3)))

    simple = [
        name
        for joint in model.tree()
        for name in joint.coordinates
        if joint.kind not in ("spherical", "floating")
    ]
    model.spring("s1", a=point(bodies[-1]), b=point("world"), stiffness="k", free_length="rest")
    model.spring("s2", a=point(bodies[0]), b=point(bodies[-1]), stiffness=3.0, free_length=0.1)
    coordinates = list(model.coordinates)
    model.potential("bump", f"mu*cos({coordinates[0]})*{coordinates[-1]}")
    if simple:
        model.joint_spring("js", joint=simple[0], stiffness="2*k", free_angle=0.2)
    if conservative_only:
        return model
    thrust = model.input("thrust")
    model.spring("d1", a=point(bodies[-1]), b=point(bodies[0]), damping="mu")
    model.spring(
        "law",
        a=point(bodies[1]),
        b=point("world"),
        law="k*x**3 + mu*v*abs(v) + thrust",
        free_length=1,
    )
    model.force(
        "push", at=point(bodies[-1]), direction=(1, 2, "mu"), frame="body", magnitude=3 * thrust
    )
    model.force("wind", at=point(bodies[0]), direction=(0, 1, 0.5), magnitude="sin(2*t)")
    model.torque("wheel", body=bodies[-1], direction=(0.2, 0, 1), frame="body", magnitude=thrust)
    model.torque("field", body=bodies[1], direction=(0, 1, 0), magnitude=0.7)
    speeds = list(model.speeds)
    model.generalized_force("q1", speeds[0], f"-mu*speed({speeds[-1]})*cos({coordinates[0]})")
    if simple:
        model.joint_spring("jl", joint=simple[-1], law="mu*v**3 + k*tanh(x)")
    return model
