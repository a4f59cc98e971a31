"""A rod that bends far as rigid sections, by products of 4x4 matrices.

What is read of the declaration is the strain, the mass per length and the order of the Magnus
expansion. That is taken here as it stands in textbooks, for Y' = A Y, of the transposed
matrices, and Omega is exponentiated as a matrix; twists and their slopes are derivatives of these
matrices, by imaginary steps and by Frechet's derivative of the exponential. No formula of the
tangent of SE(3), no column and no recursion of the derivation occurs. References: Blanes and
others, Physics Reports 470 (2009); Higham, *Functions of Matrices*, sec. 3.2 and 10.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import sympy
from scipy.linalg import expm

from eomc.binding.arrays import Array
from eomc.verifier.arithmetic.many_digits import elementary, many, power
from eomc.verifier.witness.strain_functions import declared_functions, mass_points

Substitution: TypeAlias = "dict[Any, Any]"

_TINY = 1e-30
_NODES = {
    2: (0.5,),
    4: (0.5 - math.sqrt(3) / 6, 0.5 + math.sqrt(3) / 6),
    6: (0.5 - math.sqrt(15) / 10, 0.5, 0.5 + math.sqrt(15) / 10),
}


class SectionChain:
    """Of the rod `form`, or of one with coordinates held, in numbers."""

    def __init__(self, form: Any, parameters: Substitution) -> None:
        self.free = form.coordinates
        held = dict(getattr(form, "held", ()))
        rod = getattr(form, "form", form)
        self.rod, self.order = rod, rod.order

        def number(value: Any, x: float = 0.0) -> float:
            place = {sympy.Symbol("x"): sympy.Float(x, 17)}
            return float(sympy.sympify(value).xreplace(parameters).xreplace(place))

        self.number = number
        self.length = number(rod.length)
        self.constants = {
            k: number(held[name]) for k, name in enumerate(rod.coordinates) if name in held
        }
        self.bases, points = declared_functions(rod), mass_points(rod)
        share = [self.length * weight for _, weight in points]
        places = [self.length * s for s, _ in points]
        self.masses = np.array(
            [w * number(rod.mass_per_length, x) for w, x in zip(share, places, strict=True)]
        )
        self.moments = np.array(
            [
                [w * number(entry, x) for entry in rod.section_inertia]
                for w, x in zip(share, places, strict=True)
            ]
        )
        self.stops = [s for s, _ in points]

    @property
    def mass(self) -> float:
        """m"""
        return float(self.masses.sum())

    # -- matrices --------------------------------------------------------------------------------

    def _affine(self, s: float) -> tuple[Array, Array]:
        """(A0 (4, 4), A (k, 4, 4)): the matrix of L xi at s is A0 + sum q_j A_j."""
        rest = np.zeros(6)
        rest[:3] = [self.length * self.number(e, self.length * s) for e in self.rod.curvature]
        rest[3] = self.length
        rows, place = [], 0
        for component, basis in self.bases:
            unit = np.eye(6)[component] * (1.0 if component < 3 else self.length)
            for value in basis(s):
                if place in self.constants:
                    rest = rest + unit * (value * self.constants[place])
                else:
                    rows.append(_hat(unit * value))
                place += 1
        return _hat(rest), np.array(rows).reshape(-1, 4, 4)

    def spans(self, stops: Sequence[float]) -> list[list[tuple[Array, Array]]]:
        """The affine matrices at the nodes of each segment, times its length."""
        found, start = [], 0.0
        for stop in stops:
            h = stop - start
            given = [self._affine(start + h * c) for c in _NODES[self.order]]
            found.append([(h * a, h * b) for a, b in given])
            start = stop
        return found

    def _omega(self, nodes: Sequence[tuple[Array, Array]], q: Any) -> Any:
        """Omega of one segment; the matrices carry its length."""
        return _textbook(self.order, [a + np.tensordot(q, b, 1) for a, b in nodes])

    def placed(self, spans: Any, q: Array) -> tuple[Array, Array]:
        """Poses (n, 4, 4) of the ends of segments, and their derivatives (n, k, 4, 4)."""
        q = np.asarray(q, dtype=complex)
        k = len(q)
        here, along = np.eye(4, dtype=complex), np.zeros((k, 4, 4), dtype=complex)
        poses, slopes = [], []
        for nodes in spans:
            omega = self._omega(nodes, q)
            step, turns = expm(omega), np.zeros((k, 4, 4), dtype=complex)
            if k:
                turns = expm(self._with_slopes(nodes, q))[:, :4, 4:]
            along = along @ step + here @ turns
            here = here @ step
            poses.append(here)
            slopes.append(along)
        return np.array(poses), np.array(slopes)

    def _with_slopes(self, nodes: Any, q: Array) -> Array:
        """(k, 8, 8): [[Omega, dOmega], [0, Omega]] along each coordinate, by the same polynomial
        of matrices that hold their slopes in the same way."""
        doubled = []
        for a, b in nodes:
            blocks = np.zeros((len(q), 8, 8), dtype=complex)
            blocks[:, :4, :4] = blocks[:, 4:, 4:] = a + np.tensordot(q, b, 1)
            blocks[:, :4, 4:] = b
            doubled.append(blocks)
        return np.asarray(_textbook(self.order, doubled))

    # -- the body --------------------------------------------------------------------------------

    def _energy_form(self, q: Array) -> Array:
        """H (6+k, 6+k), analytic in q."""
        poses, slopes = self.placed(self._own, q)
        k = len(self.free)
        total = np.zeros((6 + k, 6 + k), dtype=complex)
        for pose, slope, mass, moments in zip(
            poses, slopes, self.masses, self.moments, strict=True
        ):
            rotation, origin = pose[:3, :3], pose[:3, 3]
            move = np.zeros((3, 6 + k), dtype=complex)
            move[:, :3] = np.eye(3)
            move[:, 3:6] = -_cross(origin)
            move[:, 6:] = slope[:, :3, 3].T
            turn = np.zeros((3, 6 + k), dtype=complex)
            turn[:, 3:6] = rotation.T
            spin = rotation.T @ slope[:, :3, :3]
            turn[:, 6:] = np.array([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]])
            total += mass * move.T @ move + turn.T @ (moments[:, None] * turn)
        return total

    @property
    def _own(self) -> Any:
        if not hasattr(self, "_spans"):
            self._spans = self.spans(self.stops)
        return self._spans

    def energy(self) -> tuple[Callable[[Array], Array], Callable[[Array], Array]]:
        """H and dH/dxi as functions of xi."""
        return (lambda xi: self._energy_form(xi).real), self._mass_slopes

    def _mass_slopes(self, xi: Array) -> Array:
        n, k = 6 + len(self.free), len(self.free)
        steps = [self._energy_form(xi + 1j * _TINY * unit).imag / _TINY for unit in np.eye(k)]
        return np.array(steps).reshape(k, n, n)

    def station(self, at: Any) -> tuple[Any, Any, Any]:
        """Pose (4, 4) of a station, its slopes (k, 4, 4) and curvatures (k, k, 4, 4)."""
        spans = self.spans(self._stops(at))

        def last(q: Array) -> tuple[Array, Array]:
            if not spans:
                return np.eye(4), np.zeros((len(q), 4, 4))
            poses, slopes = self.placed(spans, q)
            return poses[-1], slopes[-1]

        def curvatures(q: Array) -> Array:
            steps = [last(q + 1j * _TINY * unit)[1].imag / _TINY for unit in np.eye(len(q))]
            return np.array(steps).reshape(len(q), len(q), 4, 4)

        return (lambda q: last(q)[0].real), (lambda q: last(q)[1].real), curvatures

    def _stops(self, at: Any) -> list[float]:
        words = {"root": 0.0, "tip": 1.0}
        s = words[at] if at in words else self.number(at) / self.length
        return [stop for stop in self.stops if stop <= s] + (
            [s] if s not in self.stops and s else []
        )

    # -- in many digits --------------------------------------------------------------------------

    def exact_poses(self, spans: Any, q: Sequence[Any]) -> list[Any]:
        """Poses of the ends of segments, in many digits."""
        here, found = _exact(np.eye(4)), []
        for nodes in spans:
            omega = _textbook(
                self.order, [sum((b[j] * q[j] for j in range(len(q))), _exact(a)) for a, b in nodes]
            )
            here = here @ _screw(omega)
            found.append(here)
        return found

    def exact_station(self, at: Any) -> Callable[..., Any]:
        """The upper rows of the pose of a station, in many digits."""
        spans = self.spans(self._stops(at))

        def pose(*q: Any) -> Any:
            poses = self.exact_poses(spans, q)
            return (poses[-1] if poses else _exact(np.eye(4)))[:3].tolist()

        return pose

    def exact_energy(self, step: Any) -> Callable[..., Any]:
        """T(xi, v, w, xi') in many digits, by differences of poses over `step`."""
        k = len(self.free)

        def kinetic(*given: Any) -> Any:
            q, v, w, rates = given[:k], given[k : k + 3], given[k + 3 : k + 6], given[k + 6 :]
            ahead = self.exact_poses(
                self._own, [a + step * b for a, b in zip(q, rates, strict=True)]
            )
            behind = self.exact_poses(
                self._own, [a - step * b for a, b in zip(q, rates, strict=True)]
            )
            total = many(0)
            sections = zip(
                self.exact_poses(self._own, q),
                ahead,
                behind,
                self.masses,
                self.moments,
                strict=True,
            )
            carried = _exact(np.zeros((4, 4))) + _hat_of([*w, *v])
            for here, after, before, mass, moments in sections:
                rate = carried @ here + (after - before) / (2 * step)
                spin = here[:3, :3].T @ rate[:3, :3]
                turn = (spin[2, 1], spin[0, 2], spin[1, 0])
                total += float(mass) * sum(x * x for x in rate[:3, 3]) / 2
                total += sum(float(m) * x * x for m, x in zip(moments, turn, strict=True)) / 2
            return total

        return kinetic


def _hat(strain: Array) -> Array:
    """4x4 matrix of (angular, linear)."""
    return np.asarray(_hat_of(strain), dtype=np.float64)


def _hat_of(strain: Any) -> Any:
    x, y, z, *linear = strain
    a, b, c = linear
    return np.array([[0, -z, y, a], [z, 0, -x, b], [-y, x, 0, c], [0, 0, 0, 0]], dtype=object)


def _cross(v: Any) -> Any:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def _textbook(order: int, matrices: Sequence[Any]) -> Any:
    """Omega of Y' = A Y in the transposed world; the length of the segment is in the matrices."""
    a = [np.swapaxes(matrix, -1, -2) for matrix in matrices]

    def commutator(x: Any, y: Any) -> Any:
        return x @ y - y @ x

    if order == 2:
        return np.swapaxes(a[0], -1, -2)
    if order == 4:
        omega = (a[0] + a[1]) / 2 - commutator(a[0], a[1]) * (math.sqrt(3) / 12)
        return np.swapaxes(omega, -1, -2)
    a1 = a[1]
    a2 = (a[2] - a[0]) * (math.sqrt(15) / 3)
    a3 = (a[2] - 2 * a[1] + a[0]) * (10 / 3)
    c1 = commutator(a1, a2)
    c2 = -commutator(a1, 2 * a3 + c1) / 60
    omega = a1 + a3 / 12 + commutator(-20 * a1 - a3 + c1, a2 + c2) / 240
    return np.swapaxes(omega, -1, -2)


def _exact(matrix: Any) -> Any:
    return np.vectorize(many, otypes=[object])(np.asarray(matrix, dtype=float))


def _screw(omega: Any) -> Any:
    """1 + W + (1 - cos t)/t^2 W^2 + (t - sin t)/t^3 W^3."""
    x = power(omega[2, 1], 2) + power(omega[0, 2], 2) + power(omega[1, 0], 2)
    if x < 1e-8:
        powers = [many(1), *(power(-x, k) for k in range(1, 8))]
        b, c = (
            sum(y / math.factorial(2 * k + first) for k, y in enumerate(powers)) for first in (2, 3)
        )
    else:
        f = elementary()
        t = f["sqrt"](x)
        b, c = (1 - f["cos"](t)) / x, (t - f["sin"](t)) / (x * t)
    square = omega @ omega
    return _exact(np.eye(4)) + omega + square * b + square @ omega * c
