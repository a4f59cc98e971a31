"""Reference systems: published results, reproduced.

A reference is a package beside this file: it defines `REFERENCE`, whose cases are defined once, run
by the tests and by ``eomc reproduce <name>``. A further one is a further package; nothing lists it.

    names()             names of all references
    reference(name)     one of them, its cases not yet evaluated
"""

from __future__ import annotations

from eomc_published.case import Case, Check, Outcome, agrees, at_most, holds
from eomc_published.work import Figure, Reference, names, reference

__all__ = [
    "Case",
    "Check",
    "Figure",
    "Outcome",
    "Reference",
    "agrees",
    "at_most",
    "holds",
    "names",
    "reference",
]
