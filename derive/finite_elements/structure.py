"""Structures of bars, beams and lumped masses: nodes, freedoms, assembly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.line_element import (
    BarElement,
    BeamElement,
    LineElement,
    MaterialPoints,
)
from eomc.derive.finite_elements.section import Section
from eomc.derive.finite_elements.spring_element import SpringElement
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

FREEDOMS = ("ux", "uy", "uz", "rx", "ry", "rz")
_FARTHEST = 1e50
"""Coordinates [m] whose squares and products with masses are still numbers."""
_PLANE = ("ux", "uy", "rz")


class Structure:
    """Nodes and elements in one frame.

    Parameters
    ----------
    planar : bool
        Two-dimensional, in the plane of x and y: freedoms ux, uy and rz.
    lumped : bool
        Half of the mass of every element at each of its nodes, instead of spread along it.

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

    def __init__(self, planar: bool = False, lumped: bool = False) -> None:
        self.planar, self.lumped = planar, lumped
        self.nodes: dict[str, Array] = {}
        self._elements: list[tuple[str, str, LineElement | SpringElement]] = []
        self._links: list[tuple[str, str]] = []
        self._means: dict[str, tuple[str, ...]] = {}
        self._masses: list[tuple[str, float, Array]] = []

    # -- declaration -----------------------------------------------------------------------------

    def node(self, name: str, position: Sequence[float]) -> None:
        """A node at (x, y, z) or (x, y) [m]."""
        place = np.asarray([*position, *(0.0,) * (3 - len(position))], dtype=float)
        if name in self.nodes:
            raise ModelError(f"node {name!r} is already there")
        if place.shape != (3,) or not np.all(np.abs(place) <= _FARTHEST):
            raise ModelError(f"node {name!r}: give three finite numbers, up to {_FARTHEST:g} m")
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

    def spring(
        self, start: str, end: str, stiffness: float | Sequence[float], retardation: float = 0.0
    ) -> None:
        """A spring without mass: one stiffness [N/m] along the line between two nodes, or three or
        six, of the freedoms, between two nodes at one place; retardation as of a `Section`."""
        what = f"spring {start}-{end}"
        for name in (start, end):
            self._known(name, what)
        given = np.asarray(stiffness, dtype=float)
        distance = float(np.linalg.norm(self.nodes[end] - self.nodes[start]))
        if given.shape not in ((), (3,), (6,)) or not (np.all(given >= 0) and np.any(given > 0)):
            raise ModelError(f"{what}: stiffness {stiffness!r}; give one, three or six numbers > 0")
        if not np.all(np.isfinite(given)) or not 0 <= retardation < float("inf"):
            raise ModelError(f"{what}: give finite numbers >= 0")
        if (given.ndim == 0) != (distance > 0):
            raise ModelError(
                f"{what}: its nodes are {distance:g} m apart; one stiffness acts along a line, "
                "three or six between nodes at one place"
            )
        if given.ndim == 0:
            section = Section(1.0, 0.0, float(given) * distance, retardation=retardation)
            self._line(BarElement, start, end, section, 1, None)
        else:
            self._elements.append((start, end, SpringElement(given, retardation)))

    def rigid_link(self, master: str, slave: str) -> None:
        """The slave moves as if welded to the master; between nodes without rotations, of bars
        alone, the link keeps its length."""
        for name in (master, slave):
            self._known(name, f"rigid link {master}-{slave}")
        if not np.any(self.nodes[master] != self.nodes[slave]):
            raise ModelError(f"rigid link {master}-{slave}: its nodes are at one place")
        self._links.append((master, slave))

    def mean_node(self, name: str, nodes: Sequence[str]) -> None:
        """A node amid others that moves as they do on average: a distributing coupling (RBE3).

        What acts on it acts on them in equal parts. An axle through two hinges, for example, is
        attached to their mean node; with `turning="neighbours"` it turns as the line between them.

        >>> frame = Structure()
        >>> for side, z in (("left", -1.0), ("right", 1.0)):
        ...     frame.node(side, (0, 0, z))
        >>> frame.mean_node("axle", ["left", "right"])
        >>> frame.nodes["axle"].tolist()
        [0.0, 0.0, 0.0]
        """
        if isinstance(nodes, str) or len(dict.fromkeys(nodes)) < 2:
            raise ModelError(f"mean node {name!r}: {nodes!r}; give two different nodes or more")
        for node in nodes:
            self._known(node, f"mean node {name!r}")
        self.node(name, np.mean([self.nodes[node] for node in nodes], axis=0))
        self._means[name] = tuple(nodes)

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
        for master, slave in self._links:
            held[slave] = max(held[slave], held[master] or 3)
            held[master] = held[master] or 3
        for name in self._means:
            held[name] = held[name] or 3
        allowed = _PLANE if self.planar else FREEDOMS
        return tuple(
            (name, freedom)
            for name, count in held.items()
            for freedom in FREEDOMS[:count]
            if freedom in allowed
        )

    def indices(self, node: str) -> dict[str, int]:
        """Indices of the freedoms of a node in the matrices."""
        self._known(node, "structure")
        return {
            freedom: index for index, (name, freedom) in enumerate(self.freedoms) if name == node
        }

    def neighbours(self, node: str) -> tuple[str, ...]:
        """Nodes at the other ends of its members and rigid links, and those it is the mean of, each
        once."""
        self._known(node, "structure")
        pairs = [(start, end) for start, end, _ in self._elements] + self._links
        pairs += [(node, other) for other in self._means.get(node, ())]
        both = [*pairs, *((end, start) for start, end in pairs)]
        return tuple(dict.fromkeys(end for start, end in both if start == node))

    @property
    def members(self) -> tuple[tuple[str, str], ...]:
        """Pairs of nodes with an element between them, in order."""
        return tuple((start, end) for start, end, _ in self._elements)

    def walk(self) -> tuple[str, ...]:
        """Nodes in an order that passes every member and rigid link, and jumps between parts."""
        left: dict[str, list[str]] = {name: [] for name in self.nodes}
        for start, end in (*self.members, *self._links):
            left[start].append(end)
            left[end].append(start)
        path: list[str] = []
        for first in self.nodes:
            stack = [first] if left[first] else []
            path += stack
            while stack:
                here = stack[-1]
                if left[here]:
                    end = left[here].pop(0)
                    left[end].remove(here)
                    stack.append(end)
                    path.append(end)
                else:
                    stack.pop()
                    path += stack[-1:]
        return tuple(path)

    def stiffness(self) -> Array:
        """K"""
        return self._assembled([1.0] * len(self._elements))

    def damping(self) -> Array:
        """C of structural damping: the sum of retardation times stiffness of each element."""
        return self._assembled([element.retardation for _, _, element in self._elements])

    def _assembled(self, factors: Sequence[float]) -> Array:
        size = 6 * len(self.nodes)
        total = np.zeros((size, size))
        for factor, (start, end, element) in zip(factors, self._elements, strict=True):
            columns = self._columns((start, end), element.freedoms)
            if factor:
                total[np.ix_(columns, columns)] += factor * element.stiffness()
        return total[np.ix_(self._active, self._active)]

    def link_rows(self) -> Array:
        """Rows (count, freedoms) of rigid links and mean nodes: each times the freedoms is zero."""
        return self._links_of(np.zeros((len(self._active), 0)))[0]

    def second_links(self, motions: Array) -> Array:
        """Second derivatives (count, k, k) along k motions of what `link_rows` are the first of."""
        return self._links_of(motions)[1]

    def _links_of(self, motions: Array) -> tuple[Array, Array]:
        """First derivatives by the freedoms and second ones along motions of what links hold:
        u_m + r x a + r x (r x a) / 2 - u_s and r_m - r_s, or (u_m - u_s) . a / l - |..|^2 / (2 l)
        between nodes that do not turn, a the arm of length l."""
        full, count = self._full(motions), motions.shape[1]
        rows = [np.zeros((0, 6 * len(self.nodes)))]
        second = [np.zeros((0, count, count))]
        turning = {name for name, freedom in self.freedoms if freedom in ("rx", "ry", "rz")}
        for master, slave in self._links:
            m, s = self._columns((master,), 6), self._columns((slave,), 6)
            arm = self.nodes[slave] - self.nodes[master]
            row, bent = np.zeros((6, 6 * len(self.nodes))), np.zeros((6, count, count))
            row[range(6), s] = -1
            row[range(6), m] = 1
            if master in turning:
                row[:3, m[3:]] = -np.array(
                    [[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]]
                )
                turns = full[m[3:]]
                along = np.multiply.outer(turns, arm @ turns)
                bent[:3] = (along + np.swapaxes(along, 1, 2)) / 2
                bent[:3] -= np.multiply.outer(arm, turns.T @ turns)
            else:
                length, apart = float(np.linalg.norm(arm)), full[s[:3]] - full[m[:3]]
                row = arm[None] / length @ row[:3]
                bent = -(apart.T @ apart)[None] / length
            rows.append(row)
            second.append(bent)
        for name, nodes in self._means.items():
            row = np.zeros((3, 6 * len(self.nodes)))
            row[range(3), self._columns((name,), 3)] = -1
            for node in nodes:
                row[range(3), self._columns((node,), 3)] = 1 / len(nodes)
            rows.append(row)
            second.append(np.zeros((3, count, count)))
        first = np.concatenate(rows)[:, self._active]
        kept = np.any(first != 0, axis=1)
        return first[kept], np.concatenate(second)[kept]

    def strain_shares(self, motions: Array) -> Array:
        """Strain energy (elements, k) of each element along k motions, by its largest
        stiffness and its motion: rounding where it moves without strain."""
        full, shares = (
            self._full(motions),
            np.zeros((max(len(self._elements), 1), motions.shape[1])),
        )
        for row, (start, end, element) in enumerate(self._elements):
            moved, stiffness = (
                full[self._columns((start, end), element.freedoms)],
                element.stiffness(),
            )
            energy = np.einsum("ik,ij,jk->k", moved, stiffness, moved)
            size = np.abs(stiffness).max() * (moved**2).sum(axis=0)
            shares[row] = energy / np.where(size > 0, size, 1.0)
        return shares

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
            # lumped masses move as the nodes do
            if self.lumped:
                first += sum(len(part.positions) for part in element.lumped())
                continue
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
        """M, consistent or lumped."""
        total = np.zeros((len(self._active),) * 2)
        for part in self.material():
            total += part.matrix()
        return total

    def material(self) -> list[MaterialPoints]:
        """All mass and all that turns, with rows by the freedoms of the structure."""
        result = []
        for start, end, element in self._elements:
            columns = self._columns((start, end), element.freedoms)
            parts = element.lumped() if self.lumped else element.material()
            result += [self._spread(part, columns) for part in parts]
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
