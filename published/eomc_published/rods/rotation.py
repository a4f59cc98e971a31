"""Cases 15 to 20: rods that turn: blades, shafts, spin-up. Nothing is added for stiffening."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from eomc.building import build
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization import linearize
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.rods.cantilever import tip_place
from eomc_published.case import Case, CaseCheck, agrees, holds
from eomc_published.rods.hubs import rotating_blade, shaft, spin_up_beam, spin_up_law, steady

QUICK = ("-O0",)
LINEAR = ("inverse_dynamics", "gravity", "linearization", "integrate", "normalize", "neutral")
LONG = tuple(name for name in LINEAR if name != "linearization")
FIRST = 3.51601526850015
"""The first frequency of a cantilever, by sqrt(EI / (rho A L^4))."""


def frequencies(model: Any, speed: float, **parameters: float) -> Any:
    """Imaginary parts of the eigenvalues about steady rotation, those above zero, rising."""
    found = _eigenvalues(model, speed, **parameters).imag
    return np.sort(found[found > 1e-9])


def _eigenvalues(model: Any, speed: float, **parameters: float) -> Any:
    zeros = np.zeros(model.nu)
    linear = linearize(
        model,
        q=np.zeros(model.nq),
        u=zeros,
        a=zeros,
        prescribed={"hub": steady(speed)},
        parameters=parameters or None,
    )
    return np.asarray(linear.modes().eigenvalues)


def _blades() -> Iterator[CaseCheck]:
    lag, flap = (build(rotating_blade(out), functions=LINEAR, flags=QUICK) for out in (False, True))
    for name, model, speed, expected in (
        ("at rest", lag, 0.0, (3.51601527, 22.0344916, 61.6972144)),
        ("lag at 2.5", lag, 2.5, (3.67790230, 22.79833923, 62.54465017)),
        ("flap at 2.5", flap, 2.5, (4.44713001, 22.93500102, 62.59459454)),
        ("lag at 7.5", lag, 7.5, (4.55809946, 28.16779393, 68.90803036)),
        ("flap at 7.5", flap, 7.5, (8.77646117, 29.14917863, 69.31498141)),
    ):
        got = frequencies(model, speed)[:3] / np.array(expected)
        yield agrees(f"{name}: first and second", [1, 1], got[:2], 1e-6)
        yield agrees(f"{name}: third", 1, got[2], 5e-6)
    squares = frequencies(flap, 7.5)[:2] ** 2 - frequencies(lag, 7.5)[:2] ** 2
    yield agrees("flap^2 - lag^2 = speed^2", [56.25, 56.25], squares, 1e-5)


@lru_cache(maxsize=1)
def _shaft() -> Any:
    """One for all shafts: their data are parameters."""
    model = shaft(
        ratio="ratio", section_inertia="inertia", damping="damping", functions=8, points=10, order=6
    )
    for name, value in (("ratio", 1.0), ("inertia", 0.0), ("damping", 0.0)):
        model.parameter(name, value, tunable=True)
    return build(model, functions=LONG, flags=QUICK)


def _growth(speed: float, **parameters: float) -> float:
    return float(_eigenvalues(_shaft(), speed, **parameters).real.max())


def _whirl() -> Iterator[CaseCheck]:
    # in axes that turn with the shaft: 3.572743042 - 3, 3.304733500 + 3, ...
    inertial = np.array([3.572743042, -3.304733500, 19.888841548, -18.413454069])
    got = frequencies(_shaft(), 3.0, inertia=0.01)[:4] * [1, -1, 1, -1] + 3.0
    yield agrees("first pair", inertial[:2], got[:2], 1e-7)
    yield agrees("second pair", inertial[2:], got[2:], 2e-6)


def _unsymmetric() -> Iterator[CaseCheck]:
    """Unstable exactly between the two critical speeds."""
    for speed, stable in (
        (3.5, True),
        (FIRST - 1e-4, True),
        (FIRST + 1e-4, False),
        (3.53, False),
        (1.2 * FIRST - 1e-4, False),
        (1.2 * FIRST + 1e-4, True),
        (4.23, True),
    ):
        growth = _growth(speed, ratio=1.44)
        label = f"largest real part {growth:.3g}"
        yield holds(
            f"at {speed:.5g}", "stable" if stable else "unstable", label, stable == (growth < 1e-9)
        )
    yield agrees("growth at 3.53", 0.098, _growth(3.53, ratio=1.44), 1e-3)


def _damped() -> Iterator[CaseCheck]:
    for speed, expected in ((3.51601, -9.3e-8), (3.51602, 8.3e-8)):
        growth = _growth(speed, damping=0.01)
        yield agrees(f"real part at {speed:.5f}", expected, growth, 5e-9)


def _extension() -> Iterator[CaseCheck]:
    model = build(spin_up_beam(1, 6, stretch=3), functions=LINEAR, flags=QUICK)
    state = equilibrium(model, prescribed={"hub": lambda t: (0.0, 6.0, 0.0)})
    reach = 6 * 10 * math.sqrt(1.2 / 2.8e7)
    exact = 10 * (math.tan(reach) / reach - 1)
    names = [name for name in model.coordinates if "stretch" in name]
    got = 10 * state[names[0]]  # the mean of the first Legendre function
    yield agrees("elongation [m]", exact, got, 1e-8)


def _spin_up() -> Iterator[CaseCheck]:
    model = build(spin_up_beam(), functions=("forward_dynamics",))
    times = [0.0, 3.0, 5.0, 9.0, 15.0]
    run = simulate(model, t_span=times, prescribed={"hub": spin_up_law}, rtol=1e-8, atol=1e-10)
    for t, q, expected in zip(
        times[1:],
        run.q[1:],
        (
            (-0.0027292, -0.2172575),
            (-0.0126726, -0.4684443),
            (-0.0119879, -0.4601492),
            (-1e-7, 0.0012726),
        ),
        strict=True,
    ):
        place = tip_place(model, q, s=np.zeros(1))
        yield agrees(
            f"t = {t:g} s: tip along and across", expected, [place[0] - 10, place[1]], 1e-3
        )


_SOURCE = "geometrically exact rods, list of cases: "

CASES = (
    Case(
        15,
        "rotating cantilever",
        _SOURCE + "Ritz's method in forty digits",
        "eigenvalues about steady rotation, in and out of the plane",
        _blades,
        "reconstructed",
        slow=True,
    ),
    Case(
        16,
        "whirl",
        _SOURCE + "characteristic equation of a spinning shaft",
        "eigenvalues of a shaft with section inertia",
        _whirl,
        slow=True,
    ),
    Case(
        17,
        "unsymmetric shaft",
        _SOURCE + "unstable between its two critical speeds",
        "eigenvalues at speeds around",
        _unsymmetric,
        slow=True,
    ),
    Case(
        18,
        "internal damping",
        _SOURCE + "Kelvin and Voigt: unstable above the critical speed",
        "eigenvalues at speeds around",
        _damped,
        slow=True,
    ),
    Case(19, "steady extension", _SOURCE + "exact", "equilibrium that turns", _extension),
    Case(
        20,
        "spin-up",
        _SOURCE + "Kane, Ryan and Banerjee 1987; Simo and Vu-Quoc 1987",
        "simulation against chains of rigid links, extrapolated",
        _spin_up,
        "reconstructed",
        slow=True,
    ),
)
