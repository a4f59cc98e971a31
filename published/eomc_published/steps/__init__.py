"""Steps of fixed cost for stiff models and for rigid contacts: values of exact mechanics.

Each file of this folder with `CASES` adds its cases; they are numbered as in the project's list.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from eomc_published.work import PublishedWork

_FILES = [
    import_module(f"{__name__}.{file.name}") for file in iter_modules([str(Path(__file__).parent)])
]

REFERENCE = PublishedWork(
    name="steps",
    title="Steps of fixed cost: stiff models and rigid contacts",
    citation="Hairer and Wanner, Solving Ordinary Differential Equations II, 2nd ed.; Acary and "
    "Brogliato, Numerical Methods for Nonsmooth Dynamical Systems, 2008",
    cases=tuple(
        sorted(
            (case for file in _FILES for case in getattr(file, "CASES", ())),
            key=lambda case: case.number,
        )
    ),
)
