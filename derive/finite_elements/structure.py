"""Structures of bars, beams and lumped masses: nodes, freedoms, assembly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.derive.finite_elements.line_element import (
    BarElement,
    BeamElement,
    LineElement,
    MaterialPoints,
)
from eomc.derive.finite_elements.section import Section
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

Array = NDArray[np.float64]

FREEDOMS = ("ux", "uy", "uz", "rx", "ry", "rz")
_PLANE = ("ux", "uy", "rz")


class Structure:
    """Nodes and elements in one frame.

    Parameters
    ----------
    planar : bool
        Two-dimensional, in the plane of x and y: freedoms ux, uy and rz.

    Examples
    --------
    >>> structure = Structure(planar=True)
    >>> for name, x in (("root", 0.0), ("tip", 2.0)):
    ...     structure.node(name, (x, 0, 0))
    >>> structure.beam("root", "tip", Section(1e-3, 2700, 7e10, Iz=1e-8))
    >>> structure.freedoms
    (('root', 'ux'), ('root', 'uy'), ('root', 'rz'), ('tip', 'ux'), ('tip', 'uy'), ('tip', 'rz'))

    Raises
    ------
    ModelError
        Naming the element.
    """

    def __init__(self, planar: bool = False) -> None:
        self.planar = planar
        self.nodes: dict[str, Array] = {}
        self._elements: list[tuple[str, str, LineElement]] = []
        self._masses: list[tuple[str, float, Array]] = []

    # -- declaration -----------------------------------------------------------------------------

    def node(self, name: str, position: Sequence[float]) -> None:
        """A node at (x, y, z) or (x, y) [m]."""
        place = np.asarray([*position, *(0.0,) * (3 - len(position))], dtype=float)
        if name in self.nodes:
            raise ModelError(f"node {name!r} is already there")
        if place.shape != (3,) or not np.all(np.isfinite(place)):
            raise ModelError(f"node {name!r}: give three finite numbers")
        if self.planar and place[2] != 0:
            raise ModelError(f"node {name!r}: a planar structure has z = 0")
        self.nodes[name] = place

    def beam(
        self,
        start: str,
        end: str,
        section: Section,
        elements: int = 1,
        y_axis: tuple[float, float, float] | None = None,
    ) -> None:
        """A beam between two nodes, of so many elements; inner nodes are called start-end-1, ..."""
        self._line(BeamElement, start, end, section, elements, y_axis)

    def bar(self, start: str, end: str, section: Section) -> None:
        """A truss bar between two nodes."""
        self._line(BarElement, start, end, section, 1, None)

    def _line(
        self,
        kind: type[LineElement],
        start: str,
        end: str,
        section: Section,
        count: int,
        y_axis: tuple[float, float, float] | None,
    ) -> None:
        what = f"element {start}-{end}"
        for name in (start, end):
            self._known(name, what)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ModelError(f"{what}: {count!r} elements; give a whole number > 0")
        a, b = self.nodes[start], self.nodes[end]
        inner = [f"{start}-{end}-{k}" for k in range(1, count)]
        for k, name in enumerate(inner):
            self.node(name, tuple(a + (b - a) * (k + 1) / count))
        names = [start, *inner, end]
        for first, second in pairwise(names):
            element = kind(self.nodes[first], self.nodes[second], section, y_axis)
            try:
                element.axes  # noqa: B018  (raises for one that has none)
            except ModelError as error:
                raise error.within(what, None) from None
            self._elements.append((first, second, element))

    def mass(self, node: str, mass: float, inertia: Any = None) -> None:
        """A lumped mass [kg], with an inertia matrix or (ixx, iyy, izz) [kg m^2]."""
        self._known(node, "mass")
        matrix = np.zeros(3) if inertia is None else np.asarray(inertia, dtype=float)
        if matrix.shape == (3,):
            matrix = np.diag(matrix)
        if not 0 <= mass < float("inf") or matrix.shape != (3, 3):
            raise ModelError(f"mass at node {node!r}: give a mass >= 0 and three moments or 3x3")
        self._masses.append((node, float(mass), matrix))

    def _known(self, name: str, what: str) -> None:
        if name not in self.nodes:
            raise ModelError(f"{what}: no node {name!r}; {near_names(str(name), self.nodes)}")

    # -- assembly --------------------------------------------------------------------------------

    @property
    def freedoms(self) -> tuple[tuple[str, str], ...]:
        """(node, freedom), in order of the nodes; what no element holds is left out."""
        held: dict[str, int] = dict.fromkeys(self.nodes, 0)
        for start, end, element in self._elements:
            for name in (start, end):
                held[name] = max(held[name], element.freedoms)
        allowed = _PLANE if self.planar else FREEDOMS
        return tuple(
            (name, freedom)
            for name, count in held.items()
            for freedom in FREEDOMS[:count]
            if freedom in allowed
        )

    def indices(self, node: str) -> dict[str, int]:
        """Where the freedoms of a node stand in the matrices."""
        self._known(node, "structure")
        return {
            freedom: index for index, (name, freedom) in enumerate(self.freedoms) if name == node
        }

    def stiffness(self) -> Array:
        """K"""
        size = 6 * len(self.nodes)
        total = np.zeros((size, size))
        for start, end, element in self._elements:
            columns = self._columns((start, end), element.freedoms)
            total[np.ix_(columns, columns)] += element.stiffness()
        return total[np.ix_(self._active, self._active)]

    def second_forces(self, motions: Array) -> Array:
        """Forces (freedoms, k, k) by the third derivative of the strain energy, along k motions."""
        full = self._full(motions)
        total = np.zeros((*full.shape, full.shape[1]))
        for start, end, element in self._elements:
            columns = self._columns((start, end), element.freedoms)
            total[columns] += element.second_forces(full[columns])
        result: Array = total[self._active]
        return result

    def second_motions(self, motions: Array, freedoms: Array) -> Array:
        """Second derivatives (points, 3, k, k) along k motions of what `material` has rows of,
        with those (freedoms, k, k) of the freedoms."""
        full, parts = self._full(motions), self.material()
        total = np.concatenate([np.tensordot(part.rows, freedoms, 1) for part in parts])
        first = 0
        for start, end, element in self._elements:
            columns = self._columns((start, end), element.freedoms)
            for own in element.second_motions(full[columns]):
                total[first : first + len(own)] += own
                first += len(own)
        return total

    def _full(self, motions: Array) -> Array:
        """Rows of six freedoms of every node."""
        full = np.zeros((6 * len(self.nodes), motions.shape[1]))
        full[self._active] = motions
        return full

    def mass_matrix(self) -> Array:
        """M, consistent."""
        total = np.zeros((len(self._active),) * 2)
        for part in self.material():
            total += part.matrix()
        return total

    def material(self) -> list[MaterialPoints]:
        """All mass and all that turns, with rows by the freedoms of the structure."""
        result = []
        for start, end, element in self._elements:
            columns = self._columns((start, end), element.freedoms)
            result += [self._spread(part, columns) for part in element.material()]
        for node, mass, inertia in self._masses:
            columns = self._columns((node,), 6)
            for matrix, first, turning in ((mass * np.eye(3), 0, False), (inertia, 3, True)):
                rows = np.zeros((1, 3, 6))
                rows[0, :, first : first + 3] = np.eye(3)
                place = self.nodes[node][None, :]
                part = MaterialPoints(place, matrix[None, :, :], rows, turning)
                if np.any(matrix):
                    result.append(self._spread(part, columns))
        return result

    def _spread(self, part: MaterialPoints, columns: list[int]) -> MaterialPoints:
        rows = np.zeros((part.rows.shape[0], 3, 6 * len(self.nodes)))
        rows[:, :, columns] = part.rows
        return MaterialPoints(part.positions, part.inertias, rows[:, :, self._active], part.turning)

    def _columns(self, names: Sequence[str], count: int) -> list[int]:
        order = {name: index for index, name in enumerate(self.nodes)}
        return [6 * order[name] + k for name in names for k in range(count)]

    @property
    def _active(self) -> list[int]:
        order = {name: index for index, name in enumerate(self.nodes)}
        return [6 * order[name] + FREEDOMS.index(freedom) for name, freedom in self.freedoms]
