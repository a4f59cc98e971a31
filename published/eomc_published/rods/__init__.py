"""Rods that bend far: closed forms and values of independent methods.

The cases are numbered as in the project's list of geometrically exact rods.
"""

from __future__ import annotations

from eomc_published.rods import (
    figures,
    flying,
    own_shapes,
    rotation,
    stability,
    statics,
    structure,
    tendons,
)
from eomc_published.work import PublishedWork

_FILES = (statics, tendons, stability, rotation, flying, structure, own_shapes)

REFERENCE = PublishedWork(
    name="rods",
    title="Rods that bend far",
    citation="closed forms of Euler's elastica, and the benchmarks of geometrically exact rods",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=figures.FIGURES,
)
