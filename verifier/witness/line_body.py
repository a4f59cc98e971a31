"""Energies of a body that lies along a line, by quadrature over its places.

Of the form only the line is read, what it is made of, and the place and turn of its sections. With
r(x, xi) the place of a section, R(x, xi) its turn and i its inertia,

    T = integral of mu |v + w x r + r'|^2 / 2 + (w + w_s).R i R^T (w + w_s) / 2 dx,
    V = integral of EI kappa^2 / 2 + ... dx,        w_s: the axial vector of R' R^T,

by Gauss and Legendre's rule on panels. Derivatives by xi are imaginary parts, those by x are the
slopes of the polynomials through the nodes of a panel. Reference: Trefethen, *Spectral Methods in
MATLAB*, ch. 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.verifier.witness.section_chain import Substitution

_NODES, _TINY = 10, 1e-30
_STRAINED = {"y": "z", "z": "y", "torsion": "x"}
"""The axis of the turn whose slope along the line each direction strains; "axial" strains x."""


class Lying(NamedTuple):
    """A beam along its undeformed axis, as `eomc.derive.bodies.form.Line` says it."""

    start: Any
    length: Any
    mass_per_length: Any
    section_inertia: Any
    stiffness: dict[str, Any]
    points: tuple[tuple[Any, Any], ...]


class LineBody:
    """H(xi) and the matrix of the strain energy of `form`, from `panels` panels."""

    def __init__(self, form: Any, line: Any, parameters: Substitution, panels: int) -> None:
        self.count = len(form.coordinates)
        self.xi = sympy.symbols(f"xi_0:{self.count}")

        def number(value: Any) -> float:
            return float(sympy.sympify(value).xreplace(parameters))

        start, self.length = number(line.start), number(line.length)
        breaks = sorted({0.0, 1.0, *((number(x) - start) / self.length for x, _ in line.points)})
        edges = np.concatenate(
            [np.linspace(a, b, panels + 1)[:-1] for a, b in pairwise(breaks)] + [[1.0]]
        )
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        self.halves = np.diff(edges) / 2
        s = (edges[:-1] + edges[1:])[:, None] / 2 + self.halves[:, None] * nodes
        self.slope = _slope_matrix(nodes)
        self.weights = (self.length * self.halves[:, None] * weights).ravel()

        def along(density: Any) -> Array:
            given = sympy.sympify(density).xreplace(parameters)
            function = sympy.lambdify(sympy.Symbol("x"), given, "numpy")
            x = start + self.length * s.ravel()
            return np.broadcast_to(np.asarray(function(x), dtype=float), x.shape)

        self.mass_per_length = along(line.mass_per_length)
        self.section_inertia = np.stack([along(entry) for entry in line.section_inertia], axis=-1)
        self.stiffness = {name: along(value) for name, value in line.stiffness.items()}
        self.points = np.array([number(mass) for _, mass in line.points])
        stations = [line.start + line.length * sympy.Float(place, 17) for place in s.ravel()]
        stations += [x for x, _ in line.points]
        self._sections(form, stations, parameters)

    def _sections(self, form: Any, stations: Sequence[Any], parameters: Substitution) -> None:
        """Functions of xi: places (n, 3), and the angles of successive turns about `axes`."""
        found = [form.attachment(x, self.xi) for x in stations]
        self.axes = max((tuple(axis for axis, _ in f.turns) for f in found), key=len)
        angles = [dict(f.turns) for f in found]
        entries = [
            [*f.displacement, *(a.get(axis, 0) for axis in self.axes)]
            for f, a in zip(found, angles, strict=True)
        ]
        flat = [sympy.sympify(e).xreplace(parameters) for row in entries for e in row]
        self._values = sympy.lambdify([self.xi], flat, "numpy")

    def _at(self, xi: Array) -> tuple[Array, Array]:
        """(places, turns R) of all stations; xi may be complex."""
        values = np.array([complex(v) for v in self._values(xi)]).reshape(-1, 3 + len(self.axes))
        turned = np.broadcast_to(np.eye(3, dtype=complex), (len(values), 3, 3))
        for axis, angle in zip(self.axes, values[:, 3:].T, strict=True):
            turned = turned @ _turns(axis, angle)
        return values[:, :3], turned

    def _along(self, xi: Array) -> tuple[Array, Array]:
        """Imaginary steps of `_at` along each xi."""
        steps = [self._at(xi + 1j * _TINY * unit) for unit in np.eye(self.count)]
        places, turns = (
            np.stack(parts, axis=-1).imag / _TINY for parts in zip(*steps, strict=True)
        )
        return places, turns

    def mass(self, xi: Array, sections: bool = True) -> Array:
        """H (6+k, 6+k) with T = y^T H y / 2, y = (v, w, xi'); without `sections` as if these had no
        inertia of their own."""
        (places, turns), (moves, bends) = self._at(xi), self._along(xi)
        places, turns = places.real, turns.real
        n, k = len(places), self.count
        velocity = np.zeros((n, 3, 6 + k))
        velocity[:, :, :3] = np.eye(3)
        velocity[:, :, 3:6] = -np.cross(np.eye(3), places[:, None, :])
        velocity[:, :, 6:] = moves
        masses = np.concatenate([self.weights * self.mass_per_length, self.points])
        total = np.einsum("n,nai,naj->ij", masses, velocity, velocity)
        if not sections:
            return np.asarray(total)
        spin = np.einsum("nabk,ncb->nack", bends, turns)
        turning = np.zeros((n, 3, 6 + k))
        turning[:, :, 3:6] = np.eye(3)
        turning[:, :, 6:] = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
        own = np.einsum("nab,nai->nbi", turns, turning)[: len(self.weights)]
        moments = self.weights[:, None] * self.section_inertia
        return np.asarray(total + np.einsum("nb,nbi,nbj->ij", moments, own, own))

    def strain(self) -> Array:
        """K (k, k) with V = xi^T K xi / 2."""
        zero = np.zeros(self.count)
        moves, bends = self._along(zero)
        turns = {"z": bends[:, 1, 0], "y": bends[:, 0, 2], "x": bends[:, 2, 1]}
        total = np.zeros((self.count, self.count))
        for direction, stiffness in self.stiffness.items():
            axis = _STRAINED.get(direction)
            curve = self._slopes(moves[:, 0] if axis is None else turns[axis])
            total += np.einsum("n,ni,nj->ij", self.weights * stiffness, curve, curve)
        return total

    def _slopes(self, values: Array) -> Array:
        """Derivatives by x of values at the nodes."""
        panels = values[: len(self.weights)].reshape(len(self.halves), _NODES, -1)
        found = np.einsum("ab,pbk->pak", self.slope, panels)
        found /= (self.length * self.halves)[:, None, None]
        return np.asarray(found.reshape(len(self.weights), -1))


def declared_line(form: Any, kind: str) -> Any:
    """Mass and stiffness along the form; of a beam by its arguments."""
    if kind != "beam":
        return form.line
    length = form.length
    start: Any = 0 if form.origin == "root" else -sympy.sympify(form.origin)
    if form.origin == "middle":
        start = -length / sympy.Integer(2)
    ends = {"root": start, "tip": start + length}
    bending = form.EI if isinstance(form.EI, tuple) else (form.EI, form.EI)
    given = zip(
        ("y", "z", "axial", "torsion"), form.modes, (*bending, form.EA, form.GJ), strict=True
    )
    return Lying(
        start,
        length,
        form.mass_per_length,
        form.section_inertia,
        {name: value for name, count, value in given if count},
        tuple((ends.get(place, place), mass) for place, mass in form.point_masses),
    )


def _turns(axis: str, angle: Array) -> Array:
    """Turns (n, 3, 3) about a coordinate axis."""
    i, j = (("xyz".index(axis) + k) % 3 for k in (1, 2))
    found = np.tile(np.eye(3, dtype=complex), (len(angle), 1, 1))
    found[:, i, i] = found[:, j, j] = np.cos(angle)
    found[:, j, i], found[:, i, j] = np.sin(angle), -np.sin(angle)
    return found


def _slope_matrix(nodes: Array) -> Array:
    """Slopes at the nodes of the polynomial through values there."""
    apart = nodes[:, None] - nodes + np.eye(len(nodes))
    product = apart.prod(axis=1)
    matrix = product[:, None] / product / apart
    np.fill_diagonal(matrix, 0.0)
    np.fill_diagonal(matrix, -matrix.sum(axis=1))
    return np.asarray(matrix)
