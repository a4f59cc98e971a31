"""Integrators in C, for programs that know their accelerations.

A program with ``coordinate_rates`` (q, u, ...) -> qdot and ``forward_dynamics`` (q, u, ...) -> a
gets one integrator per tableau: of fixed steps, or of steps chosen by the error where the tableau
is embedded. Inputs beyond q and u are held constant over a step, but for the time ``t``; a
``normalize`` function, if present, brings q back onto its manifold after each step.
"""

import textwrap
from dataclasses import dataclass, replace
from fractions import Fraction

from eomc.codegen.c.body import INDENT
from eomc.codegen.c.constraints import projection
from eomc.codegen.c.signature import array_declarator, parameters_argument
from eomc.codegen.identifiers import RESERVED, Names
from eomc.codegen.interface import ADAPTIVE_CODES, Entry, Interface, Port
from eomc.codegen.literal import literal
from eomc.codegen.tableau import DOPRI, RK4, Tableau
from eomc.codegen.template import fill

TABLEAUS = (RK4, DOPRI)

# Variables of the template; an input of the same name gives way.
_TEMPLATE_NAMES = (
    *("q", "u", "t", "h", "p", "a", "b", "c", "i", "j", "k", "sum", "status", "steps", "per_step"),
    *("done", "step", "row", "time", "q_rate", "u_rate", "q_stage", "u_stage", "t_stage"),
    *("q_next", "u_next", "size_t", "y", "y_rate", "y_next", "y_stage", "x", "e", "end", "error"),
    *("run", "times", "rows", "rtol", "atol", "max_steps", "span", "size", "speed", "bend"),
    *("difference", "estimate", "interpolant", "growth", "shortest", "longest_growth", "is_last"),
    *("t_next", "h_bend", "ratio", "relative"),
    *("x_stage", "rate", "found", "recorded", "every", "codes", "feedback", "torque", "signal"),
    *("q_ref", "u_ref", "a_ref", "kp", "kd", "computed_torque", "threads"),
)


@dataclass(frozen=True)
class Integrator:
    """One method on one model.

    held : inputs other than q, u and the time, each once, in order of the functions' arguments
    timed : whether a function takes the time
    """

    tableau: Tableau
    rates: Entry
    dynamics: Entry
    normalize: Entry | None
    held: tuple[Port, ...]
    timed: bool

    @property
    def template(self) -> str:
        """Name of the templates that hold the loop of this method."""
        return "adaptive_runge_kutta" if self.tableau.is_adaptive else "runge_kutta"

    @property
    def nq(self) -> int:
        return self.dynamics.inputs[0].size

    @property
    def nu(self) -> int:
        return self.dynamics.inputs[1].size


def integrators(face: Interface) -> tuple[Integrator, ...]:
    """The integrators that ``face`` allows: none without rates and accelerations of q and u."""
    rates, dynamics = face.entry("coordinate_rates"), face.entry("forward_dynamics")
    if rates is None or dynamics is None:
        return ()
    state = {port.argument.name for port in dynamics.inputs[:2]}
    fits = state == {"q", "u"} and [port.size for port in (*rates.outputs, *dynamics.outputs)] == [
        port.size for port in dynamics.inputs[:2]
    ]
    if not fits:
        return ()
    held: dict[str, Port] = {}
    names = Names((*RESERVED, *_TEMPLATE_NAMES))
    timed = False
    for port in (*dynamics.inputs[2:], *rates.inputs):
        if port.argument.name == "t" and port.by_value:
            timed = True
        elif port.argument.name not in state and port.argument.name not in held:
            held[port.argument.name] = replace(port, name=names.take(port.argument.name))
    normalize = face.entry("normalize")
    if normalize is not None and [port.argument.name for port in normalize.inputs] != ["q"]:
        normalize = None
    return tuple(
        Integrator(tableau, rates, dynamics, normalize, tuple(held.values()), timed)
        for tableau in TABLEAUS
    )


def integrator_declarations(face: Interface) -> str:
    """For the header."""
    methods = integrators(face)
    texts = [fill(f"{method.template}.h", **_marks(face, method)) for method in methods]
    if any(method.tableau.is_adaptive for method in methods):
        texts.insert(0, fill("adaptive_run.h", m=face.prefix))
    return "".join("\n" + text for text in texts)


