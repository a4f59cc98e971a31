"""``eomc reproduce``: the acceptance cases of a published work, as a table and as figures."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from eomc.cli.errors import CommandError
from eomc.cli.output import Json


def reproduce(
    name: Annotated[
        str | None, typer.Argument(help="The published work. Without it, list all.")
    ] = None,
    case: Annotated[
        list[int] | None, typer.Option(metavar="N", help="Only this case; repeatable.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of figures and cases.json. [reproduced/NAME]")
    ] = None,
    figures: Annotated[bool, typer.Option(help="Draw figures (matplotlib).")] = True,
    checks: Annotated[bool, typer.Option("--checks", help="Show every check of a case.")] = False,
    json: Json = False,
) -> int:
    """Reproduce the results of a published work. Each case is compared with its tolerance.

    The works are the package eomc-published. Exits with 1 if a case fails; a case whose data are
    lost is skipped and says so. Cases marked * rest on values recomputed from the work's data,
    where it prints none.

    \b
    Example:
        eomc reproduce moosavian --case 7 --checks
    """
    for entry in entry_points(group="eomc.published", name="reproduce"):
        code: int = entry.load()(name, case, out, figures=figures, checks=checks, json=json)
        return code
    raise CommandError(
        "the published works are a package of their own: pip install eomc-published, or "
        "pip install ./published in the repository"
    )
