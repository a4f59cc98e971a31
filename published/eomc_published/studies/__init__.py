"""Studies of many runs and their workers: what is killed leaves no run out and makes none twice.

The cases are numbered as in the project's list of them. Each run made by itself, one after the
other, by the function of the model is the witness.
"""

from __future__ import annotations

from eomc_published.studies import killed, numpy_alone
from eomc_published.work import PublishedWork

REFERENCE = PublishedWork(
    name="studies",
    title="Studies of many runs",
    citation="Salmon, Moraes, Dror and Shaw, Parallel random numbers, SC 2011",
    cases=(*killed.CASES, *numpy_alone.CASES),
)
