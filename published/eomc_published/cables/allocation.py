"""Case 38: tensions of planar robots that hang on four cables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.control import allocate
from eomc.runtime.control.least_effort import AllocationError
from eomc.runtime.model.compiled import CompiledModel
from eomc_published.case import Case, CaseCheck, agrees, holds

X, Y, Z = np.eye(3).tolist()
Points = tuple[tuple[float, float], ...]
FRAME: Points = ((-2, -1.5), (2, -1.5), (2, 1.5), (-2, 1.5))
CORNERS: Points = ((-0.3, 0.2), (0.3, 0.2), (0.3, -0.2), (-0.3, -0.2))


def hung(model: Model, anchors: Points, corners: Points) -> CompiledModel:
    """Four cables with the inputs t1 to t4 for tensions, from the ground to the platform."""
    for k, (anchor, corner) in enumerate(zip(anchors, corners, strict=True), 1):
        model.input(f"t{k}", units="N")
        route = [
            {"body": body, "xyz": (*xy, 0)}
            for body, xy in (("world", anchor), ("platform", corner))
        ]
        model.cable(f"cable{k}", route, length=1, law=f"t{k}")
    return build(model)


def platform() -> CompiledModel:
    """10 kg with three freedoms in a vertical plane."""
    model = Model("platform", gravity=(0, -9.81, 0))
    model.body("platform", mass=10, inertia=(1, 1, 0.6))
    model.joint("platform", "planar", parent="world", child="platform", axis=Z)
    return hung(model, FRAME, CORNERS)


def point() -> CompiledModel:
    """5 kg with two freedoms."""
    model = Model("point", gravity=(0, -9.81, 0))
    model.body("slide")
    model.body("platform", mass=5)
    model.joint("x", "prismatic", parent="world", child="slide", axis=X)
    model.joint("y", "prismatic", parent="slide", child="platform", axis=Y)
    return hung(model, ((0, 0), (4, 0), (4, 3), (0, 3)), ((0, 0),) * 4)


def _both(quantity: str, wanted: list[float], *motion: Any, **limits: Any) -> Iterator[CaseCheck]:
    for form in ("null space", "direct"):
        found = allocate(*motion, method=form, **limits).forces
        yield agrees(f"{quantity}, {form} [N]", wanted, found, 1e-7)


def _case() -> Iterator[CaseCheck]:
    motion = platform(), [0.4, 0.3, 0.1], [0, 0, 0], [1.2, -0.8, 2]
    lengths = [2.865298733298204, 2.421345179226997, 1.8752665287971364, 2.557834267754611]
    rows = motion[0].output_names("element_outputs")
    outputs = np.asarray(motion[0].function("element_outputs")(motion[1], motion[2], np.zeros(4)))
    got = [outputs[rows.index(f"cable{k}.length")] for k in range(1, 5)]
    yield agrees("lengths [m]", lengths, got, 1e-12)
    plain = [-37.8218554036, -31.5913326392, 32.6166606712, 24.7465505185]
    yield from _both("tensions without bounds", plain, *motion)
    least = [20, 41.31246972432408, 118.57236065419718, 92.89625990977402]
    yield from _both("tensions of the platform", least, *motion, limits=(20, 400))
    yield from _both("tensions up to 150 N", least, *motion, limits=(20, 150))
    message = ""
    try:
        allocate(*motion, limits=(20, 100))
    except AllocationError as error:
        message = str(error)
    # t1 = 20 takes 118.6 N in the third cable; with 100 N there it is 7.506 N.
    label = "t1 would be 7.50649, below its lower bound 20, with t3 at its upper bound 100"
    yield holds("tensions up to 100 N", label, message, label in message)
    held = [10, 10, 34.231836594754455, 46.158062420447386]
    yield from _both("a mass at rest", held, point(), [1.5, 1], limits=(10, 100))


CASES = (
    Case(
        38,
        "Allocation of tensions",
        "5.6",
        "inverse dynamics and a quadratic program",
        _case,
        provenance="reconstructed",
    ),
)
