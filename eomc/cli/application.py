"""All commands of ``eomc``. A new one is a new file beside this one, and a line here."""

from __future__ import annotations

from importlib.metadata import version as version_of
from typing import Annotated

import typer

from eomc.cli.build import build
from eomc.cli.cache import cache
from eomc.cli.derive import derive
from eomc.cli.emit import emit
from eomc.cli.equilibrium import equilibrium
from eomc.cli.fmu import fmu
from eomc.cli.info import info
from eomc.cli.linearize import linearize
from eomc.cli.modes import modes
from eomc.cli.new import new
from eomc.cli.report import report
from eomc.cli.reproduce import reproduce
from eomc.cli.show import show
from eomc.cli.simulate import simulate
from eomc.cli.study import study
from eomc.cli.verify import verify
from eomc.cli.view import view

application = typer.Typer(
    name="eomc",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
application.command()(new)
application.command()(info)
application.command()(show)
application.command()(derive)
application.command()(build)
application.command()(fmu)
application.command()(emit)
application.command()(simulate)
application.command()(study)
application.command()(view)
application.command()(equilibrium)
application.command()(linearize)
application.command()(modes)
application.command()(verify)
application.command()(report)
application.command()(reproduce)
application.add_typer(cache, name="cache")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"eomc {version_of('eomc')}")
        raise typer.Exit


@application.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """A compiler for equations of motion: model files to compiled, checked models.

    MODEL is a file, TOML, URDF or of another format. Every command has --help with an example.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
