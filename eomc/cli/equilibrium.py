"""``eomc equilibrium``: a state of rest or steady motion, and its branch along a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError, told_of
from eomc.cli.model_options import ModelOptions, number
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table
from eomc.cli.state_options import StateOptions

if TYPE_CHECKING:
    from eomc.runtime import CompiledModel
    from eomc.runtime.equilibria import Branch, Equilibrium


@with_groups
def equilibrium(
    options: ModelOptions,
    state: StateOptions,
    along: Annotated[
        str | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Follow the equilibrium while a parameter, input, speed(NAME) or tau(NAME) "
            "changes to the value.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Find an equilibrium. The search starts at the given state.

    \b
    Example:
        eomc equilibrium arm.toml --q shoulder=0.3 --tau shoulder=2
    """
    equations = options.equations()
    name, value = _along(along)
    more = [name] if name in equations.declared else []
    compiled, values = state.build(equations, *more)
    found = state.equilibrium(compiled, values)
    report: dict[str, Any] = found.as_dict()
    branch = None
    if name:
        branch = _branch(found, name, value, state, compiled)
        report["branch"] = {
            "parameter": name,
            "values": branch.values.tolist(),
            "folds": list(branch.folds),
            "crossings": list(branch.crossings),
            "reached": branch.reached,
            "end": branch.end,
            "q": [point.q.tolist() for point in branch.equilibria],
        }
    if json:
        print_json(report)
    else:
        _print(found, branch)


def _along(text: str | None) -> tuple[str, float]:
    if text is None:
        return "", 0.0
    name, equals, value = text.rpartition("=")
    if not equals:
        raise CommandError(f"--along {text}: give NAME=VALUE")
    return name.strip(), number(value, f"--along {text}")


def _branch(
    found: Equilibrium, name: str, value: float, state: StateOptions, model: CompiledModel
) -> Branch:
    from eomc.runtime.equilibria import continuation

    with told_of(f"--along {name}: "):
        return continuation(found, name, value, **state.equations(model))


def _print(found: Equilibrium, branch: Branch | None) -> None:
    model = found.model
    typer.echo(
        f"{model.name}: residual {found.residual:.2g}, {found.iterations} steps"
        + (f", {found.undetermined} directions open" if found.undetermined else "")
    )
    print_table([("q", *pair) for pair in zip(model.coordinates, found.q.tolist(), strict=True)])
    for word, array in (("u", found.u), ("a", found.a), ("tau", found.tau)):
        if array.any():
            rows = zip(model.speeds, array.tolist(), strict=True)
            print_table([(word, *pair) for pair in rows])
    print_table([("z", *pair) for pair in zip(model.element_states, found.z.tolist(), strict=True)])
    print_table([("input", *pair) for pair in found.inputs.items()])
    changed = [(name, found[name]) for name in found.solved_for if name in found.parameters]
    print_table([("parameter", *pair) for pair in changed])
    print_table([("output", *pair) for pair in found.outputs.items()])
    if found.slack:
        typer.echo(f"slack: {', '.join(found.slack)}")
    if branch is not None:
        crossings = len(branch.crossings)
        typer.echo(
            f"along {branch.parameter}, {len(branch)} states, folds: {len(branch.folds)}"
            + (f", crossings of other branches: {crossings}" if crossings else "")
            + ("" if branch.reached else f"; the value is not reached: {branch.end}")
        )
        rows = zip(branch.values.tolist(), (p.q.tolist() for p in branch.equilibria), strict=True)
        print_table([(value, *q) for value, q in rows], (branch.parameter, *model.coordinates))
