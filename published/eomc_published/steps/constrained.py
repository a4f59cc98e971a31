"""Cases 5 and 6: a pendulum as a constraint, and a four-bar whose pin is a stiff bushing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.models import (
    FOUR_BAR,
    FOUR_BAR_RATES,
    four_bar_with_bushing,
    pendulum_in_the_plane,
)

_END = np.array([-0.9862917511318754, -0.165010853125541])
_TENSION = -4.856269407484675
"""Multiplier of (x^2 + y^2 - 1)/2 at the end."""
_PLANE = {"linear_euler": 1, "midpoint": 2, "generalized_alpha": 2, "ros34pw2": 3, "rodas4p": 4}
_FIRST_AND_LAST = {"ros34pw2": (1.26e-4, 2.61e-7), "rodas4p": (1.67e-7, 1.55e-11)}


def _pendulum() -> Iterator[CaseCheck]:
    model = pendulum_in_the_plane()
    for method, order in _PLANE.items():
        errors, tensions, worst = [], [], 0.0
        for steps in (50, 100, 200, 400):
            run = simulate(model, [1.0, 0.0], t_span=1.0, method=method, step=1 / steps)
            errors.append(float(np.linalg.norm(run.q[-1] - _END)))
            held = model.constrained_dynamics(run.q[-1], run.u[-1], [0, 0], [0])
            tensions.append(abs(float(held[1][0]) - _TENSION))
            position = np.abs((run.q**2).sum(axis=1) - 1).max()
            velocity = np.abs((run.q * run.u).sum(axis=1)).max()
            worst = max(worst, float(position), float(velocity))
        found = np.log2(np.array(errors[1:-1]) / errors[2:])
        if order < 4:
            yield agrees(f"{method}: order", np.full(2, order), found, 0.15)
            falls = np.log2(tensions[-2] / tensions[-1])
            yield agrees(f"{method}: order of the multiplier", order, falls, 0.15)
        else:
            yield at_most(f"{method}: order that {order} lacks", order - found.min(), 0.15)
        yield at_most(f"{method}: residuals after each step", worst, 1e-12)
        if method in _FIRST_AND_LAST:
            ratio = np.array([errors[0], errors[-1]]) / np.array(_FIRST_AND_LAST[method])
            yield agrees(f"{method}: errors over those published", np.ones(2), ratio, 0.03)


_HALF = (
    np.array([5.364550659571, 0.972410549416, -1.006807828979]),
    np.array([9.307907068966, -0.334909875709, -5.775868007593]),
)
_WHOLE = (
    np.array([8.770083544875, 0.212213346461, -0.778691959434]),
    np.array([7.562904517319, 0.419321988155, 4.135283415447]),
)
_BUSHING = {"rodas4p": (4.589e-6, 2.801e-6, 9.02e-8), "ros34pw2": (3.518e-2, 6.10e-3, 6.98e-4)}


def _relative(angles: np.ndarray) -> np.ndarray:
    return np.diff(angles, prepend=0.0)


def _bushing() -> Iterator[CaseCheck]:
    model = four_bar_with_bushing()
    start = _relative(FOUR_BAR), _relative(FOUR_BAR_RATES)
    exact = simulate(model, *start, t_span=[0, 0.5, 1.0], method="Radau", rtol=1e-11, atol=1e-13)
    for k, (angles, rates) in enumerate((_HALF, _WHOLE), 1):
        yield agrees(f"angles at {k / 2} s", angles, np.cumsum(exact.q[k]), 1e-9)
        yield agrees(f"rates at {k / 2} s", rates, np.cumsum(exact.u[k]), 1e-7)
    for method, expected in _BUSHING.items():
        for h, wanted in zip((1e-3, 5e-4, 2.5e-4), expected, strict=True):
            run = simulate(model, *start, t_span=1.0, method=method, step=h)
            error = float(np.abs(np.cumsum(run.q[-1]) - _WHOLE[0]).max())
            yield agrees(f"{method}: error at h = {h:g}", wanted, error, 0.02, relative=True)


CASES = (
    Case(
        5,
        "Pendulum as a constraint",
        "Hairer and Wanner II, sec. VII.2",
        "orders and errors against the elliptic solution; residuals after each step",
        _pendulum,
    ),
    Case(
        6,
        "Four-bar with a stiff bushing",
        "stiff directions that turn with the crank",
        "Radau's method of SciPy, and errors of compiled steps",
        _bushing,
        slow=True,
    ),
)
