"""Model files of other programs, against these programs and against formulas.

Numbers up to 100 are those of the project's list; those above are of this collection alone.
"""

from __future__ import annotations

from eomc_published.formats import cases
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="formats",
    title="Model files of other programs",
    citation="MuJoCo 4 (MJCF); SDFormat 1.9; xacro 2; Denavit and Hartenberg 1955",
    cases=cases.CASES,
)
