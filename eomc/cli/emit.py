"""``eomc emit``: the files of a model in C or another language; nothing is compiled."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.source_choice import SourceChoice

if TYPE_CHECKING:
    from eomc.codegen.board_size import BoardSize


@with_groups
def emit(
    options: ModelOptions,
    choice: SourceChoice,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the files. [default: generated/NAME]")
    ] = None,
    self_test: Annotated[
        bool,
        typer.Option(help="Also write a test for the target machine, run by ctest or make check."),
    ] = True,
    python: Annotated[
        bool,
        typer.Option(
            "--python", help="Also write a Cython module that runs without eomc, and its setup.py."
        ),
    ] = False,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            help="GCC cross compiler with the flags of a processor: show the code size and "
            "stack of each function.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a model in C or another language. No compiler is needed.

    \b
    Examples:
        eomc emit panda.urdf --target rust --function forward_dynamics --out panda
        eomc emit panda.urdf --real float --size "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb"
    """
    from eomc.codegen.board_size import board_command, board_size

    if size is not None and choice.target != "c":
        raise CommandError(f"--size compiles C; leave out --target {choice.target}")
    if size is not None:
        board_command(size)
    model = options.load()
    folder = choice.emit(model, out, self_test=self_test and choice.target == "c", python=python)
    measured = None if size is None else board_size(folder, size)
    if json:
        files = sorted(str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file())
        told: dict[str, Any] = {"name": model.name, "sources": str(folder), "files": files}
        print_json(told if measured is None else {**told, "size": asdict(measured)})
    else:
        typer.echo(f"{model.name}: written to {folder}")
        if measured is not None:
            _print_size(measured)


def _print_size(measured: BoardSize) -> None:
    typer.echo(measured.command)
    rows: list[tuple[object, ...]] = [
        (f.name, f.code, f.stack, "" if f.bound is None else f.bound) for f in measured.functions
    ]
    rows.append(("all, constants apart", measured.code, "", ""))
    rows.append(("constants", measured.constants, "", ""))
    print_table(rows, ("function", "code [B]", "stack [B]", "header says [B]"))
    if outside := sorted({name for f in measured.functions for name in f.outside}):
        typer.echo(f"stack without that of {', '.join(outside)}")
