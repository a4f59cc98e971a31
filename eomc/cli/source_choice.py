"""Options on the functions that are written, their form and language, alike in all commands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from eomc.cli.errors import CommandError

Names = list[str] | None


@dataclass(frozen=True)
class SourceChoice:
    """Options on the files of a model: functions, form, sizes and language."""

    function: Annotated[
        Names, typer.Option(metavar="NAME", help="A function to emit; repeatable. [default: core]")
    ] = None
    frame: Annotated[
        Names,
        typer.Option(
            metavar="NAME", help="A frame or body to emit; repeatable. [default: declared frames]"
        ),
    ] = None
    tunable: Annotated[
        Names,
        typer.Option(
            metavar="NAME", help="A parameter adjustable at run time, or all; repeatable."
        ),
    ] = None
    real: Annotated[str, typer.Option(metavar="double|float", help="Scalar type.")] = "double"
    name: Annotated[str | None, typer.Option(help="Prefix of the C names.")] = None
    small: Annotated[
        bool, typer.Option("--small", help="Emit loops over the bodies: smaller but slower code.")
    ] = False
    optimize: Annotated[
        str,
        typer.Option(
            metavar="speed|size",
            help="Optimize each function for speed, or for size with loops over the bodies where "
            "these are smaller.",
        ),
    ] = "speed"
    lanes: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Number of states evaluated at once in vector registers: 1, 2, 4, 8 or 16. "
            "[default: 1; with --march-native as many as fit]",
        ),
    ] = None
    piece_size: Annotated[
        int, typer.Option(metavar="N", help="Split long functions into pieces of N statements.")
    ] = 500
    file_limit: Annotated[
        int, typer.Option(metavar="N", help="Statements in a C file; limits compiler memory.")
    ] = 5_000
    target: Annotated[
        str,
        typer.Option(
            metavar="NAME|FILE.py",
            help="Target language, or a Python file that registers one. Only c is compiled.",
        ),
    ] = "c"

    def options(self) -> dict[str, Any]:
        """As `eomc.build` and `eomc.emit` take them, without `lanes` and `target`."""
        if self.real not in ("double", "float"):
            raise CommandError(f"--real {self.real}: valid are double, float")
        if self.optimize not in ("speed", "size"):
            raise CommandError(f"--optimize {self.optimize}: valid are speed, size")
        return {
            "functions": self.function,
            "frames": self.frame,
            "tunable": "all" if self.tunable == ["all"] else self.tunable,
            "real": self.real,
            "name": self.name,
            "small": self.small,
            "optimize": self.optimize,
            "piece_size": self.piece_size,
            "file_limit": self.file_limit,
        }

    def emit(
        self, model: Any, out: Path | None, *, self_test: bool = False, python: bool = False
    ) -> Path:
        """Write the files; `CommandError` if the target's file keeps none."""
        import eomc.building as building

        options = self.options()
        return building.emit(
            model,
            out,
            **options,
            lanes=self.lanes or 1,
            target=_target(self.target),
            self_test=self_test,
            python=python,
        )


def _target(name: str) -> str:
    """The name of a target; a Python file is run, and gives the one that it registers."""
    if not name.endswith(".py"):
        return name
    from runpy import run_path

    from eomc.codegen.language.target import Target

    if not Path(name).is_file():
        raise CommandError(f"--target {name}: no such file")
    found = [value.name for value in run_path(name).values() if isinstance(value, Target)]
    if not found:
        raise CommandError(
            f"--target {name}: the file keeps no target; write TARGET = register(...)"
        )
    return found[-1]
