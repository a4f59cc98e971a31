"""A spring between two nodes at one place: a stiffness for each freedom, without mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.finite_elements.line_element import MaterialPoints


@dataclass(frozen=True, eq=False)
class SpringElement:
    """Stiffnesses (3,) [N/m] or (6,), the last three [N m/rad], in the axes of the structure.

    >>> SpringElement(np.array([1.0, 0, 0])).stiffness()[0, [0, 3]]
    array([ 1., -1.])
    """

    stiffnesses: Array
    retardation: float = 0.0

    @property
    def freedoms(self) -> int:
        """Freedoms of a node that it holds."""
        return len(self.stiffnesses)

    def stiffness(self) -> Array:
        """K"""
        return np.kron([[1, -1], [-1, 1]], np.diag(self.stiffnesses)).astype(np.float64)

    def second_forces(self, motions: Array) -> Array:
        """None: its forces are linear."""
        count = motions.shape[1]
        return np.zeros((2 * self.freedoms, count, count))

    def second_motions(self, motions: Array) -> list[Array]:
        """None: it has no mass."""
        return []

    def material(self) -> list[MaterialPoints]:
        """None."""
        return []

    def lumped(self) -> list[MaterialPoints]:
        """None."""
        return []
