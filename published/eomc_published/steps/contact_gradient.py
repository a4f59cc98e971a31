"""Case 29: derivatives of the impulses of a contact."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.runtime.impacts.friction_impulse import frictional
from eomc.runtime.impacts.impulse_derivatives import impulse_derivatives
from eomc_published.case import Case, CaseCheck, agrees, holds

W = np.array([[1.5, 0.3, -0.2], [0.3, 2, 0.1], [-0.2, 0.1, 1.8]])
SLIPS = (0.7372316228472581, -0.2597505327148895, 0.139611372282101)
BY_MU = (0.19543812166930456, -0.71159621409917611, 0.39839159137102006)
BY_RATES = (
    (-0.7374264206212777, -0.0013966561559031517, -0.0025985145377865814),
    (0.2561546730209397, -0.025781503934488834, -0.047967148175027785),
    (-0.14646614512817357, -0.04914717707100689, -0.09143958129594103),
)
STICKS = (0.7298772169167808, -0.21691678035470685, 0.14870395634379274)
MU = 0.4


def _solved(c: np.ndarray, mu: float = MU) -> np.ndarray:
    friction = np.array([mu])
    found: np.ndarray = frictional(W, c.reshape(1, 3), friction, friction, ["touch"])
    return found.ravel()


def _gradient() -> Iterator[CaseCheck]:
    c = np.array([-1.0, 2, -1])
    p = _solved(c)
    yield agrees("impulses in slip", SLIPS, p, 1e-14)
    found = impulse_derivatives(W, c, MU, SLIPS)
    yield agrees("slip: by mu", BY_MU, found.by_friction[:, 0], 1e-12)
    yield agrees("slip: by rates", BY_RATES, found.by_rates, 1e-12)
    h = 1e-6
    ends = [(_solved(c + h * e) - _solved(c - h * e)) / (2 * h) for e in np.eye(3)]
    yield agrees("slip: by differences", found.by_rates, np.array(ends).T, 1e-8)
    stuck = np.array([-1, 0.2, -0.1])
    yield agrees("impulses in stick", STICKS, _solved(stuck), 1e-14)
    found = impulse_derivatives(W, stuck, MU, STICKS)
    yield agrees("stick: by rates", -np.linalg.inv(W), found.by_rates, 1e-12)
    yield holds("stick", "far from a kink", f"{found.margin:.3g}", not found.near_kink)
    border = -W @ np.array([1, MU, 0])
    found = impulse_derivatives(W, border, MU, [1, MU, 0])
    yield holds("at the cone", "near a kink", f"{found.margin:.3g}", found.near_kink)


CASES = (
    Case(
        29,
        "Derivatives of impulses",
        "implicit function theorem; differences of 40 digits",
        "a contact that slips, one that sticks, one at the border",
        _gradient,
    ),
)
