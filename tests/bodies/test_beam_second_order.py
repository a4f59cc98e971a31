"""Terms of second order of a beam in space, against a rod of the same curvatures.

The rod is integrated along its axis: R' = R [k]x with the curvatures k of the turned section, and
r' = R e_x + e' e_x, without any thought of small deflections but for stretch times slope, which the
beam leaves out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from bodies.graph_values import function_of
from bodies.test_beam import L, beam, turn
from bodies.velocity_field import form_energy

from eomc.derive.shapes import gauss_points

MODES = (2, 2, 1, 2)
COUNT = sum(MODES)
INERTIA = (0.05, 0.02, 0.03)


def form(**changes: Any) -> Any:
    given = {"modes": MODES, "section_inertia": INERTIA, "stiffening": True, **changes}
    return beam(**given)


def sums(shapes: Any, xi: Any, s: Any) -> dict[tuple[str, int], Any]:
    """Sums of shapes times amplitudes, and their derivatives by x."""
    total = {(name, n): 0.0 for name in ("y", "z", "axial", "torsion") for n in range(3)}
    for name, amplitude in zip(shapes.coordinates, xi, strict=True):
        for n in range(3):
            value = shapes.shape(name).derivative(s, n) / L**n
            total[name.rstrip("0123456789"), n] += amplitude * value
    return total


def cross(a: Any) -> Any:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rod(shapes: Any, xi: Any, fixed: float, stations: Any, steps: int = 40) -> list[Any]:
    """(r, R) at the stations s, by Runge's and Kutta's method from the fixed station."""

    def rate(s: float, state: Any) -> Any:
        k = sums(shapes, xi, s)
        turning = state[:, 1:] @ cross([k["torsion", 1], -k["z", 2], k["y", 2]])
        return L * np.column_stack([state[:, 1] + k["axial", 1] * np.eye(3)[0], turning])

    at = sums(shapes, xi, fixed)
    turned = turn("z", at["y", 1]) @ turn("y", -at["z", 1]) @ turn("x", at["torsion", 0])
    x = -L * 0.5 + L * fixed if fixed else 0.0
    place = np.array([x + at["axial", 0], at["y", 0], at["z", 0]])
    result = []
    for station in stations:
        state, h = np.column_stack([place, turned]).astype(complex), (station - fixed) / steps
        for i in range(steps):
            s = fixed + i * h
            k1 = rate(s, state)
            k2 = rate(s + h / 2, state + h / 2 * k1)
            k3 = rate(s + h / 2, state + h / 2 * k2)
            state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(s + h, state + h * k3))
        result.append((state[:, 0], state[:, 1:]))
    return result


@pytest.mark.parametrize(
    ("shapes", "origin", "fixed"),
    [
        ("clamped-free", "root", 0.0),
        ("clamped-free polynomials", "root", 0.0),
        ("free-free", "middle", 0.5),
    ],
)
def test_stations_are_those_of_the_rod(shapes: str, origin: str, fixed: float) -> None:
    body = form(shapes=shapes, origin=origin)
    symbols = sympy.symbols(f"xi:{COUNT}")
    direction = np.random.default_rng(1).normal(size=COUNT)
    stations = (0.2, 0.7, 1.0)
    start = -L / 2 if fixed else 0.0
    given = [body.attachment(start + L * s, symbols) for s in stations]
    values = function_of(
        symbols,
        [e for one in given for e in (*one.displacement, *(angle for _, angle in one.turns))],
    )

    def difference(size: float) -> Any:
        found = values(size * direction).reshape(len(stations), 6)
        errors = []
        rods = rod(body, size * direction, fixed, stations)
        for (r, turned), row in zip(rods, found, strict=True):
            own = turn("z", row[3]) @ turn("y", row[4]) @ turn("x", row[5])
            errors.append([*(row[:3] - r.real), *(own - turned.real).ravel()])
        return np.abs(errors).max(axis=0)

    # nothing of second order is left, which would fall by a hundred if cut by ten
    coarse, fine = difference(1e-2), difference(1e-3)
    assert np.all(fine < 3e-3 * coarse + 1e-9)
    assert fine.max() < 1e-6


@pytest.mark.slow
def test_energy_is_that_of_the_rod() -> None:
    """Of mass elements and turning sections, their rates by complex step."""
    body = form()
    energy = form_energy(body)
    random = np.random.default_rng(4)
    v, w = random.normal(size=(2, 3))
    xi, xi_rate = random.normal(size=(2, COUNT))
    s, weights = gauss_points([0.0, 1.0], 2)

    def exact(size: float) -> float:
        step, total = 1e-30, 0.0
        moved = size * (xi + 1j * step * xi_rate)
        for (r, turned), weight in zip(rod(body, moved, 0.0, s, 12), weights, strict=True):
            velocity = v + np.cross(w, r.real) + r.imag / step
            spin = turned.real.T @ (turned.imag / step)
            rates = turned.real.T @ w + np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            kinetic = 1.7 * velocity @ velocity + rates @ (np.array(INERTIA) * rates)
            total += 0.5 * L * weight * kinetic
        return total

    def difference(size: float) -> float:
        return energy(v, w, size * xi, size * xi_rate) - exact(size)

    assert difference(3e-2) / difference(3e-3) == pytest.approx(1000, rel=0.1)
