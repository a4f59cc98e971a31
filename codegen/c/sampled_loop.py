"""A mechanism under a sampled controller in C: both as they are emitted, and the loop around them.

The loop holds the controller's forces between the instants at which they change, and integrates by
the mechanism's own Runge-Kutta steps from instant to instant. Templates: ``sampled_loop*``.
"""

from dataclasses import replace

from eomc.codegen.c.arguments import declared, passed_on
from eomc.codegen.c.difference_step import STEP
from eomc.codegen.c.integrator import Integrator, integrators, states_behind
from eomc.codegen.c.language import port_declaration
from eomc.codegen.language.language import INDENT
from eomc.codegen.language.literal import literal
from eomc.codegen.plan.errors import EmissionError
from eomc.codegen.plan.identifiers import RESERVED, Names
from eomc.codegen.plan.interface import Interface, Port
from eomc.codegen.templates.template import fill, words

_MEASURED = {"q": "q", "u": "u"}
_FORCES = "tau"


def loop_name(plant: Interface, controller: Interface) -> str:
    """Prefix of the loop's names."""
    return f"{plant.prefix}_{controller.prefix}"


def loop_files(plant: Interface, controller: Interface) -> dict[str, str]:
    """The loop's header, its C file and the call from Python.

    Raises EmissionError where the controller does not fit the mechanism.
    """
    marks = _marks(plant, controller)
    name = loop_name(plant, controller)
    return {
        f"{name}.h": fill("sampled_loop.h", **marks),
        f"{name}.c": fill("sampled_loop.c", **marks),
        f"{name}_call.c": fill("sampled_loop_call.c", **marks),
    }


def held_inputs(plant: Interface) -> tuple[str, ...]:
    """Names of the inputs that stay over a run, beside the forces."""
    return tuple(p.argument.name for p in _method(plant).held if p.argument.name != _FORCES)


def _method(plant: Interface) -> Integrator:
    methods = [method for method in integrators(plant) if not method.tableau.is_adaptive]
    if not methods:
        raise EmissionError(
            f"model {plant.program.name!r} has no integrator; it takes the functions "
            "coordinate_rates, forward_dynamics and normalize"
        )
    return methods[0]


def _followed(plant: Interface, controller: Interface) -> list[Port]:
    """What the controller is told beside q and u; all of it is checked."""
    entry, method = controller.entry(STEP), _method(plant)
    if entry is None:
        raise EmissionError(f"program {controller.program.name!r} is no controller")
    sizes = {"q": method.nq, "u": method.nu}
    made = entry.outputs[-1]
    if made.argument.name != _FORCES or made.size != method.nu:
        raise EmissionError(
            f"controller {controller.program.name!r} gives {made.size} {made.argument.name!r}; the "
            f"mechanism takes {method.nu} {_FORCES!r}"
        )
    ports = [port for port in entry.inputs if port.argument.name not in ("state", "chance")]
    for port in ports:
        name = port.argument.name
        if name in sizes and port.size != sizes[name]:
            raise EmissionError(
                f"controller {controller.program.name!r} measures {port.size} {name!r}; the "
                f"mechanism has {sizes[name]}"
            )
    return [port for port in ports if port.argument.name not in _MEASURED]


def _marks(plant: Interface, controller: Interface) -> dict[str, object]:
    method, followed = _method(plant), _followed(plant, controller)
    name = loop_name(plant, controller)
    own = Names((*RESERVED, "p", "controller_p", "tau", *words("sampled_loop*.?")))
    held = {
        port.argument.name: port if port.argument.name == _FORCES else replace(
            port, name=own.take(port.name)
        )
        for port in method.held
    }  # fmt: skip
    ports = [port for key, port in held.items() if key != _FORCES]
    declarations = declared(plant, (port_declaration(plant, port) for port in ports))
    measures = controller.members
    of_controller = f"const {controller.parameters_type} *controller_p"
    return {
        "m": plant.prefix,
        "M": plant.macro,
        "c": controller.prefix,
        "C": controller.macro,
        "l": name,
        "L": name.upper(),
        "l_failed": f"{name.upper()}_CONTROLLER_FAILED",
        "l_undefined": f"{name.upper()}_CONTROLLER_NOT_FINITE",
        "f": plant.real.suffix,
        "zero": literal(0, plant.real),
        "one": literal(1, plant.real),
        "same": "3.6e-15" if plant.real.bytes == 8 else "1.9e-6",
        "nq": max(method.nq, 1),
        "nu": max(method.width, 1),
        "q_rows": 2 * max(method.nq, 1),
        "u_rows": 2 * max(method.width, 1),
        "actuated": max(method.nu, 1),
        "coming": max(method.nu, 1) + 1,
        "behind": ", u with the states of elements behind" if states_behind(method) else "",
        "reference": ", ".join(p.argument.name for p in followed) or "nothing",
        "reference_size": sum(port.size for port in followed),
        "held_declarations": declarations,
        "declarations": declarations + (f"{INDENT}{of_controller},\n" if measures else ""),
        "inputs": passed_on(plant, (port.name for port in ports)),
        "held": passed_on(plant, (port.name for port in held.values())),
        "from": "from, " if method.timed else "",
        "controller_parameter": f"{of_controller},\n    " if measures else "",
        "controller_given": "controller_p, " if measures else "",
        "step_arguments": _step_arguments(controller, followed),
        "seed": ", seed" if _draws(controller) else "",
        "arguments": _call_arguments(plant, controller, ports),
    }


def _draws(controller: Interface) -> bool:
    told = controller.program.metadata.get(STEP)
    return isinstance(told, dict) and bool(told.get("draws"))


def _step_arguments(controller: Interface, followed: list[Port]) -> str:
    entry = controller.entry(STEP)
    assert entry is not None
    given, place = {**_MEASURED}, 0
    for port in followed:
        given[port.argument.name], place = f"&r[{place}]", place + port.size
    names = [given[p.argument.name] for p in entry.inputs if p.argument.name in given]
    return ", ".join(["state", *names, *(["controller_p"] if controller.members else [])])


def _call_arguments(plant: Interface, controller: Interface, ports: list[Port]) -> str:
    """What stays over a run, from a table of arrays; structs hold nothing but scalars in order."""
    found = [f"x[{k}][0]" if port.by_value else f"x[{k}]" for k, port in enumerate(ports)]
    for k, face in enumerate((plant, controller), start=len(ports)):
        if face.members:
            found.append(f"(const {face.parameters_type} *)(const void *)x[{k}]")
    return "".join(f"{argument}, " for argument in found)
