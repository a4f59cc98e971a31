"""Mechanisms of optimal control, and whether CasADi is there."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any

from eomc.building import build
from eomc.derive.formats import load
from eomc.derive.model import Model
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
}


def described(name: str) -> Model:
    """The model as it is declared."""
    return _MADE[name]() if name in _MADE else load(model_file(name))


@cache
def compiled(name: str) -> Any:
    """The model, compiled."""
    return build(described(name))
