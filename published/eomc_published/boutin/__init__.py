"""The articulated truss crane: modes, loops, flexible dynamics and control.

The cases are numbered as in the project's list of them; expected values are the thesis's, or
recomputed from its data where it prints none. Every file beside this one that has `CASES` adds its
own, and its `FIGURES` if any.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from eomc_published.work import PublishedWork

_FILES = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]

REFERENCE = PublishedWork(
    name="boutin",
    title="Articulated truss crane",
    citation=(
        "B. A. Boutin, Dynamics and vibration control of articulating truss structures, M.Eng. "
        "thesis, McGill University, 1995"
    ),
    cases=tuple(
        sorted(
            (case for file in _FILES for case in getattr(file, "CASES", ())),
            key=lambda case: case.number,
        )
    ),
    figures=tuple(figure for file in _FILES for figure in getattr(file, "FIGURES", ())),
)
