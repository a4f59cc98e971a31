"""Integrators in C, for programs that know their accelerations.

A program with ``coordinate_rates`` (q, u, ...) -> qdot and ``forward_dynamics`` (q, u, ...) -> a,
and ``element_state_rates`` (q, u, z, ...) -> z' if elements have states z of their own, gets one
integrator per tableau: of fixed steps, or of steps chosen by the error where the tableau is
embedded. z is stepped behind the speeds, in one array with them. Inputs beyond the state are held
constant over a step, but for the time ``t``; a ``normalize`` function, if present, brings q back
onto its manifold after each step.
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from eomc.codegen.c import fixed_run
from eomc.codegen.c.arguments import call_arguments, with_parameters
from eomc.codegen.c.constraints import PROJECTION_STEPS, lacking, projection, solvers
from eomc.codegen.c.language import parameters_argument
from eomc.codegen.integrators import Tableau, tableaus
from eomc.codegen.language.body import FunctionText, stack_bound
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import ADAPTIVE_CODES, EmittedFunction, Interface, Port, asked_once
from eomc.codegen.templates.template import fill, words

_TEMPLATES = (
    *("*runge_kutta.?", "adaptive_*", fixed_run.TEMPLATES, "normalize.c", "project.c"),
    *("rollouts*.?", "feedback*.?"),
)
_IMPLICIT = ("rosenbrock*.?", "generalized_alpha.c", "step_function.c", "implicit_*.?")
# An input gives way to their words, and to these.
_WORDS = ("p", "threads")


@dataclass(frozen=True)
class Integrator:
    """One method on one model.

    element_rates : rates of the states z of elements, None if there are none
    held : inputs other than q, u, z and the time, each once, in order of the functions' arguments
    timed : whether a function takes the time
    """

    tableau: Tableau
    rates: EmittedFunction
    dynamics: EmittedFunction
    normalize: EmittedFunction | None
    element_rates: EmittedFunction | None
    held: tuple[Port, ...]
    timed: bool

    @property
    def is_adaptive(self) -> bool:
        """True if steps are chosen by an error estimate."""
        return self.tableau.is_adaptive

    @property
    def template(self) -> str:
        """Name of the templates that hold the step of this method."""
        return "adaptive_runge_kutta" if self.is_adaptive else "runge_kutta"

    @property
    def nq(self) -> int:
        return self.dynamics.inputs[0].size

    @property
    def nu(self) -> int:
        return self.dynamics.inputs[1].size

    @property
    def nz(self) -> int:
        """Number of states of elements."""
        return self.element_rates.outputs[0].size if self.element_rates else 0

    @property
    def width(self) -> int:
        """Of the array that holds the speeds, and behind them the states of elements."""
        return self.nu + self.nz

    @property
    def state(self) -> tuple[str, ...]:
        """Names of what is stepped."""
        return ("q", "u", "z") if self.nz else ("q", "u")

    @property
    def entries(self) -> tuple[EmittedFunction, ...]:
        """Functions that give the rates."""
        found = (self.rates, self.dynamics, self.element_rates)
        return tuple(entry for entry in found if entry is not None)


@asked_once
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
    element_rates = face.entry("element_state_rates")
    if element_rates is not None:
        state |= {"z"}
    elif any(port.argument.name == "z" for port in dynamics.inputs):
        return ()
    held: dict[str, Port] = {}
    is_implicit = face.entry("step_matrix") or face.entry("midpoint_step")
    implicit = _IMPLICIT if is_implicit else ()
    names = Names((*RESERVED, *_WORDS, *words(*_TEMPLATES, *implicit)))
    timed = False
    own = element_rates.inputs if element_rates is not None else ()
    for port in (*dynamics.inputs[2:], *rates.inputs, *own):
        if port.argument.name == "t" and port.by_value:
            timed = True
        elif port.argument.name not in state and port.argument.name not in held:
            held[port.argument.name] = replace(port, name=names.take(port.argument.name))
    normalize = face.entry("normalize")
    if normalize is not None and [port.argument.name for port in normalize.inputs] != ["q"]:
        normalize = None
    return tuple(
        Integrator(tableau, rates, dynamics, normalize, element_rates, tuple(held.values()), timed)
        for tableau in tableaus()
    )


def integrator_declarations(face: Interface, bodies: Mapping[str, FunctionText]) -> str:
    """For the header."""
    texts = [
        fill(f"{method.template}.h", **marks, stack=_stack(face, method, bodies))
        + ("" if method.is_adaptive else fixed_run.declarations(marks, method.nq, method.width))
        for method, marks in _marked(face)
    ]
    if any(method.is_adaptive for method in integrators(face)):
        texts.insert(0, fill("adaptive_run.h", m=face.prefix))
    return "".join("\n" + text for text in texts)


def _stack(face: Interface, method: Integrator, bodies: Mapping[str, FunctionText]) -> str:
    """Bound of the stack for the header: own arrays in three functions, and the deepest call."""
    stages, n = method.tableau.stages, method.nq + method.width
    numbers = (stages + 6) * n + stages if method.is_adaptive else (stages + 1) * n
    called = [*method.entries, *([method.normalize] if method.normalize else [])]
    deepest = max(bodies[entry.name].stack for entry in called)
    most = stack_bound(numbers, face.real) + 2 * stack_bound(0, face.real) + deepest
    more = ", and what the projection of each step takes" if solvers(face) else ""
    return f"at most {most} bytes in optimized code{more}"


def integrator_definitions(face: Interface) -> str:
    """For the source file."""
    return "\n".join(
        fill(f"{method.template}.c", **marks)
        + ("" if method.is_adaptive else fixed_run.definitions(marks, method.nq, method.width))
        for method, marks in _marked(face)
    )


def fixed_step_definitions(face: Interface) -> str:
    """One step of each method of fixed steps alone, without the loops over it."""
    methods = (marks for method, marks in _marked(face) if not method.is_adaptive)
    return "\n".join(fill("runge_kutta.c", **marks) for marks in methods)


@asked_once
def _marked(face: Interface) -> list[tuple[Integrator, dict[str, object]]]:
    """The methods with what templates leave open."""
    return [(method, _marks(face, method)) for method in integrators(face)]


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
        "a": coefficient_rows(face, tableau.a, tableau.stages),
        "b": coefficient_row(face, tableau.b, tableau.stages),
        "c": coefficient_row(face, tableau.c, tableau.stages),
        "zero": literal(0, face.real),
        "coordinate_rates": method.rates.symbol,
        "forward_dynamics": method.dynamics.symbol,
    }


def _marks(face: Interface, method: Integrator) -> dict[str, object]:
    """Marks of the templates with their values, of a method of either kind."""
    marks = method_marks(face, method) | {
        # Arrays of length zero do not exist in C.
        "nq": max(method.nq, 1),
        "nu": max(method.width, 1),
        "nq_count": method.nq,
        "nu_count": method.width,
        "behind": states_behind(method) + off_constraints(face),
        "work": _work(face, method),
        **fixed_run.input_marks(face, method.held, method.timed),
        "normalized": " q is normalized after each step." if method.normalize else "",
    }
    if not method.is_adaptive:
        return marks | _fixed(face, method)
    marks |= _adaptive(face, method)
    following = f"y_rate[{marks['stages']}][{marks['n']}] y_next[{marks['n']}]"
    arrays = {"state": f"y[{marks['n']}]", "next": following}
    return marks | {"advance": advanced(marks, "try", 10, **arrays)}


def _fixed(face: Interface, method: Integrator) -> dict[str, object]:
    """Marks of steps of fixed length."""
    state = {"q": "q_stage", "u": "u_stage", "z": f"&u_stage[{method.nu}]", "t": "t_stage"}
    return {
        **stage_calls(face, method, state, f"&u_rate[i][{method.nu}]", INDENT * 2),
        "normalize": normalized(face, method, "q_stage", "q_rate[0]"),
        **_end_of_step(face, method),
    }


def _end_of_step(face: Interface, method: Integrator) -> dict[str, str]:
    """From q_stage and the rates to q and u: at once, or by way of a projection of both."""
    most = literal(Fraction(1, 1000), face.real)
    project = projection(face, held_names(method) | {"t": "t + h"}, "q_stage", "u_stage", "u", most)
    keep_q = _copied("q", "q_stage", method.nq)
    if not project:
        return {"keep_q": keep_q, "u_end": "u[k] += ", "project": ""}
    return {
        "keep_q": "",
        "u_end": "u_stage[k] = u[k] + ",
        "project": project + keep_q + _copied("u", "u_stage", method.width),
    }


def _copied(to: str, source: str, count: int) -> str:
    lines = [f"for (int k = 0; k < {count}; k++) {{", f"{INDENT}{to}[k] = {source}[k];", "}"]
    return "".join(f"{INDENT}{line}\n" for line in lines)


def held_names(method: Integrator) -> dict[str, str]:
    """Names of the held inputs by those of the functions."""
    return {port.argument.name: port.name for port in method.held}


def advanced(marks: Mapping[str, object], trial: str, most_growth: int, **arrays: str) -> str:
    """The function that takes the longest step which the tolerances allow.

    trial : name of the function of a trial, behind that of the method
    arrays : `state` at the start and `next`, which a trial writes: names and sizes, such as
        "q[4] u[3]"
    """
    m = marks["m"]
    own: dict[str, object] = {"trial": trial, "most_growth": f"{most_growth}.0{marks['f']}"}
    for role, text in arrays.items():
        const = "const " if role == "state" else ""
        found = [array.partition("[") for array in text.split()]
        own[role] = ", ".join(name for name, _, _ in found)
        own[f"{role}_declarations"] = "".join(
            f"{INDENT}{const}{m}_real {name}[{marks['M']}_RESTRICT {sizes},\n"
            for name, _, sizes in found
        )
    return fill("adaptive_advance.c", **{**marks, **own})


def _adaptive(face: Interface, method: Integrator) -> dict[str, object]:
    """Marks of steps that the error chooses; the state is y = [q; u; z]."""
    tableau, first = method.tableau, method.nq + method.nu
    state = {"q": "y", "u": f"&y[{method.nq}]", "z": f"&y[{first}]", "t": "t"}
    codes = {status.code: status.enumerator for status in face.statuses}
    last = normalized(face, method, "y_next", "estimate")
    takes_p = bool(last and face.members)
    most, loosest = f"sqrt{face.real.suffix}(rtol)", literal(Fraction(1, 1000), face.real)
    held, arrays = held_names(method), ("y_next", "y_next", "y")
    last += projection(face, held | {"t": "t + h"}, *arrays, most, method.nq)
    recorded = projection(face, held | {"t": "t"}, *arrays, loosest, method.nq)
    at_end = f"{INDENT * 2}if (i == {tableau.stages - 1}) {{\n"
    at_end += textwrap.indent(last, INDENT * 2) + f"{INDENT * 2}}}\n"
    return {
        "n": max(method.nq + method.width, 1),
        **stage_calls(face, method, state, f"&y_rate[{first}]", INDENT),
        "e": coefficient_row(face, tableau.error, tableau.stages),
        "dense_order": len(tableau.interpolant[0]),
        "interpolant": coefficient_rows(face, tableau.interpolant, len(tableau.interpolant[0])),
        "exponent": literal(Fraction(1, tableau.order), face.real),
        "least_rtol": literal(Fraction(200, face.real.exact_integers), face.real),
        "resolution": literal(10 * Fraction(1, face.real.exact_integers), face.real),
        "record_p": "p, " if takes_p else "",
        "record_parameters": f"{INDENT}{parameters_argument(face)},\n" if takes_p else "",
        "normalize_last": at_end if last else "",
        "normalize_record": normalized(face, method, "y_next", "q"),
        **(_projected_record(face, method, recorded) if recorded else {}),
        **{code: codes[code] for code in ADAPTIVE_CODES},
    }


def _projected_record(face: Interface, method: Integrator, project: str) -> dict[str, str]:
    """Marks of records that a projection ends, which takes the inputs and the time."""
    held = with_parameters(face, held_names(method).values())
    unused = "".join(f"{INDENT}(void){name};\n" for name in [*held, "t"])
    inputs = fixed_run.input_marks(face, method.held, method.timed)
    return {
        "record_p": "".join(f"{name}, " for name in [*held, "times[row]"]),
        "record_parameters": f"{inputs['held_declarations']}{INDENT}{face.real_type} t,\n",
        "normalize_record": unused + normalized(face, method, "y_next", "q") + project,
    }


def coefficient_rows(face: Interface, rows: tuple[tuple[Fraction, ...], ...], length: int) -> str:
    return ",\n".join(f"{INDENT * 2}{{{coefficient_row(face, row, length)}}}" for row in rows)


def coefficient_row(face: Interface, values: tuple[Fraction, ...], length: int) -> str:
    padded = [*values, *[Fraction(0)] * (length - len(values))]
    return ", ".join([literal(value, face.real) for value in padded])


def off_constraints(face: Interface) -> str:
    """A paragraph about steps that do not end on the constraints there are."""
    missing = lacking(face)
    if not missing:
        return ""
    text = (
        "Steps do NOT end on the constraints of the model, from which their errors lead away: that "
        f"takes the functions {', '.join(missing)}, which are not emitted here."
    )
    return paragraph(text)


def paragraph(text: str) -> str:
    return " *\n" + "".join(f" * {line}\n" for line in textwrap.wrap(text, 96))


def _work(face: Interface, method: Integrator) -> str:
    """A paragraph about how often what is called, at most."""
    stages = method.tableau.stages
    project = f", and projects with at most {PROJECTION_STEPS} steps of Newton's method"
    project, likewise = (project, " and projected likewise") if solvers(face) else ("", "")
    if not method.is_adaptive:
        return paragraph(f"Work: each step evaluates the rates {stages} times{project}.")
    return paragraph(
        f"Work: two evaluations of the rates first; then at most max_steps trials of a step, each "
        f"of which evaluates them {stages - 1} times{project}. Each of the rows is interpolated "
        f"once{likewise}."
    )


def states_behind(method: Integrator) -> str:
    """Comment on the array u, the states of elements behind the speeds; nothing without them."""
    if not method.nz:
        return ""
    return (
        f" *\n * u holds the {method.nu} speeds and behind them the {method.nz} states z of "
        "elements, stepped too.\n"
    )


def stage_calls(
    face: Interface, method: Integrator, state: dict[str, str], z_rate: str, indent: str
) -> dict[str, str]:
    """Arguments of the functions of a stage, and the call that gives the rates of z, if any."""
    names, states = state | held_names(method), ""
    if (entry := method.element_rates) is not None:
        arguments = f"{call_arguments(face, entry, names)}, {z_rate}"
        marks = {"element_state_rates": entry.symbol, "arguments": arguments, "M": face.macro}
        states = textwrap.indent(fill("element_state_rates.c", **marks), indent)
    return {
        "element_state_rates": states,
        "coordinate_rates_arguments": call_arguments(face, method.rates, names),
        "forward_dynamics_arguments": call_arguments(face, method.dynamics, names),
    }


def normalized(face: Interface, method: Integrator, q: str, scratch: str) -> str:
    """Statements that bring the array q onto the manifold, by way of another one."""
    if method.normalize is None:
        return ""
    arguments = ", ".join([*with_parameters(face, [q]), scratch])
    normalize = method.normalize.symbol
    marks = {"normalize": normalize, "arguments": arguments, "q": q, "scratch": scratch}
    return fill("normalize.c", M=face.macro, nq=method.nq, **marks)
