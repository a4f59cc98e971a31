"""Bar and beam elements between two nodes.

In local axes, s from 0 to 1 along the element of length l, with the displacements u and the small
rotations r of its nodes,

    u_x = (1 - s) u1_x + s u2_x,        r_x likewise
    u_y = h1 u1_y + l h2 r1_z + h3 u2_y + l h4 r2_z,   r_z = u_y'
    u_z = h1 u1_z - l h2 r1_y + h3 u2_z - l h4 r2_y,   r_y = -u_z'

with Hermite's cubics h. A bar has linear displacements and no rotations. Stiffness matrices are
integrals of EA u_x'^2 + EI_z u_y''^2 + EI_y u_z''^2 + G J_t r_x'^2, mass matrices those of
rho A |u|^2 and of the turning sections, exact by Gauss points.

To second order r are the vectors of finite rotations,

    u_y' = (1 + u_x') r_z + r_x r_y / 2,   u_z' = -(1 + u_x') r_y + r_x r_z / 2

and the strains are, with p the polar radius of gyration of the section,

    stretch        u_x' + (u_y'^2 + u_z'^2 + p^2 r_x'^2) / 2
    bending        (1 - u_x') u_y'' + r_x u_z'',   (1 - u_x') u_z'' - r_x u_y''
    twist          r_x' + (u_z' u_y'' - u_y' u_z'') / 2

Reference: Przemieniecki, *Theory of Matrix Structural Analysis*, ch. 5, 11 and 15.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.section import Section
from eomc.derive.language.errors import ModelError
from eomc.derive.shapes.numeric_function import gauss_points


@dataclass(frozen=True, eq=False)
class MaterialPoints:
    """Mass at points of an element, or turning inertia there.

    positions (n, 3); inertias (n, 3, 3): mass times unity, or the inertia matrix of what turns;
    rows (n, 3, freedoms): displacement, or rotation, by the freedoms.
    """

    positions: Array
    inertias: Array
    rows: Array
    turning: bool

    def matrix(self) -> Array:
        """sum of rows^T inertia rows"""
        result: Array = np.einsum("nai,nab,nbj->ij", self.rows, self.inertias, self.rows)
        return result


@dataclass(frozen=True, eq=False)
class LineElement(ABC):
    """An element between two points with a section, in global axes.

    y_axis: a vector in the plane of local x and y; by default the global y axis, or minus x for an
    element along y.
    """

    start: Array
    end: Array
    section: Section
    y_axis: tuple[float, float, float] | None = None

    freedoms = 6
    """Freedoms of a node: three displacements, and three rotations if six."""

    @cached_property
    def length(self) -> float:
        """l [m]"""
        return float(np.linalg.norm(self.end - self.start))

    @cached_property
    def axes(self) -> Array:
        """Rows: local axes in global ones."""
        if self.length == 0:
            raise ModelError("its nodes are at one place")
        x = (self.end - self.start) / self.length
        given = self.y_axis
        if given is None:
            given = (0.0, 1.0, 0.0) if abs(x[1]) < 0.999 else (-1.0, 0.0, 0.0)
        z = np.cross(x, np.asarray(given, dtype=float))
        size = float(np.linalg.norm(z))
        if size < 1e-9:
            raise ModelError(f"y_axis {given} is along the element")
        return np.stack([x, np.cross(z / size, x), z / size]).astype(np.float64)

    @cached_property
    def _turned(self) -> Array:
        """Local freedoms from global ones."""
        return np.kron(np.eye(2 * self.freedoms // 3), self.axes).astype(np.float64)

    def stiffness(self) -> Array:
        """K in global axes."""
        points, weights = gauss_points([0.0, 1.0], 1, 2)
        strains = np.stack([self._strains(s) for s in points])
        moduli = self._moduli(strains.shape[1])
        local = np.einsum("n,nai,a,naj->ij", self.length * weights, strains, moduli, strains)
        result: Array = self._turned.T @ local @ self._turned
        return result

    def _moduli(self, count: int) -> Array:
        section = self.section
        bending = (section.E * section.Iz, section.E * section.Iy)
        return np.array([section.E * section.area, *bending, section.G * section.torsion])[:count]

    def second_forces(self, motions: Array) -> Array:
        """Forces (freedoms, k, k) by the second derivative along k motions: those of the third
        derivative of the strain energy."""
        local = self._turned @ motions
        points, weights = gauss_points([0.0, 1.0], 1, 4)
        strains = np.stack([self._strains(s) for s in points])
        curved = np.stack([self._second_strains(s) for s in points]) @ local
        heavy = self.length * weights[:, None] * self._moduli(strains.shape[1])
        both = np.einsum("nacj,ci->naij", curved, local)
        forces = np.einsum("na,nad,naij->dij", heavy, strains, both)
        crossed = np.einsum("na,nai,nadj->dij", heavy, strains @ local, curved)
        forces += crossed + np.swapaxes(crossed, 1, 2)
        result: Array = np.tensordot(self._turned.T, forces, 1)
        return result

    def second_motions(self, motions: Array) -> list[Array]:
        """Second derivatives (n, 3, k, k) along k motions of the displacements and rotations of
        `material`, at freedoms that stay."""
        local = self._turned @ motions
        points, _ = gauss_points([0.0, 1.0], 1, 4)
        kinds = [[self._second_displacement(s) for s in points]]
        kinds.append([turn for turn in map(self._second_rotation, points) if turn is not None])
        return [
            np.einsum("xa,nxcd,ci,dj->naij", self.axes, np.stack(rows), local, local)
            for rows in kinds
            if rows
        ]

    def mass(self) -> Array:
        """Consistent M in global axes."""
        return sum((part.matrix() for part in self.material()), np.zeros((2 * self.freedoms,) * 2))

    def material(self) -> list[MaterialPoints]:
        """Mass elements, and turning sections."""
        s, weights = gauss_points([0.0, 1.0], 1, 4)
        positions = self.start + s[:, None] * (self.end - self.start)
        masses = self.section.density * self.section.area * self.length * weights
        rows = np.stack([self.axes.T @ self._displacement(x) @ self._turned for x in s])
        parts = [MaterialPoints(positions, masses[:, None, None] * np.eye(3), rows, False)]
        turns = [turn for turn in map(self._rotation, s) if turn is not None]
        if turns:
            section = self.section
            local = np.diag([section.Iy + section.Iz, section.Iy, section.Iz])
            inertia = self.axes.T @ local @ self.axes * section.density * self.length
            rows = np.stack([self.axes.T @ turn @ self._turned for turn in turns])
            parts.append(MaterialPoints(positions, weights[:, None, None] * inertia, rows, True))
        return parts

    def lumped(self) -> list[MaterialPoints]:
        """Half of the mass at each node."""
        half = self.section.density * self.section.area * self.length / 2
        rows = np.zeros((2, 3, 2 * self.freedoms))
        rows[0, :, :3] = rows[1, :, self.freedoms : self.freedoms + 3] = np.eye(3)
        ends = np.stack([self.start, self.end])
        return [MaterialPoints(ends, np.stack([half * np.eye(3)] * 2), rows, False)]

    @property
    def retardation(self) -> float:
        """nu [s] of structural damping."""
        return self.section.retardation

    @abstractmethod
    def _displacement(self, s: float) -> Array: ...

    def _rotation(self, s: float) -> Array | None:
        return None

    @abstractmethod
    def _strains(self, s: float) -> Array: ...

    @abstractmethod
    def _second_strains(self, s: float) -> Array:
        """Second derivatives of the strains by the freedoms."""

    def _second_displacement(self, s: float) -> Array:
        return np.zeros((3, 2 * self.freedoms, 2 * self.freedoms))

    def _second_rotation(self, s: float) -> Array | None:
        return None


class BarElement(LineElement):
    """Truss bar: stretch alone.

    >>> bar = BarElement(np.zeros(3), np.array([2.0, 0, 0]), Section(0.5, 1.0, 8.0))
    >>> bar.stiffness()[0, [0, 3]]
    array([ 2., -2.])
    """

    freedoms = 3

    def _displacement(self, s: float) -> Array:
        return np.hstack([(1 - s) * np.eye(3), s * np.eye(3)])

    def _strains(self, s: float) -> Array:
        row = np.zeros((1, 6))
        row[0, 0], row[0, 3] = -1 / self.length, 1 / self.length
        return row

    def _second_strains(self, s: float) -> Array:
        across = np.hstack([-np.eye(3)[1:], np.eye(3)[1:]]) / self.length
        return (across.T @ across)[None]


class BeamElement(LineElement):
    """Euler-Bernoulli beam and shaft, with the rotary inertia of its sections.

    >>> beam = BeamElement(np.zeros(3), np.array([2.0, 0, 0]), Section(1, 1, 1, Iz=2.0))
    >>> round(float(beam.stiffness()[1, 1]), 12)
    3.0
    """

    def _displacement(self, s: float) -> Array:
        result = np.zeros((3, 12))
        result[0, 0], result[0, 6] = 1 - s, s
        root, tip = (1 - 3 * s**2 + 2 * s**3, s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3
        return self._bending(result, (*root, tip, s**3 - s**2))

    def _rotation(self, s: float) -> Array:
        return self._turns(s)

    def _turns(self, s: float) -> Array:
        """Rows of r_x, -u_z' and u_y'."""
        result = np.zeros((3, 12))
        slopes = (-6 * s + 6 * s**2, 1 - 4 * s + 3 * s**2, 6 * s - 6 * s**2, 3 * s**2 - 2 * s)
        bent = self._bending(np.zeros((3, 12)), slopes) / self.length
        result[0, 3], result[0, 9] = 1 - s, s
        result[1], result[2] = -bent[2], bent[1]
        return result

    def _strains(self, s: float) -> Array:
        curves = (-6 + 12 * s, -4 + 6 * s, 6 - 12 * s, 6 * s - 2)
        bent = self._bending(np.zeros((3, 12)), curves) / self.length**2
        result = np.zeros((4, 12))
        result[0, 0], result[0, 6] = -1 / self.length, 1 / self.length
        result[1], result[2] = bent[1], bent[2]
        result[3, 3], result[3, 9] = -1 / self.length, 1 / self.length
        return result

    def _second_strains(self, s: float) -> Array:
        section, strains = self.section, self._strains(s)
        twist, falling, rising = self._turns(s)
        result = self._by_slopes(strains)
        for row, weight in (
            (falling, 1.0),
            (rising, 1.0),
            (strains[3], (section.Iy + section.Iz) / section.area),
        ):
            result[0] += weight * np.outer(row, row)
        result[1] += _pair(twist, strains[2]) - _pair(strains[0], strains[1])
        result[2] -= _pair(twist, strains[1]) + _pair(strains[0], strains[2])
        result[3] -= (_pair(falling, strains[1]) + _pair(rising, strains[2])) / 2
        return result

    def _second_displacement(self, s: float) -> Array:
        return self._by_slopes(self._displacement(s))

    def _second_rotation(self, s: float) -> Array:
        (twist, falling, rising), stretch = self._turns(s), self._strains(s)[0]
        result = self._by_slopes(self._turns(s))
        result[1] += _pair(twist, rising) / 2 - _pair(stretch, falling)
        result[2] -= _pair(twist, falling) / 2 + _pair(stretch, rising)
        return result

    def _by_slopes(self, rows: Array) -> Array:
        """Second derivatives of rows linear in u and the slopes (-u_z', u_y') of the nodes."""
        result, unit, stretch = np.zeros((len(rows), 12, 12)), np.eye(12), self._strains(0.0)[0]
        for x, y, z in ((3, 4, 5), (9, 10, 11)):
            for slope, sign, other in ((y, -1, z), (z, 1, y)):
                turned = sign * _pair(unit[x], unit[other]) / 2 + _pair(stretch, unit[slope])
                result += np.multiply.outer(rows[:, slope], turned)
        return result

    def _bending(self, result: Array, values: tuple[float, ...]) -> Array:
        first, second, third, fourth = values
        length = self.length
        result[1, [1, 5, 7, 11]] = first, length * second, third, length * fourth
        result[2, [2, 4, 8, 10]] = first, -length * second, third, -length * fourth
        return result


def _pair(first: Array, second: Array) -> Array:
    """The second derivative of a product."""
    product = np.outer(first, second)
    return product + product.T
