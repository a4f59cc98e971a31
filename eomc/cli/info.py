"""``eomc info``: what a model consists of, and what its functions cost."""

from __future__ import annotations

from json import loads
from typing import TYPE_CHECKING, Any

import typer

from eomc.cli.model_options import ModelOptions
from eomc.cli.option_groups import with_groups
from eomc.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from eomc.derive.bodies.declared_deformable import Deformable
    from eomc.derive.equations.equations_of_motion import Equations


@with_groups
def info(options: ModelOptions, json: Json = False) -> None:
    """Summarize a model. It lists bodies, joints, coordinates, frames and operation counts.

    \b
    Example:
        eomc info panda.urdf --locked panda_finger_joint1
    """
    from eomc.derive.equations import equations as equations_of
    from eomc.derive.equations.equations_of_motion import Equations

    equations = equations_of(options.load())
    metadata = equations.program(functions=()).metadata
    tunable = equations.tunable(None)
    report: dict[str, Any] = {
        "name": equations.name,
        "description": equations.description,
        "nq": len(equations.coordinates),
        "nu": len(equations.speeds),
        "coordinates": list(equations.coordinates),
        "speeds": list(equations.speeds),
        "joints": metadata["joints"],
        "parameters": {
            name: {"value": entry.default, "units": entry.units, "tunable": name in tunable}
            for name, entry in equations.declared.items()
        },
        "inputs": metadata["inputs"],
        "prescribed": metadata["prescribed"],
        "constraints": metadata.get("constraints", ()),
        "operations": equations.operations,
        "forms": _forms(equations),
    }
    if isinstance(equations, Equations):
        report |= _of_bodies(equations)
    if json:
        print_json(report)
    else:
        _print(report)


def _forms(equations: Equations) -> dict[str, dict[str, Any]]:
    """Form in C of each function, the reason for it and its costs, by name."""
    from eomc.codegen import emit

    if not equations.speeds:
        return {}
    sources = emit(equations.program())
    functions = loads(sources[f"{sources.name}.json"])["functions"]
    return {name: facts["form"] for name, facts in functions.items()}


def _of_bodies(equations: Equations) -> dict[str, Any]:
    """Entries of the report that only models have: gravity, bodies, frames, constraints."""
    import sympy

    from eomc.derive.model import expression_text as text_of

    def expression_text(value: Any) -> str:
        return text_of(sympy.sympify(value)) if isinstance(value, sympy.Basic) else f"{value:g}"

    model = equations.model
    found: dict[str, Any] = {
        "gravity": [expression_text(entry) for entry in model.gravity],
        "bodies": [
            {
                "name": body.name,
                "mass": expression_text(body.mass),
                "com": [expression_text(entry) for entry in body.com],
            }
            for body in model.bodies.values()
        ],
        "deformables": [
            {**_deformable(body), "mass": expression_text(body.mass)}
            for body in model.deformables.values()
        ],
        "frames": list(model.frames),
        "constraints": list(model.constraints),
        "latches": list(model.latches),
    }
    if model.constraints or model.cuts():
        found["redundancy"] = equations.redundancy().report()
    return found


def _print(report: dict[str, Any]) -> None:
    typer.echo(f"{report['name']}: nq = {report['nq']}, nu = {report['nu']}")
    if report["description"]:
        typer.echo(report["description"])
    if "bodies" in report:
        _print_bodies(report)
    else:
        typer.echo("\ncoordinates\n  " + ", ".join(report["coordinates"]))
        typer.echo("speeds\n  " + ", ".join(report["speeds"]))
    for what in ("frames", "inputs", "prescribed", "constraints", "latches"):
        if report.get(what) and not (what == "constraints" and "redundancy" in report):
            typer.echo(f"\n{what}\n  " + ", ".join(report[what]))
    if report["parameters"]:
        typer.echo("\nparameters")
        rows = [(name, p["value"], p["units"]) for name, p in report["parameters"].items()]
        print_table(rows)
    if "redundancy" in report:
        _print_redundancy(report)
    typer.echo("\nadditions, multiplications and divisions")
    print_table(report["operations"].items())
    if report["forms"]:
        _print_forms(report["forms"])


