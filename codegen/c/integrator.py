"""Fixed-step integrators in C, for programs that know their accelerations.

A program with ``coordinate_rates`` (q, u, ...) -> qdot and ``forward_dynamics`` (q, u, ...) -> a
gets one integrator per tableau. Inputs beyond q and u are held constant over a step, but for the
time ``t``; a ``normalize`` function, if present, brings q back onto its manifold after each step.
"""

from dataclasses import dataclass, replace

from eomc.codegen.c.body import INDENT
from eomc.codegen.c.signature import array_declarator, parameters_argument
from eomc.codegen.identifiers import RESERVED, Names
from eomc.codegen.interface import Entry, Interface, Port
from eomc.codegen.literal import literal
from eomc.codegen.tableau import RK4, Tableau
from eomc.codegen.template import fill

TABLEAUS = (RK4,)

# Variables of the template; an input of the same name gives way.
_TEMPLATE_NAMES = (
    *("q", "u", "t", "h", "p", "a", "b", "c", "i", "j", "k", "sum", "status", "steps", "per_step"),
    *("done", "step", "row", "time", "q_rate", "u_rate", "q_stage", "u_stage", "t_stage"),
    *("q_next", "u_next", "size_t"),
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
    return "".join(
        "\n" + fill("runge_kutta.h", **_marks(face, method)) for method in integrators(face)
    )


def integrator_definitions(face: Interface) -> str:
    """For the source file."""
    return "\n".join(fill("runge_kutta.c", **_marks(face, method)) for method in integrators(face))


def _marks(face: Interface, method: Integrator) -> dict[str, object]:
    tableau = method.tableau
    return {
        "m": face.prefix,
        "M": face.macro,
        "method": tableau.name,
        "title": tableau.title,
        "stages": tableau.stages,
        "a": ",\n".join(f"{INDENT * 2}{{{_row(face, tableau, row)}}}" for row in tableau.a),
        "b": _row(face, tableau, tableau.b),
        "c": _row(face, tableau, tableau.c),
        # Arrays of length zero do not exist in C.
        "nq": max(method.nq, 1),
        "nu": max(method.nu, 1),
        "zero": literal(0, face.real),
        "nq_count": method.nq,
        "nu_count": method.nu,
        "coordinate_rates": method.rates.symbol,
        "coordinate_rates_arguments": _arguments(face, method, method.rates),
        "forward_dynamics": method.dynamics.symbol,
        "forward_dynamics_arguments": _arguments(face, method, method.dynamics),
        "held": "".join(f"{name}, " for name in _held_names(face, method)),
        "held_rows": _held_rows(face, method),
        "held_declarations": _declarations(face, method, rows=False),
        "row_declarations": _declarations(face, method, rows=True),
        "time_declaration": f"{INDENT}{face.real_type} t,\n" if method.timed else "",
        "start": "t + " if method.timed else "",
        "normalize": _normalize(face, method),
        "normalized": " q is normalized after each step." if method.normalize else "",
    }


def _row(face: Interface, tableau: Tableau, values: tuple[object, ...]) -> str:
    padded = [*values, *[0] * (tableau.stages - len(values))]
    return ", ".join(literal(value, face.real) for value in padded)  # type: ignore[arg-type]


def _arguments(face: Interface, method: Integrator, entry: Entry) -> str:
    names = {"q": "q_stage", "u": "u_stage"} | ({"t": "t_stage"} if method.timed else {})
    names |= {port.argument.name: port.name for port in method.held}
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


def _normalize(face: Interface, method: Integrator) -> str:
    """Statements that bring q_stage onto the manifold, by way of the first stage's rates."""
    if method.normalize is None:
        return ""
    arguments = "q_stage, p, q_rate[0]" if face.members else "q_stage, q_rate[0]"
    lines = [
        "{",
        f"{INDENT}const int status = {method.normalize.symbol}({arguments});",
        f"{INDENT}if (status != {face.macro}_OK) {{",
        f"{INDENT * 2}return status;",
        f"{INDENT}}}",
        f"{INDENT}for (int k = 0; k < {method.nq}; k++) {{",
        f"{INDENT * 2}q_stage[k] = q_rate[0][k];",
        f"{INDENT}}}",
        "}",
    ]
    return "".join(f"{INDENT}{line}\n" for line in lines)
