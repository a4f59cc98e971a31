"""Brute force: kinetic energy of a moving deformed body by quadrature of its velocity field.

The position of a material element is a plain function of the coordinates; its rate is taken by
complex step, so that no derivative of the code under test is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy
from bodies.graph_values import function_of
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.derive.bodies.form import Form, energy_of

Position = Callable[[NDArray[np.complex128]], NDArray[np.complex128]]
"""Coordinates to positions (3, n) of n mass elements."""


def rate(position: Position, xi: Array, xi_rate: Array) -> Array:
    """Derivative of the positions along xi'."""
    step = 1e-40
    moved = position(np.asarray(xi, dtype=complex) + 1j * step * np.asarray(xi_rate))
    result: Array = np.imag(moved) / step
    return result


def kinetic_energy(
    position: Position, masses: Array, v: Array, w: Array, xi: Array, xi_rate: Array
) -> float:
    """Sum of m |v + w x r + r'|^2 / 2."""
    r = np.real(position(np.asarray(xi, dtype=complex)))
    velocity = v[:, None] + np.cross(w, r, axisb=0).T + rate(position, xi, xi_rate)
    return float(0.5 * masses @ np.sum(velocity**2, axis=0))


def form_energy(form: Form) -> Callable[[Array, Array, Array, Array], float]:
    """T(v, w, xi, xi') of the invariants of a form."""
    count = len(form.coordinates)
    v, w = sympy.symbols("v:3"), sympy.symbols("w:3")
    xi, xi_rate = sympy.symbols(f"xi:{count}"), sympy.symbols(f"dxi:{count}")
    energy = energy_of(form.invariants(xi), v, w, xi_rate)
    function = function_of([*v, *w, *xi, *xi_rate], [energy])

    def value(v: Array, w: Array, xi: Array, xi_rate: Array) -> float:
        return float(function([*v, *w, *xi, *xi_rate])[0])

    return value


def form_value(form: Form, what: Callable[..., object]) -> Callable[[Sequence[float]], Array]:
    """A function of xi alone, such as the strain energy, with numbers in and out."""
    xi = sympy.symbols(f"xi:{len(form.coordinates)}")
    entries = what(xi)
    entries = list(entries) if isinstance(entries, tuple | list) else [entries]
    return function_of(xi, entries)
