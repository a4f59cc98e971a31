"""Cases 9 and 11: energy over long runs of a heavy top and of an orbit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.steps.models import G, heavy_top, kepler

_START = ([1.0, 0, 0, 0], [0.0, 150.0, -4.61538])
_ENERGY = 5435.696790865547
_INERTIA = np.array([15.234375, 0.46875, 15.234375])
_COM = np.array([0.1733439640981, 0.6400885920701, -0.748490791134])
_OMEGA = np.array([-0.822078101695, 150, -5.923291348116])


def _axes(q: np.ndarray) -> np.ndarray:
    """Rotations of the quaternions, (n, 3, 3)."""
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), -1, 0)


_VERTICAL = -70.3124296875
"""Moment of momentum about the vertical."""


def _turned(run: Trajectory) -> np.ndarray:
    """Relative change of the moment of momentum about the vertical."""
    about = np.einsum("kj,kj->k", _axes(run.q)[:, 2], run.u * _INERTIA)
    change: np.ndarray = np.abs(about / _VERTICAL - 1)
    return change


def _drift(run: Trajectory) -> np.ndarray:
    """Relative change of the energy."""
    axes, momentum = _axes(run.q), run.u * _INERTIA
    energy = (momentum * run.u).sum(axis=1) / 2 + 15 * G * axes[:, 2, 1]
    change: np.ndarray = np.abs(energy / _ENERGY - 1)
    return change


def _top() -> Iterator[CaseCheck]:
    model = heavy_top()
    exact = simulate(model, *_START, t_span=[0, 1.0], method="dopri", rtol=1e-12, atol=1e-13)
    yield agrees("centre of mass at 1 s", _COM, _axes(exact.q)[-1, :, 1], 1e-9)
    yield agrees("angular velocity at 1 s", _OMEGA, exact.u[-1], 1e-7)
    for method, order, within in (("rk4", 4, 0.3), ("midpoint", 2, 0.05)):
        errors = []
        for h in (1e-3, 5e-4, 2.5e-4):
            run = simulate(model, *_START, t_span=1.0, method=method, step=h)
            errors.append(float(np.linalg.norm(_axes(run.q)[-1, :, 1] - _COM)))
        found = np.log2(np.array(errors[:-1]) / errors[1:])
        yield agrees(f"{method}: order", order, found.mean(), within)
        if method == "midpoint":
            yield agrees("midpoint: error at 0.25 ms", 1.10e-3, errors[-1], 0.01, relative=True)
        else:
            yield agrees("rk4: error at 0.25 ms", 5.8e-7, errors[-1], 0.05, relative=True)
    run = simulate(model, *_START, t_span=20.0, method="midpoint", step=1e-3)
    energy = _drift(run)
    half = energy.size // 2
    yield at_most("midpoint: error of the energy over 20 s", energy.max(), 3e-5)
    yield at_most("second half over the first", energy[half:].max() / energy[:half].max(), 1.1)
    yield at_most("midpoint: moment of momentum about the vertical", _turned(run).max(), 1e-9)
    length = np.abs(np.linalg.norm(run.q, axis=1) - 1).max()
    yield at_most("midpoint: length of the quaternion", length, 1e-14)
    energy = _drift(simulate(model, *_START, t_span=20.0, method="rk4", step=1e-3))
    yield agrees("rk4: drift of the energy over 20 s", 1.10e-4, energy.max(), 0.05, relative=True)
    growth = energy[half:].max() / energy[:half].max()
    yield at_most("rk4: first half over the second", 1 / growth, 0.6)


_PERIOD, _PER_PERIOD = 2 * np.pi, 200


def _orbit() -> Iterator[CaseCheck]:
    model, h = kepler(), _PERIOD / _PER_PERIOD
    for method, periods, expected in (("midpoint", 100, 4.179580e-3), ("rk4", 100, 3.357283e-4)):
        q, u = getattr(model, method)([0.4, 0.0], [0.0, 2.0], [0, 0], h, periods * _PER_PERIOD)
        energy = (u * u).sum(axis=1) / 2 - 1 / np.linalg.norm(q, axis=1) + 0.5
        momentum = q[:, 0] * u[:, 1] - q[:, 1] * u[:, 0]
        if method == "midpoint":
            yield agrees(
                "midpoint: error of the energy, 100 periods",
                expected,
                np.abs(energy).max(),
                1e-4,
                relative=True,
            )
            yield at_most("midpoint: angular momentum", np.abs(momentum / 0.8 - 1).max(), 1e-12)
        else:
            ends = energy[:: 10 * _PER_PERIOD]
            yield agrees("rk4: energy after 100 periods", -expected, ends[-1], 1e-8)
            slope = (ends[-1] - ends[1]) / 90
            yield agrees("rk4: slope a period", -3.35e-6, slope, 0.02, relative=True)


CASES = (
    Case(
        9,
        "Energy of a heavy top",
        "Simo and Wong, Int. J. Numer. Methods Eng. 31 (1991)",
        "drift over 20 s by the midpoint rule and by an explicit method",
        _top,
    ),
    Case(
        11,
        "Energy and momentum of an orbit",
        "Hairer, Lubich and Wanner, Geometric Numerical Integration, sec. I.2",
        "errors of the energy over 100 periods",
        _orbit,
    ),
)
