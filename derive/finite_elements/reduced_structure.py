"""The modes of a structure on its supports: what its body deforms in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.reduction import (
    beside,
    elastic_modes,
    fixed_interface_modes,
    free_modes,
    kept_modes,
    orthogonal_modes,
    strained_modes,
)
from eomc.derive.finite_elements.structure import Structure
from eomc.derive.finite_elements.supports import elimination, holds, support_rows
from eomc.derive.language.errors import ModelError
from eomc.derive.language.near_names import near_names

STRAINLESS = ("refused", "left out", "kept")
_ZERO = 1e-9
_STRAINED = 1e-13
_NAMED = 4


@dataclass(frozen=True, eq=False)
class Support:
    """A structure whose supports and rigid links are eliminated, d = T d_free.

    `rows`: of the supports, then of the links, times d zero; `boundary`: freedoms of the interfaces
    among the free ones; `rigid`: motions as a whole that nothing holds.
    """

    structure: Structure
    transform: Array
    rows: Array
    boundary: tuple[int, ...]
    mass: Array
    stiffness: Array
    rigid: int

    @classmethod
    def of(
        cls,
        structure: Structure,
        root: str | None,
        supports: Mapping[str, Any] | None,
        interfaces: Sequence[str],
    ) -> Support:
        """Those of a root that is held whole, or of `supports`."""
        freedoms, nodes = structure.freedoms, structure.nodes
        known = dict.fromkeys(name for name, _ in freedoms)
        for name in nodes:
            if name not in known:
                raise ModelError(f"node {name!r} is not connected: no member ends at it")
        for name in [name for name in (root, *interfaces) if name is not None]:
            if name not in known:
                raise ModelError(f"no node {name!r} has freedoms; {near_names(name, known)}")
        if supports is None:
            if root is None and interfaces:
                raise ModelError(
                    "interfaces need a root, the node that the body's frame is fixed to, or "
                    "supports"
                )
            supports = {} if root is None else {root: "fixed"}
        rows = np.vstack([support_rows(freedoms, nodes, supports), structure.link_rows()])
        kept = [i for i, (name, _) in enumerate(freedoms) if name in interfaces]
        for name in interfaces:
            own = [i for i, (node, _) in enumerate(freedoms) if node == name]
            if holds(rows, own):
                raise ModelError(f"interface {name!r}: the supports hold that node")
        transform, free = elimination(rows, kept)
        mass, stiffness = structure.mass_matrix(), structure.stiffness()
        whole = 0 if supports else 3 if structure.planar else 6
        return cls(
            structure,
            transform,
            rows,
            tuple(free.index(i) for i in kept),
            transform.T @ mass @ transform,
            transform.T @ stiffness @ transform,
            whole,
        )

    def basis(self, modes: int, strainless: str) -> Array:
        """Mass-orthogonal modes by rising frequency, columns of all freedoms."""
        check_modes(modes, strainless)
        m, k, boundary = self.mass, self.stiffness, self.boundary
        if strainless == "kept":
            basis = kept_modes(m, k, boundary, modes, self._whole())
        elif strainless == "left out":
            basis = elastic_modes(m, k, [], boundary, modes)
        elif self.rigid:
            basis = self._free_modes(modes)
        else:
            self._refuse_mechanism()
            basis = fixed_interface_modes(m, k, [], boundary, modes)
        basis = orthogonal_modes(m, k, basis)
        if strainless == "left out":  # interfaces that move without strain
            squares = np.einsum("ij,ij->j", basis, k @ basis)
            basis = basis[:, squares > _ZERO * squares.max(initial=0.0)]
        result: Array = self.transform @ basis
        return result

    def _free_modes(self, modes: int) -> Array:
        try:
            return free_modes(self.mass, self.stiffness, modes, self.rigid)[1]
        except ModelError:
            self._refuse_mechanism()
            raise

    def _whole(self) -> Array:
        """Motions as a whole that nothing holds, columns of the free freedoms."""
        if not self.rigid:
            return np.zeros((len(self.mass), 0))
        axes = (0, 1, 5) if self.structure.planar else range(6)
        columns = []
        for axis in axes:
            unit = np.eye(6)[axis]
            motion = [
                (unit[:3] + np.cross(unit[3:], self.structure.nodes[node]))["xyz".index(kind[1])]
                if kind[0] == "u"
                else unit[3 + "xyz".index(kind[1])]
                for node, kind in self.structure.freedoms
            ]
            columns.append(np.linalg.lstsq(self.transform, np.array(motion), rcond=None)[0])
        return np.column_stack(columns)

    def loose_nodes(self) -> list[str]:
        """Nodes that move without strain, most first."""
        inside = [i for i in range(len(self.mass)) if i not in self.boundary]
        at = np.ix_(inside, inside)
        k = self.stiffness[at]
        loose = beside(self._whole()[inside], strained_modes(self.mass[at], k)[2], self.mass[at])
        # low modes of slender members, and of members beside stiff ones, strain, if little
        motions = self.transform[:, inside] @ loose
        loose = loose[:, self.structure.strain_shares(motions).max(axis=0) <= _STRAINED]
        moved = np.abs(self.transform[:, inside] @ loose).sum(axis=1)
        sizes: dict[str, float] = {}
        for (node, _), size in zip(self.structure.freedoms, moved, strict=True):
            sizes[node] = sizes.get(node, 0.0) + size
        most = max(sizes.values(), default=0.0)
        return sorted(
            (n for n, size in sizes.items() if size > 1e-6 * most > 0), key=lambda n: -sizes[n]
        )

    def _refuse_mechanism(self) -> None:
        """Raise where something moves without strain."""
        try:
            names = self.loose_nodes()
        except ModelError:  # masses that are not definite are refused by the modes
            return
        if names:
            told = ", ".join(map(repr, names[:_NAMED])) + (", ..." if names[_NAMED:] else "")
            where = "" if self.rigid else " on its supports"
            nodes = "nodes" if names[1:] else "node"
            raise ModelError(
                f"the structure is a mechanism{where}: {nodes} {told} can move without strain; add "
                "members or supports, take a node with rotations as root, or none, or say what "
                "becomes of such motions (strainless='left out', strainless='kept')"
            )


def check_modes(modes: Any, strainless: str) -> None:
    """Refuse a number of modes that is none."""
    if isinstance(modes, bool) or not isinstance(modes, int) or modes < 0:
        raise ModelError(f"modes: {modes!r}; give a whole number >= 0")
    if strainless not in STRAINLESS:
        valid = ", ".join(map(repr, STRAINLESS))
        raise ModelError(f"strainless is {strainless!r}; valid: {valid}")
