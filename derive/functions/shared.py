"""Quantities that several functions of one system need, built once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

__all__ = ["shared"]

Given = TypeVar("Given")
Built = TypeVar("Built")


def shared(make: Callable[[Given], Built]) -> Callable[[Given], Built]:
    """Decorator: what `make` builds is kept as long as the system, for outputs and guards alike."""
    kept: WeakKeyDictionary[Given, Built] = WeakKeyDictionary()

    @wraps(make)
    def built(given: Given) -> Built:
        if given not in kept:
            kept[given] = make(given)
        return kept[given]

    return built
