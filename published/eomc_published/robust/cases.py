"""Cases of loop recovery, H-infinity norms and spillover, and of all laws side by side: 1 to 4."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
import scipy.linalg

from eomc.binding.arrays import Array
from eomc.runtime.control.output_regulator import OutputRegulator
from eomc.runtime.control.regulator import regulator
from eomc_published.case import Case, CaseCheck, at_most, holds
from eomc_published.robust.bench import BENCHES, OMEGA, Bench, response
from eomc_published.robust.runs import left

_MISSING = "" if find_spec("slycot") else "slycot is not installed"
RECOVERY = (0.0, 1e4, 1e6, 1e8, 1e10)


def recovered(bench: Bench) -> tuple[Array, list[Any]]:
    """Loop gains at `OMEGA` of the full state, and of LQG for each q, over the displacement of the
    actuator."""
    a, b, c = bench.collocated
    gain = regulator(a, b, c.T @ c, bench.cost).gain
    loops = [bench.recovering(q).loop_gain(a, b, c, OMEGA)[:, 0, 0] for q in RECOVERY]
    return response(a, b, gain)[:, 0, 0], loops


def _recovery() -> Iterator[CaseCheck]:
    for make in BENCHES:
        bench = make()
        full, loops = recovered(bench)
        apart = np.array([np.abs(loop - full).max() for loop in loops])
        text = ", ".join(f"{x:.3g}" for x in apart)
        falls = bool((np.diff(apart[1:]) < 0).all() and apart[1] < apart[0])
        yield holds(f"{bench.name}: sup |L - L_full| as q grows", "falls", text, falls)
        yield at_most(f"{bench.name}: the last by the first", apart[-1] / apart[0], 0.01)
        peak = np.abs(1 / (1 + full)).max()
        yield at_most(f"{bench.name}: largest sensitivity of the full state", peak, 1 + 1e-6)
        first, last = (np.abs(1 / (1 + loop)).max() for loop in (loops[0], loops[-1]))
        text = f"{first:.3f}, then {last:.3f}"
        yield holds(
            f"{bench.name}: that of LQG", "above 1, then near it", text, last < 1.05 < first
        )


def has_gain_above(a: Array, b: Array, c: Array, d: Array, level: float) -> bool:
    """True if the largest singular value reaches `level`: by eigenvalues of the Hamiltonian on the
    imaginary axis (Boyd, Balakrishnan and Kabamba, 1989)."""
    r = level**2 * np.eye(d.shape[1]) - d.T @ d
    if np.linalg.eigvalsh(r).min() <= 0:
        return True
    inner = np.linalg.solve(r, d.T @ c)
    upper = a + b @ inner
    hamiltonian = np.block(
        [[upper, b @ np.linalg.solve(r, b.T)], [-c.T @ c - c.T @ d @ inner, -upper.T]]
    )
    values = np.linalg.eigvals(scipy.linalg.matrix_balance(hamiltonian)[0])
    return bool((np.abs(values.real) < 1e-7 * np.abs(values)).any())


def norm(a: Array, b: Array, c: Array, d: Array, low: float, high: float) -> float:
    """By bisection between two levels."""
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if has_gain_above(a, b, c, d, middle) else (low, middle)
    return high


def _norm() -> Iterator[CaseCheck]:
    for make in BENCHES:
        bench = make()
        made = bench.robust
        a, b, c, d = made.closed_loop
        stable = float(np.linalg.eigvals(a).real.max())
        yield at_most(f"{bench.name}: largest real part of the loop [1/s]", stable, -1e-3)
        gains = np.linalg.svd(response(a, b, c) + d, compute_uv=False)[:, 0]
        yield at_most(
            f"{bench.name}: largest gain on a grid by gamma", gains.max() / made.gamma, 1.0
        )
        # The synthesis tells gamma; plant, weight and regulator are put together here.
        level = norm(*together(bench), 0.1 * made.gamma, 2 * made.gamma)
        yield at_most(f"{bench.name}: norm by bisection, by gamma", level / made.gamma, 1.0 + 1e-3)
        short = level / gains.max() - 1
        yield holds(
            f"{bench.name}: norm by that on the grid, off",
            "within 1 %",
            f"{short:.2%}",
            abs(short) < 0.01,
        )


def together(bench: Bench) -> tuple[Array, Array, Array, Array]:
    """(A, B, C, D) from (w_1, w_2) to (E y, W v) of the design model under the regulator."""
    import control

    (a, b, c), own, weight = bench.design, bench.robust.regulator, control.ss(bench.effort())
    n, k, r = len(a), len(own.A), weight.nstates
    zeros = np.zeros
    whole = np.block(
        [
            [a, b @ own.C, zeros((n, r))],
            [own.B @ c, own.A, zeros((k, r))],
            [zeros((r, n)), weight.B @ own.C, weight.A],
        ]
    )
    inputs = np.vstack(
        [
            np.hstack([bench.disturbance * b, zeros((n, 1))]),
            np.hstack([zeros((k, 1)), own.B]),
            zeros((r, 2)),
        ]
    )
    outputs = np.block(
        [[bench.performance * c, zeros((1, k + r))], [zeros((1, n)), weight.D @ own.C, weight.C]]
    )
    return whole, inputs, outputs, zeros((2, 2))


def slowest(made: OutputRegulator, plant: tuple[Array, Array, Array]) -> float:
    """Largest real part [1/s] of a closed loop."""
    return float(np.linalg.eigvals(made.closed_loop(*plant)).real.max())


def _spillover() -> Iterator[CaseCheck]:
    for make in BENCHES:
        bench = make()
        simple, made = bench.lqg(), bench.robust
        for word, own in (("LQG", simple), ("H-infinity", made.regulator)):
            value = slowest(own, bench.design)
            yield holds(
                f"{bench.name}: {word} on its design model",
                "stable",
                f"{value:.3f} 1/s",
                value < -0.1,
            )
        value = slowest(simple, bench.whole)
        yield holds(f"{bench.name}: LQG on all modes", "unstable", f"{value:.3f} 1/s", value > 0.1)
        value = slowest(made.regulator, bench.whole)
        yield holds(
            f"{bench.name}: H-infinity on all modes", "stable", f"{value:.3f} 1/s", value < -0.1
        )
        covered = (np.abs(bench.effort()(1j * OMEGA)) / bench.left_out).min()
        yield holds(f"{bench.name}: |W| by what is left out", "> 1", f"{covered:.3f}", covered > 1)
        yield at_most(f"{bench.name}: gamma", made.gamma, 1.0)


def _side_by_side() -> Iterator[CaseCheck]:
    for make in BENCHES:
        name = make().name
        robust, simple = left(name, "H-infinity"), left(name, "LQG")
        text = f"{robust:.3g} of the first second's"
        yield holds(f"{name}: H-infinity, output in the last second", "< 0.05", text, robust < 0.05)
        ratio = simple / robust
        yield holds(f"{name}: LQG, by that", "> 100", f"{ratio:.3g}", ratio > 100)


CASES = (
    Case(
        1,
        "Loop transfer recovery",
        "Doyle and Stein (1981), sec. IV",
        "loop gain of LQG against that of the full state for growing q, and sensitivities",
        _recovery,
        slow=True,
    ),
    Case(
        2,
        "H-infinity norm of the closed loop",
        "Doyle, Glover, Khargonekar and Francis (1989); Boyd, Balakrishnan and Kabamba (1989)",
        "bisection on the Hamiltonian of the loop put together here, and a grid of frequencies",
        _norm,
        slow=True,
        unavailable=_MISSING,
    ),
    Case(
        3,
        "Spillover",
        "Balas (1978); small gain",
        "designs on fewer modes, in closed loop with all of them",
        _spillover,
        slow=True,
        unavailable=_MISSING,
    ),
    Case(
        4,
        "Laws on nonlinear plants with all modes",
        "Balas (1978)",
        "sampled regulators from a bent place: what is left of the measured output after 12 s",
        _side_by_side,
        "reconstructed",
        slow=True,
        unavailable=_MISSING,
    ),
)
