"""``eomc linearize``: small motions about a state, as matrices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.result_folder import result_folder
from eomc.cli.state_options import StateOptions, names

if TYPE_CHECKING:
    from eomc.runtime.linearization import LinearModel

_LARGEST = 12


@with_groups
def linearize(
    options: ModelOptions,
    state: StateOptions,
    at_equilibrium: Annotated[
        bool, typer.Option("--equilibrium", help="Find the equilibrium near the state first.")
    ] = False,
    outputs: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            metavar="NAME,...",
            help="Outputs: coordinates, speed(NAME), acceleration(NAME), FRAME.x, .rx, .vx, .wx. "
            "[default: all states]",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(metavar="NAME", help="exact, or numerical differences: one-sided, central."),
    ] = "exact",
    response: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INPUT:OUTPUT", help="Draw a frequency response into the folder; repeatable."
        ),
    ] = None,
    band: Annotated[
        str, typer.Option(metavar="FROM:TO", help="Frequencies of the responses [Hz].")
    ] = "0.1:100",
    out: Annotated[
        Path | None, typer.Option(help="Folder for NAME_linear.json and responses.")
    ] = None,
    json: Json = False,
) -> None:
    """Linearize a model about a state: M, C, K and A, B, C, D.

    What is not given of the state is neutral and at rest; accelerations follow from the forces.

    \b
    Example:
        eomc linearize arm.toml --equilibrium --output tip.z --json
    """
    from eomc.runtime.linearization import linearize as about

    if response and out is None:
        raise CommandError("--response: give --out FOLDER for the pictures")
    equations = options.equations()
    compiled, values = state.build(equations)
    chosen = names(outputs) or None
    if at_equilibrium or state.asks_for_equilibrium:
        values = {"state": state.equilibrium(compiled, values)}
    with told_of():
        linear = about(compiled, **values, outputs=chosen, method=method)  # type: ignore[arg-type]
    files = [] if out is None else _write(linear, out, response or [], band)
    if json:
        print_json(linear.as_dict() | {"files": files})
    else:
        _print(linear)
        for file in files:
            typer.echo(file)


def _write(linear: LinearModel, out: Path, pairs: list[str], band: str) -> list[str]:
    import json as json_text

    low, high = _band(band)
    with result_folder(out) as folder:
        name = f"{linear.name}_linear.json"
        text = json_text.dumps(linear.as_dict(), indent=2, allow_nan=False)
        (folder / name).write_text(text + "\n", encoding="utf-8")
        files = [name, *(_response(linear, pair, low, high, folder) for pair in pairs)]
    return [str(out / file) for file in files]


def _band(text: str) -> tuple[float, float]:
    first, colon, last = text.partition(":")
    try:
        low, high = float(first), float(last)
    except ValueError:
        low = high = 0.0
    if not (colon and 0 < low < high < float("inf")):
        raise CommandError(f"--band {text}: give FROM:TO, positive frequencies [Hz]")
    return low, high


def _response(linear: LinearModel, pair: str, low: float, high: float, folder: Path) -> str:
    import numpy as np

    source, colon, shown = pair.partition(":")
    if not colon:
        raise CommandError(f"--response {pair}: give INPUT:OUTPUT")
    with told_of(f"--response {pair}: ", (ValueError, ImportError)):
        found = linear.select(inputs=[source], outputs=[shown]).frequency_response(
            2 * np.pi * np.geomspace(low, high, 1000)
        )
        axes = found.plot(shown, source)
    name = "".join(c if c.isalnum() else "_" for c in f"{source}_to_{shown}") + ".png"
    axes[0].figure.savefig(folder / name, dpi=120)
    return name


def _print(linear: LinearModel) -> None:
    typer.echo(
        f"{linear.name}: {len(linear.states)} states, {len(linear.inputs)} inputs, "
        f"{len(linear.outputs)} outputs"
    )
    parts: list[tuple[str, Any, tuple[str, ...], tuple[str, ...]]] = []
    if linear.second_order is not None:
        z = linear.coordinates
        parts += [("M", linear.mass, z, z), ("C", linear.damping, z, z)]
        parts += [("K", linear.stiffness, z, z)]
    parts += [("A", linear.A, linear.states, linear.states)]
    if linear.inputs:
        parts += [("B", linear.B, linear.states, linear.inputs)]
    if linear.outputs:
        word = "C" if linear.second_order is None else "C of outputs"
        parts += [(word, linear.C, linear.outputs, linear.states)]
    if linear.inputs and linear.outputs:
        parts += [("D", linear.D, linear.outputs, linear.inputs)]
    for word, matrix, rows, columns in parts:
        typer.echo(f"{word}:")
        if len(columns) > _LARGEST:
            typer.echo(f"  {len(rows)} x {len(columns)}; --json shows it")
            continue
        table = [(name, *row) for name, row in zip(rows, matrix.tolist(), strict=True)]
        print_table(table, ("", *columns))
