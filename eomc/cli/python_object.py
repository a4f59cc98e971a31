"""Python of the user's own: files that are run, and systems named ``MODULE:OBJECT``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from eomc.cli.errors import CommandError

_NAMED = re.compile(r"(?P<place>.+\.py|[A-Za-z_][\w.]*):(?P<name>[A-Za-z_][\w.]*)\Z")


def names_object(text: str) -> bool:
    """True if `text` is ``MODULE:OBJECT`` or ``FILE.py:OBJECT``, and no file of that name.

    >>> names_object("robots.arm:make"), names_object("arm.py:arm"), names_object("arm.toml")
    (True, True, False)
    """
    return _NAMED.match(text) is not None and not Path(text).exists()


def python_object(text: str) -> Any:
    """The object, or what it returns if it is a function; its module is executed."""
    found = _NAMED.match(text)
    assert found is not None, "asked by names_object"
    place, name = found["place"], found["name"]
    module = run_file(Path(place), text) if place.endswith(".py") else _imported(place, text)
    value: Any = module
    try:
        for part in name.split("."):
            value = getattr(value, part)
    except AttributeError as error:
        raise CommandError(f"{text}: {error}") from error
    if not callable(value) or hasattr(value, "program"):
        return value
    needed = _needed(value)
    if needed:
        raise CommandError(
            f"{text}: {name}() needs {needed}; name a model, or a function that needs nothing, "
            "such as one in a file of your own that calls it"
        )
    return value()


def _needed(function: Callable[..., Any]) -> str:
    """The first argument without which a function cannot be called; empty if there is none."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # a function in C tells nothing
        return ""
    varied = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    must = (p.name for p in parameters if p.default is p.empty and p.kind not in varied)
    return next((repr(name) for name in must), "")


def run_file(file: Path, option: str) -> ModuleType:
    """Run a Python file as a module; an error says that it stands in `option`."""
    if file.suffix != ".py" or not file.is_file():
        raise CommandError(f"{option}: give a Python file that exists")
    name = f"eomc_with_{file.stem}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CommandError(f"{option}: {type(error).__name__}: {error}") from error
    return module


def _imported(name: str, option: str) -> ModuleType:
    """A module, also of the present folder."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return import_module(name)
    except Exception as error:
        raise CommandError(f"{option}: {type(error).__name__}: {error}") from error
