"""Cases 21 to 24: rods in large, fast motion."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from eomc.building import build
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.rods.cantilever import tip_place
from eomc.systems.rods.flying import flying_rod, pulsed_rod, spatially_pulsed_rod
from eomc_published.case import Case, CaseCheck, agrees, at_most

FUNCTIONS = (
    "forward_dynamics",
    "kinetic_energy",
    "potential_energy",
    "momentum",
    "neutral",
    "normalize",
    "coordinate_rates",
    "frame_tip_pose",
)


def _momenta(model: Any, run: Any) -> Any:
    return np.array([model.momentum(q, u) for q, u in zip(run.q, run.u, strict=True)])


def _conserved(run: Any, model: Any, tolerance: float) -> Iterator[CaseCheck]:
    """Energy, momentum and angular momentum of a run without loads, by their sizes."""
    energy, momenta = run.energy, _momenta(model, run)
    for name, change, size in (
        ("energy", np.ptp(energy), abs(energy[0])),
        ("momentum", np.ptp(momenta, axis=0)[:3].max(), np.linalg.norm(momenta[0, :3])),
        ("angular momentum", np.ptp(momenta, axis=0)[3:].max(), np.linalg.norm(momenta[0, 3:])),
    ):
        yield at_most(f"free flight: change of {name}", float(change / size), tolerance)


def _flying() -> Iterator[CaseCheck]:
    model = build(flying_rod(functions=(5, 4)), functions=FUNCTIONS)
    start = {"free_theta": -math.atan2(8, 6), "free_y": 8.0}
    first = simulate(
        model,
        start,
        t_span=np.linspace(0, 2.5, 6),
        rtol=1e-9,
        atol=1e-11,
        inputs={"Fx": 8.0, "Mz": -80.0},
    )
    run = simulate(
        model, first.q[-1], first.u[-1], t_span=np.linspace(0, 3.5, 8), rtol=1e-9, atol=1e-11
    )
    momentum = _momenta(model, run)[0]
    yield agrees("momentum after 2.5 s", [20, 0, 0], momentum[:3], 1e-8)
    yield agrees("angular momentum", -189.28, momentum[5], 0.02)
    yield from _conserved(run, model, 1e-9)
    for place, t, expected in (
        (first.q[2], 1.0, (5.007, -0.525)),
        (first.q[5], 2.5, (4.431, -0.788)),
        (run.q[3], 4.0, (4.353, 1.227)),
        (run.q[5], 5.0, (5.616, 4.775)),
        (run.q[7], 6.0, (8.422, 6.826)),
    ):
        yield agrees(f"tip at {t} s", expected, tip_place(model, place)[:2], 0.03)


def _pulse() -> Iterator[CaseCheck]:
    model = build(pulsed_rod(6, 6, 10), functions=FUNCTIONS)
    law = {"Fy": lambda t, q, u: 6 * math.sin(math.pi * t / 2) ** 2}
    first = simulate(model, t_span=np.linspace(0, 2, 5), rtol=1e-10, atol=1e-12, inputs=law)
    run = simulate(
        model, first.q[-1], first.u[-1], t_span=np.linspace(0, 1, 3), rtol=1e-10, atol=1e-12
    )
    expected = (
        (0.95254585, 0.27036094),
        (0.13625288, 0.87386687),
        (0.95398019, 0.27382646),
        (0.99966529, -0.02273505),
        (1.00025556, 0.00059968),
        (0.99968672, 0.02277951),
    )
    states = [*first.q[1:], *run.q[1:]]
    for k, (place, q) in enumerate(zip(expected, states, strict=True)):
        yield agrees(f"tip at {(k + 1) / 2} s", place, tip_place(model, q)[:2], 3e-4)
    energy = run.energy
    yield agrees("energy after the pulse", 0.0057013, energy[0], 3e-5)
    yield at_most("change of energy", float(np.ptp(energy) / energy[0]), 1e-8)
    momentum = _momenta(model, run)[-1]
    got = [momentum[0], momentum[1], momentum[5]]
    yield agrees("momenta at 3 s", [-0.0019325, 0.0120721, -0.0019439], got, 3e-4)


def _spatial() -> Iterator[CaseCheck]:
    model = build(flying_rod(spatial=True, functions=(2, 1), points=4), functions=FUNCTIONS)
    half = math.atan2(4, 3) / 2
    start = {"free_qw": math.cos(half), "free_qy": math.sin(half)}

    def load(t: float) -> float:
        return 200 * (t / 2.5 if t < 2.5 else 2 - t / 2.5)

    inputs = {
        "Fx": lambda t, q, u: load(t) / 10,
        "My": lambda t, q, u: load(t),
        "Mz": lambda t, q, u: load(t) / 2,
    }
    q, u = model.neutral(), np.zeros(model.nu)
    q[[model.coordinates.index(name) for name in start]] = list(start.values())
    for a, b in ((0.0, 2.5), (2.5, 5.0)):
        part = simulate(model, q, u, t_span=[a, b], inputs=inputs, rtol=1e-10, atol=1e-12)
        q, u = part.q[-1], part.u[-1]
    run = simulate(model, q, u, t_span=np.linspace(0, 1.5, 4), rtol=1e-10, atol=1e-12)
    yield agrees("momentum after 5 s", [50, 0, 0], _momenta(model, run)[0][:3], 1e-7)
    yield from _conserved(run, model, 1e-8)


def _spatial_pulse() -> Iterator[CaseCheck]:
    model = build(spatially_pulsed_rod(6, 4, 9), functions=FUNCTIONS)

    def part(share: float) -> Any:
        return lambda t, q, u: share * math.sin(math.pi * t / 2) ** 2

    inputs = {"Fy": part(5.0), "Fz": part(4.0), "Mx": part(1.0)}
    first = simulate(model, t_span=[0.0, 2.0], rtol=1e-7, atol=1e-9, inputs=inputs)
    run = simulate(model, first.q[-1], first.u[-1], t_span=[0.0, 1.0], rtol=1e-7, atol=1e-9)
    yield agrees("energy after the pulse", 0.4816467, run.energy[0], 1e-3)
    momentum = _momenta(model, run)[-1]
    yield agrees("momentum at 3 s", [0.0224014, 0.1101841, -0.1844248], momentum[:3], 1e-3)
    expected = [-0.0620206, 0.1191312, 0.0722638]
    yield agrees("angular momentum at 3 s", expected, momentum[3:], 1e-3)


_SOURCE = "geometrically exact rods, list of cases: "

CASES = (
    Case(
        21,
        "flying beam in the plane",
        _SOURCE + "Simo and Vu-Quoc 1986",
        "momenta and energy kept; tip against a spectral element",
        _flying,
        "reconstructed",
        slow=True,
    ),
    Case(
        22,
        "flying beam in space",
        _SOURCE + "Simo and Vu-Quoc 1988",
        "momenta and energy kept; the motion is too sensitive for a trajectory",
        _spatial,
        slow=True,
    ),
    Case(
        23,
        "planar pulse",
        _SOURCE + "spectral element of quaternions and displacements",
        "tip, energy and momenta of a rod that shears and stretches",
        _pulse,
        "reconstructed",
        slow=True,
    ),
    Case(
        24,
        "pulse in space",
        _SOURCE + "spectral element of quaternions and displacements",
        "energy and momenta of a rod that bends both ways, twists, shears and stretches",
        _spatial_pulse,
        "reconstructed",
        slow=True,
    ),
)