def _print_forms(forms: dict[str, dict[str, Any]]) -> None:
    """Print the forms that `eomc build` writes unless something else is asked for."""
    from eomc.derive.graph.tuning import CORE

    typer.echo("\nin C, estimated")
    head = ("function", "form", "instructions", "bytes", "ns", "why")
    rows = [
        (
            name,
            form["name"],
            *(form["cost"][key] for key in ("instructions", "bytes", "time")),
            form["why"],
        )
        for name, form in forms.items()
    ]
    print_table(rows, head)
    typer.echo(
        f"  beyond {CORE.decoded} instructions time goes by bytes, {CORE.bytes:g} a nanosecond"
    )


def _print_bodies(report: dict[str, Any]) -> None:
    """Bodies and joints."""
    typer.echo("\nbodies")
    deforming = {body["name"] for body in report["deformables"]}
    rows = [
        (body["name"], body["mass"], ", ".join(body["com"]))
        for body in report["bodies"]
        if body["name"] not in deforming or body["mass"] != "0"  # a rigid part
    ]
    print_table(rows, ("name", "mass [kg]", "centre of mass [m]"))
    if report["deformables"]:
        typer.echo("\ndeformable bodies")
        parts = [row for body in report["deformables"] for row in _deformable_rows(body)]
        print_table(parts, ("name", "form", "mass [kg]", "coordinate", "at rest", "unit"))
    typer.echo("\njoints")
    print_table([_joint_row(joint) for joint in report["joints"]], ("name", "kind", "between", "q"))


def _print_redundancy(report: dict[str, Any]) -> None:
    """Loops and constraints: what holds what, and what does so twice."""
    found = report["redundancy"]
    held: dict[str, list[str]] = {}
    for row in found["rows"]:
        element, _, direction = row.rpartition(".")
        held.setdefault(element, []).append(direction)
    typer.echo("\nloops and constraints")
    rows = [
        (name, ", ".join(entries), ", ".join(found["redundant"].get(name, ())))
        for name, entries in held.items()
    ]
    print_table(rows, ("name", "holds", "of these redundant"))
    freedoms = f"{found['freedoms']} degree{'' if found['freedoms'] == 1 else 's'} of freedom"
    typer.echo(
        f"  {len(found['rows'])} rows of rank {found['rank']} on {found['speeds']} speeds leave "
        f"{freedoms}"
    )
    if found["rests_on"]:
        typer.echo(f"  redundant at the default values only of {', '.join(found['rests_on'])}")
    if found["other_ranks"]:
        typer.echo(f"  on other branches of rank {', '.join(map(str, found['other_ranks']))}")


def _deformable(body: Deformable) -> dict[str, Any]:
    """A deformable body: its form, its internal coordinates, and what of it is held."""
    return {
        "name": body.name,
        "form": body.given.kind or type(body.given).__name__,
        "coordinates": list(body.coordinates),
        "units": list(body.form.units),
        "neutral": [float(value) for value in body.form.neutral],
        "held": {name: str(value) for name, value in body.held},
    }


def _deformable_rows(body: dict[str, Any]) -> list[tuple[str, ...]]:
    """One row a coordinate, held ones last."""
    free = zip(body["coordinates"], body["neutral"], body["units"], strict=True)
    rows = [(name, f"{value:g}", unit) for name, value, unit in free]
    rows += [(f"{body['name']}_{name}", value, "held") for name, value in body["held"].items()]
    first = (body["name"], body["form"], body["mass"])
    return [(*(("", "", "") if k else first), *row) for k, row in enumerate(rows)]


def _joint_row(joint: dict[str, Any]) -> tuple[str, str, str, str]:
    between = f"{joint['parent']} -> {joint['child']}"
    coordinates = "closes a loop" if joint.get("cut") else ", ".join(joint["coordinates"])
    return joint["name"], joint["kind"], between, coordinates
