"""``eomc report``: one page of all that is known of a model."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json
from eomc.cli.result_folder import require_place
from eomc.cli.state_options import StateOptions
from eomc.cli.verify import BREACH

if TYPE_CHECKING:
    from eomc.runtime import CompiledModel

_VERIFY = ("quick", "full", "none")


@with_groups
def report(
    options: ModelOptions,
    state: StateOptions,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="The page. [default: NAME_report.html]"),
    ] = None,
    duration: Annotated[
        float | None,
        typer.Option(
            "--t-span", metavar="S", help="Also run the model for so long, from the state."
        ),
    ] = None,
    verification: Annotated[
        str, typer.Option("--verify", metavar="|".join(_VERIFY), help="Extent of the verification.")
    ] = "quick",
    live: Annotated[
        bool, typer.Option("--live/--no-live", help="Include a live view of the model.")
    ] = True,
    json: Json = False,
) -> None:
    """Write a report as one HTML page. It has picture, equations, costs, modes and checks.

    The equilibrium is the one near the state that is given, the modes are those about it.

    \b
    Example:
        eomc report arm.toml --q shoulder=0.3 --t-span 5
    """
    if duration is not None and not (math.isfinite(duration) and duration > 0):
        raise CommandError(f"--t-span {duration:g}: give a positive number")
    if verification not in _VERIFY:
        raise CommandError(f"--verify {verification}: give {', '.join(_VERIFY)}")
    equations = options.equations()
    compiled, values = state.build(equations)
    path = out or Path(f"{compiled.name}_report.html")
    require_place("--out", path)
    parts: dict[str, Any] = {
        "equations": equations,
        **near(compiled, lambda: state.equilibrium(compiled, dict(values))),
    }
    if duration is not None:
        parts["run"] = _run(compiled, values, duration)
    checked = None
    if verification != "none":
        from eomc.verifier.procedure import verify

        checked = parts["verifier"] = verify(options.load(), quick=verification == "quick")
    page = compiled.report(path, live=live, **_drawn(values, parts), **parts)
    told: dict[str, Any] = {
        "name": compiled.name,
        "file": str(path),
        "bytes": len(page.html.encode()),
        "sections": [section.title for section in page.sections],
        "ok": checked is None or checked.ok,
    }
    if json:
        print_json(told)
    else:
        typer.echo(f"{path}  {told['bytes'] / 1e3:.0f} kB: {', '.join(told['sections'])}")
    if checked is not None and not checked.ok:
        typer.echo(f"{compiled.name}: breached: {', '.join(checked.breaches)}", err=True)
        raise typer.Exit(BREACH)


def near(model: CompiledModel, equilibrium: Callable[[], Any]) -> dict[str, Any]:
    """Equilibrium and modes about it, or the reason why there are none."""
    from eomc.runtime import linearize
    from eomc.runtime.model.errors import EquilibriumError, LinearizationError

    expected = (EquilibriumError, LinearizationError, CommandError, ArithmeticError, ValueError)
    try:
        found = equilibrium()
    except expected as error:
        why = f"No equilibrium was found near the state: {error}"
        return {"equilibrium": why}
    try:
        return {"equilibrium": found, "modes": linearize(model, state=found).modes()}
    except expected as error:
        return {"equilibrium": found, "modes": f"No modes: {error}"}


def _run(model: CompiledModel, values: dict[str, Any], duration: float) -> Any:
    from eomc.runtime import simulate
    from eomc.runtime.errors import ConstraintError

    try:
        return simulate(model, t_span=duration, step=duration / 500, **values)
    except ConstraintError:  # of the start
        raise
    except ArithmeticError as error:
        return f"The run failed: {error}"


def _drawn(values: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """The state that is drawn, where nothing else tells one."""
    if not isinstance(parts["equilibrium"], str) or "run" in parts:
        return {}
    names = ("q", "u", "z", "inputs", "parameters")
    return {name: values[name] for name in names if values.get(name)}
