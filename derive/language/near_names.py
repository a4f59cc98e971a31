"""Valid names that the user may have meant: near misses of the one that was given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["near_names"]

_LISTED = 12


def near_names(name: object, valid: Iterable[str]) -> str:
    """Half a sentence to end an error with: the nearest valid names, or all of a short list.

    What is no text is near to none.

    >>> near_names("masss", ["mass", "com", "inertia"])
    "did you mean 'mass'?"
    >>> near_names(5, ["mass", "com"])
    "valid: 'com', 'mass'"
    """
    names = sorted(set(valid))
    close = difflib.get_close_matches(str(name)[:200], names, n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(repr(item) for item in close) + "?"
    if not names:
        return "there are none"
    shown = ", ".join(repr(item) for item in names[:_LISTED])
    rest = len(names) - _LISTED
    return f"valid: {shown}" + (f" and {rest} more" if rest > 0 else "")
