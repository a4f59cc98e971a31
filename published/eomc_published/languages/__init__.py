"""Emitted code in other languages, run by these languages' own tools.

The cases are numbered as in the project's list of them.
"""

from __future__ import annotations

from eomc_published.languages import mex, strict
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="languages",
    title="Emitted code in other languages",
    citation="GNU Octave 7; MATLAB, C Matrix API",
    cases=(*strict.CASES, *mex.CASES),
)
