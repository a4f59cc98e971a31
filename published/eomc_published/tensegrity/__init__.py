"""Tensegrity manipulators with pulleys and compliant cables: a master's thesis.

Its text has lost the title page. It names its packages NearRigidControl.jl and Hermite3.jl; the
latter is published at github.com/lieskjur/Hermite3.jl.

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
    massive_ends,
    single_strut,
    single_strut_tree,
    splines,
)
from eomc_published.tensegrity.figures import FIGURES
from eomc_published.work import PublishedWork

_FILES = (
    control,
    geometry,
    involute,
    involute_forces,
    manipulator,
    manipulator_control,
    massive_ends,
    single_strut,
    single_strut_tree,
    splines,
)

REFERENCE = PublishedWork(
    name="tensegrity",
    title="Tensegrity manipulators",
    citation="master's thesis on tensegrity manipulators with pulleys and compliant cables, by the "
    "author of github.com/lieskjur/Hermite3.jl; its text lacks name, title and year",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=FIGURES,
)
