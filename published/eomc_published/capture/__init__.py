"""Capture: bodies that join and part during one run, against laws of momentum and closed forms.

Every file beside this one that has `CASES` adds its own.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

from eomc_published.work import PublishedWork

_FILES = [import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]

REFERENCE = PublishedWork(
    name="capture",
    title="Capture: bodies that join and part during a run",
    citation="Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts, 1996; Moosavian, "
    "Dynamics and Control of Free-Flying Manipulators Capturing Space Objects, 1996",
    cases=tuple(
        sorted(
            (case for file in _FILES for case in getattr(file, "CASES", ())),
            key=lambda case: case.number,
        )
    ),
)
