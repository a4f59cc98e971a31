"""``eomc verify``: is a model right, from its declaration to its machine code?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json

BREACH = 3


@with_groups
def verify(
    options: ModelOptions,
    states: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of random states. [default: 24, or 6 if quick]"),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed of the random states.")] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer states, shorter runs, smaller derivations.")
    ] = False,
    check: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Run this check only; repeatable.")
    ] = None,
    small: Annotated[
        bool,
        typer.Option("--small", help="Check the small code, as `eomc build --small` makes it."),
    ] = False,
    device: Annotated[
        str | None,
        typer.Option(
            metavar="cuda",
            help="Compare the kernels on a device with the processor, and nothing else.",
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a report with pictures, .html or .md."),
    ] = None,
    json: Json = False,
) -> None:
    """Check a model against independent references. Exit with code 3 if a check fails.

    \b
    Example:
        eomc verify panda.urdf --report panda.html
    """
    from eomc.verifier.procedure import verify as run
    from eomc.verifier.report.report import SUFFIXES

    if report is not None:
        if report.suffix.lower() not in SUFFIXES:
            raise CommandError(f"--report {report}: give a file name that ends in .html or .md")
        if report.is_dir() or not report.absolute().parent.is_dir():
            what = "is a folder" if report.is_dir() else "lies in no folder that exists"
            raise CommandError(f"--report {report} {what}")
    model = options.load()
    with told_of():
        result = run(
            model, states=states, seed=seed, quick=quick, checks=check, small=small, device=device
        )
    files = [] if report is None else [str(path) for path in result.write(report)]
    if json:
        print_json(result.to_dict() | {"files": files})
    else:
        from rich.console import Console

        from eomc.verifier.report.text import printed

        printed(result, Console())
        for path in files:
            typer.echo(path)
    if not result.ok:
        raise typer.Exit(BREACH)
