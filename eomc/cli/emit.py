"""``eomc emit``: a model file becomes C files, or those of another language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from eomc.cli.build import (
    FileLimit,
    Frames,
    Functions,
    Lanes,
    PieceSize,
    Real,
    Small,
    TargetName,
    Tunable,
    target_name,
)
from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json


@with_groups
def emit(
    options: ModelOptions,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the files. [default: generated/NAME]")
    ] = None,
    function: Functions = None,
    frame: Frames = None,
    tunable: Tunable = None,
    real: Real = "double",
    name: Annotated[str | None, typer.Option(help="Prefix of the C names.")] = None,
    small: Small = False,
    lanes: Lanes = None,
    piece_size: PieceSize = 500,
    file_limit: FileLimit = 20_000,
    target: TargetName = "c",
    json: Json = False,
) -> None:
    """Derive a model and write its C files; nothing is compiled.

    \b
    Example:
        eomc emit arm.toml --function forward_dynamics --out arm_c
    """
    if real not in ("double", "float"):
        raise CommandError(f"--real {real}: valid are double, float")
    import eomc.building as building

    model = options.load()
    folder = building.emit(
        model,
        out,
        functions=function,
        frames=frame,
        tunable="all" if tunable == ["all"] else tunable,
        real=cast(Literal["double", "float"], real),
        name=name,
        small=small,
        lanes=lanes or 1,
        piece_size=piece_size,
        file_limit=file_limit,
        target=target_name(target),
    )
    if json:
        print_json({"name": model.name, "sources": str(folder)})
    else:
        typer.echo(f"{model.name}: written to {folder}")
