"""``eomc show``: the equations of a model, to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from eomc.cli.errors import CommandError
from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from eomc.derive.equations.named import NamedEquations
    from eomc.derive.equations.quantity import SymbolicQuantity


@with_groups
def show(
    options: ModelOptions,
    quantity: Annotated[
        str | None,
        typer.Argument(metavar="[QUANTITY]", help="The quantity to show. Without it, list all."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Plain text. [default]")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="LaTeX.")] = False,
    cse: Annotated[
        bool,
        typer.Option(
            "--cse", help="Show shared subexpressions as symbols. [default: if there are many]"
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Show the equations of a model as text or LaTeX.

    All parameters are symbols. Without QUANTITY, all there are are listed.

    \b
    Example:
        eomc show pendulum.toml mass_matrix --latex
    """
    from eomc.runtime.names.near_names import near_names

    if text and latex:
        raise CommandError("--text and --latex exclude each other")
    equations = options.equations()
    if quantity is None:
        _list(equations, json)
        return
    if quantity not in equations.kinds:
        # A part of a name is as good as a misspelt one.
        parts = [name for name in equations.kinds if quantity and quantity.lower() in name]
        hint = near_names(quantity, parts or equations.kinds)
        raise CommandError(f"no quantity {quantity!r}; {hint}; without a name, all are listed")
    outputs = [
        _described(output, latex, False if cse else None)
        for output in equations.quantities(quantity)
    ]
    if json:
        description = equations.kinds[quantity].description
        print_json({"name": quantity, "description": description, "outputs": outputs})
        return
    for output in outputs:
        typer.echo(output["latex" if latex else "text"])


def _list(equations: NamedEquations[Any], json: bool) -> None:
    """All quantities, by name."""
    if json:
        print_json({name: kind.description for name, kind in equations.kinds.items()})
    else:
        rows = [(name, kind.description) for name, kind in equations.kinds.items()]
        print_table(rows, indent=0)


def _described(output: SymbolicQuantity, latex: bool, closed: bool | None) -> dict[str, Any]:
    """One output as JSON has it."""
    written = {"latex": output.to_latex(closed)} if latex else {"text": output.to_text(closed)}
    return {
        "name": output.name,
        "inputs": [argument.name for argument in output.inputs],
        "shape": list(output.shape),
        "units": output.argument.units,
        "meaning": output.argument.description,
        "operations": output.flops,
        **written,
    }
