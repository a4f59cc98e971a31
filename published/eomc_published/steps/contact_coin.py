"""Case 20: a coin that rolls on its rim while its centre rests."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin, sqrt
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.contact_balls import PLANE, G

RADIUS, LEAN = 0.05, 0.2
RATE = sqrt(4 * G / (RADIUS * sin(LEAN)))
START = (0, 0, RADIUS * sin(LEAN), cos(LEAN / 2), sin(LEAN / 2), 0, 0)
SPEEDS = (0, 0, 0, 0, RATE * sin(LEAN), 0)
LENGTHS = (2e-4, 1e-4, 5e-5, 2.5e-5)


def coin(*, rolls: bool) -> Any:
    """On a plane: it rolls by a constraint, or rubs as a rigid contact."""
    model = Model("coin", gravity=(0, 0, -G))
    turning = RADIUS**2 / 4
    model.body("coin", mass=1, inertia=(turning, turning, 2 * turning))
    model.joint("free", "floating", parent="world", child="coin")
    rim: dict[str, Any] = {"shape": {"kind": "disc", "at": "coin", "radius": RADIUS}}
    rim["surface"] = PLANE
    if rolls:
        model.constraint("roll", "rolling_contact", **rim)
    else:
        laws: dict[str, Any] = {"normal": {"kind": "rigid", "restitution": 0.0}}
        laws["friction"] = {"kind": "dry", "kinetic": 0.8}
        model.contact("rim", **rim, **laws)
    return build(model)


def _coin() -> Iterator[CaseCheck]:
    made, lost, gaps = coin(rolls=False), [], []
    for h in LENGTHS:
        run = simulate(made, START, SPEEDS, t_span=[0, 0.1], method="moreau", step=h)
        lost.append(run.energy[-1] / run.energy[0] - 1)
        gaps.append(float(np.asarray(made.rigid_contacts(run.q[-1], run.u[-1])[0])[0]))
    for k, wanted in enumerate((-2.5e-2, -1.26e-2, -6.3e-3, -3.2e-3)):
        yield agrees(f"h = {LENGTHS[k]:g}: energy", wanted, lost[k], 0.05 * abs(wanted))
    for k, wanted in ((0, -3.7e-4), (3, -4.7e-5)):
        yield agrees(f"h = {LENGTHS[k]:g}: gap", wanted, gaps[k], 0.05 * abs(wanted))
    for name, found in (("energy", lost), ("gap", gaps)):
        ratios = np.array(found[:-1]) / np.array(found[1:])
        yield agrees(f"{name}: ratios at half the step", [2.0] * 3, ratios, 0.1)
    run = simulate(coin(rolls=True), START, SPEEDS, t_span=0.1, method="rk4", step=1e-4)
    yield at_most("rolling_contact: centre", np.abs(run.q[:, :3] - START[:3]).max(), 1e-9)


CASES = (
    Case(
        20,
        "A coin rolls while its centre rests",
        "Euler's disc: circles at 4 g/(a sin lean); the steps' own order",
        "energy and gap at four steps; the constraint that rolls",
        _coin,
    ),
)
