"""Case 13: tendons along a rod."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import linearize
from eomc.systems.rods.cantilever import tip_place
from eomc_published.case import Case, CaseCheck, agrees, holds

FUNCTIONS = (
    "inverse_dynamics",
    "gravity",
    "linearization",
    "input_matrix",
    "integrate",
    "normalize",
    "neutral",
    "frame_tip_pose",
    "element_outputs",
)
OFFSET = 0.1


def tendon_finger(flexor: float = 0.1, extensor: float | None = None) -> Model:
    """A clamped rod of length and stiffness one with a tendon parallel to its axis on one side, or
    one on each, at these offsets [m]; inputs of their names are the tensions [N].

    >>> list(tendon_finger(0.1, -0.1).inputs)
    ['flexor', 'extensor']
    """
    model = Model("finger", gravity=(0, 0, 0))
    model.deformable(
        "rod",
        "rod",
        length=1,
        mass_per_length=1,
        EI=1,
        strains={"bend_z": 3},
        points=6,
        order=6,
        reach=4.0,
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    for name, offset in (("flexor", flexor), ("extensor", extensor)):
        if offset is not None:
            model.input(name, units="N")
            model.tendon(f"tendon_{name}", body="rod", offset=(offset, 0), law=name)
    return model


def _compiled(model: Model) -> Any:
    return build(model, functions=FUNCTIONS, flags=("-O0",))


def _circle() -> Iterator[CaseCheck]:
    """kz = T d/EI constant, l = L (1 - kz d), to the full circle and with slack."""
    model, q = _compiled(tendon_finger(OFFSET)), None
    for turn in (0.1, math.pi / 2, math.pi, 2 * math.pi):
        given = {"flexor": turn / OFFSET}
        q = equilibrium(model, q, inputs=given).q
        word = f"T d = {turn:.4g}"
        yield agrees(f"{word}: strains", [turn, 0, 0], q, 1e-11)
        exact = [math.sin(turn) / turn, (1 - math.cos(turn)) / turn, 0]
        yield agrees(f"{word}: tip", exact, tip_place(model, q), 1e-12)
        label = model.outputs(q, np.zeros(3), [turn / OFFSET])
        yield agrees(f"{word}: length", 1 - turn * OFFSET, label["tendon_flexor.length"], 1e-12)


def _opposite() -> Iterator[CaseCheck]:
    """Two equal tendons on both sides do nothing, whatever their tension."""
    model = _compiled(tendon_finger(OFFSET, -OFFSET))
    zeros = np.zeros(3)
    bare = linearize(model, q=zeros, u=zeros, a=zeros).stiffness
    for tension in (1.0, 1e3):
        inputs = {"flexor": tension, "extensor": tension}
        state = equilibrium(model, inputs=inputs)
        yield agrees(f"T = {tension:g}: strains", zeros, state.q, 1e-12)
        stiffness = linearize(model, state, inputs=inputs).stiffness
        yield agrees(f"T = {tension:g}: stiffness", bare, stiffness, 1e-10, relative=True)
        least = float(np.linalg.eigvalsh(stiffness).min())
        yield holds(
            f"T = {tension:g}: straight", "stable", f"least stiffness {least:.3g}", least > 0.1
        )


def _tendons() -> Iterator[CaseCheck]:
    yield from _circle()
    yield from _opposite()


CASES = (
    Case(
        13,
        "tendons",
        "geometrically exact rods, list of cases: constant curvature",
        "equilibrium and length under the tension of a tendon to the full circle, and the "
        "stiffness between two opposite ones",
        _tendons,
        slow=True,
    ),
)
