"""Systems given in SymPy, trees in loops over their bodies, driven speeds, controlled struts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import sympy
from lagrange.example_systems import constrained_pendulum, knife_edge
from lagrange.same_physics import cart_of_kane, disc_of_kane, rod_of_kane
from sympy.physics.mechanics import dynamicsymbols

from eomc.derive.cables import Winch
from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.model import Model, Placement, Point

_TILTED = Placement(xyz=(0.2, -0.1, 0.3), rpy=(0.3, -0.5, 0.7))


def branches() -> Model:
    """Two arms on a base that slides: links of several motions, a tunable mass, losses."""
    model = Model("branches", gravity=(0.3, -0.4, -9.81))
    model.parameter("m", 0.7, units="kg", tunable=True)
    push = model.input("push", units="N m")
    model.body("base", mass=2, com=(0.1, 0, 0.05), inertia=(0.3, 0.4, 0.2, 0.02, -0.03, 0.01))
    model.body("upper", mass="m", com=(0.2, 0.1, -0.3), inertia=(0.11, 0.16, 0.19))
    model.body("tool", mass=0.4, com=(0, 0.1, 0.2), inertia=(0.02, 0.03, 0.025))
    model.body("side", mass=0.8, com=(0.1, 0.2, 0.1), inertia=(0.1, 0.2, 0.15))
    model.joint("rail", "prismatic", parent="world", child="base", axis=(0.6, 0, 0.8), damping=0.4)
    model.joint(
        "shoulder",
        "revolute",
        parent="base",
        child="upper",
        axis=(0, 1, 0),
        placement=_TILTED,
        damping=0.1,
        friction=0.2,
        friction_speed=0.5,
        rotor_inertia=0.02,
        gear_ratio=3,
    )
    model.joint("wrist", "fixed", parent="upper", child="tool", placement=(0, 0, -0.5))
    model.joint(
        "arm", "revolute", parent="base", child="side", axis=(0, 0.6, 0.8), child_placement=_TILTED
    )
    model.generalized_force("motor", "arm", push)
    model.joint_spring("return", joint="shoulder", stiffness=30.0, damping=0.5, free_angle=0.1)
    return model


def led() -> Model:
    """Three hinges of which two are driven by their accelerations."""
    model = Model("led", gravity=(0.3, -0.4, -9.81))
    for name, parent, child in (("one", "world", "a"), ("two", "a", "b"), ("three", "b", "c")):
        model.body(child, mass=0.7, com=(0.2, 0.1, -0.3), inertia=(0.11, 0.16, 0.19))
        model.joint(
            name, "revolute", parent=parent, child=child, axis=(0, 0.6, 0.8), placement=_TILTED
        )
    model.servo_constraint("one")
    model.servo_constraint("three")
    return model


def towed(length: float = 1.0, sides: Sequence[int] = (-1, 1)) -> Model:
    """A sledge between drums, whose ropes are always taut."""
    model = Model(f"towed_by_{len(sides)}", gravity=(0.3, 0, 0))
    model.body("sledge", mass=3)
    model.joint(
        "x", "prismatic", parent="world", child="sledge", axis=(1, 0, 0), lower=-0.3, upper=0.3
    )
    for k, side in enumerate(sides, start=1):
        _pull(model, str(k), "sledge", (2 * side, 0.3 * (k // 3), 0), side, length)
    return model


def _pull(
    model: Model, name: str, body: str, place: tuple[float, float, float], side: int, length: float
) -> None:
    """A rope to a drum in the place, and the torque on that."""
    model.body(f"drum{name}", mass=1, inertia=(0.01, 0.01, 0.01))
    model.joint(
        f"turn{name}",
        "revolute",
        parent="world",
        child=f"drum{name}",
        axis=(0, 1, 0),
        placement=place,
    )
    drum = Winch(
        Point("world", place),
        radius=0.1,
        sense=-side,
        turn=f"turn{name}",
        axis=(0, 1, 0),
        zero=(-2 * side, 0.4, 0),
    )
    model.cable(f"rope{name}", [drum, body], length=length, modulus=1e8, area=1e-6)
    model.input(f"m{name}")
    model.generalized_force(f"m{name}", speed=f"turn{name}", expression=f"m{name}")


def laden() -> Model:
    """The same, and a load on one rope, whose tension nothing but its weight decides."""
    model = towed()
    model.body("load", mass=2)
    model.joint(
        "down",
        "prismatic",
        parent="world",
        child="load",
        axis=(1, 0, 0),
        placement=(0, 1, 0),
        lower=-0.3,
        upper=0.3,
    )
    _pull(model, "_load", "load", (-2, 1, 0), -1, 1.0)
    return model


def geared() -> Model:
    """The same, its drums held together by gears, and the sledge by a rack."""
    model = towed()
    model.body("third", mass=1, inertia=(0.01, 0.01, 0.01))
    model.joint("turn3", "revolute", parent="world", child="third", axis=(0, 1, 0))
    model.constraint("gears", "expression", expression="turn3 - turn1/2 + x/5 + x*x/7")
    return model


def platform(ropes: int = 6) -> Model:
    """A plate held in a plane by ropes from drums all around, of which any three would do."""
    model = Model("platform", gravity=(0.3, -0.2, 0))
    model.body("plate", mass=3, inertia=(0.1, 0.1, 0.1))
    model.joint("free", "planar", parent="world", child="plate", axis=(0, 0, 1))
    for k in range(ropes):
        angle = 2 * math.pi * k / ropes + 0.2
        side, turned = (math.cos(angle), math.sin(angle)), angle + (0.7 if k % 2 else -0.7)
        place = (3 * side[0], 3 * side[1], 0)
        model.body(f"drum{k}", mass=1, inertia=(0.01, 0.01, 0.01))
        model.joint(
            f"turn{k}",
            "revolute",
            parent="world",
            child=f"drum{k}",
            axis=(0, 0, 1),
            placement=place,
        )
        eye = Point("plate", (0.6 * math.cos(turned), 0.6 * math.sin(turned), 0))
        drum = Winch(
            Point("world", place),
            radius=0.1,
            sense=1,
            turn=f"turn{k}",
            axis=(0, 0, 1),
            zero=(-side[0], -side[1], 0),
        )
        model.cable(f"rope{k}", [drum, eye], length=1.8, modulus=1e8, area=1e-6)
        model.input(f"m{k}")
        model.generalized_force(f"m{k}", speed=f"turn{k}", expression=f"m{k}")
    return model


def six() -> Model:
    """Six hinges in a plane, every other with a rotor, whose derivatives have columns enough for
    rows of vectors."""
    model = Model("six", gravity=(0.3, 0, -9.81))
    for k in range(6):
        model.body(f"b{k}", mass=1.1 - 0.1 * k, com=(0.3, 0.1, 0), inertia=(0.03, 0.04, 0.02))
        parent = f"b{k - 1}" if k else "world"
        model.joint(
            f"j{k}",
            "revolute",
            parent=parent,
            child=f"b{k}",
            axis=(0, 1, 0),
            placement=(0.5, 0, 0.1),
            damping=0.1,
            rotor_inertia=0.02 * (k % 2),
        )
    return model


def eight() -> Model:
    """Eight hinges about two axes by turns, whose mass matrix and derivatives are written in rows
    of eight columns and of four."""
    model = Model("eight", gravity=(0.3, 0, -9.81))
    for k in range(8):
        model.body(f"b{k}", mass=1.1 - 0.1 * k, com=(0.3, 0.1, 0), inertia=(0.03, 0.04, 0.02))
        parent = f"b{k - 1}" if k else "world"
        axis = ((0, 1, 0), (0, 0, 1))[k % 2]
        model.joint(
            f"j{k}",
            "revolute",
            parent=parent,
            child=f"b{k}",
            axis=axis,
            placement=(0.5, 0, 0.1),
            damping=0.1,
            rotor_inertia=0.02 * (k % 2),
        )
    return model


def vane() -> LagrangianSystem:
    """A vane on a slide, and a force with the sine and the cosine of one angle in one term."""
    x, turn = dynamicsymbols("x turn")
    return LagrangianSystem(
        "vane",
        [x, turn],
        kinetic_energy=0.7 * x.diff() ** 2
        + 0.1 * turn.diff() ** 2
        + 0.2 * x.diff() * turn.diff() * sympy.cos(turn),
        generalized_forces={turn: sympy.sin(turn) * sympy.cos(turn) - 0.3 * turn - 0.1 * x},
    )


MODELS: dict[str, Callable[[], Any]] = {
    "branches": branches,
    "vane": vane,
    "led": led,
    "six": six,
    "eight": eight,
    "towed": towed,
    "laden": laden,
    "geared": geared,
    "harnessed": partial(towed, sides=(-1, 1, -1, 1)),
    "platform": platform,
    "cart_of_kane": cart_of_kane,
    "led_cart": partial(cart_of_kane, led=True),
    "disc_of_kane": disc_of_kane,
    "rod_of_kane": rod_of_kane,
    "rope_of_lagrange": constrained_pendulum,
    "knife": knife_edge,
}
