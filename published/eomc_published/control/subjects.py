"""Mechanisms of optimal control, and whether CasADi is there."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from eomc.building import build
from eomc.derive.formats import load
from eomc.derive.model import Model, Point
from eomc_published.work import model_file

MISSING = "" if find_spec("casadi") else "CasADi is not installed: pip install 'eomc[casadi]'"


def _trolley(name: str, trolley: float, load_: float, length: float) -> Model:
    """A point load that hangs on a trolley: a cart-pole, or a crane."""
    model = Model(name, gravity=(0, 0, -9.81))
    model.body("trolley", mass=trolley)
    model.joint("slider", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    model.body("load", mass=load_, com=(0, 0, -length))
    model.joint("sway", "revolute", parent="trolley", child="load", axis=(0, -1, 0))
    return model


def _acrobot() -> Model:
    """Two rods of 1 kg and 1 m; the motor is between them."""
    model = Model("acrobot", gravity=(0, 0, -9.81))
    rod: dict[str, Any] = {"mass": 1.0, "com": (0, 0, -0.5), "inertia": (1 / 12, 1 / 12, 0)}
    model.body("upper", **rod)
    model.joint("shoulder", "revolute", parent="world", child="upper", axis=(0, -1, 0))
    model.body("lower", **rod)
    at = {"xyz": (0, 0, -1.0)}
    model.joint("elbow", "revolute", parent="upper", child="lower", axis=(0, -1, 0), placement=at)
    return model


def _slide() -> Model:
    """A mass of 1 kg on a line."""
    model = Model("slide", gravity=(0, 0, 0))
    model.body("block", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    return model


def _two_masses() -> Model:
    """Masses of 1 kg on a line, a spring of 1 N/m between them; d is its stretch."""
    model = Model("two_masses", gravity=(0, 0, 0))
    model.body("first", mass=1.0)
    model.joint("x", "prismatic", parent="world", child="first", axis=(1, 0, 0))
    model.body("second", mass=1.0)
    model.joint("d", "prismatic", parent="first", child="second", axis=(1, 0, 0))
    model.joint_spring("spring", joint="d", stiffness=1.0)
    return model


def _hanging() -> Model:
    """A point of 1 kg on a rod whose length l is tunable."""
    model = Model("hanging", gravity=(0, 0, -9.81))
    length = model.parameter("l", 0.5, units="m", tunable=True)
    model.body("bob", mass=1.0, com=(0, 0, -length))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, -1, 0))
    return model


def _damped_pendulum() -> Model:
    """th'' = -(g/l) sin th - c th' + v with l = 0.5 m, c = 0.1 / s."""
    model = Model("damped_pendulum", gravity=(0, 0, -9.81))
    model.body("bob", mass=4.0, com=(0, 0, -0.5))
    model.joint("pivot", "revolute", parent="world", child="bob", axis=(0, -1, 0), damping=0.1)
    return model


def _turning() -> Model:
    """A body that turns freely."""
    model = Model("turning", gravity=(0, 0, 0))
    model.body("hull", mass=1.0, inertia=(0.01, 0.012, 0.02))
    model.joint("turn", "spherical", parent="world", child="hull")
    return model


def _quadcopter() -> Model:
    """Speeds in world axes, rates and torques in body axes."""
    model = Model("quad", gravity=(0, 0, -9.81))
    before = "world"
    for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
        model.body(f"at_{name}")
        model.joint(name, "prismatic", parent=before, child=f"at_{name}", axis=axis)
        before = f"at_{name}"
    model.body("hull", mass=1.0, inertia=(0.01, 0.012, 0.02))
    model.joint("turn", "spherical", parent=before, child="hull")
    for name in ("thrust", "mx", "my", "mz"):
        model.input(name)
    model.force("rotors", at=Point("hull"), direction=(0, 0, 1), frame="body", magnitude="thrust")
    for name, axis in (("mx", (1, 0, 0)), ("my", (0, 1, 0)), ("mz", (0, 0, 1))):
        model.torque(f"of_{name}", body="hull", direction=axis, frame="body", magnitude=name)
    return model


def _chain() -> Model:
    """Two masses of 1 kg, one on a spring of 4 N/m; an input drives them in opposite directions."""
    model = Model("chain", gravity=(0, 0, 0))
    model.input("v", units="N")
    for name, force in (("p", "v"), ("y", "-4*y - v")):
        model.body(name, mass=1.0)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
        model.generalized_force(f"force_{name}", name, force)
    return model


_MADE = {
    "chain": _chain,
    "cart_pole": lambda: _trolley("cart_pole", 1.0, 0.3, 0.5),
    "crane": lambda: _trolley("crane", 50.0, 80.0, 3.0),
    "acrobot": _acrobot,
    "slide": _slide,
    "two_masses": _two_masses,
    "hanging": _hanging,
    "quad": _quadcopter,
    "damped_pendulum": _damped_pendulum,
    "turning": _turning,
}


def described(name: str) -> Model:
    """The model as it is declared."""
    return _MADE[name]() if name in _MADE else load(model_file(name))


@cache
def compiled(name: str) -> Any:
    """The model, compiled."""
    return build(described(name))
