"""Stiffnesses from frequencies and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.fit import MeasuredMode, fit_modes
from eomc_published.case import Case, CaseCheck, agrees, at_most

_FREQUENCIES = (0.69716335802935, 1.926707047774328, 2.4010441331029)


@cache
def chain() -> CompiledModel:
    """Three masses in a row, hung to a wall by springs."""
    model = Model("fit_chain", gravity=(0, 0, 0))
    for name, value in (("k1", 120.0), ("k2", 70.0), ("k3", 65.0)):
        model.parameter(name, value)
    for k, mass in enumerate((1, 1.5, 0.5), 1):
        model.body(f"m{k}", mass=mass)
        joint: dict[str, Any] = {"parent": "world", "child": f"m{k}", "axis": (1, 0, 0)}
        model.joint(f"x{k}", "prismatic", **joint)
    forces = ("-k1*x1 + k2*(x2 - x1)", "-k2*(x2 - x1) + k3*(x3 - x2)", "-k3*(x3 - x2)")
    for k, force in enumerate(forces, 1):
        model.generalized_force(f"springs{k}", speed=f"x{k}", expression=force)
    return build(model, tunable="all")


def _truth() -> tuple[np.ndarray, np.ndarray]:
    """(f, shapes scaled to 1 at the last mass) of k = (100, 80, 60)."""
    k1, k2, k3 = 100.0, 80.0, 60.0
    stiffness = np.array([[k1 + k2, -k2, 0], [-k2, k2 + k3, -k3], [0, -k3, k3]])
    root = np.diag(np.array([1, 1.5, 0.5]) ** -0.5)
    values, vectors = np.linalg.eigh(root @ stiffness @ root)
    shapes = root @ vectors
    return np.sqrt(values) / (2 * np.pi), shapes / shapes[2]


def case_12() -> Iterator[CaseCheck]:
    f, shapes = _truth()
    yield agrees("frequencies", list(_FREQUENCIES), f, 1e-12)
    e = np.random.default_rng(10).standard_normal(6)
    noise = 0.01 * e[2:].reshape(2, 2)
    modes = [
        MeasuredMode(
            frequency=f[k] * (1 + 0.002 * e[k]),
            deviation=0.002 * f[k],
            shape={"x1": shapes[0, k] + noise[k, 0], "x2": shapes[1, k] + noise[k, 1], "x3": 1.0},
            reference="x3",
        )
        for k in range(2)
    ]
    found = fit_modes(chain(), ["k1", "k2", "k3"], modes)
    yield agrees("stiffnesses", [100.672445, 78.500087, 59.763368], found.values, 1e-5)
    yield agrees("chi2", 0.22697544, found.chi2, 1e-7)
    sd = list(found.deviations.values())
    yield agrees("deviations", [1.71235, 1.66396, 0.338274], sd, 1e-5, relative=True)
    two = [MeasuredMode(frequency=f[k], deviation=1e-3) for k in range(2)]
    free = {"k1": (10.0, 500.0), "k2": (10.0, 500.0)}
    both = fit_modes(chain(), free, two, parameters={"k3": 60.0}, starts=10)
    answers = [both.values, *(x for x, chi2 in both.others if chi2 < 1e-12)]
    answers.sort(key=lambda x: -float(x[0]))
    yield agrees("number of answers", 2, len(answers), 0)
    yield at_most("first", float(np.abs(answers[0] - (100, 80)).max()), 1e-5)
    second = np.array([65.73974542, 294.7296452])
    yield at_most("second", float(np.abs(answers[-1] - second).max()), 1e-5)


CASES = (
    Case(
        12,
        "a chain from frequencies and shapes",
        "optimum by another program; two frequencies alone have two answers, both exact",
        "stiffnesses with deviations; several starts list both answers",
        case_12,
        slow=True,
    ),
)
