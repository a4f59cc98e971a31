"""All commands of ``eomc``. A new one is a new file beside this one, and a word here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

__all__ = ["COMMANDS", "application"]

COMMANDS = (
    *("new", "info", "show", "convert", "derive", "build", "fmu", "emit", "simulate", "study"),
    "view",
    *("equilibrium", "linearize", "modes", "fit", "verify", "report", "reproduce", "cache"),
    *("doctor", "schema", "lsp"),
)
"""In the order of the help; each is a function, or a group, in the file of its name."""


def application(arguments: Sequence[str] = ()) -> typer.Typer:
    """The command line; of one command alone if the arguments begin with it: the files of the
    others need not be read then."""
    made = typer.Typer(
        name="eomc",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback(invoke_without_command=True)(_start)
    for name in arguments[:1] if arguments and arguments[0] in COMMANDS else COMMANDS:
        command = getattr(import_module(f"eomc.cli.{name}"), name)
        if isinstance(command, typer.Typer):
            made.add_typer(command, name=name)
        else:
            made.command()(command)
    return made


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"eomc {version('eomc')}")
        raise typer.Exit


def _start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Compile equations of motion from model files.

    MODEL is a file, TOML, URDF or of another format. Every command has --help with an example.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
