"""Cases 23, 24 and 25: stops, stacks and contacts that depend on each other."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.steps.contact_balls import EXACT, G
from eomc_published.steps.contact_friction import on_slides

SHORT: dict[str, Any] = {"t_span": [0, 1e-14], "method": "moreau", "step": 1e-14}


def _rods(*, in_loops: bool) -> Any:
    """Two uniform rods of 1 kg and 1 m with a stop of the second joint: as a tree, or each rod free
    in the plane and hinged by loops."""
    model = Model("rods", gravity=(0, 0, 0))
    body: dict[str, Any] = {"mass": 1, "com": (0, 0, 0.5), "inertia": (1 / 12, 1 / 12, 0)}
    if not in_loops:
        model.body("one", **body)
        model.body("two", **body)
        hinge: dict[str, Any] = {"axis": (0, 1, 0)}
        model.joint("q1", "revolute", parent="world", child="one", **hinge)
        model.joint("q2", "revolute", parent="one", child="two", placement=(0, 0, 1), **hinge)
        model.stop("end", coordinate="q2", normal={"kind": "rigid", "restitution": 0.6}, upper=0.5)
        return build(model)
    for name in ("one", "two"):
        on_slides(model, ("x", "z", "turn"), name, **body)
    hinge = {"axis": (0, 1, 0), "cut": True}
    model.joint("a", "revolute", parent="world", child="one", **hinge)
    model.joint("b", "revolute", parent="one", child="two", placement=(0, 0, 1), **hinge)
    return model


def _stops() -> Iterator[CaseCheck]:
    made = _rods(in_loops=False)
    run = simulate(made, [0, 0.5], [1, 3], **SHORT)
    wanted = (2.4566961864183603, -1.8)
    yield agrees("speeds behind the stop", wanted, run.u[-1], 1e-12)
    pressed = run.contacts.impulses["end.upper"][-1, 0]
    yield agrees("its impulse", 0.47524901894073324, pressed, 1e-12)
    for u, energy in ((run.u[0], 5.0884984571140786), (run.u[-1], 4.8033490457496395)):
        yield agrees("kinetic energy", energy, made.kinetic_energy(run.q[0], u), 1e-12)
    yield from _loop()


def _loop() -> Iterator[CaseCheck]:
    """The four-bar with a stop of its rocker."""
    model = Model("four_bar", gravity=(0, 0, 0))
    for name, length in (("a", 0.3), ("b", 0.8), ("c", 0.5)):
        turning = length**3 / 12
        model.body(name, mass=length, com=(length / 2, 0, 0), inertia=(0, turning, turning))
    ends = (("A", "world", "a", 0), ("B", "a", "b", 0.3), ("D", "world", "c", 0.9))
    for name, parent, child, at in ends:
        given: dict[str, Any] = {"placement": (at, 0, 0), "axis": (0, 0, 1)}
        model.joint(name, "revolute", parent=parent, child=child, **given)
    model.joint(
        *("C", "revolute"),
        parent="b",
        child="c",
        placement=(0.8, 0, 0),
        child_placement=(0.5, 0, 0),
        cut=True,
        axis=(0, 0, 1),
    )
    turns, rates = (1.0, 0.31391747657362556), (6, -1.2044983638800166)
    tip = 0.3 * cos(turns[0]) + 0.8 * cos(turns[1]), 0.3 * sin(turns[0]) + 0.8 * sin(turns[1])
    rocker = float(np.arctan2(tip[1], tip[0] - 0.9))
    rate = 2.436780492624295
    model.stop("end", coordinate="D", normal={"kind": "rigid", "restitution": 0.4}, upper=rocker)
    made = build(model)
    q = [turns[0], turns[1] - turns[0], rocker]
    u = np.array([rates[0], rates[1] - rates[0], rate])
    run = simulate(made, q, u, assemble=True, **SHORT)
    yield agrees("four-bar: speeds", -0.4 * u, run.u[-1], 1e-11)
    pressed = run.contacts.impulses["end.upper"][-1, 0]
    yield agrees("four-bar: impulse", 1.342902718075544, pressed, 1e-11)
    rows = np.asarray(made.constraint_jacobian(run.q[-1])) @ run.u[-1]
    yield at_most("four-bar: rates of the loop behind it", np.abs(rows).max(), 1e-13)


def stack(count: int) -> Any:
    """Boxes of 1 kg on each other, without friction, moving up and down."""
    model = Model("stack", gravity=(0, 0, -G))
    for k in range(count):
        model.body(f"b{k}", mass=1)
        ends: Any = {"parent": "world", "child": f"b{k}", "placement": (0, 0, k)}
        model.joint(f"z{k}", "prismatic", **ends, axis=(0, 0, 1))
        below = {"body": f"b{k - 1}", "xyz": (0, 0, 1)} if k else "world"
        model.contact(
            f"on{k}",
            shape={"kind": "point", "at": f"b{k}"},
            surface={"kind": "plane", "at": below},
            normal={"kind": "rigid", "restitution": 0.0},
        )
    return build(model)


def _stack() -> Iterator[CaseCheck]:
    made = stack(10)
    wanted = G * np.arange(10, 0, -1)
    step, zero = made.integrator("moreau")[0], np.zeros(13)

    def cold(sweeps: int) -> tuple[float, float]:
        settings = [sweeps, 0.0, np.inf, 0, 0]
        _, _, z = step(np.zeros(10), np.zeros(10), zero, np.zeros(10), settings, 1e-3, 1)
        return float(np.abs(z[1, :10] / 1e-3 - wanted).max() / wanted.max()), float(z[1, 10])

    sweeps = next(n for n in range(700, 800) if cold(n)[0] < 1e-8)
    yield agrees("sweeps to 1e-8 of the forces", 736, sweeps, 2)
    off, residual = cold(10)
    yield agrees("residual after 10 sweeps", 0.05, residual, 5e-4)
    yield holds("forces after 10 sweeps", "off by more than a half", f"{off:.3f}", off > 0.5)
    run = simulate(made, t_span=10, method="moreau", step=1e-3)
    forces = [run.contacts.forces[f"on{k}"][-1, 0] for k in range(10)]
    yield agrees("forces with sweeps of the step before", wanted, forces, 1e-8 * 10 * G)
    yield at_most("drift in 10 s", np.abs(run.q[-1]).max(), 1e-9)
    try:
        simulate(
            made,
            t_span=1,
            method="moreau",
            step=1e-3,
            contacts={"sweeps": 1, "solver": "gauss_seidel"},
        )
        said = "run"
    except ArithmeticError as error:
        said = str(error)
    named = "contacts_unsolved" in said and "on" in said and "z9 = " in said
    yield holds("one sweep", "ends with contact, time and state", said[:60], named)


def table(points: int, mu: float) -> Any:
    """A box of 2 kg on so many points."""
    model = Model("table", gravity=(0, 0, -G))
    model.body("box", mass=2, inertia=(0.05, 0.06, 0.07))
    model.joint("free", "floating", parent="world", child="box")
    side = round(points**0.5)
    for k, (x, y) in enumerate(np.ndindex(side, side)):
        place = (0.2 * x / (side - 1) - 0.1, 0.4 * y / (side - 1) - 0.2, -0.15)
        model.contact(
            f"p{k}",
            shape={"kind": "point", "at": {"body": "box", "xyz": place}},
            surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, -0.15)}},
            normal={"kind": "rigid", "restitution": 0.0},
            friction={"kind": "dry", "kinetic": mu},
        )
    return build(model)


def _redundant() -> Iterator[CaseCheck]:
    for points in (4, 9, 100):
        made = table(points, 0.5)
        run = simulate(made, t_span=[0, 1e-3], method="moreau", step=1e-3, contacts=EXACT)
        total = sum(run.contacts.forces[f"p{k}"][-1, 0] for k in range(points))
        yield agrees(f"{points} points: sum", 2 * G, total, 1e-11)
        yield at_most(f"{points} points: speeds", np.abs(run.u[-1]).max(), 1e-11)
    for mu in (0.0, 0.3):
        model = Model("wedge", gravity=(0, 0, -G))
        on_slides(model, ("x", "z"), "ball", mass=1)
        for name, side in (("left", 1), ("right", -1)):
            model.contact(
                name,
                shape={"kind": "point", "at": "ball"},
                surface={
                    "kind": "plane",
                    "at": "world",
                    "normal": (side * sin(pi / 3), 0, cos(pi / 3)),
                },
                normal={"kind": "rigid", "restitution": 0.0},
                friction={"kind": "dry", "kinetic": mu} if mu else None,
            )
        given: dict[str, Any] = {"method": "moreau", "step": 1e-3, "contacts": EXACT}
        run = simulate(build(model), t_span=[0, 1e-3], **given)
        if not mu:
            forces = [run.contacts.forces[name][-1, 0] for name in ("left", "right")]
            yield agrees("wedge: N", [G, G], forces, 1e-11)
        yield at_most(f"wedge, mu = {mu}: speed", np.abs(run.u[-1]).max(), 1e-12)


CASES = (
    Case(
        23,
        "Stops of a joint and of a loop",
        "Newton's law of impact in one freedom",
        "speeds, impulses and energies behind the impacts",
        _stops,
    ),
    Case(
        24,
        "A stack of ten boxes",
        "statics; the spectral radius of its tridiagonal matrix",
        "sweeps of a cold solve, forces and drift of a warm one",
        _stack,
        slow=True,
    ),
    Case(
        25,
        "Contacts that depend on each other",
        "statics",
        "sums of forces on 4, 9 and 100 points; a wedge",
        _redundant,
        slow=True,
    ),
)
