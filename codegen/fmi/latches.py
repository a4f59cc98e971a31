"""Latches of a unit in C: one case for each set of closed ones, which has a program of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from eomc.codegen.c.integrator import integrators
from eomc.codegen.fmi.variables import VariableLayout
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.interface import EmittedFunction, Interface

_GIVEN = ("gap", "speed", "angle", "angular_speed", "closes", "opens")


def latch_variables(told: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Variables of the latches that a manifest tells of, with their start values: if it is closed,
    if it has not left where it opened, and what closes and opens it, zero where that is unknown."""
    found: dict[str, float] = {}
    for latch in told:
        starts = {"closed": float(latch["closed"]), "near": 1.0, "closes": 0.0, "opens": 0.0}
        found |= {f"{latch['name']}.{what}": value for what, value in starts.items()}
    return found


def latch_marks(
    face: Interface,
    layout: VariableLayout,
    others: Mapping[tuple[str, ...], Interface],
    method: str,
    given: Mapping[str, str],
) -> dict[str, object]:
    """Marks of `templates/latches.c`; `given` are places of inputs by array."""
    told = cast(Sequence[Mapping[str, Any]], face.program.metadata["latches"])
    measures = face.entry("latches")
    assert measures is not None
    labels = measures.outputs[0].argument.rows
    (nq,) = (port.size for port in measures.inputs if port.argument.name == "q")
    (nu,) = (port.size for port in measures.inputs if port.argument.name == "u")
    places = {n.name: layout.first_parameter + k for k, n in enumerate(layout.numbers)}
    arguments = {**given, "q": "x", "u": f"x + {nq}", "z": f"x + {nq + nu}", "t": "t"}
    begin = tuple(latch["name"] for latch in told if latch["closed"])
    names, rows, first = [latch["name"] for latch in told], [], 0
    for latch in told:
        count = len(latch["offsets"])
        flags = ", ".join(str(int(word in latch["given"])) for word in _GIVEN)
        offset = places[latch["offsets"][0]]
        rows.append(f'    {{{first}, {count}, {offset}, {{{flags}}}, "{latch["name"]}"}}')
        first += count
    cases = [
        line
        for closed, other in {begin: face, **others}.items()
        for line in _case(
            other, sum(1 << names.index(n) for n in closed), places, arguments, method
        )
    ]
    load = f"    const {face.parameters_type} p = settings(v);\n"
    refused = f"""    if (closedSet(v) != {sum(1 << names.index(n) for n in begin)}) {{
        unit->failure = "derivatives are those with the latches as they start";
        return impossible;
    }}
"""
    return {
        "count": len(told),
        "rows": len(labels),
        "first": layout.first_kept,
        "latches": ",\n".join(rows),
        "lengths": ", ".join(str(int(".force" in label)) for label in labels),
        "cases": "".join(cases),
        "measures": _call(measures, arguments),
        "nu": nu,
        "load": load,
        "refused": refused,
        "includes": "".join(f'#include "{other.prefix}.h"\n' for other in others.values()),
        "declared": "static int closedSet(const double *v);\n\n",
    }


def _case(
    face: Interface,
    closed: int,
    places: Mapping[str, int],
    arguments: Mapping[str, str],
    method: str,
) -> Iterator[str]:
    """The step, and the impulse, of one set of closed latches."""
    found = next((m for m in integrators(face) if m.tableau.name == method), None)
    if found is None:
        raise EmissionError(f"{face.program.name!r} has no {method} to step with in Co-Simulation")
    held = "".join(f"{arguments[port.argument.name]}, " for port in found.held)
    time = "t, " if found.timed else ""
    yield f"    case {closed}: {{\n        {face.parameters_type} p;\n        int code;\n"
    for member in face.members:
        yield f"        p.{member.name} = v[{places[member.parameter.name]}];\n"
    step = f"{face.prefix}_{method}(x, {arguments['u']}, {held}&p, {time}h, 1)"
    jump = face.entry("velocity_correction")
    none = f"{face.macro}_OK"
    yield f"        code = h > 0.0 ? {step} : {none if jump is None else _call(jump, arguments)}"
    yield f"{'' if jump is None else 'du)'};\n"
    yield f"        failure = code == {none} ? NULL : {face.prefix}_status_name(code);\n"
    yield "        break;\n    }\n"


def _call(entry: EmittedFunction, arguments: Mapping[str, str]) -> str:
    """A call without its outputs and closing parenthesis."""
    given = "".join(f"{arguments[port.argument.name]}, " for port in entry.inputs)
    return f"{entry.symbol}({given}&p, "
