"""``eomc view``: a page in which the model moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json
from eomc.cli.state_options import StartOptions


@with_groups
def view(
    options: ModelOptions,
    state: StartOptions,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The page. [default: NAME.html]"),
    ] = None,
    duration: Annotated[
        float | None,
        typer.Option("--t-span", metavar="S", help="Also record a run of so long, to be replayed."),
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="Integration step [s]. [default: 0.001, or less for fast motion]"
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Integrator: rk4, or an implicit one as ros34pw2. [default: rk4, rodas4p for "
            "stiff models]",
        ),
    ] = None,
    modes: Annotated[
        bool, typer.Option("--modes", help="Also animate the modes about the state.")
    ] = False,
    forces: Annotated[
        bool, typer.Option("--forces", help="Draw acting forces and joint forces as arrows.")
    ] = False,
    json: Json = False,
) -> None:
    """Write one HTML file with an interactive, moving model. It needs no network.

    \b
    Example:
        eomc view panda.urdf -o panda.html
    """
    import eomc.runtime as runtime

    for name, value in {"t-span": duration, "step": step}.items():
        if value is not None and not (math.isfinite(value) and value > 0):
            raise CommandError(f"--{name} {value:g}: give a positive number")
    equations = options.equations()
    compiled, values = state.build(equations)
    path = out or Path(f"{compiled.name}.html")
    if not path.absolute().parent.is_dir():
        raise CommandError(f"--out {path}: folder {path.parent} does not exist")
    moving = values.pop("prescribed", None)
    more = {} if moving is None else {"prescribed": {n: _at_start(f) for n, f in moving.items()}}
    with told_of("", (ValueError, LookupError)):
        shown: dict[str, object] = {}
        if modes:
            linear = {k: v for k, v in values.items() if k != "z"}
            shown["modes"] = runtime.linearize(compiled, **linear).modes()
        if duration is not None:
            motion = {} if moving is None else {"prescribed": moving}
            shown["run"] = runtime.simulate(
                compiled, t_span=duration, step=min(duration, 1 / 60), **motion, **values
            )
        if method is None:
            method = _by_stiffness(compiled, {**values, **more})
        page = compiled.view(
            path, step=step, method=method, forces=forces, **values, **more, **shown
        )
    size = len(page.html.encode())
    report = {"name": compiled.name, "file": str(path), "bytes": size}
    if json:
        print_json(report)
    else:
        typer.echo(f"{path}  {size / 1e3:.0f} kB; open it in a browser")


def _by_stiffness(compiled: Any, given: Mapping[str, Any]) -> str | None:
    """As `simulate` chooses, where the state stands without being assembled."""
    from eomc.runtime.simulation.by_stiffness import method_if_stiff

    start = {name: value for name, value in given.items() if name not in ("assemble", "fixed")}
    try:
        return method_if_stiff(compiled, **start)
    except ArithmeticError:
        return None


def _at_start(motion: object) -> float:
    """A prescribed coordinate at the time 0."""
    value = motion(0.0) if callable(motion) else motion
    return float(value[0] if isinstance(value, tuple) else value)  # type: ignore[arg-type]
