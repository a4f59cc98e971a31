"""Steps of a closed loop: a feedback law and an integrator of fixed steps in one function.

Every function that feeds ``forward_dynamics`` gets one, if there is an integrator; what the law is
about does not matter here.
"""

from dataclasses import dataclass, replace

from eomc.codegen.c.arguments import call_arguments, declared, passed_on
from eomc.codegen.c.integrator import Integrator, integrators, states_behind
from eomc.codegen.c.language import port_declaration
from eomc.codegen.language.language import INDENT
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import EmittedFunction, Interface, Port, asked_once
from eomc.codegen.templates.template import fill, words

DYNAMICS = "forward_dynamics"
"""The function that laws feed and integrators integrate."""


@dataclass(frozen=True)
class ClosedLoopFunction:
    """One law with one integrator.

    inputs : of both beyond q, u, the time and p, each once
    output : the law's, an input of the integrator
    timed : whether the law or the integrator takes the time
    """

    law: EmittedFunction
    method: Integrator
    inputs: tuple[Port, ...]
    output: Port
    timed: bool

    @property
    def name(self) -> str:
        """Of the C function, without the model's prefix."""
        return f"{self.law.name}_closed_loop_step"


@asked_once
def closed_loops(face: Interface) -> tuple[ClosedLoopFunction, ...]:
    """The closed loops that ``face`` allows.

    Raises EmissionError for a law that feeds something that is no input.
    """
    methods = [method for method in integrators(face) if not method.tableau.is_adaptive]
    laws = [entry for entry in face.entries if entry.function.feeds == DYNAMICS]
    return tuple(_closed_loop(law, methods[0]) for law in laws if methods)


def _closed_loop(law: EmittedFunction, method: Integrator) -> ClosedLoopFunction:
    fed = {port.argument.name: port for port in method.held}
    if len(law.outputs) != 1 or law.outputs[0].argument.name not in fed:
        raise EmissionError(
            f"function {law.function.name!r} is to feed {DYNAMICS!r}, but gives none of its inputs "
            f"({', '.join(fed)})"
        )
    target = law.outputs[0].argument
    if len(target.entries) != fed[target.name].size:
        raise EmissionError(f"function {law.function.name!r}: {target.name!r} has another size")
    names = Names((*RESERVED, "t", "p", *words("closed_loop.?")))
    inputs: dict[str, Port] = {}
    timed = method.timed
    own = [port for port in law.inputs if port.argument.name not in ("q", "u", "z")]
    for port in (*own, *(port for name, port in fed.items() if name != target.name)):
        name = port.argument.name
        if name == "t" and port.by_value:
            timed = True
        elif name not in inputs:
            inputs[name] = replace(port, name=names.take(name))
        elif inputs[name].size != port.size:
            raise EmissionError(f"function {law.function.name!r}: {name!r} has another size")
    output = replace(law.outputs[0], name=names.take(law.outputs[0].name))
    return ClosedLoopFunction(law, method, tuple(inputs.values()), output, timed)


def closed_loop_declarations(face: Interface) -> str:
    """For the header."""
    return "".join("\n" + fill("closed_loop.h", **_marks(face, k)) for k in closed_loops(face))


def closed_loop_definitions(face: Interface) -> str:
    """For the source file."""
    return "".join("\n" + fill("closed_loop.c", **_marks(face, k)) for k in closed_loops(face))


def _marks(face: Interface, loop: ClosedLoopFunction) -> dict[str, object]:
    method, names = loop.method, {port.argument.name: port.name for port in loop.inputs}
    read = {"q": "q", "u": "u", "z": f"u + {method.nu}", "t": "t"} | names
    held = names | {loop.output.argument.name: loop.output.name}
    declarations = declared(face, (port_declaration(face, port) for port in loop.inputs))
    integrated = passed_on(face, (held[port.argument.name] for port in method.held))
    return {
        "m": face.prefix,
        "M": face.macro,
        "step": f"{face.prefix}_{loop.name}",
        "law": loop.law.symbol,
        "method": method.tableau.name,
        "nq": max(method.nq, 1),
        "nu": max(method.width, 1),
        "behind": states_behind(method),
        "output": loop.output.name,
        "size": max(loop.output.size, 1),
        "declarations": declarations + (f"{INDENT}{face.real_type} t,\n" if loop.timed else ""),
        "law_arguments": call_arguments(face, loop.law, read),
        "held": integrated + ("t, " if method.timed else ""),
    }
