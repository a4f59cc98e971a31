"""``eomc convert``: a model as a file of another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json


@with_groups
def convert(
    options: ModelOptions,
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FILE", help="File to write; the suffix selects the format."
        ),
    ],
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing if anything would be left out.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a model as URDF, MJCF, SDF, OpenUSD or TOML.

    Parameters become numbers in all but TOML. What the format does not say is listed first.

    \b
    Example:
        eomc convert arm.toml -o arm.urdf
    """
    from eomc.derive.formats.convert import written
    from eomc.derive.formats.model_file import write_text
    from eomc.derive.language.errors import ModelError, Source

    result = written(options.load(collisions=True), out)
    if strict and result.left_out:
        raise ModelError(f"strict: {'; '.join(result.left_out)}", Source(str(out)))
    for sentence in () if json else result.left_out:
        typer.echo(f"eomc: {sentence}", err=True)
    write_text(out, result.text)
    if json:
        print_json({"file": str(out), "left_out": list(result.left_out)})
    else:
        typer.echo(out)
