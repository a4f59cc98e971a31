"""A second independent witness: the crane of three flexible booms without constraints, by points.

Absolute angles theta_k of the triangles and phi_k of the booms, and modal amplitudes b_k of these,
are free: a hinge is a point of the bent boom before it, and so is the foot of an actuator. As in
`oracle` all mass lies on bars between points p(y), M = P^T W P, and extensions are distances; P and
P' y' are derivatives by complex steps. The frames of the booms do not take part, so that slopes
(3.33) show only where angles of the product are compared.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.truss_crane.boom import BAYS
from eomc_published.boutin.oracle import AREA, DEPTH, LENGTH, OFFSET, ROD, Truss, truss

_STEP = 1e-30
_APART = 1e-5


class OracleOfBooms:
    """Three booms in so many modes each, in y = (theta_1, phi_1, b_1, theta_2, ...)."""

    def __init__(self, modes: int) -> None:
        self.modes, self.size = modes, 3 * (2 + modes)

    @cached_property
    def booms(self) -> list[Truss]:
        """In modes with the hinge pinned, and the node beside it held across the chord."""
        held = np.eye(4)[[0, 1, 3]]
        return [
            truss((bay.first, bay.last), ("triangle", "actuator"), bay[2:4], held, self.modes)
            for bay in BAYS
        ]

    def slopes(self, boom: int, node: str) -> Array:
        """B* (m,) of a node (3.34): displacement across the line from the hinge by its length."""
        made, at = self.booms[boom], self.booms[boom].nodes[node]
        x, y = made.places[at] - made.places[0]
        across = np.array([-y, x]) @ made.modes[at]
        return np.asarray(across / (x * x + y * y))

    def _points(self, y: Any) -> tuple[Any, Any, list[float]]:
        """Ends (bars, 2, 2), extensions (6,) and masses of bars; y may be complex."""
        hinge, foot = np.zeros(2), np.array([-DEPTH, DEPTH])
        ends: list[Any] = []
        extensions: list[Any] = []
        masses: list[float] = []
        for k, (bay, made) in enumerate(zip(BAYS, self.booms, strict=True)):
            theta, phi, *b = y[k * (2 + self.modes) : (k + 1) * (2 + self.modes)]
            inner, outer = (hinge + _turned(theta) @ [side * OFFSET, DEPTH] for side in (-1, 1))
            bent = made.places - made.places[0] + made.modes @ np.array(b)
            nodes = hinge + bent @ _turned(phi).T
            at = dict(zip(made.nodes, nodes, strict=True))
            side = float(np.hypot(OFFSET, DEPTH))
            corners = [(hinge, inner, side), (hinge, outer, side), (inner, outer, 2 * OFFSET)]
            for first, second, length in corners:
                ends.append((first, second))
                masses.append(4000 * AREA * length)
            ends += list(nodes[made.ends])
            masses += list(made.masses)
            for start, head in ((foot, inner), (outer, at[bay.head])):
                distance = np.sqrt(((head - start) ** 2).sum())
                along = (head - start) / distance * LENGTH
                extensions.append(distance - LENGTH)
                ends += [(start, start + along), (head, head - along)]
                masses += [4000 * AREA * LENGTH, 4000 * ROD * LENGTH]
            hinge, foot = at[bay.end[0]], at[bay.end[-1]]
        return np.array(ends), np.array(extensions), masses

    def _rates(self, y: Array, v: Array) -> tuple[Array, Array]:
        ends, extensions, _ = self._points(y + 1j * _STEP * v)
        return ends.imag.ravel() / _STEP, extensions.imag / _STEP

    def in_extensions(self, y: Array, v: Array) -> tuple[Array, Array, Array, Array]:
        """(M, phi, psi, psi') as of `Oracle.in_extensions`, psi = (d_1 .. d_6, b_1, b_2, b_3)."""
        _, d, masses = self._points(y)
        columns = [self._rates(y, axis) for axis in np.eye(self.size)]
        jacobian, along = (np.column_stack(part) for part in zip(*columns, strict=True))
        ahead, behind = (self._rates(y + sign * _APART * v, v) for sign in (1, -1))
        bias, d_bias = ((a - b) / (2 * _APART) for a, b in zip(ahead, behind, strict=True))
        bar = np.kron([[2, 1], [1, 2]], np.eye(2)) / 6
        weighed = np.einsum(
            "k,ij,kjn->kin", masses, bar, jacobian.reshape(len(masses), 4, -1)
        ).reshape(jacobian.shape)
        mass, force = jacobian.T @ weighed, weighed.T @ bias
        elastic = np.concatenate([np.r_[0, 0, made.stiffness] for made in self.booms])
        force += elastic * y
        bent = np.flatnonzero(elastic)
        to = np.vstack([along, np.eye(self.size)[bent]])
        back = np.linalg.inv(to)
        reduced = back.T @ mass @ back
        phi = -back.T @ force + reduced @ np.r_[d_bias, np.zeros(len(bent))]
        return reduced, phi, np.r_[d, y[bent]], to @ v


def _turned(angle: Any) -> Any:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
