"""``eomc derive``: what the equations of a model cost, to derive and to evaluate."""

from __future__ import annotations

import time
from typing import Any

import typer

from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table


@with_groups
def derive(options: ModelOptions, json: Json = False) -> None:
    """Derive the core functions of a model and count operations.

    Parameters that are not tunable are numbers.

    \b
    Example:
        eomc derive panda.urdf
    """
    from eomc.building import derived
    from eomc.derive.graph import flops, operation_count

    model = options.load()
    start = time.perf_counter()
    equations = derived(model, "derive")
    program = equations.program()
    seconds = time.perf_counter() - start
    system = equations.formulation(equations.tunable(None))
    factored = system.forward is system.forward_factored
    report: dict[str, Any] = {
        "name": model.name,
        "nq": len(equations.coordinates),
        "nu": len(equations.speeds),
        "seconds": round(seconds, 4),
        "forward_dynamics": "factored mass matrix" if factored else "articulated bodies",
        "functions": {
            function.name: {
                "arithmetic": flops(program.graph, function.nodes),
                "operations": operation_count(program.graph, function.nodes),
            }
            for function in program.functions
        },
    }
    if json:
        print_json(report)
        return
    typer.echo(
        f"{model.name}: nq = {report['nq']}, nu = {report['nu']}, derived in {seconds:.3f} s, "
        f"forward dynamics by {report['forward_dynamics']}"
    )
    rows = [
        (name, entry["arithmetic"], ", ".join(f"{n} {op}" for op, n in entry["operations"].items()))
        for name, entry in report["functions"].items()
    ]
    print_table(rows, ("function", "+ - * /", "operations"))
