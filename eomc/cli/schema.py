"""``eomc schema``: the JSON Schema of model files, for editors."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["schema"]


def schema(
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="File to write.")
    ] = None,
) -> None:
    """Write the JSON Schema of model files, by which editors complete and check them.

    The first line of a model file names it: #:schema ./eomc.schema.json

    \b
    Example:
        eomc schema -o eomc.schema.json
    """
    text = (files("eomc.cli") / "model.schema.json").read_text(encoding="utf-8")
    if out is None:
        typer.echo(text, nl=False)
        return
    out.write_text(text, encoding="utf-8")
    typer.echo(out)
