"""Valid names that the user may have meant: near misses of the one that was given."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

__all__ = ["near_names"]

_LISTED = 30
_NEAR = 0.65


def near_names(
    name: object, valid: Iterable[str], called: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Half a sentence to end an error with: the nearest valid names, or all of a short list.

    What is no text is near to none. `called` holds valid names by others that the field has for
    the same.

    >>> near_names("masss", ["mass", "com", "inertia"])
    "did you mean 'mass'?"
    >>> near_names(5, ["mass", "com"])
    "valid: 'com', 'mass'"
    >>> near_names("hinge", ["fixed", "revolute"], {"hinge": "revolute"})
    "did you mean 'revolute'?"
    """
    names = sorted(set(valid))
    text = str(name)[:200]
    close = [called[text.lower()]] if text.lower() in called else []
    close = close or [known for known in names if known.lower() == text.lower()]
    close = close or difflib.get_close_matches(text, names, n=3, cutoff=_NEAR)
    if close:
        return "did you mean " + " or ".join(repr(item) for item in close) + "?"
    if not names:
        return "there are none"
    shown = ", ".join(repr(item) for item in names[:_LISTED])
    rest = len(names) - _LISTED
    return f"valid: {shown}" + (f" and {rest} more" if rest > 0 else "")
