"""Reference systems: published results, reproduced.

A reference is a package beside this file: it defines `REFERENCE`, whose cases are defined once, run
by the tests and by ``eomc reproduce <name>``. A further one is a further package; nothing lists it.

    names()             names of all references
    reference(name)     one of them, its cases not yet evaluated
"""

from __future__ import annotations

from eomc_published.case import Case, CaseCheck, CaseOutcome, agrees, at_most, holds
from eomc_published.work import Figure, PublishedWork, names, reference

__all__ = [
    "Case",
    "CaseCheck",
    "CaseOutcome",
    "Figure",
    "PublishedWork",
    "agrees",
    "at_most",
    "holds",
    "names",
    "reference",
]
