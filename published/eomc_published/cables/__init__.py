"""Cables over pulleys: values of textbooks and of exact mechanics.

The cases are numbered as in the project's list of contact and cables, whose second half they are.
"""

from __future__ import annotations

from eomc_published.cables import (
    allocation,
    atwood,
    belts,
    catenary,
    compiled,
    geometry,
    machines,
    prism,
    pulleys,
)
from eomc_published.work import PublishedWork

_FILES = (allocation, atwood, belts, catenary, compiled, geometry, machines, prism, pulleys)

REFERENCE = PublishedWork(
    name="cables",
    title="Cables over pulleys",
    citation="textbook values and exact solutions of cables, pulleys, cranes and tensegrity prisms",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
)
