"""Models of the cases, each built once."""

from __future__ import annotations

from functools import cache

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel

G = 9.81


@cache
def relaxing(rate: float) -> CompiledModel:
    """u' = rate (u - phi) + phi', phi = sin(t + pi/4): the problem of Prothero and Robinson."""
    model = Model("relaxing", gravity=(0, 0, 0))
    model.body("slider", mass=1)
    model.joint("x", "prismatic", parent="world", child="slider", axis=(1, 0, 0))
    pull = f"{rate!r}*(speed(x) - sin(t + pi/4)) + cos(t + pi/4)"
    model.generalized_force("pull", speed="x", expression=pull)
    return build(model)


@cache
def spring_pendulum(stiffness: float) -> CompiledModel:
    """A bob of 1 kg on a spring of 1 m: its angle and its stretch."""
    model = Model("spring_pendulum", gravity=(0, 0, -G))
    model.body("arm")
    model.joint("theta", "revolute", parent="world", child="arm", axis=(0, -1, 0))
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("s", "prismatic", parent="arm", child="bob", axis=(0, 0, -1))
    model.joint_spring("rod", joint="s", stiffness=stiffness)
    return build(model)


@cache
def pendulum_in_the_plane() -> CompiledModel:
    """A point of 1 kg at (x, y) with x^2 + y^2 = 1 as a constraint."""
    model = Model("pendulum_in_the_plane", gravity=(0, -G, 0))
    model.body("cart")
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("bob", mass=1)
    model.joint("y", "prismatic", parent="cart", child="bob", axis=(0, 1, 0))
    model.constraint("rod", "expression", expression="(x**2 + y**2 - 1)/2")
    return build(model)


FOUR_BAR = np.array([1.0, 0.31391747657362556, -1.616803867785089])
FOUR_BAR_RATES = np.array([6.0, -1.2044983638800166, 2.436780492624295])
"""Absolute angles of the links at the start, and their rates."""

LINKS = (0.3, 0.8, 0.5)
BUSHING = (1e7, 1e3)
"""Stiffness [N/m] and damping [N s/m]."""


@cache
def four_bar_with_bushing() -> CompiledModel:
    """Three links in a row, the last held to (0.9, 0) by an isotropic bushing; relative angles."""
    model = Model("four_bar_with_bushing", gravity=(0, -G, 0))
    parent, place = "world", (0.0, 0.0, 0.0)
    for name, length in zip("abc", LINKS, strict=True):
        model.body(
            f"link_{name}",
            mass=length,
            com=(length / 2, 0, 0),
            inertia=(0, length**3 / 12, length**3 / 12),
        )
        model.joint(
            name, "revolute", parent=parent, child=f"link_{name}", axis=(0, 0, 1), placement=place
        )
        parent, place = f"link_{name}", (length, 0.0, 0.0)
    angles, rates = ["a", "(a + b)", "(a + b + c)"], ["speed(a)", "speed(b)", "speed(c)"]
    links = list(zip(LINKS, angles, strict=True))
    x = " + ".join(f"{length}*cos({angle})" for length, angle in links) + " - 0.9"
    y = " + ".join(f"{length}*sin({angle})" for length, angle in links)
    stiffness, damping = BUSHING
    model.potential("spring", expression=f"{stiffness}*(({x})**2 + ({y})**2)/2")
    # Derivatives of the place of the pin by the relative angles, and its velocity.
    by_x = ["(" + " ".join(f"- {r}*sin({w})" for r, w in links[k:]) + ")" for k in range(3)]
    by_y = ["(" + " + ".join(f"{r}*cos({w})" for r, w in links[k:]) + ")" for k in range(3)]
    vx, vy = (" + ".join(f"{d}*{u}" for d, u in zip(by, rates, strict=True)) for by in (by_x, by_y))
    for name, along_x, along_y in zip("abc", by_x, by_y, strict=True):
        push = f"-{damping}*({along_x}*({vx}) + {along_y}*({vy}))"
        model.generalized_force(f"damper_{name}", speed=name, expression=push)
    return build(model)


FREQUENCIES = (
    *(26.332523454706, 165.023107589241, 462.069479672),
    *(905.471761937, 1496.809701481, 2235.974511309),
)
"""Of a steel cantilever of 1 m x 0.02 m x 0.005 m [rad/s]."""


@cache
def modes() -> CompiledModel:
    """The six modes as sliders of 1 kg on springs."""
    model = Model("modes", gravity=(0, 0, 0))
    for k, frequency in enumerate(FREQUENCIES, 1):
        model.body(f"mass_{k}", mass=1)
        model.joint(f"x_{k}", "prismatic", parent="world", child=f"mass_{k}", axis=(1, 0, 0))
        model.joint_spring(f"spring_{k}", joint=f"x_{k}", stiffness=frequency**2)
    return build(model)


@cache
def heavy_top() -> CompiledModel:
    """15 kg at (0, 1, 0) of a body that turns about the origin."""
    model = Model("heavy_top", gravity=(0, 0, -G))
    model.body("top", mass=15, com=(0, 1, 0), inertia=(0.234375, 0.46875, 0.234375))
    model.joint("pivot", "spherical", parent="world", child="top")
    return build(model)


@cache
def kepler() -> CompiledModel:
    """A point of 1 kg in the plane, attracted by the origin with mu = 1."""
    model = Model("kepler", gravity=(0, 0, 0))
    model.body("cart")
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("planet", mass=1)
    model.joint("y", "prismatic", parent="cart", child="planet", axis=(0, 1, 0))
    model.potential("sun", expression="-1/sqrt(x**2 + y**2)")
    return build(model)
