"""The argument MODEL and the options that say how to read it, alike in all commands."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError
from eomc.cli.python_object import names_object, python_object, run_file

if TYPE_CHECKING:
    from eomc.derive.equations.named import NamedEquations


@dataclass(frozen=True)
class ModelOptions:
    """A model file and how to read it, or a system that Python code declares."""

    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="Model file; the suffix selects the format (.toml, .urdf, ...). Or MODULE:OBJECT "
            "or FILE.py:OBJECT, a model or system (or a function that returns one) in Python code, "
            "which is executed.",
        ),
    ]
    base: Annotated[
        str | None,
        typer.Option(
            metavar="fixed|floating|floating_euler",
            help="Weld the root body to the world, or let it float, with a quaternion or three "
            "angles. [default: fixed for URDF, otherwise as in the file]",
        ),
    ] = None
    locked: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOINT[=VALUE]",
            help="Lock a joint in its neutral position or at a value [rad or m]; repeatable.",
        ),
    ] = None
    free_mimic: Annotated[
        bool, typer.Option("--free-mimic", help="Let mimic joints move freely.")
    ] = False
    no_damping: Annotated[
        bool, typer.Option("--no-damping", help="Omit the damping of joints.")
    ] = False
    no_friction: Annotated[
        bool, typer.Option("--no-friction", help="Omit the friction of joints.")
    ] = False
    inertia: Annotated[
        str | None,
        typer.Option(
            metavar="error|warn|ignore",
            help="How to treat physically inconsistent inertias and, with ignore, links without "
            "inertia. [default: as in the file; warn for robot formats]",
        ),
    ] = None
    argument: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="Value of an argument of a xacro file; repeatable."
        ),
    ] = None
    package: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder to search for package:// names of meshes and $(find ...) of xacro files; "
            "repeatable.",
        ),
    ] = None
    contacts: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ground|ONE:OTHER",
            help="Make contacts of the collision shapes of a robot's file: all of them on the "
            "ground, or pairs of links, shapes LINK_N, patterns or ground; repeatable.",
        ),
    ] = None
    contact_laws: Annotated[
        str | None,
        typer.Option(
            metavar="TOML",
            help="Laws of these contacts as in a model file, separated by semicolons, such as "
            '\'normal = {kind = "rigid", restitution = 0}; friction = {kind = "dry", '
            "kinetic = 0.8}'. [default: rigid, dry friction of the file]",
        ),
    ] = None
    extensions: Annotated[
        list[Path] | None,
        typer.Option(
            "--with",
            metavar="FILE.py",
            help="Run a Python file first, which registers kinds of joints, forces, constraints or "
            "bodies; repeatable.",
        ),
    ] = None

    def equations(self) -> NamedEquations[Any]:
        """Equations of the model."""
        from eomc.building import derived

        return derived(self.load(), "read")  # type: ignore[no-any-return]

    def load(self, *, collisions: bool = False) -> Any:
        """The model or system, checked, with collision shapes of a robot's file if they are to be
        written. Raises `ModelError` or OSError."""
        from eomc.derive.formats import load
        from eomc.derive.formats.format import suffixes

        for file in self.extensions or ():
            run_file(file, f"--with {file}")
        if names_object(self.model):
            return self._declared()
        path = Path(self.model)
        if path.is_dir() or not path.exists():
            what = "is a folder" if path.is_dir() else "does not exist"
            raise CommandError(f"{path} {what}; give a model file ({', '.join(suffixes())})")
        locked: dict[str, Any] = {}
        for entry in self.locked or ():
            name, equals, value = entry.rpartition("=")
            locked |= {name: number(value, f"--locked {entry}")} if equals else {entry: True}
        return load(
            path,
            base=self.base,
            locked=locked or None,
            mimic=not self.free_mimic,
            damping=not self.no_damping,
            friction=not self.no_friction,
            inertia=self.inertia,
            arguments=self._arguments(),
            packages=self.package or (),
            collisions=collisions,
            contacts=self.contacts,
            contact_laws=self._contact_laws(),
        )

    def _contact_laws(self) -> dict[str, Any] | None:
        if self.contact_laws is None:
            return None
        try:
            return tomllib.loads(self.contact_laws.replace(";", "\n"))
        except tomllib.TOMLDecodeError as error:
            raise CommandError(f"--contact-laws: {error}") from None

    def _arguments(self) -> dict[str, str]:
        found = {}
        for entry in self.argument or ():
            name, equals, value = entry.partition("=")
            if not (name and equals):
                raise CommandError(f"--argument {entry}: give NAME=VALUE")
            found[name] = value
        return found

    def _declared(self) -> Any:
        """The model or equations that Python code declares; options of files are refused."""
        from eomc.derive.equations.named import NamedEquations
        from eomc.derive.model import Model

        options = (
            *("base", "locked", "free_mimic", "no_damping", "no_friction", "inertia"),
            *("argument", "package", "contacts", "contact_laws"),
        )
        for name in options:
            if getattr(self, name):
                option = name.replace("_", "-")
                raise CommandError(f"--{option}: of model files; {self.model} is Python")
        found = python_object(self.model)
        if not isinstance(found, Model | NamedEquations):
            raise CommandError(
                f"{self.model} is a {type(found).__name__}; give a Model, a LagrangianSystem, or "
                "what eomc.from_sympy returns"
            )
        return found


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
