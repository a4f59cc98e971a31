"""``eomc modes``: eigenvalues, frequencies, damping ratios and mode shapes about a state."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.result_folder import result_folder, staged
from eomc.cli.state_options import StateOptions

if TYPE_CHECKING:
    from eomc.runtime import CompiledModel
    from eomc.runtime.linearization.modes import Modes

_LOCUS = 41


@with_groups
def modes(
    options: ModelOptions,
    state: StateOptions,
    no_equilibrium: Annotated[
        bool,
        typer.Option(
            "--no-equilibrium", help="At the state as it is given, not at the equilibrium near it."
        ),
    ] = False,
    shapes: Annotated[bool, typer.Option("--shapes", help="Show magnitudes and phases.")] = False,
    mode: Annotated[
        int | None, typer.Option(metavar="N", help="Draw or animate this mode (from 1).")
    ] = None,
    animation: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Film of the mode: .gif, .png, .html, .mp4.")
    ] = None,
    amplitude: Annotated[
        float, typer.Option(help="Largest displacement in the animation [rad or m].")
    ] = 0.2,
    root_locus: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=FROM:TO", help="Draw the eigenvalues along a parameter; needs --out."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for pictures.")] = None,
    json: Json = False,
) -> None:
    """Compute modes about an equilibrium. By default it is the one near the state.

    \b
    Example:
        eomc modes arm.toml --q shoulder=0.3 --mode 1 --animation first.gif
    """
    if (mode is None) != (animation is None) and out is None:
        raise CommandError("give --mode N with --animation FILE or --out FOLDER")
    if root_locus is not None and out is None:
        raise CommandError("--root-locus: give --out FOLDER for the picture")
    equations = options.equations()
    name, span = _span(root_locus)
    if name and name not in equations.declared:
        from eomc.runtime.names.near_names import near_names

        raise CommandError(
            f"--root-locus: no parameter {name!r}; {near_names(name, equations.declared)}"
        )
    compiled, values = state.build(equations, *([name] if name else []))
    found = _modes(compiled, state, values, no_equilibrium)
    if mode is not None and not 1 <= mode <= len(found):
        raise CommandError(f"--mode {mode}: there are {len(found)} modes")
    files = [] if mode is None or animation is None else [str(animation)]
    if out is None:
        _animate(found, mode, animation, amplitude, compiled)
    else:
        with result_folder(out) as folder:
            _animate(found, mode, staged(animation, out, folder), amplitude, compiled)
            drawn = _draw(found, mode, folder)
            if name:
                drawn.append(_locus(compiled, state, values, no_equilibrium, name, span, folder))
        files += [str(out / file) for file in drawn]
    if json:
        print_json(_report(found, files))
    else:
        _print(found, shapes, files)


def _span(text: str | None) -> tuple[str, tuple[float, float]]:
    if text is None:
        return "", (0.0, 0.0)
    name, equals, values = text.partition("=")
    first, colon, last = values.partition(":")
    try:
        span = float(first), float(last)
    except ValueError:
        span = (math.nan, math.nan)
    if not (equals and colon and all(map(math.isfinite, span)) and span[0] != span[1]):
        raise CommandError(f"--root-locus {text}: give NAME=FROM:TO")
    return name.strip(), span


def _modes(
    model: CompiledModel, state: StateOptions, values: dict[str, Any], no_equilibrium: bool
) -> Modes:
    from eomc.runtime.linearization import linearize

    if not no_equilibrium:
        values = {"state": state.equilibrium(model, values)}
    with told_of():
        return linearize(model, **values).modes()


def _animate(
    found: Modes, mode: int | None, animation: Path | None, amplitude: float, model: CompiledModel
) -> None:
    if mode is None or animation is None:
        return
    if not animation.absolute().parent.is_dir():
        raise CommandError(f"--animation {animation}: folder {animation.parent} does not exist")
    if not (math.isfinite(amplitude) and amplitude > 0):
        raise CommandError(f"--amplitude {amplitude:g}: give a positive number")
    with told_of(f"--animation {animation.name}: ", (ValueError, ImportError)):
        found.animate(mode - 1, animation, model, amplitude=amplitude)


def _draw(found: Modes, mode: int | None, folder: Path) -> list[str]:
    """Bars of one mode, or of one of each pair."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CommandError("--out: pictures need matplotlib, pip install 'eomc[plot]'") from error
    files = []
    for k in found.first_of_pairs if mode is None else (mode - 1,):
        figure = Figure(figsize=(8, 4), layout="constrained")
        found.plot(k, figure.subplots())
        files.append(f"{found.name}_mode_{k + 1}.png")
        figure.savefig(folder / files[-1], dpi=120)
    return files


def _locus(
    model: CompiledModel,
    state: StateOptions,
    values: dict[str, Any],
    no_equilibrium: bool,
    name: str,
    span: tuple[float, float],
    folder: Path,
) -> str:
    import numpy as np
    from matplotlib.figure import Figure

    from eomc.runtime.plot.linear_models import plot_root_locus

    points = np.linspace(*span, _LOCUS)
    rows = []
    for value in points.tolist():
        changed = values | {"parameters": {**(values["parameters"] or {}), name: value}}
        rows.append(_modes(model, state, changed, no_equilibrium).eigenvalues)
    figure = Figure(figsize=(7, 6), layout="constrained")
    title = f"{model.name}: eigenvalues along {name}"
    plot_root_locus(name, points, rows, figure.subplots(), title)
    figure.savefig(folder / f"{model.name}_locus.png", dpi=120)
    return f"{model.name}_locus.png"


def _report(found: Modes, files: list[str]) -> dict[str, Any]:
    rows = found.table()
    for k, row in enumerate(rows):
        row["shape"] = {
            name: {"magnitude": float(size), "phase": float(angle)}
            for name, size, angle in zip(
                found.coordinates, found.magnitude[:, k], found.phase[:, k], strict=True
            )
        }
    return {
        "name": found.name,
        "coordinates": list(found.coordinates),
        "modes": rows,
        "files": files,
    }


def _print(found: Modes, shapes: bool, files: list[str]) -> None:
    typer.echo(f"{found.name}: {len(found)} eigenvalues, conjugate ones told once")
    heads = ("mode", "Re [1/s]", "Im [rad/s]", "damped [Hz]", "natural [Hz]", "ratio", "largest")
    keys = ("mode", "real", "imaginary", "damped_frequency", "natural_frequency", "damping_ratio")
    rows = found.table()
    table = [(*(rows[k][key] for key in keys), rows[k]["dominant"]) for k in found.first_of_pairs]
    print_table(table, heads)
    if shapes:
        for k in found.first_of_pairs:
            typer.echo(f"mode {k + 1}: magnitude, phase [deg]")
            entries = zip(
                found.coordinates,
                found.magnitude[:, k].tolist(),
                (math.degrees(x) for x in found.phase[:, k]),
                strict=True,
            )
            print_table(list(entries))
    for file in files:
        typer.echo(file)
