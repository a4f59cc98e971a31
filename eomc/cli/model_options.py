"""The argument MODEL and the options that say how to read it, alike in all commands."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError

if TYPE_CHECKING:
    from eomc.derive.model import Model

ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file: .toml or .urdf.")]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="fixed|floating",
        help="Weld the root body to the world, or let it move freely. "
        "[default: fixed for URDF, as the file says for TOML]",
    ),
]
Locked = Annotated[
    list[str] | None,
    typer.Option(
        metavar="JOINT[=VALUE]",
        help="Freeze a joint, at its neutral position or at a value [rad or m]; repeatable.",
    ),
]
FreeMimic = Annotated[bool, typer.Option("--free-mimic", help="Let mimic joints move freely.")]
NoDamping = Annotated[bool, typer.Option("--no-damping", help="Leave the joints' damping out.")]
NoFriction = Annotated[bool, typer.Option("--no-friction", help="Leave the joints' friction out.")]


@dataclass(frozen=True)
class ModelOptions:
    """A model file and how to read it."""

    path: Path
    base: str | None
    locked: Sequence[str] | None
    free_mimic: bool
    no_damping: bool
    no_friction: bool

    def load(self) -> Model:
        """The model, checked. Raises `ModelError` or OSError."""
        from eomc.derive.model import load

        if self.path.is_dir() or not self.path.exists():
            what = "is a folder" if self.path.is_dir() else "does not exist"
            raise CommandError(f"{self.path} {what}; give a model file (.toml or .urdf)")
        locked: dict[str, Any] = {}
        for entry in self.locked or ():
            name, equals, value = entry.rpartition("=")
            locked |= {name: number(value, f"--locked {entry}")} if equals else {entry: True}
        return load(
            self.path,
            base=self.base,
            locked=locked or None,
            mimic=not self.free_mimic,
            damping=not self.no_damping,
            friction=not self.no_friction,
        )


def takes_model(command: Callable[..., None]) -> Callable[..., None]:
    """Decorator: `command` takes `ModelOptions` first, and its command line all of them."""

    @wraps(command)
    def with_options(
        model: Path,
        base: str | None,
        locked: list[str] | None,
        free_mimic: bool,
        no_damping: bool,
        no_friction: bool,
        **others: Any,
    ) -> None:
        options = ModelOptions(model, base, locked, free_mimic, no_damping, no_friction)
        command(options, **others)

    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    shared = {
        "base": (Base, None),
        "locked": (Locked, None),
        "free_mimic": (FreeMimic, False),
        "no_damping": (NoDamping, False),
        "no_friction": (NoFriction, False),
    }
    kind = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("model", kind, annotation=ModelFile),
        *own,
        *(
            inspect.Parameter(name, kind, default=default, annotation=annotation)
            for name, (annotation, default) in shared.items()
        ),
    ]
    parameters = [parameter.replace(kind=kind) for parameter in parameters]
    with_options.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_options.__annotations__ = {p.name: p.annotation for p in parameters}
    del with_options.__wrapped__
    return with_options


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
    from eomc.runtime.near_names import near_names

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
