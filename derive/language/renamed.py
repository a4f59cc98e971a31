"""Old names of arguments of declarations, and the names that replace them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import ParamSpec, TypeVar

__all__ = ["KEYS", "current_arguments", "new_key"]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

KEYS: Mapping[str, Mapping[str, str]] = {
    "algebraic": {"guess": "initial_guess"},
    "bearing": {"form": "regularization", "least_load": "minimum_load"},
    "cable": {"form": "elasticity"},
    "deformable": {"form": "kind", "held": "fixed"},
    "involute_cable": {"form": "elasticity"},
    "joint": {"axis2": "axis_2"},
    "lumped_cable": {"form": "elasticity"},
}
"""Old names of arguments of `Model`'s methods, which are keys of tables in files."""


def new_key(table: str, key: str) -> str | None:
    """Name of a key of version 1 in version 2; None for any other."""
    return KEYS.get(table, {}).get(key)


def current_arguments(method: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Decorator: an old name of an argument is a TypeError that tells the new name."""

    name = method.__name__
    names = KEYS[name]

    @functools.wraps(method)
    def checked(*args: Arguments.args, **given: Arguments.kwargs) -> Result:
        for old in given.keys() & names.keys():
            raise TypeError(f"{name}: the argument {old!r} is now {names[old]!r}")
        return method(*args, **given)

    return checked
