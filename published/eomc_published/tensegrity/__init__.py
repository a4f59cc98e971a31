"""Tensegrity manipulators with pulleys and compliant cables.

The cases are numbered as in the project's list of them; expected values are the thesis's, or
recomputed from its data where it prints none.
"""

from __future__ import annotations

from eomc_published.tensegrity import (
    control,
    geometry,
    involute,
    involute_forces,
    manipulator,
    manipulator_control,
    single_strut,
    single_strut_tree,
    splines,
)
from eomc_published.work import PublishedWork

_FILES = (
    control,
    geometry,
    involute,
    involute_forces,
    manipulator,
    manipulator_control,
    single_strut,
    single_strut_tree,
    splines,
)

REFERENCE = PublishedWork(
    name="tensegrity",
    title="Tensegrity manipulators",
    citation="the single strut of a master's thesis on tensegrity manipulators with pulleys",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=(),
)
