"""A bar or a beam between two nodes of a structure, in the axes of the structure.

The cubics of bending meet the displacements and slopes of both nodes. What the member is made of is
integrated at Gauss points: rows (a, freedoms) of displacement, turn and strain by the six freedoms
of both nodes (three of a bar), and their second derivatives.

To second order the freedoms are vectors of finite rotations r: slopes of the nodes are

    u_y' = (1 + u_x') r_z + r_x r_y / 2,      u_z' = -(1 + u_x') r_y + r_x r_z / 2

and the strains, with p^2 = (I_y + I_z) / A,

    u_x' + (u_y'^2 + u_z'^2 + p^2 r_x'^2) / 2,   (1 - u_x') u_y'' + r_x u_z'',
    (1 - u_x') u_z'' - r_x u_y'',                r_x' + (u_z' u_y'' - u_y' u_z'') / 2.

Reference: Przemieniecki, *Theory of Matrix Structural Analysis*, ch. 5, 11 and 15.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

__all__ = ["WitnessMember"]

_NODES = 6
# Coefficients of the cubics by (value, slope) at s = 0 and at s = 1.
_CUBICS = np.linalg.inv(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1], [0, 1, 2, 3.0]]))


@dataclass(frozen=True, eq=False)
class WitnessMember:
    """Between the points `start` and `end`, of a section by its words."""

    start: Array
    end: Array
    section: Mapping[str, Any]
    bends: bool
    y_axis: Any = None

    @property
    def freedoms(self) -> int:
        """Of a node."""
        return 6 if self.bends else 3

    def number(self, word: str) -> float:
        """Of the section."""
        return float(self.section.get(word, 0.0))

    @cached_property
    def length(self) -> float:
        """l"""
        return float(np.sqrt(((self.end - self.start) ** 2).sum()))

    @cached_property
    def axes(self) -> Array:
        """Rows: the axes of the section in those of the structure."""
        x = (self.end - self.start) / self.length
        given = self.y_axis
        if given is None:
            given = (0, 1, 0) if abs(x[1]) < 0.999 else (-1, 0, 0)
        y = np.asarray(given, dtype=float)
        y = y - x * (x @ y)
        y = y / np.linalg.norm(y)
        return np.array([x, y, np.cross(x, y)])

    @cached_property
    def local(self) -> Array:
        """Freedoms in the axes of the section from those of the structure."""
        size = 2 * self.freedoms
        turned = np.zeros((size, size))
        for k in range(0, size, 3):
            turned[k : k + 3, k : k + 3] = self.axes
        return turned

    @cached_property
    def rule(self) -> tuple[Array, Array]:
        """Gauss points on 0 to 1, and weights."""
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        return (nodes + 1) / 2, weights / 2

    # -- fields of local freedoms d (freedoms, n) --------------------------------------------------

    def _slopes(self, d: Array) -> tuple[Array, Array]:
        """(u_y', u_z') at both nodes, (2, n) each, to first order."""
        return d[[5, 11]], -d[[4, 10]]

    def _bent(self, s: float, values: Array, slopes: Array, order: int) -> Array:
        """A derivative by x of the cubic with these values and slopes at the nodes."""
        given = np.stack([values[0], self.length * slopes[0], values[1], self.length * slopes[1]])
        powers = [
            0.0 if k < order else float(np.prod(range(k - order + 1, k + 1))) * s ** (k - order)
            for k in range(4)
        ]
        return np.asarray(np.array(powers) @ _CUBICS @ given / self.length**order)

    def fields(self, s: float, d: Array) -> dict[str, Array]:
        """Displacements, twist and their derivatives."""
        half = self.freedoms
        found = {"u": d[0] * (1 - s) + d[half] * s, "u'": (d[half] - d[0]) / self.length}
        if not self.bends:
            for name, k in (("v", 1), ("w", 2)):
                found[name] = d[k] * (1 - s) + d[half + k] * s
                found[name + "'"] = (d[half + k] - d[k]) / self.length
            return found
        for name, k, slopes in zip("vw", (1, 2), self._slopes(d), strict=True):
            for order, mark in enumerate(("", "'", "''")):
                found[name + mark] = self._bent(s, d[[k, 6 + k]], slopes, order)
        found |= {"r": d[3] * (1 - s) + d[9] * s, "r'": (d[9] - d[3]) / self.length}
        return found

    def _curved(self, s: float, d: Array) -> dict[str, Array]:
        """Shares of v and w by the second-order parts of the slopes at the nodes."""
        stretch = (d[6] - d[0]) / self.length
        x, y, z = d[[3, 9]], d[[4, 10]], d[[5, 11]]
        none, found = np.zeros_like(x), {}
        for name, more in (("v", stretch * z + x * y / 2), ("w", -stretch * y + x * z / 2)):
            for order, mark in enumerate(("", "'", "''")):
                found[name + mark] = self._bent(s, none, more, order)
        return found

    # -- first order -------------------------------------------------------------------------------

    def displacement(self, s: float) -> Array:
        """Rows (3, freedoms), axes of the structure."""
        f = self.fields(s, self.local)
        return np.asarray(self.axes.T @ np.array([f["u"], f["v"], f["w"]]))

    def turn(self, s: float) -> Array:
        """Rows (3, freedoms), axes of the structure; of a beam."""
        f = self.fields(s, self.local)
        return np.asarray(self.axes.T @ np.array([f["r"], -f["w'"], f["v'"]]))

    def _strain(self, s: float, d: Array) -> Array:
        f = self.fields(s, d)
        return np.array([f["u'"], f["v''"], f["w''"], f["r'"]] if self.bends else [f["u'"]])

    @cached_property
    def moduli(self) -> Array:
        """EA, EI for bending along y and z, GJ."""
        e, g = self.number("E"), self.number("G")
        every = (
            e * self.number("area"),
            e * self.number("Iz"),
            e * self.number("Iy"),
            g * self.number("torsion"),
        )
        return np.array(every[: 4 if self.bends else 1])

    def stiffness(self) -> Array:
        """K (freedoms, freedoms), axes of the structure."""
        total = np.zeros((2 * self.freedoms,) * 2)
        for s, weight in zip(*self.rule, strict=True):
            rows = self._strain(s, self.local)
            total += self.length * weight * rows.T @ (self.moduli[:, None] * rows)
        return total

    # -- second order ------------------------------------------------------------------------------

    def _second_strain(self, s: float, d: Array) -> Array:
        """Quadratic parts of the strains."""
        f = self.fields(s, d)
        stretch = (f["v'"] ** 2 + f["w'"] ** 2) / 2
        if not self.bends:
            return np.array([stretch])
        more = self._curved(s, d)
        p2 = (self.number("Iy") + self.number("Iz")) / self.number("area")
        return np.array(
            [
                stretch + p2 * f["r'"] ** 2 / 2,
                more["v''"] - f["u'"] * f["v''"] + f["r"] * f["w''"],
                more["w''"] - f["u'"] * f["w''"] - f["r"] * f["v''"],
                (f["w'"] * f["v''"] - f["v'"] * f["w''"]) / 2,
            ]
        )

    def _second_place(self, s: float, d: Array) -> Array:
        """Quadratic parts of displacement and turn (6, n), axes of the section."""
        if not self.bends:
            return np.zeros((6, d.shape[1]))
        f, more = self.fields(s, d), self._curved(s, d)
        about_y = -more["w'"] + f["u'"] * f["w'"] + f["r"] * f["v'"] / 2
        about_z = more["v'"] - f["u'"] * f["v'"] + f["r"] * f["w'"] / 2
        zero = np.zeros_like(about_y)
        return np.array([zero, more["v"], more["w"], zero, about_y, about_z])

    def _pairs(self, function: Any, s: float, d: Array) -> Array:
        """Second derivatives (a, n, n) along columns of d, of what is quadratic."""
        n = d.shape[1]
        alone = function(s, d)
        both = (d[:, :, None] + d[:, None, :]).reshape(len(d), n * n)
        whole = function(s, both).reshape(len(alone), n, n)
        return np.asarray(whole - alone[:, :, None] - alone[:, None, :])

    def second_forces(self, motions: Array) -> Array:
        """Slopes (freedoms, k, k) of the cubic part of the strain energy, twice differentiated
        along k motions."""
        d, size = self.local @ motions, 2 * self.freedoms
        k = d.shape[1]
        every = np.hstack([np.eye(size), d])
        total = np.zeros((size, k, k))
        for s, weight in zip(*self.rule, strict=True):
            pairs = self._pairs(self._second_strain, s, every)
            heavy = self.length * weight * self.moduli
            rows = self._strain(s, every)
            unit, moved = rows[:, :size], rows[:, size:]
            total += np.einsum("a,an,aij->nij", heavy, unit, pairs[:, size:, size:])
            crossed = np.einsum("a,ai,anj->nij", heavy, moved, pairs[:, :size, size:])
            total += crossed + np.swapaxes(crossed, 1, 2)
        return np.tensordot(self.local.T, total, 1)

    def second_places(self, s: float, motions: Array) -> Array:
        """Second derivatives (6, k, k) of displacement and turn, axes of the structure."""
        pairs = self._pairs(self._second_place, s, self.local @ motions)
        turned = [np.tensordot(self.axes.T, part, 1) for part in (pairs[:3], pairs[3:])]
        return np.concatenate(turned)
