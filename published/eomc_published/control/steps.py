"""The Runge-Kutta step: samples of its first and second derivatives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.control.subjects import compiled

Array = NDArray[np.float64]


def case_1() -> Iterator[CaseCheck]:
    model = compiled("panda")
    i = np.arange(1, 15)
    x, tau = 0.3 * np.sin(i), 3 * np.cos(np.arange(1, 8) - 0.5)
    _, _, a, b, _ = model.rk4_step_derivatives(x[:7], x[7:], tau, 0.025)
    got = np.linalg.norm(a), np.linalg.norm(b), a[7, 1], a[13, 6], b[7, 0]
    known = (15.141109726331, 7.304514994460, -5.549320999087, 0.500472693793, 0.212107610903)
    yield agrees("A and B: norms and entries", known, got, 1e-11)
    bars = np.linspace(-1, 1, 14)
    pulled = model.rk4_step_vjp(x[:7], x[7:], tau, 0.025, bars[:7], bars[7:])
    whole = np.concatenate([np.ravel(part) for part in pulled])
    yield agrees(
        "gradient by one backward sweep", bars @ np.hstack([a, b]), whole, 1e-13, relative=True
    )
    h = model.rk4_step_hessian(x[:7], x[7:], tau, 0.025, np.cos(2 * (i - 1)))
    entries = np.array([np.linalg.norm(h), h[1, 1], h[1, 3], h[7, 8], h[1, 14], np.trace(h)])
    printed = (42.89967122, -6.42712691, 3.61384791, -0.009798408, 0.998631456, 37.16052551)
    yield agrees("H: norm and entries", printed, entries, 1e-7)
    yield from _samples()


def _samples() -> Iterator[CaseCheck]:
    """By complex steps of NumPy code: th'' = -(g/l) sin th - c th' + v, and a free rotation."""
    model = compiled("damped_pendulum")
    q, u, a, b, _ = model.rk4_step_derivatives([1.0], [0.5], [0.3], 0.1)
    got = [*q, *u, *np.ravel(a), *np.ravel(b)]
    known = (0.96882097, -1.11508328, 0.94791363, 0.09775689, -1.03934453, 0.93726403)
    yield agrees("pendulum: state, A, B", (*known, 0.00493813, 0.09767879), got, 1e-8)
    turning = np.array([0.8, 0.4, -0.3, 0.2])
    state = turning / np.linalg.norm(turning), [1.0, -2.0, 0.5], [0.02, -0.01, 0.03]
    q, u, a, b, _ = compiled("turning").rk4_step_derivatives(*state, 0.05)
    quaternion = (0.798610467186, 0.442444354341, -0.352290400502, 0.205805220360)
    yield agrees("rotation: quaternion", quaternion, q, 1e-12)
    yield agrees("rotation: rates", (1.14362692334, -2.017398821705, 0.585762869882), u, 1e-11)
    first = (0.9945895809946, 0.02444608710380, 0.1009651137883, 0.04992541246105)
    yield agrees("rotation: A, tangent", first, a[0, :4], 1e-13)
    fourth = (0, 0, 0, 1.000154991643, -0.021921022742, 0.07988594955)
    yield agrees("rotation: A, rates", fourth, a[3], 1e-11)
    norms = np.linalg.norm(a), np.linalg.norm(b)
    yield agrees("rotation: norms", (2.453004161395, 6.975701757744), norms, 1e-11)


def case_2() -> Iterator[CaseCheck]:
    model, h = compiled("panda"), 0.025
    rng = np.random.default_rng(5)
    x, tau, w = rng.normal(size=14), rng.normal(size=7), rng.normal(size=14)

    def slope(z: Array) -> Array:
        a, b = model.rk4_step_derivatives(z[:7], z[7:14], z[14:], h)[2:4]
        found: Array = w @ np.hstack([a, b])
        return found

    z, steps = np.concatenate([x, tau]), 1e-3 * np.eye(21)
    near = [
        (8 * (slope(z + e) - slope(z - e)) - slope(z + 2 * e) + slope(z - 2 * e)) for e in steps
    ]
    hessian = model.rk4_step_hessian(x[:7], x[7:], tau, h, w)
    yield agrees("differences of A, B", np.array(near) / 12e-3, hessian, 1e-7, relative=True)
    yield at_most("symmetry", np.abs(hessian - hessian.T).max(), 1e-14)
    nothing = model.rk4_step_hessian(x[:7], x[7:], tau, h, 0 * w)
    yield at_most("zero weights", np.abs(nothing).max(), 0.0)


def case_3() -> Iterator[CaseCheck]:
    for name in ("furuta", "panda"):
        model, rng = compiled(name), np.random.default_rng(4)
        q, u, tau = (rng.normal(size=model.nu) for _ in range(3))
        forces = [tau, *([rng.normal(size=len(model.inputs))] if model.inputs else [])]
        bars = rng.normal(size=2 * model.nu)
        found = model.rk4_step_derivatives(q, u, *forces, 0.02)
        whole = bars @ np.hstack(found[2:-1])
        pulled = model.rk4_step_vjp(q, u, *forces, 0.02, bars[: model.nu], bars[model.nu :])
        got = np.concatenate([np.ravel(part) for part in pulled])
        yield agrees(f"{name}: one backward sweep", whole, got, 1e-13, relative=True)


def case_4() -> Iterator[CaseCheck]:
    model = compiled("panda")
    value, slopes, step = (
        model.operations_of(name)
        for name in ("forward_dynamics", "forward_dynamics_derivatives", "rk4_step_derivatives")
    )
    yield at_most(
        "operations by 4 (value + derivatives) and the products", step / _parts(value, slopes), 1.0
    )
    bent, parts = (
        model.operations_of("rk4_step_hessian"),
        model.operations_of("forward_dynamics_hessian"),
    )
    most = step + 4 * parts + 3 * (2 * 21 * 21 * 14 + 2 * 21 * 21 * 14)
    yield at_most("weighted Hessian by its parts", bent / most, 1.0)


def _parts(value: int, slopes: int) -> int:
    """Of four stages, and of three products 14 x 14 by 14 x 21."""
    return 4 * (value + slopes) + 3 * 2 * 14 * 14 * 21


CASES = (
    Case(
        1,
        "derivatives of a step of the Panda",
        "Hager 2000",
        "first ones against a chain of Pinocchio's, second ones against differences of these",
        case_1,
        slow=True,
    ),
    Case(
        2,
        "second derivatives of a step",
        "Hager 2000",
        "against differences of first derivatives; symmetry; zero weights",
        case_2,
        slow=True,
    ),
    Case(
        3,
        "one backward sweep is the product with A and B",
        "Hager 2000",
        "two functions that share no derivation",
        case_3,
        slow=True,
    ),
    Case(
        4,
        "operations of derivatives of a step of the Panda",
        "Hager 2000",
        "counts of the compiled functions against those of their parts",
        case_4,
        provenance="reconstructed",
        slow=True,
    ),
)
