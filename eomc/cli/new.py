"""``eomc new``: a commented model file to start from."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from eomc.cli.errors import CommandError
from eomc.cli.output import Json, print_json

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the model; NAME.toml is written.")
    ],
    json: Json = False,
) -> None:
    """Write a model file with comments to start from.

    It builds and simulates as it is. An existing file is never overwritten.

    \b
    Example:
        eomc new arm
    """
    path = Path(name if name.endswith(".toml") else f"{name}.toml")
    if not _NAME.match(path.stem):
        raise CommandError(
            f"{path.stem!r} cannot name a model; use letters, digits, - and _, a letter first"
        )
    text = (files("eomc.cli") / "starter.toml").read_text(encoding="utf-8")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(Template(text).substitute(name=path.stem))
    except FileExistsError:
        raise CommandError(f"{path} exists already; give another name") from None
    if json:
        print_json({"name": path.stem, "file": str(path)})
        return
    typer.echo(path)
    typer.echo(f"next: eomc simulate {path} --q shoulder=1 --t-span 5 --out {path.with_suffix('')}")
