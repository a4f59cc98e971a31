"""Kernels of runs: each thread steps one state, by the steps of the C.

The steps are those of the C files to the letter, marked for the device. So a run gives what the C
gives, bit for bit where no multiplication is fused with an addition.
"""

import re
from dataclasses import dataclass

from eomc.codegen.c.arguments import call_arguments, with_parameters
from eomc.codegen.c.constraints import solver_definitions
from eomc.codegen.c.contact_step import contact_methods, contact_step, contact_step_definition
from eomc.codegen.c.implicit import function_step_definitions
from eomc.codegen.c.integrator import fixed_step_definitions, states_behind
from eomc.codegen.c.language import parameters_argument
from eomc.codegen.c.rollouts import Rollouts, all_rollouts
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill


@dataclass(frozen=True)
class _KernelRun:
    """One method on one model.

    step : name of the function of a step, and `how` its last arguments
    width : of the array of speeds and of what is stepped behind them
    behind : a comment on these
    """

    name: str
    title: str
    step: str
    held: tuple[Port, ...]
    timed: bool
    nq: int
    nu: int
    width: int
    behind: str = ""
    how: str = ""
    feedback: Rollouts | None = None


def run_kernels(face: Interface) -> str:
    """Steps and kernels of all methods of fixed steps; nothing for models without any."""
    runs = [*_smooth(face), *_with_contacts(face)]
    if not runs:
        return ""
    steps = solver_definitions(face)
    if all_rollouts(face):
        steps += f"{fixed_step_definitions(face)}\n{function_step_definitions(face)}"
    if contact_step(face):
        steps += f"\n{contact_step_definition(face)}"
    marks = {"m": face.prefix, "M": face.macro}
    texts = ["", device_code(face, steps), fill("signal.cu", **marks)]
    controlled = next((run for run in runs if run.feedback), None)
    if controlled and controlled.feedback:
        texts.append(device_code(face, _feedback(face, controlled, controlled.feedback)))
    return "\n".join([*texts, *(_kernel(face, run) for run in runs)])


def _smooth(face: Interface) -> list[_KernelRun]:
    """Methods of the equations of motion without rigid contacts."""
    return [
        _KernelRun(
            found.name,
            found.title,
            f"{face.prefix}_{found.name}_in_place",
            found.method.held,
            found.method.timed,
            found.method.nq,
            found.method.nu,
            found.method.width,
            states_behind(found.method),
            feedback=found if found.tau is not None else None,
        )
        for found in all_rollouts(face)
    ]


def _with_contacts(face: Interface) -> list[_KernelRun]:
    """Steps with rigid contacts, whose impulses stand behind the speeds."""
    found = contact_step(face)
    if found is None or not found.nq:
        return []
    return [
        _KernelRun(
            method["method"],
            method["title"],
            f"{face.prefix}_contact_step",
            found.held,
            found.timed,
            found.nq,
            found.nu,
            found.width,
            " *\n * u holds the speeds, and impulses and what the solve gives behind them.\n",
            f", {method['is_midpoint']}",
        )
        for method in contact_methods(found)
    ]


def device_code(face: Interface, text: str) -> str:
    """Functions and tables of C as those of the device, which call the device's functions."""
    m, macro = face.prefix, face.macro
    head = rf"(?=[a-z]\w* \*?{m}_\w+\()"
    changes = {
        rf"^static const (?=\w+ {m}_)": f"{macro}_TABLE ",
        rf"^static (?:inline |{macro}_INLINE ){head}": f"{macro}_DEVICE ",
        # Compiled once for all kernels.
        rf"^(?:static )?(?:{macro}_NOINLINE )?{head}": f"{macro}_PIECE ",
    }
    for pattern, mark in changes.items():
        text = re.sub(pattern, mark, text, flags=re.MULTILINE)
    symbols = "|".join(re.escape(entry.symbol) for entry in face.entries)
    return re.sub(rf"\b({symbols})\(", r"\1_state(", text)


def _kernel(face: Interface, run: _KernelRun) -> str:
    m, real = face.prefix, face.real_type
    rows = {port.name: max(port.size, 1) for port in run.held}
    declared = [f"{m}_signal {name}" for name in rows]
    declared += [f"{face.parameters_type} p"] if face.members else []
    feedback = _feedback_call(face, run) if run.feedback else ""
    return fill(
        "rollouts.cu",
        m=m,
        M=face.macro,
        f=face.real.suffix,
        method=run.name,
        title=run.title,
        step=run.step,
        how=run.how,
        behind=run.behind,
        nq=run.nq,
        width=run.width,
        start="t + " if run.timed else "",
        signal_declarations="".join(f"{INDENT}{line},\n" for line in declared),
        feedback_declaration=f"{INDENT}{m}_feedback feedback,\n" if run.feedback else "",
        time_declaration=f"{INDENT}{real} t,\n" if run.timed else "",
        row_arrays="".join(f"{INDENT * 2}{real} {name}_row[{n}];\n" for name, n in rows.items()),
        row_loads="".join(
            f"{INDENT * 4}{m}_load({port.name}, step, k, {port.size}, {port.name}_row);\n"
            for port in run.held
        ),
        feedback_call=feedback,
        held="".join(f"{name}, " for name in _held(face, run)),
    )


def _held(face: Interface, run: _KernelRun, p: str = "&p") -> list[str]:
    """The inputs of a step beside the state and the time, as rows, the parameters last."""
    rows = [f"{port.name}_row[0]" if port.by_value else f"{port.name}_row" for port in run.held]
    return [*rows, *([p] if face.members else [])]


def _feedback_call(face: Interface, run: _KernelRun) -> str:
    assert run.feedback is not None and run.feedback.tau is not None
    given = [f"{port.name}_row" for port in run.held] + (["&p"] if face.members else [])
    return fill(
        "feedback_call.cu",
        m=face.prefix,
        nu=run.nu,
        held="".join(f"{name}, " for name in given),
        tau=run.feedback.tau.name,
    )


def _feedback(face: Interface, run: _KernelRun, found: Rollouts) -> str:
    """The law of feedback, the same for all methods."""
    own = {port.argument.name: name for port, name in zip(run.held, _held(face, run), strict=False)}
    own |= {"q": "q", "u": "u", "z": f"&u[{run.nu}]", "a": "torque", "t": "time"}
    marks = {"m": face.prefix, "M": face.macro, "nq": run.nq, "nu": run.nu}
    names = [f"{port.name}_row" for port in run.held]
    declared = [f"const {face.real_type} *{name}" for name in names]
    if face.members:
        declared.append(parameters_argument(face))
        names.append("p")
    difference = f"{INDENT}for (int i = 0; i < {run.nu}; i++) {{\n"
    difference += f"{INDENT * 2}error[i] = q_ref[i] - q[i];\n{INDENT}}}\n"
    if (entry := found.difference) is not None:
        between = ", ".join(with_parameters(face, ("q", "q_ref")))
        difference = f"{INDENT}status = {entry.symbol}({between}, error);\n"
    torque = ""
    if (entry := found.inverse) is not None:
        arguments = call_arguments(face, entry, own)
        torque = fill(
            "feedback_computed_torque.cu", **marks, call=f"{entry.symbol}({arguments}, error)"
        )
    return fill(
        "feedback.cu",
        **marks,
        held_declarations="".join(f"{INDENT}{line},\n" for line in declared),
        unused="".join(f"{INDENT}(void){name};\n" for name in [*names, "time"]),
        difference=difference,
        computed_torque=torque,
    )
