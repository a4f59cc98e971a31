"""Case of the passenger car: 44."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import expm

from eomc.runtime.constraints.assembly import assemble
from eomc.runtime.linearization import linearize, unreduced_eigenvalues
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.trom.passenger_car import TYRE_HEIGHT, TYRE_STIFFNESS, WHEELS, passenger_car
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.trom.models import Complex, car, car_at_rest

COORDINATES, FREEDOMS, SAVING = 29, 10, 9.09
"""The thesis's car, and how many times the operations of QZ are those of QR by its formulas."""


def of_the_thesis(n: int, f: int) -> tuple[int, int]:
    """(operations by QR, by QZ) of n coordinates and f freedoms: 2 n^2 + f^3 and n^3."""
    return 2 * n**2 + f**3, n**3


def operations(n: int, m: int) -> tuple[int, int]:
    """(flops by QR, by QZ) of n coordinates and m constraints at rest.

    QR of G^T with all of Q, Q_2^T (M, C, K) Q_2, A and the eigenvalues of its 2 (n - m) states;
    QZ of the pencil in 2 n + m unknowns. Reference: Golub and Van Loan, *Matrix Computations*,
    4th ed., sections 5.2 (QR), 7.5 (10 k^3 for eigenvalues) and 7.7 (30 k^3).
    """
    f = n - m
    factors = 2 * m**2 * (n - m / 3) + 4 * (n**2 * m - n * m**2 + m**3 / 3)
    projections = 3 * (2 * n**2 * f + 2 * n * f**2)
    states = f**3 / 3 + 4 * f**3 + 10 * (2 * f) ** 3
    return round(factors + projections + states), 30 * (2 * n + m) ** 3


def _both_ways() -> Iterator[CaseCheck]:
    model, rest = car(), car_at_rest()
    linear = linearize(model, rest, independent="null space")
    n, f = linear.basis.shape
    got = [n, f, len(linear.multipliers), len(linear.redundant)]
    yield agrees("coordinates, freedoms, constraints, redundant", [29, 10, 19, 0], got, 0)
    yield from _stands()
    reduced = linear.modes().eigenvalues
    unreduced = unreduced_eigenvalues(model, rest)
    scale = float(np.abs(reduced).max())
    yield holds(
        "eigenvalues", "20 both ways", f"{len(reduced)}, {len(unreduced)}", len(reduced) == 20
    )
    yield at_most("QR and QZ, relative", np.abs(reduced - unreduced).max() / scale, 1e-8)
    differenced = linearize(model, rest, method="central").modes().eigenvalues
    yield at_most("differences, relative", np.abs(reduced - differenced).max() / scale, 1e-5)
    yield from _counted(n, n - f)
    yield from _kinds(reduced)
    yield from _released()


def _stands() -> Iterator[CaseCheck]:
    """The tyres carry the weight, but for the slope of the springs along and across the road."""
    model, rest = car(), car_at_rest()
    poses = [model.frame(f"contact_{wheel}").pose(rest.q)[:3, 3] for wheel in WHEELS]
    loads = np.array([TYRE_STIFFNESS * (TYRE_HEIGHT - at[2]) for at in poses])
    weight = 9.81 * sum(float(body.mass) for body in passenger_car().bodies.values())
    yield agrees("load of the wheels [N]", weight, loads.sum(), 1e-4, relative=True)
    yield agrees("load of the left wheels, of the right ones", loads[::2], loads[1::2], 1e-3)


def _counted(n: int, m: int) -> Iterator[CaseCheck]:
    printed = of_the_thesis(COORDINATES, FREEDOMS)
    yield agrees("operations by the thesis's formulas", [2682, 24389], printed, 0)
    yield agrees("their ratio", SAVING, printed[1] / printed[0], 5e-3)
    by_qr, by_qz = operations(n, m)
    text = f"{by_qz / by_qr:.1f}: {by_qz} and {by_qr}"
    yield holds("flops of QZ and QR here", f">= {SAVING} times", text, by_qz >= SAVING * by_qr)


def _kinds(eigenvalues: Complex) -> Iterator[CaseCheck]:
    hertz = np.abs(eigenvalues[::2]) / (2 * np.pi)
    body, hop = hertz[hertz < 2], hertz[hertz > 10]
    stable = bool((eigenvalues.real < 0).all())
    yield holds("all decay", "Re < 0", f"{eigenvalues.real.max():.3f}", stable)
    text = ", ".join(f"{f:.2f}" for f in hertz)
    kinds = len(body) == 3 and len(hop) == 4 and bool((hop < 14).all())
    yield holds(
        "frequencies [Hz]", "3 of the body below 2, 4 of the wheels at 10 to 14", text, kinds
    )
    bounce, single = _by_hand()
    nearest = float(body[np.argmin(np.abs(body - bounce))])
    yield agrees("bounce by springs in series [Hz]", bounce, nearest, 0.05, relative=True)
    yield agrees("hop of a front wheel alone [Hz]", single, hop[-1], 0.05, relative=True)


def _by_hand() -> tuple[float, float]:
    """Of the body on coils and tyres in series, of a front wheel between both [Hz]."""
    coils = np.array([22e3 * np.cos(0.14) ** 2, 40e3 * (0.25 / 0.36) ** 2])  # at the wheels
    rates = coils * TYRE_STIFFNESS / (coils + TYRE_STIFFNESS)
    parts = {name: float(body.mass) for name, body in passenger_car().bodies.items()}
    wheel = parts["front_left_carrier"] + parts["front_left_arm"] / 3
    bounce = np.sqrt(2 * rates.sum() / (parts["car"] + parts["rack"]))
    hop = np.sqrt((coils[0] + TYRE_STIFFNESS) / wheel)
    return float(bounce) / (2 * np.pi), float(hop) / (2 * np.pi)


def _released() -> Iterator[CaseCheck]:
    """The run of the whole car from a lift of 1 mm, by the linear model."""
    model, rest = car(), car_at_rest()
    lifted = dict(zip(model.coordinates, rest.q, strict=True))
    lifted["car_z"] += 1e-3
    start = assemble(model, lifted, fixed="car_z")
    t = np.linspace(0, 0.4, 21)
    run = simulate(model, start.q, t_span=t, rtol=1e-9, atol=1e-12, progress=False)
    linear = linearize(model, rest)
    places = [model.coordinates.index(name) for name in linear.coordinates]
    first = np.concatenate([(start.q - rest.q)[places], np.zeros(len(places))])
    moved = np.array([expm(linear.A * time) @ first for time in t])[:, : len(places)]
    yield agrees("run from a lift of 1 mm [m, rad]", moved, run.q[:, places] - rest.q[places], 2e-5)


CASES = (
    Case(
        44,
        "Passenger car of 29 coordinates: eigenvalues by QR and by QZ",
        "section 4.4",
        "both ways to the eigenvalues, their operations, the run of the car",
        _both_ways,
        "reconstructed",
        note="The thesis counts operations of a car that it does not present; topology and data "
        "here are our own. `python -m benchmarks --section linearization` times both ways.",
        slow=True,
    ),
)
