"""The argument MODEL and the options that say how to read it, alike in all commands."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError

if TYPE_CHECKING:
    from eomc.derive.model import Model


@dataclass(frozen=True)
class ModelOptions:
    """A model file and how to read it."""

    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model file: .toml or .urdf.")]
    base: Annotated[
        str | None,
        typer.Option(
            metavar="fixed|floating",
            help="Weld the root body to the world, or let it move freely. "
            "[default: fixed for URDF, as the file says for TOML]",
        ),
    ] = None
    locked: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT[=VALUE]",
            help="Freeze a joint, at its neutral position or at a value [rad or m]; repeatable.",
        ),
    ] = None
    free_mimic: Annotated[
        bool, typer.Option("--free-mimic", help="Let mimic joints move freely.")
    ] = False
    no_damping: Annotated[
        bool, typer.Option("--no-damping", help="Leave the joints' damping out.")
    ] = False
    no_friction: Annotated[
        bool, typer.Option("--no-friction", help="Leave the joints' friction out.")
    ] = False
    extensions: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="FILE.py",
            help="Run a Python file of your own first, which adds kinds of joints, forces, "
            "constraints or bodies; repeatable.",
        ),
    ] = None

    def load(self) -> Model:
        """The model, checked. Raises `ModelError` or OSError."""
        from eomc.derive.formats import load

        if self.model.is_dir() or not self.model.exists():
            what = "is a folder" if self.model.is_dir() else "does not exist"
            raise CommandError(f"{self.model} {what}; give a model file (.toml or .urdf)")
        for file in self.extensions or ():
            _run(file)
        locked: dict[str, Any] = {}
        for entry in self.locked or ():
            name, equals, value = entry.rpartition("=")
            locked |= {name: number(value, f"--locked {entry}")} if equals else {entry: True}
        return load(
            self.model,
            base=self.base,
            locked=locked or None,
            mimic=not self.free_mimic,
            damping=not self.no_damping,
            friction=not self.no_friction,
        )


def number(text: str, option: str) -> float:
    """A finite number from an option's text."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CommandError(f"{option}: {text!r} is not a finite number")
    return value


def assignments(texts: Sequence[str] | None, option: str, names: Sequence[str]) -> dict[str, float]:
    """{name: value} of ``NAME=VALUE`` texts, several in one split by commas.

    >>> assignments(["a=1,b=2.5"], "--q", ["a", "b"])
    {'a': 1.0, 'b': 2.5}
    """
    from eomc.runtime.names.near_names import near_names

    values: dict[str, float] = {}
    for entry in [part for text in texts or () for part in text.split(",")]:
        name, equals, value = entry.rpartition("=")
        if not equals:
            raise CommandError(f"{option} {entry}: give NAME=VALUE")
        name = name.strip()
        if name not in names:
            raise CommandError(f"{option} {entry}: no {name!r} here; {near_names(name, names)}")
        values[name] = number(value, f"{option} {entry}")
    return values


def _run(file: Path) -> None:
    """Run a Python file of the user's as a module."""
    if file.suffix != ".py" or not file.is_file():
        raise CommandError(f"--with {file}: give a Python file that exists")
    name = f"eomc_with_{file.stem}"
    spec = spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise CommandError(f"--with {file}: {type(error).__name__}: {error}") from error
