"""Designs: eigenvalues, absorbers, a buckled pendulum, trusses, a suspension, a traced curve."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.designs import Design, FreeValue, optimize
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_SOURCE = "closed forms, and optima of other programs"
_G = 9.81
_INF = float("inf")


@cache
def chain(masses: tuple[float, ...] = (1.0, 1.0, 1.0)) -> CompiledModel:
    """Masses on a wall, one behind the other on springs k1, k2, k3."""
    model = Model("design_chain", gravity=(0, 0, 0))
    before = "0"
    forces = {f"x{k}": "" for k in range(1, len(masses) + 1)}
    for k, mass in enumerate(masses, 1):
        model.parameter(f"k{k}", 1.0)
        model.body(f"m{k}", mass=mass)
        model.joint(f"x{k}", "prismatic", parent="world", child=f"m{k}", axis=(1, 0, 0))
        stretch = f"k{k}*(x{k} - {before})"
        forces[f"x{k}"] += f" - {stretch}"
        if k > 1:
            forces[before] += f" + {stretch}"
        before = f"x{k}"
    for name, text in forces.items():
        model.generalized_force(f"springs_{name}", speed=name, expression=text)
    return build(model, tunable="all")


def case_31() -> Iterator[CaseCheck]:
    model, names = chain(), ("k1", "k2", "k3")

    def squares(design: Design) -> Any:
        return design.equilibrium().frequencies ** 2

    def placed(goal: Any, **options: Any) -> Any:
        free = {name: (0.05, 10.0) for name in names}
        return optimize(model, lambda d: squares(d) - goal, free, **options)

    uniform = 4 * np.sin((2 * np.arange(1, 4) - 1) * np.pi / 14) ** 2
    found = placed(uniform, starts=24)
    both = [[1, 1, 1], [2.430960753676336, 0.608530417835168, 0.675989205326664]]
    exact = [list(v.values()) for c, v in found.optima if c < 1e-18]
    got = sorted(exact, key=lambda k: k[0])
    yield holds("answers", "two", str(len(got)), len(got) == 2)
    yield agrees("stiffnesses of the uniform eigenvalues", both, got, 1e-8)
    laguerre = [0.415774556783479, 2.294280360279042, 6.289945082937479]
    found = placed(np.array(laguerre), parameters={"k1": 2.5, "k2": 2.5, "k3": 1.5})
    values = [found[name] for name in names]
    yield agrees("stiffnesses where the map is singular", [3, 2, 1], values, 1e-6)
    at = placed(np.array(laguerre), parameters={"k1": 3.0, "k2": 2.0, "k3": 1.0}).problem
    trial = at.trial(np.array([3.0, 2.0, 1.0]))
    row = [0.046197172975942, 0.077128734309839, 0.122925569235976]
    yield agrees("derivatives of the first eigenvalue", row, trial.objective.slopes[0], 1e-12)


@cache
def absorber() -> CompiledModel:
    """A host of 1 kg and 1 rad/s with a tuned mass damper."""
    model = Model("design_absorber", gravity=(0, 0, 0))
    for name, value in {"mu": 0.05, "f": 0.95, "zeta": 0.13}.items():
        model.parameter(name, value)
    model.body("host", mass=1)
    model.body("damper", mass="mu")
    for name, child in (("x1", "host"), ("x2", "damper")):
        model.joint(name, "prismatic", parent="world", child=child, axis=(1, 0, 0))
    rate = "2*zeta*mu*f*({0})"
    pull = "mu*f**2*(x2 - x1) + " + rate.format("speed(x2) - speed(x1)")
    model.generalized_force("host_spring", speed="x1", expression=f"-x1 + {pull}")
    model.generalized_force("damper_spring", speed="x2", expression=f"-({pull})")
    return build(model, tunable="all")


def case_32() -> Iterator[CaseCheck]:
    table = {
        0.01: (0.9900986265032, 0.06096178402708, 14.17964336948),
        0.05: (0.9523720443351, 0.1339377265157, 6.407920768005),
        0.1: (0.9090582929085, 0.1854698362312, 4.589165566057),
        0.2: (0.8332229913709, 0.2521734443821, 3.325438841123),
    }
    hartog = {0.05: [6.4084431697, 6.4074922615], 0.2: [3.3275394036, 3.3240138911]}
    for mu, (f, zeta, peak) in table.items():
        start = {"mu": mu, "f": 1 / (1 + mu), "zeta": float(np.sqrt(3 * mu / (8 * (1 + mu))))}
        found = optimize(
            absorber(),
            lambda d: d.equilibrium().peaks("x1", "x1", 2),
            {"f": FreeValue(low=0.5, high=1.5), "zeta": FreeValue(low=0.01, high=0.9)},
            parameters=start,
            of_array="largest",
        )
        yield agrees(f"mu {mu}: peak", peak, found.cost, 1e-9)
        yield agrees(f"mu {mu}: f and zeta", [f, zeta], [found["f"], found["zeta"]], 1e-6)
        if mu in hartog:
            theta = np.array([start["f"], start["zeta"]])
            peaks = found.problem.trial(theta).objective.value
            yield agrees(f"mu {mu}: peaks of Den Hartog's design", hartog[mu], peaks, 1e-9)


@cache
def buckled() -> CompiledModel:
    """An inverted pendulum on a torsion spring too weak to hold it upright."""
    model = Model("design_buckled", gravity=(0, 0, -_G))
    for name, value in {"k": 5.0, "l": 1.0, "m": 1.0}.items():
        model.parameter(name, value)
    model.body("bob", mass="m", com=(0, 0, "l"))
    model.joint("th", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.generalized_force("spring", speed="th", expression="-k*th")
    return build(model, tunable="all")


def case_33() -> Iterator[CaseCheck]:
    def square(design: Design) -> Any:
        return design.equilibrium({"th": 1.5}).frequencies[0] ** 2

    free = {"k": (1.0, 9.0), "l": (0.5, 2.0), "m": (0.5, 2.0)}
    found = optimize(buckled(), lambda d: (square(d) - 9.0) ** 2, free)
    yield agrees("frequency squared of the design for 9", 9.0, float(square(found.design)), 1e-6)
    trial = found.problem.trial(np.array([5.0, 1.0, 1.0]))
    at = square(trial.design)
    yield agrees("frequency squared", 7.920218545293482, at.value, 1e-10)
    rates = [-1.214798067658, -1.8462282070036, 6.0739903382898]
    yield agrees("its derivatives, the equilibrium moving", rates, at.slopes, 1e-10)
