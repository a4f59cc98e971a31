"""Energy, momentum and centre of mass at one link, for every kind of joint (see `steps`).

A twist is angular and linear velocity, in link axes; momenta travel to the base as wrenches do.
"""

from __future__ import annotations

from fractions import Fraction

from eomc.derive.graph import Step
from eomc.derive.joints.motion import Column
from eomc.derive.loops.sketch import Numbers, Sketch, inertia, pose, vectors
from eomc.derive.loops.steps import COMPOSITE, POSE, WRENCH, along, subspace

TWIST, TURN = 6, 9


def kinetic_step(name: str, speeds: int, own: Numbers, body: Numbers) -> Step:
    """Twist of a link, and what it adds to the energy: (p . v + L . w) / 2."""
    sketch = Sketch(f"{name}_kinetic", "Twist of a link, and what it adds to the kinetic energy.")
    (w, v), (p, angular) = _moving(sketch, speeds, own, body)
    (before,) = sketch.take("energy", 1)
    sketch.give("twist", [*w, *v])
    sketch.give("energy", [before + (p.dot(v) + angular.dot(w)) * Fraction(1, 2)])
    return sketch.step()


def moving_step(name: str, speeds: int, own: Numbers, body: Numbers) -> Step:
    """Twist of a link, and its (linear, angular) momentum."""
    sketch = Sketch(f"{name}_moving", "Twist and momentum of a link.")
    (w, v), (p, angular) = _moving(sketch, speeds, own, body)
    sketch.give("twist", [*w, *v])
    sketch.give("wrench", [*p, *angular])
    return sketch.step()


def _moving(sketch: Sketch, speeds: int, own: Numbers, body: Numbers) -> tuple[Column, Column]:
    rotation, origin = pose(sketch.take("pose", POSE))
    w_p, v_p = vectors(sketch.take("parent", TWIST))
    u = sketch.take("u", speeds)
    s, factors = subspace(sketch, own, speeds)
    w_r, v_r = along(s, [f * x for f, x in zip(factors, u, strict=True)], sketch.still)
    w = rotation.to_child(w_p) + w_r
    v = rotation.to_child(v_p + w_p.cross(origin)) + v_r
    return (w, v), inertia(sketch.numbers("inertia", body)).momentum(w, v)


def rotor_energy_step() -> Step:
    """I u^2 / 2"""
    sketch = Sketch("rotor_energy", "Kinetic energy of a rotor.")
    (u,), (rotor,), (before,) = (sketch.take(name, 1) for name in ("u", "rotor", "energy"))
    sketch.give("energy", [before + rotor * u * u * Fraction(1, 2)])
    return sketch.step()


def show_momentum_step() -> Step:
    """The momentum that has come to the base."""
    sketch = Sketch("show_momentum", "The momentum that has come to the base.")
    sketch.give("h", sketch.take("wrench", WRENCH))
    return sketch.step()


def weight_energy_step() -> Step:
    """V -= g . (sum of m c)"""
    sketch = Sketch("weight_energy", "Potential energy of the weight.")
    total = inertia(sketch.take("composite", COMPOSITE))
    (gravity,) = vectors(sketch.take("gravity", 3))
    (before,) = sketch.take("V", 1)
    sketch.give("V", [before - gravity.dot(total.first)])
    return sketch.step()


def center_step() -> Step:
    """First moment over mass."""
    sketch = Sketch("center", "Centre of mass.")
    total = inertia(sketch.take("composite", COMPOSITE))
    sketch.give("c", list(total.first * (1 / total.mass)))
    return sketch.step()


def turn_step() -> Step:
    """Rotation of a link to the world, by rows."""
    sketch = Sketch("turn_to_world", "Rotation of a link to the world, by rows.")
    rotation, _ = pose(sketch.take("pose", POSE))
    rows = vectors(sketch.take("parent", TURN))
    sketch.give("turn", [entry for row in rows for entry in rotation.to_child(row)])
    return sketch.step()


def center_column_step() -> Step:
    """Velocity of the centre of mass at unit speed: linear momentum over mass, in the world."""
    sketch = Sketch("center_column", "Velocity of the centre of mass at unit speed.")
    p, _ = vectors(sketch.take("wrench", WRENCH))
    rows = vectors(sketch.take("turn", TURN))
    total = inertia(sketch.take("composite", COMPOSITE))
    inverse = 1 / total.mass
    for axis, row in zip("xyz", rows, strict=True):
        sketch.give(axis, [row.dot(p) * inverse])
    return sketch.step()
