"""Contact and friction: values of textbooks and of exact mechanics.

The cases are numbered as in the project's list of contact and cables, whose first half they are.
"""

from __future__ import annotations

from eomc_published.contact import (
    closed,
    energy,
    friction,
    geometry,
    impacts,
    nearest,
    resistance,
    rigid,
    rolling,
    several,
    sticking,
    tippe_top,
    wheelset,
    woodpecker,
)
from eomc_published.work import PublishedWork

_FILES = (
    closed,
    geometry,
    nearest,
    resistance,
    impacts,
    friction,
    energy,
    rigid,
    rolling,
    several,
    sticking,
    tippe_top,
    wheelset,
    woodpecker,
)

REFERENCE = PublishedWork(
    name="contact",
    title="Contact and friction",
    citation="textbook values and exact solutions of contacts, friction and impacts",
    cases=tuple(
        sorted((case for file in _FILES for case in file.CASES), key=lambda case: case.number)
    ),
)
