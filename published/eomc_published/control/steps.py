"""The Runge-Kutta step: samples of its first and second derivatives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc_published.case import Case, CaseCheck, agrees
from eomc_published.control.subjects import compiled


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


CASES = (
    Case(
        1,
        "derivatives of a step of the Panda",
        "Hager 2000",
        "first ones against a chain of Pinocchio's, second ones against differences of these",
        case_1,
        slow=True,
    ),
)
