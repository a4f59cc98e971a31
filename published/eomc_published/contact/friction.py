"""Cases 10, 11: friction of a site that is pressed by one newton."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

EPS, MU = 1e-3, 0.3
LAWS: dict[str, dict[str, Any]] = {
    "root": {"kind": "coulomb", "coefficient": MU, "slip_speed": EPS},
    "tanh": {"kind": "coulomb", "coefficient": MU, "slip_speed": EPS, "regularization": "tanh"},
    "across": {"kind": "coulomb", "coefficient": MU, "across": 0.5, "slip_speed": EPS},
    "stribeck": {
        "kind": "stribeck",
        "kinetic": MU,
        "static": 0.5,
        "speed": 0.05,
        "slip_speed": EPS,
    },
}


def pressed(laws: Mapping[str, Any]) -> Model:
    """A sledge below the surface z = 0 of a law that presses with 1 N, without weight."""
    model = Model("sledge", gravity=(0, 0, 0))
    model.body("sledge", mass=1, inertia=(1, 1, 1))
    model.joint(
        "way", "planar", parent="world", child="sledge", axis=(0, 0, 1), placement=(0, 0, -0.1)
    )
    for name, law in laws.items():
        model.contact(
            name,
            shape={"kind": "point", "at": "sledge"},
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "law", "expression": "1"},
            friction=law,
        )
    return model


def _forms() -> Iterator[CaseCheck]:
    built = build(pressed(LAWS))
    rows = list(built.output_names("element_outputs"))
    ways = {name: [rows.index(f"{name}.friction_{axis}") for axis in "xy"] for name in LAWS}
    tell = built.function("element_outputs")
    worst, short = -np.inf, {"root": -np.inf, "tanh": -np.inf}
    for s in np.geomspace(1e-3, 1e3, 61):
        for angle in np.linspace(0, 6, 7):
            v = s * EPS * np.array([np.cos(angle), np.sin(angle)])
            told = np.asarray(tell(np.zeros(3), [*v, 0]))
            for way in ways.values():
                worst = max(worst, float(told[way] @ v))
            for name, bound in (("root", 1 / (2 * s * s)), ("tanh", 2 * np.exp(-2 * s))):
                missing = 1 - np.linalg.norm(told[ways[name]]) / MU
                short[name] = max(short[name], missing - bound)
    yield holds("largest power", "<= 0", f"{worst:.3g}", worst <= 0)
    for name, over in short.items():
        yield at_most(f"{name}: shortfall over its bound", over, 1e-14)
    still = np.asarray(tell(np.zeros(3), np.zeros(3)))
    force = np.abs(still[[row for way in ways.values() for row in way]]).max()
    yield agrees("at rest", 0, force, 0)
    step = 1e-9 * EPS
    told = np.asarray(tell(np.zeros(3), [step, 0, 0]))
    for name in ("root", "tanh"):
        yield agrees(f"{name}: slope at rest", -MU / EPS, told[ways[name][0]] / step, 1e-6)


_LUGRE = {"s0": 1e5, "s1": 300.0, "s2": 0.4, "Fc": 1.0, "Fs": 1.5, "vs": 1e-3}


def _bristles() -> Iterator[CaseCheck]:
    s0, s1, s2, kinetic, static, fading = _LUGRE.values()
    model = Model("sledge", gravity=(0, 0, 0))
    model.body("sledge", mass=1)
    model.joint(
        "x", "prismatic", parent="world", child="sledge", axis=(1, 0, 0), placement=(0, 0, -0.1)
    )
    model.body("free", mass=1)
    model.joint("free", "prismatic", parent="sledge", child="free", axis=(0, 1, 0))
    model.contact(
        "rub",
        shape={"kind": "point", "at": "sledge"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "law", "expression": "1"},
        friction={
            "kind": "bristles",
            "stiffness": s0,
            "damping": s1,
            "viscous": s2,
            "kinetic": kinetic,
            "static": static,
            "stribeck_speed": fading,
        },
    )
    model.prescribed("x")
    v, built = 0.002, build(model)
    times = [0, 0.001, 0.005, 0.02]
    run = simulate(
        built,
        t_span=np.union1d(np.linspace(0, 0.02, 4001), times),
        prescribed={"x": lambda t: (v * t, v, 0.0)},
        rtol=1e-12,
        atol=1e-18,
    )
    rows = built.output_names("element_outputs")
    friction = -run.evaluate("element_outputs")[:, rows.index("rub.friction_x")]
    places = np.searchsorted(run.t, times[1:])
    expected = [0.6743591898294742, 0.858064920076284, 1.0021868120512072]
    yield agrees("force at 1, 5 and 20 ms", expected, friction[places], 1e-8)
    z = run["rub_deflection_1"]
    g = kinetic + (static - kinetic) * np.exp(-((v / fading) ** 2))
    rate = v - s0 * v / g * z
    lost = s0**2 * v * z**2 / g + s1 * rate * v + s2 * v**2
    from scipy.integrate import simpson

    work = simpson(friction * v, x=run.t)
    balance = work - s0 * z[-1] ** 2 / 2 - simpson(lost, x=run.t)
    yield at_most("work - stored - lost, of the work", abs(balance) / work, 1e-9)


CASES = (
    Case(
        10,
        "Smooth forms of dry friction",
        "2.5",
        "told forces over slips of six decades",
        _forms,
        provenance="reconstructed",
    ),
    Case(
        11,
        "Bristles",
        "2.5, 6.12",
        "a run at constant speed",
        _bristles,
        provenance="reconstructed",
    ),
)
