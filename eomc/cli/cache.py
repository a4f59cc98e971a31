"""``eomc cache``: show or clear the compiled modules that are kept."""

from __future__ import annotations

import time

import typer

from eomc.cli.output import Json, print_json, print_table

cache = typer.Typer(help="Show or clear the build cache.", no_args_is_help=False)


@cache.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    """Show or clear the build cache: $EOMC_CACHE_DIR, or the user's cache folder."""
    if context.invoked_subcommand is None:
        show()


@cache.command()
def show(json: Json = False) -> None:
    """List the cached builds.

    \b
    Example:
        eomc cache show --json
    """
    from eomc.codegen.cache import cache_folder, entries

    found = entries()
    total = sum(entry.size for entry in found)
    if json:
        builds = [
            {"name": e.name, "key": e.key, "folder": str(e.folder), "bytes": e.size} for e in found
        ]
        print_json({"folder": str(cache_folder()), "bytes": total, "builds": builds})
        return
    rows = [(e.name, e.key[:12], _size(e.size), _date(e.built)) for e in found]
    print_table(rows, ("model", "key", "size", "built"), indent=0)
    typer.echo(f"{len(found)} builds, {_size(total)} in {cache_folder()}")


@cache.command()
def clear(json: Json = False) -> None:
    """Remove all cached builds.

    \b
    Example:
        eomc cache clear
    """
    from eomc.codegen.cache import cache_folder, entries
    from eomc.codegen.cache import clear as remove

    removed = remove()
    left = len(entries())
    if json:
        print_json({"folder": str(cache_folder()), "removed": removed, "left": left})
    else:
        kept = f"; {left} are in use or belong to another user" if left else ""
        typer.echo(f"removed {removed} builds from {cache_folder()}{kept}")


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB"


def _date(stamp: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(stamp))
