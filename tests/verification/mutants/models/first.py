"""Rigid bodies on all joints, forces, loops, and what else each kind of model has once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from constraints.mechanisms import five_bar, four_bar
from sympy.physics.mechanics import dynamicsymbols
from verification.witnesses import Plank, arm, orbiter, spinner

from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.model import Model, Placement, Point

_TILTED = Placement(xyz=(0.2, -0.1, 0.3), rpy=(0.3, -0.5, 0.7))
_SECOND = Placement(xyz=(-0.1, 0.2, 0.1), rpy=(-0.4, 0.2, 0.5))
_INERTIA = (0.31, 0.42, 0.23, 0.02, -0.03, 0.01)


def _model(name: str, bodies: int = 1) -> Model:
    model = Model(name, gravity=(0.3, -0.4, -9.81))
    for k in range(bodies):
        place = (0.1 + 0.05 * k, -0.2, 0.3)
        model.body("ab"[k], mass=1.3 - 0.4 * k, com=place, inertia=_INERTIA)
    return model


def pendulum() -> Model:
    model = _model("pendulum")
    model.joint(
        "hinge",
        "revolute",
        parent="world",
        child="a",
        axis=(0, 1, 0),
        placement=_TILTED,
        damping=0.1,
    )
    return model


def double() -> Model:
    """Two hinges, a tunable mass, a frame."""
    model = _model("double")
    model.parameter("m", 0.7, units="kg", tunable=True)
    model.body("b", mass="m", com=(0.2, 0.1, -0.3), inertia=(0.11, 0.16, 0.19))
    model.joint("one", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.joint(
        "two",
        "revolute",
        parent="a",
        child="b",
        axis=(0, 0.6, 0.8),
        placement=_TILTED,
        child_placement=_SECOND,
    )
    model.frame("tool", body="b", placement=_SECOND)
    return model


def _on_a_slide(kind: str, **more: Any) -> Callable[[], Model]:
    """A body on a joint of some kind, on a body that slides."""

    def make() -> Model:
        model = _model(kind, 2)
        model.joint("slide", "prismatic", parent="world", child="a", axis=(0.6, 0, 0.8))
        model.joint(
            "joint", kind, parent="a", child="b", placement=_TILTED, child_placement=_SECOND, **more
        )
        return model

    return make


def forces() -> Model:
    """Every kind of force of a body, a joint or a speed."""
    model = _model("forces", 2)
    model.parameter("k", 12.5)
    push = model.input("push", units="N")
    model.joint(
        "one",
        "revolute",
        parent="world",
        child="a",
        axis=(0, 1, 0),
        damping=0.2,
        friction=0.3,
        friction_speed=0.4,
    )
    model.joint("two", "prismatic", parent="a", child="b", axis=(1, 0, 0), placement=_TILTED)
    a, b = Point("a", (0.3, 0.1, 0)), Point("b", (0.1, 0.2, -0.1))
    model.spring(
        "rope", a=b, b=Point("world", (1, 1, 1)), stiffness="k", damping=0.8, free_length=0.6
    )
    model.spring("law", a=a, b=b, law="k*x**3 + push*v", free_length=0.5)
    model.joint_spring("return", joint="two", stiffness=30.0, damping=0.5, free_angle=0.1)
    model.force("tip", at=b, direction=(1, 2, -1), frame="body", magnitude=push)
    model.force("wind", at=a, direction=(0, 1, 0.5), magnitude="sin(2*t)")
    model.torque("field", body="a", direction=(0.2, 1, 0.4), magnitude=1.7)
    model.potential("bump", "0.3*cos(one)*two")
    model.generalized_force("drag", "two", "-0.2*speed(one)*cos(two)")
    return model


def driven() -> Model:
    """Three hinges, the middle one prescribed."""
    model = _model("driven", 2)
    model.body("c", mass=0.5, com=(0.1, 0.2, 0.1), inertia=(0.1, 0.2, 0.15))
    for name, parent, child in (("one", "world", "a"), ("two", "a", "b"), ("three", "b", "c")):
        model.joint(
            name, "revolute", parent=parent, child=child, axis=(0, 0.6, 0.8), placement=_TILTED
        )
    model.prescribed("two")
    return model


def elements() -> Model:
    """A lagging motor, bristles and a state of one's own."""
    model = _model("elements")
    model.input("c", units="N m")
    model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.lag("motor", speed="hinge", command="c - 2*hinge - act", time_constant=0.2)
    model.bristle(
        "brush",
        speed="hinge",
        stiffness=100,
        coulomb=1,
        static=1.5,
        stribeck_speed=0.1,
        damping=1,
        viscous=0.1,
    )
    model.state("act", rate="c - act + 0.1*speed(hinge)", initial=0.3)
    model.generalized_force("muscle", speed="hinge", expression="3*act**2")
    return model


