"""Cases 13, 14, 15 and 19: balls that touch, bounce, hit each other and roll."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log2, sqrt
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.impacts import impact
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

G = 9.81
PLANE: Mapping[str, Any] = {"kind": "plane", "at": "world"}
EXACT: Mapping[str, float] = {"sweeps": 5000, "tolerance": 1e-16}


def ball(normal: Mapping[str, Any], gravity: float = G) -> Any:
    """A point of 1 kg over the plane z = 0."""
    model = Model("ball", gravity=(0, 0, -gravity))
    model.body("ball", mass=1)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact("floor", shape={"kind": "point", "at": "ball"}, surface=PLANE, normal=normal)
    return build(model)


def _compliant() -> Iterator[CaseCheck]:
    k, h, settings = 1e7, 1e-3, [100, 1e-15, 1e-2, 1, 0]
    for c, wanted in ((0.0, (0.03450, 0.05443, 0.07437)), (300.0, (0.03126, 0.04826, 0.07044))):
        made = ball({"kind": "compliant", "stiffness": k, "damping": c}, gravity=0)
        step = made.integrator("stewart_trinkle")[0]
        zero, found, gained = np.zeros(made.integrator_record("stewart_trinkle")["nz"]), [], 0.0
        for phase in (np.arange(2000) + 0.5) / 2000:
            q, u, _ = step([h * phase], [-1.0], zero, [0.0], settings, h, 8)
            energy = (u[:, 0] ** 2 + k * np.minimum(q[:, 0], 0) ** 2) / 2
            gained = max(gained, float(np.diff(energy).max()))
            found.append(u[-1, 0])
        extremes = (min(found), float(np.mean(found)), max(found))
        yield agrees(f"rebound at c = {c:g}: least, mean, most", wanted, extremes, 1e-3)
        yield at_most(f"energy gained at c = {c:g}, by that at first", 2 * gained, 1e-12)
    made = ball({"kind": "compliant", "stiffness": k, "damping": 300.0})
    run = simulate(made, [0.1], t_span=3, method="stewart_trinkle", step=h)
    yield agrees("place at rest by -m g/k", 1, run.q[-1, 0] / (-G / k), 1e-12)
    yield agrees("N at rest", G, run.contacts.forces["floor"][-1, 0], 1e-9)
    yield agrees("speed at rest", 0, run.u[-1, 0], 1e-12)
    for method in ("dopri", "rk4", "moreau"):
        try:
            simulate(made, [0.1], t_span=0.1, method=method, step=h)
            said = "run"
        except ValueError as error:
            said = str(error)
        yield holds(f"under {method}", "refused", said, "stewart_trinkle" in said)


def heights(t: np.ndarray, e: float = 0.8) -> np.ndarray:
    """Of a ball that falls from 1 m."""
    start, speed = sqrt(2 / G), e * sqrt(2 * G)
    found = np.where(t < start, 1 - G * t**2 / 2, 0.0)
    while speed > 1e-7:
        s = t - start
        found = np.where((s >= 0) & (s < 2 * speed / G), speed * s - G * s**2 / 2, found)
        start, speed = start + 2 * speed / G, e * speed
    return found


def _bouncing() -> Iterator[CaseCheck]:
    made, largest = ball({"kind": "rigid", "restitution": 0.8}), []
    for h in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4):
        run = simulate(made, [1.0], t_span=3, method="moreau", step=h)
        largest.append(float(np.abs(run.q[:, 0] - heights(run.t)).max()))
    wanted = np.array([0.0361, 0.0128, 0.00778, 0.00415, 0.00219])
    yield agrees("largest errors by those stated", np.ones(5), largest / wanted, 0.1)
    order = log2(largest[0] / largest[-1]) / 4
    yield agrees("order in the mean", 1, order, 0.35)
    run = simulate(made, [1.0], t_span=6, method="moreau", step=1e-3)
    late = run.t > 4.1
    yield at_most("speed behind 4.1 s", np.abs(run.u[late]).max(), 1e-12)
    run = simulate(made, [0.0], t_span=10, method="moreau", step=1e-3)
    yield at_most("a ball at rest: gap and speed", np.abs([run.q, run.u]).max(), 0)


def _cradle() -> Iterator[CaseCheck]:
    for n in range(2, 7):
        model = Model("cradle", gravity=(0, 0, 0))
        for k in range(n):
            model.body(f"b{k}", mass=1)
            model.joint(
                *(f"x{k}", "prismatic"),
                parent="world",
                child=f"b{k}",
                axis=(1, 0, 0),
                placement=(k, 0, 0),
            )
        for k in range(1, n):
            model.contact(
                f"touch{k}",
                shape={"kind": "sphere", "at": f"b{k}", "radius": 0.5},
                surface={"kind": "sphere", "at": f"b{k - 1}", "radius": 0.5},
                normal={"kind": "rigid", "restitution": 1.0},
            )
        made, first = build(model), np.eye(n)[0]
        run = simulate(
            made, np.zeros(n), first, t_span=[0, 1e-3], method="moreau", step=1e-3, contacts=EXACT
        )
        wanted = np.full(n, 2 / n)
        wanted[0] -= 1
        yield agrees(f"speeds of {n}", wanted, run.u[-1], 1e-12)
        yield agrees(f"momentum of {n}", 1, run.u[-1].sum(), 1e-12)
        yield agrees(f"energy of {n}", 1, float(run.u[-1] @ run.u[-1]), 1e-12)
        one = impact(made, np.zeros(n), first, impact_law="sequential").after
        yield agrees(f"one after the other, {n}", np.eye(n)[-1], one, 1e-12)


def sphere(radius: float, mu: float) -> Any:
    """A solid sphere on the plane z = 0, its speeds along the world's axes."""
    model = Model("sphere", gravity=(0, 0, -G))
    for name in ("sx", "sy"):
        model.body(name)
    inertia = 0.4 * radius**2
    model.body("ball", mass=1, inertia=(inertia,) * 3)
    model.body("sz")
    for name, parent, axis in zip("xyz", ("world", "sx", "sy"), np.eye(3).tolist(), strict=True):
        model.joint(name, "prismatic", parent=parent, child=f"s{name}", axis=axis)
    model.joint("turn", "spherical", parent="sz", child="ball")
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": radius},
        surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, -radius)}},
        normal={"kind": "rigid", "restitution": 0.0},
        friction={"kind": "dry", "kinetic": mu},
    )
    return build(model)


