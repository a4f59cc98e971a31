"""Models whose functions go into other packages, and packages that may not be there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

import eomc
from eomc.building import build
from eomc.derive.model import Model
from eomc.systems.pendulum import planar_pendulum
from eomc_published.work import model_file

Array = np.ndarray[Any, Any]


def _switches() -> Model:
    """A slide with a stop and a law by pieces."""
    model = Model("switches", gravity=(0, 0, -9.81))
    model.body("block", mass=1.5)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0), damping=0.1)
    model.stop("rail", "x", {"kind": "spring", "stiffness": 100.0}, upper=0.1)
    model.generalized_force("law", speed="x", expression="-3*max(x, 0) - abs(x)*x")
    return model


def _top() -> Model:
    """A body that turns about a point, by a quaternion, pushed by an input."""
    model = Model("top", gravity=(0, 0, -9.81))
    model.parameter("m", 1.5, tunable=True)
    model.input("push")
    model.body("top", mass="m", com=(0.1, 0, 0.3), inertia=(0.2, 0.25, 0.1))
    model.joint("ball", "spherical", parent="world", child="top", damping=0.1)
    model.generalized_force("motor", speed="ball_wz", expression="push")
    return model


_OWN: dict[str, Callable[[], Model]] = {
    "switches": _switches,
    "top": _top,
    "chain": lambda: planar_pendulum(3),
}


def _source(name: str) -> Any:
    return _OWN[name]() if name in _OWN else model_file(name)


def without(package: str, name: str) -> str:
    """Reason for which a case cannot be evaluated; empty if it can."""
    return "" if find_spec(package) else f"{name} is not installed"


def package(name: str) -> Any:
    """The package; JAX in double precision."""
    found = import_module(name)
    if name == "jax":
        found.config.update("jax_enable_x64", True)
    return found


@cache
def equations(name: str) -> Any:
    """Of one of the example models."""
    return eomc.equations(_source(name))


@cache
def compiled(name: str) -> Any:
    """The same, built."""
    return build(equations(name))


def arguments(name: str, function: str) -> list[Array]:
    """Random ones, quaternions of unit length, without tunable parameters."""
    rng, model = np.random.default_rng(3), compiled(name)
    found = []
    for argument in equations(name).program(functions=[function]).functions[0].inputs:
        value = 0.5 * rng.normal(size=argument.shape)
        found.append(model.normalize(value + model.neutral()) if argument.name == "q" else value)
    return found


def parameters(name: str) -> list[Array]:
    """Tunable parameters as a last argument, where there are any."""
    values = list(compiled(name).parameters.values())
    return [np.array(values)] if values else []