def loop() -> Model:
    """A four-bar with losses in its joints, one of them cut."""
    return four_bar("c", a={"damping": 0.2}, c={"damping": 0.3})


def driven_loop() -> Model:
    """A five-bar, one crank prescribed."""
    model = five_bar()
    model.prescribed("j1")
    return model


def ball() -> Model:
    """A ball that rolls."""
    model = Model("ball", gravity=(0.3, 0, -9.81))
    model.body("wheel", mass=1.3, com=(0.05, 0.02, 0.01), inertia=(0.08, 0.09, 0.1))
    model.joint("free", "floating", parent="world", child="wheel")
    model.constraint("road", "rolling", a="wheel", b="world", axis_b=(0, 0, 1), length=0.4)
    return model


def points() -> Model:
    """A body that a line and a direction hold."""
    model = _model("points", 2)
    model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.joint("free", "floating", parent="world", child="b")
    model.constraint(
        "rail",
        "point_on_line",
        a=Point("b", (0.1, 0.2, 0)),
        b=Point("a", (0.5, 0, 0.1)),
        axis_b=(0.6, 0, 0.8),
    )
    model.constraint("level", "perpendicular", a="b", b="a", axis_a=(1, 0, 0), axis_b=(0, 0.6, 0.8))
    return model


def plank() -> Model:
    """A deformable body of one's own form on a hinge, a load at its tip."""
    model = Model("plank", gravity=(1.3, -0.4, -9.81))
    model.deformable("jib", Plank())
    model.joint("slew", "revolute", parent="world", child="jib", axis=(0.6, 0, 0.8), damping=0.2)
    model.body("hook", mass=0.3, com=(0, 0.1, -0.2), inertia=(0.02, 0.01, 0.02))
    model.joint("weld", "attachment", parent="jib", child="hook", at=0.75)
    model.frame("tool", body="hook", placement=(0.1, 0, -0.3))
    return model


def beam() -> Model:
    """A slewing beam that bends out of the plane of its turn."""
    model = Model("beam", gravity=(0, 0.5, -9.81))
    model.deformable(
        "link",
        "beam",
        length=1.5,
        mass_per_length=0.6,
        EI=60,
        modes={"y": 1, "z": 1},
        damping={"y1": 0.01, "z1": 0.01},
    )
    model.body("hand", mass=0.8, inertia=(1e-3, 1e-3, 1e-3))
    model.joint("turn", "revolute", parent="world", child="link", axis=(0, 0, 1), damping=0.05)
    model.joint("mount", "attachment", parent="link", child="hand", at="tip")
    return model


def sympy_system() -> LagrangianSystem:
    """A cart with a pendulum, a spring, a damper and a driving force."""
    x, theta, force = dynamicsymbols("x theta force")
    kinetic = x.diff() ** 2 + (sp.diff(x, dynamicsymbols._t) * theta.diff() * sp.cos(theta))
    kinetic += theta.diff() ** 2
    return LagrangianSystem(
        "cart",
        [x, theta],
        kinetic,
        sp.Rational(5, 2) * x**2 - 3 * sp.cos(theta),
        dissipation=x.diff() ** 2 / 10,
        generalized_forces={x: force},
        inputs=[force],
    )


MODELS: dict[str, Callable[[], Any]] = {
    "universal": _on_a_slide("universal", axis=(0.6, 0, 0.8), axis_2=(0, 0.8, 0.6)),
    "pendulum": pendulum,
    "sympy_system": sympy_system,
    "double": double,
    "elements": elements,
    "loop": loop,
    "driven": driven,
    "forces": forces,
    "driven_loop": driven_loop,
    "screw": _on_a_slide("screw", axis=(0.48, -0.6, 0.64), pitch=0.3),
    "cylindrical": _on_a_slide("cylindrical", axis=(0.48, -0.6, 0.64)),
    "planar": _on_a_slide("planar", axis=(0.48, -0.6, 0.64)),
    "spherical": _on_a_slide("spherical"),
    "spherical_euler": _on_a_slide("spherical_euler"),
    "plank": plank,
    "spinner": spinner,
    "ball": ball,
    "beam": beam,
    "orbiter": orbiter,
    "arm": arm,
    "points": points,
}
