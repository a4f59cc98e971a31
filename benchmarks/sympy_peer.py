"""SymPy's textbook derivation, and PyDy's compiled right-hand side, as far as they reach.

Run as a process of its own, which is ended when its time is over:
``python -m benchmarks.sympy_peer METHOD N`` prints one line of JSON.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import eomc
from benchmarks.section import Section

LIMIT = 60.0  # seconds for derivation and compilation together


@dataclass(frozen=True)
class Attempt:
    """Figures of one method on one pendulum; `stopped` says why there are none.

    derive, compile : seconds; call : ns from Python; error : of the accelerations against ours
    """

    method: str
    links: int
    derive: float | None = None
    compile: float | None = None
    call: float | None = None
    error: float | None = None
    stopped: str = ""


def attempt(method: str, links: int, limit: float = LIMIT) -> Attempt:
    """Run a method ("lagrange" or "pydy") in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.sympy_peer", method, str(links)]
    # A session of its own: the compiler that PyDy starts ends with it.
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        output, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Attempt(method, links, stopped=f"not done after {limit:.0f} s")
    if process.returncode:
        return Attempt(method, links, stopped=(errors.strip().splitlines() or ["no message"])[-1])
    return Attempt(**json.loads(output.splitlines()[-1]))


def section(models: Sequence[tuple[str, int]], limit: float) -> Section:
    """Each method on ever longer planar pendulums, until it does not come back in time."""
    attempts = []
    for method in ("lagrange", "pydy"):
        for name, links in models:
            print(f"{name}: {method} ...", file=sys.stderr, flush=True)
            attempts.append(attempt(method, links, limit))
            if attempts[-1].stopped:
                break
    return Section(
        "SymPy and PyDy",
        "`python -m benchmarks --section sympy`: planar pendulum: `LagrangesMethod` (derivation "
        "alone), and `KanesMethod` with PyDy's Cython right-hand side, called from Python.",
        ("method", "links", "derive, s", "compile, s", "ns a call", "error"),
        [_row(row) for row in attempts],
        [vars(row) for row in attempts],
    )


def _row(row: Attempt) -> tuple[str, ...]:
    method = {"lagrange": "LagrangesMethod", "pydy": "KanesMethod, PyDy"}[row.method]
    if row.stopped:
        return (method, str(row.links), row.stopped, "", "", "")
    return (
        method,
        str(row.links),
        *("" if s is None else f"{s:.1f}" for s in (row.derive, row.compile)),
        "" if row.call is None else f"{row.call:.0f}",
        "" if row.error is None else f"{row.error:.0e}",
    )


def _lagrange(links: int) -> Any:
    """`LagrangesMethod` on the energies of point masses; relative angles."""
    import sympy as sp
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    m, length, g = sp.symbols("m l g")
    q = dynamicsymbols(f"q1:{links + 1}")
    t = dynamicsymbols._t
    kinetic = potential = x = z = angle = sp.Integer(0)
    for joint in q:
        angle = angle + joint
        x, z = x - length * sp.sin(angle), z - length * sp.cos(angle)
        kinetic += m * (x.diff(t) ** 2 + z.diff(t) ** 2) / 2
        potential += m * g * z
    method = LagrangesMethod(kinetic - potential, list(q))
    method.form_lagranges_equations()
    return method.mass_matrix, method.forcing, list(q), [joint.diff(t) for joint in q]


def _kane(links: int) -> Any:
    """`KanesMethod`, as PyDy's own n-link pendulum does it."""
    from sympy import symbols
    from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

    m, length, g = symbols("m l g")
    q, u = dynamicsymbols(f"q1:{links + 1}"), dynamicsymbols(f"u1:{links + 1}")
    rates = [a.diff(dynamicsymbols._t) - b for a, b in zip(q, u, strict=True)]
    inertial, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(inertial, 0)
    frame, point, particles, loads = inertial, origin, [], []
    for k in range(links):
        link = frame.orientnew(f"A{k}", "Axis", (q[k], inertial.y))
        link.set_ang_vel(frame, u[k] * inertial.y)
        tip = point.locatenew(f"P{k}", -length * link.z)
        tip.v2pt_theory(point, inertial, link)
        particles.append(Particle(f"B{k}", tip, m))
        loads.append((tip, -m * g * inertial.z))
        frame, point = link, tip
    method = KanesMethod(inertial, q_ind=q, u_ind=u, kd_eqs=rates)
    method.kanes_equations(particles, loads)
    return method, (m, length, g), q, u


def _main(method: str, links: int) -> Attempt:
    start = time.perf_counter()
    state = np.random.default_rng(links).uniform(-1.5, 1.5, size=(2, links))
    constants = np.array([1.0, 1.0, 9.81])
    if method == "lagrange":
        _lagrange(links)
        return Attempt(method, links, time.perf_counter() - start)
    from pydy.codegen.ode_function_generators import generate_ode_function

    system, symbols, q, u = _kane(links)
    derived = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # What the code generator prints is none of the result.
        with open(os.devnull, "w") as silence:
            keep, sys.stdout = sys.stdout, silence
            try:
                right_side = generate_ode_function(
                    system.forcing_full,
                    q,
                    u,
                    symbols,
                    mass_matrix=system.mass_matrix_full,
                    generator="cython",
                )
            finally:
                sys.stdout = keep
        compiled = time.perf_counter()
        x = state.ravel()
        ours = _our_accelerations(links, state)
        theirs = right_side(x, 0.0, constants)[links:]
        error = float(np.linalg.norm(theirs - ours) / np.linalg.norm(ours))
        call = nanoseconds(lambda: right_side(x, 0.0, constants))
    return Attempt(method, links, derived - start, compiled - derived, call, error)


def _our_accelerations(links: int, state: Any) -> Any:
    from eomc.systems.pendulum import planar_pendulum

    quantity = eomc.equations(planar_pendulum(links)).forward_dynamics
    return quantity.evaluate(q=state[0], u=state[1], tau=np.zeros(links))


def nanoseconds(call: Any, seconds: float = 0.05, rounds: int = 7) -> float:
    """Median time of a Python call in thread CPU time."""
    call()
    start = time.thread_time()
    call()
    count = max(1, int(seconds / max(time.thread_time() - start, 1e-6)))
    results = []
    for _ in range(rounds):
        start = time.thread_time()
        for _ in range(count):
            call()
        results.append((time.thread_time() - start) / count)
    return 1e9 * float(np.median(results))


if __name__ == "__main__":
    print(json.dumps(vars(_main(sys.argv[1], int(sys.argv[2])))))
