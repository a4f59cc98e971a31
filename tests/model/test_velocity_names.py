"""Velocities of points and bodies by name, in expressions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.language.grammar import ExpressionError, parse_expression
from eomc.derive.language.printer import expression_text

RADIUS = 0.2
_ASKED = ["forward_dynamics", "coordinate_rates", "constraint_jacobian"]


def ball(*rows: tuple[str, str]) -> eomc.Model:
    model = eomc.Model("ball")
    model.body("ball", mass=2, com=(0.02, 0, 0.03), inertia=(0.03, 0.04, 0.05))
    model.joint("free", "floating", parent="world", child="ball")
    for name, expression in rows:
        model.constraint(name, "velocity", expression=expression)
    return model


def test_a_ball_rolls_by_the_velocities_of_its_centre() -> None:
    """v = w x r n of `rolling`, said by the user: v_x = r w_y, v_y = -r w_x, v_z = 0."""
    said = eomc.build(
        ball(
            ("x", f"velocity(ball, x) - {RADIUS}*angular_velocity(ball, y)"),
            ("y", f"velocity(ball, y) + {RADIUS}*angular_velocity(ball, x)"),
            ("z", "velocity(ball, z)"),
        ),
        functions=_ASKED,
    )
    model = ball()
    model.constraint("road", "rolling", a="ball", b="world", axis_b=(0, 0, 1), length=RADIUS)
    kind = eomc.build(model, functions=_ASKED)
    q = np.array([0.1, -0.3, RADIUS, 0.8, 0.4, -0.4, 0.2])
    w, r = np.array([0.7, -0.4, 1.1]), Rotation.from_quat(q[3:], scalar_first=True).as_matrix()
    spin = r @ w
    u = np.concatenate([r.T @ np.cross(spin, [0, 0, RADIUS]), w])
    one, two = (model.forward_dynamics(q, u, np.zeros(6)) for model in (said, kind))
    assert np.abs(one - two).max() < 1e-12
    assert np.abs(one).max() > 0.1
    for model in (said, kind):
        assert np.abs(model.constraint_jacobian(q) @ u).max() < 1e-14


def test_a_skate_keeps_its_heading() -> None:
    """velocity(skate, y, skate) = 0 is the knife edge."""

    def skate() -> eomc.Model:
        model = eomc.Model("skate", gravity=(0, 0, 0))
        model.body("skate", mass=1, com=(0.1, 0, 0), inertia=(1, 1, 0.2))
        model.joint("way", "planar", parent="world", child="skate", axis=(0, 0, 1))
        return model

    said, kind = skate(), skate()
    said.constraint("edge", "velocity", expression="velocity(skate, y, skate)")
    kind.constraint("edge", "knife_edge", a="skate", axis_a=(0, 1, 0))
    q, u = np.array([0.1, 0.2, 0.7]), np.array([np.cos(0.7), np.sin(0.7), 1.3])
    a = [
        eomc.build(model, functions=_ASKED).forward_dynamics(q, u, np.zeros(3))
        for model in (said, kind)
    ]
    assert np.abs(a[0] - a[1]).max() < 1e-13
    assert np.abs(a[0]).max() > 0.5


def flyer() -> eomc.Model:
    """Drag by the velocity of a frame, a gyro's torque, and both told."""
    model = eomc.Model("flyer")
    model.body("hull", mass=2, com=(0.1, 0.2, 0), inertia=(0.1, 0.2, 0.25))
    model.body("vane", mass=0.5, com=(0.2, 0, 0), inertia=(0.02, 0.02, 0.02))
    model.joint("free", "planar", parent="world", child="hull", axis=(0, 0.6, 0.8))
    model.joint(
        "pin",
        "revolute",
        parent="hull",
        child="vane",
        axis=(0, 0.6, 0.8),
        placement={"xyz": (0.3, 0, 0.1), "rpy": (0.1, 0.2, 0.3)},
    )
    model.frame("tail", "vane", placement={"xyz": (0.3, 0.1, 0), "rpy": (0.3, 0, 0.5)})
    model.force(
        "drag",
        at="vane",
        direction=(1, 0, 0),
        magnitude="-3*velocity(tail, y, tail)*abs(velocity(vane, x))",
    )
    model.generalized_force("gyro", speed="pin", expression="-2*angular_velocity(vane, z, hull)")
    model.output("slip", expression="velocity(tail, y, hull)**2 + angular_velocity(hull, x)")
    return model


def test_named_velocities_are_verified() -> None:
    """Against Newton's and Euler's equations in numbers, outputs and derivatives too."""
    report = eomc.verify(flyer(), quick=True)
    assert report.ok, report


def test_files_hold_them() -> None:
    model = flyer()
    again = parse_toml(toml_text(model))
    assert again.outputs["slip"] == model.outputs["slip"]
    text = "velocity('my tip', x) + angular_velocity(hub, z, 'a b')"
    symbol = parse_expression(text)
    assert {s.name for s in symbol.free_symbols} == {
        "velocity(my tip, x)",
        "angular_velocity(hub, z, a b)",
    }
    assert parse_expression(expression_text(symbol)) == symbol


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("velocity(tip)", "',' expected at position 12"),
        ("velocity(tip, w)", "takes a frame and the axis x, y or z"),
        ("velocity(3, x)", "takes a name"),
        ("velocity(tip, x, 3)", "takes a name"),
    ],
)
def test_bad_text(text: str, message: str) -> None:
    with pytest.raises(ExpressionError, match=message):
        parse_expression(text)


def test_bad_names() -> None:
    model = ball(("x", "velocity(bal, x)"))
    with pytest.raises(ModelError, match=r"unknown name 'velocity\(bal, x\)'; did you mean"):
        model.validate()
    model = ball(("x", "velocity(ball, x, wal)"))
    with pytest.raises(ModelError, match=r"unknown name 'velocity\(ball, x, wal\)'"):
        model.validate()
    model = ball()
    model.potential("v", expression="velocity(ball, x)**2")
    with pytest.raises(ModelError, match="is one of the motions; only"):
        model.validate()
    with pytest.raises(ModelError, match="must not begin with 'velocity"):
        model.body("velocity(a, x)", mass=1)
    model = ball(("x", "velocity(ball, x)**2"))
    with pytest.raises(ModelError, match="linear"):
        eomc.build(model, functions=_ASKED)
