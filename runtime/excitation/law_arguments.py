"""Check of the number of arguments that laws given as functions take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def check_law_arguments(what: str, law: Callable[..., Any], *arguments: str) -> None:
    """Raise ValueError, naming `what`, if `law` cannot be called with so many arguments.

    >>> check_law_arguments("inputs", lambda t: 0.1 * t, "t", "q", "u")
    Traceback (most recent call last):
        ...
    ValueError: inputs: the function takes (t), but is called with (t, q, u)
    """
    try:
        signature = inspect.signature(law)
    except (TypeError, ValueError):  # builtins may not tell
        return
    try:
        signature.bind(*arguments)
    except TypeError:
        called = ", ".join(arguments)
        message = f"{what}: the function takes {signature}, but is called with ({called})"
        raise ValueError(message) from None
