"""``eomc emit``: the files of a model in C or another language; nothing is compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json
from eomc.cli.source_choice import SourceChoice


@with_groups
def emit(
    options: ModelOptions,
    choice: SourceChoice,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the files. [default: generated/NAME]")
    ] = None,
    self_test: Annotated[
        bool,
        typer.Option(
            help="A test that C carries, for the machine where it is to run: ctest, or make check."
        ),
    ] = True,
    json: Json = False,
) -> None:
    """Write a model in C or, by --target, in another language; no compiler is needed.

    \b
    Example:
        eomc emit panda.urdf --target rust --function forward_dynamics --out panda
    """
    model = options.load()
    folder = choice.emit(model, out, self_test=self_test and choice.target == "c")
    if json:
        files = sorted(str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file())
        print_json({"name": model.name, "sources": str(folder), "files": files})
    else:
        typer.echo(f"{model.name}: written to {folder}")
