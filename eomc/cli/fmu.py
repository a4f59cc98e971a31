"""``eomc fmu``: a model file becomes a Functional Mock-up Unit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json
from eomc.cli.state_options import StartOptions

if TYPE_CHECKING:
    from eomc.derive.equations.named import NamedEquations

Names = list[str] | None


@with_groups
def fmu(
    options: ModelOptions,
    state: StartOptions,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write. [default: NAME.fmu]")
    ] = None,
    version: Annotated[str, typer.Option(metavar="2|3", help="FMI 2.0 or 3.0.")] = "3",
    output: Annotated[
        Names,
        typer.Option(
            metavar="NAME",
            help="A function whose entries are outputs, such as joint_reactions; repeatable. "
            "[default: energies and element outputs]",
        ),
    ] = None,
    frame: Annotated[
        Names,
        typer.Option(
            metavar="NAME",
            help="A frame or body whose pose and velocity are outputs; repeatable. "
            "[default: declared frames]",
        ),
    ] = None,
    tunable: Annotated[
        Names,
        typer.Option(
            metavar="NAME", help="A parameter adjustable at run time, or all; repeatable."
        ),
    ] = None,
    platform: Annotated[
        Names,
        typer.Option(
            metavar="NAME",
            help="Platform of a binary, such as x86_64-windows, host, all, or none; repeatable. "
            "[default: all with ziglang, otherwise this machine]",
        ),
    ] = None,
    step: Annotated[
        float, typer.Option(metavar="S", help="Longest integration step of Co-Simulation [s].")
    ] = 1e-3,
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Integrator of Co-Simulation: rk4, or an implicit one for stiff models, such as "
            "ros34pw2 or rodas4p.",
        ),
    ] = "rk4",
    compiler: Annotated[str | None, typer.Option(help="Command of the C compiler.")] = None,
    name: Annotated[str | None, typer.Option(help="Model identifier of the FMU.")] = None,
    json: Json = False,
) -> None:
    """Write a model as an FMU for Model Exchange and Co-Simulation.

    \b
    Example:
        eomc fmu pendulum.toml --q hinge=0.5 --version 2 -o pendulum.fmu
    """
    import eomc.building as building

    if platform and "none" in platform and len(platform) > 1:
        raise CommandError("--platform none: leave the others out")
    equations = options.equations()
    values = state.values(equations)
    if values.pop("moving"):
        raise CommandError("--prescribed: prescribed motion is an input of the unit; leave it out")
    chosen = tuple(tunable) if tunable else None
    if values["parameters"] and chosen != ("all",):
        chosen = tuple(dict.fromkeys([*(chosen or equations.tunable(None)), *values["parameters"]]))
    with told_of():
        if state.assemble:
            values |= _assembled(state, equations, values)
        file = building.fmu(
            equations,
            out,
            version=version,
            **values,
            outputs=output,
            frames=frame,
            tunable="all" if chosen == ("all",) else chosen,
            step=step,
            method=method,
            platforms=() if platform == ["none"] else platform,
            compiler=compiler,
            name=name,
        )
    said = {"file": str(file), "bytes": file.stat().st_size, "version": version}
    if json:
        print_json(said)
    else:
        typer.echo(f"{file}  FMI {version}.0, {said['bytes']} bytes")


def _assembled(
    state: StartOptions, equations: NamedEquations[Any], values: dict[str, Any]
) -> dict[str, Any]:
    """The state on the constraints that `--assemble` asks for."""
    from eomc.building import build

    changed = values["parameters"] or {}
    tunable = dict.fromkeys([*equations.tunable(None), *changed])
    compiled = build(equations, tunable=list(tunable))
    still = dict.fromkeys(compiled.prescribed, 0.0) or None
    return state.closed(compiled, values | {"prescribed": still})