def integrator_definitions(face: Interface) -> str:
    """For the source file."""
    return "\n".join(
        fill(f"{method.template}.c", **_marks(face, method)) for method in integrators(face)
    )


def method_marks(face: Interface, method: Integrator) -> dict[str, object]:
    """Names and numbers of a method."""
    tableau = method.tableau
    return {
        "m": face.prefix,
        "M": face.macro,
        "f": face.real.suffix,
        "method": tableau.name,
        "title": tableau.title,
        "stages": tableau.stages,
        "a": _rows(face, tableau.a, tableau.stages),
        "b": _row(face, tableau.b, tableau.stages),
        "c": _row(face, tableau.c, tableau.stages),
        "zero": literal(0, face.real),
        "coordinate_rates": method.rates.symbol,
        "forward_dynamics": method.dynamics.symbol,
    }


def _marks(face: Interface, method: Integrator) -> dict[str, object]:
    """What the templates leave open, for all methods."""
    marks = method_marks(face, method) | {
        # Arrays of length zero do not exist in C.
        "nq": max(method.nq, 1),
        "nu": max(method.nu, 1),
        "nq_count": method.nq,
        "nu_count": method.nu,
        "held": "".join(f"{name}, " for name in _held_names(face, method)),
        "held_declarations": _declarations(face, method, rows=False),
        "normalized": " q is normalized after each step." if method.normalize else "",
    }
    return marks | (_adaptive if method.tableau.is_adaptive else _fixed)(face, method)


def _fixed(face: Interface, method: Integrator) -> dict[str, object]:
    """Marks of steps of fixed length."""
    state = {"q": "q_stage", "u": "u_stage", "t": "t_stage"}
    return {
        "coordinate_rates_arguments": _arguments(face, method, method.rates, state),
        "forward_dynamics_arguments": _arguments(face, method, method.dynamics, state),
        "held_rows": _held_rows(face, method),
        "row_declarations": _declarations(face, method, rows=True),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if method.timed else "",
        "start": "t + " if method.timed else "",
        "normalize": _normalize(face, method, "q_stage", "q_rate[0]"),
        **_end_of_step(face, method),
    }


def _end_of_step(face: Interface, method: Integrator) -> dict[str, str]:
    """From q_stage and the rates to q and u: at once, or by way of a projection of both."""
    project = projection(face, _names(method) | {"t": "t + h"}, "q_stage", "u_stage")
    keep_q = _copied("q", "q_stage", method.nq)
    if not project:
        return {"keep_q": keep_q, "u_end": "u[k] += ", "project": ""}
    return {
        "keep_q": "",
        "u_end": "u_stage[k] = u[k] + ",
        "project": project + keep_q + _copied("u", "u_stage", method.nu),
    }


def _copied(to: str, source: str, count: int) -> str:
    lines = [f"for (int k = 0; k < {count}; k++) {{", f"{INDENT}{to}[k] = {source}[k];", "}"]
    return "".join(f"{INDENT}{line}\n" for line in lines)


def _names(method: Integrator) -> dict[str, str]:
    """Names of the held inputs by those of the functions."""
    return {port.argument.name: port.name for port in method.held}


