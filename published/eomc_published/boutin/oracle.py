"""An independent witness: the crane in coordinates without constraints, by points and masses.

Every hinge of the trusses is the fixed point H, so that the angle theta of the triangle (of the
crane with two actuators), the absolute angle phi of the boom and its modal amplitudes b are free.
All mass lies on straight bars between points p(q) with consistent mass matrices; with P the
Jacobian of all points, M_q = P^T M P and the forces of inertia P^T M P' q'. Extensions are
distances d(q), and their forces act by (dd/dq)^T. It shares no code with the recursions, the loops
and the reduction: bars and modes are assembled here again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import sympy
from numpy.typing import NDArray
from scipy.linalg import eigh, null_space

from eomc.binding.arrays import Array
from eomc.systems.truss_crane.boom import BARS, NODES

DEPTH, OFFSET, LENGTH = 5.0, 0.8816, 4.1184
AREA = 2.3592e-4
_PROPERTIES = {
    "longeron": (AREA, 8000, 412.5e9),
    "diagonal": (AREA, 4000, 412.5e9),
    "batten": (AREA, 12000, 618.7e9),
    "end batten": (AREA, 12000 + 300 / (AREA * 5), 618.7e9),
    "triangle": (AREA, 4000, 412.5e9),
    "actuator": (2.02683e-3, 4000, 412.5e9),
}
ROD = 1.79091e-3


@dataclass(frozen=True)
class Truss:
    """Places (n, 2) of nodes by name, ends (k, 2) and masses (k,) of bars, the mass matrix (n, n)
    of one direction, modes (n, 2, m), and their stiffnesses (m,)."""

    nodes: dict[str, int]
    places: Array
    ends: NDArray[np.int_]
    masses: Array
    mass: Array
    modes: Array
    stiffness: Array


def truss(
    x: tuple[float, float], left_out: Sequence[str], first: Sequence[str], held: Array, modes: int
) -> Truss:
    """Of the bars whose middles have such x, but those of kinds left out; `held` are rows by the
    displacements of the first nodes."""
    bars = [
        (kind, str(start), str(end))
        for kind in _PROPERTIES
        for start, end in BARS[kind]
        if kind not in left_out and x[0] < (NODES[str(start)][0] + NODES[str(end)][0]) / 2 <= x[1]
    ]
    used = {node for _, *pair in bars for node in pair}
    nodes = {n: k for k, n in enumerate([*first, *(n for n in NODES if n in used - {*first})])}
    places, n = np.array([NODES[node] for node in nodes], dtype=float), len(nodes)
    mass, stretch, masses = np.zeros((n, n)), np.zeros((len(bars), 2 * n)), []
    ends = np.array([[nodes[start], nodes[end]] for _, start, end in bars])
    for k, ((kind, *_), (i, j)) in enumerate(zip(bars, ends.tolist(), strict=True)):
        area, density, modulus = _PROPERTIES[kind]
        arm = places[j] - places[i]
        length = float(np.hypot(*arm))
        masses.append(density * area * length)
        mass[np.ix_([i, j], [i, j])] += masses[-1] / 6 * np.array([[2, 1], [1, 2]])
        along = np.sqrt(modulus * area / length) * arm / length
        stretch[k, [2 * i, 2 * i + 1, 2 * j, 2 * j + 1]] = [*-along, *along]
    free = null_space(np.pad(held, ((0, 0), (0, 2 * n - held.shape[1]))))
    strained, weighed = stretch @ free, np.kron(mass, np.eye(2)) @ free
    _, vectors = eigh(strained.T @ strained, free.T @ weighed, subset_by_index=[0, modes - 1])
    stiffness = ((strained @ vectors) ** 2).sum(axis=0)
    shapes = (free @ vectors).reshape(n, 2, modes)
    return Truss(nodes, places, ends, np.array(masses), mass, shapes, stiffness)


@cache
def _whole() -> Truss:
    held = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, -1]])
    return truss((0, 90), (), ("1", "2"), held, 4)


@cache
def boom() -> tuple[Array, Array, Array]:
    """(places (39, 2), mass matrix of one direction (39, 39), modes (39, 2, 4)) of the boom."""
    made, modes = _whole(), _whole().modes
    signs = [np.sign(modes[38, 1, 0]), -np.sign(modes[38, 1, 1]), 1, 1]
    return made.places, made.mass, modes * np.array(signs)


@cache
def eigenvalues(modes: int) -> Array:
    """Of the boom on its supports."""
    return _whole().stiffness[:modes]


class Oracle:
    """The crane with two actuators in (theta, phi, b), or with one in (phi, b)."""

    def __init__(self, two: bool, modes: int = 2, massless: bool = False) -> None:
        self.two, self.modes, self.massless = two, modes, massless
        self._functions = self._lambdified()
        bar = np.kron([[2, 1], [1, 2]], np.eye(2)) / 6
        self._weights = np.kron(np.diag(self.masses), bar)

    def _lambdified(self) -> tuple[object, ...]:
        theta, phi = sympy.symbols("theta phi")
        b, rates = sympy.symbols(f"b:{self.modes}"), sympy.symbols(f"r:{self.modes + 2}")
        places, _, shapes = boom()
        here = sympy.Matrix(places[1]) + sympy.Matrix(shapes[1][:, : self.modes]) * sympy.Matrix(b)
        node2 = _turned(phi) * here
        angle = theta if self.two else sympy.Integer(0)
        inner, outer = (_turned(angle) * sympy.Matrix([side * OFFSET, DEPTH]) for side in (-1, 1))
        ends = [(sympy.Matrix([-DEPTH, DEPTH]), inner)] if self.two else []
        ends.append((outer, node2))
        bars, extensions = [], []
        for foot, head in ends:
            distance = sympy.sqrt((head - foot).dot(head - foot))
            along = (head - foot) / distance * LENGTH
            extensions.append(distance - LENGTH)
            if not self.massless:
                bars += [(foot, foot + along, 4000 * AREA), (head, head - along, 4000 * ROD)]
        lengths = [LENGTH] * len(bars)
        if self.two:
            apex, side = sympy.zeros(2, 1), float(np.hypot(OFFSET, DEPTH))
            pairs = ((apex, inner), (apex, outer), (inner, outer))
            bars += [(first, second, 4000 * AREA) for first, second in pairs]
            lengths += [side, side, 2 * OFFSET]
        q = [theta, phi, *b] if self.two else [phi, *b]
        u = list(rates[: len(q)])
        points = [entry for first, second, _ in bars for entry in (*first, *second)]
        self.masses = [line * length for (_, _, line), length in zip(bars, lengths, strict=True)]
        self.names = [str(symbol) for symbol in q]
        found = []
        for rows in (sympy.Matrix(points), sympy.Matrix(extensions)):
            jacobian = rows.jacobian(q) if rows.rows else sympy.zeros(0, len(q))
            moved = jacobian * sympy.Matrix(u) if rows.rows else sympy.zeros(0, 1)
            bias = moved.jacobian(q) * sympy.Matrix(u) if rows.rows else sympy.zeros(0, 1)
            found.append(sympy.lambdify([q, u], [rows, jacobian, bias], "numpy", cse=True))
        return tuple(found)

    def terms(self, q: Array, u: Array) -> tuple[Array, Array, Array, Array, Array]:
        """(M_q, forces of inertia and elasticity, d, dd/dq, its rate times q')."""
        points, extensions = self._functions
        _, jacobian, bias = points(q, u)  # type: ignore[operator]
        d, along, along_bias = extensions(q, u)  # type: ignore[operator]
        size = len(q)
        mass, force = np.zeros((size, size)), np.zeros(size)
        if self.masses:
            weighed = self._weights @ np.asarray(jacobian, float)
            mass += np.asarray(jacobian, float).T @ weighed
            force += weighed.T @ np.asarray(bias, float).ravel()
        self._add_boom(mass, force, q, u)
        return (
            mass,
            force,
            np.asarray(d, float).ravel(),
            np.asarray(along, float),
            np.asarray(along_bias, float).ravel(),
        )

    def _add_boom(self, mass: Array, force: Array, q: Array, u: Array) -> None:
        first = 1 if self.two else 0
        places, weight, shapes = boom()
        shapes = shapes[:, :, : self.modes]
        b, rates, spin = q[first + 1 :], u[first + 1 :], u[first]
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        here, moving = places + shapes @ b, shapes @ rates
        columns = np.concatenate([(here @ turn.T)[:, :, None], shapes], axis=2)
        accelerated = 2 * spin * moving @ turn.T - spin**2 * here
        weighed = np.tensordot(weight, columns, 1)
        mass[first:, first:] += np.tensordot(columns, weighed, ((0, 1), (0, 1)))
        force[first:] += np.tensordot(weighed, accelerated, ((0, 1), (0, 1)))
        force[first + 1 :] += eigenvalues(self.modes) * b

    def in_extensions(self, q: Array, u: Array) -> tuple[Array, Array, Array, Array]:
        """(M, phi, psi, psi'): the mass matrix and system forces, tau + phi = M psi'', with psi the
        extensions followed by b, in which the printed equations are."""
        mass, force, d, along, bias = self.terms(q, u)
        count, size = len(d), len(q)
        map_to = np.zeros((size, size))
        map_to[:count] = along
        map_to[count:, count:] = np.eye(size - count)
        back = np.linalg.inv(map_to)
        reduced = back.T @ mass @ back
        carried = np.concatenate([bias, np.zeros(size - count)])
        phi = -back.T @ force + reduced @ carried
        return reduced, phi, np.concatenate([d, q[count:]]), map_to @ u


def _turned(angle: sympy.Expr) -> sympy.Matrix:
    c, s = sympy.cos(angle), sympy.sin(angle)
    return sympy.Matrix([[c, -s], [s, c]])
