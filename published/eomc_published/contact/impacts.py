"""Cases 6, 7, 8, 9, 12, 22, 25: impacts through compliant contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import acos, acosh, exp, gamma, log, pi, sqrt
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, holds

Law = Mapping[str, Any]
FINE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-16}


def balls(laws: Sequence[Law], mass: float = 1.0, **given: Any) -> Model:
    """Balls beside each other that move up and down over the plane z = 0, without gravity; their
    coordinates `z0`, ... are their gaps."""
    model = Model("balls", gravity=(0, 0, 0))
    for k, law in enumerate(laws):
        model.body(f"ball{k}", mass=mass)
        model.joint(
            f"z{k}",
            "prismatic",
            parent="world",
            child=f"ball{k}",
            axis=(0, 0, 1),
            placement=(k, 0, 0.5),
        )
        model.contact(
            f"touch{k}",
            shape={"kind": "sphere", "at": f"ball{k}", "radius": 0.5},
            surface={"kind": "plane", "at": "world"},
            normal=law,
            **given,
        )
    return model


def hit(model: Model, t: float, v: float = 1.0, **given: Any) -> Trajectory:
    """A run in which all balls begin to touch at the speed v."""
    built = build(model)
    return simulate(built, u=-v * np.ones(built.nu), t_span=[0, t], **FINE | given)


MASS, HERTZ = (
    0.03267256359733385,
    {"kind": "hertz", "modulus": 1.1318681318681319e11, "radius": 0.01},
)


def _hertz() -> Iterator[CaseCheck]:
    def deepest(t: float, q: Any, u: Any) -> float:
        return float(u[0])

    built = build(balls([HERTZ], MASS))
    run = simulate(built, u=[-1], t_span=[0, 1e-4], events=deepest, **FINE)
    duration = 6.946632617109194e-05
    yield agrees("duration", duration, run.switches["touch0.touch"][-1], duration * 1e-9)
    q = run.events[0].q[0]
    rows = built.output_names("element_outputs")
    told = np.asarray(built.function("element_outputs")(q, [0.0]))
    yield agrees("depth", 1, -q[0] / 2.360170959924363e-05, 1e-6)
    force = told[rows.index("touch0.normal_force")]
    yield agrees("force", 1, force / 1730.4129738964368, 1e-6)

    def gap(t: float, q: Any, u: Any) -> float:
        return float(q[0])

    smooth = build(balls([HERTZ], MASS, width=1e-10))
    run = simulate(smooth, [1e-6], [-1], t_span=[0, 1e-4], events=gap, **FINE)
    yield agrees("duration, smooth", 1, np.ptp(run.events[0].t) / duration, 1e-6)


def _powers() -> Iterator[CaseCheck]:
    yield from _hertz()
    exponents, k = (1, 1.5, 2, 3), 1e4
    run = hit(balls([{"kind": "spring", "stiffness": k, "exponent": n} for n in exponents]), 0.8)
    for place, n in enumerate(exponents):
        deepest = ((n + 1) / (2 * k)) ** (1 / (n + 1))
        expected = 2 * sqrt(pi) * gamma(1 + 1 / (n + 1)) / gamma(1 / 2 + 1 / (n + 1))
        times = run.switches[f"touch{place}.touch"]
        yield agrees(f"C of the power {n}", expected, times[-1] / deepest, 1e-9)


_RESTITUTION = {
    0.1: 0.9374755799499051,
    0.5: 0.7484349315974342,
    1: 0.5936242600400401,
    3: 0.3068967982909621,
    10: 0.0999816247529439,
}


def _restitution() -> Iterator[CaseCheck]:
    laws: list[Law] = [
        {"kind": "spring", "stiffness": 1e4, "exponent": n, "dissipation": d}
        for n in (1, 1.5, 2)
        for d in _RESTITUTION
    ]
    wanted = (0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
    laws += [
        {"kind": "spring", "stiffness": 1e4, "exponent": 1.5, "restitution": e, "speed": 1}
        for e in wanted
    ]
    got = hit(balls(laws), 2.0).u[-1]
    for k, n in enumerate((1, 1.5, 2)):
        given = list(_RESTITUTION.values())
        yield agrees(f"e of D, power {n}", given, got[5 * k : 5 * k + 5], 1e-8)
    yield agrees("e wanted", wanted, got[15:], 1e-8)


WANTED = (0.9, 0.7, 0.5, 0.3, 0.1)
DESIGNS: dict[str, tuple[Callable[[float], float], tuple[float, ...]]] = {
    "Hunt-Crossley": (lambda e: 3 * (1 - e) / 2, (0.9090, 0.7680, 0.6630, 0.5813, 0.5158)),
    "Lankarani-Nikravesh": (
        lambda e: 3 * (1 - e * e) / 4,
        (0.9132, 0.7960, 0.7252, 0.6842, 0.6653),
    ),
    "Herbert-McWhannell": (
        lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
        (0.9009, 0.7227, 0.5936, 0.5200, 0.4907),
    ),
    "Gonthier": (lambda e: (1 - e * e) / e, (0.8764, 0.6696, 0.4877, 0.3042, 0.1010)),
    "Flores": (lambda e: 8 * (1 - e) / (5 * e), (0.8939, 0.6832, 0.4704, 0.2562, 0.0694)),
    "Hu-Guo": (lambda e: 3 * (1 - e) / (2 * e), (0.8999, 0.6973, 0.4877, 0.2707, 0.0741)),
}
"""D(e) as published, and the restitution that it gives instead of that wanted."""


def _designs() -> Iterator[CaseCheck]:
    laws = [
        {"kind": "spring", "stiffness": 1e4, "exponent": 1.5, "dissipation": design(e)}
        for design, _ in DESIGNS.values()
        for e in WANTED
    ]
    got = hit(balls(laws), 2.0).u[-1].reshape(-1, len(WANTED))
    for (name, (_, expected)), row in zip(DESIGNS.items(), got, strict=True):
        yield agrees(name, expected, row, 1e-3)


_KELVIN_VOIGT = {
    0.05: 0.8587581017750918,
    0.2: 0.5717400275847768,
    0.5: 0.2984360591922749,
    1: 0.1353352832366127,
    2: 0.0477687325056202,
}


def _kelvin_voigt() -> Iterator[CaseCheck]:
    k = 1e4
    model = balls(
        [
            {"kind": "kelvin_voigt", "stiffness": k, "damping": 2 * z * sqrt(k)}
            for z in _KELVIN_VOIGT
        ]
    )
    pulled = (0.05, 0.2, 0.5)
    for place, z in enumerate(pulled):  # springs and dampers that stay fastened
        model.body(f"tied{place}", mass=1)
        model.joint(
            f"tied{place}", "prismatic", parent="world", child=f"tied{place}", axis=(0, 0, 1)
        )
        model.joint_spring(f"tie{place}", f"tied{place}", stiffness=k, damping=2 * z * sqrt(k))

    def through(place: int) -> Any:
        return lambda t, q, u: float(q[5 + place])

    events = [through(place) for place in range(3)]
    run = hit(model, 0.1, events=events)
    yield agrees("e", list(_KELVIN_VOIGT.values()), run.u[-1, :5], 1e-8)
    for place, z in enumerate(_KELVIN_VOIGT):
        s = sqrt(abs(1 - z * z))
        time = 2 if z == 1 else 2 * (acos(z) if z < 1 else acosh(z)) / s
        got = run.switches[f"touch{place}.touch"][-1] * sqrt(k)
        yield agrees(f"time of contact, zeta = {z}", time, got, 1e-8)
    rows = [r.endswith("normal_force") for r in run.model.output_names("element_outputs")]  # type: ignore[union-attr]
    least = float(run.evaluate("element_outputs")[:, rows].min())
    yield holds("least force", ">= 0", f"{least:.3g}", least >= 0)
    for place, z in enumerate(pulled):
        first = next(k for k, t in enumerate(run.events[place].t) if t > 1e-6)
        got = run.events[place].u[first, 5 + place]
        yield agrees(f"if it pulled, zeta = {z}", exp(-pi * z / sqrt(1 - z * z)), got, 1e-8)


def _smooth() -> Iterator[CaseCheck]:
    delta, model = 1e-3, balls([])
    for place, form in enumerate(("root", "softplus")):
        model.body(f"ball{place}", mass=1)
        model.joint(f"z{place}", "prismatic", parent="world", child=f"ball{place}", axis=(0, 0, 1))
        model.contact(
            f"touch{place}",
            shape={"kind": "point", "at": f"ball{place}"},
            surface={"kind": "plane", "at": "world"},
            normal={"kind": "spring", "stiffness": 1},
            width=delta,
            smoothing=form,
        )
    built = build(model)
    told = np.asarray(built.function("element_outputs")([0, 0], [0, 0]))
    rows = [r.endswith("depth") for r in built.output_names("element_outputs")]
    yield agrees("depth where they touch", [delta / 2, delta * log(2)], told[rows], 1e-18)
    off, narrow = [], balls([HERTZ], MASS, width="width")
    narrow.parameter("width", 1e-7)
    smooth = build(narrow, tunable="all")
    for width in (1e-7, 1e-8, 1e-9):
        run = simulate(
            smooth,
            [1e-6],
            [-1],
            t_span=[0, 1e-4],
            parameters={"width": width},
            events=lambda t, q, u: float(q[0]),
            **FINE,
        )
        off.append(abs(np.ptp(run.events[0].t) / 6.946632617109194e-05 - 1))
    falls = off[0] > 10 * off[1] > 100 * off[2]
    shown = ", ".join(f"{x:.2g}" for x in off)
    yield holds("duration by width", "to that without", shown, bool(falls and off[2] < 1e-6))


CRADLE = {
    3: (-0.07095235365143, 0.07640303907119, 0.99454931458024),
    4: (-0.07108501611907, -0.02962619649172, 0.10973863989287, 0.99097257271793),
    5: (-0.07108501708609, -0.03027376409692, -0.01446362903216, 0.12704498606808, 0.9887774241471),
}


def cradle() -> Model:
    """Rows of balls that touch each other."""
    model = Model("cradle", gravity=(0, 0, 0))
    model.parameter("m", 1)
    model.parameter("k", 1e9)
    for n in CRADLE:
        for k in range(n):
            name = f"ball{n}_{k}"
            model.body(name, mass="m")
            model.joint(
                f"x{n}_{k}",
                "prismatic",
                parent="world",
                child=name,
                axis=(1, 0, 0),
                placement=(k, n, 0),
            )
            if k:
                model.contact(
                    f"touch{n}_{k}",
                    shape={"kind": "sphere", "at": name, "radius": 0.5},
                    surface={"kind": "sphere", "at": f"ball{n}_{k - 1}", "radius": 0.5},
                    normal={"kind": "spring", "stiffness": "k", "exponent": 1.5},
                )
    return model


def _cradle() -> Iterator[CaseCheck]:
    expected = [v for row in CRADLE.values() for v in row]
    built, start = build(cradle(), tunable="all"), {f"x{n}_0": 1.0 for n in CRADLE}
    for given in ({}, {"m": 10.0}, {"k": 1e10}):
        run = simulate(built, u=start, t_span=[0, 5e-3], parameters=given, **FINE)
        yield agrees(f"velocities, {given or 'as they are'}", expected, run.u[-1], 1e-8)


def _stops() -> Iterator[CaseCheck]:
    k, zeta = 1e4, 0.2
    slider = Model("slider", gravity=(0, 0, 0))
    slider.body("slider", mass=2)
    slider.joint("x", "prismatic", parent="world", child="slider", axis=(1, 0, 0))
    law = {"kind": "kelvin_voigt", "stiffness": k, "damping": 2 * zeta * sqrt(2 * k)}
    slider.stop("end", coordinate="x", upper=0.1, normal=law)
    run = simulate(build(slider), u=[3], t_span=[0, 0.2], **FINE)
    yield agrees("e of a slider", 0.5717400275847768, -run.u[-1, 0] / 3, 1e-8)
    arm = Model("arm", gravity=(0, 0, 0))
    for name, parent, place in (("upper", "world", 0), ("lower", "upper", 1)):
        arm.body(name, mass=2, com=(0.5, 0, 0), inertia=(0, 0.2, 0.2))
        arm.joint(
            name, "revolute", parent=parent, child=name, axis=(0, 0, 1), placement=(place, 0, 0)
        )
    q = np.array([0.3, 0.0])
    free = build(arm)
    mass = 1 / np.linalg.inv(np.asarray(free.function("mass_matrix")(q)))[1, 1]
    stiff = 1e9
    law = {"kind": "kelvin_voigt", "stiffness": stiff, "damping": 2 * zeta * sqrt(mass * stiff)}
    arm.stop("end", coordinate="lower", upper=0, normal=law)
    built, deep = build(arm), q + np.array([0, 1e-3])
    still = np.zeros(2)
    jump = built.forward_dynamics(deep, still, still) - free.forward_dynamics(deep, still, still)
    inverse = np.linalg.inv(np.asarray(free.function("mass_matrix")(deep)))
    yield agrees("accelerations by the stop", -inverse[:, 1] * stiff * 1e-3, jump, 1e-5)
    run = simulate(built, q - np.array([0, 1e-6]), [0, 1e-3], t_span=[0, 2e-3], **FINE)
    yield agrees("e of a stiff stop of an arm", 0.5717400275847768, -run.u[-1, 1] / 1e-3, 1e-6)


CASES = (
    Case(
        6,
        "Hertz' impact",
        "2.1, 6.2",
        "runs whose steps end at touch-down",
        _powers,
        provenance="reconstructed",
    ),
    Case(
        7,
        "Restitution of Hunt and Crossley's damping",
        "2.2",
        "runs",
        _restitution,
        provenance="reconstructed",
    ),
    Case(
        8, "Published designs of that damping", "2.2", "runs", _designs, provenance="reconstructed"
    ),
    Case(
        9,
        "Spring and damper that leave each other",
        "2.3",
        "runs",
        _kelvin_voigt,
        provenance="reconstructed",
    ),
    Case(
        12, "Smooth touch-down", "2.4", "told depths, and runs", _smooth, provenance="reconstructed"
    ),
    Case(
        22,
        "Cradle of elastic balls",
        "6.8",
        "runs of rows of 3, 4 and 5 balls",
        _cradle,
        provenance="reconstructed",
    ),
    Case(
        25,
        "Stops of joints",
        "2.6",
        "runs of a slider and of an arm",
        _stops,
        provenance="reconstructed",
    ),
)
