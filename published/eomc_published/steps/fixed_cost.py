"""Cases 8, 10 and 12: amplitudes of modes, quaternions, and the bounded work of a step."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

import eomc
from eomc.codegen import emit
from eomc.codegen.integrators import Rosenbrock, rosenbrock_methods
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.steps.models import FREQUENCIES, heavy_top, modes

_H, _COUNT = 1e-3, 1000
_ONE_STEP = {
    "ros34pw2": (*(0.999999988, 0.999981021, 0.998922009), *(0.987421217, 0.940032330, 0.842470241))
}
_LEFT = {"rodas4p": (1.0, 1.0, 0.9998, 0.9895, 0.8798, 0.4919)}


def _growth(method: Rosenbrock, z: complex) -> float:
    """|R(z)| of the stability function."""
    s = method.stages
    beta = np.zeros((s, s))
    for i in range(s):
        beta[i, :i] = [float(x + y) for x, y in zip(method.a[i], method.g[i], strict=True)]
        beta[i, i] = float(method.gamma)
    k = np.linalg.solve(np.eye(s) - z * beta, np.ones(s))
    return float(abs(1 + z * (np.array(method.b, dtype=float) @ k)))


def _cantilever() -> Iterator[CaseCheck]:
    model, frequencies = modes(), np.array(FREQUENCIES)
    for method in rosenbrock_methods():
        if not hasattr(model, method.name):
            continue
        still = np.zeros(len(frequencies))
        q, u = getattr(model, method.name)(still + 1, still, still, _H, _COUNT)
        amplitude = np.hypot(q, u / frequencies)
        exact = np.array([_growth(method, 1j * _H * w) for w in frequencies])
        kept = exact**_COUNT > 1e-12
        ratio = amplitude[-1][kept] / exact[kept] ** _COUNT
        yield agrees(
            f"{method.name}: amplitudes after 1000 steps", np.ones(ratio.size), ratio, 1e-6
        )
        if method.name in _ONE_STEP:
            yield agrees(f"{method.name}: one step", _ONE_STEP[method.name], amplitude[1], 1e-9)
        if method.name in _LEFT:
            yield agrees(f"{method.name}: left", _LEFT[method.name], amplitude[-1], 1e-4)


_RADII = {0.8: (*(1.000000000, 0.999999495, 0.999970606), *(0.999630899, 0.997985851, 0.993656207))}


def _spectral_radii(model: CompiledModel, rho: float) -> np.ndarray:
    """Of one step, mode by mode, from the steps of unit states (q, u, alpha)."""
    n, frequencies = len(FREQUENCIES), np.array(FREQUENCIES)
    columns = []
    for unit in np.eye(3):
        kept = np.concatenate([np.full(n, unit[2]) * frequencies**2, [1.0, 0.0]])
        q, u, z = model.generalized_alpha(
            np.full(n, unit[0]), unit[1] * frequencies, kept, np.zeros(n), rho, _H, 1
        )
        columns.append([q[1], u[1] / frequencies, z[1, :n] / frequencies**2])
    matrices = np.moveaxis(np.array(columns), 2, 0)
    found: np.ndarray = np.abs(np.linalg.eigvals(matrices)).max(axis=1)
    return found


def _modes() -> Iterator[CaseCheck]:
    yield from _cantilever()
    model, frequencies = modes(), np.array(FREQUENCIES)
    for rho, wanted in _RADII.items():
        found = _spectral_radii(model, rho)
        yield agrees(f"generalized_alpha, rho = {rho}: spectral radii", wanted, found, 1e-8)
    stiffest = np.abs(_spectral_radii(model, 0.0)[-1] ** _COUNT)
    yield at_most("generalized_alpha, rho = 0: the sixth mode left", stiffest, 1e-30)
    still = np.zeros(len(frequencies))
    q, u = model.midpoint(still + 1, still, still, _H, _COUNT)
    energy = (u / frequencies) ** 2 + q**2
    yield at_most("midpoint: energy of each mode", np.abs(energy - 1).max(), 1e-10)


_TOP = (
    np.array([-0.8843328656695745, 0.193400689904877, 0.10483324770114669, 0.41177851573070917]),
    np.array([-3.849884907947593, 30, -3.3793866174203258]),
)
_TURNING = {
    "ros34pw2": (3.0, 0.05, (4.421e-5, 8.392e-8)),
    "rodas4p": (3.95, 0.1, (2.045e-7, 5.195e-11)),
}


def _quaternion() -> Iterator[CaseCheck]:
    model, start = heavy_top(), ([1.0, 0, 0, 0], [0.0, 30.0, -4.61538])
    for method, (order, within, ends) in _TURNING.items():
        errors = []
        for h in (4e-3, 2e-3, 1e-3, 5e-4):
            run = simulate(model, *start, t_span=0.2, method=method, step=h)
            q = run.q[-1] * np.sign(run.q[-1] @ _TOP[0])
            errors.append(float(np.linalg.norm(q - _TOP[0])))
        length = float(np.abs(np.linalg.norm(run.q, axis=1) - 1).max())
        yield agrees(f"{method}: length of the quaternion", 0.0, length, 1e-14)
        found = np.log2(np.array(errors[:-1]) / errors[1:])
        yield agrees(f"{method}: order", order, found.mean(), within)
        ratio = np.array([errors[0], errors[-1]]) / np.array(ends)
        yield agrees(f"{method}: errors over those published", np.ones(2), ratio, 0.05)
    yield from _jacobian()


def _jacobian() -> Iterator[CaseCheck]:
    """The matrix of a step against differences of the rates."""
    model, rng = heavy_top(), np.random.default_rng(0)
    q, u, rate, e = model.random_configuration(rng), rng.normal(size=3), 100.0, 1e-6
    found, mass, carried, response = model.step_matrix(q, u, np.zeros(3), rate)

    def rates(du: np.ndarray, du_rate: np.ndarray) -> np.ndarray:
        at = model.integrate(q, du)
        a = model.forward_dynamics(at, u + du_rate, np.zeros(3))
        return np.concatenate([model.displacement_rates(du, u + du_rate), a])

    columns = [
        (rates(*np.split(e * unit, 2)) - rates(*np.split(-e * unit, 2))) / (2 * e)
        for unit in np.eye(6)
    ]
    by_q, by_u = np.array(columns).T[3:, :3], np.array(columns).T[3:, 3:]
    inverse = np.linalg.inv(rate * np.eye(3) - np.array(columns).T[:3, :3])
    yield agrees("displacements by their rates", inverse, response, 1e-7)
    expected = mass @ (rate * np.eye(3) - by_u - by_q @ inverse)
    yield agrees("matrix of a step against differences", expected, found, 1e-7, relative=True)
    yield agrees("its part by displacements", mass @ by_q @ inverse, carried, 1e-6)


_BOUNDED = re.compile(r"for \(int (\w+) = (?:0|k|i|k \+ 1|\d+ - 1); \1 (?:<=?|>=) (?:\d+|i|k|j); ")


def _work() -> Iterator[CaseCheck]:
    """The text of a step: every loop is bounded by a number or an outer counter."""
    model = Model("swing", gravity=(0, 0, -9.81))
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    equations = eomc.equations(model)
    needs = ["coordinate_rates", "forward_dynamics", "normalize"]
    needs += ["integrate", "displacement_rates", "step_matrix"]
    sources = emit(equations.program(functions=needs))
    text = "".join(sources[name] for name in sources if name.endswith(".c"))
    for name in ("factor_step", "solve_step", "ros34pw2_try", "rodas4p_try", "hht_in_place"):
        body = re.search(rf"_{name}\([^{{]*\n\{{\n(.*?)\n\}}\n", text, re.DOTALL)
        assert body is not None
        loops = re.findall(r"for \([^)]*\)|while|goto", body[1])
        free = [loop for loop in loops if not _BOUNDED.match(loop + " ")]
        yield holds(f"loops of {name} without a bound", "none", ", ".join(free) or "none", not free)


CASES = (
    Case(
        8,
        "Six modes of a cantilever",
        "Hairer and Wanner II, sec. IV.3",
        "amplitudes against the stability function; spectral radii; energy of each mode",
        _modes,
    ),
    Case(
        10,
        "Quaternions in their tangent space",
        "a heavy top; Iserles et al., Acta Numerica 9 (2000)",
        "orders and errors of the compiled steps; differences",
        _quaternion,
    ),
    Case(
        12,
        "The work of a step is fixed",
        "the emitted C",
        "bounds of all loops, as they are written",
        _work,
    ),
)
