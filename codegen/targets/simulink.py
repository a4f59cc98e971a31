"""Simulink: an S-function of level 2 around the C, which integrates in Simulink's own solvers.

States, input and output ports are those of `eomc.codegen.plan.first_order`: a port for each array.
Reference: MathWorks, *Developing S-Functions*, "C MEX S-functions".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files as resources
from itertools import groupby
from string import Template
from typing import Any

from eomc.codegen.language.comment import comment_text
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.target import Request, Target, register
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.first_order import (
    OUTPUTS,
    STABILIZATION,
    ArrayEntry,
    FirstOrder,
    first_order,
)
from eomc.codegen.plan.interface import Interface
from eomc.codegen.targets.mex import BUILD_S_FUNCTION, settings, with_script
from eomc.derive.graph import Program

NEEDED = ("coordinate_rates", "normalize", "forward_dynamics")
SHOWN = re.compile("(kinetic|potential)_energy|element_outputs|frame_.*_(pose|velocity)")
"""Names of the functions whose values output ports tell, where the program has them."""

Group = tuple[str, int]
"""An array and how many entries it has."""


@dataclass(frozen=True)
class Simulated(Program):
    """A program that has the functions of its first-order `system`."""

    system: FirstOrder | None = None


def with_first_order(program: Program) -> Simulated:
    """The same with rates and outputs as functions of the state; EmissionError without motion."""
    known = {function.name for function in program.functions}
    needed = [n for n in NEEDED if n != "forward_dynamics" or "constrained_dynamics" not in known]
    if missing := [name for name in needed if name not in known]:
        raise EmissionError(
            f"target 'simulink' needs the function {missing[0]!r}; add it to those to emit"
        )
    if "rigid_contacts" in known:
        raise EmissionError(
            "target 'simulink' makes no impacts; give rigid contacts a law of force"
        )
    shown = [f.name for f in program.functions if SHOWN.fullmatch(f.name)]
    system = first_order(program, shown, derivatives=False)
    return Simulated(**vars(system.program), system=system)


def files(face: Interface, request: Request) -> dict[str, str]:
    """C files, the S-function, and a script that compiles them."""
    name = f"{face.prefix}_sfun"
    gate = {f"{name}.c": s_function(face)}
    return with_script(face, request, gate, f"build_{name}.m", BUILD_S_FUNCTION)


def s_function(face: Interface) -> str:
    """Text of ``<model>_sfun.c``."""
    program = face.program
    assert isinstance(program, Simulated) and program.system is not None
    system = program.system
    states = _groups(system.states)
    inputs = _groups([entry for entry in system.held if entry.array != STABILIZATION])
    stabilized = any(entry.array == STABILIZATION for entry in system.held)
    told = system.outputs[: len(system.outputs) - system.switches]
    outputs = [*states, *_groups(told)]
    block = ["the start of the states, [] for the neutral one"]
    block += [", ".join(member.name for member in face.members)] if face.members else []
    block += ["the rate at which constraints are drawn back [1/s]"] if stabilized else []
    marks = {
        "m": face.prefix,
        "M": face.macro,
        "name": comment_text(program.name),
        "states": _listed(states),
        "inputs": _listed(inputs) or "none",
        "outputs": _listed(outputs),
        "block": comment_text("; ".join(block)),
        "nx": len(system.states),
        "nw": len(system.held),
        "ny": len(system.outputs),
        "np": len(face.members),
        "switches": system.switches,
        "input_ports": len(inputs),
        "state_ports": len(states),
        "output_ports": len(outputs),
        "block_places": ", NUMBERS" * bool(face.members) + ", STABILIZATION" * stabilized,
        "input_widths": _numbers([size for _, size in inputs]),
        "feeds": _numbers(_feeds(system, inputs)),
        "output_widths": _numbers([size for _, size in outputs]),
        "start": _numbers(_start(program, system)),
        "checks": _checks(face, stabilized),
        "settings": _settings(face) if face.members else "",
        "load": f"{INDENT}const {face.parameters_type} p = settings(S);\n" * bool(face.members),
        "p": "&p, " if face.members else "",
        "alpha_told": ", then the rate of stabilization" * stabilized,
        "alpha": f"{INDENT}w[place] = mxGetScalar(ssGetSFcnParam(S, STABILIZATION));\n"
        * stabilized,
    }
    text = resources("eomc.codegen.matlab") / "s_function.c"
    marks["outputs_code"] = _tell(marks, bool(system.outputs))
    return Template(text.read_text("utf-8")).substitute(marks)


def _groups(entries: Sequence[ArrayEntry]) -> list[Group]:
    return [(name, len(list(rows))) for name, rows in groupby(entries, lambda entry: entry.array)]


def _listed(groups: Sequence[Group]) -> str:
    return ", ".join(f"{name}[{size}]" for name, size in groups)


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(map(repr, values)) or "0"


def _feeds(system: FirstOrder, inputs: Sequence[Group]) -> list[int]:
    """Of each input port whether outputs depend on it within the same instant."""
    found, first = [], len(system.states)
    rows = system.depends[len(system.states) :]
    for _, size in inputs:
        places = set(range(first, first + size))
        found.append(int(any(places.intersection(row) for row in rows)))
        first += size
    return found


def _start(program: Program, system: FirstOrder) -> list[float]:
    """The neutral coordinates, speeds of zero, states of elements as declared."""
    told: Mapping[str, Any] = program.metadata
    own = [state["initial"] for state in told.get("element_states", ())]
    neutral = [float(value) for value in told["neutral"]]
    return [*neutral, *[0.0] * (len(system.states) - len(neutral) - len(own)), *own]


def _checks(face: Interface, stabilized: bool) -> str:
    lines = []
    if face.members:
        names = ", ".join(member.name for member in face.members)
        lines += [
            f"{INDENT}if (!isVector(ssGetSFcnParam(S, NUMBERS), nNumbers)) {{",
            f'{INDENT * 2}ssSetErrorStatus(S, "{face.prefix}: the parameters are {names}, or []");',
            f"{INDENT}}}",
        ]
    if stabilized:
        lines += [
            f"{INDENT}if (!isVector(ssGetSFcnParam(S, STABILIZATION), 1)"
            " || mxGetNumberOfElements(ssGetSFcnParam(S, STABILIZATION)) != 1) {",
            f'{INDENT * 2}ssSetErrorStatus(S, "{face.prefix}: stabilization is one rate [1/s]");',
            f"{INDENT}}}",
        ]
    return "\n".join([*lines, ""]) if lines else ""


def _settings(face: Interface) -> str:
    lines = [
        f"{INDENT}const mxArray *given = ssGetSFcnParam(S, NUMBERS);",
        f"{INDENT}if (mxGetNumberOfElements(given) > 0) {{",
        *(
            f"{INDENT * 2}p.{member.name} = mxGetPr(given)[{k}];"
            for k, member in enumerate(face.members)
        ),
        f"{INDENT}}}",
    ]
    return settings(face, "SimStruct *S", lines)


def _tell(marks: dict[str, object], is_told: bool) -> str:
    """A function that finds all outputs."""
    lines = ["static void tell(SimStruct *S, double *found)", "{"]
    if is_told:
        lines += [
            f"{INDENT}double w[nHeld + 1];",
            str(marks["load"]).rstrip("\n"),
            f"{INDENT}gather(S, w);",
            f"{INDENT}judge(S, {marks['m']}_{OUTPUTS}(ssGetContStates(S), w, ssGetT(S), "
            f"{marks['p']}found));",
        ]
    else:
        lines += [f"{INDENT}(void)S;", f"{INDENT}(void)found;"]
    return "\n".join([*filter(None, lines), "}\n\n"])


TARGET = register(Target("simulink", files, for_loops=True, prepared=with_first_order))
