"""Case 4: a slider without mass between springs, one of which hardens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.optimize import brentq

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.linearization.linearize import linearize
from eomc_published.case import Case, CaseCheck, agrees

_ASKED = ["forward_dynamics", "element_outputs", "linearization", "inverse_dynamics"]


def _slider() -> Iterator[CaseCheck]:
    model = Model("pulled", gravity=(0, 0, 0))
    model.body("block", mass=2)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.algebraic(
        "s", energy="40*(x - s)**2/2 + 300*(x - s)**4/4 + 60*s**2/2", initial_guess="x/2"
    )
    compiled = build(model, functions=[*_ASKED])
    places, found, pulls = np.linspace(-1, 1, 9), [], []
    exact = [
        brentq(lambda s, x=x: 40 * (x - s) + 300 * (x - s) ** 3 - 60 * s, -9, 9, xtol=1e-15)
        for x in places
    ]
    for x in places:
        found.append(compiled.element_outputs([x], [0]).item())
        pulls.append(-2 * compiled.forward_dynamics([x], [0], [0]).item())
    yield agrees("places of the slider", exact, found, 1e-13)
    yield agrees("pull of the springs", 60 * np.array(exact), pulls, 1e-12, relative=True)
    hard = 40 + 900 * (places[-1] - exact[-1]) ** 2
    linear = linearize(compiled, q=[places[-1]], tau=[60 * exact[-1]])
    both = 1 / (1 / hard + 1 / 60)
    yield agrees(
        "stiffness of both behind one another", both, -2 * linear.A[1, 0], 1e-11, relative=True
    )


CASES = (Case(4, "Slider without mass", "statics", "springs one behind the other", _slider),)
