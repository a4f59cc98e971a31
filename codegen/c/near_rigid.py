"""Near-rigid control in C, for programs that know the strains of elements and the inputs' forces.

One function without allocation, in loops of known length: elimination of the equations, then a
quadratic program in what is left. The templates are ``templates/near_rigid*``.
"""

import math
from dataclasses import replace

from eomc.codegen.c.arguments import call_arguments, declared
from eomc.codegen.c.language import port_declaration
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import (
    NEAR_RIGID_CODES,
    NEAR_RIGID_NEEDS,
    EmittedFunction,
    Interface,
    Port,
    asked_once,
)
from eomc.codegen.templates.template import fill, words

_CONSTRAINED = ("constraint_jacobian", "constraint_bias")
_OWN = ("q", "u", "a", "r")


def near_rigid_declarations(face: Interface) -> str:
    """For the header."""
    marks = _marks(face)
    return "\n" + fill("near_rigid.h", **marks) if marks else ""


def near_rigid_definitions(face: Interface) -> str:
    """For the source file."""
    marks = _marks(face)
    return "\n" + fill("near_rigid.c", **marks) if marks else ""


def _entries(face: Interface) -> dict[str, EmittedFunction]:
    """The functions that it calls; none if the program lacks some."""
    known = face.program.metadata.get("functions", ())
    is_constrained = "constraint_jacobian" in known  # type: ignore[operator]
    needs = (*NEAR_RIGID_NEEDS, *(_CONSTRAINED if is_constrained else ()))
    found = {name: entry for name in needs if (entry := face.entry(name)) is not None}
    return found if len(found) == len(needs) else {}


@asked_once
def _marks(face: Interface) -> dict[str, object]:
    """Marks of the templates with their values; none if the program lacks a function."""
    entries = _entries(face)
    if not entries:
        return {}
    names = Names((*RESERVED, "p", *words("near_rigid*.?")))
    held: dict[str, Port] = {}
    for entry in entries.values():
        for port in entry.inputs:
            if port.argument.name not in (*_OWN, "q0", "q1") and port.argument.name not in held:
                held[port.argument.name] = replace(port, name=names.take(port.argument.name))
    called = (
        {name: name for name in _OWN}
        | {"q0": "q", "q1": "q_d"}
        | {n: port.name for n, port in held.items()}
    )
    calls = {
        name: f"{entry.symbol}({call_arguments(face, entry, called)}"
        for name, entry in entries.items()
    }
    declarations = declared(face, (port_declaration(face, port) for port in held.values()))
    return _sizes(face, entries, calls) | calls | {"declarations": declarations}


def _sizes(
    face: Interface, entries: dict[str, EmittedFunction], calls: dict[str, str]
) -> dict[str, object]:
    by_inputs = entries["input_matrix"].outputs[0].argument
    nu, inputs = by_inputs.shape
    strained = entries["element_strains"].outputs[0].argument.rows
    nq = entries["difference"].inputs[0].size
    rows = entries[_CONSTRAINED[0]].outputs[0].argument.shape[0] if _CONSTRAINED[0] in calls else 0
    bounded, epsilon = inputs + len(strained), 1 / face.real.exact_integers
    unknowns, equations = bounded + nu + rows, nu + rows + len(strained) + inputs
    codes = {status.code: status.enumerator for status in face.statuses}
    reals = equations * (unknowns + 1) + nu * (nu + 2 * inputs + 4) + bounded * (inputs + 4)
    marks: dict[str, object] = {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "nq": nq,
        "nu": nu,
        "rows": rows,
        "inputs": inputs,
        "strains": len(strained),
        "elements": ", ".join(strained),
        "bounded": bounded,
        "unknowns": unknowns,
        "width": unknowns + 1,
        "equations": equations,
        "constrained": nu + rows,
        "mass_size": nu * nu,
        "input_size": nu * inputs,
        "slope_size": nu * len(strained),
        "jacobian_size": nu * rows,
        "most_changes": 8 * bounded,
        "stack": face.real.bytes * (reals + 3 * inputs * inputs + 2 * unknowns),
        "zero": literal(0, face.real),
        "one": literal(1, face.real),
        "rank_tolerance": literal(math.sqrt(epsilon), face.real),
        "bound_tolerance": literal(64 * epsilon, face.real),
        "smallest_pivot": literal(16 * epsilon, face.real),
        **{code: codes[code] for code in NEAR_RIGID_CODES},
    }
    constraints = ""
    if rows:
        own = {"jacobian": calls[_CONSTRAINED[0]], "constraint_bias": calls[_CONSTRAINED[1]]}
        constraints = fill("near_rigid_constraints.c", **marks, **own)
    return marks | {"constraints": constraints}
