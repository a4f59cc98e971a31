"""Functional Mock-up Units: what the standard asks, by importers that know nothing of eomc.

The cases are numbered as in the project's list of them. FMPy reads, checks and runs the units,
CasADi reads them a second time; the motion itself is compared with `eomc.simulate`.
"""

from __future__ import annotations

from eomc_published.fmi import archive, compilers, derivatives, instances, motion
from eomc_published.work import PublishedWork

_FILES = (archive, motion, derivatives, instances, compilers)

REFERENCE = PublishedWork(
    name="fmi",
    title="Functional Mock-up Units",
    citation="Functional Mock-up Interface 2.0.4 (2022) and 3.0.1 (2023), Modelica Association",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
    figures=(),
)