def _rolling() -> Iterator[CaseCheck]:
    made = sphere(0.1, 0.2)
    h, start = 1e-3, np.asarray(made.neutral())
    run = simulate(made, start, [5, 0, 0, 0, 0, 0], t_span=1, method="moreau", step=h)
    until = 2 * 5 / (7 * 0.2 * G)
    at = int(np.searchsorted(run.t, until)) + 1
    yield agrees("speed once it rolls", 25 / 7, run.u[at, 0], 1e-11)
    yield agrees("and 250 steps later", 25 / 7, run.u[-1, 0], 1e-11)
    run = simulate(made, run.q[-1], run.u[-1], t_span=10, method="moreau", step=h)
    yield at_most("change of speed in 10 000 steps", np.ptp(run.u[:, 0]), 1e-12)


CASES = (
    Case(
        13,
        "A contact of 1e7 N/m at steps of 1 ms",
        "backward Euler of a convex potential",
        "2000 phases of touch-down, rest, methods that would not hold",
        _compliant,
        slow=True,
    ),
    Case(
        14,
        "A bouncing ball comes to rest",
        "uniform acceleration between impacts",
        "errors at five steps; speeds at rest",
        _bouncing,
        slow=True,
    ),
    Case(
        15,
        "Newton's cradle",
        "conservation of momentum and Newton's law at all contacts at once",
        "two to six balls, both laws",
        _cradle,
        slow=True,
    ),
    Case(
        19,
        "A sphere slides, then rolls",
        "momentum and moment of momentum about the point of contact",
        "speeds behind the slip",
        _rolling,
    ),
)
