"""Finite elements, assembly and reduction to modes."""

from __future__ import annotations

from eomc.derive.finite_elements.line_element import BarElement, BeamElement, MaterialPoints
from eomc.derive.finite_elements.matrix_files import read_matrix
from eomc.derive.finite_elements.reduction import (
    fixed_interface_modes,
    free_modes,
    lowest_modes,
    orthogonal_modes,
)
from eomc.derive.finite_elements.section import Section
from eomc.derive.finite_elements.structure import FREEDOMS, Structure

__all__ = [
    "FREEDOMS",
    "BarElement",
    "BeamElement",
    "MaterialPoints",
    "Section",
    "Structure",
    "fixed_interface_modes",
    "free_modes",
    "lowest_modes",
    "orthogonal_modes",
    "read_matrix",
]
