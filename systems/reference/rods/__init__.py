"""Rods that bend far: closed forms and values of independent methods.

The cases are numbered as in the project's list of geometrically exact rods.
"""

from __future__ import annotations

from eomc.systems.reference.reference import Reference
from eomc.systems.reference.rods import (
    figures,
    flying,
    rotation,
    stability,
    statics,
    structure,
    tendons,
)

_FILES = (statics, tendons, stability, rotation, flying, structure)

REFERENCE = Reference(
    name="rods",
    title="Rods that bend far",
    citation="closed forms of Euler's elastica, and the benchmarks of geometrically exact rods",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=figures.FIGURES,
)
