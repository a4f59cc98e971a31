"""Loops over steps of fixed length in C, alike for all methods.

A method gives a function that advances q and u in place by one step; `declarations` and
`definitions` are those of the two loops over it, of which one records every step.
"""

from collections.abc import Mapping, Sequence

from eomc.codegen.c.arguments import declared, passed_on
from eomc.codegen.c.language import array_declarator, port_declaration
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill

TEMPLATES = "fixed_run.?"


def input_marks(face: Interface, held: Sequence[Port], timed: bool) -> dict[str, object]:
    """Marks of the inputs `held` over a step, of their rows along a run, and of the time."""
    rows = (f"{p.name}[row]" if p.by_value else f"&{p.name}[row*{p.size}u]" for p in held)
    arrays = (f"const {face.real_type} {array_declarator(face, p.name, 0)}" for p in held)
    return {
        "held": passed_on(face, [port.name for port in held]),
        "held_declarations": declared(face, (port_declaration(face, port) for port in held)),
        "held_rows": passed_on(face, rows),
        "row_declarations": declared(face, arrays),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if timed else "",
        "start": "t + " if timed else "",
    }


def declarations(marks: Mapping[str, object], q: int, u: int) -> str:
    """For the header, of arrays of `q` and `u` entries."""
    return fill("fixed_run.h", **{**marks, **_sizes(q, u)})


def definitions(marks: Mapping[str, object], q: int, u: int, step: str = "", how: str = "") -> str:
    """For the source file: calls of `step`, by default the method's own, with `how` at the end."""
    step = step or f"{marks['m']}_{marks['method']}_in_place"
    return "\n" + fill("fixed_run.c", **{**marks, **_sizes(q, u), "step": step, "how": how})


def _sizes(q: int, u: int) -> dict[str, object]:
    # Arrays of length zero do not exist in C.
    return {"nq": max(q, 1), "nu": max(u, 1), "nq_count": q, "nu_count": u}
