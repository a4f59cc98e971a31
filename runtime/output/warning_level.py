"""Warnings are told at the line of the user's program."""

from __future__ import annotations

import sys

__all__ = ["outside"]


def outside() -> int:
    """The `stacklevel` of `warnings.warn` for the nearest caller that is no part of eomc."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("eomc."):
        frame, level = frame.f_back, level + 1
    return level