def _adaptive(face: Interface, method: Integrator) -> dict[str, object]:
    """Marks of steps that the error chooses; the state is y = [q; u]."""
    tableau = method.tableau
    state = {"q": "y", "u": f"y + {method.nq}", "t": "t"}
    codes = {status.code: status.enumerator for status in face.statuses}
    last = _normalize(face, method, "y_next", "estimate")
    takes_p = bool(last and face.members)
    u_next = f"y_next + {method.nq}"
    last += projection(face, _names(method) | {"t": "t + h"}, "y_next", u_next)
    recorded = projection(face, _names(method) | {"t": "t"}, "y_next", u_next)
    at_end = f"{INDENT * 2}if (i == {tableau.stages - 1}) {{\n"
    at_end += textwrap.indent(last, INDENT * 2) + f"{INDENT * 2}}}\n"
    return {
        "n": max(method.nq + method.nu, 1),
        "coordinate_rates_arguments": _arguments(face, method, method.rates, state),
        "forward_dynamics_arguments": _arguments(face, method, method.dynamics, state),
        "e": _row(face, tableau.error, tableau.stages),
        "dense_order": len(tableau.interpolant[0]),
        "interpolant": _rows(face, tableau.interpolant, len(tableau.interpolant[0])),
        "exponent": literal(Fraction(1, tableau.order), face.real),
        "least_rtol": literal(Fraction(200, face.real.exact_integers), face.real),
        "resolution": literal(10 * Fraction(1, face.real.exact_integers), face.real),
        "record_p": "p, " if takes_p else "",
        "record_parameters": f"{INDENT}{parameters_argument(face)},\n" if takes_p else "",
        "normalize_last": at_end if last else "",
        "normalize_record": _normalize(face, method, "y_next", "q"),
        **(_projected_record(face, method, recorded) if recorded else {}),
        **{code: codes[code] for code in ADAPTIVE_CODES},
    }


def _projected_record(face: Interface, method: Integrator, project: str) -> dict[str, str]:
    """Marks of records that a projection ends, which takes the inputs and the time."""
    held = _held_names(face, method)
    unused = "".join(f"{INDENT}(void){name};\n" for name in [*held, "t"])
    declared = _declarations(face, method, rows=False) + f"{INDENT}{face.real_type} t,\n"
    return {
        "record_p": "".join(f"{name}, " for name in held) + "times[row], ",
        "record_parameters": declared,
        "normalize_record": unused + _normalize(face, method, "y_next", "q") + project,
    }


def _rows(face: Interface, rows: tuple[tuple[Fraction, ...], ...], length: int) -> str:
    return ",\n".join(f"{INDENT * 2}{{{_row(face, row, length)}}}" for row in rows)


def _row(face: Interface, values: tuple[Fraction, ...], length: int) -> str:
    padded = [*values, *[Fraction(0)] * (length - len(values))]
    return ", ".join(literal(value, face.real) for value in padded)


def _arguments(face: Interface, method: Integrator, entry: Entry, state: dict[str, str]) -> str:
    names = state | {port.argument.name: port.name for port in method.held}
    arguments = [names[port.argument.name] for port in entry.inputs]
    return ", ".join(arguments + (["p"] if face.members else []))


def _held_names(face: Interface, method: Integrator) -> list[str]:
    return [port.name for port in method.held] + (["p"] if face.members else [])


def _held_rows(face: Interface, method: Integrator) -> str:
    texts = [
        f"{port.name}[row]" if port.by_value else f"{port.name} + row*{port.size}"
        for port in method.held
    ]
    return "".join(f"{text}, " for text in texts + (["p"] if face.members else []))


def _declarations(face: Interface, method: Integrator, *, rows: bool) -> str:
    lines = []
    for port in method.held:
        if rows:
            declarator = array_declarator(face, port.name, 0)
        elif port.by_value:
            declarator = port.name
        else:
            declarator = array_declarator(face, port.name, port.size)
        lines.append(f"const {face.real_type} {declarator}")
    if face.members:
        lines.append(parameters_argument(face))
    return "".join(f"{INDENT}{line},\n" for line in lines)


def _normalize(face: Interface, method: Integrator, q: str, scratch: str) -> str:
    """Statements that bring the array q onto the manifold, by way of another one."""
    if method.normalize is None:
        return ""
    arguments = f"{q}, p, {scratch}" if face.members else f"{q}, {scratch}"
    lines = [
        "{",
        f"{INDENT}const int failure = {method.normalize.symbol}({arguments});",
        f"{INDENT}if (failure != {face.macro}_OK) {{",
        f"{INDENT * 2}return failure;",
        f"{INDENT}}}",
        f"{INDENT}for (int k = 0; k < {method.nq}; k++) {{",
        f"{INDENT * 2}{q}[k] = {scratch}[k];",
        f"{INDENT}}}",
        "}",
    ]
    return "".join(f"{INDENT}{line}\n" for line in lines)
